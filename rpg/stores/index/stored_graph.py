"""The graph as the index stores it, streamed in the order of the graph file, so that the file can be written from it.

In: an index. Out: header, symbols and edges, equal to those that it was made from. Places stay in the index.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from rpg.graph import Edge, Place, Symbol
from rpg.stores.index.index import Index, Row
from rpg.stores.index.rows import symbol_hash

SYMBOL_COLUMNS = (
    "symbol, kind, name, qualified_name, path, language, start_line, end_line, name_line, name_column, signature, doc,"
    " hash, exported, test, extra, library"
)


EDGES = "SELECT source, target, kind, via, sites, roles FROM edges ORDER BY source, position"


def build_id_condition(table: str = "all_symbols") -> str:
    """The condition for the symbol of an id in a table of symbols; `build_id_parameters` has its parameters."""
    return f"{table}.symbol_hash = ? AND {table}.symbol = ?"


def build_id_parameters(id: str) -> tuple[int, str]:
    return symbol_hash(id), id


def header(index: Index) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(index.meta("header"))
    return found


def symbols(index: Index) -> Iterator[Symbol]:
    for row in index.each(f"SELECT {SYMBOL_COLUMNS} FROM all_symbols ORDER BY id"):
        yield symbol_of(row)


def symbol(index: Index, id: str) -> Symbol | None:
    row = index.row(f"SELECT {SYMBOL_COLUMNS} FROM all_symbols WHERE {build_id_condition()}", build_id_parameters(id))
    return symbol_of(row) if row else None


def symbols_at(index: Index, path: str) -> list[Symbol]:
    """The symbols of that path."""
    rows = index.rows(f"SELECT {SYMBOL_COLUMNS} FROM all_symbols WHERE path = ? ORDER BY id", (path,))
    return list(map(symbol_of, rows))


def edges_at(index: Index, path: str) -> list[Edge]:
    """The edges whose source is in that path."""
    rows = index.rows(
        "SELECT s.symbol, t.symbol, e.kind, e.via, e.sites, e.roles FROM all_symbols s CROSS JOIN edges e"
        " ON e.source = s.id JOIN all_symbols t ON t.id = e.target WHERE s.path = ? ORDER BY e.source, e.position",
        (path,),
    )
    return [Edge(source, target, kind, via, sites_of(sites), roles) for source, target, kind, via, sites, roles in rows]


def places_at(index: Index, path: str) -> list[Place]:
    """The places whose source is in that path."""
    rows = index.rows(
        "SELECT s.symbol, p.name, p.line, p.column, p.reason, p.call, p.bare FROM all_symbols s"
        " CROSS JOIN places p ON p.source = s.id WHERE s.path = ? ORDER BY p.rowid",
        (path,),
    )
    return [
        Place(source, name, line, column, reason, call > 0, bool(bare), call - 2 if call > 1 else -1)
        for source, name, line, column, reason, call, bare in rows
    ]


def edges(index: Index) -> Iterator[Edge]:
    ids: dict[int, str] = dict(index.rows("SELECT id, symbol FROM all_symbols"))
    for source, target, kind, via, sites, roles in index.each(EDGES):
        yield Edge(ids[source], ids[target], kind, via, sites_of(sites), roles)


def symbol_of(row: Row) -> Symbol:
    """The symbol that a row of SYMBOL_COLUMNS was made from."""
    extra: dict[str, Any] = orjson.loads(row[15]) if row[15] else {}
    references = extra.get("references")
    rare = (
        bool(row[13]),
        bool(row[14]),
        tuple(extra.get("decorators", ())),
        tuple(extra.get("modifiers", ())),
        extra.get("returns", ""),
        tuple(references) if references is not None else None,
    )
    return Symbol._make((*row[:13], *rare))


def sites_of(sites: str) -> tuple[tuple[int, int], ...]:
    """`"12:5 13:9"` as ((12, 5), (13, 9))."""
    pairs = (site.partition(":") for site in sites.split())
    return tuple((int(line), int(column)) for line, _, column in pairs)
