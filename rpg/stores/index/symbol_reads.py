"""Reads of symbols, by name: where a name is defined, what is in a file or a class.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rpg.stores.index.placeholders import placeholders

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


# By name


def list_places_named(index: Index, name: str) -> list[tuple[str, str]]:
    """Path and qualified name of each symbol of a name, whatever its case may be in other rows."""
    return index.rows(
        "SELECT path, qualified_name FROM symbols WHERE name = ? COLLATE NOCASE AND name = ?", (name, name)
    )


def list_definition_places(index: Index, name: str) -> list[tuple[int, str, int, int]]:
    """Where a name is defined: row, path, line, column."""
    return index.rows(
        "SELECT id, path, name_line, name_column FROM symbols WHERE name = ? COLLATE NOCASE AND name = ?", (name, name)
    )


def list_symbols_called(index: Index, name: str) -> list[tuple[int, str, str, str]]:
    """The symbols of a name: row, path, qualified name, language."""
    return index.rows(
        "SELECT id, path, qualified_name, language FROM symbols WHERE name = ? COLLATE NOCASE AND name = ?",
        (name, name),
    )


def list_symbols_on_line(index: Index, path: str, line: int, kind: str) -> list[int]:
    """The symbols of a kind whose names stand on a line."""
    rows = index.rows("SELECT id FROM symbols WHERE path = ? AND name_line = ? AND kind = ?", (path, line, kind))
    return [row for (row,) in rows]


def list_languages_of_name(index: Index, name: str) -> list[str]:
    """The languages in which a name is defined."""
    rows = index.rows("SELECT DISTINCT language FROM symbols WHERE name = ? COLLATE NOCASE AND name = ?", (name, name))
    return [language for (language,) in rows]


def list_definitions_named(index: Index, name: str, most: int) -> list[tuple[int, str, str, int, int, str, int]]:
    """The first symbols of a name that stand in code, those of tests last: row, kind, path, first and last line,
    qualified name, whether that is test code."""
    return index.rows(
        "SELECT id, kind, path, name_line, end_line, coalesce(own_qualified_name, around_name || name, path), test "
        "FROM symbols WHERE name = ? COLLATE NOCASE AND name = ? AND kind NOT IN ('file', 'directory', 'module') "
        "AND start_line > 0 ORDER BY test, id LIMIT ?",
        (name, name, most),
    )


def list_classes_named(index: Index, name: str) -> list[tuple[str, int, int]]:
    """Path, first line, and whether it is test code, of each class of a name."""
    return index.rows(
        "SELECT path, start_line, test FROM symbols WHERE name = ? AND kind = 'class' ORDER BY path", (name,)
    )


def list_paths_with_symbol(index: Index, name: str) -> list[str]:
    """The files that define a name."""
    return [path for (path,) in index.rows("SELECT DISTINCT path FROM symbols WHERE name = ? ORDER BY 1", (name,))]


def list_paths_with_method(index: Index, qualified_name: str) -> list[str]:
    """The first two files that have a method of that qualified name."""
    rows = index.rows(
        "SELECT path FROM symbols WHERE kind = 'method' AND qualified_name = ? LIMIT 2", (qualified_name,)
    )
    return [path for (path,) in rows]


def list_places_qualified(index: Index, qualified_name: str, language: str) -> list[tuple[str, str]]:
    """Path and qualified name of each symbol of a qualified name in a language, outside tests."""
    return index.rows(
        "SELECT path, qualified_name FROM symbols WHERE qualified_name = ? AND language = ? AND NOT test",
        (qualified_name, language),
    )


def list_own_names(index: Index) -> list[str]:
    """The names that the repository's own code defines, outside tests."""
    return [name for (name,) in index.rows("SELECT DISTINCT name FROM symbols WHERE test = 0 AND language != ''")]


# By row


def find_extent(index: Index, row: int) -> tuple[int, int, int]:
    """First and last line of a symbol, and the column of its name."""
    (found,) = index.rows("SELECT start_line, end_line, name_column FROM all_symbols WHERE id = ?", (row,))
    return found


def list_extents(index: Index, rows: Sequence[int]) -> list[tuple[str, int, int]]:
    """Path, first and last line of symbols."""
    return index.rows(f"SELECT path, start_line, end_line FROM all_symbols WHERE id IN ({placeholders(rows)})", rows)


def find_text_hash(index: Index, row: int) -> str | None:
    """The hash of a symbol's text."""
    found: str | None = index.value("SELECT hash FROM all_symbols WHERE id = ?", (row,))
    return found


def list_text_hashes(index: Index) -> list[tuple[str, str]]:
    """Qualified name and hash of each symbol that has a text."""
    return index.rows("SELECT qualified_name, hash FROM symbols WHERE hash != ''")


def list_extras(index: Index, rows: Sequence[int]) -> list[tuple[int, str]]:
    """The rarer attributes of those symbols that have any, as JSON."""
    return index.rows(f"SELECT id, extra FROM symbols WHERE extra != '' AND id IN ({placeholders(rows)})", rows)


