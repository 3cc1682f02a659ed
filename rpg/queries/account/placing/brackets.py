"""Which brackets are open at a place of a text, and what stands in front of them.

In: a text, and offsets. Out: the openings around an offset, the innermost first. Quotes and comments are not told
apart; a bracket in one that nothing closes ends with the next that is closed around it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from rpg.queries.account.literals import REFLECTS

_BRACKET: Final = re.compile(rb"[()\[\]{}]")
_OPENED_BY: Final = {b")": b"(", b"]": b"[", b"}": b"{"}
_CALLEE: Final = re.compile(rb"([\w?!]+)\s*\Z")
_IN_CLASS: Final = re.compile(rb"^[ \t]+\w+\s*(?::[^=\n]*)?=\s*\Z", re.MULTILINE)
"""What a list in the body of a class is assigned to."""
FARTHEST: Final = 2_000
"""How many bytes before the first place are looked at, and before one that is farther behind the last."""
NEAR: Final = 80
"""How many bytes in front of a bracket say what it is."""
DEPTH: Final = 3
"""In how many brackets the arguments of a call are looked for."""


class Holder(NamedTuple):
    """What a literal is a part of."""

    is_list: bool
    """An array, a tuple or a set, and not the arguments of a call, or an index."""
    in_class: bool
    """A list that is a value in the body of a class, which a framework may read."""
    reflects: bool
    """A call that reaches a member by its name."""
    before: bytes = b""
    """What stands in front of it."""


class Brackets:
    """Reads the text between the places that it is asked for, once, if they ascend."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._forget(0)

    def around(self, offset: int) -> Iterator[int]:
        """Where the brackets open in which an offset is, the innermost first."""
        if offset < self._begin or offset - self._end > FARTHEST:
            self._forget(max(0, offset - FARTHEST))
        if offset > self._end:
            self._read(offset)
        at = bisect_left(self._places, offset) - 1
        opening = self._inner[at] if at >= 0 else -1
        while opening >= 0:
            yield opening
            opening = self._outer[opening]

    def holder_at(self, offset: int) -> Holder | None:
        """What the innermost bracket around an offset holds."""
        opening = next(self.around(offset), -1)
        if opening < 0:
            return None
        before = self._before(opening)
        callee = _CALLEE.search(before)
        if self._text.startswith(b"(", opening) and callee is not None:
            return Holder(False, False, REFLECTS.match(callee[1]) is not None, before)
        if self._text.startswith(b"[", opening) and before[-1:].isalnum():
            return Holder(False, False, False)
        return Holder(True, _IN_CLASS.search(before) is not None, False, before)

    def function_around(self, offset: int) -> bytes:
        """What stands in front of the arguments of which a place is one, or is in a list that is one; empty if there
        are none."""
        for opening in islice(self.around(offset), DEPTH):
            before = self._before(opening)
            if self._text.startswith(b"(", opening) and _CALLEE.search(before) is not None:
                return before
        return b""

    def _before(self, opening: int) -> bytes:
        return self._text[max(0, opening - NEAR) : opening]

    def _forget(self, begin: int) -> None:
        self._begin = self._end = begin
        self._places = array("I")
        self._inner = array("i")
        """By bracket: the opening in which is what stands behind it, or -1."""
        self._outer: dict[int, int] = {}
        """By opening: the one around it, or -1."""
        self._open = dict.fromkeys((b"(", b"[", b"{"), 0)

    def _read(self, stop: int) -> None:
        inner = self._inner[-1] if self._inner else -1
        for found in _BRACKET.finditer(self._text, self._end, stop):
            at, bracket = found.start(), found[0]
            opening = _OPENED_BY.get(bracket)
            if opening is None:
                self._outer[at], inner = inner, at
                self._open[bracket] += 1
            elif self._open[opening]:
                while inner >= 0:
                    closed = self._text[inner : inner + 1]
                    self._open[closed] -= 1
                    inner = self._outer[inner]
                    if closed == opening:
                        break
            self._places.append(at)
            self._inner.append(inner)
        self._end = stop
