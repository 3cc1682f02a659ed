"""Objects that are made where the facts have no call: `Item a("x", 2);`, `: Item("x", 2)`, `make_unique<Item>("x", 2)`.

In: a site that names a class, and what the class declares before and after. Out: what does not fit.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, CALLED, CREATED, READ, Definition
from rpg.encoder.resolve.breakage.sides import Site
from rpg.encoder.resolve.breakage.written.bare_text import find_end, split_at_commas
from rpg.encoder.resolve.breakage.written.class_texts import Declared
from rpg.encoder.resolve.program.source_file import SourceFile

_VARIABLE: Final = re.compile(r"\s+\w+\s*([({])")
_MADE_BY: Final = re.compile(r"\b(?:make_unique|make_shared)\s*<\s*(?:\w+\s*::\s*)*\Z")
_MADE: Final = re.compile(r"\s*>\s*\(")
_INITIALISER: Final = re.compile(r"[:,]\s*(?:\w+\s*::\s*)*\Z")
_LITERAL: Final = re.compile(r"""\s*(?:"[^"]*"|'[^']*'|\d[\w.]*|true|false)\s*\Z""")
_TYPE_LIKE: Final = re.compile(r"\s*(?:const\b.*|[\w:<>]+\s*[&*]*\s+[&*]*\w+|[\w:<>]+\s*[&*]+)\s*\Z")


class Made(NamedTuple):
    number: int
    is_literal: bool
    """Whether the only argument is a literal of a builtin type, so that no object is copied."""
    byte: int


def find_made(text: str, new: SourceFile, now: Site, around: Definition) -> Made | None:
    """What an object is made of where a site names its class; None if none is made there plainly."""
    begin = new.code[now.named + op.BYTE]
    at = begin + len(now.name)
    if text[begin:at] != now.name:
        return None
    opening = -1
    if now.role == ANNOTATION:
        if (variable := _VARIABLE.match(text, at)) is not None:
            opening = variable.end() - 1
        elif _MADE_BY.search(text, max(0, begin - 100), begin) and (made := _MADE.match(text, at)) is not None:
            opening = made.end() - 1
    elif now.role in (CALLED, CREATED):
        opening = at if text[at : at + 1] in ("(", "{") else -1
    elif now.role == READ and around.start_byte < begin < around.body_byte:
        is_initialiser = _INITIALISER.search(text, max(0, begin - 100), begin) is not None
        opening = at if is_initialiser and text[at : at + 1] in ("(", "{") else -1
    end = find_end(text, opening) if opening >= 0 else -1
    if end < 0:
        return None
    parts = [text[start:stop] for start, stop in split_at_commas(text, opening + 1, end)]
    # `Item make(int n);` declares a function.
    if any("..." in part or _TYPE_LIKE.match(part) for part in parts) or (text[opening] == "(" and not parts):
        return None
    return Made(len(parts), len(parts) == 1 and _LITERAL.match(parts[0]) is not None, begin)


def why_not_made(made: Made, had: list[Declared], has: list[Declared]) -> str:
    """Why an object cannot be made so any more; empty if it may be."""
    if made.number == 1 and not made.is_literal:
        return ""  # may be a copy
    if not any(each.takes(made.number) for each in had) or any(each.takes(made.number) for each in has):
        return ""
    counts = sorted({count for each in has for count in {each.fewest, min(each.most, len(each.parameters))}})
    words = " or ".join(map(str, counts))
    return f"takes {words} argument{'' if words == '1' else 's'}, {made.number} given"


def is_hidden_now(made: Made, had: list[Declared], has: list[Declared]) -> bool:
    """Whether all constructors that take as much cannot be seen from outside any more."""
    if made.number == 1 and not made.is_literal:
        return False
    fitting = [each for each in has if each.takes(made.number)]
    was = [each for each in had if each.takes(made.number)]
    return (
        bool(fitting)
        and all(each.access == "private" for each in fitting)
        and any(each.access == "public" for each in was)
    )
