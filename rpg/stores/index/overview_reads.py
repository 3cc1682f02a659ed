"""Reads of the graph as a whole, by name: counts, what is used most, where programs may start.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rpg.stores.index.placeholders import placeholders

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


# Counts


def count_symbols_by_kind(index: Index) -> list[tuple[str, int]]:
    """The most frequent kind first."""
    return index.rows("SELECT kind, count(*) FROM symbols GROUP BY 1 ORDER BY 2 DESC, 1")


def count_symbols_by_language(index: Index) -> list[tuple[str, int, int]]:
    """Language, number of its files and of its symbols, most symbols first; the empty one is of what is no code."""
    return index.rows(
        "SELECT language, sum(kind IN ('module', 'file')), count(*) FROM symbols GROUP BY 1 ORDER BY 3 DESC, 1"
    )


_OF_REPOSITORY = "edges e JOIN symbols s ON s.id = e.source"
"""Without the edges among symbols of libraries."""


def count_edges_by_kind(index: Index, has_libraries: bool = False) -> list[tuple[str, int]]:
    """The most frequent kind first; those that begin in libraries are not counted."""
    edges = _OF_REPOSITORY if has_libraries else "edges e"
    return index.rows(f"SELECT e.kind, count(*) FROM {edges} GROUP BY 1 ORDER BY 2 DESC, 1")


def count_edges_in_order(index: Index) -> list[tuple[str, int]]:
    """By kind, in the order of their first edges."""
    return index.rows("SELECT kind, count(*) FROM edges GROUP BY kind ORDER BY min(source << 32 | position)")


def count_edges_by_via(index: Index, has_libraries: bool = False) -> list[tuple[str, int]]:
    """By the rule that found them, without those that contain; the most frequent first."""
    edges = _OF_REPOSITORY if has_libraries else "edges e"
    return index.rows(f"SELECT e.via, count(*) FROM {edges} WHERE e.kind != 'contains' GROUP BY 1 ORDER BY 2 DESC, 1")


# What is used most


def list_most_used(index: Index, weights: Mapping[str, int], most: int) -> list[tuple[str, str, str, int, int, int]]:
    """The symbols with the most edges from outside tests, each kind of edge with its weight, without those guessed by
    name: qualified name, kind, path, first and last line, number of users."""
    weight = " ".join(f"WHEN '{kind}' THEN {number}" for kind, number in weights.items())
    return index.rows(
        "SELECT t.qualified_name, t.kind, t.path, t.start_line, t.end_line, c.users FROM ("
        f"SELECT e.target, count(DISTINCT e.source) users, sum(CASE e.kind {weight} END) weight FROM edges e "
        f"JOIN symbols s ON s.id = e.source WHERE e.kind IN ({placeholders([*weights])}) AND NOT s.test "
        "AND e.via NOT IN ('unique-name', 'fan-out') GROUP BY 1"
        ") c JOIN symbols t ON t.id = c.target WHERE NOT t.test AND t.kind NOT IN ('module', 'directory', 'file') "
        "ORDER BY c.weight DESC, t.id LIMIT ?",
        (*weights, most),
    )


def list_outermost_by_users(index: Index, kinds: Sequence[str], most: int) -> list[tuple[str, str, str, str]]:
    """The symbols of these kinds that stand in no other, by how many other files use them or what is in them: name,
    path, language, kind."""
    outermost = "substr(t.qualified_name, 1, instr(t.qualified_name || '.', '.') - 1)"
    return index.rows(
        "SELECT o.name, o.path, o.language, o.kind FROM ("
        f"SELECT t.path, {outermost} name, count(DISTINCT s.path) users FROM edges e JOIN symbols t ON t.id = e.target "
        "JOIN symbols s ON s.id = e.source WHERE e.kind IN ('calls', 'inherits', 'references', 'documents') "
        "AND s.path != t.path AND e.via NOT IN ('unique-name', 'fan-out') "
        "AND t.kind NOT IN ('module', 'directory', 'file', 'section') GROUP BY 1, 2) u "
        f"JOIN symbols o ON o.path = u.path AND o.qualified_name = u.name AND o.kind IN ({placeholders(kinds)}) "
        "ORDER BY u.users DESC, o.id LIMIT ?",
        (*kinds, most),
    )


def each_symbol_to_rank(index: Index) -> Iterator[tuple[int, int | None, str, str, str, int, int, int]]:
    """Row, the symbol around it, kind, path, language; whether it is documented, exported, test code."""
    return index.each("SELECT id, parent, kind, path, language, doc != '', exported, test FROM symbols ORDER BY id")


def each_weighted_edge(
    index: Index, weights: Mapping[str, float], possible: Sequence[str], factor: float
) -> Iterator[tuple[int, int, float, int]]:
    """The edges of the kinds that have a weight: source, target, the weight, by this factor where the `via` is one of
    the possible ones, and whether it is a call."""
    counts = " ".join(f"WHEN '{kind}' THEN {count}" for kind, count in weights.items())
    return index.each(
        f"SELECT source, target, CASE kind {counts} END * iif(via IN ({placeholders(possible)}), {factor}, 1.0), "
        f"kind = 'calls' FROM edges WHERE kind IN ({placeholders([*weights])}) AND source != target",
        (*possible, *weights),
    )


# Where programs may start


def has_symbol_at(index: Index, pattern: str, but: str = "", *, name: str) -> bool:
    """Whether a file that one GLOB pattern fits, and not the other, has a symbol of that name; tests do not count."""
    condition = "path GLOB ? AND NOT path GLOB ? AND NOT test AND name = ?"
    return index.row(f"SELECT 1 FROM symbols WHERE {condition} LIMIT 1", (pattern, but, name)) is not None


def has_exported_symbol(index: Index, pattern: str, but: str = "") -> bool:
    """Whether such a file has something that others may use, but for itself."""
    condition = "path GLOB ? AND NOT path GLOB ? AND NOT test AND exported AND kind != 'module'"
    return index.row(f"SELECT 1 FROM symbols WHERE {condition} LIMIT 1", (pattern, but)) is not None


def list_server_objects(index: Index, most: int) -> list[tuple[str, str, int]]:
    """The first applications that a server of Python imports by the name of their file: name, path, line."""
    return index.rows(
        "SELECT name, path, name_line FROM symbols WHERE test = 0 AND kind IN ('function', 'constant') AND exported"
        " AND (path IN ('wsgi.py', 'asgi.py') OR path LIKE '%/wsgi.py' OR path LIKE '%/asgi.py')"
        " AND (name IN ('app', 'create_app') OR name LIKE '%application') ORDER BY path, id LIMIT ?",
        (most,),
    )


def list_docs_of_modules(index: Index, paths: Sequence[str]) -> list[str]:
    """The documentation of those of these code files that have any."""
    rows = index.rows(
        f"SELECT doc FROM symbols WHERE kind = 'module' AND doc != '' AND path IN ({placeholders(paths)})", paths
    )
    return [doc for (doc,) in rows]
