"""Checks whether an existing file is a graph of ours before it is overwritten or removed, and of which repository.

In: paths. Out: nothing, or BadRequest and EncodeFailed with what to do. Nothing is written here.

A graph of ours is a regular file with a complete header of the format, whatever its name; an index is a SQLite file
with our application id. Anything else may be a file that somebody needs.
"""

from __future__ import annotations

import os
from pathlib import Path

from rpg.errors import BadRequest, InvalidPath
from rpg.repository.identity import read_recorded_repository
from rpg.repository.locations import GRAPH_ENDING, has_more_files, holds_homes, index_path
from rpg.stores.graph_file import graph_file
from rpg.stores.graph_folder import GRAPH_FOLDER, is_named_as_graph, own_graphs
from rpg.stores.graph_opening import COMPACT_ENDING
from rpg.stores.index.index import BrokenIndex, read_meta
from rpg.stores.index.schema import APPLICATION_ID
from rpg.system import filesystem
from rpg.text.printable import quote_text

SQLITE = b"SQLite format 3\0"
LARGE = 5_000
"""A repository of more files has a graph of many megabytes, which nobody reads as it is."""
LONGEST_DEFAULT = 150
LONGEST_NAME = 200
"""Bytes of a graph file's name: temporary files get longer names, and no file system takes more than 255."""


def refuse_output(root: Path, output: Path, *, force: bool = False) -> None:
    """Raises unless a graph of `root` may be written there. `force`: the user accepts the loss of an existing file."""
    refuse_name(output)
    try:
        if not output.parent.is_dir():
            raise InvalidPath(f"the folder {output.parent} does not exist: make it, or choose another with -o")
        if output.is_dir():
            raise BadRequest(f"{output} is a folder: name a file with -o, for instance {output / root.name}.graph.json")
        filesystem.refuse_foreign(output)
        filesystem.refuse_foreign(index_path(output))
    except OSError as error:
        raise BadRequest(f"{quote_text(str(output))} cannot be written: {error.strerror}. Choose with -o") from error
    if not is_named_as_graph(output) and output.is_relative_to(root):
        raise BadRequest(
            f"{output.name} is inside the repository, where rpg recognises graphs only by the ending {GRAPH_ENDING}"
            ": choose such a name with -o"
        )
    if force:
        return
    has_graph = graph_file.is_ours(output)
    if output.exists() and not has_graph:
        raise BadRequest(
            f"{output} is not a graph file and would be lost: choose another name with -o, or overwrite it with --force"
        )
    index = index_path(output)
    if not has_graph and os.path.lexists(index) and not is_index(index):
        raise BadRequest(
            f"{index} is not an index of rpg and would be lost: choose another name for the graph with -o, or "
            "overwrite it with --force"
        )


def repository_around(folder: Path) -> Path:
    """The folder to encode when the user names one: the git repository that contains it. The named folder itself if git
    does not list it or ignores it, if the repository contains the user's home folder (some people keep settings in
    git), or if the folder already has a separate graph."""
    from rpg.encoder.source_files import git

    folder = folder.resolve()
    if (folder / ".git").exists() or any(is_recorded_for(path, folder) for path in own_graphs(folder)):
        return folder
    try:
        inside = git.prefix(folder)
        if not inside or git.is_ignored(folder):
            return folder
    except git.GitFailed:
        return folder
    top = folder.parents[inside.count("/") - 1]
    return folder if holds_homes(top) else top


def default_place(root: Path) -> Path:
    """The default place for the graph of a repository: its `.rpg/`, where that of a large one is compressed. A graph
    that this installation already keeps in the repository or in the current folder stays where it is, in the form that
    it has; a repository that cannot be written has its graph in the current folder."""
    root = root.resolve()
    own = root / GRAPH_FOLDER
    name = _name_after(root)
    if not os.path.lexists(own):
        for folder in dict.fromkeys((Path.cwd(), root)):
            plain = folder / (name + GRAPH_ENDING)
            if is_recorded_for(plain, root):
                return plain
        if not os.access(root, os.W_OK):
            return default_output(root)
    graphs = own_graphs(root)
    if len(graphs) == 1:
        return graphs[0]
    return own / (name + (COMPACT_ENDING if has_more_files(root, LARGE) else GRAPH_ENDING))


def is_recorded_for(graph_path: Path, root: Path) -> bool:
    """Whether this installation made the graph there, of that folder."""
    try:
        return read_meta(index_path(graph_path)).get("root") == str(root)
    except BrokenIndex:
        return False


def _name_after(root: Path) -> str:
    name = root.resolve().name or "repository"
    if len(os.fsencode(name)) > LONGEST_DEFAULT:
        name = os.fsencode(name)[:LONGEST_DEFAULT].decode("utf-8", "ignore")
    return name


def default_output(root: Path, folder: Path | None = None) -> Path:
    """NAME.graph.json in `folder`, or in the current one; NAME-2 if that name is taken by anything but a graph of this
    repository."""
    name = _name_after(root)
    number = 1
    while True:
        ending = f"-{number}" if number > 1 else ""
        path = (folder or Path.cwd()).absolute() / f"{name}{ending}{GRAPH_ENDING}"
        if not os.path.lexists(path) or is_of(path, root):
            return path
        number += 1


def refuse_removal(graph_path: Path) -> None:
    """Raises unless graph file and index, if they exist, are ours."""
    index = index_path(graph_path)
    for path, is_ours, what in ((graph_path, graph_file.is_ours, "graph file"), (index, is_index, "index")):
        if os.path.lexists(path) and not is_ours(path):
            raise BadRequest(f"{path} is not a {what} that rpg wrote: nothing was removed")


def first_bytes(path: Path, number: int) -> bytes:
    """Empty for anything but a regular file that can be replaced."""
    try:
        if filesystem.problem_with_file(os.lstat(path)):
            return b""
        with filesystem.open_file(path) as file:
            return file.read(number)
    except OSError:
        return b""


def is_index(path: Path) -> bool:
    """Whether it is a regular file that begins like an index."""
    start = first_bytes(path, 72)
    return start.startswith(SQLITE) and int.from_bytes(start[68:72], "big") == APPLICATION_ID


def is_of(graph_path: Path, root: Path) -> bool:
    """Whether the graph at `graph_path` is of the repository at `root`, by its index or else by its header."""
    try:
        recorded = read_meta(index_path(graph_path)).get("root", "")
    except BrokenIndex:
        recorded = ""
    if recorded and Path(recorded) == root.resolve():
        return True
    header = graph_file.header_of(graph_path)
    if (recorded and Path(recorded).is_dir()) or header is None:
        return False
    from rpg.encoder.source_files import git, remotes

    recorded_identity = read_recorded_repository(header)
    if recorded_identity.get("name") != root.resolve().name:
        return False
    try:
        return not recorded_identity.get("url") or recorded_identity["url"] == remotes.remote_url(root)
    except git.GitFailed:
        return False


def refuse_name(output: Path) -> None:
    """BadRequest if no graph file can have such a name anywhere."""
    name = output.name
    if not name or name == ".." or "\0" in str(output):
        raise BadRequest(f"{quote_text(str(output))} names no file: choose a name that ends in {GRAPH_ENDING} with -o")
    try:
        length = len(os.fsencode(name))
    except UnicodeError as error:
        raise BadRequest(f"{quote_text(name)} is not a valid file name: choose another with -o") from error
    if length > LONGEST_NAME:
        raise BadRequest(
            f"the name {quote_text(name)} is longer than {LONGEST_NAME} bytes: choose a shorter one with -o"
        )
