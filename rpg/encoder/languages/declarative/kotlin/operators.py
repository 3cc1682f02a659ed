"""Lowers what Kotlin runs without naming it: operators, indexes, components, delegates.

In: nodes. Out: expressions, with sites of the members that run.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ROLE, SITE_WORDS, WRITE
from rpg.encoder.languages.declarative.expressions import assign, type_of, value_of
from rpg.encoder.languages.declarative.kotlin.rules import Rules
from rpg.encoder.languages.declarative.tested_types import Tested, find_tests, lower_both, lower_narrowed, note_test
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.languages.declarative.variables import local
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_OPERATORS: Final = {
    "+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem", "..": "rangeTo", "..<": "rangeUntil",
}  # fmt: skip
_ASSIGNING: Final = {"+=": "plus", "-=": "minus", "*=": "times", "/=": "div", "%=": "rem"}
_SIGNS: Final = {"+": "unaryPlus", "-": "unaryMinus", "!": "not", "++": "inc", "--": "dec"}
_STEPS: Final = frozenset({"++", "--"})
_EQUAL: Final = frozenset({"==", "!="})
_COMPARED: Final = frozenset({"<", ">", "<=", ">="})
_BOOLEAN: Final = "Boolean"
_TWO: Final = 2


def operands(walker: DeclarativeWalker, node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in walker.spec.comments]


def token_of(node: Node) -> Node | None:
    """The operator among the parts of a node."""
    return next((child for child in node.children if not child.is_named), None)


def operation(walker: DeclarativeWalker, node: Node) -> int:
    """`a + b`, `a..b`"""
    parts, token = operands(walker, node), token_of(node)
    values = [value_of(walker, each) for each in parts]
    name = _OPERATORS.get(token.type, "") if token is not None else ""
    if token is None or not name or len(values) != 2:
        return 0
    if token.type in _SIGNS and b"\n" in walker.source[parts[0].end_byte : token.start_byte]:
        # On a line of its own it begins another statement, which the grammar does not know.
        return run_member(walker, values[1], _SIGNS[token.type], token.start_byte)
    return run_member(walker, values[0], name, token.start_byte, values[1])


def comparison(walker: DeclarativeWalker, node: Node) -> int:
    """`a < b`, `a == b`: comparing with null runs nothing."""
    parts, token = operands(walker, node), token_of(node)
    values = [value_of(walker, each) for each in parts]
    if token is not None and len(values) == 2:
        is_null = "null" in (walker.source_of(each) for each in parts)
        name = "compareTo" if token.type in _COMPARED else "equals" if token.type in _EQUAL and not is_null else ""
        if name:
            run_member(walker, values[0], name, token.start_byte, values[1])
    return walker.literal(_BOOLEAN, node.start_byte)


def check(walker: DeclarativeWalker, node: Node) -> int:
    """`a in b`, `a is T`"""
    parts, token = operands(walker, node), token_of(node)
    values = [value_of(walker, each) for each in parts]
    if token is not None and token.type in ("in", "!in") and len(values) == 2:
        run_member(walker, values[1], "contains", token.start_byte, values[0])
    elif token is not None and len(values) == 2:
        note_test(walker, node, parts[0], values[0], values[1], token.type == "is")
    return walker.literal(_BOOLEAN, node.start_byte)


def logical(walker: DeclarativeWalker, node: Node) -> int:
    """`a && b`, `a || b`"""
    parts = operands(walker, node)
    if len(parts) == _TWO:
        lower_both(walker, parts[0], parts[1])
    else:
        walker.through(node)
    return walker.literal(_BOOLEAN, node.start_byte)


def when(walker: DeclarativeWalker, node: Node) -> int:
    """`when (a) { is T -> ... }`, `when { a is T -> ... }`"""
    subject = next((child for child in node.named_children if child.type == "when_subject"), None)
    around = walker.scope, walker.function
    named = None
    value = 0
    if subject is not None:
        # What a subject declares is known in the entries.
        walker.open_block_scope(node)
        walker.function = walker.function or walker.scope
        parts = operands(walker, subject)
        named = parts[0] if parts else None
        value = value_of(walker, parts[-1]) if parts else 0
        if named is not None and named.type == "variable_declaration":
            inner = named.named_children[0]
            local(walker, inner, 0, value, subject.end_byte)
            named = inner
    for child in node.named_children:
        if child != subject:
            entry(walker, child, named, value)
    walker.scope, walker.function = around
    return 0


def entry(walker: DeclarativeWalker, node: Node, subject: Node | None, value: int) -> None:
    conditions = [child for child in node.named_children if child.type == "when_condition"]
    types: list[int] = []
    found: list[Tested] = []
    for each in conditions:
        tested = each.named_children[0] if each.named_child_count == 1 else None
        if tested is not None and tested.type == "type_test" and not walker.source.startswith(b"!", tested.start_byte):
            types.append(type_of(walker, tested.named_children[0]) if tested.named_child_count else 0)
        else:
            walker.walk(each)
            if tested is not None and subject is None and len(conditions) == 1:
                found = find_tests(walker, tested)
    if subject is not None and types and all(types) and len(types) == len(conditions):
        classes = types[0] if len(types) == 1 else walker.emit(op.UNION, node.start_byte, len(types), *types)
        note_test(walker, node, subject, value, classes)
        found = find_tests(walker, node)
    for child in node.named_children:
        if child not in conditions:
            lower_narrowed(walker, child, found)


def range_test(walker: DeclarativeWalker, node: Node) -> int:
    """`in b` of a `when`, whose subject is not known here."""
    token = token_of(node)
    for each in operands(walker, node):
        value = value_of(walker, each)
        if token is not None:
            run_member(walker, value, "contains", token.start_byte, 0)
    return walker.literal(_BOOLEAN, node.start_byte)


def lower_sign(walker: DeclarativeWalker, node: Node) -> int:
    """`-a`, `!a`, `++a`, `a++`; `a!!` is what it was."""
    parts, token = operands(walker, node), token_of(node)
    values = [value_of(walker, each) for each in parts]
    value = values[-1] if values else 0
    name = _SIGNS.get(token.type, "") if token is not None else ""
    if token is None or not name:
        return value
    made = run_member(walker, value, name, token.start_byte)
    if token.type == "!" and not made:
        return walker.literal(_BOOLEAN, node.start_byte)
    return value if token.type in _STEPS or not made else made


def lower_index(walker: DeclarativeWalker, node: Node) -> int:
    """`a[i]`"""
    parts = operands(walker, node)
    holder = value_of(walker, parts[0]) if parts else 0
    return element(walker, parts[0], holder, indexes(walker, parts[-1])) if len(parts) > 1 else holder


def indexes(walker: DeclarativeWalker, suffix: Node) -> list[int]:
    return [value_of(walker, each) for each in operands(walker, suffix)]


def element(walker: DeclarativeWalker, node: Node, holder: int, given: list[int]) -> int:
    """What is read behind an index."""
    if not holder:
        return 0
    run_member(walker, holder, "get", node.start_byte, *given)
    return walker.emit(op.SUBSCRIPT, node.start_byte, holder, walker.literal("Int", node.start_byte))


def assignment(walker: DeclarativeWalker, node: Node) -> int:
    """`a = b`, `a.c += b`, `a[i] = b`"""
    parts, token = operands(walker, node), token_of(node)
    if len(parts) != 2 or token is None or parts[0].type != "directly_assignable_expression":
        return walker.through(node)
    left, right = parts
    inner = operands(walker, left)
    name = _ASSIGNING.get(token.type, "")
    if len(inner) == 1 and not name:
        return assign(walker, inner[0], right)
    holder = value_of(walker, inner[0])
    for each in inner[1:-1]:
        holder = lower_suffix(walker, each, holder)
    if len(inner) > 1 and inner[-1].type == "indexing_suffix":
        given = indexes(walker, inner[-1])
        read = element(walker, left, holder, given) if name else 0
        value = value_of(walker, right)
        run_member(walker, holder, "set", left.start_byte, *given, value)
    else:
        read = lower_suffix(walker, inner[-1], holder) if len(inner) > 1 else holder
        sites = walker.sites
        if read and sites and sites[-SITE_WORDS] == read:
            sites[ROLE - SITE_WORDS] = WRITE
        value = value_of(walker, right)
        if not name and walker.code[read] == op.ATTRIBUTE:
            walker.members.append((holder, walker.texts[walker.code[read + op.MEMBER]], value))
    if name:
        run_compound_assignment(walker, read, name, token, value)
    return value


def lower_suffix(walker: DeclarativeWalker, suffix: Node, holder: int) -> int:
    """What `.name` or `[i]` behind a value is."""
    if suffix.type == "indexing_suffix":
        return element(walker, suffix, holder, indexes(walker, suffix))
    parts = operands(walker, suffix)
    if suffix.type == "navigation_suffix" and parts and parts[-1].type in walker.spec.names:
        return walker.member(holder, parts[-1])
    walker.walk(suffix)
    return 0


def run_compound_assignment(walker: DeclarativeWalker, value: int, name: str, token: Node, given: int) -> None:
    """`a += b`: a member of that name of its own, or that of `a + b`."""
    run_member(walker, value, f"{name}Assign", token.start_byte, given)
    run_member(walker, value, name, token.start_byte, given)


def take_apart(walker: DeclarativeWalker, node: Node, value: int) -> None:
    """The variables of `val (name, price) = line`, each with a component of the value."""
    for at, child in enumerate(each for each in node.named_children if each.type == "variable_declaration"):
        name = walker.part(child, (":simple_identifier",))
        if name is None or walker.source_of(name) == "_":
            continue
        typed = next((each for each in operands(walker, child) if each != name), None)
        annotation = type_of(walker, typed) if typed is not None else 0
        byte = name.start_byte
        held = [walker.emit(op.ITEM, byte, value, at), run_member(walker, value, f"component{at + 1}", byte)]
        local(walker, name, annotation, walker.union(held, byte) if value else 0, name.end_byte)


def delegate(walker: DeclarativeWalker, node: Node, is_variable: bool) -> int:
    """`by a`: reading the property runs a member of what is behind `by`, or of what that provides."""
    parts = operands(walker, node)
    value = value_of(walker, parts[-1]) if parts else 0
    name, code = name_of_call(walker, parts[-1]) if parts else "", walker.code
    if name == "lazy" and code[value] == op.CALL and code[value + op.ARGUMENT_COUNT]:
        made = code[value + op.ARGUMENTS + 2 * (code[value + op.ARGUMENT_COUNT] - 1)]
        return walker.emit(op.CALL, code[value + op.BYTE], made, 0)
    if name in Rules.functions_by_last_part:
        return value
    byte = parts[-1].start_byte if parts else node.start_byte
    made = 0
    for holder in (value, run_member(walker, value, "provideDelegate", byte, 0, 0)):
        if holder:
            made = walker.union([made, run_member(walker, holder, "getValue", byte, 0, 0)], byte)
            if is_variable:
                run_member(walker, holder, "setValue", byte, 0, 0, 0)
    return made or value


def name_of_call(walker: DeclarativeWalker, node: Node) -> str:
    """What is called, without what is in front of it."""
    if node.type != "call_expression" or not node.named_child_count:
        return ""
    return walker.source_of(node.named_children[0]).rpartition(".")[2]
