"""Pieces of source for an answer: the ways to show one symbol, and what they cost.

In: a candidate, the sources, the lines shown already. Out: a piece: the whole symbol if it is small, else its signature
with the parts that matter. evidence.py decides which pieces are taken, and in which order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rpg.graph import FUNCTION_KINDS
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer import excerpts
from rpg.queries.answer.citations import Lines
from rpg.queries.answer.evidence_weights import Packing
from rpg.queries.answer.excerpts import Run
from rpg.queries.answer.graph_expansion import Candidate
from rpg.queries.answer.question_analysis import Question
from rpg.queries.graph.budget import BYTES_PER_TOKEN
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.nodes import members as inside_of
from rpg.queries.graph.sources import Sources
from rpg.text.words import text_terms

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class Piece(NamedTuple):
    candidate: Candidate
    runs: tuple[Run, ...]
    texts: tuple[str, ...]
    """One per run."""

    @property
    def node(self) -> Node:
        return self.candidate.node

    @property
    def lines(self) -> list[Lines]:
        return [Lines(self.node.path, run.start, run.end) for run in self.runs]

    @property
    def is_named(self) -> bool:
        """Whether only the line is shown that has its name."""
        line = self.node.name_line
        return not self.whole and bool(line) and self.runs == (Run(line, line),)

    @property
    def whole(self) -> bool:
        return self.runs == (Run(self.node.start_line, self.node.end_line),)


def forms(
    index: Index,
    text: Sources,
    candidate: Candidate,
    question: Question,
    rank: int,
    max_tokens: int,
    packing: Packing,
) -> Iterator[list[Run]]:
    """The ways to show a symbol, the fullest first. `rank`: how many better ones are shown already."""
    node = candidate.node
    lines = text.lines(node.path)
    if not lines or not node.start_line:
        return
    if question.asks == "overview":
        yield excerpts.opening(lines, node) if node.is_file else excerpts.select_lines(lines, node, candidate.marked)
        return
    user = question.asks in ("who", "breaks") and not candidate.seed
    if candidate.role not in ("around", "part") and not node.is_file:
        whole = excerpts.whole(lines, node)
        size = sum(len("\n".join(lines[run.start - 1 : run.end]).encode()) + 1 for run in whole)
        share = weights.USER_SHARE if user else next(share for upto, share in packing.whole_shares if rank < upto)
        if size <= share * max_tokens * BYTES_PER_TOKEN:
            yield whole
    if node.is_file or excerpts.is_class(node):
        yield excerpts.select_lines(lines, node, find_container_lines(index, lines, candidate, question))
        return
    if not user:
        most = packing.matching_in_best if rank < weights.BEST_CUT else packing.matching
        matching = excerpts.matching_lines(lines, node, question.subject, most)
        yield from fuller_forms(lines, node, excerpts.cut(lines, node, {*candidate.marked, *matching}))
        if rank < weights.BEST_CUT:  # what answers first is not only named because its blocks are long
            begins = matching or range(node.name_line, node.name_line + weights.BEGINNING)
            yield from fuller_forms(lines, node, excerpts.select_lines(lines, node, begins))
    yield from fuller_forms(lines, node, excerpts.cut(lines, node, candidate.marked))


def fuller_forms(lines: list[str], node: Node, runs: list[Run]) -> Iterator[list[Run]]:
    """The ways that show more than the signature, which costs less by itself."""
    if runs != excerpts.outline(lines, node):
        yield runs


def find_container_lines(index: Index, lines: list[str], candidate: Candidate, question: Question) -> set[int]:
    """For a class or file: matching lines outside its members, and the names of matching members."""
    members = inside_of(index, candidate.node.row)
    inner = {line for member in members for line in range(member.start_line, member.end_line + 1)}
    bodies = {line for member in members for line in range(member.name_line + 1, member.end_line + 1)}
    matter = excerpts.matching_lines(lines, candidate.node, question.subject, len(lines), inner)
    like = [
        member.name_line
        for member in members
        # What a method sets on its object is shown with the method.
        if member.name_line not in bodies and set(question.subject).intersection(text_terms(member.name))
    ]
    return {*matter[: weights.MEMBERS_MATCHING], *like[: weights.MEMBERS_MATCHING], *candidate.marked}


def piece_of(text: Sources, candidate: Candidate, runs: Iterable[Run], shown: Mapping[str, set[int]]) -> Piece | None:
    """Without the lines that are in the evidence already; None if nothing is left."""
    lines = text.lines(candidate.node.path) or []
    seen = shown.get(candidate.node.path, set())
    fresh = [line for run in runs for line in range(run.start, run.end + 1) if line not in seen]
    if not any(lines[line - 1].strip() for line in fresh):
        return None
    if candidate.node.name_line in seen and len(fresh) < weights.CRUMBS:
        return None
    shown_runs = excerpts.consecutive(excerpts.trim_blank_lines(lines, fresh))
    return Piece(candidate, tuple(shown_runs), tuple("\n".join(lines[run.start - 1 : run.end]) for run in shown_runs))


def cost(piece: Piece) -> float:
    return weights.PIECE_OVERHEAD + sum(len(text.encode()) for text in piece.texts) / BYTES_PER_TOKEN


def show(piece: Piece, shown: dict[str, set[int]]) -> None:
    seen = shown.setdefault(piece.node.path, set())
    for run in piece.runs:
        seen.update(range(run.start, run.end + 1))


def is_frame(piece: Piece) -> bool:
    """A class or file shown by its opening and some of its lines: its members appear in full if they are pieces."""
    node, runs = piece.node, piece.runs
    # In full it is one run, or two around the rest of a long doc comment.
    in_full = runs[0].start == node.start_line and runs[-1].end >= node.end_line and len(runs) <= 2
    return (node.is_file or excerpts.is_class(node)) and not in_full


def find_inner_pieces(candidate: Candidate, pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces from inside a function that are shown already: they read better in its context."""
    outer = candidate.node
    if outer.kind not in FUNCTION_KINDS:
        return []
    path, start, end = outer.path, outer.start_line, outer.end_line
    return [
        piece
        for piece in pieces
        if (node := piece.candidate.node).path == path and start <= node.start_line and node.end_line <= end
    ]


def join_runs(runs: Iterable[Run], inner: Iterable[Piece]) -> list[Run]:
    return excerpts.runs(
        line
        for run in (*runs, *(run for piece in inner for run in piece.runs))
        for line in range(run.start, run.end + 1)
    )


def exclude_pieces(shown: Mapping[str, set[int]], pieces: Iterable[Piece]) -> Mapping[str, set[int]]:
    left = dict(shown)
    for piece in pieces:
        own = {line for run in piece.runs for line in range(run.start, run.end + 1)}
        left[piece.node.path] = left.get(piece.node.path, set()) - own
    return left
