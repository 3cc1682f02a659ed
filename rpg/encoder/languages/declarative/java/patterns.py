"""Lowers what Java compares values with, and the elements of annotations.

In: nodes. Out: expressions: constants of the selector's enum, components of records, elements of annotations.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.languages.declarative.variables import local
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_COMPONENTS: Final = frozenset(
    "record_pattern_component record_pattern type_pattern pattern underscore_pattern".split()
)


def switch(walker: DeclarativeWalker, node: Node) -> int:
    """`switch (level) { case LOW: ... }`: a bare name may be a constant of the selector's enum."""
    condition, around = node.child_by_field_name("condition"), walker.subject
    walker.subject = walker.walk(condition) if condition is not None else 0
    value = 0
    for child in node.named_children:
        if child != condition:
            value = walker.walk(child)
    walker.subject = around
    return value


def label(walker: DeclarativeWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "identifier" and walker.subject:
            walker.member_or_name(walker.subject, child)
        else:
            walker.walk(child)
    return 0


def record_pattern(walker: DeclarativeWalker, node: Node) -> int:
    """`Point(int x, var y)` reads the components of a record in their order."""
    named, body = walker.part(node, ("<",)), walker.part(node, (":record_pattern_body",))
    record = walker.emit_typed(type_of(walker, named), node.start_byte) if named is not None else 0
    parts = [child for child in body.named_children if child.type in _COMPONENTS] if body is not None else []
    for at, child in enumerate(parts):
        if walker.source_of(child).split()[-1] == "_":
            continue
        held = run_member(walker, record, f"component{at + 1}", child.start_byte)
        if child.type != "record_pattern_component":
            walker.walk(child)
            continue
        written = child.named_children
        annotation = type_of(walker, written[0]) if len(written) > 1 else 0
        if written:
            local(walker, written[-1], annotation, held, written[-1].end_byte)
    return record


def annotation(walker: DeclarativeWalker, node: Node) -> int:
    """`@Column(name = "id")`, `@Column("id")`: elements of the annotation's type."""
    named, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    held = walker.emit_typed(type_of(walker, named), node.start_byte) if named is not None else 0
    for child in arguments.named_children if arguments is not None else ():
        key = child.child_by_field_name("key") if child.type == "element_value_pair" else None
        if key is not None:
            walker.member(held, key)
        elif child.type not in walker.spec.comments:
            run_member(walker, held, "value", child.start_byte)
        walker.walk(child)
    return 0
