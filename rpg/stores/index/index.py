"""The index, NAME.graph.db: one SQLite file that answers queries; derived from graph and sources, disposable.

In: a graph and the files it was made from. Out: rows. Tables are those of schema.py and of the search index. Many
threads and processes may read while one writes (WAL); a reader that needs several consistent answers takes a
`snapshot`.

Invariant: a database is never replaced under its readers. `write` builds the new contents aside and copies them in by
one transaction; a file is moved into place only if there is no database, or one that is damaged beyond that.

Absent: SQL of queries, and any decision about rebuilding (the repository's).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw

from rpg.graph import RULES_VERSION
from rpg.stores.connection import (
    BUSY_MILLISECONDS,
    connect,
    connect_to_read,
    is_damage,
    is_immutable,
    lacks_sums,
    move_log,
)
from rpg.stores.connection import BrokenIndex as BrokenIndex
from rpg.stores.index.ownership import ForeignIndex as ForeignIndex
from rpg.stores.index.ownership import meta_of_ours, name_log, refuse_journal, seal_meta
from rpg.stores.index.schema import APPLICATION_ID, INDEX_FORMAT, OWN_SYMBOLS, SCHEMA
from rpg.system import deadline, filesystem

Row = tuple[Any, ...]
Parameters = Sequence[Any] | Mapping[str, Any]


class DamagedIndex(BrokenIndex):
    """Damage found while answering: the next attempt finds a rebuilt index."""

    is_repaired_on_retry = True


LARGEST_LIBRARY_FILE = 64 << 20


class Index:
    """An index that fits this version of rpg. Safe to use from any thread; each thread borrows a connection for its
    query."""

    def __init__(self, path: Path, connect: Callable[[], apsw.Connection], *, seals: bool = False) -> None:
        """`seals`: every transaction ends by sealing what it wrote (seal.py)."""
        self.path = path
        self._seals = seals
        self.broken = ""
        """What is wrong, once a query has found damage: the owner of the index rebuilds it."""
        self._connect = connect
        self._idle: list[apsw.Connection] = []
        self._bound = threading.local()
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> Index:
        """For reading and writing. Raises BrokenIndex."""
        return cls._opened(path, lambda: check_tables(path, connect(str(path))), seals=True)

    @classmethod
    def open_read_only(cls, path: Path) -> Index:
        """Raises BrokenIndex. Works in read-only folders too."""
        return cls._opened(path, lambda: check_tables(path, connect_to_read(path)))

    @classmethod
    def _opened(cls, path: Path, connect: Callable[[], apsw.Connection], *, seals: bool = False) -> Index:
        check(path, read_meta(path))

        def connect_to_ours() -> apsw.Connection:
            refuse_journal(path)
            connection = connect()
            try:
                meta_of_ours(connection, path)
                add_views(connection)
            except BaseException:
                connection.close()
                raise
            return connection

        return cls(path, connect_to_ours, seals=seals)

    def rows(self, sql: str, params: Parameters = ()) -> list[Row]:
        bound: apsw.Connection | None = getattr(self._bound, "connection", None)
        if bound is not None:  # as below, without a context manager: an answer makes a hundred queries
            deadline.check()
            return bound.execute(sql, params).fetchall()
        with self._connection() as connection:
            return connection.execute(sql, params).fetchall()

    def row(self, sql: str, params: Parameters = ()) -> Row | None:
        # Read to the end, so that no statement stays open on a connection that is returned to the pool.
        rows = self.rows(sql, params)
        return rows[0] if rows else None

    def value(self, sql: str, params: Parameters = ()) -> Any:
        """The first column of the first row; None if there is no row."""
        row = self.row(sql, params)
        return row[0] if row else None

    def each(self, sql: str, params: Parameters = ()) -> Generator[Row, None, None]:
        """The rows one by one, for tables too large to hold. Holds a connection until it is exhausted or closed."""
        with self._connection() as connection:
            yield from connection.execute(sql, params)

    def meta(self, key: str) -> str:
        """A value of the table `meta`; empty if there is none."""
        return str(self.value("SELECT value FROM meta WHERE key = ?", (key,)) or "")

    def generation(self) -> str:
        """Identifies the contents that this thread sees. A snapshot reads it once."""
        known: str | None = getattr(self._bound, "generation", None)
        if known:
            return known
        found = self.meta("generation")
        if known is not None:
            self._bound.generation = found
        return found

    def source(self, path: str) -> bytes:
        """The text that the graph was made from, UTF-8; empty if the file was skipped or is unknown."""
        row = self.row("SELECT path, source, size FROM files WHERE path = ?", (path,))
        return self.unpacked(*row) if row else self.library_source(path)

    def library_source(self, path: str) -> bytes:
        """The text of a file of a library that was read; empty if there is none."""
        row = self.row("SELECT data FROM survey WHERE name = ?", (f"library source {path}",))
        return self.unpacked(path, row[0], LARGEST_LIBRARY_FILE) if row else b""

    def read_packed_sources(self, ids: Sequence[int]) -> dict[int, Row]:
        """For several files, by their numbers in `files`: the result of `unpacked`."""
        listed = ",".join(map(str, ids))
        rows = self.rows(f"SELECT id, path, source, size FROM files WHERE id IN ({listed})")
        return {id: tuple(row) for id, *row in rows}

    def unpacked(self, path: str, source: bytes | None, size: int) -> bytes:
        from rpg.system.compression import BrokenBlock, decompress, most_of_source

        try:
            return decompress(source, most_of_source(size)) if source else b""
        except BrokenBlock as error:
            self.broken = f"the source of {path} is damaged: {error}"
            raise DamagedIndex(f"{self.broken}: ask again, the index {self.path} is being rebuilt") from error

    def facts(self, path: str) -> bytes:
        """As the encoder packed them; empty if there are none."""
        return bytes(self.value("SELECT facts FROM files WHERE path = ?", (path,)) or b"")

    @contextmanager
    def snapshot(self) -> Iterator[Index]:
        """All queries of this thread inside the context see one state, regardless of writers."""
        if getattr(self._bound, "connection", None) is not None:
            yield self
            return
        with self._connection() as connection:
            connection.execute("BEGIN")
            self._bound.connection = connection
            self._bound.generation = ""  # not looked up yet
            try:
                yield self
            finally:
                self._bound.connection = self._bound.generation = None
                roll_back(connection)

    @contextmanager
    def transaction(self) -> Iterator[Index]:
        """Everything that this thread writes inside the context is committed as a whole or not at all; one writer at a
        time."""
        with self._connection() as connection:
            if self._seals:
                name_log(connection, self.path)
            connection.execute("BEGIN IMMEDIATE")
            self._bound.connection = connection
            try:
                yield self
                if self._seals:
                    seal_meta(connection, self.path)
                connection.execute("COMMIT")
            except BaseException:
                roll_back(connection)
                raise
            finally:
                self._bound.connection = None

    def execute(self, sql: str, params: Parameters = ()) -> None:
        with self._connection() as connection:
            connection.execute(sql, params).fetchall()

    def replace_meta(self, key: str, value: str) -> None:
        """Gives a key of the table `meta` another value; one that is not there stays away."""
        self.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))

    def replace_meta_if_possible(self, key: str, value: str) -> None:
        """The same for notes that only save work later; errors are ignored."""
        with suppress(apsw.Error, BrokenIndex), self.transaction():
            self.replace_meta(key, value)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._connection() as connection:
            connection.executemany(sql, rows)

    def copy_to(self, target: apsw.Connection) -> None:
        """All pages, checked as they are read."""
        with self._connection() as connection, target.backup("main", connection, "main") as backup:
            backup.step(-1)

    def move_log(self) -> None:
        """Moves the log into the file, as far as readers let it."""
        with self._connection() as connection:
            move_log(connection)
            connection.set_busy_timeout(BUSY_MILLISECONDS)

    def close(self) -> None:
        """Later queries raise; connections in use are closed when they are returned."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        deadline.check()  # many short queries take long too
        bound = getattr(self._bound, "connection", None)
        if bound is not None:
            yield bound
            return
        if self._closed:
            raise BrokenIndex(f"the index {self.path} was closed")
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect()
        try:
            yield connection
        except apsw.InterruptError:
            deadline.check()
            raise
        except apsw.Error as error:
            if not is_damage(error):
                raise
            self.broken = str(error)
            raise DamagedIndex(f"the index {self.path} is damaged ({error}): ask again, it is being rebuilt") from error
        finally:
            if self._closed or is_immutable(connection):
                connection.close()  # what it reads may change as soon as there is disk space again
            else:
                self._idle.append(connection)


