"""Vectors of units: sums of the embedder's rows, for many units at a time.

In: how often terms occur in segments (see build.py). Out: int8 vectors of one length (L2). Sums are of whole numbers,
so that neither their order nor the machine matters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from rpg.models.embedding import LENGTH, Embedder
from rpg.stores.search import field_weights as weights
from rpg.system.arrays import numpy
from rpg.system.memory import PRODUCT_BYTES, require
from rpg.text.term_frequencies import FIELD_MASK

Array = Any
"""A numpy array."""

_LOGARITHM = [round(8 * math.log1p(tenths / 10)) for tenths in range(300)]
"""Logarithms are rounded to eighths, which is finer than the vectors."""


class Vectors:
    def __init__(self, embedder: Embedder) -> None:
        known = embedder.in_code()
        self.rows = known.numbers
        numbers = numpy.frombuffer(known.vectors, numpy.int8).reshape(-1, embedder.dimensions)
        self.dimensions = embedder.dimensions
        self._matrix = numbers.astype(numpy.int32) * numpy.array(known.weights, numpy.int32).reshape(-1, 1)
        tenths = [10 * weights.VECTOR_WEIGHTS.get(field, 0.0) for field in range(FIELD_MASK + 1)]
        self._tenths = numpy.rint(tenths)
        self._logarithm = numpy.array(_LOGARITHM, numpy.int32)

    def tenths(self, field: Array, count: Array) -> Array:
        """What a count of a term in a field adds to its weight: weight * (1 + log count), in tenths."""
        return (self._tenths[field] * (1.0 + numpy.log(count))).astype(numpy.int64)

    def nothing(self, segments: int) -> Array:
        return numpy.zeros((segments, self._matrix.shape[1]), numpy.int32)

    def add(self, sums: Array, segment: Array, row: Array, tenths: Array) -> None:
        """Adds rows * log(1 + weight) to the sums of segments, in order. `row` is -1 for a term without one."""
        selected = numpy.flatnonzero((row >= 0) & (tenths > 0))
        if len(selected):
            segment = segment[selected]
            logarithm = self._logarithm[numpy.minimum(tenths[selected], len(self._logarithm) - 1)]
            first = numpy.flatnonzero(numpy.concatenate(([True], segment[1:] != segment[:-1])))
            sums[segment[first]] += numpy.add.reduceat(self._matrix[row[selected]] * logarithm[:, None], first, axis=0)

    def build_vectors(self, sums: Array) -> list[bytes]:
        """int8 vectors of LENGTH; empty if nothing is known."""
        exact = sums.astype(numpy.float64)
        largest = numpy.abs(exact).max(axis=1, initial=0.0)
        is_known = largest > 0
        length = numpy.sqrt((exact * exact).sum(axis=1))
        scale = numpy.minimum(LENGTH / numpy.where(is_known, length, 1), 127 / numpy.where(is_known, largest, 1))
        numbers = numpy.rint(exact * scale[:, None]).astype(numpy.int8)
        return [vector.tobytes() if known else b"" for vector, known in zip(numbers, is_known.tolist(), strict=True)]


class Sample(NamedTuple):
    """Sums over some vectors, which give mean and deviation of all cosines with any query. They are of whole numbers,
    so that a vector can be subtracted again."""

    number: int
    sums: Array
    """Sums by dimension."""
    products: Array
    """Sums of products, by two dimensions."""

    @classmethod
    def of(cls, vectors: Sequence[bytes], dimensions: int) -> Sample:
        # Products of floats are computed many times as fast as those of integers, and these are exact.
        numbers = numpy.frombuffer(b"".join(vectors), numpy.int8).reshape(-1, dimensions).astype(numpy.float64)
        require(PRODUCT_BYTES)
        products = numpy.rint(numbers.T @ numbers).astype(numpy.int64)
        return cls(len(numbers), numpy.rint(numbers.sum(axis=0)).astype(numpy.int64), products)

    def but_for(self, removed: Sample, new: Sample) -> Sample:
        return Sample(*(own - less + more for own, less, more in zip(self, removed, new, strict=True)))

    def packed(self) -> bytes:
        whole: bytes = numpy.concatenate(([self.number], self.sums, self.products.ravel())).astype("<i4").tobytes()
        return whole

    @classmethod
    def unpacked(cls, blob: bytes) -> Sample:
        whole = numpy.frombuffer(blob, "<i4").astype(numpy.int64)
        dimensions = math.isqrt(len(whole))  # 1 + n + n * n
        return cls(int(whole[0]), whole[1 : dimensions + 1], whole[dimensions + 1 :].reshape(dimensions, dimensions))

    def spread(self) -> tuple[Array, Array]:
        """Mean and covariance, in units of vectors of length 1; 0 if there are no vectors."""
        number = max(1, self.number)
        mean = self.sums / (number * LENGTH)
        return mean, self.products / (number * LENGTH * LENGTH) - numpy.outer(mean, mean)
