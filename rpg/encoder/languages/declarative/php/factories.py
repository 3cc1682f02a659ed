"""Factories of Laravel: `User::factory()->admin()->create()`.

In: calls. Out: what makes the objects, by Laravel's convention: the class `UserFactory` in `Database\\Factories`, whose
states are called; what is made is an instance of the model.

Absent: factories that a model names itself, several objects at once.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED
from rpg.encoder.languages.declarative.php.callables import lower_full_name_at
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_PACKAGE: Final = "Database\\Factories"
_MAKING: Final = frozenset(("create", "createOne", "createOneQuietly", "createQuietly", "make", "makeOne"))
_SEVERAL: Final = frozenset(("count", "createMany", "times"))


def lower_factory_call(walker: DeclarativeWalker, node: Node) -> int:
    """What a call gives that makes an object, or its factory; 0 for any other call."""
    name = node.child_by_field_name("name")
    text = walker.source_of(name) if name is not None else ""
    if text == "factory" and node.type == "scoped_call_expression":
        return _factory(walker, node)
    if text not in _MAKING:
        return 0
    model = _model(walker, node.child_by_field_name("object"))
    return (
        walker.emit(op.INSTANCE, node.start_byte, walker.variable(walker.string(model), node.start_byte))
        if model
        else 0
    )


def _factory(walker: DeclarativeWalker, node: Node) -> int:
    scope, arguments = node.child_by_field_name("scope"), node.child_by_field_name("arguments")
    if scope is None or scope.type not in ("name", "qualified_name") or arguments is None:
        return 0
    factory = f"{walker.source_of(scope).rpartition(chr(92))[2]}Factory"
    byte = scope.start_byte
    named = lower_full_name_at(walker, f"{_PACKAGE}\\{factory}", byte, OFFERED)
    return walker.emit(op.INSTANCE, byte, named)


def _model(walker: DeclarativeWalker, node: Node | None) -> str:
    """The model at the beginning of a chain: `User` of `User::factory()->admin()`."""
    while node is not None and node.type == "member_call_expression":
        name = node.child_by_field_name("name")
        if name is not None and walker.source_of(name) in _SEVERAL:
            return ""
        node = node.child_by_field_name("object")
    if node is None or node.type != "scoped_call_expression":
        return ""
    name, scope, arguments = (node.child_by_field_name(each) for each in ("name", "scope", "arguments"))
    is_one = name is not None and walker.source_of(name) == "factory" and arguments is not None
    if not is_one or scope is None or scope.type != "name" or (arguments is not None and arguments.named_child_count):
        return ""
    return walker.source_of(scope)
