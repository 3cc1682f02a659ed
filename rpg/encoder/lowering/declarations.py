"""Finds the definitions that declare one symbol: overloads with their implementation, accessors of one property.

In: the definitions of one file, in order. Out: the same, where each part of another's symbol names it (`symbol`), and
the one that stands for all has their signatures and the end of their last line.

Different definitions of one name, such as the two branches of an `if`, remain several symbols.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from rpg.encoder.facts import IS_MACRO, MACRO, Definition

SEPARATOR: Final = "; "
"""Between the signatures of overloads; the implementation's comes first."""

_Name = tuple[int, str, bool]
"""What parts of one symbol share: parent, name, whether it is static."""


def join(definitions: list[Definition]) -> None:
    """Records for each definition that is part of another's symbol which one that is."""
    overloads: dict[_Name, list[int]] = {}
    fields: dict[_Name, int] = {}
    accessors: dict[_Name, list[int]] = {}
    for index, definition in enumerate(definitions):
        kind = definition.kind
        if kind not in ("function", "method", "property", "field") or definition.symbol >= 0:
            continue
        spelling = definition.name + MACRO if IS_MACRO in definition.flags else definition.name
        name = (definition.parent, spelling, "static" in definition.modifiers)
        if kind == "field":
            fields.setdefault(name, index)
        elif kind == "property":
            accessor(definitions, accessors.setdefault(name, []), index)
        elif "overload" in definition.flags or definition.body_byte >= definition.end_byte:
            overloads.setdefault(name, []).append(index)
        elif name in overloads:
            declare(definitions, overloads.pop(name), index)
    for indexes in overloads.values():
        if len(indexes) > 1:
            declare(definitions, indexes[1:], indexes[0])
    for name, indexes in accessors.items():
        whole = definitions[indexes[0]].symbol if definitions[indexes[0]].symbol >= 0 else indexes[0]
        if name in fields:
            definitions[fields[name]].symbol = whole
        extend(definitions, indexes, whole)


def accessor(definitions: list[Definition], before: list[int], index: int) -> None:
    """A setter belongs to the getter before it, or else to the one after it."""
    if "setter" in definitions[index].flags:
        for earlier in reversed(before):
            if definitions[earlier].symbol < 0:
                definitions[index].symbol = earlier
                break
    elif before and all("setter" in definitions[each].flags for each in before):
        for each in before:
            definitions[each].symbol = index
    before.append(index)


def declare(definitions: list[Definition], overloads: list[int], whole: int) -> None:
    """Makes overloads part of one symbol, with all their signatures."""
    definition = definitions[whole]
    parts = [definitions[each] for each in overloads]
    for part in parts:
        part.symbol = whole
    signatures = dict.fromkeys(each.signature for each in (definition, *parts))
    definition.signature = SEPARATOR.join(signatures)
    definition.doc = next((each.doc for each in (definition, *parts) if each.doc), "")
    definition.hash = hash_of([definition, *parts])


def extend(definitions: list[Definition], accessors: list[int], whole: int) -> None:
    """Extends the lines of a getter to the end of the setters that directly follow it."""
    definition = definitions[whole]
    parts = [each for each in accessors if definitions[each].symbol == whole]
    last = whole
    for part in parts:
        between = definitions[last + 1 : part]
        if part > last and all(each.end_byte <= definitions[last].end_byte for each in between):
            last = part
    definition.end_line = definitions[last].end_line
    if parts:
        definition.hash = hash_of([definition, *[definitions[each] for each in parts]])


def hash_of(definitions: list[Definition]) -> str:
    return blake2b("".join(each.hash for each in definitions).encode(), digest_size=8).hexdigest()
