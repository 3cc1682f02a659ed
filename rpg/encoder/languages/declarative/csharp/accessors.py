"""What accessors of C# see: `value` in `set`, `init`, `add` and `remove`, the parameters of an indexer.

In: nodes. Out: bindings. Absent: `field`, which means a member of that name where one is defined.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_PASSED: Final = frozenset({"set", "init", "add", "remove"})


def accessor(walker: DeclarativeWalker, node: Node) -> int:
    if any(child.type in _PASSED for child in node.children):
        return _enter(walker, node, ["value"])
    return walker.through(node)


def indexer(walker: DeclarativeWalker, node: Node) -> int:
    """`this[int i] { get => ...; }`"""
    listed = node.child_by_field_name("parameters")
    names = [each.child_by_field_name("name") for each in listed.named_children] if listed is not None else []
    return _enter(walker, node, [walker.text_of(name) for name in names if name is not None])


def event(walker: DeclarativeWalker, node: Node) -> int:
    """`event Action Changed { add { ... } remove { ... } }`"""
    name = node.child_by_field_name("name")
    for child in node.named_children:
        if child != name:
            walker.walk(child)
    return 0


def _enter(walker: DeclarativeWalker, node: Node, names: list[str]) -> int:
    around, function = walker.here(), walker.function
    walker.open_block_scope(node)
    walker.function = walker.function or walker.scope
    for name in names:
        walker.bind(name, 0, node.start_byte)
    walker.through(node)
    walker.return_to(around)
    walker.function = function
    return 0
