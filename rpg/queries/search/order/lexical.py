"""BM25F scores of one query over all units of an index: what words alone contribute.

In: the query's terms, and a function that weighs a term. Out: scores, and where each term occurs. The contribution of a
posting was computed when it was written (stores/search/tables.py): a query sums units, blocks and files separately and
adds the three once.

Absent: the weight of a term, and what else decides between units (ranking.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.queries.graph.memo import memoize, remember
from rpg.queries.search.search_units import Units
from rpg.stores.search.tables import SHARE_OF_LEVEL, postings, term_key
from rpg.stores.search.unit_reads import list_postings
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Array = Any
"""A numpy array."""
TERMS_KEPT, LONGEST_KEPT = 200, 40_000
"""How many terms have their postings cached, and how many bytes the longest of them takes in the index."""


class Term(NamedTuple):
    """A term to search for."""

    times: float
    """Its count in the query; for a near term a fraction."""
    telling: float
    stands_for: str
    """The query's own term: itself, or the one that it is near to."""
    likeness: float


class Posted(NamedTuple):
    """Where one term occurs: numbers in ascending order."""

    term: Term
    units: Array
    blocks: Array
    files: Array


class Postings(NamedTuple):
    """The postings of one term, as the index has them."""

    size: int
    """Bytes of the units' blob, by which rarer terms come first."""
    levels: tuple[tuple[Array, Array], ...]
    """Numbers and levels of units, of blocks and of files."""


class Lexical(NamedTuple):
    """BM25F scores of one query."""

    scores: Array
    """Indexed by unit number."""
    most: float
    """The highest score that the query's own terms could give."""
    posted: list[Posted]

    def having(self, units: Units, chosen: Array) -> Array:
        """For each posted term, for each chosen unit, whether the unit, its block or its file has it."""
        blocks = units.block_of[chosen]
        files = units.file_of_block[blocks]
        return (
            _find_having([each.units for each in self.posted], chosen, len(units.block_of))
            | _find_having([each.blocks for each in self.posted], blocks, len(units.file_of_block))
            | _find_having([each.files for each in self.posted], files, units.files)
        )


def bm25f(
    index: Index,
    units: Units,
    query_terms: Mapping[str, Term],
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
    keys = {term_key(term): details for term, details in query_terms.items()}
    found = postings_of(index, keys)
    read = 0
    for place, key in enumerate(sorted(found, key=lambda key: (found[key].size, key))):
        of_units, of_blocks, of_files = found[key].levels
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


def postings_of(index: Index, keys: Iterable[int]) -> dict[int, Postings]:
    """The postings by key, for the terms that the index has. Cached as far as there is room."""
    cached: dict[int, Postings] = memoize(index, "postings", dict)
    found = {key: postings for key in keys if (postings := cached.get(key)) is not None}
    missing = [key for key in keys if key not in found]
    if missing:
        rows = list_postings(index, missing)
        fresh = {key: Postings(len(blobs[0]), tuple(map(_arrays, blobs))) for key, *blobs in rows}
        short = {key: postings for key, postings in fresh.items() if postings.size <= LONGEST_KEPT}
        remember(cached, short, TERMS_KEPT)
        found |= fresh
    return found


def _arrays(blob: bytes) -> tuple[Array, Array]:
    numbers, levels = postings(blob)
    return numpy.array(numbers), numpy.frombuffer(levels, numpy.uint8)


_SHARES = numpy.array(SHARE_OF_LEVEL)


def _find_having(lists: list[Array], wanted: Array, end: int) -> Array:
    """For each list of numbers below `end`, for each sought one, whether the list has it. All lists at once: there are
    dozens, and most are short."""
    places = numpy.full(end, -1, numpy.int32)
    places[wanted] = numpy.arange(len(wanted), dtype=numpy.int32)  # among equal ones the last
    found = numpy.zeros((len(lists), len(wanted)), bool)
    if lists:
        here = places[numpy.concatenate(lists)]
        inside = numpy.flatnonzero(here >= 0)
        which = numpy.repeat(numpy.arange(len(lists)), [len(each) for each in lists])
        found[which[inside], here[inside]] = True
    return found[:, places[wanted]]
