"""Vectors of a user's model, NAME.graph.db-vectors: a separate SQLite file next to the index.

In: the name of a model, keys, vectors. Out: the same. A key is a hash of what a vector was made of, so that vectors
survive when the index is rebuilt or an encode is interrupted; only what changed is embedded again. The file carries a
seal like the index: one that this installation did not make is never read, trusted or not.

Absent: texts, models, units.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw

from rpg import filesystem
from rpg.stamp import stamp_of
from rpg.stores.connection import BrokenIndex, connect, connect_to_read, is_damage, lacks_sums, reserve_sums
from rpg.stores.index.ownership import meta_of_ours, name_log, refuse_journal, seal_meta

ENDING = "-vectors"
FORMAT = "vectors 1"
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;   -- format, and what seal.py adds
CREATE TABLE vectors (
    model TEXT NOT NULL,
    key BLOB NOT NULL,
    vector BLOB NOT NULL,            -- int8
    PRIMARY KEY (model, key)
) WITHOUT ROWID;
"""
UNREADABLE = (apsw.Error, BrokenIndex, OSError, UnicodeError)


def vectors_path(index: Path) -> Path:
    return index.with_name(index.name + ENDING)


def key_of(path: str, qualified_name: str, text_hash: str) -> bytes:
    """Of a symbol, by its location and the hash of its text."""
    return blake2b(f"{path}\0{qualified_name}\0{text_hash}".encode(), digest_size=12).digest()


class ModelVectors:
    """Of one model, next to one index. A file that cannot be opened or read counts as empty."""

    def __init__(self, index: Path, model: str) -> None:
        self._path = vectors_path(index)
        self._log = self._path.with_name(self._path.name + "-wal")
        self.model = model

    @property
    def foreign(self) -> bool:
        """Whether there is a file that this installation did not make."""
        return os.path.lexists(self._path) and not self._is_ours()

    @property
    def are_any(self) -> bool:
        return bool(self._rows("SELECT 1 FROM vectors WHERE model = ? LIMIT 1", (self.model,)))

    def known(self) -> set[bytes]:
        return {key for (key,) in self._rows("SELECT key FROM vectors WHERE model = ?", (self.model,))}

    def add(self, vectors: Mapping[bytes, bytes]) -> None:
        if not self._is_ours():
            self._begin_anew()
        rows = [(self.model, key, vector) for key, vector in vectors.items()]
        try:
            self._write("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        except apsw.Error as error:
            if not is_damage(error):
                raise
            self._begin_anew()
            self._write("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def keep(self, keys: set[bytes]) -> None:
        """Forgets the vectors of all other keys."""
        gone = self.known() - keys
        if gone:
            self._write("DELETE FROM vectors WHERE model = ? AND key = ?", [(self.model, key) for key in gone])

    def all(self) -> list[tuple[bytes, bytes]]:
        """Keys and vectors, in the order of keys."""
        rows = self._rows("SELECT key, vector FROM vectors WHERE model = ? ORDER BY key", (self.model,))
        return [(bytes(key), bytes(vector)) for key, vector in rows]

    def state(self) -> object:
        """Another one after every write."""
        return [stamp_of(path.stat()) for path in (self._path, self._log) if path.exists()]

    def _rows(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        try:
            with self._read() as connection:
                return connection.execute(sql, parameters).fetchall()
        except UNREADABLE:
            return []

    def _is_ours(self) -> bool:
        try:
            with self._read():
                return True
        except UNREADABLE:
            return False

    @contextmanager
    def _read(self) -> Iterator[apsw.Connection]:
        refuse_journal(self._path)
        with closing(connect_to_read(self._path)) as connection:
            self._refuse_foreign(connection)
            yield connection

    def _refuse_foreign(self, connection: apsw.Connection) -> None:
        if meta_of_ours(connection, self._path).get("format") != FORMAT or lacks_sums(self._path):
            raise BrokenIndex(f"{self._path} is not a vector file that this rpg made")

    def _begin_anew(self) -> None:
        for ending in ("-wal", "-shm", "-journal", ""):
            filesystem.remove(self._path.with_name(self._path.name + ending))
        with closing(connect(str(self._path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)) as connection:
            reserve_sums(connection)
            connection.pragma("journal_mode", "WAL")
            with connection:
                connection.execute(TABLES)
                connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))
                seal_meta(connection, self._path)

    def _write(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Whole, and sealed."""
        refuse_journal(self._path)
        with closing(connect(str(self._path))) as connection:
            self._refuse_foreign(connection)
            name_log(connection, self._path)
            with connection:
                connection.executemany(sql, rows)
                seal_meta(connection, self._path)
