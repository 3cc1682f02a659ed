"""What TypeScript declares besides classes, and merges: interfaces, type aliases, enums and namespaces."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import Definition
from rpg.encoder.languages.ecmascript.classes import Classes
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import INSTANCE


class Interfaces(Classes):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "interface_declaration": self.interface_declaration,
            "enum_declaration": self.enum_declaration,
            "type_alias_declaration": self.type_alias,
            "internal_module": self.namespace,
            "module": self.namespace,
        }

    def typed_declaration(self, kind: str, node: Node, name: Node, header: int, scope: int) -> int:
        """The symbol of a declaration that is a type; the walk then stands in it."""
        signature = node.start_byte
        start = self.opened(node)
        begin, doc = self.documented(start)
        text = self.text_of(name)
        end = node.end_byte
        return self.define(
            Definition(
                kind=kind,
                name=text,
                qualified_name=self.qualified(text),
                parent=self.around(),
                scope=scope,
                start_byte=begin,
                end_byte=end,
                name_byte=name.start_byte,
                body_byte=header,
                signature=self.folded(signature, header),
                doc=doc,
                exported=False,
            )
        )

    def interface_declaration(self, node: Node) -> int:
        name = self.name_node(node)
        body = node.child_by_field_name("body")
        if name is None or body is None:
            return self.through(node)
        generics = node.child_by_field_name("type_parameters")
        around = self.scope, self.definition, self.block, self.prefix, self.holder
        text = self.text_of(name)
        merged = self.merged.get((self.scope, text), -1)
        if merged >= 0 and self.definitions[merged].kind not in ("class", "interface"):
            merged = -1
        scope = self.definitions[merged].scope if merged >= 0 else len(self.scopes) + (generics is not None)
        definition = self.typed_declaration("interface", node, name, body.start_byte, scope)
        if merged >= 0:
            definition = merged
        else:
            self.declare_type(text, definition, name.start_byte, "type")
        begin, end = node.start_byte, node.end_byte
        self.definition = definition
        self.prefix, self.holder = "", -1
        if generics is not None:
            self.scope = self.open_scope("block", definition, begin, end)
            self.type_parameters_of(generics, definition)
        for child in node.named_children:
            if child.type == "extends_type_clause":
                rows = self.bases.setdefault(definition, [])
                rows += [("", base) for base in map(self.base_type, child.named_children) if base]
            elif child.type == "comment":
                self.comment(child)
        if merged < 0:
            self.open_scope("class", definition, begin, end)
        self.open_body(definition, begin, end)
        self.members_of_type(body, scope, definition)
        self.scope, self.definition, self.block, self.prefix, self.holder = around
        return 0

    def type_alias(self, node: Node) -> int:
        name, value_node = self.name_node(node), node.child_by_field_name("value")
        if name is None or value_node is None:
            return self.through(node)
        generics = node.child_by_field_name("type_parameters")
        around = self.scope, self.definition, self.prefix, self.holder
        definition = self.typed_declaration("type", node, name, node.end_byte, -1)
        self.definition = definition
        self.prefix, self.holder = "", -1
        if generics is not None:
            self.scope = self.open_scope("block", definition, node.start_byte, node.end_byte)
            self.type_parameters_of(generics, definition)
        self.alias = definition
        value = self.type_of(value_node)
        self.alias = -1
        self.scope, self.definition, self.prefix, self.holder = around
        self.bind(self.text_of(name), value, self.scopes[self.scope].start_byte, "type")
        return 0

    def enum_declaration(self, node: Node) -> int:
        name, body = self.name_node(node), node.child_by_field_name("body")
        if name is None or body is None:
            return self.through(node)
        scope = len(self.scopes)
        definition = self.typed_declaration("enum", node, name, body.start_byte, scope)
        self.declare_type(self.text_of(name), definition, name.start_byte)
        around = self.scope, self.definition
        # The members see each other without a receiver.
        self.scope = self.open_scope("class", definition, node.start_byte, node.end_byte)
        self.definition = definition
        made = self.emit(INSTANCE, name.start_byte, self.definition_value(definition))
        for child in body.named_children:
            kind = child.type
            if kind == "comment":
                self.comment(child)
                continue
            member = child
            if kind == "enum_assignment":
                first = self.name_node(child)
                if first is None:
                    continue
                member = first
                self.field(child, "value")
            if member.start_byte == member.end_byte:
                continue
            self.leaf_of("field", member, child.start_byte, child.end_byte, definition)
            self.bind(self.name_of(member), made, node.start_byte, "", scope)
        self.scope, self.definition = around
        return 0

    def namespace(self, node: Node) -> int:
        """`namespace A.B { }`: a class whose members are what stands in it, seen by each other without a receiver.

        Its scope is of kind module, since names in it are looked up as in one.
        """
        name, body = self.name_node(node), node.child_by_field_name("body")
        if name is None:
            return self.through(node)
        names = [name]
        while names[0].type == "nested_identifier" and names[0].named_child_count == 2:
            names[:1] = names[0].named_children
        around = self.scope, self.definition, self.block, self.function, self.prefix, self.holder
        header = body.start_byte if body is not None else node.end_byte
        for part in names:
            text = self.name_of(part)
            merged = self.merged.get((self.scope, text), -1)
            if merged >= 0 and "namespace" not in self.definitions[merged].flags:
                merged = -1
            scope = self.definitions[merged].scope if merged >= 0 else len(self.scopes)
            definition = self.typed_declaration("class", node, part, header, scope)
            declared = self.definitions[definition]
            declared.name, declared.qualified_name, declared.flags = text, self.qualified(text), ("namespace",)
            if merged >= 0:
                definition = merged
            else:
                if part.type != "string":
                    self.declare_type(text, definition, part.start_byte)
                self.open_scope("module", definition, node.start_byte, node.end_byte)
            self.scope = self.function = scope
            self.definition = definition
            self.prefix, self.holder = "", -1
        self.open_body(definition, node.start_byte, node.end_byte)
        if body is not None:
            self.statements(body.named_children)
        self.scope, self.definition, self.block, self.function, self.prefix, self.holder = around
        return 0
