"""The symbols of files, and everything about a file that refers to nothing.

In: the facts of one file. Out: symbols, and what contains what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rpg.encoder.facts import Definition, FileFacts, Lines
from rpg.encoder.languages import BY_NAME, folders_of
from rpg.encoder.symbol_ids import local_ids
from rpg.graph import Edge, Symbol

_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_DOC_LIMIT: Final = 600
"""The most code points of a doc comment's first paragraph."""


def parts_of_text(facts: FileFacts) -> tuple[list[Symbol], list[Edge]]:
    """The symbols of a file that refers to nothing, and what contains what."""
    lines, definitions = Lines(facts), facts.definitions
    test = BY_NAME[facts.language].rules.is_test_code(facts.path, facts.definitions)
    ids = [f"{facts.path}::{local}" if local else facts.path for local in local_ids(definitions)]
    symbols = [
        symbol_of(facts, each, ids[index], lines, not index, test, None) for index, each in enumerate(definitions)
    ]
    children: dict[int, list[str]] = {}
    for index, each in enumerate(definitions[1:], 1):
        children.setdefault(each.parent, []).append(ids[index])
    edges = [Edge(id, child, "contains", "syntax") for index, id in enumerate(ids) for child in children.get(index, ())]
    return symbols, edges


def symbol_of(
    facts: FileFacts,
    definition: Definition,
    id: str,
    lines: Lines,
    is_file: bool,
    test: bool,
    references: tuple[int, int, int, int, int] | None,
) -> Symbol:
    """`is_file`: whether it is a text file as a whole."""
    line, column = lines.place(definition.name_byte) if definition.parent >= 0 else (0, 0)
    doc = _PARAGRAPH.split(definition.doc.strip(), maxsplit=1)[0].strip() if definition.doc else ""
    return Symbol(
        id, "file" if is_file else definition.kind, definition.name, definition.qualified_name, facts.path,
        facts.language, definition.start_line, definition.end_line, line, column, definition.signature,
        doc if len(doc) <= _DOC_LIMIT else doc[: _DOC_LIMIT - 1] + "…", definition.hash,
        definition.exported and definition.parent >= 0, test, tuple(definition.decorators),
        tuple(definition.modifiers), definition.returns, references,
    )  # fmt: skip


def list_children(paths: Iterable[str]) -> dict[str, list[str]]:
    """The files and folders directly in each folder, by its id."""
    paths = list(paths)
    found: dict[str, list[str]] = {}
    for path in [*paths, *(f"{folder}/" for folder in folders_of(paths) if folder)]:
        found.setdefault(path[: path.rfind("/", 0, len(path) - 1) + 1] or "./", []).append(path)
    return found


def part_of_folder(id: str, children: Iterable[str]) -> tuple[Symbol, list[Edge]]:
    """A folder, and that it contains what is directly in it."""
    symbol = Symbol(id, "directory", id.rstrip("/").rsplit("/", 1)[-1], id, id)
    return symbol, [Edge(id, child, "contains", "syntax") for child in sorted(children)]
