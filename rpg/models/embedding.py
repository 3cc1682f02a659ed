"""Vectors without a model to download: a table with a vector for each known term, shared by queries and code.

In: terms with weights. Out: int8 vectors of one length (L2), so that the nearest by distance is the nearest by angle;
and what the table knows of single terms: how informative they are in a query, and which terms can replace them.
Arithmetic is on whole numbers, so that every machine makes the same vectors. A query is summed here; code is summed in
bulk (stores/search/vectors.py).

Absent: the table that comes with rpg (embedding_table.py), texts.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

LENGTH = 317.0
"""Length of every vector in int8 steps: the largest of 128 numbers seldom exceeds 0.4 of the length, and 127 / 0.4 =
317."""

LARGEST_IN_CODE = 400
"""Limit for a row's weight: the sum over a thousand terms, each counted 27 times, all at their largest in one
direction, fits into 32 bits."""

Words = Iterable[tuple[str, float]]
"""Terms with their weights."""


class Embedder(Protocol):
    """Makes vectors of code and of queries that can be compared."""

    name: str
    """Recorded in the index: vectors of different names are never compared."""
    dimensions: int

    def in_code(self) -> InCode:
        """What vectors of code are summed from."""

    def query(self, words: Words) -> bytes:
        """The int8 vector of a query; empty if none of its terms is known."""


class InCode(NamedTuple):
    """Rows of terms: a vector of code is the sum of its terms' rows, each times its weight and its count."""

    numbers: Mapping[str, int]
    """Row by term."""
    vectors: bytes
    """int8, row by row."""
    weights: Sequence[int]
    """By row."""


class Near(NamedTuple):
    term: str
    likeness: float
    """Cosine of the two terms' vectors."""


class Row(NamedTuple):
    """What the table knows of a term."""

    numbers: bytes
    """int8"""
    in_code: int
    in_questions: int
    """The weight of the term in a vector on either side: whole numbers that include the row's scale."""
    telling: float
    """How informative the term is in a query, with a median of 1: `cookie` very, `given` hardly."""
    near: tuple[Near, ...]
    """Terms that can replace it, nearest first."""


class StaticTable:
    """Sums of term vectors, each with a learned weight for queries and one for code."""

    def __init__(self, name: str, dimensions: int, known: Mapping[str, Row]) -> None:
        self.name = name
        self.dimensions = dimensions
        self.known = known

    def in_code(self) -> InCode:
        rows = [self.known[term] for term in self.known]
        numbers = {term: i for i, term in enumerate(self.known)}
        return InCode(numbers, b"".join(row.numbers for row in rows), [row.in_code for row in rows])

    def query(self, words: Words) -> bytes:
        total = [0] * self.dimensions
        for term, weight in words:
            row = self.known.get(term)
            if row:
                factor = int(row.in_questions * weight + 0.5)
                total = [sum_ + factor * each for sum_, each in zip(total, array("b", row.numbers), strict=True)]
        largest = max(map(abs, total))
        if not largest:
            return b""
        scale = min(LENGTH / math.hypot(*total), 127 / largest)
        return array("b", [round(each * scale) for each in total]).tobytes()
