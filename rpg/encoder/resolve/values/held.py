"""What of the repository a value from outside may give back: the arguments of its type, what it was made of.

In: values. Out: the classes, objects and modules of the repository in them, and values from outside that hold them.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    HELD,
    INST,
    KIND,
    METHOD_OF,
    MODULE,
    OBJECT_AT,
    OF_VALUE,
    OWN_NAME,
    PARENT,
    PARTIAL,
    RESULT,
    SOMETHING,
    SYMBOL,
    TYPE_ARGUMENTS,
    TYPE_OF_VARIABLE,
    VARIABLE,
    Value,
    Values,
)

_MOST: Final = 6
"""The most that a value is known to hold; one with more may hold anything."""
_DEEPEST: Final = 4


def held_in(values: Values, depth: int = 0) -> Values:
    """What of the repository may come out of some values, each class and object once."""
    if not values or depth > _DEEPEST:
        return ()
    found: dict[Value, None] = {}
    for value in values:
        kind: int = value[KIND]
        if kind in (INST, CLASS, PARENT):
            found[INST, value[FILE], value[SYMBOL], (), False] = None
            if kind != PARENT:
                for each in value[TYPE_ARGUMENTS]:
                    found.update(dict.fromkeys(held_in(each, depth + 1)))
        elif kind == EXTERNAL:
            found.update(dict.fromkeys(held_by(value)))
        elif kind == CONTAINER:
            for each in value[CONTENTS]:
                found.update(dict.fromkeys(held_in(each, depth + 1)))
        elif kind in (OBJECT_AT, MODULE, VARIABLE):
            found[value] = None
        elif kind == CALLABLE:
            found.update(dict.fromkeys(held_in(value[RESULT], depth + 1)))
        elif kind in (METHOD_OF, PARTIAL, TYPE_OF_VARIABLE):
            found.update(dict.fromkeys(held_in((value[OF_VALUE],), depth + 1)))
    return tuple(found) if len(found) <= _MOST else (SOMETHING,)


def held_by(value: Value) -> Values:
    """What a value from outside may give back."""
    return value[HELD] if len(value) > HELD else ()


def make_outside(name: str, held: Values) -> Value:
    """A value from outside that may give back what it holds."""
    return (EXTERNAL, name, held) if held else (EXTERNAL, name)


def hold(value: Value, held: Values) -> Value:
    """A value from outside that holds more."""
    if not held:
        return value
    before = held_by(value)
    if not before:
        return (EXTERNAL, value[OWN_NAME], held)
    both = tuple(dict.fromkeys((*before, *held)))
    return value if both == before else (EXTERNAL, value[OWN_NAME], both if len(both) <= _MOST else (SOMETHING,))
