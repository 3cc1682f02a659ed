"""Vectors of code as the index makes them, of weights that a test chooses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy

from rpg.models.embedding import StaticTable
from rpg.stores.search.vectors import Vectors


def of_code(table: StaticTable, weights: Mapping[str, float]) -> bytes:
    """The sum of rows, each times its weight in hundredths."""
    vectors, known = Vectors(table), table.in_code()
    sums = vectors.nothing(1).astype(numpy.int64)
    for term, weight in weights.items():
        if term in known.numbers:
            row = known.numbers[term]
            numbers = numpy.frombuffer(known.vectors, numpy.int8).reshape(-1, table.dimensions)[row]
            sums[0] += numbers.astype(numpy.int64) * known.weights[row] * round(100 * weight)
    return vectors.build_vectors(sums)[0]
