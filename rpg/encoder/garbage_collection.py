"""Pauses Python's cycle collector while a graph is made and written, or an edit is judged.

In: a block of code. Out: the same, faster: it would look at everything again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_collection() -> Iterator[None]:
    """Facts and graphs are millions of small tuples without cycles: the collector would traverse them over and over."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            # Everything made in the block counts as old; otherwise the next collection would traverse it at once.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


@contextmanager
def collect_at_end() -> Iterator[None]:
    """For what has cycles: they are collected once, when all is done, among what the block made. What was there before
    is not looked at, of which a server keeps much."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.collect(1)
            gc.enable()
