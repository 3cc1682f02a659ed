"""Pictures of a graph that a reader can take in: few nodes and edges, the rest folded and counted.

In: a drawing, which has everything, best first, and a number of nodes. Out: a `Picture` of at most that many nodes and
twice as many edges. What does not fit is folded: into the groups that each node names, the finest that are few enough.

Absent: what is drawn, and any notation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_NODES = 30
"""How many nodes a reader can take in."""
EDGES_PER_NODE = 2
OTHERS = "others"


class DrawnNode(NamedTuple):
    label: tuple[str, ...]
    """Line by line."""
    folds: tuple[str, ...] = ()
    """Groups that it may be folded into, the finest first."""


class DrawnEdge(NamedTuple):
    source: int
    target: int
    kind: str
    """Empty for edges of several kinds."""
    uses: int = 1
    possible: bool = False


class Drawing(NamedTuple):
    """Nodes by number, those to keep first; edges refer to numbers."""

    nodes: list[DrawnNode]
    edges: list[DrawnEdge]
    direction: str = "LR"
    """As both notations write it: LR from left to right, TB downwards, BT upwards."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PictureNode:
    label: list[str]
    folded: int = 0
    """How many nodes it stands for, if it is a group of nodes that did not fit."""


@dataclass(frozen=True, kw_only=True)
class PictureEdge:
    source: int
    """The number of its node."""
    target: int
    kinds: dict[str, int]
    """How many uses of each kind."""
    possible: bool = False
    """Whether none of them is certain."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    nodes: list[PictureNode]
    edges: list[PictureEdge]
    direction: str = "LR"
    notes: list[str] = field(default_factory=list)
    """What was folded or left out."""


def picture(drawing: Drawing, most: int = MOST_NODES) -> Picture:
    groups = _groups(drawing.nodes, max(1, min(most, MOST_NODES)))
    counts = Counter(group for group in groups if group)
    shown = [node for node, group in zip(drawing.nodes, groups, strict=True) if not group]
    places = {group: len(shown) + at for at, group in enumerate(counts)}
    following = iter(range(len(shown)))
    place = [places[group] if group else next(following) for group in groups]
    nodes = [PictureNode(label=list(node.label)) for node in shown]
    nodes += [PictureNode(label=[f"{number} more: {group}"], folded=number) for group, number in counts.items()]
    edges, left_out = _edges(drawing.edges, place, len(shown), EDGES_PER_NODE * len(nodes))
    notes = list(drawing.notes)
    if counts:
        notes.append(f"{counts.total()} of {len(groups)} nodes are folded into {len(counts)}")
    if left_out:
        notes.append(f"{len(left_out)} arrows with few uses ({sum(left_out)} in all) are left out")
    return Picture(nodes=nodes, edges=edges, direction=drawing.direction, notes=notes)


def _groups(nodes: Sequence[DrawnNode], most: int) -> list[str]:
    """For each node the group that it is folded into, empty if it is shown: the finest groups that leave half of the
    space for nodes, and none with just one."""
    if len(nodes) <= most:
        return [""] * len(nodes)
    levels = max(len(node.folds) for node in nodes)
    chosen = [OTHERS] * len(nodes)
    drawn = most - 1
    for level in range(levels):
        groups = [node.folds[min(level, len(node.folds) - 1)] if node.folds else OTHERS for node in nodes]
        room = max((shown for shown in range(most) if shown + len(set(groups[shown:])) <= most), default=-1)
        if room >= most // 2:
            chosen, drawn = groups, room
            break
    counts = Counter(chosen[drawn:])
    return ["" if at < drawn or counts[group] == 1 else group for at, group in enumerate(chosen)]


def _edges(
    edges: Sequence[DrawnEdge], place: Sequence[int], drawn: int, most: int
) -> tuple[list[PictureEdge], list[int]]:
    """The edges between the nodes of a picture, and the uses of each that is left out. Edges that connect a node to an
    earlier one are kept first, then those with most uses."""
    uses: dict[tuple[int, int], Counter[str]] = {}
    sure: set[tuple[int, int]] = set()
    for edge in edges:
        ends = place[edge.source], place[edge.target]
        if ends[0] == ends[1] and ends[0] >= drawn:
            continue  # within a group
        uses.setdefault(ends, Counter())[edge.kind] += edge.uses
        if not edge.possible:
            sure.add(ends)
    connecting: set[tuple[int, int]] = set()
    met: set[int] = set()
    for ends in sorted(uses, key=lambda ends: (max(ends), min(ends))):
        if not met.issuperset(ends):
            connecting.add(ends)
            met.update(ends)
    order = sorted(uses, key=lambda ends: (ends not in connecting, -uses[ends].total(), ends))
    shown = [
        PictureEdge(source=source, target=target, kinds=dict(kinds), possible=(source, target) not in sure)
        for (source, target) in sorted(order[:most])
        for kinds in [uses[source, target]]
    ]
    return shown, [uses[ends].total() for ends in order[most:]]
