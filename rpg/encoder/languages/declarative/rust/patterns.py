"""Variables that Rust binds by patterns: in `let`, `match`, `for` and conditions.

In: nodes, and the value that a pattern takes apart. Out: variables that are bound to its parts.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.expressions import alternatives, type_of
from rpg.encoder.languages.declarative.rust.operators import run_conversion, run_error_conversion, run_loop
from rpg.encoder.languages.declarative.variables import local
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Walker

_UNWRAPPING: Final = {"Some": "unwrap", "Ok": "unwrap", "Err": "unwrap_err"}
"""Variants of Option and Result -> the method that returns what they hold."""
_SAME: Final = frozenset(
    """ref_pattern reference_pattern mut_pattern match_pattern captured_pattern or_pattern""".split()
)
_PATTERNS: Final = _SAME | frozenset(
    "tuple_struct_pattern struct_pattern field_pattern tuple_pattern slice_pattern".split()
)
_BINDING: Final = frozenset({"let_condition", "let_chain"})


def let_declaration(walker: DeclarativeWalker, node: Node) -> int:
    named, typed = node.child_by_field_name("pattern"), node.child_by_field_name("type")
    annotation = type_of(walker, typed) if typed is not None else 0
    value = walker.field(node, "value")
    run_conversion(walker, annotation, value)
    walker.field(node, "alternative")
    if named is None:
        return 0
    if named.type == "identifier":
        local(walker, named, annotation, value, node.end_byte)
    else:
        held = walker.emit(op.TYPED, named.start_byte, annotation, value) if annotation else value
        pattern(walker, named, held, node.end_byte)
    return 0


def let_condition(walker: DeclarativeWalker, node: Node) -> int:
    named = node.child_by_field_name("pattern")
    value = walker.field(node, "value")
    if named is not None:
        pattern(walker, named, value, node.end_byte)
    return 0


def conditional(walker: DeclarativeWalker, node: Node) -> int:
    """`if let Some(owner) = find() {}`, `while let ...`: what a condition binds is seen in what it guards alone."""
    condition = node.child_by_field_name("condition")
    lower = alternatives if node.type in walker.spec.alternatives else Walker.through
    if condition is None or condition.type not in _BINDING:
        return lower(walker, node)
    around = walker.scope
    walker.open_block_scope(node)
    value = lower(walker, node)
    walker.scope = around
    return value


def for_expression(walker: DeclarativeWalker, node: Node) -> int:
    named, held = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    around = walker.scope
    walker.open_block_scope(node)
    value = walker.walk(held) if held is not None else 0
    if held is not None and value:
        run_loop(walker, held, value)
    if named is not None and held is not None:
        pattern(walker, named, walker.emit(op.ELEMENT, held.start_byte, value) if value else 0, held.end_byte)
    walker.field(node, "body")
    walker.scope = around
    return 0


def match_expression(walker: DeclarativeWalker, node: Node) -> int:
    value = walker.field(node, "value")
    values: list[int] = []
    body = node.child_by_field_name("body")
    for arm in walker.parts(body) if body is not None else ():
        if arm.type != "match_arm":
            walker.walk(arm)
            continue
        around = walker.scope
        walker.open_block_scope(arm)
        named = arm.child_by_field_name("pattern")
        if named is not None:
            pattern(walker, named, value)
        values.append(walker.field(arm, "value"))
        walker.scope = around
    return walker.union(values, node.start_byte)


def pattern(walker: DeclarativeWalker, node: Node, value: int, begin: int = 0) -> None:
    """Binds the variables of a pattern, which begin at `begin`, if not behind their names; the types and variants that
    it names are mentioned."""
    kind = node.type
    if kind == "identifier":
        if walker.source_of(node)[:1].isupper():
            walker.type_name(node)
        else:
            walker.bind(walker.text_of(node), value, begin or node.end_byte)
        return
    if kind == "shorthand_field_identifier":
        walker.bind(walker.text_of(node), value, begin or node.end_byte)
        return
    if kind in ("scoped_identifier", "scoped_type_identifier", "type_identifier") or kind not in _PATTERNS:
        walker.walk(node)
        return
    typed, condition = node.child_by_field_name("type"), node.child_by_field_name("condition")
    inside = made = 0
    if kind in _SAME or kind == "field_pattern":
        inside = value
    elif kind == "tuple_struct_pattern" and value and typed is not None:
        inside = unwrap(walker, value, node.start_byte, _UNWRAPPING.get(walker.source_of(typed), ""))
    is_taken_apart = kind == "struct_pattern" or (kind == "tuple_struct_pattern" and not inside)
    at = 0
    for child in node.children:
        at += child.type == ","
        if not child.is_named:
            continue
        if child == typed:
            made = type_of(walker, child)
        elif child == condition:
            walker.walk(child)
        elif child.type not in ("field_identifier", "mutable_specifier"):
            part = inside
            if kind == "tuple_pattern" and value:
                part = walker.emit(op.ITEM, child.start_byte, value, at)
            elif is_taken_apart and made:
                part = field_of(walker, child, value, made, at)
            pattern(walker, child, part, begin)


def field_of(walker: DeclarativeWalker, node: Node, value: int, made: int, at: int) -> int:
    """What a part of a pattern takes out of a struct, or out of a variant of an enum; `made`: which one."""
    code, start = walker.code, node.start_byte
    named = node.child_by_field_name("name") if node.type == "field_pattern" else None
    if node.type == "field_pattern" and named is None:
        return 0
    name = walker.text_of(named) if named is not None else str(at)
    holder = made
    if named is not None and code[made] in (op.NAME, op.ATTRIBUTE):
        walker.member(walker.emit_typed(made, start), named)
    if code[made] == op.ATTRIBUTE:
        holder, name = code[made + op.HOLDER], f"{walker.texts[code[made + op.MEMBER]]}.{name}"
    taken = [walker.emit_member(walker.emit_typed(holder, start), name, start)]
    if value:
        taken.append(walker.emit_member(value, name, start))
    return walker.union(taken, start)


def try_expression(walker: DeclarativeWalker, node: Node) -> int:
    """`x?`: what is in x."""
    value = walker.only(node)
    if value:
        run_error_conversion(walker, value, node.end_byte - 1)
    return unwrap(walker, value, node.start_byte) if value else 0


def unwrap(walker: DeclarativeWalker, value: int, byte: int, method: str = "unwrap") -> int:
    """What is in an Option or a Result."""
    if not method:
        return 0
    return walker.emit(op.CALL, byte, walker.emit(op.ATTRIBUTE, byte, value, walker.string(method)), 0)
