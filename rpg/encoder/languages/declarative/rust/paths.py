"""Rust's paths: `use` declarations, `a::b::c` in expressions and types, and calls in the tokens of macros.

In: nodes. Out: imports and expressions.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.facts import ANNOTATION, READ, Import
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.operations import ATTRIBUTE, BYTE, IMPORT, IMPORTED, LIST

_HEADS: Final = frozenset(("crate", "super", "self"))
_NAMES: Final = frozenset(("identifier", "self", "super", "crate", "type_identifier"))


# use


def use_declaration(walker: DeclarativeWalker, node: Node) -> int:
    argument = node.child_by_field_name("argument")
    if argument is not None:
        use_tree(walker, argument, [])
    return 0


def extern_crate(walker: DeclarativeWalker, node: Node) -> int:
    """`extern crate a as b`, which names a crate as `use` does."""
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if name is not None and walker.text_of(name) != "self":
        use_name(walker, name, words_of(walker, name), walker.text_of(alias) if alias is not None else "")
    return 0


def use_tree(walker: DeclarativeWalker, node: Node, before: list[str]) -> None:
    """One branch of a `use`; `before`: the path in front of it."""
    kind = node.type
    if kind == "use_list":
        for child in node.named_children:
            use_tree(walker, child, before)
    elif kind == "scoped_use_list":
        path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
        if inner is not None:
            use_tree(walker, inner, before + words_of(walker, path))
    elif kind == "use_as_clause":
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
        if path is not None and alias is not None:
            use_name(walker, path, before + words_of(walker, path), walker.text_of(alias))
    elif kind == "use_wildcard":
        inner = node.named_children[0] if node.named_child_count else None
        words = outer_of(walker, before + words_of(walker, inner))
        if words and words != ["self"] and not words[-1][:1].isupper():
            walker.imports.append(Import("::".join(words), 0, node.start_byte, 0, "star"))
    elif kind in _NAMES or kind == "scoped_identifier":
        use_name(walker, node, before + words_of(walker, node), "")


def use_name(walker: DeclarativeWalker, node: Node, words: list[str], alias: str) -> None:
    words = outer_of(walker, words)
    if words[-1] == "self" and len(words) > 1:
        words = words[:-1]
    elif len(words) > 1:
        module, name = split(words)
        value = imported(walker, module, name, node.start_byte)
        bound = alias or words[-1]
        if bound != "_":
            walker.bind(bound, value, walker.scopes[walker.scope].start_byte)
        return
    walker.imports.append(Import("::".join(words), 0, node.start_byte, 0))
    value = walker.emit(IMPORT, node.start_byte, len(walker.imports) - 1)
    walker.bind(alias or words[-1], value, walker.scopes[walker.scope].start_byte)


def imported(walker: DeclarativeWalker, module: str, name: str, byte: int, kind: str = "") -> int:
    walker.imports.append(Import(module, 0, byte, 0, kind, (name,)))
    return walker.emit(IMPORTED, byte, len(walker.imports) - 1, walker.string(name))


def split(words: list[str]) -> tuple[str, str]:
    """Module and name: what begins with the first capitalised word is a type and what is in it."""
    at = next((at for at, word in enumerate(words) if word[:1].isupper()), len(words) - 1)
    at = max(at, 1) if len(words) > 1 else at
    return "::".join(words[:at]), ".".join(words[at:])


def words_of(walker: DeclarativeWalker, node: Node | None) -> list[str]:
    return "".join(walker.source_of(node).split()).split("::") if node is not None else []


def outer_of(walker: DeclarativeWalker, words: list[str]) -> list[str]:
    """A path as it would be written at the top of the file: `super` in a module within the file is the file's own."""
    depth = len(walker.spaces)
    if not depth or not words or words[0] not in ("super", "self"):
        return words
    count = 0
    while count < len(words) and words[count] == "super":
        count += 1
    if count > depth:
        return words[depth:]
    return ["self", *walker.spaces[: depth - count], *words[count + (words[0] == "self") :]]


