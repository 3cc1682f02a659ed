"""How deep calls may be nested while files are parsed and references are followed.

One limit for both: the interpreter has only one, and whoever sets a lower one than another had set takes it away.
"""

from __future__ import annotations

import sys
from typing import Final

_FRAMES: Final = 40_000
"""Calls within calls that code of the greatest depth takes, by far; the interpreter's own limit is 1,000."""


def allow_deep_calls() -> None:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
