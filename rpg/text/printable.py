"""Makes foreign text safe to print: names, docs, sources and arguments may contain anything.

In: any text. Out: the same text, with characters that control a terminal or change the reading direction escaped; or a
short quoted excerpt of it, for messages. Line ends and tabs stay. JSON has them as escapes of JSON: whoever reads it
gets them back, whoever prints it is not controlled.
"""

from __future__ import annotations

import re

PIECE = 160
"""How many characters of an argument a message repeats."""

_COMMANDS = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
"""Control characters except tab and line feed, direction marks and overrides, line separators, interlinear marks, and
lone surrogates, which UTF-8 cannot encode."""
_ONE_LINE = re.compile(f"{_COMMANDS.pattern[:-1]}\t\n]")
_LEFT_BY_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]")
"""Those that JSON may contain as they are."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_PLAIN = bytes([9, 10, *range(32, 127)])


def make_printable(text: str) -> str:
    """Replaces each such character by its escape, for instance `\\x1b`."""
    if text.isascii() and not text.encode("ascii").translate(None, _PLAIN):
        return text
    return _COMMANDS.sub(_escape, text)


def encodable(text: str) -> str:
    """Replaces only what UTF-8 cannot encode."""
    return text if text.isascii() else _SURROGATES.sub(_escape, text)


def is_printable(text: str) -> bool:
    """Whether it stands on one line and nothing of it is escaped."""
    return _ONE_LINE.search(text) is None


def json_escaped(written: str) -> str:
    """For JSON that is already written."""
    return written if written.isascii() and "\x7f" not in written else _LEFT_BY_JSON.sub(_as_json, written)


def one_line(text: str) -> str:
    """The same, with line ends and tabs escaped too: for a name in a list that has a line for each."""
    return _ONE_LINE.sub(_escape, text)


def quote_text(text: str, width: int = PIECE) -> str:
    """In quotation marks, on one line, with the middle of a long text left out."""
    shown = text
    if len(text) > width:
        shown = f"{text[: width * 2 // 3]}…{text[-(width // 3) :]}"
    shown = _ONE_LINE.sub(_escape, shown)
    mark = '"' if "'" in shown and '"' not in shown else "'"
    return f"{mark}{shown}{mark}" + (f" ({len(text):,} characters)" if len(text) > width else "")


def shorten(text: str, size: int) -> str:
    """At most that many bytes of UTF-8: the beginning, and a little of the end, which says what to do next."""
    if len(text) <= size and (text.isascii() or len(text.encode("utf-8", "replace")) <= size):
        return text
    data = text.encode("utf-8", "replace")
    head, tail = size * 3 // 4 - 3, size // 4 - 3
    return f"{data[:head].decode('utf-8', 'ignore')} … {data[-tail:].decode('utf-8', 'ignore')}"


def _as_json(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    named = {9: "\\t", 10: "\\n", 13: "\\r"}.get(code)
    return named or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
