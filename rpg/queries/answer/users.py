"""How many files use each symbol, as a weight: other files count in full, tests and the symbol's own file in part.

In: an index and a folder. Out: rows with weights, cached. `rpg.queries.graph.popularity` counts using symbols of given
rows instead, which is less to count.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.queries.answer import evidence_weights
from rpg.queries.graph.memo import memoize
from rpg.stores.index.edge_reads import each_count_of_users
from rpg.stores.index.symbol_reads import find_rows_below
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


Array = Any
"""A numpy array."""


class Used(NamedTuple):
    """A symbol with users outside itself."""

    row: int
    parent: int | None
    """The enclosing class or function."""
    weight: float
    """The weight of its users."""


def users_by_symbol(index: Index) -> Iterator[Used]:
    """The symbols that have users outside themselves, by row."""
    everywhere = memoize(index, "users by symbol", lambda: _all(index))
    for row, parent, weight in zip(everywhere.rows, everywhere.parents, everywhere.weights, strict=True):
        yield Used(row, parent or None, weight)


def users_in_folder(index: Index, folder: str) -> tuple[Array, Array, Array]:
    """The same for a folder, as numpy arrays: rows, parents (0 for none), weights."""
    everywhere = memoize(index, "users by symbol", lambda: _all(index))
    first, end = 0, len(everywhere.rows)
    if folder:
        inside = find_rows_below(index, folder, folder + LAST)
        # Rows are in path order, so those of a folder are contiguous.
        lowest, highest = inside or (0, -1)
        first, end = bisect_left(everywhere.rows, lowest), bisect_right(everywhere.rows, highest)
    rows, parents = (numpy.array(each[first:end], numpy.int64) for each in (everywhere.rows, everywhere.parents))
    return rows, parents, numpy.array(everywhere.weights[first:end], numpy.float64)


LAST = "\U0010ffff"
"""Sorts after every character of a path."""


class _UsersBySymbol(NamedTuple):
    """All of them, as numbers side by side: as objects they would take six times the memory."""

    rows: array[int]
    parents: array[int]
    """0 for none."""
    weights: array[float]


def _all(index: Index) -> _UsersBySymbol:
    """A question about any folder needs a part of it, and counting takes longer than everything else."""
    counted = each_count_of_users(index)
    found = _UsersBySymbol(array("q"), array("q"), array("d"))
    for row, parent, code, tests, near in counted:
        found.rows.append(row)
        found.parents.append(parent or 0)
        found.weights.append(
            code
            + evidence_weights.FROM_TESTS * tests
            + evidence_weights.FROM_SAME_FILE * min(near, evidence_weights.MOST_FROM_SAME_FILE)
        )
    return found
