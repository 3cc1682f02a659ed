"""BM25F scores of one query over all units of an index: what words alone contribute.

In: the query's terms, and a function that weighs a term. Out: scores, and where each term occurs. The contribution of a
posting was computed when it was written (stores/search/tables.py): a query sums units, blocks and files separately and
adds the three once.

Absent: the weight of a term, and what else decides between units (ranking.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.arrays import numpy
from rpg.queries.search.search_units import Units
from rpg.stores.search.tables import SHARE_OF_LEVEL, postings, term_key

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Array = Any
"""A numpy array."""


class Term(NamedTuple):
    """A term to search for."""

    times: float
    """Its count in the query; for a near term a fraction."""
    tells: float
    stands_for: str
    """The query's own term: itself, or the one that it is near to."""
    likeness: float


class Posted(NamedTuple):
    """Where one term occurs: numbers in ascending order."""

    term: Term
    units: Array
    blocks: Array
    files: Array


class Lexical(NamedTuple):
    """BM25F scores of one query."""

    scores: Array
    """Indexed by unit number."""
    most: float
    """The highest score that the query's own terms could give."""
    posted: list[Posted]


def bm25f(
    index: Index,
    units: Units,
    sought: Mapping[str, Term],
    weigh: Callable[[Term, int], float],
    most_postings: int,
    fewest_terms: int,
) -> Lexical:
    """`weigh` returns the weight of a term by the number of units that have it. The rarest terms come first; after that
    many postings, but not before that many terms, the rest is dropped."""
    own = numpy.zeros(len(units.block_of))
    blocks = numpy.zeros(len(units.file_of_block))
    files = numpy.zeros(units.files)
    posted = []
    most = 0.0
    keys = {term_key(term): details for term, details in sought.items()}
    listed = ",".join(map(str, keys))
    rows = index.rows(f"SELECT term, units, blocks, files FROM search_terms WHERE term IN ({listed})")
    rows.sort(key=lambda row: (len(row[1]), row[0]))
    read = 0
    for place, (key, *blobs) in enumerate(rows):
        of_units, of_blocks, of_files = map(_arrays, blobs)
        read += len(of_units[0])
        if read > most_postings and place >= fewest_terms:
            break
        term = keys[key]
        weight = weigh(term, len(of_units[0]))
        most += weight * (term.likeness == 1.0)
        shares = weight * _SHARES
        for scores, (numbers, levels) in zip((own, blocks, files), (of_units, of_blocks, of_files), strict=True):
            scores[numbers] += shares[levels]
        posted.append(Posted(term, of_units[0], of_blocks[0], of_files[0]))
    blocks += files[units.file_of_block]
    return Lexical(own + blocks[units.block_of], most, posted)


def _arrays(blob: bytes) -> tuple[Array, Array]:
    numbers, levels = postings(blob)
    return numpy.array(numbers), numpy.frombuffer(levels, numpy.uint8)


_SHARES = numpy.array(SHARE_OF_LEVEL)


def has(numbers: Array, sought: Array) -> Array:
    """For each sought number, whether it is among numbers in ascending order."""
    if not len(numbers):
        return numpy.zeros(len(sought), bool)
    return numbers[numpy.minimum(numpy.searchsorted(numbers, sought), len(numbers) - 1)] == sought
