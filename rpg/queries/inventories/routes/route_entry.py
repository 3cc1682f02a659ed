"""A route as a line of the inventory.

In: what a framework's module read of a route. Out: its entry.
"""

from __future__ import annotations

from rpg.queries.inventories.code_file import CodeFile
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.source_text import COMPUTED


def route_entry(file: CodeFile, line: int, by: str, methods: str, path: str, handler: str) -> Entry:
    return Entry(
        name=path,
        kind=methods,
        handler=handler,
        by=by,
        places=[f"{file.path}:{line}"],
        computed=COMPUTED in path,
        test=file.test,
    )
