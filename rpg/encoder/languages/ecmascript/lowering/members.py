"""Assignments to names, members and entries, and the fields that `this.name = value` defines.

In: targets and values. Out: bindings, stores, fields.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import WRITE
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.node import Node


def define_constant(walker: EcmaScriptWalker, name: Node, statement: Node) -> int:
    return walker.leaf_of("constant", name, statement.start_byte, statement.end_byte, walker.definition)


def assign_name(walker: EcmaScriptWalker, name: str, byte: int, value: int, end: int, kind: str = "") -> None:
    """`name = value`: a binding in the scope that declares the name, which may be further down."""
    walker.name(name, byte, WRITE)
    walker.assign_later(name, value, end, kind)


def assign_to(walker: EcmaScriptWalker, target: Node, value: int, byte: int) -> None:
    """A target that is neither a name nor a pattern."""
    kind = target.type
    if kind == "subscript_expression":
        container, index = walker.field(target, "object"), walker.field(target, "index")
        give_entry(walker, container, index, value, byte)
    elif kind == "member_expression":
        container = walker.field(target, "object")
        name = target.child_by_field_name("property")
        if name is not None:
            set_member(walker, container, name, value, byte, target.start_byte)
    else:
        walker.walk(target)


def give_entry(walker: EcmaScriptWalker, container: int, index: int, value: int, byte: int) -> None:
    """`container[index] = value`; a key that is a name is a member."""
    code = walker.code
    if code[index] == op.STRING and walker.texts[code[index + op.WORD]].isidentifier():
        walker.site(walker.emit(op.ATTRIBUTE, code[index + op.BYTE] + 1, container, code[index + op.WORD]), WRITE)
        give_member(walker, container, walker.texts[code[index + op.WORD]], value, byte)
    elif value:
        walker.items.append((container, index, value))


def set_member(walker: EcmaScriptWalker, container: int, name: Node, value: int, end: int, start: int) -> None:
    """`container.name = value`, with its site unless this defines a field that no base can have."""
    if not makes_field(walker, container, name, value, start, end) or walker.bases.get(walker.this.owner):
        walker.site(walker.emit(op.ATTRIBUTE, name.start_byte, container, walker.string(walker.text_of(name))), WRITE)
    give_member(walker, container, walker.text_of(name), value, end)


def give_member(walker: EcmaScriptWalker, container: int, name: str, value: int, byte: int) -> None:
    if not value:
        return
    if not (is_this(walker, container) and walker.this.owner >= 0):
        walker.members.append((container, name, value))
    path = walker.path_of(container)
    if path and walker.code[container] != op.PATH:
        dotted = f"{path}.{name}"
        walker.paths.add(dotted)
        walker.bind(dotted, value, byte, "", walker.function)


def is_this(walker: EcmaScriptWalker, container: int) -> bool:
    return walker.code[container] == op.THIS and walker.code[container + op.SCOPE] == walker.this.scope


def makes_field(walker: EcmaScriptWalker, container: int, name: Node, value: int, start: int, end: int) -> bool:
    """`this.name = value`: the first one defines a field. Returns whether this was it."""
    owner = walker.this.owner
    if owner < 0 or not is_this(walker, container):
        return False
    text = walker.text_of(name)
    if value:
        walker.fields.setdefault(owner, []).append((text, value))
    known = walker.field_names.setdefault(owner, set())
    if text in known or (walker.code[value] != op.DEFINITION and is_declared_above(walker, owner)):
        return False
    known.add(text)
    if walker.code[value] != op.DEFINITION:
        walker.leaf_of("field", name, start, end, owner)
    return True


def is_declared_above(walker: EcmaScriptWalker, owner: int) -> bool:
    """In languages whose fields must be declared: whether a member that a class does not declare itself is a field of
    its base class."""
    return walker.language != "javascript" and any(not keyword for keyword, _ in walker.bases.get(owner, ()))
