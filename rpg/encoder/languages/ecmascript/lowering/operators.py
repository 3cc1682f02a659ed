"""Lowers operators, casts and conditions.

In: nodes. Out: expressions, and what a condition proves about variables.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import DELETED, HANDLED, READ, UPDATED
from rpg.encoder.languages.ecmascript.types.type_expressions import (
    expect_type,
    narrow_by_cast,
    type_arguments_of,
    type_of,
)
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.narrowing import Narrowing, are_alternatives, conjunction, negate
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_BOOLEAN: Final = frozenset(("==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"))
_ASSIGNING: Final = frozenset(("parenthesized_expression", "assignment_expression", "augmented_assignment_expression"))

_LONGEST_TEXT: Final = 100
_GUARD: Final = re.compile(r"(is|has|assert)[A-Z_]")
"""Names of functions that prove something about their argument."""

# Operators


def binary_expression(walker: EcmaScriptWalker, node: Node) -> int:
    """A left-leaning chain (`a + b + c`) is walked in a loop: concatenations can be long."""
    rights: list[tuple[Node, str]] = []
    while node.type == "binary_expression":
        children = node.children
        operator = children[1].type if len(children) == 3 else ""
        if operator in ("", "&&", "||", "??") or children[0].type == "private_property_identifier":
            break
        rights.append((children[2], operator))
        node = children[0]
    value = logical_expression(walker, node) if node.type == "binary_expression" else walker.walk(node)
    while rights:
        right, operator = rights.pop()
        other = lower_tested_class(walker, value, right) if operator == "instanceof" else walker.walk(right)
        if operator == "in":
            member_tested(walker, value, other)
        if operator in _BOOLEAN:
            value = walker.literal("boolean", right.start_byte)
        elif operator != "+":
            value = walker.literal("number", right.start_byte)
        elif is_string(walker, value) or is_string(walker, other):
            value = join_texts(walker, value, other) or walker.literal("string", right.start_byte)
        else:
            value = 0
    return value


def join_texts(walker: EcmaScriptWalker, left: int, right: int) -> int:
    """`"a" + "b"`; 0 if a side is no constant, or the text is too long to name something."""
    code, texts = walker.code, walker.texts
    if code[left] != op.STRING or code[right] != op.STRING:
        return 0
    text = texts[code[left + op.WORD]] + texts[code[right + op.WORD]]
    return walker.emit(op.STRING, code[left + op.BYTE], walker.string(text)) if len(text) <= _LONGEST_TEXT else 0


def member_tested(walker: EcmaScriptWalker, key: int, holder: int) -> None:
    """`"total" in cart`: a constant key is the member of that name."""
    code = walker.code
    if code[key] == op.STRING and walker.texts[code[key + op.WORD]].isidentifier():
        walker.site(walker.emit(op.ATTRIBUTE, code[key + op.BYTE] + 1, holder, code[key + op.WORD]), READ)


def lower_tested_class(walker: EcmaScriptWalker, value: int, classes: Node) -> int:
    """What `instanceof` asks for: of what a `catch` caught, it handles the class."""
    code = walker.code
    is_caught = walker.caught and code[value] == op.NAME and walker.texts[code[value + op.WORD]] == walker.caught
    return walker.with_role(classes, HANDLED if is_caught else READ)


def is_string(walker: EcmaScriptWalker, expression: int) -> bool:
    return walker.code[expression] == op.STRING or expression == walker.literals.get("string", -1)


def logical_expression(walker: EcmaScriptWalker, node: Node) -> int:
    """`&&`, `||` and `??`."""
    operator = node.child_by_field_name("operator")
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator is None or left_node is None or right_node is None or operator.type not in ("&&", "||", "??"):
        return walker.through(node)
    if operator.type == "&&":
        # `&&` yields its right side, or something false.
        return lower_narrowed(walker, right_node, lower_condition(walker, left_node))
    left = walker.walk(left_node)
    right = lower_narrowed(walker, right_node, [])
    if not left or not right:
        return left or right
    return walker.emit(op.UNION, node.start_byte, 2, left, right)


def lower_narrowed(walker: EcmaScriptWalker, node: Node, narrowings: list[Narrowing]) -> int:
    """Lowers a part that is evaluated only where `narrowings` hold."""
    if not narrowings and node.type not in _ASSIGNING:
        return walker.walk(node)
    around = walker.open_block(node.start_byte, node.end_byte)
    narrow(walker, narrowings, node.start_byte)
    value = walker.walk(node)
    walker.block = around
    return value


def unary_expression(walker: EcmaScriptWalker, node: Node) -> int:
    operator = node.children[0].type
    argument = node.child_by_field_name("argument")
    value = walker.with_role(argument, DELETED if operator == "delete" else READ) if argument is not None else 0
    if operator in ("!", "delete"):
        return walker.literal("boolean", node.start_byte)
    if operator == "typeof":
        return walker.literal("string", node.start_byte)
    if operator == "void":
        return walker.literal("undefined", node.start_byte)
    return walker.literal("number", node.start_byte) if value else 0


def update_expression(walker: EcmaScriptWalker, node: Node) -> int:
    for child in node.named_children:
        walker.with_role(child, UPDATED)
    return walker.literal("number", node.start_byte)


def ternary_expression(walker: EcmaScriptWalker, node: Node) -> int:
    fields = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
    parts = [each for each in fields if each is not None]
    if len(parts) < 3:
        return walker.through(node)
    narrowings = lower_condition(walker, parts[0])
    first = lower_narrowed(walker, parts[1], narrowings)
    second = lower_narrowed(walker, parts[2], negate(narrowings))
    if not first or not second:
        return first or second
    return walker.emit(op.UNION, node.start_byte, 2, first, second)


def sequence_expression(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.only(node)


def await_expression(walker: EcmaScriptWalker, node: Node) -> int:
    value = walker.only(node)
    return walker.emit(op.AWAIT, node.start_byte, value) if value else 0


def yield_expression(walker: EcmaScriptWalker, node: Node) -> int:
    value = walker.only(node)
    delegated = 0
    if len(node.children) > 1 and node.children[1].type == "*":
        delegated, value = value, walker.emit(op.ELEMENT, node.start_byte, value)
    walker.yields.setdefault(walker.function, []).append(value)
    return walker.emit(op.YIELD, node.start_byte, delegated, walker.function)


# Casts


def cast_expression(walker: EcmaScriptWalker, node: Node) -> int:
    children = parts_of(node)
    if not children:
        return 0
    value = walker.walk(children[0])
    if len(children) < 2:
        return value
    return narrow_by_cast(walker, children[1].start_byte, type_of(walker, children[1]), value)


def satisfies_expression(walker: EcmaScriptWalker, node: Node) -> int:
    children = parts_of(node)
    value = walker.walk(children[0]) if children else 0
    for child in children[1:]:
        expect_type(walker, type_of(walker, child), value)
    return value


def type_assertion(walker: EcmaScriptWalker, node: Node) -> int:
    """`<T>value`."""
    annotation = value = 0
    for child in node.named_children:
        if child.type == "type_arguments":
            annotation = (type_arguments_of(walker, child) or [0])[0]
        else:
            value = walker.walk(child)
    return narrow_by_cast(walker, node.start_byte, annotation, value)


def instantiation_expression(walker: EcmaScriptWalker, node: Node) -> int:
    """`f<T>`."""
    value = 0
    for position, child in enumerate(node.named_children):
        if position == 0:
            value = walker.walk(child)
        else:
            type_of(walker, child)
    return value


# Conditions


def lower_condition(walker: EcmaScriptWalker, node: Node | None) -> list[Narrowing]:
    """Lowers a condition; returns what it proves where it holds."""
    if node is None:
        return []
    kind = node.type
    if kind == "parenthesized_expression":
        inner = parts_of(node)
        if len(inner) == 1:
            return lower_condition(walker, inner[0])
    elif kind == "unary_expression" and node.children[0].type == "!":
        return negate(lower_condition(walker, node.child_by_field_name("argument")))
    elif kind == "binary_expression" and len(node.children) == 3:
        left, operator, right = node.children
        if operator.type == "&&":
            first, second = both_sides(walker, left, right, False)
            return conjunction(first, second)
        if operator.type == "||":
            first, second = both_sides(walker, left, right, True)
            if are_alternatives(first, second):
                value, path, classes, _ = first[0]
                return [(value, path, walker.emit(op.UNION, node.start_byte, 2, classes, second[0][2]), 0)]
            return []
        if operator.type == "instanceof":
            value = walker.walk(left)
            classes = lower_tested_class(walker, value, right)
            path = walker.path_of(value) if classes else ""
            return [(value, path, classes, 0)] if path and path != "this" else []
    value = walker.table[kind](walker, node)
    return guards(walker, value) if kind == "call_expression" else []


def both_sides(
    walker: EcmaScriptWalker, left: Node, right: Node, fails: bool
) -> tuple[list[Narrowing], list[Narrowing]]:
    """What each side of `&&` or `||` proves; the right side is evaluated only where the left one holds, or `fails`."""
    first = lower_condition(walker, left)
    held = negate(first) if fails else first
    if not held:
        return first, lower_condition(walker, right)
    around = walker.open_block(right.start_byte, right.end_byte)
    narrow(walker, held, right.start_byte)
    second = lower_condition(walker, right)
    walker.block = around
    return first, second


def guards(walker: EcmaScriptWalker, call: int) -> list[Narrowing]:
    """`isCart(x)`: what is proven about x is in the function's annotation, which may be in another file."""
    code = walker.code
    if (
        code[call] != op.CALL
        or not code[call + op.ARGUMENT_COUNT]
        or code[code[call + op.CALLEE]] not in (op.NAME, op.ATTRIBUTE, op.PATH)
    ):
        return []
    callee, value = code[call + op.CALLEE], code[call + op.ARGUMENTS]
    name = walker.texts[code[callee + (2 if code[callee] == op.NAME else 3)]]
    path = walker.path_of(value) if _GUARD.match(name) else ""
    return [(value, path, call, 0)] if path and path != "this" else []


def narrow(walker: EcmaScriptWalker, narrowings: list[Narrowing], byte: int) -> None:
    """Binds what is proven, from `byte` on, inside the current block."""
    for value, path, classes, no in narrowings:
        if not path:
            continue
        scope = walker.function
        if "." in path:
            walker.paths.add(path)
        else:
            scope = max(walker.scope_of(path), 0)
        walker.bind(
            path, walker.emit(op.NARROWED, walker.code[value + op.BYTE], value, classes, no), byte, "narrow", scope
        )


HANDLERS: Final[Handlers] = {
    "as_expression": cast_expression,
    "await_expression": await_expression,
    "binary_expression": binary_expression,
    "instantiation_expression": instantiation_expression,
    "satisfies_expression": satisfies_expression,
    "sequence_expression": sequence_expression,
    "ternary_expression": ternary_expression,
    "type_assertion": type_assertion,
    "unary_expression": unary_expression,
    "update_expression": update_expression,
    "yield_expression": yield_expression,
}
