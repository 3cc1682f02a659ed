"""Time limit of one call. The work itself checks it, because a thread cannot be stopped from outside.

In: seconds, and whether the caller has gone away. Out: `TimedOut`, raised in the working thread by `check`, which is
cheap enough to call for every query and every turn of a long loop. Where nothing may be raised, as in a SQLite
callback, `is_over` returns the same. Without a limit, both pass.

Only queries are limited, inside a view of a repository. Encoding and repairs always run to their end, because every
caller needs them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple, ParamSpec, TypeVar

from rpg.errors import TimedOut

P = ParamSpec("P")
T = TypeVar("T")


class Limit(NamedTuple):
    ends: float
    """By the monotonic clock."""
    seconds: float
    is_cancelled: Callable[[], bool]


_here = threading.local()


@contextmanager
def limit_time(seconds: float | None, is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """`check` ends what this thread does inside after that many seconds, or once the call is cancelled."""
    before = getattr(_here, "limit", None)
    length = float("inf") if seconds is None else seconds
    _here.limit = Limit(monotonic() + length, length, is_cancelled)
    try:
        yield
    finally:
        _here.limit = before


def carry_limit(work: Callable[P, T]) -> Callable[P, T]:
    """The same work for another thread, under the limit of this one."""
    limit: Limit | None = getattr(_here, "limit", None)

    def under_limit(*arguments: P.args, **named: P.kwargs) -> T:
        _here.limit = limit
        try:
            return work(*arguments, **named)
        finally:
            _here.limit = None

    return under_limit


def is_over() -> bool:
    limit: Limit | None = getattr(_here, "limit", None)
    return limit is not None and (monotonic() > limit.ends or limit.is_cancelled())


def check() -> None:
    """Raises TimedOut if the time is over or nobody waits for the answer any more."""
    if is_over():
        raise build_timeout_error(_here.limit.seconds)


def build_timeout_error(seconds: float) -> TimedOut:
    return TimedOut(
        f"no answer within {seconds:g} s: ask something narrower (a path, fewer kinds, less "
        "depth, fewer targets), or start the server with a higher --call-seconds"
    )
