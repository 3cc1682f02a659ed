"""Reads the graph file: its layout, line by line, and the messages about a damaged file.

In: an open file. Out: header, symbols, edges; or GraphNotLoaded with what is wrong and the command that repairs it. Any
other layout of the same JSON (a formatter's, say) is read too, in one piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from rpg.errors import GraphNotLoaded
from rpg.graph import (
    FORMAT,
    FORMAT_VERSION,
    FUNCTIONAL_KINDS,
    FUNCTIONAL_PATH,
    Edge,
    Graph,
    Symbol,
    is_left_out,
)
from rpg.stores.graph_file import compact
from rpg.stores.graph_file.nodes import symbol_of
from rpg.stores.graph_file.values import is_edge, is_header, is_symbol, is_tree
from rpg.stores.graph_opening import (
    LARGEST_HEADER,
    LARGEST_LINE,
    LARGEST_OTHER_LAYOUT,
    OPENING,
    OPENING_BYTES,
    can_be_graph,
)
from rpg.system import filesystem

NODES = b',\n"nodes":[\n'
EDGES = b'\n],\n"edges":[\n'
CLOSING = re.compile(rb'\n\](?:,\n"checksum":"([0-9a-f]{32})")?\n\}\n\Z')
"""The checksum covers all bytes before it; files of version 1 have none."""
CLOSING_BYTES = 64
"""More bytes than a closing has."""
SUMMED_SINCE = 2
"""The first version of the format whose files contain a checksum."""
ROOT = "./"
"""The path of the root folder."""
PIECE_BYTES = 1 << 20
Ids = dict[Any, str]
"""Symbol ids by the ids of their nodes: numbers, or in older files themselves."""


class NewerGraph(GraphNotLoaded):
    """A graph file of a version of the format that only a newer rpg reads."""


def open_graph_file(path: Path) -> BinaryIO:
    try:
        return compact.open_graph(path)
    except FileNotFoundError:
        if variable := re.search(r"\$\{[^}/]*\}", str(path)):
            raise GraphNotLoaded(
                f"the client did not fill in {variable[0]} in {path}: write the folder of the repository instead into "
                "its configuration of this server, or `.` if the client starts servers in that folder"
            ) from None
        raise GraphNotLoaded(f"there is no graph file {path}: make it with {_repair(path)}") from None
    except OSError as error:
        raise GraphNotLoaded(
            f"the graph file {path} cannot be read ({error.strerror}): make it readable, or make another with "
            f"`rpg encode REPOSITORY -o OTHER.graph.json`"
        ) from error


def read_header(path: Path, file: BinaryIO) -> dict[str, Any] | None:
    """The header, with the file positioned at the first node; None if the layout is not that of `write`. What cannot be
    a graph is refused by its first bytes."""
    start = file.read(len(OPENING))
    if start != OPENING:
        if start and OPENING.startswith(start):
            raise cut_off(path)
        _refuse_other_file(path, file, start)
        return None
    line = file.readline(LARGEST_HEADER)
    if not line.endswith(b",\n") or file.readline(len(NODES)) != NODES[2:]:
        raise cut_off(path)
    try:
        header = orjson.loads(line[:-2])
    except orjson.JSONDecodeError:
        raise _damaged(path, 4) from None
    return check_header(path, {"graph": header})


def _refuse_other_file(path: Path, file: BinaryIO, start: bytes) -> None:
    """Refuses a large file that begins like no graph, or is too large to be read in one piece. Of a small one, `parsed`
    says what it is instead."""
    start += file.read(OPENING_BYTES)
    size = compact.size_of(file)
    if size > OPENING_BYTES and not can_be_graph(start):
        raise GraphNotLoaded(f"{path} is not a graph that rpg wrote: make one with {_repair(path)}")
    if size > LARGEST_OTHER_LAYOUT:
        raise too_large(path, size, LARGEST_OTHER_LAYOUT, "whose lines another program changed")


def too_large(path: Path, size: int, most: int, what: str) -> GraphNotLoaded:
    return GraphNotLoaded(
        f"the graph file {path} has {size >> 20} MiB, and one {what} may have {most >> 20}: rebuild it with "
        f"{_repair(path)}"
    )


def check_header(path: Path, data: Any) -> dict[str, Any]:
    header = data.get("graph") if isinstance(data, dict) else None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise GraphNotLoaded(f"{path} is JSON, but not a graph that rpg wrote: make one with {_repair(path)}")
    version = header.get("version")
    if type(version) is not int:
        raise GraphNotLoaded(f"{path} has no format version: rebuild it with {_repair(path)}")
    if version > FORMAT_VERSION:
        raise NewerGraph(
            f"{path} has version {version} of the graph format, and this rpg reads up to version {FORMAT_VERSION}: "
            f"update rpg, or rebuild the graph with {_repair(path)}"
        )
    if not is_header(header):
        raise _damaged(path, 4)
    if not all(is_left_out(each.get("path"), each.get("reason")) for each in header.get("skipped", ())):
        raise _damaged(path, 4)
    return header


def check_closing(path: Path, file: BinaryIO, header: dict[str, Any]) -> tuple[int, str]:
    """Where the closing begins, and the checksum in it; empty in files of a version without one."""
    size = file.seek(0, 2)
    start = file.seek(max(0, size - CLOSING_BYTES))
    closing = CLOSING.search(file.read())
    if closing is None or (closing[1] is None and header["version"] >= SUMMED_SINCE):
        raise cut_off(path)
    return start + closing.start(), (closing[1] or b"").decode()


def check_sum(path: Path, file: BinaryIO, header: dict[str, Any]) -> None:
    """Raises GraphNotLoaded if a file differs from what was written."""
    end, checksum = check_closing(path, file, header)
    file.seek(0)
    digest = new_sum()
    while checksum and end > 0:
        piece = file.read(min(end, PIECE_BYTES))
        if not piece:
            raise cut_off(path)
        digest.update(piece)
        end -= len(piece)
    if checksum and digest.hexdigest() != checksum:
        raise build_damage_error(path)


def new_sum() -> blake2b:
    """The hash function for the contents of a graph file, and for the whole file."""
    return blake2b(digest_size=16)


def build_damage_error(path: Path) -> GraphNotLoaded:
    return GraphNotLoaded(
        f"the graph file {path} is damaged: its contents are not what was written. Rebuild it with {_repair(path)}"
    )


def read_symbols(path: Path, file: BinaryIO, ids: Ids) -> Iterator[Symbol]:
    """The nodes up to the end of their list. `ids` collects every id, so that edges share the strings."""
    names: set[str] = {ROOT}
    seen: set[str] = set()
    for number, line in _list_lines(path, file, 6):
        try:
            node = orjson.loads(line)
            symbol = symbol_of(node)
            if symbol.kind not in FUNCTIONAL_KINDS or symbol.path != FUNCTIONAL_PATH:
                _judge(symbol.path, names)
            _add(node, symbol, ids, seen)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise _damaged(path, number) from None
        yield symbol


def _add(node: dict[str, Any], symbol: Symbol, ids: Ids, seen: set[str]) -> None:
    """ValueError for a symbol that is damaged, has another's id, or another number than its place in the list."""
    key = node["id"]
    if not is_symbol(symbol) or symbol.id in seen or (type(key) is int and key != len(seen)) or key in ids:
        raise ValueError(symbol.id)
    seen.add(symbol.id)
    ids[key] = symbol.id


