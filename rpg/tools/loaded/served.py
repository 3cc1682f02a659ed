"""Which graph files a server serves, and which of them a name means.

In: graph files, the folder of a library, the names that a server may answer for. Out: paths. Every call checks the
library again, so that a graph that is encoded into it is served at once, and a removed one no longer is. Any thread may
call.

Invariant: a graph outside the scope is neither listed nor found, however it is named. A scope within a scope
(`within`) is about the same graphs, and only ever fewer.

Absent: opening a graph.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from rpg.errors import BadRequest, Forbidden, GraphNotLoaded
from rpg.stores.graph_folder import graph_name, is_named_as_graph, repository_of
from rpg.text.printable import quote_text

ALL = "all"
YOUNG_SECONDS = 2.0
"""A folder that changed so recently may change again without a newer time."""
NAMED = 20
"""How many graphs a refusal names."""
NOTHING_LOADED = (
    "no graph is loaded: call `encode` with the path or URL of a repository, or start the server with a graph file "
    "that `rpg encode PATH` made"
)


class NamedGraphs(NamedTuple):
    """Graphs and their names. Made once for a list of graphs, since a library may have thousands."""

    names: dict[Path, str]
    """The names as listed, in the order of the graphs."""
    by_name: dict[str, Path]
    """The first graph with that name, file name or path."""


class Served:
    def __init__(self, paths: Iterable[Path], library: Path | None = None, scope: Sequence[str] = ()) -> None:
        """`scope`: names of graphs, or patterns with `*`; empty: all."""
        self.explicit = frozenset(paths := list(dict.fromkeys(path.absolute() for path in paths)))
        """Those that the server was started with by name."""
        self.library = library.absolute() if library is not None else None
        self._named = paths
        """These, and those encoded since."""
        self._scopes: tuple[tuple[str, ...], ...] = (tuple(scope),) if scope else ()
        """Each of them has to admit a graph."""
        self._in_library: list[Path] = []
        self._seen: tuple[int, bool] | None = None
        """The time of the library's folder when it was listed, and whether that was long ago."""
        self._lock = threading.Lock()
        self._known: tuple[list[Path], list[Path], NamedGraphs] | None = None
        """The named graphs and those of the library when the names were made, and the names."""

    def within(self, scope: Sequence[str]) -> Served:
        """The same graphs, and later ones, as far as that scope admits them too."""
        served = copy(self)  # shares the list of named graphs
        served._scopes = (*self._scopes, tuple(scope)) if scope else self._scopes
        served._known = None
        return served

    def every(self) -> dict[Path, None]:
        """All graphs, without regard to the scope."""
        with self._lock:
            return dict.fromkeys([*self._named, *self._listed()])

    def paths(self) -> list[Path]:
        return list(self._named_graphs().names)

    def names(self) -> list[str]:
        return list(self._named_graphs().names.values())

    def name_of(self, path: Path) -> str:
        named_graphs = self._named_graphs()
        return named_graphs.names.get(path) or name_among(named_graphs.names, path)

    def _named_graphs(self) -> NamedGraphs:
        with self._lock:
            listed = self._listed()
            known = self._known
            if known is not None and known[0] == self._named and known[1] is listed:
                return known[2]
            named = list(self._named)
            named_graphs = name_graphs(dict.fromkeys([*named, *listed]))
            if self._scopes:
                # A name is unique among the graphs in the scope, so that it does not reveal the existence of others.
                named_graphs = name_graphs(path for path, name in named_graphs.names.items() if self._is_admitted(name))
            self._known = named, listed, named_graphs
            return named_graphs

    def add(self, path: Path) -> None:
        with self._lock:
            if path not in self._named and path not in self._listed():
                self._named.append(path)

    def remove(self, path: Path) -> None:
        with self._lock:
            if path in self._named:
                self._named.remove(path)
            self._seen = None

    def refuse_outside_scope(self, path: Path) -> None:
        """Forbidden if a graph there would not be served, judged by the name under which it is or would be listed: of
        two `tea` in different folders, neither has that name."""
        self.refuse_name_outside_scope(name_among(self.every(), path))

    def refuse_name_outside_scope(self, name: str) -> None:
        """Forbidden if no graph of that name may be served."""
        if not self._is_admitted(name):
            narrowest = ", ".join(self._scopes[-1])
            raise Forbidden(f"this server does not answer for {quote_text(name)}; its scope is {narrowest}")

    @property
    def may_be_several(self) -> bool:
        return self.library is not None or len(self.explicit.intersection(self.paths())) > 1

    def usual(self) -> list[Path]:
        """The graphs that a call without `graph` queries: those that the server was started with, else all loaded
        ones."""
        every = self.paths()
        if not self.explicit and self.library is None:
            return every
        return [path for path in every if path in self.explicit or self._is_in_library(path)]

    def select_graphs(self, written: str) -> list[Path]:
        """The graphs that the argument stands for: a name, the beginning of one, several of these with commas, or
        `all`; if empty, the usual ones. GRAPH_NOT_LOADED if there is none at all, BAD_REQUEST for an unknown name."""
        named_graphs = self._named_graphs()
        if not named_graphs.names:
            raise GraphNotLoaded(NOTHING_LOADED)
        if not written.strip():
            return self.usual() or list(named_graphs.names)
        if found := paths_named(named_graphs, written.strip()):
            return found
        chosen: dict[Path, None] = {}
        for part in filter(None, map(str.strip, written.split(","))):
            chosen.update(dict.fromkeys(paths_named(named_graphs, part) or self._beginning(part, named_graphs)))
        return list(chosen)

    def the_one(self, written: str) -> Path:
        """The graph of exactly that name; if empty, the usual one, if there is just one."""
        if written and (found := paths_named(self._named_graphs(), written)):
            if len(found) == 1:
                return found[0]
        elif len(found := self.select_graphs(written)) == 1:
            return found[0]
        raise BadRequest(f"several graphs match: choose one with `graph`: {format_names(self.names())}")

    def exactly(self, written: str) -> Path:
        """The graph with exactly the listed name: for what cannot be undone."""
        found = paths_named(self._named_graphs(), written) if written != ALL else []
        if len(found) != 1:
            raise self._unknown(written)
        return found[0]

    def _beginning(self, beginning: str, named_graphs: NamedGraphs) -> list[Path]:
        found = [path for path, name in named_graphs.names.items() if name.startswith(beginning)]
        if not found:
            raise self._unknown(beginning)
        return found

    def _unknown(self, name: str) -> BadRequest:
        return BadRequest(f"no graph is called {quote_text(name)}; loaded: {format_names(self.names())}")

    def _is_admitted(self, name: str) -> bool:
        return all(any(fnmatchcase(name, each) for each in scope) for scope in self._scopes)

    def _is_in_library(self, path: Path) -> bool:
        return self.library is not None and path.parent == self.library

    def _listed(self) -> list[Path]:
        """The graphs of the library; the same list as long as the folder is unchanged."""
        if self.library is None:
            return self._in_library
        try:
            changed = os.stat(self.library).st_mtime_ns
        except OSError:
            self._seen, self._in_library = None, []
            return self._in_library
        if self._seen != (changed, True):
            is_old = time.time_ns() - changed > YOUNG_SECONDS * 1e9
            self._in_library = sorted(filter(is_named_as_graph, filter(Path.is_file, self.library.iterdir())))
            self._seen = changed, is_old
        return self._in_library


def name_graphs(paths: Iterable[Path]) -> NamedGraphs:
    every = list(paths)
    files = Counter(path.name for path in every)
    names = {path: name_of(path, is_only=files[path.name] < 2) for path in every}
    by_name: dict[str, Path] = {}
    for path, name in names.items():
        for each in (name, path.name, str(path)):
            by_name.setdefault(each, path)
    return NamedGraphs(names, by_name)


def paths_named(named_graphs: NamedGraphs, name: str) -> list[Path]:
    """The graph of that name, or `all`; empty if no graph has it."""
    if name in named_graphs.by_name:
        return [named_graphs.by_name[name]]
    return list(named_graphs.names) if name == ALL else []


def name_among(every: Iterable[Path], path: Path) -> str:
    """The name that a graph not served yet would have beside those that are."""
    return name_of(path, is_only=all(other == path or other.name != path.name for other in every))


def name_of(path: Path, is_only: bool) -> str:
    """From the file's name; if two files share it, with the folder of the file or of its repository."""
    name = graph_name(path)
    around = path if is_only else repository_of(path) or path
    called = name if is_only else f"{around.parent.name}/{name}"
    return os.fsencode(called).decode("utf-8", "replace")


def format_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
