"""The names of files under a folder where git does not say them: every folder, with its .gitignore files in force.

Comes in: a folder and who decides which folders to enter. Goes out: paths relative to it, as the file system spells
them, and folders that could not be read. Absent on purpose: sizes, contents, symlinks followed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rpg import filesystem
from rpg.encoder import patterns

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_LARGEST_IGNORE_FILE = 1 << 20


class Walked(NamedTuple):
    names: list[str]
    unreadable: list[tuple[str, OSError]]


class _Rules(NamedTuple):
    """One .gitignore, and those of the folders around it."""

    folder: str
    spec: GitIgnoreSpec
    around: _Rules | None


def walk(root: Path, enter: Callable[[str, Mapping[str, bool]], bool]) -> Walked:
    """Every file that no .gitignore between it and `root` ignores, in no particular order.

    `enter(folder, entries)` decides whether a folder is entered, told its path with a final '/' and for each name in
    it whether that is a folder.
    """
    names: list[str] = []
    unreadable: list[tuple[str, OSError]] = []
    pending: list[tuple[str, _Rules | None]] = [("", None)]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as found:
                entries = {entry.name: entry.is_dir(follow_symlinks=False) for entry in found}
        except OSError as error:
            unreadable.append((folder, error))
            continue
        if folder and not enter(folder, entries):
            continue
        if ".gitignore" in entries:
            rules = _rules(root, folder, rules)
        for name, is_folder in entries.items():
            if name == ".git":
                continue  # of a work tree beside its repository, a file
            path = f"{folder}{name}/" if is_folder else folder + name
            if rules is not None and _is_ignored(path, rules):
                continue
            if is_folder:
                pending.append((path, rules))
            else:
                names.append(path)
    return Walked(names, unreadable)


def ignores(root: Path, path: str) -> bool:
    """Whether a .gitignore between `root` and a file below it ignores that file, or a folder that it stands in."""
    rules: _Rules | None = None
    folder = ""
    while True:
        rules = _rules(root, folder, rules)
        end = path.find("/", len(folder))
        inner = path[: end + 1] if end >= 0 else path
        if rules is not None and _is_ignored(inner, rules):
            return True
        if end < 0:
            return False
        folder = inner


def _is_ignored(path: str, rules: _Rules | None) -> bool:
    """The innermost file that has a pattern for the path decides, in it the last pattern."""
    while rules is not None:
        verdict = rules.spec.check_file(path[len(rules.folder) :]).include
        if verdict is not None:
            return verdict
        rules = rules.around
    return False


def _rules(root: Path, folder: str, around: _Rules | None) -> _Rules | None:
    try:
        data = filesystem.read_below(root, f"{folder}.gitignore", _LARGEST_IGNORE_FILE)
    except OSError:
        return around
    text = data.decode("utf-8-sig", errors="surrogateescape").replace("\r\n", "\n")
    lines = [line for line in text.split("\n") if line.strip() and not patterns.fault_of_pattern(line)]
    return _Rules(folder, patterns.compiled(lines[: patterns.MOST_IGNORED]), around) if lines else around
