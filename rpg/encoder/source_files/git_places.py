"""Where git finds the repository of a folder, and whether all that it reads belongs to that folder.

In: a folder. Out: a `Place`, or GitUnready with the reason why git must not be asked. Absent: running git, and what the
files of a repository mean.

A `.git` that came in an archive can lead git anywhere: by `gitdir:`, `commondir`, alternates, links, `core.worktree`.
Then the history of another repository of the user would be told as that of the folder. So everything that git reads
must be in the folder whose `.git` it is. Two kinds may be elsewhere, because the other side names the folder, too,
which no archive can bring about: a work tree that `worktrees/NAME/gitdir` leads back to, and a submodule, whose own
settings name its folder. Nothing of the kind tells a clone with `--reference`, `--shared` or `--separate-git-dir` from
a trap: the user says where such clones are (OWN_CLONES).
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

from rpg.system import filesystem
from rpg.system.stamp import Stamp, is_young, stamp_of

OWN_CLONES = "RPG_OWN_CLONES"
"""Names folders, as PATH does: a `.git` in them or below may lead anywhere."""
LARGEST_POINTER = 4096
LARGEST_SETTINGS = 8 << 20
MOST_FILES = 2_000_000
"""Of objects and refs together: more are not examined, and such a repository is not read."""
MOST_STORES = 1000
"""Folders of objects that alternates name, and theirs."""

_HEAD = re.compile(r"ref:\s*refs/|[0-9a-f]{40}")
_OTHERWISE = frozenset({"hooks", "lfs", "annex", "modules", "worktrees", "rr-cache", "svn", "description"})
"""Names in a git folder that no answer depends on, or that are examined when git is led there."""
_RULES = frozenset({"exclude", "attributes", "sparse-checkout"})
"""Files in `info` that only say which files are ignored: many people keep them elsewhere."""
_WORK_TREE = re.compile(r"worktree[ \t]*=", re.IGNORECASE)
_WORK_TREE_LINE = re.compile(r'worktree[ \t]*=[ \t]*(?:"([^"\\]*)"|([^"\\#;\s][^"\\#;]*))', re.IGNORECASE)
_REFS_ELSEWHERE = re.compile(
    r"refstorage[ \t]*=(?![ \t]*\"?(?:files|reftable)\"?[ \t\r]*$)", re.IGNORECASE | re.MULTILINE
)

_examined: dict[tuple[str, ...], tuple[Stamp, ...]] = {}


class GitUnready(Exception):
    """Why git is not asked here: it would wait for a file, read without end, or read what belongs elsewhere. Names no
    folder of this machine."""


_ENDINGS = {
    "objects/info/alternates": "; or make it whole: `git repack -ad && rm .git/objects/info/alternates`",
}
"""What else helps."""


class LeadsOut(GitUnready):
    """The repository leads out of its folder."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"without history: {what} leads outside the folder, and what is there may not be its own (if this clone is "
            f"your own, name its folder in {OWN_CLONES}{_ENDINGS.get(what, '')})"
        )


class Place(NamedTuple):
    level: str
    """The folder whose `.git` it is; a bare repository itself."""
    folder: str
    """With HEAD and index."""
    shared: str
    """With objects, refs and settings: the same but for a linked work tree."""


def places_of(root: str) -> Iterator[Place]:
    """The repositories at `root`, a real path, and in the folders above it. Git takes the first that is valid, which is
    the first of these."""
    level = root
    while True:
        if place := _place_at(level):
            yield place
        above = os.path.dirname(level)
        if above == level:
            return
        level = above


def _place_at(level: str) -> Place | None:
    pointer = os.path.join(level, ".git")
    status = status_of(pointer)
    if status is not None and not stat.S_ISDIR(status.st_mode):
        link = text_of(pointer, ".git").rstrip("\r\n")
        if not link.startswith("gitdir: "):  # git gives up here, too
            return Place(level, pointer, pointer)
        folder = os.path.join(level, _plain(link[len("gitdir: ") :], ".git"))
    elif status is not None and _is_repository(pointer):
        folder = pointer
    elif _is_repository(level):
        folder = level
    else:
        return None
    shared = text_of(os.path.join(folder, "commondir"), "commondir").rstrip("\r\n")
    return Place(level, folder, os.path.join(folder, _plain(shared, "commondir")) if shared else folder)


