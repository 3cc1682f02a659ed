"""Types with members: object types, interfaces' bodies, types of functions."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.languages.ecmascript.types import CALL_SIGNATURE, INDEX_SIGNATURE, NEW_SIGNATURE, Types
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import FUNCTION_TYPE, OBJECT, TUPLE, TYPED


class Shapes(Types):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.types |= {
            "function_type": self.function_type,
            "constructor_type": self.function_type,
            "object_type": self.object_type,
            "interface_body": self.object_type,
        }
        for kind in self.types.keys() - {
            "identifier",
            "member_expression",
            "call_expression",
            "string",
            "string_fragment",
        }:
            self.table.setdefault(kind, self.types[kind])

    def function_type(self, node: Node) -> int:
        """`(a: A) => B` and `new (a: A) => B`."""
        alias, self.alias = self.alias, -1
        scope, generics, parameters, returned = self.scope, None, None, None
        for child in node.named_children:
            kind = child.type
            if kind == "type_parameters":
                generics = child
            elif kind == "formal_parameters":
                parameters = child
            elif kind == "comment":
                self.comment(child)
            else:
                returned = child
        if generics is not None:
            self.scope = self.open_scope("block", self.definition, node.start_byte, node.end_byte)
            self.type_parameters_of(generics)
        given = self.types_of_parameters(parameters) if parameters is not None else 0
        value = self.type_of(returned) if returned is not None else 0
        self.scope, self.alias = scope, alias
        if node.type == "constructor_type":
            made = self.open_scope("object", self.definition, node.start_byte, node.end_byte)
            offset = self.emit(OBJECT, node.start_byte, made)
            self.bind(NEW_SIGNATURE, self.emit(FUNCTION_TYPE, node.start_byte, value, given), node.start_byte, "", made)
            return offset
        return self.emit(FUNCTION_TYPE, node.start_byte, value, given)

    def types_of_parameters(self, node: Node) -> int:
        """A tuple of the annotations of parameters that have no body to be used in; that of a rest parameter, which
        takes several places, is left out. 0 where there are none."""
        types: list[int] = []
        for child in node.named_children:
            kind = child.type
            if kind in ("required_parameter", "optional_parameter"):
                annotation = child.child_by_field_name("type")
                value = self.type_of(annotation) if annotation is not None else 0
                pattern = child.child_by_field_name("pattern")
                if pattern is not None and pattern.type == "rest_pattern":
                    continue
                if pattern is None or pattern.type != "this":
                    types.append(value)
            elif kind == "comment":
                self.comment(child)
        return self.emit(TUPLE, node.start_byte, len(types), *types) if any(types) else 0

    def object_type(self, node: Node) -> int:
        """`{ a: A; b(): B }`: an object scope whose members are bound to values of their types."""
        scope = self.open_scope("object", self.definition, node.start_byte, node.end_byte)
        offset = self.emit(OBJECT, node.start_byte, scope)
        self.members_of_type(node, scope, self.alias)
        for child in node.named_children:
            if child.type == "index_signature" and any(
                part.type == "mapped_type_clause" for part in child.named_children
            ):
                # Which members a mapped type has is computed; one over another's keys has that one's.
                return self.mapped
        return offset

    def members_of_type(self, node: Node, scope: int, owner: int) -> None:
        """Bind the members in their scope; those of `owner` (an interface, a type alias) are symbols as well."""
        alias, self.alias = self.alias, -1
        around = self.scope
        for child in node.named_children:
            kind = child.type
            if kind == "property_signature":
                self.property_signature(child, scope, owner)
            elif kind == "method_signature":
                self.method_signature(child, scope, owner)
            elif kind in ("call_signature", "construct_signature"):
                name = CALL_SIGNATURE if kind == "call_signature" else NEW_SIGNATURE
                again = name in self.bound[scope]
                value = self.function_type(child)
                self.bind(name, value, child.start_byte, "weak" if again else "", scope)
            elif kind == "index_signature":
                self.index_signature(child, scope)
            elif kind == "comment":
                self.comment(child)
            else:
                self.walk(child)
            self.scope = around
        self.alias = alias

    def property_signature(self, node: Node, scope: int, owner: int) -> None:
        name_node = annotation = None
        for child in node.named_children:
            kind = child.type
            if kind == "type_annotation":
                annotation = child
            elif kind == "comment":
                self.comment(child)
            elif name_node is None and kind != "accessibility_modifier" and child.end_byte > child.start_byte:
                name_node = child
        if name_node is None:
            return
        start, end = node.start_byte, node.end_byte
        if owner >= 0:
            self.leaf_of("field", name_node, start, end, owner)
        if name_node.type == "computed_property_name":
            self.through(name_node)
        value = self.type_of(annotation) if annotation is not None else 0
        typed = self.emit(TYPED, name_node.start_byte, value, 0) if value else 0
        self.bind(self.name_of(name_node), typed, start, "annotation", scope)

    def method_signature(self, node: Node, scope: int, owner: int) -> None:
        """Defined with the functions, which know parameters."""
        raise NotImplementedError

    def index_signature(self, node: Node, scope: int) -> None:
        around = self.scope
        value = mapped = 0
        for child in node.named_children:
            kind = child.type
            if kind == "mapped_type_clause":
                self.scope = self.open_scope("block", self.definition, node.start_byte, node.end_byte)
                mapped = self.mapped_clause(child)
            elif kind.endswith("annotation"):
                value = self.wrapped_type(child)
            elif kind not in ("identifier", "comment"):
                self.type_of(child)
        self.scope = around
        self.mapped = 0 if value else mapped
        if value:
            self.bind(
                INDEX_SIGNATURE, self.emit(TYPED, node.start_byte, value, 0), node.start_byte, "annotation", scope
            )
