"""BM25F of one question over all units of an index: what the words alone say.

In: terms that are sought, with what makes a weight of each. Out: scores, and where each term stands.
What a posting adds was settled when it was written (stores/search_index.py), so that a question sums, for units, blocks
and files apart, and brings the three together once.
Absent: what a term weighs, what else decides between units (ranking.py).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries.units import Units
from rpg.stores.search_index import SHARE_OF_LEVEL, postings, term_key

if TYPE_CHECKING:
    from rpg.stores.index import Index


class Term(NamedTuple):
    """A term that is looked for."""

    times: float
    """In the question; of a near term a fraction."""
    tells: float
    stands_for: str
    """The question's own term: itself, or the one that it is near to."""
    likeness: float


class Posted(NamedTuple):
    """Where one sought term stands."""

    term: Term
    units: array[int]
    blocks: array[int]
    files: array[int]


class Lexical(NamedTuple):
    """BM25F of one question."""

    own: list[float]
    """By unit, what it scores beyond its block."""
    blocks: list[float]
    """By block, what each of its units scores, the file's included."""
    most: float
    """No unit could score more by the question's own terms."""
    posted: list[Posted]

    def scores(self, units: Units, start: int, end: int) -> list[float]:
        """Of a run of units."""
        return list(map(add, self.own[start:end], map(self.blocks.__getitem__, units.block_of[start:end])))

    def score(self, units: Units, unit: int) -> float:
        return self.own[unit] + self.blocks[units.block_of[unit]]

    def best(self, units: Units, some: list[int], count: int, least: float = 0.0) -> list[int]:
        """So many of some units that score more than `least`, best first."""
        around = map(self.blocks.__getitem__, map(units.block_of.__getitem__, some))
        scores = list(map(add, map(self.own.__getitem__, some), around))
        places = [place for place, score in enumerate(scores) if score > least]
        places.sort(key=scores.__getitem__, reverse=True)
        return [some[place] for place in places[:count]]


def bm25f(
    index: Index,
    units: Units,
    sought: Mapping[str, Term],
    weigh: Callable[[Term, int], float],
    most_postings: int,
    fewest_terms: int,
) -> Lexical:
    """`weigh` says what a term counts that so many units have. The rarest terms come first; after so many postings, and
    not before so many terms, the rest is left out."""
    own = [0.0] * units.number
    blocks = [0.0] * len(units.file_of_block)
    files = [0.0] * len(units.statistics.files)
    posted = []
    most = 0.0
    keys = {term_key(term): details for term, details in sought.items()}
    listed = ",".join(map(str, keys))
    rows = index.rows(f"SELECT term, units, blocks, files FROM search_terms WHERE term IN ({listed})")
    rows.sort(key=lambda row: (len(row[1]), row[0]))
    read = 0
    for place, (key, *blobs) in enumerate(rows):
        of_units, of_blocks, of_files = map(postings, blobs)
        read += len(of_units[0])
        if read > most_postings and place >= fewest_terms:
            break
        term = keys[key]
        weight = weigh(term, len(of_units[0]))
        most += weight * (term.likeness == 1.0)
        shares = [weight * share for share in SHARE_OF_LEVEL]
        for scores, (numbers, levels) in zip((own, blocks, files), (of_units, of_blocks, of_files), strict=True):
            for number, share in zip(numbers, map(shares.__getitem__, levels), strict=True):
                scores[number] += share
        posted.append(Posted(term, of_units[0], of_blocks[0], of_files[0]))
    return Lexical(own, list(map(add, blocks, map(files.__getitem__, units.file_of_block))), most, posted)
