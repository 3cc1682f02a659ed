"""What changed in the sources since the index was made, found by looking at as little as possible.

In: the files that the index knows, and the folder. Out: `Changes`. Nothing is repaired here.

Every check asks the status of every known file; size and time decide, and where they cannot, the content. Names are
listed anew when a folder's time shows that names came or went, and else now and then (for changed ignore rules and
folders that hold no known file yet). Commit and remote are asked again when git's own files changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.repository.identity import about, with_identity
from rpg.stores.index import Index

if TYPE_CHECKING:
    from rpg.encoder.files import Identity, Listing
    from rpg.encoder.options import Options

LISTING_SECONDS = 2.0
CLOCK_NS = 50_000_000
"""Times of files come from a clock that ticks some hundred times a second: a file written within this of its reading
may have been written once more without showing it."""
COARSE_CLOCK_NS = 2_000_000_000
"""Likewise where a file system keeps whole seconds only."""
SECOND_NS = 1_000_000_000
GIT_FILES = ("HEAD", "index", "logs/HEAD", "packed-refs")


class Changes(NamedTuple):
    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    times: tuple[int, ...] = ()
    """Of the edited and added files, so that one more edit of the same file is another change."""
    identity: Identity | None = None
    """What the repository is now, where commit, remote or cleanness are not those of the graph."""

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({*self.edited, *self.added, *self.deleted}))


class Known(NamedTuple):
    """A file as it was when the index was made, or was last found to be the same."""

    disk: str
    hash: str
    size: int
    mtime_ns: int
    """0: not known, as nothing was read (a file that was skipped)."""
    young: bool
    """Whether it was written so shortly before it was read that its time proves nothing."""
    skipped: str
    """Why; empty for a file that was read."""


class Watch:
    """The files of one generation of an index. Not for two threads at once."""

    def __init__(self, root: Path, options: Options, index: Index, header: Mapping[str, Any]) -> None:
        self.root = root
        self.options = options
        self._header = header
        self._identity: Identity | None = None
        self._top = os.path.join(root, "")
        self._known = {
            path: Known(path, hash, size, mtime_ns, is_young(mtime_ns, indexed_ns), "")
            for path, hash, size, mtime_ns, indexed_ns in index.rows(
                "SELECT path, hash, size, mtime_ns, indexed_ns FROM files"
            )
        }
        self._known |= {
            each["path"]: Known(each["path"], "", 0, 0, False, each["reason"]) for each in header["skipped"]
        }
        self._encoded_ns = index.value("SELECT min(indexed_ns) FROM files") or 0
        """Everything was read after that."""
        self.touched: dict[str, tuple[int, int, int]] = {}
        """Files with the old content and a new time: size, time, and when they were read."""
        self._folders: dict[str, int] = {}
        self._listed = 0.0
        self._git_folder = git_folder(root)
        self._git_times: list[int] | None = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether nothing of what the index knows is in this folder: it is not the one that was encoded."""
        files = [known.disk for known in self._known.values() if known.mtime_ns]
        return bool(files) and not any(os.path.lexists(self._top + disk) for disk in files)

    def changes(self) -> Changes:
        edited, gone = self._look()
        added: list[str] = []
        if gone or self._names_may_differ():
            edited, added, gone = self._list()
        times = tuple(_time(self._top + path) for path in (*edited, *added))
        return Changes(tuple(edited), tuple(added), tuple(gone), times, self._other_identity())

    def _look(self) -> tuple[list[str], list[str]]:
        """Known files that have other contents, and those that are not at their place."""
        doubtful: list[str] = []
        gone: list[str] = []
        top, lstat = self._top, os.lstat
        for path, known in self._known.items():
            if not known.mtime_ns:
                continue  # skipped: a listing tells
            try:
                status = lstat(top + known.disk)
            except OSError:
                gone.append(path)
                continue
            if known.young or status.st_mtime_ns != known.mtime_ns or status.st_size != known.size:
                doubtful.append(path)
        return [path for path in doubtful if self._differs(path)], gone

    def _differs(self, path: str) -> bool:
        """By content. One that is the same is remembered with its new time."""
        from rpg.encoder.files import Entry, Skipped, read
        from rpg.encoder.hashes import content_hash

        known = self._known[path]
        before = time.time_ns()
        try:
            status = os.lstat(self._top + known.disk)
        except OSError:
            return True
        if known.skipped and max(status.st_mtime_ns, status.st_ctime_ns) + CLOCK_NS < self._encoded_ns:
            same = True
        elif isinstance(
            content := read(self.root, Entry(path, status.st_size, status.st_mtime_ns, known.disk)), Skipped
        ):
            same = content.reason == known.skipped
        else:
            same = not known.skipped and content_hash(content) == known.hash
        if same and not known.skipped:
            self.touched[path] = (status.st_size, status.st_mtime_ns, before)
        if same:
            self._known[path] = known._replace(
                size=status.st_size, mtime_ns=status.st_mtime_ns, young=is_young(status.st_mtime_ns, before)
            )
        return not same

    def _names_may_differ(self) -> bool:
        if time.monotonic() - self._listed > LISTING_SECONDS:
            return True
        return any(_time(self._top + folder) != mtime_ns for folder, mtime_ns in self._folders.items())

    def _list(self) -> tuple[list[str], list[str], list[str]]:
        """Edited, added and deleted files by a listing of all names."""
        from rpg.encoder.files import list_files

        listed, before = time.monotonic(), time.time_ns()
        listing = list_files(self.root, self.options)
        edited: list[str] = []
        added: list[str] = []
        for entry in listing.entries:
            known = self._known.get(entry.path)
            if known is None:
                added.append(entry.path)
                continue
            if known.disk != entry.disk:
                known = self._known[entry.path] = known._replace(disk=entry.disk)
            same = entry.size == known.size and entry.mtime_ns == known.mtime_ns and not known.young
            if not same and self._differs(entry.path):
                edited.append(entry.path)
        for path, reason in listing.skipped:
            known = self._known.get(path)
            if known is None:
                added.append(path)
            elif known.skipped != reason:
                edited.append(path)
        present = {entry.path for entry in listing.entries} | {skipped.path for skipped in listing.skipped}
        deleted = sorted(self._known.keys() - present)
        self._listed = listed
        self._folders = self._times_of_folders(listing, before)
        return edited, added, deleted

    def _times_of_folders(self, listing: Listing, listed_ns: int) -> dict[str, int]:
        """A folder that changed while names were listed has no time that proves anything: 0 never fits."""
        times = {folder: _time(self._top + folder) for folder in _folders_of(entry.disk for entry in listing.entries)}
        return {folder: 0 if is_young(mtime_ns, listed_ns) else mtime_ns for folder, mtime_ns in times.items()}

    def _other_identity(self) -> Identity | None:
        from rpg.encoder.files import identity

        times = [_time(os.path.join(self._git_folder, name)) for name in GIT_FILES] if self._git_folder else []
        if times != self._git_times:
            self._identity = identity(self.root)
            self._git_times = times
        now = self._identity
        return now if now is not None and about(with_identity(self._header, now)) != about(self._header) else None


def is_young(mtime_ns: int, seen_ns: int) -> bool:
    """Whether a file could have been written again after it was seen, and still show the same time."""
    clock = CLOCK_NS if mtime_ns % SECOND_NS else COARSE_CLOCK_NS
    return mtime_ns + clock >= seen_ns


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


def _folders_of(paths: Iterable[str]) -> set[str]:
    """Every folder on the way to the files, the root itself as the empty string."""
    folders = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def _time(path: str) -> int:
    """0 for what is not there."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
