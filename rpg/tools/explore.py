"""The tool that walks the graph: outlines, hops around a symbol, shortest paths, maps of what matters most.

In: start symbols, edges, direction, for a map a question. Out: trees, nodes by hop, or paths.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, NamedTuple

from rpg.errors import BadRequest
from rpg.printable import quoted
from rpg.queries.entry_points import EntryPoint
from rpg.queries.explore import (
    DIRECTIONS,
    ExploredEdge,
    ExploredNode,
    Hidden,
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
from rpg.queries.graph.filters import Filter, counted, folded_line
from rpg.queries.graph.functional_view import area_of, functional_outline, functional_view, links_between_areas
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.notations import plain_path
from rpg.queries.graph.outline import Outline, outline
from rpg.queries.graph.picture import MOST_NODES, Drawing, Picture, picture
from rpg.queries.graph.scope import scope_of
from rpg.queries.graph.sources import Sources
from rpg.queries.graph.symbols import symbols
from rpg.queries.overview import Overview, overview
from rpg.queries.paths import LONGEST_PATH, Chains, Gap, gaps, shortest_chains
from rpg.titles import after
from rpg.tools.arguments import (
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
from rpg.tools.call import Call, State, View
from rpg.tools.field import Field
from rpg.tools.notations_of_pictures import written

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
]
Direction = Literal["both", "callers", "callees", "in", "out", "upstream", "downstream"]


@dataclass(frozen=True, kw_only=True)
class Explored:
    start: list[str]
    overview: Overview | None = None
    """If nothing in particular is asked about."""
    outlines: list[Outline] = field(default_factory=list)
    nodes: list[ExploredNode] = field(default_factory=list)
    edges: list[ExploredEdge] = field(default_factory=list)
    paths: list[list[ExploredEdge]] = field(default_factory=list)
    """With `to`: the shortest ones, edge by edge."""
    more_paths: int = 0
    """How many more are as short."""
    gaps: list[Gap] = field(default_factory=list)
    """Where no path was found: unresolved calls that may be what is missing."""
    depth_reached: int = 0
    beyond: int = 0
    """How many nodes one more hop would add."""
    complete: bool = False
    """Of subclasses, and of what is called: whether these are certainly all, up to the last hop."""
    unresolved: dict[str, int] = field(default_factory=dict)
    """Of what is called: the names of calls that could not be followed, most frequent first."""
    more_unresolved: int = 0
    detail: str = "sites"
    tests: dict[str, int] = field(default_factory=dict)
    """How many nodes are tests, by file; with `fold` the text has one line for them."""
    folds_tests: bool = False
    hidden: Hidden = field(default_factory=Hidden)
    picture: Picture | None = None
    """With `format` mermaid or dot, in place of outlines, nodes and edges."""
    notation: str = ""
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


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
    """Outline of a folder, file, class or area; callers (of inherits: subclasses) and callees hop by hop; shortest
    paths `to`; map: what matters most, for a `query`. Better than grep for many hops; for direct uses find_usages. No
    start: overview."""
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

        return fitted(rows(walk_made.parts - first, limit), head, text, max_tokens)


def drawn(
    state: State, nodes: list[Node], draw: Callable[[int], Drawing], notation: str, note: str, max_tokens: int
) -> Explored:
    """A picture with as many nodes as fit. `draw`: makes the drawing for a number of nodes."""

    def head(parts: int) -> Explored:
        return Explored(
            start=[node.id for node in nodes],
            picture=picture(draw(parts), parts),
            notation=notation,
            note=note,
            state=state,
        )

    return fitted(MOST_NODES, head, text, max_tokens)


def drawn_outline(
    view: View,
    nodes: list[Node],
    is_functional: bool,
    kinds: tuple[str, ...],
    depth: int,
    admitted: Filter,
    notation: str,
    max_tokens: int,
) -> Explored:
    """Areas, folders, or what files and classes define, and what depends on what there."""
    from rpg.queries.pictures import areas, folders, inside

    index = view.index
    functional = functional_view(index)
    roots = [node.path for node in nodes if node.holds_files]
    named = [node.qualified_name for node in nodes if node.is_functional]
    if functional.by_name and (named or is_functional or not nodes):
        places = named or [functional.place_of(path) for path in roots if path != "./"]
        drawing = areas(index, places[0] if places else "", admitted.takes_tests)
        return drawn(view.state, nodes, lambda _: drawing, notation, "", max_tokens)
    if roots or not nodes:
        return drawn(view.state, nodes, folders(index, roots or ["./"], depth, admitted), notation, "", max_tokens)
    drawing = inside(index, view.header, nodes, kinds)
    return drawn(view.state, nodes, lambda _: drawing, notation, "", max_tokens)


def drawn_paths(found: Explored, notation: str, max_tokens: int) -> Explored:
    from rpg.queries.pictures import paths

    drawing = paths(found.paths)

    def head(parts: int) -> Explored:
        return replace(found, picture=picture(drawing, parts), notation=notation)

    return fitted(MOST_NODES, head, text, max_tokens)


class Page(NamedTuple):
    """Which part of an answer is wanted."""

    first: int
    limit: int
    max_tokens: int
    asked: tuple[object, ...]


class MapQuery(NamedTuple):
    nodes: list[Node]
    """Where to begin; none, or the root: everywhere."""
    query: str
    kinds: Sequence[str]
    filter: Filter
    tests: str


def mapped(call: Call, view: View, wanted: MapQuery, aside: str, with_lines: bool, page: Page) -> Explored:
    """The symbols that matter most, as many as fit."""
    from rpg.queries.ranked_map import hits_for, ranked_map

    index, (nodes, query, kinds, admitted, tests) = view.index, wanted
    if tests == "fold" and nodes and all(node.test for node in nodes):
        tests = "all"
    is_all = any(node.holds_files and node.path == "./" for node in nodes)
    start = [] if is_all or not nodes else scope_of(index, *nodes).rows(index)
    hits = hits_for(index, query, admitted, tests, call.graphs.embedder(view.embedder)) if query else {}
    most = page.first + rows(page.max_tokens * budget.BYTES_PER_TOKEN // SHORTEST_LINE, page.limit)
    found = ranked_map(index, start, hits, kinds, admitted, tests, most)
    others = "tests=only maps tests" if found.leaves_tests_out else ""

    def head(parts: int) -> Explored:
        last = page.first + parts
        extent = f"{counted(parts, 'symbol')} of the highest rank, of {found.number}"
        return Explored(
            start=[node.id for node in nodes],
            outlines=found.cut_out(page.first, last, with_lines),
            note="; ".join(filter(None, (aside, extent, others))),
            next=budget.cursor(last, *page.asked) if last < found.number else "",
            state=view.state,
        )

    return fitted(rows(len(found.order) - page.first, page.limit), head, text, page.max_tokens)


SHORTEST_LINE = 16
"""Characters, about, of a line of a map."""


def in_functional_view(view: View, nodes: list[Node], depth: int, *, with_dependencies: bool) -> Explored:
    """Areas and what they consist of; for other symbols the place that they have, and what else is there."""
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
"""How many areas are named that one uses, or that use it."""


def found_paths(
    view: View, nodes: list[Node], to: str, kinds: tuple[str, ...], way: str, aside: str, limit: int, max_tokens: int
) -> Explored:
    """Along the edges, then against them; through neighbours that two symbols share only where neither leads there."""
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
    """Where one end contains the other, the rest of it is that end: a class leads to what else is in its file."""
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
    if result.picture is not None:
        return written(result.picture, result.notation, filter(None, (result.note, *result.state.lines(""))))
    if result.overview is not None:
        return "\n".join([*overview_lines(result.overview), *result.state.lines("")])
    lines = [result.note] if result.note else []
    for tree in result.outlines:
        lines += tree_lines(tree, 0)
    for path in result.paths[:1]:
        lines += path_lines(path)
    for path in result.paths[1:]:
        lines.append(f"or by {' > '.join(passed(path))}")
    if result.paths and result.more_paths:
        lines.append(f"{counted(result.more_paths, 'other chain')} of {counted(len(result.paths[0]), 'edge')}")
    for gap in result.gaps:
        lines.append(
            f"may be missing: {gap.source} calls {gap.name} at {gap.site}, unresolved; {gap.may_be} leads there"
        )
    if not result.outlines and not result.paths and not result.gaps:
        lines += [f"{', '.join(result.start)}{extent(result)}", *walk_lines(result)]
    hidden = result.hidden
    if result.folds_tests and result.tests:
        lines.append(folded_line(result.tests, "symbol"))
    if result.unresolved:
        names = ", ".join(f"{name} {number}" for name, number in result.unresolved.items())
        more = f", {result.more_unresolved} more" if result.more_unresolved else ""
        lines.append(f"calls that are unresolved: {names}{more}")
    if result.beyond:
        hop = result.depth_reached + 1
        lines.append(f"{counted(result.beyond, 'more symbol')} at hop {hop}: depth={hop} lists them")
    if hidden.nodes or hidden.edges:
        kinds = ", ".join(f"{number} {kind}" for kind, number in hidden.kinds.items())
        lines.append(f"not shown: {hidden.nodes} nodes ({kinds}), {hidden.edges} edges {hidden.reason}".rstrip())
    return "\n".join([*lines, *result.state.lines(result.next)])


def overview_lines(page: Overview) -> Iterator[str]:
    yield f"{page.name}: {page.introduction}" if page.introduction else page.name
    yield f"read as: {page.read_as}"
    if page.areas:
        yield "areas (explore takes `::NAME`, search --within NAME):"
    for area in page.areas:
        central = f": {', '.join(area.central)}" if area.central else ""
        uses = f"; uses {' + '.join(area.built_on)}" if area.built_on else ""
        yield f"  {area.name} ({area.symbols}; {' '.join(area.covers)}){central}{uses}"
    by_kind: dict[str, list[EntryPoint]] = {}
    for point in page.entry_points:
        by_kind.setdefault(point.kind, []).append(point)
    for kind, points in by_kind.items():
        more = sum(point.more for point in points)
        named = ", ".join(f"{point.name} -> {point.target}" for point in points)
        yield f"entry points, {kind}: {named}{f' and {more} more' if more else ''}"
    if not by_kind:
        yield "entry points: none found; it is used as a library"
    if page.tests:
        folders = [f"{folder} ({counted(number, 'file')})" for folder, number in page.tests.items()]
        yield f"tests: {', '.join(folders)}"
    for what in ("build", "test", "run"):
        said = [f"{each.command} ({each.said_in})" for each in page.recipes if each.what == what]
        if said:
            yield f"{what}: {', '.join(said)}"
    if page.not_understood:
        yield f"not understood: {'; '.join(page.not_understood)}"


def extent(result: Explored) -> str:
    """Whether these are all subclasses or all that is called, and why one may rely on it."""
    if not result.complete:
        return ""
    how_far = f"complete to hop {result.depth_reached}" if result.beyond else "complete"
    proof = "every call is resolved" if result.edges and result.edges[0].kind == "calls" else NO_OTHER_BASE
    return f": {how_far}, {proof}"


def passed(path: list[ExploredEdge]) -> Iterator[str]:
    """The symbols between the ends of a path, by their names in their files."""
    at = path[0].source
    for edge in path[:-1]:
        at = edge.target if edge.source == at else edge.source
        yield at.rpartition("::")[2]


def path_lines(path: list[ExploredEdge]) -> Iterator[str]:
    """One symbol a line, each with the edge that leads to it and its line in the source's file."""
    at = path[0].source if path else ""
    yield at
    for edge in path:
        forwards = edge.source == at
        at = edge.target if forwards else edge.source
        line = edge.site.partition(":")[0]
        sure = ", possibly" if edge.possible else ""
        how = edge.kind if forwards else f"which {edge.kind} it"
        yield f"  {line} {how}{sure} {at}".replace("  0 ", "  ") if line else f"  {how}{sure} {at}"


