"""The folder of a repository, from a path or a URL.

In: what the user named. Out: a folder. Repositories named by URL are cloned into the data folder, and updated there by
the next encode. One process at a time does that to a clone, and the clone is kept as long as a graph of it.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rpg.errors import BadRequest, EncodeFailed, InvalidPath
from rpg.repository import clone_graphs
from rpg.repository.encoding import lock
from rpg.repository.locations import clone_folder, clones_folder
from rpg.text.printable import PIECE, quote_text

if TYPE_CHECKING:
    from rpg.encoder.source_files.remotes import Remote

CLONE = re.compile(r"[0-9a-f]{12}(-[0-9a-f]{8})?")
"""The name of a clone's folder: a hash of URL and revision, with a random part while it is being made."""
PATIENCE = 900.0
"""Seconds to wait for another process that fetches the same repository."""
STAGE = "fetch"
"""The name of the stage in reports of progress."""
LISTEN_SECONDS = 0.2
"""Seconds between checks whether a waiting caller has gone away."""

Report = Callable[[str, int, int], None]


class Source(NamedTuple):
    """What the user named."""

    folder: Path
    """The work tree; for a URL, where it is or will be."""
    remote: Remote | None = None

    @property
    def shown(self) -> str:
        """Without credentials."""
        return str(self.folder) if self.remote is None else self.remote.shown


class Obtained(NamedTuple):
    folder: Path
    commit: str = ""
    """The fetched commit."""


def find_source(repository: str, branch: str = "") -> Source:
    """Fetches and writes nothing. `branch` may be a tag or a commit. InvalidPath for a path that is not a folder,
    Forbidden and BadRequest for a URL that rpg does not fetch from, BadRequest for a branch with a path."""
    from rpg.encoder.source_files import remotes

    remote = remotes.remote_named(repository, branch)
    if remote is None:
        return Source(_folder(repository, branch))
    return Source(clone_folder(remotes.normalise_url(remote.url) or remote.url, remote.revision), remote)


def obtain(source: Source, report: Report | None = None) -> Obtained:
    """The work tree: the named folder, or for a URL the newest commit, cloned or fetched into the earlier clone.

    A clone is made aside, so that a failure, or what `report` raises, leaves the earlier one or none. EncodeFailed says
    why it failed.
    """
    from rpg.encoder.source_files import cloning, git

    if source.remote is None:
        return Obtained(source.folder)
    folder, remote = source.folder, source.remote

    def percent(done: int) -> None:
        if report is not None:
            report(STAGE, done, 100)

    percent(0)
    try:
        with _hold(folder.parent, percent):
            _sweep(folder.parent)
            try:
                return Obtained(folder, cloning.update(remote, folder, percent))
            except cloning.NotFetched:
                raise
            except git.GitFailed:
                return Obtained(folder, _cloned_again(remote, folder, percent))
    except lock.Locked as error:
        raise EncodeFailed(f"another rpg is fetching {remote.shown}: ask again when it is done") from error
    except EncodeFailed as error:
        if not folder.exists():
            raise
        raise EncodeFailed(f"{error.message}. An earlier clone is at {folder}: encode that folder") from error
    except OSError as error:
        raise EncodeFailed(
            f"no clone can be made in {clones_folder()} ({error.strerror}): make it writable, or name another data "
            "folder with RPG_DATA"
        ) from error


def _cloned_again(remote: Remote, folder: Path, percent: Callable[[int], None]) -> str:
    from rpg.encoder.source_files import cloning

    new = folder.parent.with_name(f"{folder.parent.name}-{os.urandom(4).hex()}")
    try:
        commit = cloning.clone(remote, new / folder.name, percent)
        remove(folder.parent)
        new.rename(folder.parent)
    finally:
        with suppress(EncodeFailed):
            remove(new)
    return commit


@contextmanager
def _hold(clone: Path, percent: Callable[[int], None]) -> Iterator[None]:
    """Until the end, no other process changes the clone."""
    clone.parent.mkdir(parents=True, exist_ok=True)
    ends = time.monotonic() + PATIENCE
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(lock.hold(_lock_of(clone), LISTEN_SECONDS))
                break
            except lock.Locked:
                if time.monotonic() >= ends:
                    raise
            percent(0)
        yield


def _lock_of(clone: Path) -> Path:
    return clone.with_name(f"{clone.name}-lock")


def _sweep(clone: Path) -> None:
    """Removes what killed processes left of this clone; with the lock held."""
    for left in clone.parent.glob(f"{clone.name}-*"):
        if CLONE.fullmatch(left.name):
            with suppress(EncodeFailed):
                remove(left)


def discard(clone: Path) -> bool:
    """Removes what `obtain` made for one URL, unless it is being fetched, or an existing graph was made from it."""
    try:
        with lock.hold(_lock_of(clone), LISTEN_SECONDS):
            if clone_graphs.any_left(clone):
                return False
            remove(clone)
            clone_graphs.remove_note(clone)
            return True
    except lock.Locked as error:
        raise EncodeFailed("its clone is being fetched: the clone stays, ask again when that is done") from error


def remove(clone: Path) -> None:
    """Removes only a folder of ours directly in the folder of clones; with the lock held."""
    if clone.parent.resolve() != clones_folder().resolve() or CLONE.fullmatch(clone.name) is None:
        raise EncodeFailed(f"{clone} is not a clone that rpg made: nothing was removed")
    try:
        shutil.rmtree(clone)  # does not follow links, and is not one itself
    except FileNotFoundError:
        return
    except OSError as error:
        raise EncodeFailed(f"the clone {clone} cannot be removed ({error.strerror}): remove it yourself") from error


def _folder(repository: str, branch: str) -> Path:
    try:
        folder = Path(repository).expanduser()
        problem = "" if folder.is_dir() else "is not a folder" if folder.exists() else "does not exist"
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, an unknown home folder
        problem = "is not a valid path"
    if problem:
        # The path may be a mistyped URL with a password.
        shown = re.sub(r"[^@]*:.*@|\?[^=]*=.*", "", repository, flags=re.DOTALL)
        shown = shown if len(shown) <= PIECE and shown.isprintable() else quote_text(shown)
        raise InvalidPath(f"{shown} {problem}: give the folder of a repository or the URL of one")
    if branch:
        raise BadRequest("branch is for URLs: to encode a branch of a folder, check it out first")
    return folder.absolute()
