"""Updates an index: replaces the rows of files whose part of the graph changed and keeps all others.

In: an index, and the graph that it is to store. Out: the same answers as from a new index of that graph; or False if it
must be rebuilt, because row numbers have run out or too much changed.

Invariant: runs within one transaction. Parts are compared and replaced as a whole: all symbols of one path, with the
edges and places that begin at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from rpg.graph import Edge, Graph, Symbol
from rpg.stores.index.index import Index
from rpg.stores.index.index_writer import INSERT_EDGE, INSERT_PLACE, INSERT_SYMBOL
from rpg.stores.index.rows import (
    build_stored_edge,
    build_stored_place,
    build_stored_row,
    edge_row,
    free_numbers_after,
    place_rows,
    positions,
    symbol_row,
)
from rpg.stores.index.stored_graph import EDGES, SYMBOL_COLUMNS, build_id_condition, build_id_parameters

MOST_CHANGED, FEW = 4, 16
"""If more than one in this many parts changed, and more than a few, everything is rebuilt."""

Row = tuple[Any, ...]


def replace_stamps(index: Index, stamps: Iterable[Row]) -> None:
    """New stamps of files with the old contents: size, times of changes, inode, time of reading, path."""
    index.executemany(
        "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, indexed_ns = ? WHERE path = ?", stamps
    )


class Part(NamedTuple):
    """The graph's part for one path; rows as in the tables, with ids instead of numbers."""

    path: str
    symbols: list[Symbol]
    edges: list[Edge]
    symbol_rows: list[Row]
    edge_rows: list[Row]
    place_rows: list[Row]


class Difference(NamedTuple):
    changed: list[Part]
    """The changed or new parts, in the order of the graph."""
    removed: list[str]
    paths: int
    """Number of paths in the whole graph."""

    @property
    def parts(self) -> list[Part]:
        """Parts in the order of their paths; deleted ones are empty."""
        removed = [Part(path, [], [], [], [], []) for path in self.removed]
        return sorted([*self.changed, *removed], key=lambda part: part.path)

    @property
    def touched(self) -> list[str]:
        return sorted([*self.removed, *(part.path for part in self.changed)])


def difference(index: Index, graph: Graph) -> Difference:
    """The parts of a graph, sorted by path, that differ from the index."""
    old = _Old(index)
    changed: list[Part] = []
    paths = set()
    for part in parts(graph):
        paths.add(part.path)
        if old.part(part.path) != (part.symbol_rows, part.edge_rows, part.place_rows):
            changed.append(part)
    removed = sorted(path for (path,) in index.rows("SELECT DISTINCT path FROM all_symbols") if path not in paths)
    return Difference(changed, removed, len(paths))


def difference_of_parts(index: Index, graph: Graph, gone: Iterable[str] = ()) -> Difference:
    """The same for a graph of only some paths; those that are `gone` are not among them."""
    changed = [part for part in parts(graph) if _rows_of(index, part.path) != part[3:]]
    return Difference(changed, sorted(gone), index.value("SELECT count(DISTINCT path) FROM all_symbols"))


def _rows_of(index: Index, path: str) -> tuple[list[Row], list[Row], list[Row]]:
    symbols = f"SELECT {SYMBOL_COLUMNS} FROM all_symbols WHERE path = ? ORDER BY id"
    edges = (
        "SELECT s.symbol, t.symbol, e.kind, e.via, e.sites, e.roles FROM all_symbols s CROSS JOIN edges e"
        " ON e.source = s.id JOIN all_symbols t ON t.id = e.target WHERE s.path = ? ORDER BY e.source, e.position"
    )
    places = (
        "SELECT p.name, s.symbol, p.line, p.column, p.reason, p.call, p.bare FROM all_symbols s"
        " CROSS JOIN places p ON p.source = s.id WHERE s.path = ? ORDER BY p.rowid"
    )
    return index.rows(symbols, (path,)), index.rows(edges, (path,)), index.rows(places, (path,))


def parts(graph: Graph) -> Iterator[Part]:
    path_of = {symbol.id: symbol.path for symbol in graph.symbols}
    edges = _Groups((path_of[edge.source], edge) for edge in graph.edges)
    places = _Groups((path_of[place.source], place) for place in graph.places)
    for path, group in groupby(graph.symbols, lambda symbol: symbol.path):
        symbols, file_edges = list(group), edges.take(path)
        rows = list(place_rows(places.take(path), path_of))
        yield Part(path, symbols, file_edges, list(map(symbol_row, symbols)), list(map(edge_row, file_edges)), rows)


