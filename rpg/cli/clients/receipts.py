"""What was written into which file, so that it can be taken back.

In: the steps of a plan. Out: for each file, its edits in order: the place, what was put there, what stood there before,
and which clients need it. They are in the user's data folder, for the user alone: of a file's text, only what an edit
replaced is kept, which is nothing or something of ours, hardly ever the user's.

Absent: how an edit is taken back (undoing.py).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from rpg.cli.clients.changes import LARGEST, Step
from rpg.errors import RpgError
from rpg.stores.installation import data_folder
from rpg.system import filesystem

FOLDER = "installed"


class Edit(NamedTuple):
    clients: tuple[str, ...]
    part: str
    at: int
    removed: str
    inserted: str
    digest: str
    """Of the whole text after the edit."""
    is_new: bool
    """Whether there was no file before."""
    folders: tuple[str, ...] = ()
    """The folders that were made for it, the innermost first."""


def edit_of(step: Step, ours: frozenset[str] = frozenset()) -> Edit:
    """The one place where both texts differ. `ours`: folders that were made for other files."""
    before, after = step.before or "", step.after or ""
    start = common(before, after)
    end = common(before[start:][::-1], after[start:][::-1])
    made = []
    if step.before is None:
        for folder in step.file.parents:
            if folder.exists() and str(folder) not in ours:
                break
            made.append(str(folder))
    return Edit(
        (step.client,), step.part, start, before[start : len(before) - end], after[start : len(after) - end],
        digest(after), step.before is None, tuple(made),
    )  # fmt: skip


def common(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def place_of(file: Path) -> Path:
    return data_folder() / FOLDER / f"{blake2b(os.fsencode(file), digest_size=8).hexdigest()}.json"


def edits_of(file: Path) -> list[Edit]:
    return read(place_of(file))[1]


def every_file() -> Iterator[tuple[Path, list[Edit]]]:
    """All files that were changed on this machine, by this user."""
    for place in sorted((data_folder() / FOLDER).glob("*.json")):
        file, edits = read(place)
        if edits:
            yield Path(file), edits


def read(place: Path) -> tuple[str, list[Edit]]:
    """Nothing if it is damaged: what was installed is then found by its form."""
    with suppress(OSError, ValueError, KeyError, TypeError, RpgError):
        found = json.loads(filesystem.read_file(place, LARGEST))
        edits = [
            Edit(**each | {"clients": tuple(each["clients"]), "folders": tuple(each.get("folders", ()))})
            for each in found["edits"]
        ]
        return str(found["file"]), edits
    return "", []


def keep(file: Path, edits: list[Edit]) -> None:
    from rpg.stores import atomic

    place = place_of(file)
    if not edits:
        with suppress(OSError, RpgError):
            filesystem.remove(place)
        return
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = json.dumps({"file": str(file), "edits": [each._asdict() for each in edits]})
    atomic.write(place, [text.encode()])
    with suppress(OSError):
        place.chmod(0o600)


def remember(steps: list[Step]) -> None:
    ours = frozenset(folder for _, edits in every_file() for edit in edits for folder in edit.folders)
    for file in dict.fromkeys(step.file for step in steps):
        keep(file, [*edits_of(file), *(edit_of(step, ours) for step in steps if step.file == file)])


def share(file: Path, client: str, part: str) -> None:
    """Another client needs what is there already: it stays until the last of them is uninstalled."""
    edits = edits_of(file)
    if any(each.part == part and client not in each.clients for each in edits):
        keep(
            file,
            [
                each._replace(clients=(*each.clients, client)) if each.part == part and client not in each.clients
                else each
                for each in edits
            ],
        )  # fmt: skip
