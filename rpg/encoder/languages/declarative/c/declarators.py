"""Declarations of C and C++: what a declarator names, and with what type.

In: nodes. Out: definitions and bindings.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, TAG, WRITE, Definition
from rpg.encoder.languages.declarative.c.constructions import (
    LISTS,
    construct_declared,
    is_variable_with_names,
    pass_names,
    passed_initially,
)
from rpg.encoder.languages.declarative.definitions import define
from rpg.encoder.languages.declarative.expressions import pattern, type_of
from rpg.encoder.languages.declarative.naming import offer_name, type_parameters
from rpg.encoder.languages.declarative.spec import Form
from rpg.encoder.languages.declarative.variables import field, local
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

NAMES: Final = frozenset(
    """identifier field_identifier type_identifier qualified_identifier destructor_name operator_name operator_cast
    template_function template_method""".split()
)
_KINDS: Final = {
    "struct_specifier": Form("struct", bases=(":base_class_clause",)),
    "union_specifier": Form("struct"),
    "enum_specifier": Form("enum"),
    "class_specifier": Form("class", bases=(":base_class_clause",)),
}
_ARRAYS: Final = frozenset({"array_declarator", "abstract_array_declarator"})
_FUNCTIONS: Final = frozenset({"function_declarator", "abstract_function_declarator"})
_BEHIND: Final = frozenset({"trailing_return_type", "noexcept", "requires_clause", "throw_specifier"})
_POINTING: Final = frozenset({"identifier", "pointer_declarator", "reference_declarator"})
_ORDINARY: Final = frozenset({"function", "constant"})
FUNCTION: Final = Form("function", result=("type",), inside="method")


def find_declared_name(node: Node) -> tuple[Node | None, Node | None]:
    """The name in a declarator, and the innermost function declarator around it."""
    function = None
    while node.type not in NAMES:
        if node.type == "function_declarator":
            function = node
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next(
                (child for child in node.named_children if child.type in NAMES or "declarator" in child.type), None
            )
        if inner is None:
            return None, function
        node = inner
    return node, function


_TYPE_WORDS: Final = frozenset("char const double float int long short signed unsigned void volatile".split())
"""What is no name, though it stands where one would behind a macro that the parser takes for the type."""


def list_declared_names(node: Node) -> list[Node]:
    """The names in a declaration."""
    names = [find_declared_name(each)[0] for each in node.children_by_field_name("declarator")]
    return [name for name in names if name is not None and name.type in ("identifier", "field_identifier")]


def is_pointer_to_function(function: Node | None) -> bool:
    """`(*name)(...)` declares a variable."""
    inner = function.child_by_field_name("declarator") if function is not None else None
    return inner is not None and inner.type == "parenthesized_declarator"


def declaration(walker: DeclarativeWalker, node: Node) -> int:
    """Variables, and functions that are defined elsewhere."""
    typed = node.child_by_field_name("type")
    if typed is not None and walker.source[typed.start_byte - 1 : typed.start_byte] == b"@":
        return 0  # Objective-C's `@class Cart;`: the type is elsewhere
    annotation = type_of(walker, typed) if typed is not None else 0
    words = walker.words_before(node.start_byte, typed.start_byte if typed is not None else node.start_byte)
    here = walker.scopes[walker.scope].kind
    first = True
    for each in node.children_by_field_name("declarator"):
        name, function = find_declared_name(each)
        if name is not None and walker.source_of(name) in _TYPE_WORDS:
            continue
        is_made = function is not None and walker.spec.declarations_construct
        is_made = is_made and function is not None and is_variable_with_names(walker, function)
        row = pass_names(walker, function) if is_made and function is not None else None
        if is_made:
            function = None
        if not is_made:
            read_declarator(walker, each)
        value_node = each.child_by_field_name("value") if each.type == "init_declarator" else None
        if value_node is None and each.type in _POINTING:
            value_node = node.child_by_field_name("value")  # `if (auto* x = y)`
        if value_node is None and here == "class" and function is None:
            value_node = find_initial(node, each)
        own = annotation if is_made else build_declarator_type(walker, annotation, each)
        is_list = walker.spec.declarations_construct and value_node is not None and value_node.type in LISTS
        value = initial(walker, value_node, annotation) if value_node is not None and not is_list else 0
        taken = find_structured_binding(each)
        if taken is not None:
            pattern(walker, taken, value)
            continue
        is_function = function is not None and not is_pointer_to_function(function)
        if walker.spec.declarations_construct and typed is not None and function is None and "extern" not in words:
            if row is None:
                row = passed_initially(walker, value_node, value, annotation)
            construct_declared(walker, annotation, name if is_made and name is not None else each, row)
        if is_function and typed is not None and name is not None and walker.scope == 0:
            walker.declared_functions.add(walker.text_of(name))
        if name is None or is_function or "extern" in words:
            continue
        if name.type == "qualified_identifier":
            walker.with_role(name, WRITE)  # a static member, defined outside of its class
        if name.type not in ("identifier", "field_identifier") or name.start_byte == name.end_byte:
            continue
        if here == "class":
            field(walker, name, node if first else each, own, value, "field", node)
        elif walker.function or walker.is_damaged:
            local(walker, name, own, value, each.end_byte)
        else:
            field(walker, name, node if first else each, own, value, "constant", node, "static" not in words)
        first = False
    for child in node.named_children:
        if child.type == "bitfield_clause":
            walker.through(child)
    return 0


def find_structured_binding(declarator: Node) -> Node | None:
    """The `[a, b]` of a declarator."""
    inner: Node | None = declarator
    while inner is not None and inner.type not in NAMES:
        if inner.type == "structured_binding_declarator":
            return inner
        held = inner.child_by_field_name("declarator")
        inner = held or (inner.named_children[-1] if inner.type == "reference_declarator" else None)
    return None


def find_initial(node: Node, declarator: Node) -> Node | None:
    """The value that a field gets where its class is defined, which stands beside its declarator."""
    behind = False
    for child in node.children:
        if child.start_byte == declarator.start_byte and child.type == declarator.type:
            behind = True
        elif behind and child.type == ",":
            return None
        elif behind and child.is_named and child.type != "bitfield_clause":
            return child
    return None


def read_declarator(walker: DeclarativeWalker, declarator: Node) -> None:
    """What a declarator names besides what it declares: sizes of arrays (`buffer[LIMIT]`), the parameters of functions
    and what stands behind these."""
    inner: Node | None = declarator
    while inner is not None and inner.type not in NAMES:
        size = inner.child_by_field_name("size") if inner.type in _ARRAYS else None
        if size is not None:
            walker.walk(size)
        if inner.type in _FUNCTIONS:
            for child in inner.named_children:
                if child.type in _BEHIND:
                    walker.walk(child)
                elif child.type == "parameter_list":
                    types_in(walker, child)
        inner = inner.child_by_field_name("declarator") or next(
            (child for child in inner.named_children if "declarator" in child.type), None
        )


def types_in(walker: DeclarativeWalker, parameters: Node) -> None:
    """The types, sizes and defaults in the header of a function or template that is only declared."""
    for child in parameters.named_children:
        for field_name in ("type", "default_type"):
            inner = child.child_by_field_name(field_name)
            if inner is not None:
                type_of(walker, inner)
        declared, default = child.child_by_field_name("declarator"), child.child_by_field_name("default_value")
        if declared is not None:
            read_declarator(walker, declared)
        if default is not None:
            walker.walk(default)


def build_declarator_type(walker: DeclarativeWalker, annotation: int, declarator: Node) -> int:
    """The type of what a declarator names: an array is a list, a pointer is what it points to."""
    inner: Node | None = declarator
    while inner is not None and inner.type not in NAMES:
        if inner.type == "array_declarator" and annotation:
            return walker.emit(
                op.SUBSCRIPT, declarator.start_byte, walker.literal("list", inner.start_byte), annotation
            )
        if inner.type == "function_declarator":
            return 0
        inner = inner.child_by_field_name("declarator")
    return walker.declared_type(annotation, declarator)


def initial(walker: DeclarativeWalker, node: Node, annotation: int) -> int:
    """A value; in a list of them, the fields are those of the declared type."""
    around, walker.expected = walker.expected, annotation
    value = walker.walk(node)
    walker.expected = around
    return 0 if node.type == "initializer_list" else value


def initializer_pair(walker: DeclarativeWalker, node: Node) -> int:
    """`.name = value`"""
    for each in node.children_by_field_name("designator"):
        if each.type == "field_designator" and each.named_child_count:
            holder = walker.emit(op.INSTANCE, each.start_byte, walker.expected) if walker.expected else 0
            walker.member(holder, each.named_children[0])
        else:
            walker.walk(each)
    around, walker.expected = walker.expected, 0
    walker.field(node, "value")
    walker.expected = around
    return 0


def type_specifier(walker: DeclarativeWalker, node: Node) -> int:
    """`struct x`, with or without a body."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        if name is not None and name.type == "type_identifier":
            if walker.spec.types_outside_owners and 0 <= walker.class_scope == walker.scope:
                text = walker.text_of(name)
                if node.parent is not None and node.parent.child_by_field_name("declarator") is None:
                    walker.declared_types.add((walker.scope, text))
                if (walker.scope, text) in walker.declared_types:
                    return walker.type_name(name)
            return tag(walker, name)
        return type_of(walker, name) if name is not None else 0
    form = _KINDS[node.type]
    owner = ""
    while name is not None and name.type in ("template_type", "qualified_identifier"):
        if name.type == "template_type":
            lower_specialised_types(walker, node, name)
        scope = name.child_by_field_name("scope")
        if scope is not None and walker.scope == 0:
            owner = holder_of(walker, scope, owner)
        name = name.child_by_field_name("name")
    walker.is_untagged = name is None
    if name is None:
        name = walker.named_by_type
    if name is None:
        if node.type == "enum_specifier":
            walker.walk(body)
        else:
            nameless_members(walker, body)
        return 0
    walker.named_by_type = None
    is_tagged = not walker.is_untagged
    if owner:
        walker.owned_types.add((owner, walker.text_of(name)))
    index = define(walker, node, form, name, owner)
    walker.is_untagged = False
    value = walker.name_of_type(index, name.start_byte)
    if is_tagged:
        walker.code[value + op.WORD] = walker.string(walker.definitions[index].name + TAG)
    return value


