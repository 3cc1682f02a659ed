"""Lowers conditions.

In: a condition. Out: what it proves about names where it holds, and where it fails.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.languages.python.calls import call_expression
from rpg.encoder.languages.python.walker import PythonWalker, operator_of
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.narrowing import Narrowing, are_alternatives, conjunction, negate
from rpg.encoder.lowering.node import Node


def lower_condition(walker: PythonWalker, node: Node | None) -> list[Narrowing]:
    """Lowers a condition; returns what it proves where it holds."""
    if node is None:
        return []
    kind = node.type
    if kind == "parenthesized_expression":
        inner = parts_of(node)
        return lower_condition(walker, inner[0]) if len(inner) == 1 else nothing_proven(walker, node)
    if kind == "not_operator":
        return negate(lower_condition(walker, node.child_by_field_name("argument")))
    if kind == "boolean_operator" and operator_of(node) == b"and":
        left, right = both_sides(walker, node, False)
        return conjunction(left, right)
    if kind == "boolean_operator" and operator_of(node) == b"or":
        left, right = both_sides(walker, node, True)
        if are_alternatives(left, right):
            value, path, classes, _ = left[0]
            return [(value, path, walker.emit(op.UNION, node.start_byte, 2, classes, right[0][2]), 0)]
        return []
    if kind == "call":
        offset = call_expression(walker, node)
        code = walker.code
        callee = code[offset + op.CALLEE]
        if (
            code[offset + op.ARGUMENT_COUNT] == 2
            and code[callee] == op.NAME
            and walker.texts[code[callee + op.WORD]] == "isinstance"
        ):
            value, classes = code[offset + op.ARGUMENTS], code[offset + op.ARGUMENTS + 2]
            path = walker.path_of(value) or find_bound_name(walker, node)
            return [(value, path, classes, 0)] if path else []
        return []
    return nothing_proven(walker, node)


def find_bound_name(walker: PythonWalker, call: Node) -> str:
    """The name that the first argument of a call binds (`isinstance(x := f(), C)`), else empty."""
    arguments = call.child_by_field_name("arguments")
    parts = parts_of(arguments) if arguments is not None else []
    while parts and parts[0].type == "parenthesized_expression":
        parts = parts_of(parts[0])
    name = parts[0].child_by_field_name("name") if parts and parts[0].type == "named_expression" else None
    return walker.source_of(name) if name is not None else ""


def both_sides(walker: PythonWalker, node: Node, fails: bool) -> tuple[list[Narrowing], list[Narrowing]]:
    """What each side of `and` or `or` proves; the right side is evaluated only where the left one holds, or `fails`."""
    left = lower_condition(walker, node.child_by_field_name("left"))
    right_node = node.child_by_field_name("right")
    held = negate(left) if fails else left
    if not held or right_node is None:
        return left, lower_condition(walker, right_node)
    around = walker.open_block(right_node.start_byte, right_node.end_byte)
    narrow(walker, held, right_node.start_byte)
    right = lower_condition(walker, right_node)
    walker.block = around
    return left, right


def nothing_proven(walker: PythonWalker, node: Node) -> list[Narrowing]:
    walker.walk(node)
    return []


def narrow(walker: PythonWalker, narrowings: list[Narrowing], byte: int) -> None:
    """Binds what is proven, from `byte` on, inside the current block."""
    for value, path, classes, no in narrowings:
        if not path:
            continue
        walker.bind(path, walker.emit(op.NARROWED, walker.code[value + op.BYTE], value, classes, no), byte, "narrow")
        if "." in path:
            walker.dotted.setdefault(walker.scope, set()).add(path)
