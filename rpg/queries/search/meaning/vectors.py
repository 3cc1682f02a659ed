"""Compares the vectors of units with a query's vector: cosines, and the nearest units.

In: an index and a vector. Out: cosines of chosen units, read for each query; the nearest units of all, from vectors
that are cached after the first such query, because reading them takes many times as long as comparing.

sqlite-vec computes the distances of chosen units in SQL. The nearest of all come from numpy: for 200 of 52,881 units
(Django) these need 3 ms of CPU, a `vec0` table 24 ms.

Absent: the weight of a cosine (ranking.py), which vectors a user's model has (model_meaning.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rpg.models.embedding import LENGTH
from rpg.queries.graph.memo import find_cached, memoize
from rpg.queries.search.search_units import Array, Units
from rpg.stores.search.unit_reads import each_vector, list_distances, measure_vectors
from rpg.system.arrays import numpy
from rpg.system.memory import PRODUCT_BYTES, require

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

VECTORS = "vectors"
"""The name under which all are cached."""
PART = 2_048
"""How many vectors are compared at a time: as floats they take a megabyte."""


class UnitVectors(NamedTuple):
    units: Array
    """Numbers of the units that have a vector."""
    numbers: Array
    """int8, by unit and dimension."""
    squares: Array
    """Squares of their lengths."""
    places: Array
    """Place in these by unit; -1 for a unit without a vector."""

    @classmethod
    def of(cls, count: int, dimensions: int, rows: Iterable[tuple[int, int, bytes]]) -> UnitVectors:
        """`rows`: places below `count` in any order, units, and their vectors. A place may stay empty. The vectors are
        held once only, while they are read as well."""
        units, numbers = numpy.full(count, -1, numpy.int64), numpy.zeros((count, dimensions), numpy.int8)
        for place, unit, vector in rows:
            units[place] = unit
            numbers[place] = numpy.frombuffer(vector, numpy.int8)
        has_vector = units >= 0
        if not has_vector.all():
            units, numbers = units[has_vector], numbers[has_vector]
        squares = [numpy.square(part).sum(axis=1) for part in _parts(numbers)]
        places = numpy.full(int(units.max(initial=-1)) + 1, -1, numpy.int32)
        places[units] = numpy.arange(len(units), dtype=numpy.int32)
        return cls(units, numbers, numpy.concatenate(squares) if squares else numpy.zeros(0), places)

    def products(self, vector: bytes) -> Array:
        """The products with another vector."""
        question = numpy.frombuffer(vector, numpy.int8).astype(numpy.float32)
        require(PRODUCT_BYTES)
        products = [part @ question for part in _parts(self.numbers)]
        return numpy.concatenate(products) if products else numpy.zeros(0)

    def distances(self, vector: bytes, units: Array) -> Array:
        """Distances to some units, as sqlite-vec rounds them; nan where there is no vector."""
        question = numpy.frombuffer(vector, numpy.int8).astype(numpy.float32)
        found = numpy.full(len(units), numpy.nan)
        inside = numpy.flatnonzero(units < len(self.places))
        places = self.places[units[inside]]
        inside, places = inside[places >= 0], places[places >= 0]
        apart = self.numbers[places].astype(numpy.float32) - question
        squares = numpy.einsum("ij,ij->i", apart, apart)
        found[inside] = numpy.sqrt(squares.astype(numpy.float64)).astype(numpy.float32)
        return found


def cosines(index: Index, vector: bytes, units: Sequence[int]) -> Array:
    """The cosine of each unit; nan for one without a vector. All vectors have one length, so the distance gives the
    cosine. If all vectors are cached, none is read; the numbers are the same."""
    every: UnitVectors | None = find_cached(index, VECTORS)
    if every is not None:
        distances = every.distances(vector, numpy.array(units, numpy.int64))
        return 1.0 - distances * distances / (2 * LENGTH * LENGTH)
    by_unit = {
        unit: 1.0 - distance * distance / (2 * LENGTH * LENGTH)
        for unit, distance in list_distances(index, vector, sorted(units))
    }
    return numpy.array([by_unit.get(unit, numpy.nan) for unit in units])


def spread_of_cosines(known: Units, vector: bytes) -> tuple[float, float]:
    """Mean and deviation of the cosines of all units with a query, computed without reading any of them."""
    if not vector or not known.mean.any():
        return 0.0, 1.0
    question = numpy.frombuffer(vector, numpy.int8) / LENGTH
    require(PRODUCT_BYTES)
    mean = float(question @ known.mean)
    return mean, math.sqrt(max(float(question @ known.covariance @ question), 1e-9))


def nearest(index: Index, vector: bytes, count: int) -> list[int]:
    """That many units, nearest first."""
    every = memoize(index, VECTORS, lambda: _vectors(index))
    # Squared distances, without the query's own square.
    best: list[int] = every.units[least(every.squares - 2 * every.products(vector), count)].tolist()
    return best


def least(distances: Array, count: int) -> Array:
    """Positions of that many of the smallest, in order; among equals the first."""
    most = min(count, len(distances)) - 1
    if most < 0:
        return numpy.zeros(0, numpy.int64)
    near = numpy.flatnonzero(distances <= numpy.partition(distances, most)[most])
    return near[numpy.argsort(distances[near], kind="stable")][:count]


def _vectors(index: Index) -> UnitVectors:
    count, dimensions = measure_vectors(index)
    return UnitVectors.of(count, dimensions, ((place, *row) for place, row in enumerate(each_vector(index))))


def _parts(numbers: Array) -> Iterator[Array]:
    """The vectors as floats, in which sums of such products are exact."""
    for start in range(0, len(numbers), PART):
        yield numbers[start : start + PART].astype(numpy.float32)
