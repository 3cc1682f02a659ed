"""Which graph a command queries.

In: the user's argument, else the environment and the current folder. Out: one graph file. BAD_REQUEST if there are
several candidates, GRAPH_NOT_LOADED if there is none.
"""

from __future__ import annotations

import os
from pathlib import Path

from rpg import filesystem
from rpg.cli.output import complain
from rpg.errors import BadRequest, GraphNotLoaded
from rpg.printable import quoted
from rpg.tools.graphs import ENDING


def graph_file(name: str = "") -> Path:
    """The file named; else RPG_GRAPH; else the one in this folder, or in the nearest folder above that has one, up to
    the top of the repository. A graph of a folder above is reported on stderr."""
    chosen = name or os.environ.get("RPG_GRAPH", "")
    if chosen:
        try:
            return named(Path(chosen).expanduser())
        except (OSError, RuntimeError) as error:  # a name that is too long, an unknown home folder
            raise BadRequest(f"no graph file can have the name {quoted(chosen)}: {error}") from None
    here = Path.cwd()
    for folder in (here, *here.parents):
        found = sorted(path for path in folder.glob("*" + ENDING) if folder == here or is_of_this_user(path))
        if len(found) > 1:
            same = [path for path in found if path.name == folder.name + ENDING]
            if not same:
                names = ", ".join(path.name for path in found)
                raise BadRequest(f"{folder} holds several graphs ({names}): say which with --graph FILE")
            return announced(same[0], here)
        if found:
            return announced(found[0], here)
        if (folder / ".git").exists():
            break
    raise GraphNotLoaded(
        "there is no graph here: make one with `rpg encode PATH`, or name one with --graph FILE or RPG_GRAPH"
    )


def current_folder_is_there() -> bool:
    try:
        return bool(os.getcwd())
    except OSError:
        return False


def is_of_this_user(path: Path) -> bool:
    """Whether the file belongs to this user: others may write to folders above the current one, for instance /tmp."""
    try:
        return not filesystem.problem_with_file(os.lstat(path))
    except OSError:
        return False


def announced(graph: Path, here: Path) -> Path:
    """Returns the graph, and names it to the user if it is in another folder."""
    if graph.parent != here:
        complain(f"rpg: using {graph}; choose another with --graph")
    return graph


def named(path: Path) -> Path:
    """A graph file, or the one with that name, or the only one in that folder."""
    if path.is_dir():
        found = sorted(path.glob("*" + ENDING))
        if len(found) == 1:
            return found[0]
        raise GraphNotLoaded(f"{path} holds {len(found)} graphs: name the file, or make one with `rpg encode {path}`")
    graph = path.with_name(path.name + ENDING)
    return graph if not path.exists() and graph.exists() else path
