"""What a call passes by position and by name, as its text says: the facts hold pairs as further arguments.

In: the text from the callee on. Out: `Arguments`; nothing if the text cannot be told apart, as with a heredoc.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.rules.attribute_types import Arguments

_CALLEE: Final = re.compile(r"[\w:.&]*\w[?!]?")
_KEYWORD: Final = re.compile(r"([A-Za-z_]\w*[?!]?):(?!:)|:([A-Za-z_]\w*[?!]?)\s*=>")
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_END: Final = re.compile(r"\s+(?:do|if|unless|while|until|rescue|and|or|then)\b|\s*[;}]|\s+#")
"""What ends the arguments of a call without parentheses."""
_MOST: Final = 4_000


def parse_arguments(text: str) -> Arguments | None:
    callee = _CALLEE.match(text)
    if callee is None:
        return None
    at = callee.end()
    is_closed = text.startswith("(", at)
    if not is_closed and (
        not text.startswith(" ", at) or text[at + 1 : at + 2] in "=+-*/%<>|&?.\n{" or text.startswith(" : ", at)
    ):
        return Arguments(0, (), False, False) if text[at : at + 1] in ("\n", "", ")", ".") else None
    parts = _parts(text[at : at + _MOST], is_closed)
    if parts is None:
        return None
    count, keywords, is_open, has_any = 0, [], False, False
    for part in parts:
        named = _KEYWORD.match(part)
        if part.startswith("**"):
            has_any = True
        elif part == "...":
            is_open = has_any = True
        elif part.startswith("*"):
            is_open = True
        elif named is not None:
            keywords.append(named[1] or named[2])
        elif "=>" in part:
            has_any = True
        elif not part.startswith("&"):
            count += 1
    return Arguments(count, tuple(keywords), is_open, has_any)


def _parts(text: str, is_closed: bool) -> list[str] | None:
    """The arguments; `text` begins with the bracket or the space in front of them."""
    found: list[str] = []
    stack: list[str] = []
    begin = 1
    at = 1 if is_closed else 0
    while at < len(text):
        sign = text[at]
        if sign in "\"'`":
            end = _end_of_string(text, at)
            if end < 0:
                return None
            at = end
            continue
        if text.startswith("<<", at) and text[at + 2 : at + 3] in "~-" and text[at + 3 : at + 4].strip():
            return None
        if sign in _OPENING:
            stack.append(_OPENING[sign])
        elif stack and sign == stack[-1]:
            stack.pop()
        elif not stack and is_closed and sign == ")":
            return [part for each in (*found, text[begin:at]) if (part := each.strip())]
        elif not stack and sign == ",":
            found.append(text[begin:at])
            begin = at + 1
        elif not stack and not is_closed and (sign == "\n" or _END.match(text, at)):
            if sign != "\n" or text[begin:at].strip():
                return [part for each in (*found, text[begin:at]) if (part := each.strip())]
        elif sign in ")]}":
            return None if is_closed or stack else [part for each in (*found, text[begin:at]) if (part := each.strip())]
        at += 1
    if is_closed or stack:
        return None
    return [part for each in (*found, text[begin:]) if (part := each.strip())]


def _end_of_string(text: str, at: int) -> int:
    """Behind a literal that begins there; -1 if nothing closes it, or code stands in it."""
    quote = text[at]
    end = at + 1
    while end < len(text) and text[end] != quote:
        if text.startswith("#{", end) and quote != "'":
            inner = text.find("}", end)
            if inner < 0 or quote in text[end:inner]:
                return -1
        end += 2 if text[end] == "\\" else 1
    return end + 1 if end < len(text) else -1
