"""Explores around a symbol: hops along the edges, and the shortest paths to another symbol.

In: start nodes, edge kinds, a direction, a depth. Out: nodes with their hop and the edges between them, the depth
reached and what was left out. A container means everything in it. Outlines are in outline.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.nodes import Node, batches, marks, nodes_by_row
from rpg.queries.graph.scope import scope_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

VIEWS = {"dependency": ("imports", "calls", "inherits", "overrides", "references")}
DEFAULT = ("imports", "calls", "inherits", "overrides")
"""Without references: constants, fields and annotations would bury the calls."""
DIRECTIONS = {
    "callers": "callers", "in": "callers", "upstream": "callers",
    "callees": "callees", "out": "callees", "downstream": "callees",
    "both": "both",
}  # fmt: skip
MOST = 3_000
"""The search stops after this many nodes; `hidden` says so."""
LONGEST_PATH = 12
PATHS = 3
"""How many shortest paths of the same length are shown."""


@dataclass(frozen=True, kw_only=True)
class ExploredNode:
    name: str
    """The name that edges use: its name in the file, or its id if two nodes here share that name."""
    kind: str
    path: str = ""
    lines: str = ""
    hop: int
    test: bool = False


@dataclass(frozen=True, kw_only=True)
class ExploredEdge:
    source: str
    kind: str
    target: str
    via: str
    possible: bool = False
    site: str = ""
    """line:column in the source's file; the first if there are several."""
    sites: int = 1


@dataclass(frozen=True, kw_only=True)
class Hidden:
    nodes: int = 0
    edges: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    """Nodes left out, by kind."""
    reason: str = ""


class Link(NamedTuple):
    """An edge with its ends as rows."""

    source: int
    target: int
    kind: str
    via: str
    sites: str


class Walk(NamedTuple):
    hops: dict[int, int]
    links: list[Link]
    stopped: bool


def edge_kinds(written: Sequence[str]) -> tuple[str, ...]:
    kinds: list[str] = []
    for word in written or DEFAULT:
        kinds += VIEWS.get(word, (word,))
    return tuple(dict.fromkeys(kinds))


def walk(index: Index, start: Iterable[int], kinds: Sequence[str], direction: str, depth: int) -> Walk:
    """Breadth first. With both directions: what leads here and what leads from here, never a zigzag of the two."""
    first = list(dict.fromkeys(start))
    hops = dict.fromkeys(first, 0)
    links: dict[Link, None] = {}
    stopped = False
    for way in ("callers", "callees"):
        if direction not in (way, "both"):
            continue
        seen = set(first)
        front = first
        for hop in range(1, depth + 1):
            found = dict.fromkeys(step(index, front, kinds, way))
            links |= found
            front = list(dict.fromkeys(other for link in found if (other := far_end(link, way)) not in seen))
            seen.update(front)
            for row in front:
                hops[row] = min(hops.get(row, hop), hop)
            if len(seen) > MOST:
                stopped = True
            if not front or stopped:
                break
    return Walk(hops, list(links), stopped)


def step(index: Index, rows: Iterable[int], kinds: Sequence[str], way: str) -> list[Link]:
    near = "target" if way == "callers" else "source"
    return [
        Link(*row)
        for batch in batches(rows)
        for row in index.rows(
            f"SELECT source, target, kind, via, sites FROM edges WHERE {near} IN ({marks(batch)}) "
            f"AND kind IN ({marks(kinds)})",
            (*batch, *kinds),
        )
    ]


def far_end(link: Link, way: str) -> int:
    return link.source if way == "callers" else link.target


def starts(index: Index, named: Iterable[Node], kinds: Sequence[str]) -> list[int]:
    """A class, file or directory means everything in it, except for relations between whole classes or files."""
    if set(kinds) <= {"contains", "inherits"}:
        return [node.row for node in named]
    return scope_of(index, *named).rows(index)


class Shown(NamedTuple):
    nodes: list[ExploredNode]
    edges: list[ExploredEdge]
    depth_reached: int
    hidden: Hidden


