"""What a tool is given beside its arguments: the graphs that are loaded, and a way to tell how far it is.

In: graph files. Out: repositories, opened when first asked for, and views of them: refreshed, and read as of one
moment. A graph that is missing or broken fails every call that needs it, with the command that repairs it, and is
tried anew by the next call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.errors import BadRequest, GraphNotLoaded, InvalidPath, RpgError

if TYPE_CHECKING:
    from rpg.repository import Repository, Summary
    from rpg.repository import State as RepositoryState
    from rpg.stores.index import Index

ENDING = ".graph.json"
STALE_SHOWN = 10
LOCK_SECONDS = 60.0
"""How long `encode` waits for another process that writes the same graph."""


@dataclass(frozen=True, kw_only=True)
class State:
    """How fresh an answer is."""

    commit: str = ""
    dirty: bool = False
    """The work tree differs from the commit, and the answer is of the work tree."""
    refreshed: list[str] = field(default_factory=list)
    """Files that had changed and were read again before this answer."""
    stale: list[str] = field(default_factory=list)
    """Files that changed and are still answered for as they were; their lines may have moved."""
    more_stale: int = 0
    note: str = ""

    def lines(self, following: str) -> list[str]:
        """The last lines of a rendering."""
        out = [f"more: cursor {following}"] if following else []
        if self.stale:
            out.append(f"behind: {', '.join(self.stale)}{f' and {self.more_stale} more' if self.more_stale else ''}")
        if self.note:
            out.append(self.note)
        return out


@dataclass(frozen=True, kw_only=True)
class View:
    """One repository as of one moment."""

    name: str
    index: Index
    header: dict[str, Any]
    state: State
    alone: bool
    """Whether the graph file is all that there is: no sources, no unresolved places."""
    folder: Path | None
    graph_file: Path

    def root(self, purpose: str) -> Path:
        """The repository's folder; GRAPH_NOT_LOADED where it is not there."""
        if self.folder is None:
            raise GraphNotLoaded(
                f"{purpose}, and the folder of {self.name} is not here: start the server with --repository DIR, or "
                f"`rpg encode DIR -o {self.graph_file}`"
            )
        return self.folder

    def read_file(self, path: str) -> list[str]:
        """The lines of a file that is not in the graph, as it is now. INVALID_PATH, FORBIDDEN, UNSUPPORTED_MEDIA."""
        from rpg.tools.files import read_lines

        if self.folder is None:
            raise InvalidPath(f"{path!r} is not in the graph, and the repository's folder is not here")
        return read_lines(self.folder, path)


Report = Callable[[str, int, int], None]
"""Told the name of a stage, how much of it is done, and how much there is."""


def silent(stage: str, done: int, total: int) -> None:
    return None


class Call(NamedTuple):
    graphs: Graphs
    report: Report = silent

    @contextmanager
    def view(self, graph: str) -> Iterator[View]:
        """The repository of that name, refreshed; everything asked inside is of one moment."""
        path = self.graphs.chosen(graph)
        repository = self.graphs.repository(path)
        with repository.view(self.graphs.patience) as view:
            yield View(
                name=self.graphs.name_of(path),
                index=view.index,
                header=view.header,
                state=state_of(view.state),
                alone=view.alone,
                folder=repository.root,
                graph_file=path,
            )


