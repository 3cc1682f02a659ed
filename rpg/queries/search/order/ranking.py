"""The order of units for a query: the formula of search in one place.

In: a query and the search index. Out: units with their scores. Its constants are explained in ranking_weights.py, those
that are built into the index, and BM25F itself, in stores/search/field_weights.py.

    lexical  = BM25F over the fields of a unit, its class and its file, for the query's terms and near ones
    semantic = cosine of the unit's vector and the query's
    covered  = share of the query's information that is found in the unit at all
    score    = (lexical / deviation + SEMANTIC * share(question) * z(semantic)) * (1 + COVERED * covered)
    and for the first hits + BESIDE * the best score among the other first hits that it uses or is used by

deviation and z are over all units that are not demoted. Absent: BM25F itself (lexical.py), name and location of a hit,
filters, names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rpg.models.embedding import Embedder, StaticTable
from rpg.queries.search.issue_text import read_report
from rpg.queries.search.meaning import synonyms
from rpg.queries.search.meaning.model_meaning import ModelMeaning
from rpg.queries.search.meaning.vectors import cosines, nearest, spread_of_cosines
from rpg.queries.search.order import ranking_weights as weights
from rpg.queries.search.order.lexical import Array, Lexical, Term, bm25f
from rpg.queries.search.search_units import Units, symbols_of, units
from rpg.stores.index.edge_reads import list_uses_among
from rpg.stores.search.tables import BEHIND, FRONT, INSIDE
from rpg.system.arrays import numpy
from rpg.text import words

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class SearchQuery(NamedTuple):
    terms: dict[str, int]
    """Terms with counts, without stop words unless there is nothing else."""
    about_tests: bool
    is_asked: bool = False
    """Whether it is a question in words, which seldom has those of the code: words that programmers use for these are
    searched too, and the vectors of a model weigh more."""
    joined: tuple[tuple[str, str], ...] = ()
    """Two words of a question written as one, as code writes them, and the first of the two that says something:
    `login` for `log in`."""

    @classmethod
    def of(cls, text: str, in_code: str = "", is_asked: bool = False) -> SearchQuery:
        """`in_code`: words that the code may use for what the text asks."""
        counts = Counter(words.text_terms(read_report(text)))
        for term in dict.fromkeys(words.text_terms(in_code)):
            counts[term] += weights.IN_CODE
        verbs = words.find_inflected_stop_words(text)
        telling = {term: n for term, n in counts.items() if words.is_word(term) or term in verbs}
        terms = telling or dict(counts)
        is_short = len(terms) <= weights.SHORT_WORDS
        return cls(terms, is_short and is_about_tests(terms), is_asked, join_words(text, terms) if is_asked else ())


def join_words(text: str, terms: Container[str]) -> tuple[tuple[str, str], ...]:
    """Each two neighbouring words as one term, with the first of them that is among `terms`."""
    spoken = words.tokens(text)[: weights.JOINED_AMONG]
    found = {}
    for one, other in pairwise(spoken):
        known = [term for word in (one, other) for term in words.terms(word) if term in terms]
        for term in words.terms((one + other).lower()) if known else ():
            if term not in terms:
                found[term] = known[0]
    return tuple(found.items())


_TEST_TERMS = frozenset(words.text_terms("test tests testing fixture benchmark mock conftest"))
"""Only a short query that names them asks for tests; a long one mentions them in passing."""


def is_about_tests(terms: Iterable[str]) -> bool:
    return not _TEST_TERMS.isdisjoint(terms)


class RankedUnit(NamedTuple):
    """A unit of the search index; `search` looks up the symbols of those shown."""

    unit: int
    score: float
    """0 to 1; 1 is a unit with every word of the query in its name and exactly its meaning."""
    covered: float = 1.0
    """Share of the query's information that the unit has."""


def rank(
    index: Index,
    question: SearchQuery,
    table: StaticTable,
    embedder: Embedder | None,
    allowed: Array | None = None,
    candidates: int = weights.CANDIDATES,
    enough: int | None = None,
    model: ModelMeaning | None = None,
) -> list[RankedUnit]:
    """The best units, best first. `allowed` says for each unit whether it may be found. Units that could only rank
    after the first `enough` may be left out."""
    known = units(index)
    query_terms = sought_terms(question, table)
    lexical = bm25f(index, known, query_terms, _weigh(known, query_terms), weights.POSTINGS, weights.FEWEST_TERMS)
    scores = lexical.scores if allowed is None else numpy.where(allowed, lexical.scores, 0.0)
    first = _best(known, numpy.where(known.is_behind, 0.0, scores), candidates, 0.0)
    of_model = _weigh_model(question, known, lexical, first) if model else 0.0
    judge = _Judge(index, known, question, embedder, lexical, model, _known_share(query_terms, lexical), of_model)
    found = judge.found(first)
    found.sort(key=_order(known))
    last = found[enough - 1].score if enough is not None and len(found) >= enough else 0.0
    found += judge.found(_best(known, numpy.where(known.is_behind, scores, 0.0), candidates, judge.least(last)))
    near: set[int] = set()
    if judge.most_covered < weights.FEW_COVERED and judge.vector:
        times = weights.NEAREST_OF_ALL if allowed is None else weights.NEAREST_OF_SOME
        near.update(nearest(index, judge.vector, weights.NEAREST * times))
    if model is not None and (near or question.is_asked):
        near.update(model.nearest(weights.NEAREST_BY_MODEL, allowed))
    near.difference_update([each.unit for each in found])
    if near:
        found += judge.found([unit for unit in sorted(near) if allowed is None or allowed[unit]])
    found.sort(key=_order(known))
    return found


