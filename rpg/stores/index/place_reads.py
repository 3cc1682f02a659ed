"""Reads of references without an edge, by name.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rpg.stores.index.placeholders import placeholders

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def list_external_imports(index: Index) -> list[tuple[str, str, str, int, int]]:
    """What modules import from outside: path, language, name, line, whether that is test code."""
    return index.rows(
        "SELECT s.path, s.language, p.name, p.line, s.test FROM places p JOIN symbols s ON s.id = p.source "
        "WHERE p.reason = 'external' AND s.kind = 'module' AND s.language != '' ORDER BY s.path, p.line"
    )


def list_external_names(index: Index) -> list[tuple[str, str]]:
    """The bare names of packages that modules import from outside, each with a language."""
    return index.rows(
        "SELECT DISTINCT p.name, s.language FROM symbols s JOIN places p ON p.source = s.id"
        " WHERE s.kind = 'module' AND p.reason = 'external' AND p.call = 0 AND p.bare = 1"
    )


def list_files_naming_external(index: Index, name: str, pattern: str) -> list[tuple[str, str]]:
    """The files that name something from outside, by its name or a GLOB pattern, with their languages."""
    return index.rows(
        "SELECT DISTINCT s.path, s.language FROM places p JOIN symbols s ON s.id = p.source "
        "WHERE p.reason = 'external' AND (p.name = ? OR p.name GLOB ?) ORDER BY s.path",
        (name, pattern),
    )


def list_files_calling(index: Index, names: Sequence[str]) -> list[str]:
    """The files with a call of one of these names that has no edge."""
    rows = index.rows(
        "SELECT DISTINCT s.path FROM places p JOIN symbols s ON s.id = p.source "
        f"WHERE p.call AND p.name IN ({placeholders(names)}) ORDER BY 1",
        names,
    )
    return [path for (path,) in rows]


def list_unresolved_calls(index: Index, names: Sequence[str]) -> list[tuple[int, str, str, int, int]]:
    """The calls of these names that were not resolved: caller, name, language, line, column."""
    return index.rows(
        "SELECT p.source, p.name, s.language, p.line, p.column FROM places p JOIN symbols s ON s.id = p.source "
        f"WHERE p.name IN ({placeholders(names)}) AND p.reason != 'external' AND p.call",
        names,
    )


def list_counted_calls(index: Index, name: str, language: str) -> list[tuple[str, int, int, int]]:
    """The unresolved calls of a name in a language whose arguments were counted: path, line, column, arguments."""
    return index.rows(
        "SELECT s.path, p.line, p.column, p.call - 2 FROM places p JOIN symbols s ON s.id = p.source "
        "WHERE p.name = ? AND p.call > 1 AND p.reason != 'external' AND s.language = ?",
        (name, language),
    )


def list_lines_of_calls(index: Index, row: int) -> list[int]:
    """The lines on which a symbol makes a call without an edge."""
    return [line for (line,) in index.rows("SELECT line FROM places WHERE source = ? AND call", (row,))]


def list_names_used_among(index: Index, names: Sequence[str]) -> list[str]:
    """Which of these names code uses that no edge follows."""
    rows = index.rows(f"SELECT DISTINCT name FROM places WHERE name IN ({placeholders(names)})", names)
    return [name for (name,) in rows]


def count_unresolved_calls(index: Index, rows: Sequence[int]) -> list[tuple[str, int]]:
    """The names of the calls in these symbols that have no edge, but for those of libraries, with their numbers."""
    return index.rows(
        "SELECT name, count(*) FROM places WHERE call AND reason != 'external' "
        f"AND source IN ({placeholders(rows)}) GROUP BY name",
        rows,
    )


def list_external_lines(index: Index, condition: str, parameters: Sequence[str]) -> list[tuple[str, str, str, int]]:
    """What modules import from outside, where a condition over `symbols s` holds: path, language, name, line."""
    return index.rows(
        "SELECT s.path, s.language, p.name, p.line FROM symbols s JOIN places p ON p.source = s.id "
        f"WHERE {condition} AND s.kind = 'module' AND p.reason = 'external'",
        parameters,
    )