def roll_back(connection: apsw.Connection) -> None:
    """After some errors SQLite has ended the transaction by itself: no error of its own, which would hide the first."""
    with suppress(apsw.SQLError):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def read_meta(path: Path) -> dict[str, str]:
    """What an index says about itself, whatever its rules version. Raises BrokenIndex if it is not an index of rpg,
    ForeignIndex if this installation did not make it."""
    if not path.exists():
        raise BrokenIndex(f"there is no index {path}")
    try:
        if _is_cut_off(path):
            raise BrokenIndex(f"the index {path} is cut off: its end is missing")
    except OSError as error:
        raise BrokenIndex(f"the index {path} cannot be read ({error.strerror})") from error
    refuse_journal(path)
    try:
        connection = connect_to_read(path)
    except apsw.Error as error:
        raise BrokenIndex(f"the index {path} cannot be opened ({error})") from error
    try:
        if connection.pragma("application_id") != APPLICATION_ID:
            raise BrokenIndex(f"{path} is not an index that rpg wrote")
        meta = meta_of_ours(connection, path)
        if meta.get("format") == INDEX_FORMAT:
            check_tables(path, connection)
        return meta
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, apsw.IOError, UnicodeDecodeError) as error:
        raise BrokenIndex(f"the index {path} is damaged ({error})") from error
    finally:
        connection.close()