def boost_related(index: Index, ranked: list[RankedUnit]) -> list[RankedUnit]:
    """Raises the scores of the first hits that use one another."""
    found = ranked[: weights.FIRST]
    unit_of = {node.row: unit for unit, (node, _) in symbols_of(index, [each.unit for each in found]).items()}
    scores = {each.unit: each.score for each in found}
    beside = dict.fromkeys(scores, 0.0)
    for source, target in list_uses_among(index, list(unit_of)):
        one, other = unit_of[source], unit_of[target]
        beside[one] = max(beside[one], scores[other])
        beside[other] = max(beside[other], scores[one])
    found = [each._replace(score=min(1.0, each.score + weights.BESIDE * beside[each.unit])) for each in found]
    return sorted(found, key=_order(units(index))) + ranked[weights.FIRST :]


def _order(known: Units) -> Callable[[RankedUnit], tuple[float, int]]:
    places = memoryview(known.places)
    return lambda found: (-found.score, places[found.unit])


class _Judge:
    """Scores candidates by everything that decides."""

    def __init__(
        self,
        index: Index,
        known: Units,
        question: SearchQuery,
        embedder: Embedder | None,
        lexical: Lexical,
        model: ModelMeaning | None,
        known_share: float,
        of_model: float,
    ) -> None:
        self._known_share = known_share
        self.vector = embedder.query(question.terms.items()) if embedder is not None else b""
        self.most_covered = 0.0
        """The best score among all candidates so far."""
        self._index = index
        self._units = known
        self._lexical = lexical
        self._deviation = _deviation(lexical.scores[known.in_front])
        self._mean_cosine, self._cosine_deviation = spread_of_cosines(known, self.vector)
        share = _share_of_vectors(question)
        self._share = (weights.BESIDE_MODEL if model else weights.SEMANTIC) * share if self.vector else 0.0
        self._model = model
        self._share_of_model = of_model
        self._behind = weights.TESTS_ASKED if question.about_tests else weights.STANDING_BEHIND
        self._perfect = (lexical.most / self._deviation + self._best_by_vector()) * (1 + weights.COVERED) or 1.0

    def found(self, candidates: list[int]) -> list[RankedUnit]:
        """The candidates with any similarity to the query."""
        if not candidates:
            return []
        covered = _measure_covered(self._units, self._lexical, candidates)
        self.most_covered = max(self.most_covered, max(covered))
        semantic = self._semantic(candidates)
        factors = {FRONT: 1.0, BEHIND: self._behind, INSIDE: weights.STANDING_INSIDE}
        standing = numpy.array([factors[each] for each in self._units.standing[candidates].tolist()])
        scores = self._lexical.scores[candidates] / self._deviation + semantic
        if self._model:
            by_model = self._model.above(candidates)
            scores = scores + self._share_of_model * numpy.array([by_model.get(unit, 0.0) for unit in candidates])
        shares = numpy.array(covered)
        scored = numpy.minimum(1.0, scores * ((1 + weights.COVERED * shares) * standing) / self._perfect)
        rows = zip(candidates, scores.tolist(), scored.tolist(), (shares * self._known_share).tolist(), strict=True)
        return [RankedUnit(unit, score, share) for unit, similarity, score, share in rows if similarity > 0]

    def _semantic(self, candidates: list[int]) -> list[float]:
        if not self.vector:
            return [0.0] * len(candidates)
        by_vector = self._share * (cosines(self._index, self.vector, candidates) - self._mean_cosine)
        shares: list[float] = numpy.nan_to_num(by_vector / self._cosine_deviation).tolist()
        return shares

    def least(self, score: float) -> float:
        """The least score by words that a demoted unit needs to reach a score in the end."""
        by_words_and_vector = score * self._perfect / (self._behind * (1 + weights.COVERED))
        return (by_words_and_vector - self._best_by_vector()) * self._deviation

    def _best_by_vector(self) -> float:
        best = self._share * (1.0 - self._mean_cosine) / self._cosine_deviation
        return best + self._share_of_model * (self._model.best if self._model else 0.0)


