"""Objects that C++ makes without calling their type by its name: declarations, members, lists that are returned, and
functions of libraries that make what they are asked for.

In: nodes, and the type that is declared. Out: calls of constructors, which the source does not name; variables whose
declaration looks like that of a function.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative import expressions
from rpg.encoder.languages.declarative.expressions import arguments_of, type_of, value_of
from rpg.encoder.languages.declarative.unnamed_calls import construct, construct_type
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

LISTS: Final = frozenset({"argument_list", "initializer_list"})
_CONVERTED: Final = frozenset(
    """number_literal char_literal string_literal raw_string_literal concatenated_string true false null
    unary_expression""".split()
)
"""Values from which a declaration with `=` makes an object, as they are none of a class."""
_VARIABLES: Final = frozenset({"identifier", "field_identifier", "qualified_identifier"})
_NAMES: Final = frozenset({"type_identifier", "qualified_identifier"})
MAKERS: Final = frozenset(
    "make_unique make_shared make_optional make_any WrapUnique MakeUnique MakeShared MakeRefCounted".split()
)
"""Functions of libraries that make an object of the type in angle brackets from what they are passed."""
_ADDING: Final = frozenset("emplace_back emplace_front emplace".split())
"""Members of containers that make an element of what they are passed."""


def construct_declared(walker: DeclarativeWalker, annotation: int, declarator: Node, row: list[int] | None) -> None:
    """`T a;`, `T a(1);`, `T a{1};`, `T a = 1;`; `row`: what the object is made of, if it is
    none of a class already. Of what a pointer or a reference names nothing is made."""
    named = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    if named is not None and named.type == "array_declarator" and named is declarator:
        named = named.child_by_field_name("declarator")
    if annotation and row is not None and named is not None and named.type in _VARIABLES:
        construct_type(walker, annotation, row)


def passed_initially(walker: DeclarativeWalker, value: Node | None, lowered: int, annotation: int) -> list[int] | None:
    """What a constructor is passed by the value in a declaration; None: it is an object already. `lowered`: that value,
    unless it is a list, which is lowered here."""
    if value is None:
        return []
    if value.type not in LISTS:
        return [op.POSITIONAL, lowered] if value.type in _CONVERTED else None
    around, walker.expected = walker.expected, annotation
    row = arguments_of(walker, value)
    walker.expected = around
    return row


def is_variable_with_names(walker: DeclarativeWalker, function: Node) -> bool:
    """`Total sum(first, second);` in a function: no function is declared in another one with parameters that are
    variables there."""
    parameters = function.child_by_field_name("parameters")
    if not walker.function or parameters is None or not parameters.named_child_count:
        return False
    for each in parameters.named_children:
        typed = each.child_by_field_name("type")
        inner = each.child_by_field_name("declarator")
        if typed is None or typed.type not in _NAMES or each.named_child_count > 1 + (inner is not None):
            return False
        if inner is not None and inner.type != "abstract_array_declarator":
            return False
        scope = walker.scope_of(walker.text_of(typed)) if typed.type == "type_identifier" else 0
        if scope > 0 and walker.scopes[scope].kind != "class":
            return True
    return False


def pass_names(walker: DeclarativeWalker, function: Node) -> list[int]:
    """What such a declaration passes: its parameters are values."""
    row: list[int] = []
    parameters = function.child_by_field_name("parameters")
    for each in parameters.named_children if parameters is not None else ():
        typed, inner = each.child_by_field_name("type"), each.child_by_field_name("declarator")
        if typed is None:
            continue
        is_name = typed.type == "type_identifier"
        value = walker.value_name(typed) if is_name else value_of(walker, typed)
        if inner is not None:
            walker.walk(inner)
            value = walker.emit(op.SUBSCRIPT, typed.start_byte, value, walker.literal("int", typed.start_byte))
        row += (op.POSITIONAL, value)
    return row


def field_initializer(walker: DeclarativeWalker, node: Node) -> int:
    """`count(1)` in front of the body of a constructor: the member is made of that."""
    held, row = 0, []
    for child in node.named_children:
        if child.type in LISTS:
            row = arguments_of(walker, child)
        else:
            held = walker.walk(child)
            name = child
    if held and walker.code[held] != op.SUBSCRIPT:
        construct(walker, walker.emit(op.UNION, name.start_byte, 1, held), name.start_byte, row)
    return 0


def return_object(walker: DeclarativeWalker, node: Node) -> int:
    """`return {first, second};` makes what the function is declared to return."""
    listed = node.named_children[0] if node.named_child_count else None
    annotation = walker.annotations.get(walker.function, 0)
    if listed is None or listed.type != "initializer_list" or not annotation:
        return expressions.return_statement(walker, node)
    around, walker.expected = walker.expected, annotation
    construct_type(walker, annotation, arguments_of(walker, listed), listed.start_byte)
    walker.expected = around
    walker.scopes_with_results.add(walker.function)
    return 0


def listed_argument(walker: DeclarativeWalker, node: Node) -> int:
    """`take({1, 2})` makes what the function takes there, which is found when all files are known; a list in such a
    list makes an element of that."""
    around, byte = node.parent, node.start_byte
    call = around.parent if around is not None and around.type == "argument_list" else None
    if around is not None and around.type == "initializer_list" and walker.code[walker.expected] == op.TYPE_OF:
        held = walker.emit(op.CALL, byte, walker.expected, 0)
        before, walker.expected = walker.expected, 0
        row = arguments_of(walker, node)
        walker.expected = before
        return construct(walker, walker.emit(op.ELEMENT, byte, held), byte, row)
    if call is None or call.type != "call_expression":
        return walker.through(node)
    made = walker.emit(op.TYPE_OF, byte, 0)
    before, walker.expected = walker.expected, made
    row = arguments_of(walker, node)
    walker.expected = before
    construct(walker, walker.emit(op.INSTANCE, byte, made), byte, row)
    return walker.emit(op.CALL, byte, made, len(row) // 2, *row)


def typed_list(walker: DeclarativeWalker, node: Node) -> int:
    """`T{1}`"""
    typed, listed = node.child_by_field_name("type"), node.child_by_field_name("value")
    annotation = type_of(walker, typed) if typed is not None else 0
    row = passed_initially(walker, listed, 0, annotation)
    if not annotation:
        return 0
    construct_type(walker, annotation, row or [])
    return walker.emit(op.TYPED, node.start_byte, annotation, 0)


def construct_by_call(walker: DeclarativeWalker, made: int) -> None:
    """`std::make_unique<T>(1)`, `items.emplace_back(1)`: a call of a library's function that makes an object of what it
    is passed."""
    code = walker.code
    if not made or code[made] != op.CALL:
        return
    callee, count = code[made + op.CALLEE], code[made + op.ARGUMENT_COUNT]
    if code[callee] not in (op.NAME, op.ATTRIBUTE):
        return
    name, byte = walker.texts[op.find_name_word(code, callee)], code[callee + op.BYTE]
    row = list(code[made + op.KEYWORDS : made + op.KEYWORDS + 2 * count])
    if name in MAKERS:
        types = walker.type_arguments.get(made)
        if types and types[0]:
            construct_type(walker, types[0], row)
    elif name in _ADDING and code[callee] == op.ATTRIBUTE and code[callee + op.HOLDER]:
        element = walker.emit(op.ELEMENT, byte, code[callee + op.HOLDER])
        construct(walker, element, byte, row)