# In classes and files


def list_member_names(index: Index, row: int) -> list[str]:
    """The names of what stands in a symbol."""
    return [name for (name,) in index.rows("SELECT name FROM all_symbols WHERE parent = ?", (row,))]


def list_members(index: Index, row: int) -> list[tuple[str, str]]:
    """Name and kind of what stands in a symbol, in order."""
    return index.rows("SELECT name, kind FROM all_symbols WHERE parent = ? ORDER BY start_line, id", (row,))


def list_signatures_of_members(index: Index, row: int) -> list[tuple[str, str]]:
    """Name and signature."""
    return index.rows("SELECT name, signature FROM all_symbols WHERE parent = ?", (row,))


def list_members_of_types(
    index: Index, name: str, kinds: Sequence[str] = ("class", "interface", "type")
) -> list[tuple[int, int, str, str]]:
    """The members of that name that types of these kinds declare: the member, its type, the header and language of
    that."""
    return index.rows(
        "SELECT s.id, p.id, p.signature, p.language FROM symbols s JOIN symbols p ON p.id = s.parent "
        f"WHERE s.name = ? COLLATE NOCASE AND s.name = ? AND p.kind IN ({placeholders(kinds)})",
        (name, name, *kinds),
    )


def list_method_names(index: Index, row: int) -> list[str]:
    """The names of the methods of a class."""
    return [name for (name,) in index.rows("SELECT name FROM all_symbols WHERE parent = ? AND kind = 'method'", (row,))]


def count_members(index: Index, rows: Sequence[int]) -> list[tuple[int, str, int]]:
    """How many members of each kind symbols have: symbol, kind, number."""
    return index.rows(
        f"SELECT parent, kind, count(*) FROM all_symbols WHERE parent IN ({placeholders(rows)}) GROUP BY 1, 2", rows
    )


def list_test_marks(index: Index, path: str) -> list[tuple[str, int]]:
    """Qualified name of each symbol of a file, and whether it is test code."""
    return index.rows("SELECT qualified_name, test FROM symbols WHERE path = ?", (path,))


def list_spans(index: Index, kinds: Sequence[str], paths: Sequence[str]) -> list[tuple[str, int, int]]:
    """Path, first and last line of the symbols of these kinds in these files."""
    return index.rows(
        f"SELECT path, start_line, end_line FROM symbols WHERE kind IN ({placeholders(kinds)})"
        f" AND path IN ({placeholders(paths)})",
        (*kinds, *paths),
    )


def list_file_ends(index: Index, paths: Sequence[str]) -> list[tuple[str, str, int]]:
    """Path, kind and last line of files."""
    return index.rows(
        "SELECT path, kind, end_line FROM symbols WHERE kind IN ('module', 'file') "
        f"AND path IN ({placeholders(paths)})",
        paths,
    )


