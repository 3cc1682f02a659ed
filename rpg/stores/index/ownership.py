"""Whether an open index was made by this installation, and recording that while it is written.

In: a connection, the path of its file. Out: `meta`, or ForeignIndex; seals (seal.py) in `meta`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import apsw

from rpg.stores.connection import BrokenIndex
from rpg.stores.index import seal
from rpg.stores.index.schema import INDEX_FORMAT

PAUSE_SECONDS, PAUSES = 0.01, 20
"""How often, and how long, to wait for a writer that is about to record a new log as its own."""


class ForeignIndex(BrokenIndex):
    """An index that this installation did not make; nothing of it is used."""

    def __init__(self, message: str, meta: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.meta = meta or {}
        """If it is a copy of an index of this installation: the original's `meta`. Rows may differ."""


def refuse_journal(path: Path) -> None:
    """SQLite would play it back; rpg never leaves one."""
    if path.with_name(path.name + "-journal").exists():
        raise ForeignIndex(f"the journal next to the index {path.name} was not made by this installation")


def meta_of_ours(connection: apsw.Connection, path: Path) -> dict[str, str]:
    """ForeignIndex if the seal is not this installation's, or belongs to another file or log; a foreign log is then not
    moved into the file when the connection is closed."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    meta = _judged(connection, path)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    return meta


def seal_meta(connection: apsw.Connection, path: Path) -> None:
    """`meta` as it is now, inside a transaction."""
    sealed_meta = seal.add_seal(_meta(connection), seal.birth(path), seal.birth(seal.log_of(path)))
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", sealed_meta.items())


def name_log(connection: apsw.Connection, path: Path) -> None:
    """Records which log is ours, before there is much in it."""
    found = connection.execute("SELECT value FROM meta WHERE key = ?", (seal.LOG,)).fetchall()
    if found != [(seal.birth(seal.log_of(path)),)]:
        with connection:
            seal_meta(connection, path)


def _judged(connection: apsw.Connection, path: Path) -> dict[str, str]:
    for _ in range(PAUSES):
        log = seal.log_birth(path)
        meta = _meta(connection)
        if not meta.get(seal.SEAL) and meta.get("format") != INDEX_FORMAT:
            raise BrokenIndex(f"the index {path} has format {meta.get('format')}, this rpg makes {INDEX_FORMAT}")
        if not seal.is_of_this_installation(meta):
            raise ForeignIndex(f"the index {path.name} next to the graph was not made by this installation")
        if meta[seal.FILE] != seal.birth(path):
            raise ForeignIndex(f"the index {path.name} next to the graph is a copy of one of this installation", meta)
        if not log or log == meta[seal.LOG]:
            return meta
        time.sleep(PAUSE_SECONDS)
    raise ForeignIndex(f"the log next to the index {path.name} was not made by this installation", meta)


def _meta(connection: apsw.Connection) -> dict[str, str]:
    return {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM meta")}
