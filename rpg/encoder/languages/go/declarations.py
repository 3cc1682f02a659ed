"""Lowers Go's declarations: imports, constants, variables, types, functions and methods.

In: nodes. Out: definitions, bindings, scopes.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CONSTRAINT, UNDERLYING, Definition, Import
from rpg.encoder.languages.go.expressions import bind_signature, types_scope
from rpg.encoder.languages.go.types import (
    Row,
    base_type,
    empty_container,
    fields_of,
    is_exported,
    rows_of,
    type_of,
    type_parameters_of,
)
from rpg.encoder.languages.go.walker import GoWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_VERSION: Final = re.compile(r"v\d+")
_SUFFIX: Final = re.compile(r"\.v\d+$")
_NAMELESS: Final = "_"
"""The name of a receiver that has none (`func (Cart) Total()`, a method of an interface): it is no argument."""
_KINDS: Final = {"struct_type": "struct", "interface_type": "interface"}


# Package and imports


def package_clause(walker: GoWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "package_identifier":
            walker.package = walker.text_of(child)
    return 0


def import_declaration(walker: GoWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "import_spec_list":
            import_declaration(walker, child)
        elif child.type == "import_spec":
            import_spec(walker, child)
        else:
            walker.walk(child)
    return 0


def import_spec(walker: GoWalker, node: Node) -> None:
    path, name = node.child_by_field_name("path"), walker.name_node(node)
    if path is None:
        return
    start = path.start_byte
    module = walker.text(start + 1, path.end_byte - 1)
    shape = name.type if name is not None else ""
    kind = {"dot": "star", "blank_identifier": "side-effect"}.get(shape, "")
    walker.imports.append(Import(module, 0, start, 0, kind))
    if kind:
        return
    value = walker.emit(op.IMPORT, start, len(walker.imports) - 1)
    walker.bind(walker.text_of(name) if name is not None else package_name(module), value, 0, "", 0)


# Constants and variables


def value_declaration(walker: GoWalker, node: Node) -> int:
    """`const` and `var`, single or in a group, in which a constant may repeat the one above."""
    specs: list[Node] = []
    for child in node.named_children:
        specs += child.named_children if child.type == "var_spec_list" else [child]
    grouped = any(child.type == "(" for child in node.children) or any(
        child.type == "var_spec_list" for child in node.named_children
    )
    annotation = 0
    for spec in specs:
        if spec.type not in ("const_spec", "var_spec"):
            walker.walk(spec)
            continue
        start = spec.start_byte if grouped else node.start_byte
        annotation = value_spec(walker, spec, start, annotation if node.type == "const_declaration" else 0)
    return 0


def value_spec(walker: GoWalker, node: Node, start: int, above: int) -> int:
    """One specification. Returns its type, for those below that repeat it."""
    names, values = [], []
    type_node = node.child_by_field_name("type")
    value_node = node.child_by_field_name("value")
    for child in node.children_by_field_name("name"):
        if child.is_named and child.end_byte > child.start_byte:
            names.append(child)
    end = node.end_byte
    outside = walker.scope == 0
    if outside:
        for name in names:
            if walker.text_of(name) != "_":
                begin = start if name is names[0] else name.start_byte
                text = walker.text_of(name)
                walker.leaf("constant", text, name.start_byte, begin, end, 0, start, is_exported(text))
    annotation = type_of(walker, type_node) if type_node is not None else (above if value_node is None else 0)
    if value_node is not None:
        values = lower_list(walker, value_node)
    byte = 0 if outside else end
    for index, name in enumerate(names):
        value = pair_value(walker, values, index, len(names))
        if annotation:
            value = value or empty_container(walker, annotation, name.start_byte)
            value = walker.emit(op.TYPED, name.start_byte, annotation, value)
        if walker.text_of(name) != "_":
            kind = ("declared" if annotation else "") if value_node is not None else "annotation"
            walker.bind(walker.text_of(name), value, byte, kind)
    return annotation


def lower_list(walker: GoWalker, node: Node) -> list[int]:
    if node.type != "expression_list":
        return [walker.walk(node)]
    return [walker.walk(child) for child in parts_of(node)]


def pair_value(walker: GoWalker, values: list[int], index: int, count: int) -> int:
    """The value for the name at `index` of `count` names."""
    if len(values) == count:
        return values[index]
    if len(values) != 1 or not values[0]:
        return 0
    value = values[0]
    code = walker.code
    if code[value] == op.CALL:
        return walker.emit(op.ITEM, code[value + op.BYTE], value, index)
    # v, ok := m[key], x.(T), <-channel
    return value if index == 0 else walker.literal("bool", code[value + op.BYTE])


# Types


def type_declaration(walker: GoWalker, node: Node) -> int:
    specs = [child for child in node.named_children if child.type in ("type_spec", "type_alias")]
    grouped = any(child.type == "(" for child in node.children)
    for child in node.named_children:
        if child.type in ("type_spec", "type_alias"):
            type_spec(walker, child, child.start_byte if grouped or len(specs) > 1 else node.start_byte)
        else:
            walker.walk(child)
    return 0


def type_spec(walker: GoWalker, node: Node, start: int) -> None:
    name, type_node = walker.name_node(node), node.child_by_field_name("type")
    if name is None or type_node is None:
        walker.through(node)
        return
    generics = node.child_by_field_name("type_parameters")
    text, end = walker.text_of(name), node.end_byte
    alias = node.type == "type_alias"
    kind = "type" if alias else _KINDS.get(type_node.type, "type")
    body = next((child for child in type_node.named_children if child.type == "field_declaration_list"), None)
    header = end
    if kind == "struct" and body is not None:
        header = body.start_byte
    elif kind == "interface":
        header = min(type_node.start_byte + len(b"interface"), end)
    begin, doc = walker.documented(start)
    around = walker.here()
    scope = -1 if alias else len(walker.scopes) + (generics is not None)
    definition = walker.define(
        Definition(
            kind=kind,
            name=text,
            qualified_name=walker.qualified(text),
            parent=walker.definition,
            scope=scope,
            start_byte=begin,
            end_byte=end,
            name_byte=name.start_byte,
            body_byte=header,
            signature=walker.folded(start, header),
            doc=doc,
            exported=is_exported(text),
        )
    )
    held = walker.scopes[walker.scope].start_byte
    if not alias:
        walker.bind(text, walker.definition_value(definition), held)
    walker.definition = definition
    if generics is not None:
        walker.scope = walker.open_scope("block", definition, begin, end)
        type_parameters_of(walker, generics, definition)
    if alias:
        value = type_of(walker, type_node)
        walker.return_to(around)
        walker.bind(text, value, held, "type")
        return
    walker.open_scope("class", definition, begin, end)
    walker.open_block(begin, end)
    if kind == "struct":
        fields_of(walker, type_node, scope, definition)
    elif kind == "interface":
        interface_members(walker, type_node, scope, definition)
    else:
        underlying = type_of(walker, type_node)
        if underlying:
            walker.bases[definition] = [(UNDERLYING, underlying)]
    walker.return_to(around)


def interface_members(walker: GoWalker, node: Node, scope: int, definition: int) -> None:
    for child in node.named_children:
        kind = child.type
        if kind == "method_elem":
            interface_method(walker, child, scope, definition)
        elif kind == "type_elem" and len(child.children) == 1:
            inner = child.named_children[0]
            base = (
                base_type(walker, inner)
                if inner.type in ("type_identifier", "qualified_type", "generic_type")
                else type_of(walker, child)
            )
            if inner.type == "negated_type":
                walker.definitions[definition].flags = (CONSTRAINT,)
            elif base:
                walker.bases.setdefault(definition, []).append(("", base))
        else:
            if kind == "type_elem":
                walker.definitions[definition].flags = (CONSTRAINT,)
            type_of(walker, child)


def interface_method(walker: GoWalker, node: Node, scope: int, definition: int) -> None:
    name = walker.name_node(node)
    if name is None:
        walker.through(node)
        return
    outer = walker.scope
    method = define_function(walker, node, name, "method", "", node.start_byte, definition)
    walker.bind(walker.text_of(name), walker.definition_value(method), walker.scopes[scope].start_byte, "", scope)
    # An interface's names are no variables: names in its methods are looked up around it.
    walker.scope = scope
    function_scope(walker, node, method, [Row(_NAMELESS, name.start_byte, 0, False)], "")
    walker.scope = outer


# Functions


def function_declaration(walker: GoWalker, node: Node) -> int:
    name = walker.name_node(node)
    if name is None:
        return walker.through(node)
    receiver = node.child_by_field_name("receiver")
    owner = owner_of(walker, receiver) if receiver is not None else ""
    kind = "method" if receiver is not None else "function"
    definition = define_function(walker, node, name, kind, owner, node.start_byte, walker.definition)
    text = walker.text_of(name)
    if receiver is None and text not in ("init", "_"):
        walker.bind(text, walker.definition_value(definition), walker.scopes[walker.scope].start_byte)
    function_scope(walker, node, definition, None if receiver is not None else [], owner)
    return 0


def define_function(walker: GoWalker, node: Node, name: Node, kind: str, owner: str, start: int, parent: int) -> int:
    text, end = walker.text_of(name), node.end_byte
    begin, doc = walker.documented(start)
    body, result = node.child_by_field_name("body"), node.child_by_field_name("result")
    parameters = node.child_by_field_name("parameters")
    header = (result or parameters or name).end_byte
    return walker.define(
        Definition(
            kind=kind,
            name=text,
            qualified_name=f"{owner}.{text}" if owner else walker.qualified(text),
            parent=parent,
            owner=owner,
            start_byte=begin,
            end_byte=end,
            name_byte=name.start_byte,
            body_byte=body.start_byte if body is not None else end,
            signature=walker.folded(start, header),
            doc=doc,
            exported=is_exported(text),
            returns=walker.folded(result.start_byte, result.end_byte) if result is not None else "",
        )
    )


def function_scope(walker: GoWalker, node: Node, definition: int, receiver: list[Row] | None, owner: str) -> None:
    """A function's own scope; with `receiver` None, the node has one."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    receiver_node = node.child_by_field_name("receiver") if receiver is None else None
    generics = node.child_by_field_name("type_parameters")
    walker.definition = definition
    signature = types_scope(walker)
    if generics is not None or (receiver_node is not None and is_generic(receiver_node)):
        # Type parameters are known in the signature, other names of the function only in its body.
        walker.scope = signature = walker.open_scope("block", definition, start, end)
    if generics is not None:
        type_parameters_of(walker, generics, definition)
    if receiver_node is not None:
        type_parameters_of_receiver(walker, receiver_node, definition)
    name = receiver_name(walker, receiver_node) or (_NAMELESS if receiver is None or receiver else "")
    scope = walker.open_scope("function", definition, start, end, name)
    walker.definitions[definition].scope = walker.scope = walker.function = scope
    walker.open_block(start, end)
    if receiver_node is not None:
        walker.scope = signature
        receiver = [row._replace(name=name) for row in rows_of(walker, receiver_node)[:1]]
        walker.scope = scope
    bind_signature(walker, node, scope, receiver or [], signature)
    body = node.child_by_field_name("body")
    if body is not None:
        walker.through(body)
    walker.return_to(around)


