"""The C library's heap, told to stay small: for processes that live long and mostly wait.

Left to itself, glibc gives each thread a heap of its own, and keeps what was once large for the next large thing.
A question's arrays are below what is fetched from the system and given back each time: their pages would have to be
cleared for every one of them, which is a fifth of what a search costs.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8
"""M_TRIM_THRESHOLD, M_MMAP_THRESHOLD and M_ARENA_MAX of malloc.h."""
_TRIM_BYTES, _MMAP_BYTES = 4 << 20, 2 << 20
"""What may stay unused, and what is large. Set here, glibc does not raise them by what it was asked for."""


def keep_small() -> None:
    """For the whole process, before it starts threads. Where there is no glibc, nothing."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_TRIM_THRESHOLD, _TRIM_BYTES)
        mallopt(_MMAP_THRESHOLD, _MMAP_BYTES)
        mallopt(_ARENAS, 1)
