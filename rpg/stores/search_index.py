"""The search index: postings by term and vectors, in tables of its own in the index's SQLite file.

In: a graph and the bags of its files. Out: tables that a question is answered from with a few look-ups.
FTS5 cannot carry the formula (fields are weighted before saturation), so postings are blobs: for each term the units,
blocks and files that have it, with W (see search_weights.py) in one byte.

A unit's key is its block << BLOCK_BITS | its place in it. A block is what shares class, file and being a test; a
posting of a file or a block stands for all of its units and needs no look-up to find them.
Absent: scores, which belong to a question; names, which are in search_names.py.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, Protocol
from zlib import crc32

import orjson

from rpg.bags import Bags, little, unpack
from rpg.graph import Graph
from rpg.models.embedding import Embedder, built_in, spread
from rpg.stores import search_names
from rpg.stores import search_weights as weights
from rpg.stores.search_fields import Fields, caller_terms, vector_words
from rpg.stores.symbol_bags import bags_of_symbols

if TYPE_CHECKING:
    from rpg.stores.index import Index

TABLES = """
CREATE TABLE search_units (
    unit INTEGER PRIMARY KEY,
    symbol TEXT NOT NULL,            -- the symbol id
    vector BLOB NOT NULL             -- int8; empty where the embedder knows nothing of it
);

-- A term is named by its hash. Each blob holds keys (32 bits each), then a level of W for each.
CREATE TABLE search_terms (
    term INTEGER PRIMARY KEY,
    units BLOB NOT NULL,
    blocks BLOB NOT NULL,
    files BLOB NOT NULL
);

