"""Swift's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, WRITE, FileFacts
from rpg.encoder.languages.declarative.definitions import definition
from rpg.encoder.languages.declarative.expressions import arguments_of, assign, lower_callee, type_of
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.naming import type_parameters
from rpg.encoder.languages.declarative.spec import Creation, Form, Slot, Spec
from rpg.encoder.languages.declarative.swift.definitions import (
    FUNCTION,
    TYPE,
    captures,
    class_declaration,
    enum_entry,
    enum_names,
    function_declaration,
    lambda_literal,
    property_declaration,
    property_names,
    protocol_declaration,
    setter,
)
from rpg.encoder.languages.declarative.swift.names import (
    SwiftWalker,
    bind_pattern,
    conditions,
    dictionary_type,
    function_type,
    identifier,
    import_declaration,
    types_in,
    user_type,
)
from rpg.encoder.languages.declarative.swift.operators import (
    SIGNS,
    chain_handler,
    operation,
    prefix_operation,
    run_sign,
)
from rpg.encoder.languages.declarative.swift.rules import Rules
from rpg.encoder.languages.declarative.unnamed_calls import run_with
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers
from rpg.graph import OVERRIDE

_BODIES: Final = frozenset({"function_body", "computed_property", "computed_getter"})
_BRANCHES: Final = frozenset({"switch_entry", "if_statement"})
"""What is of the type that is expected of the whole, if it is one expression."""
_UNITERATED: Final = frozenset({op.NOTHING, op.LITERAL})
"""Operations whose values are not objects of the repository."""
_IMPLEMENTERS: Final = frozenset({"class", "struct", "enum", "interface"})


# Statements


def statements(walker: SwiftWalker, node: Node) -> int:
    """A single expression is what its function returns."""
    value = 0
    is_single = node.named_child_count == 1
    kind = node.parent.type if node.parent is not None else ""
    around = walker.expected
    if kind in _BODIES or not is_single:
        walker.expected = walker.annotations.get(walker.function, 0) if is_single else 0
    elif kind not in _BRANCHES:
        walker.expected = 0
    for child in node.named_children:
        value = walker.walk(child)
    walker.expected = around
    return value if is_single else 0


def conditional(walker: SwiftWalker, node: Node) -> int:
    around = walker.enter_block(node)
    conditions(walker, node)
    walker.leave_block(around)
    return 0


def guard_statement(walker: SwiftWalker, node: Node) -> int:
    conditions(walker, node)
    return 0


def for_statement(walker: SwiftWalker, node: Node) -> int:
    around = walker.enter_block(node)
    item, held = node.child_by_field_name("item"), node.child_by_field_name("collection")
    value = walker.walk(held) if held is not None else 0
    if item is not None:
        element = walker.iterated(value, held.start_byte, _UNITERATED) if held is not None and value else 0
        typed_node = next((child for child in node.named_children if child.type == "type_annotation"), None)
        if typed_node is not None and typed_node.named_child_count:
            element = walker.emit_typed(type_of(walker, typed_node.named_children[-1]), item.start_byte)
        name = item.child_by_field_name("bound_identifier")
        if name is not None:
            walker.bind(walker.text_of(name), element, name.end_byte)
        else:
            bind_pattern(walker, item, 0, True)
    for child in node.named_children:
        if child not in (item, held):
            walker.walk(child)
    walker.leave_block(around)
    return 0


def type_alias(walker: SwiftWalker, node: Node) -> int:
    """`typealias Items = [Item]`"""
    definition(walker, node)
    parts = node.children_by_field_name("name")
    generics = walker.part(node, (":type_parameters",))
    if len(parts) > 1:
        around = walker.scope
        if generics is not None:
            walker.scope = walker.open_scope("block", walker.definition, node.start_byte, node.end_byte)
            type_parameters(walker, generics, -1)
        type_of(walker, parts[-1])
        walker.scope = around
    return 0


def switch_pattern(walker: SwiftWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type == "pattern":
            bind_pattern(walker, child, walker.subject, False)
        else:
            walker.walk(child)
    return 0


def switch_statement(walker: SwiftWalker, node: Node) -> int:
    around, held = walker.subject, node.child_by_field_name("expr")
    walker.subject = walker.walk(held) if held is not None else 0
    for child in node.named_children:
        if child != held:
            walker.walk(child)
    walker.subject = around
    return 0


def catch_block(walker: SwiftWalker, node: Node) -> int:
    around = walker.enter_block(node)
    walker.bind("error", 0, node.start_byte)
    caught = node.child_by_field_name("error")
    if caught is not None:
        bind_pattern(walker, caught, 0, False)
    for child in node.named_children:
        if child != caught:
            walker.walk(child)
    walker.leave_block(around)
    return 0


def transfer(walker: SwiftWalker, node: Node) -> int:
    """`return`, `throw`, `break`"""
    result = node.child_by_field_name("result")
    if result is None:
        return walker.through(node)
    around = walker.expected
    is_returned = any(child.type == "return" for child in node.children)
    walker.expected = walker.annotations.get(walker.function, 0) if is_returned else 0
    value = walker.walk(result)
    walker.expected = around
    if value and walker.function:
        walker.returns.setdefault(walker.function, []).append(value)
    return 0


# Expressions


def call(walker: SwiftWalker, node: Node) -> int:
    """`f(a, label: b) { ... }`, `list[0]`"""
    parts = node.named_children
    suffix = parts[-1] if len(parts) > 1 and parts[-1].type == "call_suffix" else None
    if suffix is None:
        return walker.through(node)
    first = suffix.named_children[0] if suffix.named_child_count else suffix
    if walker.source[first.start_byte : first.start_byte + 1] == b"[":
        value = walker.walk(parts[0])
        run_with(walker, value, "subscript", node.start_byte, arguments_of(walker, first))
        zero = walker.literal("int", node.start_byte)
        return walker.emit(op.SUBSCRIPT, node.start_byte, value, zero) if value else 0
    callee = lower_callee(walker, parts[0])
    byte = suffix.start_byte
    is_named = callee and walker.drop_site(callee) and walker.code[callee] in (op.NAME, op.ATTRIBUTE)
    if is_named or walker.code[callee] == op.TYPE_OF:
        byte = walker.code[callee + op.BYTE]
    row: list[int] = []
    label = op.POSITIONAL
    around, walker.expected = walker.expected, 0
    for child in suffix.named_children:
        if child.type == "value_arguments":
            row += arguments_of(walker, child, made=callee)
        elif child.type == "simple_identifier":
            label = walker.word_of(child)
        else:
            row.append(label)
            row.append(walker.walk(child))
            label = op.POSITIONAL
    walker.expected = around
    return walker.call(callee, byte, row) if callee else 0


def navigation(walker: SwiftWalker, node: Node) -> int:
    """`holder.name`; `Type.self` is the type."""
    target, suffix = node.child_by_field_name("target"), node.child_by_field_name("suffix")
    if target is None or suffix is None:
        return walker.through(node)
    name = suffix.child_by_field_name("suffix")
    if target.type == "simple_identifier" and name is not None and name.type == "simple_identifier":
        text = walker.source_of(target)
        if text in walker.modules and walker.scope_of(text) < 0 and walker.source_of(name)[:1].isupper():
            return walker.value_name(name)
    holder = walker.walk(target)
    if name is None or name.type != "simple_identifier":
        return walker.through(suffix)
    return holder if walker.source_of(name) == "self" else walker.member(holder, name)


def prefix(walker: SwiftWalker, node: Node) -> int:
    """`.member` of the type that is expected, or an operator."""
    sign, target = node.child_by_field_name("operation"), node.child_by_field_name("target")
    if sign is not None and target is not None and walker.source_of(sign) in SIGNS:
        return prefix_operation(walker, node, sign, target)
    if sign is None or sign.type != "." or target is None or target.type != "simple_identifier":
        return walker.through(node)
    is_made = walker.source_of(target) == "init"
    if is_made and walker.expected:
        return lower_expected_type(walker, target)
    # Where nothing is known here, the place says it when all files are known.
    around = walker.expected or walker.emit(op.TYPE_OF, target.start_byte, 0)
    return around if is_made else walker.member(around, target)


def list_literal(walker: SwiftWalker, node: Node) -> int:
    """`[a, b]`: its elements are of the element's type, if a list is expected."""
    around, code = walker.expected, walker.code
    is_list = code[around] == op.SUBSCRIPT and code[around + op.HOLDER] == walker.literals.get("list", 0)
    walker.expected = code[around + op.INDEX] if is_list else 0
    value = walker.through(node)
    walker.expected = around
    return value


