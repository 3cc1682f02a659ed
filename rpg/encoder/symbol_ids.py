"""Which definitions of a file are symbols, and the part of their ids after the path.

In: the definitions of one file, in order. Out: for each the part of its symbol id after `::`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpg.encoder.facts import ANONYMOUS, Definition


def is_symbol(definition: Definition) -> bool:
    """A class without a name is not one: its contents belong to the enclosing symbol. Nor is a part of another symbol,
    such as an overload."""
    return definition.symbol < 0 and ANONYMOUS not in definition.flags


def local_ids(definitions: Sequence[Definition]) -> list[str]:
    """Empty for the module. A second definition of the same name gets `~2`, in file order. A definition that is not a
    symbol gets the id of the enclosing one, or of the one that it is part of."""
    seen: dict[str, int] = {}
    ids = [""]
    parts: list[int] = []
    for index, definition in enumerate(definitions[1:], 1):
        if definition.symbol >= 0:
            parts.append(index)
            ids.append("")
            continue
        if ANONYMOUS in definition.flags:
            ids.append(ids[definition.parent])
            continue
        name = definition.qualified_name
        count = seen[name] = seen.get(name, 0) + 1
        ids.append(name if count == 1 else f"{name}~{count}")
    for index in parts:
        ids[index] = ids[definitions[index].symbol]
    return ids
