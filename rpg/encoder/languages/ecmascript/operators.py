"""Operators, casts and conditions, with what a condition proves of a variable."""

from __future__ import annotations

import re
from collections.abc import Callable

from rpg.encoder.facts import DELETED, HANDLED, READ, UPDATED
from rpg.encoder.languages.ecmascript.expressions import Expressions
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import (
    ARGUMENT_COUNT,
    ARGUMENTS,
    ATTRIBUTE,
    AWAIT,
    BYTE,
    CALL,
    CALLEE,
    ELEMENT,
    NAME,
    NARROWED,
    PATH,
    STRING,
    UNION,
    WORD,
    YIELD,
)

_BOOLEAN = frozenset(("==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"))
_ASSIGNING = frozenset(("parenthesized_expression", "assignment_expression", "augmented_assignment_expression"))

_GUARD = re.compile(r"(is|has|assert)[A-Z_]")
"""How functions that prove something of their argument are called."""

Narrowing = tuple[int, str, int, int]
"""What a condition proves: value, its dotted path, class, 1 where it is not one."""
_PROVES_NOTHING: Narrowing = (0, "", 0, 0)
"""A part of a condition that no name is narrowed by."""


class Operators(Expressions):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "as_expression": self.cast,
            "await_expression": self.await_expression,
            "binary_expression": self.binary,
            "instantiation_expression": self.instantiation,
            "satisfies_expression": self.satisfies,
            "sequence_expression": self.sequence,
            "ternary_expression": self.ternary,
            "type_assertion": self.type_assertion,
            "unary_expression": self.unary,
            "update_expression": self.update,
            "yield_expression": self.yield_expression,
        }

    # Operators

    def binary(self, node: Node) -> int:
        """A chain to the left (`a + b + c`) is gone through in a loop: strings put together can be long."""
        rights: list[tuple[Node, str]] = []
        while node.type == "binary_expression":
            children = node.children
            operator = children[1].type if len(children) == 3 else ""
            if operator in ("", "&&", "||", "??") or children[0].type == "private_property_identifier":
                break
            rights.append((children[2], operator))
            node = children[0]
        value = self.logical(node) if node.type == "binary_expression" else self.walk(node)
        while rights:
            right, operator = rights.pop()
            other = self.tested(value, right) if operator == "instanceof" else self.walk(right)
            if operator in _BOOLEAN:
                value = self.literal("boolean", right.start_byte)
            elif operator != "+":
                value = self.literal("number", right.start_byte)
            elif self.is_string(value) or self.is_string(other):
                value = self.literal("string", right.start_byte)
            else:
                value = 0
        return value

    def tested(self, value: int, classes: Node) -> int:
        """What `instanceof` asks for: of what a `catch` caught, it handles the class."""
        is_caught = self.caught and self.code[value] == NAME and self.texts[self.code[value + WORD]] == self.caught
        return self.with_role(classes, HANDLED if is_caught else READ)

    def is_string(self, expression: int) -> bool:
        return self.code[expression] == STRING or expression == self.literals.get("string", -1)

    def logical(self, node: Node) -> int:
        """`&&`, `||` and `??`."""
        operator = node.child_by_field_name("operator")
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is None or left_node is None or right_node is None or operator.type not in ("&&", "||", "??"):
            return self.through(node)
        if operator.type == "&&":
            # What `&&` yields is its right side, or something false.
            return self.held(right_node, self.condition(left_node))
        left = self.walk(left_node)
        right = self.held(right_node, [])
        if not left or not right:
            return left or right
        return self.emit(UNION, node.start_byte, 2, left, right)

    def held(self, node: Node, narrowings: list[Narrowing]) -> int:
        """Lower a part that is evaluated where `narrowings` hold, or not at all."""
        if not narrowings and node.type not in _ASSIGNING:
            return self.walk(node)
        around = self.open_block(node.start_byte, node.end_byte)
        self.narrow(narrowings, node.start_byte)
        value = self.walk(node)
        self.block = around
        return value

    def unary(self, node: Node) -> int:
        operator = node.children[0].type
        argument = node.child_by_field_name("argument")
        value = self.with_role(argument, DELETED if operator == "delete" else READ) if argument is not None else 0
        if operator in ("!", "delete"):
            return self.literal("boolean", node.start_byte)
        if operator == "typeof":
            return self.literal("string", node.start_byte)
        if operator == "void":
            return self.literal("undefined", node.start_byte)
        return self.literal("number", node.start_byte) if value else 0

    def update(self, node: Node) -> int:
        for child in node.named_children:
            self.with_role(child, UPDATED)
        return self.literal("number", node.start_byte)

    def ternary(self, node: Node) -> int:
        fields = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
        parts = [each for each in fields if each is not None]
        if len(parts) < 3:
            return self.through(node)
        narrowings = self.condition(parts[0])
        first = self.held(parts[1], narrowings)
        second = self.held(parts[2], self.negated(narrowings))
        if not first or not second:
            return first or second
        return self.emit(UNION, node.start_byte, 2, first, second)

    def sequence(self, node: Node) -> int:
        return self.only(node)

    def await_expression(self, node: Node) -> int:
        value = self.only(node)
        return self.emit(AWAIT, node.start_byte, value) if value else 0

    def yield_expression(self, node: Node) -> int:
        value = self.only(node)
        delegated = 0
        if len(node.children) > 1 and node.children[1].type == "*":
            delegated, value = value, self.emit(ELEMENT, node.start_byte, value)
        self.yields.setdefault(self.function, []).append(value)
        return self.emit(YIELD, node.start_byte, delegated, self.function)

    # Casts

    def cast(self, node: Node) -> int:
        children = parts_of(node)
        if not children:
            return 0
        value = self.walk(children[0])
        if len(children) < 2:
            return value
        return self.narrowed_by_cast(children[1].start_byte, self.type_of(children[1]), value)

    def satisfies(self, node: Node) -> int:
        value = 0
        for position, child in enumerate(node.named_children):
            if position == 0:
                value = self.walk(child)
            else:
                self.type_of(child)
        return value

    def type_assertion(self, node: Node) -> int:
        """`<T>value`."""
        annotation = value = 0
        for child in node.named_children:
            if child.type == "type_arguments":
                annotation = (self.type_arguments_of(child) or [0])[0]
            else:
                value = self.walk(child)
        return self.narrowed_by_cast(node.start_byte, annotation, value)

    def instantiation(self, node: Node) -> int:
        """`f<T>`."""
        return self.satisfies(node)

    # Conditions

    def condition(self, node: Node | None) -> list[Narrowing]:
        """Lower a condition; what it proves where it holds."""
        if node is None:
            return []
        kind = node.type
        if kind == "parenthesized_expression":
            inner = parts_of(node)
            if len(inner) == 1:
                return self.condition(inner[0])
        elif kind == "unary_expression" and node.children[0].type == "!":
            return self.negated(self.condition(node.child_by_field_name("argument")))
        elif kind == "binary_expression" and len(node.children) == 3:
            left, operator, right = node.children
            if operator.type == "&&":
                first, second = self.both(left, right, False)
                # Where it fails, either part may be the one.
                return [*(first or (second and [_PROVES_NOTHING])), *(second or (first and [_PROVES_NOTHING]))]
            if operator.type == "||":
                first, second = self.both(left, right, True)
                if len(first) == len(second) == 1 and first[0][1] == second[0][1] and not first[0][3] | second[0][3]:
                    value, path, classes, _ = first[0]
                    return [(value, path, self.emit(UNION, node.start_byte, 2, classes, second[0][2]), 0)]
                return []
            if operator.type == "instanceof":
                value = self.walk(left)
                classes = self.tested(value, right)
                path = self.path_of(value) if classes else ""
                return [(value, path, classes, 0)] if path and path != "this" else []
        value = self.table[kind](node)
        return self.guards(value) if kind == "call_expression" else []

    def both(self, left: Node, right: Node, fails: bool) -> tuple[list[Narrowing], list[Narrowing]]:
        """What each side of `&&` or `||` proves; the right one is evaluated where the left one holds, or `fails`."""
        first = self.condition(left)
        held = self.negated(first) if fails else first
        if not held:
            return first, self.condition(right)
        around = self.open_block(right.start_byte, right.end_byte)
        self.narrow(held, right.start_byte)
        second = self.condition(right)
        self.block = around
        return first, second

    def guards(self, call: int) -> list[Narrowing]:
        """`isCart(x)`: what is proven of x stands in the function's annotation, which another file may hold."""
        code = self.code
        if (
            code[call] != CALL
            or not code[call + ARGUMENT_COUNT]
            or code[code[call + CALLEE]] not in (NAME, ATTRIBUTE, PATH)
        ):
            return []
        callee, value = code[call + CALLEE], code[call + ARGUMENTS]
        name = self.texts[code[callee + (2 if code[callee] == NAME else 3)]]
        path = self.path_of(value) if _GUARD.match(name) else ""
        return [(value, path, call, 0)] if path and path != "this" else []

    def negated(self, narrowings: list[Narrowing]) -> list[Narrowing]:
        """What holds where a condition fails; of several parts none is known to be the one."""
        return (
            [(value, path, classes, 1 - no) for value, path, classes, no in narrowings] if len(narrowings) == 1 else []
        )

    def narrow(self, narrowings: list[Narrowing], byte: int) -> None:
        """Bind what is proven from `byte` on, inside the current block."""
        for value, path, classes, no in narrowings:
            if not path:
                continue
            scope = self.function
            if "." in path:
                self.paths.add(path)
            else:
                scope = max(self.scope_of(path), 0)
            self.bind(path, self.emit(NARROWED, self.code[value + BYTE], value, classes, no), byte, "narrow", scope)
