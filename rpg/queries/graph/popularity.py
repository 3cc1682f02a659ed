"""How many symbols use each one, outside tests.

In: an index and rows. Out: numbers, cached: the same symbols occur near the findings of many questions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import batches
from rpg.stores.index.edge_reads import count_users

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def popularity(index: Index, rows: Iterable[int]) -> dict[int, int]:
    cache: dict[int, int] = memoize(index, "popularity", dict)
    wanted = list(rows)
    for batch in batches([row for row in wanted if row not in cache]):
        used: dict[int, int] = dict(count_users(index, batch))
        cache.update({row: used.get(row, 0) for row in batch})
    return {row: cache[row] for row in wanted}
