"""Answers of `explore` that are pictures.

In: a view and what is drawn: areas, folders, files, classes, a walk, paths. Out: an answer with as many nodes as fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rpg.queries.graph.budget import fit_answer
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.functional_view import functional_view
from rpg.queries.graph.nodes import Node
from rpg.queries.overview.folding import MOST_NODES, Drawing, picture
from rpg.tools.calling.call import State, View
from rpg.tools.explored.answer import Explored, text


def draw_picture(
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

    return fit_answer(MOST_NODES, head, text, max_tokens)


def draw_service_map(view: View, notation: str, max_tokens: int) -> Explored:
    """The services of a repository, and what leads from one to another."""
    from rpg.queries.overview.service_map import draw_services

    if view.graph_only:
        return Explored(
            start=[], note="only the graph file is here: a map of services needs the index", state=view.state
        )
    drawing = draw_services(view.index)
    note = "" if drawing.nodes else "no program here serves, sends or is deployed, as far as its files say"
    return draw_picture(view.state, [], lambda _: drawing, notation, note, max_tokens)


def draw_outline(
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
    from rpg.queries.overview.pictures import areas, draw_contents, folders

    index = view.index
    functional = functional_view(index)
    roots = [node.path for node in nodes if node.holds_files]
    named = [node.qualified_name for node in nodes if node.is_functional]
    if functional.by_name and (named or is_functional or not nodes):
        places = named or [functional.place_of(path) for path in roots if path != "./"]
        drawing = areas(index, places[0] if places else "", admitted.takes_tests)
        return draw_picture(view.state, nodes, lambda _: drawing, notation, "", max_tokens)
    if roots or not nodes:
        return draw_picture(
            view.state, nodes, folders(index, roots or ["./"], depth, admitted), notation, "", max_tokens
        )
    drawing = draw_contents(index, view.header, nodes, kinds)
    return draw_picture(view.state, nodes, lambda _: drawing, notation, "", max_tokens)


def draw_paths(found: Explored, notation: str, max_tokens: int) -> Explored:
    from rpg.queries.overview.pictures import paths

    drawing = paths(found.paths)

    def head(parts: int) -> Explored:
        return replace(found, picture=picture(drawing, parts), notation=notation)

    return fit_answer(MOST_NODES, head, text, max_tokens)
