"""Go's literals: of builtin types, and composite ones."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import ANNOTATION, CREATED, ROLE, SITE_WORDS, WRITE
from rpg.encoder.languages.go.types import Types
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import (
    ATTRIBUTE,
    BYTE,
    DICTIONARY,
    HOLDER,
    INDEX,
    INSTANCE,
    ITEMS,
    LIST,
    NUMBER,
    STRING,
    SUBSCRIPT,
    TYPED,
)

_STRING_LIMIT = 120
"""Bytes; longer strings are values of type string."""
_NAMED = frozenset(("type_identifier", "qualified_type", "generic_type"))


class Literals(Types):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "composite_literal": self.composite,
            "interpreted_string_literal": self.string_literal,
            "raw_string_literal": self.string_literal,
            "int_literal": self.number,
            "float_literal": self.number,
            "imaginary_literal": self.number,
            "iota": self.number,
            "rune_literal": self.rune,
            "true": self.boolean,
            "false": self.boolean,
            "nil": self.nil,
        }

    def string_literal(self, node: Node) -> int:
        start, end = node.start_byte, node.end_byte
        if end - start > _STRING_LIMIT:
            return self.literal("string", start)
        return self.emit(STRING, start, self.word(self.source[start + 1 : max(start + 1, end - 1)]))

    def number(self, node: Node) -> int:
        start = node.start_byte
        return self.emit(NUMBER, start, self.word(self.source[start : node.end_byte]))

    def rune(self, node: Node) -> int:
        return self.literal("rune", node.start_byte)

    def boolean(self, node: Node) -> int:
        return self.literal("bool", node.start_byte)

    def nil(self, node: Node) -> int:
        return self.literal("nil", node.start_byte)

    def composite(self, node: Node) -> int:
        """`T{...}`."""
        type_node, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        if type_node is None or body is None:
            return self.through(node)
        count = len(self.sites)
        annotation = self.type_of(type_node)
        if type_node.type in _NAMED:
            # The type is made here rather than declared.
            named = self.code[annotation + HOLDER] if self.code[annotation] == SUBSCRIPT else annotation
            for at in range(count, len(self.sites), SITE_WORDS):
                if self.sites[at] == named and self.sites[at + ROLE] == ANNOTATION:
                    self.sites[at + ROLE] = CREATED
        return self.filled(body, annotation)

    def filled(self, body: Node, annotation: int) -> int:
        """A literal value of a type: an instance with members, or a list or dictionary with entries."""
        start = body.start_byte
        code = self.code
        inner = self.element_type(annotation)
        if code[annotation] == SUBSCRIPT and code[annotation + HOLDER] in self.containers():
            keyed = code[annotation + HOLDER] == self.literals.get("dict")
            values: list[int] = []
            for child in body.named_children:
                if child.type == "comment":
                    self.comment(child)
                elif child.type == "keyed_element":
                    key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                    if key is None or value is None:
                        continue
                    lowered = self.element(key, self.key_type(annotation))
                    values += (lowered, self.element(value, inner)) if keyed else (self.element(value, inner),)
                elif not keyed:
                    values.append(self.element(child, inner))
                else:
                    self.walk(child)
            if keyed:
                display = self.emit(DICTIONARY, start, len(values) // 2, *values)
            else:
                display = self.emit(LIST, start, len(values), *values)
            return self.emit(TYPED, start, annotation, display)
        made = self.emit(INSTANCE, code[annotation + BYTE] if annotation else start, annotation)
        for child in body.named_children:
            self.entry(child, made)
        return made

    def containers(self) -> tuple[int, int]:
        return self.literals.get("list", -1), self.literals.get("dict", -1)

    def element_type(self, annotation: int) -> int:
        code = self.code
        if code[annotation] != SUBSCRIPT:
            return 0
        index = code[annotation + INDEX]
        return code[index + ITEMS + 1] if code[annotation + HOLDER] == self.literals.get("dict") else index

    def key_type(self, annotation: int) -> int:
        code = self.code
        return code[code[annotation + INDEX] + ITEMS] if code[annotation + HOLDER] == self.literals.get("dict") else 0

    def element(self, node: Node, annotation: int) -> int:
        """An element of a literal, whose own type may be left out."""
        while node.type == "literal_element" and node.named_child_count == 1:
            node = node.named_children[0]
        return self.filled(node, annotation) if node.type == "literal_value" else self.walk(node)

    def entry(self, node: Node, made: int) -> None:
        """An entry of a literal of a named type: `Name: value` gives a field."""
        if node.type == "comment":
            self.comment(node)
            return
        if node.type != "keyed_element":
            value = self.element(node, 0)
            if value:
                self.items.append((made, 0, value))
            return
        key, value_node = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or value_node is None:
            return
        inner = key.named_children[0] if key.type == "literal_element" and key.named_child_count else key
        if inner.type != "identifier":
            lowered, value = self.walk(inner), self.element(value_node, 0)
            if value:
                self.items.append((made, lowered, value))
            return
        name = self.text_of(inner)
        member = self.emit(ATTRIBUTE, inner.start_byte, made, self.string(name))
        self.sites += (member, WRITE, self.definition)
        value = self.element(value_node, 0)
        if value:
            self.members.append((made, name, value))
