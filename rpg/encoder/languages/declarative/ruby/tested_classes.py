"""Conditions that ask for the class of an object: `is_a?`, `case`.

In: nodes. Out: what holds where they hold (tested_types.py).
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.tested_types import find_tests, lower_narrowed, note_test
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_CLASSES: Final = frozenset(("constant", "scope_resolution"))
_ASKING: Final = frozenset(("instance_of?", "is_a?", "kind_of?"))


def note_asked_class(walker: DeclarativeWalker, node: Node, value: int) -> None:
    """`cart.is_a?(Cart)`"""
    arguments = node.child_by_field_name("arguments")
    method = node.child_by_field_name("method")
    if method is None or arguments is None or walker.source_of(method) not in _ASKING:
        return
    code, parts = walker.code, arguments.named_children
    if len(parts) == 1 and parts[0].type in _CLASSES and code[value] == op.CALL and code[value + op.ARGUMENT_COUNT]:
        callee = code[value + op.CALLEE]
        if code[callee] == op.ATTRIBUTE:
            receiver = node.child_by_field_name("receiver")
            note_test(walker, node, receiver, code[callee + op.HOLDER], code[value + op.ARGUMENTS])


def case(walker: DeclarativeWalker, node: Node) -> int:
    """`case cart when Cart then ...`"""
    subject = node.child_by_field_name("value")
    value = walker.walk(subject) if subject is not None else 0
    around = walker.open_block(node.start_byte, node.end_byte)
    for child in node.named_children:
        if child == subject:
            continue
        body = child.child_by_field_name("body") if child.type == "when" else None
        if body is None or subject is None:
            walker.walk(child)
            continue
        types: list[int] = []
        for each in child.named_children:
            if each != body and each.type not in walker.spec.comments:
                tested = each.named_children[0] if each.type == "pattern" and each.named_child_count == 1 else each
                made = walker.walk(tested)
                types.append(made if tested.type in _CLASSES else 0)
        if types and all(types):
            classes = types[0] if len(types) == 1 else walker.emit(op.UNION, child.start_byte, len(types), *types)
            note_test(walker, child, subject, value, classes)
        lower_narrowed(walker, body, find_tests(walker, child))
    walker.block = around
    return 0
