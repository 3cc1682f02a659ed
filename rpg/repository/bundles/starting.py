"""A folder without a graph starts from a bundle.

In: a bundle, a folder, the path of its graph, what its index will say. Out: graph file and index of the bundle, as a
copy whose files have to be compared with the folder's: what differs is then encoded as after any edit. Killed at any
time, it leaves such a copy or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.errors import GraphNotLoaded, InvalidPath
from rpg.repository.bundles.container import BrokenBundle, unpack_bundle
from rpg.repository.bundles.keys import find_key
from rpg.repository.bundles.making import GRAPH, INDEX
from rpg.repository.encoding.takeover import meta_of_copy
from rpg.repository.locations import index_path
from rpg.stores import atomic
from rpg.stores.graph_file import graph_file
from rpg.stores.index.adoption import ADOPTED, MALFORMED, check_contents
from rpg.stores.index.index import BrokenIndex, check
from rpg.stores.index.index_writer import DamagedRows, take_file
from rpg.text.printable import shorten

LONGEST_SHOWN = 100


class Bundle(NamedTuple):
    """A file from which a graph may start (`encode.Origin`)."""

    path: Path
    is_trusted: bool = False
    """Its seal is not looked at."""

    def __str__(self) -> str:
        return f"the bundle {self.path.name}"

    def start(self, root: Path, graph_path: Path, metadata: Mapping[str, str]) -> tuple[bool, str]:
        """Raises BadRequest or InvalidPath for a bundle that may not be believed or cannot be read; one that another
        rpg made, or with other options, is not used."""
        index = index_path(graph_path)
        copy, graph, rows = (atomic.staging_path(place) for place in (index, graph_path, index))
        try:
            head = _unpack(self.path, copy, {GRAPH: graph, INDEX: rows}, self.is_trusted)
            named = f"{self}{_of_commit(head)}"
            try:
                hash = graph_file.file_hash(graph)
                graph_file.read_header(graph)

                def read(meta: dict[str, str]) -> dict[str, str]:
                    check(rows, meta)
                    if orjson.loads(meta.get("unread", "{}")):
                        raise BrokenIndex("the index has stamps of another machine's files")
                    found = meta_of_copy(meta, hash, root, metadata)
                    return found | {ADOPTED: "1"} if self.is_trusted else found

                atomic.sync(graph)
                take_file(rows, index, read, check_contents if self.is_trusted else None)
                atomic.publish(graph, graph_path)
            except DamagedRows as error:
                raise BrokenBundle(f"{named} is damaged ({error.message}): nothing of it was used") from error
            except GraphNotLoaded:
                return False, f"{named} was made by another version of rpg, or with other options, and was not used"
            except MALFORMED as error:
                raise BrokenBundle(f"{named} is damaged ({type(error).__name__}): nothing of it was used") from error
        finally:
            for staged in (graph, rows, *(rows.with_name(rows.name + ending) for ending in ("-wal", "-shm"))):
                staged.unlink(missing_ok=True)
        return True, f"started from {named}"


def _unpack(bundle: Path, copy: Path, targets: Mapping[str, Path], trust: bool) -> dict[str, Any]:
    if not bundle.is_file():
        raise InvalidPath(f"there is no file {bundle}: `rpg bundle` makes a bundle")
    return unpack_bundle(bundle, copy, targets, None if trust else find_key)


def _of_commit(head: Mapping[str, Any]) -> str:
    commit = head.get("commit")
    return f" of commit {shorten(commit, LONGEST_SHOWN)}" if isinstance(commit, str) and commit else ""
