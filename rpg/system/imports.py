"""Imports modules while several threads run, one at a time.

In: a module's name. Out: the module. What a call needs is imported when it is first called. If two threads come into a
package from different ends, each may wait for a module that the other is importing, and Python fails one of them.

Invariant: no module asks for its turn while it is imported itself.
"""

from __future__ import annotations

import threading
from importlib import import_module
from typing import Any

_TURN = threading.RLock()


def import_in_turn(name: str) -> Any:
    """ImportError if there is no such module."""
    with _TURN:
        return import_module(name)
