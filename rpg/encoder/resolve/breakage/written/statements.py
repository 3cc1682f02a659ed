"""Calls whose statement needs what the function does not give any more, or lets through what must not pass.

In: a call in the bare text of its file, and the function before and after. Out: what does not fit.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import Definition
from rpg.encoder.resolve.breakage.written.bare_text import find_end, find_opening, outside_brackets

_HOLDER: Final = re.compile(r"\s*(?:\?\.|!\.|\.|::)\s*\Z")
_NAME: Final = re.compile(r"[\w$]+\Z")
_KEYWORD: Final = re.compile(r"new|return|throw|yield|else|do|case|await")
_TAKING: Final = ("=", "(", ",", "+", "!", "?")
_LONGEST: Final = 2_000
_DEEPEST: Final = 20
_DECLARED: Final = re.compile(r"\s*(?:final\s+)?(\w+)(?:<[^;{}=]*>)?\s+\w+\s*=\s*(?:\([^()]*\)|\w+)\s*")
_THROWS: Final = re.compile(r"\)\s*throws\s+([\w.,\s]+)")
_WITHIN: Final = re.compile(r"\btry\b|->|\bclass\b|\bnew\s+[\w.<>]+\s*\([^()]*\)\s*\{")


def gives_nothing(definition: Definition) -> bool:
    head = definition.signature.partition(f"{definition.name}(")[0].rstrip()
    return re.search(r"\bvoid\Z", head) is not None


def is_result_taken(text: str, begin: int) -> bool:
    """Whether the result of a call is used for certain. `begin`: where the name of what is called stands."""
    opening = text.find("(", begin)
    end = find_end(text, opening) if opening >= 0 else -1
    if end < 0:
        return False
    if re.match(r"\s*\??\.\s*\w", text[end + 1 : end + 50]):
        return True
    start = find_start(text, begin)
    before = text[max(0, start - _LONGEST) : start].rstrip()
    if start < 0 or before.endswith(("=>", "->")):
        return False
    if re.search(r"\breturn\Z", before):
        return True
    if not before.endswith(_TAKING):
        return False
    around = find_opening(text, start)
    return not (around >= 0 and text[around] == "(" and re.search(r"\bfor\s*\Z", text[max(0, around - 20) : around]))


def find_start(text: str, begin: int) -> int:
    """Where the expression begins whose last member is called; -1 if that cannot be told."""
    at = begin
    while holder := _HOLDER.search(text, max(0, at - 50), at):
        at = holder.start()
        while at and text[at - 1] in ")]":
            at = find_opening(text, at - 1)
            if at < 0:
                return -1
        name = _NAME.search(text, max(0, at - 200), at)
        if name is not None and _KEYWORD.fullmatch(name[0]) is None:
            at = name.start()
    created = re.search(r"\bnew\s+\Z", text[max(0, at - 20) : at])
    return at - len(created[0]) if created else at


def thrown_by(definition: Definition) -> list[str]:
    clause = _THROWS.search(definition.signature)
    return [each.strip().rpartition(".")[2] for each in clause[1].split(",")] if clause else []


def find_taker(text: str, begin: int, around: Definition) -> str:
    """What takes the nameless function, written with an arrow, in which a call stands and nothing is caught: the name
    of a method, or of the type of a variable; empty if there is none."""
    at = begin
    for _ in range(_DEEPEST):
        opening = find_opening(text, at)
        if opening < around.body_byte:
            return ""
        arrow = _find_arrow(text, opening, at)
        if arrow >= 0:
            return _taker(text, arrow)
        if opening == around.body_byte:
            return ""
        if text[opening] == "{":
            head = text[:opening].rstrip()
            if head.endswith("->"):
                return _taker(text, len(head) - 2)
            if not _is_control(head):
                return ""
        at = opening
    return ""


def _is_control(head: str) -> bool:
    """Whether a block is that of a statement in which nothing is caught."""
    if head.endswith(")"):
        opening = find_opening(head, len(head) - 1)
        return (
            re.search(r"\b(?:if|for|while|switch|synchronized)\s*\Z", head[max(0, opening - 20) : opening]) is not None
        )
    return re.search(r"\b(?:else|do)\Z", head[-10:]) is not None


def _find_arrow(text: str, opening: int, at: int) -> int:
    """The arrow of a nameless function in whose only expression a place is; -1 if it is in none."""
    start = max(opening, *(text.rfind(sign, opening, at) for sign in ";{}"))
    arrow = text.rfind("->", start + 1, at)
    if arrow < 0 or find_opening(text, arrow) != opening:
        return -1
    return -1 if any(sign == "," for _, sign in outside_brackets(text, arrow + 2, at)) else arrow


def _taker(text: str, arrow: int) -> str:
    start = max(text.rfind(sign, 0, arrow) for sign in ";{}") + 1
    declared = _DECLARED.fullmatch(text[start:arrow])
    if declared:
        return declared[1]
    opening = find_opening(text, arrow)
    name = _NAME.search(text[max(0, opening - 100) : opening]) if opening >= 0 and text[opening] == "(" else None
    return name[0] if name is not None else ""


def lets_through(text: str, begin: int, around: Definition) -> bool:
    """Whether what a call throws passes the function around it for certain, which does not say that it throws."""
    if around.kind != "method" or thrown_by(around) or not around.body_byte <= begin < around.end_byte:
        return False
    return _WITHIN.search(text, around.body_byte, begin) is None
