"""Where files are: the index of a graph file, the graph of a repository.

In: paths and names. Out: paths. Nothing is written here; the code that writes into a folder creates it.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path

from rpg.stores.graph_folder import GRAPH_ENDING, graph_name
from rpg.stores.installation import data_folder
from rpg.system import filesystem
from rpg.system.stamp import Stamp, stamp_of

__all__ = [
    "GRAPH_ENDING",
    "INDEX_ENDING",
    "clone_folder",
    "clones_folder",
    "has_more_files",
    "holds_homes",
    "index_path",
]

INDEX_ENDING = ".graph.db"
NOT_COUNTED = frozenset({"node_modules", "venv", "vendor", "target", "dist", "build"})
"""Folders that seldom are a repository's own."""
LONGEST_CLONE_NAME = 80


def index_path(graph_path: Path) -> Path:
    """Next to the graph file; in the data folder if none there is usable and none can be made."""
    name = graph_name(graph_path)
    nearby = graph_path.with_name(name + INDEX_ENDING)
    if os.access(nearby.parent, os.W_OK) or _serves(nearby):
        return nearby
    key = hashlib.blake2b(os.fsencode(graph_path.absolute()), digest_size=6).hexdigest()
    return data_folder() / "indexes" / f"{name}-{key}{INDEX_ENDING}"


def _serves(index: Path) -> bool:
    """Whether this installation made it, in a form that this rpg reads: otherwise it must be rebuilt."""
    try:
        status = index.lstat()
    except OSError:
        return False
    return _serves_as_it_is(index, stamp_of(status), data_folder())


@cache
def _serves_as_it_is(index: Path, stamp: Stamp, data: Path) -> bool:
    from rpg.stores.index.index import BrokenIndex, check, read_meta

    try:
        check(index, read_meta(index))
    except BrokenIndex:
        return False
    return True


def has_more_files(root: Path, number: int) -> bool:
    """A quick look, without git: hidden folders and those of libraries and builds are not counted."""
    seen = 0
    for _, folders, files in os.walk(root):
        folders[:] = [each for each in folders if not each.startswith(".") and each not in NOT_COUNTED]
        seen += len(files)
        if seen > number:
            return True
    return False


def clone_folder(url: str, branch: str) -> Path:
    """The folder of a URL's clone, below a folder named by a hash. Its last part is the repository's name, after which
    graphs are named, if that is a valid folder name."""
    key = hashlib.blake2b(f"{url}\0{branch}".encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    name = re.sub(r"[?#].*", "", url).rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    name = re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII)[:LONGEST_CLONE_NAME].strip(".-")
    return clones_folder() / key / (name if name and not filesystem.problem_with_name(name) else "repository")


def clones_folder() -> Path:
    return data_folder() / "clones"


def holds_homes(folder: Path) -> bool:
    """The user's home folder or one above it: all of it would be read."""
    try:
        return Path.home().resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False
