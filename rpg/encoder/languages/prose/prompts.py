"""The code of an example in a text: without the indentation of the text, its quote marks and prompts.

In: a text, and where an example begins and ends in it. Out: as many bytes, of which the parser sees only code, so that
a position in them is one in the example. What is typed at a prompt (`>>>`) is code, what comes back is not.
"""

from __future__ import annotations

import re
from typing import Final

_BLANK: Final = bytes([each if each == 10 else 32 for each in range(256)])
_PROMPT: Final = re.compile(rb"^[ \t>]*?(?:(>>>)|(\.\.\.))(?:[ \t]([^\n]*))?$", re.MULTILINE)
_LINE: Final = re.compile(rb"^([ \t>]*)[^\s>]", re.MULTILINE)
_QUOTED: Final = re.compile(rb"^[ \t>]+$", re.MULTILINE)
_FORM_FEED: Final = 12
"""Python counts indentation from here."""


def has_prompt(source: bytes, start: int, end: int) -> bool:
    return source.find(b">>>", start, end) >= 0


def extract_typed(source: bytes, start: int, end: int) -> bytes:
    """What is typed at prompts."""
    text = source[start : max(start, end)]
    written = bytearray(text.translate(_BLANK))
    expected = -1
    for match in _PROMPT.finditer(text):
        if match[2] is not None and match.start() != expected:
            continue  # an ellipsis in what came back
        expected = match.end() + 1
        if match[3]:
            begin = match.start(3)
            written[begin : match.end()] = match[3]
            written[begin - 1] = _FORM_FEED
    return bytes(written)


def unindent(source: bytes, start: int, end: int) -> bytes:
    """Code that is indented, or quoted, as a whole."""
    text = source[start : max(start, end)]
    lines = [(match.start(), match.end(1)) for match in _LINE.finditer(text)]
    # A line of which only the rest is in the range is indented by what is before it.
    width = min((last - first for first, last in lines if first or start == 0 or source[start - 1] == 10), default=0)
    if not width:
        return text
    written = bytearray(text)
    for first, last in lines:
        if last - first >= width:
            written[first : first + width] = b" " * (width - 1) + bytes((_FORM_FEED,))
    if any(b">" in text[first : first + width] for first, _ in lines):
        for match in _QUOTED.finditer(text):
            written[match.start() : match.end()] = b" " * (match.end() - match.start())
    return bytes(written)