class Graphs:
    """The graph files that are served. Any thread may ask."""

    def __init__(
        self,
        paths: Sequence[Path] = (),
        *,
        repository: Path | None = None,
        model: str | None = None,
        workers: int | None = None,
        patience: float | None = None,
        output_folder: Path | None = None,
    ) -> None:
        """`repository`: the sources' folder, where it is not the recorded one. `patience`: seconds that an answer waits
        for changed files to be encoded before it is given with what is behind named; None: to the end.
        `output_folder`: where new graphs go; None: beside the loaded one, else the user's data folder."""
        self.model = model
        self.workers = workers
        self.patience = patience
        self._repository = repository
        self._output_folder = output_folder
        self._paths = list(dict.fromkeys(path.absolute() for path in paths))
        self._opened: dict[Path, Repository] = {}
        self._lock = threading.Lock()

    def paths(self) -> list[Path]:
        with self._lock:
            return list(self._paths)

    def names(self) -> list[str]:
        return [self.name_of(path) for path in self.paths()]

    def name_of(self, path: Path) -> str:
        """From the file's name; from its folder too where two files share theirs."""
        name = path.name.removesuffix(".json").removesuffix(".graph")
        others = [other for other in self.paths() if other.name == path.name]
        return f"{path.parent.name}/{name}" if len(others) > 1 else name

    def chosen(self, name: str) -> Path:
        """The graph of that name, or the only one."""
        paths = self.paths()
        if not paths:
            raise GraphNotLoaded(
                "no graph is loaded: call `encode` with the path or URL of a repository, or start the server with a "
                "graph file that `rpg encode PATH` made"
            )
        if not name and len(paths) == 1:
            return paths[0]
        for path in paths:
            if name and name in (self.name_of(path), path.name, str(path)):
                return path
        known = ", ".join(self.names())
        if name:
            raise BadRequest(f"no graph is called {name!r}; loaded: {known}")
        raise BadRequest(f"several graphs are loaded: say which with `graph`: {known}")

    def repository(self, path: Path) -> Repository:
        """Opened, and kept. GRAPH_NOT_LOADED says what repairs it; the next call tries again."""
        with self._lock:
            found = self._opened.get(path)
            if found is None:
                from rpg.repository import Repository

                found = self._opened[path] = Repository.open(path, self._repository)
            return found

    def warm(self) -> None:
        """Do ahead what the first call would have to: opening, and looking for changed files. What is wrong with a
        graph is told to the call that needs it."""
        for path in self.paths():
            with suppress(RpgError):
                self.repository(path).refresh(self.patience)

    def encode(
        self, repository: str, *, branch: str, include: Sequence[str], exclude: Sequence[str], full: bool, output: str,
        report: Report,
    ) -> tuple[Summary, dict[str, list[str]]]:  # fmt: skip
        """Encode and load. Also what changed since the last time: added, modified and deleted files.

        Without a repository the loaded one, with the options it has, where no others are given.
        """
        from rpg.encoder.options import options_for
        from rpg.repository import encode, index_path, obtain
        from rpg.stores.index_graph import header

        given: dict[str, Any] = {"include": list(include) or None, "exclude": list(exclude) or None}
        if repository:
            root = obtain(repository, branch)
            place = self._place(root, output)
        else:
            loaded = self.chosen("")
            opened = self.repository(loaded)
            if opened.root is None:
                raise GraphNotLoaded(f"the folder of {self.name_of(loaded)} is not here: call `encode` with its path")
            root = opened.root
            given = header(opened.index).get("options", {}) | {name: value for name, value in given.items() if value}
            place = self._absolute(output) if output else loaded
        before = content_hashes(index_path(place))
        summary = encode(
            root, place, options_for(root, given), workers=self.workers, progress=report, full=full,
            patience=LOCK_SECONDS,
        )  # fmt: skip
        with self._lock:
            if place not in self._paths:
                self._paths.append(place)
        return summary, changed_files(before, content_hashes(index_path(place)))

    def _place(self, root: Path, output: str) -> Path:
        """Where the graph goes: where it was told, or to the graph that is loaded of this very folder, or to a new
        one in the output folder: the one given, else that of the loaded graphs, else the user's data folder."""
        from rpg.repository import data_folder, default_output

        if output:
            return self._absolute(output)
        for path in self.paths():
            try:
                if self.repository(path).root == root.resolve():
                    return path
            except GraphNotLoaded:
                continue
        paths = self.paths()
        folder = self._output_folder or (paths[0].parent if paths else data_folder() / "graphs")
        folder.mkdir(parents=True, exist_ok=True)
        return default_output(root, folder).absolute()

    def _absolute(self, output: str) -> Path:
        paths = self.paths()
        folder = self._output_folder or (paths[0].parent if paths else Path.cwd())
        return (folder / Path(output).expanduser()).absolute()

    def forget(self, name: str) -> tuple[str, tuple[Path, ...]]:
        """What was removed; BAD_REQUEST without a name, as this cannot be undone."""
        if not name:
            raise BadRequest(f"say which graph to forget: {', '.join(self.names()) or 'none is loaded'}")
        path = self.chosen(name)
        called = self.name_of(path)
        with self._lock:
            opened = self._opened.pop(path, None)
        from rpg.repository import forget

        if opened:
            opened.close()
        removed = forget(path)
        with self._lock:
            self._paths.remove(path)
        return called, removed

    def close(self) -> None:
        with self._lock:
            opened, self._opened = self._opened, {}
        for repository in opened.values():
            repository.close()


def state_of(state: RepositoryState) -> State:
    return State(
        commit=state.commit[:12],
        dirty=state.dirty,
        refreshed=list(state.refreshed[:STALE_SHOWN]),
        stale=list(state.stale[:STALE_SHOWN]),
        more_stale=max(0, len(state.stale) - STALE_SHOWN),
        note=state.note,
    )


def content_hashes(index: Path) -> dict[str, str]:
    """Of every file that an index knows; empty where there is no index yet, or a broken one."""
    from rpg.stores.index import BrokenIndex, Index

    try:
        opened = Index.open_read_only(index)
    except BrokenIndex:
        return {}
    try:
        return dict(opened.rows("SELECT path, hash FROM files WHERE skipped = ''"))
    except BrokenIndex:
        return {}
    finally:
        opened.close()


def changed_files(before: dict[str, str], after: dict[str, str]) -> dict[str, list[str]]:
    if not before:
        return {}
    return {
        "added": sorted(after.keys() - before.keys()),
        "modified": sorted(path for path in after.keys() & before.keys() if after[path] != before[path]),
        "deleted": sorted(before.keys() - after.keys()),
    }
