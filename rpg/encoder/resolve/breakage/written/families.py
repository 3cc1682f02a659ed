"""Sealed classes and the classes that inherit from them, all of which the files beside them declare.

In: a side, a class. Out: the sealed class right above it; the names of those right below a sealed one.
"""

from __future__ import annotations

import posixpath
from typing import Final

from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.breakage.signatures import words_before_name
from rpg.encoder.resolve.breakage.written.literals import Type
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, Owner
from rpg.graph import CLASS_KINDS

_SEALED: Final = "sealed"


class Families:
    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int], list[str]] = {}

    def sealed_base(self, side: Side, owner: Type) -> Type | None:
        definition = owner.file.definitions[owner.symbol]
        if definition.kind not in CLASS_KINDS or not owner.file.facts.bases.get(owner.symbol):
            return None
        for file, index in self._above(side, owner):
            here = side.program.files[file]
            if _SEALED in words_before_name(here.definitions[index]):
                return Type(here, index)
        return None

    def subclasses(self, side: Side, sealed: Type) -> list[str]:
        key = (id(side), sealed.file.index, sealed.symbol)
        known = self._known.get(key)
        if known is None:
            folder = posixpath.dirname(sealed.file.path)
            known = self._known[key] = [
                each.name
                for file in side.program.files
                if posixpath.dirname(file.path) == folder and file.facts.language == sealed.file.facts.language
                for index, each in enumerate(file.definitions)
                if each.kind in CLASS_KINDS
                and file.facts.bases.get(index)
                and (sealed.file.index, sealed.symbol) in self._above(side, Type(file, index))
            ]
        return known

    def _above(self, side: Side, owner: Type) -> list[Owner]:
        """The classes that one names as its own bases: those that no other one of its bases has above it."""
        side.world.evaluator.start()
        classes = side.world.evaluator.classes
        above: list[Owner] = [
            each[:ENTRY_ARGUMENTS] for each in classes.order(owner.file.index, owner.symbol).entries[1:]
        ]
        above += [each[:ENTRY_ARGUMENTS] for each in classes.contracts(owner.file, owner.symbol)]
        farther = {
            each[:ENTRY_ARGUMENTS]
            for file, index in above
            for each in (*classes.order(file, index).entries[1:], *classes.contracts(side.program.files[file], index))
        }
        return [each for each in dict.fromkeys(above) if each not in farther]
