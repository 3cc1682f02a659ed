"""What surrounds a word of a source, apart from its syntax tree: a literal, and whether that may name a symbol.

In: a text, an offset, and the comments of the file. Out: the literal, or nothing. Quotes are told by the usual rules
of languages, so that an unusual literal (a heredoc, an expression between slashes) may be missed: a word in it then
counts as code.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

_LITERAL: Final = re.compile(
    rb'"""(?:[^\\]|\\.)*?"""'
    rb"|'''(?:[^\\]|\\.)*?'''"
    rb'|"(?:[^"\\\n]|\\.)*"'
    rb"|'(?:[^'\\\n]|\\.)*'"
    rb"|`(?:[^`\\]|\\.)*`",
    re.DOTALL,
)
_NAMES: Final = re.compile(rb"[\s]*[A-Za-z_$@#.:\\/][\w$.:\\/@#]*(?:\(\))?\s*")
"""A literal that consists of names: `name`, `pkg.mod.name`, `Class::name`, `controller@action`, `ns\\Class`."""
_EXPRESSION: Final = re.compile(rb"\{\{(.*?)\}\}|<%(.*?)%>|\$\{(.*?)\}|#\{(.*?)\}", re.DOTALL)
"""Parts of a literal that are code, if it is a template."""
_SEPARATORS: Final = re.compile(rb"[.:\\@#]+")
_PLAIN: Final = re.compile(rb"[a-z]+")


class Literals:
    """The literals of one text."""

    def __init__(self, text: bytes, comments: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._spans: list[tuple[int, int]] = []
        start = 0
        for begin, end in (*sorted(comments), (len(text), len(text))):
            if begin > start:
                self._spans += [match.span() for match in _LITERAL.finditer(text, start, begin)]
            start = max(start, end)
        self._starts = [begin for begin, _ in self._spans]

    def around(self, offset: int) -> tuple[int, int] | None:
        """Where the literal with that offset begins and ends, quotes included."""
        at = bisect_right(self._starts, offset) - 1
        if at >= 0 and self._spans[at][0] < offset < self._spans[at][1]:
            return self._spans[at]
        return None


def names_in(literal: bytes, word: bytes) -> list[bytes] | None:
    """The parts of a literal, without its quotes, of which the word is one: `pkg`, `mod` and `name`. None for a literal
    that is prose, data or a pattern: no word in it means code."""
    if _NAMES.fullmatch(literal) is not None:
        # What stands behind slashes is a file, or in one: `users/index`, `admin/users#index`.
        last = literal.strip().removesuffix(b"()").rpartition(b"/")[2]
        parts = [part for part in _SEPARATORS.split(last) if part]
        return parts if word in parts and not (b"/" in literal and len(parts) == 1) else None
    for match in _EXPRESSION.finditer(literal):
        inside = next(filter(None, match.groups()), b"")
        if re.search(rb"(?<!\w)" + re.escape(word) + rb"(?!\w)", inside):
            quoted = re.search(rb"([\"'])([\w.]+\.)" + re.escape(word) + rb"\1", inside)
            return [*quoted[2].split(b".")[:-1], word] if quoted else [word]
    return None


def is_plain(word: bytes) -> bool:
    """Whether it is a word of plain language, which a literal may have for many reasons."""
    return _PLAIN.fullmatch(word) is not None
