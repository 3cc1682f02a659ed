"""The evidence for an answer: excerpts that together explain what was asked, within a budget.

In: an index, a question, what search finds for it, a number of tokens. Out: pieces of source, what answers first, each
with the reason for including it, and whether they are likely to contain an answer at all. Nothing is shown twice.
excerpt_choice.py decides how one symbol is shown. No rendering here, no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer import excerpts
from rpg.queries.answer.answerability import Coverage, coverage_of
from rpg.queries.answer.call_order import Step, flow
from rpg.queries.answer.central_parts import central, overview, topic
from rpg.queries.answer.citations import Lines
from rpg.queries.answer.excerpt_choice import (
    Piece,
    cost,
    exclude_pieces,
    find_inner_pieces,
    forms,
    is_frame,
    join_runs,
    piece_of,
    show,
)
from rpg.queries.answer.graph_expansion import Candidate, candidates
from rpg.queries.answer.question_analysis import Question, analyse_question
from rpg.queries.graph.budget import BYTES_PER_TOKEN
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.sources import Sources, sources
from rpg.queries.search.hits import Content, Hit, Wanted
from rpg.queries.search.meaning.model_meaning import QuestionEmbedder
from rpg.queries.search.naming.own_name import remove_own_name
from rpg.queries.search.order.question_order import is_test
from rpg.queries.search.order.ranking import is_about_tests
from rpg.queries.search.search import bare_hits
from rpg.stores.index.hierarchy_reads import list_bases

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class Filters(NamedTuple):
    """As in search, except that tests are ranked with the rest unless they are left out or are all that is asked
    for."""

    kinds: tuple[str, ...] = ()
    language: str = ""
    path: str = ""
    exclude_path: str = ""
    package: str = ""
    content: Content = "code"
    min_score: float = 0.0
    tests: Literal["all", "only", "none"] = "all"


NO_FILTERS = Filters()


class Candidates(NamedTuple):
    question: Question
    candidates: tuple[Candidate, ...]
    """Best first."""
    coverage: Coverage


class Evidence(NamedTuple):
    question: Question
    pieces: tuple[Piece, ...]
    """What answers first."""
    outlines: tuple[Piece, ...]
    """Related symbols, shown only by their signature."""
    tokens: int
    rest: tuple[Candidate, ...]
    """Relevant candidates for which there was no room, best first."""
    coverage: Coverage
    """Whether this is likely to contain an answer at all."""
    calls: tuple[Step, ...] = ()
    """How the symbols shown call one another."""

    @property
    def lines(self) -> list[Lines]:
        return [lines for piece in (*self.pieces, *self.outlines) for lines in piece.lines]

    @property
    def doubt(self) -> str:
        """Why this may not contain an answer; empty if it is likely to."""
        if not self.pieces:
            return "not found in this repository: nothing in it resembles the question"
        if not self.coverage.is_weak:
            return ""
        nearest = "documents do, and come first" if self.coverage.is_documented else "nearest by meaning and use"
        words = ", ".join(f'"{word}"' for word in self.coverage.unknown)
        return f"weak: nothing here names {words}; {nearest}"

    @property
    def files(self) -> int:
        return len({piece.node.path for piece in (*self.pieces, *self.outlines)})


def gather(index: Index, text: str, max_tokens: int, filters: Filters = NO_FILTERS) -> Evidence:
    return pack_evidence(index, find(index, text, filters), max_tokens)


def find(
    index: Index,
    text: str,
    filters: Filters = NO_FILTERS,
    model: QuestionEmbedder | None = None,
    in_code: str = "",
) -> Candidates:
    """What may be shown, before any budget. If code by itself supports no answer, the documents that do come first.
    `in_code`: words and names that the code may use for the question."""
    question = analyse_question(text, in_code, remove_own_name(index, text))
    found = find_candidates(index, question, filters, model)
    if found.coverage.enough or filters.content != "code":
        return found
    documents, covered = documents_on(index, question, filters)
    coverage = found.coverage._replace(best_hit=max(found.coverage.best_hit, covered))
    if not documents:
        return found._replace(coverage=coverage)
    best = max((candidate.score for candidate in found.candidates), default=1.0)
    first = [Candidate(node, best, "match", "", seed=True) for node in documents]
    documented = {node.row for node in documents}
    rest = [candidate for candidate in found.candidates if candidate.node.row not in documented]
    return Candidates(question, (*first, *rest), coverage._replace(is_documented=True))


def documents_on(index: Index, question: Question, filters: Filters) -> tuple[list[Node], float]:
    """The best few documents, if one of them is about the question; and the most of its information that one has."""
    if not question.terms:
        return [], 0.0
    wanted = filters._replace(content="docs")._asdict()
    hits = bare_hits(index, Wanted(query=question.search_text, mode="snippets", limit=weights.SPOKEN_BY, **wanted))
    hits = [hit for hit in hits if not is_history(hit.node.path)]
    likeness = {hit.node.row: hit.score for hit in hits}
    covered = max((hit.covered for hit in hits), default=0.0)
    if coverage_of(index, question, likeness, sources(index)).share < weights.ENOUGH_IN_DOCUMENTS:
        return [], covered
    return [hit.node for hit in hits[: weights.DOCUMENTS]], covered


def is_history(path: str) -> bool:
    """Whether a document lists what was changed: it has the words of everything, and says how nothing works."""
    return _HISTORY.match(path.rpartition("/")[2]) is not None


_HISTORY = re.compile(
    r"(change ?log|changes|history|news|releases?|release[-_]notes|upgrad(e|ing)|whats?[-_]?new)\b", re.I
)


def find_candidates(index: Index, question: Question, filters: Filters, model: QuestionEmbedder | None) -> Candidates:
    likeness, best_hit = alike(index, question, filters, model)
    if question.asks == "overview":
        return Candidates(question, tuple(overview(index, question, likeness)), Coverage(1.0, ()))
    found = candidates(index, question, likeness)
    if question.asks in ("how", "where") and found:
        found = add_parts(index, found, likeness)
    # Context comes from the same part of the repository.
    part = Filter(filters.path, filters.exclude_path, filters.tests)
    found = [each for each in found if part.admits(each.node.path, each.node.test)]
    if any(candidate.role == "named" and candidate.score == weights.NAMED for candidate in found):
        return Candidates(question, tuple(found), Coverage(1.0, ()))
    coverage = coverage_of(index, question, likeness, sources(index))
    return Candidates(question, tuple(found), coverage._replace(best_hit=best_hit))


def add_parts(index: Index, found: list[Candidate], likeness: Mapping[int, float]) -> list[Candidate]:
    """Adds the central classes of the topic, which a newcomer needs in order to follow the rest: those around what was
    found, and their bases."""
    best = found[: weights.PARTS_AFTER]
    shown = {candidate.node.row for candidate in best}
    near = shown | {
        candidate.node.parent for candidate in found[: 2 * weights.PARTS_AFTER] if candidate.node.parent is not None
    }
    near.update(list_bases(index, [*near]))
    parts = [
        part._replace(score=best[-1].score * part.score * weights.RUNS_NOTHING)
        for part, _ in central(index, topic(index, likeness), likeness, weights.PARTS)
        if part.node.row in near - shown and excerpts.is_class(part.node)
    ]
    together = {candidate.node.row: candidate for candidate in found}
    for part in parts:
        before = together.get(part.node.row)
        together[part.node.row] = part._replace(score=max(part.score, before.score)) if before else part
    return sorted(together.values(), key=lambda candidate: (-candidate.score, candidate.node.row))


def alike(
    index: Index, question: Question, filters: Filters, model: QuestionEmbedder | None
) -> tuple[dict[int, float], float]:
    """Symbols by row with their similarity to the question as search finds it, the best one has 1; and the most of the
    question's information that one of them has."""
    if not question.terms:
        return {}, 1.0
    wanted = Wanted(query=question.search_text, mode="snippets", limit=weights.SEARCHED, **filters._asdict())
    hits = bare_hits(index, wanted, model, as_question=True)
    covered = max((hit.covered for hit in hits[: weights.BEST_AMONG]), default=0.0)
    behind = filters.tests == "all" and not is_about_tests(question.terms)
    found = shares(hits, behind)
    if question.in_code:
        for row, share in shares(bare_hits(index, replace(wanted, query=question.in_code), model), behind).items():
            found[row] = found.get(row, 0.0) + weights.IN_CODE * share
    if question.about:
        for row, share in shares(bare_hits(index, replace(wanted, query=question.about), model), behind).items():
            found[row] = found.get(row, 0.0) + weights.ABOUT * share
    best = max(found.values(), default=1.0)
    return {row: share / best for row, share in found.items()}, covered