@dataclass(frozen=True)
class Arranged:
    """A walk before it is cut: nodes by hop, each with its edges to earlier nodes."""

    header: dict[str, Any]
    walked: Walk
    found: dict[int, Node]
    touched: set[int]
    across: list[Link]
    wanted: list[Node]
    ties: list[list[Link]]
    names: dict[int, str]

    @property
    def parts(self) -> int:
        return len(self.wanted)

    def cut_out(self, first: int, last: int) -> Shown:
        """The nodes from `first` to before `last`, and how much is hidden after them."""
        names = self.names
        placed = {node.row for node in self.wanted[:last]}
        left = [node for row, node in self.found.items() if row in self.touched and row not in placed]
        return Shown(
            [explored_node(node, names, self.walked.hops[node.row]) for node in self.wanted[first:last]],
            [explored_edge(link, names, self.header, self.found) for ties in self.ties[first:last] for link in ties],
            max((self.walked.hops[node.row] for node in self.wanted), default=0),
            Hidden(
                nodes=len(left),
                edges=len(self.across) - sum(map(len, self.ties[:last])),
                kinds=dict(Counter(node.kind for node in left).most_common()),
                reason=f"stopped after {MOST} nodes: lower the depth or restrict the edge kinds"
                if self.walked.stopped
                else "",
            ),
        )


def arranged(
    index: Index, header: dict[str, Any], walked: Walk, start: Collection[int], node_kinds: Sequence[str]
) -> Arranged:
    found = nodes_by_row(index, walked.hops)
    touched = {end for link in walked.links for end in (link.source, link.target)}
    ordered = sorted(
        (node for node in found.values() if node.row in start or node.row in touched),
        key=lambda node: (walked.hops[node.row], node.test, node.row),
    )
    # A member of the start without an edge out of it says nothing; the start itself is always shown.
    across = [link for link in walked.links if not (link.source in start and link.target in start)]
    ends = {end for link in across for end in (link.source, link.target)} | set(list(start)[:1])
    wanted = [
        node
        for node in ordered
        if node.row in ends and (not node_kinds or node.kind in node_kinds or node.row in start)
    ]
    by_end: dict[int, list[Link]] = {}
    for link in across:
        for end in {link.source: 0, link.target: 0}:
            by_end.setdefault(end, []).append(link)
    placed: set[int] = set()
    ties: list[list[Link]] = []
    for node in wanted:
        placed.add(node.row)
        ties.append([link for link in by_end.get(node.row, ()) if link.source in placed and link.target in placed])
    return Arranged(header, walked, found, touched, across, wanted, ties, labels(wanted))


def labels(found: Iterable[Node]) -> dict[int, str]:
    counted = Counter(node.label for node in found)
    return {node.row: node.label if counted[node.label] == 1 else node.id for node in found}


def explored_node(node: Node, names: dict[int, str], hop: int) -> ExploredNode:
    return ExploredNode(
        name=names[node.row],
        kind=node.kind,
        path="" if node.is_file or node.holds_files else node.path,
        lines="" if node.is_file else node.lines,
        hop=hop,
        test=bool(node.test),
    )


def explored_edge(link: Link, names: dict[int, str], header: dict[str, Any], found: dict[int, Node]) -> ExploredEdge:
    sites = link.sites.split()
    return ExploredEdge(
        source=names[link.source],
        kind=link.kind,
        target=names[link.target],
        via=link.via,
        possible=not is_certain(header, link.via, found[link.source].language),
        site=sites[0] if sites else "",
        sites=max(1, len(sites)),
    )


def shortest_paths(
    index: Index, start: Sequence[int], goal: Sequence[int], kinds: Sequence[str], direction: str
) -> list[list[Link]]:
    """Up to three of the shortest, each as its links from start to goal. Empty if none is short enough."""
    before: dict[int, list[Link]] = {row: [] for row in start}
    level = dict.fromkeys(start, 0)
    front = list(start)
    goals = set(goal)
    ways = [(way, kinds) for way in ("callees", "callers") if direction in (way, "both")]
    if "overrides" in kinds and direction != "both":
        # A call of an overridden method may run the overriding one, and the other way round.
        ways.append(("callers" if direction == "callees" else "callees", ("overrides",)))
    for hop in range(1, LONGEST_PATH + 1):
        if goals & level.keys() or not front or len(level) > 40 * MOST:
            break
        following: dict[int, None] = {}
        for way, along in ways:
            for link in step(index, front, along, way):
                far = far_end(link, way)
                if level.setdefault(far, hop) == hop:
                    before.setdefault(far, []).append(link)
                    following[far] = None
        front = list(following)
    out: list[list[Link]] = []
    for row in (row for row in goal if row in level):
        trace(row, level, before, [], out)
    return out


def trace(
    row: int, level: dict[int, int], before: dict[int, list[Link]], tail: list[Link], out: list[list[Link]]
) -> None:
    if len(out) >= PATHS:
        return
    if not level[row]:
        out.append(tail)
        return
    taken = set()
    for link in before[row]:
        near = link.source if link.target == row else link.target
        if near not in taken and level[near] == level[row] - 1:
            taken.add(near)
            trace(near, level, before, [link, *tail], out)
