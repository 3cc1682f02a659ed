"""Blocks that are passed one element after the other: `stories.each { |story| ... }`, `stories.map(&:title)`.

In: a block or symbol, and what is iterated over. Out: its code, in which the first parameter is an element.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.functions import parameters_in
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_PASSING: Final = frozenset(
    """
    all? any? collect count detect each each_with_index each_with_object filter filter_map find find_each flat_map
    group_by index_by map max_by min_by none? partition reject select sort_by sum to_h uniq
    """.split()
)
_UNNAMED: Final = ("it", "_1")
"""What a block without parameters calls its first."""


def passes_elements(method: str) -> bool:
    return method in _PASSING


def block(walker: DeclarativeWalker, node: Node, holder: int) -> None:
    """The block of a call whose receiver is iterated over."""
    start, end = node.start_byte, node.end_byte
    around = walker.here()
    walker.scope = walker.function = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    element = walker.emit(op.ELEMENT, start, holder)
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        for name in _UNNAMED:
            walker.bind(name, element, start)
    else:
        first = len(walker.bindings)
        parameters_in(walker, parameters, scope)
        for each in walker.bindings[first:]:
            if (
                each.scope == scope
                and walker.code[each.value] == op.PARAMETER
                and not walker.code[each.value + op.POSITION]
            ):
                each.value = element
    for child in node.named_children:
        if child != parameters:
            value = walker.walk(child)
            if value:
                walker.returns.setdefault(scope, []).append(value)
    walker.return_to(around)


def call_on_each(walker: DeclarativeWalker, node: Node, name: str, holder: int) -> None:
    """`&:name`"""
    start = node.start_byte + 1
    callee = walker.emit(op.ATTRIBUTE, start, walker.emit(op.ELEMENT, start, holder), walker.string(name))
    walker.call(callee, start, [])
