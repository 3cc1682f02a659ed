"""Reads of files, by name; of what else there is, `symbol_reads.py`, `edge_reads.py` and `place_reads.py` beside this.

In: an index. Out: plain values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from rpg.stores.index.index import Index
from rpg.stores.index.placeholders import placeholders


class FileRow(NamedTuple):
    """A file whose text is in the index."""

    id: int
    path: str
    language: str
    size: int


def list_files(index: Index) -> list[FileRow]:
    """The files whose texts are in the index, by path."""
    rows = index.rows("SELECT id, path, language, size FROM files WHERE skipped = '' ORDER BY path")
    return list(map(FileRow._make, rows))


def list_paths(index: Index) -> list[str]:
    """Their paths alone, which is cheaper."""
    return [path for (path,) in index.rows("SELECT path FROM files WHERE skipped = '' ORDER BY path")]


def list_all_paths(index: Index) -> list[str]:
    """The paths of all files, also of those that were skipped."""
    return [path for (path,) in index.rows("SELECT path FROM files")]


def list_paths_in_any_order(index: Index) -> list[str]:
    """The paths of the files whose texts are in the index, from an index of SQLite that covers the question."""
    return [path for (path,) in index.rows("SELECT path FROM files WHERE skipped = ''")]


def list_numbered_files(index: Index) -> list[tuple[int, str, str]]:
    """Number, path and language of the same files."""
    return index.rows("SELECT id, path, language FROM files WHERE skipped = ''")


def list_file_hashes(index: Index) -> list[tuple[str, str]]:
    """Path and hash of the same files."""
    return index.rows("SELECT path, hash FROM files WHERE skipped = ''")


def list_paths_at_top(index: Index) -> list[str]:
    """Those in the top folder."""
    return [path for (path,) in index.rows("SELECT path FROM files WHERE skipped = '' AND instr(path, '/') = 0")]


def list_paths_called(index: Index, name: str) -> list[str]:
    """Those of a name, in whichever folder, the nearest to the top first."""
    rows = index.rows(
        "SELECT path FROM files WHERE skipped = '' AND (path = ? OR path LIKE ?) ORDER BY length(path), path",
        (name, f"%/{name}"),
    )
    return [path for (path,) in rows]


def list_paths_ending(index: Index, first: str, second: str) -> list[str]:
    """Those that are called so, or end with one of these paths."""
    rows = index.rows(
        "SELECT path FROM files WHERE skipped = '' AND (path IN (?, ?) OR path LIKE ? OR path LIKE ?)",
        (first, second, f"%/{first}", f"%/{second}"),
    )
    return [path for (path,) in rows]


def list_ranked_files(index: Index) -> list[tuple[str, str, int]]:
    """Path, language, and whether it is test code, of each file whose text is in the index."""
    return index.rows(
        "SELECT f.path, f.language, coalesce(m.test, 0) FROM files f LEFT JOIN symbols m ON m.path = f.path AND "
        "m.kind IN ('module', 'file') WHERE f.skipped = '' ORDER BY f.path"
    )


def each_packed_file(index: Index, languages: Sequence[str]) -> Iterator[tuple[str, bytes, int]]:
    """Path, packed text and size of each file of these languages that is no test; `Index.unpacked` has the text."""
    return index.each(
        "SELECT f.path, f.source, f.size FROM files f JOIN symbols s ON s.path = f.path "
        "WHERE s.kind IN ('module', 'file') AND f.skipped = '' AND NOT s.test "
        f"AND f.language IN ({placeholders(languages)}) ORDER BY f.path",
        languages,
    )


def find_language_of(index: Index, path: str) -> str:
    """The language of a file; empty for one that the index does not have."""
    language: str | None = index.value("SELECT language FROM files WHERE path = ?", (path,))
    return language or ""


def has_file(index: Index, path: str) -> bool:
    """Whether the text of a file is in the index."""
    return index.row("SELECT 1 FROM files WHERE path = ? AND skipped = ''", (path,)) is not None


def list_paths_of_graph(index: Index) -> list[str]:
    """The paths of the files that the graph has: all that there are without an index of texts."""
    return [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind IN ('module', 'file')")]


def list_test_modules(index: Index) -> list[str]:
    """The paths of the code that is test code."""
    return [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind = 'module' AND test")]


def list_test_modules_between(index: Index, first: str, end: str) -> list[str]:
    """Those whose paths lie between two texts."""
    rows = index.rows(
        "SELECT DISTINCT path FROM symbols WHERE test = 1 AND kind = 'module' AND path >= ? AND path < ?", (first, end)
    )
    return [path for (path,) in rows]


def list_test_files(index: Index) -> list[str]:
    """The same, and other files of tests."""
    return [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind IN ('file', 'module') AND test")]


def is_test_module(index: Index, path: str) -> bool:
    return bool(index.value("SELECT test FROM symbols WHERE path = ? AND kind = 'module'", (path,)))


def has_symbol_named(index: Index, name: str) -> bool:
    return index.row("SELECT 1 FROM symbols WHERE name = ? LIMIT 1", (name,)) is not None


def find_extra(index: Index, row: int) -> dict[str, Any]:
    """The rarer attributes of a symbol: decorators, modifiers."""
    written = index.value("SELECT extra FROM all_symbols WHERE id = ?", (row,))
    extra: dict[str, Any] = json.loads(written) if written else {}
    return extra


def find_survey(index: Index, name: str) -> bytes | None:
    """What the last resolution stated of the whole repository, under a name."""
    data: bytes | None = index.value("SELECT data FROM survey WHERE name = ?", (name,))
    return data


def list_hashed_files(index: Index) -> list[tuple[str, str, int]]:
    """Path, hash and size of each file, by hash."""
    return index.rows("SELECT path, hash, size FROM files ORDER BY hash")


def list_sized_files(index: Index, patterns: Sequence[str], most: int) -> list[tuple[str, int]]:
    """Path and size of the first files that one of these GLOB patterns fits."""
    fits = " OR ".join("path GLOB ?" for _ in patterns)
    return index.rows(f"SELECT path, size FROM files WHERE {fits} ORDER BY path LIMIT {most}", patterns)


def list_paths_fitting(index: Index, *patterns: str) -> list[str]:
    """The files that one of these GLOB patterns fits."""
    fits = " OR ".join("path GLOB ?" for _ in patterns)
    return [path for (path,) in index.rows(f"SELECT path FROM files WHERE {fits}", patterns)]


# Facts and packed texts


def list_packed_facts(index: Index) -> list[bytes]:
    """The packed facts of all files that have any."""
    return [packed for (packed,) in index.rows("SELECT facts FROM files WHERE length(facts) > 0")]


def each_packed_facts(index: Index) -> Iterator[tuple[str, str, bytes]]:
    """Path, language and packed facts of the code outside tests."""
    return index.each(
        "SELECT f.path, f.language, f.facts FROM files f JOIN symbols s ON s.path = f.path AND s.kind = 'module' "
        "WHERE f.skipped = '' AND f.facts IS NOT NULL AND NOT s.test"
    )


def list_files_with_facts(index: Index, numbers: Sequence[int] | None) -> list[tuple[str, str]]:
    """Path and language of the files that have facts; of those with these numbers, or of all."""
    if numbers is None:
        return index.rows("SELECT path, language FROM files WHERE length(facts) > 0")
    listed = orjson.dumps(numbers).decode()
    return index.rows(
        "SELECT path, language FROM files WHERE length(facts) > 0 AND id IN (SELECT value FROM json_each(?))", (listed,)
    )


def each_packed_module(index: Index, languages: Sequence[str]) -> Iterator[tuple[str, bytes, int]]:
    """As `each_packed_file`, of code alone."""
    return index.each(
        "SELECT f.path, f.source, f.size FROM files f JOIN symbols s ON s.path = f.path AND s.kind = 'module' "
        f"WHERE f.skipped = '' AND NOT s.test AND f.language IN ({placeholders(languages)}) ORDER BY f.path",
        languages,
    )


def list_skipped_paths(index: Index) -> list[str]:
    """The files that were skipped."""
    return [path for (path,) in index.rows("SELECT path FROM files WHERE skipped != ''")]


def list_likely_programs(index: Index, most: int) -> list[str]:
    """The first files that may be programs by where they stand: in `bin` or `exe`, or at the top without a suffix."""
    rows = index.rows(
        "SELECT path FROM files WHERE skipped = '' AND (path GLOB 'bin/*' OR path GLOB 'exe/*'"
        " OR (path NOT GLOB '*/*' AND path NOT GLOB '*.*')) ORDER BY path LIMIT ?",
        (most,),
    )
    return [path for (path,) in rows]


# How the index was made


def find_file_of_hash(index: Index, columns: Sequence[str], path: str, hash: str) -> tuple[Any, ...] | None:
    """These columns of a file, if it has these contents."""
    return index.row(f"SELECT {', '.join(columns)} FROM files WHERE path = ? AND hash = ?", (path, hash))


def each_stamp(index: Index) -> Iterator[tuple[Any, ...]]:
    """By file: path, hash, size, the times of its last changes, inode, and when it was read; times in nanoseconds."""
    return index.each(f"SELECT {_STAMP} FROM files")


def find_stamp(index: Index, path: str) -> tuple[Any, ...]:
    """The same of one file."""
    return index.rows(f"SELECT {_STAMP} FROM files WHERE path = ?", (path,))[0]


_STAMP = "path, hash, size, mtime_ns, ctime_ns, inode, indexed_ns"


def list_meta(index: Index) -> list[tuple[str, str]]:
    """All keys and values of the table `meta`."""
    return index.rows("SELECT key, value FROM meta")


def count_files(index: Index) -> int:
    """How many files have their texts in the index."""
    return int(index.value("SELECT count(*) FROM files WHERE skipped = ''"))


def count_files_of_code(index: Index) -> int:
    """How many files are of a language."""
    return int(index.value("SELECT count(*) FROM files WHERE language != ''"))
