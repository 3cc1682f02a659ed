"""What a symbol says of its use by others: from where it can be seen, from where it can be written, and whether it is
reached through an object or through its class.

In: the definitions of one name, and the text of their file. Out: `Shown`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rpg.encoder.facts import COMPANION, SINGLETON, Definition, FileFacts
from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.rules import Rules
from rpg.encoder.resolve.breakage.access.labelled import PRIVATE, PUBLIC, VISIBLE, find_labelled
from rpg.encoder.resolve.breakage.signatures import words_before_name
from rpg.encoder.resolve.breakage.written.bare_text import bare_text
from rpg.graph import CLASS_KINDS

OUTSIDE: Final = "outside"
CLASS: Final = "class"
CONSTRUCTOR: Final = "constructor"
LITERAL: Final = "literal"
_WRITTEN: Final[Mapping[str, frozenset[str]]] = {
    "everywhere": frozenset({OUTSIDE, CLASS, CONSTRUCTOR, LITERAL}),
    "in its class": frozenset({CLASS, CONSTRUCTOR}),
    "while it is made": frozenset({CONSTRUCTOR, LITERAL}),
    "in constructors": frozenset({CONSTRUCTOR}),
    "nowhere": frozenset(),
    "only written": frozenset({OUTSIDE, CLASS, CONSTRUCTOR, LITERAL}),
}
_VARIABLES: Final = frozenset({"field", "property", "constant", "variable"})
_CONTRACTS: Final = frozenset({"interface", "trait"})
_BEHIND: Final = 120
"""The most of a text behind a definition that may belong to it."""
_LONGEST: Final = 4_000


class Shown(NamedTuple):
    seen: int
    """One of labelled.VISIBLE."""
    written: frozenset[str]
    """From where."""
    is_read: bool
    is_static: bool | None
    """None: of several definitions some are and some are not."""


def show(
    definitions: Sequence[Definition], found: Iterable[int], source: bytes, rules: Rules | type[Rules],
    labelled: Mapping[str, int], receivers: Mapping[int, bool], owner: Definition,
) -> Shown:  # fmt: skip
    """`found`: the definitions of the name; `labelled`: what labels and sections of its class, `owner`, say;
    `receivers`: which of the definitions have one, where that is what makes them members of objects."""
    seen, written, is_read = PRIVATE, frozenset[str](), False
    statics: set[bool] = set()
    for index in found:
        each = definitions[index]
        words = words_before_name(each)
        seen = max(seen, _seen(definitions, each, words, rules, labelled))
        where = _where_written(each, words, source, rules)
        written |= _WRITTEN["nowhere" if is_fixed(owner, rules) else where]
        is_read = is_read or (where != "only written" and "setter" not in each.flags)
        around = definitions[each.parent]
        is_of_object = not {COMPANION, SINGLETON}.isdisjoint(around.flags) and around.kind in CLASS_KINDS
        is_bare = index in receivers and not receivers[index]
        statics.add("static" in each.modifiers or is_of_object or is_bare)
    return Shown(seen, written, is_read, statics.pop() if len(statics) == 1 else None)


def _seen(
    definitions: Sequence[Definition], each: Definition, words: frozenset[str], rules: Rules | type[Rules],
    labelled: Mapping[str, int],
) -> int:  # fmt: skip
    if each.name in labelled:
        return labelled[each.name]
    if rules.access_stands != "in words":
        return PUBLIC
    is_of_build = not words.isdisjoint(rules.showing_in_build)
    said = [VISIBLE[word] for word in words & VISIBLE.keys()]
    if said:
        return PUBLIC if is_of_build and PRIVATE not in said else min(said)
    around = definitions[each.parent]
    if around.kind in _CONTRACTS or around.kind not in CLASS_KINDS or not rules.hiding.that_say_so:
        return PUBLIC
    return PUBLIC if is_of_build else VISIBLE[rules.unsaid_visibility]


def _where_written(definition: Definition, words: frozenset[str], source: bytes, rules: Rules | type[Rules]) -> str:
    if definition.kind not in _VARIABLES or not definition.name:
        return "everywhere"
    head = definition.signature.partition(definition.name)[0]
    is_pointer = rules.types_precede_names and ("*" in head or "&" in head)
    if not is_pointer and not words.isdisjoint(rules.fixed.that_say_so):
        return "in constructors"
    if rules.setters_are_apart and definition.kind == "property":
        return "everywhere" if "setter" in definition.flags else "nowhere"
    if rules.setters_in_text:
        start, end = definition.body_byte, definition.end_byte
        behind = source[start : min(end, start + _LONGEST)] if start < end else source[end : end + _BEHIND]
        text = f"{' '.join(definition.signature.split())}\n{behind.decode('latin-1')}"
        for pattern, where in rules.setters_in_text:
            if pattern.search(text):
                return where
    return "everywhere"


def find_shown_words(before: FileFacts, was: bytes, after: FileFacts, now: bytes) -> set[str]:
    """The names of members of which the text says something else of their use, and not their signatures."""
    rules = BY_NAME[before.language].rules
    if rules.access_stands == "in words" and not rules.setters_in_text:
        return set()
    had, has = _told(before, was, rules), _told(after, now, rules)
    return {name.rpartition(".")[2] for name, each in had.items() if name in has and has[name] != each}


def _told(facts: FileFacts, source: bytes, rules: type[Rules] | Rules) -> dict[str, tuple[object, ...]]:
    found: dict[str, tuple[object, ...]] = {}
    text = ""
    for index, each in enumerate(facts.definitions):
        if each.kind in CLASS_KINDS and rules.access_stands != "in words":
            text = text or text_of(facts, source, rules)
            labelled = find_labelled(each, text, rules)
            for name, level in labelled.items():
                found[f"{each.qualified_name}.{name}"] = (level,)
        elif index and each.kind in _VARIABLES and rules.setters_in_text:
            where = _where_written(each, words_before_name(each), source, rules)
            found[each.qualified_name] = (*found.get(each.qualified_name, ()), where)
    return found


def text_of(facts: FileFacts, source: bytes, rules: type[Rules] | Rules) -> str:
    """The text in which labels and sections are looked for: its positions are the bytes of the source."""
    if rules.access_stands == "in labels":
        return bare_text(source, facts.comments, False)
    return source.decode("latin-1")


def is_fixed(owner: Definition, rules: type[Rules] | Rules) -> bool:
    """Whether nothing writes the fields of an object once it is made."""
    marks = rules.construction.marks
    return marks is not None and any(marks.fixing.search(each) for each in (*owner.decorators, owner.signature))
