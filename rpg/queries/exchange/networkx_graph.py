"""The whole graph as networkx holds one, for programs that measure and draw graphs.

In: a whole graph. Out: a directed multigraph. A symbol is a node named by its symbol id; an area, category or feature
is a node named `::Area/Category/Feature`. Only this folder imports networkx, when its graph is asked for: that takes a
quarter of a second, which no other query should pay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rpg.queries.exchange.whole_graph import WholeGraph
from rpg.queries.graph.functional_view import BETWEEN

if TYPE_CHECKING:
    from networkx import MultiDiGraph

Attributes = dict[str, Any]


def build_networkx_graph(graph: WholeGraph) -> MultiDiGraph:
    """Nodes with `kind`, `name`, `path`, `language`, `start_line`, `end_line`, `signature`, `doc`, `does`, `place` and
    `test`; edges with `edge_kind`, `via`, `sites` and `roles`, one for each edge of the graph. What is empty is left
    out, but for `test`."""
    import networkx

    made = networkx.MultiDiGraph(name=graph.name)
    made.add_nodes_from(_nodes(graph))
    made.add_edges_from(_edges(graph))
    return made


def _nodes(graph: WholeGraph) -> Iterator[tuple[str, Attributes]]:
    for place, node in graph.view.by_name.items():
        yield f"::{place}", {"kind": node.kind, "name": node.name}
    for symbol in graph.symbols:
        about = {
            "kind": symbol.kind, "name": symbol.name, "path": symbol.path, "language": symbol.language,
            "start_line": symbol.start_line, "end_line": symbol.end_line, "signature": symbol.signature,
            "doc": symbol.doc, "does": graph.does(symbol), "place": graph.view.place_of(symbol.path),
        }  # fmt: skip
        yield symbol.id, {name: value for name, value in about.items() if value} | {"test": symbol.test}


def _edges(graph: WholeGraph) -> Iterator[tuple[str, str, Attributes]]:
    grouping = {"edge_kind": "covers", "via": "grouping"}
    for place in graph.view.by_name:
        if BETWEEN in place:
            yield f"::{place.rpartition(BETWEEN)[0]}", f"::{place}", grouping
    known = {symbol.id for symbol in graph.symbols}
    for path, place in graph.view.covered.items():
        if path in known:
            yield f"::{place}", path, grouping
    for edge in graph.edges():
        sites = " ".join(f"{line}:{column}" for line, column in edge.sites)
        about = {"edge_kind": edge.kind, "via": edge.via, "sites": sites, "roles": edge.roles}
        yield edge.source, edge.target, {name: value for name, value in about.items() if value}
