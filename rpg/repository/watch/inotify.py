"""What changed in some folders since the last check, as Linux's kernel reports it (inotify).

In: folders. Out: names that were written, came or went. The kernel queues a notification before the system call that
caused it returns. Reading the queue after a change therefore finds it there: no change is lost between two queries, and
checking an unchanged tree costs one system call, whatever its size.

A watcher that reports from its own thread can lose that race, and checking every file costs Django 25 ms and more per
query. The first query still checks every file; later ones do so every minute, and list all names every ten minutes, to
catch changes without a notification.

Absent: other systems, and file systems that others write to behind this kernel's back (network, the host of a virtual
machine); there `start` returns None and the caller checks the files. A mapped file that is written without being closed
again sends no notification either, nor does a file written through a name in another folder: callers that rely on
notifications must check from time to time.
"""

from __future__ import annotations

import errno
import os
import re
import select
import struct
import sys
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

LOCAL = {
    0xEF53: "ext4", 0x58465342: "xfs", 0x9123683E: "btrfs", 0x01021994: "tmpfs", 0x858458F6: "ramfs",
    0xF2F52010: "f2fs", 0x2FC12FC1: "zfs", 0xCA451A4E: "bcachefs", 0x794C7630: "overlay", 0x3153464A: "jfs",
    0x52654973: "reiserfs", 0xF15F: "ecryptfs",
}  # fmt: skip
"""File systems by the magic number that statfs returns."""
SHARE = 2
"""One tree may use one in this many of the inotify watches of a user: editors need some too."""

MODIFY, ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x2, 0x4, 0x8, 0x40, 0x80, 0x100, 0x200
MOVE_SELF, UNMOUNT, OVERFLOW, IGNORED, IS_FOLDER = 0x800, 0x2000, 0x4000, 0x8000, 0x40000000
ONLY_REAL_FOLDERS = 0x01000000 | 0x02000000
FOLLOWED = MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | MOVE_SELF | ONLY_REAL_FOLDERS
NAMED = MOVED_FROM | MOVED_TO | CREATE | DELETE
HEAD = struct.Struct("iIII")
READ_BYTES = 1 << 16


class Touched(NamedTuple):
    """Paths as the file system spells them, relative to the top."""

    written: frozenset[str] = frozenset()
    """Files that may have other contents or another status."""
    named: frozenset[str] = frozenset()
    """Files and folders that came or went, perhaps both."""
    folders: frozenset[str] = frozenset()
    """New folders: nothing in them is followed yet."""
    is_lost: bool = False
    """Whether notifications were lost, and following must start again."""
    is_mounted: bool = False
    """Whether that was because something was mounted or unmounted in the tree."""

    def __or__(self, other: Touched) -> Touched:
        return Touched(
            self.written | other.written,
            self.named | other.named,
            self.folders | other.folders,
            self.is_lost or other.is_lost,
            self.is_mounted or other.is_mounted,
        )


