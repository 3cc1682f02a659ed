"""One writer of a graph at a time, across processes: an advisory lock on a file next to the index.

In: the path of the lock file. Out: a context that holds it, or `Locked`. The system releases the lock when its holder
ends, however it ends. Readers never take it.

Written here because filelock neither opens the file as every other file of ours is opened (no link, no foreign content)
nor names the holder.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rpg.errors import EncodeFailed
from rpg.system import filesystem

PAUSE_SECONDS = 0.05
LOCKED_BYTE = 1 << 30
"""Far after the text, so that others can read it while the byte is locked (Windows forbids reading a locked part)."""


PROCESS = re.compile(rb"\d{0,20}")
"""All that a lock file contains: the id of its holder."""


class Locked(EncodeFailed):
    """Another process writes this graph."""


@contextmanager
def hold(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Holds the lock file `path`, after waiting up to `patience` seconds for it. Raises Locked; EncodeFailed for any
    other file, which is left as it is."""
    descriptor = _acquire(path, time.monotonic() + patience)
    try:
        yield
    finally:
        _give_back(descriptor, path)


def is_lock(path: Path) -> bool:
    """Whether it can be the lock file of a graph."""
    try:
        os.close(filesystem.open_own(path, PROCESS, create=False))
    except (EncodeFailed, OSError):
        return False
    return True


def _acquire(path: Path, deadline: float) -> int:
    while True:
        descriptor = filesystem.open_own(path, PROCESS)
        try:
            is_locked = _lock(descriptor)
            # The previous holder removed the file that we opened: our lock is on a file that nobody else can find.
            if is_locked and _is_at(descriptor, path):
                with suppress(OSError):  # no space: the lock still works, but does not name its holder
                    os.truncate(descriptor, 0)
                    os.write(descriptor, str(os.getpid()).encode())
                return descriptor
            holder = os.read(descriptor, 20).decode("ascii", "replace")
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if is_locked:
            continue
        if time.monotonic() >= deadline:
            raise Locked(
                f"another rpg (process {holder or 'unknown'}) is writing the graph of {path.name}: wait until it has "
                "finished, or encode to another file with -o"
            )
        time.sleep(PAUSE_SECONDS)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

    def _give_back(descriptor: int, path: Path) -> None:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        os.close(descriptor)
        try:
            path.unlink(missing_ok=True)
        except PermissionError:
            return  # the next holder has it open already

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _give_back(descriptor: int, path: Path) -> None:
        # Removed before it is unlocked: a process that has opened it in between notices that it is gone.
        path.unlink(missing_ok=True)
        os.close(descriptor)
