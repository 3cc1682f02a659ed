"""Adopts an index that another installation made, because the user trusts it.

In: its path, what its `meta` must say about the graph file, and new entries of `meta`. Out: the same index under our
seal, or BrokenIndex. Cheap properties are checked: tables, pages, column types, file names and texts. Whether contents
match the sources is not checked here; contents in a form that rpg does not write count as damage when they are read
(`MALFORMED`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import apsw
import orjson

from rpg.stores.connection import BrokenIndex, connect
from rpg.stores.index import seal
from rpg.stores.index.index import DamagedIndex, Index, check, check_tables, read_meta
from rpg.stores.index.ownership import refuse_journal, seal_meta
from rpg.stores.index.schema import APPLICATION_ID
from rpg.system.compression import BrokenBlock, decompress, most_of_source
from rpg.system.filesystem import problem_with_name

ADOPTED = "adopted"
"""In `meta`: another installation made rows. Stays until all are rebuilt."""
KEYS = ("generation", "graph_hash", "header", "options", "basis")
"""Required by queries."""
MALFORMED = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, struct.error, BrokenBlock,
    apsw.SQLError, apsw.MismatchError, apsw.TooBigError,
)  # fmt: skip
"""Raised by readers of contents in a form that rpg does not write."""
UNMISTAKABLE = (orjson.JSONDecodeError, UnicodeDecodeError, BrokenBlock)
"""Errors that only contents can raise: the others may be a bug in the reader, which rebuilding the index would not
fix."""
DANGLING = {
    "an edge without its ends": "SELECT 1 FROM edges WHERE source NOT IN (SELECT id FROM all_symbols)"
    " OR target NOT IN (SELECT id FROM all_symbols) OR sites GLOB '*[^0-9: ]*' LIMIT 1",
    "a symbol's rare fields": "SELECT 1 FROM all_symbols WHERE extra != '' AND"
    " CASE WHEN json_valid(extra) THEN json_type(extra) != 'object' ELSE 1 END LIMIT 1",
}

Meta = Mapping[str, str]


def adopt(path: Path, new_meta: Callable[[Meta], Meta]) -> None:
    """`new_meta` returns the new `meta`, or raises. Raises BrokenIndex for an unsound index."""
    refuse_journal(path)
    if seal.log_birth(path):
        raise BrokenIndex(f"there is a log next to the index {path.name}: its contents are unknown")
    try:
        with closing(connect(str(path))) as connection:
            check_contents(connection, path)
            meta = new_meta(_meta(connection))
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM meta")
            connection.executemany("INSERT INTO meta VALUES (?, ?)", {**meta, ADOPTED: "1"}.items())
            seal_meta(connection, path)
            connection.execute("COMMIT")
    except (apsw.Error, *MALFORMED) as error:
        raise BrokenIndex(f"the index {path.name} is damaged ({error})") from error


def is_adopted(path: Path) -> bool:
    """Whether this index of ours has rows that another installation made."""
    try:
        return ADOPTED in read_meta(path)
    except BrokenIndex:
        return False


def raise_if_damaged(index: Index, error: Exception) -> None:
    """Raises DamagedIndex if `error` comes from rows in a form that rpg does not write."""
    is_adopted = index.meta(ADOPTED)
    if is_adopted or isinstance(error, UNMISTAKABLE):
        whose = "it was made by another installation, and " if is_adopted else ""
        index.broken = f"{whose}its contents have another form: {type(error).__name__}"
        raise DamagedIndex(
            f"the index {index.path} is damaged ({index.broken}): ask again, it is being rebuilt"
        ) from error


def check_contents(connection: apsw.Connection, path: Path) -> None:
    """Raises BrokenIndex, or one of MALFORMED, unless tables and rows have the form that rpg gives them."""
    if connection.pragma("application_id") != APPLICATION_ID:
        raise BrokenIndex(f"{path} is not an index that rpg wrote")
    meta = _meta(connection)
    check(path, meta)
    check_tables(path, connection)
    if missing := [key for key in KEYS if key not in meta]:
        raise BrokenIndex(f"the index {path.name} does not say its {missing[0]}")
    if (found := connection.pragma("quick_check", 1)) != "ok":
        raise BrokenIndex(f"the index {path.name} is damaged ({found})")
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        for _, column, kind, is_set, _, key in connection.execute(f"PRAGMA table_info({table})").fetchall():
            allowed = f"'{str(kind).lower()}'" if is_set or key else f"'{str(kind).lower()}', 'null'"
            sql = f"SELECT 1 FROM {table} WHERE typeof({column}) NOT IN ({allowed}) LIMIT 1"
            if connection.execute(sql).fetchall():
                raise BrokenIndex(f"the index {path.name} is damaged (a {column} in {table} is not {kind})")
    for what, sql in DANGLING.items():
        if connection.execute(sql).fetchall():
            raise BrokenIndex(f"the index {path.name} is damaged ({what})")
    for name, source, size in connection.execute("SELECT path, source, size FROM files"):
        if source:
            decompress(source, most_of_source(size)).decode()
        if fault := problem_with_name(name):
            raise BrokenIndex(f"the index {path.name} is damaged (a path is {fault})")


def _meta(connection: apsw.Connection) -> dict[str, str]:
    return {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM meta")}
