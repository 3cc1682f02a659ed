"""Term counts of many files as arrays: the contents of each segment, and their weight.

A segment is what is posted under one number: a unit, a block, a file. Segments of files come before those of blocks,
and these before those of units, so that the surroundings of a segment are known before it.

Absent: the owners of segments, and where they are stored (build.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rpg.graph import Symbol
from rpg.stores.search import field_weights
from rpg.stores.search.tables import LEVELS
from rpg.system.arrays import numpy

FILES, BLOCKS, UNITS = range(3)
"""Kinds of segments."""
TERM_BITS = 40
TERM_MASK = (1 << TERM_BITS) - 1
"""Bits of a key, which is a segment and, in the lower bits, a term."""

Array = Any
"""A numpy array."""


class Unit(NamedTuple):
    number: int
    symbol: Symbol
    standing: int


class Batch:
    """Term counts of some files one after another, and the segments made of them."""

    def __init__(self) -> None:
        self.terms: list[Array] = []
        self.places: list[bytes] = []
        self.fields: list[bytes] = []
        self.runs: list[bytes] = []
        self.counts: list[bytes] = []
        self.sizes: list[bytes] = []
        """Number of counts of each unit, group or file."""
        self.counted = 0
        self.length = 0
        self.segments: tuple[list[Segment], ...] = ([], [], [])
        self.callers: list[tuple[int, int, int, int]] = []
        """(position among the units of the batch, term, field, count)."""
        self.units: list[Unit] = []
        self.fingerprints: list[bytes] = []


class Segment(NamedTuple):
    number: int
    term_counts: int
    """Position among the term counts of the batch."""
    around: int
    """Position among the segments of the enclosing kind."""


def laid_out(segments: tuple[list[Segment], ...]) -> tuple[Array, Array, list[int]]:
    """For all segments, files first: their numbers, the enclosing segments, and where each kind begins."""
    starts = [0, len(segments[FILES]), len(segments[FILES]) + len(segments[BLOCKS])]
    numbers = numpy.array([each.number for kind in segments for each in kind], numpy.int64)
    around = [each.around + starts[max(0, kind - 1)] for kind in (FILES, BLOCKS, UNITS) for each in segments[kind]]
    return numbers, numpy.array(around, numpy.int64), starts


def count_terms(batch: Batch, first_unit: int) -> tuple[Array, Array, Array, Array]:
    """For each count of a term in a segment: segment, term, field, count."""
    places = numpy.frombuffer(b"".join(batch.places), "<u4").astype(numpy.int64)
    runs = numpy.frombuffer(b"".join(batch.runs), "<u4").astype(numpy.int64)
    fields = numpy.repeat(numpy.frombuffer(b"".join(batch.fields), numpy.uint8), runs)
    counts = numpy.frombuffer(b"".join(batch.counts), "<u2")
    sizes = numpy.frombuffer(b"".join(batch.sizes), "<u4").astype(numpy.int64)
    # Places number terms by file: from here on, by the first term of each file among all terms of the batch.
    of_file = [len(block) // 4 for block in batch.places]
    begin = numpy.cumsum([0, *(len(terms) for terms in batch.terms[:-1])])
    terms = numpy.concatenate(batch.terms)[places + numpy.repeat(begin, of_file)]
    file_terms = numpy.array([each.term_counts for kind in batch.segments for each in kind], numpy.int64)
    lengths = sizes[file_terms]
    ends = numpy.cumsum(lengths)
    at = numpy.repeat((numpy.cumsum(sizes) - sizes)[file_terms] - (ends - lengths), lengths) + numpy.arange(ends[-1])
    segment = numpy.repeat(numpy.arange(len(file_terms)), lengths)
    callers = numpy.array(batch.callers, numpy.int64).reshape(-1, 4).T
    return (
        numpy.concatenate((segment, callers[0] + first_unit)),
        numpy.concatenate((terms[at], callers[1])),
        numpy.concatenate((fields[at].astype(numpy.int64), callers[2])),
        numpy.concatenate((counts[at].astype(numpy.int64), callers[3])),
    )


def levels_of(key: Array, segment: Array, term: Array, w: Array, around: Array, starts: list[int]) -> Array:
    """What each posting adds to W / (SATURATION + W) of its surroundings, in steps."""
    blocks, units = numpy.searchsorted(segment, starts[1:])
    above = numpy.zeros(len(w))
    within = w.copy()
    above[blocks:] = _found(key[:blocks], within[:blocks], around[segment[blocks:]], term[blocks:], 0.0)
    # For a unit's term that its block lacks, what the file has of it.
    file = around[around[segment[units:]]]
    above[units:] = _found(key[:blocks], within[:blocks], file, term[units:], 0.0)
    within[blocks:units] += above[blocks:units]
    block = around[segment[units:]]
    above[units:] = _found(key[blocks:units], within[blocks:units], block, term[units:], above[units:])
    within[units:] += above[units:]
    saturation = field_weights.SATURATION
    share = within / (saturation + within) - above / (saturation + above)
    return (LEVELS * share).astype(numpy.uint8)


def _found(keys: Array, values: Array, segment: Array, term: Array, otherwise: Any) -> Array:
    """The values of terms in segments, by sorted keys."""
    if not len(keys):
        return numpy.zeros(len(term)) + otherwise
    wanted = segment << TERM_BITS | term
    at = numpy.minimum(numpy.searchsorted(keys, wanted), len(keys) - 1)
    return numpy.where(keys[at] == wanted, values[at], otherwise)
