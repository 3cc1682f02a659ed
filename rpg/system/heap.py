"""Keeps the C library's heap small, for processes that live long and mostly wait.

By default glibc gives each thread a heap and keeps memory for the next large request. The arrays of a query stay below
the size at which memory is fetched from the system and returned each time: clearing their pages for every query would
take a fifth of a search.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8
"""M_TRIM_THRESHOLD, M_MMAP_THRESHOLD and M_ARENA_MAX in malloc.h."""
_TRIM_BYTES, _MMAP_BYTES = 4 << 20, 2 << 20
"""How much may stay unused, and what counts as large. Setting them also keeps glibc from raising them."""


def keep_small() -> None:
    """Applies to the whole process; call it before threads start. Does nothing without glibc."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_TRIM_THRESHOLD, _TRIM_BYTES)
        mallopt(_MMAP_THRESHOLD, _MMAP_BYTES)
        mallopt(_ARENAS, 1)


def give_back() -> None:
    """Returns freed memory to the system, after work that briefly needed much. Does nothing without glibc."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
