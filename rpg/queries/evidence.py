"""The evidence for an answer: excerpts that together explain what was asked, within a budget.

In: an index, a question, what search finds for it, a number of tokens. Out: pieces of source in reading order, each
with its reason for being there, and whether they are likely to hold an answer at all. Definitions come before their
uses; what is shown is shown once. No rendering here (document.py, prompt.py), no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries import excerpts, synonyms
from rpg.queries.budget import BYTES_PER_TOKEN
from rpg.queries.carrying import Carried, carried
from rpg.queries.citations import Lines
from rpg.queries.excerpts import Run
from rpg.queries.nodes import Node, batches, marks, nodes
from rpg.queries.overview import central, overview, topic
from rpg.queries.questions import Question, understood
from rpg.queries.search import Content, Hit, Wanted, search
from rpg.queries.sources import Sources, sources
from rpg.queries.widen import NAMED, Candidate, candidates
from rpg.words import text_terms

if TYPE_CHECKING:
    from rpg.stores.index import Index

PIECE_OVERHEAD = 24
"""Tokens of a piece beside its source: name, place and reason."""
CONTRAST = 0.8
"""How much of the likeness that even the last hit has is taken from all."""
SYNONYMS = 0.9
"""What a word counts that stands in the place of one of the question's."""
SEARCHED = 100
"""Hits whose likeness counts beside the graph."""
WHOLE_LINES = ((4, 160), (8, 60), (16, 30), (10_000, 12))
"""Up to which rank a symbol of so many lines is shown whole."""
LARGEST_SHARE = 0.3
"""Of the budget, for one piece."""
OUTLINE_SHARE = 0.12
"""Of the budget, kept for what is shown by its signature alone."""
ENOUGH_IN_DOCUMENTS = 0.7
"""A long text speaks of many things without saying much of any."""
PARTS, PARTS_AFTER = 4, 8
"""Central symbols of the topic that are shown with their members, after so many of the best candidates."""
CRUMBS = 3
"""So few lines of a symbol whose name is shown already say nothing of their own."""
MATCHING = 10
"""Lines that match the question, in a symbol that is cut."""
WORTH = 0.12
"""A candidate of less than this share of the best one's score explains nothing more."""


class Filters(NamedTuple):
    """As in search."""

    kinds: tuple[str, ...] = ()
    language: str = ""
    path: str = ""
    exclude_path: str = ""
    package: str = ""
    content: Content = "code"
    min_score: float = 0.0


NO_FILTERS = Filters()


class Piece(NamedTuple):
    candidate: Candidate
    runs: tuple[Run, ...]
    texts: tuple[str, ...]
    """Of each run."""

    @property
    def node(self) -> Node:
        return self.candidate.node

    @property
    def lines(self) -> list[Lines]:
        return [Lines(self.node.path, run.start, run.end) for run in self.runs]

    @property
    def whole(self) -> bool:
        return self.runs == (Run(self.node.start_line, self.node.end_line),)


class Found(NamedTuple):
    question: Question
    candidates: tuple[Candidate, ...]
    """Best first."""
    carried: Carried


class Evidence(NamedTuple):
    question: Question
    pieces: tuple[Piece, ...]
    """In reading order."""
    outlines: tuple[Piece, ...]
    """What is related, by its signature alone."""
    tokens: int
    left_out: int
    """Candidates worth showing that found no room."""
    carried: Carried
    """Whether this is likely to hold an answer at all."""

    @property
    def lines(self) -> list[Lines]:
        return [lines for piece in (*self.pieces, *self.outlines) for lines in piece.lines]

    @property
    def doubt(self) -> str:
        """Why this is not likely to hold an answer; empty where it is."""
        if not self.pieces:
            return "not found in this repository: nothing in it is like the question"
        if self.carried.enough:
            return ""
        words = ", ".join(self.carried.unknown)
        return "probably not in this repository: no symbol speaks of it" + (
            f" (of {words})" if words else " as a whole"
        )

    @property
    def files(self) -> int:
        return len({piece.node.path for piece in (*self.pieces, *self.outlines)})


def gather(index: Index, text: str, max_tokens: int, filters: Filters = NO_FILTERS) -> Evidence:
    return packed(index, find(index, text, filters), max_tokens)


