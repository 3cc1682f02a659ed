"""Checks that the contents of a graph file have the types that all other code relies on: anybody may have made the
file.

In: a header, a symbol or an edge as read. Out: yes or no. Unknown fields are not checked, nor is the truth of anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rpg.graph import ROLES, Edge, Symbol

LARGEST = (1 << 53) - 1
"""The largest integer that every JSON reader represents exactly."""
WORD_CHARACTERS = 64
"""Kinds, rules and languages are words that rpg defines."""
TEXTS = (0, 2, 3, 4, 10, 11, 12, 17)
WORDS = (1, 5)
NUMBERS = (6, 7, 8, 9)


def is_symbol(symbol: Symbol) -> bool:
    for at in TEXTS:
        if type(symbol[at]) is not str:
            return False
    for at in WORDS:
        if not is_word(symbol[at]):
            return False
    for at in NUMBERS:
        if not is_count(symbol[at]):
            return False
    if type(symbol.exported) is not bool or type(symbol.test) is not bool:
        return False
    if not all(type(each) is str for each in (*symbol.decorators, *symbol.modifiers)):
        return False
    return symbol.references is None or all(map(is_count, symbol.references))


def is_edge(edge: Edge) -> bool:
    if edge.roles and not (
        type(edge.roles) is str and len(edge.roles) == len(edge.sites) and all(letter in ROLES for letter in edge.roles)
    ):
        return False
    return is_word(edge.kind) and is_word(edge.via) and all(is_count(a) and is_count(b) for a, b in edge.sites)


def is_tree(edges: Iterable[Edge]) -> bool:
    """Whether every symbol has at most one parent, and none contains itself."""
    parents: dict[str, str] = {}
    for source, target, kind, _, _, _ in edges:
        if kind == "contains" and parents.setdefault(target, source) != source:
            return False
    rooted: set[str] = set()
    for symbol in parents:
        ancestors: set[str] = set()
        while symbol in parents and symbol not in rooted:
            if symbol in ancestors:
                return False
            ancestors.add(symbol)
            symbol = parents[symbol]
        rooted |= ancestors
    return True


def is_header(header: dict[str, Any]) -> bool:
    """Checks the fields that are read somewhere."""
    get = header.get
    return (
        is_of(get("repository", {}), (str, bool))
        and is_of(get("options", {}), (str, bool, int, list, type(None)))
        and is_of(get("tiers", {}), (str,))
        and is_of(get("not_parsed", {}), (int,))
        and all(is_of_tables(get(name, {}), (int, float)) for name in ("languages", "references", "confidence"))
        and all(is_list_of_tables(get(name, [])) for name in ("skipped", "problems", "limited"))
        and all(is_list_of_words(each.get("words", [])) for each in get("limited", []))
    )


def is_word(value: object) -> bool:
    return type(value) is str and len(value) <= WORD_CHARACTERS


def is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def is_of(value: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, dict) and all(type(each) in kinds for each in value.values())


def is_of_tables(value: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, dict) and all(is_word(key) and is_of(each, kinds) for key, each in value.items())


def is_list_of_words(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is str for each in value)


def is_list_of_tables(value: object) -> bool:
    """Skipped files, and those with parse errors: each with its path."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and all(type(each.get(key, "")) is str for key in ("path", "reason")) for each in value
    )
