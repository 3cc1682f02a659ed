"""Symbol ids of a file's definitions, its unnamed classes, and the definitions that are parts of another's symbol.

In: a file. Out: ids as the graph has them.
"""

from __future__ import annotations

from rpg.encoder.facts import ANONYMOUS
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.symbol_ids import local_ids


def symbol_ids(file: SourceFile) -> list[str]:
    """One per definition; for the module just the path. A definition that is not a symbol has the id of the enclosing
    one."""
    path = file.path
    return [f"{path}::{local}" if local else path for local in local_ids(file.definitions)]


def nameless(file: SourceFile) -> dict[int, int]:
    """Classes that are not symbols -> the enclosing named symbol."""
    found: dict[int, int] = {}
    for index, definition in enumerate(file.definitions):
        if ANONYMOUS in definition.flags:
            found[index] = found.get(definition.parent, definition.parent)
    return found


def parts(file: SourceFile) -> dict[int, int]:
    """Definitions that are part of the symbol of another one -> that one."""
    return {index: each.symbol for index, each in enumerate(file.definitions) if each.symbol >= 0}
