"""What git would wait for is found before git is started, or while it waits: a pipe among its files, for ever.

In: a folder. Out: how long git may take there, or GitUnready with the obstacle. Links are followed as git follows them.
The files that git opens on start-up are looked at beforehand: names, sizes and a few short files. Whatever else it may
open, such as a .gitignore deep in the tree, is looked for only while it takes long.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.source_files.git_places import (
    GitUnready,
    Place,
    format_git_folder,
    places_of,
    refuse_what_leads_out,
    status_of,
    text_of,
)
from rpg.system import filesystem

SECONDS = 5.0
SECONDS_A_MEGABYTE = 2.0
LONGEST_SECONDS = 60.0

_OF_WORK_TREE = ("HEAD", "index", "config.worktree", "commondir", "gitdir", "info/sparse-checkout", "MERGE_HEAD")
_SHARED = (
    "config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts", "objects/info/alternates",
    "objects/info/commit-graph",
)  # fmt: skip
_BESIDE = (".gitignore", ".gitattributes", ".gitmodules")


class Ready(NamedTuple):
    seconds: float
    """How long git may take for a query about the work tree: longer if its index is large."""
    level: str
    """The folder with the repository; no other is asked. Empty if there is none."""


class Obstacle(NamedTuple):
    path: str
    is_of_git: bool
    """Among git's own files; else only commands that walk the work tree meet it."""


def readiness(root: Path, is_top: bool = False) -> Ready:
    """What git may do in a folder. GitUnready if it would wait, or tell of another repository. `is_top`: the folders
    above do not count."""
    real = os.path.realpath(root)
    found: Place | None = None
    for place in places_of(real):
        if is_top and place.level != real:
            break
        refuse_what_leads_out(place)
        if found is None:
            found = place
        if os.pathsep not in os.path.dirname(place.level):
            break
        # git cannot be told to look in no folder above that one, and may think nothing of this repository
    if found is None:
        _check(real, _BESIDE)
        return Ready(SECONDS, "")
    _check_beside(real, found.level)
    _check(found.folder, _OF_WORK_TREE)
    _check(found.shared, _SHARED)
    head = text_of(os.path.join(found.folder, "HEAD"), ".git/HEAD")
    if head.startswith("ref:") and not filesystem.problem_with_name(head[4:].strip()):
        _check(found.shared, (head[4:].strip(),))
        _check(found.folder, (head[4:].strip(),))
    index = status_of(os.path.join(found.folder, "index"))
    size = index.st_size if index is not None else 0
    return Ready(min(LONGEST_SECONDS, SECONDS + SECONDS_A_MEGABYTE * size / 1e6), found.level)


def find_obstacle(root: Path, reads_work_tree: bool, is_over: Callable[[], bool]) -> Obstacle | None:
    """A pipe or device that git may be waiting for, among its own files and, for a command that walks the tree, among
    the files of rules there; None if there is none, or as soon as `is_over`."""
    real = os.path.realpath(root)
    place = next(places_of(real), None)
    folders = [] if place is None else list(dict.fromkeys((place.folder, place.shared)))
    while folders and not is_over():
        if found := _pipe_in(folders.pop(), folders, ""):
            return Obstacle(found, True)
    folders = [real] if reads_work_tree else []
    while folders and not is_over():
        if found := _pipe_in(folders.pop(), folders, real):
            return Obstacle(found, False)
    return None


def is_obstacle(path: str) -> bool:
    status = status_of(path)
    return status is not None and (stat.S_ISFIFO(status.st_mode) or stat.S_ISCHR(status.st_mode))


def format_obstacle(obstacle: Obstacle, root: Path) -> str:
    """For messages, without the folders around."""
    if obstacle.is_of_git:
        return format_git_folder(obstacle.path)
    return os.path.relpath(obstacle.path, os.path.realpath(root)).replace(os.sep, "/")


def _pipe_in(folder: str, pending: list[str], top: str) -> str:
    """Below the `top` of a work tree only names that git reads count: files of rules, and all in a nested `.git`."""
    is_of_git = not top or f"{os.sep}.git{os.sep}" in f"{folder[len(top) :]}{os.sep}"
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif (
                    (is_of_git or entry.name.startswith(".git"))
                    and not entry.is_file(follow_symlinks=False)
                    and is_obstacle(entry.path)
                ):
                    return entry.path
    except OSError:
        return ""
    return ""


def _check_beside(real: str, level: str) -> None:
    """The files of rules in a folder and those above it, as far as the top of its work tree."""
    while True:
        _check(real, _BESIDE)
        above = os.path.dirname(real)
        if real == level or above == real:
            return
        real = above


def _check(folder: str, names: tuple[str, ...]) -> None:
    for name in names:
        path = os.path.join(folder, name)
        status = status_of(path)
        if status is not None and not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise GitUnready(f"{format_git_folder(path)} is not a regular file")