def lower_expected_type(walker: SwiftWalker, node: Node) -> int:
    """The type that is expected, as it would be named in place of `.init`; 0 if it has no name."""
    code = walker.code
    named = walker.expected
    while code[named] == op.SUBSCRIPT:
        named = code[named + op.HOLDER]
    if code[named] == op.ATTRIBUTE:
        value = walker.emit(op.ATTRIBUTE, node.start_byte, code[named + op.HOLDER], code[named + op.MEMBER])
    elif code[named] == op.NAME:
        value = walker.emit(op.NAME, node.start_byte, code[named + op.WORD], code[named + op.BINDER])
        walker.named.append(value)
    else:
        return walker.member(0, node)
    walker.site(value, READ)
    return value


def first_part(walker: SwiftWalker, node: Node) -> int:
    """The value of what stands first: `value!`, `value ?? other`."""
    value = 0
    for at, child in enumerate(node.named_children):
        made = walker.walk(child)
        value = value if at else made
    return value


def tuple_expression(walker: SwiftWalker, node: Node) -> int:
    values = [walker.walk(child) for child in node.children_by_field_name("value") if child.is_named]
    return values[0] if len(values) == 1 else 0


def assignment(walker: SwiftWalker, node: Node) -> int:
    left, right = node.child_by_field_name("target"), node.child_by_field_name("result")
    sign = node.child_by_field_name("operator")
    if left is not None and left.type == "directly_assignable_expression" and left.named_child_count == 1:
        left = left.named_children[0]
    if sign is not None and sign.type != "=" and left is not None and right is not None:
        if left.type in walker.spec.members or left.type in walker.spec.names:
            value = walker.with_role(left, WRITE)
        else:
            value = walker.walk(left)
        given = walker.walk(right)
        run_sign(walker, sign, [value, given])
        return given
    around = walker.expected
    is_self = left is not None and left.type in walker.spec.this and walker.self_name
    walker.expected = walker.variable(walker.string(walker.self_name), left.start_byte) if left and is_self else 0
    value = assign(walker, left, right)
    walker.expected = around
    return value


