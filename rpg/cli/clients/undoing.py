"""What was installed, taken back.

In: a plan, a client (or all). Out: steps of the plan. A file that nobody edited since gets the bytes that it had; in
one that was edited, the piece that was written is taken out, or what is found of it by its form. A file that was made
for this, and has nothing else, goes, with the folders that were made for it.

Absent: the writing (changes.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rpg.cli.clients.changes import Plan
from rpg.cli.clients.parts import PARTS, Target, remove
from rpg.cli.clients.receipts import Edit, digest, edits_of, every_file, keep
from rpg.cli.clients.table import PROJECT, USER
from rpg.errors import BadRequest


class Undone(NamedTuple):
    kept: dict[Path, list[Edit]]
    """The edits of each file that stay."""
    folders: list[Path]
    """Folders that go if they are empty then."""
    left: list[str]
    """What could not be changed, and why."""


def undo(plan: Plan, clients: Iterable[str], root: Path, scopes: Iterable[str], everywhere: bool) -> Undone:
    """`everywhere`: also in other projects of this machine, as far as is remembered."""
    clients, scopes = tuple(clients), tuple(scopes)
    done = Undone({}, [], [])
    for file, edits in every_file():
        if everywhere or is_within(file, root, scopes):
            take_back(plan, file, edits, clients, done)
    for client in clients:
        for scope in scopes:
            target = Target(client, scope, root)
            for part in reversed(PARTS):
                done.left.extend(remove(part, target, plan) if not is_needed(part, target, clients) else ())
    return done


def is_within(file: Path, root: Path, scopes: tuple[str, ...]) -> bool:
    in_project = file.is_relative_to(root)
    return (PROJECT in scopes and in_project) or (USER in scopes and not in_project and file.is_relative_to(Path.home())
                                                  and not is_in_another_project(file))  # fmt: skip


def is_in_another_project(file: Path) -> bool:
    from rpg.repository import repository_around

    with suppress(OSError, RuntimeError):
        return repository_around(file.parent) != file.parent and (repository_around(file.parent) / ".git").exists()
    return False


def is_needed(part: str, target: Target, clients: tuple[str, ...]) -> bool:
    """Whether another client has the same lines, and stays."""
    from rpg.cli.clients.parts import file_of

    file = file_of(part, target)
    if file is None:
        return False
    return any(each.part == part and set(each.clients) - set(clients) for each in edits_of(file))


def take_back(plan: Plan, file: Path, edits: list[Edit], clients: tuple[str, ...], done: Undone) -> None:
    kept = []
    for edit in reversed(edits):
        others = tuple(client for client in edit.clients if client not in clients)
        if others:
            kept.append(edit._replace(clients=others))
            continue
        if len(others) == len(edit.clients):
            continue
        try:
            text = plan.read(file, file.parent)
        except BadRequest as refused:
            done.left.append(refused.message)
            kept.append(edit)
            continue
        new = text_before(text, edit)
        if new is not None or edit.is_new:
            plan.write(file, None if edit.is_new and not (new or "").strip() else new, edit.clients[0], edit.part)
        if edit.is_new:
            done.folders.extend(map(Path, edit.folders))
    done.kept[file] = kept[::-1]


def text_before(text: str | None, edit: Edit) -> str | None:
    """The text without the edit; the text itself if the edit is not found in it, and has to be looked for by form."""
    if text is None:
        return None
    if digest(text) == edit.digest:
        return text[: edit.at] + edit.removed + text[edit.at + len(edit.inserted) :]
    if edit.inserted and text.count(edit.inserted) == 1:
        new = text.replace(edit.inserted, edit.removed)
        if is_sound(new, text):
            return new
    return text


def is_sound(new: str, text: str) -> bool:
    """Whether what was JSON still is; other formats are pieces of whole lines."""
    from rpg.cli.clients.editing.json_with_comments import load
    from rpg.cli.clients.editing.malformed import Malformed

    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return True
    with suppress(Malformed):
        load(new)
        return True
    return not new.strip()


def finish(done: Undone) -> None:
    """After the files are written: forgets what was taken back, and removes the empty folders that were made for it."""
    for file, kept in done.kept.items():
        keep(file, kept)
    for folder in sorted(done.folders, key=lambda each: len(each.parts), reverse=True):
        with suppress(OSError):
            folder.rmdir()
