"""A graph as rows of the index, and how the rows are numbered.

In: symbols, edges, places. Out: rows, in the order of the graph. Numbers ascend in that order, and some stay free
between the rows of one path and those of the next, so that additions find room without moving all that follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any
from zlib import crc32

import orjson

from rpg.graph import EDGE_KINDS, LIBRARY, REASONS, SYMBOL_KINDS, VIAS, Edge, Graph, Place, Symbol

Row = tuple[object, ...]

HASH_MASK = (1 << 23) - 1
"""Numbers of so many bits take three bytes in SQLite, and of a million symbols one in nine shares its hash with
another."""
HASH_DIGITS = 16
"""Of the hash of a symbol's text."""
_SYMBOL_KINDS, _EDGE_KINDS, _VIAS, _REASONS = (
    {word: code for code, word in enumerate(words)} for words in (SYMBOL_KINDS, EDGE_KINDS, VIAS, REASONS)
)

ROOM, ROOM_SHARE = 24, 4
"""How many numbers stay free after the rows of a path: this many, and one per so many rows."""
ROOM_OF_SYMBOLS = 250
"""The same for symbols, so that a file finds room between two others: that many numbers for each file of ten thousand
take as many bytes as without."""


def free_numbers_after(rows: int, room: int = ROOM) -> int:
    return room + rows // ROOM_SHARE


def assign_numbers(paths: Iterable[str], room: int = ROOM) -> Iterator[int]:
    """The number of each row, from the paths that the rows belong to."""
    number = 0
    for _, group in groupby(paths):
        rows = 0
        for _ in group:
            number += 1
            rows += 1
            yield number
        number += free_numbers_after(rows, room)


def numbers_of(symbols: Iterable[Symbol]) -> dict[str, int]:
    """By symbol id, in the order of the graph."""
    symbols = list(symbols)
    numbers = assign_numbers(map(attrgetter("path"), symbols), ROOM_OF_SYMBOLS)
    return dict(zip(map(attrgetter("id"), symbols), numbers, strict=True))


def symbol_hash(id: str) -> int:
    """The hash by which the symbol of that id is looked up."""
    return crc32(id.encode("utf-8", "replace")) & HASH_MASK


def build_stored_row(symbol: tuple[Any, ...]) -> Row:
    """The columns of `symbols` that contain a row, without its number and its parent."""
    id, kind, name, qualified_name, path, language, start, end, line, column, signature, doc, hash, *rest = symbol
    own_id = None if id == (path if qualified_name == path else f"{path}::{qualified_name}") else id
    around = own_name = None
    if qualified_name != path:
        if qualified_name.endswith(name):
            around = qualified_name[: len(qualified_name) - len(name)]
        else:
            own_name = qualified_name
    number = parse_hash(hash)
    own_hash = hash if number is None else None
    kind = _SYMBOL_KINDS.get(kind, kind)
    names = symbol_hash(id), own_id, kind, name, around, own_name
    return *names, path, language, start, end, line, column, signature, doc, number, own_hash, *rest


def parse_hash(hash: str) -> int | None:
    """The 64 bits of a hash as SQLite has them, signed; None for one that is written otherwise."""
    if len(hash) != HASH_DIGITS:
        return None
    try:
        number = int(hash, 16)
    except ValueError:
        return None
    if f"{number:016x}" != hash:
        return None
    return number if number < 1 << 63 else number - (1 << 64)


def build_stored_edge(source: int, position: int, target: int, rest: tuple[Any, ...]) -> Row:
    """The columns of `edges`, of what follows the ends in a row: kind, via, sites, roles."""
    kind, via, sites, roles = rest
    return source, position, target, _EDGE_KINDS.get(kind, kind), _VIAS.get(via, via), sites, roles


def build_stored_place(number: int, source: int, place: PlaceRow) -> Row:
    """The columns of `places`."""
    name, _, line, column, reason, call, bare = place
    return number, name, source, line, column, _REASONS.get(reason, reason), call, bare


def positions(sources: Iterable[str]) -> Iterator[int]:
    """The place of each edge among those of its source."""
    counts: dict[str, int] = {}
    for source in sources:
        position = counts.get(source, 0)
        counts[source] = position + 1
        yield position


def symbol_row(symbol: Symbol) -> Row:
    """The values of the columns from `symbol` on, without `parent`."""
    return (
        symbol.id,
        symbol.kind,
        symbol.name,
        symbol.qualified_name,
        symbol.path,
        symbol.language,
        symbol.start_line,
        symbol.end_line,
        symbol.name_line,
        symbol.name_column,
        symbol.signature,
        symbol.doc,
        symbol.hash,
        symbol.exported,
        symbol.test,
        _extra(symbol),
        LIBRARY in symbol.modifiers,
    )


def symbol_rows(graph: Graph, ids: Mapping[str, int]) -> Iterator[Row]:
    """All columns of all symbols, with their numbers."""
    parents = {edge.target: ids[edge.source] for edge in graph.edges if edge.kind == "contains"}
    for symbol in graph.symbols:
        yield ids[symbol.id], parents.get(symbol.id), *build_stored_row(symbol_row(symbol))


def _extra(symbol: Symbol) -> str:
    extra: dict[str, object] = {}
    if symbol.decorators:
        extra["decorators"] = symbol.decorators
    if symbol.modifiers:
        extra["modifiers"] = symbol.modifiers
    if symbol.returns:
        extra["returns"] = symbol.returns
    if symbol.references is not None:
        extra["references"] = symbol.references
    return orjson.dumps(extra).decode() if extra else ""


def edge_row(edge: Edge) -> tuple[str, str, str, str, str, str]:
    source, target, kind, via, sites, roles = edge
    return source, target, kind, via, " ".join([f"{line}:{column}" for line, column in sites]) if sites else "", roles


def edge_rows(edges: Sequence[Edge], ids: Mapping[str, int]) -> Iterator[Row]:
    """All columns of all edges."""
    for position, edge in zip(positions(edge.source for edge in edges), edges, strict=True):
        source, target, *rest = edge_row(edge)
        yield build_stored_edge(ids[source], position, ids[target], tuple(rest))


PlaceRow = tuple[str, str, int, int, str, int, bool]


def place_rows(places: Iterable[Place], path_of: Mapping[str, str]) -> Iterator[PlaceRow]:
    """External references are many and all alike: one row, after the others of its file, represents all with one name
    in one file. Places come in the order of their files."""
    for path, group in groupby(places, lambda place: path_of[place.source]):
        external: dict[str, Place] = {}
        for place in group:
            if place.reason != "external":
                yield place.name, place.source, place.line, place.column, place.reason, place.stored_call, place.bare
                continue
            first = external.setdefault(place.name, place)
            if place.call and not first.call:
                external[place.name] = first._replace(call=True)
        module = path if path in path_of else ""
        for name, place in external.items():
            yield name, module or place.source, place.line, place.column, place.reason, int(place.call), place.bare


def number_places(places: Iterable[PlaceRow], ids: Mapping[str, int], paths: Mapping[str, str]) -> Iterator[Row]:
    """Rows of places with their own numbers and those of symbols."""
    rows = list(places)
    for number, row in zip(assign_numbers(paths[row[1]] for row in rows), rows, strict=True):
        yield build_stored_place(number, ids[row[1]], row)
