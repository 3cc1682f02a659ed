"""Plain literals that are assigned to a field, or stand for one in a literal of its type, and that its type does not
take any more.

In: the place of a field's name, or the fields of a type, before and after. Out: the literal and where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from rpg.encoder.languages.literals import literal_of
from rpg.encoder.languages.rules import Rules
from rpg.encoder.resolve.breakage.types.literal_types import is_refused
from rpg.encoder.resolve.breakage.written.bare_text import find_end, split_at_commas

_ASSIGNING: Final = re.compile(r"\s*(?:=(?![=>])|:(?![:=]))\s*")
_LITERAL: Final = re.compile(r"""[^\s,;(){}\[\]"'`]+|"[^"\n]*"|'[^'\n]*'|`[^`]*`""")
_BEHIND: Final = re.compile(r"[ \t]*(?:[,;)}\]\n]|//|#|\Z)")
_KEYED: Final = re.compile(r"\s*\w+\s*:(?!=)")
_COUNTED_START: Final = re.compile(r"(?:\[[^\[\]{}]*\])?\{")
_ELEMENT: Final = re.compile(r"(?:[^{}]*?:)?\s*&?\{")
_OF_LIST: Final = re.compile(r"\]\s*\*?\s*(?:\w+\.)?\Z")


class Refused(NamedTuple):
    literal: str
    declared: str
    byte: int


def find_assigned(text: str, source: bytes, end: int, was: str, has: str, rules: Rules) -> Refused | None:
    """`end`: behind the name of the field; `was`, `has`: its types."""
    start = _ASSIGNING.match(text, end)
    found = _LITERAL.match(text, start.end()) if start else None
    if found is None or not _BEHIND.match(text, found.end()):
        return None
    literal = source[found.start() : found.end()].decode("latin-1")
    return Refused(literal, has, end) if _is_refused_now(literal, was, has, rules) else None


def find_positional(
    text: str, source: bytes, begin: int, end: int, was: Sequence[str], has: Sequence[str], rules: Rules
) -> Refused | None:
    """`begin`, `end`: of the name of a type, behind which a literal of it, or a list of them, may stand; `was`, `has`:
    the types of its fields."""
    start = _COUNTED_START.match(text, end)
    if start is None or len(was) != len(has):
        return None
    places = [start.end() - 1]
    if _OF_LIST.search(text, max(0, begin - 200), begin):
        closing = find_end(text, places[0])
        parts = split_at_commas(text, places[0] + 1, closing) if closing >= 0 else []
        places = [each.end() - 1 for part in parts if (each := _ELEMENT.match(text, *part))]
    for place in places:
        closing = find_end(text, place)
        parts = split_at_commas(text, place + 1, closing) if closing >= 0 else []
        if len(parts) != len(has) or any(_KEYED.match(text[first:last]) for first, last in parts):
            continue
        for (first, last), before, after in zip(parts, was, has, strict=True):
            literal = source[first:last].decode("latin-1").strip()
            if _is_refused_now(literal, before, after, rules):
                return Refused(literal, after, place)
    return None


def _is_refused_now(literal: str, was: str, has: str, rules: Rules) -> bool:
    if was == has or not literal_of(literal, rules.has_characters):
        return False
    had, now = (is_refused(literal, each, rules.literals_fit, rules.has_characters) for each in (was, has))
    return now and not had
