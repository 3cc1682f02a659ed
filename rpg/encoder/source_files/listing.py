"""Which files a repository has, and their bytes: of the work tree, or of a git revision.

In: a folder and the options. Out: a `Listing` sorted by path, made without opening a file, and then each file's bytes
as UTF-8 without byte order mark. Everything left out is recorded with its reason, a whole tree as one record. Absent on
purpose: languages (every text file is returned), parsing, writing.

Invariants: no file is read twice under two names, nothing outside the folder is read, and files that rpg writes are
never input.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.options import DEFAULT, MEBIBYTE, Options
from rpg.encoder.source_files import git
from rpg.encoder.source_files.contents import decode, is_generated, is_named_only, normalise, reason_to_skip
from rpg.encoder.source_files.hidden_from_git import is_another
from rpg.encoder.source_files.remotes import remote_url
from rpg.encoder.source_files.selection import (
    ABSENT,
    ODD,
    SUBMODULE,
    Entry,
    Listing,
    NameSource,
    Rules,
    Skipped,
    Status,
    build_records,
    find_marker_reason,
    is_state,
    is_written_by_rpg,
    select,
)
from rpg.encoder.source_files.walk import ignores, walk
from rpg.errors import Forbidden, InvalidPath
from rpg.system.filesystem import problem_with_name, read_below, read_inside, real_folder, resolve_inside
from rpg.system.stamp import NO_STAMP, is_young, stamp_of

__all__ = [
    "Entry", "Identity", "Listing", "Look", "Skipped", "decode", "identity", "identity_after", "identity_as_read",
    "is_generated", "is_named_only", "list_files", "look", "normalise", "read", "read_all", "read_compiler_index",
    "read_left_out", "read_unlisted",
]  # fmt: skip

LARGEST_INDEX = 256 * MEBIBYTE
"""Of a compiler; some two million lines."""
UNREADABLE = "unreadable"
"""Followed by the system's error name, as in `unreadable (EACCES)`."""


class Identity(NamedTuple):
    """What a graph's header says about the repository; empty if git does not answer for the folder."""

    commit: str
    dirty: bool
    url: str


NOBODYS = Identity("", False, "")


class Look(NamedTuple):
    """Everything that an encode must know about a folder before it reads files."""

    listing: Listing
    identity: Identity
    listed_ns: int
    """A time before the files were listed."""
    asked_ns: int
    """A time before git was asked for the identity."""


class _Asked:
    """What git says about a folder in a work tree; each query runs once, and only if necessary. GitFailed if the folder
    is in none."""

    def __init__(self, root: Path, status: git.Status | None = None) -> None:
        self.root = root
        self.status = status
        """None if git was not asked for it at once."""
        self.prefix = git.prefix(root) if status is None else status.prefix

    @cached_property
    def is_ignored(self) -> bool:
        """By an enclosing repository."""
        return bool(self.prefix) and git.is_ignored(self.root)

    @cached_property
    def tracked(self) -> list[git.Tracked]:
        return git.list_tracked(self.root)


def list_files(root: Path, options: Options = DEFAULT, revision: str = "") -> Listing:
    """The files of a work tree, or of a revision without touching the work tree. No file is opened.

    InvalidPath if `root` is not a folder, BadRequest for an unknown revision. An empty listing is no error here.
    """
    root = real_folder(root)
    if revision:
        return _of_revision(root, revision, options)
    rules = Rules(options)
    try:
        return _list_by_git(_Asked(root), rules)
    except git.GitFailed as error:
        return _walk_folder(root, rules, error)


def look(root: Path, options: Options = DEFAULT, revision: str = "") -> Look:
    """`list_files` and `identity` at once: git walks the folders once for both. For a revision, only the URL is
    determined, because the work tree must not matter."""
    root, listed_ns = real_folder(root), time.time_ns()
    if revision:
        return Look(_of_revision(root, revision, options), Identity("", False, _url(root)), listed_ns, listed_ns)
    rules = Rules(options)
    try:
        prefix = git.prefix(root)
    except git.GitFailed as error:
        return Look(_walk_folder(root, rules, error), NOBODYS, listed_ns, listed_ns)
    try:
        asked = _Asked(root, git.status(root, top=prefix))
    except git.GitFailed:  # one may be answered without the other
        return Look(list_files(root, options), identity(root, options), listed_ns, listed_ns)
    try:
        listing = _list_by_git(asked, rules)
    except git.GitFailed as error:
        listing = _walk_folder(root, rules, error)
    return Look(listing, _identity(asked, rules), listed_ns, listed_ns)


def identity_as_read(root: Path, options: Options, seen: Look) -> Identity:
    """The repository's identity when the files of a scan were read. Git is asked again only if one of them may have
    changed since."""
    if not seen.identity.commit:
        return seen.identity
    top = os.path.join(root, "")
    for entry in seen.listing.entries:
        try:
            is_as_seen = stamp_of(os.lstat(top + entry.disk)) == entry.stamp
        except OSError:
            is_as_seen = False
        if not is_as_seen or is_young(entry.stamp, seen.asked_ns):
            return identity(root, options)
    return seen.identity


