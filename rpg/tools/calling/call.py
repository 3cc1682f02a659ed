"""What a tool gets besides its arguments: the loaded graphs, and a way to report progress.

In: graphs. Out: views of a repository: refreshed, and read as one snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.errors import GraphNotLoaded, InvalidPath
from rpg.system.deadline import limit_time
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from rpg.repository import Freshness, Repository, Snapshot
    from rpg.stores.index.index import Index
    from rpg.tools.loaded.first_encode import BeingEncoded
    from rpg.tools.loaded.graphs import Graphs

STALE_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class State:
    """How fresh an answer is."""

    commit: str = ""
    dirty: bool = False
    """The work tree differs from the commit, and the answer describes the work tree."""
    refreshed: list[str] = field(default_factory=list)
    """Files that had changed and were read again before this answer."""
    stale: list[str] = field(default_factory=list)
    """Files that changed since and whose old contents the answer shows; their lines may have moved."""
    more_stale: int = 0
    note: str = ""

    def lines(self, following: str) -> list[str]:
        """The last lines of a rendering."""
        out = [f"more: cursor {following}"] if following else []
        if self.stale:
            out.append(f"stale: {', '.join(self.stale)}{f' and {self.more_stale} more' if self.more_stale else ''}")
        if self.note:
            out.append(self.note)
        return out


@dataclass(frozen=True, kw_only=True)
class View:
    """A snapshot of one repository."""

    name: str
    index: Index
    header: dict[str, Any]
    state: State
    graph_only: bool
    """Whether only the graph file exists: no sources, no unresolved places."""
    folder: Path | None
    graph_file: Path
    shows_ignored: bool = False
    """Whether the user allows reading files that git ignores or the options exclude."""
    shows_secrets: bool = False
    embedder: str = ""
    """Name of the model whose vectors are next to the index; empty if there are none."""

    def root(self, purpose: str) -> Path:
        """The repository's folder; GRAPH_NOT_LOADED if it does not exist."""
        if self.folder is None:
            raise GraphNotLoaded(
                f"{purpose}, and the folder of {self.name} is not here: start the server with --repository DIR, or "
                f"`rpg encode DIR -o {self.graph_file}`"
            )
        return self.folder

    def read_file(self, path: str) -> list[str]:
        """The lines of a file that is not in the graph, from disk. INVALID_PATH, FORBIDDEN, UNSUPPORTED_MEDIA."""
        from rpg.encoder.options import parse_options
        from rpg.tools.loaded.files import read_lines

        if self.folder is None:
            raise InvalidPath(f"{quote_text(path)} is not in the graph, and the repository's folder is not here")
        options = parse_options(self.header.get("options", {}))
        try:
            return read_lines(
                self.folder, path, options, shows_ignored=self.shows_ignored, shows_secrets=self.shows_secrets
            )
        except InvalidPath:
            from rpg.queries.names.symbols import deleted_path

            if deleted := deleted_path(self.folder, path):
                raise deleted from None
            raise


Report = Callable[[str, int, int], None]
"""Called with the name of a stage, how much of it is done, and how much there is."""


def silent(stage: str, done: int, total: int) -> None:
    return None


def never() -> bool:
    return False


def unheard(text: str) -> None:
    return None


class Call(NamedTuple):
    graphs: Graphs
    report: Report = silent
    cancelled: Callable[[], bool] = never
    """Whether the caller has gone away in the meantime."""
    on_text: Callable[[str], None] = unheard
    """Called with an answer's text while a tool writes it."""
    seconds: float | None = None
    """Time limit for queries inside a view; None: no limit."""
    is_strict: bool = False
    """Whether the call fails if one of several graphs cannot answer."""

    def being_encoded(self, graph: str) -> BeingEncoded | None:
        """Progress of the first encode of that repository, if there is still no graph after a moment."""
        from rpg.tools.loaded.first_encode import BeingEncoded

        try:
            self.graphs.repository(self.graphs.chosen(graph), self.report)
        except BeingEncoded as being:
            return being
        return None

    @contextmanager
    def view(self, graph: str) -> Iterator[View]:
        """The repository of that name, refreshed; all queries inside see one snapshot."""
        path = self.graphs.chosen(graph)
        repository = self.graphs.repository(path, self.report)
        with repository.view(self.graphs.settings.patience) as view, limit_time(self.seconds, self.cancelled):
            yield self._view_of(path, repository, view)

    @contextmanager
    def view_as_encoded(self, graph: str) -> Iterator[tuple[View, tuple[str, ...]] | None]:
        """The same without waiting for changed files: their paths come with the view. None if that is not possible."""
        path = self.graphs.chosen(graph)
        repository = self.graphs.repository(path, self.report)
        with (
            repository.view_as_encoded(self.graphs.settings.patience) as found,
            limit_time(self.seconds, self.cancelled),
        ):
            yield (self._view_of(path, repository, found[0]), found[1]) if found is not None else None

    def _view_of(self, path: Path, repository: Repository, view: Snapshot) -> View:
        from rpg.queries.search.meaning.recorded_model import find_recorded_model

        embedder = find_recorded_model(view.index)
        self.graphs.make_vectors(path, embedder, view.index.meta("generation"))
        return View(
            name=self.graphs.name_of(path),
            index=view.index,
            header=view.header,
            state=state_of(view.state),
            graph_only=view.graph_only,
            folder=repository.root,
            graph_file=path,
            shows_ignored=self.graphs.settings.shows_ignored,
            shows_secrets=self.graphs.settings.shows_secrets,
            embedder=embedder,
        )


def state_of(state: Freshness) -> State:
    return State(
        commit=state.commit[:12],
        dirty=state.dirty,
        refreshed=list(state.refreshed[:STALE_SHOWN]),
        stale=list(state.stale[:STALE_SHOWN]),
        more_stale=max(0, len(state.stale) - STALE_SHOWN),
        note=state.note,
    )
