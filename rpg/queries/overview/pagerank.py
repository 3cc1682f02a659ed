"""PageRank of the symbols of a graph: where random walks along its edges spend most of their time.

In: an index, and where walks begin. Out: a number for each symbol; the sum is 1. Walks follow calls, bases, overrides
and references; some go up to the container of a symbol, and some go back to its users.

S. Brin and L. Page, "The anatomy of a large-scale hypertextual web search engine" (1998). Own code over numpy: networkx
needs scipy for it, or seven seconds of Python for Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, POSSIBLE_VIAS
from rpg.queries.graph.filters import is_beside
from rpg.queries.graph.memo import memoize
from rpg.queries.overview import ranked_map_weights as weights
from rpg.stores.index.overview_reads import each_symbol_to_rank, each_weighted_edge
from rpg.system.arrays import numpy

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Array = Any
"""A numpy array."""

DEFINED = CLASS_KINDS | FUNCTION_KINDS
"""Kinds of symbols at which walks begin."""


class Steps(NamedTuple):
    """The share of a source's rank that goes to the target, and of the target's that goes back."""

    sources: Array
    targets: Array
    along: Array
    back: Array


class Network(NamedTuple):
    """The symbols of an index by number, in the order of the graph file, and how walks move between them."""

    rows: Array
    kinds: Array
    """For each symbol, the number of its kind in `kind_numbers`."""
    kind_numbers: dict[str, int]
    files: Array
    """For each symbol, the position of its path in `paths`."""
    paths: list[str]
    tests: Array
    prior: Array
    """How likely a walk that may begin anywhere begins there."""
    factors: Array
    """The factor of a symbol's name and place."""
    steps: Steps

    def is_kind(self, kinds: Iterable[str]) -> Array:
        return numpy.isin(self.kinds, _numbers(self.kind_numbers, kinds))

    def places(self, rows: list[int]) -> Array:
        return numpy.searchsorted(self.rows, rows)


def network(index: Index, with_tests: bool) -> Network:
    """`with_tests`: whether tests count like any code. Otherwise only what they call counts, and little."""
    return memoize(index, f"network {with_tests}", lambda: _read(index, with_tests))


def ranks_of_all(index: Index, with_tests: bool) -> Array:
    """Ranks of walks that begin anywhere."""
    graph = network(index, with_tests)
    return memoize(index, f"ranks {with_tests}", lambda: ranks(graph, graph.prior, weights.DAMPING, weights.BACKWARDS))


def ranks(graph: Network, start: Array, damping: float, backwards: float) -> Array:
    """`start`: how likely a walk begins at each symbol; `damping`: the share of walks that go on at each step, and
    `backwards` the share of these that go to users."""
    sources, targets, along, back = graph.steps
    at = start = share(start)
    for _ in range(weights.STEPS):
        to = numpy.bincount(targets, at[sources] * along, len(start)) * (1 - backwards)
        to += numpy.bincount(sources, at[targets] * back, len(start)) * backwards
        to *= damping
        to += (1 - to.sum()) * start  # walks at symbols without edges begin again too
        moved = numpy.abs(to - at).sum()
        at = to
        if moved < weights.SETTLED:
            break
    return at


def share(amounts: Array) -> Array:
    """Amounts as shares of their sum, which may be 0."""
    return amounts / max(float(amounts.sum()), weights.LEAST_COMMON)


_COLUMNS = [("row", "i8"), ("parent", "i8"), ("kind", "i8"), ("file", "i8")] + [
    (flag, "?") for flag in ("configures", "documented", "exported", "test")
]


