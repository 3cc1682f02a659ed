"""How the symbols of an answer call one another, in the order of the calls in the source.

In: an index and symbols. Out: a tree of calls as a list, callers before callees, each symbol once. Evidence
shows definitions before their uses; this shows where execution begins. No source is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.nodes import Node, batches
from rpg.stores.index.edge_reads import list_calls_by

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

DEEPEST = 8


class Step(NamedTuple):
    depth: int
    node: Node

    def __str__(self) -> str:
        return "  " * self.depth + self.node.label


def flow(index: Index, nodes: Sequence[Node]) -> list[Step]:
    """`nodes`: the most relevant first. The longest chain comes first; a symbol that neither calls nor is called by
    another is left out."""
    known = {node.row: node for node in nodes if node.kind in FUNCTION_KINDS | CLASS_KINDS}
    called = calls_between(index, known)
    inner = {target for targets in called.values() for target in targets}
    roots = [row for row in known if row not in inner]
    roots.sort(key=lambda row: -len(find_reachable(row, called)))
    steps: list[Step] = []
    seen: set[int] = set()
    # A cycle has no beginning: its most relevant member is taken for it.
    for row in (*roots, *known):
        if row not in seen and called.get(row):
            walk(row, 0, known, called, seen, steps)
    return steps


def find_reachable(row: int, called: Mapping[int, Sequence[int]]) -> set[int]:
    found, left = {row}, [row]
    while left:
        fresh = set(called.get(left.pop(), ())) - found
        found |= fresh
        left += fresh
    return found


def walk(
    row: int,
    depth: int,
    known: Mapping[int, Node],
    called: Mapping[int, Sequence[int]],
    seen: set[int],
    steps: list[Step],
) -> None:
    seen.add(row)
    steps.append(Step(depth, known[row]))
    if depth < DEEPEST:
        for target in called.get(row, ()):
            if target not in seen:
                walk(target, depth + 1, known, called, seen, steps)


def calls_between(index: Index, known: Mapping[int, Node]) -> dict[int, list[int]]:
    """For each caller what it calls, by the site of the first call."""
    found: dict[int, list[tuple[tuple[int, int], int]]] = {}
    for batch in batches(known):
        for source, target, sites in list_calls_by(index, batch):
            if target in known:
                line, _, column = (sites.split() or ["0:0"])[0].partition(":")
                found.setdefault(source, []).append(((int(line), int(column or 0)), target))
    return {source: [target for _, target in sorted(calls)] for source, calls in found.items()}
