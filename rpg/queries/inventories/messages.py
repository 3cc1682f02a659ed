"""Messages, jobs and events: who takes what, and who sends it, as the encoder keeps it for contracts.

In: an index. Out: an entry for each name or type and what handles it, with the places that send it; names that are sent
and that nothing here takes; `…` for those that are put together while the program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.frameworks.named.grpc import DECLARED, REMOTE
from rpg.encoder.frameworks.named.tables import LISTENER
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.source_text import COMPUTED
from rpg.queries.inventories.stated_contracts import read_contracts

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

PLACES = 200
"""The most places of one entry that are kept."""


def messages(index: Index) -> list[Entry]:
    contracts = read_contracts(index)
    names = contracts.names
    if names is None:
        return []
    # Any method `publish` may be passed an object, and any client may have a method of some name.
    spaces = {space for space, _ in names.handlers} - {"type", *REMOTE}
    sent: dict[tuple[str, str, str, str], dict[str, bool]] = {}
    for (space, name), handlers in names.handlers.items():
        for each, of in handlers if space not in REMOTE and space != LISTENER else ():
            if not name.startswith("@") and not name.endswith(f".{each.symbol.rpartition('::')[2]}"):
                places = sent.setdefault((_show_name(name), space, each.symbol, each.library), {})
                places.setdefault(f"{of.path}:{each.line}", of.test)
    for path, rows in contracts.files.items():
        for delivery in names.outcomes(rows):
            sender = delivery.sender
            if sender.space == DECLARED:
                continue
            place = f"{path}:{sender.site[0]}"
            for handler, _, _ in delivery.handlers or (("", "", False),):
                if handler or (sender.space in spaces and not delivery.name.startswith("@")):
                    key = _show_name(delivery.name), sender.space, handler, sender.library
                    sent.setdefault(key, {})[place] = rows.test
    return [
        Entry(
            name=name, kind=space, handler=handler, by=library, places=list(places)[:PLACES],
            more=max(0, len(places) - PLACES), computed=name == COMPUTED, test=all(places.values()),
        )
        for (name, space, handler, library), places in sorted(sent.items(), key=_order)
    ]  # fmt: skip


def count_unnamed(index: Index) -> int:
    """The places that send by a name that is put together, or that configuration says, but in tests."""
    return sum(len(each.places) + each.more for each in messages(index) if each.name == COMPUTED and not each.test)


def find_handlers(index: Index, name: str) -> list[str]:
    """The symbols that handle what is sent by a name."""
    names = read_contracts(index).names
    if names is None:
        return []
    found = [
        handler.symbol for (_, known), handlers in names.handlers.items() if known == name for handler, _ in handlers
    ]
    return list(dict.fromkeys(found))


def _order(sent: tuple[tuple[str, str, str, str], object]) -> tuple[bool, tuple[str, str, str, str]]:
    return sent[0][0] == COMPUTED, sent[0]


def _show_name(name: str) -> str:
    return name.removeprefix("@") or COMPUTED
