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


def list_modules_importing_packages(index: Index, packages: Sequence[str]) -> list[str]:
    """The code files that import one of these packages from outside, or what is in it."""
    # What begins with `each.` or `each/` lies before `each/` and `each0`.
    words = [word for each in packages for word in (each, f"{each}.", f"{each}/", f"{each}/", f"{each}0")]
    fits = "p.name = ? OR (p.name >= ? AND p.name < ?) OR (p.name >= ? AND p.name < ?)"
    rows = index.rows(
        "SELECT DISTINCT s.path FROM places p JOIN symbols s ON s.id = p.source "
        f"WHERE p.reason = 'external' AND s.kind = 'module' AND ({' OR '.join(fits for _ in packages)})",
        words,
    )
    return [path for (path,) in rows]


def list_places_on_line(index: Index, path: str, line: int, name: str) -> list[tuple[str, str, int]]:
    """The references of a name on a line, or with it in theirs, that have no edge: symbol, reason, column."""
    return index.rows(
        "SELECT s.symbol, p.reason, p.column FROM places p JOIN symbols s ON s.id = p.source "
        "WHERE s.path = ? AND p.line = ? AND (p.name = ? OR p.call = 0 AND instr(p.name, ?))",
        (path, line, name, name),
    )


def count_unresolved_by_language(index: Index, names: Sequence[str], call: bool) -> list[tuple[str, str, int]]:
    """How many calls of these names, or other references to them, were not resolved: name, language, number."""
    return index.rows(
        "SELECT p.name, s.language, count(*) FROM places p JOIN symbols s ON s.id = p.source "
        f"WHERE p.name IN ({placeholders(names)}) AND p.reason != 'external' AND (p.call > 0) = ? GROUP BY 1, 2",
        (*names, call),
    )


def count_unresolved_by_reason(index: Index, condition: str, parameters: Sequence[str | int]) -> list[tuple[str, int]]:
    """Why references of the symbols that meet a condition over `symbols s` were not resolved, with numbers."""
    return index.rows(
        "SELECT p.reason, count(*) FROM symbols s JOIN places p ON p.source = s.id "
        f"WHERE {condition} AND p.reason != 'external' GROUP BY 1",
        parameters,
    )


def list_unresolved(
    index: Index, name: str, with_bare: bool
) -> list[tuple[str, str, str, int, str, int, int, str, int]]:
    """The references to a name that were not resolved, with or without those that stand alone: path, qualified name,
    kind, test mark and language of what refers to it; line, column, reason, and call (schema.py)."""
    return index.rows(
        "SELECT s.path, s.qualified_name, s.kind, s.test, s.language, p.line, p.column, p.reason, p.call "
        "FROM places p JOIN symbols s ON s.id = p.source WHERE p.name = ? AND p.reason != 'external' AND p.bare <= ?",
        (name, with_bare),
    )


def list_unresolved_places(index: Index, name: str) -> list[tuple[str, int, int]]:
    """Where a name stands that was not resolved: path, line, column."""
    return index.rows(
        "SELECT s.path, p.line, p.column FROM places p JOIN symbols s ON s.id = p.source "
        "WHERE p.name = ? AND p.reason != 'external'",
        (name,),
    )


def count_external_users(index: Index, name: str) -> int:
    """How many symbols refer to a name of something outside the repository."""
    return int(index.value("SELECT count(DISTINCT source) FROM places WHERE name = ? AND reason = 'external'", (name,)))


def list_sources_of_unresolved(index: Index, names: Sequence[str]) -> list[tuple[str, int, str]]:
    """What refers to one of these names without an edge: name, symbol, language."""
    return index.rows(
        "SELECT p.name, p.source, s.language FROM places p JOIN symbols s ON s.id = p.source "
        f"WHERE p.name IN ({placeholders(names)}) AND p.reason != 'external'",
        names,
    )
