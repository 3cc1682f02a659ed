"""Operators of C#: their definitions, named by their signs, and the operators that expressions run.

In: nodes. Out: definitions; expressions, with sites of the operators that run. An operator is one of the type of the
first operand. Absent: those of the type of the second alone, conversions, and what `true`, `false` and indexers run.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.csharp.patterns import assignment
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import coalescing
from rpg.encoder.languages.declarative.spec import Form
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_FORM: Final = Form("method", result=("type",))
_SIGNS: Final = frozenset("+ - * / % & | ^ << >> >>> == != < > <= >= ! ~ ++ --".split())
_TELLING: Final = frozenset("== != < > <= >= !".split())
_COMPOUND: Final = frozenset("+= -= *= /= %= &= |= ^= <<= >>= >>>=".split())


def operator_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """`public static V operator +(V a, V b)`"""
    children = node.children
    at = next((index for index, child in enumerate(children) if child.type == "operator"), -1)
    sign = children[at + 1] if 0 <= at < len(children) - 1 else None
    if sign is not None and sign.type == "checked":
        sign = children[at + 2]
    if sign is None or sign.type not in _SIGNS:
        return walker.through(node)
    define(walker, node, _FORM, sign)
    return 0


def operation(walker: DeclarativeWalker, node: Node) -> int:
    """`a + b`"""
    sign = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign is None or left is None or right is None or sign.type not in _SIGNS:
        return coalescing(walker, node)
    return run_sign(walker, sign.type, sign.start_byte, [walker.walk(left), walker.walk(right)])


def lower_sign(walker: DeclarativeWalker, node: Node) -> int:
    """`-a`, `!ready`"""
    value, sign = walker.only(node), node.children[0]
    made = run_sign(walker, sign.type, sign.start_byte, [value]) if sign.type in _SIGNS else 0
    return walker.literal("bool", node.start_byte) if sign.type == "!" else made or value


def lower_postfix(walker: DeclarativeWalker, node: Node) -> int:
    """`a++`"""
    value, sign = walker.only(node), node.children[-1]
    if sign.type in _SIGNS and node.child_count > 1:
        run_sign(walker, sign.type, sign.start_byte, [value])
    return value


def lower_assignment(walker: DeclarativeWalker, node: Node) -> int:
    """`a = b`; `a += b` runs `+`, too."""
    value = assignment(walker, node)
    sign, left = node.child_by_field_name("operator"), node.child_by_field_name("left")
    if sign is None or left is None or sign.type not in _COMPOUND:
        return value
    first = len(walker.sites)
    holder = walker.walk(left)
    del walker.sites[first:]  # the operand is named once
    return run_sign(walker, sign.type[:-1], sign.start_byte, [holder, value])


def run_sign(walker: DeclarativeWalker, sign: str, byte: int, values: list[int]) -> int:
    """What an operator makes of its operands, by the type of the first; of a literal and another one, by the other."""
    if len(values) > 1 and values[0] and walker.code[values[0]] == op.LITERAL:
        made = run_member(walker, values[1], sign, byte, *values) if values[1] else 0
    else:
        made = run_member(walker, values[0], sign, byte, *values) if values[0] else 0
    return walker.literal("bool", byte) if sign in _TELLING else made
