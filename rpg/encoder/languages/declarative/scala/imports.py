"""Imports in Scala: of what packages declare, and of the members of anything else, anywhere in a file.

In: nodes. Out: imports, bindings.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.scala.names import ScalaWalker
from rpg.encoder.lowering.node import Node


def import_declaration(walker: ScalaWalker, node: Node) -> int:
    """`import a.b.C`, `import a.{B, C => D}, e._`"""
    parts: list[str] = []
    start = -1
    is_done = False
    for child in node.children:
        kind = child.type
        if kind == ",":
            if parts and not is_done:
                add_import(walker, parts, "", start)
            parts, start, is_done = [], -1, False
        elif kind == "identifier" or kind == "operator_identifier":
            start = child.start_byte if start < 0 else start
            parts.append(walker.source_of(child))
        elif kind == "namespace_wildcard":
            add_import(walker, parts, "", start, True)
            is_done = True
        elif kind in ("namespace_selectors", "as_renamed_identifier", "arrow_renamed_identifier"):
            for each in child.named_children if kind == "namespace_selectors" else [child]:
                if each.type == "namespace_wildcard":
                    add_import(walker, parts, "", start, True)
                elif each.type == "identifier":
                    add_import(walker, [*parts, walker.source_of(each)], "", each.start_byte, start=start)
                elif each.named_child_count > 1 and each.named_children[1].type == "identifier":
                    named, alias = walker.source_of(each.named_children[0]), walker.source_of(each.named_children[1])
                    add_import(walker, [*parts, named], alias, each.start_byte, start=start)
            is_done = True
    if parts and not is_done:
        add_import(walker, parts, "", start)
    return 0


def add_import(
    walker: ScalaWalker, parts: list[str], alias: str, byte: int, is_star: bool = False, start: int = -1
) -> None:
    """An import: of what a package declares, or of a member of anything else. `start`: where the path begins that
    several have in common."""
    if not parts:
        return
    is_known = walker.holding_scope(parts[0]) >= 0
    if not is_known:
        bind_import(walker, ".".join(parts), byte, is_star, alias, binds=False)
    around = walker.scopes[walker.scope].kind
    scope = walker.scope if around in ("block", "class") else 0
    if is_star:
        walker.stars.setdefault(scope, []).append(walker.holder_of(parts, byte if start < 0 else start))
        return
    name = alias or parts[-1]
    if not is_known and first_type(parts) == len(parts) - 1:
        statement = len(walker.imports) - 1
        value = walker.emit(op.IMPORTED, byte, statement, walker.string(parts[-1]))
        walker.bind(name, value, 0, "", scope if around == "block" else 0)
    elif len(parts) > 1:
        holder, word = walker.holder_of(parts[:-1], byte if start < 0 else start), walker.string(parts[-1])
        walker.imported_members[scope, name] = holder, word
        # What a class binds is its member.
        if around == "block" or not scope:
            value = walker.emit(op.ATTRIBUTE, byte, walker.variable_at_top(holder, byte), word)
            walker.bind(name, value, 0, "", scope)


def first_type(parts: list[str]) -> int:
    """The position of the first part that is written like a type; behind the last if there is none."""
    return next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts))
