"""How much each of a few symbols is used, counted over their edges.

In: an index and nodes. Out: a few words for each. Absent: the uses themselves (find_usages), and unresolved references.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rpg.queries.graph.filters import format_count
from rpg.queries.graph.nodes import Node
from rpg.stores.index.edge_reads import count_sites_by_file
from rpg.stores.search.tables import TEST_PATHS

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def times_used(index: Index, nodes: Iterable[Node]) -> dict[int, str]:
    """By the node's row: `12 uses in 3 files, 40 in tests`."""
    rows = [node.row for node in nodes]
    uses: dict[int, Counter[str]] = defaultdict(Counter)
    in_tests: Counter[int] = Counter()
    for target, path, test, sites in count_sites_by_file(index, rows):
        if test or TEST_PATHS.search(path):
            in_tests[target] += sites
        else:
            uses[target][path] += sites
    return {row: _summary(uses[row], in_tests[row]) for row in rows}


def _summary(uses: Counter[str], in_tests: int) -> str:
    summary = f"{format_count(uses.total(), 'use')} in {format_count(len(uses), 'file')}" if uses else "no resolved use"
    return f"{summary}, {in_tests} in tests" if in_tests else summary
