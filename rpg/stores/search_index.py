"""The search index: postings by term and vectors, in tables of its own in the index's SQLite file.

In: a graph and the bags of its files. Out: tables that a question is answered from with a few look-ups.
FTS5 cannot carry the formula (fields are weighted before saturation), so postings are blobs: for each term the units,
blocks and files that have it, with W (see search_weights.py) in one byte.

Units are numbered from 0. Those of a block stand together; a block is what shares class, file, and whether it stands
behind other code, as tests do. A posting of a block or file stands for all of its units.
Absent: scores, which belong to a question; names, which are in search_names.py.
"""

from __future__ import annotations

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
from rpg.stores.search_fields import Fields, caller_terms, vector_part
from rpg.stores.search_weights import SATURATION
from rpg.stores.symbol_bags import bags_of_symbols

if TYPE_CHECKING:
    from rpg.stores.index import Index

TABLES = """
CREATE TABLE search_units (
    unit INTEGER PRIMARY KEY,
    symbol TEXT NOT NULL,            -- the symbol id
    vector BLOB NOT NULL             -- int8; empty where the embedder knows nothing of it
);

-- A term is named by its hash. Each blob holds numbers (32 bits each), then a level of W for each.
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

DECLARATIONS = re.compile(r"\.d\.[cm]?ts$|\.pyi$")
"""Files that say again what stands in others."""

LEVELS = 256
W_OF_LEVEL = [SATURATION * (level + 0.5) / (LEVELS - level - 0.5) for level in range(LEVELS)]
"""What a level of a posting stands for. Levels are even steps of W / (SATURATION + W), which is what a score sums."""


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
    file_blocks: array[int]
    """First block of each file; the next file's first is its end."""
    block_units: array[int]
    """First unit of each block, and at the end the number of units."""
    block_behind: bytes
    """1 where the units of the block are tests or declarations."""
    mean: list[float]
    """Of the vectors of units that do not stand behind; empty where there are none."""
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
        _read(values["file_blocks"]),
        _read(values["block_units"]),
        values["block_behind"],
        orjson.loads(values["mean"]),
        orjson.loads(values["covariance"]),
    )


def postings(blob: bytes) -> tuple[array[int], bytes]:
    """Numbers and levels of W of a blob of `search_terms`."""
    n = len(blob) // 5
    return _read(blob[: 4 * n]), blob[4 * n :]


def term_key(term: str) -> int:
    """What a term is called in `search_terms`: 63 bits of a hash that is the same everywhere."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little") >> 1


_UNITS, _BLOCKS, _FILES = range(3)


class _Posting:
    """What has a term: units, blocks, files."""

    __slots__ = ("levels", "numbers")

    def __init__(self) -> None:
        self.numbers = (array("I"), array("I"), array("I"))
        self.levels = (bytearray(), bytearray(), bytearray())

    def blobs(self) -> Iterator[bytes]:
        for numbers, levels in zip(self.numbers, self.levels, strict=True):
            yield _bytes(numbers) + levels


class _Builder:
    """One walk over the bags: `units` goes first, the rest gives what it gathered on the way."""

    def __init__(self, graph: Graph, packed: Mapping[str, bytes], embedder: Embedder) -> None:
        self._packed = packed
        self._embedder = embedder
        self._symbols = {symbol.id: symbol.test for symbol in graph.symbols}
        self._languages = {symbol.path: symbol.language for symbol in graph.symbols}
        self._test_paths = {path for path in self._languages if TEST_PATHS.search(path)}
        self._behind = self._test_paths | {path for path in self._languages if DECLARATIONS.search(path)}
        tests = {symbol.id for symbol in graph.symbols if symbol.test or symbol.path in self._test_paths}
        self._callers = caller_terms(graph, tests)
        self._fields = Fields(packed.values(), self._callers)
        self._postings: dict[str, _Posting] = defaultdict(_Posting)
        self._number = 0
        self._file_blocks = array("I")
        self._block_units = array("I")
        self._block_behind = bytearray()
        self._sample_every = max(1, len(self._symbols) // VECTORS_SAMPLED)
        self._sample: list[bytes] = []

    def units(self) -> Iterator[tuple[int, str, bytes]]:
        for path in sorted(self._packed):
            yield from self._units_of(path, unpack(self._packed[path]))
        self._file_blocks.append(len(self._block_units))
        self._block_units.append(self._number)

    def terms(self) -> list[tuple[int, ...]]:
        rows = [(term_key(term), *posting.blobs()) for term, posting in self._postings.items()]
        rows.sort()  # a table is filled fastest in its own order
        return rows  # type: ignore[return-value]

    def statistics(self) -> dict[str, bytes]:
        mean, covariance = spread(self._sample)
        paths = sorted(self._packed)
        return {
            "embedder": self._embedder.name.encode(),
            "files": orjson.dumps(paths),
            "languages": orjson.dumps([self._languages.get(path, "") for path in paths]),
            "file_blocks": _bytes(self._file_blocks),
            "block_units": _bytes(self._block_units),
            "block_behind": bytes(self._block_behind),
            "mean": orjson.dumps(mean),
            "covariance": orjson.dumps(covariance),
        }

    def _units_of(self, path: str, bags: Bags) -> Iterator[tuple[int, str, bytes]]:
        terms, fields, embedder = list(bags.terms), self._fields, self._embedder
        posted = [self._postings[term] for term in terms]
        numbers = {term: i for i, term in enumerate(terms)}
        rows = embedder.rows(terms)
        _post(posted, _FILES, len(self._file_blocks), fields.weigh(bags.words))
        self._file_blocks.append(len(self._block_units))
        of_file = vector_part(bags.words, rows)
        for (group, behind), members in self._blocks(path, bags).items():
            _post(posted, _BLOCKS, len(self._block_units), fields.weigh(bags.groups[group]))
            of_group = of_file + vector_part(bags.groups[group], rows)
            self._block_units.append(self._number)
            self._block_behind.append(behind)
            for id, number in members:
                bag = bags.units[number].words
                found = fields.weigh(bag)
                for term, w in fields.weigh_callers(self._callers.get(id)):
                    at = numbers.get(term)
                    if at is None:
                        at = numbers[term] = len(posted)
                        posted.append(self._postings[term])
                    found[at] = found.get(at, 0.0) + w
                _post(posted, _UNITS, self._number, found)
                vector = embedder.vector(of_group + vector_part(bag, rows))
                if vector and not behind and crc32(id.encode()) % self._sample_every == 0:
                    self._sample.append(vector)
                yield self._number, id, vector
                self._number += 1

    def _blocks(self, path: str, bags: Bags) -> dict[tuple[int, bool], list[tuple[str, int]]]:
        """Symbol ids and units by group and by whether they stand behind."""
        behind = path in self._behind
        blocks: dict[tuple[int, bool], list[tuple[str, int]]] = defaultdict(list)
        for number, unit in enumerate(bags.units):
            id = f"{path}::{unit.symbol}" if unit.symbol else path
            if id in self._symbols:
                blocks[unit.group, behind or self._symbols[id]].append((id, number))
        return blocks


def _post(posted: list[_Posting], what: int, number: int, found: Mapping[int, float]) -> None:
    for term, w in found.items():
        posting = posted[term]
        posting.numbers[what].append(number)
        posting.levels[what].append(int(LEVELS * w / (SATURATION + w)))


def _bytes(values: array[int]) -> bytes:
    return little(values).tobytes()


def _read(blob: bytes) -> array[int]:
    values = array("I")
    values.frombytes(blob)
    return little(values)
