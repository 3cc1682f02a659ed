"""Items that stand inside the braces of a macro's call: `pin_project! { pub struct Cart { … } }`.

In: the call of a macro among items. Out: a tree of its items, read as if the call were not around them; where a macro
has a grammar of its own (`struct Flags: u32 { … }`), of their heads alone, and the tokens that are left. A name that
also stands outside, or in another branch of `cfg_if!`, may mean each of them: the macro chooses.

Absent: what is inside a function, or given as an expression: `quote! { struct Cart; }` is data there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rpg.encoder.languages.declarative.walker import DeclarativeWalker, Items
from rpg.encoder.lowering.node import Node

HEADS: Final = frozenset({"struct", "enum", "trait", "fn", "static", "const", "type", "mod"})
"""What stands before the name of an item."""
_WITH_BODY: Final = frozenset({"struct", "enum", "trait", "fn"})
"""Those whose name says what they are, whatever their grammar is."""
_DEFINING: Final = frozenset(
    """struct_item enum_item union_item function_item function_signature_item trait_item impl_item const_item
    static_item type_item mod_item use_declaration macro_definition""".split()
)
_BESIDE: Final = frozenset(
    """attribute_item inner_attribute_item line_comment block_comment macro_invocation extern_crate_declaration
    foreign_mod_item empty_statement""".split()
)
_BEFORE_HEAD: Final = frozenset(
    {"#", "pub", "unsafe", "async", "extern", "string_literal", "line_comment", "block_comment"}
)
_OF_CHOICE: Final = frozenset({"if", "else", "#", "token_tree", "line_comment", "block_comment"})
_OPENING: Final = ord("{")
_CLOSING: Final = ord("}")
_DEEPEST: Final = 8
"""Macros in macros: what is in the innermost is parsed so many times."""


def items_of(walker: DeclarativeWalker, macro: Node) -> list[Items]:
    """Empty if the tokens are no items."""
    if len(walker.macros_around) >= _DEEPEST or not stands_among_items(macro):
        return []
    tree = next((child for child in macro.named_children if child.type == "token_tree"), None)
    return list(read_items(walker, tree)) if tree is not None else []


def read_items_at_top(walker: DeclarativeWalker, root: Node) -> list[Node]:
    """The trees of what stands in macros that are called at the top of a file: it may declare modules and macros."""
    for child in root.named_children:
        macro = child.named_children[0] if child.type == "expression_statement" and child.named_child_count else child
        if macro.type == "macro_invocation":
            walker.items_in_macros[macro.start_byte] = items_of(walker, macro)
    return [items.root for several in walker.items_in_macros.values() for items in several]


def stands_among_items(macro: Node) -> bool:
    around = macro.parent
    if around is not None and around.type == "expression_statement":
        around = around.parent
    if around is None or around.type == "source_file":
        return around is not None
    return around.type == "declaration_list" and around.parent is not None and around.parent.type == "mod_item"


def read_items(walker: DeclarativeWalker, tree: Node) -> Iterator[Items]:
    start, end = tree.start_byte + 1, tree.end_byte - 1
    if walker.source[tree.start_byte] != _OPENING or tree.child_count < 3:
        return
    tokens = tree.children[1:-1]
    if any(token.type in HEADS or token.type in ("use", "impl") for token in tokens):
        root = walker.parse(walker.source[start:end], start)
        if is_all_items(root):
            yield Items(root, tree.start_byte, tree.end_byte)
        else:
            yield from read_heads(walker, tree, tokens)
    elif tokens[0].type == "if" and is_choice(walker, tokens):
        for token in tokens:
            if token.type == "token_tree":
                yield from read_items(walker, token)


def is_choice(walker: DeclarativeWalker, tokens: list[Node]) -> bool:
    """`if #[cfg(unix)] { … } else { … }`"""
    return all(
        token.type in _OF_CHOICE or (token.type == "identifier" and walker.source_of(token) == "else")
        for token in tokens
    )


def is_all_items(root: Node) -> bool:
    kinds = {child.type for child in root.named_children}
    return not root.has_error and kinds <= _DEFINING | _BESIDE and not kinds.isdisjoint(_DEFINING)


def read_heads(walker: DeclarativeWalker, tree: Node, tokens: list[Node]) -> Iterator[Items]:
    """The items whose parts have a grammar of the macro: attributes, head, and braces that are left empty."""
    start, end = tree.start_byte + 1, tree.end_byte - 1
    piece = bytearray(b" " * (end - start))
    unread: list[tuple[int, list[Node]]] = []
    rest: list[Node] = []
    at = first = 0
    while at < len(tokens):
        body = find_body(walker, tokens, at)
        if body < 0:
            if not stands_before_head(walker, tokens[at]):
                rest += tokens[first : at + 1]
                first = at + 1
            at += 1
            continue
        name = tokens[at + 1]
        begin, named = tokens[first].start_byte - start, name.end_byte - start
        piece[begin:named] = walker.source[begin + start : name.end_byte]
        if tokens[at].type == "fn":
            piece[named : named + 2] = b"()"
        piece[tokens[body].start_byte - start] = _OPENING
        piece[tokens[body].end_byte - 1 - start] = _CLOSING
        unread.append((name.start_byte, tokens[at + 2 : body + 1]))
        at = first = body + 1
    root = walker.parse(bytes(piece), start) if unread else None
    if root is not None and is_all_items(root):
        yield Items(root, tree.start_byte, tree.end_byte, (*unread, (0, rest + tokens[first:])))


def stands_before_head(walker: DeclarativeWalker, token: Node) -> bool:
    """Whether it may belong to the item behind it."""
    is_tree = token.type == "token_tree"
    return walker.source[token.start_byte] != _OPENING if is_tree else token.type in _BEFORE_HEAD


def find_body(walker: DeclarativeWalker, tokens: list[Node], at: int) -> int:
    """The braces of the item whose head begins there; -1 if none does."""
    if tokens[at].type not in _WITH_BODY or at + 1 >= len(tokens) or tokens[at + 1].type != "identifier":
        return -1
    for body in range(at + 2, len(tokens)):
        token = tokens[body]
        if token.type == ";" or token.type in HEADS:
            return -1
        if token.type == "token_tree" and walker.source[token.start_byte] == _OPENING:
            has_room = token.start_byte >= tokens[at + 1].end_byte + len("()")
            return body if has_room or tokens[at].type != "fn" else -1
    return -1
