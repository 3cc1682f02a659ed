"""`match`: patterns narrow the subject, name classes and bind parts."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import READ
from rpg.encoder.languages.python.imports import Imports
from rpg.encoder.languages.python.walk import Node
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.operations import ATTRIBUTE, ITEM, NARROWED


class Patterns(Imports):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.statements |= {
            "match_statement": self.match_statement,
        }
        self.pattern_class = 0
        """The class that the pattern at hand tests for; 0 for none."""

    def match_statement(self, node: Node) -> None:
        subjects = node.children_by_field_name("subject")
        values = [self.expression(subject) for subject in subjects]
        body = node.child_by_field_name("body")
        for clause in body.named_children if body is not None else ():
            if clause.type != "case_clause":
                self.statement(clause)
                continue
            around = self.open_block(clause.start_byte, clause.end_byte)
            for child in clause.named_children:
                if child.type == "case_pattern":
                    self.pattern(child, values[0] if len(values) == 1 else 0)
                elif child.type == "if_clause":
                    for test in child.named_children:
                        self.narrow(self.condition(test), test.end_byte)
                else:
                    self.statement(child)
            self.block = around

    def pattern(self, node: Node, subject: int) -> None:
        """A `case`: class patterns narrow the subject and name the class; captures are bound to its parts."""
        kind = node.type
        children = parts_of(node)
        if kind in ("case_pattern", "as_pattern") and children:
            self.pattern_class = 0
            self.pattern(children[0], subject)
            if kind == "as_pattern" and len(children) > 1:
                for name in children[1:]:
                    target = name.named_children[0] if name.named_child_count else name
                    matched = self.pattern_class
                    value = (
                        self.emit(NARROWED, node.start_byte, subject, matched, 0) if matched and subject else subject
                    )
                    self.bind(self.text(target.start_byte, target.end_byte), value, node.end_byte)
        elif kind == "class_pattern" and children:
            self.pattern_class = matched = self.dotted_name(children[0])
            path = self.path_of(subject) if subject else ""
            if path:
                self.narrow([(subject, path, matched, 0)], node.start_byte)
            inner = self.emit(NARROWED, node.start_byte, subject, matched, 0)
            for position, child in enumerate(children[1:]):
                part = child.named_children[0] if child.type == "case_pattern" and child.named_child_count else child
                if part.type == "keyword_pattern" and part.named_child_count > 1:
                    name = part.named_children[0]
                    value = self.emit(ATTRIBUTE, name.start_byte, inner, self.string(self.node_text(name)))
                    self.pattern(part.named_children[1], value)
                else:
                    self.pattern(child, self.emit(ITEM, child.start_byte, inner, position))
            self.pattern_class = matched
        elif kind == "dotted_name":
            if len(children) > 1:
                self.dotted_name(node)
            elif children:
                self.bind(self.node_text(node), subject, node.end_byte)
        elif kind == "identifier":
            self.bind(self.node_text(node), subject, node.end_byte)
        elif kind == "keyword_pattern":
            for child in children[1:]:
                self.pattern(child, 0)
        else:
            for child in children:
                self.pattern(child, 0)

    def dotted_name(self, node: Node) -> int:
        """A dotted name in a pattern, which is no attribute in the grammar."""
        parts = node.named_children if node.type == "dotted_name" else [node]
        offset = self.name(self.node_text(parts[0]), parts[0].start_byte)
        for part in parts[1:]:
            offset = self.emit(ATTRIBUTE, part.start_byte, offset, self.string(self.node_text(part)))
            self.site(offset, READ)
        return offset
