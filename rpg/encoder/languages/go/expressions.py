"""Lowers Go's expressions: selectors, calls, conversions, operators, function literals.

In: nodes. Out: expressions with their sites.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ
from rpg.encoder.languages.go.named_members import lower_reflected_member
from rpg.encoder.languages.go.types import TYPES, Row, empty_container, parameters_in, result_of, rows_of, type_of
from rpg.encoder.languages.go.walker import GoWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled
from rpg.encoder.lowering.walker import Handlers, Walker

_TITLES: Final = frozenset(("interpreted_string_literal", "raw_string_literal"))
_CONTEXT: Final = re.compile(rb"\(\s*\w+\s+\*\s*testing\.[TBF]\s*,?\s*\)")
"""The parameters of a function that is a test."""
_COMPARISONS: Final = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_FUNCTIONS: Final = frozenset(
    "append cap clear close complex copy delete imag len make max min new panic print println real recover".split()
)


# Members and calls


def selector_expression(walker: GoWalker, node: Node) -> int:
    children = node.children
    holder, name = children[0], children[-1]
    for child in children[1:-1] if len(children) > 3 else ():
        if child.type == "comment":
            walker.comment(child)
    if name is holder:
        return walker.walk(holder)
    container = walker.table[holder.type](walker, holder)
    start = name.start_byte
    word = walker.word(walker.source[start : name.end_byte])
    code = walker.code
    offset = len(code)
    code += (op.ATTRIBUTE, start, container, word)
    walker.sites += (offset, READ, walker.definition)
    return offset


def call_expression(walker: GoWalker, node: Node) -> int:
    children = node.children
    function, arguments = children[0], children[-1]
    if function.type == "identifier":
        name = walker.text_of(function)
        if name in _FUNCTIONS and walker.scope_of(name) < 0:
            return builtin_call(walker, name, function, arguments)
    callee, byte, types = lower_callee(walker, function)
    for child in children[1:-1]:
        if child.type == "type_arguments":
            types = types_in(walker, child)
        elif child.is_named:
            walker.walk(child)
    if walker.is_test_file and is_subtest(walker, function, arguments):
        return walker.call(callee, byte, subtest_arguments(walker, node, arguments))
    value = call_with_types(walker, callee, byte, lower_arguments(walker, arguments), types)
    lower_reflected_member(walker, callee, arguments)
    return value


def call_with_types(walker: GoWalker, callee: int, byte: int, row: list[int], types: list[int]) -> int:
    offset = walker.call(callee, byte, row)
    if types:
        walker.type_arguments[offset] = types
    return offset


def is_subtest(walker: GoWalker, function: Node, arguments: Node) -> bool:
    """`t.Run("title", func(t *testing.T) { ... })`."""
    source, end = walker.source, function.end_byte
    if function.type != "selector_expression" or not source.startswith(b".Run", end - 4):
        return False
    parts = parts_of(arguments)
    if len(parts) != 2 or parts[0].type not in _TITLES or parts[1].type != "func_literal":
        return False
    parameters = parts[1].child_by_field_name("parameters")
    if parameters is None or not _CONTEXT.fullmatch(source, parameters.start_byte, parameters.end_byte):
        return False
    return any(each.module == "testing" for each in walker.imports)


def subtest_arguments(walker: GoWalker, node: Node, arguments: Node) -> list[int]:
    """The title, and the function, which belongs to the subtest."""
    title, function = walker.parts(arguments)
    around = walker.definition
    row = [op.POSITIONAL, walker.walk(title)]
    text = walker.text(title.start_byte + 1, min(title.end_byte - 1, title.start_byte + SOURCE_LIMIT))
    head = walker.folded(node.start_byte, node.children[0].end_byte)
    start, end, body = node.start_byte, node.end_byte, function.start_byte
    walker.definition = define_titled(
        walker, text.replace('\\"', '"'), False, around, start, end, title.start_byte, body, head
    )
    row += (op.POSITIONAL, walker.walk(function))
    walker.definition = around
    return row


def lower_callee(walker: GoWalker, function: Node) -> tuple[int, int, list[int]]:
    """The callee, without a site of its own because the call is one, the place of its name, and the types that follow
    it in brackets."""
    end = function.end_byte
    while function.type == "parenthesized_expression" and function.named_child_count == 1:
        function = function.named_children[0]
    if function.type in ("generic_type", "type_instantiation_expression"):
        return lower_instantiated(walker, function)
    if function.type == "index_expression" and looks_generic(walker, function):
        holder, index = function.child_by_field_name("operand"), function.child_by_field_name("index")
        if holder is not None and index is not None:
            value = walker.walk(holder)
            lowered = type_of(walker, index) if index.type in TYPES else walker.walk(index)
            return perhaps_instantiated(walker, value, lowered, end)
    return *silent(walker, walker.walk(function), end), []


def looks_generic(walker: GoWalker, node: Node) -> bool:
    """`f[T](x)` and `handlers[i](x)` look alike: whether the index is a name that nothing nearby binds to a value."""
    index = node.child_by_field_name("index")
    if index is not None and index.type == "unary_expression" and index.children[0].type == "*":
        index = index.child_by_field_name("operand")
    if index is None or index.type not in ("identifier", "selector_expression"):
        return index is not None and index.type in TYPES
    first = index
    while first.type == "selector_expression":
        first = first.children[0]
    scope = walker.scope_of(walker.text_of(first))
    holder = node.child_by_field_name("operand")
    variable = holder is not None and holder.type == "identifier" and walker.scope_of(walker.text_of(holder)) > 0
    return scope <= 0 and not variable


def lower_instantiated(walker: GoWalker, node: Node) -> tuple[int, int, list[int]]:
    """`f[T, U]` as a callee."""
    parts = parts_of(node)
    if not parts:
        return 0, int(node.start_byte), []
    function = function_named(walker, parts[0])
    written = parts[1:]
    if node.type == "generic_type" and written:
        written = parts_of(written[0])
    if len(written) == 1 and might_be_value(written[0]):
        return perhaps_instantiated(walker, function, type_of(walker, written[0]), node.end_byte)
    callee, byte = silent(walker, function, node.end_byte)
    return callee, byte, [type_of(walker, part) for part in written]


def might_be_value(node: Node) -> bool:
    """Whether what looks like a type may be a variable."""
    while node.type == "type_elem" and node.named_child_count == 1:
        node = node.named_children[0]
    return node.type in ("type_identifier", "qualified_type", "pointer_type")


def perhaps_instantiated(walker: GoWalker, holder: int, index: int, end: int) -> tuple[int, int, list[int]]:
    """`f[T]` as a callee, which is a function with a type, or an element. What `f` holds tells."""
    code = walker.code
    byte = code[holder + op.BYTE] if code[holder] in (op.NAME, op.ATTRIBUTE) else end
    offset = walker.emit(op.SUBSCRIPT, byte, holder, index)
    walker.type_arguments[offset] = [index]
    return offset, byte, [index]


def function_named(walker: GoWalker, node: Node) -> int:
    """A function where the grammar sees the name of a type."""
    parts = parts_of(node)
    if node.type != "qualified_type" or len(parts) != 2:
        return walker.identifier(node) if node.type == "type_identifier" else walker.walk(node)
    name = parts[1]
    offset = walker.emit(
        op.ATTRIBUTE, name.start_byte, walker.identifier(parts[0]), walker.string(walker.text_of(name))
    )
    walker.sites += (offset, READ, walker.definition)
    return offset


def types_in(walker: GoWalker, node: Node) -> list[int]:
    return [type_of(walker, part) for part in parts_of(node)]


def silent(walker: GoWalker, callee: int, otherwise: int) -> tuple[int, int]:
    """The callee, without a site of its own because the call is one, and the place of its name."""
    return callee, walker.code[callee + op.BYTE] if walker.drop_site(callee) else otherwise


def lower_arguments(walker: GoWalker, node: Node) -> list[int]:
    row: list[int] = []
    for child in node.named_children:
        kind = child.type
        if kind == "comment":
            walker.comment(child)
        else:
            row += (op.STARRED if kind == "variadic_argument" else op.POSITIONAL, walker.walk(child))
    return row


def builtin_call(walker: GoWalker, name: str, function: Node, arguments: Node) -> int:
    """`new`, `make`, `append` and so on: calls whose results the language defines."""
    callee, byte = silent(walker, walker.identifier(function), 0)
    parts = parts_of(arguments)
    row: list[int] = []
    for position, child in enumerate(parts):
        of_type = position == 0 and name in ("new", "make")
        mark = op.STARRED if child.type == "variadic_argument" else op.POSITIONAL
        row += (mark, type_of(walker, child) if of_type else walker.walk(child))
    offset = walker.call(callee, byte, row)
    if not row:
        return offset
    first = row[1]
    if name == "new":
        return walker.emit(op.INSTANCE, byte, first)
    if name == "make":
        return walker.emit(op.TYPED, byte, first, empty_container(walker, first, byte))
    if name == "append":
        for position in range(2, len(row), 2):
            value = row[position + 1]
            if value and first:
                if row[position] == op.STARRED:
                    value = walker.emit(op.ELEMENT, byte, value)
                walker.items.append((first, 0, value))
        return first
    if name == "copy" and len(row) > 3 and first and row[3]:
        walker.items.append((first, 0, walker.emit(op.ELEMENT, byte, row[3])))
    return walker.literal("int", byte) if name in ("len", "cap", "copy") else offset


# Types in expressions


def type_conversion(walker: GoWalker, node: Node) -> int:
    """`T(x)` for types that do not look like names, and `f[T](x)`."""
    type_node = node.child_by_field_name("type")
    operand = node.child_by_field_name("operand")
    if type_node is None or operand is None:
        return walker.through(node)
    if type_node.type == "generic_type":
        callee, byte, types = lower_callee(walker, type_node)
        return call_with_types(walker, callee, byte, [op.POSITIONAL, walker.walk(operand)], types)
    annotation = type_of(walker, type_node)
    value = walker.walk(operand)
    return walker.emit(op.TYPED, node.start_byte, annotation, value) if annotation else value


def type_instantiation(walker: GoWalker, node: Node) -> int:
    return lower_instantiated_value(walker, node)


def lower_instantiated_value(walker: GoWalker, node: Node) -> int:
    value = 0
    for position, child in enumerate(parts_of(node)):
        if position == 0:
            value = function_named(walker, child)
        else:
            type_of(walker, child)
    return value


def type_assertion(walker: GoWalker, node: Node) -> int:
    """`x.(T)`."""
    value = walker.field(node, "operand")
    type_node = node.child_by_field_name("type")
    annotation = type_of(walker, type_node) if type_node is not None else 0
    return walker.emit(op.TYPED, node.start_byte, annotation, value) if annotation else value


def index_expression(walker: GoWalker, node: Node) -> int:
    container = walker.field(node, "operand")
    return walker.emit(op.SUBSCRIPT, node.start_byte, container, walker.field(node, "index"))


def slice_expression(walker: GoWalker, node: Node) -> int:
    value = 0
    for position, child in enumerate(node.named_children):
        inner = walker.walk(child)
        if position == 0:
            value = inner
    return value


# Operators


def unary_expression(walker: GoWalker, node: Node) -> int:
    """Pointers are transparent; `<-` takes an element."""
    operator = node.children[0].type
    value = walker.field(node, "operand")
    if operator == "<-":
        return walker.emit(op.ELEMENT, node.start_byte, value)
    if operator == "!":
        return walker.literal("bool", node.start_byte)
    return value if operator in ("&", "*") else walker.literal("int", node.start_byte) if value else 0


def binary_expression(walker: GoWalker, node: Node) -> int:
    rights: list[tuple[Node, str]] = []
    while node.type == "binary_expression" and len(node.children) == 3:
        rights.append((node.children[2], node.children[1].type))
        node = node.children[0]
    value = walker.walk(node) if node.type != "binary_expression" else walker.through(node)
    while rights:
        right, operator = rights.pop()
        other = walker.walk(right)
        if operator in _COMPARISONS:
            value = walker.literal("bool", right.start_byte)
        else:
            # Both sides have one type; a constant takes the other's.
            value = other if walker.code[value] in (op.NUMBER, op.STRING) and other else value
    return value


# Function literals


def function_literal(walker: GoWalker, node: Node) -> int:
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    signature = types_scope(walker)
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    value = walker.emit(op.FUNCTION, start, scope)
    bind_signature(walker, node, scope, [], signature)
    body = node.child_by_field_name("body")
    if body is not None:
        walker.through(body)
    walker.return_to(around)
    return value


def types_scope(walker: GoWalker) -> int:
    """Where the types in the signature of a function that begins here are looked up: around it, as its parameters may
    have the names of types. The names in an interface are no variables."""
    scope = walker.scope
    return walker.scopes[scope].parent if walker.scopes[scope].kind == "class" else scope


def bind_signature(walker: GoWalker, node: Node, scope: int, receiver: list[Row], signature: int) -> None:
    """Binds parameters and results in the scope of their function; `signature`: where their types are looked up."""
    walker.scope = signature
    rows = receiver + rows_of(walker, node.child_by_field_name("parameters"))
    returned, results = result_of(walker, node.child_by_field_name("result"))
    walker.scope = scope
    start = walker.scopes[scope].start_byte
    if rows:
        walker.parameters[scope] = parameters_in(walker, rows)
    for index, row in enumerate(rows):
        if row.name and row.name != "_":
            walker.bind(row.name, walker.emit(op.PARAMETER, row.byte, scope, index), start)
    if returned:
        walker.annotations[scope] = returned
    for row in results:
        if row.name and row.name != "_":
            walker.bind(row.name, walker.emit(op.TYPED, row.byte, row.annotation, 0), start, "annotation")


HANDLERS: Final[Handlers] = {
    "identifier": Walker.identifier,
    "blank_identifier": Walker.skip,
    "field_identifier": Walker.skip,
    "package_identifier": Walker.identifier,
    "selector_expression": selector_expression,
    "call_expression": call_expression,
    "type_conversion_expression": type_conversion,
    "type_instantiation_expression": type_instantiation,
    "type_assertion_expression": type_assertion,
    "index_expression": index_expression,
    "slice_expression": slice_expression,
    "unary_expression": unary_expression,
    "binary_expression": binary_expression,
    "parenthesized_expression": Walker.only,
    "variadic_argument": Walker.only,
    "literal_element": Walker.only,
    "func_literal": function_literal,
}
