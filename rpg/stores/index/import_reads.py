"""Reads of what leads from file to file, by name: imports, and what a file names.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import orjson

from rpg.stores.index.placeholders import placeholders

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def list_imports_of_module(index: Index, path: str) -> list[tuple[str, str]]:
    """The files that a module imports, with the sites."""
    return index.rows(
        "SELECT t.path, e.sites FROM symbols s JOIN edges e ON e.source = s.id "
        "JOIN symbols t ON t.id = e.target WHERE s.path = ? AND s.kind = 'module' AND e.kind = 'imports'",
        (path,),
    )


def list_imports_in_file(index: Index, path: str) -> list[tuple[str, str]]:
    """The same, of whatever in a file imports: sites, path."""
    return index.rows(
        "SELECT e.sites, t.path FROM symbols s JOIN edges e ON e.source = s.id JOIN symbols t ON t.id = e.target "
        "WHERE s.path = ? AND e.kind = 'imports'",
        (path,),
    )


def list_imports_of_files(index: Index, paths: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """What modules import: path, the other's path, language, sites."""
    return index.rows(
        "SELECT s.path, t.path, s.language, e.sites FROM edges e JOIN symbols s ON s.id = e.source "
        "JOIN symbols t ON t.id = e.target WHERE e.kind = 'imports' AND s.kind = 'module' "
        f"AND s.path IN ({placeholders(paths)}) ORDER BY s.id, e.position",
        paths,
    )


def each_import_between_files(index: Index) -> Iterator[tuple[str, str]]:
    """Which file imports which other one, by path."""
    return index.each(
        "SELECT DISTINCT s.path, t.path FROM symbols s CROSS JOIN edges e ON e.source = s.id AND e.kind = 'imports' "
        "JOIN symbols t ON t.id = e.target WHERE s.kind = 'module' AND s.path != t.path ORDER BY s.path, t.path"
    )


def list_importers(index: Index, paths: Sequence[str]) -> list[str]:
    """The files that import one of these."""
    rows = index.rows(
        "SELECT DISTINCT s.path FROM symbols t JOIN edges e ON e.target = t.id AND e.kind = 'imports' "
        "JOIN symbols s ON s.id = e.source WHERE t.kind = 'module' AND t.path IN (SELECT value FROM json_each(?))",
        (orjson.dumps(paths).decode(),),
    )
    return [path for (path,) in rows]


def list_imported(index: Index, paths: Sequence[str]) -> list[str]:
    """The files that one of these imports."""
    rows = index.rows(
        "SELECT DISTINCT t.path FROM symbols s JOIN edges e ON e.source = s.id AND e.kind = 'imports' "
        "JOIN symbols t ON t.id = e.target WHERE s.kind = 'module' AND t.kind = 'module' "
        "AND s.path IN (SELECT value FROM json_each(?))",
        (orjson.dumps(paths).decode(),),
    )
    return [path for (path,) in rows]


def list_importers_between(index: Index, first: str, end: str) -> list[tuple[str, int]]:
    """The files that import one whose path lies between two texts: path, and whether it is test code."""
    return index.rows(
        "SELECT DISTINCT s.path, s.test FROM symbols t JOIN edges e ON e.target = t.id "
        "JOIN symbols s ON s.id = e.source WHERE t.path >= ? AND t.path < ? AND e.kind = 'imports'",
        (first, end),
    )


def is_imported(index: Index, row: int) -> bool:
    return index.row("SELECT 1 FROM edges WHERE target = ? AND kind = 'imports' LIMIT 1", (row,)) is not None


def list_files_led_to(index: Index, path: str) -> list[tuple[str, str, str]]:
    """The files that a file imports or of which it names a symbol: path, kind of edge, sites."""
    return index.rows(
        "SELECT t.path, e.kind, e.sites FROM symbols s JOIN edges e ON e.source = s.id "
        "JOIN symbols t ON t.id = e.target WHERE s.path = ? AND e.kind IN ('imports', 'references') AND e.sites != ''",
        (path,),
    )


def list_files_named_in(index: Index, paths: Sequence[str]) -> list[tuple[str, str]]:
    """The files that files import or name something of, with their languages."""
    return index.rows(
        "SELECT DISTINCT t.path, t.language FROM symbols s JOIN edges e ON e.source = s.id "
        "JOIN symbols t ON t.id = e.target "
        f"WHERE s.path IN ({placeholders(paths)}) AND e.kind IN ('imports', 'references')",
        paths,
    )


def list_resolved_targets(index: Index, path: str) -> list[tuple[str, str, str]]:
    """What the code of a file names, calls or inherits, but for what was guessed: sites, path, qualified name."""
    return index.rows(
        "SELECT e.sites, t.path, t.qualified_name FROM symbols s JOIN edges e ON e.source = s.id "
        "JOIN symbols t ON t.id = e.target WHERE s.path = ? AND e.kind IN ('references', 'calls', 'inherits') "
        "AND e.via NOT IN ('unique-name', 'fan-out', 'framework')",
        (path,),
    )


def list_methods_named_in(index: Index, path: str) -> list[tuple[str, str, str]]:
    """The methods that a file names without calling them: sites, path, qualified name."""
    return index.rows(
        "SELECT e.sites, t.path, t.qualified_name FROM symbols s JOIN edges e ON e.source = s.id "
        "JOIN symbols t ON t.id = e.target WHERE s.path = ? AND e.kind = 'references' AND t.kind = 'method'",
        (path,),
    )


def list_covered_files(index: Index, path: str) -> list[tuple[str, str]]:
    """The files that each symbol of a file covers: path, qualified name of the symbol."""
    return index.rows(
        "SELECT t.path, s.qualified_name FROM symbols s CROSS JOIN edges e ON e.source = s.id AND e.kind = 'covers'"
        " JOIN symbols t ON t.id = e.target WHERE s.path = ? AND t.path != ? ORDER BY e.source, e.position",
        (path, path),
    )


def list_importing_symbols(index: Index, rows: Sequence[int]) -> list[tuple[int, int]]:
    """What imports these modules: module, importer."""
    return index.rows(
        f"SELECT target, source FROM edges WHERE target IN ({placeholders(rows)}) AND kind = 'imports'", rows
    )
