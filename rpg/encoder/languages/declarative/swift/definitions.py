"""Lowers Swift's types, extensions, functions, closures and variables.

In: nodes. Out: definitions with what is in them.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import BASE, Parameter
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.functions import add_parameter
from rpg.encoder.languages.declarative.spec import Form
from rpg.encoder.languages.declarative.swift.names import TYPES, SwiftWalker, bind_pattern
from rpg.encoder.languages.declarative.variables import field, local
from rpg.encoder.lowering.node import Node

TYPE: Final = Form(
    "class", (":type_identifier",), ("body",), (":inheritance_specifier",), generics=(":type_parameters",)
)
_KINDS: Final = {"struct": "struct", "enum": "enum"}
FUNCTION: Final = Form("function", parameters=(), generics=(":type_parameters",), inside="method")
_METHOD: Final = Form("method", body=("body", ":computed_property"), parameters=(), generics=(":type_parameters",))
_PROPERTY: Final = Form("property", body=("computed_value",), parameters=(), generics=())
_GIVING: Final = frozenset({"Dependency", "Environment", "Injected"})
"""Wrappers of properties that give an object of the type that they are asked for."""
_BESIDE: Final = frozenset(
    {"attribute", "modifiers", "value_binding_pattern", "type_annotation", "comment", "multiline_comment"}
)
_LONGEST_NUMBER: Final = 4
"""Characters of `$10`, and one more."""
_ACCESSORS: Final = frozenset({"willset_didset_block", "protocol_property_requirements"})


# Types


def class_declaration(walker: SwiftWalker, node: Node) -> int:
    """A class, struct, enum or actor, or what an extension adds to one."""
    kind = node.child_by_field_name("declaration_kind")
    if kind is not None and kind.type == "extension":
        return extension(walker, node)
    return define_type(walker, node, _KINDS.get(kind.type, "class") if kind is not None else "class")


def protocol_declaration(walker: SwiftWalker, node: Node) -> int:
    return define_type(walker, node, "interface")


def define_type(walker: SwiftWalker, node: Node, kind: str) -> int:
    name = walker.part(node, TYPE.name)
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    owner, self_name = walker.owner, walker.self_name
    owner_object = walker.owner_object
    walker.owner, walker.self_name, walker.owner_object = "", walker.text_of(name), 0
    if owner:
        walker.extended.insert(0, owner)
    define(walker, node, TYPE._replace(kind=kind), name, owner if not walker.function else "")
    if owner:
        walker.extended.pop(0)
    walker.owner, walker.self_name, walker.owner_object = owner, self_name, owner_object
    return 0


def extension(walker: SwiftWalker, node: Node) -> int:
    """Members of a type that stands elsewhere; protocols that it adds are bases, if the type is in the file."""
    named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if named is None or walker.function:
        return walker.through(node)
    owner, self_name = walker.owner, walker.self_name
    walker.owner_object = walker.emit_typed(type_of(walker, named), named.start_byte)
    parts = [walker.source_of(each) for each in named.named_children if each.type == "type_identifier"]
    if len(parts) > 1 and parts[0] in walker.modules:
        del parts[0]
    walker.marks, walker.attributes = [], -1
    for child in node.named_children:
        if child.type == "inheritance_specifier":
            first = len(walker.sites)
            base = type_of(walker, child)
            if base:
                walker.set_role_in_type(base, first, BASE)
                walker.implementing.append((parts[-1] if parts else "", base))
        elif child not in (named, body):
            walker.walk(child)
    walker.owner = ".".join(parts)
    walker.self_name = parts[-1] if parts else ""
    if body is not None:
        walker.walk(body)
    walker.owner, walker.self_name, walker.owner_object = owner, self_name, 0
    return 0


def enum_entry(walker: SwiftWalker, node: Node) -> int:
    names = node.children_by_field_name("name")
    for at, name in enumerate(names):
        field(walker, name, node if at == 0 else name, 0, 0, "field", node)
    for child in node.named_children:
        if child not in names:
            walker.walk(child)
    return 0


def enum_names(node: Node) -> list[Node]:
    return node.children_by_field_name("name")


# Functions


def function_declaration(walker: SwiftWalker, node: Node) -> int:
    """A function, an initializer, `deinit`, `subscript`."""
    named = node.children_by_field_name("name")
    kind = node.type
    name = named[0] if named else None
    if kind in ("deinit_declaration", "subscript_declaration"):
        name = next((child for child in node.children if child.type == kind.partition("_")[0]), None)
        named = [node, *named]
    if name is None or name.start_byte == name.end_byte:
        return walker.through(node)
    walker.result = named[-1] if len(named) > 1 and named[-1].type in TYPES else None
    is_member = walker.class_scope == walker.scope or (walker.owner and not walker.function)
    define(walker, node, _METHOD if is_member else FUNCTION, name)
    return 0


def lambda_literal(walker: SwiftWalker, node: Node) -> int:
    """`{ a in ... }`; without parameters there are `$0`, `$1`, `$2`."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    is_run = node.parent is not None and node.parent.type == "call_expression"
    if is_run and walker.expected:
        walker.annotations[scope] = walker.expected
    expected, walker.expected = walker.expected, 0
    value = walker.emit(op.FUNCTION, start, scope)
    header = node.child_by_field_name("type")
    rows: list[Parameter] = []
    for listed in header.named_children if header is not None else ():
        if listed.type == "lambda_function_type_parameters":
            for each in listed.named_children:
                named = each.children_by_field_name("name")
                annotation = type_of(walker, named[-1]) if len(named) > 1 else 0
                if named:
                    add_parameter(walker, rows, named[0], annotation, 0, scope, start, False)
                else:
                    rows.append(Parameter("", "positional"))
        else:
            type_of(walker, listed)
    if header is None:
        for number in range(count_numbered_parameters(walker, node)):
            walker.bind_parameter(f"${number}", rows, scope, start)
    walker.parameters[scope] = rows
    for child in node.named_children:
        if child == header:
            continue
        made = walker.walk(child)
        if made and child.type == "statements":
            walker.returns.setdefault(scope, []).append(made)
    walker.expected = expected
    walker.return_to(around)
    return value


