"""Checks whether there is room to write a graph.

In: the path of a graph file. Out: yes or no, found by reserving the space and giving it back.
"""

from __future__ import annotations

import os
from pathlib import Path

from rpg.errors import RpgError
from rpg.repository.locations import index_path
from rpg.stores import atomic
from rpg.system import filesystem

SPARE_BYTES = 1 << 20


def has_room(graph_path: Path) -> bool:
    """Room for both files once more, each in its folder, which must be writable."""
    return all(map(can_grow, (graph_path, index_path(graph_path))))


def can_grow(path: Path) -> bool:
    """Room for one of them."""
    try:
        _grow(path)
    except (OSError, RpgError):
        return False
    return True


def _grow(path: Path) -> None:
    size = SPARE_BYTES + (path.stat().st_size if path.exists() else 0)
    probe = atomic.staging_path(path)
    try:
        with filesystem.create(probe) as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:
                file.write(bytes(SPARE_BYTES))
    finally:
        probe.unlink(missing_ok=True)
