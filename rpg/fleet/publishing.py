"""The library that a fleet writes: a folder, or a place that fsspec knows, such as `s3://bucket/graphs`.

In: a finished graph file. Out: the same file in the library, whole or not at all. In a folder, encode writes it there
itself, with its index; elsewhere only the graph file is published, since an index works only where it was made.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rpg.encoder.hashes import content_hash
from rpg.errors import BadRequest
from rpg.repository import data_folder
from rpg.stores.graph_folder import GRAPH_ENDING
from rpg.text.printable import quote_text


class Library:
    def __init__(self, place: str) -> None:
        """BAD_REQUEST if fsspec has no such place, or is not installed."""
        self.place = place.rstrip("/") or place
        self._storage: Any = None
        if "://" in place:
            try:
                import fsspec

                self._storage, self.place = fsspec.core.url_to_fs(self.place)
            except (ImportError, ValueError) as error:
                raise BadRequest(f"{quote_text(place)} is not a library that can be written: {error}") from None

    def output(self, name: str) -> Path:
        """Where the encode of a repository writes. For a library elsewhere: a folder of this machine, one for each
        library, which the next encode updates."""
        own = content_hash(self.place.encode())[:12]
        elsewhere = self._storage is not None
        folder = data_folder() / "fleet" / own if elsewhere else Path(self.place).expanduser().absolute()
        folder.mkdir(parents=True, exist_ok=True)
        return folder / (name + GRAPH_ENDING)

    def publish(self, graph: Path, *, changed: bool) -> None:
        """The graph gets its final name only when it is complete. An existing one is left alone unless it changed."""
        if self._storage is None:
            return
        target = f"{self.place}/{graph.name}"
        if not changed and self._storage.exists(target):
            return
        staged = f"{self.place}/.{graph.name}.{os.urandom(4).hex()}.tmp"
        self._storage.makedirs(self.place, exist_ok=True)
        try:
            self._storage.put_file(str(graph), staged)
            self._storage.mv(staged, target)
        finally:
            if self._storage.exists(staged):
                self._storage.rm_file(staged)