def module_item(walker: DeclarativeWalker, name: Node) -> None:
    """`mod x;`"""
    text = walker.text_of(name)
    words = ["self", *walker.spaces, text]
    walker.imports.append(Import("::".join(words), 0, name.start_byte, 0))
    value = walker.emit(IMPORT, name.start_byte, len(walker.imports) - 1)
    walker.bind(text, value, walker.scopes[walker.scope].start_byte)


# Paths


def path_expression(walker: DeclarativeWalker, node: Node) -> int:
    """`a::b::c` among expressions."""
    return path(walker, node, READ)


def path_type(walker: DeclarativeWalker, node: Node) -> int:
    return path(walker, node, ANNOTATION)


def path(walker: DeclarativeWalker, node: Node, role: int) -> int:
    holder, name = node.child_by_field_name("path"), node.child_by_field_name("name")
    if name is None:
        return walker.through(node)
    if holder is None:
        return walker.type_name(name, role)
    return walker.member(holder_of(walker, holder), name, role)


def holder_of(walker: DeclarativeWalker, node: Node) -> int:
    """What is in front of `::`."""
    kind = node.type
    if kind == "bracketed_type":
        inner = node.named_children[0] if node.named_child_count else None
        if inner is not None and inner.type == "qualified_type":
            own, alias = inner.child_by_field_name("type"), inner.child_by_field_name("alias")
            if own is not None:
                type_of(walker, own)
            return type_of(walker, alias) if alias is not None else 0
        return type_of(walker, node)
    if kind not in _NAMES and kind not in ("scoped_identifier", "scoped_type_identifier"):
        return type_of(walker, node)
    words = words_of(walker, node)
    head = words[0]
    if head in walker.modules and not walker.spaces and not any("<" in word for word in words):
        return module_path(walker, ["self", *words], node)  # a function may have its name, too
    is_module = head in _HEADS or (head[:1].islower() and walker.scope_of(head) < 0 and head not in walker.bound[0])
    if is_module and not any("<" in word for word in words):
        return module_path(walker, words, node)
    if kind in _NAMES:
        # A variable that has the name of a module is no part of a path.
        is_of_file = head[:1].islower() and head in walker.bound[0]
        return walker.name_in(0, node, READ) if is_of_file else walker.type_name(node, READ)
    return path(walker, node, READ)


def module_path(walker: DeclarativeWalker, words: list[str], node: Node) -> int:
    """A path that begins at a module or crate."""
    words = outer_of(walker, words)
    at = next((at for at, word in enumerate(words) if word[:1].isupper()), len(words))
    start = node.start_byte
    walker.imports.append(Import("::".join(words[:at]), 0, start, 0, "parent"))
    value = walker.emit(IMPORT, start, len(walker.imports) - 1)
    for word in words[at:]:
        value = walker.emit(ATTRIBUTE, start, value, walker.string(word))
        walker.site(value, READ)
    return value


# Macros


def macro_invocation(walker: DeclarativeWalker, node: Node) -> int:
    named = node.child_by_field_name("macro")
    is_list = named is not None and walker.source_of(named) == "vec"
    items: list[int] = []
    if named is not None and named.type == "identifier" and not only_function(walker, named):
        callee = walker.identifier(named)
        walker.drop_site(callee)
        walker.call(callee, named.start_byte, [])
    around = walker.enter_block(node)
    for child in node.named_children:
        if child.type == "token_tree":
            items += values_in(walker, child)
    walker.leave_block(around)
    return walker.emit(LIST, node.start_byte, len(items), *items) if is_list else 0


def only_function(walker: DeclarativeWalker, name: Node) -> bool:
    """Whether what the file itself has by a name are functions alone: macros have names of their own."""
    return walker.source_of(name) in walker.functions_of_file


def token_tree(walker: DeclarativeWalker, node: Node) -> int:
    values_in(walker, node)
    return 0


