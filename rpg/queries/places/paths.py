"""How one symbol leads to another: the shortest paths along edges, and where a path breaks.

In: start and goal nodes, edge kinds, a direction. Out: a few of the shortest chains, edge by edge, and how many there
are; if there is none, the unresolved calls where an edge may be missing. Hops around a symbol are in explore.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries.graph.families import find_language_family
from rpg.queries.graph.nodes import BATCH, nodes_by_row
from rpg.queries.places.explore import MOST, Link, far_end, step, walk
from rpg.stores.index.place_reads import list_unresolved_calls

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LONGEST_PATH = 12
SHOWN = 3
"""How many shortest chains, and how many gaps, are shown."""


class Chains(NamedTuple):
    shown: list[list[Link]]
    number: int
    """How many chains of that length there are, over distinct symbols."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """An unresolved call that the start reaches, with a name that leads on to the goal."""

    source: str
    """The symbol that calls."""
    site: str
    name: str
    may_be: str
    """The symbol of that name that leads to the goal."""


def shortest_chains(
    index: Index, start: Sequence[int], goal: Sequence[int], kinds: Sequence[str], direction: str
) -> Chains:
    """Empty if none is short enough."""
    before: dict[int, list[Link]] = {row: [] for row in start}
    level = dict.fromkeys(start, 0)
    frontier = list(start)
    goals = set(goal)
    sides = [(side, kinds) for side in ("callees", "callers") if direction in (side, "both")]
    if "overrides" in kinds and direction != "both":
        # A call of an overridden method may run the overriding one, and the other way round.
        sides.append(("callers" if direction == "callees" else "callees", ("overrides",)))
    for hop in range(1, LONGEST_PATH + 1):
        if goals & level.keys() or not frontier or len(level) > 40 * MOST:
            break
        following: dict[int, None] = {}
        for side, along in sides:
            for link in step(index, frontier, along, side):
                far = far_end(link, side)
                if level.setdefault(far, hop) == hop:
                    before.setdefault(far, []).append(link)
                    following[far] = None
        frontier = list(following)
    out: list[list[Link]] = []
    reached = [row for row in dict.fromkeys(goal) if row in level]
    for row in reached:
        trace(row, level, before, [], out)
    counts: dict[int, int] = {}
    return Chains(out, sum(number_of(row, level, before, counts) for row in reached))


def nears(row: int, level: Mapping[int, int], before: Mapping[int, list[Link]]) -> dict[int, Link]:
    """The symbols one hop closer to the start, each with an edge."""
    out: dict[int, Link] = {}
    for link in before[row]:
        near = link.source if link.target == row else link.target
        if level[near] == level[row] - 1:
            out.setdefault(near, link)
    return out


def trace(
    row: int, level: Mapping[int, int], before: Mapping[int, list[Link]], tail: list[Link], out: list[list[Link]]
) -> None:
    if len(out) >= SHOWN:
        return
    if not level[row]:
        out.append(tail)
        return
    for near, link in nears(row, level, before).items():
        trace(near, level, before, [link, *tail], out)


def number_of(row: int, level: Mapping[int, int], before: Mapping[int, list[Link]], known: dict[int, int]) -> int:
    if not level[row]:
        return 1
    if row not in known:
        known[row] = sum(number_of(near, level, before, known) for near in nears(row, level, before))
    return known[row]


def gaps(index: Index, start: Sequence[int], goal: Sequence[int], kinds: Sequence[str]) -> list[Gap]:
    """Unresolved calls reachable from the start, nearest first, with names whose symbols lead to the goal."""
    ahead = walk(index, start, kinds, "callees", LONGEST_PATH).hops
    behind = nodes_by_row(index, walk(index, goal, kinds, "callers", LONGEST_PATH).hops)
    named: dict[str, list[int]] = {}
    for row, node in behind.items():
        if not node.is_file:
            named.setdefault(node.name, []).append(row)
    wanted = list(named)
    found: list[tuple[int, int, str, int, int, int]] = []
    for at in range(0, len(wanted), BATCH):
        batch = wanted[at : at + BATCH]
        for source, name, language, line, column in list_unresolved_calls(index, batch):
            may_be = [
                row
                for row in named[name]
                if find_language_family(behind[row].language) == find_language_family(language)
            ]
            if source in ahead and may_be:
                found.append((ahead[source], source, name, line, column, may_be[0]))
    found.sort()
    sources = nodes_by_row(index, (each[1] for each in found[:SHOWN]))
    return [
        Gap(source=sources[source].id, site=f"{line}:{column}", name=name, may_be=behind[may_be].id)
        for _, source, name, line, column, may_be in found[:SHOWN]
    ]
