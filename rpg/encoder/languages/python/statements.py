"""Statements: conditions, loops, `with`, `try`, and the module itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rpg.encoder.facts import DELETED, HANDLED, RAISED, READ
from rpg.encoder.languages.python.patterns import Patterns
from rpg.encoder.languages.python.walk import Node
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.operations import CALL, CAUGHT, ENTERED, SUBSCRIPT

_EXITS = {"return_statement", "raise_statement", "continue_statement", "break_statement"}
_CLOSED: Final = 64
"""Earlier conditions of an `if` that are known to have failed in a later branch: no more, so that thousands of branches
cost no more each than a few do."""


class Lowering(Patterns):
    """Lowers one Python file."""

    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.statements |= {
            "expression_statement": self.expression_statement,
            "return_statement": self.return_statement,
            "raise_statement": self.raise_statement,
            "if_statement": self.if_statement,
            "for_statement": self.for_statement,
            "while_statement": self.while_statement,
            "try_statement": self.try_statement,
            "with_statement": self.with_statement,
            "assert_statement": self.assert_statement,
            "delete_statement": self.delete_statement,
            "type_alias_statement": self.type_alias_statement,
        }

    def lower(self, root: Node) -> None:
        """The whole module."""
        self.define_file(self.docstring(root))
        self.enter("module", 0, 0, len(self.source) + 1)
        self.statements_of(root)
        self.mark_exported()

    def expression_statement(self, node: Node) -> None:
        for child in node.named_children:
            kind = child.type
            if kind == "string" and child.named_child_count <= 3:
                if any(part.type == "interpolation" for part in child.named_children):
                    self.expression(child)
            elif kind == "comment":
                self.comment(child)
            else:
                self.expression(child)

    def return_statement(self, node: Node) -> None:
        for child in node.named_children:
            value = self.expression(child)
            if value:
                self.returns.setdefault(self.function_scope(), []).append(value)

    def raise_statement(self, node: Node) -> None:
        for position, child in enumerate(node.named_children):
            if position == 0 and child.type in ("identifier", "attribute"):
                self.with_role(child, RAISED)
            elif position == 0 and child.type == "call":
                raised = self.expression(child)
                if self.code[raised] == CALL:
                    self.site(raised, RAISED)
            else:
                self.statement(child)

    def if_statement(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        narrowings = self.condition(condition)
        body = node.child_by_field_name("consequence")
        self.branch(body, narrowings)
        chain = node.children_by_field_name("alternative")
        closed = self.negated(narrowings)
        for alternative in chain:
            around = self.open_block(alternative.start_byte, alternative.end_byte)
            self.narrow(closed, alternative.start_byte)
            if alternative.type == "elif_clause":
                test = alternative.child_by_field_name("condition")
                more = self.condition(test)
                self.branch(alternative.child_by_field_name("consequence"), more)
                closed = (closed + self.negated(more))[-_CLOSED:]
            else:
                self.statement(alternative.child_by_field_name("body"))
            self.block = around
        if not chain and body is not None and narrowings and self.leaves(body):
            self.narrow(self.negated(narrowings), node.end_byte)

    def branch(self, body: Node | None, narrowings: list[tuple[int, str, int, int]]) -> None:
        if body is None:
            return
        around = self.open_block(body.start_byte, body.end_byte)
        self.narrow(narrowings, body.start_byte)
        self.statement(body)
        self.block = around

    def leaves(self, body: Node) -> bool:
        """Whether control never passes the end of a body."""
        children = parts_of(body)
        return bool(children) and children[-1].type in _EXITS

    def for_statement(self, node: Node) -> None:
        right_node = node.child_by_field_name("right")
        right = self.expression(right_node) if right_node is not None else 0
        element = self.iterated(right, right_node.start_byte if right_node is not None else node.start_byte)
        body = node.child_by_field_name("body")
        start = body.start_byte if body is not None else node.end_byte
        around = self.open_block(start, body.end_byte if body is not None else node.end_byte, loop=True)
        self.assign(node.child_by_field_name("left"), element, start)
        if body is not None:
            self.statement(body)
        self.block = around
        self.else_of(node)

    def while_statement(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        around = self.open_block(node.start_byte, body.end_byte if body is not None else node.end_byte, loop=True)
        narrowings = self.condition(node.child_by_field_name("condition"))
        self.branch(body, narrowings)
        self.block = around
        self.else_of(node)

    def else_of(self, node: Node) -> None:
        alternative = node.child_by_field_name("alternative")
        if alternative is not None:
            self.in_block(alternative.child_by_field_name("body"))

    def try_statement(self, node: Node) -> None:
        for child in node.named_children:
            kind = child.type
            if kind == "block":
                self.in_block(child)
            elif kind in ("except_clause", "except_group_clause"):
                self.except_clause(child)
            elif kind == "else_clause":
                self.in_block(child.child_by_field_name("body"))
            elif kind == "finally_clause":
                self.statements_of(child)
            elif kind == "comment":
                self.comment(child)

    def except_clause(self, node: Node) -> None:
        around = self.open_block(node.start_byte, node.end_byte)
        for child in node.named_children:
            kind = child.type
            if kind == "block":
                self.statement(child)
            elif kind == "as_pattern":
                caught = parts_of(child)
                classes = self.handled(caught[0])
                if len(caught) > 1:
                    value = self.emit(CAUGHT, child.start_byte, classes)
                    target = caught[1].named_children[0] if caught[1].named_child_count else caught[1]
                    self.assign(target, value, child.end_byte)
            elif kind == "comment":
                self.comment(child)
            else:
                self.handled(child)
        self.block = around

    def handled(self, node: Node) -> int:
        """The classes that an `except` names."""
        before, self.role = self.role, HANDLED
        classes = self.expression(node)
        self.role = before
        return classes

    def with_statement(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "with_clause":
                for item in child.named_children:
                    self.with_item(item)
            elif child.type == "comment":
                self.comment(child)
            else:
                self.statement(child)

    def with_item(self, node: Node) -> None:
        if node.type == "comment":
            return self.comment(node)
        value = node.child_by_field_name("value") or node
        if value.type == "as_pattern":
            parts = parts_of(value)
            entered = self.emit(ENTERED, value.start_byte, self.expression(parts[0]))
            self.enters(entered)
            if len(parts) > 1:
                target = parts[1].named_children[0] if parts[1].named_child_count else parts[1]
                self.assign(target, entered, value.end_byte)
        elif value.type in ("tuple", "parenthesized_expression") and value is not node:
            for part in value.named_children:
                if part.type == "as_pattern":
                    parts = [each for each in part.named_children if each.type != "comment"]
                    entered = self.emit(ENTERED, part.start_byte, self.expression(parts[0]))
                    self.enters(entered)
                    self.assign(parts[1].named_children[0], entered, part.end_byte)
                else:
                    self.enters(self.emit(ENTERED, part.start_byte, self.expression(part)))
        elif value is not node:
            self.enters(self.emit(ENTERED, value.start_byte, self.expression(value)))
        return None

    def enters(self, entered: int) -> None:
        """A `with` uses the protocol of what it enters."""
        self.site(entered, READ)

    def assert_statement(self, node: Node) -> None:
        children = node.named_children
        for position, child in enumerate(children):
            if position == 0:
                self.narrow(self.condition(child), node.end_byte)
            else:
                self.statement(child)

    def delete_statement(self, node: Node) -> None:
        for child in node.named_children:
            for target in child.named_children if child.type == "expression_list" else (child,):
                if target.type == "subscript":
                    value = self.expression_field(target, "value")
                    keys = [self.expression(key) for key in target.children_by_field_name("subscript")]
                    deleted = self.emit(SUBSCRIPT, target.start_byte, value, keys[0] if len(keys) == 1 else 0)
                    self.site(deleted, DELETED)
                else:
                    self.with_role(target, DELETED)

    def type_alias_statement(self, node: Node) -> None:
        parts = [child for child in node.named_children if child.type == "type"]
        if len(parts) != 2:
            return
        value = self.annotation(parts[1])
        name = parts[0].named_children[0]
        self.constant(self.node_text(name), name, node)
        self.bind(self.node_text(name), value, node.end_byte)
