"""Makes a graph file from the previous one: writes the lines of what changed and copies all others.

In: the old file, a header, and the nodes and edges of each changed path. Out: the bytes that writing the whole graph
would give, in a tenth of the time (Django's: 0.2 s of CPU, 0.3 where it is compressed, 2.2 as a whole from the index).
Lines are in the order of their paths, so that bisection finds those of one path. Where nodes come, go or
change places, the numbers in the copied lines are brought up to date.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson

from rpg.graph import FORMAT_VERSION, Edge, Symbol
from rpg.stores.graph_file import compact, graph_file
from rpg.stores.graph_file.nodes import id_of, node_of
from rpg.stores.graph_file.reader import CLOSING, CLOSING_BYTES, EDGES, NODES, build_damage_error, cut_off, new_sum
from rpg.stores.graph_opening import LARGEST_WHOLE, OPENING

RUN_BYTES = 4 << 20
NODE = b'{"id":'
GONE = -1
"""In place of the number of a node that no longer exists."""
_NODE_NUMBER = re.compile(rb'\n\{"id":(\d+)')
_EDGE_NUMBERS = re.compile(rb'\n\{"source":(\d+),"target":(\d+)')
"""They begin with fixed letters, which is several times as fast as matching the start of any line."""
T = TypeVar("T")


class Lines(NamedTuple):
    """The lines of one path in the new file; empty if it was deleted."""

    path: str
    symbols: list[Symbol]
    edges: list[Edge]


class WriteCancelled(Exception):
    """The file being written is no longer wanted."""


def stage(
    path: Path, header: dict[str, Any], changed: Iterable[Lines], is_wanted: Callable[[], bool] = lambda: True
) -> graph_file.Staged:
    """Like `graph_file.stage`, from the existing file at `path`. `changed` are in the order of their paths. Raises
    WriteCancelled as soon as `is_wanted` says so.

    The file must be one that `graph_file` wrote of a graph whose symbols are sorted by path. Raises GraphNotLoaded if
    it is damaged.
    """
    with _contents(path) as data:
        closing = _checked(path, data)
        return graph_file.stage_chunks(path, _while(is_wanted, _chunks(path, data, closing, header, list(changed))))


def _contents(path: Path) -> mmap.mmap:
    """The JSON of a graph file: mapped, or unpacked into memory."""
    with compact.open_graph(path) as file:
        if isinstance(file, compact.JsonReader):
            size = compact.size_of(file)
            if not 0 < size <= LARGEST_WHOLE:
                raise build_damage_error(path)
            data = mmap.mmap(-1, size)
            while piece := file.read(RUN_BYTES):
                data.write(piece)
            return data
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _checked(path: Path, data: mmap.mmap) -> int:
    """Where the closing begins. Damage must not be copied: the new file's checksum would cover it up."""
    closing = CLOSING.search(data, max(0, len(data) - CLOSING_BYTES))
    if closing is None:
        raise cut_off(path)
    digest = new_sum()
    for start in range(0, closing.start(), RUN_BYTES):
        digest.update(data[start : min(start + RUN_BYTES, closing.start())])
    if closing[1] not in (None, digest.hexdigest().encode()):
        raise build_damage_error(path)
    return closing.start()