def attribute(walker: SwiftWalker, node: Node) -> int:
    """`@Wrapper(key: value)`; names in lower case are the language's own."""
    parts = node.named_children
    if parts and walker.source_of(parts[0])[:1].isupper():
        type_of(walker, parts[0])
    for child in parts[1:]:
        if child.type != "simple_identifier":
            walker.walk(child)
    return 0


def macro_invocation(walker: SwiftWalker, node: Node) -> int:
    for child in node.named_children:
        if child.type != "simple_identifier":
            walker.walk(child)
    return 0


SPEC: Final[Spec] = Spec(
    definitions={
        "class_declaration": TYPE,
        "protocol_declaration": TYPE,
        "function_declaration": FUNCTION,
        "protocol_function_declaration": FUNCTION,
        "typealias_declaration": Form("type", body=()),
        "associatedtype_declaration": Form("type", body=()),
    },
    parameters={"parameter": Slot()},
    type_parameters=frozenset({"type_parameter"}),
    constraints=frozenset({"type_constraints", "type_constraint", "inheritance_constraint"}),
    creations={"constructor_expression": Creation(("constructed_type",), (":constructor_suffix",))},
    argument_lists=frozenset({"value_arguments"}),
    labelled={"value_argument": (("name",), ("value",))},
    names=frozenset({"simple_identifier"}),
    type_names=frozenset({"type_identifier"}),
    lists={"array_type": ("name",)},
    alternatives={"ternary_expression": ("if_true", "if_false"), "nil_coalescing_expression": ("<", ">")},
    wrappers=frozenset(
        "try_expression await_expression optional_type opaque_type existential_type value_argument".split()
    ),
    literals={"line_string_literal": "String", "multi_line_string_literal": "String", "raw_string_literal": "String",
              "integer_literal": "Int", "real_literal": "Double", "boolean_literal": "Bool"},
    declared={"property_declaration": property_names, "protocol_property_declaration": property_names,
              "enum_entry": enum_names},
    this=frozenset({"self_expression"}),
    super=frozenset({"super_expression"}),
    blocks=frozenset({"do_statement", "repeat_while_statement", "switch_entry"}),
    casts={"as_expression": (("name",), ("expr",))},
    decorators=frozenset({"attribute"}),
    comments=frozenset({"comment", "multiline_comment"}),
    skipped=frozenset("""type_annotation identifier directive precedence_group_declaration value_argument_label
    operator_declaration key_path_expression""".split()),
    handlers={
        "import_declaration": import_declaration,
        "class_declaration": class_declaration,
        "protocol_declaration": protocol_declaration,
        "enum_entry": enum_entry,
        **dict.fromkeys(
            """function_declaration protocol_function_declaration init_declaration deinit_declaration
            subscript_declaration""".split(), function_declaration),
        "property_declaration": property_declaration,
        "protocol_property_declaration": property_declaration,
        "computed_setter": setter,
        "willset_clause": setter,
        "didset_clause": setter,
        "lambda_literal": lambda_literal,
        "capture_list": captures,
        "statements": statements,
        "if_statement": conditional,
        "while_statement": conditional,
        "guard_statement": guard_statement,
        "for_statement": for_statement,
        "switch_statement": switch_statement,
        "switch_pattern": switch_pattern,
        "catch_block": catch_block,
        "control_transfer_statement": transfer,
        "simple_identifier": identifier,
        "user_type": user_type,
        "dictionary_type": dictionary_type,
        "function_type": function_type,
        "metatype": types_in,
        "call_expression": chain_handler(call),
        "navigation_expression": chain_handler(navigation),
        "prefix_expression": prefix,
        "postfix_expression": chain_handler(first_part),
        "tuple_expression": tuple_expression,
        "array_literal": list_literal,
        "dictionary_literal": list_literal,
        "assignment": assignment,
        **dict.fromkeys(
            """additive_expression multiplicative_expression comparison_expression equality_expression
            infix_expression range_expression bitwise_operation""".split(), operation),
        "attribute": attribute,
        "typealias_declaration": type_alias,
        "macro_invocation": macro_invocation,
    },
    base_kinds=frozenset({"user_type"}),
    implicit_members=True,
    capitalised_types=True,
    self_types=frozenset({"Self"}),
    private=frozenset({"private", "fileprivate"}),
    modifiers={"static": "static", "async": "async", "override": OVERRIDE},
    test_marks=Rules.tests.marks,
    has_overloads=True,
    name_quotes=b"`",
    is_global=True,
)  # fmt: skip


class Lowering(SwiftWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)

    def finish(self) -> FileFacts:
        self.add_bases_written_outside(_IMPLEMENTERS)
        return super().finish()