def _judge(name: str, names: set[str]) -> None:
    """ValueError for a name that is not acceptable for a file or folder of a repository; `names` are good ones."""
    if name not in names:
        if filesystem.problem_with_name(name.removesuffix("/")):
            raise ValueError(name)
        names.add(name)


def read_edges(path: Path, file: BinaryIO, ids: Ids) -> Iterator[Edge]:
    first = len(ids) + 8
    if file.readline() != EDGES[4:]:
        raise _damaged(path, first - 1)
    vias: dict[str, str] = {}
    for number, line in _list_lines(path, file, first):
        try:
            edge = _edge(orjson.loads(line), ids, vias)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise _damaged(path, number) from None
        if not is_edge(edge):
            raise _damaged(path, number)
        yield edge
    rest = file.read(2 * CLOSING_BYTES)
    if not (CLOSING.fullmatch(b"\n],\n" + rest) or CLOSING.fullmatch(b"\n]\n" + rest)):
        raise cut_off(path)


def _list_lines(path: Path, file: BinaryIO, first: int) -> Iterator[tuple[int, bytes]]:
    """(line number, one JSON value) up to the bracket that closes the list."""
    for number, line in enumerate(iter(lambda: file.readline(LARGEST_LINE), b""), first):
        if line.endswith(b",\n"):
            if line == b"],\n":
                return
            yield number, line[:-2]
        elif line.endswith(b"}\n"):
            yield number, line[:-1]
        elif line == b"]\n":
            return
        elif line != b"\n":
            raise cut_off(path)
    raise cut_off(path)


def _edge(edge: dict[str, Any], ids: Ids, vias: dict[str, str]) -> Edge:
    """Ids and words are taken from the tables, so that each is in memory once. KeyError: no such node."""
    kind, via = edge["kind"], edge["via"]
    sites = []
    for site in edge.get("sites", ()):
        line, _, column = site.partition(":")
        sites.append((int(line), int(column)))
    return Edge(
        ids[edge["source"]],
        ids[edge["target"]],
        vias.setdefault(kind, kind),
        vias.setdefault(via, via),
        tuple(sites),
        edge.get("roles", ""),
    )


def read_any_layout(path: Path) -> tuple[Graph, str]:
    """A graph file that another program rewrote with other white space, read in one piece; and its checksum, which
    belongs to the original layout."""
    data = parse_whole(path)
    header = check_header(path, data)
    vias: dict[str, str] = {}
    try:
        names: set[str] = {ROOT}
        seen: set[str] = set()
        ids: Ids = {}
        symbols = []
        for node in data["nodes"]:
            symbol = symbol_of(node)
            _judge(symbol.path, names)
            _add(node, symbol, ids, seen)
            symbols.append(symbol)
        edges = [_edge(edge, ids, vias) for edge in data["edges"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise build_damage_error(path) from None
    if not all(map(is_edge, edges)) or not is_tree(edges):
        raise build_damage_error(path)
    return Graph(header, symbols, edges, []), str(data.get("checksum", ""))


def parse_whole(path: Path) -> Any:
    with open_graph_file(path) as file:
        content = file.read(LARGEST_OTHER_LAYOUT)
    if not content.strip():
        raise GraphNotLoaded(f"the graph file {path} is empty: make it with {_repair(path)}")
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        if content.lstrip().startswith(b"{") and error.pos >= len(content.decode("utf-8", "replace").rstrip()):
            raise cut_off(path) from None
        raise GraphNotLoaded(
            f"{path} is not JSON (line {error.lineno}: {error.msg}): make a graph file with {_repair(path)}"
        ) from None


def cut_off(path: Path) -> GraphNotLoaded:
    return GraphNotLoaded(f"the graph file {path} is cut off: its end is missing. Rebuild it with {_repair(path)}")


def _damaged(path: Path, line: int) -> GraphNotLoaded:
    return GraphNotLoaded(f"the graph file {path} is damaged at line {line}: rebuild it with {_repair(path)}")


def _repair(path: Path) -> str:
    return f"`rpg encode REPOSITORY -o {path}`"
