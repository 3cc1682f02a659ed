"""What a change of a symbol may break: everything that depends on it, hop by hop.

In: a node and a depth. Out: dependents grouped by hop and file, each at its shortest distance. The first hop is left to
usages.py, which shows its sites.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rpg.graph import CLASS_KINDS
from rpg.queries.graph.nodes import Node, batches, marks, nodes
from rpg.queries.graph.scope import scope_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 5_000
"""The search stops after this many symbols: more than anyone reads."""
NAMED = 20
"""How many symbols of one file are named; the rest is counted."""


@dataclass(frozen=True, kw_only=True)
class Affected:
    hop: int
    path: str
    test: bool = False
    symbols: list[str]
    more: int = 0


def impact(index: Index, node: Node, depth: int, tests_only: bool) -> list[Affected]:
    """Hops 2 to `depth`, nearest first. With `tests_only` just the tests, whatever lies between."""
    whole = node.kind in CLASS_KINDS or node.is_file or node.holds_files
    seen = set(scope_of(index, node).rows(index)) if whole else {node.row}
    front = list(seen)
    out: list[Affected] = []
    for hop in range(1, depth + 1):
        found = [each for each in dependents(index, front) if each.row not in seen]
        seen.update(each.row for each in found)
        if hop > 1:
            out += by_file(hop, [each for each in found if each.test or not tests_only])
        # Top-level code is affected, but not everything that imports its module.
        front = [each.row for each in found if not each.is_file or node.is_file]
        if not front or len(seen) > MOST:
            break
    return out


def dependents(index: Index, rows: Iterable[int]) -> list[Node]:
    """One hop against the edges. A call of an overridden method may run the overriding one."""
    rows = list(rows)
    overridden = [
        row[0]
        for batch in batches(rows)
        for row in index.rows(
            f"SELECT target FROM edges WHERE kind = 'overrides' AND source IN ({marks(batch)})", batch
        )
    ]
    found: dict[int, Node] = {}
    for batch in batches(dict.fromkeys([*rows, *overridden])):
        for node in nodes(
            index,
            "s.id IN (SELECT source FROM edges WHERE kind IN ('calls', 'references', 'inherits', 'imports') "
            f"AND target IN ({marks(batch)}))",
            batch,
        ):
            found[node.row] = node
    return list(found.values())


def by_file(hop: int, found: list[Node]) -> list[Affected]:
    files: dict[tuple[int, str], list[str]] = {}
    for node in sorted(found, key=lambda each: (each.test, each.path, each.start_line)):
        files.setdefault((node.test, node.path), []).append("(module)" if node.is_file else node.label)
    return [Affected(hop=hop, path=path, test=bool(test), symbols=symbols) for (test, path), symbols in files.items()]
