"""How much memory this process may still take if the user or a container limits its address space, and the error for
too little.

In: nothing, or an error that a library raised. Out: `TooLittleMemory`. Checked before steps that cannot fail
gracefully: numpy's matrix library ends the whole process, with a status that looks like an answer, if it gets no
memory. Absent: the machine's memory, because a machine that runs out of it kills processes without an error.
"""

from __future__ import annotations

import errno
import sys
from contextlib import suppress

from rpg.errors import RpgError, TooLittleMemory

NUMPY_BYTES = 128 << 20
"""Address space that numpy takes, mostly unused, with the first product of matrices."""
PRODUCT_BYTES = 40 << 20
"""Memory that the first product of matrices takes."""
TIGHT_BYTES = 1 << 29
"""Below this limit, a lack of memory is blamed on the limit and not on the file being processed."""
_PAGES, _DATA_PAGES = 0, 5
"""Columns of /proc/self/statm."""
_MESSAGES = ("can't start new thread", "failed to map segment", "annot allocate memory")
"""How threads, libraries and the loader report a lack of memory."""


def require(wanted: int) -> None:
    """Raises TooLittleMemory if a limit leaves fewer bytes. Takes a microsecond without one."""
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
    """Whether the limit is so low that any work may run out of memory."""
    if sys.platform == "win32":
        return False
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return limit != resource.RLIM_INFINITY and limit < TIGHT_BYTES


def shortage(error: BaseException) -> RpgError | None:
    """The error to report if this one comes from too little memory; None for any other."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(shortage, error.exceptions)), None)
    seen = 0
    cause: BaseException | None = error
    while cause is not None and seen < 10:
        is_short = isinstance(cause, MemoryError) or type(cause).__name__ == "NoMemError"
        if isinstance(cause, OSError):
            is_short = is_short or cause.errno == errno.ENOMEM
        if isinstance(cause, RuntimeError | ImportError | OSError) and not is_short:
            is_short = any(message in str(cause) for message in _MESSAGES)
        if is_short:
            return too_little("has run out")
        cause, seen = cause.__cause__ or cause.__context__, seen + 1
    return None


def too_little(what: str) -> TooLittleMemory:
    return TooLittleMemory(f"memory {what}: raise the limit (`ulimit -v`, or the container's), then ask again")
