"""Vectors without a model to download: a table of a vector for each known term, shared by questions and code.

In: terms with weights. Out: int8 vectors of one length (L2), so that nearest by distance is nearest by angle; and what
the table knows of single terms: how much they tell in a question, and which terms are used in their place.
Arithmetic is on whole numbers, so that every machine makes the same vectors; no numpy, which costs more memory than
the rest of search. A vector is one Python integer of 128 lanes of 32 bits while it is summed: adding and scaling such
integers runs in C.
Absent: the file the table comes in (embedding_table.py), texts.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple, Protocol

from rpg.bags import little

LENGTH = 317.0
"""Of every vector, in int8 steps: the largest of 128 numbers seldom exceeds 0.4 of the length, and 127 / 0.4 = 317."""
LANE = 32
_TOP_BYTE = LANE // 8 - 1

LARGEST_IN_CODE = 400
"""Of a row's weight: three bags of 500 terms, each counted at most 27 times, stay inside their lanes."""

LEAST_FACTOR = 256
"""A sum so large that it has to be scaled by less is scaled lane by lane: the whole number would be too coarse."""

Words = Iterable[tuple[str, float]]
"""Terms with their weights."""


class Embedder(Protocol):
    """What makes vectors of code and of questions that can be compared."""

    name: str
    """Recorded in the index: vectors of different names are never compared."""
    dimensions: int

    def rows(self, terms: list[str]) -> list[int]:
        """For each term its vector in code as one integer, 0 where it is not known. They can be scaled and added."""

    def vector(self, parts: int) -> bytes:
        """int8 numbers of a sum of rows; empty where nothing is known of it."""

    def query(self, words: Words) -> bytes:
        """The same for a question."""


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
    """How much the term counts in a vector on either side: whole numbers, the row's scale included."""
    telling: float
    """How much the term tells in a question, 1 being the median: `cookie` much, `given` little."""
    near: tuple[Near, ...]
    """Terms used in its place, nearest first."""


class StaticTable:
    """Sums of term vectors, each with a learned weight for questions and one for code."""

    def __init__(self, name: str, dimensions: int, known: Mapping[str, Row]) -> None:
        self.name = name
        self.dimensions = dimensions
        self.known = known
        ones = sum(1 << (LANE * i) for i in range(dimensions))
        self._ones = ones
        self._sign = ones << (LANE - 1)
        self._rounding = self._sign + (ones << (LANE - 9))
        self._lanes: dict[str, int] = {}

    def rows(self, terms: list[str]) -> list[int]:
        known = self._lanes
        return [known[term] if term in known else self._in_code(term) for term in terms]

    def vector(self, parts: int) -> bytes:
        if not parts:
            return b""
        lanes: array[int] = array("i")
        lanes.frombytes(((parts + self._sign) ^ self._sign).to_bytes(self.dimensions * LANE // 8, "little"))
        lanes = little(lanes)
        length = math.hypot(*lanes)
        largest = max(max(lanes), -min(lanes))
        if not largest:
            return b""
        scale = min(LENGTH / length, 127 / largest)
        factor = int(scale * (1 << (LANE - 8)))
        if factor < LEAST_FACTOR:
            return array("b", [round(each * scale) for each in lanes]).tobytes()
        whole = parts * factor + self._rounding
        # The top byte of each lane is the rounded number plus 128.
        return whole.to_bytes(self.dimensions * LANE // 8, "little")[_TOP_BYTE :: LANE // 8].translate(_SIGNED)

    def query(self, words: Words) -> bytes:
        total = 0
        for term, weight in words:
            row = self.known.get(term)
            if row:
                total += self._packed(row.numbers) * int(row.in_questions * weight + 0.5)
        return self.vector(total)

    def _in_code(self, term: str) -> int:
        row = self.known.get(term)
        lanes = self._lanes[term] = self._packed(row.numbers) * row.in_code if row else 0
        return lanes

    def _packed(self, numbers: bytes) -> int:
        """The lanes of int8 numbers as one signed integer."""
        lanes = array("I", [(number + 128) & 255 for number in numbers])
        return int.from_bytes(little(lanes).tobytes(), "little") - 128 * self._ones


_SIGNED = bytes((i + 128) & 255 for i in range(256))


@cache
def built_in() -> StaticTable:
    """The table that comes with rpg. Raises ModelUnavailable where the installation lacks it."""
    from rpg.models.embedding_table import read_built_in

    return read_built_in()


def spread(vectors: Iterable[bytes]) -> tuple[list[float], list[list[float]]]:
    """Mean and covariance of int8 vectors, from which mean and deviation of their cosines with any question follow.

    Both are in units of vectors of length 1; empty where there is no vector.
    """
    number, dimensions, total, bias = 0, 0, 0, 0
    products: list[int] = []
    for number, vector in enumerate(vectors, 1):
        if number == 1:
            dimensions = len(vector)
            bias = sum(128 << (LANE * i) for i in range(dimensions))
            products = [0] * dimensions
        numbers = array("b", vector)
        lanes = array("I", [(each + 128) & 255 for each in vector])
        packed = int.from_bytes(little(lanes).tobytes(), "little") - bias
        total += packed
        products = [row + packed * each for row, each in zip(products, numbers, strict=True)]
    if not number:
        return [], []
    mean = [each / (number * LENGTH) for each in _lanes(total, dimensions)]
    rows = [[each / (number * LENGTH * LENGTH) for each in _lanes(row, dimensions)] for row in products]
    covariance = [[each - a * b for each, b in zip(row, mean, strict=True)] for row, a in zip(rows, mean, strict=True)]
    return mean, covariance


def _lanes(packed: int, dimensions: int) -> list[int]:
    """The signed numbers in the lanes of an integer."""
    sign = sum(1 << (LANE * i + LANE - 1) for i in range(dimensions))
    lanes: array[int] = array("I")
    lanes.frombytes((packed + sign).to_bytes(dimensions * LANE // 8, "little"))
    return [each - (1 << (LANE - 1)) for each in little(lanes)]
