"""Kinds of plain literals, and which of them may be passed where a type of a language is declared.

In: the text of an argument, or the table of a language. Out: its kind; a mapping from types to kinds. Nothing is known
of types that no table has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

STRING: Final = "string"
NOTHING: Final = "null"
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`[^`$\\]*`')
_NUMBER: Final = re.compile(r"\d[\d_]*(\.\d+)?\Z")
_KINDS_OF_WORDS: Final = {
    "true": "bool", "false": "bool", "True": "bool", "False": "bool",
    "null": "null", "nil": "null", "None": "null", "nullptr": "null",
}  # fmt: skip
_DIGITS: Final = re.compile(r"""(['"])\d+(?:\.\d+)?\1\Z""")
WORDS_BEFORE_TYPES: Final = re.compile(r"^(?:(?:final|const|in|ref|readonly|required|covariant|mut|var|val)\s+)+")


def literal_of(text: str, has_characters: bool) -> str:
    """What a text is a literal of: string, char, int, float, bool, null; empty if it is none. `has_characters`: whether
    single quotes hold characters."""
    text = text.strip()
    if _STRING.fullmatch(text):
        return "char" if has_characters and text.startswith("'") else "string"
    number = _NUMBER.match(text)
    if number is not None:
        return "float" if number[1] else "int"
    return _KINDS_OF_WORDS.get(text, "")


def kinds_of(text: str, kind: str) -> frozenset[str]:
    """The kind of a literal with what else is known of it: zero, digits (a string of them)."""
    return frozenset({kind, "zero" if text == "0" else "", "digits" if _DIGITS.match(text) else ""})


def fitting(rows: str) -> Mapping[str, str]:
    """Rows of types and what may be passed for them: `int long: int char`; with `|` between types that have blanks."""
    found: dict[str, str] = {}
    for row in rows.strip().splitlines():
        types, _, kinds = row.rpartition(": ")
        names = types.split("|") if "|" in types else types.split()
        found.update(dict.fromkeys([name.strip() for name in names], kinds.strip()))
    return found
