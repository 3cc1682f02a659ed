"""Symbols for a query: a sentence, a bug report, half a name, a pasted snippet.

In: an index and the query. Out: hits, best first, with a score from 0 to 1 and why they matched. A query that looks
like an identifier tries names first; everything else goes by words and vectors (ranking.py). Tests rank after what they
test; copies of a hit are folded into it.

Absent: rendering, excerpts, budgets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from rpg import words
from rpg.errors import BadRequest
from rpg.models.embedding import Embedder
from rpg.models.embedding_table import built_in
from rpg.queries.graph.functional_view import place_filter
from rpg.queries.graph.nodes import Node, nodes_called
from rpg.queries.graph.path_filters import path_filter
from rpg.queries.graph.titled import by_title, looks_like_title
from rpg.queries.packages import in_package
from rpg.queries.search import name_weights, names, ranking_weights, similarity_weights
from rpg.queries.search.by_text import (
    DOCUMENTS,
    is_read_as_text,
    name_matches,
    recognised,
    sentence_matches,
    text_answer,
)
from rpg.queries.search.hits import Answer, Hit, Mode, Wanted
from rpg.queries.search.listing import listed
from rpg.queries.search.model_meaning import ModelMeaning, QuestionEmbedder, model_meaning
from rpg.queries.search.own_name import without_own_name
from rpg.queries.search.question_order import in_question_order, is_question, is_test
from rpg.queries.search.ranking import RankedUnit, SearchQuery, boosted, rank
from rpg.queries.search.search_units import Array, symbols_of, units
from rpg.queries.search.similar import similar
from rpg.queries.search.uses import times_used
from rpg.stores.search.tables import Statistics
from rpg.titles import container

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LONGEST_QUESTION = 20_000
"""The most characters; anything longer is a file, not a query."""


def search(index: Index, wanted: Wanted, model: QuestionEmbedder | None = None) -> Answer:
    """BAD_REQUEST for a query without any word, and for contradictory arguments. Without a query, lists the symbols of
    the given kinds."""
    if wanted.mode in ("text", "regex"):
        return text_answer(index, wanted)
    if wanted.kinds and not wanted.query.strip():
        return listed(index, wanted)
    titled = _titled(index, wanted)
    if not titled:
        return _found(index, wanted, model)
    answer = _found(index, replace(wanted, limit=max(1, wanted.limit - len(titled))), model)
    known = {hit.node.row for hit in titled}
    others = [hit for hit in answer.hits if hit.node.row not in known]
    return replace(answer, hits=[*titled, *others][: wanted.limit])


def _titled(index: Index, wanted: Wanted) -> list[Hit]:
    """The tests whose whole title was written, which come first. A short title may as well be a question, and tests
    must not hide code."""
    query = wanted.query.strip()
    if wanted.mode not in ("auto", "symbol") or wanted.tests == "none" or wanted.offset or "\n" in query:
        return []
    if len(query.split()) < ranking_weights.TITLE_WORDS and not (wanted.mode == "symbol" and looks_like_title(query)):
        return []
    prepared = _Search(index, wanted, query, None, boosted)
    found = [node for node in by_title(index, query) if prepared.admits(node)]
    return [Hit(node=node, score=1.0, how="title", test=True) for node in found[: ranking_weights.TITLED]]


def _found(index: Index, wanted: Wanted, model: QuestionEmbedder | None) -> Answer:
    read_as_text = recognised(index, wanted) if wanted.mode == "auto" and not wanted.in_code else None
    if read_as_text is not None:
        return read_as_text
    prepared, answer = _search(index, wanted, model, boosted, is_trimmed=True)
    answer = replace(answer, hits=[prepared.explained(hit) for hit in answer.hits])
    is_text = wanted.mode == "auto" and not wanted.in_code and is_read_as_text(index, wanted.query.strip())
    if is_text and not any(_is_as_written(hit, wanted) for hit in answer.hits):
        answer = replace(answer, note="; ".join(filter(None, ("no line has it as written", answer.note))))
    if wanted.mode == "auto" and not any(_is_as_written(hit, wanted) for hit in answer.hits):
        is_near = any(hit.how in _NEARLY for hit in answer.hits)
        texts = name_matches(index, wanted, is_near)
        if texts is not None:
            note = "nothing is called that: lines with the word, then what is near"
            return replace(answer, texts=texts, note="; ".join(filter(None, (note, answer.note))))
    if wanted.mode == "auto" and answer.mode == "snippets":
        texts = sentence_matches(index, wanted)
        if texts is not None:
            answer = replace(
                answer, texts=texts, note="; ".join(filter(None, ("word for word, then by meaning", answer.note)))
            )
    return answer


def bare_hits(
    index: Index, wanted: Wanted, model: QuestionEmbedder | None = None, as_question: bool = False
) -> list[Hit]:
    """Hits by words and meaning only, for callers that show none of them and query the graph themselves."""
    return _search(index, wanted, model, by_score, as_question=as_question)[1].hits


Ordered = Callable[["Index", list[RankedUnit]], list[RankedUnit]]
"""The filters and folds for units ranked by words and meaning."""


def by_score(_: Index, ranked: list[RankedUnit]) -> list[RankedUnit]:
    return ranked


def _search(
    index: Index,
    wanted: Wanted,
    model: QuestionEmbedder | None,
    ordered: Ordered,
    is_trimmed: bool = False,
    as_question: bool = False,
) -> tuple[_Search, Answer]:
    """`is_trimmed`: an exact name, and names before the scores fall off, are an answer by themselves."""
    query = wanted.query.strip()
    if not query:
        raise BadRequest("an empty query: write what you are looking for, as a sentence, a name or a piece of code")
    if len(query) > LONGEST_QUESTION:
        raise BadRequest(f"a query of {len(query)} characters: give at most {LONGEST_QUESTION}, its most specific part")
    mode = _mode(wanted.mode, query)
    is_asked = is_trimmed and mode == "snippets" and is_question(query)
    if is_asked:
        query = without_own_name(index, query)
    prepared = _Search(index, wanted, query, model, ordered, is_asked or as_question)
    exact: list[Hit] = []
    if mode == "symbol":
        ranked = prepared.by_name()
    elif wanted.mode == "auto" and names.identifier(query):
        ranked = prepared.by_name_and_words()
        mode = "symbol" if ranked and ranked[0].how else "snippets"
        exact = _of_that_name(ranked) if is_trimmed else []
        if exact:
            ranked = exact + _near(ranked, exact)
    elif mode == "similar":
        ranked = prepared.by_likeness()
    else:
        ranked = prepared.by_words()
    if is_asked:
        ranked = in_question_order(index, ranked, prepared.admits)
    hits = _folded(hit for hit in ranked if round(hit.score, ranking_weights.SCORE_DIGITS) >= wanted.min_score)
    hits, tests = _without_tests(hits, wanted, prepared.is_about_tests)
    if mode == "snippets" and not is_asked:  # what a question needs may all be in one file
        hits = _spread(hits, round(ranking_weights.SPREAD_FROM * wanted.limit))
    fall = sum(hit.how == "exact" for hit in hits) if exact else _fall(hits, mode)
    first = wanted.offset
    page = [
        replace(hit, score=round(hit.score, ranking_weights.SCORE_DIGITS), is_after_fall=at >= fall)
        for at, hit in enumerate(hits[first : first + wanted.limit], first)
    ]
    if is_trimmed and mode == "symbol" and not exact and not wanted.offset:
        page = page[: max(1, fall)]
    after = wanted.offset + len(page)
    if exact:
        used = times_used(index, [hit.node for hit in page if not hit.is_after_fall])
        page = [replace(hit, used=used.get(hit.node.row, "")) for hit in page]
    following = after if after < len(hits) else None
    note = "; ".join(filter(None, (prepared.weak if mode == "snippets" else "", prepared.note)))
    return prepared, Answer(hits=page, next=following, mode=mode, note=note, tests=tests)


def _fall(hits: list[Hit], mode: Mode) -> int:
    """How many hits there are before the scores fall off."""
    of_mode = {"symbol": name_weights, "snippets": ranking_weights}.get(mode)
    if of_mode is None:
        return len(hits)
    least = of_mode.FALL * hits[0].score if hits else 0.0
    full = [at for at, hit in enumerate(hits[: of_mode.FULL_MOST]) if at < of_mode.FULL or hit.score >= least]
    return len(full)


def _of_that_name(ranked: list[Hit]) -> list[Hit]:
    """The definitions that have exactly the written name, with its qualifiers, if any."""
    if not ranked or ranked[0].how != "exact" or ranked[0].node.kind not in _NAMED:
        return []
    best = ranked[0].score - name_weights.BEHIND_EXACT
    return [hit for hit in ranked if hit.how == "exact" and hit.score >= best]


def _share_around(node: Node, qualifiers: tuple[str, ...]) -> float:
    """The share of a name's qualifiers that a symbol has in its containers or its path."""
    around = words.folded(node.path + " " + container(node.name, node.qualified_name))
    return sum(1 for outer in qualifiers if outer in around) / len(qualifiers)


