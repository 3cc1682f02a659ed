"""Searches by feature: which areas, categories and features a question is about.

In: a question. Out: functional nodes, the best first, each with what its best symbols do. A place counts by the scores
of the symbols in it that the question finds, and by the question's words in its title.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries.graph.functional_view import BETWEEN, functional_view
from rpg.queries.graph.lifted import feature
from rpg.queries.search.order import ranking_weights as weights
from rpg.queries.search.search import bare_hits
from rpg.text.words import is_word, text_terms

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.queries.search.hits import Hit, Wanted
    from rpg.queries.search.meaning.model_meaning import QuestionEmbedder
    from rpg.stores.index.index import Index

SYMBOLS_READ = 60
"""How many symbols are found, to determine their places."""
DOES_SHOWN = 3
COVERS_SHOWN = 4


class Place(NamedTuple):
    node: Node
    score: float
    does: list[str]
    """What its best symbols do, with their names."""
    covers: list[str]
    best: list[Hit]
    """These symbols."""


def places_for(index: Index, wanted: Wanted, model: QuestionEmbedder | None) -> list[Place]:
    view = functional_view(index)
    hits = bare_hits(index, replace(wanted, mode="snippets", limit=SYMBOLS_READ, offset=0), model)
    by_place: defaultdict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        place = view.place_of(hit.node.path)
        if place:
            by_place[place].append(hit)
    terms = {term for term in text_terms(wanted.query) if is_word(term)}
    scores: dict[str, float] = {}
    for place, node in view.by_name.items():
        title = len(terms & set(text_terms(node.name))) / len(terms) if terms else 0.0
        found = sorted(by_place.get(place, ()), key=lambda hit: -hit.score)
        fading = (hit.score * weights.FEATURE_FADE**number for number, hit in enumerate(found))
        score = weights.FEATURE_TITLE * title + sum(fading) / 2
        if score > 0 and (found or title):
            scores[place] = score
    most = max(scores.values(), default=1.0)
    ordered = sorted(scores, key=lambda place: (-scores[place], place))[: wanted.limit]
    return [
        Place(
            view.by_name[place],
            round(scores[place] / most, 2),
            feature_lines(index, best),
            grounds(view.grounds(place)),
            best,
        )
        for place in ordered
        for best in [sorted(by_place.get(place, ()), key=lambda hit: -hit.score)[:DOES_SHOWN]]
    ]


def feature_lines(index: Index, hits: list[Hit]) -> list[str]:
    lines = []
    for hit in hits:
        node = hit.node
        what = feature(index, node).text
        lines.append(f"{node.name}: {what}" if what else node.name)
    return lines


def grounds(paths: list[str]) -> list[str]:
    """Directories before files."""
    ordered = sorted(paths, key=lambda path: (not path.endswith(BETWEEN), path))
    return [*ordered[:COVERS_SHOWN], *(["…"] if len(ordered) > COVERS_SHOWN else [])]
