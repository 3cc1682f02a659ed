"""The tool that describes what is loaded, and lists what there is of a kind.

In: nothing, or a graph's name; which list. Out: freshness, sizes, languages, central symbols; or a page of the list:
of what the repository offers (inventory.py), or of unused code, duplicates, cycles and hubs (health.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from rpg.errors import BadRequest, GraphNotLoaded, RpgError
from rpg.graph import FUNCTIONAL_KINDS
from rpg.queries.overview.statistics import Statistics, statistics
from rpg.queries.search.meaning.model_meaning import vector_status
from rpg.stores.graph_file.graph_file import commit_of, read_header
from rpg.stores.graph_file.tiers import not_parsed
from rpg.tools.calling.arguments import Cursor, ExcludedPath, GraphName, MaxTokens, PathFilter, Rows, TestsAgain
from rpg.tools.calling.call import Call, State, View
from rpg.tools.calling.field import Field
from rpg.tools.health import HEALTH_KINDS, Findings, findings_lines, findings_page
from rpg.tools.inventory import Inventory, Page, inventory_lines, inventory_page
from rpg.tools.loaded.encodes import SHOWN, format_time
from rpg.tools.loaded.served import ALL

TOKENS = 1_500
"""Entries of a list, unless more are asked for."""
DESCRIBED = 8
"""How many graphs are opened and described in full. If there are more, each gets a line, from its file."""
LINES = 100
KINDS_NAMED = 12
"""Kinds of files that no parser reads."""
FEWEST_OF_RATE = 10
"""References of a language, of which the resolved share is told."""


@dataclass(frozen=True, kw_only=True)
class LoadedRepository:
    name: str
    status: str
    """ready or error; for a graph that is being made, pending or encoding."""
    message: str = ""
    """What is wrong, and the command that repairs it; or the progress."""
    when: str = ""
    """When the graph was written, or an encode began or failed."""
    graph_file: str = ""
    root: str = ""
    """The repository's folder; empty if only the graph is served."""
    url: str = ""
    without_history: str = ""
    """Why git is not asked about the folder, although it has a `.git`."""
    embedder: str = ""
    """The user's model whose vectors are next to the index, and the reason if they are not used."""
    state: State = field(default_factory=State)
    statistics: Statistics | None = None


@dataclass(frozen=True, kw_only=True)
class Stats:
    repositories: list[LoadedRepository] = field(default_factory=list)
    more: int = 0
    """How many graphs are not listed."""
    lists: list[Inventory] = field(default_factory=list)
    """Set if a list was asked for."""
    health: list[Findings] = field(default_factory=list)
    """The same for unused, duplicates, cycles and hubs."""


List = Literal[
    "", "routes", "commands", "tasks", "signals", "models", "messages", "environment", "api", "packages", "unused",
    "duplicates", "cycles", "hubs",
]  # fmt: skip


def stats(
    call: Call,
    graph: GraphName = "",
    of: Annotated[List, Field(help="List these instead", unset="none")] = "",
    name: Annotated[str, Field(help="Only entries that contain this", unset="all")] = "",
    path: PathFilter = "",
    exclude_path: ExcludedPath = "",
    tests: TestsAgain = "fold",
    limit: Rows = 0,
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
) -> Stats:
    """What is loaded: freshness, sizes, skipped files; what there is `of` a kind."""
    if of:
        page = Page(of, name, path, exclude_path, tests, limit, max_tokens, cursor)
        with call.view(graph) as view:
            if of in HEALTH_KINDS:
                return findings_page(view, page, lambda found: Stats(health=[found]), text)
            return inventory_page(view, page, lambda found: Stats(lists=[found]), text)
    if name or path or exclude_path or cursor:
        raise BadRequest("name, path, exclude_path and cursor are for lists: choose one with `of`")
    is_all = graph.strip() in ("", ALL)
    try:
        chosen = call.graphs.served.select_graphs(graph)
    except GraphNotLoaded:
        if not is_all or not call.graphs.encodes.states():
            raise
        chosen = []
    unfinished = list(being_made(call)) if is_all else []
    if len(chosen) > DESCRIBED:
        shown = chosen[:LINES]
        return Stats(
            repositories=[*(describe_graph_file(call, path) for path in shown), *unfinished],
            more=len(chosen) - len(shown),
        )
    return Stats(repositories=[*(repository_stats(call, path, len(chosen) == 1) for path in chosen), *unfinished])


def being_made(call: Call) -> Iterator[LoadedRepository]:
    """The encodes of this process, or why they failed."""
    for each in call.graphs.encodes.states():
        yield LoadedRepository(
            name=each.source,
            status=each.status,
            message=each.message,
            when=each.when,
            state=State(commit=each.commit),
        )


def describe_graphs(call: Call) -> Iterator[LoadedRepository]:
    """Every graph, as its file describes itself: none is opened."""
    for path in call.graphs.paths():
        yield describe_graph_file(call, path)


def describe_graph_file(call: Call, path: Path) -> LoadedRepository:
    """A graph as its file describes itself."""
    name = call.graphs.name_of(path)
    try:
        commit = commit_of(read_header(path))
    except RpgError as error:
        if call.is_strict:
            raise
        return LoadedRepository(name=name, status="error", message=f"{error.code}: {error.message}")
    return LoadedRepository(name=name, status="ready", when=find_write_time(path), state=State(commit=commit[:SHOWN]))


