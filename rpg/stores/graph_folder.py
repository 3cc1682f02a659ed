"""The folder of a repository that contains its graph, `.rpg/`, and the graphs that a folder has.

In: folders. Out: paths of graph files, found by their names and first bytes; the folder, made. Nothing else of them is
read here, no git is asked, and nothing heavy is imported: a server that starts looks for its graph here.

The folder contains a `.gitignore` of `*`, so git sees nothing of it. It may have come with a clone, and is then treated
like any other place where somebody prepared files: one that is not a folder of the user is neither read nor written.
Graphs beside it in the repository are found as well.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rpg.errors import BadRequest, EncodeFailed
from rpg.stores import atomic
from rpg.stores.graph_opening import COMPACT_ENDING, begins_like_graph
from rpg.system import filesystem

GRAPH_FOLDER = ".rpg"
GRAPH_ENDING = ".graph.json"
GRAPH_ENDINGS = (GRAPH_ENDING, COMPACT_ENDING)
IGNORED = ".gitignore"
IGNORES_ALL = b"*\n"
LARGEST_IGNORED = 1 << 20
"""A larger `.gitignore` in the folder is nobody's own: git would read it with every query."""
ASIDE = ".aside"


def graphs_in(folder: Path) -> list[Path]:
    """The graph files of a folder: those in its `.rpg/`; if there are none, those directly in it."""
    return own_graphs(folder) or _graphs(folder)


def own_graphs(folder: Path) -> list[Path]:
    """The graph files in its `.rpg/`."""
    own = folder / GRAPH_FOLDER
    return [] if problem_with_folder(own) else _graphs(own)


def _graphs(folder: Path) -> list[Path]:
    """What only has the name of a graph stands in nobody's way. A graph that is there in both forms is one."""
    found = {path for ending in GRAPH_ENDINGS for path in folder.glob("*" + ending) if begins_like_graph(path)}
    twins = {path.with_name(path.name.removesuffix(COMPACT_ENDING) + GRAPH_ENDING) for path in found}
    return sorted(path for path in found if path not in twins or path.name.endswith(COMPACT_ENDING))


def graph_name(path: Path) -> str:
    """The name of a graph file without its ending, which may be any JSON's."""
    if path.name.endswith(COMPACT_ENDING):
        return path.name.removesuffix(COMPACT_ENDING)
    return path.name.removesuffix(".json").removesuffix(".graph")


def is_named_as_graph(path: Path) -> bool:
    return path.name.endswith(GRAPH_ENDINGS) and path.name not in GRAPH_ENDINGS


def only_graph(folder: Path) -> Path | None:
    """The graph of a folder: the only one it has, or the one that has its name. BAD_REQUEST if neither says which."""
    return _the_one(folder, graphs_in(folder))


def graph_around(folder: Path) -> Path | None:
    """The graph of a folder, or else of the repository around it. Outside a repository, what is above says nothing."""
    is_in_repository = any((each / ".git").exists() for each in (folder, *folder.parents))
    return nearest_graph(folder) if is_in_repository else only_graph(folder)


def nearest_graph(start: Path) -> Path | None:
    """The graph of a folder, or else of the nearest one above it, up to the top of the repository. Above, only files of
    this user count: others may write to folders there, for instance /tmp."""
    for folder in (start, *start.parents):
        found = graphs_in(folder)
        if folder != start:
            found = [path for path in found if _is_of_this_user(path)]
        if found:
            return _the_one(folder, found)
        if (folder / ".git").exists():
            break
    return None


def graph_called(name: str, start: Path) -> Path | None:
    """The graph of that name in the `.rpg/` of a folder, or of one above it, up to the top of the repository."""
    for folder in (start, *start.parents):
        for path in own_graphs(folder):
            if graph_name(path) == name and (folder == start or _is_of_this_user(path)):
                return path
        if (folder / ".git").exists():
            break
    return None


def repository_of(graph_path: Path) -> Path | None:
    """The repository that a graph belongs to by its location; None if it is not in a `.rpg/`."""
    return graph_path.parent.parent.resolve() if graph_path.parent.name == GRAPH_FOLDER else None


def refuse_foreign_folder(graph_path: Path) -> None:
    """EncodeFailed if the graph's folder is a `.rpg` that is not the user's own folder."""
    folder = graph_path.parent
    if folder.name == GRAPH_FOLDER and (what := problem_with_folder(folder)) and os.path.lexists(folder):
        raise EncodeFailed(f"{folder} {what}, and nothing was written: remove it, or choose another place with -o")


def make_folder(graph_path: Path) -> None:
    """Makes the graph's folder if it is a `.rpg` that is missing, and lets git ignore what is in it. EncodeFailed for a
    `.rpg` that is something else; a `.gitignore` that exists is left as it is."""
    folder = graph_path.parent
    if folder.name != GRAPH_FOLDER:
        return
    try:
        folder.mkdir(exist_ok=True)
        refuse_foreign_folder(graph_path)
        ignored = folder / IGNORED
        if os.path.lexists(ignored):
            return
        staged = atomic.staging_path(ignored)
        try:
            with filesystem.create(staged) as file:
                file.write(IGNORES_ALL)
            filesystem.replace(staged, ignored)
        finally:
            staged.unlink(missing_ok=True)
    except FileExistsError:
        refuse_foreign_folder(graph_path)
        raise
    except OSError as error:
        raise EncodeFailed(f"{folder} cannot be made ({error.strerror}): choose another place with -o") from error


def remove_empty_folder(graph_path: Path) -> None:
    """Removes a `.rpg` in which nothing is left but the `.gitignore` that was made with it."""
    folder = graph_path.parent
    if folder.name != GRAPH_FOLDER or problem_with_folder(folder):
        return
    ignored = folder / IGNORED
    try:
        if os.listdir(folder) == [IGNORED] and filesystem.read_below(folder, IGNORED, 10) == IGNORES_ALL:
            filesystem.remove(ignored)
            folder.rmdir()
    except OSError:
        return


def move_aside(path: Path) -> str:
    """Gives a file, link or folder in a graph's `.rpg` another name, without opening it. Returns what was done."""
    number = 1
    while os.path.lexists(place := path.with_name(f"{path.name}{ASIDE}{f'-{number}' if number > 1 else ''}")):
        number += 1
    try:
        os.rename(path, place)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise EncodeFailed(f"{path} cannot be moved aside ({error.strerror}): remove it") from error
    return f"{GRAPH_FOLDER}/{path.name} was not made by rpg, and is now {GRAPH_FOLDER}/{place.name}"


def problem_with_folder(folder: Path) -> str:
    """Why a `.rpg` is not the user's own folder; '' if it is."""
    try:
        status = os.lstat(folder)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if stat.S_ISLNK(status.st_mode):
        return "is a symlink"
    if not stat.S_ISDIR(status.st_mode):
        return "is no folder"
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        return "belongs to another user"
    return ""


def _the_one(folder: Path, found: list[Path]) -> Path | None:
    if len(found) < 2:
        return found[0] if found else None
    same = [path for path in found if graph_name(path) == folder.name]
    if not same:
        names = ", ".join(path.name for path in found)
        raise BadRequest(f"{found[0].parent} has several graphs ({names}): choose one with --graph FILE")
    return same[0]


def _is_of_this_user(path: Path) -> bool:
    try:
        return not filesystem.problem_with_file(os.lstat(path))
    except OSError:
        return False
