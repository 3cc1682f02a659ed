"""Lowers types: annotations become expressions in type position, whose names are ANNOTATION sites.

In: nodes. Out: expressions. Computed types (conditional, mapped, `keyof`) stand for nothing, but the names in them
count.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker

CALL_SIGNATURE, NEW_SIGNATURE, INDEX_SIGNATURE = "()", "new", "[]"
"""Names of the nameless members of an object type: the results of calling, `new` and indexing."""
SPREAD: Final = "..."
"""A binding or member of this name stands for all members of its value."""
_ANYTHING: Final = frozenset(("any", "unknown", "object"))
_SAME_MEMBERS: Final = frozenset(("Partial", "Readonly", "Required"))
"""Library types that have the members of their argument."""
_PICKING: Final = frozenset(("Pick", "Omit"))
"""Library types whose second argument names members of the first."""
_VALUES: Final = frozenset(("identifier", "member_expression", "nested_identifier"))
"""Nodes behind `typeof` that name a value."""


def type_of(walker: EcmaScriptWalker, node: Node) -> int:
    """Lowers a type; returns the expression in type position, 0 if it is computed."""
    return walker.types[node.type](walker, node)


def lower_computed_type(walker: EcmaScriptWalker, node: Node) -> int:
    for child in node.named_children:
        type_of(walker, child)
    return 0


def lower_wrapped_type(walker: EcmaScriptWalker, node: Node) -> int:
    value = 0
    types = walker.types
    for child in node.named_children:
        value = types[child.type](walker, child)
    return value


def rest_type(walker: EcmaScriptWalker, node: Node) -> int:
    inner = lower_wrapped_type(walker, node)
    return walker.emit(op.ELEMENT, node.start_byte, walker.emit(op.INSTANCE, node.start_byte, inner)) if inner else 0


def type_name(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.identifier(node, ANNOTATION)


def predefined_type(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.literal(walker.text_of(node), node.start_byte)


def lower_qualified_type(walker: EcmaScriptWalker, node: Node) -> int:
    """`a.B`: the member is the reference; so is the namespace before it."""
    children = node.children
    if len(children) != 3:
        return lower_computed_type(walker, node)
    container = type_of(walker, children[0])
    member = children[2]
    start = member.start_byte
    word = walker.word(walker.source[start : member.end_byte])
    if walker.code[container] == op.IMPORT:
        offset = walker.emit(op.IMPORTED, start, walker.code[container + op.STATEMENT], word)
    else:
        offset = walker.emit(op.ATTRIBUTE, start, container, word)
    walker.sites += (offset, ANNOTATION, walker.definition)
    return offset


def lower_imported_type(walker: EcmaScriptWalker, node: Node) -> int:
    """`import("module")` in a type."""
    count = len(walker.imports)
    value = walker.walk(node)
    if len(walker.imports) > count:
        walker.imports[count] = walker.imports[count]._replace(kind="type")
    return value


def generic_type(walker: EcmaScriptWalker, node: Node) -> int:
    base = 0
    arguments: list[int] = []
    for child in node.named_children:
        if child.type == "type_arguments":
            arguments = type_arguments_of(walker, child)
        else:
            base = type_of(walker, child)
    code = walker.code
    if len(arguments) == 2 and code[base] == op.NAME and walker.texts[code[base + op.WORD]] in _PICKING:
        members_named(walker, arguments[0], arguments[1])
    return subscript_type(walker, node.start_byte, base, arguments)


def subscript_type(walker: EcmaScriptWalker, byte: int, base: int, arguments: list[int]) -> int:
    if not arguments:
        return base
    return walker.emit(op.SUBSCRIPT, byte, base, walker.one_or_tuple(arguments, byte))


def type_arguments_of(walker: EcmaScriptWalker, node: Node) -> list[int]:
    alias = walker.alias
    around = node.parent
    if around is None or around.type != "generic_type" or walker.text_of(around.children[0]) not in _SAME_MEMBERS:
        walker.alias = -1
    arguments = [type_of(walker, child) for child in parts_of(node)]
    walker.alias = alias
    return arguments


def arguments_of_type(walker: EcmaScriptWalker, node: Node) -> int:
    """Type arguments whose base does not matter."""
    type_arguments_of(walker, node)
    return 0


def array_type(walker: EcmaScriptWalker, node: Node) -> int:
    item = lower_wrapped_type(walker, node)
    start = node.start_byte
    array = walker.variable(walker.word(b"Array"), start)
    return walker.emit(op.SUBSCRIPT, start, array, item)


def tuple_type(walker: EcmaScriptWalker, node: Node) -> int:
    items = []
    for child in walker.parts(node):
        kind = child.type
        if kind in ("required_parameter", "optional_parameter"):
            annotation = child.child_by_field_name("type")
            items.append(type_of(walker, annotation) if annotation is not None else 0)
        else:
            items.append(type_of(walker, child))
    return walker.emit(op.TUPLE, node.start_byte, len(items), *items)


def union_type(walker: EcmaScriptWalker, node: Node) -> int:
    """`A | B | C`, a left-leaning chain, flattened. `&` too: a value of the type has the members of all."""
    parts: list[int] = []
    pending = [node]
    while pending:
        current = pending.pop()
        for child in reversed(current.named_children) if current.type == node.type else (current,):
            if child.type == node.type:
                pending.append(child)
            elif child is current:
                parts.append(type_of(walker, child))
            else:
                pending.append(child)
    return walker.union(parts, node.start_byte)


def literal_type(walker: EcmaScriptWalker, node: Node) -> int:
    for child in walker.parts(node):
        kind = child.type
        if kind == "string":
            return walker.emit(op.STRING, child.start_byte, walker.string(walker.name_of(child)))
        return walker.literal(
            "number" if kind in ("number", "unary_expression") else walker.text_of(child), child.start_byte
        )
    return 0


def this_type(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.this.value or walker.emit(op.THIS, node.start_byte, walker.this.scope)


def type_query(walker: EcmaScriptWalker, node: Node) -> int:
    """`typeof a.b` in a type: the type of that value, never of a type that has the name, too."""
    value = 0
    for child in node.named_children:
        if child.type == "this":
            value = this_type(walker, child)
        else:
            value = walker.walk(child) if child.type in _VALUES else type_of(walker, child)
    return walker.emit(op.TYPE_OF, node.start_byte, value) if value else 0


def lookup_type(walker: EcmaScriptWalker, node: Node) -> int:
    """`T["name"]` is the type of that member of a value; `T[number]` that of its elements."""
    parts = parts_of(node)
    if len(parts) != 2:
        return lower_computed_type(walker, node)
    holder = type_of(walker, parts[0])
    key = parts[1]
    index = type_of(walker, key)
    if not holder or not index:
        return 0
    start = key.start_byte
    members = members_named(walker, holder, index)
    if members:
        return walker.emit(op.TYPE_OF, start, walker.union(members, start))
    if walker.code[index] == op.LITERAL and key.type == "predefined_type":
        return walker.emit(op.TYPE_OF, start, walker.emit(op.ELEMENT, start, walker.emit(op.INSTANCE, start, holder)))
    return 0


def members_named(walker: EcmaScriptWalker, holder: int, index: int) -> list[int]:
    """The members of a type that a literal type, or a union of them, names."""
    code = walker.code
    found: list[int] = []
    is_module = code[holder] == op.TYPE_OF and code[code[holder + op.OPERAND]] == op.IMPORT  # importing is no use
    for key in op.items_of(code, index) if code[index] == op.UNION else (index,):
        if code[key] != op.STRING:
            continue
        byte = code[key + op.BYTE]
        member = walker.emit(op.ATTRIBUTE, byte + 1, walker.emit(op.INSTANCE, byte, holder), code[key + op.WORD])
        if not is_module:
            walker.site(member, ANNOTATION)
        found.append(member)
    return found


def conditional_type(walker: EcmaScriptWalker, node: Node) -> int:
    """Which branch applies is unknown; names bound by `infer` are visible inside."""
    around = walker.scope
    walker.scope = walker.open_scope("block", walker.definition, node.start_byte, node.end_byte)
    lower_computed_type(walker, node)
    walker.scope = around
    return 0


def infer_type(walker: EcmaScriptWalker, node: Node) -> int:
    for position, child in enumerate(node.named_children):
        if position == 0:
            type_variable(walker, walker.text_of(child), 0, child.start_byte)
        else:
            type_of(walker, child)
    return 0


def lower_mapped_clause(walker: EcmaScriptWalker, node: Node) -> int:
    """`K in keyof T`: returns T, 0 for other keys."""
    of = 0
    for child in node.named_children:
        if child.type == "type_identifier" and child.start_byte == node.start_byte:
            type_variable(walker, walker.text_of(child), 0, child.start_byte)
        elif child.type == "index_type_query" and child.named_child_count == 1:
            of = type_of(walker, child.named_children[0])
        else:
            type_of(walker, child)
    return of


def type_predicate(walker: EcmaScriptWalker, node: Node) -> int:
    """`x is T` is a boolean that proves something about an argument; the annotation records it as NARROWED."""
    value = name = 0
    for child in node.named_children:
        kind = child.type
        if kind == "type_predicate":
            return type_predicate(walker, child)
        if kind == "identifier" and not name:
            name = walker.variable(walker.word(walker.source[child.start_byte : child.end_byte]), child.start_byte)
        elif kind != "this":
            value = type_of(walker, child)
    if not name or not value:
        return walker.literal("boolean", node.start_byte)
    return walker.emit(op.NARROWED, node.start_byte, name, value, 0)


# Type parameters


def type_variable(walker: EcmaScriptWalker, name: str, bound: int, byte: int) -> None:
    start = walker.scopes[walker.scope].start_byte
    walker.bind(name, walker.emit(op.TYPE_VARIABLE, byte, walker.string(name), bound), start, "type")


def type_parameters_of(walker: EcmaScriptWalker, node: Node, definition: int = -1) -> None:
    """Binds type parameters in the current scope; `definition`: their owner."""
    names: list[str] = []
    for child in node.named_children:
        if child.type != "type_parameter":
            walker.walk(child)
            continue
        name = ""
        bound = 0
        start = child.start_byte
        for part in child.named_children:
            if part.type == "type_identifier":
                name, start = walker.text_of(part), part.start_byte
            elif part.type == "constraint":
                bound = lower_wrapped_type(walker, part)
            else:
                type_of(walker, part)
        type_variable(walker, name, bound, start)
        names.append(name)
    if definition >= 0:
        walker.type_parameters[definition] = names


def narrow_by_cast(walker: EcmaScriptWalker, byte: int, annotation: int, value: int) -> int:
    """`value as T`; a cast to `any` says nothing."""
    if not annotation:
        return value
    code = walker.code
    if code[annotation] == op.LITERAL and walker.texts[code[annotation + op.WORD]] in _ANYTHING:
        return value
    if code[annotation] == op.NAME and walker.texts[code[annotation + op.WORD]] == "const":
        return value
    return walker.emit(op.TYPED, byte, annotation, value)


def expect_type(walker: EcmaScriptWalker, annotation: int, value: int) -> None:
    """`value satisfies T`: the value stays what it is, but the keys of its literals are those of the type."""
    code = walker.code
    if not annotation or not value:
        return
    if code[value] == op.OBJECT:
        walker.annotations.setdefault(code[value + op.SCOPE], annotation)
    elif code[value] == op.LIST and code[annotation] == op.SUBSCRIPT:
        for item in op.items_of(code, value):
            expect_type(walker, code[annotation + op.INDEX], item)


TYPES: Final[Handlers] = {
    "type_identifier": type_name,
    "identifier": type_name,
    "predefined_type": predefined_type,
    "generic_type": generic_type,
    "nested_type_identifier": lower_qualified_type,
    "nested_identifier": lower_qualified_type,
    "member_expression": lower_qualified_type,
    "call_expression": lower_imported_type,
    "array_type": array_type,
    "tuple_type": tuple_type,
    "union_type": union_type,
    "intersection_type": union_type,
    "literal_type": literal_type,
    "this_type": this_type,
    "type_query": type_query,
    "lookup_type": lookup_type,
    "conditional_type": conditional_type,
    "infer_type": infer_type,
    "type_predicate": type_predicate,
    "asserts": type_predicate,
    "type_annotation": lower_wrapped_type,
    "parenthesized_type": lower_wrapped_type,
    "readonly_type": lower_wrapped_type,
    "optional_type": lower_wrapped_type,
    "constraint": lower_wrapped_type,
    "default_type": lower_wrapped_type,
    "adding_type_annotation": lower_wrapped_type,
    "omitting_type_annotation": lower_wrapped_type,
    "opting_type_annotation": lower_wrapped_type,
    "rest_type": rest_type,
    "index_type_query": lower_computed_type,
    "template_literal_type": lower_computed_type,
    "template_type": lower_computed_type,
    "asserts_annotation": lower_wrapped_type,
    "type_predicate_annotation": lower_wrapped_type,
    "comment": Walker.comment,
    "string": Walker.skip,
    "string_fragment": Walker.skip,
    "mapped_type_clause": lower_mapped_clause,
}
"""Where a type is expected; other kinds are `lower_computed_type`."""
HANDLERS: Final[Handlers] = {
    "type_arguments": arguments_of_type,
    "type_parameters": Walker.skip,
}