VERBS = {
    "calls": "call", "references": "reference", "inherits": "inherit from", "imports": "import",
    "overrides": "override", "documents": "document", "tests": "test", "contains": "contain",
}  # fmt: skip
NO_OTHER_BASE = "no base of these names is unresolved"
NAMED = 6
"""How many names of unresolved calls are listed."""
LONG = 3
"""Files after which a list has a line for each."""


def walk_lines(result: Explored) -> Iterator[str]:
    """By hop, then by the symbol that is used or uses, and the kind of edge: the symbols at the far end by file, with
    the line of the edge."""
    placed = {node.name: node for node in result.nodes}
    hop = 0
    by_end: dict[tuple[int, str, str, bool], list[tuple[ExploredNode, ExploredEdge]]] = {}
    for edge in result.edges:
        far, near = (edge.source, edge.target) if edge.backwards else (edge.target, edge.source)
        node = placed.get(far)
        if node is not None and not (node.test and result.folds_tests):
            by_end.setdefault((node.hop, near, edge.kind, edge.backwards), []).append((node, edge))
    for (number, near, kind, backwards), members in sorted(by_end.items(), key=lambda item: item[0][0]):
        if number != hop:
            hop = number
            yield f"-- hop {hop}"
        head = f"{VERBS[kind]} {near}" if backwards else f"{near} {kind}"
        files = far_ends(members, result.detail)
        if len(files) <= LONG:
            yield f"{head}: {'; '.join(files)}"
        else:
            yield f"{head}:"
            yield from files


