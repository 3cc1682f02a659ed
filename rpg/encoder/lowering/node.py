"""The type of a syntax tree node, so that lowering need not import a parser.

Not compiled: the name means something else to the type checker than at run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tree_sitter import Node as Node
else:
    Node = object


class ReadPiece(Protocol):
    """Parses a piece of code. Its nodes have the places that they have in the file if `at` says where it stands."""

    def __call__(self, piece: bytes, at: int = 0, /) -> Node: ...


class ParseRegion(Protocol):
    """Parses what is between two bytes of a text in a grammar. The text stands at a byte of its file."""

    def __call__(self, grammar: str, text: bytes, start: int, end: int, at: int = 0, /) -> Node: ...


def pieces_of(parse_region: ParseRegion, grammar: str) -> ReadPiece:
    return lambda piece, at=0: parse_region(grammar, piece, 0, len(piece), at)


def errors_in(root: Node) -> int:
    if not root.has_error:
        return 0
    count = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            count += 1
        if node.has_error:
            stack.extend(node.children)
    return count
