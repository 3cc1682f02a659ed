"""Lowers Go's statements.

In: nodes. Out: bindings, blocks and sites, in the order in which they may run.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import WRITE
from rpg.encoder.languages.go.declarations import lower_list, pair_value
from rpg.encoder.languages.go.types import type_of
from rpg.encoder.languages.go.walker import GoWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker

_DECLARING: Final = frozenset(("short_var_declaration", "var_declaration", "const_declaration", "type_declaration"))
_CASES: Final = frozenset(("expression_case", "type_case", "communication_case", "default_case"))


# Blocks


def declares(walker: GoWalker, node: Node) -> bool:
    for child in node.named_children:
        if child.type in _DECLARING or (child.type == "statement_list" and declares(walker, child)):
            return True
    return False


def block(walker: GoWalker, node: Node) -> int:
    """Names that a block declares are visible only in it."""
    if not declares(walker, node):
        return walker.through(node)
    around = walker.scope
    walker.open_block_scope(node)
    walker.through(node)
    walker.scope = around
    return 0


def open_header_scope(walker: GoWalker, node: Node, initializer: Node | None) -> int:
    """Opens the scope of a statement whose header declares names. Returns the enclosing scope."""
    around = walker.scope
    if initializer is not None and initializer.type == "short_var_declaration":
        walker.open_block_scope(node)
    return around


# Assignment


def short_declaration(walker: GoWalker, node: Node) -> int:
    """`a, b := x, y`, and the same with `=` in a receive."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is None:
        return walker.through(node)
    values = lower_list(walker, right)
    if left is None:
        return 0
    names = parts_of(left) if left.type == "expression_list" else [left]
    declared = any(child.type == ":=" for child in node.children)
    for index, name in enumerate(names):
        value = pair_value(walker, values, index, len(names))
        if declared and name.type == "identifier":
            if walker.source[name.start_byte : name.end_byte] != b"_":
                walker.bind(walker.text_of(name), value, node.end_byte)
        else:
            assign(walker, name, value, node.end_byte)
    return 0


def assignment_statement(walker: GoWalker, node: Node) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None:
        return walker.through(node)
    values = lower_list(walker, right)
    targets = parts_of(left) if left.type == "expression_list" else [left]
    plain = operator is None or operator.type == "="
    for index, target in enumerate(targets):
        if plain:
            assign(walker, target, pair_value(walker, values, index, len(targets)), node.end_byte)
        else:
            walker.with_role(target, WRITE)
    return 0


def assign(walker: GoWalker, target: Node, value: int, byte: int) -> None:
    kind = target.type
    if kind == "identifier":
        name = walker.text_of(target)
        if name != "_":
            walker.name(name, target.start_byte, WRITE)
            walker.assign_later(name, value, byte)
    elif kind == "selector_expression" and len(target.children) == 3:
        container = walker.walk(target.children[0])
        name_node = target.children[2]
        name = walker.text_of(name_node)
        walker.site(walker.emit(op.ATTRIBUTE, name_node.start_byte, container, walker.string(name)), WRITE)
        if value:
            walker.members.append((container, name, value))
    elif kind == "index_expression":
        container, index = walker.field(target, "operand"), walker.field(target, "index")
        if value:
            walker.items.append((container, index, value))
    elif kind == "parenthesized_expression" and target.named_child_count == 1:
        assign(walker, target.named_children[0], value, byte)
    else:
        walker.walk(target)


def counting_statement(walker: GoWalker, node: Node) -> int:
    for child in node.named_children:
        walker.with_role(child, WRITE)
    return 0


def send_statement(walker: GoWalker, node: Node) -> int:
    channel, value = walker.field(node, "channel"), walker.field(node, "value")
    if channel and value:
        walker.items.append((channel, 0, value))
    return 0


def return_statement(walker: GoWalker, node: Node) -> int:
    values: list[int] = []
    for child in walker.parts(node):
        values += lower_list(walker, child)
    if len(values) > 1:
        values = [walker.emit(op.TUPLE, node.start_byte, len(values), *values)]
    if values and values[0]:
        walker.returns.setdefault(walker.function, []).append(values[0])
    return 0


# Control


def if_statement(walker: GoWalker, node: Node) -> int:
    initializer = node.child_by_field_name("initializer")
    around = open_header_scope(walker, node, initializer)
    if initializer is not None:
        walker.walk(initializer)
    walker.field(node, "condition")
    walker.maybe(node.child_by_field_name("consequence"))
    walker.maybe(node.child_by_field_name("alternative"))
    walker.scope = around
    return 0


