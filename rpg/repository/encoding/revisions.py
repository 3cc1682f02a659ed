"""Graphs of git revisions, read from git's objects.

In: a folder, options, revisions. Out: graphs. They reuse what an index of the same folder knows of a file with the same
bytes, and what one revision computed for the next: two close revisions cost little more than one.

Invariant: nothing is written but the user's cache of facts, and the work tree is read only on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.errors import BadRequest
from rpg.graph import Graph
from rpg.repository.encoding.encode import Progress, open_cache
from rpg.stores.cache import blocks

if TYPE_CHECKING:
    from rpg.encoder.encode import EncodedFile
    from rpg.encoder.options import Options

WORK_TREE = ""
"""Stands for the files as they are, in place of a commit."""


def commit_of(root: Path, revision: str) -> str:
    """The commit id of a branch, tag, id or expression; for `A...B`, the merge base. BAD_REQUEST if git knows none."""
    from rpg.encoder.source_files import git

    try:
        one, dots, other = revision.partition("...")
        if not dots:
            return git.commit_of(root, revision)
        ours, theirs = git.commit_of(root, one or "HEAD"), git.commit_of(root, other or "HEAD")
        parted = git.answer(root, "merge-base", ours, theirs).decode().strip()
    except git.GitFailed as error:
        raise BadRequest(f"{root} has no revisions to read ({error.message}): name two graph files") from error
    if not parted:
        raise BadRequest(f"{one} and {other} have no common commit: name two revisions separated by a space")
    return parted


def graphs_of(
    root: Path,
    commits: Sequence[str],
    options: Options,
    *,
    index: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Graph]:
    """The graph of each commit id, or of the work tree. `index`: one of the same folder, if there is one.

    EncodeFailed if there is no source file.
    """
    from rpg.encoder.encode import encode

    graphs: list[Graph] = []
    known: dict[tuple[str, str], EncodedFile] = {}
    with ExitStack() as stack:
        of_index = stack.enter_context(open_cache(index, options.mask_secrets))
        shared = stack.enter_context(blocks.open_cache()) if options.mask_secrets else None

        def cache(path: str, hash: str) -> EncodedFile | None:
            return known.get((path, hash)) or (of_index(path, hash) if of_index else None)

        for commit in commits:
            encoded = encode(
                root, options, workers=workers, progress=progress, cache=cache, revision=commit, shared=shared
            )
            graphs.append(encoded.graph)
            known = {(file.path, file.hash): file for file in encoded.files}
            del encoded
    return graphs


def top_of(folder: Path) -> Path:
    """The top of the git repository around a folder. BAD_REQUEST if there is none."""
    from rpg.encoder.source_files import git

    try:
        inside = git.prefix(folder)
    except git.GitFailed as error:
        raise BadRequest(
            f"{folder} is not in a git repository, and there is no graph here ({error.message}): name two graph files, "
            "or a repository with --repository DIR"
        ) from error
    return folder.joinpath(*[".."] * inside.count("/")).resolve()
