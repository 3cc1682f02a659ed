"""What tells that a file or a folder is another than before, without reading it.

In: paths. Out: times and places; nothing is raised for what is not there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rpg.repository.folders import index_path

CLOCK_NS = 50_000_000
"""Times of files come from a clock that ticks some hundred times a second: a file written within this of its reading
may have been written once more without showing it."""
COARSE_CLOCK_NS = 2_000_000_000
"""Likewise where a file system keeps whole seconds only."""
SECOND_NS = 1_000_000_000
GIT_FILES = ("HEAD", "index", "logs/HEAD", "packed-refs", "info/exclude")
"""Those that change with commit, remote, and what git takes for a file of the repository."""


def git_times(folder: str) -> list[int]:
    return [time_of(os.path.join(folder, name)) for name in GIT_FILES] if folder else []


def git_folder(root: Path) -> str:
    """Where git keeps HEAD and index of the work tree around `root`; empty outside git."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        if git.is_dir():
            return str(git)
        if git.is_file():
            pointer = git.read_text(encoding="utf-8", errors="replace").strip()
            return os.path.join(folder, pointer.removeprefix("gitdir:").strip())
    return ""


def place_of(path: str) -> tuple[int, int] | None:
    """What tells a folder from another that has taken its place."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def time_of(path: str) -> int:
    """0 for what is not there."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def changed_at(path: str) -> int:
    """When its contents, its name or its status last changed; the end of time for what is not there."""
    try:
        status = os.lstat(path)
    except OSError:
        return sys.maxsize
    return max(status.st_mtime_ns, status.st_ctime_ns)


def marks_of(graph_path: Path) -> tuple[int, ...]:
    """What changes when the graph file or the file of its index is another: zeros for what is not there."""
    return (*_marks(graph_path), _marks(index_path(graph_path))[2])


def _marks(path: Path) -> tuple[int, int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_size, status.st_mtime_ns, status.st_ino)


def is_young(mtime_ns: int, seen_ns: int) -> bool:
    """Whether a file could have been written again after it was seen, and still show the same time."""
    clock = CLOCK_NS if mtime_ns % SECOND_NS else COARSE_CLOCK_NS
    return mtime_ns + clock >= seen_ns
