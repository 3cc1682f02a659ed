"""Detects that a file or a folder changed, without reading it.

In: paths. Out: stamps and places; nothing is raised for a path that does not exist.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from rpg.repository.locations import index_path
from rpg.system.stamp import Stamp, stamp_of


def place_of(path: str) -> tuple[int, int] | None:
    """Tells a folder from another one that has taken its place."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def mark_of(path: str) -> Stamp | None:
    """None if the path does not exist."""
    try:
        return stamp_of(os.stat(path))
    except OSError:
        return None


def find_change_time(path: str) -> int:
    """When its contents, name or status last changed; the end of time if it does not exist."""
    try:
        status = os.lstat(path)
    except OSError:
        return sys.maxsize
    return max(status.st_mtime_ns, status.st_ctime_ns)


def marks_of(graph_path: Path) -> tuple[Any, ...]:
    """Changes when the graph file or the file of its index is replaced."""
    index = mark_of(str(index_path(graph_path)))
    return mark_of(str(graph_path)), index and index[-1]
