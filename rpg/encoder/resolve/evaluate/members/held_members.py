"""Whether a member of a value from outside may be one of the repository: of a class or object that the value may give
back, as it has it as a type argument or was made of it (see rpg/encoder/resolve/values/held.py).

In: a value from outside and the name of a member. Out: whether something that the value holds has such a member, itself
or in a class above or below. Members that nothing of that has are the library's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.resolve.values.held import held_by, held_in
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    EXTERNAL,
    FILE,
    INST,
    KIND,
    MODULE,
    MODULE_PATH,
    OBJECT_AT,
    SYMBOL,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup

_MOST_BELOW: Final = 200
"""Classes below one that are looked into; with more below it, a class may have any member."""


class HeldMembers:
    def __init__(self, evaluator: Context, member_lookup: MemberLookup, classes: Classes) -> None:
        self.evaluator = evaluator
        self.member_lookup = member_lookup
        self.classes = classes
        self._known: dict[tuple[int, int, str], bool] = {}

    def end(self) -> None:
        """Drops what was found; see `Evaluator.end`."""
        self._known.clear()

    def may_give(self, value: Value, name: str) -> bool:
        """Whether a member of a value from outside may be one of something that it holds, or of a class above that."""
        return any(self.has(each, name) for each in held_by(value))

    def may_give_below(self, value: Value, name: str) -> bool:
        """The same, also of a class below what it holds. Which classes are below others is known when all classes
        are."""
        held = held_by(value) if value[KIND] == EXTERNAL else held_in((value,))
        return any(self.has(each, name) or self.has_below(each, name) for each in held)

    def has(self, held: Value, name: str) -> bool:
        kind: int = held[KIND]
        if kind == INST:
            key = (held[FILE], held[SYMBOL], name)
            known = self._known.get(key)
            if known is None:
                order = self.classes.order(held[FILE], held[SYMBOL])
                known = order.unknown or self.member_lookup.find(held[FILE], held[SYMBOL], name) is not None
                if not self.classes.busy:
                    self._known[key] = known
            return known
        if kind == VARIABLE:
            return not held[UPPER_BOUND] or any(self.has(each, name) for each in held_in(held[UPPER_BOUND]))
        if kind == OBJECT_AT:
            return self.member_lookup.hit(held, name) is not None
        return kind == MODULE and bool(self.evaluator.module_member(held[MODULE_PATH], name))

    def has_below(self, held: Value, name: str) -> bool:
        if held[KIND] != INST:
            return False
        below = self.classes.subclasses.get((held[FILE], held[SYMBOL]), ())
        if len(below) > _MOST_BELOW:
            return True
        return any(self.member_lookup.find(each[OWNER_FILE], each[OWNER_SYMBOL], name) is not None for each in below)

    def unwrap(self, held: Values) -> Values:
        """What is held, with what iterating over it gives: a library may do that."""
        inner = [each for each in held if each[KIND] == INST]
        return held_in((*held, *self.evaluator.elements(tuple(inner)))) if inner else held
