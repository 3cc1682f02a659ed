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
from rpg.queries.account.occurrences import LinesOf, find_occurrences
from rpg.queries.account.placing import LITERAL, PAGES, Left, Placed, Placing
from rpg.queries.graph.families import ancestors
from rpg.queries.graph.nodes import nodes_by_row
from rpg.queries.usages.usage_sites import UsageSite

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

MOST_NAMES: Final = 8
COMPOSED: Final = "a name that begins so is put together there"
_COMPOSING: Final = (b"$", b"{", b"#", b"<", b"%", b'"', b"'", b"`")
"""What may stand behind the constant part of a name that code puts together."""
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


def find_composed_names(index: Index, node: Node, covers: Callable[[str], bool]) -> list[Left]:
    """Where code may put the name of a style sheet together: `btn-${kind}` for `btn-primary`."""
    if node.language not in BY_NAME or BY_NAME[node.language].family != PAGES:
        return []
    found: list[Left] = []
    for hyphen in re.finditer(r"\w-+(?=\w)", node.name):
        beginning = node.name[: hyphen.end()]
        for occurrences in find_occurrences(index, beginning, covers) if len(beginning) >= SHORTEST else ():
            file, text, lines = occurrences.file, occurrences.text, LinesOf(occurrences.text)
            language = BY_NAME.get(file.language)
            if language is None or language.is_prose or language.configures or language.family == PAGES:
                continue
            for offset in occurrences.offsets:
                if text[offset + len(beginning) : offset + len(beginning) + 1] in _COMPOSING:
                    found.append(Left(LITERAL, file.path, *lines.place(offset), file.test, COMPOSED))
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
