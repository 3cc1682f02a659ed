"""Variables whose type a condition tests: they are of it where the condition holds.

In: a statement with a condition, and what the tests in it say of which variable. Out: the same statement with the
variables bound again where it runs only if the tests hold. Only local variables are narrowed, and only by tests that
all must hold: others may write a member in between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_BOTH: Final = b"&&"
_SIGN: Final = "logical_and_operator"
"""The sign between two operands, where it is a node with a name."""


Tested = tuple[str, int, int]
"""(name of the variable, what it held before, the type)."""


def note_test(walker: DeclarativeWalker, node: Node, left: Node | None, value: int, annotation: int) -> None:
    """`left is T`, written as this node."""
    if left is None or left.type not in walker.spec.names or not value or not annotation:
        return
    name = walker.text_of(left)
    scope = walker.scope_of(name)
    if scope >= 0 and walker.scopes[scope].kind != "class" and walker.function:
        walker.tested[node.start_byte, node.end_byte] = name, value, annotation


def conditional(walker: DeclarativeWalker, node: Node) -> int:
    """`if (condition) consequence else alternative`"""
    parts, body = node.named_children, node.child_by_field_name("consequence")
    condition = node.child_by_field_name("condition") or (parts[0] if parts else None)
    value = 0
    for child in parts:
        if child == body and condition is not None and walker.tested:
            found = [each for each in find_tests(walker, condition) if not is_written(walker, body, each[0])]
            walker.tested.clear()
            value = lower_proven(walker, child, found) if found else walker.walk(child)
        else:
            value = walker.walk(child)
    return value


def is_written(walker: DeclarativeWalker, body: Node, name: str) -> bool:
    """Whether a variable may get another value in what runs if the condition holds."""
    text = walker.source[body.start_byte : body.end_byte]
    return re.search(rb"(?<![\w.])" + re.escape(name.encode()) + rb"\s*=(?!=)", text) is not None


def lower_proven(walker: DeclarativeWalker, node: Node, found: list[Tested]) -> int:
    around = walker.enter_block(node)
    for name, value, annotation in found:
        proven = walker.emit(op.NARROWED, node.start_byte, value, annotation, 0)
        walker.bind(name, proven, node.start_byte)
    value = walker.walk(node)
    walker.leave_block(around)
    return value


def find_tests(walker: DeclarativeWalker, node: Node) -> Iterator[Tested]:
    """Those tests of a condition that all hold if it holds."""
    tested = walker.tested.get((node.start_byte, node.end_byte))
    parts = [child for child in node.named_children if child.type != _SIGN]
    if tested is not None:
        yield tested
    elif len(parts) == 1 and walker.source[node.start_byte : node.start_byte + 1] == b"(":
        yield from find_tests(walker, parts[0])
    elif len(parts) > 1 and all(is_and(walker, first, second) for first, second in pairwise(parts)):
        for part in parts:
            yield from find_tests(walker, part)


def is_and(walker: DeclarativeWalker, first: Node, second: Node) -> bool:
    """Whether two operands are those of `&&`."""
    return walker.source[first.end_byte : second.start_byte].strip() == _BOTH
