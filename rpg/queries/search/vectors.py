"""What the vectors of units say of a question's own: cosines, and who is nearest.

In: an index and a vector. Out: cosines of chosen units, read for each question; the units nearest of all, from vectors
that are kept once something asked for them, as reading them takes many times what comparing does.
Absent: what a cosine counts (ranking.py), vectors of a user's model (model_meaning.py).
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
"""Vectors that are compared at a time: as floats they take a megabyte."""


class _Vectors(NamedTuple):
    """Of all units that have one, in the order of their symbols."""

    units: Array
    numbers: Array
    """int8, by unit and dimension."""
    squares: Array
    """Of their lengths."""


def cosines(index: Index, vector: bytes, units: Iterable[int]) -> dict[int, float]:
    """Of those units that have a vector. All vectors have one length, so that the cosine follows from the distance."""
    listed = ",".join(map(str, sorted(units)))
    rows = index.rows(
        "SELECT unit, vec_distance_l2(vec_int8(vector), vec_int8(?)) FROM search_units"
        f" WHERE unit IN ({listed}) AND vector != x''",
        (vector,),
    )
    return {unit: 1.0 - distance * distance / (2 * LENGTH * LENGTH) for unit, distance in rows}


def spread_of_cosines(known: Units, vector: bytes) -> tuple[float, float]:
    """Mean and deviation of the cosines of all units with a question, without looking at any."""
    if not vector or not known.mean.any():
        return 0.0, 1.0
    question = numpy.frombuffer(vector, numpy.int8) / LENGTH
    require(PRODUCT_BYTES)
    mean = float(question @ known.mean)
    return mean, math.sqrt(max(float(question @ known.covariance @ question), 1e-9))


def nearest(index: Index, vector: bytes, count: int) -> list[int]:
    """So many units, nearest first."""
    known = kept(index, "vectors", lambda: _vectors(index))
    question = numpy.frombuffer(vector, numpy.int8).astype(numpy.float32)
    require(PRODUCT_BYTES)
    products = [part @ question for part in _parts(known.numbers)]
    if not products:
        return []
    # Squares of distances, without the question's own.
    best: list[int] = known.units[least(known.squares - 2 * numpy.concatenate(products), count)].tolist()
    return best


def least(distances: Array, count: int) -> Array:
    """Places of so many of the least, in order; of the same ones the first."""
    most = min(count, len(distances)) - 1
    if most < 0:
        return numpy.zeros(0, numpy.int64)
    near = numpy.flatnonzero(distances <= numpy.partition(distances, most)[most])
    return near[numpy.argsort(distances[near], kind="stable")][:count]


def _vectors(index: Index) -> _Vectors:
    units, found = array("q"), bytearray()
    for unit, vector in index.each("SELECT unit, vector FROM search_units WHERE vector != x'' ORDER BY symbol"):
        units.append(unit)
        found += vector
    numbers = numpy.frombuffer(found, numpy.int8).reshape(len(units), -1 if units else 0)
    squares = [numpy.square(part).sum(axis=1) for part in _parts(numbers)]
    return _Vectors(numpy.array(units), numbers, numpy.concatenate(squares) if squares else numpy.zeros(0))


def _parts(numbers: Array) -> Iterator[Array]:
    """As floats, in which sums of such products are exact."""
    for start in range(0, len(numbers), PART):
        yield numbers[start : start + PART].astype(numpy.float32)
