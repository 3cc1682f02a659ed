"""Definitions and imports that only some builds have (`#[cfg(unix)]`), several of which may have one name.

In: attributes. Out: bindings in blocks that may not run, so that a use of the name means all of them. A name that is
bound once means the same in all builds.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import Binding
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node


def item_below(attribute: Node) -> Node | None:
    """What an attribute is in front of."""
    item = attribute.next_named_sibling
    while item is not None and item.type in ("attribute_item", "line_comment", "block_comment"):
        item = item.next_named_sibling
    return item


def bind_conditionally(walker: DeclarativeWalker) -> None:
    """At the end of the file: puts the bindings of conditional items in blocks of their own."""
    if not walker.conditional:
        return
    named: dict[tuple[int, str], list[Binding]] = {}
    for row in walker.bindings:
        if row.value and row.kind != "narrow":
            named.setdefault((row.scope, row.name), []).append(row)
    places = [(place_of(walker, row), row) for several in named.values() if len(several) > 1 for row in several]
    places.sort(key=lambda place: place[0])
    spans = sorted(walker.conditional)
    around: list[tuple[int, int]] = []
    """The ends and blocks of those that the place is in."""
    at = 0
    for byte, row in places:
        while at < len(spans) and spans[at][0] <= byte:
            start, end = spans[at]
            before = walker.open_block(start, end)
            around.append((end, walker.block))
            walker.block = before
            at += 1
        while around and around[-1][0] <= byte:
            around.pop()
        if around:
            row.block = around[-1][1]


def place_of(walker: DeclarativeWalker, row: Binding) -> int:
    """Where what is bound stands: the binding itself holds from the beginning of the scope."""
    code = walker.code
    if code[row.value] == op.DEFINITION:
        return walker.definitions[code[row.value + op.DEFINED]].start_byte
    return code[row.value + op.BYTE]