def for_statement(walker: GoWalker, node: Node) -> int:
    body = node.child_by_field_name("body")
    around, block = walker.here(), walker.block
    for child in node.named_children:
        kind = child.type
        if kind == "range_clause":
            range_clause(walker, child, node, body)
        elif kind == "for_clause":
            initializer = child.child_by_field_name("initializer")
            open_header_scope(walker, node, initializer)
            if initializer is not None:
                walker.walk(initializer)
            walker.open_block(child.start_byte, node.end_byte, loop=True)
            walker.field(child, "condition")
            walker.field(child, "update")
        elif kind == "block":
            if walker.block == block:
                walker.open_block(child.start_byte, child.end_byte, loop=True)
            walker.walk(child)
        else:
            walker.walk(child)
    walker.return_to(around)
    return 0


def range_clause(walker: GoWalker, node: Node, loop: Node, body: Node | None) -> None:
    """`for k, v := range e`: v is the value under an index; k may be a key, or an element of a channel."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = walker.walk(right) if right is not None else 0
    start = body.start_byte if body is not None else node.end_byte
    if left is None:
        walker.open_block(start, loop.end_byte, loop=True)
        return
    names = parts_of(left) if left.type == "expression_list" else [left]
    declared = any(child.type == ":=" for child in node.children)
    if declared:
        walker.open_block_scope(loop)
    walker.open_block(start, loop.end_byte, loop=True)
    for index, name in enumerate(names[:2]):
        part = 0
        if value:
            byte = name.start_byte
            part = (
                walker.emit(op.SUBSCRIPT, byte, value, walker.literal("int", byte))
                if index
                else walker.emit(op.ELEMENT, byte, value)
            )
        if declared and name.type == "identifier":
            if walker.source[name.start_byte : name.end_byte] != b"_":
                walker.bind(walker.text_of(name), part, start)
        else:
            assign(walker, name, part, start)


def switch_statement(walker: GoWalker, node: Node) -> int:
    """`switch` and `select`."""
    initializer = node.child_by_field_name("initializer")
    around = open_header_scope(walker, node, initializer)
    for child in node.named_children:
        if child.type in _CASES:
            lower_case(walker, child)
        else:
            walker.walk(child)
    walker.scope = around
    return 0


def lower_case(walker: GoWalker, node: Node) -> int:
    around = walker.here()
    communication = node.child_by_field_name("communication")
    if declares(walker, node) or (communication is not None and communication.type == "receive_statement"):
        walker.open_block_scope(node)
    walker.open_block(node.start_byte, node.end_byte)
    walker.through(node)
    walker.return_to(around)
    return 0


def type_switch_statement(walker: GoWalker, node: Node) -> int:
    """`switch t := x.(type)`: in each case `t` is a variable of that type."""
    initializer = node.child_by_field_name("initializer")
    around = open_header_scope(walker, node, initializer)
    if initializer is not None:
        walker.walk(initializer)
    alias_node = node.child_by_field_name("alias")
    alias = walker.text_of(alias_node) if alias_node is not None else ""
    value = walker.field(node, "value")
    for child in walker.parts(node):
        if child.type not in _CASES:
            continue
        outside = walker.here()
        walker.open_block_scope(child)
        walker.open_block(child.start_byte, child.end_byte)
        listed = [part for part in child.children_by_field_name("type") if part.is_named]
        types = [part for each in listed if (part := type_of(walker, each))]
        if alias:
            held = value
            if types:
                annotation = (
                    types[0] if len(types) == 1 else walker.emit(op.UNION, child.start_byte, len(types), *types)
                )
                held = walker.emit(op.TYPED, child.start_byte, annotation, value)
            walker.bind(alias, held, child.start_byte)
        for inner in walker.parts(child):
            if inner.type == "statement_list":
                walker.through(inner)
        walker.return_to(outside)
    walker.scope = around
    return 0


HANDLERS: Final[Handlers] = {
    "block": block,
    "statement_list": Walker.through,
    "expression_statement": Walker.through,
    "short_var_declaration": short_declaration,
    "assignment_statement": assignment_statement,
    "inc_statement": counting_statement,
    "dec_statement": counting_statement,
    "return_statement": return_statement,
    "if_statement": if_statement,
    "for_statement": for_statement,
    "expression_switch_statement": switch_statement,
    "type_switch_statement": type_switch_statement,
    "select_statement": switch_statement,
    "communication_case": lower_case,
    "receive_statement": short_declaration,
    "send_statement": send_statement,
    "labeled_statement": Walker.through,
    "label_name": Walker.skip,
    "break_statement": Walker.skip,
    "continue_statement": Walker.skip,
    "goto_statement": Walker.skip,
    "comment": Walker.comment,
    "fallthrough_statement": Walker.skip,
    "empty_statement": Walker.skip,
}
