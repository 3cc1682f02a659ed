"""How many files use each symbol, as a weight: other files count in full, tests and the symbol's own file in part.

In: an index and a folder. Out: rows with weights, cached. `rpg.queries.graph.popularity` counts using symbols of given
rows instead, which is less to count.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from rpg.queries.answer import evidence_weights
from rpg.queries.graph.memo import kept

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def users_by_symbol(index: Index, folder: str) -> list[tuple[int, int | None, float]]:
    """Symbols in the folder with users outside themselves: row, enclosing class, weight of their users."""
    everywhere = kept(index, "users by symbol", lambda: all_users_by_symbol(index))
    if not folder:
        return everywhere
    inside = index.row("SELECT min(id), max(id) FROM symbols WHERE path >= ? AND path < ?", (folder, folder + LAST))
    # Rows are in path order, so those of a folder are contiguous.
    first, last = inside if inside and inside[0] else (0, -1)
    rows = [row for row, _, _ in everywhere]
    return everywhere[bisect_left(rows, first) : bisect_right(rows, last)]


LAST = "\U0010ffff"
"""Sorts after every character of a path."""


def all_users_by_symbol(index: Index) -> list[tuple[int, int | None, float]]:
    """By row. A question about any folder needs a part of it, and counting takes longer than everything else."""
    counted = index.rows(
        "SELECT t.id, p.id, count(DISTINCT CASE WHEN s.test = 0 AND s.path != t.path THEN s.path END), "
        "count(DISTINCT CASE WHEN s.test != 0 THEN s.path END), "
        "count(DISTINCT CASE WHEN s.path = t.path AND s.parent IS NOT t.parent THEN s.id END) "
        "FROM symbols t JOIN edges e ON e.target = t.id AND e.kind IN ('calls', 'references', 'inherits') "
        "JOIN symbols s ON s.id = e.source "
        "LEFT JOIN symbols p ON p.id = t.parent AND p.kind NOT IN ('module', 'directory', 'file') "
        "WHERE t.test = 0 AND s.id != t.id AND s.parent IS NOT t.id GROUP BY t.id ORDER BY t.id"
    )
    return [
        (
            row,
            parent,
            code
            + evidence_weights.FROM_TESTS * tests
            + evidence_weights.FROM_SAME_FILE * min(near, evidence_weights.MOST_FROM_SAME_FILE),
        )
        for row, parent, code, tests, near in counted
    ]
