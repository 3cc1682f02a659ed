"""A folder without a graph starts from that of another work tree or clone of the same repository, if there is one.

In: a folder, the path of its graph, what its index will say. Out: graph file and index of the other folder, copied, and
recorded as one whose files have to be compared: what differs is then encoded as after any edit. The copy counts as
behind until its header is this folder's. Only an index that this installation made is copied, page by page with the
sums checked; a graph that was adopted from another one is not.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from rpg.errors import GraphNotLoaded
from rpg.repository import known_graphs
from rpg.repository.encoding.consistency import FITS, consistency_of, graph_stat
from rpg.repository.encoding.saving import HEADER_ALONE
from rpg.repository.identity import read_recorded_repository
from rpg.repository.locations import index_path
from rpg.stores import atomic
from rpg.stores.graph_file import graph_file
from rpg.stores.index.adoption import ADOPTED
from rpg.stores.index.index import BrokenIndex
from rpg.stores.index.index_writer import copy_index, new_generation
from rpg.system import filesystem


def take_over(root: Path, graph_path: Path, metadata: Mapping[str, str]) -> Path | None:
    """The folder whose graph was taken; None if there is none that this code made with the same options. The caller
    holds `writing`, and there is neither graph file nor index."""
    for relative in known_graphs.relatives(root, graph_path):
        try:
            if _taken(relative.graph, graph_path, root, metadata):
                return relative.root
        except (OSError, GraphNotLoaded):
            filesystem.remove(index_path(graph_path))
    return None


def _taken(source: Path, graph_path: Path, root: Path, metadata: Mapping[str, str]) -> bool:
    """Raises GraphNotLoaded or OSError if the other one cannot be read, or changes meanwhile."""
    if consistency_of(source).kind != FITS:
        return False
    staged = atomic.staging_path(graph_path)
    try:
        with filesystem.open_file(source) as old, filesystem.create(staged) as new:
            shutil.copyfileobj(old, new, 1 << 20)
        hash = graph_file.file_hash(staged)

        def changed(meta: dict[str, str]) -> dict[str, str]:
            if meta.get(ADOPTED):
                raise BrokenIndex("the other graph was made by another installation")
            return meta_of_copy(meta, hash, root, metadata)

        atomic.sync(staged)
        copy_index(index_path(source), index_path(graph_path), changed)
        atomic.publish(staged, graph_path)
    finally:
        staged.unlink(missing_ok=True)
    return True


def meta_of_copy(meta: Mapping[str, str], hash: str, root: Path, metadata: Mapping[str, str]) -> dict[str, str]:
    """The `meta` of a copy that is to become the index of `root`: behind until its files have been compared. `hash`:
    of the graph file beside it. Raises BrokenIndex if that is another one, or the index was made otherwise."""
    same = all(meta.get(key) == value for key, value in metadata.items() if key != "root")
    if not same or meta.get("graph_hash") != hash:
        raise BrokenIndex("the other graph was made otherwise, or has changed")
    header = orjson.loads(meta["header"])
    return dict(meta) | {
        "root": str(root),
        "generation": new_generation(),
        "header": orjson.dumps(_name_repository(header, root)).decode(),
        "graph_hash": "",
        "previous_hash": hash,
        "graph_stat": graph_stat((0, 0, 0, 0), 0),
        "behind": HEADER_ALONE,
    }


def _name_repository(header: dict[str, Any], root: Path) -> dict[str, Any]:
    return header | {"repository": dict(read_recorded_repository(header)) | {"name": root.name}}
