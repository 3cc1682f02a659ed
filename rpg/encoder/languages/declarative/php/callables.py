"""Strings of PHP that name functions, methods and classes: `call_user_func('total', $x)`, `[$this, 'total']`,
`method_exists($cart, 'total')`, `$cart->{'total'}()`, `'Cart::total'`, `'App\\Models\\Cart'`.

In: strings and where they stand. Out: references to what they name. A string names from the root, whatever the file's
namespace is.

Absent: strings that are computed, or that a variable holds; names of functions given to what is not listed here.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CONSTANT, METHOD, OFFERED, READ, Import
from rpg.encoder.languages.declarative.expressions import literal
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

WORD: Final = re.compile(r"[A-Za-z_]\w*")
_NAME: Final = re.compile(r"\\?[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)*")
_MEMBER: Final = re.compile(r"(\\?[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)*)::(\$?[A-Za-z_]\w*)")
_CLASS: Final = re.compile(r"\\?[A-Z]\w*(?:\\[A-Z]\w*)+")
STRINGS: Final = frozenset(("string", "encapsed_string"))
_TAKING: Final[dict[str, int]] = {
    **dict.fromkeys(
        """
        add_action add_filter add_shortcode array_filter array_reduce array_walk array_walk_recursive has_action
        has_filter iterator_apply preg_replace_callback register_activation_hook register_deactivation_hook
        remove_action remove_filter uasort uksort usort
        """.split(),
        1,
    ),
    **dict.fromkeys(
        """
        array_map call_user_func call_user_func_array forward_static_call forward_static_call_array function_exists
        is_callable ob_start register_shutdown_function set_error_handler set_exception_handler spl_autoload_register
        """.split(),
        0,
    ),
}
"""Functions of PHP and WordPress that take a function -> its position."""
_ASKING: Final = frozenset(("method_exists", "property_exists"))
_HOLDERS: Final = frozenset(
    ("member_access_expression", "member_call_expression", "object_creation_expression", "parenthesized_expression",
     "scoped_call_expression", "variable_name")
)  # fmt: skip
"""What a list of a method and its object may begin with."""


def content(walker: DeclarativeWalker, node: Node) -> tuple[str, int] | None:
    """The text of a string without variables, and the byte behind it."""
    if node.type not in STRINGS or any(
        child.type not in ("string_content", "escape_sequence") for child in node.named_children
    ):
        return None
    start, end = node.start_byte + 1, node.end_byte - 1
    return walker.text(start, end).replace("\\\\", "\\"), end


def text(walker: DeclarativeWalker, node: Node) -> int:
    """A string: `'Cart::total'` and `'App\\Models\\Cart'` name what they say."""
    start, end = node.start_byte, node.end_byte
    piece = walker.source[start:end]
    if piece[:-1].endswith(b".twig"):
        walker.imports.append(Import(walker.text(start + 1, end - 1), 0, start + 1, 0, "file"))
    if b"::" in piece or b"\\" in piece:
        found = content(walker, node)
        if found is not None:
            name, last = found
            member = _MEMBER.fullmatch(name)
            if member is not None:
                byte = last - len(member[2].lstrip("$").encode())
                holder = lower_full_name(walker, member[1], byte - 2 - member[2].startswith("$"), OFFERED)
                if member[2].isupper() or member[2].startswith("$"):
                    word = member[2].removeprefix("$") if member[2].startswith("$") else member[2] + CONSTANT
                    walker.site(walker.emit(op.ATTRIBUTE, byte, holder, walker.string(word)), READ)
                else:
                    method_named(walker, holder, member[2], byte, READ)
            elif _CLASS.fullmatch(name):
                lower_full_name(walker, name, last, OFFERED)
    return literal(walker, node)


def lower_full_name(walker: DeclarativeWalker, name: str, end: int, role: int) -> int:
    """What a full name means, with its site, which ends at a byte."""
    return lower_full_name_at(walker, name, end - len(name.rpartition("\\")[2].encode()), role)


def lower_full_name_at(walker: DeclarativeWalker, name: str, byte: int, role: int) -> int:
    package, _, last = name.lstrip("\\").rpartition("\\")
    key = f"\\{package}\\{last}" if package else f"\\{last}"
    if key not in walker.bound[0]:
        walker.imports.append(Import(package, 0, byte, 0, "parent", (last,)))
        value = walker.emit(op.IMPORTED, byte, len(walker.imports) - 1, walker.string(last))
        around, walker.block = walker.block, 0
        walker.bind(key, value, 0, "", 0)
        walker.block = around
    return walker.name(key, byte, role)


def values_of(arguments: Node | None) -> list[Node]:
    """What a call is passed, without labels."""
    if arguments is None:
        return []
    return [each.named_children[-1] for each in arguments.named_children if each.named_child_count]


def lower_callable_argument(walker: DeclarativeWalker, node: Node, value: int) -> None:
    """The function that a call is passed by its name; the member that it asks for."""
    function = node.child_by_field_name("function")
    if function is not None and walker.source_of(function) == "count":
        code = walker.code
        if code[value] == op.CALL and code[value + op.ARGUMENT_COUNT] == 1:
            run_member(walker, code[value + op.ARGUMENTS], "count", function.start_byte)
        return
    name = walker.source_of(function).rpartition("\\")[2] if function is not None else ""
    at = _TAKING.get(name, -1)
    if at < 0 and name not in _ASKING:
        return
    values = values_of(node.child_by_field_name("arguments"))
    if at >= 0:
        found = content(walker, values[at]) if len(values) > at else None
        if found is not None and _NAME.fullmatch(found[0]) and not _CLASS.fullmatch(found[0]):
            lower_full_name(walker, found[0], found[1], READ)
        return
    found = content(walker, values[1]) if len(values) == 2 else None
    if found is not None and WORD.fullmatch(found[0]):
        code = walker.code
        is_passed = code[value] == op.CALL and code[value + op.ARGUMENT_COUNT]
        holder = class_named(walker, values[0]) or (code[value + op.ARGUMENTS] if is_passed else 0)
        byte = found[1] - len(found[0].encode())
        if name == "method_exists":
            method_named(walker, holder, found[0], byte, READ)
        else:
            walker.site(walker.emit(op.ATTRIBUTE, byte, holder, walker.string(found[0])), READ)


def method_named(walker: DeclarativeWalker, holder: int, name: str, byte: int, role: int) -> int:
    """A reference to a method, whose names are apart from those of fields."""
    value = walker.emit(op.ATTRIBUTE, byte, holder, walker.string(name + METHOD))
    walker.site(value, role)
    return value


def class_named(walker: DeclarativeWalker, node: Node) -> int:
    """The class of `Cart::class`, `self::class` or `'App\\Cart'`, without a site; 0 for anything else."""
    if node.type == "class_constant_access_expression" and node.named_child_count == 2:
        holder, named = node.named_children
        if walker.source_of(named) == "class":
            if holder.type == "relative_scope":
                return walker.this_object(holder)
            return walker.variable(walker.string(walker.source_of(holder)), holder.start_byte)
    found = content(walker, node)
    if found is not None and _NAME.fullmatch(found[0]):
        value = lower_full_name(walker, found[0], found[1], OFFERED)
        walker.drop_site(value)
        return value
    return 0


def array(walker: DeclarativeWalker, node: Node) -> int:
    """`[$this, 'name']` and `[Cart::class, 'name']` name a method; other lists are lists."""
    parts = [child.named_children[0] for child in node.named_children if child.named_child_count == 1]
    found = content(walker, parts[1]) if len(parts) == 2 and node.named_child_count == 2 else None
    if found is None or not WORD.fullmatch(found[0]):
        return walker.through(node)
    first = parts[0]
    if first.type in _HOLDERS or (first.type == "name" and walker.source_of(first) == "__CLASS__"):
        holder = walker.this_object(first) if first.type == "name" else walker.walk(first)
    else:
        named = content(walker, first)
        if named is not None and not _CLASS.fullmatch(named[0]):
            return walker.through(node)
        holder = class_named(walker, first)
        if not holder:
            return walker.through(node)
        walker.walk(first)
    byte = found[1] - len(found[0].encode())
    return method_named(walker, holder, found[0], byte, READ)


def find_braced_name(walker: DeclarativeWalker, node: Node) -> Node | None:
    """The name in `$cart->{'total'}`."""
    name = node.child_by_field_name("name")
    if name is None or name.type not in STRINGS or name.named_child_count != 1:
        return None
    inner = name.named_children[0]
    return inner if WORD.fullmatch(walker.source_of(inner)) else None
