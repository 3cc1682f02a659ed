"""Lowers Swift's operators: functions that a type of an operand has, or that stand outside types.

In: nodes. Out: expressions, with sites of the functions that run.
"""

from __future__ import annotations

from typing import Any, Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.swift.names import SwiftWalker
from rpg.encoder.languages.declarative.unnamed_calls import run_callee, run_member
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handler

SIGNS: Final = frozenset({"-", "+", "!", "~"})
"""Those in front of an operand that are not the language's own."""
_OF_LANGUAGE: Final = frozenset({"===", "!==", "=", "??"})
_TELLING: Final = frozenset({"==", "!=", "<", ">", "<=", ">=", "~=", "!"})
_CHAINS: Final = frozenset({"navigation_expression", "call_expression", "postfix_expression"})
_FOLLOWING: Final = (b".", b"(", b"[", b"!", b"?", b"{")
_MOST_BLANKS: Final = 200
_NEGATED: Final = {"!=": "=="}
"""Operators that run another one where they have no function of their own."""


def operation(walker: SwiftWalker, node: Node) -> int:
    """`a + b`"""
    left = node.child_by_field_name("lhs") or node.child_by_field_name("start")
    right = node.child_by_field_name("rhs") or node.child_by_field_name("end")
    sign = node.child_by_field_name("op")
    if left is None or right is None or sign is None:
        return walker.through(node)
    first, second = walker.walk(left), walker.walk(right)
    return hold_back(walker, node, second, sign, first) or lower_operator(walker, sign, [first, second])


def prefix_operation(walker: SwiftWalker, node: Node, sign: Node, operand: Node) -> int:
    """`-a`"""
    value = walker.walk(operand)
    return hold_back(walker, node, value, sign, 0) or lower_operator(walker, sign, [value])


def lower_operator(walker: SwiftWalker, sign: Node, values: list[int]) -> int:
    made = run_sign(walker, sign, values)
    if walker.source_of(sign) in _TELLING:
        return walker.literal("Bool", sign.start_byte)
    return made or (values[0] if len(values) == 1 else 0)


def is_followed(node: Node) -> bool:
    """Whether a member or call is taken of a node."""
    around = node.parent
    return around is not None and around.type in _CHAINS and around.start_byte == node.start_byte


def hold_back(walker: SwiftWalker, node: Node, last: int, sign: Node, left: int) -> int:
    """For the grammar `a + b.c` is the `c` of `a + b`: what is behind an operation belongs to its last operand, and the
    operator runs behind that. Returns the last operand if there is such, else nothing."""
    following = walker.source[node.end_byte : node.end_byte + _MOST_BLANKS].lstrip()
    if following[:1] not in _FOLLOWING or not last or not is_followed(node):
        return 0
    walker.held_back.append((node.start_byte, sign, left))
    return last


def chain_handler(handler: Handler) -> Handler:
    """A handler of members and calls, behind which what was held back runs."""

    def handle(walker: Any, node: Node) -> int:
        value = handler(walker, node)
        start, held_back = node.start_byte, walker.held_back
        while held_back and held_back[-1][0] == start and not is_followed(node):
            _, sign, left = held_back.pop()
            value = lower_operator(walker, sign, [left, value] if left else [value])
        return value

    return handle


def run_sign(walker: SwiftWalker, node: Node, values: list[int]) -> int:
    """What an operator makes of its operands: by a function of the type of one, or by one outside types."""
    name, byte = walker.source_of(node), node.start_byte
    if name in _OF_LANGUAGE or all(walker.code[each] == op.LITERAL for each in values):
        return 0
    made: list[int] = []
    for each in (name, _NEGATED.get(name, "")):
        if each:
            made += [run_member(walker, holder, each, byte, *values) for holder in dict.fromkeys(values)]
            free = walker.variable(walker.string(each), byte)
            run_callee(walker, free, byte, [word for value in values for word in (op.POSITIONAL, value)])
    return walker.union(made, byte)
