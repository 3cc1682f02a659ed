"""Files that git was told not to look at (`update-index --assume-unchanged`, `--skip-worktree`, sparse checkouts):
`git status` never mentions them, whatever they contain.

In: a work tree, the entries of its index. Out: whether such a file differs from git's version. Absent: all other files.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from rpg.encoder.source_files import git
from rpg.system.filesystem import read_below

ASKED = 64
"""How many files with different bytes are passed to git, because they may differ only in line ends."""


def is_another(root: Path, hidden: Iterable[git.Tracked]) -> bool:
    """Whether one of them differs. If that cannot be determined, it counts as different."""
    asked = 0
    for file in hidden:
        try:
            status = os.lstat(os.path.join(root, file.path))
        except OSError:
            if file.hidden == git.NOT_WANTED:
                continue  # not on disk, and not in a graph
            return True
        if file.mode == git.SUBMODULE:
            continue
        if stat.S_ISLNK(status.st_mode) != (file.mode == git.LINK):
            return True
        try:
            if file.mode == git.LINK:
                data = os.fsencode(os.readlink(os.path.join(root, file.path)))
            else:
                data = read_below(root, file.path, status.st_size)
        except OSError:
            return True
        if _object_id(data, len(file.object_id)) == file.object_id:
            continue
        asked += 1
        if file.mode == git.LINK or asked > ASKED or git.object_id(root, file.path, data) != file.object_id:
            return True
    return False


def _object_id(data: bytes, length: int) -> str:
    digest = hashlib.sha1(usedforsecurity=False) if length == 40 else hashlib.sha256()
    digest.update(b"blob %d\0" % len(data) + data)
    return digest.hexdigest()
