"""Structural fingerprints: what remains of code without its names and layout, as a few small counts.

In: the source of a file and its parts, or a pasted snippet. Out: int8 counts. Texts that differ only in names, comments
and line breaks have equal or nearly equal fingerprints: the distance (L1) counts the marks that differ. Fingerprints
find the few symbols worth a closer look (queries/search/similar.py); they do not measure similarity.

Absent: languages. Whatever opens a comment in one language is cut in all, which is imprecise, but the same on both
sides.
"""

from __future__ import annotations

import re
from typing import Final

_LONG_REMARKS = tuple(re.compile(each, re.DOTALL) for each in (rb'""".*?"""', rb"/\*.*?\*/"))
_REMARKS = tuple(re.compile(each) for each in (rb"#[^\n]*", rb"//[^\n]*"))
"""Separate expressions: one that begins with fixed letters is searched several times as fast."""
_MARKS = tuple(b'([{.:=+-*<&?!"0')
_ALIKE = bytes.maketrans(b"'123456789/%>|@$`", b'"000000000**<&???')
_LETTERS = bytes(c for c in range(256) if chr(c).isalpha() or c >= 128 or c in b"_ \t\r\n\f\\;,)]}")
"""Closing brackets add nothing to opening ones."""
_FEWEST_MARKS = 4
_MOST = 127
SIZE: Final[int] = len(_MARKS)
"""Size of a fingerprint in bytes."""


def fingerprint(text: str) -> bytes:
    """Of a snippet; empty if it has hardly any marks."""
    return fingerprint_of(bare(text.encode("utf-8", "replace")))


def fingerprint_of(piece: bytes) -> bytes:
    """Of text that is already `bare`."""
    marks = piece.translate(_ALIKE, _LETTERS)
    if len(marks) < _FEWEST_MARKS:
        return b""
    count = marks.count
    counts = [count(mark) for mark in _MARKS]
    return bytes(counts) if max(counts) <= _MOST else bytes([each if each < _MOST else _MOST for each in counts])


def bare(text: bytes) -> bytes:
    """Text without comments and long strings, where documentation is; lines keep their numbers."""
    for remark in _LONG_REMARKS:
        text = remark.sub(_line_ends, text)
    for remark in _REMARKS:
        text = remark.sub(b"", text)
    return text


def _line_ends(found: re.Match[bytes]) -> bytes:
    return b"\n" * found[0].count(b"\n")
