"""How the sources differ from the index that was made from them: values only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rpg.system.stamp import Stamp

if TYPE_CHECKING:
    from rpg.encoder.source_files.listing import Identity


class Changes(NamedTuple):
    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    stamps: tuple[Stamp | None, ...] = ()
    """Stamps of the edited and added files, so that a further edit of the same file is a different change."""
    identity: Identity | None = None
    """What the repository is now, if commit, remote or cleanness differ from the graph's."""

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({*self.edited, *self.added, *self.deleted}))
