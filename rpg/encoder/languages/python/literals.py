"""Literals and displays; an annotation in quotes is source of its own."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import ANNOTATION
from rpg.encoder.languages.python.accesses import Accesses
from rpg.encoder.languages.python.walk import Node
from rpg.encoder.operations import DICTIONARY, ELEMENT, LIST, LITERAL, NUMBER, SET, STRING, TUPLE

_STRING_LIMIT = 120
"""Bytes; longer strings are values of type str, and no keys or names of anything."""


class Literals(Accesses):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.expressions |= {
            "string": self.string_literal,
            "concatenated_string": self.concatenated_string,
            "integer": self.number,
            "float": self.number,
            "true": self.boolean,
            "false": self.boolean,
            "none": self.none,
            "list": self.list_display,
            "list_pattern": self.list_display,
            "tuple": self.tuple_display,
            "expression_list": self.tuple_display,
            "pattern_list": self.tuple_display,
            "tuple_pattern": self.tuple_display,
            "set": self.set_display,
            "dictionary": self.dictionary,
        }

    def string_literal(self, node: Node) -> int:
        start, end = node.start_byte, node.end_byte
        children = node.named_children
        if self.role == ANNOTATION and len(children) == 3:
            return self.quoted(children[1])
        if (
            len(children) <= 3
            and end - start <= _STRING_LIMIT
            and all(child.type[:6] == "string" for child in children)
        ):
            text = self.node_text(children[1]) if len(children) == 3 else ""
            return self.emit(STRING, start + self.shift, self.string(text))
        for child in children:
            if child.type == "interpolation":
                for part in child.named_children:
                    if part.type not in ("format_specifier", "type_conversion"):
                        self.expression(part)
                    else:
                        self.statements_of(part)
        return self.emit(LITERAL, start + self.shift, self.string("str"))

    def quoted(self, content: Node) -> int:
        """An annotation in quotes is source of its own."""
        if self.shift:
            return 0
        start = content.start_byte
        root = self.parse(self.source[start : content.end_byte].strip())
        statements = root.named_children
        if root.has_error or len(statements) != 1:
            return 0
        inner = statements[0].named_children[0] if statements[0].type == "expression_statement" else statements[0]
        lead = len(self.source[start : content.end_byte]) - len(self.source[start : content.end_byte].lstrip())
        self.shift = start + lead
        offset = self.expression(inner)
        self.shift = 0
        return offset

    def concatenated_string(self, node: Node) -> int:
        for child in node.named_children:
            self.expression(child)
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("str"))

    def number(self, node: Node) -> int:
        return self.emit(NUMBER, node.start_byte + self.shift, self.string(self.node_text(node)))

    def boolean(self, node: Node) -> int:
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("bool"))

    def none(self, node: Node) -> int:
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("None"))

    def display(self, node: Node, operation: int) -> int:
        items = []
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
            elif child.type == "list_splat":
                items.append(self.emit(ELEMENT, child.start_byte + self.shift, self.wrapped(child)))
            else:
                items.append(self.expression(child))
        return self.emit(operation, node.start_byte + self.shift, len(items), *items)

    def list_display(self, node: Node) -> int:
        return self.display(node, LIST)

    def tuple_display(self, node: Node) -> int:
        return self.display(node, TUPLE)

    def set_display(self, node: Node) -> int:
        return self.display(node, SET)

    def dictionary(self, node: Node) -> int:
        pairs: list[int] = []
        for child in node.named_children:
            if child.type == "pair":
                pairs += (self.expression_field(child, "key"), self.expression_field(child, "value"))
            elif child.type == "dictionary_splat":
                pairs += (0, self.wrapped(child))
            elif child.type == "comment":
                self.comment(child)
        return self.emit(DICTIONARY, node.start_byte + self.shift, len(pairs) // 2, *pairs)
