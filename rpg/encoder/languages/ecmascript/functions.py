"""Functions of every form, their parameters, and the names that functions without one take from their target."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rpg.encoder.facts import (
    DECORATOR,
    ELEMENT,
    FUNCTION,
    ITEM,
    LIST,
    OBJECT,
    PARAMETER,
    TYPED,
    UNION,
    Definition,
    Parameter,
)
from rpg.encoder.languages.ecmascript.expressions import Expressions
from rpg.encoder.languages.ecmascript.types import SPREAD
from rpg.encoder.languages.ecmascript.walk import This
from rpg.encoder.walker import Node

_NAME, _GENERICS, _PARAMETERS, _RETURNS, _BODY = range(5)
_SLOTS = {
    "identifier": _NAME,
    "property_identifier": _NAME,
    "private_property_identifier": _NAME,
    "string": _NAME,
    "number": _NAME,
    "computed_property_name": _NAME,
    "type_parameters": _GENERICS,
    "formal_parameters": _PARAMETERS,
    "type_annotation": _RETURNS,
    "asserts_annotation": _RETURNS,
    "type_predicate_annotation": _RETURNS,
    "statement_block": _BODY,
}
FUNCTIONS = frozenset(("function_expression", "generator_function", "arrow_function"))
_BINDING = frozenset(("bind", "call", "apply"))
WRAPPERS = frozenset(("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"))


class Target(NamedTuple):
    """What a value is given to: a function without a name of its own is named after it."""

    name: str
    byte: int
    """Where that name stands."""
    path: str
    """Dotted, below the definition and the prefix around it (`app.get`)."""
    start: int
    """The statement that gives it."""
    end: int
    kind: str = "function"
    owner: str = ""
    this: int = 0
    """The expression that `this` equals in it; 0: not known."""
    fields: int = -1
    """The definition whose fields `this.name = value` makes; -1: the function's own."""
    static: bool = False
    member: bool = False
    """Whether it is a field of a class, so that an arrow function has a receiver as well."""
    keeps_this: bool = False
    """Whether it is given the receiver around."""
    shown: int = -1
    """Where its signature starts, where that is not where the statement starts."""


class Head(NamedTuple):
    """The parts of a function."""

    name: Node | None
    generics: Node | None
    parameters: Node | None
    returns: Node | None
    body: Node | None
    marks: tuple[str, ...]
    """Keywords and signs in it: async, *, get, static, ..."""
    header_end: int


