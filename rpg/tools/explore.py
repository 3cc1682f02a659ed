"""The tool that walks the graph: outlines, hops around a symbol, shortest paths, maps of what matters most.

In: start symbols, edges, direction, for a map a question. Out: trees, nodes by hop, or paths.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from rpg.errors import BadRequest
from rpg.queries.graph import budget
from rpg.queries.graph.filters import Filter
from rpg.queries.names.notations import plain_path
from rpg.queries.names.symbols import symbols
from rpg.queries.overview.one_page import overview
from rpg.queries.places.explore import (
    DIRECTIONS,
    edge_kinds,
)
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
from rpg.tools.calling.call import Call
from rpg.tools.calling.field import Field
from rpg.tools.explored import answer
from rpg.tools.explored.answer import Explored, Page
from rpg.tools.explored.maps import MapQuery, build_map
from rpg.tools.explored.outlines import build_functional_outline, build_outline
from rpg.tools.explored.paths import find_paths
from rpg.tools.explored.pictures import draw_outline, draw_paths, draw_service_map
from rpg.tools.explored.walks import WalkQuery, build_walk, draw_walk

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
    "contracts",
    "services",
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
    request = (start, edges, direction, depth, kinds, path, exclude_path, tests, detail, to, query)
    with call.view(graph) as view:
        is_map = "map" in edges or bool(query)
        if is_map and format != "text":
            raise BadRequest("a map is text: draw folders, areas, calls or classes, or leave `format` out")
        if "services" in edges:
            return draw_service_map(view, format, max_tokens)
        if not start and not is_map and format == "text":
            return Explored(start=[], overview=overview(view.index, view.header), state=view.state)
        named = [symbols(view.index, each, view.folder) for each in start]
        nodes = list({node.row: node for each in named for node in each.nodes}.values())
        note = "; ".join(filter(None, (each.note for each in named)))
        side = DIRECTIONS[direction]
        first = budget.offset(cursor, *request)
        admitted = Filter(plain_path(path, view.folder), plain_path(exclude_path, view.folder), tests)
        page = Page(first, limit, max_tokens, request)
        if is_map:
            return build_map(call, view, MapQuery(nodes, query, kinds, admitted, tests), note, detail != "names", page)
        is_outline = "structure" in edges or (not edges and all(node.is_file or node.holds_files for node in nodes))
        if to:
            kinds_of_edges = edge_kinds([edge for edge in edges if edge != "structure"])
            paths = find_paths(view, nodes, to, kinds_of_edges, side, note, page)
            return paths if format == "text" else draw_paths(paths, format, max_tokens)
        if format != "text" and (is_outline or "functional" in edges or any(node.is_functional for node in nodes)):
            wanted_edges = edge_kinds([edge for edge in edges if edge not in ("structure", "functional")])
            return draw_outline(view, nodes, "functional" in edges, wanted_edges, depth, admitted, format, max_tokens)
        if "functional" in edges or (not edges and nodes and all(node.is_functional for node in nodes)):
            shown = build_functional_outline(view, nodes, depth, with_dependencies="dependency" in edges)
            return replace(shown, note="; ".join(filter(None, (note, shown.note))), state=view.state)
        if is_outline:
            return build_outline(view, nodes, depth, kinds, note, page)
        query_of_walk = WalkQuery(nodes, edge_kinds(edges), side, depth, kinds, admitted, tests, detail)
        if format != "text":
            return draw_walk(view, query_of_walk, format, note, max_tokens)
        return build_walk(view, query_of_walk, note, page)


def found(result: Explored) -> bool:
    is_drawn = result.picture is not None and bool(result.picture.nodes)
    return bool(result.overview or result.outlines or result.edges or result.paths or is_drawn)


def hits(result: Explored) -> int:
    return bool(result.overview) + len(result.outlines) + len(result.nodes) + len(result.paths)


def text(result: Explored) -> str:
    return answer.text(result)
