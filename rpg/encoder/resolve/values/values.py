"""What an expression can stand for: plain tuples, so that they compare, hash and sort by content.

The first item says what kind of value it is; the others are listed beside each kind. A set of possible values is a
tuple without duplicates, in the order found; the empty tuple means that nothing is known.
"""

from __future__ import annotations

from typing import Any, Final

Value = tuple[Any, ...]
Values = tuple[Value, ...]

FUNC: Final = 0  #      file, definition, receiver (a Value or None)
CLASS: Final = 1  #     file, definition, type arguments (a tuple of Values)
INST: Final = 2  #      file, definition, type arguments, whether it is the receiver of the method around (self);
#                and, where it is known by a convention alone, the rule that says so
MODULE: Final = 3  #    path of the module; ends in `/` for a package without a file
EXTERNAL: Final = 4  #  dotted name outside the repository; what comes out of it is external too
LITERAL_AT: Final = 5  #  file, expression: a container display or comprehension, known by its place
CONTAINER: Final = 6  # kind, one Values per type argument: list (element), dict (key, value), tuple (each), ...
CLOSURE: Final = 7  #   file, scope: a lambda
PARTIAL: Final = 8  #   callee, file, expression of the call that bound its first arguments
PARENT: Final = 9  #    file, definition of the class after which to look, receiver (INST, CLASS): what `super()` gives
TEXT: Final = 10  #     a string or number known by its text
PRIMITIVE: Final = 11  # name of a builtin type
VARIABLE: Final = 12  # name of a type variable, its bound (Values)
BUILTIN: Final = 13  #  name of a builtin function or type
OBJECT_AT: Final = 14  # file, scope: an object literal
METHOD_OF: Final = 15  # receiver, name: a method of a builtin container
CALLABLE: Final = 16  # Values returned: of a function known by its type alone
TYPE_OF_VARIABLE: Final = 17  # a VARIABLE: the class that a type variable stands for

NONE: Final[Value] = (PRIMITIVE, "None")
CALLED_AS: Final = "()"
MADE_AS: Final = "new"
INDEXED_AS: Final = "[]"
SPREAD: Final = "..."
"""Names of the nameless members of a type: what calling it, making one of it and indexing it give; a binding of the
last one brings all members of its value."""
MOST: Final = 40
"""An expression with more possible values than this is as good as unknown: a declared union may well have so many
parts."""
MOST_UNDECLARED: Final = 12
"""The same for what nothing declares: functions, classes, what callers pass and others store."""
_OF_TYPES: Final = frozenset((INST, OBJECT_AT, CONTAINER, PRIMITIVE, TEXT, EXTERNAL, VARIABLE))


def union(parts: list[Values]) -> Values:
    """All values once; nothing where there are too many."""
    if not parts:
        return ()
    if len(parts) == 1:
        return parts[0]
    filled = [part for part in parts if part]
    count = 0
    for part in filled:
        count += len(part)
    if count < 2:
        return filled[0] if filled else ()
    found: list[Value] = []
    if count <= MOST:
        # Compared with each other: to hash a value with many type arguments costs more.
        for part in filled:
            for value in part:
                if value not in found:
                    found.append(value)
    else:
        found = list(dict.fromkeys([value for part in filled for value in part]))
    if len(found) <= MOST_UNDECLARED or (len(found) <= MOST and all(value[0] in _OF_TYPES for value in found)):
        return tuple(found)
    return ()


def few(values: Values) -> Values:
    """Values that nothing declares; nothing where there are too many."""
    return values if len(values) <= MOST_UNDECLARED else ()


def joined(parts: list[Values]) -> Values:
    """All values of what is one of several; nothing where one of them is unknown and what is known is only outside the
    repository: the unknown one may well be of it."""
    merged = union(parts)
    if len(parts) > 1 and merged and () in parts and all(_is_outside(value) for value in merged):
        return ()
    return merged


def _is_outside(value: Value) -> bool:
    return bool(value[0] == EXTERNAL or (value[0] == CONTAINER and value[1] == "coroutine"))
