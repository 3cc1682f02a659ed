"""What Ruby runs without naming it: operators, indexes, loops, interpolation, blocks.

In: nodes. Out: calls of the members that the operands have. What an operand is must be known.

Absent: `method_missing`, conversions of arguments, patterns.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.tested_types import lower_both, note_test
from rpg.encoder.languages.declarative.unnamed_calls import offer_writer, run_member, run_with
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_LOGICAL: Final = frozenset(("&&", "and", "or", "||"))
_CLASSES: Final = frozenset(("constant", "scope_resolution"))
_COMPARED: Final = frozenset(("<", "<=", ">", ">="))
_LOOPING: Final = frozenset(
    """
    all? any? chunk_while collect count cycle detect drop_while each_cons each_entry each_slice each_with_index
    each_with_object entries filter filter_map find find_all find_index first flat_map group_by include? inject map max
    max_by min min_by minmax none? one? partition reduce reject reverse_each select sort sort_by sum take take_while
    tally to_a to_set uniq zip
    """.split()
)
"""Methods of `Enumerable`, which run `each`."""


def binary(walker: DeclarativeWalker, node: Node) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return walker.through(node)
    name, byte = operator.type, operator.start_byte
    if name in _LOGICAL:
        return walker.union(list(lower_both(walker, left, right)), node.start_byte)
    holder, value = walker.walk(left), walker.walk(right)
    if name == "===" and left.type in _CLASSES:
        note_test(walker, node, right, value, holder)
    if walker.code[holder] == op.LITERAL:
        # A number asks what it does not know.
        run_member(walker, value, "coerce", byte, holder)
        return 0
    made = run_member(walker, holder, name, byte, value)
    if name in _COMPARED:
        run_member(walker, holder, "<=>", byte, value)
    elif name == "!=":
        run_member(walker, holder, "==", byte, value)
    return made


def unary(walker: DeclarativeWalker, node: Node) -> int:
    operand, operator = node.child_by_field_name("operand"), node.child_by_field_name("operator")
    if operand is None or operator is None:
        return walker.through(node)
    sign = operator.type
    name = f"{sign}@" if sign in ("+", "-") else sign
    return run_member(walker, walker.walk(operand), name, operator.start_byte)


def index(walker: DeclarativeWalker, node: Node) -> int:
    """`cart[1]`"""
    holder, row = _lower_indexed(walker, node)
    return run_with(walker, holder, "[]", node.start_byte, row)


def _lower_indexed(walker: DeclarativeWalker, node: Node) -> tuple[int, list[int]]:
    first = node.child_by_field_name("object")
    holder = walker.walk(first) if first is not None else 0
    values = [walker.walk(child) for child in node.named_children if child != first]
    return holder, [word for each in values for word in (op.POSITIONAL, each)]


def assign_index(walker: DeclarativeWalker, node: Node, value: int) -> None:
    """`cart[1] = line`"""
    holder, row = _lower_indexed(walker, node)
    run_with(walker, holder, "[]=", node.start_byte, [*row, op.POSITIONAL, value])


def operator_assignment(walker: DeclarativeWalker, node: Node) -> int:
    """`cart += line`, `cart[1] += 2`"""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return walker.through(node)
    holder, value = walker.walk(left), walker.walk(right)
    if left.type == "call" and left.child_by_field_name("receiver") is not None:
        offer_writer(walker, holder, "=")
    name = operator.type.removesuffix("=")
    if name in _LOGICAL:
        return walker.union([holder, value], node.start_byte)
    made = run_member(walker, holder, name, operator.start_byte, value)
    if left.type == "element_reference":
        assign_index(walker, left, value)
    return made


def interpolation(walker: DeclarativeWalker, node: Node) -> int:
    """`"#{cart}"` runs `to_s`."""
    value = 0
    for child in node.named_children:
        value = walker.walk(child)
    run_member(walker, value, "to_s", node.named_children[-1].start_byte if node.named_child_count else 0)
    return 0


def loop(walker: DeclarativeWalker, node: Node) -> int:
    """`for line in cart` runs `each`."""
    pattern, held = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    value = 0
    for child in held.named_children if held is not None else ():
        value = walker.walk(child)
    if held is not None and held.named_child_count:
        run_member(walker, value, "each", held.named_children[-1].start_byte)
    around = walker.open_block(node.start_byte, node.end_byte, True)
    if pattern is not None and pattern.type == "identifier":
        element = walker.emit(op.ELEMENT, pattern.start_byte, value) if value else 0
        walker.bind(walker.text_of(pattern), element, pattern.end_byte)
    elif pattern is not None:
        for each in pattern.named_children:
            if each.type == "identifier":
                walker.bind(walker.text_of(each), 0, each.end_byte)
    walker.field(node, "body")
    walker.block = around
    return 0


def run_each(walker: DeclarativeWalker, method: str, holder: int, byte: int) -> None:
    """`cart.map` runs `each` where the class has `map` from `Enumerable`."""
    if method in _LOOPING:
        run_member(walker, holder, "each", byte)


HANDLERS: Final[Handlers] = {
    "binary": binary,
    "unary": unary,
    "element_reference": index,
    "operator_assignment": operator_assignment,
    "interpolation": interpolation,
    "for": loop,
}
