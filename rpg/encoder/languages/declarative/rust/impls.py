"""Methods of Rust, which stand apart from their types: `impl`, traits, associated types.

In: nodes. Out: definitions with the type that owns them; the traits that a type implements, in `walker.implementing`;
what an `impl` says of a type's parameters, in `walker.bounds_written_elsewhere`.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ALIAS, ANY_TYPE, BASE, PATH_MARK
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.naming import constraints_in, type_parameters
from rpg.encoder.languages.declarative.rust.operators import alias_of
from rpg.encoder.languages.declarative.rust.paths import add_import, outer_of, split, words_of
from rpg.encoder.languages.declarative.spec import Form
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.graph import OVERRIDE

_METHOD: Final = Form("method", result=("return_type",))
TRAIT: Final = Form("trait", bases=("bounds",))
TYPE_ALIAS: Final = Form("type", body=())
_AROUND: Final = frozenset({"reference_type", "pointer_type", "parenthesized_type", "dynamic_type"})
_UNNAMED: Final = {
    "array_type": "slice", "tuple_type": "tuple", "unit_type": "unit", "function_type": "fn", "never_type": "never",
}  # fmt: skip
"""Types without a name -> the name that the library's documentation has for them; an array is used like a slice."""
FUNCTION: Final = Form("function", result=("return_type",), inside="method")


def impl_item(walker: DeclarativeWalker, node: Node) -> int:
    """Methods of a type that stands elsewhere; a trait that it implements is a base."""
    type_node, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    trait, generics = node.child_by_field_name("trait"), node.child_by_field_name("type_parameters")
    walker.attributes, walker.marks = -1, []
    around, owner, self_name = walker.here(), walker.owner, walker.self_name
    if generics is not None:
        walker.scope = walker.open_scope("block", walker.definition, node.start_byte, node.end_byte)
        type_parameters(walker, generics, -1)
    base = 0
    if trait is not None:
        first = len(walker.sites)
        base = type_of(walker, trait)
        walker.set_role_in_type(base, first, BASE)
    owner_path = walker.owner = walker.self_name = ""
    if type_node is not None:
        own = type_of(walker, type_node)
        walker.owner, owner_path = owner_of(walker, type_node, own, generics)
        walker.self_name = owner_path if PATH_MARK in owner_path else walker.owner
    if base:
        walker.implementing.append((owner_path, base))
    first_definition = len(walker.definitions)
    for child in node.named_children:
        if child.type == "where_clause":
            walker.walk(child)
    if body is not None:
        walker.walk(body)
    if owner_path != walker.owner:
        for definition in walker.definitions[first_definition:]:
            if definition.owner == walker.owner:
                definition.owner = owner_path
    walker.owner, walker.self_name = owner, self_name
    walker.return_to(around)
    return 0


def owner_of(walker: DeclarativeWalker, node: Node, own: int, generics: Node | None) -> tuple[str, str]:
    """The name of the type that gets methods, and what it is known by where that is not its name: a path, or any type
    for a type parameter."""
    code = walker.code
    if own and code[own] == op.SUBSCRIPT:
        own = code[own + op.HOLDER]
    if own and code[own] == op.NAME:
        name = walker.texts[code[own + op.WORD]]
        parameters = generics.named_children if generics is not None else ()
        is_any = any(
            each.type == "type_parameter" and walker.source_of(named) == name
            for each in parameters
            if (named := each.child_by_field_name("name")) is not None
        )
        return name, ANY_TYPE if is_any else name
    while node.type in _AROUND and node.named_child_count:
        node = node.child_by_field_name("type") or node.named_children[-1]
    if node.type == "generic_type":
        node = node.child_by_field_name("type") or node
    if node.type == "scoped_type_identifier":
        words = words_of(walker, node)
        if len(words) > 1 and all(word.isidentifier() for word in words):
            path = PATH_MARK.join(words)
            module, name = split(outer_of(walker, words))
            walker.bind(path, add_import(walker, module, name, node.start_byte), walker.scopes[walker.scope].start_byte)
            return words[-1], path
    name = walker.source_of(node) if node.type == "primitive_type" else _UNNAMED.get(node.type, "")
    return name, name


def function_item(walker: DeclarativeWalker, node: Node) -> int:
    name = walker.name_node(node)
    if name is None:
        return walker.through(node)
    owner, walker.owner = walker.owner, ""
    index = define(walker, node, _METHOD if owner else FUNCTION, name, owner)
    around = node.parent.parent if owner and node.parent is not None else None
    trait = around.child_by_field_name("trait") if around is not None else None
    if trait is not None and around is not None:
        definition, of = walker.definitions[index], around.child_by_field_name("type")
        is_reference = of is not None and of.type == "reference_type"
        others = alias_of(last_word(walker, trait), definition.name, is_reference)
        definition.modifiers = (*definition.modifiers, OVERRIDE)
        definition.flags = (*definition.flags, *(ALIAS + each for each in others))
    walker.owner = owner
    return 0


def last_word(walker: DeclarativeWalker, trait: Node) -> str:
    """The name of a trait, without what is in front of it and what it is of."""
    return walker.source_of(trait).partition("<")[0].rpartition("::")[2].strip()


def trait_item(walker: DeclarativeWalker, node: Node) -> int:
    name = walker.name_node(node)
    if name is None:
        return walker.through(node)
    self_name, walker.self_name = walker.self_name, walker.text_of(name)
    define(walker, node, TRAIT, name)
    walker.self_name = self_name
    return 0


def associated_type(walker: DeclarativeWalker, node: Node) -> int:
    """`type Mask: MoveMask;`: some type that is one of its bounds."""
    name, bounds = walker.name_node(node), node.child_by_field_name("bounds")
    if name is None:
        return walker.through(node)
    index = define(walker, node, TYPE_ALIAS, name)
    for child in bounds.named_children if bounds is not None else ():
        if bound := type_of(walker, child):
            walker.bases.setdefault(index, []).append(("", bound))
    return 0


def bounds_of_impls(walker: DeclarativeWalker, node: Node) -> None:
    """`struct Search<V>` is of any V, but its methods in `impl<V: Vector> Search<V>` use it as a Vector."""
    for child in node.named_children:
        if child.type == "mod_item" and (body := child.child_by_field_name("body")) is not None:
            bounds_of_impls(walker, body)
        elif child.type == "impl_item":
            generics, type_node = child.child_by_field_name("type_parameters"), child.child_by_field_name("type")
            if generics is not None and type_node is not None and type_node.type == "generic_type":
                bounds_of_impl(walker, child, generics, type_node)


def bounds_of_impl(walker: DeclarativeWalker, node: Node, generics: Node, type_node: Node) -> None:
    named, held = type_node.child_by_field_name("type"), type_node.child_by_field_name("type_arguments")
    bounds: dict[str, list[Node]] = {}
    constraints_in(walker, node, bounds)
    for child in generics.named_children:
        name, inner = child.child_by_field_name("name"), child.child_by_field_name("bounds")
        if name is not None and inner is not None:
            bounds.setdefault(walker.source_of(name), []).append(inner)
    if named is None or held is None or not bounds:
        return
    of_type = walker.bounds_written_elsewhere.setdefault(walker.source_of(named), {})
    types = [child for child in held.named_children if child.type != "lifetime"]
    for position, each in enumerate(types):
        known = of_type.setdefault(position, [])
        texts = {walker.source_of(bound) for bound in known}
        known += [bound for bound in bounds.get(walker.source_of(each), ()) if walker.source_of(bound) not in texts]
