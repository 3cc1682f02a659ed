"""The tool that lists what a file, directory or symbol needs, and what needs it.

In: a target and a direction. Out: files, packages, import cycles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Annotated, Literal

from rpg.queries.graph import budget
from rpg.queries.graph.budget import fit_answer, rows, within
from rpg.queries.graph.filters import Filter, format_count, format_folded_tests
from rpg.queries.names.notations import plain_path
from rpg.queries.names.symbols import symbols
from rpg.queries.overview.folding import MOST_NODES, Picture, picture
from rpg.queries.packages.external import ExternalPackage
from rpg.queries.places.dependencies import (
    DIRECTIONS,
    KINDS,
    Dependencies,
    DependencyQuery,
    FileDependency,
    Listed,
    dependencies,
)
from rpg.tools.calling.arguments import (
    TOKENS,
    Cursor,
    ExcludedPath,
    FormatAgain,
    GraphName,
    MaxTokens,
    PathFilter,
    Rows,
    TestsAgain,
)
from rpg.tools.calling.call import Call, State
from rpg.tools.calling.field import Field
from rpg.tools.notations_of_pictures import format_picture

Kind = Literal["imports", "calls", "inherits", "overrides", "references"]
Direction = Literal["dependencies", "dependents", "both", "out", "in"]


@dataclass(frozen=True, kw_only=True)
class FoundDependencies:
    targets: list[Dependencies]
    detail: str = "sites"
    folds_tests: bool = False
    picture: Picture | None = None
    """With `format` mermaid or dot, in place of the targets."""
    notation: str = ""
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


def get_dependencies(
    call: Call,
    target: Annotated[
        list[str], Field(min_length=1, max_length=20, description="Files, folders, symbols", is_shown=False)
    ],
    direction: Annotated[Direction, Field(help="Which way", synonyms=("in", "out"))] = "dependencies",
    transitive: Annotated[int, Field(ge=1, le=10, help="Hops to follow")] = 1,
    kinds: Annotated[list[Kind], Field(description="Kinds of uses", unset="all", is_shown=False)] = [],  # noqa: B006
    path: PathFilter = "",
    exclude_path: ExcludedPath = "",
    tests: TestsAgain = "fold",
    detail: Annotated[
        Literal["sites", "names"], Field(description="names: paths alone", is_shown=False, is_repeated=True)
    ] = "sites",
    external: Annotated[bool, Field(description="Packages from outside too", is_shown=False)] = True,
    format: FormatAgain = "text",
    limit: Rows = 0,
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> FoundDependencies:
    """What a file, folder or symbol needs, outside packages and import cycles too; dependents: what
    needs it. Better than grep for imports."""
    request = (target, direction, transitive, sorted(kinds), path, exclude_path, tests, detail, external)
    with call.view(graph) as view:
        named = [symbols(view.index, each, view.folder) for each in target]
        nodes = list({node.row: node for each in named for node in each.nodes}.values())
        question = DependencyQuery(
            view.index,
            view.header,
            tuple(kinds) or KINDS,
            Filter(plain_path(path, view.folder), plain_path(exclude_path, view.folder), tests),
            transitive,
            external,
        )
        listed = [dependencies(question, node, DIRECTIONS[direction]) for node in nodes]
        note = "; ".join(filter(None, (each.note for each in named)))
        if format != "text":
            return draw_picture(listed, tests == "fold", format, note, view.state, max_tokens)
        first = budget.offset(cursor, *request)
        lengths = [each.parts for each in listed]

        def head(parts: int) -> FoundDependencies:
            last = first + parts
            return FoundDependencies(
                targets=[listed[number].cut_out(begin, end) for number, begin, end in within(lengths, first, last)],
                detail=detail,
                folds_tests=tests == "fold",
                note=note,
                next=budget.cursor(last, *request) if last < sum(lengths) else "",
                state=view.state,
            )

        return fit_answer(rows(sum(lengths) - first, limit), head, text, max_tokens)


def draw_picture(
    listed: list[Listed], hides_tests: bool, notation: str, note: str, state: State, max_tokens: int
) -> FoundDependencies:
    """A picture with as many nodes as fit."""
    from rpg.queries.overview.pictures import draw_dependencies

    drawing = draw_dependencies(listed, hides_tests)

    def head(parts: int) -> FoundDependencies:
        shown = picture(drawing, parts)
        return FoundDependencies(targets=[], picture=shown, notation=notation, note=note, state=state)

    return fit_answer(MOST_NODES, head, text, max_tokens)


def found(result: FoundDependencies) -> bool:
    if result.picture is not None:
        return len(result.picture.nodes) > 1
    return any(sum(each.total.values()) for each in result.targets)


def hits(result: FoundDependencies) -> int:
    return sum(sum(each.total.values()) for each in result.targets)


def text(result: FoundDependencies) -> str:
    if result.picture is not None:
        return format_picture(result.picture, result.notation, filter(None, (result.note, *result.state.lines(""))))
    lines = [result.note] if result.note else []
    for each in result.targets:
        lines += target_lines(each, result.detail, result.folds_tests)
    return "\n".join([*lines, *result.state.lines(result.next)])


def target_lines(each: Dependencies, detail: str, folds: bool) -> Iterator[str]:
    total = ", ".join(format_total(number, name) for name, number in each.total.items())
    in_tests = f"; {format_count(len(each.tests), 'test file')} among these" if folds and each.tests else ""
    all_of_them = "; all its importers are among these" if each.has_all_importers and each.dependents else ""
    yield f"{each.target}  {each.kind}: {total}{in_tests}{all_of_them}"
    if each.note:
        yield each.note
    for title, files in (("depends on", each.dependencies), ("used by", each.dependents)):
        listed = [file for file in files if not (folds and file.test)]
        for sure, members in groupby(listed, key=lambda file: bool(file.edges) or file.hop > 1):
            yield f"-- {title}" if sure else f"-- possibly {title}"
            for file in members:
                yield file.path if detail == "names" else file_line(file, each.target)
    if folds and each.tests:
        yield format_folded_tests(each.tests, "use")
    if each.external:
        yield f"-- outside the repository: {', '.join(map(package, each.external))}"
    for cycle in each.cycles:
        yield "cycle: " + " -> ".join(cycle)
    if each.not_followed:
        counts = ", ".join(f"{number} {reason}" for reason, number in each.not_followed.items())
        yield f"references not followed: {counts}"


def format_total(number: int, names: str) -> str:
    """`1 dependency`, `2 dependents`."""
    one = "dependency" if names == "dependencies" else names.removesuffix("s")
    return f"{number} {one if number == 1 else names}"


def package(each: ExternalPackage) -> str:
    """A package, with the lines of its imports, or the number of files that import it."""
    where = ",".join(map(str, each.lines)) if each.lines else f"({each.files})" if each.files > 1 else ""
    return f"{each.name} {where}".rstrip()


def file_line(file: FileDependency, target: str) -> str:
    """The strongest evidence, with its file unless that is the target or the listed one; what is used."""
    path, _, place = file.site.partition(":")
    at = (
        place.partition(":")[0]
        if path in (file.path, target.partition("::")[0])
        else f"{path}:{place.partition(':')[0]}"
    )
    uses = f", {file.uses} uses" if file.uses > 1 else ""
    evidence = f"{file.evidence} {at}{uses}" if file.evidence else ""
    more = f" and {file.more} more" if file.more else ""
    is_in_evidence = len(file.symbols) == 1 and file.evidence.endswith(f" {file.symbols[0]}")
    names = f": {', '.join(file.symbols)}{more}" if file.symbols and not is_in_evidence else ""
    hop = f"hop {file.hop}  " if file.hop > 1 else ""
    return f"{hop}{file.path}{'  (test)' if file.test else ''}  {evidence}{names}".rstrip()
