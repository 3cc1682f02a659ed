"""Code in templates: what stands between delimiters, in place, so that the parser of its language can read it.

In: a template, and a table of its language's delimiters. Out: text of the same length in which all but code is blank,
with an end of statement around each piece of code; where pieces are is unchanged.

Absent: what the code means, which the language of the code says; delimiters that only a parser of the text around
could find.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from typing import Final, NamedTuple

from rpg.encoder.unparsable import NOT_CLOSED, Unparsable

BLANK: Final = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
"""For `translate`: what is no code."""
FARTHEST: Final = 20_000
"""Bytes between a parenthesis and the one that closes it."""
_MOST_IN_VAIN: Final = 2_000_000
"""A hundred parentheses that nothing closes."""


class Tag(NamedTuple):
    """`opening ... closing`"""

    opening: bytes
    closing: bytes
    is_code: bool = True
    """Whether code stands in between; else a comment, or text that only looks like code."""
    end: bytes = b""
    """The end of a statement, if that is not the table's."""


class Openings:
    """Where what is opened in a text closes. Whatever nothing closes costs no more than the text is long: what was
    looked for in vain is not looked for again, and a text in which too much is looked for in vain is left out."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._absent: dict[bytes, int] = {}
        """Delimiters -> from where on there are none."""
        self._in_vain = 0
        """Bytes that were read for what nothing closes."""

    def find(self, closing: bytes, at: int) -> int:
        """Where a delimiter is next; -1 if it is nowhere behind."""
        if at >= self._absent.get(closing, at + 1):
            return -1
        found = self.source.find(closing, at)
        if found < 0:
            self._absent[closing] = at
        return found

    def closing_of(self, at: int, closed: int = 41) -> int:
        """The parenthesis that closes the one at a byte, outside strings; -1 if none does, or only one far away."""
        source = self.source
        opened = source[at]
        start, end = at, min(len(source), at + FARTHEST)
        depth = 0
        while at < end:
            byte = source[at]
            if byte == opened:
                depth += 1
            elif byte == closed:
                depth -= 1
                if not depth:
                    return at
            elif byte in b"'\"":
                quote = byte
                at += 1
                while at < end and source[at] != quote:
                    at += 1 + (source[at] == 92)
            at += 1
        self.read_in_vain(end - start)
        return -1

    def read_in_vain(self, size: int) -> None:
        self._in_vain += size
        if self._in_vain > _MOST_IN_VAIN:
            raise Unparsable(NOT_CLOSED)


class Scan(Openings):
    """A template while its code is being found."""

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.code = bytearray(source.translate(BLANK))
        self.comments: list[tuple[int, int]] = []
        """Where comments of the template begin and end."""
        self.pieces: list[tuple[int, int]] = []
        """Where code begins and ends."""

    def copy(self, start: int, end: int) -> None:
        self.code[start:end] = self.source[start:end]
        self.pieces.append((start, end))

    def is_blank(self, at: int) -> bool:
        return self.code.startswith(b" ", at)

    def put(self, at: int, text: bytes) -> None:
        """Writes over what is no code."""
        self.code[at : at + len(text)] = text


Found = Callable[[Scan, re.Match[bytes]], int]
"""What is done with anything else that opens code. Returns where to go on."""


class Delimiters:
    def __init__(
        self, *tags: Tag, end: bytes = b"\n", marks: bytes = b"", others: bytes = b"", found: Found | None = None
    ) -> None:
        self.tags = {tag.opening: tag for tag in tags}
        self.end = end
        """Ends a statement. It is written over the last bytes of a closing delimiter."""
        self.marks = marks
        """Characters right behind an opening and right before a closing delimiter that say how the result is shown."""
        self.others = others
        """Expression for what else opens code, and `found` takes."""
        self.found = found
        self._opening: re.Pattern[bytes] | None = None

    def opening(self) -> re.Pattern[bytes]:
        """Made at the first use."""
        if self._opening is None:
            ordered = sorted(self.tags, key=len, reverse=True)
            written = [*(re.escape(each) for each in ordered), *filter(None, [self.others])]
            self._opening = re.compile(b"|".join(written))
        return self._opening

    def code_of(self, source: bytes, scan: Scan | None = None) -> Scan:
        scan = Scan(source) if scan is None else scan
        opening, tags = self.opening(), self.tags
        match = opening.search(source)
        while match is not None:
            tag = tags.get(match[0])
            if tag is not None:
                at = self.between(scan, tag, match.end())
            else:
                at = self.found(scan, match) if self.found is not None else match.end()
            match = opening.search(source, max(at, match.end()))
        return scan

    def between(self, scan: Scan, tag: Tag, start: int) -> int:
        """The code of one tag. Returns where it ends; a tag that is not closed is text."""
        source, marks = scan.source, self.marks
        end = scan.find(tag.closing, start)
        if not tag.is_code and tag.closing and end >= 0:
            scan.comments.append((start - len(tag.opening), end + len(tag.closing)))
        if end < 0:
            return start if tag.is_code else len(source)
        if tag.is_code:
            while start < end and source[start] in marks:
                start += 1
            last = end
            if last > start and source[last - 1] in marks:
                last -= 1
            scan.copy(start, last)
            over = tag.end or self.end
            scan.put(end + len(tag.closing) - len(over), over)
        return end + len(tag.closing)


def line_starts(source: bytes) -> array[int]:
    """The bytes where lines begin, whatever was written over line ends."""
    starts = array("i", (0,))
    at = source.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = source.find(b"\n", at + 1)
    return starts
