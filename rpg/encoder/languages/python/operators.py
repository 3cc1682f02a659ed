"""Operators, conditional expressions, `await`."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import READ
from rpg.encoder.languages.python.conditions import Conditions
from rpg.encoder.languages.python.walk import DISPLAYS, Node
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.operations import AWAIT, LITERAL, NUMBER, OPERATION, UNION

_PLAIN = DISPLAYS | {NUMBER}
"""Likewise arithmetic and comparison."""


class Operators(Conditions):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.expressions |= {
            "conditional_expression": self.conditional_expression,
            "boolean_operator": self.boolean_operator,
            "not_operator": self.not_operator,
            "binary_operator": self.binary_operator,
            "union_type": self.binary_operator,
            "unary_operator": self.unary_operator,
            "comparison_operator": self.comparison_operator,
            "await": self.await_expression,
        }

    def conditional_expression(self, node: Node) -> int:
        parts = parts_of(node)
        if len(parts) != 3:
            return 0
        narrowings = self.condition(parts[1])
        around = self.open_block(parts[0].start_byte, parts[0].end_byte)
        self.narrow(narrowings, parts[0].start_byte)
        first = self.expression(parts[0])
        self.block = around
        around = self.open_block(parts[2].start_byte, parts[2].end_byte)
        self.narrow(self.negated(narrowings), parts[2].start_byte)
        second = self.expression(parts[2])
        self.block = around
        return self.emit(UNION, node.start_byte + self.shift, 2, first, second)

    def boolean_operator(self, node: Node) -> int:
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        if self.operator(node) == b"and":
            # What `and` yields is its right side, or something false.
            narrowings = self.condition(left_node)
            around = self.open_block(right_node.start_byte, right_node.end_byte)
            self.narrow(narrowings, right_node.start_byte)
            right = self.expression(right_node)
            self.block = around
            return right
        left = self.expression(left_node)
        right = self.expression(right_node)
        return self.emit(UNION, node.start_byte + self.shift, 2, left, right)

    def not_operator(self, node: Node) -> int:
        self.expression_field(node, "argument")
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("bool"))

    def binary_operator(self, node: Node) -> int:
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left_node is None or right_node is None:
            # A union in a type position has no fields.
            parts = [self.expression(child) for child in parts_of(node)]
            return self.emit(UNION, node.start_byte + self.shift, len(parts), *parts)
        left, right = self.expression(left_node), self.expression(right_node)
        operator = node.child_by_field_name("operator")
        offset = self.emit(OPERATION, operator.start_byte + self.shift, self.string(operator.type), left, right)
        if self.role == READ and (self.code[left] not in _PLAIN or self.code[right] not in _PLAIN):
            self.sites += (offset, READ, self.definition)
        return offset

    def unary_operator(self, node: Node) -> int:
        value = self.expression_field(node, "argument")
        operator = "unary" + self.operator(node).decode()
        offset = self.emit(OPERATION, node.start_byte + self.shift, self.string(operator), value, 0)
        if self.code[value] not in _PLAIN:
            self.sites += (offset, READ, self.definition)
        return offset

    def comparison_operator(self, node: Node) -> int:
        values: list[int] = []
        operators: list[Node] = []
        for child in node.children:
            if child.is_named:
                if child.type != "comment":
                    values.append(self.expression(child))
            else:
                operators.append(child)
        for position, operator in enumerate(operators[: len(values) - 1]):
            text = operator.type
            left, right = values[position], values[position + 1]
            if text in ("in", "not in"):
                left, right = right, left
            if text not in ("is", "is not") and self.code[left] not in _PLAIN:
                compared = self.emit(OPERATION, operator.start_byte + self.shift, self.string(text), left, right)
                self.sites += (compared, READ, self.definition)
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("bool"))

    def await_expression(self, node: Node) -> int:
        return self.emit(AWAIT, node.start_byte + self.shift, self.wrapped(node))
