"""Literals that a declared type does not take: a number where a string is needed (TypeScript: a string that is none of
those that the type lists).

In: the text of an argument or of what is assigned, and the text of the type. Out: whether it is refused for certain.
What is no plain literal, and a type that is not of the language itself, fits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rpg.encoder.languages.literals import NOTHING, STRING, WORDS_BEFORE_TYPES, kinds_of, literal_of

_LISTED: Final = re.compile(r"""\s*\|?\s*(?:'[^'\\]*'|"[^"\\]*")(?:\s*\|\s*(?:'[^'\\]*'|"[^"\\]*"))*\s*;?\s*\Z""")
_QUOTED: Final = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")


def is_refused(text: str, declared: str, fitting: Mapping[str, str], has_characters: bool) -> bool:
    """`fitting`: type of the language -> the kinds of literals that it takes, with `?` if it may be null."""
    kind = literal_of(text, has_characters)
    declared = declared.strip()
    if not kind or not declared:
        return False
    if listed := listed_strings(declared):
        return kind == STRING and text.strip()[1:-1] not in listed
    # A type that may be null, and several types of which one is needed.
    parts = [part.strip() for part in declared.split("|")] if "|" in declared else [declared]
    kinds = kinds_of(text.strip(), kind)
    return all(_refuses(kinds, part, fitting) for part in parts)


def _refuses(kinds: frozenset[str], declared: str, fitting: Mapping[str, str]) -> bool:
    if declared.endswith(("?", "!")) or declared.startswith("?"):
        if NOTHING in kinds or declared.endswith("!"):
            return False
        declared = declared.strip("?").strip()
    if declared.startswith(("*", "[")):
        return NOTHING not in kinds  # a pointer or list
    takes = fitting.get(WORDS_BEFORE_TYPES.sub("", declared))
    return takes is not None and kinds.isdisjoint(takes.split())


def listed_strings(declared: str) -> frozenset[str]:
    """The strings of a type that is a list of them; empty if it is none."""
    if not _LISTED.match(declared):
        return frozenset()
    return frozenset(found[1] or found[2] or "" for found in _QUOTED.finditer(declared))


def type_of_parameter(text: str, precedes: bool) -> str:
    """The type in the text of a parameter; empty if it has none. `precedes`: whether it stands in front of the name."""
    depth = 0
    end = len(text)
    for at, sign in enumerate(text):
        if sign in "([{<":
            depth += 1
        elif sign in ")]}>" and text[at - 1 : at] not in ("=", "-"):
            depth -= 1
        elif sign == "=" and not depth and text[at + 1 : at + 2] != ">" and at:
            end = at
            break
    text = text[:end].strip()
    if not precedes:
        name, colon, declared = text.partition(":")
        return declared.strip() if colon and "(" not in name else ""
    found = re.match(r"(.*[\s*&>\]?])\$?\w+\Z", text, re.DOTALL)
    return found[1].strip() if found else ""
