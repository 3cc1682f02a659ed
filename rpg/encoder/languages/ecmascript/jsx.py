"""JSX: elements of components are calls."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import CALLED
from rpg.encoder.languages.ecmascript.operators import Operators
from rpg.encoder.languages.ecmascript.types import SPREAD
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import CALL, OBJECT, POSITIONAL


class Jsx(Operators):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "jsx_element": self.jsx_element,
            "jsx_expression": self.only,
            "jsx_self_closing_element": self.jsx_element,
            "jsx_text": self.skip,
        }

    def jsx_element(self, node: Node) -> int:
        """A component is called with one object of its properties; other elements are values of no interest."""
        tag = node.child_by_field_name("open_tag") if node.type == "jsx_element" else node
        name = self.name_node(tag) if tag is not None else None
        callee = byte = 0
        if name is not None and (
            name.type != "identifier" or self.source[name.start_byte : name.start_byte + 1].isupper()
        ):
            callee, byte = self.callee(name)
        properties = self.open_scope("object", self.definition, node.start_byte, node.end_byte) if callee else -1
        for child in tag.named_children if tag is not None else ():
            if name is not None and child.start_byte == name.start_byte:
                continue
            if child.type == "jsx_attribute":
                self.jsx_attribute(child, properties)
            elif child.type == "jsx_expression":
                value = self.only(child)
                if value and properties >= 0:
                    self.bind(SPREAD, value, child.start_byte, "", properties)
            else:
                self.walk(child)
        if tag is not node:
            for child in node.named_children[1:]:
                kind = child.type
                if kind == "jsx_expression":
                    value = self.only(child)
                    if value and properties >= 0:
                        self.bind("children", value, child.start_byte, "weak", properties)
                elif kind != "jsx_closing_element":
                    self.walk(child)
        if not callee:
            return self.literal("Element", node.start_byte)
        made = self.emit(OBJECT, node.start_byte, properties)
        offset = self.emit(CALL, byte, callee, 1, POSITIONAL, made)
        self.sites += (offset, CALLED, self.definition)
        return offset

    def jsx_attribute(self, node: Node, properties: int) -> None:
        children = parts_of(node)
        if not children:
            return
        value = self.walk(children[1]) if len(children) > 1 else self.literal("boolean", node.start_byte)
        if value and properties >= 0:
            self.bind(self.text_of(children[0]), value, node.start_byte, "", properties)