class _Old:
    """The parts of an index, one after the other."""

    def __init__(self, index: Index) -> None:
        ids: dict[int, str] = {}
        paths: dict[int, str] = {}
        for number, id, path in index.each("SELECT id, symbol, path FROM all_symbols"):
            ids[number], paths[number] = id, path
        symbols = index.each(f"SELECT {SYMBOL_COLUMNS} FROM all_symbols ORDER BY id")
        edges = index.each(EDGES)
        places = index.each("SELECT name, source, line, column, reason, call, bare FROM places ORDER BY rowid")
        self._symbols = _Groups((row[4], row) for row in symbols)
        self._edges = _Groups((paths[row[0]], (ids[row[0]], ids[row[1]], *row[2:])) for row in edges)
        self._places = _Groups((paths[row[1]], (row[0], ids[row[1]], *row[2:])) for row in places)

    def part(self, path: str) -> tuple[list[Row], list[Row], list[Row]]:
        return self._symbols.take(path), self._edges.take(path), self._places.take(path)


class _Groups:
    """Rows by path, requested in ascending order of paths."""

    def __init__(self, rows: Iterable[tuple[str, Any]]) -> None:
        self._groups = groupby(rows, lambda row: row[0])
        self._next = next(self._groups, None)

    def take(self, path: str) -> list[Any]:
        while self._next is not None and self._next[0] < path:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != path:
            return []
        rows = [row for _, row in self._next[1]]
        self._next = next(self._groups, None)
        return rows


