"""Longer names that a library takes apart to find a member: `author__name` of Django, `findByLastName` of Spring Data.

In: an index, a symbol. Out: the places that may mean it; no occurrence of its name stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import VALUES
from rpg.queries.account.occurrences import FILES_AT_ONCE, LinesOf, files_of
from rpg.queries.account.places import UNRESOLVED, Left
from rpg.queries.usages.usage_sites import is_member, means
from rpg.stores.search.trigrams import SHORTEST, files_among
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

JOINED: Final = "in a longer name that a library takes apart"


def find_joined_names(index: Index, node: Node, covers: Callable[[str], bool]) -> Iterator[Left]:
    rows = BY_NAME[node.language].rules.joined_names if node.language in BY_NAME else ()
    if not rows or node.kind not in VALUES or len(node.name) < SHORTEST or not is_member(index, node):
        return
    files = {id: each for id, each in files_of(index).items() if means(node, each.language) and covers(each.path)}
    for text, pattern in rows:
        needle, expression = (
            each.replace("{name}", node.name).replace("{Name}", node.name[:1].upper() + node.name[1:])
            for each in (text, pattern)
        )
        found = re.compile(expression.encode())
        some = sorted(files_among(index, needle, list(files)), key=lambda each: files[each].path)
        for at in range(0, len(some), FILES_AT_ONCE):
            deadline.check()
            packed = index.read_packed_sources(some[at : at + FILES_AT_ONCE])
            for id in (each for each in some[at : at + FILES_AT_ONCE] if each in packed):
                source = index.unpacked(*packed[id])
                lines = LinesOf(source)
                for match in found.finditer(source):
                    yield Left(UNRESOLVED, files[id].path, *lines.place(match.start()), files[id].test, JOINED)
