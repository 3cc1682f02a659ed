"""What an answer says about itself: how fresh it is, and why it cannot be fresher.

In: an index, the watch over its sources, and a note from when it was made. Out: values and a line of text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.stores import installation

if TYPE_CHECKING:
    from rpg.repository.watch.freshness import Watch
    from rpg.stores.index.index import Index

ALONE = (
    "only the graph file is here: names and docs are searched, but there are no sources, and unresolved places are "
    "unknown; name the folder of the repository with --repository, or encode it again"
)


class Freshness(NamedTuple):
    """How an answer relates to the sources."""

    commit: str = ""
    """The commit of the graph; empty outside git."""
    dirty: bool = False
    """Whether the graph includes uncommitted changes."""
    refreshed: tuple[str, ...] = ()
    """Files that had changed and were encoded again before this answer."""
    stale: tuple[str, ...] = ()
    """Files that have changed since, whose old contents the answer shows."""
    note: str = ""
    """Why nothing can be refreshed, or was not."""


@dataclass(frozen=True)
class Snapshot:
    """A snapshot of a repository."""

    index: Index
    header: dict[str, Any]
    state: Freshness
    graph_only: bool
    """Whether only the graph file exists: no sources, no places."""


def note_of(index: Index, watch: Watch | None, index_note: str) -> str:
    """`index_note`: the note from when the index was made."""
    notes = [index_note]
    if index.meta("basis") == "graph":
        if not index.meta("refused") or not index_note:
            notes.append(ALONE)
    elif watch is None:
        root = index.meta("root")
        where = f"the folder {root} does not exist" if root else "the folder of the repository is not known"
        notes.append(f"{where}: answers describe the sources as they were encoded")
    elif watch.is_elsewhere:
        notes.append(f"no file of the graph is in {watch.root}: answers describe the sources as they were encoded")
    notes.append(installation.note())
    return "; ".join(filter(None, notes))
