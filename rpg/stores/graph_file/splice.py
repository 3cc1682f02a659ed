"""Makes a graph file from the previous one: rewrites the lines of what changed and copies all others.

In: the old file, a header, and the nodes and edges of each changed path. Out: the bytes that writing the whole graph
would give. Lines are in the order of their paths, so that bisection finds those of one path.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson

from rpg import filesystem
from rpg.graph import Edge, Symbol
from rpg.stores.graph_file import graph_file
from rpg.stores.graph_file.reader import CLOSING, CLOSING_BYTES, EDGES, NODES, OPENING, cut_off, damaged, new_sum

RUN_BYTES = 4 << 20
NODE = b'{"id":'
T = TypeVar("T")


class Lines(NamedTuple):
    """The lines of one path in the new file; empty if it was deleted."""

    path: str
    symbols: list[Symbol]
    edges: list[Edge]


class Unwanted(Exception):
    """The file being written is no longer wanted."""


def stage(
    path: Path, header: dict[str, Any], changed: Iterable[Lines], is_wanted: Callable[[], bool] = lambda: True
) -> graph_file.Staged:
    """Like `graph_file.stage`, from the existing file at `path`. `changed` are in the order of their paths. Raises
    Unwanted as soon as `is_wanted` says so.

    The file must be one that `graph_file` wrote of a graph whose symbols are sorted by path. Raises GraphNotLoaded if
    it is damaged.
    """
    with filesystem.opened(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        closing = _checked(path, data)
        return graph_file.stage_chunks(path, _while(is_wanted, _chunks(data, closing, header, list(changed))))


def _checked(path: Path, data: mmap.mmap) -> int:
    """Where the closing begins. Damage must not be copied: the new file's checksum would cover it up."""
    closing = CLOSING.search(data, max(0, len(data) - CLOSING_BYTES))
    if closing is None:
        raise cut_off(path)
    digest = new_sum()
    for start in range(0, closing.start(), RUN_BYTES):
        digest.update(data[start : min(start + RUN_BYTES, closing.start())])
    if closing[1] not in (None, digest.hexdigest().encode()):
        raise damaged(path)
    return closing.start()


def _while(is_wanted: Callable[[], bool], chunks: Iterator[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        if not is_wanted():
            raise Unwanted
        yield chunk


def _chunks(data: mmap.mmap, closing: int, header: dict[str, Any], changed: list[Lines]) -> Iterator[bytes]:
    yield graph_file.opening(header)
    nodes = data.find(b"\n" + NODES[2:], len(OPENING)) + len(NODES) - 1
    # Found by bisection, as the first line that is not a node: the file is large.
    end = _first(data, nodes, len(data), _line, lambda line: not line.startswith(NODE)) - 1
    yield from _joined(_spliced(data, nodes, end, changed, _node_path, _node_lines))
    yield EDGES
    start = end + len(EDGES)
    yield from _joined(_spliced(data, start, closing, changed, _edge_path, _edge_lines))


def _spliced(
    data: mmap.mmap,
    start: int,
    end: int,
    changed: list[Lines],
    path_of: Callable[[bytes], str],
    lines_of: Callable[[Lines], Iterator[bytes]],
) -> Iterator[bytes]:
    """Runs of lines from `start` to `end`, without the commas between them."""
    at = start
    for lines in changed:
        first = _first(data, at, end, path_of, lambda path, wanted=lines.path: path >= wanted)  # type: ignore[misc]
        yield from _runs(data, at, first, end)
        yield b",\n".join(lines_of(lines))
        at = _first(data, first, end, path_of, lambda path, wanted=lines.path: path > wanted)  # type: ignore[misc]
    yield from _runs(data, at, end, end)


def _runs(data: mmap.mmap, start: int, stop: int, end: int) -> Iterator[bytes]:
    """Whole lines, a few megabytes at a time; `stop` is where the next one, or the end, begins."""
    while start < stop:
        after = data.find(b"\n", min(start + RUN_BYTES, stop) - 1, stop) + 1 or stop
        yield data[start : after - 2 if after < end else end]
        start = after


def _first(data: mmap.mmap, start: int, end: int, path_of: Callable[[bytes], T], fits: Callable[[T], bool]) -> int:
    """Where the first line begins whose path fits; all after it fit too. `end` if there is none."""
    low, high = start, end
    while low < high:
        middle = data.rfind(b"\n", low, (low + high) // 2) + 1 or low
        after = data.find(b"\n", middle, end) + 1 or end
        if fits(path_of(data[middle:after].rstrip(b",\n"))):
            high = middle
        else:
            low = after
    return low


def _joined(runs: Iterable[bytes]) -> Iterator[bytes]:
    separator = b""
    for run in runs:
        if run:
            yield separator
            yield run
            separator = b",\n"


def _line(line: bytes) -> bytes:
    return line


def _node_path(line: bytes) -> str:
    return str(orjson.loads(line)["path"])


def _edge_path(line: bytes) -> str:
    source = str(orjson.loads(line)["source"])
    path, mark, _ = source.rpartition("::")
    return path if mark else source


def _node_lines(lines: Lines) -> Iterator[bytes]:
    return graph_file.symbol_lines(lines.symbols)


def _edge_lines(lines: Lines) -> Iterator[bytes]:
    return graph_file.edge_lines(lines.edges)