def shares(hits: Sequence[Hit], behind: bool) -> dict[int, float]:
    """`behind`: whether tests are. If a hundred symbols are nearly as similar as the best one, the small differences
    carry the information."""
    best = max((hit.score for hit in hits), default=0.0)
    least = weights.CONTRAST * min((hit.score for hit in hits), default=0.0) if len(hits) == weights.SEARCHED else 0.0
    found = {hit.node.row: (hit.score - least) / (best - least) for hit in hits if best > least}
    for hit in hits if behind else ():
        if hit.node.row in found and is_test(hit.node):
            found[hit.node.row] *= weights.TESTS_ALIKE
    return found


def pack_evidence(index: Index, found: Candidates, max_tokens: int, most: int = weights.MOST_PIECES) -> Evidence:
    """`most`: the number of pieces; whatever comes after them is shown by its signature."""
    text, question = sources(index), found.question
    best = max((candidate.score for candidate in found.candidates), default=0.0)
    worth = [candidate for candidate in found.candidates if candidate.score >= weights.WORTH * best]
    shown: dict[str, set[int]] = {}
    pieces: list[Piece] = []
    later: list[Candidate] = []
    packing = packing_for(found, max_tokens)
    left = max_tokens * (1 - packing.outline_share - packing.names_share - weights.CALLS_SHARE)
    in_vain = 0
    for candidate in worth:
        if len(pieces) >= most or in_vain >= weights.MOST_IN_VAIN:
            later.append(candidate)
            continue
        inner = find_inner_pieces(candidate, pieces)
        if left < weights.LEAST_ROOM * max_tokens and not inner:
            later.append(candidate)
            continue
        seen = exclude_pieces(shown, inner)
        for runs in forms(index, text, candidate, question, len(pieces), max_tokens, packing):
            piece = piece_of(text, candidate, join_runs(runs, inner) if inner else runs, seen)
            if piece is None:
                break
            more = cost(piece) - sum(map(cost, inner))
            if more <= left and cost(piece) <= packing.largest_share * max_tokens:
                left -= more
                pieces = [*(each for each in pieces if each not in inner), piece]
                if not is_frame(piece):
                    show(piece, shown)
                in_vain = 0
                break
        else:
            later.append(candidate)
            in_vain += 1
    pieces, freed = trim_frames(text, pieces, shown)
    if packing.names_share:
        room = left + freed + packing.names_share * max_tokens
        pieces, later, left = add_names(text, pieces, later, most, shown, room)
        pieces, left = show_in_full(text, pieces, shown, left)
        freed = 0.0
    left += max_tokens * packing.outline_share + freed
    outlines: list[Piece] = []
    for candidate in later:
        if left < weights.LEAST_OUTLINE:
            break
        lines = text.lines(candidate.node.path)
        piece = piece_of(text, candidate, excerpts.outline(lines, candidate.node), shown) if lines else None
        if piece and cost(piece) <= left:
            left -= cost(piece)
            show(piece, shown)
            outlines.append(piece)
    calls = (
        calls_of([*pieces, *outlines[: weights.OUTLINES_TOLD]], index, max_tokens * weights.CALLS_SHARE)
        if question.asks in weights.CALLS_TOLD
        else []
    )
    used = int(max_tokens * (1 - weights.CALLS_SHARE) - left + sum(map(step_cost, calls)))
    if question.asks != "overview":
        pieces.sort(key=lambda piece: -piece.candidate.score)
    outlines.sort(key=lambda piece: (piece.node.path, piece.node.start_line))
    taken = {piece.node.row for piece in (*pieces, *outlines)}
    rest = tuple(each for each in worth if each.node.row not in taken and not is_seen(each.node, shown))
    return Evidence(question, tuple(pieces), tuple(outlines), used, rest, found.coverage, tuple(calls))


