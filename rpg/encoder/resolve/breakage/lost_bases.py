"""Classes that no longer inherit from what they inherited from.

In: the changed files before and after. Out: the names of the members that are lost so, and whether a use of one meant
it through such a class: the member, or its class, may be there all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rpg.encoder import operations as op
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import CLASS, FILE, INST, KIND, PARENT, RECEIVER, SYMBOL, Value
from rpg.graph import CLASS_KINDS

_MOST_NAMES = 200
"""The most members that are looked for."""


class LostBases:
    def __init__(self, before: Side, after: Side, pairs: Mapping[str, str]) -> None:
        """`pairs`: path before -> path after of files that moved."""
        self.before = before
        self.after = after
        self.pairs = pairs
        self.names: frozenset[str] = frozenset()
        """Of the members of the classes that were lost."""
        self._lost: dict[Owner, set[Owner]] = {}
        """Class before -> the classes that it, or those below it, inherit from no more."""

    def look(self, edited: Iterable[str]) -> None:
        names: set[str] = set()
        for path in sorted(edited):
            old, new = self.before.file(path), self.after.file(self.pairs.get(path, path))
            if old is None or new is None or old.facts is new.facts:
                continue
            for index, definition in enumerate(old.definitions):
                if definition.kind not in CLASS_KINDS or not old.facts.bases.get(index):
                    continue
                now = self.after.named(new.path, definition.qualified_name)
                if not now or self._names_the_same(old, index, new, now[0]):
                    continue
                if lost := self._above(old, index) - self._still_above(new, now):
                    self._lost[old.index, index] = lost
                    names |= {name for each in lost for name in self._members(each)}
        if len(names) <= _MOST_NAMES:
            self.names = frozenset(names)

    def _names_the_same(self, old: SourceFile, index: int, new: SourceFile, now: int) -> bool:
        """Whether a class has the bases that it had, by their names: what is lost then falls with one of them."""
        same = old.definitions[index].signature == new.definitions[now].signature
        return same and len(old.facts.bases.get(index, ())) == len(new.facts.bases.get(now, ()))

    def is_lost(self, old: SourceFile, site: Site, target: Target) -> bool:
        """Whether a site meant a member of a class through another one that no longer inherits from it."""
        if not self._lost or old.code[site.named] not in (op.ATTRIBUTE, op.PATH):
            return False
        owner = self._owner_of(target)
        evaluator = self.before.world.evaluator
        evaluator.start()
        holders = [_class_of(value) for value in evaluator.eval(old, old.code[site.named + op.HOLDER])]
        return bool(holders) and all(each is not None and self._has_lost(each, owner) for each in holders)

    def _has_lost(self, holder: Owner, owner: Owner) -> bool:
        entries = self.before.world.evaluator.classes.order(*holder).entries
        return any(owner in self._lost.get(entry[:ENTRY_ARGUMENTS], ()) for entry in entries)

    def _owner_of(self, target: Target) -> Owner:
        definition = self.before.definition(target)
        if definition.owner:
            path = self.before.path_of(target)
            found = self.before.named(path, definition.owner)
            return (target.file, found[0]) if found else (target.file, definition.parent)
        return target.file, definition.parent

    def _above(self, file: SourceFile, index: int) -> set[Owner]:
        entries = self.before.world.evaluator.classes.order(file.index, index).entries
        return {entry[:ENTRY_ARGUMENTS] for entry in entries[1:]}

    def _still_above(self, file: SourceFile, found: list[int]) -> set[Owner]:
        """Those classes before that are still above a class, in terms of before; all of them if a base is unknown."""
        still: set[Owner] = set()
        back = {after: before for before, after in self.pairs.items()}
        for index in found:
            order = self.after.world.evaluator.classes.order(file.index, index)
            for entry in order.entries[1:]:
                here = self.after.program.files[entry[OWNER_FILE]]
                path = back.get(here.path, here.path)
                other = self.before.file(path)
                if other is not None:
                    name = here.definitions[entry[OWNER_SYMBOL]].qualified_name
                    still |= {(other.index, each) for each in self.before.named(path, name)}
        return still

    def _members(self, owner: Owner) -> Iterable[str]:
        file = self.before.program.files[owner[OWNER_FILE]]
        own = file.definitions[owner[OWNER_SYMBOL]].qualified_name
        return [each.name for each in file.definitions if each.parent == owner[OWNER_SYMBOL] or each.owner == own]


def _class_of(value: Value) -> Owner | None:
    kind = value[KIND]
    if kind == PARENT:
        return _class_of(value[RECEIVER])
    return (value[FILE], value[SYMBOL]) if kind in (INST, CLASS) else None