def _list_by_git(asked: _Asked, rules: Rules) -> Listing:
    """GitFailed, with the reason, if the folder must be walked."""
    if asked.is_ignored:
        raise git.GitFailed("an outer repository ignores this folder")
    names = [file.path + "/" if file.mode == git.SUBMODULE else file.path for file in asked.tracked]
    names += git.list_untracked(asked.root, asked.status)
    if not names:
        raise git.GitFailed("git lists nothing here")
    return select(_work_tree(asked.root, names), rules, "git")


def read(root: Path, entry: Entry) -> bytes | Skipped:
    """The bytes of one listed file in the form of `normalise`, or why it is not input after all; none of what is known
    by its name alone."""
    if is_named_only(entry.path):
        return b""
    if entry.blob:
        return _judge(entry, next(git.contents(root, [(entry.blob, entry.size)])))
    try:
        return _judge(entry, read_below(root, entry.disk, max(entry.size, MEBIBYTE)))
    except OSError as error:
        return Skipped(entry.path, _unreadable(error))


def read_all(root: Path, listing: Listing) -> Iterator[tuple[Entry, bytes | Skipped]]:
    """Each entry with the result of `read`, in order; a revision is read with few processes, not one per file."""
    if listing.source in ("git", "walk"):
        for entry in listing.entries:
            yield entry, read(root, entry)
    else:
        read_ones = (entry for entry in listing.entries if not is_named_only(entry.path))
        blobs = git.contents(root, ((entry.blob, entry.size) for entry in read_ones))
        for entry in listing.entries:
            yield entry, b"" if is_named_only(entry.path) else _judge(entry, next(blobs))


def read_left_out(root: Path, listing: Listing, path: str) -> bytes:
    """The bytes of a file that the options exclude, or that ignore rules exclude in a walk, because its configuration
    may apply to other files; empty if there is no such file, or no text."""
    disk = listing.left_out.get(path)
    if disk is None:
        # A walk knows the ignore rules, but not which ignored files git tracks.
        return read_unlisted(root, path) if listing.source == "walk" else b""
    if listing.source in ("git", "walk"):
        return read_unlisted(root, disk)
    try:
        return normalise(git.run(root, "cat-file", "blob", f"{listing.source}:./{disk}"))
    except git.GitFailed:
        return b""


def read_unlisted(root: Path, path: str, size: int = 0) -> bytes:
    """The bytes of a file of the work tree, listed or not, of at most a mebibyte or the size; empty if it cannot be
    read, or leads out."""
    try:
        return normalise(read_inside(root, path, max(size, MEBIBYTE)))
    except (OSError, Forbidden, InvalidPath):
        return b""


def read_compiler_index(root: Path, path: str) -> bytes:
    """The bytes of an index that the user names; empty if there is none that can be read, or it is too large."""
    try:
        return read_inside(root, path, LARGEST_INDEX)
    except (OSError, Forbidden, InvalidPath):
        return b""


def find_left_out(root: Path, files: Iterable[str], folders: Iterable[str]) -> tuple[set[str], list[str]]:
    """Of files and folders that a listing is said to have left out: those files that belong to the repository, and the
    regular files that git tracks in those folders; none there if git does not answer."""
    wanted, tops = set(files), frozenset(folders)
    try:
        tracked = git.list_tracked_files(root)
        known = wanted.intersection(tracked)
        if len(known) < len(wanted):
            known |= wanted.intersection(git.list_untracked(root))
    except git.GitFailed:
        tracked = []
        known = {path for path in wanted if not problem_with_name(path) and not ignores(root, path)}
    inside_of = [path for path in tracked if not tops.isdisjoint(_folders_of(path))] if tops else []
    return known, inside_of


def _folders_of(path: str) -> Iterator[str]:
    at = path.find("/")
    while at >= 0:
        yield path[: at + 1]
        at = path.find("/", at + 1)


def is_ignored(root: Path, path: str, options: Options = DEFAULT) -> bool:
    """Whether a file below the folder does not belong to the repository: git ignores it, the options exclude it, or it
    is part of an installation, such as `node_modules`. Judged by its own name, whatever links lead to it."""
    real = resolve_inside(root, path).relative_to(real_folder(root)).as_posix()
    if Rules(options).is_left_out(real):
        return True
    try:
        return git.ignores(root, real) and not git.is_ignored(root)
    except git.GitFailed:
        return ignores(root, real)


def identity(root: Path, options: Options = DEFAULT) -> Identity:
    """Commit, whether the files differ from it, and URL; empty if git does not answer for this folder.

    Files that rpg writes, that tools leave behind or that the options exclude make no difference.
    """
    root = real_folder(root)
    try:
        return _identity(_Asked(root), Rules(options))
    except git.GitFailed:
        return NOBODYS


