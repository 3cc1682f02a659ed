"""Go's expressions: selectors, calls, conversions, operators, function literals."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import CALLED, READ, SITE_WORDS
from rpg.encoder.languages.go.literals import Literals
from rpg.encoder.languages.go.types import Row
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import (
    ATTRIBUTE,
    BYTE,
    CALL,
    ELEMENT,
    FUNCTION,
    INSTANCE,
    NAME,
    NUMBER,
    PARAMETER,
    POSITIONAL,
    STARRED,
    STRING,
    SUBSCRIPT,
    TYPED,
)

_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_FUNCTIONS = frozenset(
    "append cap clear close complex copy delete imag len make max min new panic print println real recover".split()
)


class Expressions(Literals):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "identifier": self.identifier,
            "blank_identifier": self.skip,
            "field_identifier": self.skip,
            "package_identifier": self.identifier,
            "selector_expression": self.selector,
            "call_expression": self.call,
            "type_conversion_expression": self.conversion,
            "type_instantiation_expression": self.instantiation,
            "type_assertion_expression": self.assertion,
            "index_expression": self.index,
            "slice_expression": self.slice,
            "unary_expression": self.unary,
            "binary_expression": self.binary,
            "parenthesized_expression": self.only,
            "variadic_argument": self.only,
            "literal_element": self.only,
            "func_literal": self.function_literal,
        }

    # Members and calls

    def selector(self, node: Node) -> int:
        children = node.children
        holder, name = children[0], children[-1]
        for child in children[1:-1] if len(children) > 3 else ():
            if child.type == "comment":
                self.comment(child)
        if name is holder:
            return self.walk(holder)
        container = self.table[holder.type](holder)
        start = name.start_byte
        word = self.word(self.source[start : name.end_byte])
        code = self.code
        offset = len(code)
        code += (ATTRIBUTE, start, container, word)
        self.sites += (offset, READ, self.definition)
        return offset

    def call(self, node: Node) -> int:
        children = node.children
        function, arguments = children[0], children[-1]
        if function.type == "identifier":
            name = self.text_of(function)
            if name in _FUNCTIONS and self.scope_of(name) < 0:
                return self.builtin_call(name, function, arguments)
        callee, byte = self.callee(function)
        for child in children[1:-1]:
            if child.is_named:
                self.walk(child)
        return self.called(callee, byte, self.arguments(arguments))

    def called(self, callee: int, byte: int, row: list[int]) -> int:
        offset = self.emit(CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition)
        return offset

    def callee(self, function: Node) -> tuple[int, int]:
        """What is called, without a site of its own where the call is one, and where it is named."""
        end = function.end_byte
        while function.type == "parenthesized_expression" and function.named_child_count == 1:
            function = function.named_children[0]
        if function.type == "generic_type":
            return self.instantiated(function, self.type_of)
        if function.type == "type_instantiation_expression" or (
            function.type == "index_expression" and self.looks_generic(function)
        ):
            return self.instantiated(function, self.walk)
        callee = self.walk(function)
        return self.silent(callee, end)

    def looks_generic(self, node: Node) -> bool:
        """`f[T](x)` and `handlers[i](x)` look alike: whether the index is a name that nothing near binds to a value."""
        index = node.child_by_field_name("index")
        if index is None or index.type not in ("identifier", "selector_expression"):
            return index is not None and index.type in self.types
        scope = self.scope_of(self.text_of(index))
        holder = node.child_by_field_name("operand")
        variable = holder is not None and holder.type == "identifier" and self.scope_of(self.text_of(holder)) > 0
        return scope <= 0 and not variable

    def instantiated(self, node: Node, lower: Callable[[Node], int]) -> tuple[int, int]:
        parts = parts_of(node)
        if not parts:
            return 0, int(node.start_byte)
        callee, byte = self.silent(lower(parts[0]), node.end_byte)
        index = 0
        for part in parts[1:]:
            index = self.type_of(part) if part.type in self.types or part.type == "type_arguments" else self.walk(part)
        return self.emit(SUBSCRIPT, byte, callee, index), byte

    def silent(self, callee: int, otherwise: int) -> tuple[int, int]:
        code, sites = self.code, self.sites
        if code[callee] in (NAME, ATTRIBUTE):
            if sites and sites[-SITE_WORDS] == callee:
                del sites[-SITE_WORDS:]
            return callee, code[callee + BYTE]
        return callee, otherwise

    def arguments(self, node: Node) -> list[int]:
        row: list[int] = []
        for child in node.named_children:
            kind = child.type
            if kind == "comment":
                self.comment(child)
            else:
                row += (STARRED if kind == "variadic_argument" else POSITIONAL, self.walk(child))
        return row

    def builtin_call(self, name: str, function: Node, arguments: Node) -> int:
        """`new`, `make`, `append` and their like: calls of the language that say what they give."""
        callee, byte = self.silent(self.identifier(function), 0)
        given = parts_of(arguments)
        row: list[int] = []
        for position, child in enumerate(given):
            of_type = position == 0 and name in ("new", "make")
            mark = STARRED if child.type == "variadic_argument" else POSITIONAL
            row += (mark, self.type_of(child) if of_type else self.walk(child))
        offset = self.called(callee, byte, row)
        if not row:
            return offset
        first = row[1]
        if name == "new":
            return self.emit(INSTANCE, byte, first)
        if name == "make":
            return self.emit(TYPED, byte, first, self.empty(first, byte))
        if name == "append":
            for position in range(2, len(row), 2):
                value = row[position + 1]
                if value and first:
                    if row[position] == STARRED:
                        value = self.emit(ELEMENT, byte, value)
                    self.items.append((first, 0, value))
            return first
        if name == "copy" and len(row) > 3 and first and row[3]:
            self.items.append((first, 0, self.emit(ELEMENT, byte, row[3])))
        return self.literal("int", byte) if name in ("len", "cap", "copy") else offset

    # Types in expressions

    def conversion(self, node: Node) -> int:
        """`T(x)` for types that look like none, and `f[T](x)`."""
        type_node = node.child_by_field_name("type")
        operand = node.child_by_field_name("operand")
        if type_node is None or operand is None:
            return self.through(node)
        if type_node.type == "generic_type":
            callee, byte = self.callee(type_node)
            return self.called(callee, byte, [POSITIONAL, self.walk(operand)])
        annotation = self.type_of(type_node)
        value = self.walk(operand)
        return self.emit(TYPED, node.start_byte, annotation, value) if annotation else value

    def instantiation(self, node: Node) -> int:
        return self.instantiated_value(node)

    def instantiated_value(self, node: Node) -> int:
        value = 0
        for position, child in enumerate(node.named_children):
            if position == 0:
                value = self.walk(child)
            else:
                self.type_of(child)
        return value

    def assertion(self, node: Node) -> int:
        """`x.(T)`."""
        value = self.field(node, "operand")
        type_node = node.child_by_field_name("type")
        annotation = self.type_of(type_node) if type_node is not None else 0
        return self.emit(TYPED, node.start_byte, annotation, value) if annotation else value

    def index(self, node: Node) -> int:
        container = self.field(node, "operand")
        return self.emit(SUBSCRIPT, node.start_byte, container, self.field(node, "index"))

    def slice(self, node: Node) -> int:
        value = 0
        for position, child in enumerate(node.named_children):
            inner = self.walk(child)
            if position == 0:
                value = inner
        return value

    # Operators

    def unary(self, node: Node) -> int:
        """Pointers are transparent; `<-` takes an element."""
        operator = node.children[0].type
        value = self.field(node, "operand")
        if operator == "<-":
            return self.emit(ELEMENT, node.start_byte, value)
        if operator == "!":
            return self.literal("bool", node.start_byte)
        return value if operator in ("&", "*") else self.literal("int", node.start_byte) if value else 0

    def binary(self, node: Node) -> int:
        rights: list[tuple[Node, str]] = []
        while node.type == "binary_expression" and len(node.children) == 3:
            rights.append((node.children[2], node.children[1].type))
            node = node.children[0]
        value = self.walk(node) if node.type != "binary_expression" else self.through(node)
        while rights:
            right, operator = rights.pop()
            other = self.walk(right)
            if operator in _COMPARISONS:
                value = self.literal("bool", right.start_byte)
            else:
                # Both sides have one type; a constant takes the other's.
                value = other if self.code[value] in (NUMBER, STRING) and other else value
        return value

    # Function literals

    def function_literal(self, node: Node) -> int:
        start, end = node.start_byte, node.end_byte
        around = self.here()
        self.scope = self.function = scope = self.open_scope("lambda", self.definition, start, end)
        self.open_block(start, end)
        value = self.emit(FUNCTION, start, scope)
        self.signature(node, scope, [])
        body = node.child_by_field_name("body")
        if body is not None:
            self.through(body)
        self.return_to(around)
        return value

    def signature(self, node: Node, scope: int, receiver: list[Row]) -> None:
        """Bind parameters and results in the scope of their function."""
        rows = receiver + self.rows_of(node.child_by_field_name("parameters"))
        start = self.scopes[scope].start_byte
        if rows:
            self.parameters[scope] = self.parameters_in(rows)
        for index, row in enumerate(rows):
            if row.name and row.name != "_":
                self.bind(row.name, self.emit(PARAMETER, row.byte, scope, index), start)
        returned, results = self.result(node.child_by_field_name("result"))
        if returned:
            self.annotations[scope] = returned
        for row in results:
            if row.name and row.name != "_":
                self.bind(row.name, self.emit(TYPED, row.byte, row.annotation, 0), start, "annotation")
