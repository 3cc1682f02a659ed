"""Which graphs are made from the clone of a URL.

In: a folder, the path of a graph. Out: the clone that contains the folder; whether a graph of it still exists. Graphs
may be anywhere, so each is recorded beside the clone when it is made.
"""

from __future__ import annotations

import os
from pathlib import Path

from rpg.repository.locations import clones_folder, index_path
from rpg.stores.index.index import BrokenIndex, read_meta


def clone_of(root: Path) -> Path | None:
    """The clone of one URL that contains the folder, if there is one."""
    top, folder = clones_folder().resolve(), root.resolve()
    return top / folder.relative_to(top).parts[0] if folder.is_relative_to(top) and folder != top else None


def note(root: Path, graph_path: Path) -> None:
    """Records that a graph is made from a clone, if the folder is in one."""
    clone, name = clone_of(root), os.fsencode(graph_path)
    if clone is not None and name not in _read_noted(clone):
        with _note_of(clone).open("ab") as file:
            file.write(name + b"\0")


def any_left(clone: Path) -> bool:
    return any(_is_made_from(clone, Path(os.fsdecode(name))) for name in _read_noted(clone))


def remove_note(clone: Path) -> None:
    _note_of(clone).unlink(missing_ok=True)


def _note_of(clone: Path) -> Path:
    return clone.with_name(f"{clone.name}-graphs")


def _read_noted(clone: Path) -> list[bytes]:
    """The recorded graphs. Some may be gone by now, or made from another folder."""
    try:
        return _note_of(clone).read_bytes().split(b"\0")[:-1]
    except FileNotFoundError:
        return []


def _is_made_from(clone: Path, graph_path: Path) -> bool:
    try:
        return clone_of(Path(read_meta(index_path(graph_path)).get("root", ""))) == clone
    except BrokenIndex:
        return graph_path.exists()
