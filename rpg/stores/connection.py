"""Connections to SQLite files that anyone may have written or damaged: their contents are data, and are checked.

In: a path. Out: a connection on which a file can neither run anything nor take unbounded memory and time, and which
raises for every page that differs from what was written: cksumvfs, a SQLite extension that comes with apsw, stores a
checksum at the end of each page and compares it when the page is read (0.7 µs; pages in the cache cost nothing).

A page with a wrong checksum raises apsw.IOError, as if the disk had failed: `is_damage` recognises it. If apsw was
built without its extensions, pages are not checked.

Absent: tables and what they mean (schema.py, index.py).
"""

from __future__ import annotations

import importlib.util
import os
import stat
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import apsw

from rpg.errors import GraphNotLoaded
from rpg.system import deadline, filesystem

BUSY_MILLISECONDS = 10_000
CACHE_KIBIBYTES = 1_000
"""Cache size per connection; there are as many connections as threads that queried at once."""
SUM_BYTES = 8
"""The checksum that cksumvfs stores at the end of each page; one byte of the file says that it does."""
SUM_BYTES_AT = 20

STEPS_BETWEEN_LOOKS = 100_000
"""Instructions of SQLite's virtual machine, a few milliseconds: then the deadline is checked, and the statement ends if
it is over."""

LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: 1 << 29,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 1 << 24,
    apsw.SQLITE_LIMIT_COLUMN: 64,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 100,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 16,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
"""More than any statement or row of ours needs. The limits also apply to the schema of a file, which is parsed before
it can be compared."""
SWITCHES = {
    apsw.SQLITE_DBCONFIG_DEFENSIVE: 1,
    apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_VIEW: 0,
    apsw.SQLITE_DBCONFIG_DQS_DDL: 0,
    apsw.SQLITE_DBCONFIG_DQS_DML: 0,
}

UNWRITABLE = (apsw.CantOpenError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError)
"""Raised if the log of a file cannot be made."""

_loading = threading.Lock()


class BrokenIndex(GraphNotLoaded):
    """Not a usable index: missing, damaged, another program's, or of other rules. The repository rebuilds it."""


def connect(name: str, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """A connection with sqlite-vec. The file must exist unless `flags` say otherwise. BrokenIndex if a symlink, or
    anything but a file with one name, takes its place or that of its log."""
    if not flags & apsw.SQLITE_OPEN_URI:
        name = str(filesystem.resolve_folder(Path(name)))
        if not _is_utf8(name):
            raise GraphNotLoaded(f"{name} has a name that is not UTF-8: rename it, or its folder")
        _refuse_unsafe_files(name)
    connection = apsw.Connection(name, flags=flags | apsw.SQLITE_OPEN_NOFOLLOW, vfs=checking_vfs() or None)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    connection.enable_load_extension(True)
    connection.load_extension(vector_extension())
    connection.enable_load_extension(False)
    for limit, most in LIMITS.items():
        connection.limit(limit, most)
    for switch, setting in SWITCHES.items():
        connection.config(switch, setting)
    connection.pragma("cell_size_check", True)
    connection.pragma("cache_size", -CACHE_KIBIBYTES)
    connection.pragma("synchronous", "NORMAL")
    connection.set_progress_handler(deadline.is_over, STEPS_BETWEEN_LOOKS)
    return connection


def _is_utf8(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def _refuse_unsafe_files(name: str) -> None:
    """Refuses what SQLite would follow, wait for, or write into although it is not exclusively ours. A rollback journal
    is never ours, as an index uses a log instead; it could name other files, which SQLite would then delete."""
    for ending in ("", "-wal", "-shm", "-journal"):
        try:
            status = os.lstat(name + ending)
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(status.st_mode):
            continue  # SQLite refuses it by itself, and then reads without a log
        if not stat.S_ISREG(status.st_mode) or ending == "-journal" or (ending and status.st_nlink > 1):
            raise BrokenIndex(f"{name + ending} does not belong to an index: remove it")


def create(path: Path) -> apsw.Connection:
    """An empty file with room for checksums. Nobody else knows it, and a failure discards it, so it has no journal and
    never waits for the disk."""
    connection = connect(str(path))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)  # otherwise it keeps the journal
    reserve_sums(connection)
    connection.pragma("journal_mode", "OFF")
    connection.pragma("synchronous", "OFF")
    connection.pragma("locking_mode", "EXCLUSIVE")
    return connection


def reserve_sums(connection: apsw.Connection) -> None:
    """For a file that is still empty."""
    if checking_vfs():
        connection.reserve_bytes("main", SUM_BYTES)


@contextmanager
def can_vacuum(connection: apsw.Connection) -> Iterator[None]:
    """SQLite attaches a temporary file of its own to rewrite one."""
    connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 1)
    try:
        yield
    finally:
        connection.limit(apsw.SQLITE_LIMIT_ATTACHED, LIMITS[apsw.SQLITE_LIMIT_ATTACHED])


