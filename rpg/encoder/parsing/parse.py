"""Bytes of one file in, its facts out. The only user of the trees of tree-sitter; no other file is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import BY_NAME, Language
from rpg.encoder.lowering.node import ReadPiece
from rpg.encoder.parsing.trees import tree_of
from rpg.encoder.recursion import allow_deep_calls
from rpg.encoder.unparsable import Unparsable

if TYPE_CHECKING:
    from rpg.encoder.lowering.node import Node
    from rpg.encoder.parsing.trees import Tree


def parse(path: str, language: Language, source: bytes) -> FileFacts:
    """The facts of a file. `source` is UTF-8 without a byte order mark.

    Syntax errors leave the facts of the surrounding code intact and are recorded in `problems`. Raises RecursionError
    if the source is nested too deeply, and Unparsable if it would take too long.
    """
    if not language.refers:
        text = language.lowering(path, language.name, source)
        text.lower()
        return text.finish()  # type: ignore[no-any-return]
    allow_deep_calls()
    if language.is_too_deep(source):
        raise RecursionError
    if language.has_regions:
        return _parse_regions(path, language, source)
    if not language.grammar:
        text = language.lowering(path, language.name, source, _example_reader(path))
        text.lower()
        return text.finish()  # type: ignore[no-any-return]
    tree = tree_of(language.grammar, source)
    pieces = _example_reader(path) if language.has_examples else _piece_reader(language.grammar, tree, source)
    lowering = language.lowering(path, language.name, source, pieces)
    root = tree.root_node
    lowering.lower(root)
    root = lowering.root_read(root)
    if root.has_error:
        lowering.problems += _errors(root, lowering.is_understood)
    facts: FileFacts = lowering.finish()
    return facts


def _piece_reader(grammar: str, tree: Tree, source: bytes) -> ReadPiece:
    """Parses pieces of a file, which stand at some byte of it, and the file with parts of it blanked."""

    def read(piece: bytes, at: int = 0) -> Node:
        known = _copy_edited(tree, source, piece) if len(piece) == len(source) and not at else None
        return tree_of(grammar, piece, at, known).root_node

    return read


def _copy_edited(tree: Tree, source: bytes, blanked: bytes) -> Tree | None:
    """A copy of a file's tree that knows which lines differ; None if they are not the same lines."""
    edited = tree.copy()
    lines, others = source.split(b"\n"), blanked.split(b"\n")
    if len(lines) != len(others):
        return None
    at = 0
    for row, line in enumerate(lines):
        size = len(line)
        if line != others[row]:
            if size != len(others[row]):
                return None
            edited.edit(at, at + size, at + size, (row, 0), (row, size), (row, size))
        at += size + 1
    return edited


def _example_reader(path: str) -> Callable[[str, bytes], FileFacts | None]:
    """Reads pieces of code in a document by their language; None for anything else."""

    def read(language: str, piece: bytes) -> FileFacts | None:
        try:
            facts = parse(path, BY_NAME[language], piece)
        except (RecursionError, Unparsable):
            return None
        return None if facts.problems else facts

    return read


def _parse_regions(path: str, language: Language, source: bytes) -> FileFacts:
    """The facts of a file whose lowering finds regions of other languages and has each parsed in place."""
    damaged: list[tuple[Any, int]] = []
    """Roots with errors, and the lines before them."""

    def region(grammar: str, text: bytes, start: int, end: int, at: int = 0) -> Any:
        tree = tree_of(grammar, memoryview(text)[start:end], at + start)
        root = tree.root_node
        if root.has_error and len(damaged) < 20:
            damaged.append((root, source.count(b"\n", 0, at + start)))
        return root

    lowering = language.lowering(path, language.name, source, region)
    lowering.lower()
    problems: list[str] = []
    for root, line in damaged:
        problems += _errors(root, lowering.is_understood, 5 - len(problems), line)
    lowering.problems += problems
    facts: FileFacts = lowering.finish()
    return facts


def _errors(root: Any, is_understood: Callable[[Any], bool], most: int = 5, lines: int = 0) -> list[str]:
    """`line: message` of the first syntax errors, except valid code that just the grammar does not know. `lines` are
    before what was parsed."""
    found: list[str] = []
    stack = [root]
    while stack and len(found) < most:
        node = stack.pop()
        if node.is_missing:
            if not is_understood(node):
                found.append(f"{lines + node.start_point[0] + 1}: {node.type} is missing")
        elif node.type == "ERROR":
            if not is_understood(node):
                found.append(f"{lines + node.start_point[0] + 1}: not understood")
        elif node.has_error:
            stack.extend(reversed(node.children))
    return found