def find(index: Index, text: str, filters: Filters = NO_FILTERS) -> Found:
    """What may be shown, before any budget. Where code alone carries no answer, documents are asked as well."""
    question = understood(text)
    found = found_in(index, question, filters)
    if not found.carried.enough and filters.content == "code":
        also = found_in(index, question, filters._replace(content="all"))
        if also.carried.share >= ENOUGH_IN_DOCUMENTS:
            return also
    return found


def found_in(index: Index, question: Question, filters: Filters) -> Found:
    likeness = alike(index, question, filters)
    if question.asks == "overview":
        return Found(question, tuple(overview(index, question, likeness)), Carried(1.0, ()))
    found = candidates(index, question, likeness)
    if question.asks in ("how", "where") and found:
        found = with_parts(index, found, likeness)
    if any(candidate.role == "named" and candidate.score == NAMED for candidate in found):
        return Found(question, tuple(found), Carried(1.0, ()))
    return Found(question, tuple(found), carried(index, question, likeness, sources(index)))


def with_parts(index: Index, found: list[Candidate], likeness: Mapping[int, float]) -> list[Candidate]:
    """The central symbols of the topic join, for whoever does not know them cannot follow the rest."""
    known = {candidate.node.row for candidate in found[:PARTS_AFTER]}
    score = found[min(PARTS_AFTER, len(found)) - 1].score
    parts = [
        part._replace(score=score * part.score)
        for part in central(index, topic(index, likeness), likeness, PARTS)
        if part.node.row not in known and excerpts.is_class(part.node)
    ]
    rows = {part.node.row for part in parts}
    return sorted(
        [*(candidate for candidate in found if candidate.node.row not in rows), *parts],
        key=lambda candidate: (-candidate.score, candidate.node.row),
    )


def alike(index: Index, question: Question, filters: Filters) -> dict[int, float]:
    """Symbols by row with how alike search finds them to the question; the best one has 1."""
    if not question.terms:
        return {}
    hits = search(index, Wanted(query=question.text, mode="snippets", limit=SEARCHED, **filters._asdict())).hits
    found = shares(hits)
    others = synonyms.others(question.terms)
    if others and SYNONYMS:
        wider = Wanted(
            query=f"{question.text} {' '.join(others)}", mode="snippets", limit=SEARCHED, **filters._asdict()
        )
        for row, share in shares(search(index, wider).hits).items():
            found[row] = found.get(row, 0.0) + SYNONYMS * share
    best = max(found.values(), default=1.0)
    return {row: share / best for row, share in found.items()}


def shares(hits: Sequence[Hit]) -> dict[int, float]:
    """Where a hundred symbols are nearly as alike as the best one, the small differences are what is known."""
    best = max((hit.score for hit in hits), default=0.0)
    least = CONTRAST * min((hit.score for hit in hits), default=0.0) if len(hits) == SEARCHED else 0.0
    return {hit.node.row: (hit.score - least) / (best - least) for hit in hits if best > least}


def packed(index: Index, found: Found, max_tokens: int) -> Evidence:
    text, question = sources(index), found.question
    best = max((candidate.score for candidate in found.candidates), default=0.0)
    worth = [candidate for candidate in found.candidates if candidate.score >= WORTH * best]
    shown: dict[str, set[int]] = {}
    pieces: list[Piece] = []
    later: list[Candidate] = []
    left = max_tokens * (1 - OUTLINE_SHARE)
    for candidate in worth:
        for runs in forms(index, text, candidate, question, len(pieces)):
            piece = piece_of(text, candidate, runs, shown)
            if piece is None:
                break
            if cost(piece) <= min(left, LARGEST_SHARE * max_tokens):
                left -= cost(piece)
                show(piece, shown)
                pieces.append(piece)
                break
        else:
            later.append(candidate)
    left += max_tokens * OUTLINE_SHARE
    outlines: list[Piece] = []
    omitted = 0
    for candidate in later:
        lines = text.lines(candidate.node.path)
        piece = piece_of(text, candidate, excerpts.outline(lines, candidate.node), shown) if lines else None
        if piece and cost(piece) <= left:
            left -= cost(piece)
            show(piece, shown)
            outlines.append(piece)
        else:
            omitted += piece is not None
    ordered = reading_order(index, pieces) if question.asks != "overview" else pieces
    outlines.sort(key=lambda piece: (piece.node.path, piece.node.start_line))
    return Evidence(question, tuple(ordered), tuple(outlines), int(max_tokens - left), omitted, found.carried)


