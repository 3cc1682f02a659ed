"""The search index: postings by term and vectors, in tables of its own in the index's SQLite file.

In: a graph and the bags of its files. Out: tables that a question is answered from with a few look-ups.
FTS5 cannot carry the formula (fields are weighted before saturation), so postings are blobs: for each term the units,
blocks and files that have it, each with a level of one byte.

Units are numbered from 0. Those of a block stand together; a block is what shares class, file, and whether it stands
behind other code, as tests do. A posting of a block or file stands for all of its units.

A term's W (see search_weights.py) is summed over unit, block and file before it saturates. A level is what a posting
adds to W / (SATURATION + W) of what is around it, so that the score of a unit is a plain sum over its postings, those
of its block and those of its file, and a question never has to bring them together by term.
Absent: scores, which belong to a question; names, which are in search_names.py.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from zlib import crc32

import orjson

from rpg.bags import Bag, Bags, little, unpack
from rpg.graph import FUNCTION_KINDS, Graph, Symbol
from rpg.models.embedding import Embedder, built_in, spread
from rpg.stores import search_names
from rpg.stores.index_rows import numbers_of
from rpg.stores.numbers import packed, unpacked
from rpg.stores.search_fields import LEVELS, Callers, Collector, Fields, Lengths, Tally, caller_terms
from rpg.stores.search_shapes import Shapes
from rpg.stores.search_weights import CALLERS, TEST_CALLERS
from rpg.stores.symbol_bags import bags_of_symbols

if TYPE_CHECKING:
    from rpg.stores.index import Index

TABLES = """
CREATE TABLE search_units (
    unit INTEGER PRIMARY KEY,
    symbol INTEGER NOT NULL,         -- its id in `symbols`
    vector BLOB NOT NULL,            -- int8; empty where the embedder knows nothing of it
    shape BLOB NOT NULL              -- see search_shapes.py; empty where there is no source
);

-- A term is named by its hash. Each blob holds numbers (see numbers.py), then a level for each.
CREATE TABLE search_terms (
    term INTEGER PRIMARY KEY,
    units BLOB NOT NULL,
    blocks BLOB NOT NULL,
    files BLOB NOT NULL
);

