"""From word counts to weights: what a term is worth in a unit, and what its vector is made of.

In: bags, and the calls of the graph. Out: postings with what W is worth (see search_weights.py), and sums of rows of
the embedder.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from typing import NamedTuple

from rpg import words
from rpg.bags import FIELD_BITS, FIELD_MASK, FIELDS, Bag, lengths
from rpg.graph import Edge
from rpg.stores import search_weights as weights
from rpg.stores.search_weights import SATURATION

Callers = dict[str, tuple[dict[str, int], dict[str, int]]]
"""By symbol id, term counts of the names of callers and of tests that call it."""
Collector = Callable[[int], None]
"""Takes the postings of one term."""


class Lengths(NamedTuple):
    """How many bags have each field, and how many words stand in it, by turns: first the fields of bags, then those
    that only the whole graph knows."""

    sums: list[int]

    @classmethod
    def of(cls, packed: Iterable[bytes], callers: Callers) -> Lengths:
        sums = [0] * (2 * len(FIELDS))
        for block in packed:
            for i, value in enumerate(lengths(block)):
                sums[i] += value
        for part in range(2):
            totals = [sum(counts.values()) for each in callers.values() if (counts := each[part])]
            sums += [len(totals), sum(totals)]
        return cls(sums)

    def averages(self) -> list[float]:
        return [_rounded(self.sums[i + 1], self.sums[i]) for i in range(0, len(self.sums), 2)]

    def but_for(self, gone: Lengths, new: Lengths) -> Lengths:
        return Lengths([a - b + c for a, b, c in zip(self.sums, gone.sums, new.sums, strict=True)])


class Fields:
    """Weights of the fields, for the average lengths of one repository."""

    def __init__(self, lengths: Lengths) -> None:
        averages = lengths.averages()
        shares = [weights.LENGTH_SHARE.get(i, weights.LENGTH_SHARE_ELSEWHERE) for i in range(len(averages))]
        self._weights = [weights.WEIGHTS[i] for i in range(len(averages))]
        self._bases = [1 - share for share in shares]
        self._per_word = [share / average for share, average in zip(shares, averages, strict=True)]

    def factors(self, lengths: list[int]) -> list[float]:
        """By field of a bag, what one word in it adds to W."""
        return [
            weight / (base + per_word * length) if length else 0.0
            for weight, base, per_word, length in zip(self._weights, self._bases, self._per_word, lengths, strict=False)
        ]

    def factor(self, field: int, length: int) -> float:
        return self._weights[field] / (self._bases[field] + self._per_word[field] * length)


class Tally:
    """The terms of one file, each with what collects its postings and with its row of the embedder; and sums by term,
    which are empty again after each bag."""

    def __init__(self, fields: Fields, collectors: list[Collector], rows: list[int]) -> None:
        self._fields = fields
        self._collectors = collectors
        self._rows = rows
        self._w = [0.0] * len(rows)
        self._tenths = [0] * len(rows)
        self._touched: list[int] = []

    def term(self, collector: Collector) -> int:
        """The number of a term that the file itself does not have. No vector counts it."""
        self._collectors.append(collector)
        self._rows.append(0)
        self._w.append(0.0)
        self._tenths.append(0)
        return len(self._w) - 1

    def add(self, term: int, w: float) -> None:
        """To W of the next bag."""
        if self._w[term] == 0.0:
            self._touched.append(term)
        self._w[term] += w

    def post(self, number: int, bag: Bag, around: list[float], within: list[float] | None = None) -> int:
        """Post every term of a bag under a number, with what its W adds to the score of a unit that has W of what is
        `around`, by term. `within`, which begins as a copy of that, gets the sums.

        Returns what the bag adds to the vectors that it belongs to, as `Embedder.vector` takes it: sum of rows *
        log(1 + sum of weight * (1 + log count)).
        """
        w, tenths, rows, touched = self._w, self._tenths, self._rows, self._touched
        factors = self._fields.factors(bag.lengths)
        in_vector = _TENTHS
        for code, n in zip(bag.codes, bag.counts, strict=True):
            field = code & FIELD_MASK
            factor = factors[field]
            if factor:
                term = code >> FIELD_BITS
                if w[term] == 0.0:
                    touched.append(term)
                w[term] += factor * n
                weight = in_vector[field]
                if weight and rows[term]:
                    tenths[term] += weight if n == 1 else int(weight * (1.0 + math.log(n)))
        collectors = self._collectors
        part, known, shared = 0, 0, len(around)
        for term in touched:
            sum_of_weights = w[term]
            w[term] = 0.0
            share = 0.0
            if term < shared and around[term]:
                share = around[term] / (SATURATION + around[term])
                sum_of_weights += around[term]
            if within is not None:
                within[term] = sum_of_weights
            share = sum_of_weights / (SATURATION + sum_of_weights) - share
            collectors[term](number | int(LEVELS * share) << LEVEL_BITS)
            weight = tenths[term]
            if weight:
                tenths[term] = 0
                known += 1
                if known <= MOST_TERMS:
                    part += rows[term] * _LOGARITHM[weight if weight < _LAST else _LAST]
        touched.clear()
        return part


LEVELS = 256
"""Steps in a posting of W / (SATURATION + W), which is what a score sums."""
LEVEL_BITS = 32
"""What is collected of a posting: its number, and above these bits its level."""


def caller_terms(names: Mapping[str, str], edges: Iterable[Edge], tests: Container[str]) -> Callers:
    """Term counts of the names of what calls each symbol. Tests describe what they call, but not other tests."""
    callers: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for source, target, kind, _via, _sites in edges:
        if kind == "calls" and source != target:
            describing = source in tests and target not in tests
            known = callers[target][describing]
            if len(known) < weights.MOST_CALLERS:
                known.add(names[source])
    return {target: (_counted(few), _counted(tested)) for target, (few, tested) in callers.items()}


_TENTHS = [round(10 * weights.VECTOR_WEIGHTS.get(field, 0.0)) for field in range(FIELD_MASK + 1)]
_LOGARITHM = [round(8 * math.log1p(tenths / 10)) for tenths in range(300)]
"""In eighths, which is finer than the vectors."""
_LAST = len(_LOGARITHM) - 1
MOST_TERMS = 500
"""Known terms taken of one bag, so that the lanes of the sum cannot run over (see models/embedding.py)."""


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in sorted(names):
        for token in words.tokens(name):
            for term in words.terms(token):
                counts[term] = counts.get(term, 0) + 1
    return counts


def _rounded(total: float, number: int) -> float:
    """An average, in the steps that keep it still while a repository is edited."""
    if not total:
        return 1.0
    return weights.AVERAGE_STEP ** round(math.log(total / number, weights.AVERAGE_STEP))
