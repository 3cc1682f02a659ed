"""The tool that makes or updates a graph.

In: a folder or URL, and options. Out: counts and changed files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from rpg.tools.calling.call import Call
from rpg.tools.calling.field import Field
from rpg.tools.loaded import encoding
from rpg.tools.loaded.encoding import EncodeRequest

REASONS = 3
"""How many reasons for skipping files the text names."""


@dataclass(frozen=True, kw_only=True)
class Encoded:
    name: str
    graph_file: str
    up_to_date: bool
    """Whether the graph was up to date already."""
    files: int
    parsed: int
    """Files that were new or had changed."""
    reused: int
    skipped: int
    """Files left out."""
    read_as: str
    """How many files of which languages were read in what way."""
    symbols: int
    edges: dict[str, int]
    """By kind."""
    seconds: float
    changes: dict[str, list[str]] = field(default_factory=dict)
    """Files added, modified and deleted since the last encode, if there was one; at most 50 of each."""
    more_changes: int = 0
    embedded: int = 0
    """Units that the user's embedding model was run for; unchanged ones are not embedded again."""
    compiler: str = ""
    """Which files have edges of a compiler's index."""
    libraries: str = ""
    """Which libraries were read as well."""
    note: str = ""
    """Notes about the files that existed before."""
    skipped_because: dict[str, int] = field(default_factory=dict)
    """How many files for each reason, the commonest first."""


def encode(
    call: Call,
    repository: Annotated[str, Field(description="Empty: the loaded one", unset="the current folder")] = "",
    branch: Annotated[
        str, Field(description="Branch, tag or commit of a URL", unset="its own default", is_shown=False)
    ] = "",
    include: Annotated[
        list[str], Field(description="Patterns, as in .gitignore", unset="every file", is_shown=False)
    ] = [],  # noqa: B006
    exclude: Annotated[
        list[str], Field(description="Patterns, as in .gitignore", unset="nothing", is_shown=False)
    ] = [],  # noqa: B006
    full: Annotated[bool, Field(description="Parse every file again", is_shown=False)] = False,
    output: Annotated[
        str, Field(description="Graph file to write", unset="`.rpg/` in the repository", is_shown=False)
    ] = "",
    here: Annotated[
        bool, Field(description="Only the folder named, not the repository around it", is_shown=False)
    ] = False,
) -> Encoded:
    """Make and load the graph of a folder or git URL, or change what a loaded one includes. Graphs stay fresh."""
    request = EncodeRequest(repository, branch, include, exclude, full, output, here)
    summary, changes, embedded = encoding.encode(call.graphs, request, call.report)
    shown = {kind: list(paths[:50]) for kind, paths in changes.items() if paths}
    return Encoded(
        name=summary.name,
        graph_file=str(summary.graph_path),
        up_to_date=not summary.changed,
        files=summary.files,
        parsed=summary.parsed,
        reused=summary.reused,
        skipped=summary.skipped,
        skipped_because=dict(summary.skipped_because),
        read_as=summary.read_as,
        compiler=summary.compiled_by,
        libraries=summary.libraries,
        symbols=summary.symbols,
        edges=summary.edges,
        seconds=round(summary.seconds["total"], 2),
        changes=shown,
        more_changes=sum(map(len, changes.values())) - sum(map(len, shown.values())),
        embedded=embedded,
        note=summary.note,
    )


def skipped_text(result: Encoded) -> str:
    named = list(result.skipped_because.items())[:REASONS]
    others = result.skipped - sum(number for _, number in named)
    reasons = [reason if number == result.skipped else f"{reason} ({number})" for reason, number in named]
    reasons += [f"other reasons ({others})"] if others and reasons else []
    return f"{result.skipped} skipped{': ' + ', '.join(reasons) if reasons else ''}"


def text(result: Encoded) -> str:
    edges = ", ".join(f"{number} {kind}" for kind, number in result.edges.items())
    lines = [
        f"{result.name}: {result.files} files ({result.parsed} parsed, {result.reused} reused, "
        f"{skipped_text(result)}), {result.symbols} symbols in {result.seconds:.1f} s",
        result.read_as,
        f"edges: {edges}",
        f"{result.graph_file}{'  (up to date)' if result.up_to_date else ''}",
    ]
    if result.compiler:
        lines.insert(2, f"edges of a compiler: {result.compiler}")
    if result.libraries:
        lines.insert(2, f"libraries: {result.libraries}")
    lines += [f"{kind}: {', '.join(paths)}" for kind, paths in result.changes.items()]
    if result.embedded:
        lines.append(f"{result.embedded} units embedded")
    if result.more_changes:
        lines.append(f"and {result.more_changes} more changed files")
    if result.note:
        lines.append(result.note)
    return "\n".join(lines)
