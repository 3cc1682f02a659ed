"""How well a value fits a declared type: one scale for the arguments of a call and for what an extension method is
called on.

In: a value and a type, as the values that have it. Out: a step of the scale. A step above `UNKNOWN` and `AT_LEAST` are
proven; what is not known to fit may fit all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rpg.encoder.resolve.evaluate.lookup.platforms import are_one
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS_OBJECTS,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    INST,
    KIND,
    LITERAL_AT,
    NONE,
    OWN_NAME,
    PRIMITIVE,
    SYMBOL,
    UPPER_BOUND,
    VARIABLE,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.classes import Classes

SAME: Final = 8
BELOW: Final = 6
"""The type itself is further up, or what is in a container is not known."""
ANY: Final = 5
"""A type variable, which stands for the type, or a container for what is written as a literal."""
UNKNOWN: Final = 4
UNLIKELY: Final = 2
AT_LEAST: Final = 0
"""The type that everything has: it fits, and any other that fits is meant instead."""
NEVER: Final = -1

_CONTRACTS: Final = frozenset({"interface", "trait"})
_KNOWN: Final = frozenset({PRIMITIVE, INST, CONTAINER})
_NO_FUNCTION: Final = frozenset({PRIMITIVE, CONTAINER})


def is_proven(fit: int) -> bool:
    return fit > UNKNOWN or fit == AT_LEAST


class ArgumentFit:
    def __init__(self, evaluator: Context, classes: Classes) -> None:
        self.evaluator = evaluator
        self.classes = classes

    def fit(self, values: Values, declared: Values) -> int:
        """How well an argument fits a parameter; what is one of several values fits nothing certainly."""
        if len(values) != 1 or len(declared) != 1 or values[0] == NONE:
            return UNKNOWN
        return self.fit_value(values[0], declared[0])

    def fit_value(self, value: Value, wanted: Value) -> int:
        kind, other = value[KIND], wanted[KIND]
        if other == VARIABLE:
            return self.fit_variable(value, wanted)
        if kind == VARIABLE:
            return max((self.fit_value(each, wanted) for each in value[UPPER_BOUND]), default=UNKNOWN)
        if kind == INST and other == INST:
            return self.below(value, wanted)
        if kind == LITERAL_AT:
            return ANY if other == CONTAINER else UNKNOWN
        if kind == other == CONTAINER:
            if value[OWN_NAME] == wanted[OWN_NAME]:
                return self.fit_container(value, wanted)
            return NEVER if CLASS_OBJECTS.issuperset((value[OWN_NAME], wanted[OWN_NAME])) else UNKNOWN
        if kind == other == PRIMITIVE:
            return SAME if value[OWN_NAME] == wanted[OWN_NAME] else UNLIKELY
        if kind == other == EXTERNAL:
            return SAME if last_name(value) == last_name(wanted) else UNKNOWN
        if other == INST and self.may_be_added(wanted):
            return UNKNOWN
        if (kind in _KNOWN and other in _KNOWN) or (other == CALLABLE and kind in _NO_FUNCTION):
            return NEVER
        return UNLIKELY if is_boxed(value) else UNKNOWN

    def may_be_added(self, base: Value) -> bool:
        """Whether a type may be the base of a type that is defined elsewhere."""
        file = self.evaluator.files[base[FILE]]
        return file.rules.extensions == "based" and file.definitions[base[SYMBOL]].kind in _CONTRACTS

    def fit_variable(self, value: Value, wanted: Value) -> int:
        """How well a value fits a type variable, which may be constrained."""
        fits = [self.fit_value(value, bound) for bound in wanted[UPPER_BOUND] if bound[KIND] != VARIABLE]
        return min(max(fits), ANY) if fits else ANY

    def fit_container(self, value: Value, wanted: Value) -> int:
        """How well what is in a list fits what is wanted there; of a dictionary, the part that fits least."""
        parts = zip(value[CONTENTS], wanted[CONTENTS], strict=False)
        return min((self.of_contents(held, asked) for held, asked in parts), default=SAME)

    def of_contents(self, held: Values, asked: Values) -> int:
        if not held or not asked:
            return BELOW
        fit = max(self.fit_value(each, wanted) for each in held for wanted in asked)
        return BELOW if fit == ANY else fit

    def fit_same(self, one: Values, other: Values) -> int:
        """Whether two types are one: `SAME`, `NEVER`, or `UNKNOWN`, as it is of type variables."""
        if len(one) != 1 or len(other) != 1 or VARIABLE in (one[0][KIND], other[0][KIND]):
            return UNKNOWN
        if one == other:
            return SAME
        kinds = {one[0][KIND], other[0][KIND]}
        if kinds == {INST}:
            return (
                SAME
                if are_one(self.evaluator.program, one[0][FILE : SYMBOL + 1], other[0][FILE : SYMBOL + 1])
                else NEVER
            )
        if kinds == {CONTAINER}:
            if one[0][OWN_NAME] != other[0][OWN_NAME]:
                return NEVER
            parts = zip(one[0][CONTENTS], other[0][CONTENTS], strict=False)
            return min((self.fit_same(*each) for each in parts), default=UNKNOWN)
        if kinds <= {PRIMITIVE, EXTERNAL}:
            return SAME if last_name(one[0]) == last_name(other[0]) else NEVER
        return UNKNOWN if kinds in ({INST, EXTERNAL}, {CALLABLE}) or not kinds <= {*_KNOWN, EXTERNAL} else NEVER

    def below(self, value: Value, wanted: Value) -> int:
        program = self.evaluator.program
        if are_one(program, value[FILE : SYMBOL + 1], wanted[FILE : SYMBOL + 1]):
            return SAME
        order = self.classes.order(value[FILE], value[SYMBOL])
        if any(are_one(program, entry[:ENTRY_ARGUMENTS], wanted[FILE : SYMBOL + 1]) for entry in order.entries):
            return BELOW
        return UNKNOWN if order.unknown or order.external else NEVER


def is_boxed(value: Value) -> bool:
    """Whether a value is not an object, and fits a library's class only by conversion."""
    return bool(value[KIND] == PRIMITIVE and value[OWN_NAME].islower())


def fit_of_library(values: Values, declared: Values, supertypes: Mapping[str, tuple[str, ...]]) -> int | None:
    """How well a value of the library's fits a type of the library's; None if that is not known."""
    if len(values) != 1 or len(declared) != 1 or not supertypes:
        return None
    name, wanted = library_name(values[0], supertypes), library_name(declared[0], supertypes)
    above = supertypes.get(name)
    if above is None or not wanted:
        return None
    if name == wanted:
        return SAME
    if wanted not in above:
        return NEVER
    place = above.index(wanted)
    if place == len(above) - 1:
        return AT_LEAST
    return UNLIKELY if place else BELOW


def library_name(value: Value, supertypes: Mapping[str, tuple[str, ...]]) -> str:
    """The name of a type of the library; empty if it is none, or its kind alone is known."""
    kind = value[KIND]
    if kind == EXTERNAL:
        return last_name(value)
    if kind == PRIMITIVE:
        return str(value[OWN_NAME])
    return "Class" if kind == CONTAINER and value[OWN_NAME] == "type" else ""


def last_name(value: Value) -> str:
    """The name of what comes from outside the repository, without what is in front of it."""
    return str(value[OWN_NAME]).removesuffix("()").rpartition(".")[2]


def is_of_everything(declared: Values, names: frozenset[str]) -> bool:
    """Whether a type is one that every value has."""
    return len(declared) == 1 and declared[0][KIND] == PRIMITIVE and declared[0][OWN_NAME] in names
