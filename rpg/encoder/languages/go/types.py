"""Go's types as expressions in type position. Pointers are transparent; slices, arrays and channels are lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rpg.encoder.facts import ANNOTATION, FileFacts, Parameter
from rpg.encoder.lowering.builder import Builder, parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Walker
from rpg.encoder.operations import (
    ATTRIBUTE,
    DICTIONARY,
    FUNCTION_TYPE,
    HOLDER,
    INDEX,
    ITEMS,
    LIST,
    NAME,
    OBJECT,
    SUBSCRIPT,
    TUPLE,
    TYPE_VARIABLE,
    TYPED,
    UNION,
)

PRIMITIVES = frozenset(
    """any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint
    uint16 uint32 uint64 uint8 uintptr""".split()
)


class Row(NamedTuple):
    """A parameter or result: its name, empty where it has none, with the node that names it, and its type."""

    name: str
    byte: int
    annotation: int
    variadic: bool


class Types(Walker):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.types = {
            "type_identifier": self.type_name,
            "identifier": self.type_name,
            "qualified_type": self.qualified_type,
            "selector_expression": self.qualified_type,
            "pointer_type": self.wrapped_type,
            "parenthesized_type": self.wrapped_type,
            "type_elem": self.type_element,
            "type_constraint": self.type_element,
            "negated_type": self.wrapped_type,
            "slice_type": self.list_type,
            "array_type": self.list_type,
            "implicit_length_array_type": self.list_type,
            "channel_type": self.list_type,
            "map_type": self.map_type,
            "generic_type": self.generic_type,
            "function_type": self.function_type,
            "struct_type": self.struct_type,
            "interface_type": self.interface_type,
        }
        for kind in self.types.keys() - {"identifier", "selector_expression"}:
            self.table[kind] = self.types[kind]

    def close(self) -> None:
        super().close()
        self.types.clear()

    def type_of(self, node: Node) -> int:
        lower = self.types.get(node.type)
        return lower(node) if lower is not None else self.walk(node)

    def type_name(self, node: Node) -> int:
        start = node.start_byte
        text = self.text_of(node)
        if text in PRIMITIVES and self.scope_of(text) < 0:
            return self.literal(text, start)
        offset = self.variable(self.string(text), start)
        self.sites += (offset, ANNOTATION, self.definition)
        return offset

    def qualified_type(self, node: Node) -> int:
        children = parts_of(node)
        if len(children) != 2:
            return self.through(node)
        package = self.type_name(children[0])
        name = children[1]
        offset = self.emit(ATTRIBUTE, name.start_byte, package, self.string(self.text_of(name)))
        self.sites += (offset, ANNOTATION, self.definition)
        return offset

    def wrapped_type(self, node: Node) -> int:
        value = 0
        for child in node.named_children:
            value = self.type_of(child)
        return value

    def type_element(self, node: Node) -> int:
        """One type of a constraint or of type arguments; several are any of them."""
        parts = [part for child in node.named_children if (part := self.type_of(child))]
        if len(parts) < 2:
            return parts[0] if parts else 0
        return self.emit(UNION, node.start_byte, len(parts), *parts)

    def list_type(self, node: Node) -> int:
        length = node.child_by_field_name("length")
        if length is not None:
            self.walk(length)
        element = node.child_by_field_name("element") or node.child_by_field_name("value")
        item = self.type_of(element) if element is not None else 0
        return self.emit(SUBSCRIPT, node.start_byte, self.literal("list", node.start_byte), item)

    def map_type(self, node: Node) -> int:
        parts = parts_of(node)
        key, value = ([self.type_of(part) for part in parts] + [0, 0])[:2]
        start = node.start_byte
        return self.emit(SUBSCRIPT, start, self.literal("dict", start), self.emit(TUPLE, start, 2, key, value))

    def generic_type(self, node: Node) -> int:
        base = 0
        arguments: list[int] = []
        for child in node.named_children:
            if child.type == "type_arguments":
                arguments = [self.type_of(part) for part in child.named_children]
            else:
                base = self.type_of(child)
        if not arguments:
            return base
        start = node.start_byte
        index = arguments[0] if len(arguments) == 1 else self.emit(TUPLE, start, len(arguments), *arguments)
        return self.emit(SUBSCRIPT, start, base, index)

    def empty(self, annotation: int, byte: int) -> int:
        """A container of functions that holds none yet, so that what is put into it has a place; 0 for other types."""
        code = self.code
        if code[annotation] != SUBSCRIPT:
            return 0
        keyed = code[annotation + HOLDER] == self.literals.get("dict")
        if not keyed and code[annotation + HOLDER] != self.literals.get("list"):
            return 0
        index = code[annotation + INDEX]
        inner = code[index + ITEMS + 1] if keyed else index
        if code[inner] not in (FUNCTION_TYPE, NAME, ATTRIBUTE):
            return 0
        return self.emit(DICTIONARY if keyed else LIST, byte, 0)

    # Functions

    def rows_of(self, node: Node | None) -> list[Row]:
        """The parameters or results of a list; names that share a type share its expression."""
        rows: list[Row] = []
        for child in node.named_children if node is not None else ():
            kind = child.type
            if kind == "comment":
                self.comment(child)
            elif kind not in ("parameter_declaration", "variadic_parameter_declaration"):
                rows.append(Row("", child.start_byte, self.type_of(child), False))
            else:
                annotation_node = child.child_by_field_name("type")
                annotation = self.type_of(annotation_node) if annotation_node is not None else 0
                names = child.children_by_field_name("name")
                variadic = kind == "variadic_parameter_declaration"
                named = [
                    Row(self.text_of(name), name.start_byte, annotation, variadic)
                    for name in names
                    if name.end_byte > name.start_byte and name.is_named
                ]
                rows += named or [Row("", child.start_byte, annotation, variadic)]
        return rows

    def parameters_in(self, rows: list[Row]) -> list[Parameter]:
        return [Parameter(row.name, "list" if row.variadic else "positional", row.annotation) for row in rows]

    def result(self, node: Node | None) -> tuple[int, list[Row]]:
        """The type that a function returns, and its results."""
        if node is None:
            return 0, []
        if node.type != "parameter_list":
            return self.type_of(node), []
        rows = self.rows_of(node)
        if len(rows) == 1:
            return rows[0].annotation, rows
        return self.emit(TUPLE, node.start_byte, len(rows), *(row.annotation for row in rows)), rows

    def function_type(self, node: Node) -> int:
        self.rows_of(node.child_by_field_name("parameters"))
        returned, _ = self.result(node.child_by_field_name("result"))
        return self.emit(FUNCTION_TYPE, node.start_byte, returned, 0)

    def type_parameters_of(self, node: Node, definition: int) -> None:
        names: list[str] = []
        start = self.scopes[self.scope].start_byte
        for child in node.named_children:
            if child.type != "type_parameter_declaration":
                self.walk(child)
                continue
            given = [
                name
                for name in child.children_by_field_name("name")
                if name.end_byte > name.start_byte and name.is_named
            ]
            bound_node = child.child_by_field_name("type")
            for name in given:
                self.bound[self.scope].add(self.text_of(name))
            bound = self.type_of(bound_node) if bound_node is not None else 0
            for name in given:
                text = self.text_of(name)
                names.append(text)
                self.bind(text, self.emit(TYPE_VARIABLE, name.start_byte, self.string(text), bound), start, "type")
        if definition >= 0 and names:
            self.type_parameters[definition] = names

    # Types with members, where they have no name

    def struct_type(self, node: Node) -> int:
        scope = self.open_scope("object", self.definition, node.start_byte, node.end_byte)
        self.fields_of(node, scope, -1)
        return self.emit(OBJECT, node.start_byte, scope)

    def interface_type(self, node: Node) -> int:
        if not node.named_child_count:
            return self.literal("any", node.start_byte)
        scope = self.open_scope("object", self.definition, node.start_byte, node.end_byte)
        for child in node.named_children:
            name = self.name_node(child) if child.type == "method_elem" else None
            if name is not None:
                self.bind(self.text_of(name), self.function_type(child), child.start_byte, "", scope)
            else:
                self.type_of(child)
        return self.emit(OBJECT, node.start_byte, scope)

    def fields_of(self, node: Node, scope: int, owner: int) -> None:
        """Bind the fields of a struct in its scope; those of a named one are symbols as well."""
        for part in node.named_children:
            for child in part.named_children if part.type == "field_declaration_list" else ():
                if child.type == "field_declaration":
                    self.field_declaration(child, scope, owner)
                else:
                    self.walk(child)

    def field_declaration(self, node: Node, scope: int, owner: int) -> None:
        names = [
            name for name in node.children_by_field_name("name") if name.end_byte > name.start_byte and name.is_named
        ]
        type_node = node.child_by_field_name("type")
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
        if type_node is None:
            return
        start, end = node.start_byte, node.end_byte
        if not names:
            self.embedded(type_node, scope, owner, start, end)
            return
        if owner >= 0:
            for name in names:
                begin = start if name is names[0] else name.start_byte
                text = self.text_of(name)
                self.leaf("field", text, name.start_byte, begin, end, owner, start, self.exports_name(text))
        annotation = self.type_of(type_node)
        for name in names:
            held = self.empty(annotation, name.start_byte)
            typed = self.emit(TYPED, name.start_byte, annotation, held) if annotation else 0
            self.bind(self.text_of(name), typed, start, "annotation", scope)

    def embedded(self, node: Node, scope: int, owner: int, start: int, end: int) -> None:
        """A type without a name: its members are the struct's own."""
        name = node
        while (
            name.type in ("pointer_type", "generic_type", "qualified_type", "parenthesized_type")
            and name.named_child_count
        ):
            name = name.named_children[-1 if name.type != "generic_type" else 0]
        text = self.text_of(name)
        if owner >= 0:
            self.leaf("field", text, name.start_byte, start, end, owner, exported=self.exports_name(text))
        base = self.base(node)
        if base:
            if owner >= 0:
                self.bases.setdefault(owner, []).append(("", base))
            self.bind(text, self.emit(TYPED, name.start_byte, base, 0), start, "annotation", scope)

    def base(self, node: Node) -> int:
        """Defined with the declarations: a type whose outermost name is a base."""
        raise NotImplementedError

    def exports_name(self, name: str) -> bool:
        """Whether a name is exported: it is capitalised."""
        return name[:1].isupper()

    def documented(self, start: int) -> tuple[int, str]:
        """The comment lines right above, up to a blank line."""
        source, comments = self.source, self.comments
        at = len(comments) - 1
        begin = start
        while at >= 0:
            first, last = comments[at]
            between = source[last : max(last, begin)]
            line = source.rfind(b"\n", 0, first) + 1
            if last > begin or between.strip() or between.count(b"\n") > 1 or source[line:first].strip():
                break
            begin = first
            at -= 1
        return begin, documentation(self.text(begin, start)) if begin < start else ""

    def finish(self) -> FileFacts:
        self.settle(False)
        return Builder.finish(self)


def documentation(text: str) -> str:
    """Go doc comments without their markers and without directives."""
    lines = []
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith(("//go:", "//nolint")):
            continue
        if line.startswith("/*"):
            line = line[2:]
        line = line.removesuffix("*/")
        lines.append(line.removeprefix("//").removeprefix(" ").rstrip())
    return "\n".join(lines).strip()
