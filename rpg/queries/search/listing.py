"""Lists symbols of certain kinds without a query, the most used first.

In: kinds and filters. Out: a page of hits, all with the same score.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rpg.queries.graph.functional_view import place_filter
from rpg.queries.graph.nodes import NUMBER_OF_USES, nodes, placeholders
from rpg.queries.graph.path_filters import path_filter
from rpg.queries.packages.manifests import build_package_filter
from rpg.queries.search.hits import Answer, Hit, Wanted
from rpg.queries.search.order.question_order import is_test

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def list_symbols(index: Index, wanted: Wanted) -> Answer:
    """The requested page; query, modes and content are ignored."""
    language = wanted.language.lower()
    found = nodes(
        index,
        f"s.kind IN ({placeholders(wanted.kinds)}) AND (? = '' OR s.language = ?) "
        f"ORDER BY s.test, {NUMBER_OF_USES} DESC, s.id",
        (*wanted.kinds, language, language),
    )
    if wanted.path:
        inside = path_filter(wanted.path)
        found = [node for node in found if inside(node.path)]
    if wanted.exclude_path:
        outside = path_filter(wanted.exclude_path)
        found = [node for node in found if not outside(node.path)]
    if wanted.package:
        of_package = build_package_filter(index, wanted.package)
        found = [node for node in found if of_package(node.path)]
    if wanted.within:
        has_place = place_filter(index, wanted.within)
        found = [node for node in found if has_place(node.path)]
    if wanted.tests in ("only", "none"):
        found = [node for node in found if is_test(node) == (wanted.tests == "only")]
    tests: Counter[str] = Counter()
    if wanted.tests == "fold":
        tests = Counter(node.path for node in found if is_test(node))
        found = [node for node in found if not is_test(node)] if len(found) > tests.total() else found
        tests = tests if found and not is_test(found[0]) else Counter()
    after = wanted.offset + wanted.limit
    return Answer(
        hits=[Hit(node=node, score=1.0) for node in found[wanted.offset : after]],
        next=after if after < len(found) else None,
        note="no query: the most used first",
        tests=tests,
    )
