"""What a file, a directory or a class contains, as a tree.

In: a node, a depth, kinds. Out: nested names with kinds, lines and signatures, whole or in part; deeper levels are
counted. Members that a class inherits are listed separately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.nodes import Node, nodes_by_row, nodes_of_all, placeholders
from rpg.stores.index.hierarchy_reads import list_bases
from rpg.stores.index.symbol_reads import count_members, list_member_names, list_members

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

SIGNED = CLASS_KINDS | FUNCTION_KINDS
SIGNATURE_WIDTH = 100
MOST = 2_000
"""No deeper level is read after this many names."""


@dataclass(frozen=True, kw_only=True)
class Outline:
    name: str
    kind: str
    lines: str = ""
    signature: str = ""
    inherited: dict[str, list[str]] = field(default_factory=dict)
    """Members by the base class that defines them; those overridden here are left out."""
    titled_by: str = ""
    """The author of the title of an area, category or feature, if it was written: model, agent or import."""
    contains: dict[str, int] = field(default_factory=dict)
    """How many symbols below are not shown, by kind."""
    children: list[Outline] = field(default_factory=list)


class Tree(NamedTuple):
    """An outline before it is cut: the node itself, what it contains, level by level, and what a class inherits, base
    by base."""

    node: Node
    order: list[Node]
    wanted: list[Node]
    counts: dict[int, dict[str, int]]
    inherited: dict[str, list[str]]

    @property
    def parts(self) -> int:
        return 1 + len(self.wanted) + len(self.inherited)

    def cut_out(self, first: int, last: int) -> Outline:
        """The parts from `first` to before `last`, each with its container."""
        by_row = {each.row: each for each in self.order}
        shown: set[int] = set()
        for each in self.wanted[max(0, first - 1) : max(0, last - 1)]:
            step: Node | None = each
            while step and step.row not in shown:
                shown.add(step.row)
                step = by_row.get(step.parent) if step.parent is not None else None
        children: dict[int, list[Node]] = {}
        for each in self.order:
            if each.row in shown and each.parent is not None:
                children.setdefault(each.parent, []).append(each)

        def tree(each: Node) -> Outline:
            below_it = [tree(child) for child in children.get(each.row, ())]
            return brief(each, below_it, None if below_it else self.counts.get(each.row))

        rest = 1 + len(self.wanted)
        bases = list(self.inherited.items())[max(0, first - rest) : max(0, last - rest)]
        return replace(tree(self.node), name=self.node.label, inherited=dict(bases))


def outline(index: Index, node: Node, depth: int, kinds: Sequence[str]) -> Tree:
    order = descendants(index, node, depth)
    return Tree(
        node,
        order,
        [each for each in order if not kinds or each.kind in kinds],
        count_children(index, [each.row for each in (node, *order)]) if not kinds else {},
        list_inherited_names(index, node, kinds) if node.kind in CLASS_KINDS else {},
    )


def brief(node: Node, children: list[Outline], contains: dict[str, int] | None = None) -> Outline:
    name = node.path.rstrip("/").rsplit("/", 1)[-1] if node.is_file or node.holds_files else node.name
    if node.holds_files:
        name += "/"
    if node.path in ("", "./") and node.holds_files:
        name = "./"
    lines = "" if node.holds_files else node.lines
    signature = node.signature if node.kind in SIGNED else ""
    if len(signature) > SIGNATURE_WIDTH:
        signature = signature[: SIGNATURE_WIDTH - 1] + "…"
    return Outline(
        name=name, kind=node.kind, lines=lines, signature=signature, contains=contains or {}, children=children
    )


def descendants(index: Index, node: Node, depth: int) -> list[Node]:
    """Level by level, each level in file order, until there are more than anyone reads."""
    out: list[Node] = []
    frontier = [node.row]
    for _ in range(depth):
        found = children_of(index, frontier)
        out += found
        frontier = [each.row for each in found]
        if len(out) > MOST:
            break
    return out


def children_of(index: Index, rows: Sequence[int]) -> list[Node]:
    if not rows:
        return []
    found = [
        child
        for at in range(0, len(rows), 500)
        for child in nodes_of_all(index, f"s.parent IN ({placeholders(rows[at : at + 500])})", rows[at : at + 500])
    ]
    return sorted(found, key=lambda each: (each.holds_files, each.path, each.start_line, each.row))


def count_children(index: Index, rows: Sequence[int]) -> dict[int, dict[str, int]]:
    out: dict[int, Counter[str]] = {}
    for at in range(0, len(rows), 500):
        batch = rows[at : at + 500]
        for parent, kind, number in count_members(index, batch):
            out.setdefault(parent, Counter())[kind] += number
    return {row: dict(counted.most_common()) for row, counted in out.items()}


def list_inherited_names(index: Index, node: Node, kinds: Sequence[str]) -> dict[str, list[str]]:
    """By base, nearest first; a name appears once, at the first base that has it."""
    own_names = set(list_member_names(index, node.row))
    out: dict[str, list[str]] = {}
    frontier, seen = [node.row], {node.row}
    while frontier:
        bases = [row for row in list_bases(index, frontier) if row not in seen]
        seen.update(bases)
        found = nodes_by_row(index, bases)
        for row in dict.fromkeys(bases):
            names = [
                name
                for name, kind in list_members(index, row)
                if name not in own_names and (not kinds or kind in kinds)
            ]
            own_names.update(names)
            if names:
                out[found[row].id] = list(dict.fromkeys(names))
        frontier = list(dict.fromkeys(bases))
    return out