def far_ends(members: Iterable[tuple[ExploredNode, ExploredEdge]], detail: str) -> list[str]:
    by_path: dict[str, dict[str, None]] = {}
    before: dict[str, str] = {}
    for node, edge in members:
        line = "" if detail == "names" else edge.site.partition(":")[0]
        more = f"+{edge.sites - 1}" if line and edge.sites > 1 else ""
        possible = "?" if edge.possible else ""
        name = node.name.rpartition("::")[2] if node.path else ""
        where = f"{node.path or node.name}{'  (test)' if node.test else ''}"
        shown, before[where] = after(before.get(where, ""), name), name
        said = " ".join(filter(None, (f"{shown}{possible}", f"{line}{more}", edge.text and f"`{edge.text}`")))
        by_path.setdefault(where, {})[said] = None
    return [f"{path}: {', '.join(said)}" if any(said) else path for path, said in by_path.items()]


def tree_lines(tree: Outline, indent: int) -> Iterator[str]:
    pad = "  " * indent
    contains = ", ".join(f"{number} {kind}" for kind, number in tree.contains.items())
    said = tree.signature if tree.signature and tree.name in tree.signature else f"{tree.kind} {tree.name}"
    yield f"{pad}{said}  {tree.lines}{f'  ({contains})' if contains else ''}".rstrip()
    for child in tree.children:
        yield from tree_lines(child, indent + 1)
    for base, names in tree.inherited.items():
        yield f"{pad}  inherited from {base}: {', '.join(names)}"
