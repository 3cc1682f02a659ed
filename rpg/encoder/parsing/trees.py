"""From bytes to a syntax tree, by the parsers of tree-sitter.

In: a grammar, and bytes that stand somewhere in a file. Out: their tree, whose offsets are those of the file.

What a parser does is counted, in bytes that it reads: grammars look ahead for what closes a comment or a list, and
where nothing does, they look to the end of the file again and again. A file for which that is too much is left out,
and the same file on any machine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from rpg.encoder.unparsable import SLOW, Unparsable

if TYPE_CHECKING:
    from tree_sitter import Parser, Point
    from tree_sitter import Tree as Tree

_DEEPEST: Final = 4_000
"""Levels of the syntax tree: source nested deeper than that is recorded and left out. Lowering recurses with the
nesting, and compiled code has no limit but the end of the stack."""
_STRIDE: Final = 1_000
_CHUNK: Final = 4096
"""Bytes that a parser gets at a time. It has read them if it asks for what is behind; if it asks for something else, it
has gone back, or to the beginning of a line to count columns."""
_PER_CHUNK: Final = 64
MOST_READ: Final = 64_000_000
MOST_READ_PER_BYTE: Final = 64
"""How often a byte may be read: those that people write are read 1 to 13 times."""


@cache
def parser(grammar: str) -> Parser:
    from tree_sitter import Parser
    from tree_sitter_language_pack import get_language

    return Parser(get_language(grammar))  # type: ignore[arg-type]


def tree_of(grammar: str, text: bytes | memoryview, at: int = 0, known: Tree | None = None) -> Tree:
    """The tree of a text that stands at a byte of its file. `known`: an edited tree of what it is like. Raises
    RecursionError if it is nested too deeply."""
    from tree_sitter import Point, Range

    of_grammar = parser(grammar)
    view = memoryview(text)
    read = following = size = 0
    most = MOST_READ + MOST_READ_PER_BYTE * len(text)

    def chunk(byte: int, _: Point) -> bytes:
        nonlocal read, following, size
        read += size + _PER_CHUNK if byte == following else _PER_CHUNK
        found = bytes(view[byte - at : byte - at + _CHUNK])
        size = len(found)
        following = byte + size
        return found

    def is_too_much(_: int, __: bool) -> bool:
        return read > most

    of_grammar.included_ranges = [Range(Point(0, 0), Point(0, 0), at, at + len(text))] if at else []
    try:
        if known is not None:
            tree = of_grammar.parse(chunk, known, encoding="utf8", progress_callback=is_too_much)
        else:
            tree = of_grammar.parse(chunk, encoding="utf8", progress_callback=is_too_much)
    except ValueError:
        of_grammar.reset()
        if read > most:
            raise Unparsable(SLOW) from None
        raise
    if _is_too_deep(tree):
        raise RecursionError
    return tree


def _is_too_deep(tree: Tree) -> bool:
    """Certain if a level is `_STRIDE` below `_DEEPEST`: whatever contains that level has so many consecutive
    descendants, all of them too deep, that one of the samples is among them."""
    cursor = tree.walk()
    for index in range(0, tree.root_node.descendant_count, _STRIDE):
        cursor.goto_descendant(index)
        if cursor.depth > _DEEPEST:
            return True
    return False
