"""Lowers statements.

In: nodes. Out: bindings, blocks and sites, in the order in which they may run.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import RAISED
from rpg.encoder.languages.ecmascript.lowering.assignments import lower_assigned_value
from rpg.encoder.languages.ecmascript.lowering.expressions import DISPLAYS
from rpg.encoder.languages.ecmascript.lowering.functions import lower_statements
from rpg.encoder.languages.ecmascript.lowering.members import assign_to
from rpg.encoder.languages.ecmascript.lowering.named_values import shape_of
from rpg.encoder.languages.ecmascript.lowering.objects import unwrap_promise
from rpg.encoder.languages.ecmascript.lowering.operators import lower_condition, narrow
from rpg.encoder.languages.ecmascript.lowering.patterns import declare
from rpg.encoder.languages.ecmascript.types.type_expressions import lower_wrapped_type
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.narrowing import Narrowing, negate
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker

_EXITS: Final = frozenset(("return_statement", "throw_statement", "continue_statement", "break_statement"))
_DECLARING: Final = frozenset(
    (
        "lexical_declaration", "function_declaration", "generator_function_declaration", "class_declaration",
        "abstract_class_declaration", "using_declaration", "enum_declaration", "interface_declaration",
        "type_alias_declaration",
    )
)  # fmt: skip


# Statements


def expression_statement(walker: EcmaScriptWalker, node: Node) -> int:
    for child in node.named_children:
        kind = child.type
        if kind == "assignment_expression":
            walker.opening = -1
            lower_assigned_value(walker, child, node.start_byte, node.end_byte)
        elif kind == "call_expression" and walker.source.startswith(b"assert", child.start_byte):
            narrow(walker, lower_condition(walker, child), node.end_byte)
        elif kind != "string":
            walker.table[kind](walker, child)
    return 0


def statement_block(walker: EcmaScriptWalker, node: Node) -> int:
    """A block that is not a function's body: what it declares is visible only in it."""
    children = node.named_children
    if not any(child.type in _DECLARING or is_using(walker, child) for child in children):
        return lower_statements(walker, children)
    around = walker.scope
    walker.open_block_scope(node)
    lower_statements(walker, children)
    walker.scope = around
    return 0


def is_using(walker: EcmaScriptWalker, node: Node) -> bool:
    """`using a = b` and `await using a = b`, which the grammar of TypeScript takes for expressions."""
    return node.type == "expression_statement" and walker.source.startswith(
        (b"using ", b"await using "), node.start_byte
    )


def return_statement(walker: EcmaScriptWalker, node: Node) -> int:
    inner = node.named_children
    if inner and inner[0].type == "object" and walker.function in walker.annotations:
        walker.context = unwrap_promise(walker, walker.annotations[walker.function])
    value = walker.only(node)
    if value:
        walker.returns.setdefault(walker.function, []).append(value)
    return 0


def if_statement(walker: EcmaScriptWalker, node: Node) -> int:
    body = node.child_by_field_name("consequence")
    alternative = node.child_by_field_name("alternative")
    narrowings = lower_condition(walker, node.child_by_field_name("condition"))
    if body is not None:
        lower_narrowed_block(walker, body, narrowings)
    closed = negate(narrowings)
    if alternative is not None:
        lower_narrowed_block(walker, alternative, closed)
    elif closed and body is not None and leaves(walker, body):
        narrow(walker, closed, node.end_byte)
    return 0


def lower_narrowed_block(walker: EcmaScriptWalker, node: Node, narrowings: list[Narrowing]) -> None:
    around = walker.open_block(node.start_byte, node.end_byte)
    if narrowings:
        narrow(walker, narrowings, node.start_byte)
    walker.walk(node)
    walker.block = around


def leaves(walker: EcmaScriptWalker, body: Node) -> bool:
    """Whether control never passes the end of a body."""
    if body.type in _EXITS:
        return True
    children = parts_of(body)
    return body.type == "statement_block" and bool(children) and children[-1].type in _EXITS


# Loops


def for_statement(walker: EcmaScriptWalker, node: Node) -> int:
    around = walker.here()
    initializer = node.child_by_field_name("initializer")
    if initializer is not None:
        if initializer.type == "lexical_declaration":
            walker.open_block_scope(node)
        walker.walk(initializer)
    condition = node.child_by_field_name("condition")
    body = node.child_by_field_name("body")
    walker.open_block(condition.start_byte if condition is not None else node.start_byte, node.end_byte, loop=True)
    narrowings = lower_condition(walker, condition)
    walker.field(node, "increment")
    if body is not None:
        narrow(walker, narrowings, body.start_byte)
        walker.walk(body)
    walker.return_to(around)
    return 0


