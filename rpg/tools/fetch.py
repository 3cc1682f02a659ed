"""The tool that shows source.

In: targets. Out: their source and relations, cut to the budget.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from rpg.graph import FUNCTIONAL_KINDS
from rpg.queries.graph.budget import BYTES_PER_TOKEN, text_size
from rpg.queries.places.fetch import Fetched, NotFound, Related
from rpg.queries.places.fetch import fetch as fetch_texts
from rpg.stores.lifted_texts import WRITTEN
from rpg.tools.calling.arguments import TOKENS, GraphName, MaxTokens
from rpg.tools.calling.call import Call, State
from rpg.tools.calling.field import Field


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
        Field(min_length=1, max_length=50, description="Symbols, files, `path:10-40`"),
    ],
    expand_lines: Annotated[int, Field(ge=0, le=200, description="Lines around each", is_shown=False)] = 0,
    relations: Annotated[bool, Field(description="Name callers, callees")] = False,
    max_tokens: MaxTokens = TOKENS,
    graph: GraphName = "",
) -> FetchedAll:
    """Source of symbols, files or lines. Better than opening files if you know only a name."""
    with call.view(graph) as view:
        state = view.state

        def cost_of_rest(missing: list[NotFound], following: list[str]) -> int:
            return text_size(text(FetchedAll(symbols=[], not_found=missing, next=following, state=state)))

        found, missing, following = fetch_texts(
            view.index, targets, expand_lines, relations, view.folder, view.read_file,
            max_tokens * BYTES_PER_TOKEN, cost, cost_of_rest,
        )  # fmt: skip
    return FetchedAll(symbols=found, not_found=missing, next=following, state=state)


def cost(each: Fetched) -> int:
    """Bytes of its part of the text, with the empty line after it."""
    return text_size("\n".join(format_fetched(each))) + 2


def hits(result: FetchedAll) -> int:
    return len(result.symbols)


def text(result: FetchedAll) -> str:
    lines: list[str] = []
    for each in result.symbols:
        lines += [*format_fetched(each), ""]
    for missing in result.not_found:
        lines.append(f"{missing.code}: {missing.message}")
    if result.next:
        lines.append("next: fetch " + " ".join(result.next))
    return "\n".join([*lines, *result.state.lines("")])


def format_fetched(each: Fetched) -> Iterator[str]:
    span = f" of {each.span}" if each.span else f" of {each.total_lines}" if each.total_lines else ""
    where = each.path if each.kind in FUNCTIONAL_KINDS else f"{each.path}:{each.lines}"
    place = f"  in {each.place}" if each.place else ""
    yield f"== {where}{span}  {each.kind} {each.name if each.name != each.path else ''}".rstrip() + place
    if each.does_by in WRITTEN:
        yield f"{each.does or 'titled'}  [by {each.does_by}]"
    if each.note:
        yield each.note
    if each.source:
        yield each.source
    else:
        yield from filter(None, (each.signature, each.doc))
    if each.outline:
        for child in each.outline.children:
            inner = ", ".join(f"{number} {what}" for what, number in child.contains.items())
            yield f"  {child.name}  {child.kind}  {inner if child.kind in FUNCTIONAL_KINDS else child.lines}".rstrip()
    yield from format_related("callers", each.callers, each.more_callers)
    yield from format_related("callees", each.callees, each.more_callees)


def format_related(title: str, related: list[Related], more: int) -> Iterator[str]:
    if related:
        names = ", ".join(f"{each.name} ({each.at})" for each in related)
        yield f"{title}: {names}{f' and {more} more' if more else ''}"
