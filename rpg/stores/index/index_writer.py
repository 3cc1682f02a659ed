"""Creates the index: all tables of a graph and its files, built aside and then put in place at once.

In: graph, files, the entries of `meta`, and what else is built in the same pass (the search index). Out: the file.
Readers of the old contents keep reading them until their snapshot ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import orjson

from rpg.errors import EncodeFailed
from rpg.graph import RULES_VERSION, Graph
from rpg.stores import atomic
from rpg.stores.connection import BrokenIndex, can_vacuum, connect, create, immutable, move_log, say_logged
from rpg.stores.index import seal
from rpg.stores.index.index import Index, add_views, check_tables, read_meta
from rpg.stores.index.ownership import meta_of_ours, name_log
from rpg.stores.index.rows import edge_rows, number_places, numbers_of, place_rows, symbol_rows
from rpg.stores.index.schema import APPLICATION_ID, INDEX_FORMAT, INDEXES, SEARCH_TABLES, TABLES
from rpg.system import filesystem

BUILDING_CACHE_KIBIBYTES = 32_000
LOG_BYTES_KEPT = 4_000_000
_FILES_AT_ONCE = 64
UNREADABLE = (apsw.CorruptError, apsw.NotADBError, apsw.CantOpenError, apsw.IOError, BrokenIndex)

Kept = tuple[Iterable[tuple[str, bytes, str]], Iterable[tuple[str, bytes]]]
"""The rows of `flow` and of `survey`."""
FileRow = tuple[str, str, str, int, int, int, int, int, str, bytes, bytes, bytes]
"""path, language, hash, size, mtime_ns, ctime_ns, inode, indexed_ns, skipped, source, facts, terms."""


def write(
    path: Path,
    graph: Graph,
    files: Iterable[FileRow],
    meta: Mapping[str, str],
    extend: Callable[[Index], None] | None = None,
    kept: Kept | None = None,
) -> None:
    """Makes `path` the index of `graph`, as `Draft.finish` does."""
    with draft_index(path) as draft:
        for file in files:
            draft.add(file)
        draft.finish(graph, meta, extend, kept)


@contextmanager
def draft_index(path: Path) -> Iterator[Draft]:
    """An index built aside. Raises EncodeFailed if another program's database has its name; a failure changes nothing
    and leaves nothing behind."""
    filesystem.refuse_foreign(path)
    _refuse_foreign(path)
    temporary = atomic.staging_path(path)
    filesystem.create(temporary).close()
    try:
        connection = create(temporary)
        try:
            yield Draft(path, temporary, connection)
        finally:
            connection.close()
    finally:
        temporary.unlink(missing_ok=True)


class Draft:
    """Takes files as they are read, so that their contents need not be held in memory, and then their graph."""

    def __init__(self, path: Path, temporary: Path, connection: apsw.Connection) -> None:
        self._path = path
        self._temporary = temporary
        self._connection = connection
        connection.pragma("application_id", APPLICATION_ID)
        self._index = Index(temporary, lambda: connection)
        self._index.execute(TABLES + SEARCH_TABLES)
        add_views(connection)
        self._waiting: list[FileRow] = []

    def add(self, file: FileRow) -> None:
        self._waiting.append(file)
        if len(self._waiting) == _FILES_AT_ONCE:
            self._put()

    def source(self, path: str) -> bytes:
        """The text of a file that was added."""
        self._put()
        return self._index.source(path)

    def finish(
        self,
        graph: Graph,
        meta: Mapping[str, str],
        extend: Callable[[Index], None] | None = None,
        kept: Kept | None = None,
    ) -> None:
        """Puts it in place as the index of `graph`. `extend` fills further tables, in an index open for writing.

        `meta` adds to what is always recorded (format, rules, generation, header).
        """
        self._put()
        self._connection.pragma("cache_size", -BUILDING_CACHE_KIBIBYTES)
        index = self._index
        with index.transaction():
            _fill(index, graph)
            if kept is not None:
                insert_kept(index, kept)
            index.execute(INDEXES)
            if extend is not None:
                extend(index)
            full_meta = meta_of(graph.header, meta)
            index.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", full_meta.items())
        with _standing(self._path) as standing:
            self._seal(full_meta, self._path if standing else self._temporary)
            self._connection.close()
            say_logged(self._temporary)
            atomic.sync(self._temporary)
            if standing is not None and _copied(self._temporary, self._path, standing):
                return
        if standing is not None:  # not a database any more: the draft itself takes its place
            self._connection = connect(str(self._temporary))
            self._seal(full_meta, self._temporary)
            self._connection.close()
            atomic.sync(self._temporary)
        _put_in_place(self._temporary, self._path)

    def _seal(self, meta: Mapping[str, str], file: Path) -> None:
        """Seals it for `file`."""
        sealed_meta = seal.add_seal(meta, seal.birth(file), seal.birth(seal.log_of(file)))
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", sealed_meta.items())

    def _put(self) -> None:
        with self._index.transaction():
            self._index.executemany(INSERT_FILE, self._waiting)
        self._waiting.clear()


def _fill(index: Index, graph: Graph) -> None:
    ids = numbers_of(graph.symbols)
    paths = {symbol.id: symbol.path for symbol in graph.symbols}
    index.executemany(INSERT_SYMBOL, symbol_rows(graph, ids))
    index.executemany(INSERT_EDGE, edge_rows(graph.edges, ids))
    index.executemany(INSERT_PLACE, number_places(place_rows(graph.places, paths), ids, paths))


INSERT_FILE = (
    "INSERT INTO files"
    " (path, language, hash, size, mtime_ns, ctime_ns, inode, indexed_ns, skipped, source, facts, terms)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_NUMBERED_FILE = INSERT_FILE.replace("(path", "(id, path").replace("VALUES (", "VALUES (?, ")
"""With its number, or None for a new one."""
INSERT_SYMBOL = (
    "INSERT INTO all_symbols (id, parent, symbol_hash, own_symbol, kind_code, name, around_name, own_qualified_name,"
    " path, language, start_line, end_line, name_line, name_column, signature, doc, hash_number, own_hash, exported,"
    " test, extra, library) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_EDGE = (
    "INSERT INTO edges (source, position, target, kind_code, via_code, sites, roles) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
INSERT_FLOW = "INSERT OR REPLACE INTO flow VALUES (?, ?, ?)"
INSERT_SURVEY = "INSERT OR REPLACE INTO survey VALUES (?, ?)"
INSERT_PLACE = (
    "INSERT INTO places (rowid, name, source, line, column, reason_code, call, bare) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)


def insert_kept(index: Index, kept: Kept) -> None:
    flow, survey = kept
    index.executemany(INSERT_FLOW, flow)
    index.executemany(INSERT_SURVEY, survey)


def copy_index(source: Path, path: Path, change: Callable[[dict[str, str]], dict[str, str]]) -> None:
    """Makes `path`, where there is no index, a copy of the index at `source` with the `meta` that `change` returns.
    Raises BrokenIndex if that is not one of ours or damaged, and what `change` raises."""
    before = Index.open_read_only(source)
    temporary = atomic.staging_path(path)
    try:
        with before.snapshot():
            meta = change(dict(before.rows("SELECT key, value FROM meta")))
            filesystem.create(temporary).close()
            connection = create(temporary)
            try:
                before.copy_to(connection)
                with connection:
                    connection.execute("DELETE FROM meta")
                    sealed_meta = seal.add_seal(meta, seal.birth(temporary), seal.birth(seal.log_of(temporary)))
                    connection.executemany("INSERT INTO meta VALUES (?, ?)", sealed_meta.items())
            except UNREADABLE as error:
                raise BrokenIndex(f"the index {source} cannot be copied ({error})") from error
            finally:
                connection.close()
        say_logged(temporary)
        atomic.sync(temporary)
        _put_in_place(temporary, path)
    finally:
        before.close()
        temporary.unlink(missing_ok=True)


def copy_for_others(source: Path, path: Path, change: Callable[[dict[str, str]], dict[str, str]]) -> None:
    """Makes `path`, a new file, a copy of the index at `source` without a seal, for another machine: with the `meta`
    that `change` returns, without the stamps of files, and without pages of what is no longer in it. Raises BrokenIndex
    and what `change` raises."""
    before = Index.open_read_only(source)
    try:
        with before.snapshot():
            meta = change(dict(before.rows("SELECT key, value FROM meta")))
            filesystem.create(path).close()
            connection = create(path)
            try:
                before.copy_to(connection)
                with connection:
                    connection.execute("DELETE FROM meta")
                    connection.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
                    connection.execute("UPDATE files SET mtime_ns = 0, ctime_ns = 0, inode = 0, indexed_ns = 0")
                with can_vacuum(connection):
                    connection.execute("VACUUM")
            except UNREADABLE as error:
                raise BrokenIndex(f"the index {source} cannot be copied ({error})") from error
            finally:
                connection.close()
    finally:
        before.close()


class DamagedRows(BrokenIndex):
    """Rows of a form that rpg does not give them, in an index of the right version."""


def take_file(
    temporary: Path,
    path: Path,
    read: Callable[[dict[str, str]], Mapping[str, str]],
    check: Callable[[apsw.Connection, Path], None] | None = None,
) -> None:
    """Makes `path`, where there is no index, of a file that `copy_for_others` made somewhere: under our seal, with the
    `meta` that `read` returns of its own. The file is moved. `check` raises BrokenIndex for rows of another form.
    Raises DamagedRows, BrokenIndex for an index of another version or with stamps, which could say that a file was
    compared, and what `read` raises."""
    connection = connect(str(temporary))
    try:
        meta = read({str(key): str(value) for key, value in connection.execute("SELECT key, value FROM meta")})
        check_tables(temporary, connection)
        if connection.execute(STAMPED).fetchall():
            raise BrokenIndex("the index has stamps of another machine's files")
        if check is not None:
            _check_rows(connection, temporary, check)
        with connection:
            connection.execute("DELETE FROM meta")
            sealed_meta = seal.add_seal(meta, seal.birth(temporary), seal.birth(seal.log_of(temporary)))
            connection.executemany("INSERT INTO meta VALUES (?, ?)", sealed_meta.items())
    except UNREADABLE as error:
        raise error if isinstance(error, BrokenIndex) else DamagedRows(str(error)) from error
    finally:
        connection.close()
    say_logged(temporary)
    atomic.sync(temporary)
    _put_in_place(temporary, path)


STAMPED = "SELECT 1 FROM files WHERE mtime_ns != 0 OR ctime_ns != 0 OR inode != 0 OR indexed_ns != 0 LIMIT 1"


def _check_rows(connection: apsw.Connection, path: Path, check: Callable[[apsw.Connection, Path], None]) -> None:
    try:
        check(connection, path)
    except BrokenIndex as error:
        raise DamagedRows(error.message) from error


def meta_of(header: Mapping[str, Any], meta: Mapping[str, str]) -> dict[str, str]:
    return {
        **meta,
        "format": INDEX_FORMAT,
        "rules": str(RULES_VERSION),
        "generation": new_generation(),
        "header": orjson.dumps(header).decode(),
    }


def new_generation() -> str:
    return os.urandom(8).hex()


def _put_in_place(temporary: Path, path: Path) -> None:
    # SQLite would replay the log of an existing file into the new one.
    for ending in ("-wal", "-shm", "-journal"):
        filesystem.remove(path.with_name(path.name + ending))
    atomic.publish(temporary, path)


@contextmanager
def _standing(path: Path) -> Iterator[apsw.Connection | None]:
    """A connection to the index at `path`, with its own log; None if there is no index of ours: a foreign one must not
    be written to, because its contents are unknown."""
    connection = None
    try:
        read_meta(path)
        connection = connect(str(path))
        meta_of_ours(connection, path)
        connection.pragma("journal_mode", "WAL")
        connection.pragma("journal_size_limit", LOG_BYTES_KEPT)
        name_log(connection, path)
    except UNREADABLE:
        if connection is not None:
            connection.close()
        connection = None
    try:
        yield connection
    finally:
        if connection is not None:
            connection.close()


def _copied(temporary: Path, path: Path, target: apsw.Connection) -> bool:
    """All pages in one transaction: other connections see the old contents or the new. False if the existing file turns
    out not to be a database any more."""
    source = connect(immutable(temporary), apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        with target.backup("main", source, "main") as backup:
            backup.step(-1)
        move_log(target)
    except UNREADABLE:
        return False
    finally:
        source.close()
    return True


def _refuse_foreign(path: Path) -> None:
    if not path.exists():
        return
    try:
        connection = connect(str(path))
    except UNREADABLE:
        return
    try:
        owner = connection.pragma("application_id")
        if owner != APPLICATION_ID and connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
            raise EncodeFailed(f"{path} is a database of another program: choose another name for the graph with -o")
    except UNREADABLE:
        return
    finally:
        connection.close()
