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

from rpg.errors import BadRequest, EncodeFailed, Forbidden, GraphNotLoaded, InvalidPath, ModelUnavailable, RpgError
from rpg.printable import quoted
from rpg.stores.graph_folder import GRAPH_ENDING, GRAPH_FOLDER, problem_with_folder
from rpg.tools.loaded.background_vectors import BackgroundVectors
from rpg.tools.loaded.chosen_models import ChosenModels
from rpg.tools.loaded.encodes import Encodes, Fetches, Running
from rpg.tools.loaded.first_encode import FirstEncode
from rpg.tools.loaded.served import Served

if TYPE_CHECKING:
    from rpg.encoder.options import Options
    from rpg.models.answerer import Answerer
    from rpg.models.chosen_embedder import ModelEmbedder
    from rpg.repository import Repository, Source, Summary

WARMED = 8
"""How many graphs are opened before a call needs them."""
OPEN, IDLE_SECONDS = 64, 1_800.0
"""If more graphs are open, those unused for so long are closed: longer than a model may take to write."""
LOCK_SECONDS = 60.0
"""How long `encode` waits for another process that writes the same graph."""


class Graphs:
    def __init__(
        self,
        paths: Sequence[Path] = (),
        *,
        repository: Path | None = None,
        model: str | None = None,
        answerer: Answerer | None = None,
        embedder: str | None = None,
        workers: int | None = None,
        patience: float | None = None,
        output_folder: Path | None = None,
        encodes_in_child: bool = False,
        shows_ignored: bool = False,
        shows_secrets: bool = False,
        anywhere: bool = False,
        force: bool = False,
        trust: bool = False,
        missing: Mapping[Path, Path] | None = None,
        embeds_behind: bool = False,
        library: Path | None = None,
        scope: Sequence[str] = (),
    ) -> None:
        """`repository`: the folder of the sources, if it is not the recorded one. `patience`: seconds that an answer
        waits for changed files to be encoded before it lists the stale ones instead; None: until they are. `model`: a
        GGUF file that answers, loaded by the first question; `answerer`: one that exists already. `embedder`: `minilm`
        or a GGUF file that makes vectors, else the one that RPG_EMBEDDER names. `encodes_in_child`: `encode` works in a
        separate process, so that this long-lived one does not grow. `output_folder`: where graphs of URLs go, and what
        `output` is relative to; None: next to the loaded one, else the user's data folder. `shows_ignored`: whether
        files that git ignores or the options exclude are read. `shows_secrets`: whether secrets stay unmasked, in what
        is encoded and in answers. `anywhere`: a graph may be written wherever the user says, and goes into its
        repository if the user says nothing; otherwise only below the user's library, in the output folder and in the
        folders of the graphs given here. `force`: also overwrite what rpg did not write. `trust`: indexes that another
        installation made of these graphs are used as they are. `missing`: graphs to make in the background, each with
        its repository. `embeds_behind`: vectors are made in the background too, and no call waits for them. `library`:
        a folder whose graphs are served, including later ones; new graphs go into it. `scope`: names, or patterns of
        names, of the graphs that may be served and made; empty: all."""
        self.shows_ignored = shows_ignored
        self.shows_secrets = shows_secrets
        self._models = ChosenModels(model, answerer, embedder)
        self._vectors = BackgroundVectors() if embeds_behind else None
        self.workers = workers
        self.patience = patience
        self._encodes_in_child = encodes_in_child
        self._repository = repository
        self._output_folder = output_folder or library
        self.served = Served(paths, library, scope)
        self.encodes = Encodes()
        self._fetches = Fetches()
        self._anywhere = anywhere
        self._encodes_any_folder = True
        self._force = force
        self._trust = trust
        own = [folder for folder in (output_folder, library) if folder is not None]
        folders = [path.parent for path in self.served.given] + own
        self._folders = frozenset(folder.resolve() for folder in folders if not is_odd(folder))
        self._opened: dict[Path, tuple[Repository, float]] = {}
        """With the time of its last use; the latest comes last."""
        self._lock = threading.Lock()
        self._first = {
            place: FirstEncode(root, partial(self._encode_first, root, place))
            for place, root in (missing or {}).items()
        }
        """Encodes of repositories that had no graph."""

    def limited(self, scope: Sequence[str]) -> Graphs:
        """The same graphs, opened once for all scopes, limited to those with these names, or patterns of names. Others
        are not listed, found, named in an error or written, and their encodes are not visible. Of the folders of this
        machine, only those of these graphs can be encoded."""
        limited = copy(self)
        limited._encodes_any_folder = self._encodes_any_folder and not scope
        limited.served = self.served.within(scope)
        limited.encodes = Encodes(self.encodes)
        return limited

    def paths(self) -> list[Path]:
        there = self.served.every()
        with self._lock:
            gone = [path for path in self._opened if path not in there]
            closing = [self._opened.pop(path)[0] for path in gone]
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

    def repository(self, path: Path, report: Callable[[str, int, int], None] | None = None) -> Repository:
        """The repository, opened and kept open. GRAPH_NOT_LOADED says what repairs it; the next call tries again. Waits
        up to `patience` for a graph that is being built for the first time."""
        self._wait_for_first(path, self.patience, report)
        idle: list[Repository] = []
        with self._lock:
            if path in self._opened:
                found, _ = self._opened.pop(path)
            else:
                from rpg.repository import Repository

                found = Repository.open(path, self._repository, trusts=self._trust and path in self.served.given)
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
        return [self._opened.pop(path)[0] for path, (_, asked) in surplus if asked <= before]

    def is_missing(self, path: Path) -> bool:
        """Whether that graph is still to be made, in the background."""
        with self._lock:
            return path in self._first

    def _wait_for_first(
        self, path: Path, seconds: float | None, report: Callable[[str, int, int], None] | None
    ) -> None:
        with self._lock:
            first = self._first.get(path)
        if first is None:
            return
        first.start()
        first.wait(seconds, report or (lambda stage, done, total: None))
        with self._lock:
            self._first.pop(path, None)

    def _encode_first(self, root: Path, place: Path, report: Callable[[str, int, int], None]) -> None:
        from rpg.encoder.options import options_for

        embedder = self.embedder()
        chosen = {"embedder": embedder.name} if embedder is not None else {}
        options = options_for(root, {**chosen, "mask_secrets": not self.shows_secrets})
        self._made(root, place, options, False, report)

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
        with self._lock:
            firsts = list(self._first.values())
        for first in firsts:
            first.start()
        for path in self.served.usual()[:WARMED]:
            with suppress(RpgError):
                self.repository(path).refresh(self.patience)
                self.repository(path).refresh(self.patience)  # from the second query on, the system reports changes

    def encode(
        self, repository: str, *, branch: str, include: Sequence[str], exclude: Sequence[str], full: bool, output: str,
        here: bool, report: Callable[[str, int, int], None],
    ) -> tuple[Summary, dict[str, list[str]], int]:  # fmt: skip
        """Encodes and loads. Also returns what changed since the last time (added, modified and deleted files), and for
        how many units the user's embedding model ran.

        Without a repository: the loaded one, with its own options unless others are given. A folder in a git repository
        stands for that repository, unless `here`. What is outside the scope is refused before anything is fetched.
        """
        for path in self.paths():
            self._wait_for_first(path, None, report)
        if branch and not repository:
            raise BadRequest("branch is for URLs: name the repository to fetch")
        source = self._source(repository, branch) if repository else None
        if source is not None and source.remote is not None:
            self.served.refuse_outside_scope(self._place(source.folder, output))
        with self.encodes.running(source.shown if source else "the loaded graph", report) as running:
            return self._encoded(
                source, include=include, exclude=exclude, full=full, output=output, here=here, running=running
            )

    def _encoded(
        self, source: Source | None, *, include: Sequence[str], exclude: Sequence[str], full: bool, output: str,
        here: bool, running: Running,
    ) -> tuple[Summary, dict[str, list[str]], int]:  # fmt: skip
        from rpg.encoder.options import options_for
        from rpg.repository import Locked, embed, index_path, obtain
        from rpg.stores.index.stored_graph import header

        around = ""
        report = running.report
        chosen: dict[str, Any] = {"include": list(include) or None, "exclude": list(exclude) or None}
        if source is not None:
            with self._fetches.running(report) as heard:
                named, commit = obtain(source, heard)
            running.fetched(commit)
            root = named if here or source.remote is not None else self._around(named, output)
            if root.resolve() != named.resolve():
                around = f"{root} is encoded, the repository around {named}; with `here` (--here) only that folder is"
            place = self._place(root, output)
        else:
            loaded = self.chosen("")
            opened = self.repository(loaded)
            if opened.root is None:
                raise GraphNotLoaded(f"the folder of {self.name_of(loaded)} is not here: call `encode` with its path")
            root = opened.root
            chosen = header(opened.index).get("options", {}) | {name: value for name, value in chosen.items() if value}
            place = self._chosen_place(root, output) if output else loaded
        self.served.refuse_outside_scope(place)
        embedder = self.embedder()
        if embedder is not None:
            chosen["embedder"] = embedder.name
        chosen["mask_secrets"] = not self.shows_secrets  # whatever the header of a graph contains
        options = options_for(root, chosen)
        before: dict[str, str] = {}
        summary = None if full else self._unchanged(place, root, options)
        if summary is None:
            before = content_hashes(index_path(place))
            summary = self._made(root, place, options, full, report)
        embedded = 0
        if embedder is not None and self._vectors is None:
            try:
                embedded = embed(index_path(place), embedder, report)
            except Locked:
                around = "; ".join(filter(None, (around, "another process is making the vectors")))
        self.served.add(place)
        changes = changed_files(before, content_hashes(index_path(place))) if before else {}
        summary = summary._replace(note="; ".join(filter(None, (around, summary.note))))
        return summary, changes, embedded

    def _source(self, repository: str, branch: str) -> Source:
        """The repository that the argument names. In a scope, Forbidden for any folder of this machine that is not of a
        graph here, and for a URL of another name, whether they exist or not."""
        from rpg.encoder.source_files.remotes import without_credentials
        from rpg.repository import named

        if self._encodes_any_folder:
            return named(repository, branch)
        source = None
        with suppress(InvalidPath):
            source = named(repository)
        if source is not None and source.remote is not None and not source.remote.url.startswith("file:"):
            source = named(repository, branch)
            self.served.refuse_name_outside_scope(source.folder.name)
            return source
        if source is not None and source.remote is None and source.folder.resolve() in self._roots():
            return named(repository, branch)
        raise Forbidden(
            f"{quoted(without_credentials(repository))} is not the folder of a graph here: this token is limited "
            "to certain graphs, and can encode only their folders, or URLs with their names"
        )

    def _roots(self) -> set[Path]:
        roots = set()
        for path in self.paths():
            with suppress(RpgError):
                roots.add(self.repository(path).root)
        return {root.resolve() for root in roots if root is not None}

    def _made(
        self, root: Path, place: Path, options: Options, full: bool, report: Callable[[str, int, int], None]
    ) -> Summary:
        from rpg.repository import encode, encode_in_child

        if self._encodes_in_child:
            return encode_in_child(
                root, place, options, workers=self.workers, progress=report, full=full, patience=LOCK_SECONDS
            )
        return encode(
            root, place, options,
            workers=self.workers, progress=report, full=full, patience=LOCK_SECONDS, force=self._force,
        )  # fmt: skip

    def _around(self, folder: Path, output: str) -> Path:
        """The repository to encode if a folder is named: the folder itself if the graph that is loaded of it, or that
        is to be written, is of just that folder."""
        from rpg.repository import is_recorded_for, repository_around

        root = repository_around(folder)
        if root == folder.resolve():
            return root
        places = [*self.paths(), *([self._folder() / Path(output).expanduser()] if output else [])]
        return (
            folder.resolve() if any(is_recorded_for(place.absolute(), folder.resolve()) for place in places) else root
        )

    def _unchanged(self, place: Path, root: Path, options: Options) -> Summary | None:
        """What an encode would report, if the graph is loaded and up to date."""
        if place not in self.paths():
            return None
        try:
            repository = self.repository(place)
            return repository.unchanged(options) if repository.root == root.resolve() else None
        except RpgError:
            return None  # the encode reports it

    def _place(self, root: Path, output: str) -> Path:
        """Where the graph goes: where the caller says; else to the loaded graph of this folder; else into the
        repository. A graph of a URL, and whatever a server makes, goes to the output folder instead: the one given,
        else that of the loaded graphs, else the user's data folder."""
        from rpg.repository import clones_folder, default_output, default_place

        if output:
            return self._chosen_place(root, output)
        for path in self.paths():
            if path not in self.served.given and not path.name.startswith(root.name):
                continue  # what encodes of this folder made has its name
            try:
                if self.repository(path).root == root.resolve():
                    return path
            except GraphNotLoaded:
                continue
        if self._anywhere and not root.resolve().is_relative_to(clones_folder().resolve()):
            return default_place(root)
        return default_output(root, self._folder()).absolute()

    def _chosen_place(self, root: Path, output: str) -> Path:
        """Where `output` leads, with links and `..` in its folder resolved; BAD_REQUEST if no graph of `root` may be
        written there."""
        from rpg.repository import is_of, refuse_name

        try:
            place = (self._folder() / Path(output).expanduser()).absolute()
            refuse_name(place)
            if output.endswith("/") or not place.name.isprintable():
                raise BadRequest(f"{quoted(output)} names no file: give a name that ends in {GRAPH_ENDING}")
            place = place.parent.resolve() / place.name
            if self._anywhere:
                return place
            if place in self.served.given:
                is_allowed = True
            else:
                is_allowed = place.parent in self._folders or place.parent.is_relative_to(library().resolve())
            self.served.refuse_outside_scope(place)
            if not is_allowed or not place.name.endswith(GRAPH_ENDING):
                raise BadRequest(
                    f"{quoted(output)} is not a place for a graph: a server writes graphs whose names end in "
                    f"{GRAPH_ENDING}, in the folder of a graph that it was started with or in the user's library; "
                    "leave `output` out, or encode on the command line: `rpg encode PATH -o FILE`"
                )
            if os.path.lexists(place) and not is_of(place, root):
                raise BadRequest(
                    f"{quoted(output)} already exists, and is not a graph of {quoted(str(root))}: choose another name"
                )
        except (OSError, ValueError, RuntimeError) as error:  # too long, a NUL, a loop, an unknown home folder
            why = getattr(error, "strerror", "") or str(error)
            raise BadRequest(f"{quoted(output)} cannot be the name of a graph file ({why}): choose another") from error
        return place

    def _folder(self) -> Path:
        """The folder for new graphs; created if it is the user's library."""
        paths = self.paths()
        beside = paths[0].parent if paths and paths[0].parent.name != GRAPH_FOLDER else library()
        folder = self._output_folder or beside
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EncodeFailed(
                f"graphs cannot be kept in {folder} ({error.strerror}): make it writable, or name another data folder "
                "with RPG_DATA"
            ) from error
        return folder

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
        self._fetches.close()
        with self._lock:
            opened = [repository for repository, _ in self._opened.values()]
            self._opened.clear()
        if self._vectors is not None:
            self._vectors.close()
        self._models.close()
        for repository in opened:
            repository.close()


def is_odd(folder: Path) -> bool:
    """Whether it is a `.rpg` that somebody else prepared, which may lead anywhere."""
    return folder.name == GRAPH_FOLDER and os.path.lexists(folder) and bool(problem_with_folder(folder))


def library() -> Path:
    """Where a server keeps the graphs that it makes."""
    from rpg.repository import data_folder

    return data_folder() / "graphs"


def content_hashes(index: Path) -> dict[str, str]:
    """The hash of every file that an index knows; empty if there is no index yet, or a damaged one."""
    from rpg.stores.index.index import BrokenIndex, Index

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
    return {
        "added": sorted(after.keys() - before.keys()),
        "modified": sorted(path for path in after.keys() & before.keys() if after[path] != before[path]),
        "deleted": sorted(before.keys() - after.keys()),
    }