def list_directories(index: Index) -> list[str]:
    """The directories of the graph, without the top one."""
    return [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind = 'directory' AND path != './'")]


def list_modules_ending(index: Index, ending: str) -> list[str]:
    """The code files whose path has that ending."""
    rows = index.rows("SELECT path FROM symbols WHERE kind = 'module' AND path LIKE ?", (f"%{ending}",))
    return [path for (path,) in rows]


def count_symbols_by_file(index: Index, left_out: str) -> list[tuple[str, int]]:
    """How many symbols each file but one has."""
    return index.rows("SELECT path, count(*) FROM symbols WHERE path != ? GROUP BY path", (left_out,))


def list_names_among(index: Index, names: Sequence[str]) -> list[str]:
    """Which of these names symbols have."""
    rows = index.rows(f"SELECT DISTINCT name FROM symbols WHERE name IN ({placeholders(names)})", names)
    return [name for (name,) in rows]


def list_two_bearers(index: Index, name: str) -> list[str]:
    """The first two symbols of a name that are no files, by their ids in the graph."""
    # The index of names ignores case.
    rows = index.rows(
        "SELECT symbol FROM symbols WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND kind != 'module' LIMIT 2", (name,)
    )
    return [symbol for (symbol,) in rows]


def count_symbols_by_path(index: Index) -> list[tuple[str, int, int]]:
    """How many symbols each file has, and whether it is test code."""
    return index.rows("SELECT path, count(*), max(test) FROM symbols WHERE kind != 'directory' GROUP BY path")


def find_rows_below(index: Index, first: str, end: str) -> tuple[int, int] | None:
    """The first and the last row whose path lies between two texts; rows are in path order. None if there is none."""
    found = index.row("SELECT min(id), max(id) FROM symbols WHERE path >= ? AND path < ?", (first, end))
    return (found[0], found[1]) if found and found[0] else None


def list_hashes_of(index: Index, rows: Sequence[int]) -> list[tuple[int, str]]:
    """Row and hash of the text of symbols."""
    return index.rows(f"SELECT id, hash FROM all_symbols WHERE id IN ({','.join(map(str, rows))})")


def list_hashed_modules(index: Index, most: int) -> list[tuple[str, str]]:
    """Path and hash of the first code files."""
    return index.rows("SELECT path, hash FROM symbols WHERE kind = 'module' AND hash != '' LIMIT ?", (most,))


def list_package_files(index: Index, ending: str) -> list[str]:
    """The code files, outside tests, whose path has that ending, in order."""
    rows = index.rows(
        "SELECT path FROM symbols WHERE kind = 'module' AND NOT test AND substr(path, -length(?1)) = ?1 ORDER BY path",
        (ending,),
    )
    return [path for (path,) in rows]


def list_exported(
    index: Index, condition: str, parameters: Sequence[str], kinds: Sequence[str]
) -> list[tuple[str, str, str, int, str]]:
    """What code files offer to others, outside tests: qualified name, kind, path, line, language. `condition` over
    `symbols s` and its module `m`."""
    return index.rows(
        "SELECT s.qualified_name, s.kind, s.path, s.start_line, s.language FROM symbols s JOIN symbols m "
        f"ON m.id = s.parent WHERE {condition} AND s.exported AND NOT s.test AND s.kind IN ({placeholders(kinds)}) "
        "AND m.kind = 'module' ORDER BY s.path, s.start_line",
        (*parameters, *kinds),
    )


def complete_names(index: Index, of_files: bool, pattern: str, most: int) -> list[str]:
    """The first paths of files, or ids of symbols, that a GLOB pattern fits."""
    column = "path" if of_files else "symbol"
    condition = "kind IN ('module', 'file')" if of_files else "kind NOT IN ('directory', 'module', 'file')"
    rows = index.rows(
        f"SELECT DISTINCT {column} FROM symbols WHERE {condition} AND path != '' AND {column} GLOB ? LIMIT ?",
        (pattern, most),
    )
    return [name for (name,) in rows]


def count_test_functions(index: Index) -> int:
    """About how many tests there are: functions in files of tests that are named or titled like one or have a mark."""
    found = index.value(
        "SELECT count(*) FROM symbols WHERE kind IN ('function', 'method') AND "
        "((test = 1 AND (name LIKE 'test%' OR substr(name, 1, 1) = '\"')) OR extra LIKE '%\"%Test%' "
        "OR extra LIKE '%[test]%' OR extra LIKE '%Fact%' OR extra LIKE '%Theory%')"
    )
    return int(found or 0)


# By condition


def list_rows_where(index: Index, condition: str, parameters: Sequence[str | int], table: str = "symbols") -> list[int]:
    """The symbols that meet a condition over `symbols s`; with the table `all_symbols`, those of libraries, too."""
    return [row for (row,) in index.rows(f"SELECT s.id FROM {table} s WHERE {condition}", parameters)]


def list_symbols_without_user(
    index: Index, columns: str, kinds: Sequence[str], edges: Sequence[str]
) -> list[tuple[Any, ...]]:
    """The symbols of these kinds that no edge of those kinds reaches from outside tests and from outside themselves:
    these columns of `symbols s`, and the rarer attributes as JSON."""
    return index.rows(
        f"SELECT {columns}, s.extra FROM symbols s WHERE s.kind IN ({placeholders(kinds)}) AND NOT s.test "
        "AND NOT EXISTS (SELECT 1 FROM edges e JOIN symbols u ON u.id = e.source "
        f"WHERE e.target = s.id AND e.kind IN ({placeholders(edges)}) AND NOT u.test AND u.id != s.id "
        "AND NOT (u.path = s.path AND instr(u.qualified_name, s.qualified_name || '.') = 1)) ORDER BY s.id",
        (*kinds, *edges),
    )


def list_symbols_by_use(index: Index, kinds: Sequence[str]) -> list[tuple[int, str, str, str, str, str, str]]:
    """The symbols of these kinds that have a text, the most used first, those of tests last: row, id in the graph,
    kind, name, qualified name, hash, documentation."""
    return index.rows(
        "SELECT s.id, s.symbol, s.kind, s.name, s.qualified_name, s.hash, s.doc FROM symbols s "
        f"WHERE s.kind IN ({placeholders(kinds)}) AND s.hash != '' ORDER BY s.test, "
        "(SELECT count(*) FROM edges e WHERE e.target = s.id AND e.kind != 'contains') DESC, s.id",
        kinds,
    )


def list_names_of_length(index: Index, shortest: int, longest: int, titled: bool) -> list[str]:
    """The names of that length; titles of tests, which begin with a quote, or others."""
    rows = index.rows(
        "SELECT DISTINCT name FROM symbols WHERE length(name) BETWEEN ? AND ? "
        "AND kind NOT IN ('file', 'directory') AND (name LIKE '\"%') = ?",
        (shortest, longest, titled),
    )
    return [name for (name,) in rows]


def list_directories_between(index: Index, first: str, end: str) -> list[str]:
    """The directories whose paths lie between two texts, in order."""
    rows = index.rows(
        "SELECT path FROM symbols WHERE kind = 'directory' AND path > ? AND path < ? ORDER BY path", (first, end)
    )
    return [path for (path,) in rows]
