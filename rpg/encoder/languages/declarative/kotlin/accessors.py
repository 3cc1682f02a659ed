"""Accessors that Kotlin makes of properties, by whose names Java calls them.

In: the definitions of a file. Out: the names of their accessors, as flags of the properties.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import ALIAS
from rpg.encoder.languages.declarative.walker import DeclarativeWalker

_PROPERTY: Final = re.compile(r"\b(va[lr])\s")
_PLAIN: Final = frozenset({"JvmField"})
"""Annotations of a property that has no accessors."""


def name_accessors(walker: DeclarativeWalker) -> None:
    definitions = walker.definitions
    written = {(each.parent, each.name) for each in definitions if each.kind == "method"}
    for each in definitions:
        if each.kind != "field" or each.parent <= 0 or not each.exported:
            continue
        found = _PROPERTY.search(each.signature)
        head = each.signature[: found.start()] if found is not None else ""
        if found is None or any(mark in head for mark in _PLAIN):
            continue
        name = each.name
        is_flag = name.startswith("is") and name[2:3].isupper()
        capitalised = name[:1].upper() + name[1:]
        names = [] if is_flag else [f"get{capitalised}"]
        if found[1] == "var":
            names.append(f"set{name[2:] if is_flag else capitalised}")
        each.flags = (*each.flags, *(ALIAS + made for made in names if (each.parent, made) not in written))
