"""Symbol ids of a file's definitions, and its unnamed classes.

In: a file. Out: ids as the graph has them.
"""

from __future__ import annotations

from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.symbol_ids import is_symbol, local_ids


def symbol_ids(file: SourceFile) -> list[str]:
    """One per definition; for the module just the path. A definition that is not a symbol has the id of the enclosing
    one."""
    path = file.path
    return [f"{path}::{local}" if local else path for local in local_ids(file.definitions)]


def nameless(file: SourceFile) -> dict[int, int]:
    """Classes that are not symbols -> the enclosing named symbol."""
    found: dict[int, int] = {}
    for index, definition in enumerate(file.definitions):
        if not is_symbol(definition):
            found[index] = found.get(definition.parent, definition.parent)
    return found
