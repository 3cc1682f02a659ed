"""What tells that a file or a folder is another than before, without reading it.

In: paths. Out: stamps and places; nothing is raised for what is not there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from rpg.repository.locations import index_path
from rpg.stamp import Stamp, stamp_of


def place_of(path: str) -> tuple[int, int] | None:
    """What tells a folder from another that has taken its place."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def mark_of(path: str) -> Stamp | None:
    """None for what is not there."""
    try:
        return stamp_of(os.stat(path))
    except OSError:
        return None


def changed_at(path: str) -> int:
    """When its contents, its name or its status last changed; the end of time for what is not there."""
    try:
        status = os.lstat(path)
    except OSError:
        return sys.maxsize
    return max(status.st_mtime_ns, status.st_ctime_ns)


def marks_of(graph_path: Path) -> tuple[Any, ...]:
    """What changes when the graph file or the file of its index is another."""
    index = mark_of(str(index_path(graph_path)))
    return mark_of(str(graph_path)), index and index[-1]