def values_in(walker: DeclarativeWalker, node: Node) -> list[int]:
    """Names, paths and calls in the tokens that a macro is given, as far as they look like an expression. Returns the
    expressions that stand alone between commas."""
    tokens = node.children
    values: list[int] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        kind = token.type
        if kind == "token_tree":
            token_tree(walker, token)
        elif kind in walker.spec.comments:
            walker.comment(token)
        elif kind == "|":
            at = parameters_of_tokens(walker, tokens, at)
            continue
        elif kind == "let":
            at = variable_of_tokens(walker, tokens, at)
            continue
        elif kind in _NAMES:
            first = at
            at, value = tokens_of_path(walker, tokens, at)
            before = tokens[first - 1].type if first else ","
            behind = tokens[at].type if at < len(tokens) else ","
            if value and before in ("[", "(", ",") and behind in ("]", ")", ",", ";"):
                values.append(value)
            continue
        at += 1
    return values


def parameters_of_tokens(walker: DeclarativeWalker, tokens: list[Node], at: int) -> int:
    """`|cart: &Cart, mut owner: Owner|`: binds what has a type. Returns where it ends; what is no list of parameters is
    read like all else."""
    end = at + 1
    while end < len(tokens) and (tokens[end].type in _IN_PARAMETERS or tokens[end].type in _NAMES):
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
    if kind != "=" or next_type(tokens, at + 1) not in _NAMES:
        return at + 1
    at, value = tokens_of_path(walker, tokens, at + 2)
    is_whole = at < len(tokens) and tokens[at].type == ";"
    walker.bind(walker.text_of(name), value if is_whole else 0, name.end_byte)
    return at


def type_of_tokens(walker: DeclarativeWalker, tokens: list[Node], at: int, name: Node) -> int:
    """Binds a name to a value of the type whose path begins there. Returns where the path ends."""
    while at < len(tokens) and tokens[at].type in ("&", "mutable_specifier", "lifetime", "dyn", "impl"):
        at += 1
    if at >= len(tokens) or tokens[at].type not in _NAMES:
        return at
    value = walker.type_name(tokens[at])
    while next_type(tokens, at) == "::" and next_type(tokens, at + 1) in _NAMES:
        value = walker.member(value, tokens[at + 2], ANNOTATION)
        at += 2
    walker.bind(walker.text_of(name), walker.typed_value(value, name.start_byte), name.end_byte, "annotation")
    return at + 1


_IN_PARAMETERS: Final = frozenset({",", ":", "::", "&", "<", ">", "mutable_specifier", "lifetime", "dyn", "impl"})


def tokens_of_path(walker: DeclarativeWalker, tokens: list[Node], at: int) -> tuple[int, int]:
    """One chain of members and calls. Returns where it ends, and its value."""
    token = tokens[at]
    behind = tokens[at - 1].type if at else ""
    if behind == ".":
        value = walker.member(0, token)
    elif token.type == "crate" or (token.type in _HEADS and next_type(tokens, at) == "::"):
        end = at
        while next_type(tokens, end) == "::" and next_type(tokens, end + 1) in _NAMES:
            end += 2
        words = [walker.source_of(each) for each in tokens[at:end:2]]
        if not words:
            return at + 1, 0
        value = walker.member(module_path(walker, words, token), tokens[end])
        at = end
    elif next_type(tokens, at) == "!" and only_function(walker, token):
        return at + 1, 0
    else:
        value = walker.type_name(token, READ)
    at += 1
    while at < len(tokens):
        kind = tokens[at].type
        if kind in (".", "::") and next_type(tokens, at) in _NAMES:
            value = walker.member(value, tokens[at + 1])
            at += 2
        elif kind == "token_tree" and walker.source[tokens[at].start_byte] == _OPEN:
            byte = walker.code[value + BYTE] if walker.drop_site(value) else tokens[at].start_byte
            value = walker.call(value, byte, [])
            token_tree(walker, tokens[at])
            at += 1
        elif kind == "!" and next_type(tokens, at) == "token_tree":
            if walker.drop_site(value):
                walker.call(value, walker.code[value + BYTE], [])
            at += 1
            token_tree(walker, tokens[at])
            return at + 1, 0
        else:
            break
    return at, value


_OPEN: Final = ord("(")


def next_type(tokens: list[Node], at: int) -> str:
    return str(tokens[at + 1].type) if at + 1 < len(tokens) else ""
