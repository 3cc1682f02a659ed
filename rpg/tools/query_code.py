"""The tool that explains: the excerpts that a question needs, and with a local model an answer that cites them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from rpg.queries.budget import BYTES_PER_TOKEN, RESERVED, size
from rpg.tools.arguments import TOKENS, Content, GraphName, Kinds, MaxTokens, MinScore, Package, PathFilter
from rpg.tools.call import Call, State

if TYPE_CHECKING:
    from rpg.queries.evidence import Evidence, Piece

EXCERPT_SHARE = 0.75
"""Of the budget, for source; the rest is names, places and reasons."""


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    path: str
    lines: list[str]
    """Each stretch that is shown, as first-last."""
    name: str
    kind: str
    score: float
    why: str = ""
    """How it was reached."""
    text: str
    """The stretches, with … where lines are left out."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    answer: str = ""
    """With a model: its answer, in which every [path:start-end] lies inside the evidence."""
    grounded: bool
    """Whether there is an answer, and every claim of it has a citation."""
    citations: list[str] = field(default_factory=list)
    """Of the answer, as path:start-end."""
    evidence: list[Excerpt] = field(default_factory=list)
    """In reading order."""
    related: list[str] = field(default_factory=list)
    """Signatures of what found no room, with path:lines."""
    left_out: int = 0
    model: str = ""
    note: str = ""
    state: State = field(default_factory=State)


def query_code(
    call: Call,
    question: Annotated[str, Field(min_length=1, max_length=2_000)],
    top_k: Annotated[int, Field(ge=1, le=20, description="Excerpts")] = 20,
    answer: Annotated[Literal["auto", "extract"], Field(description="extract: the evidence alone, no model")] = "auto",
    kinds: Kinds = [],  # noqa: B006
    language: str = "",
    path: PathFilter = "",
    package: Package = "",
    content: Content = "code",
    min_score: MinScore = 0.0,
    max_tokens: MaxTokens = TOKENS,
    graph: GraphName = "",
) -> Answered:
    """Explain how something works in one call: the excerpts that a question needs, found by search and followed along
    the graph, in reading order with path and lines; with a local model an answer that cites them."""
    from rpg.queries.evidence import Filters, gather

    filters = Filters(
        kinds=tuple(kinds), language=language, path=path, package=package, content=content, min_score=min_score
    )
    with call.view(graph) as view:
        found = gather(view.index, question, int(max_tokens * EXCERPT_SHARE), filters)
    excerpts, left_out = fitting(found, top_k, max_tokens * BYTES_PER_TOKEN - RESERVED)
    related = [f"{' '.join(' '.join(piece.texts).split())[:100]}  {at(piece)}" for piece in found.outlines]
    while related and size(excerpts) + size(related) > max_tokens * BYTES_PER_TOKEN - RESERVED:
        related.pop()
        left_out += 1
    return Answered(
        grounded=False,
        evidence=excerpts,
        related=related,
        left_out=found.left_out + left_out,
        note="" if excerpts else "nothing in this repository is like the question",
        state=view.state,
    )


def fitting(found: Evidence, top_k: int, room: int) -> tuple[list[Excerpt], int]:
    """The best excerpts that fit, in reading order, and how many had to go."""
    best = sorted(found.pieces, key=lambda piece: -piece.candidate.score)
    highest = best[0].candidate.score if best else 1.0
    kept: dict[int, Excerpt] = {}
    for piece in best[:top_k]:
        excerpt = excerpt_of(piece, highest)
        room -= size(excerpt) + 1
        if room < 0 and kept:
            break
        kept[piece.node.row] = excerpt
    return [kept[piece.node.row] for piece in found.pieces if piece.node.row in kept], len(best) - len(kept)


def excerpt_of(piece: Piece, highest: float) -> Excerpt:
    return Excerpt(
        path=piece.node.path,
        lines=[f"{run.start}-{run.end}" for run in piece.runs],
        name=piece.node.label,
        kind=piece.node.kind,
        score=round(piece.candidate.score / highest, 3),
        why=piece.candidate.why,
        text="\n…\n".join(piece.texts),
    )


def at(piece: Piece) -> str:
    return f"{piece.node.path}:{piece.runs[0].start}-{piece.runs[-1].end}"


def found(result: Answered) -> bool:
    return bool(result.evidence)


def text(result: Answered) -> str:
    lines = [result.answer, ""] if result.answer else []
    if result.note:
        lines.append(result.note)
    for excerpt in result.evidence:
        why = f"  ({excerpt.why})" if excerpt.why else ""
        lines += [f"== {excerpt.path}:{','.join(excerpt.lines)}  {excerpt.kind} {excerpt.name}{why}", excerpt.text, ""]
    if result.related:
        lines += ["related:", *(f"  {each}" for each in result.related)]
    if result.left_out:
        lines.append(f"{result.left_out} more found no room: raise max_tokens, or ask something narrower")
    return "\n".join([*lines, *result.state.lines("")])
