"""How much memory this process may still take, where the user or a container limits its addresses, and what is said
when there is too little.

In: nothing, or an error that some library raised. Out: `TooLittleMemory`. Asked before what cannot be refused any more:
numpy's library for products of matrices ends the whole process, with a status that reads as an answer, where it gets no
memory. Absent: how much memory the machine has, as a machine that runs out of it kills, and asks nobody.
"""

from __future__ import annotations

import errno
import sys
from contextlib import suppress

from rpg.errors import RpgError, TooLittleMemory

NUMPY_BYTES = 128 << 20
"""Of addresses that numpy takes, most of them for nothing, with the first product of matrices."""
PRODUCT_BYTES = 40 << 20
"""That the first product of matrices takes."""
TIGHT_BYTES = 1 << 29
"""A limit below which want of memory is the limit's fault, and not that of what was worked at."""
_PAGES, _DATA_PAGES = 0, 5
"""Columns of /proc/self/statm."""
_SAID = ("can't start new thread", "failed to map segment", "annot allocate memory")
"""How threads, libraries and the loader say it."""


def require(wanted: int) -> None:
    """TooLittleMemory where a limit leaves fewer bytes. A microsecond where there is none."""
    if sys.platform != "linux":
        return
    import resource

    for kind, column in ((resource.RLIMIT_AS, _PAGES), (resource.RLIMIT_DATA, _DATA_PAGES)):
        limit = resource.getrlimit(kind)[0]
        if limit == resource.RLIM_INFINITY:
            continue
        with suppress(OSError):
            with open("/proc/self/statm", "rb") as file:
                taken = int(file.read().split()[column]) * resource.getpagesize()
            if limit - taken < wanted:
                raise too_little(f"is limited to {limit >> 20} MiB, and this takes {(taken + wanted) >> 20} MiB")


def is_tight() -> bool:
    """Whether so little is allowed that any work may fail for want of memory."""
    if sys.platform == "win32":
        return False
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return limit != resource.RLIM_INFINITY and limit < TIGHT_BYTES


def shortage(error: BaseException) -> RpgError | None:
    """What to tell of an error that comes from too little memory; None for any other."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(shortage, error.exceptions)), None)
    seen = 0
    cause: BaseException | None = error
    while cause is not None and seen < 10:
        is_short = isinstance(cause, MemoryError) or type(cause).__name__ == "NoMemError"
        if isinstance(cause, OSError):
            is_short = is_short or cause.errno == errno.ENOMEM
        if isinstance(cause, RuntimeError | ImportError | OSError) and not is_short:
            is_short = any(said in str(cause) for said in _SAID)
        if is_short:
            return too_little("has run out")
        cause, seen = cause.__cause__ or cause.__context__, seen + 1
    return None


def too_little(what: str) -> TooLittleMemory:
    return TooLittleMemory(f"memory {what}: raise the limit (`ulimit -v`, or that of the container), then ask again")