def repository_stats(call: Call, path: Path, is_alone: bool) -> LoadedRepository:
    name = call.graphs.name_of(path)
    try:
        with call.view(str(path)) as view:
            return LoadedRepository(
                name=name,
                status="ready",
                when=find_write_time(path),
                graph_file=path.name,
                root=str(view.folder or ""),
                url=view.header.get("repository", {}).get("url", ""),
                without_history=explain_missing_history(view.folder),
                embedder=vectors_of(view, call),
                state=view.state,
                statistics=statistics(view.index, view.header),
            )
    except RpgError as error:
        if is_alone or call.is_strict:
            raise
        return LoadedRepository(
            name=name,
            status="error",
            message=f"{error.code}: {error.message}",
            graph_file=path.name,
        )


def find_write_time(path: Path) -> str:
    """When the graph file was written; empty if there is none."""
    try:
        return format_time(path.stat().st_mtime)
    except OSError:
        return ""


def explain_missing_history(folder: Path | None) -> str:
    from rpg.encoder.source_files import git

    return git.why_not_asked(folder) if folder else ""


def vectors_of(view: View, call: Call) -> str:
    """Which model made the vectors, how many there are, and why they are not used here."""
    from rpg.repository import measure_embedded

    if not view.embedder:
        return ""
    status = vector_status(view.index, call.graphs.embedder(view.embedder))
    name, _, unused = status.partition(", ")
    return ", ".join(filter(None, (name, unused or f"{measure_embedded(view.index, name)} symbols")))


def found(result: Stats) -> bool:
    return bool(result.repositories) or any(
        (*(each.total or each.tests for each in result.lists), *(each.total for each in result.health))
    )


def text(result: Stats) -> str:
    if result.lists:
        return "\n".join(line for each in result.lists for line in inventory_lines(each))
    if result.health:
        return "\n".join(line for each in result.health for line in findings_lines(each))
    if len(result.repositories) > DESCRIBED:
        more = [f"and {result.more} more: `graph` takes the beginning of a name"] if result.more else []
        return "\n".join([*(line_of(each) for each in result.repositories), *more])
    return "\n\n".join("\n".join(repository_lines(each)) for each in result.repositories)


def line_of(each: LoadedRepository) -> str:
    commit = f"commit {each.state.commit}" if each.state.commit else ""
    since = f"since {each.when}" if each.when else ""
    return "  ".join(filter(None, (each.name, each.status, commit, since, each.message)))


def format_rate(numbers: Statistics, language: str) -> str:
    """The share of references that were resolved; nothing where there are too few for a share to mean anything."""
    counts = numbers.references.get(language, {})
    inside = sum(number for name, number in counts.items() if name != "external")
    if language not in numbers.resolved or inside < FEWEST_OF_RATE:
        return ""
    return f", {numbers.resolved[language]:.1%} of references resolved"


def repository_lines(each: LoadedRepository) -> Iterator[str]:
    since = f"since {each.when}" if each.when else ""
    yield "  ".join(filter(None, (each.name, each.status, each.graph_file, since)))
    if each.state.commit:
        yield f"commit {each.state.commit}{', changed since' if each.state.dirty else ''}"
    if each.message:
        yield each.message
    if each.url:
        yield each.url
    if each.without_history:
        yield each.without_history
    if each.embedder:
        yield f"vectors: {each.embedder}"
    numbers = each.statistics
    if numbers:
        yield format_counts(f"{numbers.files} files; symbols", numbers.symbols)
        yield format_counts("edges", numbers.edges)
        yield format_counts("found via", numbers.via)
        for language, sizes in numbers.languages.items():
            tier = numbers.tiers.get(language, "")
            rate = format_rate(numbers, language) if tier != "text" else ""
            read = f", {tier}" if tier and not rate else ""
            yield f"{language}: {sizes['files']} files, {sizes['symbols']} symbols{read}{rate}"
        if numbers.not_parsed:
            yield f"no parser for: {not_parsed({'not_parsed': numbers.not_parsed}, KINDS_NAMED)}"
        if numbers.compiler:
            yield f"edges of a compiler: {numbers.compiler}"
        if numbers.libraries:
            yield f"libraries that references may end in, counted nowhere else: {numbers.libraries}"
        if numbers.counted_in_part:
            yield f"search by words knows the beginning of {numbers.counted_in_part} large files"
        if numbers.areas:
            high = sum(numbers.symbols.get(kind, 0) for kind in FUNCTIONAL_KINDS)
            low = sum(numbers.symbols.values()) - high
            functional = numbers.edges.get("covers", 0)
            dependency = sum(numbers.edges.values()) - functional - numbers.edges.get("contains", 0)
            yield (
                f"functional view: {high} nodes above {low} of code, {functional} functional edges, "
                f"{dependency} of dependency"
            )
            yield format_counts("areas by symbols", {f"in {area}": number for area, number in numbers.areas.items()})
        if numbers.written:
            yield format_counts(
                "features and titles written",
                {f"by {who}" if who != "gone" else "of code that is gone": n for who, n in numbers.written.items()},
            )
        if numbers.central:
            yield "central: " + ", ".join(f"{symbol.name} ({symbol.users})" for symbol in numbers.central)
        for group in numbers.cycles:
            yield "imports in a circle: " + ", ".join(group)
        if numbers.more_cycles:
            yield f"and {numbers.more_cycles} more circles"
        if numbers.packages:
            more = f" and {numbers.more_packages} more" if numbers.more_packages else ""
            yield "packages: " + ", ".join(f"{name} ({where})" for name, where in numbers.packages.items()) + more
        if numbers.skipped:
            yield format_counts("skipped", numbers.skipped)
        if numbers.limited:
            yield format_counts(
                "files not followed to the end", {f"because {why}": n for why, n in numbers.limited.items()}
            )
    yield from each.state.lines("")


def format_counts(title: str, numbers: dict[str, int]) -> str:
    return f"{title}: {', '.join(f'{number} {name}' for name, number in numbers.items())}"