-- What a question must know of the whole: the fields of `Statistics`.
CREATE TABLE search_statistics (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""

VECTORS_SAMPLED = 2_000
"""Vectors from which mean and deviation of all cosines follow: two digits are enough."""

TEST_PATHS = re.compile(
    r"(^|/)(tests?|testing|__tests__|specs?|testdata|testsuite|fixtures|e2e|benches|benchmarks?)(/|$)"
    r"|(^|/)(conftest|test_[^/]*|[^/]*_tests?|tests)\.\w+$|\.(test|spec|bench)\.\w+$|Tests?\.(java|kt|cs)$",
    re.IGNORECASE,
)
"""Tests, their data and benchmarks: code that shows how other code is used, and is seldom what is sought."""

FRONT, BEHIND, INSIDE = range(3)
"""How a unit stands among others: behind are tests and declarations, inside are functions of functions."""

DECLARATIONS = re.compile(r"\.d\.[cm]?ts$|\.pyi$")
"""Files that say again what stands in others."""

SHARE_OF_LEVEL = [(level + 0.5) / LEVELS for level in range(LEVELS)]
"""What a level of a posting adds to W / (SATURATION + W)."""


class File(Protocol):
    """What is read of a file that was encoded."""

    @property
    def path(self) -> str: ...
    @property
    def source(self) -> bytes: ...
    @property
    def bags(self) -> bytes: ...


class Statistics(NamedTuple):
    """What a question must know of the whole index, whatever its terms."""

    embedder: str
    files: list[str]
    """Paths by number."""
    languages: list[str]
    """Of the files."""
    file_blocks: array[int]
    """First block of each file; the next file's first is its end."""
    block_units: array[int]
    """First unit of each block, and at the end the number of units."""
    block_standing: bytes
    """FRONT, BEHIND or INSIDE."""
    mean: array[float]
    """Of the vectors of units that do not stand behind; empty where there are none."""
    covariance: list[array[float]]


def build(
    index: Index,
    graph: Graph,
    files: Iterable[File],
    embedder: Embedder | None = None,
    numbers: Mapping[str, int] | None = None,
) -> None:
    """Fill the tables of search, which must not exist yet. Where no file has bags, the graph's names and docs serve.

    `numbers` are those of the symbols, where they are not those of an index that was just made.
    """
    known = {file.path: file for file in files if file.bags}
    bags = {path: file.bags for path, file in known.items()} or bags_of_symbols(graph.symbols)
    symbols = {symbol.id: symbol for symbol in graph.symbols}
    callers = callers_of(graph)
    lengths = Lengths.of(bags.values(), callers)
    builder = Builder(symbols, numbers or numbers_of(graph.symbols), callers, Fields(lengths), embedder or built_in())
    builder.sample_every = sample_every(len(symbols))
    index.execute(TABLES)
    sources = {path: file.source for path, file in known.items()}
    index.executemany("INSERT INTO search_units VALUES (?, ?, ?, ?)", builder.units(bags, sources))
    index.executemany("INSERT INTO search_terms VALUES (?, ?, ?, ?)", builder.terms())
    languages = {symbol.path: symbol.language for symbol in graph.symbols}
    statistics = builder.statistics(lengths, [(path, languages.get(path, "")) for path in sorted(bags)])
    index.executemany("INSERT INTO search_statistics VALUES (?, ?)", statistics.items())
    search_names.build(index, graph.symbols)


def drop(index: Index) -> None:
    index.execute(
        "DROP TABLE search_units; DROP TABLE search_terms; DROP TABLE search_statistics;"
        "DROP TABLE search_names; DROP TABLE search_trigrams"
    )


def callers_of(graph: Graph) -> Callers:
    tests = {symbol.id for symbol in graph.symbols if is_test(symbol)}
    return caller_terms({symbol.id: symbol.name for symbol in graph.symbols}, graph.edges, tests)


def is_test(symbol: Symbol) -> bool:
    return symbol.test or TEST_PATHS.search(symbol.path) is not None


def sample_every(symbols: int) -> int:
    return max(1, symbols // VECTORS_SAMPLED)


def is_sampled(id: str, every: int) -> bool:
    return crc32(id.encode()) % every == 0


def read_statistics(index: Index) -> Statistics:
    values = {key: bytes(value) for key, value in index.rows("SELECT key, value FROM search_statistics")}
    mean, covariance = _floats(values["mean"]), _floats(values["covariance"])
    return Statistics(
        values["embedder"].decode(),
        orjson.loads(values["files"]),
        orjson.loads(values["languages"]),
        _read(values["file_blocks"]),
        _read(values["block_units"]),
        values["block_standing"],
        mean,
        [covariance[i : i + len(mean)] for i in range(0, len(covariance), len(mean) or 1)],
    )


def postings(blob: bytes) -> tuple[array[int], bytes]:
    """Numbers and levels of a blob of `search_terms`."""
    end = len(blob) - len(blob) // (blob[0] + 1) if blob else 0
    return unpacked(blob[:end]), blob[end:]


def term_key(term: str) -> int:
    """What a term is called in `search_terms`: 63 bits of a hash that is the same everywhere."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little") >> 1


class _Postings(dict[str, "array[int]"]):
    """By term what has it: numbers, each with its level above LEVEL_BITS."""

    def __missing__(self, term: str) -> array[int]:
        collected = self[term] = array("Q")
        return collected

    def collectors(self, terms: Iterable[str]) -> list[Collector]:
        return [self[term].append for term in terms]

    def blob(self, term: str) -> bytes:
        """As a table keeps it; see `postings`."""
        return blob_of(self.get(term))


def blob_of(collected: array[int] | None) -> bytes:
    """The postings of one term, by rising number, as a table keeps them."""
    if not collected:
        return b""
    halves: array[int] = array("I")
    halves.frombytes(_bytes(collected))  # as written, the number comes first
    halves = little(halves)
    return packed(halves[::2]) + bytes(halves[1::2].tolist())


class Builder:
    """One walk over the bags: `units` goes first, the rest gives what it gathered on the way. Units, blocks and files
    are numbered from those that `first` says."""

    def __init__(
        self,
        symbols: Mapping[str, Symbol],
        rows: Mapping[str, int],
        callers: Callers,
        fields: Fields,
        embedder: Embedder,
        first: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self._symbols = symbols
        self._rows = rows
        self._callers = callers
        self._fields = fields
        self._embedder = embedder
        self.of_units, self.of_blocks, self.of_files = _Postings(), _Postings(), _Postings()
        self._number, self._first_block, self._first_file = first
        self._file_blocks = array("I")
        self.block_units = array("I")
        self.block_standing = bytearray()
        self.sample_every = 1
        self._sample: list[bytes] = []
        self._is_behind: dict[str, bool] = {}

    def units(self, bags: Mapping[str, bytes], sources: Mapping[str, bytes]) -> Iterator[tuple[int, int, bytes, bytes]]:
        for path in sorted(bags):
            yield from self._units_of(path, unpack(bags[path]), sources.get(path, b""))
        self._file_blocks.append(self._first_block + len(self.block_units))
        self.block_units.append(self._number)

    def terms(self) -> list[tuple[int, bytes, bytes, bytes]]:
        kinds = (self.of_units, self.of_blocks, self.of_files)
        terms = dict.fromkeys(term for postings in kinds for term in postings)
        rows = [(term_key(term), *(postings.blob(term) for postings in kinds)) for term in terms]
        rows.sort()  # a table is filled fastest in its own order
        return rows  # type: ignore[return-value]

    def statistics(self, lengths: Lengths, files: Sequence[tuple[str, str]]) -> dict[str, bytes]:
        """`files` are paths and languages, in order."""
        return {
            "embedder": self._embedder.name.encode(),
            "files": orjson.dumps([path for path, _ in files]),
            "languages": orjson.dumps([language for _, language in files]),
            "file_blocks": _bytes(self._file_blocks),
            "block_units": _bytes(self.block_units),
            "block_standing": bytes(self.block_standing),
            "lengths": orjson.dumps(lengths.sums),
            **spread_of(self._sample),
        }

    def _units_of(self, path: str, bags: Bags, source: bytes) -> Iterator[tuple[int, int, bytes, bytes]]:
        terms, fields, embedder = bags.terms, self._fields, self._embedder
        rows = embedder.rows(terms)
        w_of_file = [0.0] * len(terms)
        tally = Tally(fields, self.of_files.collectors(terms), rows)
        file = self._first_file + len(self._file_blocks)
        of_file = tally.post(file, bags.words, [0.0] * len(terms), w_of_file)
        self._file_blocks.append(self._first_block + len(self.block_units))
        blocks = Tally(fields, self.of_blocks.collectors(terms), rows)
        units = Tally(fields, self.of_units.collectors(terms), rows)
        numbers: dict[str, int] = {}
        shapes = Shapes(source)
        for (group, standing), members in self._blocks(path, bags).items():
            w_of_block = w_of_file.copy()
            block = self._first_block + len(self.block_units)
            of_group = of_file + blocks.post(block, bags.groups[group], w_of_file, w_of_block)
            self.block_units.append(self._number)
            self.block_standing.append(standing)
            for symbol, bag in members:
                callers = self._callers.get(symbol.id)
                if callers:
                    if not numbers:
                        numbers = {term: i for i, term in enumerate(terms)}
                    self._add_callers(units, numbers, callers)
                vector = embedder.vector(of_group + units.post(self._number, bag, w_of_block))
                if vector and standing != BEHIND and is_sampled(symbol.id, self.sample_every):
                    self._sample.append(vector)
                yield self._number, self._rows[symbol.id], vector, shapes.of(symbol)
                self._number += 1

    def _add_callers(self, tally: Tally, numbers: dict[str, int], callers: Sequence[Mapping[str, int]]) -> None:
        """What the names of callers, then those of tests, add to W of the next unit."""
        for field, counts in zip((CALLERS, TEST_CALLERS), callers, strict=True):
            if counts:
                factor = self._fields.factor(field, sum(counts.values()))
                for term, n in counts.items():
                    number = numbers.get(term)
                    if number is None:
                        number = numbers[term] = tally.term(self.of_units[term].append)
                    tally.add(number, factor * n)

    def _blocks(self, path: str, bags: Bags) -> dict[tuple[int, int], list[tuple[Symbol, Bag]]]:
        """Symbols with their bags by group and by how they stand."""
        blocks: dict[tuple[int, int], list[tuple[Symbol, Bag]]] = defaultdict(list)
        for unit in bags.units:
            symbol = self._symbols.get(f"{path}::{unit.symbol}" if unit.symbol else path)
            if symbol is not None:
                blocks[unit.group, self._standing(path, symbol)].append((symbol, unit.words))
        return blocks

    def _standing(self, path: str, symbol: Symbol) -> int:
        is_behind = self._is_behind.get(path)
        if is_behind is None:
            is_behind = self._is_behind[path] = bool(TEST_PATHS.search(path) or DECLARATIONS.search(path))
        if symbol.test or is_behind:
            return BEHIND
        outer = symbol.qualified_name.rpartition(".")[0]
        around = self._symbols.get(f"{path}::{outer}") if outer and symbol.kind in FUNCTION_KINDS else None
        return INSIDE if around is not None and around.kind in FUNCTION_KINDS else FRONT


def spread_of(vectors: Iterable[bytes]) -> dict[str, bytes]:
    """The statistics that follow from a sample of the vectors."""
    mean, covariance = spread(vectors)
    return {"mean": _bytes(array("f", mean)), "covariance": _bytes(array("f", chain.from_iterable(covariance)))}


def _bytes(values: array[Any]) -> bytes:
    return little(values).tobytes()


def _read(blob: bytes) -> array[int]:
    values = array("I")
    values.frombytes(blob)
    return little(values)


def _floats(blob: bytes) -> array[float]:
    values = array("f")
    values.frombytes(blob)
    return little(values)  # type: ignore[arg-type, return-value]
