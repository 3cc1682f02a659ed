"""The folder of a repository, from a path or a URL.

In: what the user named. Out: a folder. Repositories named by URL are cloned into the data folder.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

from rpg.errors import BadRequest, EncodeFailed, InvalidPath
from rpg.printable import PIECE, quoted
from rpg.repository.locations import clone_folder, clones_folder

CLONE = re.compile(r"[0-9a-f]{12}(-[0-9a-f]{8})?")
"""The name of a clone's folder: a hash of URL and branch, with a random part while it is being made."""


def obtain(repository: str, branch: str = "") -> Path:
    """A folder with the work tree: the one named, or the newest commit of a URL (and branch), cloned.

    A clone is made aside and then replaces the earlier one, so that a failure leaves the earlier one. InvalidPath for a
    path that is not a folder; BadRequest for a branch with a path; EncodeFailed says why a clone failed.
    """
    from rpg.encoder.source_files import remotes

    url = remotes.source_url(repository)
    if not url:
        return _folder(repository, branch)
    folder = clone_folder(remotes.normalised_url(url) or url, branch)
    new = folder.parent.with_name(f"{folder.parent.name}-{os.urandom(4).hex()}")
    try:
        remotes.clone(url, new / folder.name, branch)
        remove(folder.parent)
        new.rename(folder.parent)
    except EncodeFailed as error:
        if not folder.exists():
            raise
        raise EncodeFailed(f"{error.message}. An earlier clone is at {folder}: encode that folder") from error
    except OSError as error:
        raise EncodeFailed(
            f"no clone can be made in {clones_folder()} ({error.strerror}): make it writable, or name another data "
            "folder with RPG_DATA"
        ) from error
    finally:
        with suppress(EncodeFailed):
            remove(new)
    return folder


def shown(repository: str) -> str:
    return repository if len(repository) <= PIECE and repository.isprintable() else quoted(repository)


def remove(clone: Path) -> None:
    """Removes what `obtain` made of one URL: only ever a folder of ours directly in the folder of clones."""
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
        what = "" if folder.is_dir() else "is not a folder" if folder.exists() else "does not exist"
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, an unknown home folder
        what = "is not a valid path"
    if what:
        raise InvalidPath(f"{shown(repository)} {what}: give the folder of a repository or the URL of one")
    if branch:
        raise BadRequest("branch is for URLs: to encode a branch of a folder, check it out first")
    return folder.absolute()