class Notices:
    """Notifications of the followed folders. Not for use by two threads at once."""

    def __init__(self, top: str, descriptor: int, mounts: _Mounts) -> None:
        self._top = top
        self._device = os.stat(top).st_dev
        self._mounts = mounts
        self._descriptor = descriptor
        self._folders: dict[int, str] = {}
        self._followed: set[str] = set()

    @classmethod
    def start(cls, top: Path) -> Notices | None:
        """None if the kernel does not report everything."""
        if not sys.platform.startswith("linux") or not _is_local(top):
            return None
        descriptor = _libc().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if descriptor < 0:
            return None
        try:
            return cls(os.path.join(top, ""), descriptor, _Mounts(top))
        except OSError:
            os.close(descriptor)
            return None

    def follow(self, folders: Iterable[str]) -> bool:
        """Folders relative to the top, which is the empty string. Returns whether all existing ones are followed: if
        not, notifications are not reliable."""
        limit = _limit()
        add, top = _libc().inotify_add_watch, self._top
        for folder in folders:
            if folder in self._followed:
                continue
            if len(self._followed) >= limit:
                return False
            path = os.fsencode(top + folder)
            number = add(self._descriptor, path, FOLLOWED)
            try:
                device = os.stat(path, follow_symlinks=False).st_dev
            except OSError:
                continue  # gone: its parent folder reports that
            if number < 0 and _error() in (errno.ENOTDIR, errno.ELOOP, errno.ENOENT):
                continue
            if number < 0 or device != self._device:
                return False  # no more folders can be followed, or something else is mounted there
            self._folders[number] = folder
            self._followed.add(folder)
        return True

    def is_followed(self, folder: str) -> bool:
        return folder in self._followed

    def touched(self) -> Touched:
        """What was noticed since the last call."""
        written: set[str] = set()
        named: set[str] = set()
        folders: set[str] = set()
        is_lost = is_mounted = self._mounts.are_others()
        while True:
            try:
                queued = os.read(self._descriptor, READ_BYTES)
            except BlockingIOError:
                return Touched(frozenset(written), frozenset(named), frozenset(folders), is_lost, is_mounted)
            at = 0
            while at < len(queued):
                number, mask, _, length = HEAD.unpack_from(queued, at)
                at += HEAD.size + length
                if mask & IGNORED:
                    if (removed_folder := self._folders.pop(number, None)) is not None:
                        self._followed.discard(removed_folder)
                    continue
                folder = self._folders.get(number)
                # A folder that moves keeps its number, and its notifications would come under the old path.
                is_moved = mask & MOVE_SELF or (mask & MOVED_FROM and mask & IS_FOLDER)
                if mask & (OVERFLOW | UNMOUNT) or is_moved:
                    is_lost = True
                if folder is None or not length:
                    continue
                name = os.fsdecode(queued[at - length : at].rstrip(b"\0"))
                path = f"{folder}/{name}" if folder else name
                if mask & NAMED:
                    named.add(path)
                    if mask & IS_FOLDER and mask & (CREATE | MOVED_TO):
                        folders.add(path)
                elif not mask & IS_FOLDER:
                    written.add(path)
                elif mask & ATTRIB:
                    named.add(path)  # its contents may have become readable or unreadable

    def close(self) -> None:
        if getattr(self, "_descriptor", -1) >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._mounts.close()

    def __del__(self) -> None:
        self.close()


class _Mounts:
    """What is mounted in and around the tree, for which there are no notifications. Raises OSError if the system does
    not say."""

    def __init__(self, top: Path) -> None:
        self._top = os.fsencode(os.path.realpath(top)).rstrip(b"/") + b"/"
        self._descriptor = os.open("/proc/self/mountinfo", os.O_RDONLY | os.O_CLOEXEC)
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLPRI)
        self._known = self._here()

    def are_others(self) -> bool:
        """Whether it changed since the last call."""
        if not self._poll.poll(0):
            return False
        before, self._known = self._known, self._here()
        return before != self._known

    def close(self) -> None:
        os.close(self._descriptor)

    def _here(self) -> list[bytes]:
        """The lines about the tree and its surroundings."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        content = b"".join(iter(partial(os.read, self._descriptor, READ_BYTES), b""))
        return [line for line in content.splitlines() if self._concerns(_unescape(line.split(b" ", 5)[4]))]

    def _concerns(self, place: bytes) -> bool:
        folder = place.rstrip(b"/") + b"/"
        return folder.startswith(self._top) or self._top.startswith(folder)


def _unescape(path: bytes) -> bytes:
    """Spaces and the like are written as three octal digits."""
    return re.sub(rb"\\([0-7]{3})", lambda match: bytes([int(match[1], 8)]), path)


@cache
def _libc() -> Any:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.inotify_add_watch.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32)
    return libc


def _error() -> int:
    import ctypes

    return ctypes.get_errno()


def _is_local(top: Path) -> bool:
    import ctypes

    buffer = ctypes.create_string_buffer(512)
    try:
        if _libc().statfs(os.fsencode(top), buffer):
            return False
    except AttributeError:
        return False
    # The first word of the structure; the kind is its lower half if a word has eight bytes.
    return int.from_bytes(buffer.raw[: ctypes.sizeof(ctypes.c_long)], sys.byteorder) & 0xFFFFFFFF in LOCAL


def _limit() -> int:
    try:
        return int(Path("/proc/sys/fs/inotify/max_user_watches").read_text()) // SHARE
    except (OSError, ValueError):
        return 0
