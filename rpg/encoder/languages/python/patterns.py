"""Lowers `match`: patterns narrow the subject, name classes and bind parts.

In: nodes. Out: bindings and sites.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ
from rpg.encoder.languages.python.conditions import lower_condition, narrow
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers


def match_statement(walker: PythonWalker, node: Node) -> int:
    subjects = node.children_by_field_name("subject")
    values = [walker.walk(subject) for subject in subjects]
    body = node.child_by_field_name("body")
    for clause in body.named_children if body is not None else ():
        if clause.type != "case_clause":
            walker.walk(clause)
            continue
        around = walker.open_block(clause.start_byte, clause.end_byte)
        for child in clause.named_children:
            if child.type == "case_pattern":
                pattern(walker, child, values[0] if len(values) == 1 else 0)
            elif child.type == "if_clause":
                for test in child.named_children:
                    narrow(walker, lower_condition(walker, test), test.end_byte)
            else:
                walker.walk(child)
        walker.block = around
    return 0


def pattern(walker: PythonWalker, node: Node, subject: int) -> None:
    """A `case`: class patterns narrow the subject and name the class; captures are bound to its parts."""
    kind = node.type
    children = parts_of(node)
    if kind in ("case_pattern", "as_pattern") and children:
        walker.pattern_class = 0
        pattern(walker, children[0], subject)
        if kind == "as_pattern" and len(children) > 1:
            for name in children[1:]:
                target = name.named_children[0] if name.named_child_count else name
                matched = walker.pattern_class
                value = (
                    walker.emit(op.NARROWED, node.start_byte, subject, matched, 0) if matched and subject else subject
                )
                walker.bind(walker.text(target.start_byte, target.end_byte), value, node.end_byte)
    elif kind == "class_pattern" and children:
        walker.pattern_class = matched = dotted_name(walker, children[0])
        path = walker.path_of(subject) if subject else ""
        if path:
            narrow(walker, [(subject, path, matched, 0)], node.start_byte)
        inner = walker.emit(op.NARROWED, node.start_byte, subject, matched, 0)
        for position, child in enumerate(children[1:]):
            part = child.named_children[0] if child.type == "case_pattern" and child.named_child_count else child
            if part.type == "keyword_pattern" and part.named_child_count > 1:
                name = part.named_children[0]
                value = walker.emit(op.ATTRIBUTE, name.start_byte, inner, walker.word_of(name))
                walker.site(value, READ)
                pattern(walker, part.named_children[1], value)
            else:
                value = walker.emit(op.ITEM, child.start_byte, inner, position)
                walker.site(value, READ)
                pattern(walker, child, value)
        walker.pattern_class = matched
    elif kind == "dotted_name":
        if len(children) > 1:
            dotted_name(walker, node)
        elif children:
            walker.bind(walker.source_of(node), subject, node.end_byte)
    elif kind == "identifier":
        walker.bind(walker.source_of(node), subject, node.end_byte)
    elif kind == "keyword_pattern":
        for child in children[1:]:
            pattern(walker, child, 0)
    else:
        for child in children:
            pattern(walker, child, 0)


def dotted_name(walker: PythonWalker, node: Node) -> int:
    """A dotted name in a pattern, which the grammar does not call an attribute."""
    parts = node.named_children if node.type == "dotted_name" else [node]
    offset = walker.name(walker.source_of(parts[0]), parts[0].start_byte)
    for part in parts[1:]:
        offset = walker.emit(op.ATTRIBUTE, part.start_byte, offset, walker.word_of(part))
        walker.site(offset, READ)
    return offset


HANDLERS: Final[Handlers] = {
    "match_statement": match_statement,
}