def is_small(changes: Difference) -> bool:
    """Whether replacing what changed is less work than rebuilding everything."""
    return len(changes.touched) <= max(FEW, changes.paths // MOST_CHANGED)


def replace(index: Index, changes: Difference) -> bool:
    """Replaces the changed parts, within the caller's transaction. False: rebuild; the changes must then be rolled
    back."""
    before: dict[str, int] = {}
    after: dict[str, int] = {}
    for path in changes.touched:
        _take_out(index, path, before)
    for part in changes.changed:
        numbers = _numbered(index, part, before)
        if numbers is None:
            return False
        after.update(zip((symbol.id for symbol in part.symbols), numbers, strict=True))
        rows = zip(numbers, part.symbol_rows, strict=True)
        index.executemany(INSERT_SYMBOL, ((number, None, *build_stored_row(row)) for number, row in rows))
    # First, before anything moves: a new symbol may have the number of a deleted one.
    if _is_dangling(index, [number for id, number in before.items() if id not in after]):
        return False
    _move(index, {number: after[id] for id, number in before.items() if id in after and after[id] != number})
    for part in changes.changed:
        _insert_edges(index, part, after)
        _insert_places(index, part, after)
    _set_parents(index, changes.changed, after)
    return True


def _take_out(index: Index, path: str, before: dict[str, int]) -> None:
    rows = index.rows("SELECT symbol, id FROM all_symbols WHERE path = ?", (path,))
    if not rows:
        return
    before.update(rows)
    numbers = [number for _, number in rows]
    ends = min(numbers), max(numbers)
    index.execute("DELETE FROM edges WHERE source BETWEEN ? AND ?", ends)
    index.execute("DELETE FROM places WHERE source BETWEEN ? AND ?", ends)
    index.execute("DELETE FROM all_symbols WHERE path = ?", (path,))


def _numbered(index: Index, part: Part, before: dict[str, int]) -> list[int] | None:
    """Numbers for the symbols of a part: those that they had, or new ones between its neighbours'."""
    low = index.value(
        "SELECT max(id) FROM all_symbols WHERE path = (SELECT max(path) FROM all_symbols WHERE path < ?)", (part.path,)
    )
    high = index.value(
        "SELECT min(id) FROM all_symbols WHERE path = (SELECT min(path) FROM all_symbols WHERE path > ?)", (part.path,)
    )
    known = [before.get(symbol.id, 0) for symbol in part.symbols]
    # Parts in between may have been given numbers after those that this part had: all ascend in the order of paths.
    if known[0] > (low or 0) and (high is None or known[-1] < high) and all(a < b for a, b in pairwise(known)):
        return known
    return _between(low or 0, high, len(part.symbols))


def _between(low: int, high: int | None, count: int) -> list[int] | None:
    """That many consecutive numbers between `low` and `high`, in the middle of the free ones; None if there is no
    room."""
    if high is None:
        return list(range(low + 1 + free_numbers_after(0), low + 1 + free_numbers_after(0) + count))
    free = high - low - 1 - count
    return list(range(low + 1 + free // 2, low + 1 + free // 2 + count)) if free >= 0 else None


def _move(index: Index, moved: dict[int, int]) -> None:
    """Gives edges from elsewhere the new numbers of their targets; through negative ones, because an old number may be
    the new one of another symbol."""
    index.executemany("UPDATE edges SET target = ? WHERE target = ?", [(-new, old) for old, new in moved.items()])
    index.execute("UPDATE edges SET target = -target WHERE target < 0")


def _is_dangling(index: Index, removed: list[int]) -> bool:
    return any(index.rows("SELECT 1 FROM edges WHERE target = ? LIMIT 1", (number,)) for number in removed)


def _insert_edges(index: Index, part: Part, known: dict[str, int]) -> None:
    number_of = _Numbers(index, known)
    rows = zip(positions(row[0] for row in part.edge_rows), part.edge_rows, strict=True)
    index.executemany(
        INSERT_EDGE, [build_stored_edge(known[row[0]], place, number_of[row[1]], row[2:]) for place, row in rows]
    )


def _insert_places(index: Index, part: Part, known: dict[str, int]) -> None:
    numbers = _free_rows(index, known[part.symbols[0].id], known[part.symbols[-1].id], len(part.place_rows))
    rows = zip(numbers, part.place_rows, strict=True)
    index.executemany(INSERT_PLACE, [build_stored_place(number, known[row[1]], row) for number, row in rows])


def _free_rows(index: Index, first: int, last: int, count: int) -> list[int]:
    """Row numbers for the places in the symbols from `first` to `last`, which have none yet."""
    of_path = (
        "SELECT {}(p.rowid) FROM all_symbols s JOIN places p ON p.source = s.id WHERE s.path = ("
        "SELECT path FROM all_symbols WHERE id = (SELECT {}(source) FROM places WHERE source {} ?))"
    )
    low = index.value(of_path.format("max", "max", "<"), (first,)) or 0
    high = index.value(of_path.format("min", "min", ">"), (last,))
    numbers = _between(low, high, count)
    if numbers is None:
        lacking = count - (high - low - 1) + free_numbers_after(count)
        _move_up(index, high, lacking)
        numbers = _between(low, high + lacking, count)
        assert numbers is not None
    return numbers


def _move_up(index: Index, first: int, by: int) -> None:
    """Shifts the places from a number on upwards, as far as necessary: free numbers between them absorb the shift."""
    moved: list[tuple[int, int]] = []
    before = first - 1
    with closing(index.each("SELECT rowid FROM places WHERE rowid >= ? ORDER BY rowid", (first,))) as rows:
        for (number,) in rows:
            by -= number - before - 1
            if by <= 0:
                break
            moved.append((number + by, number))
            before = number
    index.executemany("UPDATE places SET rowid = ? WHERE rowid = ?", reversed(moved))


class _Numbers(dict[str, int]):
    """Numbers by symbol id, looked up in the index if they are not known."""

    def __init__(self, index: Index, known: dict[str, int]) -> None:
        super().__init__(known)
        self._index = index

    def __missing__(self, id: str) -> int:
        found = self[id] = self._index.value(
            f"SELECT id FROM all_symbols WHERE {build_id_condition()}", build_id_parameters(id)
        )
        return int(found)


def _set_parents(index: Index, changed: Iterable[Part], known: dict[str, int]) -> None:
    """Sets the parents of the changed symbols, and of the symbols that they contain."""
    number_of = _Numbers(index, known)
    children = {number_of[row[1]] for part in changed for row in part.edge_rows if row[2] == "contains"}
    children.update(known.values())
    index.executemany(
        "UPDATE all_symbols SET parent = (SELECT source FROM edges WHERE target = all_symbols.id AND kind = 'contains')"
        " WHERE id = ?",
        [(number,) for number in sorted(children)],
    )
