"""Whether the findings can support an answer, or the question is about something that does not exist here.

In: a question, the symbols most similar to it, an index. Out: how much of the question the best of them covers,
weighted by how informative each word is, and the words that none of them has. No model is used: a question whose
informative words occur together in no symbol cannot be answered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries.answer import evidence_weights
from rpg.queries.answer.question_analysis import Question
from rpg.queries.graph.nodes import nodes_by_row
from rpg.queries.graph.sources import Sources
from rpg.queries.search.meaning import synonyms
from rpg.queries.search.order.lexical import postings_of
from rpg.queries.search.order.ranking import join_words
from rpg.queries.search.search_units import units
from rpg.stores.search.tables import term_key
from rpg.text.words import distinct_terms, terms, tokens

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class Coverage(NamedTuple):
    share: float
    """0 to 1: the share that the best symbol covers."""
    unknown: tuple[str, ...]
    """Words of the question that no examined symbol has, as written."""
    is_documented: bool = False
    """Whether documents are about the question, though code is not."""
    unknown_share: float = 0.0
    """Share of the words that say what the question is about."""
    absent_share: float = 0.0
    """Of those words, the share that stands nowhere in the repository, nor a synonym in the first symbols."""
    best_hit: float = 1.0
    """The most of the question's information that a symbol has which search finds."""

    @property
    def in_code(self) -> bool:
        return self.share >= evidence_weights.ENOUGH_SPOKEN

    @property
    def is_weak(self) -> bool:
        """Whether the question is probably about something that is not here."""
        if self.in_code:
            return False
        unknown = self.unknown_share >= evidence_weights.UNKNOWN_IF_WEAK
        is_absent = self.absent_share >= evidence_weights.ABSENT_IF_WEAK and not self.is_documented
        return is_absent or (unknown and self.best_hit < evidence_weights.BEST_IF_WEAK)

    @property
    def enough(self) -> bool:
        return self.in_code or self.is_documented


def coverage_of(index: Index, question: Question, likeness: Mapping[int, float], sources: Sources) -> Coverage:
    wanted = question.subject
    if not wanted:
        return Coverage(1.0, ())
    weights, here = rarity(index, wanted)
    whole = sum(weights.values())
    others = {term: synonyms.others([term]) for term in wanted}
    for joined, term in join_words(question.search_text, others):
        others[term].append(joined)
    best, spoken = 0.0, set()
    rows = sorted(likeness, key=lambda row: (-likeness[row], row))[: evidence_weights.SPOKEN_BY]
    for node in nodes_by_row(index, rows).values():
        lines = sources.lines(node.path) or []
        text = lines[max(0, node.start_line - 1) : min(node.end_line, node.start_line + evidence_weights.SPOKEN_LINES)]
        node_terms = distinct_terms(" ".join((node.path, node.qualified_name, node.signature, node.doc, *text)))
        speaks = {term: term_share(term, node_terms, others[term]) for term in wanted}
        spoken |= {term for term, share in speaks.items() if share}
        best = max(best, sum(weights[term] * share for term, share in speaks.items()) / whole)
    if question.in_code:  # guesses: no symbol has half of them
        best = sum(weights[term] for term in spoken) / whole
    spelled = {term: token.decode() for token in tokens(f"{question.text} {question.in_code}") for term in terms(token)}
    unknown = [term for term in wanted if term not in spoken]
    absent = [term for term in unknown if term not in here]
    named = tuple(dict.fromkeys(spelled.get(term, term) for term in unknown))
    shares = len(unknown) / len(wanted), len(absent) / len(wanted)
    return Coverage(best, named, unknown_share=shares[0], absent_share=shares[1])


def term_share(term: str, node_terms: set[str], others: list[str]) -> float:
    if term in node_terms:
        return 1.0
    return evidence_weights.SPOKEN_BY_SYNONYM if node_terms.intersection(others) else 0.0


def rarity(index: Index, wanted: Iterable[str]) -> tuple[dict[str, float], set[str]]:
    """How informative each term is in this repository; a term that it does not have at all is the most informative. And
    the terms that it has."""
    number = max(1, units(index).number)
    keys = {term: term_key(term) for term in wanted}
    found = postings_of(index, keys.values())
    worths = 1, evidence_weights.USES_OF_BLOCK, evidence_weights.USES_OF_FILE
    weights = {}
    for term, key in keys.items():
        postings = found.get(key)
        levels = postings.levels if postings else ()
        uses = sum(len(numbers) * worth for (numbers, _), worth in zip(levels, worths, strict=False))
        weights[term] = math.log(1 + number / (uses + 0.5))
    return weights, {term for term, key in keys.items() if key in found}
