"""Files that are not in the graph but influence it: configuration (compiler paths, package names) that the options of
an encode exclude, or that ignore rules exclude outside git; and the index of a compiler that the user named.

In: files that an encode asked for although they were not listed. Out: those that have changed.

Most of them do not exist: an encode asks for configuration in thousands of folders. A file can only appear in a folder
that exists, and that folder then gets a new stamp, or a notification names it. So a check examines only folders, and
with notifications only those that are not followed; files are examined in folders that changed, and where they exist.
"""

from __future__ import annotations

import os
import stat
import time
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from rpg.repository.watch.inotify import Notices, Touched
from rpg.system.stamp import Stamp, is_young, stamp_of


class UnlistedConfiguration:
    def __init__(self, root: Path, hashes: Mapping[str, str], compiler_index: str = "") -> None:
        """`hashes` by path; empty for a file that did not exist. `compiler_index`: the path of the one of them that is
        no text."""
        self._root = root
        self._compiler_index = compiler_index
        self._top = os.path.join(root, "")
        self._hashes = {path: hash for path, hash in hashes.items() if _can_be_inside(path)}
        self._paths: dict[str, list[str]] = {}
        """Paths by the folder in which a change to them would be noticed first: the nearest existing one above."""
        self._stamps: dict[str, Stamp | None] = {}
        """Stamps of those folders, from before their files were looked for; None if it proves nothing."""
        self._existing: dict[str, Stamp | None] = {}
        """Files that exist, and those behind dangling links: they can change without their folder."""
        self._changed: set[str] = set()
        self._is_doubted = True
        self._named: set[str] = set()
        """Names that came or went since the last check."""
        self._unfollowed: list[str] | None = None
        """Folders without notifications; None if they must be determined again."""

    def look_again(self) -> None:
        """The next check looks for every file."""
        self._is_doubted = True

    def notice(self, noticed: Touched) -> None:
        """The next check examines the places with these names."""
        self._is_doubted |= noticed.is_lost
        self._named |= noticed.named | noticed.folders

    def changed(self, notices: Notices | None) -> list[str]:
        """`notices`: the notifications of the followed folders; `notice` has passed on what they reported."""
        named, self._named = self._named, set()
        if self._is_doubted:
            self._is_doubted = False
            self._paths.clear()
            self._existing.clear()
            self._find(self._hashes)
        elif notices is None:
            self._unfollowed = None
            self._find_in(self._restamped(self._paths))
        else:
            if named:
                self._find_in(self._around(named))
            if self._unfollowed is None:
                self._unfollowed = [folder for folder in self._paths if not notices.is_followed(folder)]
            self._find_in(self._restamped(self._unfollowed))
        for path in [
            path for path, stamp in self._existing.items() if stamp is None or stamp != _stamp(self._top + path)
        ]:
            self._judge(path)
        return sorted(self._changed)

    def _restamped(self, folders: Iterable[str]) -> list[str]:
        """The folders that changed since the last check."""
        return [
            folder
            for folder in folders
            if (known := self._stamps[folder]) is None or known != _stamp(self._top + folder)
        ]

    def _around(self, names: set[str]) -> list[str]:
        """The folders in which one of the names came or went, or which came or went with it."""
        touched = {name.rpartition("/")[0] for name in names}
        return [folder for folder in self._paths if folder in touched or _is_at_or_below(folder, names)]

    def _find_in(self, folders: Iterable[str]) -> None:
        """Checks again all files whose changes show in these folders."""
        self._find([path for folder in folders for path in self._paths.pop(folder)])

    def _find(self, paths: Collection[str]) -> None:
        if not paths:
            return
        self._unfollowed = None
        nearest: dict[str, str | None] = {}
        for path in paths:
            folder = path.rpartition("/")[0]
            if folder not in nearest:
                nearest[folder] = self._nearest(folder, nearest)
            found = nearest[folder]
            if found is not None:
                self._paths.setdefault(found, []).append(path)
            if found is None or self._exists(path):
                self._existing.setdefault(path, None)
            else:
                self._existing.pop(path, None)
                self._compare(path, b"")

    def _nearest(self, folder: str, nearest: dict[str, str | None]) -> str | None:
        """The folder itself or the nearest one around it that exists, with a stamp; None below a link that leads to no
        folder: its target may appear anywhere."""
        before = time.time_ns()
        for spelling in _spellings(folder):
            try:
                status = os.stat(self._top + spelling)
            except (OSError, ValueError):
                continue
            if stat.S_ISDIR(status.st_mode):
                if spelling not in self._paths:  # else files were looked for when it had the earlier stamp
                    stamp = stamp_of(status)
                    self._stamps[spelling] = None if is_young(stamp, before) else stamp
                return spelling
        if not folder or os.path.islink(self._top + folder):
            return None
        around = folder.rpartition("/")[0]
        if around not in nearest:
            nearest[around] = self._nearest(around, nearest)
        return nearest[around]

    def _exists(self, path: str) -> bool:
        """Whether it exists, even as a dangling link."""
        return any(os.path.lexists(self._top + spelling) for spelling in _spellings(path))

    def _judge(self, path: str) -> None:
        from rpg.encoder.source_files.listing import read_compiler_index, read_unlisted

        read = read_compiler_index if path == self._compiler_index else read_unlisted
        before = time.time_ns()
        stamp = _stamp(self._top + path)
        self._existing[path] = None if stamp is None or is_young(stamp, before) else stamp
        self._compare(path, read(self._root, path) if self._exists(path) else b"")

    def _compare(self, path: str, data: bytes) -> None:
        from rpg.encoder.hashes import content_hash

        if (content_hash(data) if data else "") == self._hashes[path]:
            self._changed.discard(path)
        else:
            self._changed.add(path)


def _can_be_inside(path: str) -> bool:
    """Whether `read_unlisted` would look for it at all."""
    return not path.startswith("/") and "\0" not in path and ".." not in path.split("/")


def _is_at_or_below(folder: str, names: set[str]) -> bool:
    while folder:
        if folder in names:
            return True
        folder = folder.rpartition("/")[0]
    return False


def _spellings(path: str) -> Iterable[str]:
    """The spellings that `read_unlisted` tries."""
    if path.isascii():
        return (path,)
    return dict.fromkeys((path, unicodedata.normalize("NFC", path), unicodedata.normalize("NFD", path)))


def _stamp(path: str) -> Stamp | None:
    """The stamp of a file, or of the target of a link."""
    try:
        return stamp_of(os.stat(path))
    except (OSError, ValueError):
        return None
