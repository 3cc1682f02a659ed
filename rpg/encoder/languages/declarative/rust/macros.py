"""Macros of Rust: their calls, calls and names in the tokens that they are given, and which files see them.

In: nodes. Out: expressions. A macro's name is apart from that of a function (`name!`).
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, IS_MACRO, MACRO, READ
from rpg.encoder.languages.declarative.rust.item_macros import HEADS as HEADS_OF_ITEMS
from rpg.encoder.languages.declarative.rust.item_macros import items_of
from rpg.encoder.languages.declarative.rust.operators import is_operator, run_in_macro, run_operator
from rpg.encoder.languages.declarative.rust.paths import HEADS, NAMES, module_path
from rpg.encoder.languages.declarative.walker import DeclarativeWalker, Items
from rpg.encoder.lowering.node import Node

_IN_PARAMETERS: Final = frozenset({",", ":", "::", "&", "<", ">", "mutable_specifier", "lifetime", "dyn", "impl"})
_BEFORE: Final = frozenset({"[", "(", ",", "&", "mutable_specifier", "="})
_OPEN: Final = ord("(")
_GLOBALS: Final = "globals"
"""See resolve/evaluate/global_names.py."""


def names_of(walker: DeclarativeWalker, node: Node, kind: str) -> frozenset[str]:
    """The names of all definitions of a kind in a file and its modules, outside types and functions."""
    found: set[str] = set()
    for child in node.named_children:
        name, body = child.child_by_field_name("name"), child.child_by_field_name("body")
        if child.type == "mod_item" and body is not None:
            found |= names_of(walker, body, kind)
        elif child.type == kind and name is not None:
            found.add(walker.source_of(name))
    return frozenset(found)


def share_macros(walker: DeclarativeWalker, names: frozenset[str]) -> None:
    """Lets other files see the macros of a file, also those in its modules."""
    shared: list[str] = []
    for index, definition in enumerate(walker.definitions):
        if IS_MACRO in definition.flags and definition.name in names:
            shared.append(definition.name + MACRO)
            if definition.parent:
                walker.bind(shared[-1], walker.definition_value(index), definition.name_byte, scope=0)
    if shared:
        walker.exports[_GLOBALS] = list(dict.fromkeys(shared))


def import_macros(walker: DeclarativeWalker) -> None:
    """An import brings whatever has its name: the names of macros that a file calls are imported as such, too."""
    called = {walker.texts[walker.code[offset + op.WORD]] for offset in walker.macro_names}
    code = walker.code
    for binding in list(walker.bindings) if called else ():
        name = binding.name + MACRO
        if code[binding.value] == op.IMPORTED and name in called and name not in walker.bound[binding.scope]:
            statement, member = code[binding.value + op.STATEMENT], walker.texts[code[binding.value + op.MEMBER]]
            value = walker.emit(op.IMPORTED, code[binding.value + op.BYTE], statement, walker.string(member + MACRO))
            walker.bind(name, value, binding.byte, "", binding.scope)


def macro_invocation(walker: DeclarativeWalker, node: Node) -> int:
    named = node.child_by_field_name("macro")
    name = walker.source_of(named) if named is not None else ""
    items: list[int] = []
    if named is not None:
        call_macro(walker, walker.identifier(named) if named.type == "identifier" else walker.walk(named))
    found = walker.items_in_macros.pop(node.start_byte, None)
    found = items_of(walker, node) if found is None else found
    if found:
        lower_items(walker, found)
        return 0
    around = walker.enter_block(node)
    for child in node.named_children:
        if child.type == "token_tree":
            items += values_given(walker, name, child)
    walker.leave_block(around)
    return walker.emit(op.LIST, node.start_byte, len(items), *items) if name == "vec" else 0


def lower_items(walker: DeclarativeWalker, found: list[Items]) -> None:
    """What stands in a macro's braces, as if it stood in their place."""
    for items in found:
        walker.attributes, walker.marks = -1, []
        walker.conditional.append((items.start, items.end))
        walker.macros_around.append(items.start)
        first = len(walker.definitions)
        walker.through(items.root)
        named = {definition.name_byte: index for index, definition in enumerate(walker.definitions[first:], first)}
        for place, tokens in items.unread:
            around = walker.here()
            if place in named:
                walker.definition = named[place]
                walker.scope = max(walker.definitions[walker.definition].scope, walker.scope)
            values_of_tokens(walker, tokens)
            walker.return_to(around)
        walker.macros_around.pop()


def values_given(walker: DeclarativeWalker, name: str, tree: Node) -> list[int]:
    """The expressions that stand alone between commas in the tokens that a macro is given."""
    standing = values_in(walker, tree)
    run_in_macro(walker, name, tree, standing)
    return list(standing.values())


def call_macro(walker: DeclarativeWalker, callee: int) -> None:
    """The last part of what is called is the name of a macro."""
    code = walker.code
    word = {op.NAME: op.WORD, op.ATTRIBUTE: op.MEMBER}.get(code[callee])
    if word is None:
        return
    code[callee + word] = walker.string(walker.texts[code[callee + word]] + MACRO)
    if word == op.WORD:
        walker.macro_names.append(callee)
    if walker.drop_site(callee):
        walker.call(callee, code[callee + op.BYTE], [])


def token_tree(walker: DeclarativeWalker, node: Node) -> int:
    values_in(walker, node)
    return 0


def values_in(walker: DeclarativeWalker, node: Node) -> dict[int, int]:
    """The expressions that stand alone between commas in the tokens that a macro is given."""
    return values_of_tokens(walker, node.children)


