"""Python: how its syntax becomes facts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from rpg.encoder.builder import Builder
from rpg.encoder.facts import (
    ANNOTATION,
    ATTRIBUTE,
    AWAIT,
    BASE,
    CALL,
    CALLED,
    CAUGHT,
    COMPREHENSION,
    DECORATOR,
    DEFINITION,
    DELETED,
    DICTIONARY,
    DOUBLE_STARRED,
    ELEMENT,
    ENTERED,
    FUNCTION,
    IMPORT,
    IMPORTED,
    ITEM,
    KEYED,
    LIST,
    LITERAL,
    NAME,
    NARROWED,
    NUMBER,
    OPERATION,
    PARAMETER,
    PATH,
    POSITIONAL,
    RAISED,
    READ,
    SET,
    SLICE,
    STARRED,
    STRING,
    SUBSCRIPT,
    SUPER,
    TUPLE,
    TYPE_VARIABLE,
    TYPED,
    UNION,
    WRITE,
    YIELD,
    Definition,
    Import,
    Parameter,
)

Node = Any
Narrowing = tuple[int, str, int, int]
PROVES_NOTHING: Narrowing = (0, "", 0, 0)
"""A part of a condition that no name is narrowed by."""

_ANNOTATED = b"Annotated"
_STRING_LIMIT = 120
"""Bytes; longer strings are values of type str, and no keys or names of anything."""
_APPENDING = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1}
_EXTENDING = {"extend", "extendleft", "update"}
"""Methods of containers that put an argument in, and which one."""
_EXITS = {"return_statement", "raise_statement", "continue_statement", "break_statement"}
_DISPLAYS = {LIST, TUPLE, SET, DICTIONARY, STRING, LITERAL, COMPREHENSION, 0}
"""Expressions whose iteration and indexing can run nothing of the repository."""
_PLAIN = _DISPLAYS | {NUMBER}
"""Likewise arithmetic and comparison."""
_PROPERTIES = {"property", "cached_property", "abstractproperty", "classproperty"}
_MARKS = {
    "overload": "overload",
    "classmethod": "classmethod",
    "staticmethod": "staticmethod",
    "contextmanager": "contextmanager",
    "asynccontextmanager": "contextmanager",
    "dataclass": "dataclass",
}
"""Last part of a decorator's name -> flag."""
_INERT = ("pass_statement", "break_statement", "continue_statement", "future_import_statement", "line_continuation")


