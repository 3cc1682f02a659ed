"""What every query to one index needs to know of its units, computed once per state of the index.

In: the statistics of an index. Out: for each unit its block and whether it is demoted, for each block its file, as
numpy arrays by number; which units pass a path filter. Unused numbers are demoted, and belong to a block and a file
without postings.

Absent: terms, scores.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from rpg.queries.graph.memo import memoize, remember
from rpg.queries.graph.nodes import COLUMNS, MOST_KEPT, Node
from rpg.stores.search.places import Layout, owners
from rpg.stores.search.tables import BEHIND, Statistics, read_statistics
from rpg.stores.search.unit_reads import list_symbols_of_units
from rpg.stores.search.vectors import Sample
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Array = Any
"""A numpy array."""

KEPT = 64
"""How many filters have their units cached: an agent uses the same few again and again."""
SYMBOLS_KEPT = 4_000
"""How many units have their symbols cached."""


class Units:
    def __init__(self, statistics: Statistics) -> None:
        layout = Layout.of(statistics)
        self.statistics = statistics
        self.number = len(layout.unit_numbers)
        self.block_of = _by_number(
            layout.unit_numbers, layout.block_numbers[owners(layout.units)], _end(layout.block_numbers)
        )
        files = layout.file_numbers[owners(layout.blocks)]
        self.file_of_block = _by_number(layout.block_numbers, files, _end(layout.file_numbers), 1)
        """Includes the unused block."""
        self.files = _end(layout.file_numbers) + 1
        """Likewise."""
        standing = layout.standing[owners(layout.units)]
        self.standing = _by_number(layout.unit_numbers, standing, BEHIND)
        self.is_behind = self.standing == BEHIND
        self.in_front = layout.unit_numbers[standing != BEHIND]
        """Numbers of the units, in order."""
        self.places = _by_number(layout.unit_numbers, numpy.arange(self.number), self.number)
        """For each unit, in order."""
        self.mean, self.covariance = Sample.unpacked(statistics.sample).spread()
        self._file_numbers = layout.file_numbers
        self._allowed: dict[object, Array] = {}

    def of_files(self, filters: object, is_wanted: Callable[[str, str], bool]) -> Array:
        """For each unit whether its file passes by path and language. `filters`: a hashable key for that decision."""
        allowed = self._allowed.get(filters)
        if allowed is None:
            if len(self._allowed) >= KEPT:
                self._allowed.clear()
            known = self.statistics
            files = [is_wanted(*each) for each in zip(known.files, known.languages, strict=True)]
            by_number = _by_number(self._file_numbers, numpy.array(files, bool), False, 1)
            allowed = self._allowed[filters] = by_number[self.file_of_block][self.block_of]
        return allowed


def symbols_of(index: Index, wanted: Collection[int]) -> dict[int, tuple[Node, str]]:
    """The symbol of each unit, and the hash of its source. Cached as far as there is room."""
    cache: dict[int, tuple[Node, str]] = memoize(index, "symbols of units", dict)
    found = {unit: symbol for unit in wanted if (symbol := cache.get(unit)) is not None}
    missing = [unit for unit in wanted if unit not in found]
    if missing:
        rows = list_symbols_of_units(index, COLUMNS, missing)
        fresh = {unit: (Node(*columns), text) for unit, text, *columns in rows}
        remember(cache, fresh, SYMBOLS_KEPT)
        remember(memoize(index, "nodes", dict), {node.row: node for node, _ in fresh.values()}, MOST_KEPT)
        found |= fresh
    return found


def _end(numbers: Array) -> int:
    """The number after the highest one."""
    return int(numbers.max()) + 1 if len(numbers) else 0


def _by_number(numbers: Array, values: Array, nothing: int, more: int = 0) -> Array:
    """Values, indexed by their numbers. `nothing` is the value of an unused number, and of `more` additional ones at
    the end."""
    found = numpy.full(_end(numbers) + more, nothing, values.dtype)
    found[numbers] = values
    return found


def units(index: Index) -> Units:
    return memoize(index, "units", lambda: Units(read_statistics(index)))
