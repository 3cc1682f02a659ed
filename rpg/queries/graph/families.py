"""Symbols that a call may run in place of the one it names: constructors for their classes, and overriding methods.

In: a node. Out: nodes. The calls themselves are in usages.py and impact.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.nodes import Node, batches, nodes, nodes_by_row, nodes_of_all, placeholders
from rpg.stores.index.hierarchy_reads import (
    list_bases,
    list_bases_in_order,
    list_heirs,
    list_members_called,
    list_overridden,
    list_overriding,
    list_owners_among,
    list_owners_of_member,
)
from rpg.stores.index.symbol_reads import find_extent

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


_DECLARES = re.compile(r"(?:export )?(?:declare )?(?:module [\"']|namespace )")
"""What a module or namespace begins with that may add to one elsewhere."""
Step = Callable[["Index", Sequence[int]], list[int]]
"""A read of what is one edge away from symbols: `list_bases`, `list_heirs`."""
_CONTRACTS = frozenset(("interface", "trait"))
FIELD_KINDS = frozenset(("field", "property", "constant"))


def is_constructor(node: Node) -> bool:
    if node.parent is None or node.language not in BY_NAME:
        return False
    rules = BY_NAME[node.language].rules
    if rules.constructors_are_named_like_classes:
        *_, around, name = ("", *node.qualified_name.split("."))
        return node.kind == "method" and around == name
    return node.name == rules.constructor


def find_constructed_classes(index: Index, node: Node) -> list[Node]:
    """The classes whose calls run this constructor: its own, and subclasses without one."""
    if not is_constructor(node) or node.parent is None:
        return []
    found = list(nodes_by_row(index, [node.parent]).values())
    frontier = [each.row for each in found]
    seen = set(frontier)
    constructor = "" if BY_NAME[node.language].rules.constructors_are_named_like_classes else node.name
    while frontier:
        below_directly = [row for batch in batches(frontier) for row in list_heirs(index, batch)]
        with_own = {row for batch in batches(below_directly) for row in list_owners_among(index, batch, constructor)}
        below = [*nodes_by_row(index, sorted({*below_directly} - with_own - seen)).values()]
        seen.update(child.row for child in below)
        found += below
        frontier = [child.row for child in below]
    return found


def is_one_of_several(index: Index, node: Node) -> bool:
    """Whether its class has other constructors, so that which of them a call runs is not known."""
    if node.parent is None:
        return False
    return sum(kind == node.kind for _, kind in list_members_called(index, node.parent, node.name)) > 1


def constructions(index: Index, rows: Sequence[int], direction: str) -> list[tuple[int, int]]:
    """Which classes run which constructors: for `callees`, the constructors of the classes among the rows; for
    `callers`, the classes of the constructors among them."""
    out: list[tuple[int, int]] = []
    for batch in batches(rows):
        if direction == "callers":
            # Only the node's own language: asking all would load them all.
            found = list(nodes_by_row(index, batch).values())
            out += [(each.row, node.row) for node in found for each in find_constructed_classes(index, node)]
        else:
            kinds = sorted(CLASS_KINDS)
            found = nodes(
                index, f"s.id IN ({placeholders(batch)}) AND s.kind IN ({placeholders(kinds)})", (*batch, *kinds)
            )
            out += [(node.row, row) for node in found if (row := constructor_of(index, node)) is not None]
    return out


def constructor_of(index: Index, node: Node) -> int | None:
    """The constructor that a call of the class runs: its own, else that of the nearest class that it inherits. None if
    there are several."""
    if node.language not in BY_NAME:
        return None
    if BY_NAME[node.language].rules.constructors_are_named_like_classes:
        named = [row for row, kind in list_members_called(index, node.row, node.name) if kind == "method"]
        return named[0] if len(named) == 1 else None
    frontier = [node.row]
    seen = set(frontier)
    while frontier:
        for row in frontier:
            own = list_members_called(index, row, BY_NAME[node.language].rules.constructor)
            if own:
                return own[0][0]
        frontier = [row for row in bases(index, frontier) if row not in seen]
        seen.update(frontier)
    return None


def bases(index: Index, rows: Sequence[int]) -> list[int]:
    """What these classes inherit directly, each once."""
    return list(dict.fromkeys(row for batch in batches(rows) for row in list_bases(index, batch)))


def overridden(index: Index, node: Node) -> list[Node]:
    """The methods that it overrides, over any number of levels."""
    return closure(index, node, list_overridden)


def overriding(index: Index, node: Node) -> list[Node]:
    """The methods that override it, over any number of levels."""
    return closure(index, node, list_overriding)


def find_members_beside(index: Index, node: Node) -> list[Node]:
    """The members that it takes the place of in a class below its own, which inherits both: those of another class, of
    a mixin, of an interface; and those that these override. Of a function that a method assigns to a member
    (`this.now = () => 1`), the members of that name of the method's class."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is not None and around.kind in FUNCTION_KINDS and node.kind in FUNCTION_KINDS:
        is_assigned = around.parent is not None and _is_assigned_to_member(index, node)
        owners_above = nodes_by_row(index, [around.parent]).values() if is_assigned and around.parent else ()
        rows = [each.row for each in owners_above if each.kind in CLASS_KINDS]
        return find_members(index, rows, node.name) if rows else []
    if node.kind not in FUNCTION_KINDS or around is None or around.kind not in CLASS_KINDS or is_constructor(node):
        return []
    if node.language not in BY_NAME or BY_NAME[node.language].rules.base_precedence == "none":
        return []
    kinds = sorted(FUNCTION_KINDS)
    named = nodes(
        index,
        f"s.name = ? COLLATE NOCASE AND s.name = ? AND s.parent != ? AND s.kind IN ({placeholders(kinds)})",
        (node.name, node.name, around.row, *kinds),
    )
    family = find_language_family(node.language)
    owners = {
        each.parent for each in named if each.parent is not None and find_language_family(each.language) == family
    }
    below = {each.row for each in subclasses(index, around)} if owners else set()
    if not below:
        return []
    # Upwards from all of them at once: each by itself would cost their number times as much.
    beside = (
        find_reached(index, below, list_bases) - below - {around.row} - {each.row for each in ancestors(index, around)}
    )
    found = [
        each
        for other in nodes_by_row(index, owners & beside).values()
        if takes_precedence(index, around, other, below)
        for each in find_members(index, [other.row], node.name)
    ]
    return [*found, *(above for each in found for above in overridden(index, each))]


