"""Packages from outside the repository, and who imports them.

In: an index, and what to name. Out: an entry for each package, the most used first, with the places of its imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.queries.inventories.entry import Entry
from rpg.queries.packages.external import package_of
from rpg.stores.index.place_reads import list_external_imports

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def packages(index: Index) -> list[Entry]:
    places: dict[tuple[str, str], dict[str, bool]] = {}
    modules: dict[tuple[str, str], set[str]] = {}
    for path, language, module, line, test in list_external_imports(index):
        key = package_of(module, language), language
        places.setdefault(key, {})[f"{path}:{line}"] = bool(test)
        modules.setdefault(key, set()).add(module)
    return [
        Entry(
            name=key[0],
            kind=", ".join(sorted(modules[key] - {key[0]})[:4]),
            by=key[1],
            places=list(found),
            test=all(found.values()),
        )
        for key, found in sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
