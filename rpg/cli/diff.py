"""`rpg diff`: compares two graph files, or two revisions that git knows.

In: names of graph files or revisions. Out: symbols and edges added and removed, as text or JSON. A revision is read
from git's objects, with the options of the graph found here; nothing is written.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rpg.cli.arguments.choices import Place
from rpg.cli.arguments.options import graph_option, json_option, workers_option
from rpg.cli.terminal.output import say_json
from rpg.cli.terminal.paging import show as paged
from rpg.errors import BadRequest, InvalidPath, RpgError
from rpg.text.printable import make_printable

if TYPE_CHECKING:
    from rpg.graph import Graph

HEAD = "HEAD"


@click.command(short_help="Compare two graphs or revisions")
@click.argument("before")
@click.argument("after", default="")
@click.option("--work-tree", is_flag=True, help="Compare with the files as they are, committed or not")
@click.option("--repository", type=click.Path(path_type=Path), show_default="that of the graph",
              help="Folder of the revisions")  # fmt: skip
@click.option("--path", default="", type=Place("text"), show_default="all",
              help="Only files with this prefix or glob")  # fmt: skip
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), metavar="N", help="Lines per section")
def diff(
    before: str, after: str, work_tree: bool, repository: Path | None, path: str, graph: str, limit: int,
    workers: int | None, as_json: bool,
) -> int:  # fmt: skip
    """Show symbols and edges gained and lost from BEFORE to AFTER: graph files, or revisions of a git repository.

    \b
    rpg diff old.graph.json new.graph.json
    rpg diff HEAD~5              up to HEAD
    rpg diff v1.0 main           or v1.0..main; v1.0...main starts at their common ancestor
    rpg diff HEAD --work-tree    what is not committed yet
    """
    from rpg.queries.graph.budget import plain
    from rpg.queries.graph.path_filters import path_filter
    from rpg.queries.history.difference import difference, text

    names = choose_revisions(before, after, work_tree)
    (old_name, old), (new_name, new) = read(names, repository, graph, workers)
    found = difference(old, new, (old_name, new_name), path_filter(path) if path else None)
    if as_json:
        say_json(plain(found))
    else:
        paged(make_printable(text(found, limit)))
    return 0


diff.params += [graph_option(), workers_option(), json_option("Print all of it as JSON")]


def choose_revisions(before: str, after: str, work_tree: bool) -> tuple[str, str | None]:
    """What to compare; None is the work tree. BAD_REQUEST if the arguments leave it open."""
    if work_tree:
        if after or ".." in before:
            raise BadRequest("--work-tree takes the place of the second revision: leave one of them out")
        return before, None
    if after:
        return before, after
    if graph_named(before):
        raise BadRequest(f"{before} is a graph file: name the one to compare it with, a revision, or --work-tree")
    if "..." in before:
        return before, before.partition("...")[2] or HEAD
    one, _, other = before.partition("..")
    return one or HEAD, other or HEAD


def read(
    names: tuple[str, str | None], repository: Path | None, graph: str, workers: int | None
) -> list[tuple[str, Graph]]:
    """A label and a graph for each side. An unknown revision fails before anything is encoded."""
    from rpg.repository import finish_graph_file
    from rpg.stores.graph_file import graph_file

    files = [graph_named(name) if name else None for name in names]
    if all(files):
        return [(file.name, graph_file.read(finish_graph_file(file))) for file in files if file]

    from rpg.cli.terminal.progress import progress
    from rpg.encoder.options import options_for, parse_options
    from rpg.repository import WORK_TREE, consistency_of, graphs_of, index_path

    root, here = place(repository, graph)
    commits = [
        None if file else WORK_TREE if name is None else commit(root, name)
        for name, file in zip(names, files, strict=True)
    ]
    options = parse_options(consistency_of(here).options) if here else options_for(root)
    with progress(workers) as report:
        graphs = iter(
            graphs_of(
                root,
                [each for each in commits if each is not None],
                options,
                index=index_path(here) if here else None,
                workers=workers,
                progress=report,
            )
        )
    return [
        (file.name, graph_file.read(finish_graph_file(file)))
        if file
        else (format_revision(name, each or ""), next(graphs))
        for name, file, each in zip(names, files, commits, strict=True)
    ]


def graph_named(name: str) -> Path | None:
    """The graph file that the name stands for; None if it must be a revision."""
    from rpg.cli.arguments.graphs import find_graph
    from rpg.stores.graph_folder import GRAPH_ENDINGS, only_graph

    if name.endswith(GRAPH_ENDINGS):
        return Path(name)
    with suppress(RpgError, OSError, ValueError):
        path = Path(name)
        found = only_graph(path) if path.is_dir() else find_graph(path)
        return found if found is not None and found.is_file() else None
    return None


def place(repository: Path | None, graph: str) -> tuple[Path, Path | None]:
    """The folder whose revisions are compared, and a graph of it: the named folder, else that of the graph here, else
    the top of the enclosing git repository."""
    from rpg.cli.arguments.graphs import graph_file
    from rpg.repository import consistency_of, top_of

    here, root = None, None
    with suppress(*() if graph else (RpgError,)):
        here = graph_file(graph)
        root = consistency_of(here).root
    if repository is not None:
        if not repository.is_dir():
            raise InvalidPath(f"there is no folder {repository}: name the folder of a git repository")
        chosen = repository.resolve()
        return chosen, here if root == chosen else None
    return root or top_of(Path.cwd()), here if root else None


def commit(root: Path, name: str) -> str:
    from rpg.repository import commit_of

    try:
        return commit_of(root, name)
    except BadRequest as error:
        raise BadRequest(f"{name!r} is neither a graph file here nor a revision: {error.message}") from None


def format_revision(name: str | None, commit: str) -> str:
    if name is None:
        return "work tree"
    return name if commit.startswith(name) else f"{name} ({commit[:12]})"
