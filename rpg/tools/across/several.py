"""One question to several graphs: each answers by itself, and the answers are put together.

In: a tool, its arguments and the graphs. Out: for each graph how much it found, how long it took and its state, then
the answers. Hits of a search are merged into one list, in which every line names its graph (merged_search.py); other
answers follow one another, each below the name of its graph. What does not fit is left out with a count, so that every
graph is at least named.

A graph that cannot answer is reported beside the answers of the others, or fails the call if it is `strict`. A graph
without a hit is not an error, unless no graph has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from rpg.errors import BadRequest, Forbidden, InvalidPath, RpgError, SymbolNotFound, TimedOut
from rpg.queries.graph.budget import BYTES_PER_TOKEN, DEFAULT_TOKENS, cut, text_size
from rpg.queries.graph.filters import format_count
from rpg.system.imports import import_in_turn

if TYPE_CHECKING:
    from rpg.tools.calling.call import Call

READY, NOTHING, UNAVAILABLE = "ready", "nothing", "unavailable"
HAS_NOTHING = (SymbolNotFound, InvalidPath, Forbidden, BadRequest)
"""The errors of a graph that does not have the names and paths of the question."""
LEAST_TOKENS = 200
HEADING_TOKENS = 24
"""About as much as the line of one graph takes."""
MORE = "\nmore: cursor "
NAMED = 12
"""How many graphs are named, of those with an answer and of those without one."""
MOST = 200
"""How many graphs one call may query: each is opened, and keeps files and memory."""
WHY_WIDTH = 160


class Tool(Protocol):
    """What this module needs of a tool."""

    @property
    def merging(self) -> str:
        """The module that makes one list of the hits of several graphs; empty: their answers follow one another."""

    @property
    def across(self) -> str:
        """The module that finds what leads from one graph to another."""

    def answered(self, call: Call, arguments: Mapping[str, Any]) -> Any:
        """The answer of one graph."""

    def text(self, result: Any) -> str: ...
    def found(self, result: Any) -> bool: ...
    def hits(self, result: Any) -> int: ...
    def is_weak(self, result: Any) -> bool: ...
    def gains_from_budget(self, result: Any) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class UsesThere:
    """One use of a symbol of another graph."""

    path: str
    site: str
    source: str
    kind: str
    certain: bool
    why: str
    """What the manifests of both repositories say, or the address of a request."""
    text: str
    test: bool = False
    through: str = "package"
    """Or request."""


@dataclass(frozen=True, kw_only=True)
class UsesOfPackage:
    graph: str
    """The one that defines the symbol."""
    symbol: str
    uses: list[UsesThere]


@dataclass(frozen=True, kw_only=True)
class GraphAnswer:
    graph: str
    state: str
    """ready, nothing (it has no answer) or unavailable (it cannot answer)."""
    hits: int = 0
    milliseconds: float = 0.0
    message: str = ""
    """Why it has no answer or cannot give one."""
    answer: Any = None
    """As from one graph; for a search, its hits that are in the merged list."""
    uses: list[UsesOfPackage] = field(default_factory=list)
    """For find_usages: where it uses what another graph defines, through a package."""
    is_left_out: bool = False
    """Whether its answer did not fit."""
    is_weak: bool = False
    """Whether it only comes close to the question, and is not shown because other graphs have an answer."""


@dataclass(frozen=True, kw_only=True)
class MergedHit:
    graph: str
    hit: Any
    """As from one graph."""


@dataclass(frozen=True, kw_only=True)
class AnswerOfSeveral:
    graphs: list[GraphAnswer]
    merged: list[MergedHit] = field(default_factory=list)
    """The hits of a search, best first."""
    left_out: int = 0
    """How many hits were found and are not in the merged list."""


def answer_of_several(tool: Tool, call: Call, arguments: Mapping[str, Any], paths: Sequence[Path]) -> AnswerOfSeveral:
    """Raises what went wrong if no graph has an answer, and with a strict call if one is unavailable."""
    if len(paths) > MOST:
        raise BadRequest(
            f"this would query {len(paths):,} graphs, and a call queries at most {MOST}: choose some with `graph`, by "
            "their names or the beginning of names"
        )
    if arguments.get("cursor"):
        raise BadRequest(
            f"a cursor continues in one graph: repeat the call with `graph`, one of {format_graph_names(call, paths)}"
        )
    room = arguments.get("max_tokens", DEFAULT_TOKENS)
    left = max(LEAST_TOKENS, room - HEADING_TOKENS * len(paths))
    answers: list[GraphAnswer] = []
    errors: list[RpgError] = []
    began = monotonic()
    for number, path in enumerate(paths):
        share = room if tool.merging else max(LEAST_TOKENS, left // (len(paths) - number))
        seconds = None if call.seconds is None else max(0.0, call.seconds - (monotonic() - began))
        one, error = answer_of_one(tool, call._replace(seconds=seconds), arguments, path, share)
        if error is not None:
            errors.append(error)
            if call.is_strict and one.state == UNAVAILABLE:
                raise unavailable(one, error)
        answers.append(one)
        left -= text_size(tool.text(one.answer)) // BYTES_PER_TOKEN if one.answer is not None else 0
    if len(errors) == len(answers):
        raise build_no_answer_error(answers, errors)
    if not tool.merging:
        answers = share_budget(tool, call, arguments, paths, answers)
    several = AnswerOfSeveral(graphs=answers)
    if tool.across:
        several = module(tool.across).add_uses_across(several, call, arguments, paths)
    if tool.merging:
        return module(tool.merging).merge_answers(several, arguments, room)  # type: ignore[no-any-return]
    return fitting(tool, several, room)


def share_budget(
    tool: Tool, call: Call, arguments: Mapping[str, Any], paths: Sequence[Path], answers: Sequence[GraphAnswer]
) -> list[GraphAnswer]:
    """Graphs that only come close to the question leave their share of the budget to graphs that have an answer."""
    shown = list(answers)
    ready = [number for number, one in enumerate(answers) if one.state == READY]
    strong = [number for number in ready if not tool.is_weak(answers[number].answer)]
    if not strong or len(strong) == len(ready):
        return shown
    for number in set(ready).difference(strong):
        shown[number] = replace(answers[number], answer=None, is_weak=True)
    left = max(LEAST_TOKENS, arguments.get("max_tokens", DEFAULT_TOKENS) - HEADING_TOKENS * len(paths))
    for at, number in enumerate(strong):
        if tool.gains_from_budget(answers[number].answer):
            share = max(LEAST_TOKENS, left // (len(strong) - at))
            one, error = answer_of_one(tool, call, arguments, paths[number], share)
            if error is None:
                shown[number] = replace(one, milliseconds=one.milliseconds + answers[number].milliseconds)
        left -= text_size(tool.text(shown[number].answer)) // BYTES_PER_TOKEN
    return shown


def format_graph_names(call: Call, paths: Sequence[Path]) -> str:
    names = [call.graphs.name_of(path) for path in paths[:NAMED]]
    return ", ".join(names) + (f" and {len(paths) - NAMED} more" if len(paths) > NAMED else "")


def answer_of_one(
    tool: Tool, call: Call, arguments: Mapping[str, Any], path: Path, share: int
) -> tuple[GraphAnswer, RpgError | None]:
    name = call.graphs.name_of(path)
    began = monotonic()
    try:
        answer = tool.answered(call, {**arguments, "max_tokens": share, "graph": str(path)})
    except RpgError as error:
        if isinstance(error, TimedOut) and call.cancelled():
            raise
        state = NOTHING if isinstance(error, HAS_NOTHING) else UNAVAILABLE
        message = f"{error.code}: {error.message}"
        return GraphAnswer(graph=name, state=state, milliseconds=since(began), message=message), error
    hits = tool.hits(answer)
    state = READY if hits and tool.found(answer) else NOTHING
    return GraphAnswer(graph=name, state=state, hits=hits, milliseconds=since(began), answer=answer), None


def since(began: float) -> float:
    return round((monotonic() - began) * 1000, 1)


def unavailable(one: GraphAnswer, error: RpgError) -> RpgError:
    return type_of(error)(f"{one.graph}: {error.message}. Without `strict` the other graphs answer")


def build_no_answer_error(answers: Sequence[GraphAnswer], errors: Sequence[RpgError]) -> RpgError:
    """Why no graph has an answer: what is wrong with one that is unavailable, else what the first one says."""
    number = next((number for number, one in enumerate(answers) if one.state == UNAVAILABLE), 0)
    others = len(answers) - 1
    also = f" ({format_count(others, 'other graph')} without an answer too)" if others else ""
    return type_of(errors[number])(f"{answers[number].graph}: {errors[number].message}{also}")


def type_of(error: RpgError) -> type[RpgError]:
    """The nearest error class whose constructor takes just a message."""
    return next(each for each in type(error).__mro__ if each.__module__ == RpgError.__module__)


def fitting(tool: Tool, several: AnswerOfSeveral, room: int) -> AnswerOfSeveral:
    """The answer with the last graphs left out until the rest fits; the first one stays."""
    shown = [number for number, one in enumerate(several.graphs) if is_shown(one)]
    while len(shown) > 1 and text_size(text_of_several(tool, several)) > room * BYTES_PER_TOKEN:
        last = shown.pop()
        graphs = list(several.graphs)
        graphs[last] = replace(graphs[last], answer=None, uses=[], is_left_out=True)
        several = replace(several, graphs=graphs)
    return several


def is_shown(one: GraphAnswer) -> bool:
    return one.state == READY and not one.is_left_out and not one.is_weak


def module(name: str) -> Any:
    """A module of this folder."""
    return import_in_turn(f"rpg.tools.across.{name}")


def has_found(several: AnswerOfSeveral) -> bool:
    return any(one.state == READY for one in several.graphs)


def text_of_several(tool: Tool, several: AnswerOfSeveral) -> str:
    lines = list(heading(several))
    if tool.merging:
        lines += module(tool.merging).lines(several)
    else:
        for one in several.graphs:
            if is_shown(one):
                lines.append(f"== graph {one.graph}")
                if one.answer is not None and one.state == READY and tool.hits(one.answer):
                    lines.append(add_graph_to_cursor(tool.text(one.answer), one.graph))
                if tool.across:
                    lines += module(tool.across).lines(one)
    return "\n".join(lines)


def add_graph_to_cursor(text: str, graph: str) -> str:
    """The text, with the graph that the cursor at its end belongs to."""
    before, found, after = text.rpartition(MORE)
    return f"{before}\nmore, with graph {graph}: cursor {after}" if found else text


def heading(several: AnswerOfSeveral) -> Iterator[str]:
    ready = [one for one in several.graphs if one.state == READY and not one.is_weak]
    if ready:
        more = f"; and {len(ready) - NAMED} more with hits" if len(ready) > NAMED else ""
        summaries = [f"{one.graph} {format_count(one.hits, 'hit')}, {one.milliseconds:.0f} ms" for one in ready[:NAMED]]
        yield "; ".join(summaries) + more
    if nothing := [one for one in several.graphs if one.state == NOTHING]:
        yield f"nothing in {some(nothing)}"
    for one in [one for one in several.graphs if one.state == UNAVAILABLE][:NAMED]:
        yield f"unavailable: {one.graph}, {one.milliseconds:.0f} ms, {cut(one.message, WHY_WIDTH)}"
    if weak := [one for one in several.graphs if one.is_weak]:
        yield f"weak, so not shown; ask with `graph`: {some(weak)}"
    if left_out := [one for one in several.graphs if one.is_left_out]:
        yield f"not shown, ask with `graph`: {some(left_out)}"
    if not ready and len(several.graphs) and not any(one.state == UNAVAILABLE for one in several.graphs):
        yield "nothing found"


def some(answers: Sequence[GraphAnswer]) -> str:
    more = f" and {len(answers) - NAMED} more" if len(answers) > NAMED else ""
    return ", ".join(f"{one.graph} ({one.milliseconds:.0f} ms)" for one in answers[:NAMED]) + more
