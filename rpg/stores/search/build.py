"""Makes the search tables of a graph, in bulk: the term counts of many files at a time become arrays.

In: a graph, the term counts of its files, an embedder. Out: the tables of tables.py. numpy does this, and sums queries:
a sentence costs 4 ms of CPU on Django instead of 10 to 25 in plain Python, for 20 MB of a server's memory. mypyc gained
nothing, because the time went into lists of floats. Only search imports numpy.

Absent: arithmetic (batch.py), what a query does; names, which are in names.py.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import orjson

from rpg.graph import FUNCTION_KINDS, Graph, Symbol, without_libraries
from rpg.models.embedding import Embedder
from rpg.models.embedding_table import load_built_in
from rpg.stores.index.rows import numbers_of
from rpg.stores.search import field_weights, names, text_trigrams
from rpg.stores.search.batch import (
    BLOCKS,
    FILES,
    TERM_BITS,
    TERM_MASK,
    UNITS,
    Array,
    Batch,
    Segment,
    Unit,
    count_terms,
    laid_out,
    levels_of,
)
from rpg.stores.search.callers import Callers, caller_terms
from rpg.stores.search.fields import Fields, Lengths
from rpg.stores.search.numbers import gaps, gaps_head, is_shorter, width_of
from rpg.stores.search.places import Layout
from rpg.stores.search.postings import Posted
from rpg.stores.search.symbol_terms import terms_of_symbols
from rpg.stores.search.tables import BEHIND, FRONT, INSIDE, TEST_PATHS, is_test, term_key
from rpg.stores.search.vectors import Sample, Vectors
from rpg.system.arrays import numpy
from rpg.text.term_frequencies import HEAD_BYTES, Packed, unpack
from rpg.text.titles import container

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

VECTORS_SAMPLED = 2_000
"""How many vectors give mean and deviation of all cosines: two digits are enough."""
_Files = tuple[list[str], Iterable[bytes], Iterable[tuple[Any, ...]]]
"""Paths; at least the heads of term counts, in any order; and by path: path, terms."""
RanksBehind = Callable[[str, str], bool]
"""By path and language of a file, whether its units rank behind code as tests do."""
_WITH_TERMS = "FROM files WHERE length(terms) > 0"
_CODES = 20_000
"""How many counts are processed at a time: their arrays take some 20 MB."""
_PARTS = 8
"""Parts of the table of terms, by key: postings become rows one part after another, so that the temporary memory is
never needed for all at once."""
_PART_SHIFT = 60
"""Keys have 63 bits."""


def build(
    index: Index,
    graph: Graph,
    ranks_behind: RanksBehind,
    embedder: Embedder | None = None,
    numbers: Mapping[str, int] | None = None,
    report: Callable[[float], None] | None = None,
) -> None:
    """Fills the tables of search, which must not exist yet, from the files of the index. If no file has term counts,
    the graph's names and docs are used.

    `numbers`: those of the symbols, if they are not those of a new index. `report` gets the share of the files that is
    done.
    """
    rows = numbers or numbers_of(graph.symbols)
    graph = without_libraries(graph)
    paths, heads, files = _stored(index) or _of_names(graph)
    symbols = {symbol.id: symbol for symbol in graph.symbols}
    callers = callers_of(graph)
    lengths = Lengths.of(heads, callers)
    vocabulary = Vocabulary(embedder or load_built_in())
    builder = Builder(symbols, rows, callers, Fields(lengths), vocabulary, ranks_behind)
    builder.sample_every = sample_every(len(symbols))
    index.executemany(
        "INSERT INTO search_units VALUES (?, ?, ?, ?)", builder.units(_reported(files, len(paths), report))
    )
    index.executemany("INSERT INTO search_terms VALUES (?, ?, ?, ?)", builder.terms())
    languages = {symbol.path: symbol.language for symbol in graph.symbols}
    statistics = {
        "embedder": vocabulary.embedder.encode(),
        "lengths": orjson.dumps(lengths.sums),
        "sample": builder.sample().packed(),
        **builder.layout(paths, [languages.get(path, "") for path in paths]).statistics(),
    }
    index.executemany("INSERT INTO search_statistics VALUES (?, ?)", statistics.items())
    names.build(index, graph.symbols)
    text_trigrams.build(index)


def _reported(
    files: Iterable[tuple[Any, ...]], number: int, report: Callable[[float], None] | None
) -> Iterator[tuple[Any, ...]]:
    for done, file in enumerate(files):
        yield file
        if report is not None:
            report(done / number)


def _stored(index: Index) -> _Files | None:
    paths = [path for (path,) in index.rows(f"SELECT path {_WITH_TERMS} ORDER BY path")]
    if not paths:
        return None
    heads = (head for (head,) in index.each(f"SELECT substr(terms, 1, {HEAD_BYTES}) {_WITH_TERMS}"))
    return paths, heads, index.each(f"SELECT path, terms {_WITH_TERMS} ORDER BY path")


def _of_names(graph: Graph) -> _Files:
    file_terms = terms_of_symbols(graph.symbols)
    paths = sorted(file_terms)
    return paths, file_terms.values(), ((path, file_terms[path]) for path in paths)


def callers_of(graph: Graph) -> Callers:
    tests = {symbol.id for symbol in graph.symbols if is_test(symbol)}
    return caller_terms({symbol.id: symbol.name for symbol in graph.symbols}, graph.edges, tests)


def sample_every(symbols: int) -> int:
    return max(1, symbols // VECTORS_SAMPLED)


def is_sampled(id: str, every: int) -> bool:
    return crc32(id.encode()) % every == 0


class Vocabulary(dict[str, int]):
    """Terms by number, in order of appearance, and what an embedder knows of them."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__()
        self.embedder = embedder.name
        self.vectors = Vectors(embedder)
        self.rows: array[int] = array("i")
        """By number of a term, its row of the embedder; -1 if it has none."""
        self.term_keys: array[int] = array("q")
        """By number of a term, its key in the table."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        self.rows.append(self.vectors.rows.get(term, -1))
        self.term_keys.append(term_key(term))
        return number


class Builder:
    """One pass over the term counts: `units` comes first, the other methods return what it gathered."""

    def __init__(
        self,
        symbols: Mapping[str, Symbol],
        rows: Mapping[str, int],
        callers: Callers,
        fields: Fields,
        vocabulary: Vocabulary,
        ranks_behind: RanksBehind,
    ) -> None:
        self._ranks_behind = ranks_behind
        self._symbols = symbols
        self._rows = rows
        self._callers = callers
        self._fields = fields
        self._numbers = vocabulary
        self._vectors = vocabulary.vectors
        self._posted: list[tuple[list[Posted], ...]] = [([], [], []) for _ in range(_PARTS)]
        """By part of the table and by kind: terms, numbers and levels of each batch."""
        self._number = 0
        self._file_blocks = array("I")
        self._block_units = array("I")
        self._block_standing = bytearray()
        self.sample_every = 1
        self._sample: list[bytes] = []
        self._is_behind: dict[str, bool] = {}

    def units(self, files: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, int, bytes, bytes]]:
        """Units of the files, given as rows of the index sorted by path, with their term counts."""
        batch = Batch()
        for path, file_terms in files:
            self._add(batch, path, unpack(file_terms))
            if batch.length >= _CODES:
                yield from self._units_of(batch)
                batch = Batch()
        if batch.counted:
            yield from self._units_of(batch)
        self._file_blocks.append(len(self._block_units))
        self._block_units.append(self._number)

    def terms(self) -> Iterator[tuple[int, bytes, bytes, bytes]]:
        """Rows in the order of the table, which is the fastest to fill; returned data is freed."""
        key = numpy.array(self._numbers.term_keys, numpy.int64)
        terms = numpy.argsort(key).astype(numpy.uint32)
        bounds = numpy.searchsorted(key[terms] >> _PART_SHIFT, range(_PARTS + 1))
        place = numpy.zeros(len(key), numpy.uint32)
        """By number of a term, its position in its part."""
        for at, (start, end) in enumerate(pairwise(bounds.tolist())):
            part = terms[start:end]
            place[part] = numpy.arange(end - start)
            posted, self._posted[at] = self._posted[at], ([], [], [])
            kinds = []
            for kind in (UNITS, BLOCKS, FILES):
                term, number, level = _joined(posted[kind])
                posted[kind].clear()
                kinds.append(_blobs(place[term], number, level, end - start))
            yield from zip(key[part].tolist(), *kinds, strict=True)

    def posted(self, kind: int) -> Posted:
        """Term, number and level of each posting."""
        return _joined([each for part in self._posted for each in part[kind]])

    def sample(self) -> Sample:
        return Sample.of(self._sample, self._vectors.dimensions)

    def layout(self, files: list[str], languages: list[str]) -> Layout:
        """Numbered in order."""
        return Layout(
            files,
            languages,
            numpy.arange(len(files)),
            numpy.diff(numpy.array(self._file_blocks, numpy.int64)),
            numpy.arange(len(self._block_standing)),
            numpy.frombuffer(bytes(self._block_standing), numpy.uint8),
            numpy.diff(numpy.array(self._block_units, numpy.int64)),
            numpy.arange(self._number),
        )

    # Files to segments

    def _add(self, batch: Batch, path: str, file_terms: Packed) -> None:
        numbers, first_of_batch = self._numbers, batch.counted
        files, blocks, units = batch.segments
        batch.terms.append(numpy.array([numbers[term] for term in file_terms.terms], numpy.int64))
        batch.places.append(file_terms.places)
        batch.fields.append(file_terms.fields)
        batch.runs.append(file_terms.runs)
        batch.counts.append(file_terms.counts)
        batch.sizes.append(file_terms.sizes)
        batch.counted += file_terms.number
        batch.length += len(file_terms.places) // 4
        files.append(Segment(len(self._file_blocks), first_of_batch, 0))
        self._file_blocks.append(len(self._block_units))
        for (group, standing), members in self._blocks(path, file_terms).items():
            block = len(self._block_units)
            blocks.append(Segment(block, first_of_batch + 1 + group, len(files) - 1))
            self._block_units.append(self._number)
            self._block_standing.append(standing)
            for symbol, term_counts in members:
                callers = self._callers.get(symbol.id)
                if callers:
                    self._add_callers(batch, callers)
                units.append(
                    Segment(self._number, first_of_batch + 1 + file_terms.groups + term_counts, len(blocks) - 1)
                )
                batch.units.append(Unit(self._number, symbol, standing))
                batch.fingerprints.append(file_terms.fingerprint(term_counts))
                self._number += 1

    def _add_callers(self, batch: Batch, callers: Sequence[Mapping[str, int]]) -> None:
        """The names of callers, then those of tests, in separate fields."""
        place, numbers = len(batch.units), self._numbers
        for field, counts in zip((field_weights.CALLERS, field_weights.TEST_CALLERS), callers, strict=True):
            batch.callers += [(place, numbers[term], field, n) for term, n in counts.items()]

    def _blocks(self, path: str, file_terms: Packed) -> dict[tuple[int, int], list[tuple[Symbol, int]]]:
        """Symbols with the numbers of their term counts, by group and rank."""
        blocks: dict[tuple[int, int], list[tuple[Symbol, int]]] = defaultdict(list)
        for term_counts, (name, group) in enumerate(zip(file_terms.symbols, file_terms.group_of, strict=True)):
            symbol = self._symbols.get(f"{path}::{name}" if name else path)
            if symbol is not None:
                blocks[group, self._standing(path, symbol)].append((symbol, term_counts))
        return blocks

    def _standing(self, path: str, symbol: Symbol) -> int:
        is_behind = self._is_behind.get(path)
        if is_behind is None:
            is_behind = self._is_behind[path] = bool(TEST_PATHS.search(path)) or self._ranks_behind(
                path, symbol.language
            )
        if symbol.test or is_behind:
            return BEHIND
        outer = container(symbol.name, symbol.qualified_name)
        around = self._symbols.get(f"{path}::{outer}") if outer and symbol.kind in FUNCTION_KINDS else None
        return INSIDE if around is not None and around.kind in FUNCTION_KINDS else FRONT

    # Segments to postings and vectors

    def _units_of(self, batch: Batch) -> Iterator[tuple[int, int, bytes, bytes]]:
        numbers, around, starts = laid_out(batch.segments)
        segment, term, field, count = count_terms(batch, starts[UNITS])
        sums = self._vectors.nothing(len(numbers))
        if len(term):
            key = segment << TERM_BITS | term
            order = numpy.argsort(key, kind="stable")
            key, field, count = key[order], field[order], count[order]
            first = numpy.flatnonzero(numpy.concatenate(([True], key[1:] != key[:-1])))
            w = numpy.add.reduceat(self._fields.w(segment[order], field, count, len(numbers)), first)
            tenths = numpy.add.reduceat(self._vectors.tenths(field, count), first)
            key = key[first]
            segment, term = key >> TERM_BITS, key & TERM_MASK
            self._post(numbers, segment, term, levels_of(key, segment, term, w, around, starts), starts)
            self._vectors.add(sums, segment, numpy.array(self._numbers.rows)[term], tenths)
        block = around[starts[UNITS] :]
        of_unit = sums[starts[UNITS] :] + sums[block] + sums[around[block]]
        for unit, vector, fingerprint in zip(
            batch.units, self._vectors.build_vectors(of_unit), batch.fingerprints, strict=True
        ):
            name = unit.symbol.id
            if vector and unit.standing != BEHIND and is_sampled(name, self.sample_every):
                self._sample.append(vector)
            yield unit.number, self._rows[name], vector, fingerprint

    def _post(self, numbers: Array, segment: Array, term: Array, levels: Array, starts: list[int]) -> None:
        ends = [0, *numpy.searchsorted(segment, starts[1:]), len(term)]
        part_of = (numpy.array(self._numbers.term_keys, numpy.int64) >> _PART_SHIFT).astype(numpy.uint8)[term]
        for kind in (FILES, BLOCKS, UNITS):
            start, end = ends[kind], ends[kind + 1]
            order = numpy.argsort(part_of[start:end], kind="stable") + start
            bounds = numpy.searchsorted(part_of[order], range(_PARTS + 1)).tolist()
            for part, (first, last) in enumerate(pairwise(bounds)):
                chosen = order[first:last]
                number = numbers[segment[chosen]].astype(numpy.uint32)
                self._posted[part][kind].append((term[chosen].astype(numpy.uint32), number, levels[chosen]))


def _joined(posted: list[Posted]) -> Posted:
    if not posted:
        return numpy.zeros(0, numpy.uint32), numpy.zeros(0, numpy.uint32), numpy.zeros(0, numpy.uint8)
    term, number, level = (numpy.concatenate(column) for column in zip(*posted, strict=True))
    return term, number, level


def _blobs(term: Array, number: Array, level: Array, count: int) -> list[bytes]:
    """By term, a blob of its postings (see numbers.py)."""
    order = numpy.argsort(term, kind="stable")
    number = number[order]
    ends = numpy.cumsum(numpy.bincount(term, minlength=count))
    levels = level[order].tobytes()
    if not len(number):
        return [b""] * count
    narrow, wide = number.astype("<u2").tobytes(), number.astype("<u4").tobytes()
    highest = number[numpy.maximum(ends - 1, 0)].tolist()
    starts = numpy.concatenate(([0], ends[:-1]))
    stream, bounds = gaps(number.astype(numpy.int32), starts[ends > starts])
    spans = pairwise(bounds.tolist())
    blobs = []
    start = 0
    for end, last in zip(ends.tolist(), highest, strict=True):
        if end == start:
            blobs.append(b"")
            continue
        width = width_of(last)
        first, after = next(spans)
        if is_shorter(after - first, end - start, width):
            numbers = gaps_head(end - start) + stream[first:after]
        else:
            numbers = bytes((width,)) + (wide if width == 4 else narrow)[width * start : width * end]
        blobs.append(numbers + levels[start:end])
        start = end
    return blobs