def connect_to_read(path: Path) -> apsw.Connection:
    """Opened for writing where that is allowed, so that the last reader can tidy up the log; it never writes rows."""
    for flags in (apsw.SQLITE_OPEN_READWRITE, apsw.SQLITE_OPEN_READONLY):
        try:
            return _reading(connect(str(path), flags))
        except UNWRITABLE as error:
            if is_damage(error) or _has_content(Path(f"{path}-wal")):
                raise
    # Without permission or room for a log, nobody can be writing there.
    return _reading(connect(immutable(path), apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI))


def _has_content(log: Path) -> bool:
    try:
        status = os.lstat(log)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size > 0


def immutable(path: Path) -> str:
    """The name by which SQLite opens a file that nobody changes: without a log and without locks."""
    return f"{filesystem.resolve_folder(path).as_uri()}?immutable=1"


def is_immutable(connection: apsw.Connection) -> bool:
    """Whether the connection sees nothing that is written from now on."""
    return bool(connection.open_flags & apsw.SQLITE_OPEN_URI)


def say_logged(path: Path) -> None:
    """Marks a file that nobody has open as written through a log (WAL), without creating one yet."""
    with open(path, "r+b") as file:
        size = int.from_bytes(file.read(18)[16:], "big")
        file.seek(0)
        page = bytearray(file.read(size))
        page[18:20] = b"\2\2"  # versions of the file format for writing and reading; 2 means with a log
        if page[SUM_BYTES_AT] == SUM_BYTES:
            page[-SUM_BYTES:] = page_sum(bytes(page[:-SUM_BYTES]))
        file.seek(0)
        file.write(page)


def page_sum(content: bytes) -> bytes:
    """The checksum of cksumvfs: two sums over alternate 32-bit words, each of which feeds into the other."""
    first = second = 0
    for one, other in struct.iter_unpack("<II", content):
        first = first + one + second & 0xFFFFFFFF
        second = second + other + first & 0xFFFFFFFF
    return struct.pack("<II", first, second)


def move_log(connection: apsw.Connection) -> None:
    """Moves the log into the file, without waiting for readers."""
    connection.set_busy_timeout(0)
    connection.pragma("wal_checkpoint(TRUNCATE)")


def is_damage(error: apsw.Error) -> bool:
    """Whether the error means that the data read is not the data written."""
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return True
    return isinstance(error, apsw.IOError) and getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_DATA


def lacks_sums(path: Path) -> bool:
    """Whether pages of a file are not checked although they could be."""
    with filesystem.open_file(path) as file:
        return bool(checking_vfs()) and file.read(SUM_BYTES_AT + 1)[SUM_BYTES_AT:] != bytes((SUM_BYTES,))


@cache
def checking_vfs() -> str:
    """The name by which SQLite knows the layer that compares checksums; empty if there is none."""
    folder = _package("apsw")
    library = Path(folder, "sqlite_extra_binaries", "cksumvfs")
    with _loading:
        # Loaded once only: a second time, it would call itself.
        if "cksmvfs" not in apsw.vfs_names() and folder and list(library.parent.glob("cksumvfs.*")):
            loader = apsw.Connection(":memory:")
            try:
                loader.enable_load_extension(True)
                loader.load_extension(str(library))
            finally:
                loader.close()
        return "cksmvfs" if "cksmvfs" in apsw.vfs_names() else ""


@cache
def vector_extension() -> str:
    """sqlite-vec's library, found without importing its package, which would import numpy if installed."""
    folder = _package("sqlite_vec")
    if not folder:
        raise BrokenIndex("the package sqlite-vec is not installed: install rpg again")
    return str(Path(folder, "vec0"))


def _package(name: str) -> str:
    """The folder of an installed package; empty if it is not installed."""
    spec = importlib.util.find_spec(name)
    return spec.submodule_search_locations[0] if spec is not None and spec.submodule_search_locations else ""


def _reading(connection: apsw.Connection) -> apsw.Connection:
    try:
        connection.pragma("query_only", True)
        connection.pragma("temp_store", 2)  # in memory: there may be no room for more files
        connection.pragma("schema_version")  # the first statement that touches the file
    except BaseException:
        connection.close()
        raise
    return connection