def _weigh_model(question: SearchQuery, known: Units, lexical: Lexical, first: list[int]) -> float:
    """What the vectors of a user's model count."""
    if not question.is_asked:
        return weights.OF_MODEL * _share_of_vectors(question)
    is_spoken = bool(first) and max(_measure_covered(known, lexical, first)) >= weights.SPOKEN
    return weights.OF_MODEL_SPOKEN if is_spoken else weights.OF_MODEL_ASKED


def sought_terms(question: SearchQuery, table: StaticTable) -> dict[str, Term]:
    """The query's terms and those near to them."""
    query_terms: dict[str, Term] = {}
    for term, count in question.terms.items():
        row = table.known.get(term)
        query_terms[term] = Term(count, row.telling if row else weights.UNKNOWN_TELLS, term, 1.0)
    for term, count in question.terms.items():
        row = table.known.get(term)
        for other, likeness in row.near if row else ():
            if likeness > weights.LEAST_NEAR and other not in query_terms:
                telling = table.known[other].telling
                query_terms[other] = Term(
                    weights.NEAR_WEIGHT * likeness * likeness * count, telling, term, weights.NEAR_WEIGHT * likeness
                )
    for term in question.terms if question.is_asked else ():
        for other in synonyms.others([term]):
            if other not in question.terms and (other not in query_terms or query_terms[other].times < weights.SYNONYM):
                row = table.known.get(other)
                telling = row.telling if row else weights.UNKNOWN_TELLS
                query_terms[other] = Term(weights.SYNONYM, telling, term, weights.SYNONYM)
    for term, own in question.joined:
        row = table.known.get(term)
        query_terms[term] = Term(1, row.telling if row else weights.UNKNOWN_TELLS, own, weights.JOINED)
    return query_terms


def _weigh(known: Units, query_terms: Mapping[str, Term]) -> Callable[[Term, int], float]:
    own_terms = sum(1 for term in query_terms.values() if term.likeness == 1.0)
    power = weights.IDF_POWER_LONG if own_terms > weights.LONG_QUESTION else weights.IDF_POWER

    def weigh(term: Term, frequency: int) -> float:
        idf = math.log(1 + (known.number - frequency + 0.5) / (frequency + 0.5))
        return float(term.telling * term.times * (1 + weights.REPEATED) / (term.times + weights.REPEATED) * idf**power)

    return weigh


def _best(known: Units, scores: Array, count: int, least: float) -> list[int]:
    """At most `count` units that score more than `least`, best first."""
    above = numpy.flatnonzero(scores > max(0.0, least))
    values = scores[above]
    if len(above) > count:
        is_best = values >= numpy.partition(values, -count)[-count]
        above, values = above[is_best], values[is_best]
    best: list[int] = above[numpy.lexsort((known.places[above], -values))][:count].tolist()
    return best


def _measure_covered(known: Units, lexical: Lexical, candidates: list[int]) -> list[float]:
    """For each candidate the share of the query's information found in it; near terms count by their similarity."""
    chosen = numpy.array(candidates)
    best: dict[str, Array] = {}
    telling: dict[str, float] = {}
    for (term, _, _, _), here in zip(lexical.posted, lexical.having(known, chosen), strict=True):
        if term.likeness == 1.0:
            telling[term.stands_for] = term.telling
        before = best.get(term.stands_for)
        likeness = here * term.likeness
        best[term.stands_for] = likeness if before is None else numpy.maximum(before, likeness)
    total = sum(telling.values()) or 1.0
    covered = numpy.zeros(len(candidates))
    for own, likeness in best.items():
        covered += telling.get(own, 0.0) / total * likeness
    shares: list[float] = covered.tolist()
    return shares


def _known_share(query_terms: Mapping[str, Term], lexical: Lexical) -> float:
    """Share of the query's information in words that are anywhere in the repository."""
    posted = {posting[0].stands_for for posting in lexical.posted}
    own = {term: each.telling for term, each in query_terms.items() if each.likeness == 1.0}
    return sum(telling for term, telling in own.items() if term in posted) / (sum(own.values()) or 1.0)


def _share_of_vectors(question: SearchQuery) -> float:
    length = sum(question.terms.values())
    if length <= weights.SHORT_WORDS:
        return 1.0
    fall = (length - weights.SHORT_WORDS) / (weights.LONG_WORDS - weights.SHORT_WORDS)
    return max(weights.LONG_SHARE, 1.0 - (1.0 - weights.LONG_SHARE) * fall)


def _deviation(scores: Array) -> float:
    return float(scores.std()) or 1.0 if len(scores) else 1.0
