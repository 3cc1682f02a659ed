"""Bytes of one file in, its facts out. The one room that knows tree-sitter; no other file is looked at."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Parser

_DEEPEST = 20_000
"""Python frames: source nested deeper than that is recorded as a problem and left out."""


@cache
def parser(grammar: str) -> Parser:
    from tree_sitter import Parser
    from tree_sitter_language_pack import get_language

    return Parser(get_language(grammar))  # type: ignore[arg-type]


def parse(path: str, language: Language, source: bytes) -> FileFacts:
    """The facts of a file. `source` is UTF-8 without a byte order mark.

    Syntax errors leave the facts of what surrounds them, and stand in `problems`.
    Raises RecursionError where the source is nested beyond measure.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    of_grammar = parser(language.grammar)
    tree = of_grammar.parse(source)
    lowering = language.lowering(path, language.name, source, lambda piece: of_grammar.parse(piece).root_node)
    root = tree.root_node
    lowering.lower(root)
    if root.has_error:
        lowering.problems += _errors(root)
    facts: FileFacts = lowering.finish()
    return facts


def _errors(root: Any, most: int = 5) -> list[str]:
    """`line: message` of the first syntax errors."""
    found: list[str] = []
    stack = [root]
    while stack and len(found) < most:
        node = stack.pop()
        if node.is_missing:
            found.append(f"{node.start_point[0] + 1}: {node.type} is missing")
        elif node.type == "ERROR":
            found.append(f"{node.start_point[0] + 1}: not understood")
        elif node.has_error:
            stack.extend(reversed(node.children))
    return found
