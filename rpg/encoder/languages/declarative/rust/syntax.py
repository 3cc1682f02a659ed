"""Rust's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, CREATED, WRITE, FileFacts
from rpg.encoder.languages.declarative.definitions import define, definition, foresee
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.naming import is_exported, type_parameters
from rpg.encoder.languages.declarative.rust import operators
from rpg.encoder.languages.declarative.rust.conditions import bind_conditionally, item_below
from rpg.encoder.languages.declarative.rust.impls import (
    FUNCTION,
    TRAIT,
    TYPE_ALIAS,
    associated_type,
    bounds_of_impls,
    function_item,
    impl_item,
    trait_item,
)
from rpg.encoder.languages.declarative.rust.imported_heads import follow_imported_heads
from rpg.encoder.languages.declarative.rust.item_macros import read_items_at_top
from rpg.encoder.languages.declarative.rust.macros import (
    import_macros,
    macro_invocation,
    names_of,
    share_macros,
    token_tree,
)
from rpg.encoder.languages.declarative.rust.paths import (
    bind_variants,
    extern_crate,
    module_item,
    path_expression,
    path_type,
    use_declaration,
)
from rpg.encoder.languages.declarative.rust.patterns import (
    conditional,
    for_expression,
    let_condition,
    let_declaration,
    match_expression,
    pattern,
    try_expression,
)
from rpg.encoder.languages.declarative.rust.rules import CONVERTS_TO, Rules
from rpg.encoder.languages.declarative.spec import Call, Form, Member, Slot, Spec, Variable
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker

_SPACE: Final = Form("class", is_space=True)


def attribute_item(walker: DeclarativeWalker, node: Node) -> int:
    """`#[test]`. What stands in front of a statement or of an import says nothing of the next definition."""
    item = item_below(node)
    if item is None:
        return 0
    is_of_definition = item.type in walker.spec.definitions or item.type in walker.spec.variables
    if is_of_definition and walker.attributes < 0:
        walker.attributes = node.start_byte
    for child in node.named_children:
        if child.type == "attribute" and child.named_child_count:
            mark = walker.source_of(child.named_children[0]).rpartition("::")[2]
            if is_of_definition:
                walker.marks.append(mark)
            if mark == "cfg":
                walker.conditional.append((node.start_byte, item.end_byte))
    return 0


def mod_item(walker: DeclarativeWalker, node: Node) -> int:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return walker.through(node)
    if body is None:
        walker.attributes, walker.marks = -1, []
        module_item(walker, name)
        return 0
    walker.spaces.append(walker.text_of(name))
    define(walker, node, _SPACE, name)
    walker.spaces.pop()
    return 0


def type_alias(walker: DeclarativeWalker, node: Node) -> int:
    """`type A<T> = B<T>;` is another name for a type; in an impl, it is the trait's."""
    name, typed = walker.name_node(node), node.child_by_field_name("type")
    generics = node.child_by_field_name("type_parameters")
    if name is None or walker.owner or walker.scopes[walker.scope].kind == "class":
        return definition(walker, node)
    text, start = walker.text_of(name), node.start_byte
    words = walker.words_before(start, name.start_byte)
    index = walker.symbol(
        "type", text, name.start_byte, node, node.end_byte, exported=is_exported(walker, words, text), end_marks=";"
    )
    walker.attributes, walker.marks = -1, []
    around, holder = walker.here(), walker.scopes[walker.scope].start_byte
    if generics is not None:
        walker.scope = walker.open_scope("block", index, start, node.end_byte)
        type_parameters(walker, generics, index)
    value = type_of(walker, typed) if typed is not None else 0
    if value and walker.conditional and walker.conditional[-1][1] == node.end_byte:
        value = walker.emit(op.UNION, start, 1, value)  # a primitive type has no place of its own
    walker.return_to(around)
    walker.bind(text, value, holder, "type")
    return 0


def enum_variant(walker: DeclarativeWalker, node: Node) -> int:
    """Its fields are bound in the enum with its name in front, for patterns."""
    name, scope, first = walker.name_node(node), walker.scope, len(walker.bindings)
    definition(walker, node)
    if name is None:
        return 0
    variant = walker.text_of(name)
    fields = [each for each in walker.bindings[first:] if each.scope == scope and "." not in each.name]
    for each in fields:
        if walker.code[each.value] == op.TYPED:
            walker.bind(f"{variant}.{each.name}", each.value, each.byte, each.kind)
    return 0


