"""Lowers Go's types to expressions in type position.

In: nodes. Out: expressions. Pointers are transparent; slices, arrays and channels are lists.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, BASE, Parameter
from rpg.encoder.languages.go.walker import GoWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

PRIMITIVES: Final = frozenset(
    """any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint
    uint16 uint32 uint64 uint8 uintptr""".split()
)


_OF_TAG: Final = re.compile(rb"\b(env|envconfig|gorm):\"")


class Row(NamedTuple):
    """A parameter or result: its name (empty if it has none), the node that names it, and its type."""

    name: str
    byte: int
    annotation: int
    variadic: bool


def type_of(walker: GoWalker, node: Node) -> int:
    lower = TYPES.get(node.type)
    return lower(walker, node) if lower is not None else walker.walk(node)


def type_name(walker: GoWalker, node: Node) -> int:
    text = walker.text_of(node)
    if text in PRIMITIVES and walker.scope_of(text) < 0:
        return walker.literal(text, node.start_byte)
    return walker.identifier(node, ANNOTATION)


def qualified_type(walker: GoWalker, node: Node) -> int:
    children = parts_of(node)
    if len(children) != 2:
        return walker.through(node)
    package = type_name(walker, children[0])
    name = children[1]
    offset = walker.emit(op.ATTRIBUTE, name.start_byte, package, walker.string(walker.text_of(name)))
    walker.sites += (offset, ANNOTATION, walker.definition)
    return offset


def lower_wrapped_type(walker: GoWalker, node: Node) -> int:
    value = 0
    for child in node.named_children:
        value = type_of(walker, child)
    return value


def type_element(walker: GoWalker, node: Node) -> int:
    """One type of a constraint or of type arguments; several mean any of them."""
    return walker.union([type_of(walker, child) for child in node.named_children], node.start_byte)


def list_type(walker: GoWalker, node: Node) -> int:
    length = node.child_by_field_name("length")
    if length is not None:
        walker.walk(length)
    element = node.child_by_field_name("element") or node.child_by_field_name("value")
    item = type_of(walker, element) if element is not None else 0
    return walker.emit(op.SUBSCRIPT, node.start_byte, walker.literal("list", node.start_byte), item)


def map_type(walker: GoWalker, node: Node) -> int:
    parts = parts_of(node)
    key, value = ([type_of(walker, part) for part in parts] + [0, 0])[:2]
    start = node.start_byte
    return walker.emit(op.SUBSCRIPT, start, walker.literal("dict", start), walker.emit(op.TUPLE, start, 2, key, value))


def generic_type(walker: GoWalker, node: Node) -> int:
    base = 0
    arguments: list[int] = []
    for child in node.named_children:
        if child.type == "type_arguments":
            arguments = [type_of(walker, part) for part in child.named_children]
        else:
            base = type_of(walker, child)
    if not arguments:
        return base
    start = node.start_byte
    return walker.emit(op.SUBSCRIPT, start, base, walker.one_or_tuple(arguments, start))


def empty_container(walker: GoWalker, annotation: int, byte: int) -> int:
    """An empty container of functions, so that what is put into it later has a place; 0 for other types."""
    code = walker.code
    if code[annotation] != op.SUBSCRIPT:
        return 0
    keyed = code[annotation + op.HOLDER] == walker.literals.get("dict")
    if not keyed and code[annotation + op.HOLDER] != walker.literals.get("list"):
        return 0
    index = code[annotation + op.INDEX]
    inner = code[index + op.ITEMS + 1] if keyed else index
    if code[inner] not in (op.FUNCTION_TYPE, op.UNION, op.NAME, op.ATTRIBUTE):
        return 0
    return walker.emit(op.DICTIONARY if keyed else op.LIST, byte, 0)


# Functions


def rows_of(walker: GoWalker, node: Node | None) -> list[Row]:
    """The parameters or results of a list; names that share a type share its expression."""
    rows: list[Row] = []
    for child in node.named_children if node is not None else ():
        kind = child.type
        if kind == "comment":
            walker.comment(child)
        elif kind not in ("parameter_declaration", "variadic_parameter_declaration"):
            rows.append(Row("", child.start_byte, type_of(walker, child), False))
        else:
            annotation_node = child.child_by_field_name("type")
            annotation = type_of(walker, annotation_node) if annotation_node is not None else 0
            names = child.children_by_field_name("name")
            variadic = kind == "variadic_parameter_declaration"
            named = [
                Row(walker.text_of(name), name.start_byte, annotation, variadic)
                for name in names
                if name.end_byte > name.start_byte and name.is_named
            ]
            rows += named or [Row("", child.start_byte, annotation, variadic)]
    return rows


def parameters_in(walker: GoWalker, rows: list[Row]) -> list[Parameter]:
    return [Parameter(row.name, "list" if row.variadic else "positional", row.annotation) for row in rows]


def result_of(walker: GoWalker, node: Node | None) -> tuple[int, list[Row]]:
    """The type that a function returns, and its results."""
    if node is None:
        return 0, []
    if node.type != "parameter_list":
        return type_of(walker, node), []
    rows = rows_of(walker, node)
    if len(rows) == 1:
        return rows[0].annotation, rows
    return walker.emit(op.TUPLE, node.start_byte, len(rows), *(row.annotation for row in rows)), rows


def function_type(walker: GoWalker, node: Node) -> int:
    rows = rows_of(walker, node.child_by_field_name("parameters"))
    result = node.child_by_field_name("result")
    returned, _ = result_of(walker, result)
    start = node.start_byte
    types = walker.emit(op.TUPLE, start, len(rows), *(row.annotation for row in rows)) if rows else 0
    function = walker.emit(op.FUNCTION_TYPE, start, returned, types)
    yielded = find_yielded_type(walker, rows[0].annotation) if len(rows) == 1 and result is None else 0
    return walker.union([function, yielded], start) if yielded else function


def find_yielded_type(walker: GoWalker, e: int) -> int:
    """What ranging over `func(yield func(K, V) bool)` gives, as a type: a list of one part, or a map of two. `e` is the
    type of `yield`; 0 if it is none that a loop may pass."""
    code = walker.code
    if code[e] != op.FUNCTION_TYPE or code[e + op.RETURNED] != walker.literals.get("bool"):
        return 0
    types = code[e + op.PARAMETER_TYPES]
    count = code[types + op.ITEM_COUNT] if types else 0
    if not 0 < count < 3:
        return 0
    start = code[e + op.BYTE]
    kind = "list" if count == 1 else "dict"
    held = code[types + op.ITEMS] if count == 1 else types
    return walker.emit(op.SUBSCRIPT, start, walker.literal(kind, start), held)


def type_parameters_of(walker: GoWalker, node: Node, definition: int) -> None:
    names: list[str] = []
    start = walker.scopes[walker.scope].start_byte
    for child in node.named_children:
        if child.type != "type_parameter_declaration":
            walker.walk(child)
            continue
        name_nodes = [
            name for name in child.children_by_field_name("name") if name.end_byte > name.start_byte and name.is_named
        ]
        bound_node = child.child_by_field_name("type")
        for name in name_nodes:
            walker.bound[walker.scope].add(walker.text_of(name))
        bound = type_of(walker, bound_node) if bound_node is not None else 0
        for name in name_nodes:
            text = walker.text_of(name)
            names.append(text)
            walker.bind(text, walker.emit(op.TYPE_VARIABLE, name.start_byte, walker.string(text), bound), start, "type")
    if definition >= 0 and names:
        walker.type_parameters[definition] = names


# Nameless types with members


def struct_type(walker: GoWalker, node: Node) -> int:
    scope = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte)
    fields_of(walker, node, scope, -1)
    return walker.emit(op.OBJECT, node.start_byte, scope)


def interface_type(walker: GoWalker, node: Node) -> int:
    if not node.named_child_count:
        return walker.literal("any", node.start_byte)
    scope = walker.open_scope("object", walker.definition, node.start_byte, node.end_byte)
    for child in node.named_children:
        name = walker.name_node(child) if child.type == "method_elem" else None
        if name is not None:
            walker.bind(walker.text_of(name), function_type(walker, child), child.start_byte, "", scope)
        else:
            type_of(walker, child)
    return walker.emit(op.OBJECT, node.start_byte, scope)


def fields_of(walker: GoWalker, node: Node, scope: int, owner: int) -> None:
    """Binds the fields of a struct in its scope; those of a named struct are symbols too."""
    for part in node.named_children:
        for child in part.named_children if part.type == "field_declaration_list" else ():
            if child.type == "field_declaration":
                field_declaration(walker, child, scope, owner)
            else:
                walker.walk(child)


def field_declaration(walker: GoWalker, node: Node, scope: int, owner: int) -> None:
    names = [name for name in node.children_by_field_name("name") if name.end_byte > name.start_byte and name.is_named]
    type_node = node.child_by_field_name("type")
    for child in node.named_children:
        if child.type == "comment":
            walker.comment(child)
    if type_node is None:
        return
    start, end = node.start_byte, node.end_byte
    if not names:
        define_embedded(walker, type_node, scope, owner, start, end)
        return
    if owner >= 0:
        for name in names:
            begin = start if name is names[0] else name.start_byte
            text = walker.text_of(name)
            walker.leaf("field", text, name.start_byte, begin, end, owner, start, is_exported(text))
    tag = node.child_by_field_name("tag")
    if tag is not None:
        for found in _OF_TAG.finditer(walker.source[tag.start_byte : tag.end_byte]):
            walker.string(found[1].decode())  # so that the file is known to read variables or to map tables
    annotation = type_of(walker, type_node)
    for name in names:
        held = empty_container(walker, annotation, name.start_byte)
        typed = walker.emit(op.TYPED, name.start_byte, annotation, held) if annotation else 0
        walker.bind(walker.text_of(name), typed, start, "annotation", scope)


def define_embedded(walker: GoWalker, node: Node, scope: int, owner: int, start: int, end: int) -> None:
    """An embedded type: its members are the struct's own."""
    name = node
    while (
        name.type in ("pointer_type", "generic_type", "qualified_type", "parenthesized_type") and name.named_child_count
    ):
        name = name.named_children[-1 if name.type != "generic_type" else 0]
    text = walker.text_of(name)
    if owner >= 0:
        walker.leaf("field", text, name.start_byte, start, end, owner, exported=is_exported(text))
    base = base_type(walker, node)
    if base:
        if owner >= 0:
            walker.bases.setdefault(owner, []).append(("", base))
        walker.bind(text, walker.emit(op.TYPED, name.start_byte, base, 0), start, "annotation", scope)


def is_exported(name: str) -> bool:
    """Whether a name is exported: it is capitalised."""
    return name[:1].isupper()


def base_type(walker: GoWalker, node: Node) -> int:
    """A type whose outermost name is a base."""
    first = len(walker.sites)
    return walker.set_role_in_type(type_of(walker, node), first, BASE)


TYPES: Final[Handlers] = {
    "type_identifier": type_name,
    "identifier": type_name,
    "qualified_type": qualified_type,
    "selector_expression": qualified_type,
    "pointer_type": lower_wrapped_type,
    "parenthesized_type": lower_wrapped_type,
    "type_elem": type_element,
    "type_constraint": type_element,
    "negated_type": lower_wrapped_type,
    "slice_type": list_type,
    "array_type": list_type,
    "implicit_length_array_type": list_type,
    "channel_type": list_type,
    "map_type": map_type,
    "generic_type": generic_type,
    "function_type": function_type,
    "struct_type": struct_type,
    "interface_type": interface_type,
}
"""Where a type is expected."""
HANDLERS: Final = {kind: TYPES[kind] for kind in TYPES if kind not in ("identifier", "selector_expression")}
"""Types in other places; there a name is a value's."""
