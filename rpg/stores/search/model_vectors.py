"""Vectors of a user's model, NAME.graph.db-vectors: a separate SQLite file next to the index (stores/sealed_file.py).

In: the name of a model, keys, vectors. Out: the same. A key is a hash of what a vector was made of, so that vectors
survive when the index is rebuilt or an encode is interrupted; only what changed is embedded again.

Absent: texts, models, units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from rpg.stores.sealed_file import SealedFile

ENDING = "-vectors"
FORMAT = "vectors 2"
TABLES = """
CREATE TABLE vectors (
    model TEXT NOT NULL,
    key BLOB NOT NULL,
    vector BLOB NOT NULL,            -- int8
    PRIMARY KEY (model, key)
) WITHOUT ROWID;
"""


def vectors_path(index: Path) -> Path:
    return index.with_name(index.name + ENDING)


def key_of(path: str, qualified_name: str, text_hash: str) -> bytes:
    """The key of a symbol, by its location and the hash of its text."""
    return blake2b(f"{path}\0{qualified_name}\0{text_hash}".encode(), digest_size=12).digest()


class ModelVectors:
    """The vectors of one model, next to one index. A file that cannot be opened or read counts as empty."""

    def __init__(self, index: Path, model: str) -> None:
        self._file = SealedFile(vectors_path(index), FORMAT, TABLES)
        self.model = model

    @property
    def foreign(self) -> bool:
        """Whether there is a file that this installation did not make."""
        return self._file.foreign

    @property
    def are_any(self) -> bool:
        return bool(self._file.rows("SELECT 1 FROM vectors WHERE model = ? LIMIT 1", (self.model,)))

    def known(self) -> set[bytes]:
        return {key for (key,) in self._file.rows("SELECT key FROM vectors WHERE model = ?", (self.model,))}

    def add(self, vectors: Mapping[bytes, bytes]) -> None:
        rows = [(self.model, key, vector) for key, vector in vectors.items()]
        self._file.add("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def keep(self, keys: set[bytes]) -> None:
        """Removes the vectors of all other keys."""
        unused = self.known() - keys
        if unused:
            self._file.write("DELETE FROM vectors WHERE model = ? AND key = ?", [(self.model, key) for key in unused])

    def each(self) -> Iterator[tuple[bytes, bytes]]:
        """Keys and vectors, in the order of keys."""
        for key, vector in self._file.each(
            "SELECT key, vector FROM vectors WHERE model = ? ORDER BY key", (self.model,)
        ):
            yield bytes(key), bytes(vector)

    def state(self) -> object:
        """Another one after every write."""
        return self._file.state()
