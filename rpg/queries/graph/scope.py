"""A node together with everything in it, as a condition that SQL can use.

In: a node. Out: a condition over an alias of `symbols`, its parameters, and row ids if requested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from rpg.queries.graph.functional_view import files, functional_view, is_in
from rpg.queries.graph.nodes import IS_LISTED, Node
from rpg.stores.index.hierarchy_reads import list_rows_within
from rpg.stores.index.symbol_reads import list_rows_where

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


_EVERYTHING = "{0}.id > 0"
"""All of the repository; not what is of libraries."""


class Scope(NamedTuple):
    condition: str
    """With `{0}` for the alias."""
    parameters: tuple[Any, ...]

    def of(self, alias: str) -> str:
        return "(" + self.condition.format(alias) + ")"

    def rows(self, index: Index) -> list[int]:
        table = "symbols" if self.condition == _EVERYTHING else "all_symbols"
        return list_rows_where(index, self.of("s"), self.parameters, table)


def scope_of(index: Index, *nodes: Node) -> Scope:
    """A directory is matched by its path, so that its symbols need not be listed."""
    conditions: list[str] = []
    parameters: list[Any] = []
    rows: list[int] = []
    for node in nodes:
        if node.is_functional:
            view = functional_view(index)
            within = [path for path in files(index) if is_in(view.place_of(path), node.qualified_name)]
            conditions.append("{0}.path " + IS_LISTED)
            parameters.append(orjson.dumps(within).decode())
        elif node.holds_files:
            prefix = "" if node.path in ("./", "") else node.path.rstrip("/") + "/"
            if not prefix:
                return Scope(_EVERYTHING, ())
            # `0` follows `/`, so that the range covers everything that begins with the prefix.
            conditions.append("{0}.path >= ? AND {0}.path < ?")
            parameters += [prefix, prefix[:-1] + "0"]
        elif node.is_file:
            conditions.append("{0}.path = ?")
            parameters.append(node.path)
        else:
            rows += list_rows_within(index, node.row)
    if rows:
        conditions.append("{0}.id " + IS_LISTED)
        parameters.append(orjson.dumps(rows).decode())
    return Scope(" OR ".join(conditions) or "0", tuple(parameters))