def takes_precedence(index: Index, own: Node, other: Node, below: Collection[int]) -> bool:
    """Whether a class that inherits two has the member of the first of these, where both have it."""
    order = BY_NAME[own.language].rules.base_precedence
    if order == "kind":
        return own.kind != "interface" or other.kind in _CONTRACTS
    towards_own, towards_other = {own.row, *below}, find_reached(index, {other.row}, list_heirs)
    for batch in batches(below):
        places: dict[int, tuple[list[int], list[int]]] = {}
        for source, target, position in list_bases_in_order(index, batch):
            of_own, of_other = places.setdefault(source, ([], []))
            if target in towards_own:
                of_own.append(position)
            elif target in towards_other:
                of_other.append(position)
        for of_own, of_other in places.values():
            if any((one < two) == (order == "first") for one in of_own for two in of_other):
                return True
    return False


def is_of_object(index: Index, node: Node) -> bool:
    """Whether it is a function or accessor of an object literal, or was given to an object, so that any code with the
    object may call it."""
    if node.kind not in (*FUNCTION_KINDS, "property") or node.parent is None:
        return False
    around = nodes_by_row(index, [node.parent]).get(node.parent)
    if node.kind == "property":
        return around is not None and around.kind in FUNCTION_KINDS
    prefix = "" if around is None or around.is_file else f"{around.qualified_name}."
    if around is None or node.qualified_name != f"{prefix}{node.name}":
        return True
    if around.kind in CLASS_KINDS or around.kind in FIELD_KINDS:
        return False
    return node.kind == "method" or _is_assigned_to_member(index, node)


def _is_assigned_to_member(index: Index, node: Node) -> bool:
    """Whether its name is the last of a path that it is assigned to: `button.onclick = function () {}`."""
    *_, column = find_extent(index, node.row)
    lines = index.source(node.path).split(b"\n", node.name_line)
    line = lines[node.name_line - 1].decode("utf-8", "replace") if node.name_line <= len(lines) else ""
    return 1 < column <= len(line) and line[column - 2] == "."


def find_redeclarations(index: Index, node: Node) -> tuple[list[Node], list[Node]]:
    """The fields of its name that classes above and below its own declare: an object has one of them, so that a use of
    one may mean another."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if node.kind not in FIELD_KINDS or around is None or around.kind not in CLASS_KINDS:
        return [], []
    above, below = (
        [each for each in find_members(index, [one.row for one in some], node.name) if each.kind in FIELD_KINDS]
        for some in (ancestors(index, around), subclasses(index, around))
    )
    return above, below


def find_members(index: Index, rows: Sequence[int], name: str) -> list[Node]:
    """The members of that name that classes have themselves."""
    return [
        each
        for batch in batches(rows)
        for each in nodes_of_all(index, f"s.parent IN ({placeholders(batch)}) AND s.name = ?", (*batch, name))
    ]


def has_name_alone(index: Index, node: Node) -> bool:
    """Whether no class that has nothing to do with its own has a member of its name."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is None:
        return False
    rows = list_owners_of_member(index, node.name, sorted(CLASS_KINDS))
    family = find_language_family(node.language)
    others = {row for row, language in rows if find_language_family(language) == family} - {around.row}
    return not others or others <= {each.row for each in (*ancestors(index, around), *subclasses(index, around))}


