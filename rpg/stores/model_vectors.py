"""Vectors of a user's model, NAME.graph.db-vectors: a SQLite file of its own beside the index.

In: the name of a model, keys, vectors. Out: cosines. A key is a hash of what a vector was made of, so that vectors stay
when the index is made anew and when an encode is interrupted; only what changed is embedded again.
Absent: texts, models, units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw

from rpg import filesystem
from rpg.stores.connection import BrokenIndex, connect, connect_to_read

ENDING = "-vectors"
TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL,
    key BLOB NOT NULL,
    vector BLOB NOT NULL,            -- int8
    PRIMARY KEY (model, key)
) WITHOUT ROWID
"""
SAMPLE = 400
"""Vectors from which mean and deviation of all cosines are told. Keys are hashes: the first ones are a fair sample."""
BATCH = 500


def vectors_path(index: Path) -> Path:
    return index.with_name(index.name + ENDING)


def key_of(path: str, qualified_name: str, text_hash: str) -> bytes:
    """Of a symbol, by where it stands and the hash of its text."""
    return blake2b(f"{path}\0{qualified_name}\0{text_hash}".encode(), digest_size=12).digest()


class ModelVectors:
    """Of one model, beside one index. What cannot be opened or read has no vectors."""

    def __init__(self, index: Path, model: str) -> None:
        self._path = vectors_path(index)
        self._model = model

    def known(self) -> set[bytes]:
        return {key for (key,) in self._rows("SELECT key FROM vectors WHERE model = ?", (self._model,))}

    def add(self, vectors: Mapping[bytes, bytes]) -> None:
        filesystem.refuse_foreign(self._path)
        connection = connect(str(self._path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            connection.pragma("journal_mode", "WAL")
            with connection:
                connection.execute(TABLE)
                rows = ((self._model, key, vector) for key, vector in vectors.items())
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        finally:
            connection.close()

    def keep(self, keys: set[bytes]) -> None:
        """Forget the vectors of all other keys."""
        gone = self.known() - keys
        if gone:
            connection = connect(str(self._path))
            try:
                with connection:
                    rows = ((self._model, key) for key in gone)
                    connection.executemany("DELETE FROM vectors WHERE model = ? AND key = ?", rows)
            finally:
                connection.close()

    def cosines(self, vector: bytes, keys: Iterable[bytes]) -> dict[bytes, float]:
        """Of those that have a vector."""
        found: dict[bytes, float] = {}
        wanted = list(keys)
        for at in range(0, len(wanted), BATCH):
            batch = wanted[at : at + BATCH]
            marks = ",".join("?" * len(batch))
            rows = self._rows(
                "SELECT key, 1.0 - vec_distance_cosine(vec_int8(vector), vec_int8(?)) FROM vectors"
                f" WHERE model = ? AND key IN ({marks})",
                (vector, self._model, *batch),
            )
            found.update((bytes(key), cosine) for key, cosine in rows)
        return found

    def sampled(self, vector: bytes) -> list[float]:
        """Cosines of some."""
        rows = self._rows(
            "SELECT 1.0 - vec_distance_cosine(vec_int8(vector), vec_int8(?)) FROM vectors WHERE model = ?"
            " ORDER BY key LIMIT ?",
            (vector, self._model, SAMPLE),
        )
        return [cosine for (cosine,) in rows]

    def nearest(self, vector: bytes, number: int) -> list[bytes]:
        rows = self._rows(
            "SELECT key FROM vectors WHERE model = ? ORDER BY vec_distance_cosine(vec_int8(vector), vec_int8(?)), key"
            " LIMIT ?",
            (self._model, vector, number),
        )
        return [bytes(key) for (key,) in rows]

    def _rows(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        try:
            connection = connect_to_read(self._path)
        except (apsw.Error, BrokenIndex):
            return []
        try:
            return connection.execute(sql, parameters).fetchall()
        except apsw.Error:
            return []
        finally:
            connection.close()
