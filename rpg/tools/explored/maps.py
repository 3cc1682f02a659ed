"""Answers of `explore` that are maps.

In: a view, a question or a start, and which part of the answer is wanted. Out: the most important symbols, as many as
fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rpg.queries.graph import budget
from rpg.queries.graph.budget import fit_answer, rows
from rpg.queries.graph.filters import Filter, format_count
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.scope import scope_of
from rpg.tools.calling.call import Call, View
from rpg.tools.explored.answer import Explored, Page, text


class MapQuery(NamedTuple):
    nodes: list[Node]
    """Where to start; none, or the root: everywhere."""
    query: str
    kinds: Sequence[str]
    filter: Filter
    tests: str


def build_map(call: Call, view: View, wanted: MapQuery, lookup_note: str, with_lines: bool, page: Page) -> Explored:
    """The most important symbols, as many as fit."""
    from rpg.queries.overview.ranked_map import build_ranked_map, hits_for

    index, (nodes, query, kinds, admitted, tests) = view.index, wanted
    if tests == "fold" and nodes and all(node.test for node in nodes):
        tests = "all"
    is_all = any(node.holds_files and node.path == "./" for node in nodes)
    start = [] if is_all or not nodes else scope_of(index, *nodes).rows(index)
    hits = hits_for(index, query, admitted, tests, call.graphs.embedder(view.embedder)) if query else {}
    most = page.first + rows(page.max_tokens * budget.BYTES_PER_TOKEN // SHORTEST_LINE, page.limit)
    found = build_ranked_map(index, start, hits, kinds, admitted, tests, most)
    others = "tests=only maps tests" if found.leaves_tests_out else ""
    if query and not hits:
        lookup_note = "; ".join(filter(None, (lookup_note, "nothing is found for the query: this is a map without it")))

    def head(parts: int) -> Explored:
        last = page.first + parts
        extent = f"{format_count(parts, 'symbol')} of the highest rank, of {found.number}"
        return Explored(
            start=[node.id for node in nodes],
            outlines=found.cut_out(page.first, last, with_lines),
            note="; ".join(filter(None, (lookup_note, extent, others))),
            next=budget.cursor(last, *page.request) if last < found.number else "",
            state=view.state,
        )

    return fit_answer(rows(len(found.order) - page.first, page.limit), head, text, page.max_tokens)


SHORTEST_LINE = 16
"""Approximate length of a line of a map, in characters."""
