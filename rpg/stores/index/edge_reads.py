"""Reads of edges, by name: who uses what, and which symbols are beside each other.

In: an index. Out: rows, as the names of the functions say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rpg.stores.index.placeholders import placeholders

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


# Uses


def list_reads_of(index: Index, row: int) -> list[tuple[str, str]]:
    """Where a symbol is named or called: paths, with their sites."""
    return index.rows(
        "SELECT s.path, e.sites FROM edges e JOIN symbols s ON s.id = e.source WHERE e.target = ? "
        "AND e.kind IN ('references', 'calls') ORDER BY s.path",
        (row,),
    )


def list_references_outside_tests(index: Index, row: int) -> list[tuple[str, str, str]]:
    """Where code outside tests refers to a symbol: paths, with their sites and the roles of these."""
    return index.rows(
        "SELECT s.path, e.sites, e.roles FROM edges e JOIN symbols s ON s.id = e.source WHERE e.target = ? "
        "AND e.kind = 'references' AND NOT s.test ORDER BY s.path, e.source, e.position",
        (row,),
    )


def list_uses_of(index: Index, row: int) -> list[tuple[str, str, int]]:
    """All uses of a symbol but imports: paths, with their sites, and whether that is test code. What a test calls is
    told once."""
    return index.rows(
        "SELECT symbols.path, edges.sites, symbols.test FROM edges JOIN symbols ON symbols.id = edges.source "
        "WHERE edges.target = ? AND edges.kind NOT IN ('contains', 'imports', 'tests') ORDER BY symbols.id",
        (row,),
    )


def list_callers_of(index: Index, path: str, qualified_name: str) -> list[tuple[str, str]]:
    """Where a symbol of a file is called: paths, with their sites."""
    return index.rows(
        "SELECT s.path, e.sites FROM symbols t JOIN edges e ON e.target = t.id AND e.kind = 'calls' "
        "JOIN symbols s ON s.id = e.source WHERE t.path = ? AND t.qualified_name = ?",
        (path, qualified_name),
    )


def list_sites_used_by(index: Index, row: int) -> list[str]:
    """The sites at which a symbol calls or names something."""
    rows = index.rows("SELECT sites FROM edges WHERE source = ? AND kind IN ('calls', 'references')", (row,))
    return [sites for (sites,) in rows]


def list_calls_by(index: Index, rows: Sequence[int]) -> list[tuple[int, int, str]]:
    """What symbols call, but themselves: caller, callee, sites."""
    return index.rows(
        f"SELECT source, target, sites FROM edges WHERE source IN ({placeholders(rows)}) AND kind = 'calls' "
        "AND source != target",
        rows,
    )


def list_uses_among(index: Index, rows: Sequence[int]) -> list[tuple[int, int]]:
    """Which of these symbols use which others of them."""
    listed = ",".join(map(str, rows))
    return index.rows(
        f"SELECT source, target FROM edges WHERE source IN ({listed}) AND target IN ({listed})"
        " AND source != target AND kind IN ('calls', 'references')"
    )


def list_users_of(
    index: Index, rows: Sequence[int]
) -> list[tuple[int, int, str, str, str, str, str, str, str, int, int]]:
    """What calls, names or inherits symbols: target, source; kind, via, sites and roles of the edge; the source's
    language, kind, path, first line and test mark."""
    return index.rows(
        "SELECT e.target, e.source, e.kind, e.via, e.sites, e.roles, s.language, s.kind, s.path, s.start_line, s.test "
        f"FROM edges e JOIN symbols s ON s.id = e.source WHERE e.target IN ({placeholders(rows)}) "
        "AND e.kind IN ('calls', 'references', 'inherits')",
        rows,
    )


def list_used_by(index: Index, row: int) -> list[tuple[int, str, str]]:
    """What a symbol calls or names, but modules: row, name, sites."""
    return index.rows(
        "SELECT e.target, t.name, e.sites FROM edges e JOIN symbols t ON t.id = e.target WHERE e.source = ? "
        "AND e.kind IN ('calls', 'references') AND t.kind != 'module'",
        (row,),
    )


def list_sites_of(index: Index, rows: Sequence[int], without: Sequence[str]) -> list[tuple[int, str, str]]:
    """Where code outside tests uses symbols, but for edges with such a `via`: target, path, sites."""
    return index.rows(
        "SELECT e.target, s.path, e.sites FROM edges e JOIN symbols s ON s.id = e.source "
        f"WHERE e.target IN ({placeholders(rows)}) AND NOT s.test AND e.sites != '' "
        f"AND e.via NOT IN ({placeholders(without)})",
        (*rows, *without),
    )


def list_sites_to(index: Index, rows: Sequence[int], kinds: Sequence[str]) -> list[tuple[Any, ...]]:
    """The edges of these kinds to symbols, with all that a list of uses says of one: target and its kind; source, path,
    qualified name, kind, test mark, language, line and column of its name; kind, via, sites and roles of the edge."""
    return index.rows(
        "SELECT e.target, t.kind, e.source, s.path, s.qualified_name, s.kind, s.test, s.language, s.name_line,"
        " s.name_column, e.kind, e.via, e.sites, e.roles FROM edges e JOIN symbols s ON s.id = e.source "
        f"JOIN all_symbols t ON t.id = e.target WHERE e.target IN ({placeholders(rows)})"
        f" AND e.kind IN ({placeholders(kinds)})",
        (*rows, *kinds),
    )


def list_sites_of_namesakes(index: Index, name: str, own: int) -> list[tuple[int, str, str, str, str]]:
    """The edges with sites to the other symbols of a name: target, path, kind, sites, roles."""
    return index.rows(
        "SELECT t.id, s.path, e.kind, e.sites, e.roles FROM symbols t JOIN edges e ON e.target = t.id "
        "JOIN symbols s ON s.id = e.source WHERE t.name = ? COLLATE NOCASE AND t.name = ? AND t.id != ? "
        "AND e.sites != '' AND e.kind NOT IN ('tests', 'contains', 'overrides')",
        (name, name, own),
    )


def list_other_targets(index: Index, row: int, name: str, most: int) -> list[str]:
    """The first other symbols of a name to which edges lead from the places where this one is one of several."""
    rows = index.rows(
        "SELECT DISTINCT o.symbol FROM edges e "
        "JOIN edges f ON f.source = e.source AND f.kind = e.kind AND f.via = e.via JOIN symbols o ON o.id = f.target "
        "WHERE e.target = ? AND e.via = 'fan-out' AND f.target != e.target AND o.name = ? ORDER BY o.id LIMIT ?",
        (row, name, most),
    )
    return [symbol for (symbol,) in rows]


def count_edges_to(index: Index, rows: Sequence[int]) -> list[tuple[int, int]]:
    """How many edges lead to each of these, but those that contain it and those of tests."""
    return index.rows(
        f"SELECT target, count(*) FROM edges WHERE target IN ({placeholders(rows)}) "
        "AND kind NOT IN ('contains', 'tests') GROUP BY 1",
        rows,
    )


def count_users(index: Index, rows: Sequence[int]) -> list[tuple[int, int]]:
    """How many symbols that are no tests use each of these."""
    return index.rows(
        f"SELECT e.target, count(DISTINCT e.source) FROM edges e JOIN symbols s ON s.id = e.source "
        f"WHERE e.target IN ({placeholders(rows)}) AND e.kind IN ('calls', 'references') AND s.test = 0 "
        "GROUP BY e.target",
        rows,
    )


def count_other_files(index: Index, symbols: Sequence[str]) -> list[tuple[str, int]]:
    """How many other files use each of these symbols, by their ids in the graph."""
    return index.rows(
        "SELECT t.symbol, count(DISTINCT s.path) FROM symbols t JOIN edges e ON e.target = t.id"
        f" JOIN symbols s ON s.id = e.source WHERE t.symbol IN ({placeholders(symbols)}) AND s.path != t.path"
        " GROUP BY t.id",
        symbols,
    )


def count_sites_by_file(index: Index, rows: Sequence[int]) -> list[tuple[int, str, int, int]]:
    """How often each of these is used in each file: symbol, path, whether that is test code, number."""
    return index.rows(
        "SELECT e.target, s.path, s.test, sum(length(e.sites) - length(replace(e.sites, ' ', '')) + 1)"
        f" FROM edges e JOIN symbols s ON s.id = e.source WHERE e.target IN ({placeholders(rows)})"
        " AND e.kind IN ('calls', 'references', 'inherits') AND e.sites != '' GROUP BY e.target, s.path, s.test",
        rows,
    )


def count_links_between_files(index: Index) -> list[tuple[str, str, int]]:
    """How many edges lead from one file to another, without those guessed by name."""
    return index.rows(
        "SELECT s.path, t.path, count(*) FROM edges e JOIN symbols s ON s.id = e.source"
        " JOIN symbols t ON t.id = e.target WHERE e.kind IN ('imports', 'calls', 'inherits') AND s.path != t.path"
        " AND e.via NOT IN ('unique-name', 'fan-out') GROUP BY 1, 2"
    )


# Between symbols


def list_edges_at(
    index: Index, near: str, far: str, rows: Sequence[int], kinds: Sequence[str]
) -> list[tuple[int, int, str, str, str]]:
    """The edges of these kinds at one end of which these symbols are, but those to themselves: near, far, via, sites,
    kind. `near` and `far`: `source` and `target`, or the other way round."""
    return index.rows(
        f"SELECT {near}, {far}, via, sites, kind FROM edges WHERE {near} IN ({placeholders(rows)}) "
        f"AND kind IN ({placeholders(kinds)}) AND source != target ORDER BY {near}, {far}, via",
        (*rows, *kinds),
    )


def list_neighbours(index: Index, near: str, far: str, row: int, kinds: Sequence[str]) -> list[tuple[int, str]]:
    """What is at the other end of the edges of these kinds, each once with the first of its kinds."""
    return index.rows(
        f"SELECT {far}, min(kind) FROM edges WHERE {near} = ? AND kind IN ({placeholders(kinds)}) GROUP BY 1",
        (row, *kinds),
    )


def list_edges_without(
    index: Index, near: str, far: str, rows: Sequence[int], kinds: Sequence[str], vias: Sequence[str]
) -> list[tuple[int, int, str]]:
    """The same without those that these `vias` have: near, far, kind, each once."""
    listed, kept, left = ",".join(map(str, rows)), _quoted(kinds), _quoted(vias)
    return index.rows(
        f"SELECT DISTINCT {near}, {far}, kind FROM edges WHERE {near} IN ({listed}) AND kind IN ({kept}) "
        f"AND via NOT IN ({left}) AND source != target"
    )


def list_edges_among(
    index: Index, rows: Sequence[int], kinds: Sequence[str]
) -> list[tuple[int, int, str, str, str, int]]:
    """The edges of these kinds from these symbols to others of them: source, target, kind, via, language, number of
    sites."""
    listed = ",".join(map(str, rows))
    return index.rows(
        "SELECT e.source, e.target, e.kind, e.via, s.language, length(e.sites) - length(replace(e.sites, ' ', '')) + 1 "
        f"FROM edges e JOIN symbols s ON s.id = e.source WHERE e.source IN ({listed}) AND e.target IN ({listed}) "
        f"AND e.kind IN ({placeholders(kinds)})",
        kinds,
    )


def each_edge_of_code(
    index: Index, kinds: Sequence[str], without: Sequence[str]
) -> Iterator[tuple[int, int, str, str, str]]:
    """The edges of these kinds between code outside tests, but those with such a `via`: source, target, their paths,
    the target's kind."""
    return index.each(
        "SELECT e.source, e.target, s.path, t.path, t.kind FROM edges e JOIN symbols s ON s.id = e.source "
        f"JOIN symbols t ON t.id = e.target WHERE e.kind IN ({placeholders(kinds)}) "
        f"AND e.via NOT IN ({placeholders(without)}) AND NOT s.test AND NOT t.test AND t.kind != 'directory'",
        (*kinds, *without),
    )


