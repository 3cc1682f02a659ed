"""What the text around a use takes of its value: a variable of a declared type, several parts, a member.

In: the bare text of a file, and where an expression begins and ends. Out: what is taken; empty if nothing of the kind
is.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder.resolve.breakage.written.bare_text import find_end, split_at_commas
from rpg.encoder.resolve.breakage.written.statements import find_start

_LINE: Final = 300
_AWAITING: Final = re.compile(r"\b(?:await|try[?!]?)\s*\Z")
_BEHIND_COLON: Final = re.compile(r"(?:\b(?:let|var|val|const|mut|export|readonly)\s+)+\w+\s*:\s*([^=;{}]+?)\s*=\s*\Z")
_IN_FRONT: Final = re.compile(r"(?:^|[;{}])\s*(?:final\s+)?([A-Za-z_][\w.<>\[\], ?]*?)\s+\w+\s*=\s*\Z")
_BEHIND: Final = re.compile(r"\bvar\s+\w+\s+([^=;{}()]+?)\s*=\s*\Z")
_BRACKETED: Final = re.compile(
    r"(?:^|[;{}]|\b(?:let|const|var|val|final)\s+)\s*(?:mut\s+)?[(\[]([^()\[\]{}=]*)[)\]]\s*=\s*\Z"
)
_LISTED: Final = re.compile(r"(?:^|;)\s*([^=();:{}\[\]]*,[^=();:{}\[\]]*)=\s*\Z")
_MEMBER: Final = re.compile(r"\s*\.\s*([A-Za-z_]\w*)")
_COMPUTING: Final = re.compile(r"[ \t]*(?:[-*/%](?![=*/>])|[<>](?![<>=]))")
_COMPUTING_NUMBERS: Final = re.compile(r"[ \t]*(?:[-+*/%](?![=*/>+-])|[<>](?![<>=]))")
_LOOPING: Final = re.compile(r"\bfor\s+[^;{}]*\bin\s*\Z")
_ENDING: Final = ("", "\n", ";", "}", ")", ",", "/")


class Place(NamedTuple):
    """An expression in a text: a call, or the reading of a variable."""

    text: str
    begin: int
    end: int
    """Behind it."""
    name: int
    """Where the name of what is called or read begins."""


def find_place(text: str, name: int, length: int, is_call: bool) -> Place | None:
    """`name`: where the name begins of what is used. None if the text does not show where the expression begins."""
    end = name + length
    if is_call:
        opening = re.compile(r"\s*(?:::\s*)?(?:<[^<>();]*>|\[[\w.,* ]*\])?\s*\(").match(text, end)
        closing = find_end(text, opening.end() - 1) if opening else -1
        if closing < 0:
            return None
        end = closing + 1
    begin = find_start(text, name)
    if begin < 0:
        return None
    while waiting := _AWAITING.search(text, max(0, begin - 20), begin):
        begin = waiting.start()
    return Place(text, begin, end, name)


def member_taken(place: Place) -> str:
    """The member that is taken of the value at once."""
    found = _MEMBER.match(place.text, place.end)
    return found[1] if found else ""


def is_indexed(place: Place) -> bool:
    return place.text[place.end : place.end + 1] == "["


def is_computed_with(place: Place, is_number: bool) -> bool:
    behind = place.text[place.end : place.end + 20]
    return (_COMPUTING if not is_number else _COMPUTING_NUMBERS).match(behind) is not None


def is_looped_over(place: Place) -> bool:
    return _LOOPING.search(_before(place)) is not None and place.text[place.end : place.end + 1] == ":"


def is_whole(place: Place) -> bool:
    """Whether nothing is done with the value before a statement or argument ends."""
    behind = place.text[place.end : place.end + 80].lstrip(" \t")
    return behind[:1] in _ENDING and not re.match(r"\n\s*(?:\.|\?\.|!!)", behind)


def declared_type(place: Place, types_stand: str) -> str:
    """The type of the variable that is assigned the value where it is declared."""
    if not is_whole(place):
        return ""
    before = _before(place)
    pattern = {"in front": _IN_FRONT, "behind": _BEHIND}.get(types_stand, _BEHIND_COLON)
    found = pattern.search(before)
    return found[1].strip() if found else ""


def count_taken(place: Place) -> int:
    """Into how many variables the value is taken apart; 0: into any number; -1: it is not."""
    if not is_whole(place):
        return -1
    before = _before(place)
    found = _BRACKETED.search(before) or _LISTED.search(before)
    if found is None or ":" in found[1]:
        return -1
    if "*" in found[1] or ".." in found[1]:
        return 0
    return len(split_at_commas(found[1], 0, len(found[1])))


def _before(place: Place) -> str:
    """The text of the statement in front of an expression, from the beginning of its line on."""
    start = place.text.rfind("\n", max(0, place.begin - _LINE), place.begin) + 1
    return place.text[start : place.begin]
