"""What a user's embedding model says about units for one query.

In: an index with vectors of that model next to it, the model, the query's text. Out: how far the cosine of a unit is
above that of most, in deviations. Absent: the weight of that (ranking.py); making vectors (repository).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from rpg.errors import ModelUnavailable
from rpg.queries.graph.memo import memoize
from rpg.queries.search.meaning.recorded_model import find_recorded_model
from rpg.queries.search.meaning.vectors import UnitVectors, least
from rpg.queries.search.search_units import Array
from rpg.queries.search.search_units import units as of_units
from rpg.stores.search.model_vectors import ModelVectors, key_of
from rpg.stores.search.unit_reads import each_hash_of_units
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


ENCODE = "`rpg encode --embedder FILE`"


class QuestionEmbedder(Protocol):
    @property
    def name(self) -> str: ...

    def vectors(self, texts: list[str]) -> list[bytes]: ...


def model_meaning(index: Index, chosen: QuestionEmbedder | None, question: str) -> tuple[ModelMeaning | None, str]:
    """None if only words and the built-in vectors decide, with the reason if it is worth reporting."""
    name = find_recorded_model(index)
    if not name:
        return None, ""
    prefix = f"vectors of the model {name} are not used"
    if chosen is None:
        return None, f"{prefix}: start with --embedder FILE or RPG_EMBEDDER; words and the built-in vectors decide"
    try:
        if chosen.name != name:
            return None, f"{prefix}: the model here is {chosen.name}; `rpg encode --embedder` makes vectors of it"
        meaning = ModelMeaning(index, chosen, question)
    except ModelUnavailable as error:
        return None, f"{prefix}: {error.message}"
    if not meaning.is_known:
        if ModelVectors(index.path, name).foreign:
            return None, f"{prefix}: another installation or version of rpg made them; {ENCODE} makes them again"
        return None, f"{prefix}: there are none next to the index; {ENCODE} makes them"
    return meaning, ""


def vector_status(index: Index, chosen: QuestionEmbedder | None) -> str:
    """Which model's vectors are next to an index, and why they are not used here; empty if there are none."""
    reason = explain_unused(index, chosen)
    return find_recorded_model(index) + (f", not used: {reason}" if reason else "")


def explain_unused(index: Index, chosen: QuestionEmbedder | None) -> str:
    """Why the vectors next to an index cannot be used here; empty if they can, or if there are none."""
    name = find_recorded_model(index)
    try:
        is_here = not name or (chosen is not None and chosen.name == name)
    except ModelUnavailable as error:
        return error.message
    return "" if is_here else "start with --embedder FILE or RPG_EMBEDDER"


class ModelMeaning:
    """Raises MODEL_UNAVAILABLE if the model cannot be run."""

    def __init__(self, index: Index, embedder: QuestionEmbedder, question: str) -> None:
        (vector,) = embedder.vectors([question])
        known = _current(index, ModelVectors(index.path, embedder.name), len(vector))
        self.is_known = bool(len(known.units))
        """Whether there are any vectors of this model."""
        length = math.sqrt(sum(each * each for each in array("b", vector))) or 1.0
        cosines = known.products(vector) / (numpy.sqrt(numpy.maximum(known.squares, 1)) * length)
        self._units = known.units
        self._is_in_front = ~of_units(index).is_behind[known.units]
        usual = cosines[self._is_in_front] if self._is_in_front.any() else cosines
        self._mean = float(usual.mean()) if self.is_known else 0.0
        self._deviation = (float(usual.std()) if self.is_known else 0.0) or 1.0
        self._above = (cosines - self._mean) / self._deviation

    @property
    def best(self) -> float:
        return (1.0 - self._mean) / self._deviation

    def above(self, units: Iterable[int]) -> dict[int, float]:
        """Deviations for those units that have a vector."""
        wanted = numpy.fromiter(units, numpy.int64)
        at = numpy.minimum(numpy.searchsorted(self._units, wanted), len(self._units) - 1)
        has_vector = self._units[at] == wanted
        return dict(zip(wanted[has_vector].tolist(), self._above[at[has_vector]].tolist(), strict=True))

    def nearest(self, number: int, allowed: Array | None = None) -> list[int]:
        """The nearest units that are not demoted. `allowed` says for each unit whether it may be found."""
        is_wanted = self._is_in_front if allowed is None else self._is_in_front & allowed[self._units]
        units, above = self._units[is_wanted], self._above[is_wanted]
        best: list[int] = units[least(-above, number)].tolist()
        return best


def _current(index: Index, vectors: ModelVectors, dimensions: int) -> UnitVectors:
    """The vectors of units by unit number. Read again when there are more: they are made in the background."""
    read: dict[str, tuple[object, UnitVectors]] = memoize(index, "vectors of models", dict)
    state = vectors.state()
    known = read.get(vectors.model)
    if known is None or known[0] != state:
        known = state, _read(index, vectors, dimensions)
        read[vectors.model] = known
    return known[1]


def _read(index: Index, vectors: ModelVectors, dimensions: int) -> UnitVectors:
    units = array("q")
    places = dict.fromkeys(vectors.known(), -1)
    """The last unit with each key; symbols may share one if their names and sources are the same."""
    earlier: dict[int, int] = {}
    """The unit before it with the same key."""
    for unit, *of_symbol in each_hash_of_units(index):
        key = key_of(*of_symbol)
        if key in places:
            if places[key] >= 0:
                earlier[len(units)] = places[key]
            places[key] = len(units)
            units.append(unit)

    def rows() -> Iterator[tuple[int, int, bytes]]:
        for key, vector in vectors.each():
            place = places.get(key, -1) if len(vector) == dimensions else -1
            while place >= 0:
                yield place, units[place], vector
                place = earlier.get(place, -1)

    return UnitVectors.of(len(units), dimensions, rows())
