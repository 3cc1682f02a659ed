"""Lowers functions of every form, their parameters, and the names that nameless functions take from their target.

In: nodes, and perhaps a target. Out: definitions, scopes, parameters.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import Definition
from rpg.encoder.languages.ecmascript.lowering.named_values import FUNCTIONS, Target
from rpg.encoder.languages.ecmascript.lowering.patterns import parameters_of
from rpg.encoder.languages.ecmascript.types.jsdoc import annotate
from rpg.encoder.languages.ecmascript.types.type_expressions import lower_wrapped_type, type_parameters_of
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker, NamedHandlers, This
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers, Walker

_NAME: Final = 0
_GENERICS: Final = 1
_PARAMETERS: Final = 2
_RETURNS: Final = 3
_BODY: Final = 4
_SLOTS: Final = {
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
_BINDING: Final = frozenset(("bind", "call", "apply"))


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


def head_of(walker: EcmaScriptWalker, node: Node) -> Head:
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
            walker.comment(child)
        elif kind == "accessibility_modifier":
            marks.append(walker.text_of(child))
        elif not child.is_named:
            marks.append(kind)
    if node.type == "arrow_function":
        # `x => x`: the body comes last, the parameter may be without parentheses.
        parts[_BODY] = children[-1]
        if parts[_PARAMETERS] is None:
            parts[_PARAMETERS] = parts[_NAME] if parts[_NAME] is not children[-1] else None
        parts[_NAME] = None
        end = (parts[_RETURNS] or parts[_PARAMETERS] or node).end_byte
    name, generics, parameters, returns, body = parts
    return Head(name, generics, parameters, returns, body, tuple(marks), end)


def lower_named_function(walker: EcmaScriptWalker, node: Node, target: Target) -> int:
    head = head_of(walker, node)
    start, end = node.start_byte, node.end_byte
    begin, doc = walker.documented(target.start)
    modifiers = tuple(mark for mark, there in (("async", "async" in head.marks), ("static", target.static)) if there)
    shown = target.start if target.shown < 0 else target.shown
    definition = define_function(walker, target.kind, target, begin, doc, head, modifiers, shown)
    around = walker.enter("function", definition, start, end)
    if (target.member or node.type != "arrow_function") and not target.keeps_this:
        walker.this = This(walker.scope, target.this, definition if target.fields < 0 else target.fields)
    if head.name is not None:
        walker.bind(walker.text_of(head.name), walker.definition_value(definition), start)
    lower_body(walker, head, definition)
    annotate(walker, walker.scope, doc, begin)
    walker.leave(around)
    return walker.definition_value(definition)


def define_function(
    walker: EcmaScriptWalker,
    kind: str,
    target: Target,
    begin: int,
    doc: str,
    head: Head,
    modifiers: tuple[str, ...],
    signature: int,
) -> int:
    """The symbol of a function that takes its name from a target. Its scope is the next one to be opened."""
    flags = ("generator",) if "*" in head.marks else ()
    body = head.body.start_byte if head.body is not None else target.end
    return walker.define(
        Definition(
            kind=kind,
            name=target.name,
            qualified_name=walker.qualified(target.path),
            parent=walker.around(),
            owner=target.owner,
            scope=len(walker.scopes),
            start_byte=begin,
            end_byte=target.end,
            name_byte=target.byte,
            body_byte=body,
            signature=walker.folded(signature, head.header_end),
            doc=doc,
            exported=kind != "function",
            modifiers=modifiers,
            returns=read_return_type(walker, head),
            flags=flags,
        )
    )


def read_return_type(walker: EcmaScriptWalker, head: Head) -> str:
    node = head.returns
    return walker.folded(node.start_byte, node.end_byte).removeprefix(":").lstrip() if node is not None else ""


# Functions


def function_declaration(walker: EcmaScriptWalker, node: Node) -> int:
    head = head_of(walker, node)
    start, end = node.start_byte, node.end_byte
    signature = start
    start = walker.opened(node)
    if head.name is None:
        return nameless_function(walker, node)
    name = walker.text_of(head.name)
    begin, doc = walker.documented(start)
    flags = ["generator"] if "*" in head.marks else []
    if node.type == "function_signature" and not walker.ambient:
        flags.append("overload")
    definition = walker.define(
        Definition(
            kind="function",
            name=name,
            qualified_name=walker.qualified(name),
            parent=walker.around(),
            scope=len(walker.scopes),
            start_byte=begin,
            end_byte=end,
            name_byte=head.name.start_byte,
            body_byte=head.body.start_byte if head.body is not None else end,
            signature=walker.folded(signature, head.header_end),
            doc=doc,
            exported=False,
            modifiers=("async",) if "async" in head.marks else (),
            returns=read_return_type(walker, head),
            flags=tuple(flags),
        )
    )
    walker.bind(name, walker.definition_value(definition), walker.scopes[walker.scope].start_byte)
    around = walker.enter("function", definition, start, end)
    walker.this = This(walker.scope, 0, definition)
    lower_body(walker, head, definition)
    annotate(walker, walker.scope, doc, begin)
    walker.leave(around)
    return 0


def nameless_function(walker: EcmaScriptWalker, node: Node) -> int:
    """A function without a target: a callback, or called immediately."""
    start = node.start_byte
    given, walker.given_this = walker.given_this, 0
    arrow = node.type == "arrow_function"
    name = None if arrow else walker.name_node(node)
    this = walker.this if arrow or keeps_this(walker, node) else None
    tests = walker.test_names
    is_test = start in tests.callbacks
    if name is not None and not is_test:
        # A function with a name of its own is a symbol wherever it is.
        text = walker.text_of(name)
        target = Target(text, name.start_byte, text, start, node.end_byte, this=given, keeps_this=this is not None)
        return lower_named_function(walker, node, target)
    head = head_of(walker, node)
    around = walker.enter("lambda", walker.definition, start, node.end_byte)
    walker.this = This(walker.scope, given) if this is None else this
    scope = walker.scope
    value = walker.emit(op.FUNCTION, start, scope)
    if is_test:
        # Its symbol is the test's.
        if name is not None:
            walker.bind(walker.text_of(name), value, start)
        if start in tests.contexts:
            tests.context_scopes.add(scope)
    lower_body(walker, head, -1)
    walker.leave(around)
    return value


def keeps_this(walker: EcmaScriptWalker, node: Node) -> bool:
    """Whether a function expression gets the enclosing receiver: `.bind(this)`, `.call(this)`, `map(f, this)`."""
    around = node.parent
    while around is not None and around.type == "parenthesized_expression":
        around = around.parent
    if around is None:
        return False
    arguments = around
    if around.type == "member_expression":
        call = around.parent
        name = around.child_by_field_name("property")
        if name is None or call is None or call.type != "call_expression" or walker.text_of(name) not in _BINDING:
            return False
        called = call.child_by_field_name("arguments")
        parts = called.named_children if called is not None else []
        return bool(parts) and parts[0].type == "this"
    parts = arguments.named_children if arguments.type == "arguments" else []
    return len(parts) > 1 and parts[-1].type == "this"


def lower_body(walker: EcmaScriptWalker, head: Head, definition: int) -> None:
    """Type parameters, parameters, return type and body, in the scope just opened for them."""
    scope = walker.scope
    if head.generics is not None:
        type_parameters_of(walker, head.generics, definition)
    if head.parameters is not None:
        parameters_of(walker, head.parameters, scope)
    if head.returns is not None:
        returned = lower_wrapped_type(walker, head.returns)
        if returned:
            walker.annotations[scope] = returned
    body = head.body
    if body is None:
        return
    if body.type == "statement_block":
        lower_statements(walker, body.named_children)
    else:
        value = walker.walk(body)
        if value:
            walker.returns[scope] = [value]


def lower_statements(walker: EcmaScriptWalker, nodes: list[Node]) -> int:
    table = walker.table
    for node in nodes:
        table[node.type](walker, node)
    return 0


HANDLERS: Final[Handlers] = {
    "function_declaration": function_declaration,
    "generator_function_declaration": function_declaration,
    "function_signature": function_declaration,
    "function_expression": nameless_function,
    "generator_function": nameless_function,
    "arrow_function": nameless_function,
    "arguments": Walker.through,
}
NAMED_VALUES: Final[NamedHandlers] = dict.fromkeys(FUNCTIONS, lower_named_function)
