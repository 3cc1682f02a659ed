"""Nested literals as keys with dots: objects of JSON and JavaScript, arrays of PHP.

In: text. Out: each key with those around it, and where it stands. What is computed has no key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MOST_KEYS: Final = 20_000
_TOKEN: Final = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/|#[^\n]*)"
    r"|\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^'\\]|\\.)*)'|`(?:[^`\\]|\\.)*`"
    r"|(?P<word>[A-Za-z_$][\w$-]*)|::|(?P<arrow>=>|:)|(?P<open>[{\[(])|(?P<close>[}\])])|[,;?]",
    re.DOTALL,
)


class Key(NamedTuple):
    around: tuple[str, ...]
    name: str
    line: int


class LineCounter:
    """Lines of places that are asked for in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def line(self, at: int) -> int:
        self._line += self._text.count("\n", self._at, at)
        self._at = at
        return self._line


def keys_of(text: str) -> Iterator[Key]:
    lines = LineCounter(text)
    around: list[str] = []
    last, last_at, pending, seen = "", -1, "", 0
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "comment":
            continue
        if kind in ("double", "single", "word"):
            last, last_at = found[kind], found.start(kind)
            continue
        if kind == "arrow":
            if last_at >= 0 and seen < MOST_KEYS:
                yield Key(tuple(each for each in around if each), last, lines.line(last_at))
                pending, seen = last, seen + 1
        elif kind == "open":
            around.append(pending)
            pending = ""
        elif kind == "close":
            if around:
                around.pop()
            pending = ""
        else:
            pending = ""
        last_at = -1