def each_edge_in_order(index: Index, kinds: Sequence[str]) -> Iterator[tuple[int, int, str, str, str, str]]:
    """The edges of these kinds as the graph has them: source, target, kind, via, sites, roles."""
    return index.each(
        f"SELECT source, target, kind, via, sites, roles FROM edges WHERE kind IN ({placeholders(kinds)}) "
        "ORDER BY source, position",
        kinds,
    )


def each_count_of_users(index: Index) -> Iterator[tuple[int, int | None, int, int, int]]:
    """By how much each symbol outside tests is used: row, the symbol around it, and the numbers of other files, of
    files of tests, and of symbols of its own file outside the one around it."""
    return index.each(
        "SELECT t.id, p.id, count(DISTINCT CASE WHEN s.test = 0 AND s.path != t.path THEN s.path END), "
        "count(DISTINCT CASE WHEN s.test != 0 THEN s.path END), "
        "count(DISTINCT CASE WHEN s.path = t.path AND s.parent IS NOT t.parent THEN s.id END) "
        "FROM symbols t JOIN edges e ON e.target = t.id AND e.kind IN ('calls', 'references', 'inherits') "
        "JOIN symbols s ON s.id = e.source "
        "LEFT JOIN symbols p ON p.id = t.parent AND p.kind NOT IN ('module', 'directory', 'file') "
        "WHERE t.test = 0 AND s.id != t.id AND s.parent IS NOT t.id GROUP BY t.id ORDER BY t.id"
    )


