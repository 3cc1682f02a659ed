"""The graph files that are served.

In: paths. Out: repositories, opened when first needed. A graph that is missing or damaged fails every call that needs
it, with the command that repairs it, and the next call tries again. Any thread may call.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from rpg.errors import BadRequest, GraphNotLoaded, ModelUnavailable, RpgError
from rpg.stores.graph_folder import repository_of
from rpg.system.imports import import_in_turn
from rpg.tools.loaded.background_vectors import BackgroundVectors
from rpg.tools.loaded.chosen_models import ChosenModels
from rpg.tools.loaded.encodes import Encodes, Fetches
from rpg.tools.loaded.first_encode import FirstEncode
from rpg.tools.loaded.graph_places import GraphPlaces
from rpg.tools.loaded.served import Served
from rpg.tools.loaded.settings import Settings

if TYPE_CHECKING:
    from rpg.encoder.options import Options
    from rpg.models.answerer import Answerer
    from rpg.models.chosen_embedder import ModelEmbedder
    from rpg.repository import Repository, Summary

WARMED = 8
"""How many graphs are opened before a call needs them."""
OPEN, IDLE_SECONDS = 64, 1_800.0
"""If more graphs are open, those unused for so long are closed: longer than a model may take to write."""
LOCK_SECONDS = 60.0
"""How long `encode` waits for another process that writes the same graph."""
DEFAULTS = Settings()
Report = Callable[[str, int, int], None]


class Graphs:
    def __init__(
        self,
        paths: Sequence[Path] = (),
        settings: Settings = DEFAULTS,
        *,
        missing: Mapping[Path, Path] | None = None,
        library: Path | None = None,
        scope: Sequence[str] = (),
    ) -> None:
        """`missing`: graphs to make in the background, each with its repository. `library`: a folder whose graphs are
        served, including later ones; new graphs go into it. `scope`: names, or patterns of names, of the graphs that
        may be served and made; empty: all."""
        self.settings = settings
        self._models = ChosenModels(settings.model, settings.answerer, settings.embedder)
        self._vectors = BackgroundVectors() if settings.embeds_behind else None
        self.served = Served(paths, library, scope)
        self.places = GraphPlaces(self.served, (settings.output_folder, library), settings.anywhere)
        self.encodes = Encodes()
        self.fetches = Fetches()
        self.encodes_any_folder = True
        self._opened: dict[Path, tuple[Repository, float]] = {}
        """With the time of its last use; the latest comes last."""
        self._lock = threading.Lock()
        self._first = {
            place: FirstEncode(root, partial(self._encode_first, root, place))
            for place, root in (missing or {}).items()
        }
        """Encodes of repositories that had no graph."""
        self._were_open: set[Path] = set()
        """Every graph that was served from here."""

    def limited(self, scope: Sequence[str]) -> Graphs:
        """The same graphs, opened once for all scopes, limited to those with these names, or patterns of names. Others
        are not listed, found, named in an error or written, and their encodes are not visible. Of the folders of this
        machine, only those of these graphs can be encoded."""
        limited = copy(self)
        limited.encodes_any_folder = self.encodes_any_folder and not scope
        limited.served = self.served.within(scope)
        limited.places = self.places.within(limited.served)
        limited.encodes = Encodes(self.encodes)
        return limited

    def paths(self) -> list[Path]:
        served = self.served.every()
        with self._lock:
            unserved = [path for path in self._opened if path not in served]
            closing = [self._opened.pop(path)[0] for path in unserved]
        for repository in closing:
            repository.close()
        return self.served.paths()

    def names(self) -> list[str]:
        return self.served.names()

    def name_of(self, path: Path) -> str:
        return self.served.name_of(path)

    def chosen(self, name: str) -> Path:
        """The one graph that a name stands for, or that no name stands for."""
        return self.served.the_one(name)

    def repository(self, path: Path, report: Report | None = None) -> Repository:
        """The repository, opened and kept open. GRAPH_NOT_LOADED says what repairs it; the next call tries again. Waits
        up to `patience` for a graph that is being built for the first time."""
        self._make_again_if_removed(path)
        is_again = self._wait_for_first(path, self.settings.patience, report)
        idle: list[Repository] = []
        with self._lock:
            if path in self._opened:
                found, _ = self._opened.pop(path)
            else:
                from rpg.repository import Repository

                found = Repository.open(
                    path,
                    self.settings.repository,
                    trusts=self.settings.trust and path in self.served.explicit,
                    notice=f"the graph {path.name} was removed, and has been built again" if is_again else "",
                )
                self._were_open.add(path)
                idle = self._without_idle()
            self._opened[path] = found, monotonic()
        for each in idle:
            each.close()
        return found

    def _without_idle(self) -> list[Repository]:
        """The repositories to close, so that a library of thousands does not stay open for ever. Called with the
        lock."""
        surplus = list(self._opened.items())[: max(0, len(self._opened) + 1 - OPEN)]
        before = monotonic() - IDLE_SECONDS
        return [self._opened.pop(path)[0] for path, (_, used_at) in surplus if used_at <= before]

    def is_missing(self, path: Path) -> bool:
        """Whether that graph is still to be made, in the background."""
        with self._lock:
            return path in self._first

    def _wait_for_first(self, path: Path, seconds: float | None, report: Report | None) -> bool:
        """Whether that made a graph anew that had been removed."""
        with self._lock:
            first = self._first.get(path)
        if first is None:
            return False
        first.start()
        first.wait(seconds, report or (lambda stage, done, total: None))
        with self._lock:
            self._first.pop(path, None)
        return first.is_again

    def _make_again_if_removed(self, path: Path) -> None:
        """Whoever cleans a repository removes its `.rpg/` too: what was served from there is made as at the start."""
        root = repository_of(path)
        if root is None or path not in self._were_open or os.path.lexists(path):
            return
        from rpg.repository import index_path

        if os.path.lexists(index_path(path)) or not root.is_dir():
            return  # the graph file is written from its index
        with self._lock:
            if path in self._first:
                return
            opened, _ = self._opened.pop(path, (None, 0.0))
            chosen = opened.recorded_options if opened is not None else {}
            work = partial(self._encode_first, self.settings.repository or root, path, chosen=chosen)
            self._first[path] = FirstEncode(root, work, is_again=True)
        if opened is not None:
            opened.close()

    def finish_first(self, report: Report) -> None:
        """Waits for all graphs that are being built for the first time."""
        for path in self.paths():
            self._wait_for_first(path, None, report)

    def _encode_first(self, root: Path, place: Path, report: Report, chosen: Mapping[str, Any] | None = None) -> None:
        self.write(root, place, self.options(root, chosen or {}), False, report)

    @property
    def has_model(self) -> bool:
        """Whether a model that writes answers was chosen."""
        return self._models.may_answer

    def answerer(self) -> Answerer | None:
        """The model that answers, kept and loaded by its first question; None if none was chosen."""
        return self._models.answerer()

    def embedder(self, recorded: str = "") -> ModelEmbedder | None:
        """The model that makes vectors, kept and loaded by its first text: the one that was chosen, else the one whose
        vectors are `recorded`, if it needs no file of the user's."""
        return self._models.embedder(recorded)

    def make_vectors(self, path: Path, recorded: str, generation: str) -> None:
        """Makes the vectors that a graph still lacks, in the background. Cheap if there are none."""
        if self._vectors is None or not recorded:
            return
        embedder = self.embedder(recorded)
        with suppress(ModelUnavailable):
            if embedder is not None and embedder.name == recorded:
                self._vectors.want(path, generation, embedder)

    def warm(self) -> None:
        """Does in advance what the first call would have to do: opening, and checking for changed files. Errors are
        reported to the call that needs the graph."""
        import_in_turn("rpg.repository")
        with self._lock:
            firsts = list(self._first.values())
        for first in firsts:
            first.start()
        for path in self.served.usual()[:WARMED]:
            with suppress(RpgError):
                self.repository(path).refresh(self.settings.patience)
                self.repository(path).refresh(
                    self.settings.patience
                )  # from the second query on, the system reports changes

    def place_of(self, root: Path, output: str) -> Path:
        """Where a graph of a folder goes: where the caller says, else the usual place."""
        return self.places.chosen(root, output) if output else self.places.usual(root, self._root_of)

    def _root_of(self, path: Path) -> Path | None:
        try:
            return self.repository(path).root
        except GraphNotLoaded:
            return None

    def options(self, root: Path, chosen: Mapping[str, Any]) -> Options:
        """The options of an encode. The embedder and masking are those of this process, whatever was recorded."""
        from rpg.encoder.options import options_for

        embedder = self.embedder()
        model = {"embedder": embedder.name} if embedder is not None else {}
        return options_for(root, {**chosen, **model, "mask_secrets": not self.settings.shows_secrets})

    def embed(self, index: Path, report: Report) -> tuple[int, str]:
        """Makes the vectors of the user's model now, unless that happens in the background. Returns for how many units
        it ran, and a note if another process does."""
        from rpg.repository import Locked, embed

        embedder = self.embedder()
        if embedder is None or self._vectors is not None:
            return 0, ""
        try:
            return embed(index, embedder, report), ""
        except Locked:
            return 0, "another process is making the vectors"

    def write(self, root: Path, place: Path, options: Options, full: bool, report: Report) -> Summary:
        """Encodes a folder, without loading the graph."""
        from rpg.repository import Bundle, encode, encode_in_child

        if self.settings.encodes_in_child:
            return encode_in_child(
                root, place, options, workers=self.settings.workers, progress=report, full=full, patience=LOCK_SECONDS
            )
        return encode(
            root, place, options,
            workers=self.settings.workers, progress=report, full=full, patience=LOCK_SECONDS, force=self.settings.force,
            origin=Bundle(bundle, self.settings.trust) if (bundle := self.settings.bundle) else None,
        )  # fmt: skip

    def forget(self, name: str) -> tuple[str, tuple[Path, ...]]:
        """The removed files; BAD_REQUEST without a name, because this cannot be undone."""
        if not name:
            raise BadRequest(f"name the graph to forget: {', '.join(self.names()) or 'none is loaded'}")
        path = self.served.exactly(name)
        called = self.name_of(path)
        with self._lock:
            opened, _ = self._opened.pop(path, (None, 0.0))
        from rpg.repository import forget

        if opened:
            opened.close()
        removed = forget(path)
        self.served.remove(path)
        return called, removed

    def close(self) -> None:
        self.fetches.close()
        with self._lock:
            opened = [repository for repository, _ in self._opened.values()]
            self._opened.clear()
        if self._vectors is not None:
            self._vectors.close()
        self._models.close()
        for repository in opened:
            repository.close()
