"""Import cycles: of one file or directory, and of the whole repository.

In: the `imports` edges between files. Out: cycles as paths, closed by their first. networkx does the search, and is
imported only when a cycle is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rpg.queries.nodes import Node

if TYPE_CHECKING:
    from rpg.stores.index import Index

SHOWN = 5


def cycles_through(index: Index, within: Iterable[Node]) -> list[list[str]]:
    """The shortest cycle through each of these files that is in one, shortest first, at most five."""
    import networkx

    graph = import_graph(index)
    wanted = {node.path for node in within if node.is_file}
    found: dict[frozenset[str], list[str]] = {}
    for group in networkx.strongly_connected_components(graph):
        if len(group) < 2:
            continue
        part = graph.subgraph(group)
        for path in sorted(wanted & group)[: SHOWN * 4]:
            cycle = shortest_cycle(part, path)
            found.setdefault(frozenset(cycle), cycle)
    return sorted(found.values(), key=lambda cycle: (len(cycle), cycle))[:SHOWN]


def shortest_cycle(graph: Any, path: str) -> list[str]:
    """Through one node of a strongly connected graph, starting and ending there."""
    before: dict[str, str] = {}
    front = [path]
    while front:
        following = []
        for here in front:
            for there in sorted(graph.successors(here)):
                if there == path:
                    return [*back(here, path, before), path]
                if there not in before:
                    before[there] = here
                    following.append(there)
        front = following
    raise AssertionError(f"{path} is in no cycle")


def back(here: str, start: str, before: dict[str, str]) -> list[str]:
    way = [here]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def cycle_groups(index: Index) -> list[list[str]]:
    """All files that import each other in circles, the largest group first."""
    import networkx

    groups = (sorted(group) for group in networkx.strongly_connected_components(import_graph(index)) if len(group) > 1)
    return sorted(groups, key=lambda group: (-len(group), group))


def import_graph(index: Index) -> Any:
    import networkx

    graph = networkx.DiGraph()
    graph.add_edges_from(
        index.rows(
            "SELECT s.path, t.path FROM symbols s JOIN edges e ON e.source = s.id AND e.kind = 'imports' "
            "JOIN symbols t ON t.id = e.target WHERE s.kind = 'module' AND s.path != t.path"
        )
    )
    return graph