def values_of_tokens(walker: DeclarativeWalker, tokens: list[Node]) -> dict[int, int]:
    """Names, paths and calls in tokens, as far as they look like an expression. Returns the expressions that stand
    alone between commas, by where they begin."""
    values: dict[int, int] = {}
    last = ended = 0
    at = 0
    while at < len(tokens):
        token = tokens[at]
        kind = token.type
        if kind == "token_tree":
            token_tree(walker, token)
        elif kind in walker.spec.comments:
            walker.comment(token)
        elif kind in HEADS_OF_ITEMS and next_type(tokens, at) == "identifier":
            at += 1  # what an item is called names nothing else
        elif kind == "|":
            at = parameters_of_tokens(walker, tokens, at)
            continue
        elif kind == "let":
            at = variable_of_tokens(walker, tokens, at)
            continue
        elif kind in NAMES:
            first = at
            at, value = tokens_of_path(walker, tokens, at)
            before = tokens[first - 1].type if first else ","
            behind = tokens[at].type if at < len(tokens) else ","
            if value and before in _BEFORE and behind in ("]", ")", ",", ";"):
                values[token.start_byte] = value
            if last and value and ended == first - 1 and is_operator(before):
                run_operator(walker, before, tokens[first - 1].start_byte, last, value)
            last, ended = value, at
            continue
        at += 1
    return values


def parameters_of_tokens(walker: DeclarativeWalker, tokens: list[Node], at: int) -> int:
    """`|cart: &Cart, mut owner: Owner|`: binds what has a type. Returns where it ends; what is no list of parameters is
    read like all else."""
    end = at + 1
    while end < len(tokens) and (tokens[end].type in _IN_PARAMETERS or tokens[end].type in NAMES):
        end += 1
    inner = tokens[at + 1 : end]
    if end == len(tokens) or tokens[end].type != "|" or all(token.type != ":" for token in inner):
        return at + 1
    for position, token in enumerate(inner[1:], at + 2):
        if token.type == ":" and tokens[position - 1].type == "identifier":
            type_of_tokens(walker, tokens, position + 1, tokens[position - 1])
    return end + 1


def variable_of_tokens(walker: DeclarativeWalker, tokens: list[Node], at: int) -> int:
    """`let cart: Cart = shelf.first();` Returns where what is not read yet begins."""
    at += 1
    if at < len(tokens) and tokens[at].type == "mutable_specifier":
        at += 1
    if at >= len(tokens) or tokens[at].type != "identifier":
        return at
    name, kind = tokens[at], next_type(tokens, at)
    if kind == ":":
        return type_of_tokens(walker, tokens, at + 2, name)
    if kind != "=" or next_type(tokens, at + 1) not in NAMES:
        return at + 1
    at, value = tokens_of_path(walker, tokens, at + 2)
    is_whole = at < len(tokens) and tokens[at].type == ";"
    walker.bind(walker.text_of(name), value if is_whole else 0, name.end_byte)
    return at


def type_of_tokens(walker: DeclarativeWalker, tokens: list[Node], at: int, name: Node) -> int:
    """Binds a name to a value of the type whose path begins there. Returns where the path ends."""
    while at < len(tokens) and tokens[at].type in ("&", "mutable_specifier", "lifetime", "dyn", "impl"):
        at += 1
    if at >= len(tokens) or tokens[at].type not in NAMES:
        return at
    value = walker.type_name(tokens[at])
    while next_type(tokens, at) == "::" and next_type(tokens, at + 1) in NAMES:
        value = walker.member(value, tokens[at + 2], ANNOTATION)
        at += 2
    walker.bind(walker.text_of(name), walker.emit_typed(value, name.start_byte), name.end_byte, "annotation")
    return at + 1


def tokens_of_path(walker: DeclarativeWalker, tokens: list[Node], at: int) -> tuple[int, int]:
    """One chain of members and calls. Returns where it ends, and its value."""
    token = tokens[at]
    behind = tokens[at - 1].type if at else ""
    if behind == ".":
        value = walker.member(0, token)
    elif token.type == "crate" or (token.type in HEADS and next_type(tokens, at) == "::"):
        end = at
        while next_type(tokens, end) == "::" and next_type(tokens, end + 1) in NAMES:
            end += 2
        words = [walker.source_of(each) for each in tokens[at:end:2]]
        if not words:
            return at + 1, 0
        value = walker.member(module_path(walker, words, token), tokens[end])
        at = end
    else:
        value = walker.type_name(token, READ)
    at += 1
    while at < len(tokens):
        kind = tokens[at].type
        if kind in (".", "::") and (next_type(tokens, at) in NAMES or next_type(tokens, at) in walker.spec.primitives):
            value = walker.member(value, tokens[at + 1])
            at += 2
        elif kind == "token_tree" and walker.source[tokens[at].start_byte] == _OPEN:
            byte = walker.code[value + op.BYTE] if walker.drop_site(value) else tokens[at].start_byte
            value = walker.call(value, byte, [])
            token_tree(walker, tokens[at])
            at += 1
        elif kind == "!" and next_type(tokens, at) == "token_tree":
            name = walker.source_of(tokens[at - 1])
            call_macro(walker, value)
            at += 1
            values_given(walker, name, tokens[at])
            return at + 1, 0
        else:
            break
    return at, value


def next_type(tokens: list[Node], at: int) -> str:
    return str(tokens[at + 1].type) if at + 1 < len(tokens) else ""
