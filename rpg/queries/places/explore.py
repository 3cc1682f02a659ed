"""Explores around a symbol: hops along the edges.

In: start nodes, edge kinds, a direction, a depth, a filter. Out: nodes with their hop and the edges between them, the
depth reached, and what was left out or lies beyond. A container means everything in it. Paths between symbols are in
paths.py, outlines in graph/outline.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.encoder.languages import may_hold_code
from rpg.graph import CLASS_KINDS
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.families import constructions
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.nodes import Node, batches, nodes_by_row
from rpg.queries.graph.scope import scope_of
from rpg.queries.graph.sources import Sources
from rpg.queries.places.impact import not_followed
from rpg.queries.usages.text_mentions import text_mentions
from rpg.stores.index import place_reads
from rpg.stores.index.edge_reads import list_links_at

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

CONTRACTS = "contracts"
"""Stands among kinds of edges for those of contracts, of whatever kind."""
VIEWS = {"dependency": ("imports", "calls", "inherits", "overrides", "references")}
DEFAULT = ("imports", "calls", "inherits", "overrides")
"""Without references: constants, fields and annotations would bury the calls."""
DIRECTIONS = {
    "callers": "callers", "in": "callers", "upstream": "callers",
    "callees": "callees", "out": "callees", "downstream": "callees",
    "both": "both",
}  # fmt: skip
_OPPOSITE = {"callers": "callees", "callees": "callers"}
MOST = 3_000
"""The search stops after this many nodes; `hidden` says so."""
MOST_PROVEN = 100
"""A walk over more classes is not proven complete."""


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
    text: str = ""
    """The line of the site, where the answer is asked for code."""
    backwards: bool = False
    """Whether the walk followed it backwards: the source is further from the start than the target."""


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
    beyond: int
    """How many nodes one more hop would add."""
    stopped: bool


def edge_kinds(written: Sequence[str]) -> tuple[str, ...]:
    kinds: list[str] = []
    for word in written or DEFAULT:
        kinds += VIEWS.get(word, (word,))
    return tuple(dict.fromkeys(kinds))


def walk(index: Index, start: Iterable[int], kinds: Sequence[str], direction: str, depth: int) -> Walk:
    """Breadth first. With both directions: what leads here and what leads from here, never a zigzag of the two. Where
    calls are followed, a call of a method leads to those that override it, and callers of what it overrides are its
    own."""
    first = list(dict.fromkeys(start))
    hops = dict.fromkeys(first, 0)
    links: dict[Link, None] = {}
    stopped = False
    # Beyond the start, what a method overrides is not run by its callers, and does not call it.
    further = [kind for kind in kinds if kind != "overrides"] if "calls" in kinds else kinds
    beyond: set[int] = set()
    for side in ("callers", "callees"):
        if direction not in (side, "both"):
            continue
        seen = set(first)
        frontier = first
        called = set(first)
        for hop in range(1, depth + 1):
            found = dict.fromkeys(step(index, frontier, kinds if hop == 1 else further, side))
            run = dict.fromkeys(dispatch(index, [row for row in frontier if row in called], kinds, side))
            links |= found | run
            ends = [(far_end(link, side), link.kind == "calls") for link in found]
            ends += [(far_end(link, _OPPOSITE[side]), True) for link in run]
            called |= {end for end, is_called in ends if is_called}
            frontier = list(dict.fromkeys(end for end, _ in ends if end not in seen))
            seen.update(frontier)
            for row in frontier:
                hops[row] = min(hops.get(row, hop), hop)
            if len(seen) > MOST:
                stopped = True
            if not frontier or stopped:
                break
        if frontier and not stopped:
            beyond.update(far_end(link, side) for link in step(index, frontier, further, side))
            run = dict.fromkeys(dispatch(index, [row for row in frontier if row in called], kinds, side))
            beyond.update(far_end(link, _OPPOSITE[side]) for link in run)
    return Walk(hops, list(links), len(beyond - hops.keys()), stopped)


def step(index: Index, rows: Iterable[int], kinds: Sequence[str], direction: str) -> list[Link]:
    """The edges of one hop. A class calls its constructor, though no line of code says so."""
    near = "target" if direction == "callers" else "source"
    rows = list(rows)
    constructed = constructions(index, rows, direction) if "calls" in kinds else ()
    crossing = CONTRACTS in kinds
    return [Link(source, target, "calls", "constructor", "") for source, target in constructed] + [
        Link(*row) for batch in batches(rows) for row in list_links_at(index, near, batch, kinds, crossing)
    ]


def dispatch(index: Index, rows: list[int], kinds: Sequence[str], direction: str) -> list[Link]:
    """The methods that may run where one is called that they override; for callers, those that are overridden."""
    if "calls" not in kinds or "overrides" not in kinds:
        return []
    return [link for link in step(index, rows, ("overrides",), _OPPOSITE[direction]) if link.kind == "overrides"]


def far_end(link: Link, direction: str) -> int:
    return link.source if direction == "callers" else link.target


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
    across: list[Link]
    wanted: list[Node]
    ties: list[list[Link]]
    names: dict[int, str]
    sources: Sources | None

    @property
    def parts(self) -> int:
        return len(self.wanted)

    @property
    def at_start(self) -> int:
        """How many of the nodes, the first ones, are where it starts."""
        return sum(1 for node in self.wanted if not self.walked.hops[node.row])

    @property
    def tests(self) -> dict[str, int]:
        """How many of the nodes are tests, by file."""
        return dict(Counter(node.path for node in self.wanted if node.test and self.walked.hops[node.row]))

    @property
    def is_certain(self) -> bool:
        return all(is_certain(self.header, link.via, self.found[link.source].language) for link in self.walked.links)

    def edge(self, link: Link, backwards: bool) -> ExploredEdge:
        edge = replace(build_explored_edge(link, self.names, self.header, self.found), backwards=backwards)
        if self.sources is None or not edge.site:
            return edge
        line = int(edge.site.partition(":")[0])
        return replace(edge, text=self.sources.line(self.found[link.source].path, line))

    def cut_out(self, first: int, last: int) -> Shown:
        """The nodes from `first` to before `last`, and how much is hidden after them."""
        left = self.wanted[last:]
        hops = self.walked.hops
        return Shown(
            [build_explored_node(node, self.names, hops[node.row]) for node in self.wanted[first:last]],
            [self.edge(link, hops[link.source] > hops[link.target]) for ties in self.ties[first:last] for link in ties],
            max((hops[node.row] for node in self.wanted), default=0),
            Hidden(
                nodes=len(left),
                edges=sum(map(len, self.ties[last:])),
                kinds=dict(Counter(node.kind for node in left).most_common()),
                reason=f"stopped after {MOST} nodes: lower the depth or restrict the edge kinds"
                if self.walked.stopped
                else "",
            ),
        )


def arrange_walk(
    sources: Sources | None,
    index: Index,
    header: dict[str, Any],
    walked: Walk,
    start: Collection[int],
    node_kinds: Sequence[str],
    filter: Filter,
) -> Arranged:
    """Nodes that the filter leaves out lead on to others, and are named where those hang on them. `sources`: if edges
    show their lines."""
    found = nodes_by_row(index, walked.hops)
    # A member of the start without outgoing edges is not shown; the start itself always is, and its calls of itself if
    # it is one symbol.
    across = [
        link
        for link in walked.links
        if not (link.source in start and link.target in start) or (len(start) == 1 and link.source == link.target)
    ]
    ends = {end for link in across for end in (link.source, link.target)} | set(list(start)[:1])
    ordered = sorted(
        (node for node in found.values() if node.row in ends),
        key=lambda node: (walked.hops[node.row], node.test, node.row),
    )
    wanted = [
        node
        for node in ordered
        if node.row in start or ((not node_kinds or node.kind in node_kinds) and filter.admits(node.path, node.test))
    ]
    by_end: dict[int, list[Link]] = {}
    for link in across:
        for end in {link.source: 0, link.target: 0}:
            by_end.setdefault(end, []).append(link)
    placed = found.keys() - {node.row for node in wanted}
    ties: list[list[Link]] = []
    for node in wanted:
        placed.add(node.row)
        ties.append([link for link in by_end.get(node.row, ()) if link.source in placed and link.target in placed])
    return Arranged(header, walked, found, across, wanted, ties, labels(found.values()), sources)


def has_all_subclasses(arrangement: Arranged, index: Index) -> bool:
    """For a walk from classes to their subclasses: whether there are certainly no more, up to its last hop. An
    unresolved base may be one of the classes, and so may one that is extended in a file that rpg does not parse."""
    walked = arrangement.walked
    classes = [arrangement.found[row] for row in walked.hops]
    if walked.stopped or len(classes) > MOST_PROVEN or not all(each.kind in CLASS_KINDS for each in classes):
        return False
    if not arrangement.is_certain or not_followed(index, classes, ("inherits",)):
        return False
    names = {each.name for each in classes}
    return not any(text_mentions(index, name, lambda path, test: may_hold_code(path)).found for name in names)


def count_unresolved_calls(arrangement: Arranged, index: Index, depth: int) -> dict[str, int]:
    """For a walk to callees: the names of the calls that it could not follow, most frequent first."""
    out: Counter[str] = Counter()
    for batch in batches(row for row, hop in arrangement.walked.hops.items() if hop < depth):
        for name, count in place_reads.count_unresolved_calls(index, batch):
            out[name] += count
    return dict(sorted(out.items(), key=lambda item: (-item[1], item[0])))


def labels(found: Iterable[Node]) -> dict[int, str]:
    counted = Counter(node.label for node in found)
    return {node.row: node.label if counted[node.label] == 1 else node.id for node in found}


def build_explored_node(node: Node, names: dict[int, str], hop: int) -> ExploredNode:
    return ExploredNode(
        name=names[node.row],
        kind=node.kind,
        path="" if node.is_file or node.holds_files else node.path,
        lines="" if node.is_file else node.lines,
        hop=hop,
        test=bool(node.test),
    )


def build_explored_edge(
    link: Link, names: dict[int, str], header: dict[str, Any], found: dict[int, Node]
) -> ExploredEdge:
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
