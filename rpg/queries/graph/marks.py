"""What opens and closes around places of one text: comments, blocks, expressions of templates.

In: a text, and places in it, in ascending order or nearly so. Out: whether a comment begins before a place on its line,
whether a place stands between two delimiters. Each part of the text is looked at once, however many places are asked
for.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

_COMMENT: Final = re.compile(
    rb"(?:^|\s)(?:#(?=\s|#)|//|--(?=\s)|<!--|/\*|\{[#*])|^\s*(?:#|;|%|\*\s|rem\s)", re.IGNORECASE
)
"""What begins a comment on a line, in most languages."""
_BLOCKS: Final = ((b"<!--", b"-->"), (b"/*", b"*/"), (b"{#", b"#}"))
_NOT_BEHIND: Final = {b"/*": rb"(?<![\w.)\]}*'\"$-])", b"{#": rb"(?<![{$])"}
"""Where such an opening is none: in a pattern of paths, `src/*`, and in `{{#each}}`."""


class Pair(NamedTuple):
    openings: array[int]
    closings: array[int]
    """Where they begin."""


class Marks:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self._pairs: dict[tuple[bytes, bytes], Pair] = {}
        self._line = (0, -1, 0)
        """Where the line of the last place begins and ends, and where a comment in it does."""

    def is_in_comment(self, at: int) -> bool:
        """Whether a comment begins before it on its line, as in most languages, or around it."""
        start, end, comment = self._line
        if not start <= at <= end:
            start = self.text.rfind(b"\n", 0, at) + 1
            end = self.text.find(b"\n", at)
            end = len(self.text) if end < 0 else end
            found = _COMMENT.search(self.text[start:end])
            comment = end + 1 if found is None else start + found.end()
            self._line = (start, end, comment)
        return at >= comment or any(self._is_in_block(at, *block) for block in _BLOCKS)

    def _is_in_block(self, at: int, opening: bytes, closing: bytes) -> bool:
        """Whether a comment opens before a place and closes behind it: what nothing closes is none."""
        if self.opening_of(at, opening, closing) < 0:
            return False
        closings = self._pair(opening, closing).closings
        return bisect_left(closings, at) < len(closings)

    def opening_of(self, at: int, opening: bytes, closing: bytes) -> int:
        """Where the delimiters open between which a place stands; -1 if it stands between none."""
        pair = self._pair(opening, closing)
        begin = bisect_right(pair.openings, at - len(opening)) - 1
        if begin < 0:
            return -1
        start = pair.openings[begin]
        end = bisect_left(pair.closings, start)
        is_closed = end < len(pair.closings) and pair.closings[end] + len(closing) <= at
        return -1 if is_closed else start

    def closing_behind(self, at: int, opening: bytes, closing: bytes) -> int:
        """Where the delimiter that closes next behind a place ends; the end of the text if none does."""
        closings = self._pair(opening, closing).closings
        end = bisect_left(closings, at)
        return closings[end] + len(closing) if end < len(closings) else len(self.text)

    def _pair(self, opening: bytes, closing: bytes) -> Pair:
        pair = self._pairs.get((opening, closing))
        if pair is None:
            pair = self._pairs[opening, closing] = Pair(_all(self.text, opening), _all(self.text, closing))
        return pair


def _all(text: bytes, mark: bytes) -> array[int]:
    pattern = _NOT_BEHIND.get(mark, b"") + rb"(?=" + re.escape(mark) + rb")"
    return array("q", [match.start() for match in re.finditer(pattern, text)])
