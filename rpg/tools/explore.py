"""The tool that walks the graph: outlines, hops around a symbol, shortest paths, maps of what matters most.

In: start symbols, edges, direction, for a map a question. Out: trees, nodes by hop, or paths.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Literal

from rpg.errors import BadRequest
from rpg.printable import quoted
from rpg.queries.explore import (
    DIRECTIONS,
    arranged,
    edge_kinds,
    explored_edge,
    has_all_subclasses,
    starts,
    unresolved_calls,
    walk,
)
from rpg.queries.graph import budget
from rpg.queries.graph.budget import fitted, rows, within
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.functional_view import area_of, functional_outline, functional_view, links_between_areas
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.notations import plain_path
from rpg.queries.graph.outline import outline
from rpg.queries.graph.sources import Sources
from rpg.queries.graph.symbols import symbols
from rpg.queries.overview import overview
from rpg.queries.paths import LONGEST_PATH, Chains, Gap, gaps, shortest_chains
from rpg.tools import explored
from rpg.tools.calling.arguments import (
    TOKENS,
    Cursor,
    DetailAgain,
    ExcludedPath,
    Format,
    GraphName,
    Kinds,
    MaxTokens,
    PathFilter,
    Rows,
    TestsAgain,
)
from rpg.tools.calling.call import Call, View
from rpg.tools.calling.field import Field
from rpg.tools.explored import NAMED, Explored
from rpg.tools.explored_maps import MapQuery, Page, mapped
from rpg.tools.explored_pictures import drawn, drawn_outline, drawn_paths

Edges = Literal[
    "structure",
    "functional",
    "dependency",
    "contains",
    "imports",
    "calls",
    "inherits",
    "overrides",
    "references",
    "tests",
    "documents",
    "map",
    "both",
]
BOTH: tuple[Edges, ...] = ("functional", "dependency")
Direction = Literal["both", "callers", "callees", "in", "out", "upstream", "downstream"]


def explore(
    call: Call,
    start: Annotated[
        list[str],
        Field(
            max_length=20, description="Symbols, paths (`./`: all)", help="Symbols, files, folders", unset="overview"
        ),
    ] = [],  # noqa: B006
    edges: Annotated[
        list[Edges],
        Field(
            description="Default: outline, else uses",
            help="Kinds of edges",
            unset="outline of files, else calls, imports, inherits, overrides",
            synonyms=("both",),
        ),
    ] = [],  # noqa: B006
    direction: Annotated[
        Direction,
        Field(
            help="Which way; with inherits, callers are subclasses",
            synonyms=("in", "out", "upstream", "downstream"),
        ),
    ] = "both",
    depth: Annotated[int, Field(ge=1, le=10, help="Hops, or levels of an outline")] = 2,
    kinds: Kinds = [],  # noqa: B006
    path: PathFilter = "",
    exclude_path: ExcludedPath = "",
    tests: TestsAgain = "fold",
    detail: DetailAgain = "sites",
    to: Annotated[str, Field(help="Shortest paths there", unset="none")] = "",
    query: Annotated[str, Field(help="Question that a map is for", unset="none")] = "",
    format: Format = "text",
    limit: Rows = 0,
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> Explored:
    """Outline of a folder, file, class or area; callers, callees, subclasses hop by hop; shortest paths `to`; map:
    what matters most, for a `query`. Better than grep. No start: overview."""
    edges = [view for each in edges for view in (BOTH if each == "both" else (each,))]
    asked = (start, edges, direction, depth, kinds, path, exclude_path, tests, detail, to, query)
    with call.view(graph) as view:
        is_map = "map" in edges or bool(query)
        if is_map and format != "text":
            raise BadRequest("a map is text: draw folders, areas, calls or classes, or leave `format` out")
        if not start and not is_map and format == "text":
            return Explored(start=[], overview=overview(view.index, view.header), state=view.state)
        named = [symbols(view.index, each, view.folder) for each in start]
        nodes = list({node.row: node for each in named for node in each.nodes}.values())
        note = "; ".join(filter(None, (each.note for each in named)))
        way = DIRECTIONS[direction]
        first = budget.offset(cursor, *asked)
        admitted = Filter(plain_path(path, view.folder), plain_path(exclude_path, view.folder), tests)
        if is_map:
            page = Page(first, limit, max_tokens, asked)
            return mapped(call, view, MapQuery(nodes, query, kinds, admitted, tests), note, detail != "names", page)
        is_outline = "structure" in edges or (not edges and all(node.is_file or node.holds_files for node in nodes))
        if to:
            kinds_of_edges = edge_kinds([edge for edge in edges if edge != "structure"])
            paths = found_paths(view, nodes, to, kinds_of_edges, way, note, limit, max_tokens)
            return paths if format == "text" else drawn_paths(paths, format, max_tokens)
        if format != "text" and (is_outline or "functional" in edges or any(node.is_functional for node in nodes)):
            wanted_edges = edge_kinds([edge for edge in edges if edge not in ("structure", "functional")])
            return drawn_outline(view, nodes, "functional" in edges, wanted_edges, depth, admitted, format, max_tokens)
        if "functional" in edges or (not edges and nodes and all(node.is_functional for node in nodes)):
            shown = in_functional_view(view, nodes, depth, with_dependencies="dependency" in edges)
            return replace(shown, note="; ".join(filter(None, (note, shown.note))), state=view.state)
        if is_outline:
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

            return fitted(rows(sum(lengths) - first, limit), head_of_outlines, text, max_tokens)
        wanted = edge_kinds(edges)
        inner = starts(view.index, nodes, wanted)
        walked = walk(view.index, inner, wanted, way, depth)
        sources = Sources(view.index.source) if detail == "code" else None
        walk_made = arranged(sources, view.index, view.header, walked, inner, kinds, admitted)
        if format != "text":
            from rpg.queries.pictures import walked as drawing_of_walk

            drawing = drawing_of_walk(walk_made, wanted, tests == "fold")
            return drawn(view.state, nodes, lambda _: drawing, format, note, max_tokens)
        complete = False
        unresolved: dict[str, int] = {}
        if not view.graph_only:
            if wanted == ("inherits",) and way == "callers":
                complete = has_all_subclasses(walk_made, view.index)
            elif wanted == ("calls",) and way == "callees":
                unresolved = unresolved_calls(walk_made, view.index, depth)
                complete = walk_made.is_certain and not unresolved and not walked.stopped
        named_unresolved = dict(list(unresolved.items())[:NAMED])

        def head(parts: int) -> Explored:
            last = first + parts
            shown = walk_made.cut_out(first, last)
            return Explored(
                start=[node.id for node in nodes],
                nodes=shown.nodes,
                edges=shown.edges,
                depth_reached=shown.depth_reached,
                beyond=walked.beyond,
                complete=complete,
                unresolved=named_unresolved,
                more_unresolved=sum(unresolved.values()) - sum(named_unresolved.values()),
                detail=detail,
                tests=walk_made.tests,
                folds_tests=tests == "fold",
                hidden=shown.hidden,
                note=note or ("" if walk_made.across else f"no edge of the kinds {', '.join(wanted)} leads there"),
                next=budget.cursor(last, *asked) if last < walk_made.parts else "",
                state=view.state,
            )

        if limit and not first:
            limit += walk_made.at_start  # whose lines are those of the symbol that leads there
        return fitted(rows(walk_made.parts - first, limit), head, text, max_tokens)


def in_functional_view(view: View, nodes: list[Node], depth: int, *, with_dependencies: bool) -> Explored:
    """Areas and what they consist of; for other symbols, their place in the functional view and what else is there."""
    index = view.index
    functional = functional_view(index)
    ways = dict.fromkeys(
        node.qualified_name if node.is_functional else functional.place_of(node.path) for node in nodes
    )
    chosen = [functional.by_name[way] for way in ways if way in functional.by_name]
    if any(node.path == "./" and node.holds_files for node in nodes):
        chosen = [functional.by_name[way] for way in functional.below("")]
    said = ""
    if with_dependencies:
        links = links_between_areas(index)
        areas = dict.fromkeys(area_of(node.qualified_name) for node in chosen)
        said = "; ".join(sentence for area in areas if (sentence := dependencies_of(area, links)))
    return Explored(
        start=[node.id for node in nodes],
        outlines=[functional_outline(index, node, depth) for node in chosen],
        note=said if chosen else "this graph has no areas: it has too few files of code for them",
    )


def dependencies_of(area: str, links: Mapping[tuple[str, str], int]) -> str:
    uses = sorted(((number, to) for (of, to), number in links.items() if of == area), reverse=True)
    used = sorted(((number, of) for (of, to), number in links.items() if to == area), reverse=True)
    parts = [
        f"{what} {', '.join(f'{name} ({number})' for number, name in most[:LINKS_NAMED])}"
        for what, most in (("uses", uses), ("is used by", used))
        if most
    ]
    return f"{area} {' and '.join(parts)}" if parts else ""


LINKS_NAMED = 4
"""How many areas are named that an area uses, or that use it."""


def found_paths(
    view: View, nodes: list[Node], to: str, kinds: tuple[str, ...], way: str, aside: str, limit: int, max_tokens: int
) -> Explored:
    """Paths along the edges, then against them; through shared neighbours only if neither direction has a path."""
    meant = symbols(view.index, to, view.folder)
    first, last = distinct_ends(starts(view.index, nodes, kinds), starts(view.index, meant.nodes, kinds))
    tried = ("callees", "callers", "both") if way == "both" else (way,)
    chains = Chains([], 0)
    missing: list[Gap] = []
    note = ""
    for each in tried:
        chains = shortest_chains(view.index, first, last, kinds, each)
        if chains.shown:
            note = NOTES[each]
            break
    else:
        note = f"no path of up to {LONGEST_PATH} edges to {quoted(to)} along {', '.join(kinds)} ({way})"
        if not first or not last:
            note = f"{quoted(to)} is where it starts"
    if not chains.shown or note:
        missing = gaps(view.index, first, last, kinds)
    ends = {end for path in chains.shown for link in path for end in (link.source, link.target)}
    found = nodes_by_row(view.index, ends)
    names = {row: node.id for row, node in found.items()}
    paths = [[explored_edge(link, names, view.header, found) for link in path] for path in chains.shown]

    def head(parts: int) -> Explored:
        return Explored(
            start=[node.id for node in nodes],
            paths=paths[:parts],
            more_paths=chains.number - parts,
            gaps=missing,
            depth_reached=len(paths[0]) if paths else 0,
            note="; ".join(filter(None, (aside, meant.note, note))),
            state=view.state,
        )

    return fitted(rows(len(paths), limit), head, text, max_tokens)


def distinct_ends(first: Collection[int], last: Collection[int]) -> tuple[list[int], list[int]]:
    """If one end contains the other, it stands for the rest of its contents: a class leads to what else is in its
    file."""
    shared = set(first) & set(last)
    if len(first) < len(last):
        return list(first), [row for row in last if row not in shared]
    return [row for row in first if row not in shared], list(last)


NOTES = {
    "callees": "",
    "callers": "against the edges: the start is used by what it leads to",
    "both": "no path goes one way along the edges; these meet at symbols that both ends use or are used by",
}


def found(result: Explored) -> bool:
    is_drawn = result.picture is not None and bool(result.picture.nodes)
    return bool(result.overview or result.outlines or result.edges or result.paths or is_drawn)


def hits(result: Explored) -> int:
    return bool(result.overview) + len(result.outlines) + len(result.nodes) + len(result.paths)


def text(result: Explored) -> str:
    return explored.text(result)
