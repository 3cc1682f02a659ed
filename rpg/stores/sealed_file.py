"""A small SQLite file next to the index that outlives it: results that are expensive to make, by the hash of the text
they were made from.

In: a path, a format, tables. Out: rows. The file carries a seal like the index: one that this installation did not make
is never read, trusted or not, and counts as empty, as does one that cannot be opened or read.

Absent: what the rows mean (search/model_vectors.py, lifted_texts.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from rpg.stores.connection import BrokenIndex, connect, connect_to_read, is_damage, lacks_sums, reserve_sums
from rpg.stores.index.ownership import meta_of_ours, name_log, refuse_journal, seal_meta
from rpg.system import filesystem
from rpg.system.stamp import stamp_of

META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
"""The format, and what seal.py adds."""
UNREADABLE = (apsw.Error, BrokenIndex, OSError, UnicodeError)


class SealedFile:
    def __init__(self, path: Path, format: str, tables: str) -> None:
        self.path = path
        self._format = format
        self._tables = tables
        self._log = path.with_name(path.name + "-wal")

    @property
    def foreign(self) -> bool:
        """Whether there is a file that this installation did not make."""
        return os.path.lexists(self.path) and not self._is_ours()

    def state(self) -> object:
        """Another one after every write."""
        return [stamp_of(path.stat()) for path in (self.path, self._log) if path.exists()]

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """No rows at all if the file cannot be read to the end."""
        try:
            return list(self._each(sql, parameters))
        except UNREADABLE:
            return []

    def each(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows one by one, as far as the file can be read."""
        with suppress(*UNREADABLE):
            yield from self._each(sql, parameters)

    def _each(self, sql: str, parameters: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        if self.path.exists():
            with self._read() as connection:
                yield from connection.execute(sql, parameters)

    def add(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Starts with an empty file if there is none, or it is damaged or not ours."""
        if not self._is_ours():
            self._start_empty()
        try:
            self.write(sql, rows)
        except apsw.Error as error:
            if not is_damage(error):
                raise
            self._start_empty()
            self.write(sql, rows)

    def write(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Runs the statement in one transaction, and seals the file."""
        refuse_journal(self.path)
        with closing(connect(str(self.path))) as connection:
            self._refuse_foreign(connection)
            name_log(connection, self.path)
            with connection:
                connection.executemany(sql, rows)
                seal_meta(connection, self.path)

    def _is_ours(self) -> bool:
        try:
            with self._read():
                return True
        except UNREADABLE:
            return False

    @contextmanager
    def _read(self) -> Iterator[apsw.Connection]:
        refuse_journal(self.path)
        with closing(connect_to_read(self.path)) as connection:
            self._refuse_foreign(connection)
            yield connection

    def _refuse_foreign(self, connection: apsw.Connection) -> None:
        if meta_of_ours(connection, self.path).get("format") != self._format or lacks_sums(self.path):
            raise BrokenIndex(f"{self.path} is not a file that this rpg made")

    def _start_empty(self) -> None:
        remove(self.path)
        with closing(connect(str(self.path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)) as connection:
            reserve_sums(connection)
            connection.pragma("journal_mode", "WAL")
            with connection:
                connection.execute(META + self._tables)
                connection.execute("INSERT INTO meta VALUES ('format', ?)", (self._format,))
                seal_meta(connection, self.path)


def remove(path: Path) -> None:
    for ending in ("-wal", "-shm", "-journal", ""):
        filesystem.remove(path.with_name(path.name + ending))