def _plain(path: str, shown: str) -> str:
    if "\0" in path:
        raise GitUnready(f"{shown} holds a NUL character")
    return path


def _is_repository(folder: str) -> bool:
    """As git decides it, or more; where git knows better, it finds nothing, and the files are walked."""
    head = os.path.join(folder, "HEAD")
    try:
        status = os.lstat(head)
    except (OSError, ValueError):
        return False
    has_objects = all(os.path.isdir(os.path.join(folder, name)) for name in ("objects", "refs"))
    if not has_objects and not os.path.lexists(os.path.join(folder, "commondir")):
        return False
    return not stat.S_ISREG(status.st_mode) or _HEAD.match(text_of(head, "HEAD")) is not None


def refuse_what_leads_out(place: Place) -> None:
    """LeadsOut, or GitUnready for what cannot be examined."""
    level = os.path.realpath(place.level)
    if is_of_own_clones(level):
        return
    folder, shared = os.path.realpath(place.folder), os.path.realpath(place.shared)
    settings = text_of(os.path.join(shared, "config"), "config", LARGEST_SETTINGS)
    if _REFS_ELSEWHERE.search(settings):
        raise LeadsOut("extensions.refStorage")
    is_linked = shared != folder
    work_tree = "" if is_linked else _work_tree(settings)
    if "worktreeconfig" in settings.lower():
        of_one = text_of(os.path.join(folder, "config.worktree"), "config.worktree", LARGEST_SETTINGS)
        work_tree = _work_tree(of_one) or work_tree
    names_level = bool(work_tree) and _is_same(os.path.join(folder, work_tree), level)
    roots = [level]
    if not is_below(folder, level):
        if not names_level and not _leads_back(folder, level):
            raise LeadsOut(".git")
        roots.append(folder)
    if work_tree and not names_level:
        raise LeadsOut("core.worktree")
    if is_linked and not any(is_below(shared, root) for root in roots):
        around, kind = os.path.split(os.path.dirname(folder))
        if around != shared or kind != "worktrees" or folder not in roots:
            raise LeadsOut("commondir")
        roots.append(shared)
    _examine(folder, shared, tuple(roots))


def is_below(path: str, root: str) -> bool:
    """Whether a real path is the root or below it."""
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)


def is_of_own_clones(level: str) -> bool:
    named = os.environ.get(OWN_CLONES, "")
    return any(is_below(level, os.path.realpath(each)) for each in named.split(os.pathsep) if os.path.isabs(each))


def _leads_back(folder: str, level: str) -> bool:
    """Whether the git folder of a work tree names that work tree. Compared by folders: `.git` itself may be a link to
    the right one."""
    back = text_of(os.path.join(folder, "gitdir"), "gitdir").rstrip("\r\n")
    around, name = os.path.split(os.path.join(folder, back))
    return bool(back) and name == ".git" and _is_same(around, level)


def _is_same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _work_tree(settings: str) -> str:
    """The value of core.worktree; LeadsOut unless it is written as git writes it."""
    number = len(_WORK_TREE.findall(settings))
    if not number:
        return ""
    found, section = "", ""
    for line in settings.split("\n"):  # once, and each line without trying a second way
        text = line.strip(" \t\r")
        if text[:1] == "[" and text[-1:] == "]":
            section = text[1:-1].strip().lower()
        elif written := _WORK_TREE_LINE.fullmatch(text):
            number -= 1
            if section == "core":  # the last one counts
                found = written[1] or written[2] or ""
    if number:
        raise LeadsOut("core.worktree")
    return found


# Links and alternates


