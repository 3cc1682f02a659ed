"""Lowers names, members, subscripts, and types written as subscripts.

In: nodes. Out: expressions with their sites.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, READ
from rpg.encoder.languages.python.strings.members import key_named
from rpg.encoder.languages.python.strings.types import is_generic
from rpg.encoder.languages.python.walker import DISPLAYS, PythonWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_ANNOTATED: Final = b"Annotated"


def identifier(walker: PythonWalker, node: Node) -> int:
    return walker.identifier(node, walker.role)


def attribute(walker: PythonWalker, node: Node) -> int:
    role = walker.role
    if role != ANNOTATION:
        walker.role = READ
    children = node.children
    container = walker.walk(children[0])
    walker.role = role
    member = children[-1]
    byte = member.start_byte + walker.shift
    word = walker.word_of(member)
    dotted = walker.dotted.get(walker.scope)
    path = walker.path_of(container) if dotted else ""
    path = f"{path}.{walker.texts[word]}" if path else ""
    code = walker.code
    offset = len(code)
    if dotted and path in dotted:
        code += (op.PATH, byte, container, word, walker.scope, walker.string(path))
    else:
        code += (op.ATTRIBUTE, byte, container, word)
    walker.sites += (offset, role, walker.definition)
    return offset


def subscript(walker: PythonWalker, node: Node) -> int:
    role = walker.role
    if role != ANNOTATION:
        walker.role = READ
    value_node = node.child_by_field_name("value")
    value = walker.walk(value_node) if value_node is not None else 0
    written = walker.bytes_of(value_node) if role == ANNOTATION and value_node is not None else b""
    marks = written.endswith(_ANNOTATED)
    if written.endswith(b"Literal"):
        walker.role = READ
    keys = node.children_by_field_name("subscript")
    if role == READ and is_generic(walker, value):
        walker.role = ANNOTATION
    index = type_and_marks(walker, keys, node) if marks and len(keys) > 1 else walker.index(node)
    walker.role = role
    offset = walker.emit(op.SUBSCRIPT, node.start_byte + walker.shift, value, index)
    if role == READ and walker.code[value] not in DISPLAYS:
        walker.sites += (offset, READ, walker.definition)
        key_named(walker, value, index)
    keyed = walker.keyed.get(walker.scope)
    if keyed:
        path = key_path(walker, offset)
        if path in keyed:
            return walker.emit(op.KEYED, node.start_byte + walker.shift, offset, walker.scope, walker.string(path))
    return offset


def type_and_marks(walker: PythonWalker, parts: list[Node], node: Node) -> int:
    """In `Annotated[type, mark, ...]` only the first argument is a type."""
    expressions = [walker.walk(parts[0])]
    before, walker.role = walker.role, READ
    expressions += [walker.walk(part) for part in parts[1:]]
    walker.role = before
    return walker.emit(op.TUPLE, node.start_byte + walker.shift, len(expressions), *expressions)


def key_path(walker: PythonWalker, expression: int) -> str:
    """`a["b"][0]` for constant keys below a name, else empty."""
    code, names = walker.code, walker.texts
    if code[expression] == op.KEYED:
        return names[code[expression + op.KEYED_WORD]]
    if code[expression] != op.SUBSCRIPT or code[code[expression + op.INDEX]] not in (op.STRING, op.NUMBER):
        return ""
    key, holder = code[expression + op.INDEX], code[expression + op.HOLDER]
    above = names[code[holder + op.WORD]] if code[holder] == op.NAME else key_path(walker, holder)
    return f"{above}[{names[code[key + op.WORD]]!r}:{code[key]}]" if above else ""


def forget_entries(walker: PythonWalker, name: str) -> None:
    """Forgets the entries of a name's container, because they may have changed."""
    keyed = walker.keyed.get(walker.scope)
    if keyed:
        walker.keyed[walker.scope] = {path for path in keyed if not path.startswith(f"{name}[")}


def keep_entry(walker: PythonWalker, written: int, value: int, byte: int) -> None:
    """Remembers what is assigned under a constant key, until something may change it."""
    path = key_path(walker, written)
    if path and value:
        keyed = walker.keyed.setdefault(walker.scope, set())
        walker.keyed[walker.scope] = {each for each in keyed if not each.startswith(f"{path}[")} | {path}
        walker.bind(path, value, byte)


def slice_expression(walker: PythonWalker, node: Node) -> int:
    bounds = [0, 0, 0]
    at = 0
    for child in node.children:
        if child.type == ":":
            at = min(at + 1, 2)
        elif child.type == "comment":
            walker.comment(child)
        else:
            bounds[at] = walker.walk(child)
    return walker.emit(op.SLICE, node.start_byte + walker.shift, *bounds)


def generic_type(walker: PythonWalker, node: Node) -> int:
    value = 0
    arguments: list[int] = []
    for child in node.named_children:
        if child.type == "type_parameter":
            parts = parts_of(child)
            last = (
                walker.code[value + op.WORD]
                if walker.code[value] == op.NAME
                else walker.code[value + op.MEMBER]
                if value
                else 0
            )
            if value and len(parts) > 1 and walker.texts[last] == "Annotated":
                arguments.append(walker.walk(parts[0]))
                before, walker.role = walker.role, READ
                arguments += [walker.walk(part) for part in parts[1:]]
                walker.role = before
            elif walker.code[value] == op.NAME and walker.texts[walker.code[value + op.WORD]] == "Literal":
                before, walker.role = walker.role, READ
                arguments += [walker.walk(part) for part in child.named_children]
                walker.role = before
            else:
                arguments += [walker.walk(part) for part in child.named_children]
        else:
            value = walker.walk(child)
    byte = node.start_byte + walker.shift
    return walker.emit(op.SUBSCRIPT, byte, value, walker.one_or_tuple(arguments, byte))


HANDLERS: Final[Handlers] = {
    "type": PythonWalker.wrapped,
    "parenthesized_expression": PythonWalker.wrapped,
    "identifier": identifier,
    "attribute": attribute,
    "subscript": subscript,
    "slice": slice_expression,
    "generic_type": generic_type,
}