def lower_specialised_types(walker: DeclarativeWalker, node: Node, name: Node) -> None:
    """The types for which a template is specialised: `struct Held<Basket, T>`. Its own type variables are none."""
    arguments, parameters = name.child_by_field_name("arguments"), walker.template
    if arguments is None:
        return
    around = walker.scope
    if parameters is not None and parameters.named_child_count:
        walker.scope = walker.open_scope("block", walker.definition, node.start_byte, node.end_byte)
        type_parameters(walker, parameters, -1)
    for each in arguments.named_children:
        type_of(walker, each)
    walker.scope = around


def holder_of(walker: DeclarativeWalker, scope: Node, around: str) -> str:
    """The class in front of the name of what is defined outside of it; nothing for a namespace."""
    text = walker.source_of(scope).partition("<")[0].strip()
    if scope.type == "namespace_identifier" and (text in walker.spaces or text.islower()):
        return ""
    return f"{around}.{text}" if around else text


def tag(walker: DeclarativeWalker, node: Node) -> int:
    """`struct x`: the type, whatever else has the name."""
    text = walker.text_of(node)
    scope = walker.scope_of_type(text) if walker.class_scope >= 0 else -1
    value = walker.name_in(scope, node, ANNOTATION) if scope >= 0 else walker.identifier(node, ANNOTATION)
    walker.code[value + op.WORD] = walker.string(text + TAG)
    return value


