"""What every object has of the language itself: `__class__`, `__dict__`, `__new__`, `__name__`.

In: a value that has no member of that name in the repository. Out: what the language's own member is. Classes that
define one of these themselves are asked first, by members.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.resolve.values.values import (
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    LITERAL_AT,
    METHOD_NAME,
    METHOD_OF,
    MODULE,
    MODULE_PATH,
    OF_VALUE,
    OWN_NAME,
    PARENT,
    PRIMITIVE,
    RECEIVER,
    SYMBOL,
    TEXT,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.languages import Rules
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

_TEXTS: Final = frozenset({"__name__", "__qualname__", "__module__", "__doc__", "__file__", "__package__"})
_BORN_WITH: Final = frozenset({INST, CLASS, FUNC, PARENT})
_PLAIN: Final = frozenset(
    {"list", "dict", "tuple", "str", "bytes", "int", "float", "bool", "string", "number", "boolean"}
)
"""Containers and types of which all members are known."""
MAKER: Final = "__new__"


def is_of_any_object(evaluator: Evaluator, value: Value, name: str) -> bool:
    """Whether a member that no class of the repository gives a value is one that the language gives to it."""
    kind: int = value[KIND]
    if kind == MODULE:
        file = evaluator.program.file_at(value[MODULE_PATH])
        return file is not None and name in file.rules.object_members
    return kind in _BORN_WITH and name in evaluator.files[value[FILE]].rules.object_members


def may_lack(rules: Rules, value: Value, name: str, call: bool) -> bool:
    """Of a value from outside the repository: whether it need not have a member that the repository may have, as a
    library may give what it was given, and a builtin type has no members but its own. Then something else is meant,
    of which nothing is known."""
    kind: int = value[KIND]
    if kind == EXTERNAL:
        return rules.may_give_back(value[OWN_NAME], call)
    if kind == METHOD_OF:
        return value[METHOD_NAME] not in rules.builtin_members and may_lack(
            rules, value[OF_VALUE], value[METHOD_NAME], False
        )
    is_plain = kind in (LITERAL_AT, TEXT) or (kind in (CONTAINER, PRIMITIVE) and value[OWN_NAME] in _PLAIN)
    return is_plain and name not in rules.object_members


def beside_alone(evaluator: Evaluator, parent: Value) -> bool:
    """Whether `super()` stands in a class without bases, so that it means what stands beside that in classes below."""
    receiver = parent[RECEIVER]
    has_bases = bool(evaluator.files[parent[FILE]].facts.bases.get(parent[SYMBOL]))
    return not has_bases and not evaluator.classes.order(receiver[FILE], receiver[SYMBOL]).external


def beside(evaluator: Evaluator, parent: Value, name: str) -> list[tuple[int, int]]:
    """What `super()` finds in classes below that have more bases than the method's own class knows of."""
    classes, receiver = evaluator.classes, parent[RECEIVER]
    found: dict[tuple[int, int], None] = {}
    for below in classes.subclasses.get(receiver[FILE : SYMBOL + 1], ()):
        hit = classes.find(*below, name, (parent[FILE], parent[SYMBOL]))
        for definition in hit.definitions if hit is not None else ():
            found[definition] = None
    return sorted(found)


def given(evaluator: Evaluator, value: Value, name: str) -> Values:
    """What the language's own member holds; empty where it says nothing or there is none."""
    if value[KIND] not in _BORN_WITH or name not in evaluator.files[value[FILE]].rules.object_members:
        return ()
    if name == MAKER:
        return ((EXTERNAL, f"object.{MAKER}"),)
    if name == "__dict__":
        return ((CONTAINER, "dict", (((PRIMITIVE, "str"),), ())),)
    return ((PRIMITIVE, "str"),) if name in _TEXTS else ()


def made(evaluator: Evaluator, file: SourceFile, e: int) -> Values:
    """`object.__new__(cls)` makes an instance of the class that it is given."""
    kinds = evaluator.calls.argument(file, e, 0, "cls")
    return tuple((INST, *value[FILE:]) for value in kinds if value[KIND] == CLASS)
