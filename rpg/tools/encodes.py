"""The encodes that this process runs and has run: what state each repository is in.

In: the beginning, the progress and the end of each. Out: for every repository that is not simply there: pending (being
cloned, or waiting), encoding with how far it is, or the error that ended the last attempt, and when. Any thread may
ask.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from rpg.errors import RpgError
from rpg.tools.encode_progress import EncodeProgress

Report = Callable[[str, int, int], None]
PENDING, ENCODING, ERROR = "pending", "encoding", "error"
KEPT = 100
"""Errors that are remembered."""


class EncodeState(NamedTuple):
    source: str
    """The folder or URL, without credentials."""
    status: str
    """pending, encoding or error."""
    message: str
    when: str
    """When that began, or ended with the error."""


class Encodes:
    def __init__(self) -> None:
        self._states: dict[str, EncodeState] = {}
        self._lock = threading.Lock()

    def states(self) -> list[EncodeState]:
        with self._lock:
            return list(self._states.values())

    @contextmanager
    def running(self, source: str, report: Report) -> Iterator[Report]:
        """Gives the report to pass on. An encode that succeeds leaves nothing; an error stays until one does."""
        began = now()
        progress = EncodeProgress()

        def heard(stage: str, done: int, total: int) -> None:
            moment = progress.at(stage, done, total)
            if moment is not None:
                self._set(EncodeState(source, ENCODING, moment.text(), began))
            report(stage, done, total)

        self._set(EncodeState(source, PENDING, "", began))
        try:
            yield heard
        except RpgError as error:
            self._set(EncodeState(source, ERROR, f"{error.code}: {error.message}", now()))
            raise
        except BaseException as error:
            self._set(EncodeState(source, ERROR, f"ended by {type(error).__name__}", now()))
            raise
        with self._lock:
            self._states.pop(source, None)

    def _set(self, state: EncodeState) -> None:
        with self._lock:
            self._states.pop(state.source, None)
            self._states[state.source] = state
            if len(self._states) > KEPT:
                oldest = next((each for each, found in self._states.items() if found.status == ERROR), None)
                if oldest is not None:
                    del self._states[oldest]


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
