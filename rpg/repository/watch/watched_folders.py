"""Which folders of a work tree can come to contain files that count, so that following them misses nothing.

In: a folder, the options, and the folders of known files. Out: those, and all others that neither rules nor git
exclude, including empty ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.repository.watch.file_stamps import mark_of
from rpg.system.stamp import Stamp, is_young

if TYPE_CHECKING:
    from rpg.encoder.options import Options


def folders_of(paths: Iterable[str]) -> set[str]:
    """Every folder on the way to the files; the root itself is the empty string."""
    folders = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def stamps_of(top: str, folders: Iterable[str], listed_ns: int) -> dict[str, Stamp | None]:
    """A folder that changed while its names were listed has no stamp that proves anything."""
    stamps = {folder: mark_of(top + folder) for folder in folders}
    return {folder: None if stamp is None or is_young(stamp, listed_ns) else stamp for folder, stamp in stamps.items()}


def folders_below(root: Path, options: Options, known: Iterable[str], *, by_git: bool) -> set[str]:
    """The `known` folders and all below them in which a new file would be listed. Links are not followed."""
    from rpg.encoder.source_files.selection import Rules, find_marker_reason

    rules = Rules(options)
    found = set(known)
    pending = list(found)
    is_known = True
    while pending:
        below: list[str] = []
        for folder in pending:
            try:
                with os.scandir(os.path.join(root, folder)) as entries:
                    names = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
            except OSError:
                continue
            if not is_known and (".git" in names or find_marker_reason(names)):
                continue  # another repository, an environment, a cache
            found.add(folder)
            inside = (f"{folder}/{name}" if folder else name for name, is_folder in names.items() if is_folder)
            below += (path for path in inside if path not in found and not rules.tree_reason(path + "/"))
        is_known = False
        ignored = find_ignored(root, [path + "/" for path in below]) if by_git else set()
        pending = [path for path in below if path + "/" not in ignored]
    return found


def find_ignored(root: Path, paths: list[str]) -> set[str]:
    """The paths that git ignores; folders end in a slash. Tracked files in an ignored folder are not among them."""
    from rpg.encoder.source_files import git

    if not paths:
        return set()
    try:
        found = git.run(
            root, "check-ignore", "-z", "--stdin", stdin=b"".join(os.fsencode(path) + b"\0" for path in paths)
        )
    except git.GitFailed:
        return set()  # none, or git does not say: a missing path does no harm
    return set(git.parts(found))
