"""Forgets a graph: removes its file, its index, and its clone if no other graph was made from that.

In: the path of a graph file. Out: the removed paths. Files that rpg did not write stay.
"""

from __future__ import annotations

import os
from pathlib import Path

from rpg.errors import GraphNotLoaded
from rpg.repository import clone_graphs, clones, known_graphs
from rpg.repository.encoding.encode import writing
from rpg.repository.existing_graph import refuse_removal
from rpg.repository.locations import index_path
from rpg.stores import graph_folder, sealed_file
from rpg.stores.index.index import BrokenIndex, read_meta
from rpg.stores.lifted_texts import find_lifted_path
from rpg.stores.search.model_vectors import vectors_path
from rpg.system import filesystem


def forget(graph_path: Path) -> tuple[Path, ...]:
    """Removes everything that belongs to a graph, even a damaged one. Returns what was removed.

    A clone is removed only from the data folder, and stays while another graph made from it exists; the user's own
    folders are never touched. BadRequest for a file that is not a graph or index of ours, GraphNotLoaded if nothing is
    there.
    """
    graph_path = graph_path.absolute()
    index = index_path(graph_path)
    if not os.path.lexists(graph_path) and not os.path.lexists(index):
        raise GraphNotLoaded(f"there is no graph {graph_path}: nothing was removed")
    refuse_removal(graph_path)
    with writing(graph_path):
        clone = _clone_of(index)
        beside = (vectors_path(index), find_lifted_path(index))
        removed = [path for path in (graph_path, index, *beside) if path.exists()]
        for path in (graph_path, index, *(index.with_name(index.name + ending) for ending in ("-wal", "-shm"))):
            filesystem.remove(path)
        for path in beside:
            sealed_file.remove(path)
        if clone is not None and clones.discard(clone):
            removed.append(clone)
    known_graphs.forget(graph_path)
    graph_folder.remove_empty_folder(graph_path)
    return tuple(removed)


def _clone_of(index: Path) -> Path | None:
    """The folder in the data folder that holds only the clone."""
    try:
        root = read_meta(index).get("root", "")
    except BrokenIndex:
        return None
    return clone_graphs.clone_of(Path(root)) if root else None
