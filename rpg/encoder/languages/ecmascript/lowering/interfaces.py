"""Lowers what TypeScript declares besides classes, and merges: interfaces, type aliases, enums and namespaces.

In: nodes. Out: definitions and scopes.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import AMBIENT, Definition
from rpg.encoder.languages.ecmascript.lowering.classes import base_type, declare_type, open_body
from rpg.encoder.languages.ecmascript.lowering.functions import lower_statements
from rpg.encoder.languages.ecmascript.types.shapes import members_of_type
from rpg.encoder.languages.ecmascript.types.type_expressions import type_of, type_parameters_of
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers


def define_type(walker: EcmaScriptWalker, kind: str, node: Node, name: Node, header: int, scope: int) -> int:
    """The symbol of a declared type; the walk then continues inside it."""
    signature = node.start_byte
    start = walker.opened(node)
    begin, doc = walker.documented(start)
    text = walker.text_of(name)
    end = node.end_byte
    return walker.define(
        Definition(
            kind=kind,
            name=text,
            qualified_name=walker.qualified(text),
            parent=walker.around(),
            scope=scope,
            start_byte=begin,
            end_byte=end,
            name_byte=name.start_byte,
            body_byte=header,
            signature=walker.folded(signature, header),
            doc=doc,
            exported=False,
        )
    )


def interface_declaration(walker: EcmaScriptWalker, node: Node) -> int:
    name = walker.name_node(node)
    body = node.child_by_field_name("body")
    if name is None or body is None:
        return walker.through(node)
    generics = node.child_by_field_name("type_parameters")
    around = walker.function_state()
    text = walker.text_of(name)
    merged = walker.merged.get((walker.scope, text), -1)
    if merged >= 0 and walker.definitions[merged].kind not in ("class", "interface"):
        merged = -1
    scope = walker.definitions[merged].scope if merged >= 0 else len(walker.scopes) + (generics is not None)
    definition = define_type(walker, "interface", node, name, body.start_byte, scope)
    if merged >= 0:
        walker.definitions[definition].symbol = merged
        definition = merged
    else:
        declare_type(walker, text, definition, name.start_byte, "type")
    begin, end = node.start_byte, node.end_byte
    walker.definition = definition
    walker.prefix, walker.holder = "", -1
    if generics is not None:
        walker.scope = walker.open_scope("block", definition, begin, end)
        type_parameters_of(walker, generics, definition)
    for child in walker.parts(node):
        if child.type == "extends_type_clause":
            rows = walker.bases.setdefault(definition, [])
            rows += [("", base) for part in child.named_children if (base := base_type(walker, part))]
    if merged < 0:
        walker.open_scope("class", definition, begin, end)
    open_body(walker, definition, begin, end)
    members_of_type(walker, body, scope, definition)
    walker.leave(around)
    return 0


def type_alias(walker: EcmaScriptWalker, node: Node) -> int:
    name, value_node = walker.name_node(node), node.child_by_field_name("value")
    if name is None or value_node is None:
        return walker.through(node)
    generics = node.child_by_field_name("type_parameters")
    around = walker.function_state()
    definition = define_type(walker, "type", node, name, node.end_byte, -1)
    walker.definition = definition
    walker.prefix, walker.holder = "", -1
    if generics is not None:
        walker.scope = walker.open_scope("block", definition, node.start_byte, node.end_byte)
        type_parameters_of(walker, generics, definition)
    walker.alias = definition
    value = type_of(walker, value_node)
    walker.alias = -1
    walker.leave(around)
    walker.bind(walker.text_of(name), value, walker.scopes[walker.scope].start_byte, "type")
    return 0


def enum_declaration(walker: EcmaScriptWalker, node: Node) -> int:
    name, body = walker.name_node(node), node.child_by_field_name("body")
    if name is None or body is None:
        return walker.through(node)
    scope = len(walker.scopes)
    definition = define_type(walker, "enum", node, name, body.start_byte, scope)
    declare_type(walker, walker.text_of(name), definition, name.start_byte)
    around = walker.function_state()
    # Enum members see each other without a receiver.
    walker.scope = walker.open_scope("class", definition, node.start_byte, node.end_byte)
    walker.definition = definition
    made = walker.emit(op.INSTANCE, name.start_byte, walker.definition_value(definition))
    for child in walker.parts(body):
        kind = child.type
        member = child
        if kind == "enum_assignment":
            first = walker.name_node(child)
            if first is None:
                continue
            member = first
            walker.field(child, "value")
        if member.start_byte == member.end_byte:
            continue
        walker.leaf_of("field", member, child.start_byte, child.end_byte, definition)
        walker.bind(walker.name_of(member), made, node.start_byte, "", scope)
    walker.leave(around)
    return 0


def namespace_declaration(walker: EcmaScriptWalker, node: Node) -> int:
    """`namespace A.B { }`: a class whose members are its contents, which see each other without a receiver.

    Its scope is of kind module, since names in it are looked up as in one.
    """
    name, body = walker.name_node(node), node.child_by_field_name("body")
    if name is None:
        return walker.through(node)
    names = [name]
    while names[0].type == "nested_identifier" and names[0].named_child_count == 2:
        names[:1] = names[0].named_children
    around = walker.function_state()
    header = body.start_byte if body is not None else node.end_byte
    for part in names:
        text = walker.name_of(part)
        merged = walker.merged.get((walker.scope, text), -1)
        if merged >= 0 and "namespace" not in walker.definitions[merged].flags:
            merged = -1
        scope = walker.definitions[merged].scope if merged >= 0 else len(walker.scopes)
        definition = define_type(walker, "class", node, part, header, scope)
        declared = walker.definitions[definition]
        declared.name, declared.qualified_name, declared.flags = text, walker.qualified(text), ("namespace",)
        if walker.ambient:
            declared.flags = ("namespace", AMBIENT)
        if merged >= 0:
            declared.symbol = merged
            definition = merged
        else:
            if part.type != "string":
                declare_type(walker, text, definition, part.start_byte)
            walker.open_scope("module", definition, node.start_byte, node.end_byte)
        walker.scope = walker.function = scope
        walker.definition = definition
        walker.prefix, walker.holder = "", -1
    open_body(walker, definition, node.start_byte, node.end_byte)
    if body is not None:
        lower_statements(walker, body.named_children)
    walker.leave(around)
    return 0


HANDLERS: Final[Handlers] = {
    "interface_declaration": interface_declaration,
    "enum_declaration": enum_declaration,
    "type_alias_declaration": type_alias,
    "internal_module": namespace_declaration,
    "module": namespace_declaration,
}
