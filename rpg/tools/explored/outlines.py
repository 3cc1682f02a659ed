"""Answers of `explore` that are outlines: of folders, files and classes, or of areas.

In: a view, nodes, a depth. Out: trees, as many of their parts as fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rpg.queries.graph import budget
from rpg.queries.graph.budget import fit_answer, rows, within
from rpg.queries.graph.functional_view import area_of, functional_outline, functional_view, links_between_areas
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.outline import outline
from rpg.tools.calling.call import View
from rpg.tools.explored.answer import Explored, Page, text

LINKS_NAMED = 4
"""How many areas are named that an area uses, or that use it."""


def build_outline(view: View, nodes: list[Node], depth: int, kinds: Sequence[str], note: str, page: Page) -> Explored:
    """What files, folders or classes contain."""
    trees = [outline(view.index, node, depth, kinds) for node in nodes]
    lengths = [tree.parts for tree in trees]

    def head(parts: int) -> Explored:
        last = page.first + parts
        return Explored(
            start=[node.id for node in nodes],
            outlines=[trees[number].cut_out(begin, end) for number, begin, end in within(lengths, page.first, last)],
            note=note,
            next=budget.cursor(last, *page.request) if last < sum(lengths) else "",
            state=view.state,
        )

    return fit_answer(rows(sum(lengths) - page.first, page.limit), head, text, page.max_tokens)


def build_functional_outline(view: View, nodes: list[Node], depth: int, *, with_dependencies: bool) -> Explored:
    """Areas and what they consist of; for other symbols, their place in the functional view and what else is there."""
    index = view.index
    functional = functional_view(index)
    names = dict.fromkeys(
        node.qualified_name if node.is_functional else functional.place_of(node.path) for node in nodes
    )
    chosen = [functional.by_name[name] for name in names if name in functional.by_name]
    if any(node.path == "./" and node.holds_files for node in nodes):
        chosen = [functional.by_name[name] for name in functional.below("")]
    note = ""
    if with_dependencies:
        links = links_between_areas(index)
        areas = dict.fromkeys(area_of(node.qualified_name) for node in chosen)
        note = "; ".join(sentence for area in areas if (sentence := dependencies_of(area, links)))
    return Explored(
        start=[node.id for node in nodes],
        outlines=[functional_outline(index, node, depth) for node in chosen],
        note=note if chosen else "this graph has no areas: it has too few files of code for them",
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