def is_seen(node: Node, shown: Mapping[str, set[int]]) -> bool:
    """Whether the lines shown of others have its name already."""
    return (node.name_line or node.start_line) in shown.get(node.path, ())


def packing_for(found: Candidates, max_tokens: int) -> weights.Packing:
    if max_tokens <= weights.FEW_TOKENS and found.question.asks != "overview":
        return weights.BRIEFLY
    return weights.SURE if found.coverage.in_code else weights.UNSURE


def add_names(
    text: Sources,
    pieces: Sequence[Piece],
    later: Sequence[Candidate],
    most: int,
    shown: dict[str, set[int]],
    room: float,
) -> tuple[list[Piece], list[Candidate], float]:
    """The pieces with as many more as there is room for, each shown by the line that has its name; what is left of the
    candidates; and of the room."""
    together, rest = list(pieces), []
    for candidate in later:
        may_fit = len(together) < most and least_name_cost(candidate.node) <= room
        lines = text.lines(candidate.node.path) if may_fit else None
        line = candidate.node.name_line
        piece = piece_of(text, candidate, [excerpts.Run(line, line)], shown) if lines and line else None
        if piece is None or name_cost(piece) > room:
            rest.append(candidate)
            continue
        room -= name_cost(piece)
        show(piece, shown)
        together.append(piece)
    return together, rest, room