def for_in_statement(walker: EcmaScriptWalker, node: Node) -> int:
    """`for (const x of e)`, `for (k in e)`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    body = node.child_by_field_name("body")
    if left is None or right is None or body is None:
        return walker.through(node)
    kind = node.child_by_field_name("kind")
    operator = node.child_by_field_name("operator")
    value = walker.walk(right)
    around = walker.here()
    start = body.start_byte
    if operator is not None and operator.type == "in":
        value = walker.literal("string", start)
    elif value:
        value = walker.iterated(value, right.start_byte, DISPLAYS)
    scope = -1
    if kind is not None:
        scope = walker.function
        if kind.type != "var":
            scope = walker.open_block_scope(node)
    walker.open_block(start, node.end_byte, loop=True)
    if scope < 0 and left.type == "member_expression":
        assign_to(walker, left, value, start)
    else:
        declare(walker, left, value, start, scope)
    walker.walk(body)
    walker.return_to(around)
    return 0


def while_statement(walker: EcmaScriptWalker, node: Node) -> int:
    around = walker.open_block(node.start_byte, node.end_byte, loop=True)
    narrowings = lower_condition(walker, node.child_by_field_name("condition"))
    body = node.child_by_field_name("body")
    if body is not None:
        lower_narrowed_block(walker, body, narrowings)
    walker.block = around
    return 0


def do_statement(walker: EcmaScriptWalker, node: Node) -> int:
    body = node.child_by_field_name("body")
    if body is not None:
        walker.walk(body)
    walker.field(node, "condition")
    return 0


# Switch, throw, try


def switch_statement(walker: EcmaScriptWalker, node: Node) -> int:
    value = node.child_by_field_name("value")
    body = node.child_by_field_name("body")
    if value is not None:
        walker.walk(value)
    if body is None:
        return 0
    decides = value is not None and shape_of(walker, value) == "true"
    around = walker.here()
    cases = body.named_children
    if any(child.type in _DECLARING for case in cases for child in case.named_children):
        walker.open_block_scope(body)
    for case in cases:
        if case.type not in ("switch_case", "switch_default"):
            walker.walk(case)
            continue
        block = walker.open_block(case.start_byte, case.end_byte)
        test = case.child_by_field_name("value")
        for child in case.named_children:
            if test is None or child.start_byte != test.start_byte:
                walker.walk(child)
            elif decides:
                narrow(walker, lower_condition(walker, child), child.end_byte)
            else:
                walker.walk(child)
        walker.block = block
    walker.return_to(around)
    return 0


def throw_statement(walker: EcmaScriptWalker, node: Node) -> int:
    thrown = walker.only(node)
    if walker.code[thrown] == op.CALL:
        walker.site(thrown, RAISED)
    return 0


def try_statement(walker: EcmaScriptWalker, node: Node) -> int:
    body, handler = node.child_by_field_name("body"), node.child_by_field_name("handler")
    finalizer = node.child_by_field_name("finalizer")
    walker.maybe(body)
    if handler is not None:
        catch_clause(walker, handler)
    if finalizer is not None:
        walker.through(finalizer)
    return 0


def catch_clause(walker: EcmaScriptWalker, node: Node) -> None:
    """Anything may be thrown: nothing is known about the parameter."""
    around = walker.here()
    parameter, body = node.child_by_field_name("parameter"), node.child_by_field_name("body")
    walker.open_block(node.start_byte, node.end_byte)
    if parameter is not None:
        walker.open_block_scope(node)
        annotation = node.child_by_field_name("type")
        if annotation is not None:
            lower_wrapped_type(walker, annotation)
        declare(walker, parameter, 0, parameter.end_byte, walker.scope)
    caught, walker.caught = walker.caught, walker.text_of(parameter) if parameter is not None else ""
    if body is not None:
        walker.walk(body)
    walker.caught = caught
    walker.return_to(around)


HANDLERS: Final[Handlers] = {
    "expression_statement": expression_statement,
    "statement_block": statement_block,
    "return_statement": return_statement,
    "if_statement": if_statement,
    "else_clause": Walker.only,
    "for_statement": for_statement,
    "for_in_statement": for_in_statement,
    "while_statement": while_statement,
    "do_statement": do_statement,
    "switch_statement": switch_statement,
    "throw_statement": throw_statement,
    "try_statement": try_statement,
    "labeled_statement": Walker.through,
    "empty_statement": Walker.skip,
    "break_statement": Walker.skip,
    "continue_statement": Walker.skip,
    "debugger_statement": Walker.skip,
    "hash_bang_line": Walker.skip,
    "comment": Walker.comment,
    "html_comment": Walker.comment,
}
