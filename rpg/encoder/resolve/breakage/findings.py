"""What the rules of this room report.

A finding is a place after the edit that worked before it and does not now.
"""

from __future__ import annotations

from typing import Final, NamedTuple

GONE: Final = "gone"
"""A use of a symbol that is no longer there."""
HIDDEN: Final = "hidden"
"""A use of a symbol that can no longer be seen from there."""
UNBASED: Final = "unbased"
"""A use of a member that a class had from one that it no longer inherits from."""
IMPORT: Final = "import"
"""An import of a file, or of a name in it, that is no longer there."""
MISFIT: Final = "misfit"
"""A call that no longer fits what it calls."""
OVERRIDING: Final = "overriding"
"""A member that no longer overrides what it says to override."""
MISSING: Final = "missing"
"""A class without a member that it must have."""
UNKNOWN: Final = "unknown"
"""A name in an edited line that nothing has."""
SYNTAX: Final = "syntax"
"""A file that no longer parses."""
AWAITED: Final = "awaited"
"""A call whose result must be awaited now, or need not be any more."""


class Finding(NamedTuple):
    path: str
    line: int
    column: int
    certain: bool
    kind: str
    name: str
    """As the place spells it."""
    symbol: str
    """Id before the edit of what the place meant; empty if it meant nothing."""
    detail: str = ""
    """What does not fit, in a few words."""
    follows: bool = False
    """Whether it falls with another finding, and needs nothing of its own."""
