"""Which type a function or variable says that it gives, and how it differs from another one.

In: a definition. Out: texts, and the number of parts of a type that has several.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Definition, FileFacts
from rpg.encoder.languages.literals import NOTHING, STRING
from rpg.encoder.languages.rules import Rules
from rpg.encoder.resolve.breakage.types.literal_types import type_of_parameter
from rpg.encoder.resolve.breakage.written.bare_text import find_end, split_at_commas
from rpg.encoder.resolve.program.arguments_taken import find_closing

_FUNCTIONS: Final = frozenset({"function", "method"})
_MODIFIERS: Final = re.compile(
    r"@\w+(?:\([^()]*\))?|\b(?:abstract|async|const|covariant|external|final|internal|late|lateinit|mutable|override|"
    r"private|protected|pub|public|readonly|static|synchronized|transient|var|val|virtual|volatile)\b"
)
_OF_NAMES: Final = re.compile(r"(?:\w+\s*,\s*)*\w+\s+(?=\S)")
_PARTS: Final = re.compile(r"(?:[Tt]uple)?([\[(])")
_TYPE_OF_NOTHING: Final = "None"
_OF_TEXT: Final = frozenset({STRING, "char", NOTHING})


def type_given(definition: Definition, rules: Rules) -> str:
    """What calling a function gives, or a variable holds; empty if it does not say so."""
    signature = " ".join(definition.signature.split())
    if not definition.name:
        return ""
    if definition.kind in _FUNCTIONS:
        if definition.returns or rules.types_stand != "in front":
            return definition.returns.strip().strip("'\"")
        return _MODIFIERS.sub("", signature.partition(f"{definition.name}(")[0]).strip()
    if rules.types_stand == "in front":
        head, found, _ = signature.partition(definition.name)
        return _MODIFIERS.sub("", head).strip() if found else ""
    if rules.types_stand == "behind":
        start = _OF_NAMES.match(signature)
        return signature[start.end() :].partition(" `")[0].strip() if start else ""
    at = signature.find(definition.name)
    told = type_of_parameter(signature[at:].replace("?:", ":", 1), False) if at >= 0 else ""
    return told.rstrip(";, ")


def count_parts(declared: str) -> int:
    """How many parts a type has that is a tuple; 0: it is that of nothing; -1: it is none, or has any number."""
    if declared == _TYPE_OF_NOTHING:
        return 0
    start = _PARTS.match(declared)
    end = find_end(declared, start.start(1)) if start else -1
    if start is None or end != len(declared) - 1 or "..." in declared or "->" in declared or "=>" in declared:
        return -1
    parts = split_at_commas(declared.replace("<", "[").replace(">", "]"), start.end(), end)
    return len(parts) if len(parts) > 1 else -1


def count_returned(facts: FileFacts, definition: Definition) -> int:
    """How many parts what a function gives has, that does not say it; 0: it gives nothing; -1: that is not known."""
    if definition.scope < 0 or facts.yields.get(definition.scope) or "abstract" in definition.modifiers:
        return -1
    returned = facts.returns.get(definition.scope, ())
    if not returned:
        return 0
    counts = {facts.code[e + op.ITEM_COUNT] if facts.code[e] == op.TUPLE else -1 for e in returned}
    return counts.pop() if len(counts) == 1 else -1


def is_no_list(declared: str, rules: Rules) -> bool:
    """Whether a type has no parts at all, for certain."""
    kinds = rules.literals_fit.get(declared)
    return declared.startswith("{") or (kinds is not None and _OF_TEXT.isdisjoint(kinds.split()))


def is_number(declared: str, rules: Rules) -> bool:
    kinds = rules.literals_fit.get(declared)
    return kinds is not None and "int" in kinds.split() and _OF_TEXT.isdisjoint(kinds.split())


def may_stand_for(given: str, declared: str, rules: Rules) -> bool:
    """Whether a value of one type may be assigned to a variable of another one; what is not plainly another fits."""
    if given == declared or declared in rules.types.supertypes.get(given, ()):
        return True
    return not {given, declared} <= rules.plain_types


def type_parameters(definition: Definition) -> tuple[int, int]:
    """The fewest and most type arguments that a type takes."""
    text = definition.signature
    at = text.find(definition.name) + len(definition.name)
    opening = text[at : at + 1]
    if opening not in ("<", "["):
        return 0, 0
    flat = text.replace("<", "[").replace(">", "]").replace("=]", "=>")
    end = find_closing(flat, at, False) if opening else -1
    if end < 0:
        return 0, 1 << 20
    parts = [flat[begin:stop] for begin, stop in split_at_commas(flat, at + 1, end)]
    if any("..." in part for part in parts):
        return 0, 1 << 20
    parts = [part for part in parts if not part.strip().startswith("'")]
    return sum("=" not in part for part in parts), len(parts)
