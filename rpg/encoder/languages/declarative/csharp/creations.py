"""Objects that C# makes, and what is written into them: `new(...)`, initializers, anonymous objects, `with`.

In: nodes. Out: values; the type that is expected where they stand is `walker.expected`.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CREATED, WRITE, strip_marks
from rpg.encoder.languages.declarative.expressions import arguments_of, expect, is_expecting, type_of
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_ELEMENTS: Final = frozenset({"expression_element", "spread_element"})
_ARRAYS: Final = frozenset(
    {"variable_declarator", "equals_value_clause", "array_creation_expression", "implicit_array_creation_expression"}
)


def implicit_creation(walker: DeclarativeWalker, node: Node) -> int:
    """`new(...)` makes what is expected where it stands, which is found when all files are known."""
    arguments, held = walker.part(node, (":argument_list",)), walker.part(node, (":initializer_expression",))
    around, walker.expected = walker.expected, 0
    made = walker.emit(op.TYPE_OF, node.start_byte, 0)
    row = arguments_of(walker, arguments, made=made) if arguments is not None else []
    value = walker.call(made, node.start_byte, row)
    walker.sites += (value, CREATED, walker.definition)
    if node.parent is not None and node.parent.type == "property_declaration":
        given_back(walker, value)
    if held is not None:
        walker.expected = value
        walker.walk(held)
    walker.expected = around
    return value


def arrow(walker: DeclarativeWalker, node: Node) -> int:
    """`=> value`"""
    given_back(walker, walker.only(node))
    return 0


def given_back(walker: DeclarativeWalker, value: int) -> None:
    """What the function around gives, if its type says what that is."""
    if value and walker.function in walker.annotations and is_expecting(walker.code, value):
        walker.returns.setdefault(walker.function, []).append(value)


def array_creation(walker: DeclarativeWalker, node: Node) -> int:
    """`new T[] { a, b }`, `new[] { a, b }`"""
    typed, held = node.child_by_field_name("type"), walker.part(node, (":initializer_expression",))
    annotation = type_of(walker, typed) if typed is not None else 0
    for child in node.named_children:
        if child not in (typed, held):
            walker.walk(child)
    value = walker.walk(held) if held is not None else 0
    if not annotation and not value:
        return walker.emit(op.LIST, node.start_byte, 0)  # an array all the same
    return walker.emit(op.TYPED, node.start_byte, annotation, value) if annotation else value


def conversion(walker: DeclarativeWalker, node: Node) -> int:
    """`implicit operator T(S value) => new(value)` is no symbol."""
    typed, body = node.child_by_field_name("type"), walker.part(node, (":arrow_expression_clause",))
    annotation = type_of(walker, typed) if typed is not None else 0
    for child in node.named_children:
        if child not in (typed, body):
            walker.walk(child)
    value = walker.only(body) if body is not None else 0
    if annotation and value and is_expecting(walker.code, value):
        expect(walker, annotation, value)
    return 0


def collection(walker: DeclarativeWalker, node: Node) -> int:
    """`[a, b, .. rest]`"""
    values: list[int] = []
    for child in node.named_children:
        inner = child.named_children[0] if child.type == "collection_element" and child.named_child_count else child
        value = walker.only(inner) if inner.type in _ELEMENTS else walker.walk(inner)
        if inner.type != "spread_element" and child.type not in walker.spec.comments:
            values.append(value)
    return walker.emit(op.LIST, node.start_byte, len(values), *values) if all(values) else 0


def chosen(walker: DeclarativeWalker, node: Node) -> int:
    """`x switch { a => b, _ => c }` is one of its results."""
    values: list[int] = []
    for child in node.named_children:
        value = walker.only(child) if child.type == "switch_expression_arm" else walker.walk(child)
        if child.type == "switch_expression_arm" and child.named_children[-1].type != "throw_expression":
            values.append(value)
    return walker.emit(op.UNION, node.start_byte, len(values), *values) if len(values) > 1 and all(values) else 0


def initializer(walker: DeclarativeWalker, node: Node) -> int:
    """`new T { Name = value }`, `new T { element }`; `{ element }` where an array is declared."""
    values: list[int] = []
    for child in node.named_children:
        left = child.child_by_field_name("left") if child.type == "assignment_expression" else None
        if left is not None and left.type == "identifier":
            holder = walker.expected
            if holder and walker.code[holder] != op.CALL:
                holder = walker.emit(op.INSTANCE, left.start_byte, holder)
            target = walker.member(holder, left, WRITE)
            around, walker.expected = walker.expected, 0
            value = walker.field(child, "right")
            walker.expected = around
            if target and value and walker.code[value] == op.CALL:
                walker.members.append((holder, walker.text_of(left), value))
        elif left is not None and left.type == "element_binding_expression":
            around, walker.expected = walker.expected, 0
            walker.through(left)
            value = walker.field(child, "right")
            walker.expected = around
            if value and around and walker.code[around] == op.CALL:
                walker.items.append((around, 0, value))
        elif child.type not in walker.spec.comments:
            around, walker.expected = walker.expected, 0
            value = walker.walk(child)
            walker.expected = around
            if value and around and walker.code[around] == op.CALL:
                walker.items.append((around, 0, value))
            values.append(value)
    is_array = node.parent is not None and node.parent.type in _ARRAYS
    return walker.emit(op.LIST, node.start_byte, len(values), *values) if is_array and all(values) else 0


def anonymous_object(walker: DeclarativeWalker, node: Node) -> int:
    """`new { Name = value, other.Member }`"""
    start = node.start_byte
    parts = [child for child in node.named_children if child.type not in walker.spec.comments]
    scope = walker.open_scope("object", walker.definition, start, node.end_byte)
    at = 0
    while at < len(parts):
        part = parts[at]
        behind = walker.source[part.end_byte : parts[at + 1].start_byte].strip() if at + 1 < len(parts) else b""
        if part.type == "identifier" and behind == b"=":
            name, value = part, walker.walk(parts[at + 1])
            at += 1
        else:
            value = walker.walk(part)
            name = part.child_by_field_name("name") or part
        walker.bind(walker.text_of(name), value, start, "", scope)
        at += 1
    return walker.emit(op.OBJECT, start, scope)


def with_expression(walker: DeclarativeWalker, node: Node) -> int:
    """`x with { Name = value }` is a copy of x."""
    value = 0
    for child in node.named_children:
        if child.type != "with_initializer":
            value = walker.walk(child)
            continue
        parts = child.named_children
        for at, part in enumerate(parts):
            if at % 2 and part.type not in walker.spec.comments:
                walker.walk(part)
            elif part.type == "identifier":
                walker.member(value, part, WRITE)
    return value


def constructor_initializer(walker: DeclarativeWalker, node: Node) -> int:
    """`: base(...)` and `: this(...)` call a constructor, which has the name of its class."""
    arguments = walker.part(node, (":argument_list",))
    row = arguments_of(walker, arguments) if arguments is not None else []
    body = node.parent.parent if node.parent is not None else None
    of_class = body.parent if body is not None else None
    is_own = any(child.type == "this" for child in node.children)
    if walker.class_scope < 0 or of_class is None:
        return 0
    if is_own and any(child.type == "parameter_list" for child in of_class.named_children):
        return 0  # the constructor in the header of the class is no symbol
    word = next((child for child in node.children if child.type in ("this", "base")), node)
    start, scope = word.start_byte, walker.class_scope
    around = walker.scopes[scope].definition
    if is_own:
        receiver, name = walker.emit(op.THIS, start, scope), walker.definitions[around].name
    else:
        receiver, name = walker.emit(op.SUPER, start, scope, 0), strip_marks(walker.base_names.get(around, ""))
    if not name:
        return 0
    return walker.call(walker.emit(op.ATTRIBUTE, start, receiver, walker.string(name)), start, row)
