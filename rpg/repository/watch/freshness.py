"""Finds what changed in the sources since the index was made, examining as little as possible.

In: the files that the index knows, and the folder. Out: `Changes`. Nothing is repaired here.

Where the kernel sends notifications (inotify.py), a check reads them and examines the files that they name.
Elsewhere, and before the first query, it asks for the status of every known file; the stamp decides
(rpg/system/stamp.py), and if it cannot, the content. Names are listed again when notifications or a folder's stamp
show that names came or went. Both full checks also run from time to time, whatever the notifications said. Commit and
remote are read again when git's own files changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from rpg.repository.identity import read_recorded_repository, replace_identity
from rpg.repository.watch.changes import Changes
from rpg.repository.watch.file_stamps import find_change_time, mark_of, place_of
from rpg.repository.watch.git_state import GitFiles
from rpg.repository.watch.inotify import Notices, Touched
from rpg.repository.watch.known_files import Seen, read_known_file, read_known_files
from rpg.repository.watch.unlisted_configuration import UnlistedConfiguration
from rpg.repository.watch.watched_folders import find_ignored, folders_below, folders_of, stamps_of
from rpg.stores.index.index import Index
from rpg.system.stamp import Stamp, is_young, may_be_again, stamp_of

if TYPE_CHECKING:
    from rpg.encoder.options import Options
    from rpg.encoder.source_files.listing import Identity, Listing, Look

LISTING_SECONDS = 2.0
"""How long a listing is valid without notifications: rules may change, and folders without a known file are not
checked."""
NOTICED_LISTING_SECONDS = 600.0
"""The same with notifications: rules outside the repository may change."""
NOTICED_LOOK_SECONDS = 60.0
"""How long to rely on notifications without a full check: writing to a mapped file sends none."""
NEVER = float("-inf")
IGNORE_FILE = ".gitignore"
GIT = ".git"
"""Makes a folder a separate repository."""


class Watch:
    """The files of one generation of an index. Not for use by two threads at once."""

    def __init__(
        self, root: Path, options: Options, index: Index, header: Mapping[str, Any], before: Watch | None = None
    ) -> None:
        """`before` watched another generation; its notifications are taken over."""
        self.root = root
        self.options = options
        self._header = header
        self._identity: Identity | None = None
        self._top = os.path.join(root, "")
        self._known = read_known_files(index, header)
        self._unlisted = UnlistedConfiguration(root, orjson.loads(index.meta("beside") or "{}"), options.scip)
        self._paths: dict[str, str] = {}
        """Paths of known files by their name on disk, if that is spelled differently."""
        self.touched: dict[str, Seen] = {}
        """Files with the old contents under a new stamp that the index does not record."""
        self._edited: dict[str, Stamp | None] = {}
        """Edited files: the stamp when the edit was found."""
        self._added: tuple[str, ...] = ()
        self._deleted: tuple[str, ...] = ()
        self._left_out: set[str] = set()
        """New files that a listing leaves out: they may come and go."""
        self._folders: dict[str, Stamp | None] = {}
        self._last_look = self._last_listing = NEVER
        self._git = GitFiles(root)
        self._git_marks: list[Any] | None = None
        self._git_is_doubted = False
        """Whether the work tree may have become clean or dirty without a change in git's own files."""
        self._by_git = False
        self._notices: Notices | None = None
        self._touched_since = Touched()
        """Everything noticed since `mark`."""
        self._pending = Touched()
        """Noticed and not examined yet."""
        self._linked: set[str] = set()
        """Files with several names: writing through another one sends no notification."""
        self._place: tuple[int, int] | None = None
        self._has_all_notices = True
        self._checks = 0
        if before is not None and (before.root, before.options) == (root, options):
            self._notices, before._notices = before._notices, None
            self._pending, self._place, self._by_git = before._touched_since, before._place, before._by_git
            self._has_all_notices, self._checks = before._has_all_notices, before._checks
            self._git, self._git_marks = before._git, before._git_marks  # the header records what the encode found then

    @property
    def is_elsewhere(self) -> bool:
        """Whether this folder has none of the files that the index knows: it is not the one that was encoded."""
        files = [known.disk for known in self._known.values() if known.stamp is not None]
        return bool(files) and not any(os.path.lexists(self._top + disk) for disk in files)

    def changes(self) -> Changes:
        self._checks += 1
        if self._checks == 2:  # a command asks once and need not follow anything
            self.follow()
        now = self._git.marks()
        noticed = self._noticed()
        if noticed is None:
            # A listing examines every file too.
            if now != self._git_marks or self._names_may_differ() or self._look_at_all():
                self._list(now)
        else:
            if time.monotonic() - self._last_look > NOTICED_LOOK_SECONDS:
                self._look_at_all()
                self._unlisted.look_again()
            unlisted = self._look_where(noticed)
            if any(self._is_unread(name) for name in unlisted):
                self._git_is_doubted = True  # it may make the work tree clean or dirty
            if time.monotonic() - self._last_listing > NOTICED_LISTING_SECONDS or now != self._git_marks:
                self._left_out.clear()
                self._list(now)
            elif unlisted:
                self._list(now)
                self._left_out |= {name for name in unlisted if self._is_left_out(name)}
        if now != self._git_marks or self._git_is_doubted:
            self._ask_git(now)
        return self._changes()

    def look(self) -> tuple[Changes, Look]:
        """`changes` for callers that ask once, from a scan of all names, files and git. The scan is returned too, so
        that an encode that follows need not repeat it."""
        from rpg.encoder.source_files.listing import Look

        listed_ns = asked_ns = time.time_ns()
        now = self._git.marks()
        self._git_is_doubted = True
        listing = self._list(now)
        if self._git_is_doubted:
            asked_ns = time.time_ns()
            self._ask_git(now)
        assert self._identity is not None
        return self._changes(), Look(listing, self._identity, listed_ns, asked_ns)

    def _ask_git(self, now: list[Any] | None) -> None:
        """The repository's identity, with git's own files as in `now`."""
        from rpg.encoder.source_files.listing import identity

        self._identity, self._git_marks = identity(self.root, self.options), now
        self._git_is_doubted = False

    def _changes(self) -> Changes:
        edited = (*self._edited, *self._unlisted.changed(self._notices))
        stamps = tuple(mark_of(self._top + path) for path in (*edited, *self._added))
        return Changes(edited, self._added, self._deleted, stamps, self._other_identity())

    def doubt(self, paths: Iterable[str]) -> None:
        """Their stamps prove nothing: the next check reads them."""
        for path in paths:
            if path in self._known:
                self._known[path] = self._known[path]._replace(young=True)

    def look_again(self) -> None:
        """The next check reads the status of every file, whatever was noticed."""
        self._last_look = NEVER
        if self._notices is None:
            self._last_listing = NEVER

    def mark(self) -> None:
        """An encode begins: the `Watch` of its index must examine what is noticed from now on."""
        self._touched_since = Touched()

    def names_are_known(self) -> None:
        """The index comes from an encode that began after `mark`: its listing need not be repeated."""
        if self._notices is not None:
            self._last_listing = time.monotonic()

    def edits_are_known(self, index: Index, header: Mapping[str, Any], paths: Iterable[str]) -> None:
        """The next generation differs only by these files, and by the repository's identity."""
        self._header, self._identity = header, None
        self._pending |= self._touched_since
        for path in paths:
            self._edited.pop(path, None)
            self._known[path] = read_known_file(index, path)._replace(disk=self._known[path].disk)

    def forget_edits(self) -> None:
        """An encode found that nothing had changed."""
        self._edited.clear()

    def follow(self) -> None:
        """From now on uses notifications of the kernel, if it reports everything."""
        if not self._has_all_notices or self._notices is not None:
            return
        self._last_look = self._last_listing = NEVER
        self._git.follow()
        self._touched_since = self._pending = Touched(is_lost=True)
        self._notices = Notices.start(self.root)
        if self._notices is not None:
            self._place = place_of(self._top)
            self._by_git = self._git.is_there
            self._follow(folders_of(known.disk.rstrip("/") for known in self._known.values()))
        self._has_all_notices = self._notices is not None

    def close(self) -> None:
        if self._notices is not None:
            self._notices.close()
            self._notices = None

    def _follow(self, folders: Iterable[str]) -> None:
        """Follows these folders and those below; if that is not possible, notifications are not used from then on."""
        assert self._notices is not None
        if not self._notices.follow(folders_below(self.root, self.options, folders, by_git=self._by_git)):
            self.close()
            self._has_all_notices = False
            self._last_listing = NEVER

    def _noticed(self) -> Touched | None:
        """Notifications that have not been examined; None if notifications are not used."""
        if self._notices is None:
            return None
        touched = self._notices.touched()
        if touched.is_mounted or self._place != place_of(self._top):
            self.doubt(self._known)  # files in a new image may have the very stamps of the earlier ones
        if touched.is_lost or self._place != place_of(self._top):
            self.close()
            self.follow()
        elif touched.folders:
            self._follow(touched.folders)
        self._touched_since |= touched
        noticed, self._pending = self._pending | touched, Touched()
        self._unlisted.notice(noticed)
        if noticed.is_lost:
            self._last_look = self._last_listing = NEVER
        return noticed if self._notices is not None else None

    def _look_at_all(self) -> list[str]:
        """Examines the files; also returns those that are missing."""
        self._last_look = time.monotonic()
        self._linked.clear()
        doubtful, deleted = self._statuses(self._known)
        self._edited = {path: seen for path, seen in self._edited.items() if path in doubtful or self._is_unread(path)}
        self._judge(doubtful)
        return deleted

    def _look_where(self, noticed: Touched) -> list[str]:
        """Returns names that only a listing can judge. A file that a notification names is read again, whatever its
        stamp."""
        named = noticed.written | noticed.named
        names = named | self._linked
        if not names and not self._deleted:
            return []
        paths = {self._paths.get(name, name): name for name in names}
        known = [path for path in paths if path in self._known and not self._is_unread(path)]
        named_files = {*(path for path, name in paths.items() if name in named), *self._deleted}
        doubtful, deleted = self._statuses([*known, *self._deleted], named_files)
        self._judge(doubtful, named_files)
        for path in deleted:
            self._edited.pop(path, None)
        self._deleted = tuple(sorted({*deleted, *(path for path in self._deleted if path not in doubtful)}))
        unlisted = [name for path, name in paths.items() if self._may_be_listed(path, name, name in noticed.named)]
        if not self._by_git or not all(self._is_new(name) for name in unlisted):
            return unlisted
        spelled = [name + "/" if os.path.isdir(self._top + name) else name for name in unlisted]
        ignored = find_ignored(self.root, spelled)  # far cheaper than a listing
        return [name for name, path in zip(unlisted, spelled, strict=True) if path not in ignored]

    def _may_be_listed(self, path: str, name: str, has_come_or_gone: bool) -> bool:
        from rpg.encoder.source_files.selection import is_state, is_written_by_rpg

        last = name.rpartition("/")[2]
        if last == GIT and has_come_or_gone:
            self._git.add_nested(name)
            self._left_out.clear()
            return True
        if is_written_by_rpg(last) or is_state(f"{name}/"):
            return False
        if last == IGNORE_FILE:
            self._left_out.clear()
            return True
        if path in self._known:
            return self._is_unread(path)
        if path in self._added or f"{path}/" in self._known:
            return True
        if not has_come_or_gone:
            return False  # the last listing saw it and left it out
        return os.path.lexists(self._top + name) and not (name in self._left_out and self._is_left_out(name))

    def _is_new(self, name: str) -> bool:
        """Whether the name was unknown so far and does not affect what else is listed."""
        path = self._paths.get(name, name)
        known = path in self._known or f"{path}/" in self._known or path in self._added
        return not known and name.rpartition("/")[2] not in (IGNORE_FILE, GIT)

    def _is_left_out(self, name: str) -> bool:
        """Whether a listing left the file out: folders are listed again and again."""
        path = self._paths.get(name, name)
        return path not in self._known and path not in self._added and os.path.isfile(self._top + name)

    def _is_unread(self, path: str) -> bool:
        """Whether it was never read: a skipped file or folder, which a listing reports."""
        known = self._known.get(path)
        return known is not None and known.stamp is None

    def _statuses(
        self, paths: Iterable[str], doubted: Collection[str] = ()
    ) -> tuple[dict[str, os.stat_result], list[str]]:
        """Known files that may have changed, always including those in `doubted`; and the paths of missing ones."""
        doubtful: dict[str, os.stat_result] = {}
        deleted: list[str] = []
        top, lstat, all_known = self._top, os.lstat, self._known
        for path in paths:
            known = all_known.get(path)
            if known is None or known.stamp is None:
                continue
            try:
                status = lstat(top + known.disk)
            except OSError:
                deleted.append(path)
                continue
            if status.st_nlink > 1:
                self._linked.add(known.disk)
            if known.young or stamp_of(status) != known.stamp or path in doubted:
                doubtful[path] = status
        return doubtful, deleted

    def _judge(self, doubtful: Mapping[str, os.stat_result], doubted: Collection[str] = ()) -> None:
        for path, status in doubtful.items():
            seen = stamp_of(status)
            if self._edited.get(path) == seen and path not in doubted:
                continue
            if self._differs(path):
                self._edited[path] = seen
                if seen == self._known[path].stamp:
                    self._known[path] = self._known[path]._replace(young=True)  # its stamp proved nothing
            else:
                self._edited.pop(path, None)

    def _differs(self, path: str) -> bool:
        """Compares the content. An unchanged file is remembered with its new stamp."""
        from rpg.encoder.hashes import content_hash
        from rpg.encoder.source_files.listing import Entry, Skipped, is_named_only, read

        known = self._known[path]
        before = time.time_ns()
        try:
            status = os.lstat(self._top + known.disk)
        except OSError:
            return True
        stamp = stamp_of(status)
        if status.st_size > self.options.most_bytes(path) and not is_named_only(path):
            return True
        content = read(self.root, Entry(path, status.st_size, stamp, known.disk))
        if isinstance(content, Skipped):
            same = content.reason == known.skipped
        else:
            same = not known.skipped and content_hash(content) == known.hash
        if same:
            if stamp != known.stamp:
                self._git_is_doubted = self._git.is_there  # its mode may have changed
            self.touched[path] = stamp, before
            self._known[path] = known._replace(stamp=stamp, young=is_young(stamp, before))
        return not same

    def _names_may_differ(self) -> bool:
        if time.monotonic() - self._last_listing > LISTING_SECONDS:
            return True
        return any(stamp is None or mark_of(self._top + folder) != stamp for folder, stamp in self._folders.items())

    def _list(self, git_now: list[Any] | None) -> Listing:
        """Finds edited, added and deleted files by listing all names. If git's files have new times, the state of the
        repository is read as well."""
        from rpg.encoder.source_files.listing import list_files, look

        listed, before = time.monotonic(), time.time_ns()
        self._unlisted.look_again()
        is_asked = git_now != self._git_marks or self._git_is_doubted
        if is_asked:
            (listing, self._identity, _, _), self._git_marks = look(self.root, self.options), git_now
        else:
            listing = list_files(self.root, self.options)
        edited: dict[str, Stamp | None] = {}
        added: list[str] = []
        for entry in listing.entries:
            known = self._known.get(entry.path)
            if known is None:
                added.append(entry.path)
                continue
            if known.disk != entry.disk:
                known = self._known[entry.path] = known._replace(disk=entry.disk)
            if entry.disk != entry.path:
                self._paths[entry.disk] = entry.path
            seen = entry.stamp
            same = seen == known.stamp and not known.young and entry.path not in self._edited
            if not same and (self._edited.get(entry.path) == seen or self._differs(entry.path)):
                edited[entry.path] = seen
        for path, reason in listing.skipped:
            known = self._known.get(path)
            if known is None:
                added.append(path)
            elif known.skipped != reason:
                edited[path] = None
        present = {entry.path for entry in listing.entries} | {skipped.path for skipped in listing.skipped}
        self._edited, self._added = edited, tuple(added)
        self._deleted = tuple(sorted(self._known.keys() - present))
        if is_asked:  # they may have changed after git looked: whether the tree is clean is checked again
            self._git_is_doubted = self._went_after(before) or any(
                may_be_again(find_change_time(self._top + path), before) for path in (*edited, *added)
            )
        self._last_listing = listed
        self._by_git = listing.source == "git"
        if self._notices is None:
            self._folders = stamps_of(self._top, folders_of(entry.disk for entry in listing.entries), before)
        elif unfollowed := {
            folder
            for folder in folders_of(entry.disk for entry in listing.entries)
            if not self._notices.is_followed(folder)
        }:
            # Files that git tracks in a folder that it ignores.
            self._follow(unfollowed)
            self._last_listing = NEVER
        return listing

    def _went_after(self, asked_ns: int) -> bool:
        """Whether a file that was deleted may have been there at that time."""
        folders = folders_of(self._known[path].disk.rstrip("/") for path in self._deleted) if self._deleted else ()
        marks = (mark_of(self._top + folder) for folder in folders)
        return any(mark is not None and is_young(mark, asked_ns) for mark in marks)

    def _other_identity(self) -> Identity | None:
        now = self._identity
        return (
            now
            if now is not None
            and read_recorded_repository(replace_identity(self._header, now)) != read_recorded_repository(self._header)
            else None
        )
