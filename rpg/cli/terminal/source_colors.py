"""Colours in lines of source.

In: lines, and the name of their file. Out: the same lines, escaped, with colours of the terminal's own palette. A file
whose language Pygments does not know, and text that is large or has very long lines, stays as it is: a pattern of a
lexer may be slow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from rpg.text.printable import make_printable

MOST_CHARACTERS = 200_000
LONGEST_LINE = 500

COMMENT, KEYWORD, STRING, NUMBER, NAME, MARK = "90", "35", "32", "36", "34", "33"
HEAD = "1;33"
COLOR = re.compile("\x1b\\[[0-9;]*m")
PALETTE = (
    ("Comment", COMMENT),
    ("Literal.String", STRING),
    ("Literal.Number", NUMBER),
    ("Keyword.Constant", NUMBER),
    ("Keyword", KEYWORD),
    ("Operator.Word", KEYWORD),
    ("Name.Decorator", MARK),
    ("Name.Function", NAME),
    ("Name.Class", NAME),
    ("Name.Tag", KEYWORD),
    ("Generic.Heading", NAME),
    ("Generic.Subheading", NAME),
)
"""Token types of Pygments, the first that fits, with the code of its colour."""


def paint(text: str, color: str) -> str:
    return f"\x1b[{color}m{text}\x1b[0m" if text and color else text


def color_lines(lines: Sequence[str], path: str) -> list[str]:
    plain = [make_printable(line) for line in lines]
    if sum(map(len, plain)) > MOST_CHARACTERS or any(len(line) > LONGEST_LINE for line in plain):
        return plain
    lexer = lexer_of(path)
    if lexer is None:
        return plain
    out = [""]
    colors = ((color_of(kind), text) for kind, text in lexer.get_tokens("\n".join(plain)))
    for color, group in groupby(colors, key=itemgetter(0)):
        first, *others = "".join(text for _, text in group).split("\n")
        out[-1] += paint(first, color)
        out += [paint(other, color) for other in others]
    return out[: len(plain)] if [strip(line) for line in out[: len(plain)]] == plain else plain


def strip(line: str) -> str:
    return COLOR.sub("", line)


@cache
def color_of(kind: Any) -> str:
    name = str(kind).removeprefix("Token.")
    return next((color for start, color in PALETTE if name == start or name.startswith(f"{start}.")), "")


@cache
def lexer_of(path: str) -> Any:
    """By the name of the file alone, which is quick; None if no language has it."""
    from pygments.lexers import find_lexer_class_for_filename

    name = path.rpartition("/")[2]
    kind = find_lexer_class_for_filename(name) if name else None
    return kind(stripnl=False, ensurenl=False) if kind is not None else None
