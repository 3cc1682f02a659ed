"""Work that several threads may need and one does: the first one does it, the others wait.

In: the work. Out: its end, or its error in every thread that waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from rpg.errors import RpgError
from rpg.repository.watch.changes import Changes

if TYPE_CHECKING:
    from concurrent.futures import Executor


class Job:
    """`changes` are what it repairs; None if no query can be answered before it has ended. `work` returns whether all
    of them are repaired, unless it fails."""

    def __init__(self, work: Callable[[], bool], changes: Changes | None) -> None:
        self.changes = changes
        self.since = time.monotonic()
        self.is_complete = False
        self.error: BaseException | None = None
        """The error that it ended with, if any."""
        self.took = 0.0
        """Seconds until it ended."""
        self._work = work
        self._claimed = threading.Lock()
        self._ended = threading.Event()

    def do(self) -> None:
        """Works in this thread, or waits for the one that does."""
        if self._claimed.acquire(blocking=False):
            with suppress(RpgError):
                self._run()
        self._ended.wait()

    def do_behind(self, executor: Executor, seconds: float) -> bool:
        """Lets another thread work. Returns whether it ended within that time."""
        if self._claimed.acquire(blocking=False):
            executor.submit(self._run)
        return self._ended.wait(max(0.0, seconds))

    def _run(self) -> None:
        try:
            self.is_complete = self._work()
        except BaseException as error:
            self.error = error
            raise
        finally:
            self.took = time.monotonic() - self.since
            self._ended.set()
