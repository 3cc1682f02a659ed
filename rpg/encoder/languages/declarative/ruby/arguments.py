"""What is written out in the arguments of a call: symbols, strings, options.

In: the node of an argument list. Out: names with their places. What is computed has no name.
"""

from __future__ import annotations

from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node


class Written(NamedTuple):
    """`:name` or `"name"`."""

    text: str
    byte: int
    node: Node


class Option(NamedTuple):
    """`key: value`, `:key => value` or `"key" => value`."""

    key: Written
    value: Node


def read_literal(walker: DeclarativeWalker, node: Node | None) -> Written | None:
    """The text of a symbol or of a string without interpolation."""
    if node is None:
        return None
    kind = node.type
    if kind == "simple_symbol":
        return Written(walker.source_of(node)[1:], node.start_byte + 1, node)
    if kind in ("hash_key_symbol", "bare_symbol"):
        return Written(walker.source_of(node), node.start_byte, node)
    if kind in ("string", "delimited_symbol") and node.named_child_count == 1:
        inner = node.named_children[0]
        if inner.type == "string_content":
            return Written(walker.source_of(inner), inner.start_byte, node)
    return None


def names_in(walker: DeclarativeWalker, node: Node) -> list[Written]:
    """The symbols and strings of a list, `[:a, :b]` or `%i[a b]`; of a symbol or string itself."""
    if node.type in ("array", "symbol_array", "string_array"):
        found = [read_literal(walker, child) for child in node.named_children]
    else:
        found = [read_literal(walker, node)]
    return [each for each in found if each is not None]


def positional(arguments: Node | None) -> list[Node]:
    """The arguments before the options."""
    if arguments is None:
        return []
    return [child for child in arguments.named_children if child.type not in ("pair", "comment", "block_argument")]


def options_of(walker: DeclarativeWalker, arguments: Node | None) -> list[Option]:
    """The options of a call, or the entries of a hash."""
    found: list[Option] = []
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "pair":
            key, value = read_literal(walker, child.child_by_field_name("key")), child.child_by_field_name("value")
            if key is not None and value is not None:
                found.append(Option(key, value))
    return found


def option(options: list[Option], key: str) -> Node | None:
    return next((each.value for each in options if each.key.text == key), None)


def block_of(node: Node) -> Node | None:
    """The block of a call, `{ ... }` or `do ... end`."""
    return node.child_by_field_name("block")


def constant_named(walker: DeclarativeWalker, parts: list[str], byte: int) -> int:
    """The constant `A::B` as its name would be read, without a site."""
    value = walker.variable(walker.string(parts[0]), byte)
    for part in parts[1:]:
        word = walker.string(part)
        both = walker.emit(op.UNION, byte, 2, value, walker.variable(word, byte))
        value = walker.emit(op.ATTRIBUTE, byte, both, word)
    return value