def list_links_at(
    index: Index, near: str, rows: Sequence[int], kinds: Sequence[str], with_contracts: bool
) -> list[tuple[int, int, str, str, str]]:
    """The edges of these kinds, and those of contracts if wanted, at one end of which these symbols are: source,
    target, kind, via, sites. `near`: `source` or `target`."""
    contracts = "OR via IN ('crossing', 'possible-crossing') AND kind != 'tests'" if with_contracts else ""
    return index.rows(
        f"SELECT source, target, kind, via, sites FROM edges WHERE {near} IN ({placeholders(rows)}) "
        f"AND (kind IN ({placeholders(kinds)}) {contracts})",
        (*rows, *kinds),
    )


def list_far_ends(
    index: Index, near: str, far: str, rows: Sequence[int], kinds: Sequence[str]
) -> list[tuple[int, str, int]]:
    """What edges of these kinds lead to from these symbols: row, path, whether it is test code."""
    return index.rows(
        f"SELECT DISTINCT f.id, f.path, f.test FROM edges e JOIN symbols f ON f.id = e.{far} "
        f"WHERE e.{near} IN ({placeholders(rows)}) AND e.kind IN ({placeholders(kinds)})",
        (*rows, *kinds),
    )


def list_edges_leaving(
    index: Index,
    ends: tuple[str, str],
    kinds: Sequence[str],
    inside: tuple[str, Sequence[str | int]],
    outside: tuple[str, Sequence[str | int]],
) -> list[tuple[int, str, str, str, int, str, str, str, int, str, str, int]]:
    """The edges of these kinds from symbols inside to those outside, by far symbol, kind, via and language: the far
    symbol's row, path, qualified name, kind and test mark; the edge's kind and via; the language of its source, the
    number of sites; path, sites and first line of one edge of them. `ends`: the columns of the near and the far end.
    `inside`, `outside`: conditions over the near symbol `n` and the far one `f`, with their parameters."""
    near, far = ends
    source = "n" if near == "source" else "f"
    return index.rows(
        f"SELECT f.id, f.path, f.qualified_name, f.kind, f.test, e.kind, e.via, {source}.language, "
        f"sum(length(e.sites) - length(replace(e.sites, ' ', '')) + 1), {source}.path, e.sites, "
        f"min(CAST(e.sites AS INTEGER)) FROM symbols n JOIN edges e ON e.{near} = n.id AND e.kind IN "
        f"({placeholders(kinds)}) JOIN symbols f ON f.id = e.{far} WHERE {inside[0]} AND {outside[0]} "
        f"GROUP BY f.id, e.kind, e.via, {source}.language",
        (*kinds, *inside[1], *outside[1]),
    )


