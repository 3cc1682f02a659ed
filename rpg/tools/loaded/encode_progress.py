"""Progress of a whole encode, from the progress of its stages.

In: the stages as the encoder reports them. Out: the share of the whole that is done, and the seconds that are left. The
bar of the command line and the notifications of the server both show these.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple

PARSE_CPU, RESOLVE, WRITE = 88.0, 35.0, 16.0
"""Seconds that the stages of Django take, as measured; only their proportions matter. Parsing shares its work among the
workers."""
FETCH = "fetch"
FETCH_SHARE = 0.1
"""Share of the fetch when a URL is encoded. Its speed is that of the network, and says nothing about what follows."""
TITLES = {
    FETCH: "fetching", "parse": "parsing", "resolve": "resolving references", "write": "writing graph and index",
}  # fmt: skip
TOO_EARLY = 0.04
"""Share of the whole before which no time is shown: it would be a guess."""
LEAST_SECONDS = 1.0


class Moment(NamedTuple):
    title: str
    share: float
    seconds_left: float | None

    def text(self) -> str:
        return "; ".join(filter(None, (self.title, duration_left(self.seconds_left))))


class EncodeProgress:
    def __init__(self, workers: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        cost = {"parse": PARSE_CPU / (workers or min(os.cpu_count() or 1, 8)), "resolve": RESOLVE, "write": WRITE}
        whole = sum(cost.values())
        self._parts = {stage: part / whole for stage, part in cost.items()}
        self._clock = clock
        self._started = clock()
        self._first: float | None = None
        """The share at the first report: a later observer knows only the speed since then."""
        self.share = 0.0

    def at(self, stage: str, done: int, total: int) -> Moment | None:
        """None for a stage that is not part of an encode. The share never falls."""
        if stage == FETCH and FETCH not in self._parts:
            rest = {each: part * (1 - FETCH_SHARE) for each, part in self._parts.items()}
            self._parts = {FETCH: FETCH_SHARE, **rest}
        if stage not in self._parts:
            return None
        stages = list(self._parts)
        before = sum(self._parts[each] for each in stages[: stages.index(stage)])
        self.share = max(self.share, before + self._parts[stage] * (done / total if total else 0.0))
        if stage == FETCH:
            return Moment(TITLES[stage], self.share, None)
        if self._first is None:
            self._first = self.share
            self._started = self._clock() if self._first else self._started
        elapsed, since = self._clock() - self._started, self.share - self._first
        left = elapsed * (1 - self.share) / since if since >= TOO_EARLY and elapsed >= LEAST_SECONDS else None
        return Moment(TITLES[stage], self.share, left)


def duration_left(seconds: float | None) -> str:
    """`12 s left`, `2 min left`; empty if unknown."""
    if seconds is None:
        return ""
    return f"{max(1, round(seconds))} s left" if seconds < 100 else f"{round(seconds / 60)} min left"
