"""Reads of the index that several rooms need, by name.

In: an index. Out: plain values. A query that one module alone needs stands in that module; one that a second needs
comes here.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from rpg.stores.index.index import Index


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


def has_file(index: Index, path: str) -> bool:
    """Whether the text of a file is in the index."""
    return index.row("SELECT 1 FROM files WHERE path = ? AND skipped = ''", (path,)) is not None


def list_paths_of_graph(index: Index) -> list[str]:
    """The paths of the files that the graph has: all that there are without an index of texts."""
    return [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind IN ('module', 'file')")]


def list_test_modules(index: Index) -> list[str]:
    """The paths of the code that is test code."""
    return [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind = 'module' AND test")]


def list_test_files(index: Index) -> list[str]:
    """The same, and other files of tests."""
    return [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind IN ('file', 'module') AND test")]


def is_test_module(index: Index, path: str) -> bool:
    return bool(index.value("SELECT test FROM symbols WHERE path = ? AND kind = 'module'", (path,)))


def has_symbol_named(index: Index, name: str) -> bool:
    return index.row("SELECT 1 FROM symbols WHERE name = ? LIMIT 1", (name,)) is not None


def find_extra(index: Index, row: int) -> dict[str, Any]:
    """The rarer attributes of a symbol: decorators, modifiers."""
    written = index.value("SELECT extra FROM symbols WHERE id = ?", (row,))
    extra: dict[str, Any] = json.loads(written) if written else {}
    return extra


def find_survey(index: Index, name: str) -> bytes | None:
    """What the last resolution stated of the whole repository, under a name."""
    data: bytes | None = index.value("SELECT data FROM survey WHERE name = ?", (name,))
    return data
