"""Files that appear whole or not at all: written beside their place under another name, then moved there.

No content is known here. What a killed process left behind is removed by `sweep`, which only the holder of the
graph's lock may call.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from rpg import filesystem
from rpg.errors import EncodeFailed

LEFTOVER = re.compile(r"\.[0-9a-f]{8}\.tmp")


def staging_path(path: Path) -> Path:
    """A new name in the same folder, so that the move at the end stays within one file system."""
    return path.with_name(f"{path.name}.{os.urandom(4).hex()}.tmp")


def publish(staged: Path, path: Path) -> None:
    """Move a file, already synced, to its place, over what stands there. EncodeFailed where that is not ours."""
    filesystem.replace(staged, path)
    _sync_folder(path.parent)


def sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(path: Path) -> None:
    """Remove what killed writers of `path` left."""
    for name in os.listdir(path.parent):
        if name.startswith(path.name) and LEFTOVER.fullmatch(name, len(path.name)):
            with suppress(EncodeFailed):  # of that name, but not ours
                filesystem.remove(path.with_name(name))


def _sync_folder(folder: Path) -> None:
    """Make the move itself durable, where folders can be opened at all (not on Windows)."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)