-- What a question must know of the whole: the fields of `Statistics`.
CREATE TABLE search_statistics (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""

BLOCK_BITS = 10
BLOCK_SIZE = 1 << BLOCK_BITS
"""Units in a block; a class with more takes several blocks."""

VECTORS_SAMPLED = 2_000
"""Vectors from which mean and deviation of all cosines follow: two digits are enough."""

TEST_PATHS = re.compile(
    r"(^|/)(tests?|testing|__tests__|specs?|testdata|testsuite|fixtures|e2e|benches|benchmarks?)(/|$)"
    r"|(^|/)(conftest|test_[^/]*|[^/]*_tests?|tests)\.\w+$|\.(test|spec|bench)\.\w+$|Tests?\.(java|kt|cs)$",
    re.IGNORECASE,
)
"""Tests, their data and benchmarks: code that shows how other code is used, and is seldom what is sought."""


class File(Protocol):
    """What is read of a file that was encoded."""

    @property
    def path(self) -> str: ...
    @property
    def bags(self) -> bytes: ...


class Statistics(NamedTuple):
    """What a question must know of the whole index, whatever its terms."""

    embedder: str
    files: list[str]
    """Paths by number."""
    languages: list[str]
    """Of the files."""
    block_files: array[int]
    block_units: array[int]
    """How many units each block has."""
    block_tests: bytes
    """1 where the units of the block are tests."""
    mean: list[float]
    """Of the vectors of units that are no tests; empty where there are none."""
    covariance: list[list[float]]


def build(index: Index, graph: Graph, files: Iterable[File], embedder: Embedder | None = None) -> None:
    """Fill the tables of search, which must not exist yet. Where no file has bags, the graph's names and docs serve."""
    packed = {file.path: file.bags for file in files if file.bags} or bags_of_symbols(graph.symbols)
    builder = _Builder(graph, packed, embedder or built_in())
    index.execute(TABLES)
    index.executemany("INSERT INTO search_units VALUES (?, ?, ?)", builder.units())
    index.executemany("INSERT INTO search_terms VALUES (?, ?, ?, ?)", builder.terms())
    index.executemany("INSERT INTO search_statistics VALUES (?, ?)", builder.statistics().items())
    search_names.build(index, graph.symbols)


def read_statistics(index: Index) -> Statistics:
    values = {key: bytes(value) for key, value in index.rows("SELECT key, value FROM search_statistics")}
    return Statistics(
        values["embedder"].decode(),
        orjson.loads(values["files"]),
        orjson.loads(values["languages"]),
        _read("I", values["block_files"]),
        _read("I", values["block_units"]),
        values["block_tests"],
        orjson.loads(values["mean"]),
        orjson.loads(values["covariance"]),
    )


def postings(blob: bytes) -> tuple[array[int], bytes]:
    """Keys and levels of W of a blob of `search_terms`."""
    n = len(blob) // 5
    return _read("I", blob[: 4 * n]), blob[4 * n :]


def term_key(term: str) -> int:
    """What a term is called in `search_terms`: 63 bits of a hash that is the same everywhere."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little") >> 1


W_OF_LEVEL = [
    weights.LEVELS_FROM * (weights.LEVELS_TO / weights.LEVELS_FROM) ** (level / weights.LEVELS)
    for level in range(weights.LEVELS + 1)
]
"""What a level of a posting stands for."""

_PER_LEVEL = weights.LEVELS / math.log(weights.LEVELS_TO / weights.LEVELS_FROM)
_LEVEL_OFFSET = 0.5 - math.log(weights.LEVELS_FROM) * _PER_LEVEL

_UNITS, _BLOCKS, _FILES = range(3)


class _Posting:
    """What has a term: units, blocks, files."""

    __slots__ = ("keys", "levels")

    def __init__(self) -> None:
        self.keys = (array("I"), array("I"), array("I"))
        self.levels = (bytearray(), bytearray(), bytearray())

    def blobs(self) -> Iterator[bytes]:
        for keys, levels in zip(self.keys, self.levels, strict=True):
            yield _bytes(keys) + levels


class _Builder:
    """One walk over the bags: `units` goes first, the rest gives what it gathered on the way."""

    def __init__(self, graph: Graph, packed: Mapping[str, bytes], embedder: Embedder) -> None:
        self._packed = packed
        self._embedder = embedder
        self._symbols = {symbol.id: symbol.test for symbol in graph.symbols}
        self._languages = {symbol.path: symbol.language for symbol in graph.symbols}
        tests = {symbol.id for symbol in graph.symbols if symbol.test or TEST_PATHS.search(symbol.path)}
        self._callers = caller_terms(graph, tests)
        self._fields = Fields(packed.values(), self._callers)
        self._postings: dict[str, _Posting] = defaultdict(_Posting)
        self._files: list[str] = []
        self._block_files = array("I")
        self._block_units = array("I")
        self._block_tests = bytearray()
        self._sample_every = max(1, len(self._symbols) // VECTORS_SAMPLED)
        self._sample: list[bytes] = []

    def units(self) -> Iterator[tuple[int, str, bytes]]:
        for path in sorted(self._packed):
            yield from self._units_of(path, unpack(self._packed[path]))

    def terms(self) -> list[tuple[int, bytes, bytes, bytes]]:
        rows = [(term_key(term), *posting.blobs()) for term, posting in self._postings.items()]
        rows.sort()  # a table is filled fastest in its own order
        return rows  # type: ignore[return-value]

    def statistics(self) -> dict[str, bytes]:
        mean, covariance = spread(self._sample)
        return {
            "embedder": self._embedder.name.encode(),
            "files": orjson.dumps(self._files),
            "languages": orjson.dumps([self._languages.get(path, "") for path in self._files]),
            "block_files": _bytes(self._block_files),
            "block_units": _bytes(self._block_units),
            "block_tests": bytes(self._block_tests),
            "mean": orjson.dumps(mean),
            "covariance": orjson.dumps(covariance),
        }

    def _units_of(self, path: str, bags: Bags) -> Iterator[tuple[int, str, bytes]]:
        number = len(self._files)
        self._files.append(path)
        terms = bags.terms
        posted = [self._postings[term] for term in terms]
        fields, embedder = self._fields, self._embedder
        _post(posted, _FILES, number, fields.weigh(bags.words))
        of_file = embedder.part(vector_words(bags.words, terms))
        of_group = [of_file + embedder.part(vector_words(bag, terms)) for bag in bags.groups]
        numbers = {term: i for i, term in enumerate(terms)}
        path_tests = TEST_PATHS.search(path) is not None
        blocks: dict[tuple[int, bool], int] = {}
        for symbol, group, bag in bags.units:
            id = f"{path}::{symbol}" if symbol else path
            if id not in self._symbols:
                continue
            test = path_tests or self._symbols[id]
            block = blocks.get((group, test), -1)
            if block < 0 or self._block_units[block] == BLOCK_SIZE:
                block = blocks[group, test] = self._new_block(number, test)
                _post(posted, _BLOCKS, block, fields.weigh(bags.groups[group]))
            key = block << BLOCK_BITS | self._block_units[block]
            self._block_units[block] += 1
            found = fields.weigh(bag)
            for term, w in fields.weigh_callers(self._callers.get(id)):
                at = numbers.get(term)
                if at is None:
                    at = numbers[term] = len(posted)
                    posted.append(self._postings[term])
                found[at] = found.get(at, 0.0) + w
            _post(posted, _UNITS, key, found)
            vector = embedder.vector(of_group[group] + embedder.part(vector_words(bag, terms)))
            if vector and not test and crc32(id.encode()) % self._sample_every == 0:
                self._sample.append(vector)
            yield key, id, vector

    def _new_block(self, file: int, test: bool) -> int:
        self._block_files.append(file)
        self._block_units.append(0)
        self._block_tests.append(test)
        return len(self._block_files) - 1


def _post(posted: list[_Posting], what: int, key: int, found: Mapping[int, float]) -> None:
    log, per_level, offset, highest = math.log, _PER_LEVEL, _LEVEL_OFFSET, weights.LEVELS
    for number, w in found.items():
        posting = posted[number]
        posting.keys[what].append(key)
        level = int(log(w) * per_level + offset)
        posting.levels[what].append(0 if level < 0 else level if level < highest else highest)


def _bytes(values: array[int]) -> bytes:
    return little(values).tobytes()


def _read(code: str, blob: bytes) -> array[int]:
    values: array[int] = array(code)
    values.frombytes(blob)
    return little(values)
