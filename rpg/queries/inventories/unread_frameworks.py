"""Web frameworks that a repository imports and whose routes no list of rpg reads.

In: an index. Out: their names, so that a list of routes never says that there are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.frameworks.http.unread import UNREAD
from rpg.queries.inventories.packages import packages

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def unread_frameworks(index: Index) -> list[str]:
    found: dict[str, None] = {}
    for each in packages(index):
        for known in UNREAD.get(each.by, "").split() if not each.test else ():
            parts = (known, *(f"{known}{separator}" for separator in "./\\:"))
            modules = (each.name, *each.kind.split(", "))
            if any(module == known or module.startswith(parts[1:]) for module in modules):
                found[known] = None
    return sorted(found)
