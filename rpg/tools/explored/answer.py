"""What `explore` answers, and its text.

In: an answer. Out: lines for a model. Absent: queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rpg.queries.graph.filters import format_count, format_folded_tests
from rpg.queries.graph.outline import Outline
from rpg.queries.overview.entry_points import EntryPoint
from rpg.queries.overview.folding import Picture
from rpg.queries.overview.listed_entry_points import INVENTORIES
from rpg.queries.overview.one_page import Overview
from rpg.queries.places.explore import (
    ExploredEdge,
    ExploredNode,
    Hidden,
)
from rpg.queries.places.paths import Gap
from rpg.text.titles import format_after
from rpg.tools.calling.call import State
from rpg.tools.notations_of_pictures import format_picture


class Page(NamedTuple):
    """Which part of an answer is wanted."""

    first: int
    limit: int
    max_tokens: int
    request: tuple[object, ...]
    """The arguments that a cursor belongs to."""


@dataclass(frozen=True, kw_only=True)
class Explored:
    start: list[str]
    overview: Overview | None = None
    """The answer without a start."""
    outlines: list[Outline] = field(default_factory=list)
    nodes: list[ExploredNode] = field(default_factory=list)
    edges: list[ExploredEdge] = field(default_factory=list)
    paths: list[list[ExploredEdge]] = field(default_factory=list)
    """With `to`: the shortest paths, edge by edge."""
    more_paths: int = 0
    """How many more paths are as short."""
    gaps: list[Gap] = field(default_factory=list)
    """If no path was found: unresolved calls that may be the missing edges."""
    depth_reached: int = 0
    beyond: int = 0
    """How many nodes one more hop would add."""
    complete: bool = False
    """For subclasses and callees: whether these are certainly all, up to the last hop."""
    unresolved: dict[str, int] = field(default_factory=dict)
    """For callees: the names of calls that could not be followed, most frequent first."""
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


def text(result: Explored) -> str:
    if result.picture is not None:
        return format_picture(result.picture, result.notation, filter(None, (result.note, *result.state.lines(""))))
    if result.overview is not None:
        return "\n".join([*overview_lines(result.overview), *result.state.lines("")])
    lines = [result.note] if result.note else []
    for tree in result.outlines:
        lines += tree_lines(tree, 0)
    for path in result.paths[:1]:
        lines += path_lines(path)
    for path in result.paths[1:]:
        lines.append(f"or by {' > '.join(list_passed_symbols(path))}")
    if result.paths and result.more_paths:
        lines.append(
            f"{format_count(result.more_paths, 'other chain')} of {format_count(len(result.paths[0]), 'edge')}"
        )
    for gap in result.gaps:
        lines.append(
            f"may be missing: {gap.source} calls {gap.name} at {gap.site}, unresolved; {gap.may_be} leads there"
        )
    if not result.outlines and not result.paths and not result.gaps:
        lines += [f"{', '.join(result.start)}{extent(result)}", *walk_lines(result)]
    hidden = result.hidden
    if result.folds_tests and result.tests:
        lines.append(format_folded_tests(result.tests, "symbol"))
    if result.unresolved:
        names = ", ".join(f"{name} {number}" for name, number in result.unresolved.items())
        more = f", {result.more_unresolved} more" if result.more_unresolved else ""
        lines.append(f"calls that are unresolved: {names}{more}")
    if result.beyond:
        hop = result.depth_reached + 1
        lines.append(f"{format_count(result.beyond, 'more symbol')} at hop {hop}: depth={hop} lists them")
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
        titled = f" [titled by {area.titled_by}]" if area.titled_by else ""
        yield f"  {area.name}{titled} ({area.symbols}; {' '.join(area.covers)}){central}{uses}"
    by_kind: dict[str, list[EntryPoint]] = {}
    for point in page.entry_points:
        by_kind.setdefault(point.kind, []).append(point)
    for kind, points in by_kind.items():
        more = sum(point.more for point in points)
        named = ", ".join(point.name if kind in INVENTORIES else f"{point.name} -> {point.target}" for point in points)
        where = f" (stats of={INVENTORIES[kind]} says where)" if kind in INVENTORIES else ""
        yield f"entry points, {kind}: {named}{f' and {more} more' if more else ''}{where}"
    if not by_kind:
        yield "entry points: none found; it is used as a library"
    if page.tests:
        folders = [f"{folder} ({format_count(number, 'file')})" for folder, number in page.tests.items()]
        yield f"tests: {', '.join(folders)}"
    for what in ("build", "test", "run"):
        commands = [f"{each.command} ({each.said_in})" for each in page.recipes if each.what == what]
        if commands:
            yield f"{what}: {', '.join(commands)}"
    if page.not_understood:
        yield f"not understood: {'; '.join(page.not_understood)}"


def extent(result: Explored) -> str:
    """Whether these are all subclasses or all callees, and why one may rely on it."""
    if not result.complete:
        return ""
    how_far = f"complete to hop {result.depth_reached}" if result.beyond else "complete"
    proof = "every call is resolved" if result.edges and result.edges[0].kind == "calls" else NO_OTHER_BASE
    return f": {how_far}, {proof}"


def list_passed_symbols(path: list[ExploredEdge]) -> Iterator[str]:
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
"""Number of files from which on a list has a line for each."""


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
        shown, before[where] = format_after(before.get(where, ""), name), name
        entry = " ".join(filter(None, (f"{shown}{possible}", f"{line}{more}", edge.text and f"`{edge.text}`")))
        by_path.setdefault(where, {})[entry] = None
    return [f"{path}: {', '.join(entry)}" if any(entry) else path for path, entry in by_path.items()]


def tree_lines(tree: Outline, indent: int) -> Iterator[str]:
    pad = "  " * indent
    contains = ", ".join(f"{number} {kind}" for kind, number in tree.contains.items())
    signature = tree.signature if tree.signature and tree.name in tree.signature else f"{tree.kind} {tree.name}"
    titled = f"  [titled by {tree.titled_by}]" if tree.titled_by else ""
    yield f"{pad}{signature}  {tree.lines}{f'  ({contains})' if contains else ''}{titled}".rstrip()
    for child in tree.children:
        yield from tree_lines(child, indent + 1)
    for base, names in tree.inherited.items():
        yield f"{pad}  inherited from {base}: {', '.join(names)}"
