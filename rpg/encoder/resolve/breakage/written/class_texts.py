"""What the text of a class declares, where the facts hold only what is defined (C++).

In: the bare text of a class, or of a file of prototypes, and a name. Out: the declarations of that name with the texts
of their parameters; how many arguments each takes. What the text does not show plainly takes any number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder.resolve.breakage.written.bare_text import find_end, find_opening, split_at_commas

_ACCESS: Final = re.compile(r"\b(public|protected|private)\s*(?:slots\s*)?:(?!:)")
_AFTER: Final = re.compile(r"\s*(?:const\b|noexcept\b(?:\s*\([^()]*\))?|&&?|override\b|final\b|->\s*[\w:<>*&\s]+)*\s*")
_MACRO: Final = re.compile(r"(?:^|[;{}])\s*[A-Z][A-Z0-9_]{2,}\s*\(", re.MULTILINE)
_INHERITED: Final = re.compile(r"\busing\s+(?:\w+\s*::\s*)*(\w+)\s*(?:<[^;]*>)?\s*::\s*\1\b")
_TYPE_BEFORE: Final = re.compile(r"(?:(?<!\breturn)(?<!\belse)(?<!\bthrow)(?<=\w)\s+|(?<=\w)\s*[*&>]+\s*)\Z")
_MANY: Final = 1 << 20


class Declared(NamedTuple):
    parameters: tuple[str, ...]
    fewest: int
    most: int
    access: str
    is_deleted: bool
    is_static: bool
    byte: int

    def takes(self, count: int) -> bool:
        return self.fewest <= count <= self.most


def prototypes_of(text: str, name: str) -> list[Declared]:
    """Those of a function, wherever they stand: behind the type of what it returns."""
    found = declarations_of(text, name, 0, len(text), "", True)
    return [each for each in found if _TYPE_BEFORE.search(text, max(0, each.byte - 200), each.byte)]


def declarations_of(
    text: str, name: str, begin: int, end: int, access: str, is_anywhere: bool = False
) -> Iterator[Declared]:
    """Those of a name that stand in no further bracket of the text between two places; `access`: of the first."""
    for found in re.finditer(rf"(?<![\w~.>]){re.escape(name)}\s*(?=\()", text[begin:end]):
        at, opening = begin + found.start(), begin + found.end()
        around = find_opening(text, at)
        if (around >= begin and not is_anywhere) or text[max(0, at - 2) : at] == "::":
            continue
        closing = find_end(text, opening)
        if not 0 <= closing < end:
            continue
        after = _AFTER.match(text, closing + 1)
        behind = text[after.end() if after else closing + 1 :][:12]
        if not behind.startswith((";", "{", ":", "=")):
            continue
        head = max(text.rfind(sign, begin, at) for sign in ";{}:")
        for each in _ACCESS.finditer(text, begin, at):
            if find_opening(text, each.start()) < begin:
                access = each[1]
        texts = tuple(text[start:stop].strip() for start, stop in split_types(text, opening + 1, closing))
        yield Declared(
            texts,
            sum("=" not in each and "..." not in each for each in texts),
            _MANY if any("..." in each for each in texts) else len(texts),
            access,
            re.match(r"=\s*delete\b", behind) is not None,
            re.search(r"\bstatic\b", text[head + 1 : at]) is not None,
            at,
        )


def split_types(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Parameters between commas; `<` is a bracket among them. `void` alone is none."""
    flat = text[begin:end]
    while (shorter := re.sub(r"<[^<>]*>", lambda found: "_" * len(found[0]), flat)) != flat:
        flat = shorter
    parts = split_at_commas(flat, 0, len(flat))
    return [] if flat.strip() == "void" else [(begin + start, begin + stop) for start, stop in parts]


def constructors_of(text: str, name: str, begin: int, end: int, access: str) -> list[Declared] | None:
    """Those that a class declares that can be called; None if the text does not show all."""
    body = text[begin:end]
    if _MACRO.search(body) or _INHERITED.search(body) or "initializer_list" in body:
        return None
    return [each for each in declarations_of(text, name, begin, end, access) if not each.is_deleted]