def show_in_full(
    text: Sources, pieces: Sequence[Piece], shown: dict[str, set[int]], room: float
) -> tuple[list[Piece], float]:
    """The pieces, those shown by one line in full as far as there is room; and what is left of it."""
    together = []
    for piece in pieces:
        lines = text.lines(piece.node.path)
        if lines and piece.is_named and room > weights.LEAST_OUTLINE:
            whole = piece_of(text, piece.candidate, excerpts.whole(lines, piece.node), exclude_pieces(shown, [piece]))
            more = cost(whole) - name_cost(piece) if whole else 0.0
            if whole and more <= room:
                room -= more
                piece = whole
                show(piece, shown)
        together.append(piece)
    return together, room


def name_cost(piece: Piece) -> float:
    """Tokens of a symbol in one line."""
    line = min(len(piece.texts[0].strip().encode()), weights.NAME_WIDTH)
    return (len(piece.node.path) + line) / BYTES_PER_TOKEN + weights.NAME_OVERHEAD


def least_name_cost(node: Node) -> float:
    """The same before its file is read: the line has at least the name."""
    return (len(node.path) + min(len(node.name), weights.NAME_WIDTH)) / BYTES_PER_TOKEN + weights.NAME_OVERHEAD


def calls_of(pieces: Iterable[Piece], index: Index, room: float) -> list[Step]:
    """The calls between the best of them, as many as fit."""
    best = sorted(pieces, key=lambda piece: -piece.candidate.score)
    steps = flow(index, [piece.node for piece in best])
    fitting = []
    for step in steps:
        room -= step_cost(step)
        if room < 0:
            break
        fitting.append(step)
    return fitting


def step_cost(step: Step) -> float:
    return (len(str(step).encode()) + 4) / BYTES_PER_TOKEN


def trim_frames(text: Sources, pieces: Sequence[Piece], shown: dict[str, set[int]]) -> tuple[list[Piece], float]:
    """Frames without the lines that the other pieces contain, and the tokens that this saves."""
    remaining: list[Piece] = []
    freed = 0.0
    for piece in pieces:
        if not is_frame(piece):
            remaining.append(piece)
            continue
        rest = piece_of(text, piece.candidate, piece.runs, shown)
        freed += cost(piece) - (cost(rest) if rest else 0.0)
        if rest:
            show(rest, shown)
            remaining.append(rest)
    return remaining, freed
