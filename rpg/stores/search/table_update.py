"""Updates the search index: replaces what it has of files whose words or callers changed, and of files added or
deleted.

In: the index before and after, and what changed in between. Out: the same tables as `search_build.build` makes, except
for numbers; or False if that has to be called, because a weight changed on which all postings depend, or more changed
than is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from rpg.graph import Edge
from rpg.models.embedding import Embedder
from rpg.models.embedding_table import load_built_in
from rpg.stores.index.stored_graph import SYMBOL_COLUMNS, build_id_condition, build_id_parameters, symbol_of
from rpg.stores.search import names, postings, text_trigrams
from rpg.stores.search.batch import BLOCKS, FILES, UNITS, Array
from rpg.stores.search.build import Builder, RanksBehind, Vocabulary, is_sampled, sample_every
from rpg.stores.search.callers import Callers, caller_terms
from rpg.stores.search.field_weights import MOST_CALLERS
from rpg.stores.search.fields import Fields, Lengths
from rpg.stores.search.places import Layout, free, owners, renumber
from rpg.stores.search.tables import BEHIND, TEST_PATHS, is_test, read_statistics
from rpg.stores.search.vectors import Sample
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST_FILES = 10
"""If more than one in this many files must be counted again, all are."""

Row = tuple[Any, ...]
Called = tuple[str, str, str, bool]
"""(target, source, source's name, source is a test): what a target's callers contribute to it."""


class FileCalls(NamedTuple):
    """What the changed files call; before or after."""

    calls: set[Called]
    order: list[str]
    """Symbols in order, because only the first of many callers count."""


class Counted(NamedTuple):
    """Everything that search has of some files."""

    builder: Builder
    units: list[tuple[int, int, bytes, bytes]]
    symbols: list[str]
    """Symbol ids of the units."""
    layout: Layout
    lengths: Lengths


def update(
    before: Index,
    after: Index,
    touched: Sequence[str],
    ranks_behind: RanksBehind,
    embedder: Embedder | None = None,
) -> bool:
    """`touched`: the paths whose symbols, edges or words changed; `after` is being written to."""
    if not _has_words(before) or not _has_words(after):
        return False
    statistics, lengths = read_statistics(before), _lengths(before)
    own = {path for path in touched if _own(before, path) != _own(after, path)}
    affected = sorted(own | _called_differently(before, after, touched))
    if len(affected) * MOST_FILES > len(statistics.files) + MOST_FILES * MOST_FILES:
        return False
    every = sample_every(_symbols(after))
    fields, vocabulary = Fields(lengths), Vocabulary(embedder or load_built_in())
    old = _counted(before, affected, fields, vocabulary, every, ranks_behind)
    new = _counted(after, affected, fields, vocabulary, every, ranks_behind)
    counted = lengths.but_for(old.lengths, new.lengths)
    if counted.averages() != lengths.averages():
        return False
    layout = Layout.of(statistics)
    old_layout = layout.chosen(layout.places(set(affected)))
    new_layout = _numbered(layout, old, old_layout, new)
    postings.replace(after, list(vocabulary), _columns(old, old_layout, new, new_layout))
    _replace_units(after, old_layout, new_layout, new)
    changed = layout.but_for(set(old_layout.files), new_layout)
    if every == sample_every(_symbols(before)):
        sample = Sample.unpacked(statistics.sample).but_for(old.builder.sample(), new.builder.sample())
    else:
        sample = _sampled_again(after, changed, every, vocabulary)
    old_statistics = layout.statistics() | {"lengths": orjson.dumps(lengths.sums), "sample": statistics.sample}
    now = changed.statistics() | {"lengths": orjson.dumps(counted.sums), "sample": sample.packed()}
    after.executemany(
        "UPDATE search_statistics SET value = ? WHERE key = ?",
        [(value, key) for key, value in now.items() if value != old_statistics[key]],
    )
    _rename(before, after, touched)
    text_trigrams.update(before, after, touched)
    return True


def _has_words(index: Index) -> bool:
    """Whether units were made of what the encoder counted, and not of names only (symbol_terms.py)."""
    return bool(index.rows("SELECT 1 FROM files WHERE terms != x'' LIMIT 1"))


def _own(index: Index, path: str) -> tuple[list[Row], list[Row]]:
    """Everything about a file's units except their callers."""
    symbols = index.rows(f"SELECT id, {SYMBOL_COLUMNS} FROM symbols WHERE path = ? ORDER BY id", (path,))
    return symbols, index.rows("SELECT language, source, terms FROM files WHERE path = ?", (path,))


def _symbols(index: Index) -> int:
    return int(index.value("SELECT count(*) FROM symbols"))


def _lengths(index: Index) -> Lengths:
    return Lengths(orjson.loads(index.value("SELECT value FROM search_statistics WHERE key = 'lengths'")))


# Symbols with changed callers


def _called_differently(before: Index, after: Index, touched: Sequence[str]) -> set[str]:
    """Paths of symbols whose callers changed, or changed order."""
    old, new = _calls(before, touched), _calls(after, touched)
    targets = {each[0] for each in old.calls ^ new.calls}
    if _shared_order(old, new) != _shared_order(new, old):
        unsure = {each[0] for each in old.calls | new.calls} - targets
        targets |= {target for target in unsure if any(_is_called_much(index, target) for index in (before, after))}
    return {_path_of(index, target) for target in targets for index in (before, after)} - {""}


def _calls(index: Index, paths: Sequence[str]) -> FileCalls:
    calls: set[Called] = set()
    order: list[str] = []
    for path in paths:
        rows = index.rows(
            "SELECT t.symbol, s.symbol, s.name, s.test FROM symbols s CROSS JOIN edges e ON e.source = s.id"
            " AND e.kind = 'calls' JOIN symbols t ON t.id = e.target WHERE s.path = ?",
            (path,),
        )
        calls.update((target, source, name, bool(test)) for target, source, name, test in rows)
        order += [id for (id,) in index.rows("SELECT symbol FROM symbols WHERE path = ? ORDER BY id", (path,))]
    return FileCalls(calls, order)


def _shared_order(these: FileCalls, others: FileCalls) -> list[str]:
    known = set(others.order)
    return [id for id in these.order if id in known]


def _is_called_much(index: Index, id: str) -> bool:
    """Whether it has so many callers that not all count."""
    calls = index.value(
        "SELECT count(*) FROM symbols s JOIN edges e ON e.target = s.id AND e.kind = 'calls' WHERE "
        f"{build_id_condition('s')}",
        build_id_parameters(id),
    )
    return int(calls) >= MOST_CALLERS


def _path_of(index: Index, id: str) -> str:
    return str(
        index.value(f"SELECT path FROM symbols WHERE {build_id_condition('symbols')}", build_id_parameters(id)) or ""
    )


# What search has of some files


def _counted(
    index: Index,
    paths: Sequence[str],
    fields: Fields,
    vocabulary: Vocabulary,
    every: int,
    ranks_behind: RanksBehind,
) -> Counted:
    rows = [
        row
        for path in paths
        for row in index.rows(f"SELECT {SYMBOL_COLUMNS}, id FROM symbols WHERE path = ? ORDER BY id", (path,))
    ]
    symbols = {row[0]: symbol_of(row[:-1]) for row in rows}
    tests = {id for id, symbol in symbols.items() if is_test(symbol)}
    callers = {target: terms for path in paths for target, terms in _callers(index, path, tests).items()}
    file_terms: dict[str, bytes] = {}
    for path in paths:
        for (words,) in index.rows("SELECT terms FROM files WHERE path = ? AND terms != x''", (path,)):
            file_terms[path] = words
    numbers = {row[0]: row[-1] for row in rows}
    builder = Builder(symbols, numbers, callers, fields, vocabulary, ranks_behind)
    builder.sample_every = every
    units = list(builder.units((path, file_terms[path]) for path in sorted(file_terms)))
    ids = {row[-1]: row[0] for row in rows}
    files = sorted(file_terms)
    languages = {symbol.path: symbol.language for symbol in symbols.values()}
    layout = builder.layout(files, [languages.get(path, "") for path in files])
    return Counted(builder, units, [ids[row[1]] for row in units], layout, Lengths.of(file_terms.values(), callers))


def _callers(index: Index, path: str, known_tests: set[str]) -> Callers:
    """The callers of the symbols of one file."""
    rows = index.rows(
        "SELECT s.symbol, t.symbol, s.name, s.test, s.path FROM symbols t CROSS JOIN edges e ON e.target = t.id"
        " AND e.kind = 'calls' JOIN symbols s ON s.id = e.source WHERE t.path = ? ORDER BY e.source, e.position",
        (path,),
    )
    tests = set(known_tests)
    names: dict[str, str] = {}
    edges = []
    for source, target, name, test, source_path in rows:
        names[source] = name
        if test or TEST_PATHS.search(source_path):
            tests.add(source)
        edges.append(Edge(source, target, "calls", "", ()))
    return caller_terms(names, edges, tests)


# Assigning numbers


def _numbered(layout: Layout, old: Counted, old_layout: Layout, new: Counted) -> Layout:
    """The new layout; whatever was there before keeps its numbers."""
    files = dict(zip(old_layout.files, old_layout.file_numbers.tolist(), strict=True))
    blocks = dict(zip(_blocks(old), old_layout.block_numbers.tolist(), strict=True))
    units = dict(zip(old.symbols, old_layout.unit_numbers.tolist(), strict=True))
    return new.layout._replace(
        file_numbers=_array(renumber(files, new.layout.files, free(layout.file_numbers))),
        block_numbers=_array(renumber(blocks, _blocks(new), free(layout.block_numbers))),
        unit_numbers=_array(renumber(units, new.symbols, free(layout.unit_numbers))),
    )


def _blocks(counted: Counted) -> list[str]:
    """Identified by the first unit of each."""
    starts = numpy.cumsum(counted.layout.units) - counted.layout.units
    return [counted.symbols[start] for start in starts.tolist()]


def _array(numbers: list[int]) -> Array:
    return numpy.array(numbers, numpy.int64)


def _columns(
    old: Counted, old_layout: Layout, new: Counted, new_layout: Layout
) -> list[tuple[postings.Posted, postings.Posted]]:
    """Old and new postings, as the columns of `search_terms`."""
    numbers = (
        (UNITS, old_layout.unit_numbers, new_layout.unit_numbers),
        (BLOCKS, old_layout.block_numbers, new_layout.block_numbers),
        (FILES, old_layout.file_numbers, new_layout.file_numbers),
    )
    return [(_posted(old, kind, before), _posted(new, kind, after)) for kind, before, after in numbers]


def _posted(counted: Counted, kind: int, numbers: Array) -> postings.Posted:
    term, number, level = counted.builder.posted(kind)
    return term, numbers[number], level


def _replace_units(index: Index, old_layout: Layout, new_layout: Layout, new: Counted) -> None:
    numbers = new_layout.unit_numbers.tolist()
    removed = set(old_layout.unit_numbers.tolist()).difference(numbers)
    index.executemany("DELETE FROM search_units WHERE unit = ?", [(number,) for number in sorted(removed)])
    rows = [(number, *row[1:]) for number, row in zip(numbers, new.units, strict=True)]
    index.executemany("INSERT OR REPLACE INTO search_units VALUES (?, ?, ?, ?)", rows)


# What depends on everything


def _sampled_again(index: Index, layout: Layout, every: int, vocabulary: Vocabulary) -> Sample:
    standing = dict(zip(layout.unit_numbers.tolist(), layout.standing[owners(layout.units)].tolist(), strict=True))
    rows = index.rows("SELECT s.symbol, u.unit FROM search_units u JOIN symbols s ON s.id = u.symbol")
    chosen = [unit for id, unit in rows if is_sampled(id, every) and standing[unit] != BEHIND]
    vectors = [index.value("SELECT vector FROM search_units WHERE unit = ?", (unit,)) for unit in chosen]
    return Sample.of(vectors, vocabulary.vectors.dimensions)


def _rename(before: Index, after: Index, touched: Sequence[str]) -> None:
    old = {name for path in touched for name in names.names_of(before, path)}
    new = {name for path in touched for name in names.names_of(after, path)}
    names.update(after, old - new, new - old)
