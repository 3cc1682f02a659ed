"""How much memory this process may still take if the user or a container limits its address space, and the error for
too little of it or of something else that the system gives: open files, processes, room on a disk.

In: nothing, or an error that a library raised. Out: `TooLittleMemory`, or another error that says what to raise.
Checked before steps that cannot fail gracefully: numpy's matrix library ends the whole process, with a status that
looks like an answer, if it gets no memory. Absent: the machine's memory, because a machine that runs out of it kills
processes without an error.
"""

from __future__ import annotations

import errno
import os
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
_NO_THREAD = "can't start new thread"
_MESSAGES = (_NO_THREAD, "failed to map segment", "annot allocate memory")
"""How threads, libraries and the loader report a lack of memory."""

_REFUSED = {
    errno.EMFILE: "this process has too many files open: raise the limit (`ulimit -n 1024`), then try again",
    errno.ENFILE: "too many files are open on this machine: end other programs, then try again",
    errno.EAGAIN: "no more processes can be started: raise the limit (`ulimit -u`) or end others, then try again",
    errno.ENOSPC: "there is no space left on the disk: free some, then try again",
    errno.EDQUOT: "the quota of the disk is used up: free some space, then try again",
    errno.EFBIG: "no file may become that large: raise the limit (`ulimit -f unlimited`), then try again",
}
"""What the system refuses, and what to do."""


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
    """The error to report if this one comes from too little memory, or from something else of which the system gives no
    more; None for any other."""
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
        if is_short and _NO_THREAD in str(cause):
            return TooLittleMemory(
                "no more threads can be started: raise the limit of memory (`ulimit -v`) or of processes "
                "(`ulimit -u`), or the container's, then ask again"
            )
        if is_short:
            return too_little("has run out")
        if isinstance(cause, OSError) and (told := explain_refusal(cause)):
            return RpgError(told)
        cause, seen = cause.__cause__ or cause.__context__, seen + 1
    return None


def explain_refusal(error: OSError) -> str:
    """What the system gives no more of, and what to do; empty if it refused for another reason."""
    if error.errno == errno.EFBIG and error.strerror != os.strerror(errno.EFBIG):
        return ""  # ours: the file that is read is too large
    return _REFUSED.get(error.errno or 0, "")


def too_little(what: str) -> TooLittleMemory:
    return TooLittleMemory(f"memory {what}: raise the limit (`ulimit -v`, or the container's), then ask again")
