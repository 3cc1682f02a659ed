"""Which members of types may be a function or value that code hands out in a literal of an object, under its own name.

In: an index, a symbol. Out: the members of its name in types whose other members the literal has, too: `return { stop,
count }` may be of any type with both, whatever the function around says that it gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS
from rpg.queries.account.placing.recorded import Recorded
from rpg.queries.usages.usage_sites import means
from rpg.stores.index.edge_reads import list_reads_of
from rpg.stores.index.symbol_reads import list_members_of_types, list_signatures_of_members

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

MOST_READS: Final = 100
MOST_FILES: Final = 8
"""In how many places and files that name it literals are looked for."""
_OPTIONAL: Final = re.compile(r"\w\?\s*[:(]")


def find_members_of_literals(index: Index, node: Node) -> list[int]:
    pattern = BY_NAME[node.language].rules.conforming if node.language in BY_NAME else None
    if pattern is None or node.kind in CLASS_KINDS:
        return []
    types = [
        (row, parent)
        for row, parent, header, language in list_members_of_types(index, node.name)
        if means(node, language) and parent != node.parent and pattern.search(header) is not None
    ]
    literals = list(_keys_of_literals(index, node)) if types else []
    found: list[int] = []
    for row, parent in types if literals else ():
        needed = names_of_members(index, [parent])
        if needed and any(keys is None or needed <= keys for keys in literals):
            found.append(row)
    return found


def _keys_of_literals(index: Index, node: Node) -> Iterator[frozenset[str] | None]:
    """The keys of each literal that has it; None where it gets those of another object, too."""
    paths = {path for path, _ in list_reads_of(index, node.row)[:MOST_READS]}
    for path in [node.path, *sorted(paths - {node.path})[:MOST_FILES]]:
        facts = index.facts(path)
        if facts:
            line = node.name_line if path == node.path else 0
            yield from Recorded(facts).keys_of_literals(node.name, index.source(path), line)


def names_of_members(index: Index, rows: Iterable[int]) -> set[str]:
    """Without those that an object need not have."""
    return {
        name
        for row in rows
        for name, signature in list_signatures_of_members(index, row)
        if _OPTIONAL.match(signature, len(signature.partition(name)[0]) + len(name) - 1) is None
    }
