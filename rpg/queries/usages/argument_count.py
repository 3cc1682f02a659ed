"""Which unresolved calls cannot mean a function, because it does not take so many arguments.

In: a function or method. Out: places. Only in languages that refuse such a call, and where its signature says it all:
what is decorated may be called otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.arguments_taken import find_numbers_taken
from rpg.stores.index.place_reads import list_counted_calls

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index


def find_misfits(index: Index, node: Node) -> set[tuple[str, int, int]]:
    """The unresolved calls of its name with more or fewer arguments: path, line, column."""
    if node.kind not in ("function", "method") or node.language not in BY_NAME:
        return set()
    if not BY_NAME[node.language].rules.always_checks_arguments:
        return set()
    calls = list_counted_calls(index, node.name, node.language)
    least, most = find_numbers_taken(index, node) if calls else (0, None)
    return {
        (path, line, column)
        for path, line, column, number in calls
        if number < least or (most is not None and number > most)
    }