def identity_after(edited: Iterable[str], root: Path, options: Options = DEFAULT) -> Identity:
    """`identity` after some files were edited: git looks at the others only if these match the commit."""
    root, rules = real_folder(root), Rules(options)
    try:
        found = _identity(_Asked(root, git.status(root, edited)), rules)
    except git.GitFailed:
        found = NOBODYS
    return found if found.dirty else identity(root, options)


def _identity(asked: _Asked, rules: Rules) -> Identity:
    root = asked.root
    try:
        if asked.prefix and (asked.is_ignored or not asked.tracked):
            return NOBODYS
        commit, url = git.head(root), remote_url(root)
    except git.GitFailed:
        return NOBODYS
    try:
        status = asked.status or (git.status(root, top=asked.prefix) if commit else None)
        changes = git.changes(root, commit, known=status) if commit else []
    except git.GitFailed:
        return Identity(commit, True, url)  # not known to be clean
    if not commit or any(_is_of_input(change, rules) for change in changes):
        return Identity(commit, True, url)
    hidden = [file for file in asked.tracked if file.hidden]
    of_input = [file for file in hidden if _is_of_input(git.Change(file.path, "modified"), rules)]
    return Identity(commit, is_another(root, of_input), url)


def _url(root: Path) -> str:
    try:
        git.prefix(root)  # a bare repository has no identity
        return remote_url(root)
    except git.GitFailed:
        return ""


def _is_of_input(change: git.Change, rules: Rules) -> bool:
    """Whether the change can change a graph. What is left out is recorded, so that its coming and going is seen."""
    path = change.path
    if is_written_by_rpg(path) or is_state(path) or not rules.is_wanted(path):
        return False
    if change.status != "modified":
        return True
    folders = (path[: match.end()] for match in re.finditer("/", path))
    return not rules.is_excluded(path) and not any(map(rules.tree_reason, folders))


def _of_revision(root: Path, revision: str, options: Options) -> Listing:
    commit = git.commit_of(root, revision)
    return select(_revision(root, commit), Rules(options), commit)


def _walk_folder(root: Path, rules: Rules, unanswered: git.GitFailed) -> Listing:
    """The listing of a folder that git does not list, with git's reason."""
    note = "" if "not a git repository" in unanswered.message else unanswered.message
    records: list[Skipped] = []

    def enter(folder: str, entries: Mapping[str, bool]) -> bool:
        # A `.git` file marks a submodule or another work tree of a repository; a `.git` folder marks a clone.
        own = SUBMODULE if entries.get(".git") is False else ""
        if reason := rules.tree_reason(folder) or find_marker_reason(entries) or own:
            records.extend(build_records(folder, reason))
        return not reason

    walked = walk(root, enter)
    for folder, error in walked.unreadable:
        records += build_records(folder or "./", _unreadable(error))
    # A walk enters no link, so that each folder of its names is real.
    found = _work_tree(root, walked.names)._replace(is_real=lambda folder: True)
    return select(found, rules, "walk", records, note)


def _work_tree(root: Path, names: list[str]) -> NameSource:
    top = os.path.join(root, "")

    def status(name: str) -> Status | None:
        try:
            found = os.lstat(top + name)
        except (FileNotFoundError, NotADirectoryError):
            return None  # still in git's index
        except OSError as error:
            return Status(_unreadable(error))
        if stat.S_ISREG(found.st_mode):
            return Status("file", found.st_size, stamp_of(found), "", (found.st_dev, found.st_ino))
        return Status("link" if stat.S_ISLNK(found.st_mode) else ODD)

    def target(name: str) -> str:
        try:
            return os.readlink(top + name).replace(os.sep, "/")
        except OSError:
            return ""  # gone meanwhile

    return NameSource(names, status, target, lambda folder: not os.path.islink(top + folder[:-1]))


def _revision(root: Path, commit: str) -> NameSource:
    blobs = git.tree(root, commit)
    kinds = {"120000": "link", "100644": "file", "100755": "file", "100664": "file"}
    found = {
        blob.path: Status(kinds.get(blob.mode, ODD) if blob.size >= 0 else ABSENT, blob.size, NO_STAMP, blob.object_id)
        for blob in blobs
    }
    links = [blob for blob in blobs if blob.mode == "120000"]
    texts = git.contents(root, ((link.object_id, link.size) for link in links))
    targets = {link.path: os.fsdecode(text or b"") for link, text in zip(links, texts, strict=True)}
    names = [blob.path + "/" if blob.mode == "160000" else blob.path for blob in blobs]
    return NameSource(names, found.__getitem__, targets.__getitem__, lambda folder: True)


def _judge(entry: Entry, data: bytes | None) -> bytes | Skipped:
    if data is None:
        return Skipped(entry.path, ABSENT)
    reason = reason_to_skip(entry.path, data)
    return Skipped(entry.path, reason) if reason else normalise(data)


def _unreadable(error: OSError) -> str:
    return f"{UNREADABLE} ({errno.errorcode.get(error.errno or 0, 'unknown')})"
