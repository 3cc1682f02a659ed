"""Where a graph is written: the place that a client asked for, or else the usual one.

In: the folder of a repository, and perhaps an output. Out: the path of a graph file; BAD_REQUEST for a place where this
process may not write one. Absent: writing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from copy import copy
from pathlib import Path

from rpg.errors import BadRequest, EncodeFailed
from rpg.stores.graph_folder import GRAPH_ENDING, GRAPH_FOLDER, is_named_as_graph, problem_with_folder
from rpg.text.printable import quote_text
from rpg.tools.loaded.served import Served


class GraphPlaces:
    def __init__(self, served: Served, own_folders: Iterable[Path | None], anywhere: bool) -> None:
        """`own_folders`: where new graphs go, the first that is not None; graphs may be written in all of them.
        `anywhere`: a graph may be written wherever the user says, and goes into its repository by default; otherwise
        only below the user's library, in the own folders and in those of the graphs that the server was started
        with."""
        self._served = served
        self._anywhere = anywhere
        own = [folder for folder in own_folders if folder is not None]
        self._output_folder = own[0] if own else None
        folders = [path.parent for path in served.explicit] + own
        self._folders = frozenset(folder.resolve() for folder in folders if not is_foreign(folder))

    def within(self, served: Served) -> GraphPlaces:
        """The same places, for a scope of the graphs."""
        limited = copy(self)
        limited._served = served
        return limited

    def usual(self, root: Path, root_of: Callable[[Path], Path | None]) -> Path:
        """The loaded graph of this folder, else a place in the repository. A graph of a URL, and whatever a server
        makes, goes to the output folder instead: the one given, else that of the loaded graphs, else the user's data
        folder. `root_of`: the folder that a loaded graph was made from."""
        from rpg.repository import clones_folder, default_output, default_place

        for path in self._served.paths():
            if path not in self._served.explicit and not path.name.startswith(root.name):
                continue  # what encodes of this folder made has its name
            if root_of(path) == root.resolve():
                return path
        is_clone = root.resolve().is_relative_to(clones_folder().resolve())
        if self._anywhere and not is_clone:
            return default_place(root)
        return default_output(root, made(library()) if self._anywhere else self.folder()).absolute()

    def chosen(self, root: Path, output: str) -> Path:
        """Where `output` leads, with links and `..` in its folder resolved; BAD_REQUEST if no graph of `root` may be
        written there."""
        from rpg.repository import is_of, refuse_name

        try:
            place = self.written(output)
            refuse_name(place)
            if output.endswith("/") or not place.name.isprintable():
                raise BadRequest(f"{quote_text(output)} names no file: give a name that ends in {GRAPH_ENDING}")
            place = place.parent.resolve() / place.name
            if self._anywhere:
                return place
            is_allowed = (
                place in self._served.explicit
                or place.parent in self._folders
                or place.parent.is_relative_to(library().resolve())
            )
            self._served.refuse_outside_scope(place)
            if not is_allowed or not is_named_as_graph(place):
                raise BadRequest(
                    f"{quote_text(output)} is not a place for a graph: a server writes graphs whose names end in "
                    f"{GRAPH_ENDING}, in the folder of a graph that it was started with or in the user's library; "
                    "leave `output` out, or encode on the command line: `rpg encode PATH -o FILE`"
                )
            if os.path.lexists(place) and not is_of(place, root):
                raise BadRequest(
                    f"{quote_text(output)} already exists, and is not a graph of "
                    f"{quote_text(str(root))}: choose another name"
                )
        except (OSError, ValueError, RuntimeError) as error:  # too long, a NUL, a loop, an unknown home folder
            reason = getattr(error, "strerror", "") or str(error)
            raise BadRequest(
                f"{quote_text(output)} cannot be the name of a graph file ({reason}): choose another"
            ) from error
        return place

    def written(self, output: str) -> Path:
        """An output as it is written, relative to the folder for new graphs."""
        return (self.folder() / Path(output).expanduser()).absolute()

    def folder(self) -> Path:
        """The folder for new graphs; created if it is the user's library."""
        paths = self._served.paths()
        beside = paths[0].parent if paths and paths[0].parent.name != GRAPH_FOLDER else library()
        return made(self._output_folder or beside)


def made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EncodeFailed(
            f"graphs cannot be kept in {folder} ({error.strerror}): make it writable, or name another data folder "
            "with RPG_DATA"
        ) from error
    return folder


def is_foreign(folder: Path) -> bool:
    """Whether it is a `.rpg` that somebody else prepared, which may lead anywhere."""
    return folder.name == GRAPH_FOLDER and os.path.lexists(folder) and bool(problem_with_folder(folder))


def library() -> Path:
    """Where a server keeps the graphs that it makes."""
    from rpg.repository import data_folder

    return data_folder() / "graphs"
