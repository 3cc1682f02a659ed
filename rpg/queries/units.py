"""What every question to one index needs of its units, worked out once for each state of the index.

In: the statistics of an index. Out: of each unit its block and how it stands, of each block its file, as numpy arrays;
which units a filter of paths lets through.
Absent: terms, scores.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from rpg.queries.kept import kept
from rpg.stores.search_index import BEHIND, Statistics, read_statistics

if TYPE_CHECKING:
    from rpg.stores.index import Index

Array = Any
"""A numpy array."""

KEPT = 64
"""Filters whose units are kept: an agent asks with the same few again and again."""


class Units:
    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self.number = statistics.block_units[-1]
        self.block_of = _owners(statistics.block_units)
        self.file_of_block = _owners(statistics.file_blocks)
        self.standing = numpy.frombuffer(statistics.block_standing, numpy.uint8)[self.block_of]
        self.is_behind = self.standing == BEHIND
        self.covariance = numpy.array([list(row) for row in statistics.covariance])
        self._allowed: dict[object, Array] = {}

    def of_files(self, filters: object, is_wanted: Callable[[str, str], bool]) -> Array:
        """For each unit whether its file is wanted by path and language. `filters` is what that depends on, and
        hashable."""
        allowed = self._allowed.get(filters)
        if allowed is None:
            if len(self._allowed) >= KEPT:
                self._allowed.clear()
            known = self.statistics
            files = [is_wanted(*each) for each in zip(known.files, known.languages, strict=True)]
            allowed = self._allowed[filters] = numpy.array(files, bool)[self.file_of_block][self.block_of]
        return allowed


def _owners(starts: array[int]) -> Array:
    """By number of a part, that of the whole that it belongs to, given the first part of each."""
    firsts: Array = numpy.array(starts, numpy.int64)
    return numpy.repeat(numpy.arange(len(starts) - 1), firsts[1:] - firsts[:-1])


def units(index: Index) -> Units:
    return kept(index, "units", lambda: Units(read_statistics(index)))