def _is_as_written(hit: Hit, wanted: Wanted) -> bool:
    """Whether a symbol has the written name and is where its qualifiers say: `spring.datasource.url` is not a function
    `url`. A module's own name has a suffix."""
    if hit.how != "exact" and not (hit.how in _NEARLY and hit.node.kind == "module"):
        return False
    written = names.identifier(wanted.query)
    if written is None or not written.qualifiers:
        return hit.how == "exact"
    return _share_around(hit.node, written.qualifiers) == 1


def _near(ranked: list[Hit], exact: list[Hit]) -> list[Hit]:
    """Hits with other names, outside tests, one for each name."""
    known = {hit.node.name for hit in exact}
    found: dict[str, Hit] = {}
    for hit in ranked:
        if hit.how and hit.node.name not in known and not is_test(hit.node):
            found.setdefault(hit.node.name, hit)
    return list(found.values())[: name_weights.NEAR_SHOWN]


def _without_tests(hits: list[Hit], wanted: Wanted, is_about_tests: bool) -> tuple[list[Hit], Counter[str]]:
    """Hits outside tests, and how many of the first are in tests, by file. Tests stay if they are asked for or are the
    only hits."""
    first = hits[: wanted.limit]
    shown = [hit for hit in hits if not is_test(hit.node)]
    if wanted.tests != "fold" or is_about_tests or not shown:
        return hits, Counter()
    return shown, Counter(hit.node.path for hit in first if is_test(hit.node))


