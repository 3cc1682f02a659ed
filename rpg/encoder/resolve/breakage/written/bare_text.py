"""The text of a file without what is in its comments and strings, so that brackets and signs in it are code.

In: a source and where its comments are. Out: a text whose positions are the bytes of the source; and in it, brackets
that belong together and what is between the signs that divide them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_OPENING: Final = {closing: opening for opening, closing in _CLOSING.items()}
_FARTHEST: Final = 20_000
"""The most of a text in which a bracket is looked for."""
_CHARACTERS: Final = r"'(?:\\.[^'\n]{0,8}|[^'\\\n])'"
_STRINGS: Final = re.compile(rf'"""[\s\S]*?"""|"(?:\\[\s\S]|[^"\\])*"|`[^`]*`|{_CHARACTERS}')
_QUOTED: Final = re.compile(
    r"""'''[\s\S]*?'''|\"\"\"[\s\S]*?\"\"\"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`"""
)


def bare_text(source: bytes, comments: Iterable[tuple[int, int]], quotes_twice: bool) -> str:
    """`quotes_twice`: whether strings stand between single quotes, too, and not characters alone."""
    text = bytearray(source)
    for begin, end in comments:
        text[begin:end] = b" " * (end - begin)
    strings = _QUOTED if quotes_twice else _STRINGS
    return strings.sub(_without_contents, text.decode("latin-1"))


def _without_contents(found: re.Match[str]) -> str:
    text = found[0]
    return f"{text[0]}{'_' * (len(text) - 2)}{text[-1]}" if len(text) > 1 else text


def find_opening(text: str, at: int) -> int:
    """Where the innermost bracket opens that is around a place; -1 if there is none near."""
    depth: list[str] = []
    for place in range(at - 1, max(-1, at - _FARTHEST), -1):
        sign = text[place]
        if sign in _OPENING:
            depth.append(_OPENING[sign])
        elif sign in _CLOSING:
            if not depth:
                return place
            if depth.pop() != sign:
                return -1
    return -1


def find_end(text: str, opening: int) -> int:
    """Where a bracket closes; -1 if it does not."""
    depth: list[str] = []
    for place in range(opening, min(len(text), opening + _FARTHEST)):
        sign = text[place]
        if sign in _CLOSING:
            depth.append(_CLOSING[sign])
        elif sign in _OPENING:
            if depth.pop() != sign:
                return -1
            if not depth:
                return place
    return -1


def outside_brackets(text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    """Each place that is in no further bracket, and its sign."""
    depth = 0
    for place in range(begin, end):
        sign = text[place]
        if sign in _CLOSING:
            depth += 1
        elif sign in _OPENING:
            depth -= 1
        elif not depth:
            yield place, sign


def split_at_commas(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """The parts between commas, without those that are empty."""
    parts, start = [], begin
    for place, sign in outside_brackets(text, begin, end):
        if sign == ",":
            parts.append((start, place))
            start = place + 1
    parts.append((start, end))
    return [part for part in parts if text[part[0] : part[1]].strip()]
