"""What differs between an index and the sources that it was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rpg.stamp import Stamp

if TYPE_CHECKING:
    from rpg.encoder.source_files.listing import Identity


class Changes(NamedTuple):
    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    stamps: tuple[Stamp | None, ...] = ()
    """Of the edited and added files, so that one more edit of the same file is another change."""
    identity: Identity | None = None
    """What the repository is now, where commit, remote or cleanness are not those of the graph."""

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({*self.edited, *self.added, *self.deleted}))
