"""A map of a repository: the most important symbols, for a question, for files or overall, by file.

In: an index, rows to begin at or a question, kinds, a filter. Out: symbols, best first (pagerank.py), and any number of
the first of them as outlines of their files, in the order of the graph file.

Absent: budgets, text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rpg.queries.graph.filters import Filter
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.outline import Outline
from rpg.queries.overview import ranked_map_weights as weights
from rpg.queries.overview.pagerank import DEFINED, network, ranks, ranks_of_all, share
from rpg.queries.search.hits import Wanted
from rpg.queries.search.meaning.model_meaning import QuestionEmbedder
from rpg.queries.search.order.question_order import is_question
from rpg.queries.search.search import bare_hits
from rpg.queries.search.short_signature import short_signature
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

WIDTH = 80
"""Characters of a signature."""


@dataclass(frozen=True)
class RankedMap:
    order: list[Node]
    """Best first."""
    around: Mapping[int, Node]
    """The containers of the symbols, by row."""
    number: int
    """How many symbols there are, including those not in `order`."""
    leaves_tests_out: bool

    def cut_out(self, first: int, last: int, with_lines: bool) -> list[Outline]:
        """The symbols from `first` to before `last` by file, each in its container."""
        shown: dict[int, Node] = {}
        for each in self.order[first:last]:
            step: Node | None = each
            while step is not None and step.row not in shown and not (step.is_file or step.holds_files):
                shown[step.row] = step
                step = self.around.get(step.parent) if step.parent is not None else None
        inside: dict[int | None, list[Node]] = {}
        files: dict[str, list[Node]] = {}
        for row in sorted(shown):
            each = shown[row]
            # A method may be in another file than its type.
            container = shown.get(each.parent) if each.parent is not None else None
            if container is not None and container.path == each.path:
                inside.setdefault(each.parent, []).append(each)
            else:
                files.setdefault(each.path, []).append(each)

        def outlined(each: Node) -> Outline:
            return Outline(
                name=each.name,
                kind=each.kind,
                lines=each.lines if with_lines else "",
                signature=short_signature(each.signature, WIDTH),
                children=[outlined(member) for member in inside.get(each.row, ())],
            )

        return [
            Outline(name=path, kind="module", signature=path, children=[outlined(each) for each in members])
            for path, members in files.items()
        ]


def hits_for(index: Index, query: str, filter: Filter, tests: str, model: QuestionEmbedder | None) -> dict[int, float]:
    """The scores of what search finds for a question, by row."""
    wanted = Wanted(query=query, mode="snippets", limit=weights.HITS, tests="only" if tests == "only" else "fold")
    hits = bare_hits(index, wanted, model, as_question=is_question(query))
    return {hit.node.row: hit.score**weights.HIT_POWER for hit in hits if filter.covers(hit.node.path)}


def build_ranked_map(
    index: Index,
    start: Iterable[int],
    hits: Mapping[int, float],
    kinds: Collection[str],
    filter: Filter,
    tests: str,
    most: int,
) -> RankedMap:
    """For the rows of `start` and for `hits`, for all if there are none; at most that many symbols."""
    with_tests = tests in ("only", "all")
    graph = network(index, with_tests)
    scores = everywhere = ranks_of_all(index, with_tests)
    rows = list(start)
    if rows or hits:
        begin = numpy.zeros(len(graph.rows))
        begin[graph.places(list(hits))] = list(hits.values())
        begin = share(begin)
        at = graph.places(rows)
        begin[at] += share(graph.prior[at])
        scores = ranks(graph, begin, weights.DAMPING_NEAR, weights.BACKWARDS_NEAR)
        scores = scores / numpy.maximum(everywhere, weights.LEAST_COMMON) ** weights.COMMON
    scores = scores * graph.factors
    is_wanted = graph.is_kind(kinds or DEFINED) & (scores > 0)
    is_wanted &= graph.tests if tests == "only" else ~graph.tests if tests != "all" else True
    is_wanted &= numpy.array([filter.covers(path) for path in graph.paths], dtype=bool)[graph.files]
    places = numpy.flatnonzero(is_wanted)
    best = graph.rows[places[numpy.argsort(-scores[places], kind="stable")][:most]].tolist()
    found = nodes_by_row(index, best)
    order = [found[row] for row in best]
    return RankedMap(
        order=order,
        around=_find_nodes_around(index, order),
        number=len(places),
        leaves_tests_out=tests == "fold" and bool(graph.tests.any()),
    )


def _find_nodes_around(index: Index, nodes: Iterable[Node]) -> dict[int, Node]:
    found: dict[int, Node] = {}
    above = {node.parent for node in nodes if node.parent is not None}
    while above:
        read = nodes_by_row(index, above)
        found |= read
        above = {node.parent for node in read.values() if node.parent is not None} - found.keys()
    return found
