"""The places of a name that the index explains: definitions, and what edges lead from.

In: a symbol, its names, and the uses that were found. Out: the class of a place, or nothing; what another definition
has to do with the symbol that may be meant by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.graph import FUNCTION_KINDS, role_at
from rpg.queries.account.places import (
    CERTAIN,
    DECLARED,
    DEFINITION,
    LIBRARY,
    MEMBER_OF_TYPE,
    OTHER,
    OTHER_ACCESSOR,
    POSSIBLE,
    UNRESOLVED,
    Placed,
)
from rpg.queries.account.placing.handed_out import find_members_of_literals, names_of_members
from rpg.queries.graph.families import FIELD_KINDS, ancestors
from rpg.queries.graph.nodes import nodes_by_row
from rpg.queries.usages.usage_sites import UsageSite, means
from rpg.stores.index.edge_reads import list_sites_of_namesakes
from rpg.stores.index.place_reads import list_unresolved_places
from rpg.stores.index.symbol_reads import (
    find_extent,
    list_definition_places,
    list_members_of_types,
    list_symbols_called,
    list_symbols_on_line,
)

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

Place = tuple[str, int, int]
"""A file, a line and a column."""
_RANK: Final = {DEFINITION: 0, CERTAIN: 1, POSSIBLE: 2, UNRESOLVED: 3, LIBRARY: 4}
_SPREAD: Final = "..."
_KEYS: Final = re.compile(rb"\.\.\.|[\w$]+")


class Explained:
    """`is_settled`: whether a place where resolution found nothing of a name cannot mean the symbol."""

    def __init__(
        self, index: Index, node: Node, names: Iterable[str], uses: Iterable[UsageSite], is_settled: bool
    ) -> None:
        self.known: dict[Place, str] = {}
        """The class of the definition, of uses, and of what cannot mean the symbol."""
        self.others: dict[Place, int] = {}
        """The rows of other definitions, by where they are or are meant."""
        self._index, self._node = index, node
        self._defined: set[Place] = set()
        """Where other definitions are."""
        self._also: dict[Place, list[int]] = {}
        """Where several may be meant, the rows besides."""
        self._written: set[Place] = set()
        """Where they get another value, which is no use of a function that one of them may hold."""
        self._documented: set[tuple[str, int]] = set()
        self._reasons: dict[int, str] = {}
        """Why a use of another definition may mean the symbol, by the row of that."""
        for name in dict.fromkeys(names):
            self._add_name(name, is_settled)
        for use in uses:
            place = (use.path, use.line, use.column)
            known = self.known.get(place)
            if known is None or _RANK[use.section] < _RANK[known]:
                self.known[place] = use.section
            if use.kind == "documents":
                self._documented.add((use.path, use.line))

    def may_mean(self, rows: Iterable[int], reason: str) -> None:
        """Uses of these definitions may mean the symbol."""
        for row in rows:
            self._reasons.setdefault(row, reason)

    def explain(self, place: Place, placed: Placed) -> tuple[str, str]:
        """The class of a place, and why it may mean the symbol; both empty if nothing explains it."""
        kind = self.known.get(place, "")
        if kind:
            placed.met.add(place)
            return kind, ""
        other = self.others.get(place)
        if other is not None:
            for row in (other, *self._also.get(place, ())):
                # `const { total } = cart` defines a variable where it reads the member.
                is_defined = row == other and place in self._defined
                if row in self._reasons and not is_defined and not self._is_replaced(place, row):
                    return UNRESOLVED, self._reasons[row]
            placed.others.add(other)
            return OTHER, ""
        return (CERTAIN, "") if place[:2] in self._documented else ("", "")

    def _is_replaced(self, place: Place, other: int) -> bool:
        is_function = self._node.kind in FUNCTION_KINDS
        return is_function and self._reasons[other] == MEMBER_OF_TYPE and place in self._written

    def _add_name(self, name: str, is_settled: bool) -> None:
        index, own = self._index, self._node.row
        for path, line, column in list_unresolved_places(index, name) if is_settled else ():
            self.known[path, line, column] = LIBRARY
        for row, path, line, column in list_definition_places(index, name):
            if row == own:
                self.known[path, line, column] = DEFINITION
            else:
                self.others[path, line, column] = row
                self._defined.add((path, line, column))
        for row, path, kind, sites, roles in list_sites_of_namesakes(index, name, own):
            for position, site in enumerate(sites.split()):
                at_line, _, at_column = site.partition(":")
                place = (path, int(at_line), int(at_column))
                if self.others.setdefault(place, row) != row:
                    self._also.setdefault(place, []).append(row)
                if roles and role_at(kind, roles, position) == "writes":
                    self._written.add(place)


def explain_own_name(explained: Explained, index: Index, node: Node, is_of_object: bool) -> None:
    """Says of which other definitions of its name uses may mean the symbol."""
    members = _members_of_types(index, node) if is_of_object else _members_of_shapes(index, node)
    explained.may_mean(members, MEMBER_OF_TYPE)
    if not is_of_object:
        explained.may_mean(find_members_of_literals(index, node), MEMBER_OF_TYPE)
    explained.may_mean(_declarations(index, node), DECLARED)


def explain_other_name(explained: Explained, index: Index, node: Node) -> None:
    """The same for a name that the symbol is given: what is defined by the same words are other accessors of it."""
    same = list_symbols_on_line(index, node.path, node.name_line, node.kind)
    explained.may_mean((row for row in same if row != node.row), OTHER_ACCESSOR)


def is_declaration(path: str, language: str) -> bool:
    """Whether a file has declarations alone, of code that is elsewhere."""
    return language in BY_NAME and path.endswith(BY_NAME[language].declarations)


def _members_of_types(index: Index, node: Node) -> list[int]:
    """The members of its name that types declare, of which its object may be."""
    rows = list_members_of_types(index, node.name, ("interface", "type"))
    return [row for row, _, _, language in rows if means(node, language)]


def _members_of_shapes(index: Index, node: Node) -> list[int]:
    """The members of its name in types whose members all are in its class."""
    pattern = BY_NAME[node.language].rules.conforming if node.language in BY_NAME else None
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    is_of_value = around is not None and around.kind in FIELD_KINDS and node.kind in (*FUNCTION_KINDS, "property")
    if pattern is None or around is None or not (around.kind == "class" or is_of_value):
        return []
    own: set[str] = set()
    found: list[int] = []
    for row, parent, header, language in list_members_of_types(index, node.name):
        if parent == around.row or not means(node, language) or pattern.search(header) is None:
            continue
        needed = names_of_members(index, [parent])
        if is_of_value:
            own = own or _words_of_value(index, around)
            if _SPREAD in own or needed <= own:
                found.append(row)
            continue
        own = own or names_of_members(index, [around.row, *(each.row for each in ancestors(index, around))])
        if needed <= own and (node.kind == "method" or len(needed) > 1):
            found.append(row)
    return found


def _words_of_value(index: Index, node: Node) -> set[str]:
    """What may be a key of an object that a constant or field is given; `...` if it gets those of another, too."""
    first, last, _ = find_extent(index, node.row)
    text = b"\n".join(index.source(node.path).split(b"\n", last)[first - 1 : last])
    return {each.decode("utf-8", "replace") for each in _KEYS.findall(text)}


def _declarations(index: Index, node: Node) -> list[int]:
    """What declares it for others, in a file without code."""
    if is_declaration(node.path, node.language):
        return []
    around = node.qualified_name.split(".")[-2:]
    return [
        row
        for row, path, name, language in list_symbols_called(index, node.name)
        if means(node, language) and is_declaration(path, language) and name.split(".")[-2:] == around
    ]
