"""Symbols of certain kinds without a question: all of them, the most used first.

In: kinds and filters. Out: a page of nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rpg.queries.graph.nodes import Node, marks, nodes

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def listed(
    index: Index, kinds: Sequence[str], language: str, path: str, exclude_path: str, package: str, limit: int, skip: int
) -> tuple[list[Node], bool]:
    """The page after the first `skip`, and whether more follow."""
    from rpg.queries.graph.path_filters import package_filter, path_filter

    found = nodes(
        index,
        f"s.kind IN ({marks(kinds)}) AND (? = '' OR s.language = ?) "
        "ORDER BY s.test, (SELECT count(*) FROM edges e WHERE e.target = s.id AND e.kind != 'contains') DESC, s.id",
        (*kinds, language.lower(), language.lower()),
    )
    if path:
        inside = path_filter(path)
        found = [node for node in found if inside(node.path)]
    if exclude_path:
        outside = path_filter(exclude_path)
        found = [node for node in found if not outside(node.path)]
    if package:
        of_package = package_filter(package)
        found = [node for node in found if of_package(node.path)]
    page = found[skip : skip + limit]
    return page, skip + len(page) < len(found)
