"""Clears the default place of a graph, `.rpg/NAME.graph.json.zst`, of what came with the repository and is none.

In: the path of a graph file. Out: what was moved aside, in words. Only names are changed, nothing is removed, and only
the first bytes of a file are read. Absent: any other place, where a file may be somebody's own (existing_graph.py).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rpg.repository.encoding import lock
from rpg.repository.existing_graph import SQLITE, first_bytes, is_index
from rpg.repository.locations import index_path
from rpg.stores.graph_file import graph_file
from rpg.stores.graph_folder import GRAPH_FOLDER, IGNORED, LARGEST_IGNORED, move_aside, problem_with_folder

OF_SQLITE = ("-wal", "-shm", "-journal")
BESIDE = ("-vectors", "-lifted")
"""Endings of the databases beside an index."""


def clear_default_place(graph_path: Path) -> str:
    """Moves aside what takes the place of a graph in a `.rpg/`, or of a file beside it, and is none that rpg writes: it
    came with the repository. Returns what was moved. Nothing is moved elsewhere, or in a folder of somebody else."""
    folder = graph_path.parent
    if folder.name != GRAPH_FOLDER or problem_with_folder(folder):
        return ""
    index = index_path(graph_path)
    found = [graph_path] if not graph_file.is_ours(graph_path) else []
    found += [index] if not is_index(index) else []
    beside = [index.with_name(index.name + ending) for ending in BESIDE]
    found += [path for path in beside if not is_database(path)]
    of_sqlite = [path.with_name(path.name + ending) for path in (index, *beside) for ending in OF_SQLITE]
    found += [path for path in of_sqlite if not is_regular(path)]
    lock_file = index.with_name(index.name + "-lock")
    found += [lock_file] if not lock.is_lock(lock_file) else []
    ignored = folder / IGNORED
    found += [ignored] if is_too_large_or_odd(ignored) else []
    return "; ".join(filter(None, (move_aside(path) for path in found if os.path.lexists(path))))


def is_regular(path: Path) -> bool:
    """Whether it is a regular file with one name."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1


def is_database(path: Path) -> bool:
    return first_bytes(path, len(SQLITE)) == SQLITE


def is_too_large_or_odd(path: Path) -> bool:
    """Whether git, which reads it, would take long or wait. It follows no link there."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return status.st_size > LARGEST_IGNORED or not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode))