def _examine(folder: str, shared: str, roots: tuple[str, ...]) -> None:
    """Refuses links that lead out of `roots`, and alternates there. Done again when a folder has changed in which such
    things usually are: in all others only somebody who may write there could change them."""
    watched = [folder, shared, *(os.path.join(shared, name) for name in ("objects", "refs", "info"))]
    watched += [os.path.join(shared, "objects", name) for name in ("info", "pack", os.path.join("info", "alternates"))]
    began = time.time_ns()
    stamps = tuple(stamp_of(status) for status in map(status_of, watched) if status is not None)
    key = (folder, shared, *roots)
    if _examined.get(key) == stamps:
        return
    _refuse_links(folder, shared, roots)
    if not any(is_young(stamp, began) for stamp in stamps):
        if len(_examined) >= 1000:
            _examined.clear()
        _examined[key] = stamps


def _refuse_links(folder: str, shared: str, roots: tuple[str, ...]) -> None:
    pending: list[str] = []
    for top in dict.fromkeys((folder, shared)):
        _find_links(top, roots, pending, _OTHERWISE, is_deep=False)
        _find_links(os.path.join(top, "info"), roots, pending, _RULES, is_deep=False)
        pending += [os.path.join(top, name) for name in ("refs", "reftable")]
    pending += _stores_of_objects(os.path.join(shared, "objects"), roots)
    known: set[str] = set()
    number = 0
    while pending:
        each = pending.pop()
        if each not in known:
            known.add(each)
            number += _find_links(each, roots, pending, frozenset(), is_deep=True)
            if number > MOST_FILES:
                raise GitUnready(f"it has more than {MOST_FILES:,} files in .git: git gc packs them")


def _stores_of_objects(first: str, roots: tuple[str, ...]) -> list[str]:
    """The folder itself, and those that its alternates name, and theirs."""
    found = dict.fromkeys((first,))
    pending = [first]
    for each in pending:
        text = text_of(os.path.join(each, "info", "alternates"), "objects/info/alternates", LARGEST_SETTINGS)
        for line in text.split("\n"):
            if not line or line.startswith("#"):
                continue
            is_plain = "\0" not in line and not line.startswith('"')
            target = os.path.realpath(os.path.join(os.path.realpath(each), line)) if is_plain else ""
            if not any(is_below(target, root) for root in roots):
                raise LeadsOut("objects/info/alternates")
            if target not in found:
                found[target] = None
                pending.append(target)
                if len(found) > MOST_STORES:
                    raise GitUnready(f"objects/info/alternates names more than {MOST_STORES:,} folders of objects")
    return pending


def _find_links(folder: str, roots: tuple[str, ...], pending: list[str], passed: frozenset[str], is_deep: bool) -> int:
    """How many entries the folder has. What it leads to inside is added to `pending`, and its folders if `is_deep`."""
    number = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                number += 1
                if entry.is_symlink():
                    if entry.name in passed:
                        continue
                    target = os.path.realpath(entry.path)
                    if not any(is_below(target, root) for root in roots):
                        raise LeadsOut(f"a link in {format_git_folder(folder)}")
                    if os.path.isdir(target):
                        pending.append(target)
                elif is_deep and entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    except (FileNotFoundError, NotADirectoryError):
        return 0
    except OSError as error:
        raise GitUnready(f"{format_git_folder(folder)} cannot be read ({error.strerror})") from error
    return number


def format_git_folder(folder: str) -> str:
    """A folder in a git folder, for messages, without the folders around it."""
    parts = folder.split(os.sep)
    for number in range(len(parts) - 1, 0, -1):
        if parts[number] == ".git":
            return "/".join(parts[number:])
    return "/".join(parts[-2:]) if parts[-2:-1] == ["objects"] else parts[-1]


# Files


def status_of(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def text_of(path: str, shown: str, limit: int = LARGEST_POINTER) -> str:
    """The text of a short file; empty if there is none. GitUnready for a pipe or a device, and for a long file."""
    status = status_of(path)
    if status is None or stat.S_ISDIR(status.st_mode):
        return ""
    if not stat.S_ISREG(status.st_mode):
        raise GitUnready(f"{shown} is not a regular file")
    try:
        return os.fsdecode(filesystem.read_file(path, limit))
    except OSError as error:
        raise GitUnready(f"{shown} cannot be read ({error.strerror})") from error
