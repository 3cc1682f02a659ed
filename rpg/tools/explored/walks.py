"""Answers of `explore` that are walks: hops around symbols.

In: a view and what to walk. Out: nodes by hop with their edges, as many as fit, and whether that is all; or a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rpg.queries.graph import budget
from rpg.queries.graph.budget import fit_answer, rows
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.sources import Sources
from rpg.queries.graph.unread import find_unread_languages, format_unread
from rpg.queries.places.explore import Arranged, arrange_walk, count_unresolved_calls, has_all_subclasses, starts, walk
from rpg.tools.calling.call import View
from rpg.tools.explored.answer import NAMED, Explored, Page, text
from rpg.tools.explored.pictures import draw_picture


class WalkQuery(NamedTuple):
    nodes: list[Node]
    edges: tuple[str, ...]
    direction: str
    depth: int
    kinds: Sequence[str]
    filter: Filter
    tests: str
    detail: str


def build_walk(view: View, query: WalkQuery, note: str, page: Page) -> Explored:
    arrangement = _arrangement(view, query)
    complete, unresolved = _completeness(view, query, arrangement)
    named = dict(list(unresolved.items())[:NAMED])

    def head(parts: int) -> Explored:
        last = page.first + parts
        shown = arrangement.cut_out(page.first, last)
        return Explored(
            start=[node.id for node in query.nodes],
            nodes=shown.nodes,
            edges=shown.edges,
            depth_reached=shown.depth_reached,
            beyond=arrangement.walked.beyond,
            complete=complete,
            unresolved=named,
            more_unresolved=sum(unresolved.values()) - sum(named.values()),
            detail=query.detail,
            tests=arrangement.tests,
            folds_tests=query.tests == "fold",
            hidden=shown.hidden,
            note=note or ("" if arrangement.across else explain_nothing(view, query)),
            next=budget.cursor(last, *page.request) if last < arrangement.parts else "",
            state=view.state,
        )

    # Nodes of the start have no line in the text: they do not count.
    limit = page.limit + arrangement.at_start if page.limit and not page.first else page.limit
    return fit_answer(rows(arrangement.parts - page.first, limit), head, text, page.max_tokens)


def explain_nothing(view: View, query: WalkQuery) -> str:
    note = f"no edge of the kinds {', '.join(query.edges)} leads there"
    unread = find_unread_languages(view.index, {each.language for each in query.nodes})
    return f"{note}; {format_unread(unread)}" if unread else note


def draw_walk(view: View, query: WalkQuery, notation: str, note: str, max_tokens: int) -> Explored:
    from rpg.queries.overview.pictures import draw_walk as drawing_of_walk

    drawing = drawing_of_walk(_arrangement(view, query), query.edges, query.tests == "fold")
    return draw_picture(view.state, query.nodes, lambda _: drawing, notation, note, max_tokens)


def _arrangement(view: View, query: WalkQuery) -> Arranged:
    inner = starts(view.index, query.nodes, query.edges)
    found = walk(view.index, inner, query.edges, query.direction, query.depth)
    sources = Sources(view.index.source) if query.detail == "code" else None
    return arrange_walk(sources, view.index, view.header, found, inner, query.kinds, query.filter)


def _completeness(view: View, query: WalkQuery, arrangement: Arranged) -> tuple[bool, dict[str, int]]:
    """Whether these are certainly all subclasses or callees, and the names of calls that could not be followed."""
    if view.graph_only:
        return False, {}
    if query.edges == ("inherits",) and query.direction == "callers":
        return has_all_subclasses(arrangement, view.index), {}
    if query.edges == ("calls",) and query.direction == "callees":
        unresolved = count_unresolved_calls(arrangement, view.index, query.depth)
        return arrangement.is_certain and not unresolved and not arrangement.walked.stopped, unresolved
    return False, {}
