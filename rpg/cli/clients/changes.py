"""Changes to files of the user's: planned, shown, and then made, each file whole or not at all.

In: files, and what they are to contain. Out: the difference, as text; the files. Bytes around a change are kept, as are
the mode and the line ends. A file that is a symlink, or below one, of another user, too large or not UTF-8 is refused
with BAD_REQUEST before anything is written; one that somebody changed since it was read is left, too.

Absent: what belongs into a file (the other modules), and what is remembered of it (receipts.py).
"""

from __future__ import annotations

import difflib
import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rpg.errors import BadRequest, EncodeFailed
from rpg.stores import atomic
from rpg.system import filesystem

MOST_REMOVED = 3
"""Lines of a file that goes which are shown; of a longer one, their number is."""
LARGEST = 16 << 20
"""Limit for a file of a client's, in bytes."""
CONTEXT = 2


class Step(NamedTuple):
    """One change of one file; None is a file that is not there."""

    file: Path
    before: str | None
    after: str | None
    client: str
    part: str
    """server, rules, agent, skill, hooks or answers."""


class Plan:
    """The steps so far. What is read is what the steps before made of it."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._now: dict[Path, str | None] = {}

    def read(self, file: Path, above: Path) -> str | None:
        """The text of a file, None if there is none. BAD_REQUEST if it cannot be changed."""
        if file not in self._now:
            if what := unfit(above, file):
                raise BadRequest(f"{what}: nothing was changed")
            self._now[file] = text_of(file)
        return self._now[file]

    def write(self, file: Path, text: str | None, client: str, part: str) -> None:
        """Adds a step, unless the file says that already. The file was read before."""
        before = self._now[file]
        if before != text:
            self.steps.append(Step(file, before, text, client, part))
            self._now[file] = text

    def files(self) -> list[tuple[Path, str | None, str | None]]:
        """Each changed file once: before all steps and after them."""
        first = {step.file: step.before for step in reversed(self.steps)}
        order = dict.fromkeys(step.file for step in self.steps)
        return [(file, first[file], self._now[file]) for file in order if first[file] != self._now[file]]


def text_of(file: Path) -> str | None:
    """BAD_REQUEST if there is a file that is no text of a bearable size."""
    try:
        return filesystem.read_file(file, LARGEST).decode()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise BadRequest(f"{file} is not UTF-8: nothing was changed") from None
    except OSError as error:
        what = f"is larger than {LARGEST >> 20} MB" if error.errno == errno.EFBIG else "cannot be read"
        raise BadRequest(f"{file} {what}: nothing was changed") from None


def unfit(above: Path, file: Path) -> str:
    """Why the file must not be written: it, or a folder of the project on the way to it, is a symlink, or it is not a
    file of the user's."""
    for folder in file.parents:
        if folder == above or above not in folder.parents:
            break
        if folder.is_symlink():
            return f"{folder} is a symlink"
    try:
        fault = filesystem.problem_with_file(os.lstat(file))
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return f"{file} cannot be read ({error.strerror})"
    if not fault and not os.access(file, os.W_OK):
        fault = "is read-only"
    return f"{file} {fault}" if fault else ""


def difference(plan: Plan) -> str:
    """All of it as a unified diff, with secrets of the lines around it masked."""
    from rpg.encoder.masking import mask

    text = "".join(line for change in plan.files() for line in lines_of(*change))
    return mask(text.encode(), "settings.json").decode()


def lines_of(file: Path, before: str | None, after: str | None) -> Iterator[str]:
    name = format_place(file)
    yield f"--- {'/dev/null' if before is None else name}\n+++ {'/dev/null' if after is None else name}\n"
    old, new = (before or "").splitlines(keepends=True), (after or "").splitlines(keepends=True)
    if after is None and len(old) > MOST_REMOVED:
        # A file goes only if nothing in it is anybody else's.
        yield f"-({len(old)} lines, all of them rpg's)\n"
        return
    for line in list(difflib.unified_diff(old, new, n=CONTEXT))[2:]:
        yield line if line.endswith("\n") else line + "\n"


def format_place(file: Path) -> str:
    """Relative to the current folder, or with ~."""
    for above, prefix in ((Path.cwd(), ""), (Path.home(), "~/")):
        with suppress(ValueError):
            return prefix + file.relative_to(above).as_posix()
    return str(file)


def apply(plan: Plan) -> None:
    """Makes the changes. BAD_REQUEST if a file is another by now, or cannot be written; those before it are made."""
    for file, before, after in plan.files():
        if text_of(file) != before:
            raise BadRequest(f"{file} was changed meanwhile, and was left as it is: run the command again")
        try:
            if after is None:
                filesystem.remove(file)
            else:
                put(file, after)
        except (OSError, EncodeFailed) as error:
            reason = getattr(error, "strerror", "") or error
            raise BadRequest(f"{file} cannot be written ({reason}), and was left as it is") from None


def put(file: Path, text: str) -> None:
    mode = file.stat().st_mode & 0o777 if file.exists() else 0
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = atomic.staging_path(file)
    try:
        with filesystem.create(fresh) as staged:
            if mode and hasattr(os, "fchmod"):  # the file may contain secrets of the user
                os.fchmod(staged.fileno(), mode)
            staged.write(text.encode())
        atomic.publish(fresh, file)
    finally:
        fresh.unlink(missing_ok=True)
