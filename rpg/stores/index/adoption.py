"""Taking an index that another installation made for one of ours, because the user says that it is to be trusted.

In: its path, what it must say of the graph file, and what is to stand in `meta` in place of what stands there. Out: the
same index under our seal, or BrokenIndex. Checked is what is cheap: tables, pages, types of columns, names and texts of
files. That contents fit the sources nobody checks here; what turns out to have another form than rpg writes is damage
for whoever reads it (`MALFORMED`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import apsw
import orjson

from rpg.compression import BrokenBlock, decompress, most_of_source
from rpg.filesystem import fault_of_name
from rpg.stores.connection import BrokenIndex, connect
from rpg.stores.index import seal
from rpg.stores.index.index import DamagedIndex, Index, as_made, check, read_meta
from rpg.stores.index.ownership import refuse_journal, seal_meta
from rpg.stores.index.schema import APPLICATION_ID

ADOPTED = "adopted"
"""In `meta`: rows were made by another installation. Stays until all are made anew."""
KEYS = ("generation", "graph_hash", "header", "options", "basis")
"""That questions need."""
MALFORMED = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, struct.error, BrokenBlock,
    apsw.SQLError, apsw.MismatchError, apsw.TooBigError,
)  # fmt: skip
"""Raised by whoever reads contents of another form than rpg writes."""
UNMISTAKABLE = (orjson.JSONDecodeError, UnicodeDecodeError, BrokenBlock)
"""Of these, those that nothing but contents raises: others may be a mistake of whoever reads, which making an index
anew would not mend."""
DANGLING = {
    "an edge without its ends": "SELECT 1 FROM edges WHERE source NOT IN (SELECT id FROM symbols)"
    " OR target NOT IN (SELECT id FROM symbols) OR sites GLOB '*[^0-9: ]*' LIMIT 1",
    "what is rare of a symbol": "SELECT 1 FROM symbols WHERE extra != '' AND"
    " CASE WHEN json_valid(extra) THEN json_type(extra) != 'object' ELSE 1 END LIMIT 1",
}

Meta = Mapping[str, str]


def adopt(path: Path, said: Callable[[Meta], Meta]) -> None:
    """`said` gives what stands in `meta` from now on, or raises. Raises BrokenIndex for what is not sound."""
    refuse_journal(path)
    if seal.log_birth(path):
        raise BrokenIndex(f"there is a log beside the index {path.name}: nobody knows what is in it")
    try:
        with closing(connect(str(path))) as connection:
            _check(connection, path)
            meta = said(_meta(connection))
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM meta")
            connection.executemany("INSERT INTO meta VALUES (?, ?)", {**meta, ADOPTED: "1"}.items())
            seal_meta(connection, path)
            connection.execute("COMMIT")
    except (apsw.Error, *MALFORMED) as error:
        raise BrokenIndex(f"the index {path.name} is damaged ({error})") from error


def is_adopted(path: Path) -> bool:
    """Whether the index of ours that stands there has rows that another installation made."""
    try:
        return ADOPTED in read_meta(path)
    except BrokenIndex:
        return False


def blame(index: Index, error: Exception) -> None:
    """Raises DamagedIndex where `error` was met in an index and comes from rows of another form than rpg writes."""
    is_adopted = index.meta(ADOPTED)
    if is_adopted or isinstance(error, UNMISTAKABLE):
        whose = "it was made by another installation, and " if is_adopted else ""
        index.broken = f"{whose}what is in it has another form: {type(error).__name__}"
        raise DamagedIndex(
            f"the index {index.path} is damaged ({index.broken}): ask again, it is being rebuilt"
        ) from error


def _check(connection: apsw.Connection, path: Path) -> None:
    if connection.pragma("application_id") != APPLICATION_ID:
        raise BrokenIndex(f"{path} is not an index that rpg wrote")
    meta = _meta(connection)
    check(path, meta)
    as_made(path, connection)
    if missing := [key for key in KEYS if key not in meta]:
        raise BrokenIndex(f"the index {path.name} does not say its {missing[0]}")
    if (found := connection.pragma("quick_check", 1)) != "ok":
        raise BrokenIndex(f"the index {path.name} is damaged ({found})")
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        for _, column, kind, is_set, _, key in connection.execute(f"PRAGMA table_info({table})").fetchall():
            allowed = f"'{str(kind).lower()}'" if is_set or key else f"'{str(kind).lower()}', 'null'"
            sql = f"SELECT 1 FROM {table} WHERE typeof({column}) NOT IN ({allowed}) LIMIT 1"
            if connection.execute(sql).fetchall():
                raise BrokenIndex(f"the index {path.name} is damaged (a {column} in {table} is no {kind})")
    for what, sql in DANGLING.items():
        if connection.execute(sql).fetchall():
            raise BrokenIndex(f"the index {path.name} is damaged ({what})")
    for name, source, size in connection.execute("SELECT path, source, size FROM files"):
        if source:
            decompress(source, most_of_source(size)).decode()
        if fault := fault_of_name(name):
            raise BrokenIndex(f"the index {path.name} is damaged (a path is {fault})")


def _meta(connection: apsw.Connection) -> dict[str, str]:
    return {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM meta")}
