"""Symbols for a query: a sentence, a bug report, half a name, a pasted snippet.

In: an index and the query. Out: hits, best first, with a score from 0 to 1 and why they matched. A query that looks
like an identifier tries names first; everything else goes by words and vectors (ranking.py). Tests rank after what they
test; copies of a hit are folded into it.

Absent: rendering, excerpts, budgets.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from rpg.errors import BadRequest
from rpg.queries.names.titled import find_by_title, looks_like_title
from rpg.queries.search.admission import Admission
from rpg.queries.search.hits import Answer, Hit, Mode, Wanted
from rpg.queries.search.issue_text import is_report
from rpg.queries.search.listing import list_symbols
from rpg.queries.search.meaning import similarity_weights
from rpg.queries.search.meaning.model_meaning import QuestionEmbedder
from rpg.queries.search.naming import names
from rpg.queries.search.naming.own_name import remove_own_name
from rpg.queries.search.order import ranking_weights
from rpg.queries.search.order.file_order import order_by_file
from rpg.queries.search.order.hit_lists import (
    NEARLY,
    count_before_fall,
    find_exact,
    fold_tests,
    is_as_written,
    merge_copies,
    otherwise_named,
    spread_over_files,
)
from rpg.queries.search.order.question_order import is_question, order_by_question
from rpg.queries.search.order.ranked_hits import Ordered, RankedHits
from rpg.queries.search.order.ranking import RankedUnit, boost_related
from rpg.queries.search.text.by_text import (
    is_read_as_text,
    name_matches,
    recognise_text,
    sentence_matches,
    text_answer,
    word_matches,
)
from rpg.queries.search.uses import times_used

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
        return list_symbols(index, wanted)
    titled = _find_titled(index, wanted)
    if not titled:
        return _find_hits(index, wanted, model)
    answer = _find_hits(index, replace(wanted, limit=max(1, wanted.limit - len(titled))), model)
    known = {hit.node.row for hit in titled}
    others = [hit for hit in answer.hits if hit.node.row not in known]
    return replace(answer, hits=[*titled, *others][: wanted.limit])


def _find_titled(index: Index, wanted: Wanted) -> list[Hit]:
    """The tests whose whole title was written, which come first. A short title may as well be a question, and tests
    must not hide code."""
    query = wanted.query.strip()
    if wanted.mode not in ("auto", "symbol") or wanted.tests == "none" or wanted.offset or "\n" in query:
        return []
    if len(query.split()) < ranking_weights.TITLE_WORDS and not (wanted.mode == "symbol" and looks_like_title(query)):
        return []
    admission = Admission(index, wanted)
    found = [node for node in find_by_title(index, query) if admission.admits(node)]
    return [Hit(node=node, score=1.0, how="title", test=True) for node in found[: ranking_weights.TITLED]]


def _find_hits(index: Index, wanted: Wanted, model: QuestionEmbedder | None) -> Answer:
    read_as_text = recognise_text(index, wanted) if wanted.mode == "auto" and not wanted.in_code else None
    if read_as_text is not None:
        return read_as_text
    ranked, answer = _search(index, wanted, model, boost_related, is_trimmed=True)
    answer = replace(answer, hits=[ranked.explain_hit(hit) for hit in answer.hits])
    is_text = wanted.mode == "auto" and not wanted.in_code and is_read_as_text(index, wanted.query.strip())
    if is_text and not any(is_as_written(hit, wanted) for hit in answer.hits):
        answer = replace(answer, note="; ".join(filter(None, ("no line has it as written", answer.note))))
    if wanted.mode == "auto" and not any(is_as_written(hit, wanted) for hit in answer.hits):
        is_near = any(hit.how in NEARLY for hit in answer.hits)
        is_mistyped = bool(answer.hits) and all(hit.how == "typo" for hit in answer.hits)
        texts = word_matches(index, wanted) if is_mistyped else name_matches(index, wanted, is_near)
        if texts is not None and is_mistyped:  # what stands there is not misspelt
            return replace(
                answer,
                texts=texts,
                hits=[],
                next=None,
                tests=Counter(),
                note="nothing is called that: lines with the word",
            )
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
    return _search(index, wanted, model, keep_score_order, as_question=as_question)[1].hits


def keep_score_order(_: Index, ranked: list[RankedUnit]) -> list[RankedUnit]:
    return ranked


def _search(
    index: Index,
    wanted: Wanted,
    model: QuestionEmbedder | None,
    ordered: Ordered,
    is_trimmed: bool = False,
    as_question: bool = False,
) -> tuple[RankedHits, Answer]:
    """`is_trimmed`: an exact name, and names before the scores fall off, are an answer by themselves."""
    query = wanted.query.strip()
    if not query:
        raise BadRequest("an empty query: write what you are looking for, as a sentence, a name or a piece of code")
    if len(query) > LONGEST_QUESTION:
        raise BadRequest(f"a query of {len(query)} characters: give at most {LONGEST_QUESTION}, its most specific part")
    mode = _mode(wanted.mode, query)
    is_asked = is_trimmed and mode == "snippets" and is_question(query)
    if is_asked:
        query = remove_own_name(index, query)
    candidates = RankedHits(index, wanted, query, model, ordered, is_asked or as_question)
    exact: list[Hit] = []
    if mode == "symbol":
        ranked = candidates.by_name()
    elif wanted.mode == "auto" and names.identifier(query):
        ranked = candidates.rank_by_name_and_words()
        mode = "symbol" if ranked and ranked[0].how else "snippets"
        exact = find_exact(ranked) if is_trimmed else []
        if exact:
            ranked = exact + otherwise_named(ranked, exact)
    elif mode == "similar":
        ranked = candidates.rank_by_likeness()
    else:
        ranked = candidates.rank_by_words()
    if is_asked:
        ranked = order_by_question(index, ranked, candidates.admission.admits)
    hits = merge_copies(hit for hit in ranked if round(hit.score, ranking_weights.SCORE_DIGITS) >= wanted.min_score)
    hits, tests = fold_tests(hits, wanted, candidates.is_about_tests)
    if mode == "snippets" and is_trimmed:
        hits = order_by_file(hits, query, candidates.terms)
    elif mode == "snippets":
        hits = spread_over_files(hits, round(ranking_weights.SPREAD_FROM * wanted.limit))
    fall = sum(hit.how == "exact" for hit in hits) if exact else count_before_fall(hits, mode)
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
    note = "; ".join(filter(None, (candidates.weak if mode == "snippets" else "", candidates.note)))
    return candidates, Answer(hits=page, next=following, mode=mode, note=note, tests=tests)


def _mode(mode: Mode, query: str) -> Mode:
    if mode == "features":
        raise BadRequest("this graph has no functional view: search with mode auto, snippets, symbol or similar")
    if mode != "auto":
        return mode
    return "similar" if is_code(query) else "snippets"


def is_code(text: str) -> bool:
    """Whether a text of several lines is code, not prose that mentions code."""
    if "\n" not in text or is_report(text) or not _STATEMENT.search(text):
        return False
    return len(_MARK.findall(text)) >= similarity_weights.MARKS_OF_CODE * len(text.split())


_MARK = re.compile(r"[()\[\]{}=]")
_STATEMENT = re.compile(
    r"[{};][ \t]*$|^[ \t]*(def|class|func|fn|function|return|if|for|const|let|var|import|public)\b.*[({:=]", re.M
)
