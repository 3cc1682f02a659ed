"""Import cycles: of one file or directory, and of the whole repository.

In: the `imports` edges between files. Out: cycles as paths, closed by their first. networkx does the search, and is
imported only when a cycle is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from rpg.stores.index import Index

SHOWN = 5


def cycles_through(index: Index, path: str) -> list[list[str]]:
    """The shortest cycles through a file, or through files of a directory, shortest first, at most five."""
    import networkx

    graph = import_graph(index)
    prefix = "" if path in ("./", "") else path
    found: dict[frozenset[str], list[str]] = {}
    for group in networkx.strongly_connected_components(graph):
        if len(group) < 2:
            continue
        part = graph.subgraph(group)
        wanted = sorted(each for each in group if each == path or (path.endswith("/") and each.startswith(prefix)))
        for each in wanted[: SHOWN * 4]:
            cycle = shortest_cycle(part, each)
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


_known: WeakKeyDictionary[Index, tuple[str, Any]] = WeakKeyDictionary()


def import_graph(index: Index) -> Any:
    """Files that import files; kept as long as the index has the same contents."""
    import networkx

    generation = index.meta("generation")
    known = _known.get(index)
    if known is not None and known[0] == generation:
        return known[1]
    graph = networkx.DiGraph()
    graph.add_edges_from(
        index.rows(
            "SELECT s.path, t.path FROM symbols s JOIN edges e ON e.source = s.id AND e.kind = 'imports' "
            "JOIN symbols t ON t.id = e.target WHERE s.kind = 'module' AND s.path != t.path"
        )
    )
    _known[index] = (generation, graph)
    return graph
