"""Where things stand: the index of a graph file, the graph of a repository.

In: paths and names. Out: paths. Nothing is written here; folders are made by whoever writes into them.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from rpg.stores.index import BrokenIndex, read_meta
from rpg.stores.installation import data_folder

GRAPH_ENDING = ".graph.json"
INDEX_ENDING = ".graph.db"


def default_output(root: Path, folder: Path | None = None) -> Path:
    """NAME.graph.json in `folder`, or in the current one; NAME-2 where another repository's graph has that name."""
    name = root.resolve().name or "repository"
    number = 1
    while True:
        ending = f"-{number}" if number > 1 else ""
        path = (folder or Path.cwd()).absolute() / f"{name}{ending}{GRAPH_ENDING}"
        if not _belongs_to_another(path, root):
            return path
        number += 1


def index_path(graph_path: Path) -> Path:
    """Beside the graph file; in the data folder where there is none and none can be made."""
    name = graph_path.name.removesuffix(".json").removesuffix(".graph")
    beside = graph_path.with_name(name + INDEX_ENDING)
    if beside.exists() or os.access(beside.parent, os.W_OK):
        return beside
    key = hashlib.blake2b(os.fsencode(graph_path.absolute()), digest_size=6).hexdigest()
    return data_folder() / "indexes" / f"{name}-{key}{INDEX_ENDING}"


def clone_folder(url: str, branch: str) -> Path:
    """Where the clone of a URL stands. Its last part is the repository's name, which graphs are named after."""
    key = hashlib.blake2b(f"{url}\0{branch}".encode(), digest_size=6).hexdigest()
    name = url.rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    return clones_folder() / key / (name or "repository")


def clones_folder() -> Path:
    return data_folder() / "clones"


def _belongs_to_another(path: Path, root: Path) -> bool:
    """Whether the graph at `path` is of another repository that is still there."""
    if not path.exists():
        return False
    try:
        other = read_meta(index_path(path)).get("root", "")
    except BrokenIndex:
        return False
    return bool(other) and Path(other) != root.resolve() and Path(other).is_dir()
