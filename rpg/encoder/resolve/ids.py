"""Which definitions of a file are symbols, and their ids."""

from __future__ import annotations

from rpg.encoder.facts import ANONYMOUS
from rpg.encoder.resolve.unit import Unit


def symbol_ids(unit: Unit) -> list[str]:
    """Symbol ids; a second definition of the same name gets `~2`, in file order. One without a name has the id of the
    symbol around it."""
    seen: dict[str, int] = {}
    ids = [unit.path]
    for definition in unit.definitions[1:]:
        if ANONYMOUS in definition.flags:
            ids.append(ids[definition.parent])
            continue
        plain = f"{unit.path}::{definition.qualified_name}"
        count = seen[plain] = seen.get(plain, 0) + 1
        ids.append(plain if count == 1 else f"{plain}~{count}")
    return ids


def nameless(unit: Unit) -> dict[int, int]:
    """Classes that are no symbols -> the named symbol around each."""
    found: dict[int, int] = {}
    for index, definition in enumerate(unit.definitions):
        if ANONYMOUS in definition.flags:
            found[index] = found.get(definition.parent, definition.parent)
    return found
