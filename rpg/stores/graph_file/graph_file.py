"""The graph file, NAME.graph.json: networkx node-link JSON, the same bytes for the same graph; compressed where it is
named NAME.graph.json.zst (compact.py).

In: a graph, sorted. Out: a file, written whole or not at all, and the graph read back. The header is on one line near
the top, and every node and edge on its own line, so that the header can be read by itself and both directions stream.
Empty fields are left out. No source text, time or absolute path is added here.

A node's `id` is its position in the list, from 0, and edges name their ends by it: written out, symbol ids were half of
the file. A node's symbol id follows from its path and qualified name, or is in `symbol` (nodes.py).

The file ends with a checksum of everything before it, which detects damage when the whole file is read. Places are not
part of it. Readers skip unknown fields.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.errors import EncodeFailed, GraphNotLoaded
from rpg.graph import FORMAT, FORMAT_VERSION, Edge, Graph, Symbol
from rpg.stores import atomic
from rpg.stores.graph_file import compact, reader
from rpg.stores.graph_file.nodes import node_of
from rpg.stores.graph_file.reader import EDGES, NODES
from rpg.stores.graph_file.reader import NewerGraph as NewerGraph
from rpg.stores.graph_file.values import is_tree
from rpg.stores.graph_opening import (
    LARGEST_HEADER,
    LARGEST_OTHER_LAYOUT,
    LARGEST_WHOLE,
    OPENING,
    OPENING_BYTES,
    can_be_graph,
)
from rpg.system import filesystem, memory
from rpg.system.stamp import Stamp, stamp_of

BATCH = 4096
MEMORY_PER_BYTE = 4
"""Memory that a graph takes when it is read whole, by the size of its file; measured."""
SET_BACK_NS = 100_000_000
_COMMIT = re.compile("[0-9a-f]{7,64}")


class Staged(NamedTuple):
    """A graph file that is written and synced, but not yet in place."""

    temporary: Path
    path: Path
    hash: str
    stamp: Stamp
    """The stamp after the move, which changes the status-change time."""


def write(path: Path, graph: Graph) -> str:
    """Writes `graph` to `path`, whole or not at all. Returns the file's hash."""
    staged = stage(path, graph.header, graph.symbols, graph.edges)
    atomic.publish(staged.temporary, path)
    return staged.hash


def stage(path: Path, header: dict[str, Any], symbols: Iterable[Symbol], edges: Iterable[Edge]) -> Staged:
    """Writes the file aside; `atomic.publish` moves it into place. A failure leaves nothing behind."""
    return stage_chunks(path, _chunks(header, symbols, edges))


def stage_chunks(path: Path, chunks: Iterable[bytes]) -> Staged:
    """`stage` for bytes that exist already, up to the last edge."""
    filesystem.refuse_foreign(path)
    temporary = atomic.staging_path(path)
    try:
        with filesystem.create(temporary) as file:
            packed = compact.Writer(file) if compact.is_compact(path) else None
            write = file.write if packed is None else packed.write
            digest = reader.new_sum()
            for chunk in _closed(chunks, digest):
                write(chunk)
            if packed is not None:
                packed.finish()
        # Its time is set back a moment: the next write then has another time, so that the file is recognised by its
        # time at once.
        written = time.time_ns() - SET_BACK_NS
        os.utime(temporary, ns=(written, written))
        atomic.sync(temporary)
        stamp = stamp_of(temporary.stat())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return Staged(temporary, path, digest.hexdigest(), stamp)


def _closed(chunks: Iterable[bytes], digest: hashlib.blake2b) -> Iterator[bytes]:
    """The chunks, and the closing with their sum. `digest` has all of them in the end."""
    for chunk in chunks:
        digest.update(chunk)
        yield chunk
    closing = b'\n],\n"checksum":"%s"\n}\n' % digest.hexdigest().encode()
    digest.update(closing)
    yield closing


def whole_json(header: dict[str, Any], symbols: Iterable[Symbol], edges: Iterable[Edge]) -> Iterator[bytes]:
    """All of a graph file that is not compressed."""
    return _closed(_chunks(header, symbols, edges), reader.new_sum())


def read(path: Path) -> Graph:
    """The graph of a file, without places.

    Raises GraphNotLoaded for a file that is missing, cut off, damaged, not JSON, of another format or of a newer
    version.
    """
    with reader.open_graph_file(path) as file:
        header, start = reader.read_header(path, file), file.tell()
        if header is None:
            return _in_any_layout(path)
        size = compact.size_of(file)
        if size > LARGEST_WHOLE:
            raise reader.too_large(path, size, LARGEST_WHOLE, "that is served without its sources")
        memory.require(size * MEMORY_PER_BYTE)
        reader.check_closing(path, file, header)
        file.seek(start)
        ids: reader.Ids = {}
        symbols = list(reader.read_symbols(path, file, ids))
        edges = list(reader.read_edges(path, file, ids))
        reader.check_sum(path, file, header)
        if not is_tree(edges):
            raise reader.build_damage_error(path)
        return Graph(header, symbols, edges, [])


