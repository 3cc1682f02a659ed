"""What the vectors of units say about a query's vector: cosines, and the nearest units.

In: an index and a vector. Out: cosines of chosen units, read for each query; the nearest units of all, from vectors
that are cached after the first such query, because reading them takes many times as long as comparing.

Absent: the weight of a cosine (ranking.py), which vectors a user's model has (model_meaning.py).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from rpg.arrays import numpy
from rpg.memory import PRODUCT_BYTES, require
from rpg.models.embedding import LENGTH
from rpg.queries.graph.memo import kept
from rpg.queries.search.search_units import Array, Units

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

PART = 2_048
"""How many vectors are compared at a time: as floats they take a megabyte."""


class UnitVectors(NamedTuple):
    units: Array
    """Those that have a vector."""
    numbers: Array
    """int8, by unit and dimension."""
    squares: Array
    """Squares of their lengths."""

    @classmethod
    def of(cls, vectors: Iterable[tuple[int, bytes]]) -> UnitVectors:
        """Of one number of dimensions."""
        units, found = array("q"), bytearray()
        for unit, vector in vectors:
            units.append(unit)
            found += vector
        numbers = numpy.frombuffer(found, numpy.int8).reshape(len(units), -1 if units else 0)
        squares = [numpy.square(part).sum(axis=1) for part in _parts(numbers)]
        return cls(numpy.array(units), numbers, numpy.concatenate(squares) if squares else numpy.zeros(0))

    def products(self, vector: bytes) -> Array:
        """With another vector."""
        question = numpy.frombuffer(vector, numpy.int8).astype(numpy.float32)
        require(PRODUCT_BYTES)
        products = [part @ question for part in _parts(self.numbers)]
        return numpy.concatenate(products) if products else numpy.zeros(0)


def cosines(index: Index, vector: bytes, units: Iterable[int]) -> dict[int, float]:
    """For the units that have a vector. All vectors have one length, so the cosine follows from the distance."""
    listed = ",".join(map(str, sorted(units)))
    rows = index.rows(
        "SELECT unit, vec_distance_l2(vec_int8(vector), vec_int8(?)) FROM search_units"
        f" WHERE unit IN ({listed}) AND vector != x''",
        (vector,),
    )
    return {unit: 1.0 - distance * distance / (2 * LENGTH * LENGTH) for unit, distance in rows}


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
    known = kept(index, "vectors", lambda: _vectors(index))
    # Squared distances, without the query's own square.
    best: list[int] = known.units[least(known.squares - 2 * known.products(vector), count)].tolist()
    return best


def least(distances: Array, count: int) -> Array:
    """Positions of that many of the smallest, in order; among equals the first."""
    most = min(count, len(distances)) - 1
    if most < 0:
        return numpy.zeros(0, numpy.int64)
    near = numpy.flatnonzero(distances <= numpy.partition(distances, most)[most])
    return near[numpy.argsort(distances[near], kind="stable")][:count]


def _vectors(index: Index) -> UnitVectors:
    rows = index.each("SELECT unit, vector FROM search_units WHERE vector != x'' ORDER BY symbol")
    return UnitVectors.of((unit, vector) for unit, vector in rows)


def _parts(numbers: Array) -> Iterator[Array]:
    """As floats, in which sums of such products are exact."""
    for start in range(0, len(numbers), PART):
        yield numbers[start : start + PART].astype(numpy.float32)
