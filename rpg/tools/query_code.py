"""The tool that explains: the excerpts that a question needs, and with a local model an answer that cites them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from rpg.queries.graph.budget import BYTES_PER_TOKEN, RESERVED, cut, size
from rpg.tools.arguments import TOKENS, Content, GraphName, Kinds, MaxTokens, MinScore, Package, PathFilter
from rpg.tools.call import Call, State
from rpg.tools.field import Field

if TYPE_CHECKING:
    from rpg.queries.answer.answer import Written
    from rpg.queries.answer.evidence import Evidence
    from rpg.queries.answer.excerpt_choice import Piece

EXCERPT_SHARE = 0.94
"""Of the budget, for what is packed: in its written form it is longer, as line ends and quotes are escaped."""

READING = {
    "how": "what is used stands before what uses it",
    "where": "what a value comes out of stands before what takes it",
    "who": "the symbol itself, then its users",
    "breaks": "the symbol itself, then what rests on it, directly and through others",
    "overview": "the introduction, entry points, then what most other files rest on",
}
SIGNATURE_WIDTH, SAID_WIDTH = 80, 90
"""Characters of what is only mentioned."""
NEAREST = 4
"""Excerpts that are shown where nothing is likely to hold an answer."""


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    path: str
    lines: list[str]
    """Each stretch that is shown, as first-last, or one line."""
    name: str
    kind: str
    score: float
    why: str = ""
    """How it was reached."""
    text: str
    """The stretches, with … where lines are left out."""


@dataclass(frozen=True, kw_only=True)
class Doubtful:
    sentence: str
    names: list[str]
    """Written like names of code, but neither in the graph nor in the evidence."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """How a model wrote the answer."""

    load_seconds: float
    prompt_tokens: int
    tokens: int
    seconds: float
    tokens_per_second: float


@dataclass(frozen=True, kw_only=True)
class Answered:
    asks: str = ""
    """What the question was taken to ask for: how, where, who, breaks or overview."""
    found: bool
    """Whether the evidence is likely to hold an answer."""
    grounded: bool
    """Whether there is a written answer, and every claim of it has a citation."""
    answer: str = ""
    """By the model, where there is one; every [path:start-end] in it lies inside the evidence."""
    citations: list[str] = field(default_factory=list)
    removed: int = 0
    """Citations taken out of the answer, as they did not lie inside the evidence."""
    doubtful: list[Doubtful] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    """How what is shown calls one another, in the order in which the calls stand; indented under its caller."""
    evidence: list[Excerpt] = field(default_factory=list)
    """In reading order: what is used stands before what uses it."""
    related: list[str] = field(default_factory=list)
    """What found no room: path:lines, signature, first line of the doc comment."""
    left_out: int = 0
    model: str = ""
    figures: Figures | None = None
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
    from rpg.queries.answer.answer import answer as answered
    from rpg.queries.answer.evidence import Filters
    from rpg.queries.search.model_meaning import recorded, unused

    filters = Filters(
        kinds=tuple(kinds), language=language, path=path, package=package, content=content, min_score=min_score
    )
    answerer = call.graphs.answerer() if answer == "auto" else None
    with call.view(graph) as view:
        got = answered(
            view.index,
            question,
            max_tokens=int(max_tokens * EXCERPT_SHARE),
            top_k=top_k,
            mode=answer,
            filters=filters,
            answerer=answerer,
            model=call.graphs.embedder(),
            repository=view.name,
            report=call.report,
            on_text=call.on_text,
            cancelled=call.cancelled,
        )
        reason = unused(view.index, call.graphs.embedder())
        aside = f"vectors of the model {recorded(view.index)} are not used: {reason}" if reason else ""
    calls = [str(step) for step in got.evidence.calls] if got.found else []
    room = max_tokens * BYTES_PER_TOKEN - RESERVED - size(got.text) - size(calls)
    excerpts, left_out = fitting(got.evidence, top_k if got.found else min(top_k, NEAREST), room)
    related = mentions(got.evidence, room - sum(map(cost, excerpts)))
    left_out += len(got.evidence.outlines) - len(related)
    how = got.written
    return Answered(
        asks=got.evidence.question.asks,
        found=got.found,
        grounded=got.grounded,
        answer=got.text,
        citations=[f"{each.path}:{each.start}-{each.end}" for each in got.citations],
        removed=got.removed,
        doubtful=[Doubtful(sentence=each.sentence, names=each.names) for each in got.flagged],
        calls=calls,
        evidence=excerpts,
        related=related,
        left_out=got.evidence.left_out + left_out,
        model=how.model if how else "",
        figures=figures(how) if how else None,
        note=got.note or aside,
        state=view.state,
    )


def figures(how: Written) -> Figures:
    return Figures(
        load_seconds=round(how.load_seconds, 2),
        prompt_tokens=how.prompt_tokens,
        tokens=how.tokens,
        seconds=round(how.prompt_seconds + how.seconds, 2),
        tokens_per_second=how.tokens_per_second,
    )


def fitting(found: Evidence, top_k: int, room: int) -> tuple[list[Excerpt], int]:
    """The best excerpts that fit, in reading order, and how many had to go."""
    best = sorted(found.pieces, key=lambda piece: -piece.candidate.score)
    highest = best[0].candidate.score if best else 1.0
    kept: dict[int, Excerpt] = {}
    for piece in best[:top_k]:
        excerpt = excerpt_of(piece, highest)
        room -= cost(excerpt)
        if room < 0 and kept:
            break
        kept[piece.node.row] = excerpt
    return [kept[piece.node.row] for piece in found.pieces if piece.node.row in kept], len(best) - len(kept)


def mentions(found: Evidence, room: int) -> list[str]:
    """The best of what is shown by its signature that have room, in the order of files."""
    kept = set()
    for piece in sorted(found.outlines, key=lambda piece: -piece.candidate.score):
        room -= size(mention(piece)) + 2
        if room < 0:
            break
        kept.add(piece.node.row)
    return [mention(piece) for piece in found.outlines if piece.node.row in kept]


def mention(piece: Piece) -> str:
    signature = cut(" ".join(" ".join(piece.texts).split()), SIGNATURE_WIDTH)
    said = cut(piece.node.doc.strip().split("\n")[0], SAID_WIDTH)
    return f"{at(piece)}  {signature}{f'  {said}' if said else ''}"


def cost(excerpt: Excerpt) -> int:
    """Bytes, in whichever form is longer."""
    return max(size(excerpt) + 1, len("\n".join([entry(excerpt, 99), *section(excerpt, 99)]).encode()) + 2)


def excerpt_of(piece: Piece, highest: float) -> Excerpt:
    return Excerpt(
        path=piece.node.path,
        lines=[stretch(run.start, run.end) for run in piece.runs],
        name=piece.node.label,
        kind=piece.node.kind,
        score=round(piece.candidate.score / highest, 3),
        why=piece.candidate.why,
        text="\n…\n".join(piece.texts),
    )


def at(piece: Piece) -> str:
    return f"{piece.node.path}:{stretch(piece.runs[0].start, piece.runs[-1].end)}"


def stretch(start: int, end: int) -> str:
    return f"{start}-{end}" if end > start else str(start)


def found(result: Answered) -> bool:
    return result.found


def text(result: Answered) -> str:
    """The answer, then the evidence as a document with a table of contents."""
    lines = [result.answer, ""] if result.answer else []
    lines += [result.note, ""] if result.note else []
    for each in result.doubtful:
        lines.append(f"not known here: {', '.join(each.names)} in: {each.sentence}")
    numbered = list(enumerate(result.evidence, 1))
    files = len({excerpt.path for excerpt in result.evidence})
    lines += [f"{len(numbered)} excerpts of {files} files: {READING[result.asks]}"] if numbered else []
    lines += [*(entry(excerpt, number) for number, excerpt in numbered), ""]
    if result.calls:
        lines += ["calls, in order:", *(f"  {each}" for each in result.calls), ""]
    for number, excerpt in numbered:
        lines += section(excerpt, number)
    if result.related:
        lines += ["related, by signature:", *(f"  {each}" for each in result.related)]
    if result.left_out:
        lines.append(f"{result.left_out} more found no room: raise max_tokens, or ask something narrower")
    if result.figures:
        lines.append(f"written by {result.model}: {result.figures.tokens} tokens in {result.figures.seconds} s")
    return "\n".join([*lines, *result.state.lines("")])


def entry(excerpt: Excerpt, number: int) -> str:
    return f"{number}. {excerpt.name}{f': {excerpt.why}' if excerpt.why else ''}"


def section(excerpt: Excerpt, number: int) -> list[str]:
    return [f"== {number}. {excerpt.kind} {excerpt.name} {excerpt.path}:{','.join(excerpt.lines)}", excerpt.text, ""]
