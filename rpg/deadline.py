"""How long the work of one call may take: a limit that the work itself asks for, as no thread can be stopped from
outside.

In: seconds, and whether whoever asked has gone away. Out: `TimedOut`, raised in the thread that works by `check`, which
is cheap enough for every query and every turn of a long loop. Where nothing may be raised, as in a callback of
SQLite's, `is_over` says the same. Where no limit was set both pass.

Only asking is limited, inside a view of a repository: encoding and repairing are done whole, as everybody needs them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from rpg.errors import TimedOut


class Limit(NamedTuple):
    ends: float
    """By the monotonic clock."""
    seconds: float
    is_cancelled: Callable[[], bool]


_here = threading.local()


@contextmanager
def limited(seconds: float | None, is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """What this thread does inside ends by `check` after so many seconds, or once it is cancelled."""
    before = getattr(_here, "limit", None)
    length = float("inf") if seconds is None else seconds
    _here.limit = Limit(monotonic() + length, length, is_cancelled)
    try:
        yield
    finally:
        _here.limit = before


def is_over() -> bool:
    limit: Limit | None = getattr(_here, "limit", None)
    return limit is not None and (monotonic() > limit.ends or limit.is_cancelled())


def check() -> None:
    """Raises TimedOut where the time is over, or nobody waits for the answer any more."""
    if is_over():
        raise timed_out(_here.limit.seconds)


def timed_out(seconds: float) -> TimedOut:
    return TimedOut(
        f"no answer within {seconds:g} s, and the work was given up: ask something narrower (a path, fewer kinds, less "
        "depth, fewer targets), or start the server with a higher --call-seconds"
    )