def _mode(mode: Mode, query: str) -> Mode:
    if mode == "features":
        raise BadRequest("this graph has no functional view: search with mode auto, snippets, symbol or similar")
    if mode != "auto":
        return mode
    return "similar" if is_code(query) else "snippets"


def is_code(text: str) -> bool:
    """Whether a text of several lines is code, not prose that mentions code."""
    if "\n" not in text or not _STATEMENT.search(text):
        return False
    return len(_MARK.findall(text)) >= similarity_weights.MARKS_OF_CODE * len(text.split())


_MARK = re.compile(r"[()\[\]{}=]")
_STATEMENT = re.compile(
    r"[{};]\s*$|^\s*(def|class|func|fn|function|return|if|for|const|let|var|import|public)\b.*[({:=]", re.M
)


class _Search:
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
        self._question = SearchQuery.of(query, wanted.in_code, as_question)
        self.is_about_tests = self._question.about_tests
        self._embedder, self.note = _embedder(self._units.statistics)
        self._chosen = model
        self.weak = ""
        self._ordered = ordered
        self._spelled = {
            term: token.decode() for token in words.tokens(f"{query} {wanted.in_code}") for term in words.terms(token)
        }

    def by_words(self) -> list[Hit]:
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
        ranked = rank(
            self._index, self._question, built_in(), self._embedder, self._allowed(), candidates, enough, model
        )
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
            like = names.like(self._index, text)
            if match == "exact":
                like = [each for each in like if each.how in ("exact", "spelling")]
        return self._named(like, written.qualifiers if written else (), {})

    def by_name_and_words(self) -> list[Hit]:
        written = names.identifier(self._query)
        assert written is not None
        ranked = self._ranked() if self._question.terms else []
        by_unit = {found.unit: found.score for found in ranked}
        listed = ",".join(map(str, by_unit))
        rows = self._index.rows(f"SELECT symbol, unit FROM search_units WHERE unit IN ({listed})")
        shares = {row: by_unit[unit] for row, unit in rows}
        like = [each for each in names.like(self._index, written.name) if each.score >= name_weights.LEAST_LIKELY_NAME]
        named = self._named(like, written.qualifiers, shares)
        known = {hit.node.row for hit in named}
        return named + [hit for hit in self._first_hits(ranked) if hit.node.row not in known]

    def by_likeness(self) -> list[Hit]:
        by_words = (
            {hit.node.row: hit for hit in self.by_words()[: similarity_weights.BY_WORDS]}
            if self._question.terms
            else {}
        )
        scores = {row: hit.score for row, hit in by_words.items()}
        like = similar(
            self._index,
            self._query,
            scores,
            self.admits,
            self._wanted.offset + self._wanted.limit,
        )
        rows = ",".join(str(hit.node.row) for hit in like)
        texts: dict[int, str] = dict(self._index.rows(f"SELECT id, hash FROM symbols WHERE id IN ({rows})"))
        return [replace(hit, text=texts[hit.node.row]) for hit in like]

    def explained(self, hit: Hit) -> Hit:
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

    def _hits(self, ranked: list[RankedUnit]) -> list[Hit]:
        known = symbols_of(self._index, [found.unit for found in ranked])
        hits = []
        for found in ranked:
            if found.unit in known:
                node, text = known[found.unit]
                if self._is_wanted(node):
                    hits.append(Hit(node=node, score=found.score, text=text))
        return hits

    def _named(self, like: list[names.Likeness], qualifiers: tuple[str, ...], lexical: dict[int, float]) -> list[Hit]:
        found: list[tuple[float, Node, str]] = []
        about_tests = self._question.about_tests
        highest = name_weights.EXACT + name_weights.LEXICAL + (name_weights.QUALIFIED if qualifiers else 0.0)
        enough = name_weights.ENOUGH * (self._wanted.offset + self._wanted.limit)
        for at in range(0, len(like), name_weights.NAMES_AT_ONCE):
            by_name = {each.name: each for each in like[at : at + name_weights.NAMES_AT_ONCE]}
            for node in nodes_called(self._index, list(by_name)):
                if node.kind in _NAMELESS or not self._is_wanted(node) or not self._path_is_wanted(node):
                    continue
                each = by_name[node.name]
                score = each.score + name_weights.LEXICAL * lexical.get(node.row, 0.0)
                if qualifiers:
                    score += name_weights.QUALIFIED * _share_around(node, qualifiers)
                if not about_tests and is_test(node):
                    score -= name_weights.TESTS_BEHIND
                if node.kind not in _DEFINED:
                    score -= name_weights.NO_DEFINITION_BEHIND
                found.append((score, node, each.how))
            if len(found) >= enough:
                break
        found.sort(key=lambda each: (-each[0], len(each[1].path), each[1].row))
        return [Hit(node=node, score=max(0.0, min(1.0, score / highest)), how=how) for score, node, how in found]

    def admits(self, node: Node) -> bool:
        return self._is_wanted(node) and self._path_is_wanted(node)

    def _is_wanted(self, node: Node) -> bool:
        if self._wanted.tests in ("only", "none") and is_test(node) != (self._wanted.tests == "only"):
            return False
        return not self._wanted.kinds or node.kind in self._wanted.kinds

    def _path_is_wanted(self, node: Node) -> bool:
        return all(test(node.path, node.language) for test in self._tests())

    def _tests(self) -> list[Callable[[str, str], bool]]:
        """The condition on a file's path and language."""
        wanted = self._wanted
        tests: list[Callable[[str, str], bool]] = []
        if wanted.content == "code":
            tests.append(lambda path, language: language not in DOCUMENTS)
        elif wanted.content == "docs":
            tests.append(lambda path, language: language in DOCUMENTS)
        if wanted.language:
            tests.append(lambda path, language: language == wanted.language.lower())
        if wanted.path:
            inside = path_filter(wanted.path)
            tests.append(lambda path, language: inside(path))
        if wanted.exclude_path:
            outside = path_filter(wanted.exclude_path)
            tests.append(lambda path, language: not outside(path))
        if wanted.package:
            of_package = in_package(self._index, wanted.package)
            tests.append(lambda path, language: of_package(path))
        if wanted.within:
            has_place = place_filter(self._index, wanted.within)
            tests.append(lambda path, language: has_place(path))
        return tests

    def _allowed(self) -> Array | None:
        """For each unit whether its file may be found; None if all may."""
        wanted = self._wanted
        known = self._units
        tests = self._tests()
        if wanted.content == "code" and DOCUMENTS.isdisjoint(known.statistics.languages):
            tests = tests[1:]
        if not tests:
            return None
        filters = (wanted.content, wanted.language, wanted.path, wanted.exclude_path, wanted.package, wanted.within)
        return known.of_files(filters, lambda path, language: all(test(path, language) for test in tests))


