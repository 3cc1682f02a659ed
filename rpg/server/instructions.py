"""What a client knows before it has seen a tool: what is loaded, and which tool answers which question.

In: graphs, of which only the header is read; whatever it contains, the server starts. Out: under 1,200 characters.
"""

from __future__ import annotations

from pathlib import Path

from rpg.errors import RpgError
from rpg.stores.graph_file.graph_file import commit_of, read_header
from rpg.stores.graph_file.tiers import read_as
from rpg.text.printable import make_printable
from rpg.tools.loaded.graphs import Graphs

LIMIT = 1_200
NAMED = 4
"""Repositories that are described; more are counted."""
LONGEST_LIST = 240
"""Characters that the languages of one may take."""
USE = """\
Ask it before grep where structure counts: names are resolved, each with line:column.
- where is it done, half a name, an exact text or regex: search
- who uses it, what breaks if it changes: find_usages
- outlines, maps, callers of callers, subclasses, paths: explore
- after an edit, what it broke: check
- what a file needs, what needs it: get_dependencies
- source: fetch
- how does it work: query_code
Code seldom uses the words of a question: translate it, with `terms` of query_code and search.
Complete lists need no grep; git-ignored files do.
Write names in any form: `Type.method`, `path::Type.method`, `path:line`, `path#L10-L20`, a URL. `path` filters: \
prefix or glob. A choice's first value is its default. After `more: cursor C` repeat with that `cursor`."""
BEING_MADE = (
    "The graph of {name} is being built for the first time; until it is ready, answers report the progress, and "
    "`search` with mode text or regex finds lines."
)
WHICH = "`graph`: a name, its beginning, several with commas, or `all`; without it these answer, each named."
NOTHING = "No graph is loaded yet: `encode` a repository first (a path or a git URL)."


def instructions(graphs: Graphs) -> str:
    paths = graphs.served.usual()
    lines = [describe_graph(graphs, path) for path in paths[:NAMED]] or [NOTHING]
    if len(paths) > NAMED:
        lines.append(f"and {len(paths) - NAMED} more: see stats")
    if len(paths) > 1:
        lines.append(WHICH)
    return "\n".join([*lines, USE])[:LIMIT]


def describe_graph(graphs: Graphs, path: Path) -> str:
    name = graphs.name_of(path)
    return BEING_MADE.format(name=short_line(name)) if graphs.is_missing(path) else describe_loaded(name, path)


def describe_loaded(name: str, path: Path) -> str:
    try:
        header = read_header(path)
    except RpgError as error:
        return f"Graph {short_line(name)} cannot be loaded. {short_line(error.message, 400)}"
    commit = commit_of(header)
    at = f" at {commit[:12]}" if commit else ""
    return f"Code graph of {short_line(name)}{at}: {short_line(read_as(header), LONGEST_LIST) or 'no source files'}."


def short_line(text: str, width: int = 60) -> str:
    return " ".join(make_printable(text).split())[:width]