def array(walker: DeclarativeWalker, node: Node) -> int:
    """`[a, b]`"""
    values = [walker.walk(child) for child in node.named_children]
    return walker.emit(op.LIST, node.start_byte, len(values), *values)


def function_type(walker: DeclarativeWalker, node: Node) -> int:
    """`Fn(A) -> B`, `fn(A) -> B`"""
    trait, returned = node.child_by_field_name("trait"), node.child_by_field_name("return_type")
    listed = node.child_by_field_name("parameters")
    if trait is not None:
        type_of(walker, trait)
    kinds = [child for child in (listed.named_children if listed is not None else ()) if child.type not in _NO_FIELDS]
    types = [type_of(walker, child.child_by_field_name("type") or child) for child in kinds]
    result = type_of(walker, returned) if returned is not None else 0
    parameters = walker.emit(op.TUPLE, node.start_byte, len(types), *types) if types else 0
    return walker.emit(op.FUNCTION_TYPE, node.start_byte, result, parameters)


def tuple_fields(walker: DeclarativeWalker, node: Node) -> int:
    """The types of `struct Meters(f64);` are those of its members 0, 1, ..."""
    around = node.parent
    is_struct = around is not None and around.type == "struct_item"
    named = around.child_by_field_name("name") if around is not None and around.type == "enum_variant" else None
    variant = f"{walker.text_of(named)}." if named is not None else ""
    start = walker.scopes[walker.scope].start_byte
    count = 0
    for child in node.named_children:
        if child.type in _NO_FIELDS:
            walker.walk(child)
            continue
        annotation = type_of(walker, child)
        if (is_struct or variant) and annotation:
            walker.bind(f"{variant}{count}", walker.emit_typed(annotation, child.start_byte), start, "annotation")
        count += 1
    walker.attributes, walker.marks = -1, []
    return 0


def struct_expression(walker: DeclarativeWalker, node: Node) -> int:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return walker.through(node)
    first = len(walker.sites)
    made = type_of(walker, name)
    walker.set_role_in_type(made, first, CREATED)
    value = walker.emit(op.INSTANCE, node.start_byte, made) if made else 0
    for child in body.named_children if body is not None else ():
        field = child.child_by_field_name("field")
        if child.type == "field_initializer" and field is not None:
            if value:
                walker.member(value, field, WRITE)
            walker.field(child, "value")
        elif child.type == "shorthand_field_initializer" and value and child.named_child_count:
            walker.member(value, child.named_children[-1], WRITE)
            walker.walk(child)
        else:
            walker.walk(child)
    return value