def _read(index: Index, with_tests: bool) -> Network:
    kinds: dict[str, int] = {}
    paths: dict[str, int] = {}
    configures = {name for name, known in BY_NAME.items() if known.configures}
    found = each_symbol_to_rank(index)
    # Row by row, so that no table of names is in memory.
    each = numpy.fromiter(
        (
            (row, parent or 0, kinds.setdefault(kind, len(kinds)), paths.setdefault(path, len(paths)),
             language in configures, *flags)
            for row, parent, kind, path, language, *flags in found
        ),
        dtype=_COLUMNS,
    )  # fmt: skip
    number = len(each)
    is_defined = numpy.isin(each["kind"], _numbers(kinds, DEFINED))
    is_function = numpy.isin(each["kind"], _numbers(kinds, FUNCTION_KINDS))
    parents = numpy.minimum(numpy.searchsorted(each["row"], each["parent"]), max(0, number - 1))
    goes_up = is_defined[parents] & (each["parent"] > 0)
    is_apart = numpy.array([is_beside(path) for path in paths], dtype=bool)[each["file"]] | each["configures"]
    standing = numpy.where(is_apart, weights.BESIDE, 1.0)
    prior = is_defined * standing * numpy.where(each["exported"], weights.EXPORTED, 1.0)
    prior *= numpy.where(each["documented"], weights.DOCUMENTED, 1.0)
    tests = each["test"].copy()
    if not with_tests:
        prior = share(prior * ~tests) * (1 - weights.TESTS) + share(prior * tests) * weights.TESTS
    is_inner = is_function[parents]
    factors = standing * numpy.where(each["exported"], 1.0, weights.PRIVATE)
    factors *= numpy.where(goes_up & is_inner, weights.INSIDE_FUNCTION, 1.0)
    factors *= numpy.where(goes_up & ~is_inner & is_function, weights.MEMBER, 1.0)
    rows, files = each["row"].copy(), each["file"].astype(numpy.int32)
    up = numpy.flatnonzero(goes_up), parents[goes_up]
    steps = _steps(index, rows, None if with_tests else tests, files, up)
    return Network(rows, each["kind"].astype(numpy.int8), kinds, files, list(paths), tests, prior, factors, steps)


def _numbers(kinds: Mapping[str, int], wanted: Iterable[str]) -> list[int]:
    return [kinds[kind] for kind in wanted if kind in kinds]


_EDGE = [("source", "i8"), ("target", "i8"), ("counts", "f8"), ("is_call", "?")]


def _steps(index: Index, rows: Array, apart: Array | None, files: Array, up: tuple[Array, Array]) -> Steps:
    """`apart`: which symbols are tests, if only what these call counts; then nothing leads back to them. `up`: symbols
    and what contains them."""
    found = each_weighted_edge(index, weights.EDGES, sorted(POSSIBLE_VIAS), weights.POSSIBLE)
    edges = numpy.fromiter(found, dtype=_EDGE)
    sources, targets = numpy.searchsorted(rows, edges["source"]), numpy.searchsorted(rows, edges["target"])
    # What is not among the rows is of a library.
    is_own = rows.take(sources, mode="clip") == edges["source"]
    is_own &= rows.take(targets, mode="clip") == edges["target"]
    if not is_own.all():
        edges, sources, targets = edges[is_own], sources[is_own], targets[is_own]
    counted = edges["counts"]
    if apart is not None:
        selected = ~apart[sources] | (edges["is_call"] & ~apart[targets])
        sources, targets, counted = sources[selected], targets[selected], counted[selected]
    out = numpy.bincount(sources, counted, len(rows))
    into = numpy.bincount(targets, counted, len(rows))
    counted = counted * numpy.where(files[sources] == files[targets], weights.SAME_FILE, 1.0)
    members, containers = up
    has_container = numpy.zeros(len(rows), dtype=bool)
    has_container[members] = True
    along = counted / out[sources] * numpy.where(has_container[sources], 1 - weights.TO_PARENT, 1.0)
    back = counted / into[targets]
    if apart is not None:
        back = numpy.where(apart[sources], 0.0, back)
    return Steps(
        numpy.concatenate([sources, members]),
        numpy.concatenate([targets, containers]),
        numpy.concatenate([along, numpy.where(out[members] > 0, weights.TO_PARENT, 1.0)]),
        numpy.concatenate([back, numpy.zeros(len(members))]),
    )
