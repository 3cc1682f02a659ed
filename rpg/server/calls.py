"""Limits how many calls run at once, and how long: no call blocks the others.

In: blocking work in plain Python. Out: its result, from a thread. When its time is over, the caller gets an error and
the slot is free; the thread ends by itself, because the work checks rpg.system.deadline. Excess calls are refused,
not queued without limit.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread

from rpg.errors import TimedOut
from rpg.system.deadline import build_timeout_error
from rpg.system.heap import give_back
from rpg.text import words

SECONDS = 60.0
MODEL_SECONDS = 600.0
"""A model that writes an answer gets more time."""
WAITING = 256
"""Calls of one kind that may wait for a slot."""
THREADS = 48
"""Running calls, plus those that were given up and have not noticed yet."""
CALLS_BETWEEN_TRIMS = 32
"""How many calls end before what they left in memory is cleared: the terms of the words that they read, and up to 10 MB
in holes of the heap. That takes 5 ms."""
SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter. At a tenth of Python's default, an answer of many small steps does not wait
long for threads that compute."""


class Places:
    """The slots for one kind of call."""

    def __init__(self, number: int) -> None:
        self.limiter = anyio.CapacityLimiter(number)


class CallRunner:
    def __init__(self, seconds: float | None = SECONDS) -> None:
        """`seconds`: limit of a query; None: no limit."""
        self.seconds = seconds
        self.quick, self.statistics, self.slow = Places(8), Places(4), Places(4)
        self._working = 0
        self._ended = 0
        self._lock = threading.Lock()

    async def run(self, places: Places, seconds: float | None, work: Callable[[], Any]) -> Any:
        """TimedOut after that many seconds, including the wait for a slot, and if there are too many calls already."""
        limiter = places.limiter
        if limiter.statistics().tasks_waiting >= WAITING or self._working >= THREADS:
            raise TimedOut("too many calls are running: wait for their answers or cancel some, then ask again")
        with anyio.move_on_after(seconds):
            return await anyio.to_thread.run_sync(self._counted, work, abandon_on_cancel=True, limiter=limiter)
        raise build_timeout_error(seconds or 0.0)

    def _counted(self, work: Callable[[], Any]) -> Any:
        with self._lock:
            self._working += 1
        try:
            return work()
        finally:
            with self._lock:
                self._working -= 1
                self._ended += 1
                # The first call opened the graph, for which it needed more than any other.
                must_trim = self._ended % CALLS_BETWEEN_TRIMS == 1
            if must_trim:
                words.forget()
                give_back()


def share_the_interpreter() -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
