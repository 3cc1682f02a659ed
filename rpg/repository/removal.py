"""Forgetting a graph: its file, its index, and the clone that it was made of, if that is ours."""

from __future__ import annotations

import shutil
from pathlib import Path

from rpg import filesystem
from rpg.errors import BadRequest, GraphNotLoaded
from rpg.repository.encoding import writing
from rpg.repository.folders import GRAPH_ENDING, clones_folder, index_path
from rpg.stores import graph_file
from rpg.stores.index import BrokenIndex, read_meta
from rpg.stores.model_vectors import vectors_path


def forget(graph_path: Path) -> tuple[Path, ...]:
    """Remove what belongs to a graph, also to a broken one. Returns what was removed.

    A clone is removed only from the data folder; the user's own folders are never touched. BadRequest for a file that
    is no graph, GraphNotLoaded where there is nothing.
    """
    graph_path = graph_path.absolute()
    index = index_path(graph_path)
    if not graph_path.exists() and not index.exists():
        raise GraphNotLoaded(f"there is no graph {graph_path}: nothing was removed")
    if graph_path.exists() and not graph_path.name.endswith(GRAPH_ENDING) and not graph_file.is_ours(graph_path):
        raise BadRequest(f"{graph_path} is no graph file: nothing was removed")
    with writing(graph_path):
        clone = _clone_of(index)
        vectors = vectors_path(index)
        removed = [path for path in (graph_path, index, vectors) if path.exists()]
        for path in (
            graph_path,
            index,
            vectors,
            *(index.with_name(index.name + ending) for ending in ("-wal", "-shm")),
        ):
            filesystem.remove(path)
        if clone is not None:
            shutil.rmtree(clone)
            removed.append(clone)
    return tuple(removed)


def _clone_of(index: Path) -> Path | None:
    """The folder in the data folder that holds the clone, and nothing else."""
    try:
        root = read_meta(index).get("root", "")
    except BrokenIndex:
        return None
    clones = clones_folder().resolve()
    folder = Path(root).resolve()
    if not root or not folder.is_relative_to(clones) or folder == clones:
        return None
    return clones / folder.relative_to(clones).parts[0]
