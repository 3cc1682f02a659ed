"""Writes files whole or not at all: under another name in the same folder, then moved into place.

In: paths. Out: names to write to, files in place. Absent: what the files contain. `sweep` removes what a killed process
left; only the holder of the graph's lock may call it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from rpg.errors import EncodeFailed
from rpg.system import filesystem

LEFTOVER = re.compile(r"\.[0-9a-f]{8}\.tmp")


def staging_path(path: Path) -> Path:
    """A new name in the same folder, so that the final move stays within one file system."""
    return path.with_name(f"{path.name}.{os.urandom(4).hex()}.tmp")


def write(path: Path, chunks: Iterable[bytes]) -> None:
    """A file of these chunks. EncodeFailed if there is one that is not ours, OSError if it cannot be written."""
    filesystem.refuse_foreign(path)
    staged = staging_path(path)
    try:
        with filesystem.create(staged) as file:
            for chunk in chunks:
                file.write(chunk)
        sync(staged)
        publish(staged, path)
    finally:
        staged.unlink(missing_ok=True)


def publish(staged: Path, path: Path) -> None:
    """Moves a synced file into place, over the existing one. EncodeFailed if that is not ours."""
    filesystem.replace(staged, path)
    _sync_folder(path.parent)


def sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(path: Path) -> None:
    """Removes what killed writers of `path` left."""
    for name in os.listdir(path.parent):
        if name.startswith(path.name) and LEFTOVER.fullmatch(name, len(path.name)):
            with suppress(EncodeFailed):  # has such a name, but is not ours
                filesystem.remove(path.with_name(name))


def _sync_folder(folder: Path) -> None:
    """Makes the move itself durable, where folders can be opened (not on Windows)."""
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