def is_macro(definition: Definition) -> bool:
    """Whether a definition is text that stands for other text, also behind `struct`."""
    return definition.signature.startswith("#")


def part_tags(walker: DeclarativeWalker) -> None:
    """At the end of a file: a type whose name a function or variable of the file has, too, is not meant by the name
    alone. In namespaces both may be apart anyway."""
    if walker.spaces:
        return
    code, definitions = walker.code, walker.definitions
    named = {definitions[index].name for index in walker.tags}
    others = {each.name for each in definitions if each.parent == 0 and each.kind in _ORDINARY and not is_macro(each)}
    shared = named & (others | walker.declared_functions)
    if not shared:
        return
    tags = {index for index in walker.tags if definitions[index].name in shared}
    walker.bindings[:] = [
        each
        for each in walker.bindings
        if each.name not in shared or code[each.value] != op.DEFINITION or code[each.value + op.DEFINED] not in tags
    ]
    for name in shared.difference(each.name for each in walker.bindings if each.scope == 0):
        walker.bound[0].discard(name)
        walker.offered.pop(name, None)


def nameless_members(walker: DeclarativeWalker, body: Node) -> None:
    """A struct without a name within another: its fields are those of the one around, as far as it has no name."""
    around, function = walker.function, walker.scopes[walker.scope].kind
    if function == "class":
        walker.walk(body)
        return
    walker.scope, outer = walker.open_scope("block", walker.definition, body.start_byte, body.end_byte), walker.scope
    walker.function = walker.scope
    walker.walk(body)
    walker.scope, walker.function = outer, around


