"""The first encode of a repository that has no graph yet, in the background of a server that is started for its folder;
and the encode of one whose graph was removed under a running server.

In: folders that a server is started for, and the work. Out: their graph files, and for calls that arrive earlier, the
progress. A call waits a moment, with progress; then it has to be repeated. The work begins when the server is warm or
the first call arrives, so that the handshake comes first.

Absent: encoding (repository/), and what can be answered without a graph (the tools).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rpg.errors import BadRequest, GraphNotLoaded, RpgError
from rpg.stores.graph_folder import graph_around, nearest_graph
from rpg.tools.loaded.encode_progress import EncodeProgress

Report = Callable[[str, int, int], None]


class BeingEncoded(GraphNotLoaded):
    """There is no graph yet, and it is being made."""

    def __init__(self, message: str, root: Path) -> None:
        super().__init__(message)
        self.root = root


class FirstEncode:
    """Any thread may start it or wait for it."""

    def __init__(self, root: Path, work: Callable[[Report], None], is_again: bool = False) -> None:
        """`is_again`: there was a graph, which somebody removed."""
        self.root = root
        self.is_again = is_again
        self._work = work
        self._moved = threading.Condition()
        """Guards the fields below."""
        self._thread: threading.Thread | None = None
        self._is_done = False
        self._error: RpgError | None = None
        self._last = ("parse", 0, 0)
        self._progress = EncodeProgress()
        self._progress_text = "about to begin"

    def start(self) -> None:
        with self._moved:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="rpg-first-encode", daemon=True)
                self._thread.start()

    def wait(self, seconds: float | None, report: Report) -> None:
        """Returns once the graph is there. BeingEncoded if that takes longer; the error of an encode that failed, which
        the next `start` tries again."""
        ends = None if seconds is None else time.monotonic() + seconds
        reported = None
        while True:
            with self._moved:
                if self._is_done:
                    if self._error is None:
                        return
                    error, self._error, self._thread, self._is_done = self._error, None, None, False
                    raise error
                if reported == self._last and not self._moved.wait(None if ends is None else ends - time.monotonic()):
                    raise self._state()
                if ends is not None and time.monotonic() >= ends:
                    raise self._state()
                reported = self._last
            report(*reported)  # without the lock: it may wait for the client, or end this call

    def _state(self) -> BeingEncoded:
        what = "was removed and is being built again" if self.is_again else "is being built for the first time"
        return BeingEncoded(
            f"the graph of {self.root.name} {what} ({self._progress_text}): ask again in a "
            "moment, or call `encode` to wait for it; until then `search` with mode text or regex finds lines of its "
            "files",
            self.root,
        )

    def _run(self) -> None:
        error: RpgError | None = None
        try:
            self._work(self._report)
        except RpgError as failed:
            error = failed
        except (OSError, MemoryError, RuntimeError) as failed:
            error = RpgError(f"the graph of {self.root} could not be made: {failed}")
        with self._moved:
            self._is_done, self._error = True, error
            self._moved.notify_all()

    def _report(self, stage: str, done: int, total: int) -> None:
        with self._moved:
            self._last = (stage, done, total)
            if (moment := self._progress.at(stage, done, total)) is not None:
                self._progress_text = f"{round(100 * moment.share)} %"
            self._moved.notify_all()


def graphs_to_serve(named: Sequence[Path]) -> tuple[list[Path], Mapping[Path, Path]]:
    """The graph files that the arguments name, and which of them are missing, with the repositories to encode. A folder
    means the graph of the repository around it; without arguments, that of the current folder, if it has one."""
    if not named:
        try:
            found = nearest_graph(Path.cwd())
        except (OSError, BadRequest):
            found = None
        return [found] if found else [], {}
    paths, missing = [], {}
    for path in named:
        place = graph_around(path.absolute()) if path.is_dir() else path
        if place is None:
            from rpg.repository import default_place, holds_homes, repository_around

            root = repository_around(path)
            place = default_place(root)
            if not holds_homes(root):  # a client that starts its servers in the home folder, or at the very top
                missing[place.absolute()] = root
        paths.append(place)
    return paths, missing
