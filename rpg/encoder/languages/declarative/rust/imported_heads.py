"""`use sync::Tag;` where another `use` has imported `sync`: the path goes on from what that one names.

In: the `use` declarations of a file, in any order. Out: their imports, with paths that begin at a crate.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import is_module_within
from rpg.encoder.languages.declarative.rust.paths import HEADS, split
from rpg.encoder.languages.declarative.walker import DeclarativeWalker

_LONGEST = 8
"""Paths that go on from each other; more are a circle."""


def follow_imported_heads(walker: DeclarativeWalker) -> None:
    known: dict[tuple[int, str], list[str]] = {}
    for scope, name, _, words in walker.written_imports:
        if name and words[0] != name:  # `use walk::walk` leaves `walk` the crate
            known.setdefault((scope, name), words)
    if not known:
        return
    rewritten: dict[int, str] = {}
    for scope, _, statement, words in walker.written_imports:
        path = words
        for _ in range(_LONGEST):
            before = find_imported(walker, known, scope, path[0])
            if not before or before is words:
                break
            path = [*before, *path[1:]]
        if path is words:
            continue
        each = walker.imports[statement]
        module, name = split(path) if each.names else ("::".join(path), "")
        walker.imports[statement] = each._replace(module=module, names=(name,) if name else ())
        if name:
            rewritten[statement] = name
    for binding in walker.bindings if rewritten else ():
        value = binding.value
        if walker.code[value] == op.IMPORTED and walker.code[value + op.STATEMENT] in rewritten:
            walker.code[value + op.MEMBER] = walker.string(rewritten[walker.code[value + op.STATEMENT]])


def find_imported(
    walker: DeclarativeWalker, known: dict[tuple[int, str], list[str]], scope: int, head: str
) -> list[str] | None:
    """The path that a name was imported by, as it is seen in a scope: up to the module around it, and not beyond."""
    if head in HEADS:
        return None
    while scope >= 0:
        if (scope, head) in known:
            return known[scope, head]
        if is_module_within(walker.definitions, walker.scopes, scope):
            return None
        scope = walker.scopes[scope].parent
    return None
