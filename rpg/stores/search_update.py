"""Bringing the search index up to date: postings of the files whose words or callers changed are replaced.

In: the index before and after, and what changed in between. Out: the same tables as `search_build.build` makes; or
False where that has to be called: units came or went, or a weight changed that all postings depend on.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import orjson

from rpg.graph import Edge, Symbol
from rpg.models.embedding import Embedder, built_in
from rpg.stores import search_names
from rpg.stores.index_graph import SYMBOL_COLUMNS, symbol_of
from rpg.stores.search_batch import BLOCKS, FILES, UNITS
from rpg.stores.search_build import Builder, is_sampled, sample_every, spread_of
from rpg.stores.search_callers import Callers, caller_terms
from rpg.stores.search_fields import Fields, Lengths
from rpg.stores.search_index import (
    BEHIND,
    LEVEL_BITS,
    TEST_PATHS,
    Statistics,
    blob_of,
    is_test,
    postings,
    read_statistics,
    term_key,
)

if TYPE_CHECKING:
    from rpg.stores.index import Index

MOST_FILES = 10
"""Where more than one in so many files is to be counted again, all are."""

Called = tuple[str, str, str, bool]
"""(target, source, source's name, source is a test): what a target's callers say of it."""


class Calls(NamedTuple):
    """Of the changed files, what they call; before or after."""

    made: set[Called]
    order: list[str]
    """Symbols, as they stand: whoever has many callers knows the first of them."""


class Counted(NamedTuple):
    """Everything that search has of one file."""

    builder: Builder
    units: list[tuple[int, int, bytes, bytes]]
    lengths: Lengths
    is_sampled: list[bytes]


def update(before: Index, after: Index, touched: Sequence[str], embedder: Embedder | None = None) -> bool:
    """`touched` are the paths whose symbols, edges or words changed; `after` is being written to."""
    statistics, lengths = read_statistics(before), _lengths(before)
    numbers = {path: number for number, path in enumerate(statistics.files)}
    had = {path for path in touched if path in numbers}
    if had != {path for path in touched if after.value("SELECT bags FROM files WHERE path = ?", (path,))}:
        return False
    if any(statistics.languages[numbers[path]] != _language(after, path) for path in had):
        return False
    every = sample_every(after.value("SELECT count(*) FROM symbols"))
    if every != sample_every(before.value("SELECT count(*) FROM symbols")):
        return False
    affected = sorted((had | _called_differently(before, after, touched)).intersection(numbers))
    if len(affected) * MOST_FILES > len(numbers) + MOST_FILES * MOST_FILES:
        return False
    known = embedder or built_in()
    fields = Fields(lengths)
    old = [_counted(before, path, numbers[path], statistics, fields, known, every) for path in affected]
    new = [_counted(after, path, numbers[path], statistics, fields, known, every) for path in affected]
    for a, b in zip(old, new, strict=True):
        lengths = lengths.but_for(a.lengths, b.lengths)
        if a.builder.block_units != b.builder.block_units or a.builder.block_standing != b.builder.block_standing:
            return False
    if lengths.averages() != _lengths(before).averages():
        return False
    _replace_postings(after, old, new)
    after.executemany(
        "INSERT OR REPLACE INTO search_units VALUES (?, ?, ?, ?)", (row for each in new for row in each.units)
    )
    after.execute("UPDATE search_statistics SET value = ? WHERE key = 'lengths'", (orjson.dumps(lengths.sums),))
    if any(a.is_sampled != b.is_sampled for a, b in zip(old, new, strict=True)):
        _sample_anew(after, every, statistics)
    _rename(before, after, touched)
    return True


def _lengths(index: Index) -> Lengths:
    return Lengths(orjson.loads(index.value("SELECT value FROM search_statistics WHERE key = 'lengths'")))


def _called_differently(before: Index, after: Index, touched: Sequence[str]) -> set[str]:
    """Paths of symbols whose callers are others than they were, or stand in another order."""
    old, new = _calls(before, touched), _calls(after, touched)
    differing = old.made ^ new.made if old.order == new.order else old.made | new.made
    return {_path_of(index, target) for target in {each[0] for each in differing} for index in (before, after)}


def _calls(index: Index, paths: Sequence[str]) -> Calls:
    made: set[Called] = set()
    order: list[str] = []
    for path in paths:
        rows = index.rows(
            "SELECT t.symbol, s.symbol, s.name, s.test FROM symbols s CROSS JOIN edges e ON e.source = s.id"
            " AND e.kind = 'calls' JOIN symbols t ON t.id = e.target WHERE s.path = ?",
            (path,),
        )
        made.update((target, source, name, bool(test)) for target, source, name, test in rows)
        order += [id for (id,) in index.rows("SELECT symbol FROM symbols WHERE path = ? ORDER BY id", (path,))]
    return Calls(made, order)


def _language(index: Index, path: str) -> str:
    return str(index.value("SELECT language FROM symbols WHERE path = ? ORDER BY id", (path,)) or "")


def _path_of(index: Index, id: str) -> str:
    return str(index.value("SELECT path FROM symbols WHERE symbol = ?", (id,)) or "")


def _counted(
    index: Index, path: str, file: int, statistics: Statistics, fields: Fields, embedder: Embedder, every: int
) -> Counted:
    rows = index.rows(f"SELECT {SYMBOL_COLUMNS}, id FROM symbols WHERE path = ? ORDER BY id", (path,))
    symbols = {row[0]: symbol_of(row[:-1]) for row in rows}
    callers = _callers(index, path, symbols)
    first_block = statistics.file_blocks[file]
    builder = Builder(
        symbols,
        {row[0]: row[-1] for row in rows},
        callers,
        fields,
        embedder,
        (statistics.block_units[first_block], first_block, file),
    )
    builder.sample_every = every
    source, bags = index.rows("SELECT source, bags FROM files WHERE path = ?", (path,))[0]
    units = list(builder.units({path: bags}, {path: source}))
    ids = {row[-1]: row[0] for row in rows}
    sampled = [ids[symbol].encode() + vector for _, symbol, vector, _ in units if is_sampled(ids[symbol], every)]
    return Counted(builder, units, Lengths.of([bags], callers), sampled)


def _callers(index: Index, path: str, symbols: Mapping[str, Symbol]) -> Callers:
    """Of the symbols of one file."""
    rows = index.rows(
        "SELECT s.symbol, t.symbol, s.name, s.test, s.path FROM symbols t CROSS JOIN edges e ON e.target = t.id"
        " AND e.kind = 'calls' JOIN symbols s ON s.id = e.source WHERE t.path = ? ORDER BY e.rowid",
        (path,),
    )
    tests = {id for id, symbol in symbols.items() if is_test(symbol)}
    names: dict[str, str] = {}
    edges = []
    for source, target, name, test, source_path in rows:
        names[source] = name
        if test or TEST_PATHS.search(source_path):
            tests.add(source)
        edges.append(Edge(source, target, "calls", "", ()))
    return caller_terms(names, edges, tests)


def _replace_postings(index: Index, old: Iterable[Counted], new: Iterable[Counted]) -> None:
    """Of every term that is posted otherwise than before."""
    changes: dict[str, list[tuple[set[int], set[int]]]] = {}
    column = {UNITS: 0, BLOCKS: 1, FILES: 2}
    for is_new, counted in ((False, old), (True, new)):
        for each in counted:
            for kind, term, posting in each.builder.postings():
                change = changes.get(term)
                if change is None:
                    change = changes[term] = [(set(), set()), (set(), set()), (set(), set())]
                change[column[kind]][is_new].add(posting)
    for term, change in changes.items():
        if any(gone != come for gone, come in change):
            _replace_term(index, term, change)


def _replace_term(index: Index, term: str, change: list[tuple[set[int], set[int]]]) -> None:
    key = term_key(term)
    rows = index.rows("SELECT units, blocks, files FROM search_terms WHERE term = ?", (key,))
    blobs = []
    for blob, (gone, come) in zip(rows[0] if rows else (b"", b"", b""), change, strict=True):
        blobs.append(blob if gone == come else _replaced(blob, gone, come))
    if any(blobs):
        index.execute("INSERT OR REPLACE INTO search_terms VALUES (?, ?, ?, ?)", (key, *blobs))
    else:
        index.execute("DELETE FROM search_terms WHERE term = ?", (key,))


def _replaced(blob: bytes, gone: set[int], come: set[int]) -> bytes:
    numbers, levels = postings(blob)
    kept = {number | level << LEVEL_BITS for number, level in zip(numbers, levels, strict=True)}
    # By number, which stands in the lower bits.
    rising = sorted((kept - gone) | come, key=_number)
    return blob_of(array("Q", rising))


def _number(posting: int) -> int:
    return posting & ((1 << LEVEL_BITS) - 1)


def _sample_anew(index: Index, every: int, statistics: Statistics) -> None:
    rows = index.rows("SELECT s.symbol, u.unit FROM search_units u JOIN symbols s ON s.id = u.symbol")
    vectors = []
    for unit in [unit for id, unit in rows if is_sampled(id, every)]:
        block = bisect_right(statistics.block_units, unit) - 1
        vector = bytes(index.value("SELECT vector FROM search_units WHERE unit = ?", (unit,)))
        if vector and statistics.block_standing[block] != BEHIND:
            vectors.append(vector)
    for key, value in spread_of(vectors).items():
        index.execute("UPDATE search_statistics SET value = ? WHERE key = ?", (value, key))


def _rename(before: Index, after: Index, touched: Sequence[str]) -> None:
    """Where a name came or went, all tables of names are made anew."""
    if _names(before, touched) == _names(after, touched):
        return
    after.execute("DROP TABLE search_names; DROP TABLE search_trigrams")
    rows = after.rows(f"SELECT {SYMBOL_COLUMNS} FROM symbols ORDER BY id")
    search_names.build(after, map(symbol_of, rows))


def _names(index: Index, paths: Sequence[str]) -> set[tuple[str, str]]:
    return {
        (name, kind)
        for path in paths
        for name, kind in index.rows("SELECT name, kind FROM symbols WHERE path = ?", (path,))
    }
