"""Text from elsewhere, made fit to be shown: names, docs, sources and arguments may hold anything.

In: any text. Out: the same with what commands a terminal, or turns the direction of what is read, written out as an
escape; or a short piece of it, for messages that tell what was given. Line ends and tabs stay.
"""

from __future__ import annotations

import re

PIECE = 160
"""Characters of what was given that a message tells back."""

_COMMANDS = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
"""Control characters but tab and line feed, marks and overrides of direction, line separators, interlinear marks, and
halves of characters, which no UTF-8 can say."""
_ONE_LINE = re.compile(f"{_COMMANDS.pattern[:-1]}\t\n]")
_PLAIN = bytes([9, 10, *range(32, 127)])


def escaped(text: str) -> str:
    """With `\\x1b` in place of that character, and so on."""
    if text.isascii() and not text.encode("ascii").translate(None, _PLAIN):
        return text
    return _COMMANDS.sub(_escape, text)


def quoted(text: str, width: int = PIECE) -> str:
    """In quotation marks, on one line, its middle left out where it is long."""
    shown = text
    if len(text) > width:
        shown = f"{text[: width * 2 // 3]}…{text[-(width // 3) :]}"
    shown = _ONE_LINE.sub(_escape, shown)
    mark = '"' if "'" in shown and '"' not in shown else "'"
    return f"{mark}{shown}{mark}" + (f" ({len(text):,} characters)" if len(text) > width else "")


def shortened(text: str, size: int) -> str:
    """At most so many bytes of UTF-8: its head, and a little of its end, which says what to do next."""
    if len(text) <= size and (text.isascii() or len(text.encode("utf-8", "replace")) <= size):
        return text
    data = text.encode("utf-8", "replace")
    head, tail = size * 3 // 4 - 3, size // 4 - 3
    return f"{data[:head].decode('utf-8', 'ignore')} … {data[-tail:].decode('utf-8', 'ignore')}"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    named = {9: "\\t", 10: "\\n", 13: "\\r"}.get(code)
    return named or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
