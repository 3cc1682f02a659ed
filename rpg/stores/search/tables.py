"""The search index: postings by term and vectors, in their own tables in the index's SQLite file.

In: a graph and the term counts of its files. Out: tables from which a few look-ups answer a query. FTS5 cannot express
the formula: its bm25() normalises a row by one length with fixed constants, while this ranking normalises each field by
its own length and sums a term over unit, block and file before it saturates. So postings are blobs: for each term the
units, blocks and files that have it, each with a level of one byte.

Units of a block are contiguous; a block is what shares class, file, and whether it ranks behind other code, as tests
do. A posting of a block or file counts for all its units. When the index is made, units, blocks and files are numbered
in order, from 0; later additions get any number, and their position is stored separately (places.py).

A term's W (see field_weights.py) is summed over unit, block and file before it saturates. A level is what a posting
adds to W / (SATURATION + W) of its surroundings. The score of a unit is therefore a plain sum over its postings, those
of its block and those of its file, and a query never has to join them by term.

Absent: scores, which belong to a query; names, which are in names.py.
"""

from __future__ import annotations

import re
from array import array
from hashlib import blake2b
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

import orjson

from rpg.graph import Symbol
from rpg.stores.search.numbers import length, unpack
from rpg.text.term_frequencies import little

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

TEST_PATHS = re.compile(
    r"(^|/)(tests?|testing|__tests__|specs?|testdata|testsuite|fixtures|e2e|benches|benchmarks?)(/|$)"
    r"|(^|/)(test_[^/]*|[^/]*_tests?|tests)\.\w+$|\.(test|spec|bench)\.\w+$",
    re.IGNORECASE,
)
"""Tests, their data and benchmarks: code that shows how other code is used, and is seldom what one looks for. What
else counts as a test in a language, its symbols say (`Symbol.test`)."""

FRONT, BEHIND, INSIDE = range(3)
"""How a unit ranks among others: BEHIND are tests and declarations, INSIDE are nested functions."""

LEVELS = 256
"""Steps in a posting of W / (SATURATION + W), which a score sums."""
SHARE_OF_LEVEL = [(level + 0.5) / LEVELS for level in range(LEVELS)]
"""What a level of a posting adds to W / (SATURATION + W)."""


class Statistics(NamedTuple):
    """What a query must know of the whole index, whatever its terms."""

    embedder: str
    files: list[str]
    """Paths, in order."""
    languages: list[str]
    """Of the files."""
    file_blocks: array[int]
    """First block of each file; the next file's first is its end."""
    block_units: array[int]
    """First unit of each block, and at the end the number of units."""
    block_standing: bytes
    """FRONT, BEHIND or INSIDE."""
    file_numbers: bytes
    """By position, as runs (see places.py)."""
    block_numbers: bytes
    unit_numbers: bytes
    sample: bytes
    """Of the vectors of units that are not BEHIND (see vectors.py)."""


def empty(index: Index) -> None:
    index.execute(
        "DELETE FROM search_units; DELETE FROM search_terms; DELETE FROM search_statistics;"
        "DELETE FROM search_names; DELETE FROM search_trigrams; DELETE FROM search_texts"
    )


def is_test(symbol: Symbol) -> bool:
    return symbol.test or TEST_PATHS.search(symbol.path) is not None


def read_statistics(index: Index) -> Statistics:
    values = {key: bytes(value) for key, value in index.rows("SELECT key, value FROM search_statistics")}
    return Statistics(
        values["embedder"].decode(),
        list(map(intern, orjson.loads(values["files"]))),
        list(map(intern, orjson.loads(values["languages"]))),
        _read(values["file_blocks"]),
        _read(values["block_units"]),
        values["block_standing"],
        values["file_numbers"],
        values["block_numbers"],
        values["unit_numbers"],
        values["sample"],
    )


def postings(blob: bytes) -> tuple[array[int], bytes]:
    """Numbers and levels of a blob of `search_terms`."""
    end = length(blob) if blob else 0
    return unpack(blob[:end]), blob[end:]


def term_key(term: str) -> int:
    """The key of a term in `search_terms`: 63 bits of a hash that is the same everywhere."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little") >> 1


def _read(blob: bytes) -> array[int]:
    values = array("I")
    values.frombytes(blob)
    return little(values)
