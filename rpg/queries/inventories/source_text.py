"""Literals as the source writes them, where the facts record only that there is a text.

In: the text of a file and where a call or annotation names its callee. Out: its arguments as pieces of text with their
keywords, and the strings that these pieces denote. Quotation marks and brackets are enough; no grammar is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rpg.encoder.frameworks.text import split_at_commas

COMPUTED = "…"
LONGEST = 4_000
"""The most characters of one list of arguments that are read."""

STRING_LITERAL = re.compile(
    r"""(?P<prefix>\b[a-zA-Z]{0,2}(?=["'`]))?(?:(?P<triple>\"{3}|'{3})(?P<long>(?:[^\\]|\\.)*?)(?P=triple)"""
    r"""|(?P<quote>["'`])(?P<short>(?:[^\\]|\\.)*?)(?P=quote))""",
    re.DOTALL,
)
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=(?![=>])|:(?!:))\s*")
_HOLE = re.compile(r"\$?\{\{?([^{}]*)\}\}?|\$([A-Za-z_]\w*)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}


class Argument(NamedTuple):
    keyword: str
    text: str
    start: int
    """Where its text begins."""


def arguments(text: str, at: int) -> list[Argument]:
    """The arguments after the name at a position: the contents of the first brackets after it, empty if there are
    none."""
    end = min(len(text), at + LONGEST)
    while at < end and (text[at].isalnum() or text[at] in "_.$?!:\\ "):
        at += 1
    if at >= end or text[at] not in "([":
        return []
    return list(_pieces(text, at + 1, end))


def items(argument: Argument) -> list[Argument]:
    """The items of a list in brackets or braces, those of an object with their keywords, or the argument itself."""
    text = argument.text
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return [argument]
    return [each._replace(start=argument.start + each.start) for each in _pieces(text, 1, len(text))]


def _pieces(text: str, start: int, end: int) -> Iterator[Argument]:
    for first, stop in split_at_commas(text, start, end):
        piece = text[first:stop]
        keyword = _KEYWORD.match(piece)
        first += keyword.end() if keyword else len(piece) - len(piece.lstrip())
        if piece.strip():
            yield Argument(keyword[1] if keyword else "", text[first:stop].strip(), first)


def extent(text: str) -> str:
    """The expression at the beginning of a text: up to the next comma, or the bracket that closes around it."""
    start, stop = next(split_at_commas(text, 0, len(text)))
    return text[start:stop].rstrip()


def evaluate_string(text: str, meaning: Callable[[str, int], str] | None = None) -> str:
    """The value of an expression of strings and `+`, with COMPUTED for everything else. `meaning` is called for each
    name in it, with its position."""
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] in "+ \t\r\n.\\" or text.startswith("()", at):
            at += 1
            continue
        string = STRING_LITERAL.match(text, at)
        if string is not None:
            out.append(_string_value(string, meaning))
            at = string.end()
            continue
        stop = at
        while stop < len(text) and text[stop] not in "+\"'`":
            stop += 1
        piece = text[at:stop].strip()
        out.append((meaning(piece, at) if meaning and piece else "") or COMPUTED)
        at = max(stop, at + 1)
    return "".join(out)


def _string_value(string: re.Match[str], meaning: Callable[[str, int], str] | None) -> str:
    name = "long" if string["triple"] else "short"
    body = string[name]
    is_filled = "f" in (string["prefix"] or "").lower() or string["quote"] == "`" or "${" in body
    if is_filled:
        start = string.start(name)

        def filled(hole: re.Match[str]) -> str:
            if hole[0].startswith("{{"):
                return f"{{{hole[1]}}}"
            group = 1 if hole[1] is not None else 2
            return (meaning(hole[group].strip(), start + hole.start(group)) if meaning else "") or COMPUTED

        body = _HOLE.sub(filled, body) if "f" in (string["prefix"] or "").lower() else _DOLLAR.sub(filled, body)
    if "r" in (string["prefix"] or "").lower():
        return body
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), body, flags=re.DOTALL)


_DOLLAR = re.compile(r"\$\{([^{}]*)\}|(?<![\w\\])\$([A-Za-z_]\w*)")
