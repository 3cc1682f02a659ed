"""Calls of functions that may fail or take their time now, where the text of a call must say so.

In: a call, and the words of the function's signature before and after. Out: what the call lacks.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import Definition
from rpg.encoder.resolve.breakage.given.taken import Place
from rpg.encoder.resolve.breakage.types.overridden import find_words_around
from rpg.encoder.resolve.breakage.written.bare_text import find_opening
from rpg.encoder.resolve.program.source_file import SourceFile

_CONTROL: Final = re.compile(
    r"(?:\b(?:if|while|for|when|catch|switch|guard)\b.*|\b(?:else|try|do|finally|defer)|->)\s*\Z", re.DOTALL
)
_DEEPEST: Final = 20


def find_lacking(had: Definition, has: Definition, place: Place, new: SourceFile, maker: int) -> str:
    marks = new.rules.call_marks
    added = [word for word in find_words_around(has) - find_words_around(had) if word in marks]
    for word in sorted(added):
        needed = marks[word]
        if not needed:
            around = new.definitions[maker]
            if _is_of_function(place, around) and word not in find_words_around(around):
                return f"is `{word}` now, and `{around.name}` is not"
        elif not _is_marked(place, needed):
            return f"is `{word}` now: needs `{needed}`"
    return ""


def _is_marked(place: Place, word: str) -> bool:
    """Whether a word stands in front of an expression, or of the whole that it is a part of."""
    text = place.text
    start = max(text.rfind(sign, max(0, place.name - 400), place.name) for sign in ";{}")
    lines = text[start + 1 : place.name].split("\n")
    # A line that does not continue the one before is a statement of its own.
    told = lines[-1]
    for line in reversed(lines[:-1]):
        if not line.rstrip().endswith(("(", ",", "=", "+", "&&", "||", ":", "[", "?", word)):
            break
        told = f"{line}\n{told}"
    return re.search(rf"\b{word}\b", told) is not None or (word == "await" and "async let" in told)


def _is_of_function(place: Place, around: Definition) -> bool:
    """Whether a call runs when the function around it does: it is in no nameless function in it."""
    if around.kind not in ("function", "method") or not around.body_byte <= place.begin < around.end_byte:
        return False
    text, at = place.text, place.begin
    for _ in range(_DEEPEST):
        at = find_opening(text, at)
        if at < 0 or at <= around.body_byte:
            return at == around.body_byte or (at < around.body_byte and text[around.body_byte] == "=")
        if text[at] == "{":
            start = max(text.rfind(sign, 0, at) for sign in ";{}\n")
            if not _CONTROL.search(text[start + 1 : at].rstrip() + " "):
                return False
    return False
