"""Symbols that a call may run in place of the one it names: constructors and their classes, methods and those they
override.

In: a node. Out: nodes. Which calls there are is in usages.py and impact.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.nodes import Node, batches, marks, nodes, nodes_by_row

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def is_constructor(node: Node) -> bool:
    return (
        node.parent is not None and node.language in BY_NAME and node.name == BY_NAME[node.language].rules.constructor
    )


def constructed(index: Index, node: Node) -> list[Node]:
    """The classes whose calls run this constructor: its own, and subclasses without one."""
    if not is_constructor(node) or node.parent is None:
        return []
    found = list(nodes_by_row(index, [node.parent]).values())
    front = [each.row for each in found]
    seen = set(front)
    while front:
        below = [
            child
            for batch in batches(front)
            for child in nodes(
                index,
                f"s.id IN (SELECT source FROM edges WHERE kind = 'inherits' AND target IN ({marks(batch)})) "
                "AND NOT EXISTS (SELECT 1 FROM symbols m WHERE m.parent = s.id AND m.name = ?)",
                (*batch, node.name),
            )
            if child.row not in seen
        ]
        seen.update(child.row for child in below)
        found += below
        front = [child.row for child in below]
    return found


def overridden(index: Index, node: Node) -> list[Node]:
    """The methods that it overrides, over any number of levels."""
    return closure(index, node, "SELECT target FROM edges WHERE kind = 'overrides' AND source IN ({})")


def overriding(index: Index, node: Node) -> list[Node]:
    """The methods that override it, over any number of levels."""
    return closure(index, node, "SELECT source FROM edges WHERE kind = 'overrides' AND target IN ({})")


def subclasses(index: Index, node: Node) -> list[Node]:
    """The classes that inherit it, over any number of levels."""
    return closure(index, node, "SELECT source FROM edges WHERE kind = 'inherits' AND target IN ({})")


def closure(index: Index, node: Node, step: str) -> list[Node]:
    seen = {node.row}
    front = [node.row]
    while front:
        front = [
            row[0]
            for batch in batches(front)
            for row in index.rows(step.format(marks(batch)), batch)
            if row[0] not in seen
        ]
        seen.update(front)
    return sorted(nodes_by_row(index, seen - {node.row}).values())


def related(language: str) -> str:
    """Languages that see each other's names count as one."""
    return BY_NAME[language].family if language in BY_NAME else language
