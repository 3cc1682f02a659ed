"""A loaded graph: its index, which always belongs to the graph file and always describes the sources as they are now.

In: the path of a graph file. Out: an index to query, and the `Freshness` of its answers. Any thread may query. Queries
go to the index; the graph file is read only if an index must be made from it.

Work that has to come first (making an index, writing a graph file that is behind, encoding changed files) is a `Job`.
One runs at a time, and every query waits for it as long as its patience lasts.

Absent: queries (queries/), how graphs are made (encoder), how files are written (encode.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.errors import GraphNotLoaded, RpgError
from rpg.repository import removal
from rpg.repository.encoding import repair
from rpg.repository.encoding.consistency import FITS, LATE, Consistency, consistency_of
from rpg.repository.identity import read_recorded_repository
from rpg.repository.locations import GRAPH_ENDING, index_path
from rpg.repository.process import encoder_process
from rpg.repository.process.shared_work import Job
from rpg.repository.state import Freshness, Snapshot, note_of
from rpg.repository.watch.changes import Changes
from rpg.repository.watch.file_stamps import marks_of
from rpg.repository.watch.freshness import Watch
from rpg.stores.index import stored_graph
from rpg.stores.index.adoption import MALFORMED, raise_if_damaged
from rpg.stores.index.index import BrokenIndex, Index

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from rpg.encoder.options import Options
    from rpg.repository.encoding.summary import Summary

ROUNDS = 10
"""How many jobs one query waits for, including those that other queries and processes started."""
LARGE_PATIENCE = 2.0
"""The most seconds that an answer waits for the repair of a large graph: enough for most edits that affect few files.
Other edits take many times that; queries that arrive during the repair are answered at once, from the current index."""
SHORT_PATIENCE = 0.25
"""The same if the last repair outlasted the patience, as it does where a file or a class takes long to resolve: the
next one will, too."""
BEING_ENCODED = "changed files are being encoded: ask again in a moment"
LOCK_SECONDS = 600.0
"""How long a job waits for another process that writes the same graph."""


@dataclass(frozen=True)
class Loaded:
    """One generation of the index."""

    index: Index
    generation: str
    header: dict[str, Any]
    watch: Watch | None
    """None if there is no folder to watch."""
    note: str
    marks: tuple[int, ...]
    """Stamps of graph file and index by `marks_of`, taken before the two were compared."""


class JobOutcome(NamedTuple):
    """What the last job made."""

    generation: str
    before: str = ""
    """The generation that it replaced."""
    edits_only: tuple[str, ...] = ()
    """The edited files, if nothing else was examined."""


class Repository:
    """Not ready when opened: the first query does the outstanding work."""

    def __init__(self, graph_path: Path, given_root: Path | None, trusts: bool = False, notice: str = "") -> None:
        self.graph_path = graph_path
        self._given_root = given_root
        self._trusts = trusts
        """Until the first query: whether to use an index that another installation made."""
        self._lock = threading.Lock()
        """Guards the fields below; never held while a job works."""
        self._loaded: Loaded | None = None
        self._job: Job | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._encoder = encoder_process.Encoder()
        self._is_asked_again = False
        self._failed: tuple[Changes, str] | None = None
        """Changes that could not be encoded, and why: not tried again until they differ."""
        self._last_took = 0.0
        """Seconds of the last repair."""
        self._lacked_room = False
        """Whether they could not be written, which is tried again."""
        self._note = ""
        self._notice, self._opening_notice = "", notice
        """Notes for the next answer, shown once."""
        self._repaired_generation = ""
        """The generation that replaced a damaged one."""
        self._last_outcome = JobOutcome("")

    @classmethod
    def open(
        cls, graph_path: Path, repository_root: Path | None = None, *, trusts: bool = False, notice: str = ""
    ) -> Repository:
        """Cheap: reads headers, not the graph. `repository_root` is needed only if the repository is not in the
        recorded folder. `trusts`: an index of this graph file that another installation made is used as it is.
        `notice`: what the first answer says of the graph.

        Raises GraphNotLoaded for a graph that is missing, damaged or of a newer version.
        """
        graph_path = graph_path.absolute()
        consistency_of(graph_path, repository_root)
        return cls(graph_path, repository_root, trusts, notice)

    @property
    def root(self) -> Path | None:
        """The folder of the sources; None if it does not exist."""
        with self._lock:
            loaded = self._loaded
        if loaded is None:
            return consistency_of(self.graph_path, self._given_root).root
        return loaded.watch.root if loaded.watch else None

    @property
    def recorded_options(self) -> dict[str, Any]:
        """The options of the graph, as far as it was loaded."""
        with self._lock:
            loaded = self._loaded
        found = loaded.header.get("options") if loaded is not None else None
        return found if isinstance(found, dict) else {}

    @property
    def index(self) -> Index:
        """The index, made or repaired first if necessary. Does not check the sources: `refresh` does."""
        while True:
            with self._lock:
                if self._job is None:
                    self._job = self._unsettled()
                job, loaded = self._job, self._loaded
            if loaded is not None:
                return loaded.index
            if job is not None:
                self._finish(job, None)

    @contextmanager
    def view(self, patience: float | None = None) -> Iterator[Snapshot]:
        """Refreshes; all queries of this thread inside the context then see one snapshot."""
        state = self.refresh(patience)
        index = self.index
        with index.snapshot():
            with self._lock:
                loaded = self._loaded
            is_loaded = loaded is not None and loaded.generation == index.meta("generation")
            header = loaded.header if loaded is not None and is_loaded else stored_graph.header(index)
            try:
                yield Snapshot(index, header, state, index.meta("basis") == "graph")
            except MALFORMED as error:
                raise_if_damaged(index, error)
                raise

    @contextmanager
    def view_as_encoded(self, patience: float | None = None) -> Iterator[tuple[Snapshot, tuple[str, ...]] | None]:
        """As `view`, but changed files are not encoded first: their paths come with the snapshot, which may have them
        already. None if other work must come first. With `patience` they are encoded afterwards, in the background."""
        behind = self._find_unencoded()
        if behind is None:
            yield None
            return
        try:
            index = self.index
            with index.snapshot():
                with self._lock:
                    loaded = self._loaded
                is_loaded = loaded is not None and loaded.generation == index.meta("generation")
                header = loaded.header if loaded is not None and is_loaded else stored_graph.header(index)
                with self._lock:
                    state = self._state(set())
                yield Snapshot(index, header, state, index.meta("basis") == "graph"), behind
        finally:
            if behind and patience is not None:
                self.refresh(0.0)

    def refresh(self, patience: float | None = None) -> Freshness:
        """Encodes changed files. If that takes longer than `patience` seconds it continues in the background, and the
        state lists the stale files; None waits until it is done.

        Raises GraphNotLoaded while there is no index to answer from, or if none can be made.
        """
        asked_at = time.monotonic()
        refreshed: set[str] = set()
        for _ in range(ROUNDS):
            with self._lock:
                is_ours = self._job is None
                if is_ours:
                    self._job = self._unsettled() or self._outdated()
                job = self._job
                if job is None:
                    return self._state(refreshed)
            behind = job.changes.paths if job.changes else ()
            if not self._finish(job, self._deadline(job, asked_at, patience)):
                with self._lock:
                    return self._state(refreshed, self._behind(behind), BEING_ENCODED)
            if job.error is None:
                refreshed.update(behind)
            # The answer must contain the changes found by a check that began after the query arrived; later ones may be
            # missing.
            if is_ours and job.changes is not None and job.is_complete:
                with self._lock:
                    self._job = self._job or self._unsettled()
                    if self._loaded is not None:
                        return self._state(refreshed)
        with self._lock:
            return self._state(refreshed, behind, "files change faster than they are encoded")

    def find_unchanged_summary(self, options: Options) -> Summary | None:
        """What an encode with these options would report if it had nothing to do; None if it may have something to do.
        Checked as before a query, and by the status of every file too."""
        from rpg.repository.encoding import unchanged

        with self._lock:
            loaded = None
            if self._job is None and self._unsettled() is None:
                loaded = self._loaded
            if loaded is None or loaded.watch is None:
                return None
            return unchanged.find_unchanged(loaded.watch, options, loaded.index, self.graph_path)

    def close(self) -> None:
        with self._lock:
            loaded, self._loaded = self._loaded, None
            pool, self._pool = self._pool, None
        self._encoder.close()
        if pool is not None:
            pool.shutdown()
        if loaded is not None:
            loaded.index.close()
            if loaded.watch is not None:
                loaded.watch.close()

    def forget(self) -> tuple[Path, ...]:
        """Removes graph file, index, and the clone in the data folder if there is one. Returns what was removed."""
        self.close()
        return removal.forget(self.graph_path)

    # With the lock held:

    def _unsettled(self) -> Job | None:
        """What must happen before any query; None once an index is loaded that belongs to the graph file."""
        if self._trusts:
            return Job(self._adopt, None)
        marks = marks_of(self.graph_path)
        loaded = self._loaded
        damage = loaded.index.broken if loaded else ""
        if damage and loaded is not None and loaded.generation == self._repaired_generation:
            raise GraphNotLoaded(
                f"the index of {self.graph_path.name} was damaged, rebuilt, and is damaged again ({damage}): the "
                f"disk may be failing. Encode into another folder with `rpg encode REPOSITORY -o OTHER{GRAPH_ENDING}`"
            )
        is_same_file = loaded is not None and loaded.marks[-1] == marks[-1]
        is_known = loaded is not None and not damage and loaded.marks == marks
        if loaded is not None and is_known and loaded.generation == loaded.index.meta("generation"):
            return None
        now = consistency_of(self.graph_path, self._given_root)
        is_sound = now.kind == FITS or (now.kind == LATE and loaded is not None)  # a start finishes the graph file
        if not is_sound or damage:
            self._loaded = None
            return Job(lambda: self._settle(damage), None)
        # An index is used as long as its file exists: other threads may be querying it.
        index = loaded.index if loaded and is_same_file else Index.open_read_only(index_path(self.graph_path))
        try:
            self._loaded = self._load(index, now, marks)
        except BrokenIndex as error:
            self._loaded, damage = None, error.message
            return Job(lambda: self._settle(damage), None)
        if self._notice and not self._repaired_generation:
            self._repaired_generation = self._loaded.generation
        return None

    def _outdated(self) -> Job | None:
        """What must happen before the answer describes the current sources; None if it already does, or cannot."""
        loaded = self._loaded
        if loaded is None or loaded.watch is None:
            return None
        watch = loaded.watch
        if self._is_asked_again:
            self._encoder.expect_edits(self.graph_path)
        self._is_asked_again = True
        try:
            changes = watch.changes()
        except RpgError as error:
            self._failed = (Changes(), f"checking for changed files failed: {error.message}")
            return None
        if self._failed is not None and self._failed[0] == changes and not (self._lacked_room and self._has_room()):
            return None
        self._failed = None
        if changes.paths or changes.identity is not None:
            watch.mark()
            return Job(lambda: self._repair(loaded, watch, changes), changes)
        repair.note_touched(self.graph_path, loaded.generation, watch.touched)
        return None

    def _find_unencoded(self) -> tuple[str, ...] | None:
        """The files that changed since the index was made; None if it must be settled first, or nothing is watched."""
        with self._lock:
            if self._job is None:
                self._job = self._unsettled()
            job, loaded = self._job, self._loaded
            if loaded is None or loaded.watch is None or (job is not None and job.changes is None):
                return None
            if self._is_asked_again:
                self._encoder.expect_edits(self.graph_path)
            self._is_asked_again = True
            try:
                paths = loaded.watch.changes().paths
            except RpgError:
                return None
            return tuple(sorted({*paths, *(job.changes.paths if job is not None and job.changes else ())}))

    def _has_room(self) -> bool:
        from rpg.repository.encoding.disk_space import has_room

        return has_room(self.graph_path)

    def _behind(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """The files that a job repairs, and those that have changed since it began."""
        if self._loaded is None or self._loaded.watch is None or not known:
            return known
        try:
            return tuple(sorted({*known, *self._loaded.watch.changes().paths}))
        except RpgError:
            return known

    def _load(self, index: Index, now: Consistency, marks: tuple[int, ...]) -> Loaded:
        with index.snapshot():
            generation = index.meta("generation")
            try:
                header = stored_graph.header(index)
                watch = self._watch(index, generation, header, now)
            except MALFORMED as error:
                raise_if_damaged(index, error)
                raise
            note = note_of(index, watch, self._note)
            if watch is not None and watch.is_elsewhere:
                watch = None
        return Loaded(index, generation, header, watch, note, marks)

    def _watch(self, index: Index, generation: str, header: dict[str, Any], now: Consistency) -> Watch | None:
        """The watch over the files of a generation. The previous watch is kept if it knows them."""
        from rpg.encoder.options import parse_options

        if now.root is None:
            return None
        options, outcome = parse_options(now.options), self._last_outcome
        last = self._loaded.generation if self._loaded else ""
        before = self._loaded.watch if self._loaded else None
        if before is not None and (before.root, before.options) == (now.root, options):
            if generation == last:
                return before
            if outcome.edits_only and (outcome.generation, outcome.before) == (generation, last):
                before.edits_are_known(index, header, outcome.edits_only)
                return before
        watch = Watch(now.root, options, index, header, before)
        if generation == outcome.generation:
            watch.names_are_known()
        return watch

    def _state(self, refreshed: set[str], stale: tuple[str, ...] = (), note: str = "") -> Freshness:
        loaded = self._loaded
        if loaded is None:
            raise GraphNotLoaded(f"the index of {self.graph_path.name} is being built: ask again in a moment")
        if self._failed is not None and not stale:
            stale, note = self._failed[0].paths, self._failed[1]
        commit, dirty = (
            read_recorded_repository(loaded.header).get("commit", ""),
            read_recorded_repository(loaded.header).get("dirty", False),
        )
        news, self._notice, opening_notice, self._opening_notice = self._notice, "", self._opening_notice, ""
        full_note = note or news or loaded.note
        if opening_notice:
            full_note = f"{opening_notice}; {full_note}" if full_note else opening_notice
        return Freshness(commit, dirty, tuple(sorted(refreshed)), stale, full_note)

    # Without the lock:

    def _finish(self, job: Job, deadline: float | None) -> bool:
        """Whether the job has ended. Raises its error unless there is still an index to answer from."""
        if deadline is None:
            job.do()
        elif not job.do_behind(self._executor(), deadline - time.monotonic()):
            return False
        with self._lock:
            if self._job is job:
                self._job = None
                if job.changes is not None:
                    self._last_took = job.took
            if job.changes is not None and isinstance(job.error, RpgError):
                self._failed = (job.changes, f"changed files could not be encoded: {job.error.message}")
                self._lacked_room = not self._has_room()
                return True
        if job.error is not None:
            raise job.error
        return True

    def _executor(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, "rpg-encode")
            return self._pool

    def _deadline(self, job: Job, asked_at: float, patience: float | None) -> float | None:
        """The patience with a repair counts from its start: while a long one runs, queries are answered at once."""
        if patience is None:
            return None
        if job.changes is None:
            return asked_at + patience
        if encoder_process.is_large(self.graph_path):
            patience = min(patience, LARGE_PATIENCE)
        if self._last_took > patience:
            patience = min(patience, SHORT_PATIENCE)
        return min(asked_at, job.since) + patience

    def _adopt(self) -> bool:
        from rpg.repository.encoding.adoption import adopt_index

        notice = adopt_index(self.graph_path, self._given_root, LOCK_SECONDS)
        with self._lock:
            self._trusts, self._opening_notice = False, notice
        return True

    def _settle(self, damage: str) -> bool:
        if encoder_process.is_large(self.graph_path):
            root = str(self._given_root or "")
            request = {"do": "settle", "graph": str(self.graph_path), "root": root, "damage": damage}
            note = str(self._encoder.ask({**request, "patience": LOCK_SECONDS})["note"])
        else:
            note = repair.settle(self.graph_path, self._given_root, damage, LOCK_SECONDS)
        with self._lock:
            self._note = note
            if damage:
                self._notice, self._repaired_generation = f"the index was damaged and has been rebuilt ({damage})", ""
        return True

    def _repair(self, loaded: Loaded, watch: Watch, changes: Changes) -> bool:
        from rpg.encoder.options import dump_options

        identity = None if changes.paths or changes.identity is None else tuple(changes.identity)
        edits_only: tuple[str, ...] = ()
        if encoder_process.is_large(self.graph_path):
            reply = self._encoder.ask(
                {
                    "do": "repair", "graph": str(self.graph_path), "root": str(watch.root),
                    "options": dump_options(watch.options), "generation": loaded.generation, "identity": identity,
                    "edited": () if changes.added or changes.deleted else changes.edited,
                    "known_edited": changes.edited, "patience": LOCK_SECONDS,
                }
            )  # fmt: skip
            new_generation, edits_only = reply["made"], tuple(reply["edits_only"])
        else:
            new_generation = repair.bring_up_to_date(
                self.graph_path,
                watch.root,
                watch.options,
                loaded.generation,
                changes.identity if identity else None,
                LOCK_SECONDS,
                changes.edited,
            )
        with self._lock:
            self._last_outcome = JobOutcome(new_generation, loaded.generation, edits_only)
            if new_generation == loaded.generation:
                watch.forget_edits()
        return bool(new_generation)