def _while(is_wanted: Callable[[], bool], chunks: Iterator[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        if not is_wanted():
            raise WriteCancelled
        yield chunk


def _chunks(path: Path, data: mmap.mmap, closing: int, header: dict[str, Any], changed: list[Lines]) -> Iterator[bytes]:
    if orjson.loads(data[len(OPENING) : data.find(b"\n", len(OPENING)) - 1])["version"] != FORMAT_VERSION:
        raise build_damage_error(path)  # nothing of an older format is copied
    nodes = data.find(b"\n" + NODES[2:], len(OPENING)) + len(NODES) - 1
    # Found by bisection, as the first line that is not a node: the file is large.
    end = _first(data, nodes, len(data), _line, lambda line: not line.startswith(NODE)) - 1
    parts = _parts(data, nodes, end, changed)
    numbers = _Numbers(path, data, nodes, end, parts)
    yield graph_file.opening(header)
    yield from _joined(
        _spliced(data, nodes, end, [part.nodes for part in parts], numbers.node_runs, numbers.node_lines)
    )
    yield EDGES
    start = end + len(EDGES)
    spans = [_span(data, start, closing, part.first, part.after) for part in parts]
    yield from _joined(_spliced(data, start, closing, spans, numbers.edge_runs, numbers.edge_lines))


class _Part(NamedTuple):
    """A changed path in the old file and in the new one."""

    lines: Lines
    nodes: tuple[int, int]
    """Where its nodes began and ended."""
    first: int
    after: int
    """The numbers of its nodes: from the first up to, but not including, the second."""
    ids: list[str]


def _parts(data: mmap.mmap, nodes: int, end: int, changed: list[Lines]) -> list[_Part]:
    found = []
    at = nodes
    for lines in changed:
        first = _first(data, at, end, _node_path, lambda path, wanted=lines.path: path >= wanted)  # type: ignore[misc]
        at = _first(data, first, end, _node_path, lambda path, wanted=lines.path: path > wanted)  # type: ignore[misc]
        ids = list(map(id_of, _nodes(data[first:at])))
        number = _number_at(data, nodes, end, first)
        found.append(_Part(lines, (first, at), number, number + len(ids), ids))
    return found


def _number_at(data: mmap.mmap, nodes: int, end: int, at: int) -> int:
    """The number of the node that begins there, or would."""
    if at >= end:
        return int(orjson.loads(data[data.rfind(b"\n", nodes - 1, end - 1) + 1 : end])["id"]) + 1 if end > nodes else 0
    return int(_nodes(data[at : data.find(b"\n", at, end) + 1 or end])[0]["id"])


def _nodes(lines: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = orjson.loads(b"[%s]" % lines.rstrip(b",\n"))
    return found


class _Numbers:
    """The numbers of the nodes, in the old file and in the new one."""

    def __init__(self, path: Path, data: mmap.mmap, nodes: int, end: int, parts: list[_Part]) -> None:
        self._path = path
        self._data, self._start, self._end = data, nodes, end
        self._of_path: dict[str, dict[str, int]] = {}
        """For paths that did not change: new numbers by symbol id."""
        self.new: list[int] = []
        """New numbers by old number."""
        self.known: dict[str, int] = {}
        """New numbers by symbol id, for the changed paths."""
        number = 0
        self.firsts = []
        for part in parts:
            number = self._copy(number, part.first)
            self.firsts.append(number)
            for symbol in part.lines.symbols:
                self.known[symbol.id] = number
                number += 1
            self.new.extend([GONE] * len(part.ids))
        self._copy(number, _number_at(data, nodes, end, end))
        for part in parts:
            for old, id in enumerate(part.ids, part.first):
                self.new[old] = self.known.get(id, GONE)
        self._lines = [part.lines for part in parts]
        self._stay = all(new == old for old, new in enumerate(self.new))
        digits = () if self._stay else enumerate(self.new)
        self._written = {b"%d" % old: b"%d" % new for old, new in digits if new != GONE}

    def _copy(self, number: int, end: int) -> int:
        """The next new number, after numbering the nodes up to the old number `end`."""
        more = end - len(self.new)
        self.new.extend(range(number, number + more))
        return number + more

    def node_lines(self, place: int) -> Iterator[bytes]:
        numbers = count(self.firsts[place])
        for symbol, number in zip(self._lines[place].symbols, numbers, strict=False):
            yield graph_file.dump_json(node_of(symbol, number), symbol.id)

    def edge_lines(self, place: int) -> Iterator[bytes]:
        return graph_file.edge_lines(self._lines[place].edges, _Ends(self))

    def node_runs(self, run: bytes) -> bytes:
        """Copied lines of nodes, with their new numbers."""
        if self._stay:
            return run
        parts = _NODE_NUMBER.split(b"\n" + run)
        parts[1::2] = [b'\n{"id":' + self._written[number] for number in parts[1::2]]
        return b"".join(parts)[1:]

    def edge_runs(self, run: bytes) -> bytes:
        """Copied lines of edges, with the new numbers of their ends."""
        if self._stay:
            return run
        parts = _EDGE_NUMBERS.split(b"\n" + run)
        try:
            parts[1::3] = [b'\n{"source":' + self._written[number] for number in parts[1::3]]
            parts[2::3] = [b',"target":' + self._written[number] for number in parts[2::3]]
        except KeyError:  # the changes belong to another file
            raise build_damage_error(self._path) from None
        return b"".join(parts)[1:]

    def elsewhere(self, id: str) -> int:
        """The new number of a symbol whose path did not change. KeyError if there is none."""
        for path in (id.rpartition("::")[0], id):
            if path not in self._of_path:
                self._of_path[path] = self._at(path)
            if id in self._of_path[path]:
                return self._of_path[path][id]
        raise KeyError(id)

    def _at(self, path: str) -> dict[str, int]:
        first, after = _span_of(self._data, self._start, self._end, _node_path, path, path)
        return {id_of(node): self.new[node["id"]] for node in _nodes(self._data[first:after])}


class _Ends(dict[str, int]):
    """Numbers by symbol id, looked up in the old file if their path did not change."""

    def __init__(self, numbers: _Numbers) -> None:
        super().__init__(numbers.known)
        self._numbers = numbers

    def __missing__(self, id: str) -> int:
        found = self[id] = self._numbers.elsewhere(id)
        return found


def _spliced(
    data: mmap.mmap,
    start: int,
    end: int,
    spans: list[tuple[int, int]],
    brought_up_to_date: Callable[[bytes], bytes],
    lines_of: Callable[[int], Iterator[bytes]],
) -> Iterator[bytes]:
    """Runs of lines from `start` to `end`, without the commas between them; the lines of each span are new."""
    at = start
    for place, (first, after) in enumerate(spans):
        yield from map(brought_up_to_date, _runs(data, at, first, end))
        yield b",\n".join(lines_of(place))
        at = after
    yield from map(brought_up_to_date, _runs(data, at, end, end))


def _span(data: mmap.mmap, start: int, end: int, first: int, after: int) -> tuple[int, int]:
    """The edges whose source has one of these numbers."""
    return _span_of(data, start, end, _source, first, after - 1)


def _span_of(
    data: mmap.mmap, start: int, end: int, key: Callable[[bytes], Any], lowest: Any, highest: Any
) -> tuple[int, int]:
    first = _first(data, start, end, key, lambda found: found >= lowest)
    return first, _first(data, first, end, key, lambda found: found > highest)


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


def _source(line: bytes) -> int:
    return int(orjson.loads(line)["source"])
