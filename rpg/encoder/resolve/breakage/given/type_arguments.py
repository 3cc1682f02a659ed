"""Types that are named with another number of type arguments than they take now.

In: the text behind the name of a type, and its definition before and after. Out: what does not fit.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import Definition
from rpg.encoder.resolve.breakage.given.types_said import type_parameters
from rpg.encoder.resolve.breakage.written.bare_text import split_at_commas

_ANGLES: Final = re.compile(r"(?:::)?<((?:[^<>;{}()]|<(?:[^<>;{}()]|<[^<>;{}()]*>)*>)*)>")
_SQUARE: Final = re.compile(r"\[((?:[^\[\];{}()]|\[[^\[\];{}()]*\])*)\]")


def find_other_count(text: str, end: int, had: Definition, has: Definition) -> str:
    """`end`: behind the name."""
    before, after = type_parameters(had), type_parameters(has)
    if before == after:
        return ""
    opening = had.signature[had.signature.find(had.name) + len(had.name) :][:1]
    found = (_SQUARE if opening == "[" else _ANGLES).match(text, end)
    if found is None:
        return ""
    flat = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", found[1]))
    parts = [flat[begin:stop].strip() for begin, stop in split_at_commas(flat, 0, len(flat))]
    count = sum(not part.startswith("'") for part in parts)
    if not count or not before[0] <= count <= before[1] or after[0] <= count <= after[1]:
        return ""
    told = str(after[1]) if after[0] == after[1] else f"{after[0]} to {after[1]}"
    return f"takes {told} type argument{'' if told == '1' else 's'} now, {count} given"
