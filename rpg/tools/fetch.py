"""The tool that shows source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from rpg.queries.fetch import Fetched, NotFound, Related
from rpg.queries.fetch import fetch as fetch_texts
from rpg.queries.graph.budget import Budget
from rpg.tools.arguments import TOKENS, GraphName, MaxTokens
from rpg.tools.call import Call, State
from rpg.tools.field import Field


@dataclass(frozen=True, kw_only=True)
class FetchedAll:
    symbols: list[Fetched]
    not_found: list[NotFound] = field(default_factory=list)
    next: list[str] = field(default_factory=list)
    """Targets that did not fit, or the rest of those that were cut."""
    state: State = field(default_factory=State)


def fetch(
    call: Call,
    targets: Annotated[
        list[str],
        Field(min_length=1, max_length=50, description="Names, ids, files, `path:10-40`, directories"),
    ],
    expand_lines: Annotated[int, Field(ge=0, le=200, description="Lines around each")] = 0,
    relations: Annotated[bool, Field(description="Callers and callees in short")] = False,
    max_tokens: MaxTokens = TOKENS,
    graph: GraphName = "",
) -> FetchedAll:
    """Source with line numbers of symbols, files or lines of files, several at once, with signature and on request
    their callers and callees. Unknown names come back with the nearest ones. What was cut stands in `next`: pass it as
    `targets`."""
    with call.view(graph) as view:
        found, missing, following = fetch_texts(
            view.index, targets, expand_lines, relations, Budget(max_tokens), view.read_file
        )
    return FetchedAll(symbols=found, not_found=missing, next=following, state=view.state)


def text(result: FetchedAll) -> str:
    lines: list[str] = []
    for each in result.symbols:
        lines += [*fetched_lines(each), ""]
    for missing in result.not_found:
        lines.append(f"{missing.code}: {missing.message}")
    if result.next:
        lines.append("next: fetch " + " ".join(result.next))
    return "\n".join([*lines, *result.state.lines("")])


def fetched_lines(each: Fetched) -> Iterator[str]:
    span = f" of {each.span}" if each.span else f" of {each.total_lines}" if each.total_lines else ""
    yield f"== {each.path}:{each.lines}{span}  {each.kind} {each.name if each.name != each.path else ''}".rstrip()
    if each.note:
        yield each.note
    if each.source:
        yield each.source
    else:
        yield from filter(None, (each.signature, each.doc))
    if each.outline:
        for child in each.outline.children:
            yield f"  {child.name}  {child.kind}  {child.lines}".rstrip()
    yield from related_line("callers", each.callers, each.more_callers)
    yield from related_line("callees", each.callees, each.more_callees)


def related_line(title: str, related: list[Related], more: int) -> Iterator[str]:
    if related:
        names = ", ".join(f"{each.name} ({each.at})" for each in related)
        yield f"{title}: {names}{f' and {more} more' if more else ''}"
