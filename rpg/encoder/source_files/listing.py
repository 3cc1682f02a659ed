"""Which files a repository has, and what bytes they are: of the work tree, or of a git revision.

Comes in: a folder and the options. Goes out: a `Listing` sorted by path, made without opening a file, and then each
file's bytes as UTF-8 without byte order mark. What is left out is recorded with its reason, a tree as one record.
Absent on purpose: languages (every text file is given out), parsing, writing.

Invariants: no file is read twice under two names, nothing outside the folder is read, and the files that this
program writes are never input.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.options import DEFAULT, MEBIBYTE, Options
from rpg.encoder.source_files import git
from rpg.encoder.source_files.contents import decode, is_generated, normalise, reason_to_skip
from rpg.encoder.source_files.hidden_from_git import is_another
from rpg.encoder.source_files.remotes import remote_url
from rpg.encoder.source_files.selection import (
    ABSENT,
    ODD,
    SUBMODULE,
    Entry,
    Listing,
    Place,
    Rules,
    Skipped,
    Status,
    is_own,
    is_state,
    marked,
    sift,
    to_record,
)
from rpg.encoder.source_files.walk import ignores, walk
from rpg.errors import Forbidden, InvalidPath
from rpg.filesystem import inside, read_below, read_inside, real_folder
from rpg.stamp import NO_STAMP, stamp_of

__all__ = [
    "Entry", "Identity", "Listing", "Skipped", "decode", "identity", "identity_after",
    "is_generated", "list_files", "look", "normalise", "read", "read_all", "read_beside", "read_left_out",
]  # fmt: skip

UNREADABLE = "unreadable"
"""Followed by the system's word for it, as in `unreadable (EACCES)`."""


class Identity(NamedTuple):
    """What a graph's header says of the repository; empty where git does not answer for the folder."""

    commit: str
    dirty: bool
    url: str


def list_files(root: Path, options: Options = DEFAULT, revision: str = "") -> Listing:
    """The files of a work tree, or of a revision, the work tree untouched. No file is opened.

    InvalidPath where `root` is no folder, BadRequest for an unknown revision. An empty listing is no error here.
    """
    root = real_folder(root)
    if revision:
        commit = git.commit_of(root, revision)
        return sift(_revision(root, commit), Rules(options), commit)
    return _listed(root, Rules(options))


def look(root: Path, options: Options = DEFAULT) -> tuple[Listing, Identity]:
    """`list_files` and `identity` at once: git walks the folders once for both."""
    root = real_folder(root)
    try:
        told, tracked = git.status(root), git.tracked(root)
    except git.GitFailed:
        return list_files(root, options), identity(root, options)
    rules = Rules(options)
    return _listed(root, rules, told, tracked), _identity(root, rules, told, tracked)


def _listed(
    root: Path, rules: Rules, told: git.Status | None = None, tracked: list[git.Tracked] | None = None
) -> Listing:
    try:
        names = _names_by_git(root, told, tracked)
    except git.GitFailed as error:
        return _walked(root, rules, "" if "not a git repository" in error.message else error.message)
    return sift(_work_tree(root, names), rules, "git")


def read(root: Path, entry: Entry) -> bytes | Skipped:
    """The bytes of one listed file in the form of `normalise`, or why it is no input after all."""
    if entry.blob:
        return _judged(entry, next(git.contents(root, [(entry.blob, entry.size)])))
    try:
        return _judged(entry, read_below(root, entry.disk, max(entry.size, MEBIBYTE)))
    except OSError as error:
        return Skipped(entry.path, _unreadable(error))


def read_all(root: Path, listing: Listing) -> Iterator[tuple[Entry, bytes | Skipped]]:
    """Each entry with what `read` says of it, in order; a revision is read with few processes, not one a file."""
    if listing.source in ("git", "walk"):
        for entry in listing.entries:
            yield entry, read(root, entry)
    else:
        blobs = git.contents(root, ((entry.blob, entry.size) for entry in listing.entries))
        for entry, data in zip(listing.entries, blobs, strict=True):
            yield entry, _judged(entry, data)


def read_left_out(root: Path, listing: Listing, path: str) -> bytes:
    """The bytes of a file that the options keep out, or in a walk the rules of what is ignored, for what its
    configuration says of the others; empty where there is no such file, or no text."""
    disk = listing.left_out.get(path)
    if disk is None:
        # A walk knows the rules of what is ignored, but not what git tracks in spite of them.
        return read_beside(root, path) if listing.source == "walk" else b""
    if listing.source in ("git", "walk"):
        return read_beside(root, disk)
    try:
        return normalise(git.run(root, "cat-file", "blob", f"{listing.source}:./{disk}"))
    except git.GitFailed:
        return b""


def read_beside(root: Path, path: str) -> bytes:
    """The bytes of a file of the work tree, listed or not; empty where it cannot be read, or leads out."""
    try:
        return normalise(read_inside(root, path, MEBIBYTE))
    except (OSError, Forbidden, InvalidPath):
        return b""


