"""Names, members, subscripts and the types that are written as such."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import ANNOTATION, READ
from rpg.encoder.languages.python.walk import DISPLAYS, Node, Walk
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.operations import (
    ATTRIBUTE,
    HOLDER,
    INDEX,
    KEYED,
    KEYED_WORD,
    MEMBER,
    NAME,
    NUMBER,
    PATH,
    SLICE,
    STRING,
    SUBSCRIPT,
    TUPLE,
    WORD,
)

_ANNOTATED = b"Annotated"


class Accesses(Walk):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.expressions |= {
            "identifier": self.identifier,
            "attribute": self.attribute,
            "subscript": self.subscript,
            "slice": self.slice,
            "generic_type": self.generic_type,
        }

    def identifier(self, node: Node) -> int:
        # Slicing the source costs a third of `node.text`; a quoted piece stands in the source at `shift`.
        start = node.start_byte + self.shift
        text = self.source[start : node.end_byte + self.shift].decode("utf-8", "replace")
        offset = len(self.code)
        self.code += (NAME, start, self.string(text), self.scope)
        self.named.append(offset)
        self.sites += (offset, self.role, self.definition)
        return offset

    def attribute(self, node: Node) -> int:
        role, self.role = self.role, READ if self.role != ANNOTATION else ANNOTATION
        children = node.children
        container = self.expression(children[0])
        self.role = role
        member = children[-1]
        byte = member.start_byte + self.shift
        text = self.source[byte : member.end_byte + self.shift].decode("utf-8", "replace")
        offset = len(self.code)
        dotted = self.dotted[self.scope]
        if dotted:
            path = self.path_of(container)
            if path and f"{path}.{text}" in dotted:
                offset = self.emit(PATH, byte, container, self.string(text), self.scope, self.string(f"{path}.{text}"))
                self.sites += (offset, role, self.definition)
                return offset
        self.code += (ATTRIBUTE, byte, container, self.string(text))
        self.sites += (offset, role, self.definition)
        return offset

    def subscript(self, node: Node) -> int:
        role = self.role
        if role not in (READ, ANNOTATION):
            self.role = READ
        value_node = node.child_by_field_name("value")
        value = self.expression(value_node)
        marks = role == ANNOTATION and value_node.text.endswith(_ANNOTATED)
        if role == ANNOTATION and value_node.text.endswith(b"Literal"):
            self.role = READ
        keys = node.children_by_field_name("subscript")
        index = self.type_and_marks(keys, node) if marks and len(keys) > 1 else self.index(node)
        self.role = role
        offset = self.emit(SUBSCRIPT, node.start_byte + self.shift, value, index)
        if role == READ and self.code[value] not in DISPLAYS:
            self.sites += (offset, READ, self.definition)
        keyed = self.keyed.get(self.scope)
        if keyed:
            path = self.key_path(offset)
            if path in keyed:
                return self.emit(KEYED, node.start_byte + self.shift, offset, self.scope, self.string(path))
        return offset

    def type_and_marks(self, parts: list[Node], node: Node) -> int:
        """Of `Annotated[type, mark, ...]` only the first is a type."""
        given = [self.expression(parts[0])]
        before, self.role = self.role, READ
        given += [self.expression(part) for part in parts[1:]]
        self.role = before
        return self.emit(TUPLE, node.start_byte + self.shift, len(given), *given)

    def key_path(self, expression: int) -> str:
        """`a["b"][0]` for constant keys below a name, else empty."""
        code, names = self.code, self.texts
        if code[expression] == KEYED:
            return names[code[expression + KEYED_WORD]]
        if code[expression] != SUBSCRIPT or code[code[expression + INDEX]] not in (STRING, NUMBER):
            return ""
        key, holder = code[expression + INDEX], code[expression + HOLDER]
        above = names[code[holder + WORD]] if code[holder] == NAME else self.key_path(holder)
        return f"{above}[{names[code[key + WORD]]!r}:{code[key]}]" if above else ""

    def forget(self, name: str) -> None:
        """What a name's container holds may have changed."""
        keyed = self.keyed.get(self.scope)
        if keyed:
            self.keyed[self.scope] = {path for path in keyed if not path.startswith(f"{name}[")}

    def keep(self, written: int, value: int, byte: int) -> None:
        """What is assigned under a constant key is what stands there until something else may have changed it."""
        path = self.key_path(written)
        if path and value:
            keyed = self.keyed.setdefault(self.scope, set())
            self.keyed[self.scope] = {each for each in keyed if not each.startswith(f"{path}[")} | {path}
            self.bind(path, value, byte)

    def slice(self, node: Node) -> int:
        bounds = [0, 0, 0]
        at = 0
        for child in node.children:
            if child.type == ":":
                at = min(at + 1, 2)
            elif child.type == "comment":
                self.comment(child)
            else:
                bounds[at] = self.expression(child)
        return self.emit(SLICE, node.start_byte + self.shift, *bounds)

    def generic_type(self, node: Node) -> int:
        value = 0
        arguments: list[int] = []
        for child in node.named_children:
            if child.type == "type_parameter":
                parts = parts_of(child)
                last = (
                    self.code[value + WORD] if self.code[value] == NAME else self.code[value + MEMBER] if value else 0
                )
                if value and len(parts) > 1 and self.texts[last] == "Annotated":
                    arguments.append(self.expression(parts[0]))
                    before, self.role = self.role, READ
                    arguments += [self.expression(part) for part in parts[1:]]
                    self.role = before
                elif self.code[value] == NAME and self.texts[self.code[value + WORD]] == "Literal":
                    before, self.role = self.role, READ
                    arguments += [self.expression(part) for part in child.named_children]
                    self.role = before
                else:
                    arguments += [self.expression(part) for part in child.named_children]
            else:
                value = self.expression(child)
        byte = node.start_byte + self.shift
        index = arguments[0] if len(arguments) == 1 else self.emit(TUPLE, byte, len(arguments), *arguments)
        return self.emit(SUBSCRIPT, byte, value, index)
