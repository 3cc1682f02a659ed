"""Dart's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import IMPORT_LIMITS, OFFERED, PART, RE_EXPORT, SIDE_EFFECT, Import
from rpg.encoder.languages.declarative.dart.definitions import (
    SIGNATURES,
    TYPE,
    bound_pattern,
    class_definition,
    constant_pattern,
    declaration,
    enum_constant,
    extension,
    field_initializer,
    function_expression,
    initializer,
    list_declared_names,
    local_function,
    local_variable,
    loop_parts,
    lower_destructuring,
    members,
    object_pattern,
    try_statement,
    type_alias,
)
from rpg.encoder.languages.declarative.dart.names import (
    DartWalker,
    assignment,
    cast,
    choice,
    creation,
    flat,
    nothing_known,
    operation,
    row,
    type_name,
    type_row,
    type_test,
    unary,
)
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.languages.declarative.tested_types import conditional
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_KINDS: Final = {"library_export": RE_EXPORT, "part_directive": PART, "part_of_directive": PART}
"""Kinds of directives that are no imports."""


def import_or_export(walker: DartWalker, node: Node) -> int:
    """`import 'a.dart' as a;`, `export 'a.dart';`, `part 'a.dart';`, `part of 'a.dart';`"""
    kind = SIDE_EFFECT
    named: list[Node] = []
    limits: list[Node] = []
    prefix = ""
    pending = [node]
    while pending:
        each = pending.pop()
        if each.type == "string_literal":
            named.append(each)
        elif each.type == "identifier":
            prefix = walker.source_of(each) if node.type == "import_or_export" else ""
        elif each.type == "combinator":
            limits.append(each)
        elif each.type not in ("configuration_uri_condition", "dotted_identifier_list"):
            kind = _KINDS.get(each.type, kind)
            pending += reversed(each.named_children)
    for each in named:
        index = len(walker.imports)
        text = walker.text(each.start_byte + 1, each.end_byte - 1)
        walker.imports.append(Import(text, 0, each.start_byte + 1, 0, "" if prefix else kind))
        if prefix:
            walker.prefixes.setdefault(prefix, []).append(walker.emit(op.IMPORT, each.start_byte + 1, index))
        if kind == RE_EXPORT or node.type == "part_directive":
            walker.exports.setdefault("stars", []).append(index)
        for limit in limits:
            is_hidden = any(child.type == "hide" for child in limit.children)
            named_in = limit.named_children
            names = [walker.source_of(child) for child in named_in]
            whole = walker.emit(op.IMPORT, limit.start_byte, len(walker.imports))
            walker.imports.append(Import(text, 0, each.start_byte + 1, 0, "parent"))
            for child in named_in:
                walker.member(whole, child, OFFERED)
            walker.exports.setdefault(IMPORT_LIMITS, []).append([index, is_hidden, names])
    if kind == PART:
        walker.offers_all = True
    return 0


def block(walker: DartWalker, node: Node) -> int:
    around = walker.enter_block(node)
    flat(walker, node)
    walker.leave_block(around)
    return 0


def return_statement(walker: DartWalker, node: Node) -> int:
    value = row(walker, node.named_children)
    if value and walker.function:
        walker.returns.setdefault(walker.function, []).append(value)
    return 0


def string_literal(walker: DartWalker, node: Node) -> int:
    flat(walker, node)
    return walker.literal("String", node.start_byte)


def annotation(walker: DartWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    if name is not None and name.type == "identifier":
        walker.value_name(name)
    for child in node.named_children:
        if child != name:
            walker.walk(child)
    return 0


def conditional_block(walker: DartWalker, node: Node) -> int:
    """An `if` whose condition may declare variables."""
    around = walker.enter_block(node)
    value = conditional(walker, node)
    walker.leave_block(around)
    return value


SPEC: Final[Spec] = Spec(
    definitions=dict.fromkeys(
        "class_definition enum_declaration mixin_declaration extension_type_declaration".split(), TYPE
    ),
    declared=dict.fromkeys(
        [*SIGNATURES, "method_signature", "declaration", "static_final_declaration_list",
         "initialized_identifier_list"], list_declared_names,
    ),
    type_parameters=frozenset({"type_parameter"}),
    names=frozenset({"identifier", "identifier_dollar_escaped"}),
    type_names=frozenset({"type_identifier"}),
    literals={"decimal_integer_literal": "int", "hex_integer_literal": "int", "true": "bool", "false": "bool",
              "decimal_floating_point_literal": "double"},
    this=frozenset({"this"}),
    super=frozenset({"super"}),
    argument_lists=frozenset({"type_arguments"}),
    comments=frozenset({"comment", "documentation_comment"}),
    skipped=frozenset("label library_name type_parameters combinator break_statement continue_statement".split()),
    handlers={
        "import_or_export": import_or_export,
        "part_directive": import_or_export,
        "part_of_directive": import_or_export,
        **dict.fromkeys(("program", "class_body", "extension_body", "enum_body"), members),
        **dict.fromkeys(
            "class_definition enum_declaration mixin_declaration extension_type_declaration".split(), class_definition),
        "extension_declaration": extension,
        "enum_constant": enum_constant,
        "type_alias": type_alias,
        "declaration": declaration,
        "type_identifier": type_name,
        "type_arguments": type_row,
        "function_expression": function_expression,
        "lambda_expression": local_function,
        "initializer_list_entry": initializer,
        "redirection": initializer,
        "field_initializer": field_initializer,
        "initialized_variable_definition": local_variable,
        "for_loop_parts": loop_parts,
        "variable_pattern": bound_pattern,
        "pattern_variable_declaration": lower_destructuring,
        "object_pattern": object_pattern,
        "constant_pattern": constant_pattern,
        "try_statement": try_statement,
        **dict.fromkeys("block for_statement while_statement switch_statement_case".split(), block),
        "if_statement": conditional_block,
        "type_test_expression": type_test,
        "return_statement": return_statement,
        "string_literal": string_literal,
        "new_expression": creation,
        "const_object_expression": creation,
        "assignment_expression": assignment,
        "type_cast_expression": cast,
        **dict.fromkeys(
            """logical_and_expression logical_or_expression list_literal set_or_map_literal
            record_literal""".split(), nothing_known),
        **dict.fromkeys(
            """additive_expression multiplicative_expression relational_expression equality_expression
            shift_expression bitwise_and_expression bitwise_or_expression bitwise_xor_expression""".split(),
            operation),
        **dict.fromkeys(("unary_expression", "postfix_expression"), unary),
        **dict.fromkeys(("conditional_expression", "if_null_expression"), choice),
        "annotation": annotation,
    },
    implicit_members=True,
    types_beside_members=True,
    capitalised_types=True,
    private_to_file=True,
    is_global=True,
)  # fmt: skip


class Lowering(DartWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC, flat)

    def walk_top(self, root: Node) -> None:
        members(self, root)
