"""Routes as the encoder keeps them for contracts, of frameworks that no other reader of this room knows.

In: an index. Out: entries, with the prefixes of the routers above their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.frameworks.http.annotations import MORE_SERVED
from rpg.encoder.frameworks.http.builders.actix import FRAMEWORK as ACTIX
from rpg.encoder.frameworks.http.builders.functional import FRAMEWORK as FUNCTIONAL
from rpg.encoder.frameworks.http.servers import BY_PATH, FLUENT
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.stated_contracts import read_contracts

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

KEPT = frozenset(
    [each.name for each in (*FLUENT, *MORE_SERVED)] + [name for name, _, _ in BY_PATH] + [FUNCTIONAL, ACTIX]
)


def kept_routes(index: Index) -> list[Entry]:
    return [
        Entry(
            name=each.written, kind=each.methods, handler=each.handler if "::" in each.handler else "",
            by=each.framework, places=[f"{each.path}:{each.line}"], computed="…" in each.written, test=each.test,
        )
        for each in read_contracts(index).routes
        if each.framework in KEPT
    ]  # fmt: skip