_NO_FIELDS: Final = frozenset({"attribute_item", "line_comment", "block_comment", "visibility_modifier"})
_IMPLEMENTERS: Final = frozenset({"struct", "enum", "trait"})
SPEC: Final[Spec] = Spec(
    definitions={
        "struct_item": Form("struct"),
        "union_item": Form("struct"),
        "enum_item": Form("enum"),
        "enum_variant": Form("field", body=()),
        "trait_item": TRAIT,
        "function_item": FUNCTION,
        "function_signature_item": FUNCTION,
        "macro_definition": Form("function", body=(), parameters=(), generics=(), is_macro=True),
        "mod_item": _SPACE,
        "type_item": TYPE_ALIAS,
        "associated_type": TYPE_ALIAS,
    },
    variables={
        "field_declaration": Variable(),
        "const_item": Variable(kind="constant"),
        "static_item": Variable(kind="constant"),
    },
    parameters={
        "parameter": Slot(("pattern",)),
        "self_parameter": Slot((":self",), ()),
    },
    type_parameters=frozenset({"type_parameter"}),
    constraints=frozenset({"where_clause", "where_predicate"}),
    calls={"call_expression": Call()},
    members={"field_expression": Member(("value",), ("field",))},
    names=frozenset({"identifier", "self", "field_identifier"}),
    type_names=frozenset({"type_identifier"}),
    type_members={"scoped_type_identifier": Member(("path",), ("name",))},
    generics={"generic_type": (("type",), ("type_arguments",)),
              "generic_function": (("function",), ("type_arguments",)),
              "generic_type_with_turbofish": (("type",), ("type_arguments",))},
    lists={"array_type": ("element",)},
    wrappers=frozenset("""parenthesized_expression reference_type pointer_type dynamic_type abstract_type
    reference_expression unary_expression await_expression trait_bounds mut_pattern ref_pattern
    reference_pattern removed_trait_bound higher_ranked_trait_bound bounded_type else_clause unsafe_block""".split()),
    parentheses=frozenset({"parenthesized_expression"}),
    primitives=frozenset({"primitive_type", "unit_type"}),
    tuples=frozenset({"tuple_expression", "tuple_type"}),
    patterns=frozenset({"reference_pattern", "struct_pattern", "tuple_pattern", "tuple_struct_pattern"}),
    puts=frozenset({"insert", "push", "push_back", "push_front"}),
    literals={"string_literal": "str", "raw_string_literal": "str", "char_literal": "char", "boolean_literal": "bool",
              "integer_literal": "i32", "float_literal": "f64"},
    subscripts={"index_expression": ("<",)},
    lambdas={"closure_expression": ("parameters",)},
    blocks=frozenset({"block"}),
    blocks_have_values=True,
    alternatives={"if_expression": ("consequence", "alternative")},
    converts_to=CONVERTS_TO,
    casts={"type_cast_expression": (("type",), ("value",))},
    assignments={"assignment_expression": (("left",), ("right",))},
    returns=frozenset({"return_expression"}),
    comments=frozenset({"line_comment", "block_comment"}),
    skipped=frozenset({"lifetime", "visibility_modifier", "inner_attribute_item", "label", "token_tree_pattern",
                       "fragment_specifier"}),
    handlers={
        "use_declaration": use_declaration,
        "extern_crate_declaration": extern_crate,
        "attribute_item": attribute_item,
        "mod_item": mod_item,
        "impl_item": impl_item,
        "trait_item": trait_item,
        "function_item": function_item,
        "function_signature_item": function_item,
        "scoped_identifier": path_expression,
        "scoped_type_identifier": path_type,
        "macro_invocation": macro_invocation,
        "token_tree": token_tree,
        "associated_type": associated_type,
        "type_item": type_alias,
        "enum_variant": enum_variant,
        "function_type": function_type,
        "array_expression": array,
        "ordered_field_declaration_list": tuple_fields,
        "struct_expression": struct_expression,
        "try_expression": try_expression,
        "if_expression": conditional,
        "let_condition": let_condition,
        "while_expression": conditional,
        "match_expression": match_expression,
        "for_expression": for_expression,
        "let_declaration": let_declaration,
        "expression_statement": Walker.through,
        "binary_expression": operators.binary,
        "compound_assignment_expr": operators.compound_assignment,
        "unary_expression": operators.unary,
        "index_expression": operators.index,
        "call_expression": operators.call,
    },
    locals_begin_late=True,
    owners_are_named=True,
    self_types=frozenset({"Self"}),
    receiver="self",
    public=frozenset({"pub"}),
    modifiers={"async": "async"},
    test_marks=Rules.tests.marks,
)  # fmt: skip


class Lowering(DeclarativeLowering):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def take_apart(self, node: Node, value: int) -> None:
        pattern(self, node, value)

    def type_name(self, node: Node, role: int = ANNOTATION) -> int:
        """A type of a trait or an implementation is named with `Self::` in front alone."""
        scope = self.scope_of_type(self.text_of(node)) if self.class_scope >= 0 else -1
        return super().type_name(node, role) if scope < 0 else self.name_in(0, node, role)

    def walk_top(self, root: Node) -> None:
        in_macros = read_items_at_top(self, root)
        for each in in_macros:
            foresee(self, each)
        for each in (root, *in_macros):
            declared = [child for child in each.named_children if child.type == "mod_item"]
            names = [item.child_by_field_name("name") for item in declared if not item.child_by_field_name("body")]
            self.modules.update(self.source_of(name) for name in names if name is not None)
            self.macros |= names_of(self, each, "macro_definition")
            bounds_of_impls(self, each)
        super().walk_top(root)

    def finish(self) -> FileFacts:
        self.add_bases_written_outside(_IMPLEMENTERS)
        follow_imported_heads(self)
        share_macros(self, self.macros)
        import_macros(self)
        bind_variants(self)
        bind_conditionally(self)
        return super().finish()
