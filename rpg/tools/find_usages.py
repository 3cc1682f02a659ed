"""The tool that says who uses a symbol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from rpg.errors import BadRequest
from rpg.queries.graph import budget
from rpg.queries.graph.budget import fitted
from rpg.queries.graph.changes import changed_symbols
from rpg.queries.graph.impact import impact
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.scope import scope_of
from rpg.queries.graph.sources import Sources
from rpg.queries.graph.symbols import symbols
from rpg.queries.usages import USAGE_KINDS, FileUsages, Frame, SymbolUsages, UsageQuery, cut_out, usages
from rpg.tools.arguments import TOKENS, Cursor, EdgeKind, GraphName, MaxTokens
from rpg.tools.call import Call, State, View
from rpg.tools.field import Field


@dataclass(frozen=True, kw_only=True)
class FoundUsages:
    symbols: list[SymbolUsages]
    """One for each symbol that the name may mean."""
    changed: int = 0
    """With `since`: how many symbols changed."""
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


def find_usages(
    call: Call,
    symbol: Annotated[str, Field(description="Symbol or file", is_told=False)] = "",
    kinds: list[EdgeKind] = [],  # noqa: B006
    transitive: Annotated[int, Field(ge=1, le=10, description="Hops; from 2: what a change may break")] = 1,
    tests_only: bool = False,
    since: Annotated[str, Field(description="Git revision: symbols changed since")] = "",
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> FoundUsages:
    """Every use of a symbol (call, reference, subclass, import) with line:column and source line, and whether that is
    all. Better than grep before a change, for methods and common names; for strings and comments use grep."""
    if not symbol and not since:
        raise BadRequest("find_usages needs `symbol`, or `since` for the symbols changed since a git revision")
    asked = (symbol, sorted(kinds), transitive, tests_only, since)
    with call.view(graph) as view:
        wanted, note = chosen(view, symbol, since)
        question = UsageQuery(view.index, view.header, tuple(kinds) or USAGE_KINDS, tests_only, view.graph_only)
        frames = []
        for node in wanted:
            found, places = usages(question, node)
            affected = impact(view.index, node, transitive, tests_only) if transitive > 1 else []
            frames.append(Frame(found, places, affected))
        sources = Sources(view.index.source)
        first = budget.offset(cursor, *asked)
        every = sum(frame.parts for frame in frames)

        def head(parts: int) -> FoundUsages:
            last = first + parts
            return FoundUsages(
                symbols=cut_out(frames, sources, first, last),
                changed=len(wanted) if since else 0,
                note=note,
                next=budget.cursor(last, *asked) if last < every else "",
                state=view.state,
            )

        return fitted(max(0, every - first), head, text, max_tokens)


def chosen(view: View, symbol: str, since: str) -> tuple[list[Node], str]:
    named = symbols(view.index, symbol, view.folder) if symbol else None
    if not since:
        assert named is not None
        return list(named.nodes), named.note
    changed = changed_symbols(view.index, view.root("`since` compares with git"), since)
    if named:
        within = set(scope_of(view.index, *named.nodes).rows(view.index))
        changed = [node for node in changed if node.row in within]
    return changed, "" if changed else f"no symbol changed since {since}"


def found(result: FoundUsages) -> bool:
    return any(sum(each.total.values()) for each in result.symbols)


def text(result: FoundUsages) -> str:
    lines = [result.note] if result.note else []
    if result.changed:
        lines.append(f"{result.changed} symbols changed")
    for each in result.symbols:
        lines += symbol_lines(each)
    return "\n".join([*lines, *result.state.lines(result.next)])


def symbol_lines(each: SymbolUsages) -> Iterator[str]:
    yield f"{each.symbol}  {each.kind}  {each.lines}"
    counts = ", ".join(f"{number} {name}" for name, number in each.total.items()) or "no usages"
    yield f"{counts}; {'complete' if each.complete else 'not complete'}{': ' + each.reason if each.reason else ''}"
    if each.note:
        yield each.note
    if each.overrides:
        yield "overrides " + ", ".join(each.overrides)
    if each.overridden_by:
        more = f" and {each.more_overriding} more" if each.more_overriding else ""
        yield f"overridden by {', '.join(each.overridden_by)}{more}"
    for title, groups in (("", each.certain), ("possible", each.possible), ("unresolved", each.unresolved)):
        if title and groups:
            also = f" (may also mean {', '.join(each.candidates)})" if title == "possible" and each.candidates else ""
            yield f"-- {title}{also}"
        for group in groups:
            yield from group_lines(group)
    for affected in each.affected:
        more = f" and {affected.more} more" if affected.more else ""
        where = f"{affected.path}{'  (test)' if affected.test else ''}"
        yield f"hop {affected.hop}  {where}: {', '.join(affected.symbols)}{more}"


def group_lines(group: FileUsages) -> Iterator[str]:
    how = " ".join(filter(None, (group.kind, group.via and f"via {group.via}", group.reason)))
    through = f" through {group.through}" if group.through else ""
    yield f"{group.path}  {how}{through}{'  (test)' if group.test else ''}"
    for usage in group.usages:
        yield f"  {usage.site}  {usage.source}: {usage.text}"
