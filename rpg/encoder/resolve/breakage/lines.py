"""Where the lines of a text are after an edit.

In: both texts. Out: for a line before, its number after, if it is still the same; and back.
"""

from __future__ import annotations

from difflib import SequenceMatcher

_MOST_COMPARED = 4_000
"""Of more lines between the first and the last difference, lines that are frequent are not compared: finding the best
match takes the square of their number."""


class LineMap:
    def __init__(self, before: bytes, after: bytes) -> None:
        self.after_of: dict[int, int] = {}
        self.before_of: dict[int, int] = {}
        a, b = before.split(b"\n"), after.split(b"\n")
        start = 0
        while start < min(len(a), len(b)) and a[start] == b[start]:
            start += 1
        end = 0
        while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
            end += 1
        self._pair(0, 0, start)
        self._pair(len(a) - end, len(b) - end, end)
        inner, other = a[start : len(a) - end], b[start : len(b) - end]
        if inner and other:
            matcher = SequenceMatcher(None, inner, other, len(inner) + len(other) > _MOST_COMPARED)
            for block in matcher.get_matching_blocks():
                self._pair(start + block.a, start + block.b, block.size)

        self.new_lines = frozenset(range(1, len(b) + 1)).difference(self.before_of)
        self.old_lines = frozenset(range(1, len(a) + 1)).difference(self.after_of)
        """The lines after that are no line before, and those before that are none after."""

    def _pair(self, before: int, after: int, count: int) -> None:
        for each in range(count):
            self.after_of[before + each + 1] = after + each + 1
            self.before_of[after + each + 1] = before + each + 1


class _Same(dict[int, int]):
    def __missing__(self, line: int) -> int:
        return line

    def get(self, line: int, default: object = None) -> int:
        return line


class _Unchanged(LineMap):
    """Of a text that did not change."""

    def __init__(self) -> None:
        self.after_of = _Same()
        self.before_of = _Same()
        self.new_lines = self.old_lines = frozenset()


SAME = _Unchanged()


class _Every(frozenset[int]):
    def __contains__(self, line: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


EVERY = _Every()
"""All lines of a text."""
