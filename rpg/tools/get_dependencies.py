"""The tool that says what a file, directory or symbol needs, and what needs it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from rpg.queries.dependencies import DIRECTIONS, Dependencies, FileDependency, dependencies
from rpg.queries.graph import budget
from rpg.queries.graph.budget import fitted, within
from rpg.queries.graph.symbols import symbols
from rpg.tools.arguments import TOKENS, Cursor, GraphName, MaxTokens
from rpg.tools.call import Call, State
from rpg.tools.field import Field

Direction = Literal["dependencies", "dependents", "both", "out", "in"]


@dataclass(frozen=True, kw_only=True)
class FoundDependencies:
    targets: list[Dependencies]
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


def get_dependencies(
    call: Call,
    target: Annotated[str, Field(description="File, folder or symbol", is_told=False)],
    direction: Annotated[Direction, Field(synonyms=("in", "out"))] = "dependencies",
    transitive: Annotated[int, Field(ge=1, le=10, description="Hops")] = 1,
    external: Annotated[bool, Field(description="Packages from outside too", is_told=False)] = True,
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> FoundDependencies:
    """What a file, folder or symbol needs, outside packages and import cycles too; with direction dependents, what
    needs it. Better than grep for imports; for single uses take find_usages."""
    asked = (target, direction, transitive, external)
    with call.view(graph) as view:
        named = symbols(view.index, target, view.folder)
        listed = [dependencies(view.index, node, DIRECTIONS[direction], transitive, external) for node in named.nodes]
        first = budget.offset(cursor, *asked)
        lengths = [each.parts for each in listed]

        def head(parts: int) -> FoundDependencies:
            last = first + parts
            return FoundDependencies(
                targets=[listed[number].cut_out(begin, end) for number, begin, end in within(lengths, first, last)],
                note=named.note,
                next=budget.cursor(last, *asked) if last < sum(lengths) else "",
                state=view.state,
            )

        return fitted(max(0, sum(lengths) - first), head, text, max_tokens)


def found(result: FoundDependencies) -> bool:
    return any(sum(each.total.values()) for each in result.targets)


def text(result: FoundDependencies) -> str:
    lines = [result.note] if result.note else []
    for each in result.targets:
        lines += target_lines(each)
    return "\n".join([*lines, *result.state.lines(result.next)])


def target_lines(each: Dependencies) -> Iterator[str]:
    total = ", ".join(f"{number} {name}" for name, number in each.total.items())
    yield f"{each.target}  {each.kind}: {total}"
    if each.note:
        yield each.note
    for title, files in (("depends on", each.dependencies), ("used by", each.dependents)):
        if files:
            yield f"-- {title}"
        for file in files:
            yield file_line(file)
    if each.external:
        yield "-- outside the repository"
    for package in each.external:
        modules = f" ({', '.join(package.modules)})" if package.modules else ""
        where = f"  line {', '.join(map(str, package.lines))}" if package.lines else f"  {package.files} files"
        yield f"{package.name}{modules}{where}"
    for cycle in each.cycles:
        yield "cycle: " + " -> ".join(cycle)
    if each.not_followed:
        counts = ", ".join(f"{number} {reason}" for reason, number in each.not_followed.items())
        yield f"references not followed: {counts}"


def file_line(file: FileDependency) -> str:
    edges = ", ".join(f"{number} {kind}" for kind, number in file.edges.items())
    site = f" at {file.site}" if file.site else ""
    names = f": {', '.join(file.symbols)}" if file.symbols else ""
    more = f" and {file.more} more" if file.more else ""
    hop = f"hop {file.hop}  " if file.hop > 1 else ""
    return f"{hop}{file.path}{'  (test)' if file.test else ''}  {edges}{site}{names}{more}".rstrip()
