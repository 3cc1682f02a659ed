"""The order of hits for a question in words, which are seldom those of the code.

In: a question and hits by words and meaning. Out: the hits and their neighbours in the graph, in another order: where
several hits meet is the place to look, and questions are mostly about the parts that the others depend on.

    score = (score by words + BESIDE_ASKED * root of the sum of squares of what neighbours pass on) * standing

Absent: any other kind of query: a sentence that describes code ranks by its words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, POSSIBLE_VIAS
from rpg.queries.graph.filters import PATHS_KEPT, is_beside
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.popularity import popularity
from rpg.queries.search.hits import Hit
from rpg.queries.search.order import ranking_weights as weights
from rpg.stores.index.edge_reads import list_edges_without
from rpg.stores.search.tables import TEST_PATHS

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_BEGINNING = re.compile(
    r"(how|what|where|which|who|whose|why|when|does|do|is|are|can|could|will|would|should)\b", re.IGNORECASE
)


def is_question(text: str) -> bool:
    text = text.strip()
    return "\n" not in text and len(text.split()) > 2 and (begins_like_question(text) or text.endswith("?"))


def begins_like_question(text: str) -> bool:
    return _BEGINNING.match(text) is not None


def standing(node: Node, users: int) -> float:
    """A factor: how likely it is that somebody asks about a symbol, whatever the question."""
    beside = weights.BESIDE_THE_CODE if is_beside(node.path) else 1.0
    return beside * (1 + weights.USERS * math.log1p(users))


def _score(hit: Hit, score: float) -> Hit:
    """A hit before its details are known. Hundreds are scored for the few that are shown, and `replace` is slow."""
    return Hit(node=hit.node, score=score, how=hit.how, text=hit.text)


class _Passed(NamedTuple):
    squares: float
    """The sum of the squares of what was passed on."""
    word: str
    lender: int
    """How the neighbour that passed on most is connected, and its row."""


NOTHING = _Passed(0.0, "", 0)


def _why(passed: _Passed, lenders: Mapping[int, Hit]) -> str:
    return f"{passed.word} {lenders[passed.lender].node.name}" if passed.word else ""


def order_by_question(index: Index, hits: list[Hit], is_wanted: Callable[[Node], bool]) -> list[Hit]:
    """The hits with neighbours that are not hits themselves. `hits`: best first. The first few stay where they are."""
    lenders = {hit.node.row: hit for hit in hits[: weights.LENDERS] if not is_test(hit.node)}
    passed = _compute_passed(index, lenders)
    known = {hit.node.row for hit in hits}
    offered = sorted(passed.keys() - known, key=lambda row: (-passed[row].squares, row))[: weights.OFFERED]
    near = [
        Hit(node=node, score=0.0, how=_why(passed[row], lenders))
        for row, node in nodes_by_row(index, offered).items()
        if node.kind in _ASKED_FOR and not is_test(node) and is_wanted(node)
    ]
    together = [*hits, *near]
    used = popularity(index, [hit.node.row for hit in together])
    scores = [
        (hit.score + weights.BESIDE_ASKED * math.sqrt(passed.get(row, NOTHING).squares)) * standing(hit.node, used[row])
        for hit in together
        for row in [hit.node.row]
    ]
    fixed = min(weights.KEPT_FIRST, len(hits))
    order = sorted(range(fixed, len(together)), key=lambda at: (-scores[at], together[at].node.row))
    scale = hits[fixed - 1].score / scores[order[0]] if order and scores[order[0]] else 0.0
    return [*hits[:fixed], *(_score(together[at], scores[at] * scale) for at in order)]


def _compute_passed(index: Index, lenders: Mapping[int, Hit]) -> dict[int, _Passed]:
    """By row, what its neighbours among the lenders pass to it."""
    rows = list(lenders)
    known = popularity(index, rows)
    few = [row for row in rows if known[row] <= weights.READ_USERS]
    edges = _edges(index, "source", "target", rows), _edges(index, "target", "source", few)
    used = popularity(index, {other for _, other, _ in edges[0]})
    squares: dict[int, float] = {}
    most: dict[int, tuple[float, str, int]] = {}

    def lend(row: int, other: int, amount: float, word: str) -> None:
        squares[other] = squares.get(other, 0.0) + amount * amount
        if other not in most or amount > most[other][0]:
            most[other] = amount, word, row

    crowds = {other: _crowd(users, weights.COMMON) for other, users in used.items()}
    for out, read in zip((True, False), edges, strict=True):
        fan = Counter((row, kind) for row, _, kind in read)
        words, amounts = {}, {}
        for (row, kind), number in fan.items():
            share, usual, words[kind] = weights.PASSED[kind, out]
            amounts[row, kind] = lenders[row].score * share / _crowd(number, usual)
        for row, other, kind in read:
            amount = amounts[row, kind]
            lend(row, other, amount / crowds[other] if out else amount, words[kind])
    for row, hit in lenders.items():
        if hit.node.parent is not None:
            lend(row, hit.node.parent, hit.score * weights.PASSED_TO_CLASS, "contains")
    return {row: _Passed(square, most[row][1], most[row][2]) for row, square in squares.items()}


def _edges(index: Index, near: str, far: str, rows: list[int]) -> list[tuple[int, int, str]]:
    """Certain edges, each once, seen from one end."""
    return list_edges_without(index, near, far, rows, _KINDS, sorted(POSSIBLE_VIAS))


def _crowd(number: int, usual: int) -> float:
    return 1 + math.log2(max(1.0, number / usual))


def is_test(node: Node) -> bool:
    return bool(node.test) or _is_path_of_tests(node.path)


@lru_cache(PATHS_KEPT)
def _is_path_of_tests(path: str) -> bool:
    return TEST_PATHS.search(path) is not None


_ASKED_FOR = FUNCTION_KINDS | CLASS_KINDS
_KINDS = tuple(dict.fromkeys(kind for kind, _ in weights.PASSED))
