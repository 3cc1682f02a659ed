"""Rust's paths: `use` declarations, and `a::b::c` in expressions and types.

In: nodes. Out: imports and expressions.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, READ, Import
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.rust.rules import Rules
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

HEADS: Final = frozenset(("crate", "super", "self"))
NAMES: Final = frozenset(("identifier", "self", "super", "crate", "type_identifier"))


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
        if words and words[-1][:1].isupper():
            walker.starred_enums.append((walker.scope, node.start_byte, "::".join(words)))
        if words and words != ["self"] and not words[-1][:1].isupper():
            walker.written_imports.append((walker.scope, "", len(walker.imports), words))
            walker.imports.append(Import("::".join(words), 0, node.start_byte, 0, "star"))
    elif kind in NAMES or kind == "scoped_identifier":
        use_name(walker, node, before + words_of(walker, node), "")


def use_name(walker: DeclarativeWalker, node: Node, words: list[str], alias: str) -> None:
    words = outer_of(walker, words)
    is_module = words[-1] == "self" and len(words) > 1
    words = words[:-1] if is_module else words
    walker.written_imports.append((walker.scope, alias or words[-1], len(walker.imports), words))
    if not is_module and len(words) > 1:
        module, name = split(words)
        value = add_import(walker, module, name, node.start_byte)
        bound = alias or words[-1]
        if bound != "_":
            walker.bind(bound, value, walker.scopes[walker.scope].start_byte)
        return
    walker.imports.append(Import("::".join(words), 0, node.start_byte, 0))
    value = walker.emit(op.IMPORT, node.start_byte, len(walker.imports) - 1)
    walker.bind(alias or words[-1], value, walker.scopes[walker.scope].start_byte)


def bind_variants(walker: DeclarativeWalker) -> None:
    """`use Kind::*`, at the end of the file: each variant of an enum of the file is imported by its name."""
    if not walker.starred_enums:
        return
    enums = {each.qualified_name: index for index, each in enumerate(walker.definitions) if each.kind == "enum"}
    variants: dict[int, list[str]] = {}
    for each in walker.definitions:
        if each.kind == "field":
            variants.setdefault(each.parent, []).append(each.name)
    elsewhere: list[tuple[int, int]] = []
    for scope, byte, path in walker.starred_enums:
        words = path.split("::")
        within = words[words[0] == "self" :]
        own = enums.get(".".join(within), -1) if words[0] not in ("crate", "super") else -1
        *spaces, enum = within
        for variant in variants.get(own, ()):
            if variant not in walker.bound[scope]:
                value = add_import(walker, "::".join(("self", *spaces)), f"{enum}.{variant}", byte, "parent")
                walker.bind(variant, value, walker.scopes[scope].start_byte, "", scope)
        if own < 0 and (words[0] in HEADS or words[0][:1].isupper()):
            module, name = split(words if words[0] in HEADS else ["self", *words])
            elsewhere.append((scope, add_import(walker, module, name, byte, "parent")))
    if elsewhere:
        look_in_enums(walker, elsewhere)


def look_in_enums(walker: DeclarativeWalker, enums: list[tuple[int, int]]) -> None:
    """Capitalised names that nothing in the file binds may be variants of enums of other files, which it imports all
    of, as of whatever else its imports of all names bring. `enums`: scopes, and the enums that are known in them."""
    code, scopes, names = walker.code, walker.scopes, walker.texts
    kept: list[int] = []
    holders: dict[int, int] = {}
    for offset in walker.named:
        name = names[code[offset + op.WORD]]
        scope = code[offset + op.BINDER]
        behind = code[offset + op.BYTE] + len(name)
        is_generic = walker.source[behind : behind + 1] == b"<"  # no variant is
        is_capital = name[:1].isupper() and name not in Rules.builtins
        if not is_capital or is_generic or walker.lexical_scope(scope, name) >= 0:
            kept.append(offset)
            continue
        if scope not in holders:
            around = {scope}
            while scopes[scope].parent >= 0:
                scope = scopes[scope].parent
                around.add(scope)
            known = [value for each, value in enums if each in around]
            holder = 0
            if known:
                byte = code[known[0] + op.BYTE]
                walker.imports.append(Import("self", 0, byte, 0, "parent"))
                known.append(walker.emit(op.IMPORT, byte, len(walker.imports) - 1))
                holder = walker.emit(op.UNION, byte, len(known), *known)
            holders[code[offset + op.BINDER]] = holder
        holder = holders[code[offset + op.BINDER]]
        if not holder:
            kept.append(offset)
            continue
        word = code[offset + op.WORD]
        code[offset] = op.ATTRIBUTE
        code[offset + op.HOLDER], code[offset + op.MEMBER] = holder, word
    walker.named[:] = kept


def add_import(walker: DeclarativeWalker, module: str, name: str, byte: int, kind: str = "") -> int:
    walker.imports.append(Import(module, 0, byte, 0, kind, (name,)))
    return walker.emit(op.IMPORTED, byte, len(walker.imports) - 1, walker.string(name))


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
    value = walker.emit(op.IMPORT, name.start_byte, len(walker.imports) - 1)
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
    if kind not in NAMES and kind not in ("scoped_identifier", "scoped_type_identifier"):
        return type_of(walker, node)
    words = words_of(walker, node)
    head = words[0]
    if head in walker.modules and not walker.spaces and not any("<" in word for word in words):
        return module_path(walker, ["self", *words], node)  # a function may have its name, too
    is_module = head in HEADS or (head[:1].islower() and walker.scope_of(head) < 0 and head not in walker.bound[0])
    if is_module and not any("<" in word for word in words):
        return module_path(walker, words, node)
    if kind in NAMES:
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
    value = walker.emit(op.IMPORT, start, len(walker.imports) - 1)
    for word in words[at:]:
        value = walker.emit(op.ATTRIBUTE, start, value, walker.string(word))
        walker.site(value, READ)
    return value
