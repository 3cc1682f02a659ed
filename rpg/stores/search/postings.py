"""Updates postings: of every term whose postings changed, and of no other.

In: the old and the new postings of some files, with their numbers. Out: rows of `search_terms`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rpg.stores.search.numbers import pack
from rpg.stores.search.tables import postings, term_key
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Array = Any
"""A numpy array."""
Posted = tuple[Array, Array, Array]
"""Term, number and level of each posting."""
Change = tuple[list[int], list[tuple[int, int]]]
"""For one term: numbers that are gone; numbers that are new or have another level, with the level."""

_LEVEL_BITS, _NUMBER_BITS = 8, 32
_NUMBER = (1 << _NUMBER_BITS) - 1
_LEVEL = (1 << _LEVEL_BITS) - 1


def replace(index: Index, terms: Sequence[str], columns: Iterable[tuple[Posted, Posted]]) -> None:
    """The old and the new postings for each column of `search_terms`. `terms` by number."""
    changes: dict[int, dict[int, Change]] = defaultdict(dict)
    for column, (old, new) in enumerate(columns):
        for term, change in _changes(old, new).items():
            changes[term][column] = change
    removed, rows = [], []
    for term, of_columns in changes.items():
        key = term_key(terms[term])
        known = index.rows("SELECT units, blocks, files FROM search_terms WHERE term = ?", (key,))
        blobs = list(known[0]) if known else [b"", b"", b""]
        for column, change in of_columns.items():
            blobs[column] = _replaced(blobs[column], *change)
        if any(blobs):
            rows.append((key, *blobs))
        else:
            removed.append((key,))
    index.executemany("INSERT OR REPLACE INTO search_terms VALUES (?, ?, ?, ?)", rows)
    index.executemany("DELETE FROM search_terms WHERE term = ?", removed)


def _changes(old: Posted, new: Posted) -> dict[int, Change]:
    """By number of a term."""
    before, after = _joined(old), _joined(new)
    changes: dict[int, Change] = defaultdict(lambda: ([], []))
    added = numpy.setdiff1d(after, before, assume_unique=True)
    removed = numpy.setdiff1d(before, after, assume_unique=True) >> _LEVEL_BITS
    for posting in numpy.setdiff1d(removed, added >> _LEVEL_BITS, assume_unique=True).tolist():
        changes[posting >> _NUMBER_BITS][0].append(posting & _NUMBER)
    for posting in added.tolist():
        at = posting >> _LEVEL_BITS
        changes[at >> _NUMBER_BITS][1].append((at & _NUMBER, posting & _LEVEL))
    return changes


def _joined(posted: Posted) -> Array:
    term, number, level = (each.astype(numpy.int64) for each in posted)
    return (term << _NUMBER_BITS | number) << _LEVEL_BITS | level


def _replaced(blob: bytes, removed: list[int], added: list[tuple[int, int]]) -> bytes:
    numbers, known = postings(blob)
    levels = bytearray(known)
    for number in removed:
        at = bisect_left(numbers, number)
        del numbers[at], levels[at]
    if added and added[-1][0] > 0xFFFF:
        numbers = array("I", numbers)
    for number, level in added:
        at = bisect_left(numbers, number)
        if at < len(numbers) and numbers[at] == number:
            levels[at] = level
        else:
            numbers.insert(at, number)
            levels.insert(at, level)
    return pack(numbers) + bytes(levels)
