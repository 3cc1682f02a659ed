"""The base of Python's lowering: roles of names, paths that were assigned to, receivers. Knows no construct."""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, BASE, READ
from rpg.encoder.lowering.builder import Builder, parts_of
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Walker

DISPLAYS: Final = frozenset((op.LIST, op.TUPLE, op.SET, op.DICTIONARY, op.STRING, op.LITERAL, op.COMPREHENSION, 0))
"""Expressions whose iteration and indexing cannot run code of the repository."""


class PythonWalker(Walker):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.role = READ
        """The role of the names being lowered: ANNOTATION inside annotations."""
        self.receivers: list[tuple[str, int]] = []
        """(name of the receiver, class definition) of the enclosing methods, innermost last."""
        self.keyed: dict[int, set[str]] = {}
        """By scope: paths with constant keys (`d["a"]`) that were assigned and have not changed since."""
        self.dotted: dict[int, set[str]] = {}
        """By scope: dotted paths with a binding of their own."""
        self.properties: dict[int, set[str]] = {}
        """By class definition: the names that its body makes properties, which no assignment turns into fields."""
        self.examples: list[tuple[int, int, int]] = []
        """Definition, start and end of the docstrings with code that imports."""
        self.named_modules: dict[str, int] = {}
        """By the first two parts of a dotted path in a string: the expression of the module that it begins with."""
        self.getters: list[int] = []
        """Members that functions like `attrgetter` look up in what they are passed, in the call that is lowered."""
        self.pattern_class = 0
        """The class that the current pattern tests for; 0 if none."""

    def with_role(self, node: Node, role: int) -> int:
        """Lowers a node whose outermost name has a special role."""
        if node.type in ("identifier", "attribute"):
            return super().with_role(node, role)
        if node.type == "subscript" and role == BASE:
            held = node.child_by_field_name("value")
            value = self.with_role(held, role) if held is not None else 0
            before, self.role = self.role, ANNOTATION
            index = self.index(node)
            self.role = before
            return self.emit(op.SUBSCRIPT, node.start_byte + self.shift, value, index)
        return self.walk(node)

    def annotation(self, node: Node) -> int:
        before, self.role = self.role, ANNOTATION
        value = self.walk(node)
        self.role = before
        return value

    def index(self, node: Node) -> int:
        """The expression between the brackets of a subscript."""
        keys = [self.walk(key) for key in node.children_by_field_name("subscript")]
        return self.one_or_tuple(keys, node.start_byte + self.shift)

    def wrapped(self, node: Node) -> int:
        """The value of the only expression in parentheses or after a keyword."""
        children = parts_of(node)
        value = 0
        for child in children:
            value = self.walk(child)
        return value if len(children) == 1 else 0

    def function_scope(self) -> int:
        """The enclosing scope, not counting comprehensions."""
        scope = self.scope
        while self.scopes[scope].kind == "comprehension":
            scope = self.scopes[scope].parent
        return scope

    def folded(self, start: int, end: int) -> str:
        return Builder.folded(self, start, end)  # constants are shown as far as they fit, however they are laid out

    def comments_before(self, body: Node) -> None:
        """Records comments between the colon and the first statement, which the grammar leaves outside the body."""
        found: list[Node] = []
        each = body.prev_sibling
        while each is not None and each.type == "comment":
            found.append(each)
            each = each.prev_sibling
        for comment in found[::-1]:
            self.comment(comment)


def operator_of(node: Node) -> bytes:
    operator = node.child_by_field_name("operator")
    return operator.type.encode() if operator is not None else b""
