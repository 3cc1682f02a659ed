"""From where members can be seen of which the text around them says so, and not their own words: behind a label of
their class (C++), or in a section of it (Ruby).

In: a class, and its text. Out: by the name of a member, the least restricted word that any of its declarations has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rpg.encoder.facts import Definition
from rpg.encoder.languages.rules import Rules

PRIVATE, PACKAGE, PROTECTED, PUBLIC = range(4)
VISIBLE: Final = {"private": PRIVATE, "package": PACKAGE, "protected": PROTECTED, "public": PUBLIC}
_LABEL_OR_NAME: Final = re.compile(
    r"\b(public|protected|private)\s*(?:slots\s*|Q_SLOTS\s*)?:(?!:)|\b([A-Za-z_]\w*)\s*(?=[(;=\[,{])"
)
_DEEPER: Final = {"(": ")", "[": "]", "{": "}"}
_SECTION: Final = re.compile(
    r"^([ \t]*)(?:(private|protected|public)[ \t]*$|(?:(private|protected|public)[ \t(]+)?"
    r"(?:def[ \t]+([\w.?!=]+)|attr_\w+[ \t]+(:.*)|(:\w[^\n]*)))",
    re.MULTILINE,
)
_SYMBOL: Final = re.compile(r":(\w+[?!=]?)")


def find_labelled(definition: Definition, text: str, rules: Rules | type[Rules]) -> Mapping[str, int]:
    """`text`: of the whole file; without comments and strings where labels are looked for."""
    if rules.access_stands == "in labels":
        begin = text.find("{", definition.body_byte, definition.end_byte)
        first = PRIVATE if definition.kind == "class" else PUBLIC
        return _behind_labels(text[begin + 1 : definition.end_byte], first) if begin >= 0 else {}
    if rules.access_stands == "in sections":
        return _in_sections(text[definition.body_byte : definition.end_byte])
    return {}


def _behind_labels(body: str, level: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in _LABEL_OR_NAME.finditer(_without_depth(body)):
        if each[1]:
            level = VISIBLE[each[1]]
        else:
            found[each[2]] = max(level, found.get(each[2], level))
    return found


def _without_depth(body: str) -> str:
    """The same with blanks in place of what is in brackets."""
    closing: list[str] = []
    flat: list[str] = []
    for sign in body:
        if closing and sign == closing[-1]:
            closing.pop()
        flat.append(" " if closing else sign)
        if sign in _DEEPER:
            closing.append(_DEEPER[sign])
    return "".join(flat)


def _in_sections(body: str) -> dict[str, int]:
    """A word alone in its line holds for what follows at the same depth, and what stands deeper there is of others."""
    found: dict[str, int] = {}
    levels: dict[str, int] = {}
    for each in _SECTION.finditer(body):
        depth = each[1].expandtabs()
        if each[2]:
            levels[depth] = VISIBLE[each[2]]
            continue
        said = VISIBLE[each[3]] if each[3] else None
        level = levels.get(depth, PUBLIC) if said is None else said
        if each[4]:
            found.setdefault(each[4], level)
        elif each[5]:
            for name in _SYMBOL.findall(each[5]):
                found.setdefault(name, level)
        elif said is not None:
            found.update(dict.fromkeys(_SYMBOL.findall(each[6]), said))
    return found
