"""Vectors of a user's model for the functions, classes and sections of a graph.

In: an index that is up to date, a model. Out: vectors next to it, written batch by batch and used as soon as they are
written: short texts first, tests last. What was embedded before and did not change is not embedded again, so that an
interrupted run can continue, here or in another process. One process at a time makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.repository.encoding import lock
from rpg.repository.encoding.unit_texts import LINES_READ, Unit, texts_of
from rpg.stores.index.index import Index
from rpg.stores.search.model_vectors import ModelVectors, key_of, vectors_path
from rpg.stores.search.unit_reads import each_unit_of, list_units_by_length

BATCH = 32
STAGE = "embed"
STEPS = 127
"""Scale of the largest number of a mean, which is int8 like the vectors themselves."""
FILES_KEPT = 64
"""How many files stay unpacked, because with short texts first they are read in no order."""
KINDS = sorted(FUNCTION_KINDS | CLASS_KINDS | {"section"})

Progress = Callable[[str, int, int], None]


class Embedder(Protocol):
    @property
    def name(self) -> str: ...

    def vectors(self, texts: list[str]) -> list[bytes]: ...


class Embedded(NamedTuple):
    """How many of the vectors of a model exist."""

    ready: int
    wanted: int

    def __str__(self) -> str:
        return f"{self.ready:,} of {self.wanted:,}"


def embed(
    index_path: Path,
    embedder: Embedder,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Returns how many symbols were embedded now. MODEL_UNAVAILABLE if the model cannot be run, Locked while another
    process makes the vectors; finished work stays."""
    path = vectors_path(index_path)
    index = Index.open_read_only(index_path)
    try:
        with lock.hold(path.with_name(path.name + "-lock")):
            vectors = ModelVectors(index_path, embedder.name)
            done = 0
            while not cancelled():
                generation, missing = _find_missing(index, vectors)
                for batch in _batches(index, generation, missing):
                    vectors.add(_vectors(embedder, batch))
                    done += len(batch)
                    if progress is not None:
                        progress(STAGE, done, max(done, len(missing)))
                    if cancelled():
                        break
                if index.meta("generation") == generation:
                    break
            return done
    finally:
        index.close()


def measure_embedded(index: Index, name: str) -> Embedded:
    """The progress of the model of that name, next to this index."""
    embedded = ModelVectors(index.path, name).known()
    keys = {key_of(*row) for row in each_unit_of(index, KINDS)}
    return Embedded(len(keys & embedded), len(keys))


def _find_missing(index: Index, vectors: ModelVectors) -> tuple[str, list[Unit]]:
    """Removes the vectors of texts that no longer exist."""
    with index.snapshot():
        units = {unit.key: unit for unit in _units(index)}
        generation = index.meta("generation")
    vectors.keep(set(units))
    known = vectors.known()
    return generation, [unit for key, unit in units.items() if key not in known]


def _units(index: Index) -> Iterator[Unit]:
    rows = list_units_by_length(index, KINDS, LINES_READ)
    for path, name, text_hash, kind, signature, doc, start, end in rows:
        yield Unit(key_of(path, name, text_hash), kind, path, name, signature, doc, start, end)


def _batches(index: Index, generation: str, units: list[Unit]) -> Iterator[dict[bytes, list[str]]]:
    """Texts by key, with secrets masked as in the index. Ends early if the index changes."""

    @lru_cache(FILES_KEPT)
    def lines(path: str) -> list[str]:
        return index.source(path).decode().split("\n")

    for at in range(0, len(units), BATCH):
        with index.snapshot():
            if index.meta("generation") != generation:
                return
            texts = {unit.key: texts_of(unit, lines(unit.path)) for unit in units[at : at + BATCH]}
        yield texts


def _vectors(embedder: Embedder, texts: Mapping[bytes, Sequence[str]]) -> dict[bytes, bytes]:
    """For each key, the mean of the directions of its texts."""
    vectors = iter(embedder.vectors([text for each in texts.values() for text in each]))
    return {key: _mean([next(vectors) for _ in each]) for key, each in texts.items()}


def _mean(vectors: Sequence[bytes]) -> bytes:
    if len(vectors) == 1:
        return vectors[0]
    from rpg.system.arrays import numpy

    numbers = numpy.array([numpy.frombuffer(vector, numpy.int8) for vector in vectors], numpy.float64)
    total = (numbers / numpy.maximum(numpy.linalg.norm(numbers, axis=1, keepdims=True), 1.0)).sum(axis=0)
    mean: bytes = numpy.rint(total * (STEPS / (numpy.abs(total).max() or 1.0))).astype(numpy.int8).tobytes()
    return mean
