"""Answers of `explore` that are shortest paths.

In: a view, the ends, kinds of edges, a direction. Out: paths, as many as fit; if there is none, the unresolved calls
that may be missing edges.
"""

from __future__ import annotations

from collections.abc import Collection

from rpg.queries.graph.budget import fit_answer, rows
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.unread import find_unread_languages, format_unread
from rpg.queries.names.symbols import symbols
from rpg.queries.places.explore import build_explored_edge, starts
from rpg.queries.places.paths import LONGEST_PATH, Chains, Gap, gaps, shortest_chains
from rpg.text.printable import quote_text
from rpg.tools.calling.call import View
from rpg.tools.explored.answer import Explored, Page, text

NOTES = {
    "callees": "",
    "callers": "against the edges: the start is used by what it leads to",
    "both": "no path goes one way along the edges; these meet at symbols that both ends use or are used by",
}


def find_paths(
    view: View, nodes: list[Node], to: str, kinds: tuple[str, ...], direction: str, lookup_note: str, page: Page
) -> Explored:
    """Paths along the edges, then against them; through shared neighbours only if neither direction has a path."""
    destination = symbols(view.index, to, view.folder)
    first, last = distinct_ends(starts(view.index, nodes, kinds), starts(view.index, destination.nodes, kinds))
    tried = ("callees", "callers", "both") if direction == "both" else (direction,)
    chains = Chains([], 0)
    missing: list[Gap] = []
    note = ""
    for each in tried:
        chains = shortest_chains(view.index, first, last, kinds, each)
        if chains.shown:
            note = NOTES[each]
            break
    else:
        note = f"no path of up to {LONGEST_PATH} edges to {quote_text(to)} along {', '.join(kinds)} ({direction})"
        if not first or not last:
            note = f"{quote_text(to)} is where it starts"
        elif unread := find_unread_languages(view.index, {each.language for each in (*nodes, *destination.nodes)}):
            note += f"; there may be one: {format_unread(unread)}"
    if not chains.shown or note:
        missing = gaps(view.index, first, last, kinds)
    ends = {end for path in chains.shown for link in path for end in (link.source, link.target)}
    found = nodes_by_row(view.index, ends)
    names = {row: node.id for row, node in found.items()}
    paths = [[build_explored_edge(link, names, view.header, found) for link in path] for path in chains.shown]

    def head(parts: int) -> Explored:
        return Explored(
            start=[node.id for node in nodes],
            paths=paths[:parts],
            more_paths=chains.number - parts,
            gaps=missing,
            depth_reached=len(paths[0]) if paths else 0,
            note="; ".join(filter(None, (lookup_note, destination.note, note))),
            state=view.state,
        )

    return fit_answer(rows(len(paths), page.limit), head, text, page.max_tokens)


def distinct_ends(first: Collection[int], last: Collection[int]) -> tuple[list[int], list[int]]:
    """If one end contains the other, it stands for the rest of its contents: a class leads to what else is in its
    file."""
    shared = set(first) & set(last)
    if len(first) < len(last):
        return list(first), [row for row in last if row not in shared]
    return [row for row in first if row not in shared], list(last)