class Functions(Expressions):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "function_declaration": self.function_declaration,
            "generator_function_declaration": self.function_declaration,
            "function_signature": self.function_declaration,
            "function_expression": self.nameless_function,
            "generator_function": self.nameless_function,
            "arrow_function": self.nameless_function,
            "object": self.object_literal,
            "arguments": self.through,
        }

    def head(self, node: Node) -> Head:
        parts: list[Node | None] = [None, None, None, None, None]
        marks: list[str] = []
        children = node.children
        end = node.start_byte
        for child in children:
            kind = child.type
            slot = _SLOTS.get(kind)
            if slot is not None:
                if parts[slot] is None and child.end_byte > child.start_byte:
                    parts[slot] = child
                    if slot != _BODY:
                        end = child.end_byte
            elif kind == "comment":
                self.comment(child)
            elif kind == "accessibility_modifier":
                marks.append(self.text_of(child))
            elif not child.is_named:
                marks.append(kind)
        if node.type == "arrow_function":
            # `x => x`: the body is what comes last, the parameter may stand alone.
            parts[_BODY] = children[-1]
            if parts[_PARAMETERS] is None:
                parts[_PARAMETERS] = parts[_NAME] if parts[_NAME] is not children[-1] else None
            parts[_NAME] = None
            end = (parts[_RETURNS] or parts[_PARAMETERS] or node).end_byte
        return Head(*parts, tuple(marks), end)

    # Values that are given to something

    def given(self, node: Node, target: Target) -> int:
        """Lower a value; a function, a class or an object literal takes its name from the target."""
        kind = node.type
        if kind in FUNCTIONS:
            return self.named_function(node, target)
        if kind == "object":
            return self.named_object(node, target)
        if kind == "class":
            return self.named_class(node, target)
        if kind in WRAPPERS:
            value = annotation = 0
            inner = None
            for child in node.named_children:
                if child.type == "comment":
                    self.comment(child)
                elif inner is None:
                    inner = child
                    value = self.given(child, target)
                else:
                    annotation = self.type_of(child)
            return self.narrowed_by_cast(node.start_byte, annotation, value) if kind == "as_expression" else value
        return self.walk(node)

    def named_class(self, node: Node, target: Target) -> int:
        """Defined with the classes."""
        raise NotImplementedError

    def named_function(self, node: Node, target: Target) -> int:
        head = self.head(node)
        start, end = node.start_byte, node.end_byte
        begin, doc = self.documented(target.start)
        modifiers = tuple(
            mark for mark, there in (("async", "async" in head.marks), ("static", target.static)) if there
        )
        shown = target.start if target.shown < 0 else target.shown
        definition = self.define_function(target.kind, target, begin, doc, head, modifiers, shown)
        around = self.enter("function", definition, start, end)
        if (target.member or node.type != "arrow_function") and not target.keeps_this:
            self.this = This(self.scope, target.this, definition if target.fields < 0 else target.fields)
        if head.name is not None:
            self.bind(self.text_of(head.name), self.definition_value(definition), start)
        self.body(head, definition)
        self.annotate(self.scope, doc, begin)
        self.leave(around)
        return self.definition_value(definition)

    def define_function(
        self, kind: str, target: Target, begin: int, doc: str, head: Head, modifiers: tuple[str, ...], signature: int
    ) -> int:
        """The symbol of a function that takes its name from a target. Its scope is the next one to be opened."""
        flags = ("generator",) if "*" in head.marks else ()
        body = head.body.start_byte if head.body is not None else target.end
        return self.define(
            Definition(
                kind, target.name, self.qualified(target.path), self.around(), target.owner, len(self.scopes), begin, target.end, self.line(begin),
                self.line(target.end - 1), target.byte, body, self.folded(signature, head.header_end), doc, False, (),
                modifiers, self.returned(head), flags,
            )
        )  # fmt: skip

    def returned(self, head: Head) -> str:
        node = head.returns
        return self.folded(node.start_byte, node.end_byte).removeprefix(":").lstrip() if node is not None else ""

    # Functions

    def function_declaration(self, node: Node) -> int:
        head = self.head(node)
        start, end = node.start_byte, node.end_byte
        signature = start
        start = self.opened(node)
        if head.name is None:
            return self.nameless_function(node)
        name = self.text_of(head.name)
        begin, doc = self.documented(start)
        flags = ["generator"] if "*" in head.marks else []
        if node.type == "function_signature" and not self.ambient:
            flags.append("overload")
        definition = self.define(
            Definition(
                "function", name, self.qualified(name), self.around(), "", len(self.scopes), begin, end,
                self.line(begin), self.line(end - 1), head.name.start_byte,
                head.body.start_byte if head.body is not None else end, self.folded(signature, head.header_end), doc,
                False, (), ("async",) if "async" in head.marks else (), self.returned(head), tuple(flags),
            )
        )  # fmt: skip
        self.bind(name, self.definition_value(definition), self.scopes[self.scope].start_byte)
        around = self.enter("function", definition, start, end)
        self.this = This(self.scope, 0, definition)
        self.body(head, definition)
        self.annotate(self.scope, doc, begin)
        self.leave(around)
        return 0

    def nameless_function(self, node: Node) -> int:
        """A function that is given to nothing: a callback, or called on the spot."""
        start = node.start_byte
        arrow = node.type == "arrow_function"
        name = None if arrow else self.name_node(node)
        this = self.this if arrow or self.keeps_this(node) else None
        if name is not None:
            # One with a name of its own is a symbol wherever it stands.
            text = self.text_of(name)
            target = Target(text, name.start_byte, text, start, node.end_byte, keeps_this=this is not None)
            return self.named_function(node, target)
        head = self.head(node)
        around = self.enter("lambda", self.definition, start, node.end_byte)
        self.this = This(self.scope) if this is None else this
        scope = self.scope
        value = self.emit(FUNCTION, start, scope)
        self.body(head, -1)
        self.leave(around)
        return value

    def keeps_this(self, node: Node) -> bool:
        """Whether a function expression is given the receiver around: `.bind(this)`, `.call(this)`, `map(f, this)`."""
        around = node.parent
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        if around is None:
            return False
        arguments = around
        if around.type == "member_expression":
            call = around.parent
            name = around.child_by_field_name("property")
            if name is None or call is None or call.type != "call_expression" or self.text_of(name) not in _BINDING:
                return False
            arguments = call.child_by_field_name("arguments")
            given = arguments.named_children if arguments is not None else []
            return bool(given) and given[0].type == "this"
        given = arguments.named_children if arguments.type == "arguments" else []
        return len(given) > 1 and given[-1].type == "this"

    def body(self, head: Head, definition: int) -> None:
        """Type parameters, parameters, returned type and body, in the scope that was just opened for them."""
        scope = self.scope
        if head.generics is not None:
            self.type_parameters_of(head.generics, definition)
        if head.parameters is not None:
            self.parameters_of(head.parameters, scope)
        if head.returns is not None:
            returned = self.wrapped_type(head.returns)
            if returned:
                self.annotations[scope] = returned
        body = head.body
        if body is None:
            return
        if body.type == "statement_block":
            self.statements(body.named_children)
        else:
            value = self.walk(body)
            if value:
                self.returns[scope] = [value]

    def statements(self, nodes: list[Node]) -> int:
        table = self.table
        for node in nodes:
            table[node.type](node)
        return 0

    # Parameters

    def parameters_of(self, node: Node, scope: int) -> None:
        if node.type == "identifier":
            name = self.text_of(node)
            self.parameters[scope] = [Parameter(name, "positional")]
            self.bind(name, self.emit(PARAMETER, node.start_byte, scope, 0), self.scopes[scope].start_byte)
            return
        rows: list[Parameter] = []
        self.parameters[scope] = rows
        for child in node.named_children:
            kind = child.type
            if kind == "comment":
                self.comment(child)
            elif kind in ("required_parameter", "optional_parameter"):
                self.typed_parameter(child, scope, rows)
            elif kind == "assignment_pattern":
                default = self.field(child, "right")
                pattern = child.child_by_field_name("left")
                if pattern is not None:
                    self.parameter(pattern, scope, rows, 0, default)
            else:
                self.parameter(child, scope, rows, 0, 0)
        if not rows:
            del self.parameters[scope]

    def typed_parameter(self, node: Node, scope: int, rows: list[Parameter]) -> None:
        pattern = None
        annotation = default = 0
        is_field = False
        for child in node.children:
            kind = child.type
            if kind == "type_annotation":
                annotation = self.wrapped_type(child)
            elif kind == "decorator":
                # Evaluated with the class around the method.
                method, self.definition = self.definition, max(self.definitions[self.definition].parent, 0)
                self.decorator(child)
                self.definition = method
            elif kind in ("accessibility_modifier", "override_modifier", "readonly"):
                is_field = True
            elif kind == "comment":
                self.comment(child)
            elif pattern is None and child.is_named:
                pattern = child
            elif child.is_named:
                default = self.walk(child)
        if pattern is None:
            return
        if pattern.type == "this":
            # Says what `this` is; no argument is passed for it.
            if annotation:
                value = self.emit(TYPED, pattern.start_byte, annotation, 0)
                self.this = self.this._replace(value=value)
            return
        self.parameter(pattern, scope, rows, annotation, default)
        if is_field and pattern.type == "identifier":
            self.parameter_field(
                pattern, node, annotation, self.emit(PARAMETER, pattern.start_byte, scope, len(rows) - 1)
            )

    def parameter_field(self, name: Node, parameter: Node, annotation: int, value: int) -> None:
        """Defined with the classes: `constructor(private x: T)`."""
        raise NotImplementedError

    def parameter(self, pattern: Node, scope: int, rows: list[Parameter], annotation: int, default: int) -> None:
        kind = "positional"
        if pattern.type == "rest_pattern":
            kind = "list"
            inner = [child for child in pattern.named_children if child.type != "comment"]
            pattern = inner[0] if inner else pattern
        start = self.scopes[scope].start_byte
        value = self.emit(PARAMETER, pattern.start_byte, scope, len(rows))
        if pattern.type == "identifier":
            name = self.text_of(pattern)
            rows.append(Parameter(name, kind, annotation, default))
            self.bind(name, value, start)
        else:
            rows.append(Parameter("", kind, annotation, default))
            self.declare(pattern, value, start, scope)

    def decorator(self, node: Node) -> tuple[str, int]:
        """Text and expression of a decorator."""
        value = 0
        text = ""
        for child in node.named_children:
            if child.type == "comment":
                self.comment(child)
                continue
            text = self.folded(child.start_byte, child.end_byte)
            value = self.walk(child) if child.type == "call_expression" else self.with_role(child, DECORATOR)
        return text, value

    # Patterns

    def declare(
        self, pattern: Node, value: int, byte: int, scope: int, kind: str = "", statement: Node | None = None
    ) -> None:
        """Bind what a pattern declares; below scope 0 it assigns to what others declare.

        `statement`: names become constants, since it stands at module level.
        """
        shape = pattern.type
        if shape in ("identifier", "shorthand_property_identifier_pattern"):
            if pattern.start_byte == pattern.end_byte:
                return
            if statement is not None:
                self.constant(pattern, statement)
            if scope < 0:
                self.assign_name(self.text_of(pattern), pattern.start_byte, value, byte)
            else:
                self.bind(self.text_of(pattern), value, byte, kind, scope)
        elif shape == "object_pattern":
            for child in pattern.named_children:
                self.part_of_object(child, value, byte, scope, statement)
        elif shape == "array_pattern":
            position = 0
            for child in pattern.children:
                if child.type == ",":
                    position += 1
                elif child.type == "rest_pattern":
                    rest = (
                        self.emit(LIST, child.start_byte, 1, self.emit(ELEMENT, child.start_byte, value))
                        if value
                        else 0
                    )
                    self.declare(child, rest, byte, scope, "", statement)
                elif child.is_named:
                    item = self.emit(ITEM, child.start_byte, value, position) if value else 0
                    self.declare(child, item, byte, scope, "", statement)
        elif shape in ("assignment_pattern", "object_assignment_pattern"):
            left = pattern.child_by_field_name("left")
            default = self.field(pattern, "right")
            if left is not None:
                self.declare(left, self.either(value, default), byte, scope, "", statement)
        elif shape == "comment":
            self.comment(pattern)
        elif shape in ("rest_pattern", "parenthesized_expression", "non_null_expression", "as_expression"):
            for child in pattern.named_children[:1]:
                self.declare(child, value, byte, scope, "", statement)
        elif scope < 0:
            self.assign_to(pattern, value, byte)
        else:
            self.walk(pattern)

    def part_of_object(self, node: Node, value: int, byte: int, scope: int, statement: Node | None) -> None:
        """One part of `{ a, b: c, d = 1, ...rest }`."""
        shape = node.type
        if shape == "pair_pattern":
            key, target = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is None or target is None:
                return
            if key.type == "computed_property_name":
                part = self.indexed(value, self.only(key), key.start_byte) if value else self.through(key)
            else:
                part = self.part(value, key)
            self.declare(target, part, byte, scope, "", statement)
        elif shape == "shorthand_property_identifier_pattern":
            self.declare(node, self.part(value, node), byte, scope, "", statement)
        elif shape == "object_assignment_pattern":
            left = node.child_by_field_name("left")
            if left is not None:
                part = self.part(value, left)
                self.declare(left, self.either(part, self.field(node, "right")), byte, scope, "", statement)
        else:
            self.declare(node, value, byte, scope, "", statement)

    def part(self, value: int, key: Node) -> int:
        if not value:
            return 0
        return self.member_of(value, self.string(self.name_of(key)), key.start_byte)

    def either(self, value: int, default: int) -> int:
        if not value or not default:
            return value or default
        return self.emit(UNION, self.code[default + 1], 2, value, default)

    def assign_name(self, name: str, byte: int, value: int, end: int, kind: str = "") -> None:
        """Defined with the targets."""
        raise NotImplementedError

    def assign_to(self, target: Node, value: int, byte: int) -> None:
        """Defined with the targets: members and subscripts."""
        raise NotImplementedError

    def constant(self, name: Node, statement: Node) -> int:
        """Defined with the targets."""
        raise NotImplementedError

    # Object literals

    def object_literal(self, node: Node) -> int:
        return self.members_of(node)

    def named_object(self, node: Node, target: Target) -> int:
        around = self.prefix
        if target.path:
            self.prefix = f"{around}.{target.path}" if around else target.path
        value = self.members_of(node, target.owner, target.fields)
        self.prefix = around
        return value

    def members_of(self, node: Node, owner: str = "", fields: int = -1) -> int:
        """An object literal: a scope of its own for the members, whose values are evaluated in the scope around.

        `owner`: the class whose prototype it becomes.
        """
        scope = self.open_scope("object", self.definition, node.start_byte, node.end_byte)
        made = self.emit(OBJECT, node.start_byte, scope)
        for child in node.named_children:
            kind = child.type
            if kind == "pair":
                key, value_node = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value_node is None:
                    self.through(child)
                    continue
                name = self.name_of(key)
                computed = self.only(key) if key.type == "computed_property_name" else 0
                inner = value_node.type
                if inner in FUNCTIONS or inner in ("object", "class") or inner in WRAPPERS:
                    target = Target(
                        name, key.start_byte, name, child.start_byte, child.end_byte, "method", owner,
                        0 if owner else made, fields,
                    )  # fmt: skip
                    value = self.given(value_node, target)
                else:
                    value = self.walk(value_node)
                if key.type == "computed_property_name" and not name.startswith("[Symbol."):
                    if value:
                        self.items.append((made, computed, value))
                else:
                    self.bind(name, value, child.end_byte, "", scope)
            elif kind == "shorthand_property_identifier":
                self.bind(self.text_of(child), self.identifier(child), child.end_byte, "", scope)
            elif kind == "method_definition":
                self.literal_method(child, scope, made, owner, fields)
            elif kind == "spread_element":
                self.bind(SPREAD, self.only(child), child.end_byte, "weak", scope)
            else:
                self.walk(child)
        return made

    def literal_method(self, node: Node, scope: int, made: int, owner: str, fields: int) -> None:
        """`{ name() {} }`, `{ get name() {} }`."""
        head = self.head(node)
        if head.name is None:
            self.through(node)
            return
        if head.name.type == "computed_property_name":
            self.only(head.name)
        name = self.name_of(head.name)
        accessor = "get" in head.marks or "set" in head.marks
        start, end = node.start_byte, node.end_byte
        target = Target(name, head.name.start_byte, name, start, end, owner=owner)
        begin, doc = self.documented(start)
        modifiers = ("async",) if "async" in head.marks else ()
        definition = self.define_function(
            "property" if accessor else "method", target, begin, doc, head, modifiers, start
        )
        if "set" in head.marks:
            self.definitions[definition] = self.definitions[definition]._replace(flags=("setter",))
        value = self.definition_value(definition)
        self.bind(name, value, end, "weak" if "set" in head.marks else "", scope)
        around = self.enter("function", definition, start, end)
        self.this = This(self.scope, 0 if owner else made, fields)
        self.body(head, definition)
        self.annotate(self.scope, doc, begin)
        self.leave(around)
