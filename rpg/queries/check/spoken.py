"""Strings that spell what is gone together with what it is in, such as `shop.cart.price` of a patch or a setting.

In: an index, and ids of symbols that are gone. Out: findings, all of them possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rpg.encoder.parsing.packing import unpack
from rpg.encoder.resolve import Finding
from rpg.queries.account.literals import Literals, names_in
from rpg.queries.account.occurrences import LinesOf, find_occurrences, is_word
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 50
"""The most symbols that are looked for."""
_SPELLED = "string"


def find_spoken(index: Index, gone: Iterable[str]) -> Iterator[Finding]:
    for symbol in sorted(gone)[:MOST]:
        path, _, qualified = symbol.partition("::")
        around, _, name = qualified.rpartition(".")
        if not is_word(name):
            continue
        # What stands before the name in a string that means it: its class, or its module.
        stem = path.rpartition("/")[2].partition(".")[0]
        owner = (around.rpartition(".")[2] or stem).encode()
        for each in find_occurrences(index, name, lambda path: True):
            places = LinesOf(each.text)
            literals = Literals(each.text, _comments(index, each.file.path))
            for offset in each.offsets:
                literal = literals.around(offset)
                parts = names_in(each.text[literal[0] + 1 : literal[1] - 1], name.encode()) if literal else None
                if parts and name.encode() in parts[1:] and parts[parts.index(name.encode(), 1) - 1] == owner:
                    line, column = places.place(offset)
                    yield Finding(each.file.path, line, column, False, _SPELLED, name, symbol)


def _comments(index: Index, path: str) -> list[tuple[int, int]]:
    packed = index.facts(path)
    return unpack(decompress(packed)).comments if packed else []
