"""What names mean in Dart: types and expressions, which its grammar leaves as rows of parts.

In: rows of nodes. Out: expressions with their sites.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ANNOTATION,
    CREATED,
    KEY,
    PART,
    READ,
    ROLE,
    RUN,
    SHARED_IMPORTS,
    SIDE_EFFECT,
    SITE_WORDS,
    WRITE,
    FileFacts,
)
from rpg.encoder.languages.declarative.dart.rules import Rules
from rpg.encoder.languages.declarative.definitions import add_base, drop_type_site
from rpg.encoder.languages.declarative.expressions import plain
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.languages.declarative.tested_types import note_test
from rpg.encoder.languages.declarative.unnamed_calls import run_member
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled

SELECTORS: Final = frozenset(
    "selector unconditional_assignable_selector conditional_assignable_selector argument_part cascade_section".split()
)
_HEADERS: Final = frozenset({"superclass", "interfaces", "mixins", "mixin_application", "mixin_application_class"})
"""Kinds of nodes that hold bases."""
OPERATORS: Final = frozenset(
    """additive_operator multiplicative_operator relational_operator equality_operator shift_operator
    bitwise_operator""".split()
)
_TELLING: Final = frozenset({"==", "<", ">", "<=", ">="})
_SIGNS: Final = frozenset("prefix_operator postfix_operator increment_operator minus_operator tilde_operator".split())
UNITERATED: Final = frozenset({op.NOTHING, op.LITERAL})
"""Operations whose values are not objects of the repository."""
_COMMENTS: Final = frozenset({"comment", "documentation_comment"})
_SUITES: Final = frozenset({"group"})
_TESTS: Final = frozenset({"test", "testWidgets", "blocTest", "testGoldens"})
_OPERANDS: Final = frozenset({"identifier", "identifier_dollar_escaped"})


class DartWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.prefixes: dict[str, list[int]] = {}
        """What imports are called -> their modules."""
        self.extended: dict[int, str] = {}
        """Class -> the name of what it extends."""
        self.made_super = 0
        """The constructor of the base that the constructor around runs."""
        self.is_test_file = Rules.is_run(path)

    def adds_bases(self, node: Node, index: int) -> bool:
        """`extends prefix.Name<Argument> with Mixin`: names, arguments and dots beside each other."""
        if node.type in _HEADERS:
            add_bases(self, node.named_children, index)
            names = [child for child in node.named_children if child.type == "type_identifier"]
            if node.type == "superclass" and names:
                self.extended[index] = self.text_of(names[-1])
        elif node.type == "mixin_declaration":
            on = [child for child in node.named_children if child.type in ("type_identifier", "type_arguments")]
            add_bases(self, on, index)
        else:
            return False
        return True

    def finish(self) -> FileFacts:
        for prefix, modules in self.prefixes.items():
            self.bind(prefix, self.union(modules, 0), 0, "", 0)
        if any(each.kind == PART for each in self.imports):
            self.exports[SHARED_IMPORTS] = [each.module for each in self.imports if each.kind == SIDE_EFFECT]
        return super().finish()


def add_bases(walker: DartWalker, parts: list[Node], index: int) -> None:
    at = 0
    while at < len(parts):
        end = at + 1
        if parts[at].type == "type_identifier":
            end += is_prefix(walker, parts[at], parts[end] if end < len(parts) else None)
            end += end < len(parts) and parts[end].type == "type_arguments"
            first = len(walker.sites)
            walker.is_base = True
            types = types_in(walker, parts[at:end])
            walker.is_base = False
            add_base(walker, index, types[-1], first)
        elif parts[at].type in _HEADERS:
            add_bases(walker, parts[at].named_children, index)
        at = end


def is_prefix(walker: DartWalker, node: Node, following: Node | None) -> bool:
    """Whether a name in a type is that of an import, in front of another."""
    return following is not None and following.type == node.type and walker.source_of(node) in walker.prefixes


def prefix(walker: DartWalker, node: Node) -> int:
    """The modules of the imports with that name."""
    offset = len(walker.code)
    walker.code += (op.NAME, node.start_byte, walker.word_of(node), 0)
    walker.named.append(offset)
    return offset


def types_in(walker: DartWalker, nodes: list[Node]) -> list[int]:
    """The types in a row: `Map<String, List<int>>?` is a name, arguments and a mark."""
    found: list[int] = []
    module = 0
    for at, node in enumerate(nodes):
        kind = node.type
        if kind == "type_identifier":
            if module:
                found.append(walker.member(module, node, ANNOTATION))
                module = 0
            elif is_prefix(walker, node, nodes[at + 1] if at + 1 < len(nodes) else None):
                module = prefix(walker, node)
            else:
                found.append(walker.type_name(node))
        elif kind == "type_arguments":
            held = types_in(walker, node.named_children)
            if found and found[-1] and any(held):
                byte = node.start_byte
                found[-1] = walker.emit(op.SUBSCRIPT, byte, found[-1], walker.one_or_tuple(held, byte))
        elif kind == "function_type":
            found.append(function_type(walker, node))
        elif kind in ("record_type", "parameter_type_list", "normal_parameter_type"):
            types_in(walker, node.named_children)
            found.append(0)
    return found


def function_type(walker: DartWalker, node: Node) -> int:
    """`Result Function(Cart cart, {int named})`"""
    returned: list[Node] = []
    parameters: list[int] = []
    for child in node.named_children:
        if child.type == "parameter_type_list":
            parameters = parameter_types(walker, child)
        elif child.type != "type_parameters":
            returned.append(child)
    results = types_in(walker, returned)
    byte = node.start_byte
    types = walker.emit(op.TUPLE, byte, len(parameters), *parameters)
    return walker.emit(op.FUNCTION_TYPE, byte, results[-1] if results else 0, types)


def parameter_types(walker: DartWalker, node: Node) -> list[int]:
    """The types of the parameters that are given by their position."""
    found: list[int] = []
    for child in node.named_children:
        kind = child.type
        if kind == "normal_parameter_type":
            row_of_type = [part for each in child.named_children for part in find_type_parts(each)]
            types = types_in(walker, row_of_type)
            found.append(types[-1] if types else 0)
        elif kind in ("optional_parameter_types", "optional_positional_parameter_types"):
            found += parameter_types(walker, child)
        else:
            for each in child.named_children:
                types_in(walker, find_type_parts(each))
    return found


def find_type_parts(node: Node) -> list[Node]:
    """The row of a type, without the name behind it."""
    return node.named_children[:-1] if node.type == "typed_identifier" else [node]


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
            value = lower_selector(walker, value, node, name)
            name = ""
        elif kind in _OPERANDS:
            following = nodes[at + 1] if at + 1 < len(nodes) else None
            text = walker.source_of(node)
            if text in walker.prefixes and walker.scope_of(text) < 0 and following is not None:
                value, name = prefix(walker, node), ""
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


def lower_selector(walker: DartWalker, value: int, node: Node, name: str) -> int:
    """What a selector makes of a value: a member, a call, an element. `name`: what stands before it."""
    kind = node.type
    if kind == "cascade_section":
        cascade(walker, value, node)
        return value
    if kind == "argument_part":
        return lower_call(walker, value, node, name)
    for child in node.named_children:
        value = (
            lower_selector(walker, value, child, name) if child.type in SELECTORS else part(walker, value, child, name)
        )
    return value


def cascade(walker: DartWalker, value: int, node: Node) -> None:
    """`..member(argument)`, `..member = value`"""
    is_assigned = False
    assigned: list[Node] = []
    for child in node.children:
        if is_assigned:
            assigned += [child] if child.is_named else ()
        elif not child.is_named:
            is_assigned = child.type == "="
        elif child.type in SELECTORS:
            value = lower_selector(walker, value, child, "")
        else:
            value = part(walker, value, child, "")
    sites = walker.sites
    if is_assigned and value and sites and sites[-SITE_WORDS] == value:
        sites[ROLE - SITE_WORDS] = WRITE
    row(walker, assigned)


def part(walker: DartWalker, value: int, node: Node, name: str) -> int:
    kind = node.type
    if kind in _OPERANDS:
        return walker.member(value, node)
    if kind == "cascade_selector":
        for child in node.named_children:
            value = part(walker, value, child, "")
        return value
    if kind == "index_selector":
        run_member(walker, value, "[]", node.start_byte, row(walker, node.named_children))
        zero = walker.literal("int", node.start_byte)
        return walker.emit(op.SUBSCRIPT, node.start_byte, value, zero) if value else 0
    if kind == "type_arguments":
        types_in(walker, node.named_children)
        return value
    if kind == "arguments":
        return lower_call(walker, value, node, name)
    walker.walk(node)
    return value


def lower_call(walker: DartWalker, callee: int, node: Node, name: str = "") -> int:
    listed = node if node.type == "arguments" else walker.part(node, (":arguments",))
    types: list[int] = []
    if node.type != "arguments":
        for child in node.named_children:
            if child.type == "type_arguments":
                types = types_in(walker, child.named_children)
            elif child != listed:
                walker.walk(child)
    if listed is None:
        return 0
    if walker.is_test_file and (name in _TESTS or name in _SUITES) and define_titled_test(walker, name, listed, callee):
        return 0
    byte = listed.start_byte
    if callee and walker.drop_site(callee) and walker.code[callee] in (op.NAME, op.ATTRIBUTE):
        byte = walker.code[callee + op.BYTE]
    given = arguments(walker, listed, callee)
    made = walker.call(callee, byte, given) if callee else 0
    if made and any(types):
        walker.type_arguments[made] = types
    return made


def arguments(walker: DartWalker, node: Node, made: int) -> list[int]:
    """`(a, name: b)`; `made`: what is called, if anything is known of it."""
    given: list[int] = []
    for child in node.named_children:
        if child.type == "named_argument":
            label = child.named_children[0] if child.named_child_count else None
            named = plain(walker, label) if label is not None and label.type == "label" else None
            given.append(op.POSITIONAL if named is None else walker.word_of(named))
            if named is not None and made:
                walker.site(walker.emit(op.ATTRIBUTE, named.start_byte, made, walker.word_of(named)), KEY)
            given.append(row(walker, child.named_children[1:]))
        elif child.type == "argument":
            given.append(op.POSITIONAL)
            given.append(row(walker, child.named_children))
        else:
            walker.walk(child)
    return given


def define_titled_test(walker: DartWalker, name: str, listed: Node, callee: int) -> bool:
    """`test('adds', () { ... })`"""
    parts = listed.named_children
    text = parts[0].named_children[0] if parts and parts[0].named_child_count else None
    last = parts[-1].named_children[-1] if len(parts) > 1 and parts[-1].named_child_count else None
    if text is None or text.type != "string_literal" or last is None:
        return False
    walker.drop_site(callee)
    title = walker.text(text.start_byte + 1, min(text.end_byte - 1, text.start_byte + SOURCE_LIMIT))
    start = walker.code[callee + op.BYTE] if callee else listed.start_byte
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
    if made and walker.code[made] == op.SUBSCRIPT:
        made = walker.code[made + op.HOLDER]
    if not made or listed is None:
        return walker.through(listed) if listed is not None else 0
    if named is not None:
        return lower_call(walker, walker.member(made, named), listed)
    drop_type_site(walker, made, first)
    byte = walker.code[made + op.BYTE]
    value = walker.call(made, byte, arguments(walker, listed, made))
    walker.site(value, CREATED)
    return value


def assignment(walker: DartWalker, node: Node) -> int:
    """`left = right`, `left += right`, `left[index] = right`"""
    parts = node.named_children
    if not parts:
        return 0
    value = row(walker, parts[1:])
    target = walker.walk(parts[0])
    sites, code = walker.sites, walker.code
    sign = node.child_by_field_name("operator")
    name = walker.source_of(sign)[:-1] if sign is not None else ""
    if target and sites and sites[-SITE_WORDS] == target:
        sites[ROLE - SITE_WORDS] = WRITE
    elif target and code[target] == op.SUBSCRIPT and sites[ROLE - SITE_WORDS] == RUN:
        read = sites[-SITE_WORDS]
        if not name:
            del sites[-SITE_WORDS:]
        run_member(walker, code[target + op.HOLDER], "[]=", code[read + op.BYTE], code[read + op.ARGUMENTS], value)
    if sign is not None and name and name != "??":
        run_member(walker, target, name, sign.start_byte, value)
    return value


def cast(walker: DartWalker, node: Node) -> int:
    """`value as Type`"""
    parts = node.named_children
    value = row(walker, [child for child in parts if child.type != "type_cast"])
    for child in parts:
        if child.type == "type_cast":
            types = types_in(walker, child.named_children)
            if types and types[-1]:
                return walker.emit(op.TYPED, child.start_byte, types[-1], value)
    return value


def nothing_known(walker: DartWalker, node: Node) -> int:
    """Operands of which the result is not known."""
    row(walker, node.named_children)
    return 0


def choice(walker: DartWalker, node: Node) -> int:
    """`ready ? first() : second`, `first ?? second()`"""
    groups: list[list[Node]] = [[]]
    for child in node.children:
        if child.is_named:
            groups[-1].append(child)
        else:
            groups.append([])
    values = [row(walker, each) for each in groups]
    return walker.union(values if node.type == "if_null_expression" else values[1:], node.start_byte)


def type_test(walker: DartWalker, node: Node) -> int:
    """`a is T`"""
    parts = node.named_children
    nothing_known(walker, node)
    if len(parts) == 2 and parts[0].type in walker.spec.names and parts[1].type == "type_test":
        tested, types = parts[0], parts[1].named_children
        if types and "!" not in walker.source_of(types[0]):
            known = len(walker.sites)
            found = types_in(walker, types)
            del walker.sites[known:]  # they are there already
            value = walker.variable(walker.word_of(tested), tested.start_byte)
            note_test(walker, node, tested, value, found[-1] if found else 0)
    return 0


def operation(walker: DartWalker, node: Node) -> int:
    """`a + b - c`: operands and operators beside each other."""
    value, at = 0, 0
    sign: Node | None = None
    parts = node.named_children
    while at < len(parts):
        end = next((place for place in range(at, len(parts)) if parts[place].type in OPERATORS), len(parts))
        operand = row(walker, parts[at:end])
        is_null = end - at == 1 and parts[at].type == "null_literal"
        value = run_sign(walker, sign, value, operand, is_null) if sign is not None else operand
        sign = parts[end] if end < len(parts) else None
        at = end + 1
    return value


def run_sign(walker: DartWalker, sign: Node, left: int, right: int, is_null: bool) -> int:
    """`is_null`: comparing with null runs nothing."""
    name = walker.source_of(sign)
    if name == "!=":
        name = "=="
    made = 0 if is_null else run_member(walker, left, name, sign.start_byte, right)
    return walker.literal("bool", sign.start_byte) if name in _TELLING else made


def unary(walker: DartWalker, node: Node) -> int:
    """`-a`, `~a`, `!a`, `++a`, `a++`"""
    parts = node.named_children
    signs = [each for each in parts if each.type in _SIGNS]
    value = row(walker, [each for each in parts if each not in signs])
    sign = walker.source_of(signs[0]) if signs else ""
    if sign == "!":
        return walker.literal("bool", node.start_byte)
    if sign in ("++", "--"):
        run_member(walker, value, sign[0], signs[0].start_byte, walker.literal("int", node.start_byte))
        return value
    name = {"-": "unary-", "~": "~"}.get(sign, "")
    made = run_member(walker, value, name, signs[0].start_byte) if name else 0
    return made or value


def type_name(walker: DartWalker, node: Node) -> int:
    return walker.type_name(node, ANNOTATION)
