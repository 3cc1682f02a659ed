"""The C library's heap, told to stay small: for processes that live long and mostly wait.

Left to itself, glibc gives each thread a heap of its own, and keeps what was once large for the next large thing.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _ARENAS = -1, -8
"""M_TRIM_THRESHOLD and M_ARENA_MAX of malloc.h."""
_TRIM_BYTES = 128 * 1024
"""glibc's own beginning, which it would raise when something large is given back."""


def keep_small() -> None:
    """For the whole process, before it starts threads. Where there is no glibc, nothing."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_TRIM_THRESHOLD, _TRIM_BYTES)
        mallopt(_ARENAS, 1)
