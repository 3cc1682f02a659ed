"""Lowers object literals: their contents are evaluated in the enclosing scope, and bound in one of their own.

In: nodes, and perhaps a target. Out: OBJECT expressions and their scopes.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import KEY
from rpg.encoder.languages.ecmascript.lowering.functions import define_function, head_of, lower_body
from rpg.encoder.languages.ecmascript.lowering.named_values import FUNCTIONS, WRAPPERS, Target, value_for
from rpg.encoder.languages.ecmascript.types.jsdoc import annotate
from rpg.encoder.languages.ecmascript.types.type_expressions import SPREAD
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, NamedHandlers, This
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers


def unwrap_promise(walker: EcmaScriptWalker, annotation: int) -> int:
    """The type that a promise of the annotated type resolves to; any other type itself."""
    code = walker.code
    base = code[annotation + op.HOLDER] if code[annotation] == op.SUBSCRIPT else 0
    promised = base and code[base] == op.NAME and walker.texts[code[base + op.WORD]] == "Promise"
    return code[annotation + op.INDEX] if promised else annotation


def object_literal(walker: EcmaScriptWalker, node: Node) -> int:
    return members_of(walker, node)


def lower_named_object(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    around = walker.prefix
    if target.path:
        walker.prefix = f"{around}.{target.path}" if around else target.path
    value = members_of(walker, node, target.owner, target.fields)
    walker.prefix = around
    return value


def members_of(walker: EcmaScriptWalker, node: Node, owner: str = "", fields: int = -1) -> int:
    """An object literal: a scope of its own for the members, whose values are evaluated in the enclosing scope.

    `owner`: the class whose prototype it becomes.
    """
    scope = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte)
    made = walker.emit(op.OBJECT, node.start_byte, scope)
    first = len(walker.bindings)
    context, walker.context = walker.context, 0
    (described, depth), walker.described = walker.described, (0, 0)
    this = walker.emit(op.TYPED, node.start_byte, context, made) if context else made
    if described and not depth:
        this = described
    for child in node.named_children:
        kind = child.type
        if kind == "pair":
            key, value_node = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is None or value_node is None or key.start_byte == key.end_byte:
                walker.through(child)
                continue
            shape = key.type
            name = walker.text_of(key) if shape == "property_identifier" else walker.name_of(key)
            computed = walker.only(key) if shape == "computed_property_name" else 0
            key_of(walker, key, name, made)
            inner = value_node.type
            if inner in FUNCTIONS or inner in ("object", "class") or inner in WRAPPERS:
                target = Target(
                    name, key.start_byte, name, child.start_byte, child.end_byte, "method", owner,
                    0 if owner else this, fields,
                )  # fmt: skip
                if described and depth and inner == "object":
                    walker.described = (described, depth - 1)
                value = value_for(walker, value_node, target)
                walker.described = (0, 0)
            else:
                value = walker.table[inner](walker, value_node)
            if shape == "computed_property_name" and not name.startswith("[Symbol."):
                if value:
                    walker.items.append((made, computed, value))
            else:
                walker.bind(name, value, child.end_byte, "", scope)
        elif kind == "shorthand_property_identifier":
            key_of(walker, child, walker.text_of(child), made)
            walker.bind(walker.text_of(child), walker.identifier(child), child.end_byte, "", scope)
        elif kind == "method_definition":
            named = walker.name_node(child)
            if named is not None:
                key_of(walker, named, walker.name_of(named), made)
            literal_method(walker, child, scope, this, owner, fields)
        elif kind == "spread_element":
            walker.bind(SPREAD, walker.only(child), child.end_byte, "weak", scope)
        else:
            walker.walk(child)
    walker.literal_bindings[scope] = first, len(walker.bindings)
    return made


def key_of(walker: EcmaScriptWalker, key: Node, name: str, made: int) -> None:
    """The site of a key; only where types are declared, as nothing else says what it means."""
    if (walker.language != "javascript" or walker.says_types) and key.type != "computed_property_name":
        byte = key.start_byte + (key.type == "string")
        walker.site(walker.emit(op.ATTRIBUTE, byte, made, walker.string(name)), KEY)


def literal_method(walker: EcmaScriptWalker, node: Node, scope: int, this: int, owner: str, fields: int) -> None:
    """`{ name() {} }`, `{ get name() {} }`."""
    head = head_of(walker, node)
    if head.name is None:
        walker.through(node)
        return
    if head.name.type == "computed_property_name":
        walker.only(head.name)
    name = walker.name_of(head.name)
    accessor = "get" in head.marks or "set" in head.marks
    start, end = node.start_byte, node.end_byte
    target = Target(name, head.name.start_byte, name, start, end, owner=owner)
    begin, doc = walker.documented(start)
    modifiers = ("async",) if "async" in head.marks else ()
    definition = define_function(
        walker, "property" if accessor else "method", target, begin, doc, head, modifiers, start
    )
    if "set" in head.marks:
        walker.definitions[definition].flags = ("setter",)
    value = walker.definition_value(definition)
    walker.bind(name, value, end, "weak" if "set" in head.marks else "", scope)
    around = walker.enter("function", definition, start, end)
    walker.this = This(walker.scope, 0 if owner else this, fields)
    lower_body(walker, head, definition)
    annotate(walker, walker.scope, doc, begin)
    walker.leave(around)


HANDLERS: Final[Handlers] = {"object": object_literal}
NAMED_VALUES: Final[NamedHandlers] = {"object": lower_named_object}
