"""Lowers operators, conditional expressions and `await`.

In: nodes. Out: expressions, and sites for operators that may run methods.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ
from rpg.encoder.languages.python.conditions import lower_condition, narrow
from rpg.encoder.languages.python.walker import DISPLAYS, PythonWalker, operator_of
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.narrowing import negate
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_PLAIN: Final = DISPLAYS | {op.NUMBER}
"""Operands whose arithmetic and comparison run nothing of the repository either."""


def conditional_expression(walker: PythonWalker, node: Node) -> int:
    parts = parts_of(node)
    if len(parts) != 3:
        return 0
    narrowings = lower_condition(walker, parts[1])
    around = walker.open_block(parts[0].start_byte, parts[0].end_byte)
    narrow(walker, narrowings, parts[0].start_byte)
    first = walker.walk(parts[0])
    walker.block = around
    around = walker.open_block(parts[2].start_byte, parts[2].end_byte)
    narrow(walker, negate(narrowings), parts[2].start_byte)
    second = walker.walk(parts[2])
    walker.block = around
    return walker.emit(op.UNION, node.start_byte + walker.shift, 2, first, second)


def boolean_operator(walker: PythonWalker, node: Node) -> int:
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left_node is None or right_node is None:
        return walker.through(node)
    if operator_of(node) == b"and":
        # `and` yields its right side, or something false.
        narrowings = lower_condition(walker, left_node)
        around = walker.open_block(right_node.start_byte, right_node.end_byte)
        narrow(walker, narrowings, right_node.start_byte)
        right = walker.walk(right_node)
        walker.block = around
        return right
    left = walker.walk(left_node)
    right = walker.walk(right_node)
    return walker.emit(op.UNION, node.start_byte + walker.shift, 2, left, right)


def not_operator(walker: PythonWalker, node: Node) -> int:
    walker.field(node, "argument")
    return walker.emit(op.LITERAL, node.start_byte + walker.shift, walker.string("bool"))


def binary_operator(walker: PythonWalker, node: Node) -> int:
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left_node is None or right_node is None or operator is None:
        # A union in a type position has no fields.
        parts = [walker.walk(child) for child in parts_of(node)]
        return walker.emit(op.UNION, node.start_byte + walker.shift, len(parts), *parts)
    left, right = walker.walk(left_node), walker.walk(right_node)
    offset = walker.emit(op.OPERATION, operator.start_byte + walker.shift, walker.string(operator.type), left, right)
    if walker.role == READ and (walker.code[left] not in _PLAIN or walker.code[right] not in _PLAIN):
        walker.sites += (offset, READ, walker.definition)
    return offset


def unary_operator(walker: PythonWalker, node: Node) -> int:
    value = walker.field(node, "argument")
    operator = "unary" + operator_of(node).decode()
    offset = walker.emit(op.OPERATION, node.start_byte + walker.shift, walker.string(operator), value, 0)
    if walker.code[value] not in _PLAIN:
        walker.sites += (offset, READ, walker.definition)
    return offset


def comparison_operator(walker: PythonWalker, node: Node) -> int:
    values: list[int] = []
    operators: list[Node] = []
    for child in node.children:
        if child.is_named:
            if child.type != "comment":
                values.append(walker.walk(child))
        else:
            operators.append(child)
    for position, operator in enumerate(operators[: len(values) - 1]):
        text = operator.type
        left, right = values[position], values[position + 1]
        if text in ("in", "not in"):
            left, right = right, left
        if text not in ("is", "is not") and walker.code[left] not in _PLAIN:
            compared = walker.emit(op.OPERATION, operator.start_byte + walker.shift, walker.string(text), left, right)
            walker.sites += (compared, READ, walker.definition)
    return walker.emit(op.LITERAL, node.start_byte + walker.shift, walker.string("bool"))


def await_expression(walker: PythonWalker, node: Node) -> int:
    return walker.emit(op.AWAIT, node.start_byte + walker.shift, walker.wrapped(node))


HANDLERS: Final[Handlers] = {
    "conditional_expression": conditional_expression,
    "boolean_operator": boolean_operator,
    "not_operator": not_operator,
    "binary_operator": binary_operator,
    "union_type": binary_operator,
    "unary_operator": unary_operator,
    "comparison_operator": comparison_operator,
    "await": await_expression,
}
