"""Names of attributes in the arguments of a query: `where(karma: 3)`, `joins(:story)`, `pluck(:email)`.

In: a call by its name. Out: references to members of the class that is asked, if it has them.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED, READ
from rpg.encoder.languages.declarative.ruby.arguments import options_of, read_literal
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_WITH_KEYS: Final = frozenset(
    """
    assign_attributes create create! create_or_find_by create_or_find_by! eager_load exists? find_by find_by!
    find_or_create_by find_or_create_by! find_or_initialize_by includes joins left_joins left_outer_joins not order
    preload reorder rewhere update update! update_columns where
    """.split()
)
_WITH_SYMBOLS: Final = frozenset(
    """
    average decrement! eager_load group includes increment! joins left_joins left_outer_joins maximum minimum order pick
    pluck preload reorder sum toggle! update_attribute update_column
    """.split()
)


def has_attributes(method: str) -> bool:
    return method in _WITH_KEYS or method in _WITH_SYMBOLS


def attributes(walker: DeclarativeWalker, method: str, holder: int, arguments: Node) -> list[int]:
    """A query's arguments, whose keys and symbols are members of what is asked. Returns the row of the call."""
    row: list[int] = []
    options = options_of(walker, arguments)
    for each in arguments.named_children:
        name = read_literal(walker, each) if each.type == "simple_symbol" and method in _WITH_SYMBOLS else None
        if each.type == "comment":
            walker.walk(each)
            continue
        if name is not None:
            walker.site(walker.emit(op.ATTRIBUTE, name.byte, holder, walker.string(name.text)), READ)
        elif each.type == "hash":
            options += options_of(walker, each)
        row += (op.POSITIONAL, walker.walk(each) if name is None else walker.literal("Symbol", name.byte))
    if method in _WITH_KEYS:
        for option in options:
            key = option.key
            if key.node.type != "string" and key.text.isidentifier():
                walker.site(walker.emit(op.ATTRIBUTE, key.byte, holder, walker.string(key.text)), OFFERED)
    return row
