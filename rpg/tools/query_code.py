"""The tool that explains.

In: a question. Out: the excerpts that answer it, and with a local model an answer that cites them; with a cursor the
names of what found no room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from rpg.queries.graph import budget
from rpg.queries.graph.budget import cut, fit_answer
from rpg.queries.graph.filters import format_count
from rpg.queries.names.notations import plain_path
from rpg.tools.calling.arguments import (
    Content,
    Cursor,
    ExcludedPath,
    GraphName,
    Kinds,
    Language,
    MaxTokens,
    MinScore,
    Package,
    PathFilter,
    Terms,
    TestsAgain,
)
from rpg.tools.calling.call import Call, State
from rpg.tools.calling.field import Field

if TYPE_CHECKING:
    from rpg.queries.answer.answer import Written
    from rpg.queries.answer.excerpt_choice import Piece
    from rpg.queries.graph.nodes import Node

ANSWER_TOKENS = 1_000
"""The default budget: what is read before the next question."""
EXCERPT_SHARE = 0.94
"""Share of the budget for the excerpts: the text also has headings."""

READING = {
    "how": "what answers first",
    "where": "what answers first",
    "who": "the symbol itself, then its users",
    "breaks": "the symbol itself, then what rests on it, directly and through others",
    "overview": "the introduction, entry points, then what most other files rest on",
}
SIGNATURE_WIDTH, SUMMARY_WIDTH, NAME_WIDTH = 80, 90, 90
"""Characters reserved for symbols that are only mentioned."""


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    path: str
    lines: list[str]
    """The line ranges shown, as first-last or a single line."""
    name: str
    kind: str
    score: float
    why: str = ""
    """How the search reached it."""
    text: str
    """The lines shown, with … where lines are left out."""
    brief: bool = False
    """Whether only the line is shown that has its name."""


@dataclass(frozen=True, kw_only=True)
class Named:
    """A symbol without its source."""

    path: str
    name: str
    kind: str
    lines: str


@dataclass(frozen=True, kw_only=True)
class Doubtful:
    sentence: str
    names: list[str]
    """Spelled like names in code, but neither in the graph nor in the evidence."""


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
    """What kind of question it was taken for: how, where, who, breaks or overview."""
    found: bool
    """Whether there is any evidence; a note says so if it is weak."""
    grounded: bool
    """Whether there is a written answer, and every claim in it has a citation."""
    answer: str = ""
    """Written by the model, if there is one; every [path:start-end] in it is inside the evidence."""
    citations: list[str] = field(default_factory=list)
    removed: int = 0
    """How many citations were removed from the answer because they were not inside the evidence."""
    doubtful: list[Doubtful] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    """How the symbols shown call one another, in the order of the calls; indented under their caller."""
    evidence: list[Excerpt] = field(default_factory=list)
    """What answers first."""
    related: list[str] = field(default_factory=list)
    """What did not fit: path:lines, signature, first line of the doc comment."""
    vocabulary: list[str] = field(default_factory=list)
    """Words of this code close to the question, for `terms` of a second call; only if the evidence is weak."""
    terms: str = ""
    """Words of the code that the model gave for the question, if the evidence without them was weak."""
    rest: list[Named] = field(default_factory=list)
    """With a cursor: what earlier answers had no room for, nearest first."""
    left_out: int = 0
    model: str = ""
    figures: Figures | None = None
    note: str = ""
    next: str = ""
    """Gives what was left out, by name. Empty if a model had a part in the choice of the evidence."""
    weak: bool = False
    """Whether no code is about the question: the evidence is just what comes closest."""
    state: State = field(default_factory=State)


def query_code(
    call: Call,
    question: Annotated[str, Field(min_length=1, max_length=20_000)],
    top_k: Annotated[int, Field(ge=1, le=40, description="Excerpts", is_shown=False)] = 40,
    terms: Terms = "",
    answer: Annotated[
        Literal["auto", "extract"], Field(description="extract: excerpts alone, no model", is_shown=False)
    ] = "auto",
    kinds: Kinds = [],  # noqa: B006
    language: Language = "",
    path: PathFilter = "",
    exclude_path: ExcludedPath = "",
    tests: TestsAgain = "fold",
    package: Package = "",
    content: Content = "code",
    min_score: MinScore = 0.0,
    max_tokens: MaxTokens = ANSWER_TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> Answered:
    """How something works: excerpts that answer, best first. Saves many greps;
    a known symbol: fetch."""
    from rpg.queries.answer.answer import answer as answered
    from rpg.queries.answer.evidence import Filters
    from rpg.queries.search.meaning.model_meaning import explain_unused

    request = (question, top_k, terms, sorted(kinds), language, path, exclude_path, tests, package, content, min_score)
    first = position(cursor, max_tokens, *request)
    answerer = call.graphs.answerer() if answer == "auto" and not cursor else None
    with call.view(graph) as view:
        filters = Filters(
            kinds=tuple(kinds), language=language, path=plain_path(path, view.folder), package=package, content=content,
            exclude_path=plain_path(exclude_path, view.folder), tests="all" if tests == "fold" else tests,
            min_score=min_score,
        )  # fmt: skip
        got = answered(
            view.index,
            question,
            max_tokens=int(first.tokens * EXCERPT_SHARE),
            top_k=top_k,
            mode=answer,
            filters=filters,
            answerer=answerer,
            model=call.graphs.embedder(view.embedder),
            in_code=terms,
            repository=view.name,
            report=call.report,
            on_text=call.on_text,
            cancelled=call.cancelled,
        )
        reason = explain_unused(view.index, call.graphs.embedder(view.embedder))
        prefix = f"vectors of the model {view.embedder} are not used: {reason}" if reason else ""
    calls = [str(step) for step in got.evidence.calls] if got.found else []
    best = sorted(got.evidence.pieces, key=lambda piece: -piece.candidate.score)
    most = min(len(best), top_k)
    mentioned = sorted(got.evidence.outlines, key=lambda piece: -piece.candidate.score)
    highest = best[0].candidate.score if best else 1.0
    how = got.written
    excerpts = {piece.node.row: excerpt_of(piece, highest) for piece in got.evidence.pieces}
    in_order = [piece.node for piece in (*best, *mentioned)] + [each.node for each in got.evidence.rest]

    def next_after(parts: int) -> str:
        return (
            cursor_at(Position(parts, first.tokens), *request) if parts < len(in_order) and not got.is_of_model else ""
        )

    if cursor:
        left = in_order[first.offset :]

        def names(parts: int) -> Answered:
            return Answered(
                asks=got.evidence.question.asks,
                found=got.found,
                grounded=False,
                rest=[name_of(node) for node in left[:parts]],
                left_out=len(left) - parts,
                note="" if left else "nothing further",
                next=next_after(first.offset + parts),
                weak=bool(got.evidence.doubt),
                state=view.state,
            )

        return fit_answer(len(left), names, text, max_tokens)

    def head(parts: int) -> Answered:
        """The answer with the best excerpts, then the best of the mentioned symbols in the order of files."""
        shown = {piece.node.row for piece in best[: min(parts, most)]}
        named = {piece.node.row for piece in mentioned[: max(0, parts - most)]}
        return Answered(
            asks=got.evidence.question.asks,
            found=got.found,
            grounded=got.grounded,
            answer=got.text,
            citations=[f"{each.path}:{each.start}-{each.end}" for each in got.citations],
            removed=got.removed,
            doubtful=[Doubtful(sentence=each.sentence, names=each.names) for each in got.flagged],
            calls=calls,
            evidence=[excerpt for row, excerpt in excerpts.items() if row in shown],
            related=[mention(piece) for piece in got.evidence.outlines if piece.node.row in named],
            vocabulary=got.vocabulary,
            terms=got.terms,
            left_out=len(in_order) - len(shown) - len(named),
            model=how.model if how else "",
            figures=figures(how) if how else None,
            note=got.note or prefix,
            next=next_after(len(shown) + len(named)),
            weak=bool(got.evidence.doubt),
            state=view.state,
        )

    return fit_answer(most + len(mentioned), head, text, max_tokens)


class Position(NamedTuple):
    """Where an answer continues."""

    offset: int
    """How many symbols earlier answers gave."""
    tokens: int
    """The budget of the first of them, by which they were chosen."""


def cursor_at(at: Position, *request: Any) -> str:
    return f"{at.tokens}.{budget.cursor(at.offset, at.tokens, *request)}"


def position(cursor: str, max_tokens: int, *request: Any) -> Position:
    """BAD_REQUEST if the cursor is not from this call, whatever its budget was: of several graphs each has a share."""
    if not cursor:
        return Position(0, max_tokens)
    written, _, rest = cursor.partition(".")
    tokens = int(written) if written.isascii() and written.isdigit() and len(written) < 6 else 0
    return Position(budget.offset(rest or cursor, tokens, *request), tokens)


def figures(how: Written) -> Figures:
    return Figures(
        load_seconds=round(how.load_seconds, 2),
        prompt_tokens=how.prompt_tokens,
        tokens=how.tokens,
        seconds=round(how.prompt_seconds + how.seconds, 2),
        tokens_per_second=how.tokens_per_second,
    )


def mention(piece: Piece) -> str:
    signature = cut(" ".join(" ".join(piece.texts).split()), SIGNATURE_WIDTH)
    summary = cut(piece.node.doc.strip().split("\n")[0], SUMMARY_WIDTH)
    return f"{format_place(piece)}  {signature}{f'  {summary}' if summary else ''}"


def name_of(node: Node) -> Named:
    return Named(path=node.path, name=node.label, kind=node.kind, lines=node.lines)


def excerpt_of(piece: Piece, highest: float) -> Excerpt:
    return Excerpt(
        path=piece.node.path,
        lines=[stretch(run.start, run.end) for run in piece.runs],
        name=piece.node.label,
        kind=piece.node.kind,
        score=round(piece.candidate.score / highest, 3),
        why=piece.candidate.why,
        text="\n…\n".join(piece.texts),
        brief=piece.is_named,
    )


def format_place(piece: Piece) -> str:
    return f"{piece.node.path}:{stretch(piece.runs[0].start, piece.runs[-1].end)}"


def stretch(start: int, end: int) -> str:
    return f"{start}-{end}" if end > start else str(start)


def found(result: Answered) -> bool:
    return result.found


def hits(result: Answered) -> int:
    return len(result.evidence) + len(result.rest) if result.found else 0


def is_weak(result: Answered) -> bool:
    return result.weak


def gains_from_budget(result: Answered) -> bool:
    """No: a model would have to write once more."""
    return result.left_out > 0 and not result.model


def text(result: Answered) -> str:
    """The answer, then the evidence as a document with a table of contents."""
    lines = [result.answer, ""] if result.answer else []
    lines += [f"searched with the words of the model: {result.terms}"] if result.terms else []
    lines += [result.note, ""] if result.note else []
    for each in result.doubtful:
        lines.append(f"not known here: {', '.join(each.names)} in: {each.sentence}")
    places = len(result.evidence)
    files = len({excerpt.path for excerpt in result.evidence})
    lines += (
        [f"{format_count(places, 'place')} in {format_count(files, 'file')}: {READING[result.asks]}", ""]
        if places
        else []
    )
    for number, excerpt in enumerate((each for each in result.evidence if not each.brief), 1):
        lines += section(excerpt, number)
    named = [excerpt for excerpt in result.evidence if excerpt.brief]
    if named:
        lines += ["then, by name:", *(format_named_line(excerpt) for excerpt in named), ""]
    if result.calls:
        lines += ["calls, in order:", *(f"  {each}" for each in result.calls), ""]
    if result.related:
        lines += ["related, by signature:", *(f"  {each}" for each in result.related)]
    if result.vocabulary:
        lines += ["words of this code, for `terms` of a second call:", *(f"  {each}" for each in result.vocabulary)]
    if result.rest:
        lines += ["further, by name, nearest first:", *format_rest(result.rest)]
    if result.left_out and result.rest:
        lines.append(f"{result.left_out} more")
    elif result.left_out:
        by_name = ", take their names by the cursor" if result.next else ""
        lines.append(f"{result.left_out} more found no room: raise max_tokens{by_name}, or ask something narrower")
    if result.figures:
        lines.append(f"written by {result.model}: {result.figures.tokens} tokens in {result.figures.seconds} s")
    return "\n".join([*lines, *result.state.lines(result.next)])


def format_rest(named: Iterable[Named]) -> Iterator[str]:
    """One line a file."""
    by_path: dict[str, list[str]] = {}
    for each in named:
        by_path.setdefault(each.path, []).append("" if each.name == each.path else f"{each.name}:{each.lines}")
    for path, names in by_path.items():
        yield f"  {path} {', '.join(filter(None, names))}".rstrip()


def format_named_line(excerpt: Excerpt) -> str:
    """The line, unless it ends before it says more than the name."""
    line = excerpt.text.strip()
    shown = excerpt.name if line.endswith("(") else line
    return f"  {excerpt.path}:{excerpt.lines[0]}  {cut(shown, NAME_WIDTH)}"


def section(excerpt: Excerpt, number: int) -> list[str]:
    head = f"== {number}. {excerpt.kind} {excerpt.name} {excerpt.path}:{','.join(excerpt.lines)}"
    return [head, *([f"({excerpt.why})"] if excerpt.why else []), excerpt.text, ""]
