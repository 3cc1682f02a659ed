"""The lowering of a whole file: statements, and the order in which they may run."""

from __future__ import annotations

from collections.abc import Callable

from rpg.encoder.facts import RAISED
from rpg.encoder.languages.ecmascript.modules import Modules
from rpg.encoder.languages.ecmascript.walk import cleaned
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import CALL

_EXITS = frozenset(("return_statement", "throw_statement", "continue_statement", "break_statement"))
_DECLARING = frozenset(
    (
        "lexical_declaration", "function_declaration", "generator_function_declaration", "class_declaration",
        "abstract_class_declaration", "using_declaration", "enum_declaration", "interface_declaration",
        "type_alias_declaration",
    )
)  # fmt: skip


class Lowering(Modules):
    """Walks one tree of JavaScript or TypeScript."""

    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "expression_statement": self.expression_statement,
            "statement_block": self.statement_block,
            "return_statement": self.return_statement,
            "if_statement": self.if_statement,
            "else_clause": self.only,
            "for_statement": self.for_statement,
            "for_in_statement": self.for_in_statement,
            "while_statement": self.while_statement,
            "do_statement": self.do_statement,
            "switch_statement": self.switch_statement,
            "throw_statement": self.throw_statement,
            "try_statement": self.try_statement,
            "labeled_statement": self.through,
            "empty_statement": self.skip,
            "break_statement": self.skip,
            "continue_statement": self.skip,
            "debugger_statement": self.skip,
            "hash_bang_line": self.skip,
        }

    def lower(self, root: Node) -> None:
        """The whole module."""
        self.define_file(self.overview(root))
        self.open_scope("module", 0, 0, len(self.source) + 1)
        self.statements(root.named_children)
        self.typedefs()
        self.mark_exported()
        self.mark_global()

    def overview(self, root: Node) -> str:
        """The doc comment of the file: one that a blank line or an import separates from what follows."""
        children = root.named_children[:3]
        for position, child in enumerate(children):
            if child.type == "hash_bang_line":
                continue
            if child.type != "comment" or not self.source.startswith(b"/**", child.start_byte):
                return ""
            text = self.text(child.start_byte, child.end_byte)
            following = children[position + 1] if position + 1 < len(children) else None
            apart = following is None or following.type in ("import_statement", "comment")
            if not apart and following is not None:
                apart = self.source.count(b"\n", child.end_byte, following.start_byte) > 1
            return cleaned(text) if apart or "@fileoverview" in text or "@module" in text else ""
        return ""

    # Statements

    def expression_statement(self, node: Node) -> int:
        for child in node.named_children:
            kind = child.type
            if kind == "assignment_expression":
                self.opening = -1
                self.assigned_value(child, node.start_byte, node.end_byte)
            elif kind == "call_expression" and self.source.startswith(b"assert", child.start_byte):
                self.narrow(self.condition(child), node.end_byte)
            elif kind != "string":
                self.table[kind](child)
        return 0

    def statement_block(self, node: Node) -> int:
        """A block that is no function's body: what it declares is seen in it alone."""
        children = node.named_children
        if not any(child.type in _DECLARING for child in children):
            return self.statements(children)
        around = self.scope
        self.open_block_scope(node)
        self.statements(children)
        self.scope = around
        return 0

    def return_statement(self, node: Node) -> int:
        inner = node.named_children
        if inner and inner[0].type == "object" and self.function in self.annotations:
            self.context = self.settled(self.annotations[self.function])
        value = self.only(node)
        if value:
            self.returns.setdefault(self.function, []).append(value)
        return 0

    def if_statement(self, node: Node) -> int:
        body = node.child_by_field_name("consequence")
        alternative = node.child_by_field_name("alternative")
        narrowings = self.condition(node.child_by_field_name("condition"))
        if body is not None:
            self.held_block(body, narrowings)
        closed = self.negated(narrowings)
        if alternative is not None:
            self.held_block(alternative, closed)
        elif closed and body is not None and self.leaves(body):
            self.narrow(closed, node.end_byte)
        return 0

    def held_block(self, node: Node, narrowings: list[tuple[int, str, int, int]]) -> None:
        around = self.open_block(node.start_byte, node.end_byte)
        if narrowings:
            self.narrow(narrowings, node.start_byte)
        self.walk(node)
        self.block = around

    def leaves(self, body: Node) -> bool:
        """Whether control never passes the end of a body."""
        if body.type in _EXITS:
            return True
        children = parts_of(body)
        return body.type == "statement_block" and bool(children) and children[-1].type in _EXITS

    # Loops

    def for_statement(self, node: Node) -> int:
        around = self.here()
        initializer = node.child_by_field_name("initializer")
        if initializer is not None:
            if initializer.type == "lexical_declaration":
                self.open_block_scope(node)
            self.walk(initializer)
        condition = node.child_by_field_name("condition")
        body = node.child_by_field_name("body")
        self.open_block(condition.start_byte if condition is not None else node.start_byte, node.end_byte, loop=True)
        narrowings = self.condition(condition)
        self.field(node, "increment")
        if body is not None:
            self.narrow(narrowings, body.start_byte)
            self.walk(body)
        self.return_to(around)
        return 0

    def for_in_statement(self, node: Node) -> int:
        """`for (const x of e)`, `for (k in e)`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        body = node.child_by_field_name("body")
        if left is None or right is None or body is None:
            return self.through(node)
        kind = node.child_by_field_name("kind")
        operator = node.child_by_field_name("operator")
        value = self.walk(right)
        around = self.here()
        start = body.start_byte
        if operator is not None and operator.type == "in":
            value = self.literal("string", start)
        elif value:
            value = self.iterated(value, right.start_byte)
        scope = -1
        if kind is not None:
            scope = self.function
            if kind.type != "var":
                scope = self.open_block_scope(node)
        self.open_block(start, node.end_byte, loop=True)
        if scope < 0 and left.type == "member_expression":
            self.assign_to(left, value, start)
        else:
            self.declare(left, value, start, scope)
        self.walk(body)
        self.return_to(around)
        return 0

    def while_statement(self, node: Node) -> int:
        around = self.open_block(node.start_byte, node.end_byte, loop=True)
        narrowings = self.condition(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        if body is not None:
            self.held_block(body, narrowings)
        self.block = around
        return 0

    def do_statement(self, node: Node) -> int:
        body = node.child_by_field_name("body")
        if body is not None:
            self.walk(body)
        self.field(node, "condition")
        return 0

    # Switch, throw, try

    def switch_statement(self, node: Node) -> int:
        value = node.child_by_field_name("value")
        body = node.child_by_field_name("body")
        if value is not None:
            self.walk(value)
        if body is None:
            return 0
        decides = value is not None and self.shape(value) == "true"
        around = self.here()
        cases = body.named_children
        if any(child.type in _DECLARING for case in cases for child in case.named_children):
            self.open_block_scope(body)
        for case in cases:
            if case.type not in ("switch_case", "switch_default"):
                self.walk(case)
                continue
            block = self.open_block(case.start_byte, case.end_byte)
            test = case.child_by_field_name("value")
            for child in case.named_children:
                if test is None or child.start_byte != test.start_byte:
                    self.walk(child)
                elif decides:
                    self.narrow(self.condition(child), child.end_byte)
                else:
                    self.walk(child)
            self.block = block
        self.return_to(around)
        return 0

    def throw_statement(self, node: Node) -> int:
        thrown = self.only(node)
        if self.code[thrown] == CALL:
            self.site(thrown, RAISED)
        return 0

    def try_statement(self, node: Node) -> int:
        body, handler = node.child_by_field_name("body"), node.child_by_field_name("handler")
        finalizer = node.child_by_field_name("finalizer")
        self.maybe(body)
        if handler is not None:
            self.catch_clause(handler)
        if finalizer is not None:
            self.through(finalizer)
        return 0

    def catch_clause(self, node: Node) -> None:
        """Anything may be thrown: nothing is known of the parameter."""
        around = self.here()
        parameter, body = node.child_by_field_name("parameter"), node.child_by_field_name("body")
        self.open_block(node.start_byte, node.end_byte)
        if parameter is not None:
            self.open_block_scope(node)
            annotation = node.child_by_field_name("type")
            if annotation is not None:
                self.wrapped_type(annotation)
            self.declare(parameter, 0, parameter.end_byte, self.scope)
        caught, self.caught = self.caught, self.text_of(parameter) if parameter is not None else ""
        if body is not None:
            self.walk(body)
        self.caught = caught
        self.return_to(around)