def add_views(connection: apsw.Connection) -> None:
    """Adds what only this connection has: nothing of it gets into the file."""
    reads_only = connection.pragma("query_only")
    connection.pragma("temp_store", 2)  # in memory
    connection.pragma("query_only", False)
    connection.execute(OWN_SYMBOLS)
    connection.pragma("query_only", bool(reads_only))


def schema_of(connection: apsw.Connection) -> str:
    """A hash of everything in a file's schema, and of nothing else."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
    return blake2b(repr(rows).encode(), digest_size=16).hexdigest()


def check_tables(path: Path, connection: apsw.Connection) -> apsw.Connection:
    """Raises BrokenIndex unless its tables are exactly those that this rpg makes."""
    try:
        if schema_of(connection) == SCHEMA:
            return connection
    except (apsw.Error, UnicodeError) as error:
        connection.close()
        raise BrokenIndex(f"the index {path} is damaged ({error})") from error
    connection.close()
    raise BrokenIndex(f"the index {path} has other tables than this rpg makes")


def check(path: Path, meta: Mapping[str, str]) -> None:
    """Raises BrokenIndex if the index is intact but has another format or rules version."""
    if meta.get("format") != INDEX_FORMAT:
        raise BrokenIndex(f"the index {path} has format {meta.get('format')}, this rpg makes {INDEX_FORMAT}")
    if meta.get("rules") != str(RULES_VERSION):
        raise BrokenIndex(f"the index {path} has rules {meta.get('rules')}, this rpg has {RULES_VERSION}")
    if lacks_sums(path):
        raise BrokenIndex(f"the index {path} is damaged (its pages have no sums)")


def _is_cut_off(path: Path) -> bool:
    """SQLite itself notices only whole missing pages. While there is a log, the file may rightly be shorter."""
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return False
    with filesystem.open_file(path) as file:
        start = file.read(32)
    page_size = int.from_bytes(start[16:18], "big")
    return path.stat().st_size < int.from_bytes(start[28:32], "big") * (65536 if page_size == 1 else page_size)
