"""What names mean in Dart: types and expressions, which its grammar leaves as rows of parts.

In: rows of nodes. Out: expressions with their sites.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rpg.encoder.facts import ANNOTATION, CREATED, READ, ROLE, SITE_WORDS, WRITE
from rpg.encoder.languages.declarative.dart.rules import Rules
from rpg.encoder.languages.declarative.definitions import unsited
from rpg.encoder.languages.declarative.expressions import plain
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled
from rpg.encoder.operations import ATTRIBUTE, BYTE, HOLDER, NAME, POSITIONAL, SUBSCRIPT, TYPED

SELECTORS: Final = frozenset(
    "selector unconditional_assignable_selector conditional_assignable_selector argument_part cascade_section".split()
)
_COMMENTS: Final = frozenset({"comment", "documentation_comment"})
_SUITES: Final = frozenset({"group"})
_TESTS: Final = frozenset({"test", "testWidgets", "blocTest", "testGoldens"})
_OPERANDS: Final = frozenset({"identifier", "identifier_dollar_escaped"})


class DartWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.prefixes: set[str] = set()
        """What imports are called."""
        self.is_test_file = Rules.is_run(path)


def types_in(walker: DartWalker, nodes: list[Node]) -> list[int]:
    """The types in a row: `Map<String, List<int>>?` is a name, arguments and a mark."""
    found: list[int] = []
    for at, node in enumerate(nodes):
        kind = node.type
        if kind == "type_identifier":
            following = nodes[at + 1] if at + 1 < len(nodes) else None
            if walker.source_of(node) in walker.prefixes and following is not None and following.type == kind:
                continue
            found.append(walker.type_name(node))
        elif kind == "type_arguments":
            held = types_in(walker, node.named_children)
            if found and found[-1] and any(held):
                byte = node.start_byte
                found[-1] = walker.emit(SUBSCRIPT, byte, found[-1], walker.one_or_tuple(held, byte))
        elif kind in ("function_type", "record_type", "parameter_type_list", "normal_parameter_type"):
            types_in(walker, node.named_children)
            found.append(0)
    return found


def type_row(walker: DartWalker, node: Node) -> int:
    types_in(walker, node.named_children)
    return 0


def flat(walker: DartWalker, node: Node) -> int:
    """What the grammar leaves as a row: names, and what is done with them."""
    return row(walker, node.named_children)


def row(walker: DartWalker, nodes: list[Node]) -> int:
    """The expressions of a row; returns the last."""
    value = 0
    name = ""
    for at, node in enumerate(nodes):
        kind = node.type
        if kind in _COMMENTS:
            walker.comment(node)
        elif kind in SELECTORS:
            value = selected(walker, value, node, name)
            name = ""
        elif kind in _OPERANDS:
            following = nodes[at + 1] if at + 1 < len(nodes) else None
            text = walker.source_of(node)
            if text in walker.prefixes and walker.scope_of(text) < 0 and following is not None:
                value, name = 0, "."
                continue
            is_call = following is not None and has_arguments(following)
            value, name = walker.value_name(node, READ, is_call), text
        else:
            value, name = walker.walk(node), ""
    return value


def has_arguments(node: Node) -> bool:
    if node.type == "argument_part":
        return True
    return node.type == "selector" and any(child.type == "argument_part" for child in node.named_children)


def selected(walker: DartWalker, value: int, node: Node, name: str) -> int:
    """What a selector makes of a value: a member, a call, an element. `name`: what stands before it, `.` for that of an
    import."""
    kind = node.type
    if kind == "cascade_section":
        inner = value
        for child in node.named_children:
            inner = selected(walker, inner, child, "") if child.type in SELECTORS else part(walker, inner, child, "")
        return value
    if kind == "argument_part":
        return called(walker, value, node, name)
    for child in node.named_children:
        value = selected(walker, value, child, name) if child.type in SELECTORS else part(walker, value, child, name)
    return value


def part(walker: DartWalker, value: int, node: Node, name: str) -> int:
    kind = node.type
    if kind in _OPERANDS:
        return walker.name_in(0, node, READ) if name == "." else walker.member(value, node)
    if kind == "cascade_selector":
        for child in node.named_children:
            value = part(walker, value, child, "")
        return value
    if kind == "index_selector":
        row(walker, node.named_children)
        zero = walker.literal("int", node.start_byte)
        return walker.emit(SUBSCRIPT, node.start_byte, value, zero) if value else 0
    if kind == "type_arguments":
        types_in(walker, node.named_children)
        return value
    if kind == "arguments":
        return called(walker, value, node, name)
    walker.walk(node)
    return value


def called(walker: DartWalker, callee: int, node: Node, name: str = "") -> int:
    listed = node if node.type == "arguments" else walker.part(node, (":arguments",))
    if node.type != "arguments":
        for child in node.named_children:
            if child != listed:
                walker.walk(child)
    if listed is None:
        return 0
    if walker.is_test_file and (name in _TESTS or name in _SUITES) and titled(walker, name, listed, callee):
        return 0
    byte = listed.start_byte
    if callee and walker.drop_site(callee) and walker.code[callee] in (NAME, ATTRIBUTE):
        byte = walker.code[callee + BYTE]
    given = arguments(walker, listed)
    return walker.call(callee, byte, given) if callee else 0


def arguments(walker: DartWalker, node: Node) -> list[int]:
    """`(a, name: b)`"""
    given: list[int] = []
    for child in node.named_children:
        if child.type == "named_argument":
            label = child.named_children[0] if child.named_child_count else None
            named = plain(walker, label) if label is not None and label.type == "label" else None
            given.append(POSITIONAL if named is None else walker.word_of(named))
            given.append(row(walker, child.named_children[1:]))
        elif child.type == "argument":
            given.append(POSITIONAL)
            given.append(row(walker, child.named_children))
        else:
            walker.walk(child)
    return given


def titled(walker: DartWalker, name: str, listed: Node, callee: int) -> bool:
    """`test('adds', () { ... })`"""
    parts = listed.named_children
    text = parts[0].named_children[0] if parts and parts[0].named_child_count else None
    last = parts[-1].named_children[-1] if len(parts) > 1 and parts[-1].named_child_count else None
    if text is None or text.type != "string_literal" or last is None:
        return False
    walker.drop_site(callee)
    title = walker.text(text.start_byte + 1, min(text.end_byte - 1, text.start_byte + SOURCE_LIMIT))
    start = walker.code[callee + BYTE] if callee else listed.start_byte
    end, is_suite = listed.end_byte, name in _SUITES
    head = walker.folded(start, last.start_byte)
    at = text.start_byte
    index = define_titled(walker, title, is_suite, walker.definition, start, end, at, last.start_byte, head)
    around = walker.here()
    walker.definition = index
    if not is_suite:
        walker.scope = walker.function = walker.open_scope("function", index, start, end)
        walker.definitions[index].scope = walker.scope
    for child in parts[1:]:
        walker.walk(child)
    walker.return_to(around)
    return True


def creation(walker: DartWalker, node: Node) -> int:
    """`new Cart(1)`, `const Cart.named(1)`"""
    first = len(walker.sites)
    parts = node.named_children
    types = types_in(walker, [child for child in parts if child.type in ("type_identifier", "type_arguments")])
    made = types[-1] if types else 0
    named = next((child for child in parts if child.type == "identifier"), None)
    listed = next((child for child in parts if child.type == "arguments"), None)
    if made and walker.code[made] == SUBSCRIPT:
        made = walker.code[made + HOLDER]
    if not made or listed is None:
        return walker.through(listed) if listed is not None else 0
    if named is not None:
        return called(walker, walker.member(made, named), listed)
    unsited(walker, made, first)
    byte = walker.code[made + BYTE]
    value = walker.call(made, byte, arguments(walker, listed))
    walker.site(value, CREATED)
    return value


def assignment(walker: DartWalker, node: Node) -> int:
    """`left = right`"""
    parts = node.named_children
    if not parts:
        return 0
    value = row(walker, parts[1:])
    target = walker.walk(parts[0])
    sites = walker.sites
    if target and sites and sites[-SITE_WORDS] == target:
        sites[ROLE - SITE_WORDS] = WRITE
    return value


def cast(walker: DartWalker, node: Node) -> int:
    """`value as Type`"""
    parts = node.named_children
    value = row(walker, [child for child in parts if child.type != "type_cast"])
    for child in parts:
        if child.type == "type_cast":
            types = types_in(walker, child.named_children)
            if types and types[-1]:
                return walker.emit(TYPED, child.start_byte, types[-1], value)
    return value


def nothing_known(walker: DartWalker, node: Node) -> int:
    """Operands of which the result is not known."""
    row(walker, node.named_children)
    return 0


def type_name(walker: DartWalker, node: Node) -> int:
    return walker.type_name(node, ANNOTATION)
