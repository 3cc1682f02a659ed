"""What Java looks up by the literal of a class: members by name, and whether an object is of the class.

In: a call, a comparison. Out: a reference to the member, which is also what the call gives, as a method reference would
be; what a condition tells of a variable's type (tested_types.py); the call of the handler of a proxy.

Absent: names and classes that are computed.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ
from rpg.encoder.languages.declarative.expressions import call
from rpg.encoder.languages.declarative.tested_types import note_test
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node

_OF_RECEIVER: Final = (b"getMethod", b"getDeclaredMethod", b"getField", b"getDeclaredField")
_OF_ARGUMENT: Final = (b"findStatic", b"findVirtual", b"findSpecial", b"findGetter", b"findSetter", b"findStaticGetter",
                       b"findStaticSetter")  # fmt: skip
_GIVING_METHODS: Final = frozenset((b"getMethod", b"getDeclaredMethod", b"findStatic", b"findVirtual", b"findSpecial"))
_LOOKING_UP: Final = frozenset((*_OF_RECEIVER, *_OF_ARGUMENT))
_IS_INSTANCE: Final = b"isInstance"
_IS_ABOVE: Final = b"isAssignableFrom"
_CLASS_OF: Final = b"getClass"
_MAKING_PROXIES: Final = b"newProxyInstance"
_PROXY_ARGUMENTS: Final = 3


def invocation(walker: DeclarativeWalker, node: Node) -> int:
    made = call(walker, node)
    named = node.child_by_field_name("name")
    if named is None or walker.code[made] != op.CALL:
        return made
    name = walker.source[named.start_byte : named.end_byte]
    if name in _LOOKING_UP:
        return look_up(walker, node, made, name) or made
    if name == _MAKING_PROXIES and walker.code[made + op.ARGUMENT_COUNT] == _PROXY_ARGUMENTS:
        handler = walker.code[made + op.ARGUMENTS + 2 * (_PROXY_ARGUMENTS - 1)]
        run_member(walker, handler, "invoke", walker.code[made + op.BYTE], 0, 0, 0)
    if name in (_IS_INSTANCE, _IS_ABOVE):
        note_instance(walker, node, made, name)
    return made


def look_up(walker: DeclarativeWalker, node: Node, made: int, name: bytes) -> int:
    """`Cart.class.getMethod("total")`, `lookup.findVirtual(Cart.class, "total", type)`: the method; else 0."""
    code, arguments = walker.code, node.child_by_field_name("arguments")
    at = 1 if name in _OF_ARGUMENT else 0
    parts = parts_of(arguments) if arguments is not None else []
    if len(parts) <= at or parts[at].type != "string_literal":
        return 0
    if at:
        holder = find_class(walker, code[made + op.ARGUMENTS])
    else:
        callee = code[made + op.CALLEE]
        holder = find_class(walker, code[callee + op.HOLDER]) if code[callee] == op.ATTRIBUTE else 0
    start = parts[at].start_byte + 1
    text = walker.source[start : parts[at].end_byte - 1].decode("utf-8", "replace")
    if not holder or not text.isidentifier():
        return 0
    member = walker.emit(op.ATTRIBUTE, start, holder, walker.string(text))
    walker.site(member, READ)
    return member if name in _GIVING_METHODS else 0


def find_class(walker: DeclarativeWalker, value: int) -> int:
    """The class of which a value is the literal; else 0."""
    code = walker.code
    annotation = code[value + op.ANNOTATED] if code[value] == op.TYPED else 0
    if not annotation or code[annotation] != op.SUBSCRIPT:
        return 0
    kind = code[annotation + op.HOLDER]
    is_literal = code[kind] == op.LITERAL and walker.texts[code[kind + op.WORD]] == "Class"
    return code[annotation + op.INDEX] if is_literal else 0


def note_instance(walker: DeclarativeWalker, node: Node, made: int, name: bytes) -> None:
    """`Cart.class.isInstance(item)`, `Cart.class.isAssignableFrom(item.getClass())`"""
    code, arguments = walker.code, node.child_by_field_name("arguments")
    parts = parts_of(arguments) if arguments is not None else []
    callee = code[made + op.CALLEE]
    if len(parts) != 1 or code[callee] != op.ATTRIBUTE:
        return
    annotation = find_class(walker, code[callee + op.HOLDER])
    value = code[made + op.ARGUMENTS]
    if name == _IS_INSTANCE:
        note_test(walker, node, parts[0], value, annotation)
    else:
        note_class(walker, node, parts[0], value, annotation)


def note_class(walker: DeclarativeWalker, node: Node, asked: Node, value: int, annotation: int) -> None:
    """That `item.getClass()`, which is `asked`, gives a class or one below it."""
    code, named = walker.code, asked.child_by_field_name("name")
    if asked.type != "method_invocation" or named is None or code[value] != op.CALL:
        return
    callee = code[value + op.CALLEE]
    if walker.source[named.start_byte : named.end_byte] == _CLASS_OF and code[callee] == op.ATTRIBUTE:
        note_test(walker, node, asked.child_by_field_name("object"), code[callee + op.HOLDER], annotation)


def binary(walker: DeclarativeWalker, node: Node) -> int:
    """`item.getClass() == Cart.class`, in either order; of any other operator, the operands alone count."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node.child_by_field_name("operator")
    if left is None or right is None or sign is None or sign.type != "==" or "class_literal" not in (
        left.type, right.type
    ):  # fmt: skip
        return walker.through(node)
    first, second = walker.walk(left), walker.walk(right)
    note_class(walker, node, left, first, find_class(walker, second))
    note_class(walker, node, right, second, find_class(walker, first))
    return 0
