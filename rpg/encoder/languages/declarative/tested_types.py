"""Variables whose type a condition tests: they are of it where the condition holds.

In: a statement with a condition, and what the tests in it say of which variable. Out: the same statement with the
variables bound again where it runs only if the tests hold, or if they fail: in the other branch, and behind a body that
leaves. Only local variables are narrowed, and only by tests that all must hold: others may write a member in between.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import BLOCK_END, BLOCK_WORDS
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_BOTH: Final = frozenset((b"&&", b"and"))
_EITHER: Final = frozenset((b"||", b"or"))
_NOT: Final = re.compile(rb"!(?![=i])|not\b")
_SIGN: Final = "logical_and_operator"
"""The sign between two operands, where it is a node with a name."""
_NEGATED: Final = frozenset(("unless", "unless_modifier"))
_LOOPS: Final = frozenset(("while_statement",))
_BODIES: Final = frozenset(
    """
    body_statement colon_block compound_statement control_structure_body expression_statement statements then
    """.split()
)
_EXITS: Final = frozenset(
    """
    break break_statement continue_statement exit_statement jump_expression next return return_statement
    throw_expression
    """.split()
)
_RAISES: Final = b"raise"
_WRITTEN: Final = re.compile(rb"(?<![\w.$\x80-\xff])(?P<name>[\w$\x80-\xff]+)\s*=(?!=)")


Tested = tuple[str, int, int, bool]
"""(name of the variable, what it held before, the type, whether it is of that type where the test holds)."""


def note_test(
    walker: DeclarativeWalker, node: Node, left: Node | None, value: int, annotation: int, holds: bool = True
) -> None:
    """`left is T`, written as this node."""
    if left is None or left.type not in walker.spec.names or not value or not annotation:
        return
    name = walker.text_of(left)
    scope = walker.scope_of(name)
    if scope >= 0 and walker.scopes[scope].kind != "class" and walker.function:
        walker.tested[node.start_byte, node.end_byte] = name, value, annotation, holds


def conditional(walker: DeclarativeWalker, node: Node) -> int:
    """`if (condition) consequence else alternative`"""
    parts, body = node.named_children, node.child_by_field_name("consequence")
    condition = node.child_by_field_name("condition") or (parts[0] if parts else None)
    value = 0
    for child in parts:
        if child == body and condition is not None and walker.tested:
            found = [
                each
                for each in find_tests(walker, condition)
                if not is_written(walker, body.start_byte, body.end_byte, each[0])
            ]
            walker.tested.clear()
            value = lower_proven(walker, child, found) if found else walker.walk(child)
        else:
            value = walker.walk(child)
    return value


def is_written(walker: DeclarativeWalker, start: int, end: int, name: str) -> bool:
    """Whether a variable may get another value in what runs if the condition holds."""
    if walker.written is None:
        # Once for the file: a function may have thousands of tests.
        walker.written = {}
        for found in _WRITTEN.finditer(walker.source):
            walker.written.setdefault(found["name"].decode("utf-8", "replace"), []).append(found.start())
    places = walker.written.get(name, [])
    at = bisect_left(places, start)
    return at < len(places) and places[at] < end


def lower_proven(walker: DeclarativeWalker, node: Node, found: list[Tested]) -> int:
    around = walker.enter_block(node)
    for name, value, annotation, _ in found:
        proven = walker.emit(op.NARROWED, node.start_byte, value, annotation, 0)
        walker.bind(name, proven, node.start_byte)
    value = walker.walk(node)
    walker.leave_block(around)
    return value


def find_tests(walker: DeclarativeWalker, node: Node, holds: bool = True) -> list[Tested]:
    """Those tests of a condition that all prove a type if it holds, or if it fails. It must be lowered before."""
    if not walker.tested:
        return []
    key = node.start_byte, node.end_byte, holds
    known = walker.proofs.get(key)
    if known is None:
        # Kept, as a chain of operators asks for each of its beginnings.
        known = walker.proofs[key] = list(read_tests(walker, node, holds))
    return known


def read_tests(walker: DeclarativeWalker, node: Node, holds: bool) -> Iterator[Tested]:
    tested = walker.tested.get((node.start_byte, node.end_byte))
    parts = [child for child in node.named_children if child.type != _SIGN]
    signs = _BOTH if holds else _EITHER
    if tested is not None:
        if tested[3] == holds:
            yield tested
    elif len(parts) == 1:
        if walker.source[node.start_byte : node.start_byte + 1] == b"(":
            yield from find_tests(walker, parts[0], holds)
        elif _NOT.match(walker.source, node.start_byte):
            yield from find_tests(walker, parts[0], not holds)
    elif len(parts) > 1 and all(sign_between(walker, first, second) in signs for first, second in pairwise(parts)):
        for part in parts:
            yield from find_tests(walker, part, holds)


def sign_between(walker: DeclarativeWalker, first: Node, second: Node) -> bytes:
    return walker.source[first.end_byte : second.start_byte].strip().lower()


def lower_both(walker: DeclarativeWalker, left: Node, right: Node) -> tuple[int, int]:
    """The operands of a logical operator: the second runs only where the first holds, or fails."""
    first = walker.walk(left)
    sign = sign_between(walker, left, right)
    found = find_tests(walker, left, sign in _BOTH) if sign in _BOTH or sign in _EITHER else []
    return first, lower_narrowed(walker, right, found)


def lower_narrowed(walker: DeclarativeWalker, node: Node, found: Iterable[Tested]) -> int:
    """Lowers what runs only where the tests prove the types."""
    around = walker.open_block(node.start_byte, node.end_byte)
    narrow(walker, found, node.start_byte)
    value = walker.walk(node)
    walker.block = around
    return value


def narrow(walker: DeclarativeWalker, found: Iterable[Tested], byte: int) -> None:
    """Binds what is proven, from `byte` on, inside the current block."""
    end = walker.blocks[BLOCK_WORDS * walker.block + BLOCK_END]
    for name, value, annotation, _ in found:
        if walker.spec.keeps_types and is_written(walker, byte, end, name):
            continue
        proven = walker.emit(op.NARROWED, byte, value, annotation, 0)
        walker.bind(name, proven, byte, "narrow", max(walker.scope_of(name), 0))


def guarded(walker: DeclarativeWalker, node: Node) -> int:
    """A statement whose body runs only where its condition holds, or fails; behind a body that leaves, the opposite is
    the case."""
    condition = node.child_by_field_name("condition")
    bodies = [*node.children_by_field_name("consequence"), *node.children_by_field_name("body")]
    if condition is None:
        return walker.through(node)
    around = walker.open_block(node.start_byte, node.end_byte, node.type in _LOOPS)
    walker.walk(condition)
    holds = node.type not in _NEGATED
    proven, failed = (find_tests(walker, condition, each) for each in (holds, not holds))
    for child in node.named_children:
        if child != condition:
            lower_narrowed(walker, child, proven if child in bodies else failed)
    walker.block = around
    if failed and not node.children_by_field_name("alternative") and any(leaves(walker, each) for each in bodies):
        narrow(walker, failed, node.end_byte)
    return 0


def choice(walker: DeclarativeWalker, node: Node) -> int:
    """`ready ? first : second`, `first ?: second`"""
    condition = node.child_by_field_name("condition")
    chosen = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    tested = walker.walk(condition) if condition is not None else 0
    values = [tested] if chosen is None else []
    for each, holds in ((chosen, True), (node.child_by_field_name("alternative"), False)):
        if each is not None:
            found = find_tests(walker, condition, holds) if condition is not None else []
            values.append(lower_narrowed(walker, each, found) if found else walker.walk(each))
    return walker.union(values, node.start_byte)


def leaves(walker: DeclarativeWalker, body: Node) -> bool:
    """Whether control never passes the end of a body."""
    while body.type in _BODIES and body.named_child_count:
        body = body.named_children[-1]
    return body.type in _EXITS or walker.source.startswith(_RAISES, body.start_byte)