def type_definition(walker: DeclarativeWalker, node: Node) -> int:
    """`typedef`"""
    typed = node.child_by_field_name("type")
    declarators = node.children_by_field_name("declarator")
    names = [find_declared_name(each) for each in declarators]
    own = typed.child_by_field_name("name") if typed is not None else None
    first = names[0][0] if names else None
    is_nameless = typed is not None and own is None and typed.child_by_field_name("body") is not None
    walker.named_by_type = first if is_nameless else None
    annotation = type_of(walker, typed) if typed is not None else 0
    walker.named_by_type = None
    for each in declarators:
        read_declarator(walker, each)
    for name, function in names:
        if name is None or (is_nameless and name == first):
            continue
        text = walker.text_of(name)
        is_same = own is not None and walker.source_of(own) == text
        if is_same and typed is not None and typed.child_by_field_name("body") is not None:
            continue
        walker.leaf("type", text, name.start_byte, node.start_byte, node.end_byte, walker.definition, exported=True)
        if function is None:
            walker.bind(text, annotation, walker.scopes[walker.scope].start_byte, "type")
        else:
            walker.bind(text, 0, walker.scopes[walker.scope].start_byte, "type")
        offer_name(walker, text)
    return 0


def enumerator(walker: DeclarativeWalker, node: Node) -> int:
    """A constant of an enum is also one of the file, and of the class around, unless it is that of an `enum class`."""
    name = node.child_by_field_name("name")
    if name is None:
        return walker.through(node)
    index = define(walker, node, _ENUMERATOR, name)
    text = walker.text_of(name)
    if walker.class_scope >= 0 and is_unscoped(node):
        scope = walker.scopes[walker.class_scope].parent
        if scope > 0 and walker.scopes[scope].kind == "class":
            give_to_class(walker, scope, text, index, name.start_byte)
        while scope > 0 and walker.scopes[scope].kind == "class":
            scope = walker.scopes[scope].parent
        walker.bind(text, walker.definition_value(index), 0, "", max(scope, 0))
        offer_name(walker, text)
    return 0


def give_to_class(walker: DeclarativeWalker, scope: int, text: str, index: int, byte: int) -> None:
    """A member of a class that is defined in something else within it."""
    here = walker.scopes[scope]
    around = walker.string(walker.definitions[here.definition].name)
    holder = walker.emit(op.NAME, byte, around, here.parent)
    walker.named.append(holder)
    walker.members.append((holder, text, walker.definition_value(index)))


def is_unscoped(enumerator: Node) -> bool:
    """Whether a constant is that of a plain enum, and not of an `enum class`."""
    listed = enumerator.parent
    enum = listed.parent if listed is not None else None
    return enum is not None and not any(child.type in ("class", "struct") for child in enum.children)


_ENUMERATOR: Final = Form("field", body=())
