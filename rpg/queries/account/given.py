"""Where a symbol may stand under a name that a framework or a generator makes of its own.

In: a symbol. Out: places of such names that no edge and no definition explains: in pages, templates and strings, and
for names that data and generated code have, in code. They are not in the counts, which are of the symbol's own name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import ANYWHERE, VALUES, Given, spellings
from rpg.queries.account.occurrences import find_occurrences
from rpg.queries.account.places import Left, Placed
from rpg.queries.account.placing.placing import Placing
from rpg.queries.graph.families import ancestors
from rpg.queries.graph.nodes import nodes_by_row
from rpg.queries.usages.usage_sites import UsageSite

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

MOST_NAMES: Final = 8
SHORTEST: Final = 3
_CLASSES_ASKED: Final = 8


def places_of_given_names(
    index: Index, node: Node, uses: Iterable[UsageSite], covers: Callable[[str], bool]
) -> list[Left]:
    found: list[Left] = []
    for given in names_given(index, node):
        placed = Placed()
        placing = Placing(index, node, uses, given)
        for occurrences in find_occurrences(index, given.name, covers):
            placing.place(occurrences, placed)
        found += [each._replace(reason=f"named {given.name}: {each.reason}") for each in placed.left]
    return found


def names_given(index: Index, node: Node) -> list[Given]:
    if node.language not in BY_NAME:
        return []
    rules = BY_NAME[node.language].rules
    made = {each.name: each for each in rules.names_given(node.kind, node.name)}
    if rules.converted is not None and node.kind in VALUES and _is_converted(index, node, rules.converted):
        for name in spellings(node.name):
            made[name] = Given(name, ANYWHERE)
    made.pop(node.name, None)
    return [each for each in made.values() if len(each.name) >= SHORTEST][:MOST_NAMES]


def _is_converted(index: Index, node: Node, pattern: re.Pattern[bytes]) -> bool:
    """Whether a library spells the names of its class's fields in another way."""
    paths = dict.fromkeys([node.path, *(each.path for each in _around(index, node))])
    return any(pattern.search(index.source(path)) for path in list(paths)[:_CLASSES_ASKED])


def _around(index: Index, node: Node) -> Iterator[Node]:
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is not None:
        yield from ancestors(index, around)
