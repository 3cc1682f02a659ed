"""Bags for a graph that came without its sources: names, signatures, docs and paths are all there is to count."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from rpg import words
from rpg.bags import CHAIN, DOC, FIELD_BITS, NAME, NEIGHBOURS, NOTHING, PATH, SIGNATURE, Bag, Bags, Unit, bag, pack
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, Symbol

_UNIT_KINDS = FUNCTION_KINDS | CLASS_KINDS | {"section", "module"}


def bags_of_symbols(symbols: Iterable[Symbol]) -> dict[str, bytes]:
    """Packed bags by path, as far as the symbols of a graph tell."""
    files = (symbol for symbol in symbols if symbol.kind != "directory")
    of_path = groupby(sorted(files, key=attrgetter("path")), attrgetter("path"))
    return {path: pack(_bags(path, list(group))) for path, group in of_path}


def _bags(path: str, symbols: list[Symbol]) -> Bags:
    numbers: dict[str, int] = {}
    groups: dict[str, int] = {"": 0}
    group_bags: list[Bag] = [NOTHING]
    units = []
    for symbol in symbols:
        if symbol.kind not in _UNIT_KINDS:
            continue
        chain = symbol.qualified_name.rpartition(".")[0] if symbol.id != path else ""
        if chain not in groups:
            groups[chain] = len(group_bags)
            group_bags.append(_bag(numbers, {CHAIN: chain}))
        header = " ".join((*symbol.decorators, symbol.signature))
        name = symbol.name if symbol.id != path else ""
        words_of = _bag(numbers, {NAME: name, SIGNATURE: header, DOC: symbol.doc})
        units.append(Unit(symbol.id[len(path) + 2 :], groups[chain], words_of))
    neighbours = " ".join([symbol.name for symbol in symbols if symbol.id != path])
    words_of = _bag(numbers, {PATH: path.rpartition(".")[0] or path, NEIGHBOURS: neighbours})
    return Bags(list(numbers), words_of, group_bags, units)


def _bag(numbers: dict[str, int], fields: dict[int, str]) -> Bag:
    counts: dict[int, int] = {}
    for field, text in fields.items():
        for term in words.text_terms(text):
            code = numbers.setdefault(term, len(numbers)) << FIELD_BITS | field
            counts[code] = counts.get(code, 0) + 1
    return bag(list(counts), list(counts.values()))
