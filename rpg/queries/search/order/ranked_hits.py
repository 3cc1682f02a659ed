"""The hits of one query, best first: by its words and their meaning, by names, by likeness to code.

In: an index, the arguments of a search, and the query. Out: hits. What is done with the list is in hit_lists.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rpg.errors import BadRequest
from rpg.models.embedding import Embedder
from rpg.models.embedding_table import load_built_in
from rpg.models.minilm import NAME
from rpg.queries.graph.filters import is_set_aside
from rpg.queries.graph.nodes import Node, nodes_called
from rpg.queries.search.admission import Admission
from rpg.queries.search.hits import Hit, Wanted
from rpg.queries.search.meaning import similarity_weights
from rpg.queries.search.meaning.model_meaning import ModelMeaning, QuestionEmbedder, model_meaning
from rpg.queries.search.meaning.recorded_model import find_recorded_model
from rpg.queries.search.meaning.similar import similar
from rpg.queries.search.naming import name_weights, names
from rpg.queries.search.order import ranking_weights
from rpg.queries.search.order.hit_lists import DEFINED, share_around
from rpg.queries.search.order.question_order import is_test
from rpg.queries.search.order.ranking import RankedUnit, SearchQuery, rank
from rpg.queries.search.search_units import symbols_of, units
from rpg.stores.index.symbol_reads import list_hashes_of
from rpg.stores.search.tables import Statistics
from rpg.stores.search.unit_reads import list_units_of
from rpg.text import words
from rpg.text.titles import container

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_NAMELESS = frozenset({"directory", "section", "file"})
"""Kinds that a name never means."""
Ordered = Callable[["Index", list[RankedUnit]], list[RankedUnit]]
"""The filters and folds for units ranked by words and meaning."""


class RankedHits:
    def __init__(
        self,
        index: Index,
        wanted: Wanted,
        query: str,
        model: QuestionEmbedder | None,
        ordered: Ordered,
        as_question: bool = False,
    ) -> None:
        self._index = index
        self._wanted = wanted
        self._query = query
        self._units = units(index)
        self.admission = Admission(index, wanted)
        self._question = SearchQuery.of(query, wanted.in_code, as_question)
        self.is_about_tests = self._question.about_tests
        self._embedder, self.note = _embedder(self._units.statistics)
        self._chosen = model
        self.weak = ""
        self._ordered = ordered
        self._spelled = {
            term: token.decode() for token in words.tokens(f"{query} {wanted.in_code}") for term in words.terms(token)
        }

    @property
    def terms(self) -> Mapping[str, int]:
        """Of the query."""
        return self._question.terms

    def rank_by_words(self) -> list[Hit]:
        if not self._question.terms:
            raise BadRequest(f"there is no word in {self._query[:60]!r}: write words or a name")
        return self._first_hits(self._ranked())

    def _ranked(self) -> list[RankedUnit]:
        most = self._wanted.offset + self._wanted.limit
        candidates = max(ranking_weights.CANDIDATES, _enough(most))
        enough = min(candidates, _enough(most))
        if self._wanted.kinds or self._wanted.tests == "only":
            candidates = enough = max(ranking_weights.FILTERED_CANDIDATES, ranking_weights.FILTERED_PAGES * most)
        model = self._model()
        admitted = self.admission.units(self._units)
        ranked = rank(self._index, self._question, load_built_in(), self._embedder, admitted, candidates, enough, model)
        ranked = self._ordered(self._index, ranked)
        if model is None:  # what a user's model finds may share no word with the query
            self._weigh(ranked[:most])
        return ranked

    def _weigh(self, first: list[RankedUnit]) -> None:
        """A note if the first hits mean nothing."""
        if not first:
            return
        is_short = len(self._question.terms) <= ranking_weights.WEAK_WORDS
        is_covered = not is_short or max(each.covered for each in first) >= ranking_weights.WEAK_COVERED
        if not is_covered or first[0].score < ranking_weights.WEAK_SCORE:
            self.weak = "weak: no hit has half of what was asked"

    def _model(self) -> ModelMeaning | None:
        """The scores of the model whose vectors are next to the index. If it is not available, the note says so."""
        if find_recorded_model(self._index) == NAME and not self._question.is_asked:
            return None  # where no question is asked, it puts worse hits before those by words
        meaning, note = model_meaning(self._index, self._chosen, self._query)
        self.note = self.note or note
        return meaning

    def _first_hits(self, ranked: list[RankedUnit]) -> list[Hit]:
        """At least twice as many as are shown, if there are."""
        most = self._wanted.offset + self._wanted.limit
        hits: list[Hit] = []
        for at in range(0, len(ranked), _enough(most)):
            hits += self._hits(ranked[at : at + _enough(most)])
            if len(hits) >= ranking_weights.LEAST_FILLED * most:
                break
        return hits

    def _hits(self, ranked: list[RankedUnit]) -> list[Hit]:
        known = symbols_of(self._index, [found.unit for found in ranked])
        hits = []
        for found in ranked:
            if found.unit in known:
                node, text = known[found.unit]
                if self.admission.is_wanted(node):
                    hits.append(Hit(node=node, score=found.score, text=text, covered=found.covered))
        return hits

    def by_name(self) -> list[Hit]:
        written = names.identifier(self._query)
        match = self._wanted.match
        text = written.name if written else self._query
        if match in ("prefix", "contains"):
            found = names.containing(self._index, text, beginning=match == "prefix")
            like = [
                names.Likeness(name, len(text) / max(len(text), len(name)), match or "")
                for name in found[: name_weights.MOST_CONTAINING]
            ]
        else:
            like = names.find_similar_names(self._index, text)
            if match == "exact":
                like = [each for each in like if each.how in ("exact", "spelling")]
        return self._named(like, written.qualifiers if written else (), {})

    def rank_by_name_and_words(self) -> list[Hit]:
        written = names.identifier(self._query)
        assert written is not None
        ranked = self._ranked() if self._question.terms else []
        by_unit = {found.unit: found.score for found in ranked}
        shares = {row: by_unit[unit] for row, unit in list_units_of(self._index, by_unit)}
        like = [
            each
            for each in names.find_similar_names(self._index, written.name)
            if each.score >= name_weights.LEAST_LIKELY_NAME
        ]
        named = self._named(like, written.qualifiers, shares)
        known = {hit.node.row for hit in named}
        return named + [hit for hit in self._first_hits(ranked) if hit.node.row not in known]

    def _named(self, like: list[names.Likeness], qualifiers: tuple[str, ...], lexical: dict[int, float]) -> list[Hit]:
        found: list[tuple[float, Node, str]] = []
        about_tests = self._question.about_tests
        highest = name_weights.EXACT + name_weights.LEXICAL + name_weights.OF_ITS_FILE
        highest += name_weights.QUALIFIED if qualifiers else 0.0
        enough = name_weights.ENOUGH * (self._wanted.offset + self._wanted.limit)
        for at in range(0, len(like), name_weights.NAMES_AT_ONCE):
            by_name = {each.name: each for each in like[at : at + name_weights.NAMES_AT_ONCE]}
            for node in nodes_called(self._index, list(by_name)):
                if node.kind in _NAMELESS or not self.admission.admits(node):
                    continue
                each = by_name[node.name]
                score = each.score + name_weights.LEXICAL * lexical.get(node.row, 0.0)
                if qualifiers:
                    score += name_weights.QUALIFIED * share_around(node, qualifiers)
                if not about_tests and is_test(node):
                    score -= name_weights.TESTS_BEHIND
                if node.kind not in DEFINED:
                    score -= name_weights.NO_DEFINITION_BEHIND
                score += _by_place(node, qualifiers)
                found.append((score, node, each.how))
            if len(found) >= enough:
                break
        found.sort(key=lambda each: (-each[0], len(each[1].path), each[1].row))
        return [Hit(node=node, score=max(0.0, min(1.0, score / highest)), how=how) for score, node, how in found]

    def rank_by_likeness(self) -> list[Hit]:
        by_words = (
            {hit.node.row: hit for hit in self.rank_by_words()[: similarity_weights.BY_WORDS]}
            if self._question.terms
            else {}
        )
        scores = {row: hit.score for row, hit in by_words.items()}
        like = similar(
            self._index,
            self._query,
            scores,
            self.admission.admits,
            self._wanted.offset + self._wanted.limit,
        )
        texts = dict(list_hashes_of(self._index, [hit.node.row for hit in like]))
        return [replace(hit, text=texts[hit.node.row]) for hit in like]

    def explain_hit(self, hit: Hit) -> Hit:
        """Adds the words of the query by the part of the symbol that has them."""
        node = hit.node
        parts = {
            "name": "" if node.is_file else node.name,
            "container": "" if node.is_file else container(node.name, node.qualified_name),
            "path": node.path,
            "signature": node.signature,
            "doc": node.doc,
        }
        matched: dict[str, list[str]] = {}
        left = dict.fromkeys(self._question.terms)
        for part, text in parts.items():
            here = words.distinct_terms(text)
            found = [term for term in left if term in here]
            if found:
                matched[part] = list(dict.fromkeys(self._spelled.get(term, term) for term in found))
                for term in found:
                    del left[term]
        return replace(hit, matched=matched, test=is_test(node))


def _by_place(node: Node, qualifiers: Collection[str]) -> float:
    """What the place of a symbol adds: a name means first what a file is named for, then what is in nothing else but
    what is written before it."""
    around = [part for part in container(node.name, node.qualified_name).split(".") if part]
    nested = sum(words.fold_name(part) not in qualifiers for part in around)
    score = -name_weights.NESTED * min(nested, name_weights.NESTED_MOST)
    if qualifiers and nested == len(around):
        score -= name_weights.NOT_IN_WRITTEN
    own = words.fold_name(node.name)
    if around and words.fold_name(around[-1]) == own:
        score -= name_weights.NESTED  # a constructor
    stem, *more = node.path.rpartition("/")[2].split(".")
    if words.fold_name(stem) == own and not node.is_file:
        score += name_weights.OF_ITS_FILE if len(more) <= 1 else name_weights.OF_PART
    return score - name_weights.SET_ASIDE_BEHIND * is_set_aside(node.path)


def _enough(shown: int) -> int:
    return max(ranking_weights.ENOUGH * min(shown, ranking_weights.MANY), ranking_weights.ENOUGH_OF_MANY * shown)


def _embedder(known: Statistics) -> tuple[Embedder | None, str]:
    embedder = load_built_in()
    if known.embedder == embedder.name:
        return embedder, ""
    return None, f"vectors of {known.embedder!r} are not used: that model is not here, so words alone decide"
