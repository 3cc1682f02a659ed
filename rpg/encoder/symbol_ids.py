"""Which definitions of a file are symbols, and what their ids say after the path.

In: the definitions of one file, in its order. Out: for each the part of its symbol id behind `::`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpg.encoder.facts import ANONYMOUS, Definition


def is_symbol(definition: Definition) -> bool:
    """A class without a name is none: what stands in it belongs to the symbol around it."""
    return ANONYMOUS not in definition.flags


def local_ids(definitions: Sequence[Definition]) -> list[str]:
    """Empty for the module. A second definition of the same name gets `~2`, in file order. What is no symbol has the id
    of the symbol around it."""
    seen: dict[str, int] = {}
    ids = [""]
    for definition in definitions[1:]:
        if not is_symbol(definition):
            ids.append(ids[definition.parent])
            continue
        name = definition.qualified_name
        count = seen[name] = seen.get(name, 0) + 1
        ids.append(name if count == 1 else f"{name}~{count}")
    return ids
