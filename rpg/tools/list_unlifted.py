"""The tool that lists what has no feature or title of an agent or a model yet. Served only if the user asks for it.

In: how many. Out: marks, what each stands for, and what a reader needs to describe it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from rpg.queries.graph.budget import BYTES_PER_TOKEN, text_size
from rpg.queries.graph.sources import Sources
from rpg.queries.lift.subjects import describe_subject, subjects
from rpg.tools.calling.arguments import TOKENS, GraphName, MaxTokens
from rpg.tools.calling.call import Call, State
from rpg.tools.calling.field import Field

HEAD_BYTES = 300
"""Part of an answer that is reserved for what surrounds the list."""


@dataclass(frozen=True, kw_only=True)
class Unlifted:
    mark: str
    id: str
    kind: str
    now: str
    """The feature or title derived by rules."""
    about: list[str]


@dataclass(frozen=True, kw_only=True)
class UnliftedList:
    subjects: list[Unlifted]
    lifted: int
    left: int
    state: State = field(default_factory=State)


def list_unlifted(
    call: Call,
    limit: Annotated[int, Field(ge=1, le=100, description="How many")] = 20,
    max_tokens: MaxTokens = TOKENS,
    graph: GraphName = "",
) -> UnliftedList:
    """What still has a feature or title derived by rules, most important first. Describe each, then call submit_lifted.
    Areas: a title of 1 to 5 words, capital first. Code: 3 to 8 lower-case words, verb first; no file or library
    names."""
    with call.view(graph) as view:
        found = subjects(view.index)
        sources = Sources(view.index.source)
        listed: list[Unlifted] = []
        room = max_tokens * BYTES_PER_TOKEN - HEAD_BYTES
        for each in found.unlifted[:limit]:
            about = describe_subject(view.index, each, sources)
            one = Unlifted(mark=each.mark, id=each.id, kind=each.kind, now=each.now, about=about)
            room -= text_size("\n".join(lines(one))) + 1
            if listed and room < 0:
                break
            listed.append(one)
        return UnliftedList(subjects=listed, lifted=found.lifted, left=len(found.unlifted), state=view.state)


def lines(each: Unlifted) -> list[str]:
    head, *rest = each.about or [f"{each.kind} {each.id}"]
    return [f"{each.mark}  {head}", f"  now: {each.now}", *(f"  {line}" for line in rest)]


def text(result: UnliftedList) -> str:
    out = [f"{result.lifted} lifted, {result.left} not; listed: {len(result.subjects)}"]
    for each in result.subjects:
        out += lines(each)
    return "\n".join([*out, *result.state.lines("")])


def found(result: UnliftedList) -> bool:
    return bool(result.subjects)
