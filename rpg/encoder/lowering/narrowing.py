"""What conditions prove about variables, as values.

In: what the parts of a condition prove. Out: what holds where it fails, or where two conditions hold together.
"""

from __future__ import annotations

from typing import Final

Narrowing = tuple[int, str, int, int]
"""(value, dotted path or name, class expression, 1 if the value is not one of them)."""
_NOTHING: Final[Narrowing] = (0, "", 0, 0)
"""Proven by a part of a condition that says nothing about any variable."""


def negate(narrowings: list[Narrowing]) -> list[Narrowing]:
    """What holds where a condition fails; of several parts, it is unknown which one failed."""
    if len(narrowings) != 1:
        return []
    value, path, classes, no = narrowings[0]
    return [(value, path, classes, 1 - no)]


def conjunction(left: list[Narrowing], right: list[Narrowing]) -> list[Narrowing]:
    """What `left and right` proves. A side that proves nothing is kept: it may be the reason why the whole fails."""
    return [*(left or (right and [_NOTHING])), *(right or (left and [_NOTHING]))]


def are_alternatives(left: list[Narrowing], right: list[Narrowing]) -> bool:
    """Whether `left or right` proves that one variable is of one class or of the other."""
    return len(left) == len(right) == 1 and left[0][1] == right[0][1] and not left[0][3] and not right[0][3]