def list_edges_to(
    index: Index, rows: Sequence[int], kinds: Sequence[str]
) -> list[tuple[int, int, str, str, str, str, str, int]]:
    """The edges of these kinds to symbols: target, source, kind, via, sites; the source's language and path, and
    whether it is a module."""
    return index.rows(
        "SELECT e.target, e.source, e.kind, e.via, e.sites, s.language, s.path, s.kind = 'module' FROM edges e "
        f"JOIN symbols s ON s.id = e.source WHERE e.target IN ({placeholders(rows)}) "
        f"AND e.kind IN ({placeholders(kinds)}) ORDER BY e.source",
        (*rows, *kinds),
    )


def list_edges_from_file(index: Index, path: str) -> list[tuple[str, str, str, str, str, str, str]]:
    """The edges from the symbols of a file that have sites: source, kind, via, sites, target, the target's name, the
    source's language."""
    return index.rows(
        "SELECT s.symbol, e.kind, e.via, e.sites, t.symbol, t.name, s.language FROM symbols s "
        "JOIN edges e ON e.source = s.id JOIN symbols t ON t.id = e.target WHERE s.path = ? AND e.sites != ''",
        (path,),
    )


def list_classes_below(index: Index, roots: str) -> list[tuple[str, str, str, int, int]]:
    """The classes that inherit from others, and these: path, qualified name, kind, line, whether it is test code.
    `roots`: a JSON array of pairs of path and qualified name."""
    return index.rows(
        "WITH RECURSIVE below(id) AS (SELECT s.id FROM symbols s JOIN json_each(?) w ON s.path = w.value->>0 "
        "AND s.qualified_name = w.value->>1 UNION SELECT e.source FROM below JOIN edges e ON e.target = below.id "
        "AND e.kind = 'inherits') SELECT s.path, s.qualified_name, s.kind, s.start_line, s.test "
        "FROM below JOIN symbols s ON s.id = below.id WHERE s.kind = 'class'",
        (roots,),
    )


def _quoted(words: Sequence[str]) -> str:
    return ",".join(f"'{word}'" for word in words)
