"""Which graph files a server serves, and which of them a name means.

In: graph files, the folder of a library, the names that a server may answer for. Out: paths. A library is looked at
again by every call, so that a graph that is encoded into it is served at once, and one that is removed no longer is.
Any thread may ask.

Invariant: a graph outside the scope is neither listed nor found, however it is named.

Absent: opening a graph.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from rpg.errors import BadRequest, Forbidden, GraphNotLoaded
from rpg.printable import quoted
from rpg.stores.graph_folder import GRAPH_ENDING, repository_of

ALL = "all"
YOUNG_SECONDS = 2.0
"""A folder that changed so recently may change again without a newer time."""
NAMED = 20
"""How many graphs a refusal names."""
NOTHING_LOADED = (
    "no graph is loaded: call `encode` with the path or URL of a repository, or start the server with a graph file "
    "that `rpg encode PATH` made"
)


class Served:
    def __init__(self, paths: Iterable[Path], library: Path | None = None, scope: Sequence[str] = ()) -> None:
        """`scope`: names of graphs, or patterns with `*`; empty: all."""
        self.given = frozenset(paths := list(dict.fromkeys(path.absolute() for path in paths)))
        """Those that the server was started with by name."""
        self.library = library.absolute() if library is not None else None
        self._named = paths
        """These, and what was encoded meanwhile."""
        self._scope = tuple(scope)
        self._in_library: list[Path] = []
        self._seen: tuple[int, bool] | None = None
        """The time of the library's folder when it was listed, and whether that was long ago."""
        self._lock = threading.Lock()

    def paths(self) -> list[Path]:
        with self._lock:
            every = list(dict.fromkeys([*self._named, *self._listed()]))
        return [path for path in every if self._is_admitted(name_among(every, path))] if self._scope else every

    def names(self) -> list[str]:
        every = self.paths()
        return [name_among(every, path) for path in every]

    def name_of(self, path: Path) -> str:
        return name_among(self.paths(), path)

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
        """Forbidden if no graph of that name may be served."""
        if self._scope and not self._is_admitted(name := name_among([path], path)):
            raise Forbidden(f"this server does not answer for {quoted(name)}; its scope is {', '.join(self._scope)}")

    @property
    def may_be_several(self) -> bool:
        return self.library is not None or len(self.given) > 1

    def usual(self) -> list[Path]:
        """What a call without `graph` is about: what the server was started with, else all that is loaded."""
        every = self.paths()
        if not self.given and self.library is None:
            return every
        return [path for path in every if path in self.given or self._is_in_library(path)]

    def selected(self, written: str) -> list[Path]:
        """The graphs meant: by a name, the beginning of one, several of these with commas, or `all`; nothing written:
        the usual ones. GRAPH_NOT_LOADED if there is none at all, BAD_REQUEST for an unknown name."""
        every = self.paths()
        if not every:
            raise GraphNotLoaded(NOTHING_LOADED)
        if not written.strip():
            return self.usual() or every
        if found := self._called(written.strip(), every):
            return found
        chosen: dict[Path, None] = {}
        for part in filter(None, map(str.strip, written.split(","))):
            chosen.update(dict.fromkeys(self._called(part, every) or self._beginning(part, every)))
        return list(chosen)

    def the_one(self, written: str) -> Path:
        """The graph of exactly that name; nothing written: the usual one, if that is one."""
        if written and (found := self._called(written, self.paths())):
            if len(found) == 1:
                return found[0]
        elif len(found := self.selected(written)) == 1:
            return found[0]
        raise BadRequest(f"several graphs are meant: say which one with `graph`: {listed(self.names())}")

    def exactly(self, written: str) -> Path:
        """For what cannot be undone: a name as it is listed."""
        found = self._called(written, self.paths()) if written != ALL else []
        if len(found) != 1:
            raise self._unknown(written)
        return found[0]

    def _called(self, name: str, every: list[Path]) -> list[Path]:
        for path in every:
            if name in (name_among(every, path), path.name, str(path)):
                return [path]
        return every if name == ALL else []

    def _beginning(self, name: str, every: list[Path]) -> list[Path]:
        found = [path for path in every if name_among(every, path).startswith(name)]
        if not found:
            raise self._unknown(name)
        return found

    def _unknown(self, name: str) -> BadRequest:
        return BadRequest(f"no graph is called {quoted(name)}; loaded: {listed(self.names())}")

    def _is_admitted(self, name: str) -> bool:
        return not self._scope or any(fnmatchcase(name, each) for each in self._scope)

    def _is_in_library(self, path: Path) -> bool:
        return self.library is not None and path.parent == self.library

    def _listed(self) -> list[Path]:
        if self.library is None:
            return []
        try:
            changed = os.stat(self.library).st_mtime_ns
        except OSError:
            self._seen, self._in_library = None, []
            return []
        if self._seen != (changed, True):
            is_old = time.time_ns() - changed > YOUNG_SECONDS * 1e9
            self._in_library = sorted(path for path in self.library.glob("*" + GRAPH_ENDING) if path.is_file())
            self._seen = changed, is_old
        return self._in_library


def name_among(every: Iterable[Path], path: Path) -> str:
    """From the file's name, and if two files share it from the folder that it lies in, or that its repository lies
    in."""
    name = path.name.removesuffix(".json").removesuffix(".graph")
    if sum(other.name == path.name for other in every) < 2:
        return name
    around = repository_of(path) or path
    return f"{around.parent.name}/{name}"


def listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
