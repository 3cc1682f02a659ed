"""Features from a model too small to describe several pieces of code at once: one phrase, from one excerpt.

In: a function, a model. Out: a phrase with ground in the function's source (rpg/queries/answer/ground.py), as an order;
or none, and the derived feature stays. Only functions whose derived feature comes from their name alone are described:
what a doc comment says is better, and so are the derived titles. Absent: the rules for phrases (rules.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from rpg.graph import FUNCTION_KINDS
from rpg.models.answerer import Answerer
from rpg.queries.answer import excerpts
from rpg.queries.answer.excerpt_choice import Piece
from rpg.queries.answer.graph_expansion import Candidate
from rpg.queries.answer.retelling import Retold, fitting, predicate, third_person
from rpg.queries.graph.nodes import Node, node_of
from rpg.queries.graph.sources import Sources
from rpg.queries.lift.subjects import Subject
from rpg.text.features import VERBS, feature_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

ARTICLES: Final = frozenset({"a", "an", "the"})
LEAST_LINES: Final = 4
"""Of a shorter function the name says as much."""


def find_describable(index: Index, subject: Subject) -> Node | None:
    """The function, if such a model may describe it."""
    node = node_of(index, subject.id) if subject.kind in FUNCTION_KINDS else None
    if node is None or node.end_line - node.start_line + 1 < LEAST_LINES:
        return None
    derived = feature_of(node.kind, node.name, node.qualified_name, node.doc)
    return node if derived.provenance == "name" else None


def phrase(answerer: Answerer, node: Node, sources: Sources, cancelled: Callable[[], bool]) -> str:
    """Empty if nothing that the model writes has ground. Raises MODEL_UNAVAILABLE and Interrupted."""
    lines = sources.lines(node.path)
    if not lines:
        return ""
    runs = excerpts.whole(lines, node)
    texts = tuple("\n".join(lines[run.start - 1 : run.end]) for run in runs)
    piece = Piece(Candidate(node, 1.0, "match", "", frozenset(), True), tuple(runs), texts)
    found = predicate(answerer, piece, fitting(answerer, piece), Retold(), cancelled)
    return make_imperative(found[0]) if found else ""


def make_imperative(predicate: str) -> str:
    """`returns the next value` is `return next value`."""
    first, *rest = predicate.replace(",", "").split()
    return " ".join([orders().get(first, first), *(word for word in rest if word not in ARTICLES)])


@cache
def orders() -> dict[str, str]:
    return {third_person(verb): verb for verb in VERBS}
