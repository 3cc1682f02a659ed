"""The weight of a word in a field: field_weights.py applied to the average lengths of one repository.

In: counts and lengths. Out: weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from rpg.stores.search import field_weights as weights
from rpg.stores.search.callers import Callers
from rpg.system.arrays import numpy
from rpg.text.term_frequencies import FIELD_MASK, FIELDS, lengths

Array = Any
"""A numpy array."""
_COLUMNS = FIELD_MASK + 1


class Lengths(NamedTuple):
    """Two numbers per field: how many units, groups or files have it, and how many words it has in all. First the
    fields that are counted by file, then those that need the whole graph."""

    sums: list[int]

    @classmethod
    def of(cls, packed: Iterable[bytes], callers: Callers) -> Lengths:
        sums = [0] * (2 * len(FIELDS))
        for block in packed:
            for i, value in enumerate(lengths(block)):
                sums[i] += value
        for part in range(2):
            totals = [sum(counts.values()) for each in callers.values() if (counts := each[part])]
            sums += [len(totals), sum(totals)]
        return cls(sums)

    def averages(self) -> list[float]:
        return [_rounded(self.sums[i + 1], self.sums[i]) for i in range(0, len(self.sums), 2)]

    def but_for(self, removed: Lengths, new: Lengths) -> Lengths:
        return Lengths([a - b + c for a, b, c in zip(self.sums, removed.sums, new.sums, strict=True)])


class Fields:
    """Weights of the fields, for the average lengths of one repository."""

    def __init__(self, lengths: Lengths) -> None:
        averages = lengths.averages()
        shares = [weights.LENGTH_SHARE.get(i, weights.LENGTH_SHARE_ELSEWHERE) for i in range(len(averages))]
        self._weights, self._bases, self._per_word = numpy.zeros(_COLUMNS), numpy.ones(_COLUMNS), numpy.zeros(_COLUMNS)
        for i, (share, average) in enumerate(zip(shares, averages, strict=True)):
            self._weights[i], self._bases[i], self._per_word[i] = weights.WEIGHTS[i], 1 - share, share / average

    def w(self, segment: Array, field: Array, count: Array, segments: int) -> Array:
        """What each count of a term in a field of a segment adds to W."""
        column = segment * _COLUMNS + field
        lengths = numpy.bincount(column, weights=count, minlength=segments * _COLUMNS).reshape(segments, _COLUMNS)
        factors = self._weights / (self._bases + self._per_word * lengths)
        return factors.ravel()[column] * count


def _rounded(total: float, number: int) -> float:
    """An average, rounded so that it rarely changes while a repository is edited."""
    if not total:
        return 1.0
    return weights.AVERAGE_STEP ** round(math.log(total / number, weights.AVERAGE_STEP))
