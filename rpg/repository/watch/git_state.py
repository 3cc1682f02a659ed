"""Git's own files that show the state of a repository, and which of its files git lists.

In: the folder of a repository. Out: stamps that differ if commit, remote or ignore rules may differ. Nothing is raised
for a file that does not exist.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rpg.repository.watch.file_stamps import mark_of, place_of

OF_WORK_TREE = ("HEAD", "index", "logs/HEAD")
OF_REPOSITORY = ("packed-refs", "info/exclude", "config", "reftable/tables.list")
"""Shared by all work trees of a repository."""
SMALL = 4096


class GitFiles:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._top = os.path.join(root, ".git")
        self._nested: set[str] = set()
        self._is_followed = False
        self._marks: list[Any] = []
        self._find()

    @property
    def is_there(self) -> bool:
        return bool(self._folder)

    def follow(self) -> None:
        """From now on also follows the ignore files that the user's configuration names."""
        self._is_followed = True
        self._find()

    def add_nested(self, path: str) -> None:
        """A `.git` below the root, which is made in several steps before it takes effect."""
        self._nested.add(os.path.join(self._root, path, "HEAD"))
        self._find()

    def marks(self) -> list[Any]:
        now = self._look()
        if now != self._marks:
            self._find()  # another branch, or another repository
            now = self._marks = self._look()
        return now

    def _look(self) -> list[Any]:
        return [place_of(self._top), *map(mark_of, self._paths)]

    def _find(self) -> None:
        self._folder = git = _folder(self._root)
        self._paths = sorted(self._nested)
        if not git:
            return
        common = os.path.join(git, _text(os.path.join(git, "commondir")) or ".")
        self._paths += [os.path.join(git, name) for name in OF_WORK_TREE]
        self._paths += [os.path.join(common, name) for name in OF_REPOSITORY]
        branch = _text(os.path.join(git, "HEAD")).removeprefix("ref:").strip()
        if branch and not os.path.exists(os.path.join(git, "logs", "HEAD")):
            self._paths.append(os.path.join(common, branch))
        self._paths += _rules_above(self._root)
        self._paths += _of_user()
        if self._is_followed and (excludes := _excludes(self._root)):
            self._paths.append(excludes)


def _folder(root: Path) -> str:
    """Where git keeps HEAD and index of the work tree around `root`; empty outside git."""
    for folder in (root, *root.parents):
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return git
        if pointer := _text(git):
            return os.path.join(folder, pointer.removeprefix("gitdir:").strip())
    return ""


def _rules_above(root: Path) -> list[str]:
    """Ignore rules of the folders between `root`, a part of a work tree, and its top."""
    found: list[str] = []
    folder = root
    while not (folder / ".git").exists() and folder != folder.parent:
        folder = folder.parent
        found.append(os.path.join(folder, ".gitignore"))
    return found


def _of_user() -> list[str]:
    home = os.path.expanduser("~")
    shared = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    configured = os.environ.get("GIT_CONFIG_GLOBAL")
    configurations = [configured] if configured else [os.path.join(home, ".gitconfig"), os.path.join(shared, "config")]
    return [*configurations, os.path.join(shared, "ignore")]


def _excludes(root: Path) -> str:
    from rpg.encoder.source_files import git

    try:
        found = git.answer(root, "config", "-z", "--type=path", "--get", "core.excludesFile")
    except git.GitFailed:
        return ""
    return os.path.join(root, os.fsdecode(found.rstrip(b"\0"))) if found else ""


def _text(path: str) -> str:
    from rpg.system.filesystem import read_file

    try:
        return read_file(path, SMALL).decode(errors="replace").strip()
    except (OSError, ValueError):
        return ""
