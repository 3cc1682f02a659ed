"""Variables that C# binds in the middle of an expression: patterns, `out var x`, parts of tuples.

In: nodes. Out: values, and variables that are bound to what was matched.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.expressions import assign, call, pattern, type_of
from rpg.encoder.languages.declarative.variables import local, variable_declaration
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node


def is_pattern(walker: DeclarativeWalker, node: Node) -> int:
    """`x is pattern`"""
    around = walker.expected
    walker.expected = walker.field(node, "expression")
    walker.field(node, "pattern")
    walker.expected = around
    return 0


def declaration_pattern(walker: DeclarativeWalker, node: Node) -> int:
    """`T name`, `var name`"""
    typed, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    annotation = type_of(walker, typed) if typed is not None and typed.type != "implicit_type" else 0
    if name is not None and name.type == "identifier":
        if annotation:
            local(walker, name, annotation, 0, name.end_byte)
        else:
            walker.bind(walker.text_of(name), walker.expected, name.end_byte)
    return 0


def recursive_pattern(walker: DeclarativeWalker, node: Node) -> int:
    """`T { Member: pattern } name`"""
    typed, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    annotation = type_of(walker, typed) if typed is not None else 0
    made = walker.emit_typed(annotation, node.start_byte) or walker.expected
    around = walker.expected
    for child in node.named_children:
        for part in child.named_children if child.type == "property_pattern_clause" else ():
            parts = part.named_children
            if part.type == "subpattern" and len(parts) > 1 and parts[0].type == "identifier":
                walker.expected = walker.member(made, parts[0])
                walker.walk(parts[-1])
            else:
                walker.expected = 0
                walker.walk(part)
        if child.type == "positional_pattern_clause":
            walker.expected = 0
            walker.walk(child)
    walker.expected = around
    if name is not None:
        walker.bind(walker.text_of(name), made, name.end_byte)
    return 0


def declaration(walker: DeclarativeWalker, node: Node) -> int:
    """`out var x` is bound when the call has been read."""
    if is_inferred(node):
        return 0
    return variable_declaration(walker, node)


def is_inferred(node: Node) -> bool:
    """Whether a node is `var x` for an argument."""
    typed = node.child_by_field_name("type") if node.type == "declaration_expression" else None
    return typed is not None and typed.type == "implicit_type"


def invocation(walker: DeclarativeWalker, node: Node) -> int:
    """A call; `out var x` is a variable from then on."""
    value = call(walker, node)
    arguments = node.child_by_field_name("arguments")
    slot = 0
    for child in arguments.named_children if arguments is not None and value else ():
        if child.type != "argument":
            continue
        inner = child.named_children[-1] if child.named_child_count else None
        name = inner.child_by_field_name("name") if inner is not None and is_inferred(inner) else None
        if name is not None:
            left = walker.emit(op.LEFT_IN, name.start_byte, value, slot)
            walker.bind(walker.text_of(name), left, name.end_byte)
        slot += 1
    return value


def assignment(walker: DeclarativeWalker, node: Node) -> int:
    """`x = y`; `(Foo a, var b) = y` declares."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "tuple_expression":
        return assign(walker, left, right)
    value = walker.walk(right) if right is not None else 0
    for at, child in enumerate(left.named_children):
        inner = child.named_children[-1] if child.named_child_count else child
        if inner.type == "declaration_expression":
            pattern(walker, inner, walker.emit(op.ITEM, inner.start_byte, value, at) if value else 0)
        else:
            walker.walk(child)
    return value
