"""What an expression can evaluate to: plain tuples, so that they compare, hash and sort by content.

The first part is the kind of value; the other parts are listed next to each kind and read by name, `value[FILE]`, and
parts that several kinds share have one name. A set of possible values is a tuple without duplicates, in the order
found; the empty tuple means that nothing is known.
"""

from __future__ import annotations

from typing import Any, Final

Value = tuple[Any, ...]
Values = tuple[Value, ...]

# Kinds: the parts after the kind.
FUNC: Final = 0  #      FILE, SYMBOL, RECEIVER (a Value or None)
CLASS: Final = 1  #     FILE, SYMBOL, TYPE_ARGUMENTS, IS_SELF
INST: Final = 2  #      FILE, SYMBOL, TYPE_ARGUMENTS, IS_SELF; if only a convention implies it, KNOWN_BY
MODULE: Final = 3  #    MODULE_PATH
EXTERNAL: Final = 4  #  OWN_NAME, dotted, of something outside the repository; if it may give back something of it, HELD
LITERAL_AT: Final = 5  #  FILE, EXPRESSION: a container display or comprehension, known by its place
CONTAINER: Final = 6  # OWN_NAME (list, dict, tuple, coroutine, ...), CONTENTS
CLOSURE: Final = 7  #   FILE, OWN_SCOPE: a lambda
PARTIAL: Final = 8  #   OF_VALUE (what is called), CALL_FILE, CALL_EXPRESSION: the call that bound its first arguments
PARENT: Final = 9  #    FILE, SYMBOL (the class after which to look), RECEIVER (INST, CLASS): what `super()` gives
TEXT: Final = 10  #     SPELLING, LITERAL_KIND: a string or number known by its text
PRIMITIVE: Final = 11  # OWN_NAME of a builtin type
VARIABLE: Final = 12  # OWN_NAME of a type variable, UPPER_BOUND
BUILTIN: Final = 13  #  OWN_NAME of a builtin function or type
OBJECT_AT: Final = 14  # FILE, OWN_SCOPE: an object literal
METHOD_OF: Final = 15  # OF_VALUE (the receiver), METHOD_NAME: a method of a builtin container
CALLABLE: Final = 16  # RESULT: of a function known by its type alone
TYPE_OF_VARIABLE: Final = 17  # OF_VALUE (a VARIABLE): the class that a type variable stands for

# Positions of the parts.
KIND: Final = 0  #            of every value
FILE: Final = 1  #            number of the file that the next part is of
SYMBOL: Final = 2  #          number of the definition in the file
EXPRESSION: Final = 2  #      offset into the file's code
OWN_SCOPE: Final = 2  #       number of the scope in the file
RECEIVER: Final = 3  #        what it is a method of
TYPE_ARGUMENTS: Final = 3  #  a tuple of Values
IS_SELF: Final = 4  #         whether it is the receiver of the method around, or its class
KNOWN_BY: Final = 5  #        the rule that says so
MODULE_PATH: Final = 1  #     ends in `/` for a package without a file
OWN_NAME: Final = 1
HELD: Final = 2  #            Values of the repository that may come out of it, see held.py
CONTENTS: Final = 2  #        one Values per type argument: list (element), dict (key, value), tuple (each), ...
OF_VALUE: Final = 1
CALL_FILE: Final = 2
CALL_EXPRESSION: Final = 3
SPELLING: Final = 1
LITERAL_KIND: Final = 2  #    the operation that wrote it: STRING, NUMBER
UPPER_BOUND: Final = 2  #     Values
METHOD_NAME: Final = 2
RESULT: Final = 1  #          Values

NONE: Final[Value] = (PRIMITIVE, "None")
SOMETHING: Final[Value] = (VARIABLE, "", ())
"""Something of which nothing is known, beside values that are."""
KEYED: Final = frozenset({"dict", "map", "record"})
"""Kinds of containers with a key and a value."""
BOX: Final = "box"
"""The kind of container that holds one value, which a method gives."""
POINTER: Final = "pointer"
CLASS_OBJECTS: Final = frozenset({"type", "reflected"})
"""Containers that stand for what they contain, as Java and as Kotlin's reflection have it."""
"""The kind that has the members of the one value that it holds."""
INHERITED: Final = "."
"""Prefix of the name of an EXTERNAL member that a class of the repository has from a base outside it."""
CALLED_AS: Final = "()"
MADE_AS: Final = "new"
INDEXED_AS: Final = "[]"
SPREAD: Final = "..."
"""Names of the nameless members of a type: calling it, constructing it, indexing it, spreading it. A binding of the
last one brings all members of its value."""
MOST: Final = 40
"""An expression with more possible values than this counts as unknown; declared unions can have this many parts."""
MOST_UNDECLARED: Final = 12
"""The same for anything undeclared: functions, classes, what callers pass and others store."""
_OF_TYPES: Final = frozenset((INST, OBJECT_AT, CONTAINER, PRIMITIVE, TEXT, EXTERNAL, VARIABLE))


def union(parts: list[Values]) -> Values:
    """All values once; nothing if there are too many."""
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
        # Compared with each other: hashing a value with many type arguments costs more.
        for part in filled:
            for value in part:
                if value not in found:
                    found.append(value)
    else:
        found = list(dict.fromkeys([value for part in filled for value in part]))
    if len(found) <= MOST_UNDECLARED or (len(found) <= MOST and all(value[KIND] in _OF_TYPES for value in found)):
        return tuple(found)
    return ()


def few(values: Values) -> Values:
    """Undeclared values; nothing if there are too many."""
    return values if len(values) <= MOST_UNDECLARED else ()


def join_choice(parts: list[Values]) -> Values:
    """The values of a choice between expressions. Where one is unknown and the others are object literals, as in
    `given || {}`, something unknown is among them, as it may have members that no literal has."""
    joined = join_values(parts)
    if () in parts and joined and all(value[KIND] == OBJECT_AT for value in joined):
        return (*joined, SOMETHING)
    return joined


def join_values(parts: list[Values]) -> Values:
    """The values of a choice; nothing if one alternative is unknown and the known ones are all outside the repository,
    because the unknown one may be inside."""
    merged = union(parts)
    if len(parts) > 1 and merged and () in parts and all(_is_outside(value) for value in merged):
        return ()
    return merged


def _is_outside(value: Value) -> bool:
    return bool(value[KIND] == EXTERNAL or (value[KIND] == CONTAINER and value[OWN_NAME] == "coroutine"))