_DEFINED = frozenset(
    {"class", "interface", "enum", "struct", "trait", "type", "function", "method", "property", "module"}
)
_NAMED = _DEFINED | {"constant"}
"""Kinds that an exact name means. A field may have the name only by chance."""
_NEARLY = frozenset({"exact", "spelling", "letters"})
"""Kinds of match in which the name is the written one, except for its spelling."""
_NAMELESS = frozenset({"directory", "section", "file"})


def _enough(shown: int) -> int:
    return max(ranking_weights.ENOUGH * min(shown, ranking_weights.MANY), ranking_weights.ENOUGH_OF_MANY * shown)


def _embedder(known: Statistics) -> tuple[Embedder | None, str]:
    embedder = built_in()
    if known.embedder == embedder.name:
        return embedder, ""
    return None, f"vectors of {known.embedder!r} are not used: that model is not here, so words alone decide"


def _folded(hits: Iterable[Hit]) -> list[Hit]:
    """Copies of an earlier hit (same name, same text) become part of it."""
    distinct: list[Hit] = []
    places: dict[tuple[str, str, str], int] = {}
    for hit in hits:
        node = hit.node
        key = (node.name, node.signature, hit.text)
        if hit.text and key in places:
            distinct[places[key]].copies.append(node)
        else:
            places[key] = len(distinct)
            distinct.append(hit)
    return distinct


def _spread(hits: list[Hit], start: int) -> list[Hit]:
    """From `start` on, hits of files that were shown twice rank after those of other files."""
    shown = Counter(hit.node.path for hit in hits[:start])
    front, postponed = hits[:start], []
    for hit in hits[start:]:
        if shown[hit.node.path] < ranking_weights.SPREAD_TO:
            shown[hit.node.path] += 1
            front.append(hit)
        else:
            postponed.append(hit)
    return front + postponed