def subclasses(index: Index, node: Node) -> list[Node]:
    """The classes that inherit it, over any number of levels."""
    return closure(index, node, list_heirs)


def alternatives(index: Index, node: Node) -> list[Node]:
    """Other definitions of the same function, or of another name where conditions leave parts of a file out, of which a
    build uses one: a use of any may be a use of this one. So it is with the types that a declaration adds members
    to."""
    if node.language in BY_NAME and adds_to_another(index, node):
        named = nodes(index, "s.name = ? COLLATE NOCASE AND s.name = ? AND s.id != ?", (node.name, node.name, node.row))
        return [each for each in named if each.kind in CLASS_KINDS and each.language == node.language]
    if node.language not in BY_NAME:
        return []
    rules = BY_NAME[node.language].rules
    is_function = node.kind in FUNCTION_KINDS and (rules.has_alternatives or rules.links_by_name)
    if not (is_function or leaves_parts_out(node)):
        return []
    return [
        each
        for each in nodes(
            index, "s.name = ? COLLATE NOCASE AND s.name = ? AND s.id != ?", (node.name, node.name, node.row)
        )
        if each.language == node.language and is_alternative(node, each)
    ]


def is_alternative(node: Node, other: Node) -> bool:
    """Whether a build may have one of two definitions of a name, or the other."""
    rules = BY_NAME[node.language].rules
    is_here = (other.path, other.qualified_name) == (node.path, node.qualified_name)
    if leaves_parts_out(node) and is_here and (is_macro(node) or is_macro(other)):
        return True
    if node.kind != other.kind or (is_macro(node) != is_macro(other) and not leaves_parts_out(node)):
        return False
    if node.kind not in FUNCTION_KINDS:
        return leaves_parts_out(node) and is_here
    is_linked = rules.links_by_name and bool(node.exported) and bool(other.exported)
    return (rules.has_alternatives and is_here) or is_linked


def leaves_parts_out(node: Node) -> bool:
    """Whether a build may leave out parts of the file (`#if`): where text is put together before it is parsed."""
    return bool(BY_NAME[node.language].rules.macros.pasting)


def adds_to_another(index: Index, node: Node) -> bool:
    """Whether it may only add members to a type that another module or a library declares."""
    if node.kind != "interface" or node.parent is None or BY_NAME[node.language].rules.types_of_one_name != "spaces":
        return False
    around = nodes_by_row(index, [node.parent]).get(node.parent)
    return around is not None and _DECLARES.match(around.signature) is not None


def is_macro(node: Node) -> bool:
    mark = BY_NAME[node.language].rules.macros.mark
    return bool(mark) and mark in node.signature


def ancestors(index: Index, node: Node) -> list[Node]:
    """The classes that it inherits, over any number of levels."""
    return closure(index, node, list_bases)


def class_around(index: Index, row: int) -> int | None:
    """The class that a symbol is defined in, however deep."""
    node = nodes_by_row(index, [row]).get(row)
    while node is not None and node.parent is not None and node.kind not in CLASS_KINDS:
        node = nodes_by_row(index, [node.parent]).get(node.parent)
    return node.row if node is not None and node.kind in CLASS_KINDS else None


def find_sibling_classes(index: Index, node: Node) -> set[int]:
    """The classes whose `super()` may reach a member of a class: its siblings above a common subclass."""
    owner = class_around(index, node.row)
    own = nodes_by_row(index, [owner]).get(owner) if owner is not None else None
    if own is None:
        return set()
    below = {each.row for each in subclasses(index, own)}
    return find_reached(index, below, list_bases) - below - {own.row} - {each.row for each in ancestors(index, own)}


def find_classes_with_common_subclass(index: Index, node: Node) -> set[int]:
    """The classes of which an object may have the member of a class, as one of a subclass of both; empty if it is in no
    class."""
    owner = class_around(index, node.row)
    own = nodes_by_row(index, [owner]).get(owner) if owner is not None else None
    if own is None:
        return set()
    return find_reached(index, {own.row, *(each.row for each in subclasses(index, own))}, list_bases)


def closure(index: Index, node: Node, step: Step) -> list[Node]:
    return sorted(nodes_by_row(index, find_reached(index, {node.row}, step) - {node.row}).values())


def find_reached(index: Index, rows: Collection[int], step: Step) -> set[int]:
    """The rows themselves, and what is reached from them in any number of steps."""
    seen = set(rows)
    frontier = list(rows)
    while frontier:
        frontier = [row for batch in batches(frontier) for row in step(index, batch) if row not in seen]
        seen.update(frontier)
    return seen


def find_language_family(language: str) -> str:
    """Languages that see each other's names count as one."""
    return BY_NAME[language].family if language in BY_NAME else language