def receiver_name(walker: GoWalker, node: Node | None) -> str:
    for child in node.named_children if node is not None else ():
        name = walker.name_node(child)
        if name is not None:
            return walker.text_of(name)
    return ""


def receiver_type(node: Node) -> Node | None:
    for child in node.named_children:
        found = child.child_by_field_name("type")
        while found is not None and found.type in ("pointer_type", "parenthesized_type"):
            found = found.named_children[-1] if found.named_child_count else None
        if found is not None:
            return found
    return None


def is_generic(receiver: Node) -> bool:
    """Whether a receiver names type parameters."""
    found = receiver_type(receiver)
    return found is not None and found.type == "generic_type"


def owner_of(walker: GoWalker, receiver: Node) -> str:
    """The name of the type that a method belongs to."""
    found = receiver_type(receiver)
    if found is not None and found.type == "generic_type" and found.named_child_count:
        found = found.named_children[0]
    return walker.text_of(found) if found is not None else ""


def type_parameters_of_receiver(walker: GoWalker, receiver: Node, definition: int) -> None:
    """`func (s *S[T])` names the type's parameters."""
    found = receiver_type(receiver)
    names = []
    if found is not None and found.type == "generic_type":
        for child in found.named_children:
            if child.type == "type_arguments":
                names = [walker.text_of(part) for part in parts_of(child)]
    start = walker.scopes[walker.scope].start_byte
    if names:
        walker.type_parameters[definition] = names
    for name in names:
        if name != "_":
            walker.bind(name, walker.emit(op.TYPE_VARIABLE, start, walker.string(name), 0), start, "type")


def package_name(module: str) -> str:
    """What a package is probably called: the last part of its path, without version suffixes and `go` markers."""
    parts = module.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    name = _SUFFIX.sub("", parts[-1])
    for affix in ("go-", "golang-"):
        name = name.removeprefix(affix)
    for affix in ("-go", ".go", "-golang"):
        name = name.removesuffix(affix)
    return name.replace("-", "_") if not name.isidentifier() and name.replace("-", "_").isidentifier() else name


HANDLERS: Final[Handlers] = {
    "package_clause": package_clause,
    "import_declaration": import_declaration,
    "const_declaration": value_declaration,
    "var_declaration": value_declaration,
    "type_declaration": type_declaration,
    "function_declaration": function_declaration,
    "method_declaration": function_declaration,
}