def read_header(path: Path) -> dict[str, Any]:
    """Only the header: reads the first lines, and the last bytes to detect a file that was cut off."""
    with reader.open_graph_file(path) as file:
        header = reader.read_header(path, file)
        if header is None:
            return reader.check_header(path, reader.parse_whole(path))
        reader.check_closing(path, file, header)
        return header


def read_symbols(path: Path) -> Iterator[Symbol]:
    """The symbols one by one, for callers that need only the first ones."""
    with reader.open_graph_file(path) as file:
        if reader.read_header(path, file) is None:
            yield from _in_any_layout(path).symbols
        else:
            yield from reader.read_symbols(path, file, {})


def _in_any_layout(path: Path) -> Graph:
    """The checksum of such a file is for the layout that `write` would give it: a formatter may have changed the
    layout, but nothing else."""
    graph, checksum = reader.read_any_layout(path)
    if checksum and graph.header["version"] != FORMAT_VERSION:
        raise reader.build_damage_error(path)
    if checksum:
        digest = reader.new_sum()
        for chunk in _chunks(*graph[:3]):
            digest.update(chunk)
        if digest.hexdigest() != checksum:
            raise reader.build_damage_error(path)
    return graph


def is_ours(path: Path) -> bool:
    """Whether it is a graph file, perhaps damaged after its header: one that may be overwritten without asking."""
    return header_of(path) is not None


def commit_of(header: Mapping[str, Any]) -> str:
    """The commit that a header names, which may be anybody's; empty if it names none."""
    repository = header.get("repository")
    commit = repository.get("commit") if isinstance(repository, dict) else ""
    return commit if isinstance(commit, str) and _COMMIT.fullmatch(commit) else ""


def header_of(path: Path) -> dict[str, Any] | None:
    """The complete header of a regular file of ours, of whatever version and layout; None for anything else."""
    try:
        if filesystem.problem_with_file(os.lstat(path)):
            return None
        with compact.open_graph(path) as file:
            if file.read(len(OPENING)) == OPENING:
                line = file.readline(LARGEST_HEADER)
                if file.readline(len(NODES)) != NODES[2:]:
                    return None
                header = orjson.loads(line[: len(line) - 2] if len(line) > 2 else b"")
            else:
                file.seek(0)
                start, size = file.read(OPENING_BYTES), compact.size_of(file)
                if not can_be_graph(start) or size > LARGEST_OTHER_LAYOUT:
                    return None
                data = reader.parse_whole(path)
                header = data.get("graph") if isinstance(data, dict) else None
    except (OSError, ValueError, GraphNotLoaded):
        return None
    if isinstance(header, dict) and header.get("format") == FORMAT and isinstance(header.get("version"), int):
        return header
    return None


def file_hash(path: Path) -> str:
    """The hash that `write` returned, of the JSON that is there now: the same in both forms."""
    digest = reader.new_sum()
    with compact.open_graph(path) as file:
        while piece := file.read(reader.PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def hash_if_sound(path: Path) -> str:
    """The hash of a graph file; empty if there is none, or its first or last bytes show that it is none or damaged."""
    try:
        read_header(path)
        return file_hash(path)
    except (GraphNotLoaded, OSError):
        return ""


# Writing


def _chunks(header: dict[str, Any], symbols: Iterable[Symbol], edges: Iterable[Edge]) -> Iterator[bytes]:
    numbers: dict[str, int] = {}
    yield opening(header)
    yield from _lines(symbol_lines(symbols, numbers))
    yield EDGES
    yield from _lines(edge_lines(edges, numbers))


def opening(header: dict[str, Any]) -> bytes:
    """Everything before the first node."""
    named = header | {"format": FORMAT, "version": FORMAT_VERSION}
    return OPENING + orjson.dumps(named, option=orjson.OPT_SORT_KEYS) + NODES


def _lines(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Lines with a comma between them, in chunks large enough to be written at once."""
    batch: list[bytes] = []
    separator = b""
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH:
            yield separator + b",\n".join(batch)
            separator = b",\n"
            batch.clear()
    if batch:
        yield separator + b",\n".join(batch)


def symbol_lines(symbols: Iterable[Symbol], numbers: dict[str, int]) -> Iterator[bytes]:
    """Numbers the symbols in order, after those in `numbers`, and adds them there."""
    for symbol in symbols:
        number = len(numbers)
        numbers[symbol.id] = number
        yield dump_json(node_of(symbol, number), symbol.id)


def edge_lines(edges: Iterable[Edge], numbers: Mapping[str, int]) -> Iterator[bytes]:
    for source, target, kind, via, sites, roles in edges:
        edge: dict[str, Any] = {"source": numbers[source], "target": numbers[target], "kind": kind, "via": via}
        if sites:
            edge["sites"] = [f"{line}:{column}" for line, column in sites]
        if roles:
            edge["roles"] = roles
        yield dump_json(edge, source)


def dump_json(value: dict[str, Any], id: str) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError as error:
        raise EncodeFailed(f"{id!r} cannot be written as JSON ({error}): nothing was replaced") from error
