"""Checks the files that git opens on start-up before git is started, because it would wait for a pipe for ever.

In: a folder. Out: how long git may take there, or GitUnready with the obstacle. Links are followed as git follows them.
Reads nothing but names, sizes and a few short files; whatever is not listed here is left to the time limit.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rpg import filesystem

SECONDS = 5.0
SECONDS_A_MEGABYTE = 2.0
LONGEST_SECONDS = 60.0
POINTER_BYTES = 4096

_OF_WORK_TREE = ("HEAD", "index", "config.worktree", "commondir", "gitdir", "info/sparse-checkout", "MERGE_HEAD")
_SHARED = (
    "config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts", "objects/info/alternates",
    "objects/info/commit-graph",
)  # fmt: skip
_BESIDE = (".gitignore", ".gitattributes", ".gitmodules")


class GitUnready(Exception):
    """A file that git would wait for, or read without end."""


def patience(root: Path) -> float:
    """Seconds that git may take for a query about the work tree around `root`: more if its index is large."""
    place = os.path.abspath(root)
    while True:
        _check(place, _BESIDE)
        pointer = os.path.join(place, ".git")
        status = _status(pointer)
        if status is not None:
            break
        above = os.path.dirname(place)
        if above == place:
            _check(os.path.abspath(root), (*_OF_WORK_TREE, *_SHARED))  # bare
            return SECONDS
        place = above
    folder = pointer
    if not stat.S_ISDIR(status.st_mode):
        link = _text(pointer)
        folder = os.path.join(place, link.removeprefix("gitdir:").strip())
    _check(folder, _OF_WORK_TREE)
    shared = _text(os.path.join(folder, "commondir")).strip()
    shared = os.path.join(folder, shared) if shared else folder
    _check(shared, _SHARED)
    head = _text(os.path.join(folder, "HEAD"))
    if head.startswith("ref:") and not filesystem.problem_with_name(head[4:].strip()):
        _check(shared, (head[4:].strip(),))
        _check(folder, (head[4:].strip(),))
    index = _status(os.path.join(folder, "index"))
    size = index.st_size if index is not None else 0
    return min(LONGEST_SECONDS, SECONDS + SECONDS_A_MEGABYTE * size / 1e6)


def _check(folder: str, names: tuple[str, ...]) -> None:
    for name in names:
        status = _status(os.path.join(folder, name))
        if status is not None and not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise GitUnready(f"{os.path.join(folder, name)} is not a regular file")


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _text(path: str) -> str:
    """The text of a short file; empty if there is none. GitUnready for a pipe or a device, and for a long file."""
    status = _status(path)
    if status is None or stat.S_ISDIR(status.st_mode):
        return ""
    if not stat.S_ISREG(status.st_mode):
        raise GitUnready(f"{path} is not a regular file")
    try:
        return os.fsdecode(filesystem.read_file(path, POINTER_BYTES))
    except OSError as error:
        raise GitUnready(f"{path} cannot be read ({error.strerror})") from error
