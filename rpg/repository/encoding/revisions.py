"""Graphs of git revisions, read from git's objects.

In: a folder, options, revisions. Out: graphs. They reuse what an index of the same folder knows of a file with the same
bytes, and what one revision computed for the next: two close revisions cost little more than one. Two need little more
memory than one, too: a graph is kept in blocks while the next is made.

Invariant: nothing is written but the user's cache of facts, and the work tree is read only on request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from rpg.errors import BadRequest
from rpg.graph import Edge, Graph, Symbol
from rpg.repository.encoding.encode import Progress, open_cache
from rpg.stores.cache import blocks
from rpg.system.compression import compress, decompress

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
    """The graph of each commit id, or of the work tree, without places. `index`: one of the same folder, if there is
    one.

    EncodeFailed if there is no source file.
    """
    from rpg.encoder.encode import encode

    packed: list[_Packed] = []
    known: dict[tuple[str, str], EncodedFile] = {}

    def cache(path: str, hash: str) -> EncodedFile | None:
        return known.get((path, hash)) or (of_index(path, hash) if of_index else None)

    for number, commit in enumerate(commits, 1):
        with ExitStack() as stack:
            of_index = stack.enter_context(open_cache(index, options.mask_secrets))
            # Opened for each: what one adds is there for the next when it is closed.
            shared = stack.enter_context(blocks.open_cache()) if options.mask_secrets else None
            encoded = encode(
                root, options, workers=workers, progress=progress, cache=cache, revision=commit, shared=shared,
                keeper=_Sources() if shared is not None else None, saves=False,
            )  # fmt: skip
        if number == len(commits):
            last = encoded.graph._replace(places=[])
            del encoded
            return [*map(_unpack, packed), last]
        packed.append(_pack(encoded.graph))
        known = {(file.path, file.hash): file for file in encoded.files} if shared is None else {}
        del encoded
    return []


class _Sources:
    """Keeps of each file its text alone, for resolution: its facts are in the user's cache."""

    def __init__(self) -> None:
        self.of_path: dict[str, bytes] = {}

    def add(self, file: EncodedFile) -> None:
        self.of_path[file.path] = file.source

    def source(self, path: str) -> bytes:
        return decompress(self.of_path[path])


_BLOCK = 20_000
"""Symbols or edges in a block, which is some megabytes before it is compressed."""


class _Packed(NamedTuple):
    header: dict[str, Any]
    symbols: list[bytes]
    edges: list[bytes]


def _pack(graph: Graph) -> _Packed:
    return _Packed(graph.header, _blocks_of(graph.symbols), _blocks_of(graph.edges))


def _blocks_of(rows: Sequence[tuple[Any, ...]]) -> list[bytes]:
    return [
        compress(orjson.dumps([tuple(row) for row in rows[start : start + _BLOCK]]))
        for start in range(0, len(rows), _BLOCK)
    ]


def _unpack(packed: _Packed) -> Graph:
    from rpg.encoder import garbage_collection

    known: dict[str, str] = {}
    """Each string once: an id is in many edges."""
    with garbage_collection.pause_collection():
        symbols = [Symbol(*_frozen(row, known)) for row in _rows_of(packed.symbols)]
        edges = [Edge(*_frozen(row, known)) for row in _rows_of(packed.edges)]
        return Graph(packed.header, symbols, edges, [])


def _rows_of(packed: list[bytes]) -> Iterable[list[Any]]:
    for block in packed:
        yield from orjson.loads(decompress(block))


def _frozen(row: list[Any], known: dict[str, str]) -> tuple[Any, ...]:
    """With tuples in place of lists, which JSON knows alone."""
    return tuple(
        known.setdefault(each, each) if type(each) is str else _frozen(each, known) if type(each) is list else each
        for each in row
    )


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
