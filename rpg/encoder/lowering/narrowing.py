"""What conditions prove of variables, as values: what holds where a condition fails, or where two hold together."""

from __future__ import annotations

from typing import Final

Narrowing = tuple[int, str, int, int]
"""(value, dotted path or name, class expression, 1 where it is not one of them)."""
_NOTHING: Final[Narrowing] = (0, "", 0, 0)
"""Proven by a part of a condition that says nothing of any variable."""


def negated(narrowings: list[Narrowing]) -> list[Narrowing]:
    """What holds where a condition fails; of several parts none is known to be the one."""
    if len(narrowings) != 1:
        return []
    value, path, classes, no = narrowings[0]
    return [(value, path, classes, 1 - no)]


def conjunction(left: list[Narrowing], right: list[Narrowing]) -> list[Narrowing]:
    """What `left and right` proves. A side that proves nothing is kept: where the whole fails, it may be the reason."""
    return [*(left or (right and [_NOTHING])), *(right or (left and [_NOTHING]))]


def are_alternatives(left: list[Narrowing], right: list[Narrowing]) -> bool:
    """Whether `left or right` proves that one variable is of one class or of the other."""
    return len(left) == len(right) == 1 and left[0][1] == right[0][1] and not left[0][3] and not right[0][3]
