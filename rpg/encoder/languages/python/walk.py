"""Walks a Python tree: two tables of handlers by kind of node, for statements and expressions; no construct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpg.encoder.facts import ANNOTATION, BASE, READ
from rpg.encoder.lowering.builder import Builder, parts_of
from rpg.encoder.operations import (
    ATTRIBUTE,
    COMPREHENSION,
    DICTIONARY,
    HOLDER,
    LIST,
    LITERAL,
    MEMBER,
    NAME,
    PATH,
    SET,
    STRING,
    SUBSCRIPT,
    TUPLE,
    WORD,
)

Node = Any
Narrowing = tuple[int, str, int, int]
"""(value, dotted path or name, class expression, 1 where it is not one of them)."""

DISPLAYS = {LIST, TUPLE, SET, DICTIONARY, STRING, LITERAL, COMPREHENSION, 0}
"""Expressions whose iteration and indexing can run nothing of the repository."""
_INERT = ("pass_statement", "break_statement", "continue_statement", "future_import_statement", "line_continuation")


class Walk(Builder):
    """Walks one Python tree. `parse` gives the root node of a piece of source (quoted annotations)."""

    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source)
        self.parse = parse
        self.shift = 0
        """Added to every position: where the piece that is being lowered starts in the file."""
        self.role = READ
        self.receivers: list[tuple[str, int]] = []
        """(name of the receiver, class definition) of the methods around, innermost last."""
        self.keyed: dict[int, set[str]] = {}
        """By scope: paths with constant keys (`d["a"]`) that were assigned and not changed since."""
        self.dotted: list[set[str]] = []
        """By scope: dotted paths with a binding of their own."""
        self.statements: dict[str, Callable[[Node], None]] = {
            "block": self.statements_of,
            "ERROR": self.statements_of,
            **dict.fromkeys(_INERT, self.no_statement),
            "comment": self.comment,
        }
        self.expressions: dict[str, Callable[[Node], int]] = {
            "parenthesized_expression": self.wrapped,
            "type": self.wrapped,
        }

    def close(self) -> None:
        self.statements.clear()
        self.expressions.clear()

    def enter(self, kind: str, definition: int, start: int, end: int, receiver: str = "") -> int:
        self.dotted.append(set())
        return self.open_scope(kind, definition, start, end, receiver)

    def statement(self, node: Node) -> None:
        lower = self.statements.get(node.type)
        if lower is not None:
            lower(node)
        else:
            self.expression(node)

    def statements_of(self, node: Node) -> None:
        for child in node.named_children:
            self.statement(child)

    def no_statement(self, node: Node) -> None:
        """Nothing that names anything."""

    def comment(self, node: Node) -> None:
        self.comments.append((node.start_byte, node.end_byte))

    def comments_before(self, body: Node) -> None:
        """Those between the colon and the first statement, which the grammar leaves outside of the body."""
        found: list[Node] = []
        each = body.prev_sibling
        while each is not None and each.type == "comment":
            found.append(each)
            each = each.prev_sibling
        for each in reversed(found):
            self.comment(each)

    def in_block(self, node: Node | None, start: int | None = None, loop: bool = False) -> None:
        """Lower a body that may run or not."""
        if node is None:
            return
        around = self.open_block(node.start_byte if start is None else start, node.end_byte, loop)
        self.statement(node)
        self.block = around

    def function_scope(self) -> int:
        scope = self.scope
        while self.scopes[scope].kind == "comprehension":
            scope = self.scopes[scope].parent
        return scope

    def path_of(self, expression: int) -> str:
        """`a.b.c` for a chain of names, else empty."""
        parts: list[str] = []
        code = self.code
        names = self.texts
        while code[expression] in (ATTRIBUTE, PATH):
            parts.append(names[code[expression + MEMBER]])
            expression = code[expression + HOLDER]
        if code[expression] != NAME:
            return ""
        parts.append(names[code[expression + WORD]])
        return ".".join(reversed(parts))

    def expression(self, node: Node) -> int:
        lower = self.expressions.get(node.type)
        if lower is not None:
            return lower(node)
        if node.type == "comment":
            self.comment(node)
            return 0
        for child in node.named_children:
            self.statement(child)
        return 0

    def expression_field(self, node: Node, field: str) -> int:
        child = node.child_by_field_name(field)
        return self.expression(child) if child is not None else 0

    def with_role(self, node: Node, role: int) -> int:
        """Lower with the outermost name in a role of its own."""
        if node.type in ("identifier", "attribute"):
            before, self.role = self.role, role
            offset = self.expressions[node.type](node)
            self.role = before
            return offset
        if node.type == "subscript" and role == BASE:
            value = self.with_role(node.child_by_field_name("value"), role)
            before, self.role = self.role, ANNOTATION
            index = self.index(node)
            self.role = before
            return self.emit(SUBSCRIPT, node.start_byte + self.shift, value, index)
        return self.expression(node)

    def index(self, node: Node) -> int:
        keys = [self.expression(key) for key in node.children_by_field_name("subscript")]
        return keys[0] if len(keys) == 1 else self.emit(TUPLE, node.start_byte + self.shift, len(keys), *keys)

    def annotation(self, node: Node) -> int:
        before, self.role = self.role, ANNOTATION
        offset = self.expression(node)
        self.role = before
        return offset

    def wrapped(self, node: Node) -> int:
        children = parts_of(node)
        offset = 0
        for child in children:
            offset = self.expression(child)
        return offset if len(children) == 1 else 0

    def node_text(self, node: Node) -> str:
        shift = self.shift
        return self.source[node.start_byte + shift : node.end_byte + shift].decode("utf-8", "replace")

    def operator(self, node: Node) -> bytes:
        operator = node.child_by_field_name("operator")
        return operator.text if operator is not None else b""