def count_numbered_parameters(walker: SwiftWalker, node: Node) -> int:
    """How many parameters a closure has that names them by their numbers."""
    count = 0
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        if each.type == "simple_identifier":
            text = walker.source[each.start_byte : each.end_byte]
            if text[:1] == b"$" and text[1:].isdigit() and len(text) < _LONGEST_NUMBER:
                count = max(count, int(text[1:]) + 1)
        elif each.type != "lambda_literal":
            pending += each.named_children
    return count


def captures(walker: SwiftWalker, node: Node) -> int:
    """`[weak self, count = total]`"""
    for child in node.named_children:
        value = walker.field(child, "value")
        name = child.child_by_field_name("name")
        if name is not None and value:
            walker.bind(walker.text_of(name), value, name.end_byte)
    return 0


# Variables


def property_declaration(walker: SwiftWalker, node: Node) -> int:
    """Variables, each with its type and its value."""
    names = node.children_by_field_name("name")
    parts = node.named_children
    for child in parts:
        if child.type in ("modifiers", "attribute"):
            walker.walk(child)
    at = 0
    for number, each in enumerate(names):
        end = names[number + 1].start_byte if number + 1 < len(names) else node.end_byte
        own: list[Node] = []
        while at < len(parts) and parts[at].start_byte < end:
            if parts[at].start_byte >= each.end_byte:
                own.append(parts[at])
            at += 1
        variable(walker, node, each, own, number == 0)
    return 0


def find_asked_type(walker: SwiftWalker, node: Node) -> int:
    """The type that a wrapper of a property is asked for, and whose object that is: `@Environment(Shop.self)`."""
    for words in node.named_children:
        for each in words.named_children if words.type == "modifiers" else ():
            wrapper, *given = each.named_children if each.type == "attribute" else [each]
            if len(given) != 1 or walker.source_of(wrapper) not in _GIVING or given[0].type != "navigation_expression":
                continue
            named, asked = given[0].named_children[0], walker.source_of(given[0])
            if named.type == "simple_identifier" and asked == f"{walker.source_of(named)}.self":
                value = walker.type_name(named)
                walker.drop_site(value)
                return value
    return 0


def variable(walker: SwiftWalker, node: Node, named: Node, parts: list[Node], is_first: bool) -> None:
    written = next((child for child in parts if child.type == "type_annotation"), None)
    type_node = written.named_children[-1] if written is not None and written.named_child_count else None
    name = named.child_by_field_name("bound_identifier")
    is_owned = bool(walker.owner) and not walker.function
    is_member = is_owned or walker.scopes[walker.scope].kind == "class"
    if name is not None and is_member and any(child.type == "computed_property" for child in parts):
        walker.result = type_node
        define(walker, node, _PROPERTY, name)
        return
    annotation = type_of(walker, type_node) if type_node is not None else find_asked_type(walker, node)
    around, walker.expected = walker.expected, annotation
    value, index = 0, -1
    for child in parts:
        if child.type not in _BESIDE and child.type not in _ACCESSORS:
            value = walker.walk(child)
    walker.expected = around
    if name is None:
        bind_pattern(walker, named, value, True)
    elif is_member or not walker.function:
        kind = "field" if is_member else "constant"
        index = field(walker, name, node if is_first else named, annotation, value, kind, node)
    else:
        local(walker, name, annotation, value, node.end_byte)
    here, function = walker.here(), walker.function
    for child in parts:
        if child.type in _ACCESSORS:
            walker.definition = index if index >= 0 else walker.definition
            walker.open_block_scope(child)
            walker.function = walker.function or walker.scope
            walker.through(child)
            walker.return_to(here)
            walker.function = function


def property_names(node: Node) -> list[Node]:
    found = [each.child_by_field_name("bound_identifier") for each in node.children_by_field_name("name")]
    return [each for each in found if each is not None]


def setter(walker: SwiftWalker, node: Node) -> int:
    """What runs when a variable is written; it may name what it is passed."""
    for name in ("newValue", "oldValue"):
        walker.bind(name, 0, node.start_byte)
    for child in node.named_children:
        if child.type == "simple_identifier":
            walker.bind(walker.text_of(child), 0, node.start_byte)
    return walker.through(node)