def is_ignored(root: Path, path: str, options: Options = DEFAULT) -> bool:
    """Whether a file that stands below the folder is none of the repository's: git ignores it, the options keep it out,
    or it is of an installation, as all in `node_modules`. Under the name that it has, whatever links lead to it."""
    real = inside(root, path).relative_to(real_folder(root)).as_posix()
    if Rules(options).is_apart(real):
        return True
    try:
        return git.ignores(root, real) and not git.is_ignored(root)
    except git.GitFailed:
        return ignores(root, real)


def identity(root: Path, options: Options = DEFAULT) -> Identity:
    """Commit, whether the files differ from it, and URL; empty where git does not answer for this folder.

    What this program writes, what tools leave behind, and what the options keep out is no difference.
    """
    return _identity(real_folder(root), Rules(options))


def identity_after(edited: Iterable[str], root: Path, options: Options = DEFAULT) -> Identity:
    """`identity` where some files were just edited: git looks at the others only if those are as it has them."""
    root, rules = real_folder(root), Rules(options)
    try:
        found = _identity(root, rules, git.status(root, edited))
    except git.GitFailed:
        found = Identity("", False, "")
    return found if found.dirty else _identity(root, rules)


def _identity(
    root: Path, rules: Rules, told: git.Status | None = None, tracked: list[git.Tracked] | None = None
) -> Identity:
    try:
        inside = told.prefix if told else git.prefix(root)
        if inside and (git.is_ignored(root) or not (tracked or git.tracked(root))):
            return Identity("", False, "")
        commit, url = git.head(root), remote_url(root)
    except git.GitFailed:
        return Identity("", False, "")
    try:
        changes = git.changes(root, commit, told=told) if commit else []
    except git.GitFailed:
        return Identity(commit, True, url)  # not known to be clean
    if not commit or any(_is_of_input(change, rules) for change in changes):
        return Identity(commit, True, url)
    hidden = [file for file in tracked or git.tracked(root) if file.hidden]
    of_input = [file for file in hidden if _is_of_input(git.Change(file.path, "modified"), rules)]
    return Identity(commit, is_another(root, of_input), url)


def _is_of_input(change: git.Change, rules: Rules) -> bool:
    """Whether a graph can be another by it. What is left out leaves a record, so that coming and going is seen."""
    path = change.path
    if is_own(path) or is_state(path) or not rules.is_wanted(path):
        return False
    if change.status != "modified":
        return True
    folders = (path[: match.end()] for match in re.finditer("/", path))
    return not rules.is_excluded(path) and not any(map(rules.tree_reason, folders))


def _names_by_git(root: Path, told: git.Status | None, tracked: list[git.Tracked] | None) -> list[str]:
    """GitFailed, with the reason, where the folder is to be walked."""
    if (told.prefix if told else git.prefix(root)) and git.is_ignored(root):
        raise git.GitFailed("an outer repository ignores this folder")
    tracked = git.tracked(root) if tracked is None else tracked
    names = [file.path + "/" if file.mode == git.SUBMODULE else file.path for file in tracked]
    names += git.untracked(root, told)
    if not names:
        raise git.GitFailed("git lists nothing here")
    return names


def _walked(root: Path, rules: Rules, note: str) -> Listing:
    records: list[Skipped] = []

    def enter(folder: str, entries: Mapping[str, bool]) -> bool:
        # A `.git` that is a file marks a submodule or another work tree of a repository; a folder, a clone.
        own = SUBMODULE if entries.get(".git") is False else ""
        if reason := rules.tree_reason(folder) or marked(entries) or own:
            records.extend(to_record(folder, reason))
        return not reason

    walked = walk(root, enter)
    for folder, error in walked.unreadable:
        records += to_record(folder or "./", _unreadable(error))
    return sift(_work_tree(root, walked.names), rules, "walk", records, note)


def _work_tree(root: Path, names: list[str]) -> Place:
    top = os.path.join(root, "")

    def status(name: str) -> Status | None:
        try:
            found = os.lstat(top + name)
        except (FileNotFoundError, NotADirectoryError):
            return None  # in git's index still
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

    return Place(names, status, target, lambda folder: not os.path.islink(top + folder[:-1]))


def _revision(root: Path, commit: str) -> Place:
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
    return Place(names, found.__getitem__, targets.__getitem__, lambda folder: True)


def _judged(entry: Entry, data: bytes | None) -> bytes | Skipped:
    if data is None:
        return Skipped(entry.path, ABSENT)
    reason = reason_to_skip(entry.path, data)
    return Skipped(entry.path, reason) if reason else normalise(data)


def _unreadable(error: OSError) -> str:
    return f"{UNREADABLE} ({errno.errorcode.get(error.errno or 0, 'unknown')})"
