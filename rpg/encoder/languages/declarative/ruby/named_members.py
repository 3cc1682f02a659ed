"""Symbols and strings that name a member or a constant: `send(:total)`, `cart.method("total")`,
`cart.respond_to?(:total)`, `Object.const_get("Cart")`, `"Cart".constantize`.

In: a call by its name. Out: a call of what is sent, a reference to what is asked for; the class that is named.

Absent: names that are computed or that a variable holds.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ
from rpg.encoder.languages.declarative.expressions import arguments_of
from rpg.encoder.languages.declarative.ruby.arguments import Written, constant_named, positional, read_literal
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

NONE: Final = -1
_SENDING: Final = frozenset(("__send__", "public_send", "send", "try", "try!"))
_ASKING: Final = frozenset(("method", "public_method", "respond_to?", "singleton_method"))
_ASKING_CLASS: Final = frozenset(
    """
    instance_method method_defined? private_method_defined? protected_method_defined? public_instance_method
    public_method_defined? remove_method undef_method
    """.split()
)
"""Methods of a class that are passed the name of a method of its instances."""
_OF_CONSTANTS: Final = frozenset(("const_defined?", "const_get", "const_missing"))
_OF_TEXT: Final = frozenset(("constantize", "safe_constantize"))
_MEMBER: Final = re.compile(r"[A-Za-z_]\w*[?!=]?|\[\]=?|[+\-*/%<>~^&|]|\*\*|<=>|===?|=~|<<|>>|<=|>=|[+-]@")
_CONSTANT: Final = re.compile(r"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*")


def lower_named_member(walker: DeclarativeWalker, method: str, receiver: Node | None, arguments: Node | None) -> int:
    """A call whose first argument names a member or constant. Returns what it stands for; NONE if it is another
    call."""
    if method in _SENDING or method in _ASKING or method in _ASKING_CLASS:
        parts = positional(arguments)
        name = read_literal(walker, parts[0]) if parts else None
        if name is None or arguments is None or not _MEMBER.fullmatch(name.text):
            return NONE
        callee = member_of(walker, name, receiver, method in _ASKING_CLASS)
        if method in _SENDING:
            row = arguments_of(walker, arguments, parts[0])
            return walker.call(callee, name.byte, row)
        walker.site(callee, READ)
        arguments_of(walker, arguments, parts[0])
        return 0
    name = constant_in(walker, method, receiver, arguments)
    return NONE if name is None else constant(walker, name, receiver, method)


def member_of(walker: DeclarativeWalker, name: Written, receiver: Node | None, is_of_class: bool) -> int:
    """A member of the receiver; without one, of the object around, or a method of the top level."""
    byte, word = name.byte, walker.string(name.text)
    if receiver is not None:
        holder = walker.walk(receiver)
        if is_of_class and receiver.type != "self" and holder:
            holder = walker.emit(op.INSTANCE, byte, holder)
        return walker.emit(op.ATTRIBUTE, byte, holder, word)
    here = walker.this_object(name.node)
    if not here:
        return walker.variable(word, byte)
    return walker.emit(op.ATTRIBUTE, byte, walker.union([here, walker.variable(word, byte)], byte), word)


def constant_in(
    walker: DeclarativeWalker, method: str, receiver: Node | None, arguments: Node | None
) -> Written | None:
    """The constant that a call looks up."""
    if method in _OF_CONSTANTS:
        parts = positional(arguments)
        name = read_literal(walker, parts[0]) if parts else None
    elif method in _OF_TEXT:
        name = read_literal(walker, receiver)
    else:
        return None
    return name if name is not None and _CONSTANT.fullmatch(name.text) else None


def constant(walker: DeclarativeWalker, name: Written, receiver: Node | None, method: str) -> int:
    text = name.text.removeprefix("::")
    parts = text.split("::")
    last = name.byte + len(name.text) - len(parts[-1])
    holder = 0
    if method in _OF_CONSTANTS and receiver is not None:
        holder = walker.walk(receiver)
        if walker.source_of(receiver) == "Object" or receiver.type not in ("constant", "scope_resolution"):
            holder = 0
    if not holder:
        value = constant_named(walker, parts, last)
    else:
        value = holder
        for part in parts:
            value = walker.emit(op.ATTRIBUTE, last, value, walker.string(part))
    walker.site(value, READ)
    return value


def names_class(walker: DeclarativeWalker, node: Node) -> bool:
    """Whether a call gives the class that it names."""
    method = node.child_by_field_name("method") if node.type == "call" else None
    if method is None:
        return False
    receiver, arguments = node.child_by_field_name("receiver"), node.child_by_field_name("arguments")
    return constant_in(walker, walker.source_of(method), receiver, arguments) is not None
