"""What a user's embedding model says about units for one query.

In: an index with vectors of that model next to it, the model, the query's text. Out: how far the cosine of a unit is
above that of most, in deviations. Absent: the weight of that (ranking.py); making vectors (repository).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import orjson

from rpg.errors import ModelUnavailable
from rpg.queries.graph.memo import kept
from rpg.stores.search.model_vectors import ModelVectors, key_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


ENCODE = "`rpg encode --embedder FILE`"


class QuestionEmbedder(Protocol):
    @property
    def name(self) -> str: ...

    def vectors(self, texts: list[str]) -> list[bytes]: ...


def recorded(index: Index) -> str:
    """Name of the model whose vectors are next to an index; empty if there are none."""
    options = orjson.loads(index.meta("options") or "{}")
    return str(options.get("embedder", ""))


def model_meaning(index: Index, chosen: QuestionEmbedder | None, question: str) -> tuple[ModelMeaning | None, str]:
    """None if only words and the built-in vectors decide, with the reason if it is worth reporting."""
    name = recorded(index)
    if not name:
        return None, ""
    aside = f"vectors of the model {name} are not used"
    if chosen is None:
        return None, f"{aside}: start with --embedder FILE or RPG_EMBEDDER; words and the built-in vectors decide"
    try:
        if chosen.name != name:
            return None, f"{aside}: the model here is {chosen.name}; `rpg encode --embedder` makes vectors of it"
        meaning = ModelMeaning(index, chosen, question)
    except ModelUnavailable as error:
        return None, f"{aside}: {error.message}"
    if not meaning.is_known:
        if ModelVectors(index.path, name).foreign:
            return None, f"{aside}: another installation made them; {ENCODE} makes them anew"
        return None, f"{aside}: there are none next to the index; {ENCODE} makes them"
    return meaning, ""


def vector_status(index: Index, chosen: QuestionEmbedder | None) -> str:
    """Which model's vectors are next to an index, and why they are not used here; empty if there are none."""
    reason = unused(index, chosen)
    return recorded(index) + (f", not used: {reason}" if reason else "")


def unused(index: Index, chosen: QuestionEmbedder | None) -> str:
    """Why the vectors next to an index cannot be used here; empty if they can, or if there are none."""
    name = recorded(index)
    try:
        is_here = not name or (chosen is not None and chosen.name == name)
    except ModelUnavailable as error:
        return error.message
    return "" if is_here else "start with --embedder FILE or RPG_EMBEDDER"


class ModelMeaning:
    """Raises MODEL_UNAVAILABLE if the model cannot be run."""

    def __init__(self, index: Index, embedder: QuestionEmbedder, question: str) -> None:
        self._index = index
        self._vectors = ModelVectors(index.path, embedder.name)
        (self._vector,) = embedder.vectors([question])
        sample = self._vectors.sampled(self._vector)
        self.is_known = bool(sample)
        """Whether there are any vectors of this model."""
        self._mean = sum(sample) / max(1, len(sample))
        squares = sum((each - self._mean) ** 2 for each in sample) / max(1, len(sample))
        self._deviation = math.sqrt(squares) or 1.0

    @property
    def best(self) -> float:
        return (1.0 - self._mean) / self._deviation

    def above(self, units: Iterable[int]) -> dict[int, float]:
        """For those units that have a vector."""
        listed = ",".join(map(str, units))
        rows = self._index.rows(
            "SELECT u.unit, s.path, s.qualified_name, s.hash FROM search_units u JOIN symbols s ON s.id = u.symbol"
            f" WHERE u.unit IN ({listed})"
        )
        keys = {unit: key_of(*of_symbol) for unit, *of_symbol in rows}
        cosines = self._vectors.cosines(self._vector, keys.values())
        return {unit: (cosines[key] - self._mean) / self._deviation for unit, key in keys.items() if key in cosines}

    def nearest(self, number: int) -> list[int]:
        units = kept(self._index, "unit by key", lambda: _unit_by_key(self._index))
        return [units[key] for key in self._vectors.nearest(self._vector, number) if key in units]


def _unit_by_key(index: Index) -> dict[bytes, int]:
    rows = index.rows(
        "SELECT u.unit, s.path, s.qualified_name, s.hash FROM search_units u JOIN symbols s ON s.id = u.symbol"
    )
    return {key_of(*of_symbol): unit for unit, *of_symbol in rows}
