"""Statements that must have a branch for each member of an enum or sealed class, and lack one.

In: a site that names an enum, a sealed class or a member of one, and the members before and after. Out: what is
lacking, and the byte of the statement. Only statements all of whose branches name such members are judged: then
nothing takes the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.languages.rules import Rules
from rpg.encoder.resolve.breakage.written.bare_text import find_end, find_opening, outside_brackets, split_at_commas
from rpg.encoder.resolve.breakage.written.literals import Misfit, Type

_LONGEST_HEAD: Final = 500
_MEMBER: Final = re.compile(r"(?:&|let\s|var\s)?\s*(?:\w*\s*(?:::|\.)\s*)*(\w+)\s*(?:[({][\s\S]*[)}])?")
_KIND: Final = re.compile(r"\Ais\s+|(?<=\w)\s+\w+\Z")
"""What a pattern has besides a type: `is Circle`, `Circle c`."""
_ADDED: Final = re.compile(r"(?:indirect\s+)?(?:case\s+)?([A-Za-z_]\w*)\s*(?:[({=,]|\Z)")


def find_lacking(text: str, at: int, rules: Rules, before: list[str], after: list[str]) -> Misfit | None:
    """`at`: where the site is in the bare `text` of its file; `before`, `after`: the members."""
    added = [each for each in after if each not in before]
    if not added or not before:
        return None
    opening = find_opening(text, at)
    head = rules.branching
    statement = head.search(text, max(0, opening - _LONGEST_HEAD), opening) if head and opening >= 0 else None
    end = find_end(text, opening) if statement else -1
    if statement is None or end < 0:
        return None
    taken: set[str] = set()
    for pattern in patterns_of(text, opening + 1, end, rules):
        member = _MEMBER.fullmatch(_KIND.sub("", pattern.strip()))
        if member is None or member[1] not in (*before, *after):
            return None
        taken.add(member[1])
    lacks = [each for each in added if each not in taken]
    if not lacks or not taken.intersection(before):
        return None
    names = ", ".join(f"`{name}`" for name in lacks[:5])
    return Misfit(f"has {names} now, which no branch takes", statement.start())


def members_of(owner: Type) -> list[str]:
    """The members of an enum, but not what they all have."""
    return [
        each.name
        for each in owner.file.definitions
        if each.parent == owner.symbol and each.kind in ("field", "constant") and _ADDED.match(each.signature)
    ]


def patterns_of(text: str, begin: int, end: int, rules: Rules) -> Iterator[str]:
    """The alternatives of all branches. What is no branch is given as it is: it names no member."""
    if rules.branch_word:
        yield from _behind_words(text, begin, end, rules)
    elif rules.branch_sign == "=>":
        yield from _between_commas(text, begin, end)
    else:
        yield from _in_lines(text, begin, end, rules.branch_sign)


def _between_commas(text: str, begin: int, end: int) -> Iterator[str]:
    start = begin
    arrow = -1
    for place, sign in outside_brackets(text, begin, end):
        if arrow < 0 and sign == "=" and text.startswith("=>", place):
            pattern = re.split(r"\bif\b", text[start:place])[0].strip().removeprefix("|")
            yield from _alternatives(re.sub(r"\A(?:#\[[^\]]*\]\s*)+", "", pattern))
            arrow = place
        elif arrow >= 0:
            body = text[arrow + 2 : place].strip()
            is_block = body.startswith("{") and body.endswith("}")
            if sign == ",":
                start, arrow = place + 1, -1
            elif is_block and not sign.isspace():
                start, arrow = place, -1


def _alternatives(pattern: str) -> Iterator[str]:
    start = 0
    for place, sign in outside_brackets(pattern, 0, len(pattern)):
        if sign == "|":
            yield pattern[start:place]
            start = place + 1
    yield pattern[start:]


def _in_lines(text: str, begin: int, end: int, branch_sign: str) -> Iterator[str]:
    for place, sign in outside_brackets(text, begin, end):
        if sign == branch_sign[0] and text.startswith(branch_sign, place):
            start = text.rfind("\n", begin, place)
            while start > begin and text[begin:start].rstrip().endswith(","):
                start = text.rfind("\n", begin, start)
            head = text[max(start, begin) : place].rpartition(";")[2]
            yield from head.strip().split(",")


def _behind_words(text: str, begin: int, end: int, rules: Rules) -> Iterator[str]:
    places = [place for place, _ in outside_brackets(text, begin, end)]
    words = re.compile(rf"\b(?:{rules.branch_word}|default)\b")
    heads = {head.start(): head for head in words.finditer(text, begin, end)}
    for at, place in enumerate(places):
        head = heads.get(place)
        if head is None or text[place - 1] == ".":
            continue
        if head[0] != rules.branch_word:
            yield ""  # takes the rest
            continue
        later = (places[each] for each in range(at, len(places)))
        behind = next((each for each in later if text.startswith(rules.branch_sign, each)), end)
        for part in split_at_commas(text, head.end(), behind):
            yield re.split(r"\bwhere\b|\bwhen\b", text[part[0] : part[1]])[0]
