"""Lowers Go's literals: of builtin types, and composite ones.

In: nodes. Out: expressions; entries of composite literals become stores.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CREATED, WRITE
from rpg.encoder.languages.go.named_members import template_members, template_named
from rpg.encoder.languages.go.types import type_of
from rpg.encoder.languages.go.walker import GoWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_NAMED: Final = frozenset(("type_identifier", "qualified_type", "generic_type"))


def string_literal(walker: GoWalker, node: Node) -> int:
    template_members(walker, node)
    template_named(walker, node)
    return walker.lower_quoted(node, "string")


def number_literal(walker: GoWalker, node: Node) -> int:
    return walker.emit(op.NUMBER, node.start_byte, walker.word_of(node))


def rune_literal(walker: GoWalker, node: Node) -> int:
    return walker.literal("rune", node.start_byte)


def boolean_literal(walker: GoWalker, node: Node) -> int:
    return walker.literal("bool", node.start_byte)


def nil_literal(walker: GoWalker, node: Node) -> int:
    return walker.literal("nil", node.start_byte)


def composite_literal(walker: GoWalker, node: Node) -> int:
    """`T{...}`."""
    type_node, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if type_node is None or body is None:
        return walker.through(node)
    first = len(walker.sites)
    annotation = type_of(walker, type_node)
    if type_node.type in _NAMED:
        # The type is made here rather than declared.
        walker.set_role_in_type(annotation, first, CREATED)
    return literal_of(walker, body, annotation)


def literal_of(walker: GoWalker, body: Node, annotation: int) -> int:
    """A literal value of a type: an instance with members, or a list or dictionary with entries."""
    start = body.start_byte
    code = walker.code
    inner = element_type(walker, annotation)
    if code[annotation] == op.SUBSCRIPT and code[annotation + op.HOLDER] in containers(walker):
        keyed = code[annotation + op.HOLDER] == walker.literals.get("dict")
        values: list[int] = []
        for child in walker.parts(body):
            if child.type == "keyed_element":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                lowered = element_of(walker, key, key_type(walker, annotation))
                values += (lowered, element_of(walker, value, inner)) if keyed else (element_of(walker, value, inner),)
            elif not keyed:
                values.append(element_of(walker, child, inner))
            else:
                walker.walk(child)
        if keyed:
            display = walker.emit(op.DICTIONARY, start, len(values) // 2, *values)
        else:
            display = walker.emit(op.LIST, start, len(values), *values)
        return walker.emit(op.TYPED, start, annotation, display)
    made = walker.emit(op.INSTANCE, code[annotation + op.BYTE] if annotation else start, annotation)
    for child in body.named_children:
        lower_entry(walker, child, made)
    return made


def containers(walker: GoWalker) -> tuple[int, int]:
    return walker.literals.get("list", -1), walker.literals.get("dict", -1)


def element_type(walker: GoWalker, annotation: int) -> int:
    code = walker.code
    if code[annotation] != op.SUBSCRIPT:
        return 0
    index = code[annotation + op.INDEX]
    return code[index + op.ITEMS + 1] if code[annotation + op.HOLDER] == walker.literals.get("dict") else index


def key_type(walker: GoWalker, annotation: int) -> int:
    code = walker.code
    return (
        code[code[annotation + op.INDEX] + op.ITEMS]
        if code[annotation + op.HOLDER] == walker.literals.get("dict")
        else 0
    )


def element_of(walker: GoWalker, node: Node, annotation: int) -> int:
    """An element of a literal; its own type may be left out."""
    while node.type == "literal_element" and node.named_child_count == 1:
        node = node.named_children[0]
    return literal_of(walker, node, annotation) if node.type == "literal_value" else walker.walk(node)


def lower_entry(walker: GoWalker, node: Node, made: int) -> None:
    """An entry of a literal of a named type: `Name: value` sets a field."""
    if node.type == "comment":
        walker.comment(node)
        return
    if node.type != "keyed_element":
        value = element_of(walker, node, 0)
        if value:
            walker.items.append((made, 0, value))
        return
    key, value_node = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or value_node is None:
        return
    inner = key.named_children[0] if key.type == "literal_element" and key.named_child_count else key
    if inner.type != "identifier":
        lowered, value = walker.walk(inner), element_of(walker, value_node, 0)
        if value:
            walker.items.append((made, lowered, value))
        return
    name = walker.text_of(inner)
    member = walker.emit(op.ATTRIBUTE, inner.start_byte, made, walker.string(name))
    walker.sites += (member, WRITE, walker.definition)
    value = element_of(walker, value_node, 0)
    if value:
        walker.members.append((made, name, value))


HANDLERS: Final[Handlers] = {
    "composite_literal": composite_literal,
    "interpreted_string_literal": string_literal,
    "raw_string_literal": string_literal,
    "int_literal": number_literal,
    "float_literal": number_literal,
    "imaginary_literal": number_literal,
    "iota": number_literal,
    "rune_literal": rune_literal,
    "true": boolean_literal,
    "false": boolean_literal,
    "nil": nil_literal,
}
