"""Symbols as the index's rows: what every query starts from and ends at.

In: an index and a condition. Out: nodes: a symbol's columns with their row id. No name resolution here (symbols.py), no
edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rpg.graph import FUNCTIONAL_KINDS
from rpg.queries.graph.memo import memoize, remember
from rpg.stores.index.placeholders import placeholders as placeholders
from rpg.stores.index.reader import list_paths_in_any_order, list_paths_of_graph
from rpg.stores.index.stored_graph import build_id_condition, build_id_parameters

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Value = TypeVar("Value")

COLUMNS = (
    "s.id, s.symbol, s.kind, s.name, s.qualified_name, s.path, s.parent, s.language, s.start_line, s.end_line, "
    "s.name_line, s.signature, s.doc, s.exported, s.test"
)
NUMBER_OF_EDGES_TO = "(SELECT count(*) FROM edges e WHERE e.target = s.id)"
NUMBER_OF_USES = "(SELECT count(*) FROM edges e WHERE e.target = s.id AND e.kind != 'contains')"
"""What the symbols of a condition may be ordered by."""
IS_LISTED = "IN (SELECT value FROM json_each(?))"
"""Whether a value is in a JSON array."""
IS_CALLED = (
    "EXISTS (SELECT 1 FROM edges e JOIN symbols c ON c.id = e.source WHERE e.target = s.id AND e.kind = 'calls' "
    "AND c.kind != 'module' AND c.test <= ?)"
)
"""Whether a function calls it: one outside tests, if the parameter is 0, or any, if it is 1."""
FILE_KINDS = frozenset({"module", "file"})
BATCH = 500
"""Parameters of one statement; SQLite allows far more, but one plan for a full batch is reused."""
MOST_KEPT = 4_000
"""How many nodes are cached, 6 MB: an answer meets the same symbols at every stage, and the next answer many of
them again."""
MEMBERS_KEPT, MOST_MEMBERS = 100, 200
"""How many symbols have their members cached, and the most that one may have."""


class Node(NamedTuple):
    row: int
    id: str
    kind: str
    name: str
    qualified_name: str
    path: str
    parent: int | None
    language: str
    start_line: int
    end_line: int
    name_line: int
    signature: str
    doc: str
    exported: int
    test: int

    @property
    def label(self) -> str:
        """Its name inside its file; files and directories use their path."""
        return self.qualified_name

    @property
    def lines(self) -> str:
        return f"{self.start_line}-{self.end_line}" if self.start_line else ""

    @property
    def holds_files(self) -> bool:
        return self.kind == "directory"

    @property
    def is_functional(self) -> bool:
        return self.kind in FUNCTIONAL_KINDS

    @property
    def is_file(self) -> bool:
        return self.kind in FILE_KINDS


def nodes(index: Index, condition: str, parameters: Sequence[Any] = ()) -> list[Node]:
    """Nodes of the repository that meet a condition over `symbols s`, which may end with ORDER BY and LIMIT."""
    return [Node(*row) for row in index.rows(f"SELECT {COLUMNS} FROM symbols s WHERE {condition}", parameters)]


def nodes_of_all(index: Index, condition: str, parameters: Sequence[Any] = ()) -> list[Node]:
    """The same with those of libraries."""
    return [Node(*row) for row in index.rows(f"SELECT {COLUMNS} FROM all_symbols s WHERE {condition}", parameters)]


def nodes_by_row(index: Index, rows: Iterable[int]) -> dict[int, Node]:
    """In the order of rows, in each batch. Cached as far as there is room."""
    cache: dict[int, Node] = memoize(index, "nodes", dict)
    found: dict[int, Node] = {}
    for batch in batches(rows):
        loaded = {row: node for row in batch if (node := cache.get(row)) is not None}
        missing = [row for row in batch if row not in loaded]
        if missing:
            fresh = {node.row: node for node in nodes_of_all(index, f"s.id IN ({placeholders(missing)})", missing)}
            remember(cache, fresh, MOST_KEPT)
            loaded |= fresh
        found.update(sorted(loaded.items()))
    return found


def members(index: Index, row: int) -> list[Node]:
    """What a symbol contains, by row. Cached as far as there is room."""
    cache: dict[int, list[Node]] = memoize(index, "members", dict)
    found = cache.get(row)
    if found is None:
        found = nodes_of_all(index, "s.parent = ? ORDER BY s.id", (row,))
        if len(found) <= MOST_MEMBERS:
            remember(cache, {row: found}, MEMBERS_KEPT)
    return found


def nodes_called(index: Index, names: Sequence[str]) -> list[Node]:
    """Symbols of exactly these names. The index on names ignores case, and serves only conditions that do too."""
    listed = placeholders(names)
    return nodes(index, f"s.name COLLATE NOCASE IN ({listed}) AND s.name IN ({listed})", [*names, *names])


def node_of(index: Index, symbol: str) -> Node | None:
    found = nodes_of_all(index, build_id_condition("s"), build_id_parameters(symbol))
    return found[0] if found else None


def paths(index: Index) -> list[str]:
    """The paths of all files in the graph."""
    return list_paths_in_any_order(index) or list_paths_of_graph(index)


def batches(values: Iterable[Value]) -> Iterator[list[Value]]:
    iterator = iter(values)
    while batch := list(islice(iterator, BATCH)):
        yield batch
