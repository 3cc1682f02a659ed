"""Structural fingerprints: what is left of code when its names and its layout are taken away, as a few small counts.

In: the source of a file and parts of it, or a pasted piece of code. Out: int8 counts. Texts that differ in names,
comments and line breaks alone have fingerprints that are equal or nearly so: the distance (L1) counts the marks that
differ.
That finds the few symbols that are worth a closer look (queries/search/similar.py); it is not yet a likeness.
Absent: languages. What opens a comment in one of them is cut in all, which is rough and the same on both sides.
"""

from __future__ import annotations

import re

_LONG_REMARKS = tuple(re.compile(each, re.DOTALL) for each in (rb'""".*?"""', rb"/\*.*?\*/"))
_REMARKS = tuple(re.compile(each) for each in (rb"#[^\n]*", rb"//[^\n]*"))
"""Each of its own: what begins with fixed letters is searched for several times as fast."""
_MARKS = tuple(b'([{.:=+-*<&?!"0')
_ALIKE = bytes.maketrans(b"'123456789/%>|@$`", b'"000000000**<&???')
_LETTERS = bytes(c for c in range(256) if chr(c).isalpha() or c >= 128 or c in b"_ \t\r\n\f\\;,)]}")
"""Closing brackets say what opening ones say."""
_FEWEST_MARKS = 4
_MOST = 127
SIZE = len(_MARKS)
"""Of a fingerprint, in bytes."""


def fingerprint(text: str) -> bytes:
    """Of a piece of code; empty for what has hardly a mark."""
    return fingerprint_of(bare(text.encode("utf-8", "replace")))


def fingerprint_of(piece: bytes) -> bytes:
    """Of what is `bare` already."""
    marks = piece.translate(_ALIKE, _LETTERS)
    if len(marks) < _FEWEST_MARKS:
        return b""
    count = marks.count
    counts = [count(mark) for mark in _MARKS]
    return bytes(counts) if max(counts) <= _MOST else bytes([each if each < _MOST else _MOST for each in counts])


def bare(text: bytes) -> bytes:
    """Without comments and long strings, which is where documentation stands; lines keep their numbers."""
    for remark in _LONG_REMARKS:
        text = remark.sub(_line_ends, text)
    for remark in _REMARKS:
        text = remark.sub(b"", text)
    return text


def _line_ends(found: re.Match[bytes]) -> bytes:
    return b"\n" * found[0].count(b"\n")
