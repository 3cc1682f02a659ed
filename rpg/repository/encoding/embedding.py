"""Vectors of a user's model for all units of a graph.

In: an index that is up to date, a model. Out: vectors next to it, written batch by batch, so that an interrupted run
can continue. Units that were embedded before and did not change are not embedded again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

from rpg.stores.index.index import Index
from rpg.stores.search.model_vectors import ModelVectors, key_of

BATCH = 32
LONGEST = 4_000
"""How many characters of a unit are passed to the model."""
STAGE = "embed"

Progress = Callable[[str, int, int], None]


class Embedder(Protocol):
    @property
    def name(self) -> str: ...

    def vectors(self, texts: list[str]) -> list[bytes]: ...


class Unit(NamedTuple):
    key: bytes
    kind: str
    path: str
    qualified_name: str
    start: int
    end: int


def embed(index_path: Path, embedder: Embedder, progress: Progress | None = None) -> int:
    """Returns how many units were embedded now. MODEL_UNAVAILABLE if the model cannot be run; finished work stays."""
    index = Index.open_read_only(index_path)
    try:
        vectors = ModelVectors(index_path, embedder.name)
        units = {unit.key: unit for unit in _units(index)}
        known = vectors.known()
        vectors.keep(set(units))
        missing = [unit for key, unit in units.items() if key not in known]
        texts = _texts(index, missing)
        done = 0
        while batch := dict(islice(texts, BATCH)):
            vectors.add(dict(zip(batch, embedder.vectors(list(batch.values())), strict=True)))
            done += len(batch)
            if progress is not None:
                progress(STAGE, done, len(missing))
        return done
    finally:
        index.close()


def _units(index: Index) -> Iterator[Unit]:
    """Tests last, so that an interrupted run has what matters most."""
    rows = index.rows(
        "SELECT s.path, s.qualified_name, s.hash, s.kind, s.start_line, s.end_line FROM search_units u"
        " JOIN symbols s ON s.id = u.symbol ORDER BY s.test, s.id"
    )
    for path, name, text_hash, kind, start, end in rows:
        yield Unit(key_of(path, name, text_hash), kind, path, name, start, end)


def _texts(index: Index, units: list[Unit]) -> Iterator[tuple[bytes, str]]:
    """The text to embed, by key: the unit's path, its name, and its source with secrets masked."""
    before, lines = "", list[str]()
    for unit in units:
        if unit.path != before:
            before, lines = unit.path, index.source(unit.path).decode().split("\n")
        source = "\n".join(lines[max(0, unit.start - 1) : unit.end])
        yield unit.key, f"{unit.path} {unit.kind} {unit.qualified_name}\n{source}"[:LONGEST]
