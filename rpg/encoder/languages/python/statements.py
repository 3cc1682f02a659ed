"""Lowers statements: conditions, loops, `with`, `try`.

In: nodes. Out: bindings, blocks and sites, in the order in which they may run.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import DELETED, HANDLED, RAISED, READ
from rpg.encoder.languages.python.conditions import lower_condition, narrow
from rpg.encoder.languages.python.strings.members import key_named, lower_declared_keys
from rpg.encoder.languages.python.targets import assign, define_constant
from rpg.encoder.languages.python.walker import DISPLAYS, PythonWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.narrowing import Narrowing, negate
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker

_EXITS: Final = {"return_statement", "raise_statement", "continue_statement", "break_statement"}
_INERT: Final = (
    "pass_statement",
    "break_statement",
    "continue_statement",
    "future_import_statement",
    "line_continuation",
)
_CLOSED: Final = 64
"""The most earlier conditions of an `if` that are known to have failed in a later branch, so that thousands of branches
cost no more each than a few do."""


def comment(walker: PythonWalker, node: Node) -> int:
    return walker.comment(node)


def expression_statement(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "string" and child.named_child_count <= 3:
            if any(part.type == "interpolation" for part in child.named_children):
                walker.walk(child)
        else:
            walker.walk(child)
    return 0


def return_statement(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        value = walker.walk(child)
        if value:
            scope = walker.function_scope()
            walker.returns.setdefault(scope, []).append(value)
            if scope in walker.annotations:
                lower_declared_keys(walker, walker.annotations[scope], value)
    return 0


def raise_statement(walker: PythonWalker, node: Node) -> int:
    for position, child in enumerate(node.named_children):
        if position == 0 and child.type in ("identifier", "attribute"):
            walker.with_role(child, RAISED)
        elif position == 0 and child.type == "call":
            raised = walker.walk(child)
            if walker.code[raised] == op.CALL:
                walker.site(raised, RAISED)
        else:
            walker.walk(child)
    return 0


def if_statement(walker: PythonWalker, node: Node) -> int:
    condition = node.child_by_field_name("condition")
    narrowings = lower_condition(walker, condition)
    body = node.child_by_field_name("consequence")
    branch(walker, body, narrowings)
    chain = node.children_by_field_name("alternative")
    closed = negate(narrowings)
    for alternative in chain:
        around = walker.open_block(alternative.start_byte, alternative.end_byte)
        narrow(walker, closed, alternative.start_byte)
        if alternative.type == "elif_clause":
            test = alternative.child_by_field_name("condition")
            more = lower_condition(walker, test)
            branch(walker, alternative.child_by_field_name("consequence"), more)
            closed = (closed + negate(more))[-_CLOSED:]
        else:
            walker.field(alternative, "body")
        walker.block = around
    if not chain and body is not None and narrowings and leaves(walker, body):
        narrow(walker, negate(narrowings), node.end_byte)
    return 0


def branch(walker: PythonWalker, body: Node | None, narrowings: list[Narrowing]) -> None:
    if body is None:
        return
    around = walker.open_block(body.start_byte, body.end_byte)
    narrow(walker, narrowings, body.start_byte)
    walker.walk(body)
    walker.block = around


def leaves(walker: PythonWalker, body: Node) -> bool:
    """Whether control never passes the end of a body."""
    children = parts_of(body)
    return bool(children) and children[-1].type in _EXITS


def for_statement(walker: PythonWalker, node: Node) -> int:
    right_node = node.child_by_field_name("right")
    right = walker.walk(right_node) if right_node is not None else 0
    element = walker.iterated(right, right_node.start_byte if right_node is not None else node.start_byte, DISPLAYS)
    body = node.child_by_field_name("body")
    start = body.start_byte if body is not None else node.end_byte
    around = walker.open_block(start, body.end_byte if body is not None else node.end_byte, loop=True)
    assign(walker, node.child_by_field_name("left"), element, start)
    if body is not None:
        walker.walk(body)
    walker.block = around
    else_of(walker, node)
    return 0


def while_statement(walker: PythonWalker, node: Node) -> int:
    body = node.child_by_field_name("body")
    around = walker.open_block(node.start_byte, body.end_byte if body is not None else node.end_byte, loop=True)
    narrowings = lower_condition(walker, node.child_by_field_name("condition"))
    branch(walker, body, narrowings)
    walker.block = around
    else_of(walker, node)
    return 0


def else_of(walker: PythonWalker, node: Node) -> None:
    alternative = node.child_by_field_name("alternative")
    if alternative is not None:
        walker.maybe(alternative.child_by_field_name("body"))


def try_statement(walker: PythonWalker, node: Node) -> int:
    for child in walker.parts(node):
        kind = child.type
        if kind == "block":
            walker.maybe(child)
        elif kind in ("except_clause", "except_group_clause"):
            except_clause(walker, child)
        elif kind == "else_clause":
            walker.maybe(child.child_by_field_name("body"))
        elif kind == "finally_clause":
            walker.through(child)
    return 0


def except_clause(walker: PythonWalker, node: Node) -> None:
    around = walker.open_block(node.start_byte, node.end_byte)
    for child in node.named_children:
        kind = child.type
        if kind in ("block", "comment"):
            walker.walk(child)
        elif kind == "as_pattern":
            caught = parts_of(child)
            classes = lower_handled(walker, caught[0])
            if len(caught) > 1:
                value = walker.emit(op.CAUGHT, child.start_byte, classes)
                target = caught[1].named_children[0] if caught[1].named_child_count else caught[1]
                assign(walker, target, value, child.end_byte)
        else:
            lower_handled(walker, child)
    walker.block = around


def lower_handled(walker: PythonWalker, node: Node) -> int:
    """The classes that an `except` names."""
    before, walker.role = walker.role, HANDLED
    classes = walker.walk(node)
    walker.role = before
    return classes


def with_statement(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "with_clause":
            for item in walker.parts(child):
                with_item(walker, item)
        else:
            walker.walk(child)
    return 0


def with_item(walker: PythonWalker, node: Node) -> None:
    value = node.child_by_field_name("value") or node
    if value.type == "as_pattern":
        parts = parts_of(value)
        entered = walker.emit(op.ENTERED, value.start_byte, walker.walk(parts[0]))
        enter_context(walker, entered)
        if len(parts) > 1:
            target = parts[1].named_children[0] if parts[1].named_child_count else parts[1]
            assign(walker, target, entered, value.end_byte)
    elif value.type in ("tuple", "parenthesized_expression") and value is not node:
        for part in value.named_children:
            if part.type == "as_pattern":
                parts = [each for each in part.named_children if each.type != "comment"]
                entered = walker.emit(op.ENTERED, part.start_byte, walker.walk(parts[0]))
                enter_context(walker, entered)
                assign(walker, parts[1].named_children[0], entered, part.end_byte)
            else:
                enter_context(walker, walker.emit(op.ENTERED, part.start_byte, walker.walk(part)))
    elif value is not node:
        enter_context(walker, walker.emit(op.ENTERED, value.start_byte, walker.walk(value)))


def enter_context(walker: PythonWalker, entered: int) -> None:
    """A `with` statement uses the protocol of what it enters."""
    walker.site(entered, READ)


def assert_statement(walker: PythonWalker, node: Node) -> int:
    children = node.named_children
    for position, child in enumerate(children):
        if position == 0:
            narrow(walker, lower_condition(walker, child), node.end_byte)
        else:
            walker.walk(child)
    return 0


def delete_statement(walker: PythonWalker, node: Node) -> int:
    for child in node.named_children:
        for target in child.named_children if child.type == "expression_list" else (child,):
            if target.type == "subscript":
                value = walker.field(target, "value")
                keys = [walker.walk(key) for key in target.children_by_field_name("subscript")]
                deleted = walker.emit(op.SUBSCRIPT, target.start_byte, value, keys[0] if len(keys) == 1 else 0)
                walker.site(deleted, DELETED)
                if len(keys) == 1:
                    key_named(walker, value, keys[0])
            else:
                walker.with_role(target, DELETED)
    return 0


def type_alias_statement(walker: PythonWalker, node: Node) -> int:
    parts = [child for child in node.named_children if child.type == "type"]
    if len(parts) != 2:
        return 0
    value = walker.annotation(parts[1])
    name = parts[0].named_children[0]
    define_constant(walker, walker.source_of(name), name, node)
    walker.bind(walker.source_of(name), value, node.end_byte)
    return 0


HANDLERS: Final[Handlers] = {
    "comment": comment,
    **dict.fromkeys(_INERT, Walker.skip),
    "expression_statement": expression_statement,
    "return_statement": return_statement,
    "raise_statement": raise_statement,
    "if_statement": if_statement,
    "for_statement": for_statement,
    "while_statement": while_statement,
    "try_statement": try_statement,
    "with_statement": with_statement,
    "assert_statement": assert_statement,
    "delete_statement": delete_statement,
    "type_alias_statement": type_alias_statement,
}
