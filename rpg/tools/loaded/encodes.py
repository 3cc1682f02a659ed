"""The encodes that this process runs and has run: the state of each repository.

In: the beginning, the progress and the end of each. Out: the state of every repository that is not ready: pending
(being fetched, or waiting), encoding with its progress, or the error that ended the last attempt; with time and commit.
Any thread may call.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from rpg.errors import EncodeFailed, RpgError
from rpg.tools.loaded.encode_progress import FETCH, EncodeProgress

Report = Callable[[str, int, int], None]
PENDING, ENCODING, ERROR = "pending", "encoding", "error"
SHOWN = 12
"""Characters of a commit's id."""
FETCHES_END_SECONDS = 0.6
KEPT = 100
"""How many errors are remembered."""


class EncodeState(NamedTuple):
    source: str
    """The folder or URL, without credentials."""
    status: str
    """pending, encoding or error."""
    message: str
    when: str
    """When that state began, or when the error occurred."""
    commit: str = ""
    """The fetched commit, if there is one."""


class Running:
    """One encode, as reported by its caller."""

    def __init__(self, source: str, tell: Callable[[EncodeState], None], report: Report) -> None:
        self._tell, self._report = tell, report
        self._progress = EncodeProgress()
        self.state = EncodeState(source, PENDING, "", now())
        tell(self.state)

    def report(self, stage: str, done: int, total: int) -> None:
        moment = self._progress.at(stage, done, total)
        if moment is not None:
            status = PENDING if stage == FETCH else ENCODING
            self._now(self.state._replace(status=status, message=moment.text()))
        self._report(stage, done, total)

    def record_commit(self, commit: str) -> None:
        self._now(self.state._replace(commit=commit[:SHOWN]))

    def failed(self, message: str) -> None:
        self._now(self.state._replace(status=ERROR, message=message, when=now()))

    def _now(self, state: EncodeState) -> None:
        if state != self.state:
            self.state = state
            self._tell(state)


class Encodes:
    def __init__(self, of_all: Encodes | None = None) -> None:
        """`of_all`: the encodes of all scopes, where these are reported too; those of other scopes are not visible
        here."""
        self._of_all = of_all
        self._states: dict[str, EncodeState] = {}
        self._lock = threading.Lock()

    def states(self) -> list[EncodeState]:
        with self._lock:
            return list(self._states.values())

    @contextmanager
    def running(self, source: str, report: Report) -> Iterator[Running]:
        """An encode that succeeds leaves no entry; an error stays until one does."""
        encode = Running(source, self._set, report)
        try:
            yield encode
        except RpgError as error:
            encode.failed(f"{error.code}: {error.message}")
            raise
        except BaseException as error:
            encode.failed(f"ended by {type(error).__name__}")
            raise
        self._succeeded(source)

    def _succeeded(self, source: str) -> None:
        if self._of_all is not None:
            self._of_all._succeeded(source)
        with self._lock:
            self._states.pop(source, None)

    def _set(self, state: EncodeState) -> None:
        if self._of_all is not None:
            self._of_all._set(state)
        with self._lock:
            self._states.pop(state.source, None)
            self._states[state.source] = state
            if len(self._states) > KEPT:
                oldest = next((each for each, found in self._states.items() if found.status == ERROR), None)
                if oldest is not None:
                    del self._states[oldest]


class Fetches:
    """The encodes of repositories named by URL, none of which continues without the process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        """Guards the fields below."""
        self._running = 0
        self._is_closed = False

    @contextmanager
    def running(self, report: Report) -> Iterator[Report]:
        """Returns the report to pass on, which ends the fetch once these encodes are closed."""

        def report_unless_closed(stage: str, done: int, total: int) -> None:
            if self._is_closed:
                raise EncodeFailed("the server ends: the old graph remains")
            report(stage, done, total)

        with self._changed:
            self._running += 1
        try:
            yield report_unless_closed
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Returns once they have cleaned up, or after a moment."""
        with self._changed:
            self._is_closed = True
            self._changed.wait_for(lambda: not self._running, FETCHES_END_SECONDS)


def now() -> str:
    return format_time(time.time())


def format_time(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