class Lowering(Builder):
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
            "expression_statement": self.expression_statement,
            "function_definition": self.function_definition,
            "class_definition": self.class_definition,
            "decorated_definition": self.decorated_definition,
            "return_statement": self.return_statement,
            "raise_statement": self.raise_statement,
            "if_statement": self.if_statement,
            "for_statement": self.for_statement,
            "while_statement": self.while_statement,
            "try_statement": self.try_statement,
            "with_statement": self.with_statement,
            "match_statement": self.match_statement,
            "import_statement": self.import_statement,
            "import_from_statement": self.import_from_statement,
            "global_statement": self.global_statement,
            "nonlocal_statement": self.nonlocal_statement,
            "assert_statement": self.assert_statement,
            "delete_statement": self.delete_statement,
            "type_alias_statement": self.type_alias_statement,
            "block": self.statements_of,
            "ERROR": self.statements_of,
            **dict.fromkeys(_INERT, self.no_statement),
            "comment": self.comment,
        }
        self.expressions: dict[str, Callable[[Node], int]] = {
            "identifier": self.identifier,
            "attribute": self.attribute,
            "call": self.call,
            "subscript": self.subscript,
            "slice": self.slice,
            "generic_type": self.generic_type,
            "string": self.string_literal,
            "concatenated_string": self.concatenated_string,
            "integer": self.number,
            "float": self.number,
            "true": self.boolean,
            "false": self.boolean,
            "none": self.none,
            "list": self.list_display,
            "list_pattern": self.list_display,
            "tuple": self.tuple_display,
            "expression_list": self.tuple_display,
            "pattern_list": self.tuple_display,
            "tuple_pattern": self.tuple_display,
            "set": self.set_display,
            "dictionary": self.dictionary,
            "list_comprehension": self.comprehension,
            "set_comprehension": self.comprehension,
            "dictionary_comprehension": self.comprehension,
            "generator_expression": self.comprehension,
            "lambda": self.lambda_expression,
            "conditional_expression": self.conditional_expression,
            "boolean_operator": self.boolean_operator,
            "not_operator": self.not_operator,
            "binary_operator": self.binary_operator,
            "union_type": self.binary_operator,
            "unary_operator": self.unary_operator,
            "comparison_operator": self.comparison_operator,
            "await": self.await_expression,
            "yield": self.yield_expression,
            "parenthesized_expression": self.wrapped,
            "type": self.wrapped,
            "named_expression": self.named_expression,
            "assignment": self.assignment,
            "augmented_assignment": self.augmented_assignment,
        }

    def close(self) -> None:
        self.statements.clear()
        self.expressions.clear()

    def lower(self, root: Node) -> None:
        """The whole module."""
        size = len(self.source)
        last = self.line(max(size - 1, 0))
        name = self.path.rsplit("/", 1)[-1]
        self.define(Definition("module", name, self.path, -1, "", 0, 0, size, 1, last, 0, 0, doc=self.docstring(root)))
        self.enter("module", 0, 0, size + 1)
        self.statements_of(root)
        self.mark_exported()

    def enter(self, kind: str, definition: int, start: int, end: int, receiver: str = "") -> int:
        self.dotted.append(set())
        return self.open_scope(kind, definition, start, end, receiver)

    # Statements

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

    def in_block(self, node: Node | None, start: int | None = None, loop: bool = False) -> None:
        """Lower a body that may run or not."""
        if node is None:
            return
        around = self.open_block(node.start_byte if start is None else start, node.end_byte, loop)
        self.statement(node)
        self.block = around

    def return_statement(self, node: Node) -> None:
        for child in node.named_children:
            value = self.expression(child)
            if value:
                self.returns.setdefault(self.function_scope(), []).append(value)

    def raise_statement(self, node: Node) -> None:
        for position, child in enumerate(node.named_children):
            if position == 0 and child.type in ("identifier", "attribute"):
                self.with_role(child, RAISED)
            else:
                self.statement(child)

    def function_scope(self) -> int:
        scope = self.scope
        while self.scopes[scope].kind == "comprehension":
            scope = self.scopes[scope].parent
        return scope

    def if_statement(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        narrowings = self.condition(condition)
        body = node.child_by_field_name("consequence")
        self.branch(body, narrowings)
        chain = node.children_by_field_name("alternative")
        closed = [self.negated(narrowings)]
        for alternative in chain:
            around = self.open_block(alternative.start_byte, alternative.end_byte)
            for each in closed:
                self.narrow(each, alternative.start_byte)
            if alternative.type == "elif_clause":
                test = alternative.child_by_field_name("condition")
                more = self.condition(test)
                self.branch(alternative.child_by_field_name("consequence"), more)
                closed.append(self.negated(more))
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
        children = [child for child in body.named_children if child.type != "comment"]
        return bool(children) and children[-1].type in _EXITS

    # Narrowing: (value, dotted path or name, class expression, 1 where it is not one of them)

    def condition(self, node: Node | None) -> list[tuple[int, str, int, int]]:
        """Lower a condition; what it proves where it holds."""
        if node is None:
            return []
        kind = node.type
        if kind == "parenthesized_expression":
            inner = [child for child in node.named_children if child.type != "comment"]
            return self.condition(inner[0]) if len(inner) == 1 else self.nothing_proven(node)
        if kind == "not_operator":
            return self.negated(self.condition(node.child_by_field_name("argument")))
        if kind == "boolean_operator" and self.operator(node) == b"and":
            left, right = self.both(node, False)
            # Where it fails, either part may be the one.
            return [*(left or (right and [PROVES_NOTHING])), *(right or (left and [PROVES_NOTHING]))]
        if kind == "boolean_operator" and self.operator(node) == b"or":
            left, right = self.both(node, True)
            if len(left) == len(right) == 1 and left[0][1] == right[0][1] and not left[0][3] and not right[0][3]:
                value, path, classes, _ = left[0]
                return [(value, path, self.emit(UNION, node.start_byte, 2, classes, right[0][2]), 0)]
            return []
        if kind == "call":
            offset = self.call(node)
            code = self.code
            callee = code[offset + 2]
            if code[offset + 3] == 2 and code[callee] == NAME and self.texts[code[callee + 2]] == "isinstance":
                value, classes = code[offset + 5], code[offset + 7]
                path = self.path_of(value)
                return [(value, path, classes, 0)] if path else []
            return []
        return self.nothing_proven(node)

    def both(self, node: Node, fails: bool) -> tuple[list[Narrowing], list[Narrowing]]:
        """What each side of `and` or `or` proves; the right one is evaluated where the left one holds, or `fails`."""
        left = self.condition(node.child_by_field_name("left"))
        right_node = node.child_by_field_name("right")
        held = self.negated(left) if fails else left
        if not held or right_node is None:
            return left, self.condition(right_node)
        around = self.open_block(right_node.start_byte, right_node.end_byte)
        self.narrow(held, right_node.start_byte)
        right = self.condition(right_node)
        self.block = around
        return left, right

    def nothing_proven(self, node: Node) -> list[tuple[int, str, int, int]]:
        self.expression(node)
        return []

    def negated(self, narrowings: list[tuple[int, str, int, int]]) -> list[tuple[int, str, int, int]]:
        """What holds where a condition fails; of several parts none is known to be the one."""
        return (
            [(value, path, classes, 1 - no) for value, path, classes, no in narrowings] if len(narrowings) == 1 else []
        )

    def narrow(self, narrowings: Iterable[tuple[int, str, int, int]], byte: int) -> None:
        for value, path, classes, no in narrowings:
            if not path:
                continue
            self.bind(path, self.emit(NARROWED, self.code[value + 1], value, classes, no), byte, "narrow")
            if "." in path:
                self.dotted[self.scope].add(path)

    def path_of(self, expression: int) -> str:
        """`a.b.c` for a chain of names, else empty."""
        parts: list[str] = []
        code = self.code
        names = self.texts
        while code[expression] in (ATTRIBUTE, PATH):
            parts.append(names[code[expression + 3]])
            expression = code[expression + 2]
        if code[expression] != NAME:
            return ""
        parts.append(names[code[expression + 2]])
        return ".".join(reversed(parts))

    # Loops, with, try, match

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
                caught = [part for part in child.named_children if part.type != "comment"]
                classes = self.expression(caught[0])
                if len(caught) > 1:
                    value = self.emit(CAUGHT, child.start_byte, classes)
                    target = caught[1].named_children[0] if caught[1].named_child_count else caught[1]
                    self.assign(target, value, child.end_byte)
            elif kind == "comment":
                self.comment(child)
            else:
                self.expression(child)
        self.block = around

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
            parts = [part for part in value.named_children if part.type != "comment"]
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

    def iterated(self, value: int, byte: int) -> int:
        """An element of a value, iteration being a use of its protocol; `byte` is where the value begins."""
        element = self.emit(ELEMENT, byte + self.shift, value)
        if value and self.code[value] not in _DISPLAYS:
            self.sites += (element, READ, self.definition)
        return element

    def match_statement(self, node: Node) -> None:
        subjects = node.children_by_field_name("subject")
        values = [self.expression(subject) for subject in subjects]
        body = node.child_by_field_name("body")
        for clause in body.named_children if body is not None else ():
            if clause.type != "case_clause":
                self.statement(clause)
                continue
            around = self.open_block(clause.start_byte, clause.end_byte)
            for child in clause.named_children:
                if child.type == "case_pattern":
                    self.pattern(child, values[0] if len(values) == 1 else 0)
                elif child.type == "if_clause":
                    for test in child.named_children:
                        self.narrow(self.condition(test), test.end_byte)
                else:
                    self.statement(child)
            self.block = around

    def pattern(self, node: Node, subject: int) -> None:
        """A `case`: class patterns narrow the subject and name the class; captures are bound to its parts."""
        kind = node.type
        children = [child for child in node.named_children if child.type != "comment"]
        if kind in ("case_pattern", "as_pattern") and children:
            self.pattern_class = 0
            self.pattern(children[0], subject)
            if kind == "as_pattern" and len(children) > 1:
                for name in children[1:]:
                    target = name.named_children[0] if name.named_child_count else name
                    matched = self.pattern_class
                    value = (
                        self.emit(NARROWED, node.start_byte, subject, matched, 0) if matched and subject else subject
                    )
                    self.bind(self.text(target.start_byte, target.end_byte), value, node.end_byte)
        elif kind == "class_pattern" and children:
            self.pattern_class = matched = self.dotted_name(children[0])
            path = self.path_of(subject) if subject else ""
            if path:
                self.narrow([(subject, path, matched, 0)], node.start_byte)
            inner = self.emit(NARROWED, node.start_byte, subject, matched, 0)
            for position, child in enumerate(children[1:]):
                part = child.named_children[0] if child.type == "case_pattern" and child.named_child_count else child
                if part.type == "keyword_pattern" and part.named_child_count > 1:
                    name = part.named_children[0]
                    value = self.emit(ATTRIBUTE, name.start_byte, inner, self.string(self.node_text(name)))
                    self.pattern(part.named_children[1], value)
                else:
                    self.pattern(child, self.emit(ITEM, child.start_byte, inner, position))
            self.pattern_class = matched
        elif kind == "dotted_name":
            if len(children) > 1:
                self.dotted_name(node)
            elif children:
                self.bind(self.node_text(node), subject, node.end_byte)
        elif kind == "identifier":
            self.bind(self.node_text(node), subject, node.end_byte)
        elif kind == "keyword_pattern":
            for child in children[1:]:
                self.pattern(child, 0)
        else:
            for child in children:
                self.pattern(child, 0)

    pattern_class = 0
    """The class that the pattern at hand tests for; 0 for none."""

    def dotted_name(self, node: Node) -> int:
        """A dotted name in a pattern, which is no attribute in the grammar."""
        parts = node.named_children if node.type == "dotted_name" else [node]
        offset = self.name(self.node_text(parts[0]), parts[0].start_byte)
        for part in parts[1:]:
            offset = self.emit(ATTRIBUTE, part.start_byte, offset, self.string(self.node_text(part)))
            self.site(offset, READ)
        return offset

    # Imports

    def import_statement(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "aliased_import":
                module = child.child_by_field_name("name")
                alias = child.child_by_field_name("alias")
                self.import_module(self.node_text(module), module.start_byte, node.end_byte, self.node_text(alias))
            elif child.type == "dotted_name":
                self.import_module(self.node_text(child), child.start_byte, node.end_byte, "")

    def import_module(self, module: str, byte: int, end: int, alias: str) -> None:
        self.imports.append(Import(module, 0, byte, self.scope))
        index = len(self.imports) - 1
        if alias:
            self.bind(alias, self.emit(IMPORT, byte, index), end)
            return
        first = module.split(".", 1)[0]
        if first != module:
            self.imports.append(Import(first, 0, byte, self.scope, "parent"))
            index += 1
        self.bind(first, self.emit(IMPORT, byte, index), end, "weak" if first in self.bound[self.scope] else "")

    def import_from_statement(self, node: Node) -> None:
        source = node.child_by_field_name("module_name")
        if source is None:
            return
        text = self.node_text(source)
        module = text.lstrip(".")
        level = len(text) - len(module)
        names: list[tuple[str, str, int]] = []
        star = False
        for child in node.named_children:
            if child.type == "wildcard_import":
                star = True
            elif child.type == "aliased_import":
                name = child.child_by_field_name("name")
                names.append(
                    (self.node_text(name), self.node_text(child.child_by_field_name("alias")), name.start_byte)
                )
            elif child.type == "dotted_name" and child.start_byte != source.start_byte:
                text = self.node_text(child)
                names.append((text, text, child.start_byte))
        kind = "star" if star else ""
        self.imports.append(
            Import(module, level, source.start_byte, self.scope, kind, tuple(name for name, _, _ in names))
        )
        index = len(self.imports) - 1
        for name, alias, byte in names:
            self.bind(alias, self.emit(IMPORTED, byte, index, self.string(name)), node.end_byte)

    def global_statement(self, node: Node) -> None:
        for child in node.named_children:
            self.elsewhere[self.scope, self.node_text(child)] = 0

    def nonlocal_statement(self, node: Node) -> None:
        for child in node.named_children:
            name = self.node_text(child)
            scope = self.scopes[self.scope].parent
            while scope > 0 and not (name in self.bound[scope] and self.scopes[scope].kind != "class"):
                scope = self.scopes[scope].parent
            self.elsewhere[self.scope, name] = scope

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
                    self.with_role(target, WRITE)

    def type_alias_statement(self, node: Node) -> None:
        parts = [child for child in node.named_children if child.type == "type"]
        if len(parts) != 2:
            return
        value = self.annotation(parts[1])
        name = parts[0].named_children[0]
        self.constant(self.node_text(name), name, node)
        self.bind(self.node_text(name), value, node.end_byte)

    # Definitions

    def decorated_definition(self, node: Node) -> None:
        decorators: list[int] = []
        texts: list[str] = []
        for child in node.named_children:
            kind = child.type
            if kind == "decorator":
                for part in child.named_children:
                    if part.type == "comment":
                        self.comment(part)
                        continue
                    texts.append(self.folded(part.start_byte, part.end_byte))
                    if part.type == "call":
                        made = self.expression(part)
                        self.site(made, DECORATOR)
                        decorators.append(made)
                    else:
                        decorators.append(self.with_role(part, DECORATOR))
            elif kind == "comment":
                self.comment(child)
            elif kind == "function_definition":
                self.function_definition(child, node.start_byte, texts, decorators)
            elif kind == "class_definition":
                self.class_definition(child, node.start_byte, texts, decorators)

    def function_definition(
        self, node: Node, start: int = -1, texts: list[str] | None = None, decorators: list[int] | None = None
    ) -> None:
        name_node = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name_node is None or body is None:
            return self.statements_of(node)
        name = self.node_text(name_node)
        texts = texts or []
        first, end = node.start_byte, node.end_byte
        begin = first if start < 0 else start
        in_class = self.scopes[self.scope].kind == "class"
        lasts = {text.partition("(")[0].rpartition(".")[2] for text in texts}
        flags = [_MARKS[last] for last in sorted(lasts & _MARKS.keys())]
        kind = "function"
        if in_class:
            kind = "property" if lasts & _PROPERTIES else "method"
            if "setter" in lasts or "deleter" in lasts:
                kind = "property"
                flags.append("setter")
            if name in ("__new__", "__init_subclass__", "__class_getitem__"):
                flags.append("classmethod" if name != "__new__" else "staticmethod_with_class")
        modifiers = []
        if node.children[0].type == "async":
            modifiers.append("async")
        if "staticmethod" in lasts:
            modifiers.append("static")
        if lasts & {"abstractmethod", "abstractproperty"}:
            modifiers.append("abstract")
        returns = node.child_by_field_name("return_type")
        parameters = node.child_by_field_name("parameters")
        header = (returns or parameters or name_node).end_byte
        definition = self.define(
            Definition(
                kind, name, self.qualified(name), self.definition, "", len(self.scopes), begin, end, self.line(begin),
                self.line(end - 1), name_node.start_byte, body.start_byte, self.folded(first, header),
                self.docstring(body), not name.startswith("_"), tuple(texts), tuple(modifiers),
                self.folded(returns.start_byte, returns.end_byte) if returns else "", tuple(flags),
            )
        )  # fmt: skip
        if decorators:
            self.decorators[definition] = decorators
        self.bind(name, self.emit(DEFINITION, name_node.start_byte, definition), end)
        around = self.scope, self.definition, self.block
        self.generic(node, definition)
        rows, receiver, places = self.parameters_of(parameters, definition)
        if not in_class or "staticmethod" in lasts:
            receiver = ""
        annotation = 0
        if returns is not None:
            self.definition = definition
            annotation = self.annotation(returns)
            self.definition = around[1]
        scope = self.enter("function", definition, begin, end, receiver)
        self.definitions[definition] = self.definitions[definition]._replace(scope=scope)
        if annotation:
            self.annotations[scope] = annotation
        self.scope, self.definition = scope, definition
        self.open_block(begin, end)
        if receiver:
            self.receivers.append((receiver, around[1]))
        self.bind_parameters(scope, rows, places, begin)
        self.statement(body)
        if receiver:
            self.receivers.pop()
        self.scope, self.definition, self.block = around
        return None

    def generic(self, node: Node, definition: int) -> None:
        """`[T]` after a name: type variables in a scope of their own, which becomes the current one."""
        listed = node.child_by_field_name("type_parameters")
        if listed is None:
            return
        self.scope = self.enter("block", self.definition, node.start_byte, node.end_byte)
        names = self.type_parameters.setdefault(definition, [])
        for child in listed.named_children:
            parts = child.named_children[0] if child.type == "type" and child.named_child_count else child
            bound = 0
            if parts.type == "constrained_type":
                bound = self.annotation(parts.named_children[-1])
                parts = parts.named_children[0]
            text = self.node_text(parts).lstrip("*")
            self.bind(text, self.emit(TYPE_VARIABLE, parts.start_byte, self.string(text), bound), node.start_byte)
            names.append(text)

    def parameters_of(self, node: Node | None, definition: int) -> tuple[list[Parameter], str, list[int]]:
        """Parameters with their annotations (the function's own) and defaults (the scope's around); the first name;
        where each is named."""
        rows: list[Parameter] = []
        around = self.definition
        kind = "positional"
        places: list[int] = []
        for child in node.named_children if node is not None else ():
            shape = child.type
            name, annotation, default, this = child, 0, 0, kind
            if shape == "comment":
                self.comment(child)
                continue
            if shape == "keyword_separator":
                kind = "keyword"
                continue
            if shape == "positional_separator":
                continue
            if shape in ("typed_parameter", "typed_default_parameter", "default_parameter"):
                type_node = child.child_by_field_name("type")
                if type_node is not None:
                    self.definition = definition
                    annotation = self.annotation(type_node)
                    self.definition = around
                value = child.child_by_field_name("value")
                if value is not None:
                    default = self.expression(value)
                name = child.child_by_field_name("name") or child.named_children[0]
                shape = name.type
            if shape == "list_splat_pattern":
                this, kind = "list", "keyword"
                name = name.named_children[0] if name.named_child_count else name
            elif shape == "dictionary_splat_pattern":
                this = "map"
                name = name.named_children[0] if name.named_child_count else name
            rows.append(Parameter(self.node_text(name), this, annotation, default))
            places.append(name.start_byte)
        receiver = rows[0].name if rows and rows[0].kind == "positional" else ""
        return rows, receiver, places

    def bind_parameters(self, scope: int, rows: list[Parameter], places: list[int], byte: int) -> None:
        if rows:
            self.parameters[scope] = rows
        for index, row in enumerate(rows):
            self.bind(row.name, self.emit(PARAMETER, places[index], scope, index), byte)

    def class_definition(
        self, node: Node, start: int = -1, texts: list[str] | None = None, decorators: list[int] | None = None
    ) -> None:
        name_node = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name_node is None or body is None:
            return self.statements_of(node)
        name = self.node_text(name_node)
        texts = texts or []
        first, end = node.start_byte, node.end_byte
        begin = first if start < 0 else start
        arguments = node.child_by_field_name("superclasses")
        flags = [_MARKS[last] for last in {text.partition("(")[0].rpartition(".")[2] for text in texts} & _MARKS.keys()]
        header = (arguments or name_node).end_byte
        scope = len(self.scopes)
        definition = self.define(
            Definition(
                "class", name, self.qualified(name), self.definition, "", scope, begin, end, self.line(begin),
                self.line(end - 1), name_node.start_byte, body.start_byte, self.folded(first, header),
                self.docstring(body), not name.startswith("_"), tuple(texts), (), "", tuple(flags),
            )
        )  # fmt: skip
        if decorators:
            self.decorators[definition] = decorators
        around = self.scope, self.definition, self.block
        # The class is the source of its bases, though they are looked up around it.
        self.bind(name, self.emit(DEFINITION, name_node.start_byte, definition), end)
        self.definition = definition
        self.generic(node, definition)
        if arguments is not None:
            self.bases[definition] = [base for child in arguments.named_children for base in self.base(child)]
        scope = self.enter("class", definition, begin, end)
        self.definitions[definition] = self.definitions[definition]._replace(scope=scope)
        self.scope = scope
        self.open_block(begin, end)
        self.statement(body)
        self.scope, self.definition, self.block = around
        if self.is_enum(definition):
            self.definitions[definition] = self.definitions[definition]._replace(kind="enum")
        return None

    def is_enum(self, definition: int) -> bool:
        for _, base in self.bases.get(definition, ()):
            if self.path_of(base).rpartition(".")[2] in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"):
                return True
        return False

    def base(self, node: Node) -> Iterable[tuple[str, int]]:
        if node.type == "comment":
            self.comment(node)
        elif node.type == "keyword_argument":
            keyword = self.node_text(node.child_by_field_name("name"))
            yield keyword, self.expression_field(node, "value")
        elif node.type == "list_splat":
            self.expression(node)
        else:
            yield "", self.with_role(node, BASE)

    def docstring(self, body: Node) -> str:
        for child in body.named_children:
            if child.type == "comment":
                continue
            # Some versions of the grammar have the string itself here, some a statement around it.
            string = child.named_children[0] if child.type == "expression_statement" and child.named_children else child
            strings = string.named_children if string.type == "concatenated_string" else [string]
            parts = [part for each in strings if each.type == "string" for part in each.named_children]
            starts = {letter for part in parts if part.type == "string_start" for letter in self.node_text(part)}
            if not starts.isdisjoint("bBfFtT"):
                return ""
            contents = [self.node_text(part) for part in parts if part.type == "string_content"]
            return inspect.cleandoc("".join(contents))
        return ""

    # Assignment

    def assignment(self, node: Node) -> int:
        left = node.child_by_field_name("left")
        annotation_node = node.child_by_field_name("type")
        right = node.child_by_field_name("right")
        annotation = self.annotation(annotation_node) if annotation_node is not None else 0
        value = self.expression(right) if right is not None else 0
        if annotation:
            value = self.emit(TYPED, left.start_byte, annotation, value)
        self.assign(left, value, node.end_byte, node, declared=right is None)
        return value

    def augmented_assignment(self, node: Node) -> int:
        left = node.child_by_field_name("left")
        value = self.expression_field(node, "right")
        if left.type == "identifier" and self.node_text(left) == "__all__":
            self.extend_all(value)
        read = self.expression(left)
        token = node.child_by_field_name("operator")
        byte = token.start_byte if token is not None else left.start_byte
        offset = self.emit(
            OPERATION, byte + self.shift, self.string(self.node_text(token) if token else ""), read, value
        )
        self.site(offset, READ)
        return offset

    def named_expression(self, node: Node) -> int:
        value = self.expression_field(node, "value")
        name = node.child_by_field_name("name")
        scope = self.function_scope()
        self.bind(self.node_text(name), value, node.end_byte, "", scope)
        return value

    def assign(
        self, target: Node | None, value: int, byte: int, statement: Node | None = None, declared: bool = False
    ) -> None:
        """Bind a target. With `statement`, a name at module or class level becomes a constant (or a field)."""
        if target is None:
            return
        kind = target.type
        if kind == "identifier":
            name = self.node_text(target)
            scope_kind = self.scopes[self.scope].kind
            if scope_kind in ("module", "class") and statement is not None:
                self.constant(name, target, statement, declared)
                if name == "__all__" and scope_kind == "module":
                    self.exports["all"] = []
                    self.extend_all(value)
            elif (self.scope, name) in self.elsewhere:
                self.name(name, target.start_byte, WRITE)
            self.forget(name)
            self.bind(name, value, byte, "annotation" if declared else "")
        elif kind == "attribute":
            self.assign_member(target, value, byte, statement)
        elif kind == "subscript":
            container = self.expression_field(target, "value")
            keys = [self.expression(key) for key in target.children_by_field_name("subscript")]
            if value:
                self.items.append((container, keys[0] if len(keys) == 1 else 0, value))
            written = self.emit(SUBSCRIPT, target.start_byte + self.shift, container, keys[0] if len(keys) == 1 else 0)
            self.sites += (written, WRITE, self.definition)
            self.keep(written, value, byte)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
            parts = [child for child in target.named_children if child.type != "comment"]
            if value and self.code[value] in (NAME, CALL):
                self.site(self.emit(ELEMENT, self.code[value + 1], value), READ)
            stars = [index for index, part in enumerate(parts) if part.type in ("list_splat_pattern", "list_splat")]
            for index, part in enumerate(parts):
                if stars and index == stars[0]:
                    rest = self.rest(value, index, len(parts) - index - 1, part.start_byte) if value else 0
                    self.assign(part.named_children[0] if part.named_child_count else None, rest, byte, statement)
                    continue
                position = index - len(parts) if stars and index > stars[0] else index
                item = self.emit(ITEM, part.start_byte, value, position) if value else 0
                self.assign(part, item, byte, statement)
        elif kind == "parenthesized_expression" or kind in ("as_pattern_target", "list_splat_pattern", "type"):
            for child in target.named_children:
                self.assign(child, value, byte, statement)

    def rest(self, value: int, before: int, after: int, byte: int) -> int:
        """What a starred target takes: the parts between, where they stand in view, else any element."""
        if self.code[value] in (TUPLE, LIST):
            items = self.code[value + 3 : value + 3 + self.code[value + 2]]
            kept = items[before : len(items) - after]
            return self.emit(LIST, byte, len(kept), *kept)
        return self.emit(LIST, byte, 1, self.emit(ELEMENT, byte, value))

    def assign_member(self, target: Node, value: int, byte: int, statement: Node | None) -> None:
        """`object.name = value`: on the receiver it makes a field of the class."""
        holder = target.child_by_field_name("object")
        name_node = target.child_by_field_name("attribute")
        name = self.node_text(name_node)
        container = self.expression(holder)
        text = self.node_text(holder)
        for receiver, owner in reversed(self.receivers):
            if receiver != text:
                continue
            if value:
                self.fields.setdefault(owner, []).append((name, value))
            if self.field(owner, name, name_node, statement or target):
                break
            self.site(self.emit(ATTRIBUTE, name_node.start_byte + self.shift, container, self.string(name)), WRITE)
            break
        else:
            if value:
                self.members.append((container, name, value))
            self.site(self.emit(ATTRIBUTE, name_node.start_byte + self.shift, container, self.string(name)), WRITE)
        if value and holder.type == "identifier":
            path = f"{text}.{name}"
            self.bind(path, value, byte)
            self.dotted[self.scope].add(path)

    def field(self, owner: int, name: str, name_node: Node, statement: Node) -> bool:
        """Define a field of a class unless it has a member of that name. Whether this defined it."""
        scope = self.definitions[owner].scope
        if (scope, name) in self.defined or name in self.bound[scope]:
            return False
        self.leaf("field", name, owner, scope, name_node, statement)
        return True

    def constant(self, name: str, name_node: Node, statement: Node, declared: bool = False) -> None:
        """Define a constant, once per scope; later assignments are writes of it."""
        if (self.scope, name) in self.defined or name in self.bound[self.scope]:
            self.name(name, name_node.start_byte, WRITE)
            return
        in_class = self.scopes[self.scope].kind == "class"
        around = self.definitions[self.definition]
        is_field = in_class and (declared or "dataclass" in around.flags or self.is_enum(self.definition))
        self.leaf("field" if is_field else "constant", name, self.definition, self.scope, name_node, statement)

    def leaf(self, kind: str, name: str, parent: int, scope: int, name_node: Node, statement: Node) -> None:
        """A definition without a body."""
        around = self.definitions[parent]
        qualified = f"{around.qualified_name}.{name}" if parent else name
        start, end = statement.start_byte, statement.end_byte
        scope_now, self.scope = self.scope, scope
        self.define(
            Definition(
                kind, name, qualified, parent, "", -1, start, end, self.line(start), self.line(end - 1),
                name_node.start_byte, end, self.folded(start, end), "", not name.startswith("_"),
            )
        )  # fmt: skip
        self.scope = scope_now

    def extend_all(self, value: int) -> None:
        """`__all__` so far; parts that are no literals leave it open."""
        code, names = self.code, self.texts
        listed = self.exports.setdefault("all", [])
        if code[value] == OPERATION:
            self.extend_all(code[value + 3])
            self.extend_all(code[value + 4])
        elif code[value] in (LIST, TUPLE):
            items = code[value + 3 : value + 3 + code[value + 2]]
            listed += [names[code[item + 2]] for item in items if code[item] == STRING]
        elif code[value] == ATTRIBUTE and names[code[value + 3]] == "__all__" and code[code[value + 2]] == NAME:
            self.exports.setdefault("all_of", []).append(names[code[code[value + 2] + 2]])
        elif value:
            self.exports["all_open"] = True

    def mark_exported(self) -> None:
        """`__all__` says what a module exports, where there is one."""
        listed = self.exports.get("all")
        if listed is None or self.exports.get("all_open"):
            return
        known = set(listed)
        for index, definition in enumerate(self.definitions):
            if index and definition.parent == 0:
                self.definitions[index] = definition._replace(exported=definition.name in known)

    # Expressions

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

    def annotation(self, node: Node) -> int:
        before, self.role = self.role, ANNOTATION
        offset = self.expression(node)
        self.role = before
        return offset

    def wrapped(self, node: Node) -> int:
        children = [child for child in node.named_children if child.type != "comment"]
        offset = 0
        for child in children:
            offset = self.expression(child)
        return offset if len(children) == 1 else 0

    def identifier(self, node: Node) -> int:
        # Slicing the source costs a third of `node.text`; a quoted piece stands in the source at `shift`.
        start = node.start_byte + self.shift
        text = self.source[start : node.end_byte + self.shift].decode("utf-8", "replace")
        offset = len(self.code)
        self.code += (NAME, start, self.string(text), self.scope)
        self.named.append(offset)
        self.sites += (offset, self.role, self.definition)
        return offset

    def attribute(self, node: Node) -> int:
        role, self.role = self.role, READ if self.role != ANNOTATION else ANNOTATION
        children = node.children
        container = self.expression(children[0])
        self.role = role
        member = children[-1]
        byte = member.start_byte + self.shift
        text = self.source[byte : member.end_byte + self.shift].decode("utf-8", "replace")
        offset = len(self.code)
        dotted = self.dotted[self.scope]
        if dotted:
            path = self.path_of(container)
            if path and f"{path}.{text}" in dotted:
                offset = self.emit(PATH, byte, container, self.string(text), self.scope, self.string(f"{path}.{text}"))
                self.sites += (offset, role, self.definition)
                return offset
        self.code += (ATTRIBUTE, byte, container, self.string(text))
        self.sites += (offset, role, self.definition)
        return offset

    def call(self, node: Node) -> int:
        children = node.children
        function, arguments = children[0], children[-1]
        callee_kind = function.type
        role, self.role = self.role, READ
        if callee_kind == "identifier" and self.node_text(function) == "super":
            offset = self.super_call(node)
            self.role = role
            return offset
        silent = callee_kind in ("identifier", "attribute")
        if silent:
            # The call is the site, not the reading of its callee.
            callee = self.expression(function)
            del self.sites[-3:]
        else:
            callee = self.expression(function)
        row: list[int] = []
        if arguments.type == "generator_expression":
            row += (POSITIONAL, self.expression(arguments))
        else:
            for argument in arguments.named_children:
                kind = argument.type
                if kind == "keyword_argument":
                    parts = argument.children
                    row += (self.string(self.node_text(parts[0])), self.expression(parts[-1]))
                elif kind == "list_splat":
                    row += (STARRED, self.wrapped(argument))
                elif kind == "dictionary_splat":
                    row += (DOUBLE_STARRED, self.wrapped(argument))
                elif kind == "comment":
                    self.comment(argument)
                else:
                    row += (POSITIONAL, self.expression(argument))
        self.role = role
        byte = self.code[callee + 1] if silent else function.end_byte + self.shift
        offset = self.emit(CALL, byte, callee, len(row) // 2, *row)
        self.sites += (offset, CALLED, self.definition)
        if self.keyed:
            for value in row[1::2]:
                if self.code[value] == NAME:
                    self.forget(self.texts[self.code[value + 2]])
            if callee_kind == "attribute" and self.code[self.code[callee + 2]] == NAME:
                self.forget(self.texts[self.code[self.code[callee + 2] + 2]])
        if callee_kind == "attribute" and row:
            method = self.texts[self.code[callee + 3]]
            position = _APPENDING.get(method)
            if position is not None and 2 * position < len(row):
                self.items.append((self.code[callee + 2], 0, row[2 * position + 1]))
            elif method in _EXTENDING:
                self.extends(method, self.code[callee + 2], row, node.end_byte)
        return offset

    def extends(self, method: str, holder: int, row: list[int], byte: int) -> None:
        """`list.extend(values)`, `dict.update(values, name=value)`: what is in the values is in the container now."""
        code = self.code
        for keyword, value in zip(row[::2], row[1::2], strict=True):
            if not value:
                continue
            start = code[value + 1]
            if keyword >= 0:
                self.items.append((holder, self.emit(STRING, start, keyword), value))
            elif method == "update" and keyword == POSITIONAL and code[value] == DICTIONARY:
                for at in range(value + 3, value + 3 + 2 * code[value + 2], 2):
                    key, held = code[at], code[at + 1]
                    if key and held:
                        self.items.append((holder, key, held))
                        self.keep(self.emit(SUBSCRIPT, start, holder, key), held, byte)
            elif method == "update" and code[value] not in _DISPLAYS:
                self.items.append((holder, 0, self.emit(SUBSCRIPT, start, value, 0)))
            elif keyword != DOUBLE_STARRED:
                self.items.append((holder, 0, self.emit(ELEMENT, start, value)))

    def super_call(self, node: Node) -> int:
        arguments = node.child_by_field_name("arguments")
        given = (
            [child for child in arguments.named_children if child.type != "comment"] if arguments is not None else []
        )
        after = self.expression(given[0]) if given else 0
        for child in given[1:]:
            self.expression(child)
        scope = self.scope
        while scope > 0 and not self.scopes[scope].receiver:
            scope = self.scopes[scope].parent
        return self.emit(SUPER, node.start_byte + self.shift, scope, after)

    def subscript(self, node: Node) -> int:
        role = self.role
        if role not in (READ, ANNOTATION):
            self.role = READ
        value_node = node.child_by_field_name("value")
        value = self.expression(value_node)
        marks = role == ANNOTATION and value_node.text.endswith(_ANNOTATED)
        if role == ANNOTATION and value_node.text.endswith(b"Literal"):
            self.role = READ
        keys = node.children_by_field_name("subscript")
        index = self.type_and_marks(keys, node) if marks and len(keys) > 1 else self.index(node)
        self.role = role
        offset = self.emit(SUBSCRIPT, node.start_byte + self.shift, value, index)
        if role == READ and self.code[value] not in _DISPLAYS:
            self.sites += (offset, READ, self.definition)
        keyed = self.keyed.get(self.scope)
        if keyed:
            path = self.key_path(offset)
            if path in keyed:
                return self.emit(KEYED, node.start_byte + self.shift, offset, self.scope, self.string(path))
        return offset

    def type_and_marks(self, parts: list[Node], node: Node) -> int:
        """Of `Annotated[type, mark, ...]` only the first is a type."""
        given = [self.expression(parts[0])]
        before, self.role = self.role, READ
        given += [self.expression(part) for part in parts[1:]]
        self.role = before
        return self.emit(TUPLE, node.start_byte + self.shift, len(given), *given)

    def key_path(self, expression: int) -> str:
        """`a["b"][0]` for constant keys below a name, else empty."""
        code, names = self.code, self.texts
        if code[expression] == KEYED:
            return names[code[expression + 4]]
        if code[expression] != SUBSCRIPT or code[code[expression + 3]] not in (STRING, NUMBER):
            return ""
        key, holder = code[expression + 3], code[expression + 2]
        above = names[code[holder + 2]] if code[holder] == NAME else self.key_path(holder)
        return f"{above}[{names[code[key + 2]]!r}:{code[key]}]" if above else ""

    def forget(self, name: str) -> None:
        """What a name's container holds may have changed."""
        keyed = self.keyed.get(self.scope)
        if keyed:
            self.keyed[self.scope] = {path for path in keyed if not path.startswith(f"{name}[")}

    def keep(self, written: int, value: int, byte: int) -> None:
        """What is assigned under a constant key is what stands there until something else may have changed it."""
        path = self.key_path(written)
        if path and value:
            keyed = self.keyed.setdefault(self.scope, set())
            self.keyed[self.scope] = {each for each in keyed if not each.startswith(f"{path}[")} | {path}
            self.bind(path, value, byte)

    def slice(self, node: Node) -> int:
        bounds = [0, 0, 0]
        at = 0
        for child in node.children:
            if child.type == ":":
                at = min(at + 1, 2)
            elif child.type == "comment":
                self.comment(child)
            else:
                bounds[at] = self.expression(child)
        return self.emit(SLICE, node.start_byte + self.shift, *bounds)

    def index(self, node: Node) -> int:
        keys = [self.expression(key) for key in node.children_by_field_name("subscript")]
        return keys[0] if len(keys) == 1 else self.emit(TUPLE, node.start_byte + self.shift, len(keys), *keys)

    def generic_type(self, node: Node) -> int:
        value = 0
        arguments: list[int] = []
        for child in node.named_children:
            if child.type == "type_parameter":
                parts = [part for part in child.named_children if part.type != "comment"]
                last = self.code[value + 2] if self.code[value] == NAME else self.code[value + 3] if value else 0
                if value and len(parts) > 1 and self.texts[last] == "Annotated":
                    arguments.append(self.expression(parts[0]))
                    before, self.role = self.role, READ
                    arguments += [self.expression(part) for part in parts[1:]]
                    self.role = before
                elif self.code[value] == NAME and self.texts[self.code[value + 2]] == "Literal":
                    before, self.role = self.role, READ
                    arguments += [self.expression(part) for part in child.named_children]
                    self.role = before
                else:
                    arguments += [self.expression(part) for part in child.named_children]
            else:
                value = self.expression(child)
        byte = node.start_byte + self.shift
        index = arguments[0] if len(arguments) == 1 else self.emit(TUPLE, byte, len(arguments), *arguments)
        return self.emit(SUBSCRIPT, byte, value, index)

    def string_literal(self, node: Node) -> int:
        start, end = node.start_byte, node.end_byte
        children = node.named_children
        if self.role == ANNOTATION and len(children) == 3:
            return self.quoted(children[1])
        if (
            len(children) <= 3
            and end - start <= _STRING_LIMIT
            and all(child.type[:6] == "string" for child in children)
        ):
            text = self.node_text(children[1]) if len(children) == 3 else ""
            return self.emit(STRING, start + self.shift, self.string(text))
        for child in children:
            if child.type == "interpolation":
                for part in child.named_children:
                    if part.type not in ("format_specifier", "type_conversion"):
                        self.expression(part)
                    else:
                        self.statements_of(part)
        return self.emit(LITERAL, start + self.shift, self.string("str"))

    def quoted(self, content: Node) -> int:
        """An annotation in quotes is source of its own."""
        if self.shift:
            return 0
        start = content.start_byte
        root = self.parse(self.source[start : content.end_byte].strip())
        statements = root.named_children
        if root.has_error or len(statements) != 1:
            return 0
        inner = statements[0].named_children[0] if statements[0].type == "expression_statement" else statements[0]
        lead = len(self.source[start : content.end_byte]) - len(self.source[start : content.end_byte].lstrip())
        self.shift = start + lead
        offset = self.expression(inner)
        self.shift = 0
        return offset

    def concatenated_string(self, node: Node) -> int:
        for child in node.named_children:
            self.expression(child)
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("str"))

    def number(self, node: Node) -> int:
        return self.emit(NUMBER, node.start_byte + self.shift, self.string(self.node_text(node)))

    def boolean(self, node: Node) -> int:
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("bool"))

    def none(self, node: Node) -> int:
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("None"))

    def display(self, node: Node, operation: int) -> int:
        items = []
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
            elif child.type == "list_splat":
                items.append(self.emit(ELEMENT, child.start_byte + self.shift, self.wrapped(child)))
            else:
                items.append(self.expression(child))
        return self.emit(operation, node.start_byte + self.shift, len(items), *items)

    def list_display(self, node: Node) -> int:
        return self.display(node, LIST)

    def tuple_display(self, node: Node) -> int:
        return self.display(node, TUPLE)

    def set_display(self, node: Node) -> int:
        return self.display(node, SET)

    def dictionary(self, node: Node) -> int:
        pairs: list[int] = []
        for child in node.named_children:
            if child.type == "pair":
                pairs += (self.expression_field(child, "key"), self.expression_field(child, "value"))
            elif child.type == "dictionary_splat":
                pairs += (0, self.wrapped(child))
            elif child.type == "comment":
                self.comment(child)
        return self.emit(DICTIONARY, node.start_byte + self.shift, len(pairs) // 2, *pairs)

    def comprehension(self, node: Node) -> int:
        body = node.child_by_field_name("body")
        scope_around, block_around = self.scope, self.block
        scope = -1
        for child in node.named_children:
            if child.type == "for_in_clause":
                rights = child.children_by_field_name("right")
                right = self.expression(rights[0]) if len(rights) == 1 else 0
                element = self.iterated(right, rights[0].start_byte if rights else child.start_byte)
                if scope < 0:
                    # The first iterable is evaluated around the comprehension's own scope.
                    scope = self.enter("comprehension", self.definition, node.start_byte, node.end_byte)
                    self.scope = scope
                    self.open_block(node.start_byte, node.end_byte)
                self.assign(child.child_by_field_name("left"), element, node.start_byte)
            elif child.type == "if_clause":
                for test in child.named_children:
                    self.narrow(self.condition(test), node.start_byte)
        key = value = 0
        if body is not None and body.type == "pair":
            key, value = self.expression_field(body, "key"), self.expression_field(body, "value")
        elif body is not None:
            key = self.expression(body)
        self.scope, self.block = scope_around, block_around
        kind = self.string(node.type.partition("_")[0])
        return self.emit(COMPREHENSION, node.start_byte + self.shift, kind, key, value)

    def lambda_expression(self, node: Node) -> int:
        rows, _, places = self.parameters_of(node.child_by_field_name("parameters"), self.definition)
        around = self.scope, self.block
        start, end = node.start_byte, node.end_byte
        self.scope = scope = self.enter("lambda", self.definition, start, end)
        self.open_block(start, end)
        self.bind_parameters(scope, rows, places, start)
        value = self.expression_field(node, "body")
        if value:
            self.returns[scope] = [value]
        self.scope, self.block = around
        return self.emit(FUNCTION, start + self.shift, scope)

    def conditional_expression(self, node: Node) -> int:
        parts = [child for child in node.named_children if child.type != "comment"]
        if len(parts) != 3:
            return 0
        narrowings = self.condition(parts[1])
        around = self.open_block(parts[0].start_byte, parts[0].end_byte)
        self.narrow(narrowings, parts[0].start_byte)
        first = self.expression(parts[0])
        self.block = around
        around = self.open_block(parts[2].start_byte, parts[2].end_byte)
        self.narrow(self.negated(narrowings), parts[2].start_byte)
        second = self.expression(parts[2])
        self.block = around
        return self.emit(UNION, node.start_byte + self.shift, 2, first, second)

    def boolean_operator(self, node: Node) -> int:
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        if self.operator(node) == b"and":
            # What `and` yields is its right side, or something false.
            narrowings = self.condition(left_node)
            around = self.open_block(right_node.start_byte, right_node.end_byte)
            self.narrow(narrowings, right_node.start_byte)
            right = self.expression(right_node)
            self.block = around
            return right
        left = self.expression(left_node)
        right = self.expression(right_node)
        return self.emit(UNION, node.start_byte + self.shift, 2, left, right)

    def not_operator(self, node: Node) -> int:
        self.expression_field(node, "argument")
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("bool"))

    def binary_operator(self, node: Node) -> int:
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left_node is None or right_node is None:
            # A union in a type position has no fields.
            parts = [self.expression(child) for child in node.named_children if child.type != "comment"]
            return self.emit(UNION, node.start_byte + self.shift, len(parts), *parts)
        left, right = self.expression(left_node), self.expression(right_node)
        operator = node.child_by_field_name("operator")
        offset = self.emit(OPERATION, operator.start_byte + self.shift, self.string(operator.type), left, right)
        if self.role == READ and (self.code[left] not in _PLAIN or self.code[right] not in _PLAIN):
            self.sites += (offset, READ, self.definition)
        return offset

    def unary_operator(self, node: Node) -> int:
        value = self.expression_field(node, "argument")
        operator = "unary" + self.operator(node).decode()
        offset = self.emit(OPERATION, node.start_byte + self.shift, self.string(operator), value, 0)
        if self.code[value] not in _PLAIN:
            self.sites += (offset, READ, self.definition)
        return offset

    def comparison_operator(self, node: Node) -> int:
        values: list[int] = []
        operators: list[Node] = []
        for child in node.children:
            if child.is_named:
                if child.type != "comment":
                    values.append(self.expression(child))
            else:
                operators.append(child)
        for position, operator in enumerate(operators[: len(values) - 1]):
            text = operator.type
            left, right = values[position], values[position + 1]
            if text in ("in", "not in"):
                left, right = right, left
            if text not in ("is", "is not") and self.code[left] not in _PLAIN:
                compared = self.emit(OPERATION, operator.start_byte + self.shift, self.string(text), left, right)
                self.sites += (compared, READ, self.definition)
        return self.emit(LITERAL, node.start_byte + self.shift, self.string("bool"))

    def await_expression(self, node: Node) -> int:
        return self.emit(AWAIT, node.start_byte + self.shift, self.wrapped(node))

    def yield_expression(self, node: Node) -> int:
        value = self.wrapped(node)
        scope = self.function_scope()
        delegated = 0
        if any(child.type == "from" for child in node.children):
            delegated, value = value, self.emit(ELEMENT, node.start_byte + self.shift, value)
        self.yields.setdefault(scope, []).append(value)
        return self.emit(YIELD, node.start_byte + self.shift, delegated)

    # Small things

    def node_text(self, node: Node) -> str:
        shift = self.shift
        return self.source[node.start_byte + shift : node.end_byte + shift].decode("utf-8", "replace")

    def operator(self, node: Node) -> bytes:
        operator = node.child_by_field_name("operator")
        return operator.text if operator is not None else b""
