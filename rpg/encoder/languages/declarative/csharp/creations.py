"""Objects that C# makes, and what is written into them: `new(...)`, initializers, anonymous objects, `with`.

In: nodes. Out: values; the type that is expected where they stand is `walker.expected`.
"""

from __future__ import annotations

from rpg.encoder.facts import CREATED, WRITE, spelled
from rpg.encoder.languages.declarative.expressions import arguments_of, type_of
from rpg.encoder.languages.declarative.variables import variable_declaration
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import ATTRIBUTE, HOLDER, INSTANCE, OBJECT, SUBSCRIPT, SUPER, THIS, TYPED


def implicit_creation(walker: DeclarativeWalker, node: Node) -> int:
    """`new(...)` makes the type that is declared where it stands."""
    made = walker.expected
    arguments, held = walker.part(node, (":argument_list",)), walker.part(node, (":initializer_expression",))
    walker.expected = 0
    base = walker.code[made + HOLDER] if made and walker.code[made] == SUBSCRIPT else made
    row = arguments_of(walker, arguments, made=base) if arguments is not None else []
    value = 0
    if made:
        value = walker.call(base, node.start_byte, row)
        walker.sites += (value, CREATED, walker.definition)
        if base != made:
            value = walker.emit(TYPED, node.start_byte, made, value)
    walker.expected = made
    if held is not None:
        walker.walk(held)
    return value


def expecting(walker: DeclarativeWalker, node: Node) -> int:
    """Declared variables: their values are of the type that is declared."""
    inner = walker.part(node, (":variable_declaration",)) or node
    typed = inner.child_by_field_name("type")
    implicit = any(
        child.type == "implicit_object_creation_expression"
        for each in inner.named_children
        for child in each.named_children
    )
    if typed is None or not implicit:
        return variable_declaration(walker, node)
    around = walker.expected
    first = len(walker.sites)
    walker.expected = type_of(walker, typed)
    del walker.sites[first:]  # it is mentioned once
    value = variable_declaration(walker, node)
    walker.expected = around
    return value


def initializer(walker: DeclarativeWalker, node: Node) -> int:
    """`new T { Name = value }`"""
    for child in node.named_children:
        left = child.child_by_field_name("left") if child.type == "assignment_expression" else None
        if left is not None and left.type == "identifier":
            holder = walker.emit(INSTANCE, left.start_byte, walker.expected) if walker.expected else 0
            walker.member(holder, left, WRITE)
            around, walker.expected = walker.expected, 0
            walker.field(child, "right")
            walker.expected = around
        else:
            walker.walk(child)
    return 0


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
    return walker.emit(OBJECT, start, scope)


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
        receiver, name = walker.emit(THIS, start, scope), walker.definitions[around].name
    else:
        receiver, name = walker.emit(SUPER, start, scope, 0), spelled(walker.base_names.get(around, ""))
    if not name:
        return 0
    return walker.call(walker.emit(ATTRIBUTE, start, receiver, walker.string(name)), start, row)
