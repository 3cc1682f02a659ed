"""Lowers C#'s attributes: `[Column("id", Order = 1)]` makes an object of its class and sets members of it.

In: nodes. Out: expressions with their sites.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED, WRITE
from rpg.encoder.languages.declarative.definitions import last_name
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.unnamed_calls import run_callee
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_ENDING: Final = "Attribute"
"""The end of a class's name that need not be written."""


def attribute(walker: DeclarativeWalker, node: Node) -> int:
    named, listed = node.child_by_field_name("name"), walker.part(node, (":attribute_argument_list",))
    if named is None:
        return walker.through(node)
    start = named.start_byte
    types = [type_of(walker, named)]
    types.append(build_suffixed_name(walker, types[0], walker.source_of(named), start))
    held = walker.emit_typed(walker.union(types, start), start)
    row: list[int] = []
    for child in listed.named_children if listed is not None else ():
        name = child.child_by_field_name("name")
        values = [walker.walk(each) for each in child.named_children if each != name]
        value = values[-1] if values else 0
        if name is None:
            row += (op.POSITIONAL, value)
        elif any(each.type == ":" for each in child.children):
            row += (walker.label(name), value)
        else:
            walker.member(held, name, WRITE)
    for each in types:
        if each:
            run_callee(walker, walker.emit_member(each, last_name(walker, each), start), start, row)
    return 0


def build_suffixed_name(walker: DeclarativeWalker, written: int, text: str, byte: int) -> int:
    """The class whose name ends with what was not written, if there is such."""
    last = text.rpartition(".")[2]
    if not last.isidentifier() or last.endswith(_ENDING):
        return 0
    word = walker.string(f"{last}{_ENDING}")
    is_member = walker.code[written] == op.ATTRIBUTE
    made = (
        walker.emit(op.ATTRIBUTE, byte, walker.code[written + op.HOLDER], word)
        if is_member
        else walker.variable(word, byte)
    )
    walker.site(made, OFFERED)
    return made
