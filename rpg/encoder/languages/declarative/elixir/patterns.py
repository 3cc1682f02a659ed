"""Patterns and structs of Elixir: what they bind, and which fields they name.

In: nodes. Out: variables of the function around with the structs that they hold; fields; uses of fields. A field is
known to be one of a struct where its module is written beside it, or where a pattern or a struct says what a variable
holds. Absent: what functions return.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CREATED, READ
from rpg.encoder.languages.declarative.elixir.names import (
    FUNCTION_NAME,
    ElixirWalker,
    argument_nodes,
    module_text,
    module_value,
)
from rpg.encoder.lowering.node import Node

STRUCTS: Final = frozenset({"defstruct", "defexception"})
_TOLD_KEY: Final = frozenset(
    f"Map.{each}"
    for each in (
        "delete fetch fetch! get get_and_update get_and_update! get_lazy has_key? pop pop! pop_lazy put put_new "
        "put_new_lazy replace replace! replace_lazy update update!"
    ).split()
)
"""Functions whose second argument is a key of the first."""
_TOLD_FIELDS: Final = frozenset({"raise", "struct", "struct!"})
"""Functions whose second argument has fields of the first."""
_KEY: Final = re.compile(r"([a-z_]\w*[?!]?):")
_WORD: Final = re.compile(rb"[a-z_]\w*[?!]?")


def pattern(walker: ElixirWalker, node: Node, module: str = "") -> None:
    """Binds the names of a pattern; the modules and fields in it are mentioned. `module`: of the struct that it is
    matched with, if that is known."""
    kind = node.type
    if kind == "identifier":
        bind_variable(walker, walker.source_of(node), module)
    elif kind == "alias":
        module_value(walker, node)
    elif kind == "map":
        lower_map(walker, node, True, module)
    elif kind == "unary_operator" or kind == "comment":
        return
    elif kind == "binary_operator":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        is_both = operator is not None and operator.type == "="
        if left is not None:
            pattern(walker, left, (is_both and right is not None and struct_in(walker, right)) or "")
        if right is not None and operator is not None and operator.type not in ("::", "\\\\", "when"):
            pattern(walker, right, (is_both and left is not None and struct_in(walker, left)) or "")
        elif right is not None and operator is not None and operator.type != "::":
            walker.walk(right)
    elif kind == "call":
        for each in argument_nodes(node):
            pattern(walker, each)
    else:
        for child in node.named_children:
            pattern(walker, child)


def bind_variable(walker: ElixirWalker, name: str, module: str) -> None:
    walker.variables.add(name)
    if module:
        walker.structs[name] = module
    else:
        walker.structs.pop(name, None)


def struct(walker: ElixirWalker, node: Node) -> int:
    """`%Module{}`"""
    for child in node.named_children:
        if child.type == "alias":
            module_value(walker, child, CREATED)
        elif child.type != "identifier":
            walker.walk(child)
    return 0


def struct_in(walker: ElixirWalker, node: Node) -> str:
    """The full name of the module whose struct an expression is; empty if it is not plain."""
    if node.type == "identifier":
        return walker.structs.get(walker.source_of(node), "")
    if node.type == "binary_operator":
        parts = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if operator is None or operator.type != "=":
            return ""
        return next((found for each in parts if each is not None and (found := struct_in(walker, each))), "")
    if node.type != "map":
        return ""
    named = next((child for child in node.named_children if child.type == "struct"), None)
    module = named.named_children[0] if named is not None and named.named_child_count else None
    return module_text(walker, module) if module is not None else ""


def map_of(walker: ElixirWalker, node: Node) -> int:
    """`%Module{a: 1}`, `%{order | a: 1}`"""
    lower_map(walker, node, False, "")
    return 0


def lower_map(walker: ElixirWalker, node: Node, is_pattern: bool, module: str) -> None:
    """A struct or a map. Whatever has the fields of a map that is a pattern, or that is made of another one, may be a
    struct."""
    own = struct_in(walker, node)
    may_have_fields = is_pattern or bool(own)
    module = own or module
    for child in node.named_children:
        if child.type == "struct":
            struct(walker, child)
    content = next((child for child in node.named_children if child.type == "map_content"), None)
    for each in content.named_children if content is not None else ():
        operator = each.child_by_field_name("operator") if each.type == "binary_operator" else None
        left, right = each.child_by_field_name("left"), each.child_by_field_name("right")
        if operator is not None and operator.type == "|" and left is not None and right is not None:
            walker.walk(left)
            lower_entries(walker, right, is_pattern, module or struct_in(walker, left), True)
        else:
            lower_entries(walker, each, is_pattern, module, may_have_fields)


def lower_entries(walker: ElixirWalker, node: Node, is_pattern: bool, module: str, may_have_fields: bool) -> None:
    if node.type != "keywords":
        walk_or_match(walker, node, is_pattern)
        return
    for pair in node.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and may_have_fields:
            mention_field(walker, module, key)
        if value is not None:
            walk_or_match(walker, value, is_pattern)


def walk_or_match(walker: ElixirWalker, node: Node, is_pattern: bool) -> None:
    if is_pattern:
        pattern(walker, node)
    else:
        walker.walk(node)


def mention_field(walker: ElixirWalker, module: str, key: Node) -> None:
    """`a:`, of the struct of a module."""
    match = _KEY.match(walker.source_of(key))
    if match is not None:
        read_field(walker, module, match[1], key.start_byte)


def read_field(walker: ElixirWalker, module: str, name: str, byte: int) -> None:
    """`module`: whose struct it is of; empty if that is not known."""
    holder = walker.emit_typed(walker.variable(walker.string(module), byte), byte) if module else 0
    walker.site(walker.emit(op.ATTRIBUTE, byte, holder, walker.string(name)), READ)


def lower_keys(walker: ElixirWalker, callee: str, arguments: list[Node], piped: int) -> None:
    """`Map.get(order, :total)`, `struct(order, total: 1)`: the fields that a function of the library is told."""
    at = 1 - piped
    if len(arguments) <= at:
        return
    held = arguments[0] if not piped else None
    module = (module_text(walker, held) or struct_in(walker, held)) if held is not None else ""
    given = arguments[at]
    if callee in _TOLD_KEY and given.type == "atom":
        text = walker.source_of(given).removeprefix(":")
        if FUNCTION_NAME.fullmatch(text):
            read_field(walker, module, text, given.start_byte + 1)
    elif callee in _TOLD_FIELDS and given.type == "keywords":
        mention_fields(walker, module, given)


def mention_fields(walker: ElixirWalker, module: str, node: Node) -> None:
    for pair in node.named_children:
        key = pair.child_by_field_name("key")
        if key is not None:
            mention_field(walker, module, key)


def lower_struct_definition(walker: ElixirWalker, arguments: list[Node]) -> int:
    """`defstruct [:a, b: 1]`: the fields of the module around."""
    seen: set[str] = set()
    for each in arguments:
        define_fields(walker, each, seen)
    return 0


def define_fields(walker: ElixirWalker, node: Node, seen: set[str]) -> None:
    kind = node.type
    if kind == "atom":
        define_field(walker, walker.source_of(node).removeprefix(":"), node.start_byte + 1, node, seen)
    elif kind == "pair":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        match = _KEY.match(walker.source_of(key)) if key is not None else None
        if match is not None:
            define_field(walker, match[1], node.start_byte, node, seen)
        if value is not None:
            walker.walk(value)
    elif kind == "sigil":
        for child in node.named_children:
            if child.type == "quoted_content":
                for found in _WORD.finditer(walker.source, child.start_byte, child.end_byte):
                    define_field(walker, found[0].decode(), found.start(), child, seen)
    elif kind in ("list", "keywords", "binary_operator"):
        for child in node.named_children:
            define_fields(walker, child, seen)
    else:
        walker.walk(node)


def define_field(walker: ElixirWalker, name: str, byte: int, node: Node, seen: set[str]) -> None:
    if FUNCTION_NAME.fullmatch(name) and name not in seen:
        seen.add(name)
        walker.symbol("field", name, byte, node, node.end_byte)


def clause(walker: ElixirWalker, node: Node) -> int:
    """`pattern -> body`; in `cond` the left side is a condition."""
    left = node.child_by_field_name("left")
    around, structs = node.parent.parent if node.parent is not None else None, dict(walker.structs)
    if left is not None and around is not None and walker.source.startswith(b"cond", around.start_byte):
        walker.walk(left)
    elif left is not None:
        pattern(walker, left)
    for child in node.named_children:
        if child != left:
            walker.walk(child)
    walker.structs = structs
    return 0


def block(walker: ElixirWalker, node: Node) -> int:
    """`do ... end`: what variables are bound to in it, they are not behind it."""
    structs = dict(walker.structs)
    walker.through(node)
    walker.structs = structs
    return 0
