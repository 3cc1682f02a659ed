"""The folder of a repository that a user named by path or by URL; what a URL names is cloned into the data folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from rpg.errors import BadRequest, EncodeFailed, InvalidPath
from rpg.repository.folders import clone_folder


def obtain(repository: str, branch: str = "") -> Path:
    """A folder with the work tree: the one named, or the newest commit of a URL (and branch), cloned.

    A clone is made anew and then put in the place of the one before, so that a failure leaves that one. InvalidPath
    for a path that is no folder; BadRequest for a branch of a path; EncodeFailed says why a clone failed.
    """
    from rpg.encoder import remotes

    url = remotes.source_url(repository)
    if not url:
        return _folder(repository, branch)
    folder = clone_folder(remotes.normalised_url(url) or url, branch)
    new = folder.parent.with_name(f"{folder.parent.name}-{os.urandom(4).hex()}")
    try:
        remotes.clone(url, new / folder.name, branch)
        if folder.parent.exists():
            shutil.rmtree(folder.parent)
        new.rename(folder.parent)
    except EncodeFailed as error:
        if not folder.exists():
            raise
        raise EncodeFailed(f"{error.message}. An earlier clone is at {folder}: encode that folder") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder


def _folder(repository: str, branch: str) -> Path:
    folder = Path(repository).expanduser()
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "is not there"
        raise InvalidPath(f"{repository} {what}: give the folder of a repository or the URL of one")
    if branch:
        raise BadRequest("branch goes with a URL: in a folder, check the branch out and encode it")
    return folder.absolute()