def forms(index: Index, text: Sources, candidate: Candidate, question: Question, rank: int) -> Iterator[list[Run]]:
    """The ways in which a symbol may be shown, the fullest first."""
    node = candidate.node
    lines = text.lines(node.path)
    if not lines or not node.start_line:
        return
    size = node.end_line - node.start_line + 1
    limit = next(limit for upto, limit in WHOLE_LINES if rank < upto)
    if question.asks == "overview" or candidate.role == "part":
        yield excerpts.opening(lines, node) if node.is_file else excerpts.cut(lines, node, candidate.lines, around=0)
        return
    user = question.asks in ("who", "breaks") and not candidate.seed
    if size <= limit and not node.is_file and not (user and size > WHOLE_LINES[-1][1]) and candidate.role != "around":
        yield excerpts.whole(lines, node)
    if node.is_file or excerpts.is_class(node):
        yield excerpts.cut(lines, node, in_container(index, lines, candidate, question), around=0)
        return
    if not user:
        matching = excerpts.matching_lines(lines, node, question.terms, MATCHING)
        yield excerpts.cut(lines, node, {*candidate.lines, *matching})
    yield excerpts.cut(lines, node, candidate.lines)


def in_container(index: Index, lines: list[str], candidate: Candidate, question: Question) -> set[int]:
    """Of a class or file: matching lines outside of its members, and the names of members that match."""
    members = nodes(index, "s.parent = ?", (candidate.node.row,))
    inner = {line for member in members for line in range(member.start_line, member.end_line + 1)}
    matter = set(excerpts.matching_lines(lines, candidate.node, question.terms, len(lines))) - inner
    like = [member.name_line for member in members if set(question.terms).intersection(text_terms(member.name))]
    return {*sorted(matter)[:MATCHING], *like[:MATCHING], *candidate.lines}


def piece_of(text: Sources, candidate: Candidate, runs: Iterable[Run], shown: dict[str, set[int]]) -> Piece | None:
    """Without the lines that stand in the evidence already; None where nothing is left."""
    lines = text.lines(candidate.node.path) or []
    seen = shown.get(candidate.node.path, set())
    fresh = [line for run in runs for line in range(run.start, run.end + 1) if line not in seen]
    if not any(lines[line - 1].strip() for line in fresh):
        return None
    if candidate.node.name_line in seen and len(fresh) < CRUMBS:
        return None
    kept = excerpts.consecutive(excerpts.trimmed(lines, fresh))
    return Piece(candidate, tuple(kept), tuple("\n".join(lines[run.start - 1 : run.end]) for run in kept))


def show(piece: Piece, shown: dict[str, set[int]]) -> None:
    seen = shown.setdefault(piece.node.path, set())
    for run in piece.runs:
        seen.update(range(run.start, run.end + 1))


def cost(piece: Piece) -> float:
    return PIECE_OVERHEAD + sum(len(text.encode()) for text in piece.texts) / BYTES_PER_TOKEN


def reading_order(index: Index, pieces: Sequence[Piece]) -> list[Piece]:
    """What a piece uses stands before it, and beside it; the best piece's surroundings come first."""
    by_row = {piece.node.row: piece for piece in pieces}
    uses: dict[int, list[int]] = {row: [] for row in by_row}
    for batch in batches(by_row):
        for source, target, kind in index.rows(
            f"SELECT source, target, kind FROM edges WHERE source IN ({marks(batch)}) "
            "AND kind IN ('contains', 'calls', 'references', 'inherits', 'overrides')",
            batch,
        ):
            if target in by_row and source != target:
                # A class is read before its members.
                first, then = (source, target) if kind == "contains" else (target, source)
                uses[then].append(first)
    placed: dict[int, Piece] = {}
    for piece in pieces:
        place(piece.node.row, by_row, uses, placed, set())
    return list(placed.values())


def place(
    row: int,
    pieces: Mapping[int, Piece],
    uses: Mapping[int, Sequence[int]],
    placed: dict[int, Piece],
    open_: set[int],
) -> None:
    if row in placed or row in open_:
        return
    open_.add(row)
    for used in sorted(uses[row], key=lambda used: (pieces[used].node.path, pieces[used].node.start_line)):
        place(used, pieces, uses, placed, open_)
    placed[row] = pieces[row]
