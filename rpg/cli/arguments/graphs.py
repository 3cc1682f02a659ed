"""Which graph a command queries.

In: the user's argument, else the environment and the current folder. Out: one graph file. BAD_REQUEST if there are
several candidates. If there is none, GRAPH_NOT_LOADED names the command that makes one; on a terminal a query offers
to run it.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from rpg.cli.terminal.output import complain
from rpg.errors import BadRequest, GraphNotLoaded
from rpg.stores.graph_folder import (
    GRAPH_ENDING,
    GRAPH_ENDINGS,
    GRAPH_FOLDER,
    graph_around,
    graph_called,
    graphs_in,
    nearest_graph,
    only_graph,
    repository_of,
)
from rpg.stores.graph_opening import COMPACT_ENDING
from rpg.text.printable import quote_text

SMALL = 300
"""A repository of at most as many files is encoded at once if it has no graph: that takes a second or two."""


def graph_file(name: str = "") -> Path:
    """The file named, or the graph of the folder named; else RPG_GRAPH; else the graph of this folder or of the
    repository around it. A graph found beside the sources in another folder is reported on stderr."""
    chosen = name or os.environ.get("RPG_GRAPH", "")
    if chosen:
        try:
            return find_graph(Path(chosen).expanduser())
        except (OSError, RuntimeError) as error:  # a name that is too long, an unknown home folder
            raise BadRequest(f"no graph file can have the name {quote_text(chosen)}: {error}") from None
    here = Path.cwd()
    found = nearest_graph(here)
    if found is None:
        raise GraphNotLoaded(
            "there is no graph here: make one with `rpg encode`, or name one with --graph FILE or RPG_GRAPH"
        )
    if found.parent != here and repository_of(found) is None:
        complain(f"rpg: using {found}; choose another with --graph")
    return found


def graph_to_query(name: str = "") -> Path:
    """As `graph_file`. A graph that is missing is made if another work tree or clone of the repository has one, which
    takes little, or if the repository is small; on a terminal, making any is offered."""
    try:
        return graph_file(name)
    except GraphNotLoaded:
        folder = Path(os.path.expanduser(name or os.environ.get("RPG_GRAPH", "") or "."))
        if not os.path.isdir(folder):
            raise
        if (made := take_over(folder)) is not None:
            return made
        if sys.stdin.isatty() and sys.stderr.isatty():
            return offer_graph(folder)
        if (small := small_repository(folder)) is None:
            raise
        return made_now(small)


def small_repository(folder: Path) -> Path | None:
    """The repository around a folder if its files are few: the top of a clone or work tree of git, not a home."""
    from rpg.repository import has_more_files, holds_homes, repository_around

    root = repository_around(folder)
    if not (root / ".git").exists() or holds_homes(root):
        return None
    return None if has_more_files(root, SMALL) else root


def made_now(root: Path) -> Path:
    from rpg.repository import default_place

    place = default_place(root)
    complain(f"rpg: there was no graph of {root}; it is small, and was made now, in {place}")
    return _make_graph(root, place)


def take_over(folder: Path) -> Path | None:
    """The graph of the repository around a folder, started from that of another work tree or clone; None if no other
    has one."""
    from rpg.repository import default_place, has_relatives, holds_homes, repository_around

    root = repository_around(folder)
    place = default_place(root)
    if holds_homes(root) or not has_relatives(root, place):
        return None
    return _make_graph(root, place)


def offer_graph(folder: Path) -> Path:
    """The graph of the repository around a folder, made now if the user agrees."""
    import click

    from rpg.repository import default_place, repository_around

    root = repository_around(folder)
    place = default_place(root)
    if not click.confirm(f"There is no graph of {root} yet. Make it now, in {place}?", default=True, err=True):
        raise GraphNotLoaded(f"there is no graph of {root}: make one with `rpg encode {shlex.quote(str(root))}`")
    return _make_graph(root, place)


def _make_graph(root: Path, place: Path) -> Path:
    from rpg.cli.terminal.progress import progress
    from rpg.encoder.options import options_for
    from rpg.repository import encode

    with progress() as report:
        summary = encode(root, place, options_for(root), progress=report)
    if summary.note:
        complain(f"rpg: {summary.note}")
    return place


def graph_to_forget(name: str) -> Path:
    """As `graph_file`, but never the graph of a folder above the one that is named. Without a name that of the
    repository around the current folder, or of a folder outside repositories; on a terminal, that is asked first."""
    if not (name or os.environ.get("RPG_GRAPH", "")):
        return _confirm_loss(_graph_here())
    path = Path(os.path.expanduser(name))
    if not name or not os.path.isdir(path):
        found: Path | None = graph_file(name)
    else:
        found = only_graph(path) or graph_called(name, Path.cwd())
    if found is None:
        raise build_no_graph_error(path)
    return found if name else _confirm_loss(found)


def _graph_here() -> Path:
    found = graph_around(Path.cwd())
    if found is None:
        raise build_no_graph_error(Path.cwd())
    return found


def _confirm_loss(graph: Path) -> Path:
    """A graph that nobody named, if it may go."""
    import click

    if sys.stdin.isatty() and sys.stderr.isatty() and not click.confirm(f"Remove {graph} and its index?", err=True):
        raise BadRequest(f"{graph} was not removed")
    return graph


def library_named(name: str) -> Path | None:
    """The folder of graphs that a name stands for: `library` for the user's, or a folder outside any repository that
    has several; None for anything else."""
    from rpg.tools.loaded.graph_places import library

    path = Path(os.path.expanduser(name))
    if name == "library" and not os.path.lexists(path):
        path = library()
        return path if path.is_dir() else None
    if not name or not os.path.isdir(path):  # False for a name that is too long, too
        return None
    folder = path.absolute()
    if (folder / GRAPH_FOLDER).exists() or any((each / ".git").exists() for each in (folder, *folder.parents)):
        return None
    return folder if len(graphs_in(folder)) > 1 else None


def build_no_graph_error(folder: Path) -> GraphNotLoaded:
    return GraphNotLoaded(
        f"{folder} has no graph: name the file, or make one with `rpg encode {shlex.quote(str(folder))}`"
    )


def current_folder_is_there() -> bool:
    try:
        return bool(os.getcwd())
    except OSError:
        return False


def find_graph(path: Path) -> Path:
    """A graph file, or the one with that name, or the graph of that folder or of the repository around it."""
    if path.is_dir():
        found = graph_around(path.absolute())
        if found is None:
            raise build_no_graph_error(path)
        return found
    if path.exists():
        return path
    names = [path.name + ending for ending in GRAPH_ENDINGS]
    if path.name.endswith(GRAPH_ENDING):
        names.append(path.name.removesuffix(GRAPH_ENDING) + COMPACT_ENDING)
    candidates = [path.with_name(name) for name in names]
    if path.name == str(path):
        if (around := graph_called(path.name, Path.cwd())) is not None:
            return next((graph for graph in candidates if graph.exists()), around)
        from rpg.tools.loaded.graph_places import library

        candidates += [library() / name for name in names]
    return next((graph for graph in candidates if graph.exists()), path)
