"""Lowers types with members: object types, bodies of interfaces, function types.

In: nodes. Out: expressions in type position, and scopes of members.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.ecmascript.types.type_expressions import (
    CALL_SIGNATURE,
    INDEX_SIGNATURE,
    NEW_SIGNATURE,
    lower_mapped_clause,
    lower_wrapped_type,
    type_of,
    type_parameters_of,
)
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, MemberHandlers
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_COMPONENTS: Final = "GlobalComponents"
"""Vue's interface of the components that every template knows; tools that register components write it."""
_IMPORTED_MEMBER: Final = re.compile(r"import\([^()]*\)\s*(?:\.\s*(\w+)|\[\s*['\"](\w+)['\"]\s*\])")


def function_type(walker: EcmaScriptWalker, node: Node) -> int:
    """`(a: A) => B` and `new (a: A) => B`."""
    alias, walker.alias = walker.alias, -1
    scope, generics, parameters, returned = walker.scope, None, None, None
    for child in walker.parts(node):
        kind = child.type
        if kind == "type_parameters":
            generics = child
        elif kind == "formal_parameters":
            parameters = child
        else:
            returned = child
    if generics is not None:
        walker.scope = walker.open_scope("block", walker.definition, node.start_byte, node.end_byte)
        type_parameters_of(walker, generics)
    parameter_types = types_of_parameters(walker, parameters) if parameters is not None else 0
    value = type_of(walker, returned) if returned is not None else 0
    walker.scope, walker.alias = scope, alias
    if node.type == "constructor_type":
        made = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte)
        offset = walker.emit(op.OBJECT, node.start_byte, made)
        walker.bind(
            NEW_SIGNATURE,
            walker.emit(op.FUNCTION_TYPE, node.start_byte, value, parameter_types),
            node.start_byte,
            "",
            made,
        )
        return offset
    return walker.emit(op.FUNCTION_TYPE, node.start_byte, value, parameter_types)


def types_of_parameters(walker: EcmaScriptWalker, node: Node) -> int:
    """A tuple of the annotations of parameters without a body; a rest parameter, which takes several places, is left
    out. 0 if there are none."""
    types: list[int] = []
    for child in walker.parts(node):
        kind = child.type
        if kind in ("required_parameter", "optional_parameter"):
            annotation = child.child_by_field_name("type")
            value = type_of(walker, annotation) if annotation is not None else 0
            pattern = child.child_by_field_name("pattern")
            if pattern is not None and pattern.type == "rest_pattern":
                continue
            if pattern is None or pattern.type != "this":
                types.append(value)
    return walker.emit(op.TUPLE, node.start_byte, len(types), *types) if any(types) else 0


def object_type(walker: EcmaScriptWalker, node: Node) -> int:
    """`{ a: A; b(): B }`: an object scope whose members are bound to values of their types."""
    scope = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte)
    offset = walker.emit(op.OBJECT, node.start_byte, scope)
    members_of_type(walker, node, scope, walker.alias)
    for child in node.named_children:
        if child.type == "index_signature" and any(part.type == "mapped_type_clause" for part in child.named_children):
            # Which members a mapped type has is computed; if it maps another type's keys, it has that type's members.
            return walker.mapped
    return offset


def members_of_type(walker: EcmaScriptWalker, node: Node, scope: int, owner: int) -> None:
    """Binds the members in their scope; those of `owner` (an interface, a type alias) are symbols too."""
    alias, walker.alias = walker.alias, -1
    around = walker.scope
    for child in node.named_children:
        member = walker.type_members.get(child.type)
        if member is not None:
            member(walker, child, scope, owner)
        else:
            walker.walk(child)
        walker.scope = around
    walker.alias = alias


def call_signature(walker: EcmaScriptWalker, node: Node, scope: int, owner: int) -> None:
    """The result of calling a value of the type, or of `new`."""
    name = CALL_SIGNATURE if node.type == "call_signature" else NEW_SIGNATURE
    again = name in walker.bound[scope]
    value = function_type(walker, node)
    walker.bind(name, value, node.start_byte, "weak" if again else "", scope)


def property_signature(walker: EcmaScriptWalker, node: Node, scope: int, owner: int) -> None:
    name_node = annotation = None
    for child in walker.parts(node):
        kind = child.type
        if kind == "type_annotation":
            annotation = child
        elif name_node is None and kind != "accessibility_modifier" and child.end_byte > child.start_byte:
            name_node = child
    if name_node is None:
        return
    start, end = node.start_byte, node.end_byte
    if owner >= 0:
        walker.leaf_of("field", name_node, start, end, owner)
    if name_node.type == "computed_property_name":
        walker.through(name_node)
    first = len(walker.imports)
    value = type_of(walker, annotation) if annotation is not None else 0
    typed = walker.emit(op.TYPED, name_node.start_byte, value, 0) if value else 0
    walker.bind(walker.name_of(name_node), typed, start, "annotation", scope)
    is_registered = owner >= 0 and walker.definitions[owner].name == _COMPONENTS and len(walker.imports) > first
    if is_registered and annotation is not None:
        global_component(walker, walker.name_of(name_node), first, annotation)


def global_component(walker: EcmaScriptWalker, name: str, statement: int, annotation: Node) -> None:
    """`Cart: typeof import("./Cart.vue")["default"]`: every template knows the component."""
    found = _IMPORTED_MEMBER.search(walker.source_of(annotation))
    if found is not None:
        member = walker.string(found[1] or found[2])
        walker.bind(name, walker.emit(op.IMPORTED, annotation.start_byte, statement, member), 0, "", 0)
        walker.everywhere.append(name)


def index_signature(walker: EcmaScriptWalker, node: Node, scope: int, owner: int) -> None:
    around = walker.scope
    value = mapped = 0
    for child in node.named_children:
        kind = child.type
        if kind == "mapped_type_clause":
            walker.scope = walker.open_scope("block", walker.definition, node.start_byte, node.end_byte)
            mapped = lower_mapped_clause(walker, child)
        elif kind.endswith("annotation"):
            value = lower_wrapped_type(walker, child)
        elif kind not in ("identifier", "comment"):
            type_of(walker, child)
    walker.scope = around
    walker.mapped = 0 if value else mapped
    if value:
        walker.bind(
            INDEX_SIGNATURE, walker.emit(op.TYPED, node.start_byte, value, 0), node.start_byte, "annotation", scope
        )


TYPES: Final[Handlers] = {
    "function_type": function_type,
    "constructor_type": function_type,
    "object_type": object_type,
    "interface_body": object_type,
}
"""Where a type is expected."""
MEMBERS: Final[MemberHandlers] = {
    "property_signature": property_signature,
    "call_signature": call_signature,
    "construct_signature": call_signature,
    "index_signature": index_signature,
}
"""Members of object types and interfaces; methods are in classes.py."""
