"""From word counts to weights: what a term is worth in a unit, and what its vector is made of.

In: bags, and the calls of the graph. Out: W by term (see search_weights.py), and terms with weights for the embedder.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from itertools import islice

from rpg import words
from rpg.bags import FIELD_BITS, FIELD_MASK, FIELDS, Bag, lengths
from rpg.graph import Graph
from rpg.stores import search_weights as weights

Callers = dict[str, tuple[dict[str, int], dict[str, int]]]
"""By symbol id, term counts of the names of callers and of tests that call it."""


class Fields:
    """Weights of the fields, for the average lengths of one repository."""

    def __init__(self, packed: Iterable[bytes], callers: Callers) -> None:
        averages = [*_averages(packed), *_caller_averages(callers)]
        self._shares = [weights.LENGTH_SHARE.get(i, weights.LENGTH_SHARE_ELSEWHERE) for i in range(len(averages))]
        self._weights = [weights.WEIGHTS[i] for i in range(len(averages))]
        self._per_word = [share / average for share, average in zip(self._shares, averages, strict=True)]

    def weigh(self, bag: Bag) -> dict[int, float]:
        """W by term of a bag, terms by their number in the file."""
        factors = [self._factor(field, length) if length else 0.0 for field, length in enumerate(bag.lengths)]
        found: dict[int, float] = {}
        get = found.get
        for code, n in zip(bag.codes, bag.counts, strict=True):
            term = code >> FIELD_BITS
            found[term] = get(term, 0.0) + factors[code & FIELD_MASK] * n
        return found

    def weigh_callers(self, callers: tuple[dict[str, int], dict[str, int]] | None) -> Iterator[tuple[str, float]]:
        """What the names of callers, then those of tests, add to W."""
        if callers is None:
            return
        for field, counts in zip((weights.CALLERS, weights.TEST_CALLERS), callers, strict=True):
            if counts:
                factor = self._factor(field, sum(counts.values()))
                for term, n in counts.items():
                    yield term, factor * n

    def _factor(self, field: int, length: int) -> float:
        return self._weights[field] / (1 - self._shares[field] + self._per_word[field] * length)


def caller_terms(graph: Graph, tests: Container[str]) -> Callers:
    """Term counts of the names of what calls each symbol. Tests describe what they call, but not other tests."""
    names = {symbol.id: symbol.name for symbol in graph.symbols}
    callers: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for source, target, kind, _via, _sites in graph.edges:
        if kind == "calls" and source != target:
            describing = source in tests and target not in tests
            known = callers[target][describing]
            if len(known) < weights.MOST_CALLERS:
                known.add(names[source])
    return {target: (_counted(few), _counted(tested)) for target, (few, tested) in callers.items()}


def vector_part(bag: Bag, rows: list[int]) -> int:
    """What a bag adds to the vectors that it belongs to, as `Embedder.vector` takes it.

    `rows` are the embedder's for the terms of the file. A term's fields are weighted and summed, then the logarithm
    is taken: sum of rows * log(1 + sum of weight * (1 + log count)).
    """
    found: dict[int, int] = {}
    get = found.get
    for code, n in zip(bag.codes, bag.counts, strict=True):
        term = code >> FIELD_BITS
        if rows[term]:
            weight = _TENTHS[code & FIELD_MASK]
            if weight:
                found[term] = get(term, 0) + (weight if n == 1 else int(weight * (1.0 + math.log(n))))
    last = len(_LOGARITHM) - 1
    part = 0
    for term, weight in islice(found.items(), MOST_TERMS):
        part += rows[term] * _LOGARITHM[weight if weight < last else last]
    return part


_TENTHS = [round(10 * weights.VECTOR_WEIGHTS.get(field, 0.0)) for field in range(FIELD_MASK + 1)]
_LOGARITHM = [round(8 * math.log1p(tenths / 10)) for tenths in range(300)]
"""In eighths, which is finer than the vectors."""
MOST_TERMS = 500
"""Known terms taken of one bag, so that the lanes of the sum cannot run over (see models/embedding.py)."""


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in sorted(names):
        for token in words.tokens(name):
            for term in words.terms(token):
                counts[term] = counts.get(term, 0) + 1
    return counts


def _averages(packed: Iterable[bytes]) -> list[float]:
    sums = array("Q", [0] * (2 * len(FIELDS)))
    for block in packed:
        for i, value in enumerate(lengths(block)):
            sums[i] += value
    return [_rounded(sums[i + 1], sums[i]) for i in range(0, len(sums), 2)]


def _caller_averages(callers: Callers) -> list[float]:
    averages = []
    for part in range(2):
        totals = [sum(counts.values()) for each in callers.values() if (counts := each[part])]
        averages.append(_rounded(sum(totals), len(totals)))
    return averages


def _rounded(total: float, number: int) -> float:
    """An average, in the steps that keep it still while a repository is edited."""
    if not total:
        return 1.0
    return weights.AVERAGE_STEP ** round(math.log(total / number, weights.AVERAGE_STEP))
