"""Functions of every form, their parameters, and the names that functions without one take from their target."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rpg.encoder.facts import Definition
from rpg.encoder.languages.ecmascript.patterns import Patterns
from rpg.encoder.languages.ecmascript.walk import This
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import FUNCTION

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


class Functions(Patterns):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.table |= {
            "function_declaration": self.function_declaration,
            "generator_function_declaration": self.function_declaration,
            "function_signature": self.function_declaration,
            "function_expression": self.nameless_function,
            "generator_function": self.nameless_function,
            "arrow_function": self.nameless_function,
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
        name, generics, parameters, returns, body = parts
        return Head(name, generics, parameters, returns, body, tuple(marks), end)

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
        return self.table[kind](node)

    def named_object(self, node: Node, target: Target) -> int:
        """Defined with the object literals."""
        raise NotImplementedError

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
                kind=kind,
                name=target.name,
                qualified_name=self.qualified(target.path),
                parent=self.around(),
                owner=target.owner,
                scope=len(self.scopes),
                start_byte=begin,
                end_byte=target.end,
                name_byte=target.byte,
                body_byte=body,
                signature=self.folded(signature, head.header_end),
                doc=doc,
                exported=kind != "function",
                modifiers=modifiers,
                returns=self.returned(head),
                flags=flags,
            )
        )

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
                kind="function",
                name=name,
                qualified_name=self.qualified(name),
                parent=self.around(),
                scope=len(self.scopes),
                start_byte=begin,
                end_byte=end,
                name_byte=head.name.start_byte,
                body_byte=head.body.start_byte if head.body is not None else end,
                signature=self.folded(signature, head.header_end),
                doc=doc,
                exported=False,
                modifiers=("async",) if "async" in head.marks else (),
                returns=self.returned(head),
                flags=tuple(flags),
            )
        )
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
            called = call.child_by_field_name("arguments")
            given = called.named_children if called is not None else []
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
