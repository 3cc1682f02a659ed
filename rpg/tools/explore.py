"""The tool that walks the graph: outlines, hops around a symbol, shortest paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from rpg.printable import quoted
from rpg.queries.explore import (
    DIRECTIONS,
    LONGEST_PATH,
    ExploredEdge,
    ExploredNode,
    Hidden,
    Link,
    arranged,
    edge_kinds,
    explored_edge,
    labels,
    shortest_paths,
    starts,
    walk,
)
from rpg.queries.graph import budget
from rpg.queries.graph.budget import fitted, within
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.outline import Outline, outline
from rpg.queries.graph.symbols import symbols
from rpg.tools.arguments import TOKENS, Cursor, GraphName, KindsAgain, MaxTokens
from rpg.tools.call import Call, State, View
from rpg.tools.field import Field

Edges = Literal[
    "structure",
    "dependency",
    "contains",
    "imports",
    "calls",
    "inherits",
    "overrides",
    "references",
    "tests",
    "documents",
]
Direction = Literal["callers", "callees", "both", "in", "out", "upstream", "downstream"]


@dataclass(frozen=True, kw_only=True)
class Explored:
    start: list[str]
    outlines: list[Outline] = field(default_factory=list)
    nodes: list[ExploredNode] = field(default_factory=list)
    edges: list[ExploredEdge] = field(default_factory=list)
    paths: list[list[ExploredEdge]] = field(default_factory=list)
    """With `to`: the shortest ones, edge by edge."""
    depth_reached: int = 0
    hidden: Hidden = field(default_factory=Hidden)
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


def explore(
    call: Call,
    start: Annotated[list[str], Field(min_length=1, max_length=20, description="Symbols, files, folders (`./`: all)")],
    edges: Annotated[
        list[Edges],
        Field(description="Default: outline of files, else calls, imports, inherits, overrides"),
    ] = [],  # noqa: B006
    direction: Annotated[
        Direction,
        Field(description="callers of inherits: subclasses", synonyms=("in", "out", "upstream", "downstream")),
    ] = "both",
    depth: Annotated[int, Field(ge=1, le=10)] = 2,
    kinds: KindsAgain = [],  # noqa: B006
    to: Annotated[str, Field(description="Shortest paths there")] = "",
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> Explored:
    """Outline of a folder, file or class; callers, callees, subclasses, importers hop by hop; shortest path between
    symbols. Better than grep for inheritance and several hops; for direct uses take find_usages."""
    asked = (start, edges, direction, depth, kinds, to)
    with call.view(graph) as view:
        named = [symbols(view.index, each, view.folder) for each in start]
        nodes = list({node.row: node for each in named for node in each.nodes}.values())
        note = "; ".join(filter(None, (each.note for each in named)))
        way = DIRECTIONS[direction]
        first = budget.offset(cursor, *asked)
        if to:
            kinds_of_edges = edge_kinds([edge for edge in edges if edge != "structure"])
            return found_paths(view, nodes, to, kinds_of_edges, way, note, max_tokens)
        if "structure" in edges or (not edges and all(node.is_file or node.holds_files for node in nodes)):
            trees = [outline(view.index, node, depth, kinds) for node in nodes]
            lengths = [tree.parts for tree in trees]

            def head_of_outlines(parts: int) -> Explored:
                last = first + parts
                return Explored(
                    start=[node.id for node in nodes],
                    outlines=[trees[number].cut_out(begin, end) for number, begin, end in within(lengths, first, last)],
                    note=note,
                    next=budget.cursor(last, *asked) if last < sum(lengths) else "",
                    state=view.state,
                )

            return fitted(max(0, sum(lengths) - first), head_of_outlines, text, max_tokens)
        wanted = edge_kinds(edges)
        inner = starts(view.index, nodes, wanted)
        walk_made = arranged(view.index, view.header, walk(view.index, inner, wanted, way, depth), inner, kinds)

        def head(parts: int) -> Explored:
            last = first + parts
            shown = walk_made.cut_out(first, last)
            return Explored(
                start=[node.id for node in nodes],
                nodes=shown.nodes,
                edges=shown.edges,
                depth_reached=shown.depth_reached,
                hidden=shown.hidden,
                note=note or ("" if walk_made.across else f"no edge of the kinds {', '.join(wanted)} leads there"),
                next=budget.cursor(last, *asked) if last < walk_made.parts else "",
                state=view.state,
            )

        return fitted(max(0, walk_made.parts - first), head, text, max_tokens)


def found_paths(
    view: View, nodes: list[Node], to: str, kinds: tuple[str, ...], way: str, aside: str, max_tokens: int
) -> Explored:
    """Along the edges, then against them; through neighbours that two symbols share only where neither leads there."""
    meant = symbols(view.index, to, view.folder)
    goals = meant.nodes
    first = starts(view.index, nodes, kinds)
    last = starts(view.index, goals, kinds)
    tried = ("callees", "callers", "both") if way == "both" else (way,)
    links: list[list[Link]] = []
    note = ""
    for each in tried:
        links = shortest_paths(view.index, first, last, kinds, each)
        if links:
            note = NOTES[each]
            break
    else:
        note = f"no path of up to {LONGEST_PATH} edges to {quoted(to)} along {', '.join(kinds)} ({way})"
    found = nodes_by_row(view.index, {end for path in links for link in path for end in (link.source, link.target)})
    names = labels(found.values())
    paths = [[explored_edge(link, names, view.header, found) for link in path] for path in links]

    def head(parts: int) -> Explored:
        more = f"{len(paths) - parts} more of that length: raise max_tokens" if parts < len(paths) else ""
        return Explored(
            start=[node.id for node in nodes],
            paths=paths[:parts],
            depth_reached=len(paths[0]) if paths else 0,
            note="; ".join(filter(None, (aside, meant.note, note, more))),
            state=view.state,
        )

    return fitted(len(paths), head, text, max_tokens)


NOTES = {
    "callees": "",
    "callers": "against the edges: the start is used by what it leads to",
    "both": "no path goes one way along the edges; these meet at symbols that both ends use or are used by",
}


def found(result: Explored) -> bool:
    return bool(result.outlines or result.edges or result.paths)


def text(result: Explored) -> str:
    lines = [result.note] if result.note else []
    for tree in result.outlines:
        lines += tree_lines(tree, 0)
    for path in result.paths:
        lines += [edge_line(edge) for edge in path] + [""]
    hop = -1
    for node in result.nodes:
        if node.hop != hop:
            hop = node.hop
            lines.append(f"-- hop {hop}" if hop else "-- start")
        where = f"{node.path}:{node.lines}" if node.path else node.lines
        lines.append(f"{node.name}  {node.kind}  {where}{'  (test)' if node.test else ''}".rstrip())
    if result.edges:
        lines.append("-- edges")
        lines += [edge_line(edge) for edge in result.edges]
    hidden = result.hidden
    if hidden.nodes or hidden.edges:
        kinds = ", ".join(f"{number} {kind}" for kind, number in hidden.kinds.items())
        lines.append(f"not shown: {hidden.nodes} nodes ({kinds}), {hidden.edges} edges {hidden.reason}".rstrip())
    return "\n".join([*lines, *result.state.lines(result.next)])


def edge_line(edge: ExploredEdge) -> str:
    sites = f" at {edge.site}" if edge.site else ""
    more = f" and {edge.sites - 1} more" if edge.sites > 1 else ""
    return (
        f"{edge.source} {edge.kind} {edge.target}  via {edge.via}{' (possible)' if edge.possible else ''}{sites}{more}"
    )


def tree_lines(tree: Outline, indent: int) -> Iterator[str]:
    pad = "  " * indent
    contains = ", ".join(f"{number} {kind}" for kind, number in tree.contains.items())
    said = tree.signature if tree.signature and tree.name in tree.signature else f"{tree.kind} {tree.name}"
    yield f"{pad}{said}  {tree.lines}{f'  ({contains})' if contains else ''}".rstrip()
    for child in tree.children:
        yield from tree_lines(child, indent + 1)
    for base, names in tree.inherited.items():
        yield f"{pad}  inherited from {base}: {', '.join(names)}"
