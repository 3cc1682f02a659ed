"""The order of units for a question: the formula of search in one place, with the constants that belong to it.

In: a question's terms and the search index. Out: units with their scores. Constants that are built into the index, and
BM25F itself, are explained in stores/search_weights.py.

    lexical  = BM25F over the fields of a unit, its class and its file
    semantic = cosine of the unit's vector and the question's
    score    = z(lexical) + SEMANTIC * share(question) * z(semantic), z over all units that are no tests

Absent: what a hit is called and where it stands, filters, names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from heapq import nlargest
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from rpg import words
from rpg.models.embedding import LENGTH, Embedder
from rpg.stores.search_index import BLOCK_BITS, W_OF_LEVEL, Statistics, postings, term_key
from rpg.stores.search_weights import SATURATION

if TYPE_CHECKING:
    from rpg.stores.index import Index

REPEATED = 1.2
"""k of the question's side: a word said twice counts 2.2 * 2 / 3.2 times."""

IDF_POWER = 0.36
"""Rare words count more, but far less than BM25 has it: in code the rare word is often an accident. At 1, doc loses
1.2 points and hist 4."""
IDF_POWER_LONG, LONG_QUESTION = 0.7, 30
"""A long text (a bug report) has many common words that have to stand back."""

SEMANTIC = 0.6
"""Weight of the vectors for a short question. Alone they find less than words do; together both find more."""
SHORT_WORDS, LONG_WORDS, LONG_SHARE = 6, 20, 0.3
"""Up to 6 words vectors count in full, then less and less: a long question names what it is about."""

TESTS = 0.3
"""Factor for tests, their data and benchmarks: they use every word of what they test. Without it doc loses 8 points."""

CANDIDATES = 200
"""Best units by words whose vectors are compared; more never changed the first twenty."""
NEAREST = 50
"""Units nearest by vector that join them where words find little."""
FEW_FOUND = 0.6
"""Share of a question's weight that the best unit by words must have, or the nearest vectors are looked for as well."""


class Question(NamedTuple):
    terms: dict[str, int]
    """Terms with counts, stop words left out unless there is nothing else."""
    about_tests: bool

    @classmethod
    def of(cls, text: str) -> Question:
        counts = Counter(words.text_terms(text))
        telling = {term: n for term, n in counts.items() if words.is_word(term)}
        terms = telling or dict(counts)
        return cls(terms, len(terms) <= SHORT_WORDS and not _TEST_TERMS.isdisjoint(terms))


_TEST_TERMS = frozenset(words.text_terms("test tests testing fixture benchmark mock conftest"))
"""Only a short question that names them asks for tests; in a long one they are mentioned by the way."""


class Found(NamedTuple):
    unit: int
    score: float
    """0 to 1, where 1 is a unit that has every word of the question in its name and its meaning entirely."""


class Lexical(NamedTuple):
    """BM25F of one question."""

    units: dict[int, float]
    """Scores of the units that have a word of the question themselves."""
    blocks: dict[int, float]
    """What every unit of a block scores by words of its class and file."""
    mean: float
    deviation: float
    """Over all units that are no tests."""
    most: float
    """No unit could score more."""


def rank(
    index: Index,
    statistics: Statistics,
    question: Question,
    embedder: Embedder | None,
    allowed: Callable[[int], bool] | None = None,
    candidates: int = CANDIDATES,
) -> list[Found]:
    """The best units, best first. `allowed` says of a block whether its units may be found at all."""
    lexical = bm25f(index, statistics, question)
    tests = statistics.block_tests
    demote = 1.0 if question.about_tests else TESTS
    best = _best(statistics, lexical, demote, candidates, allowed)
    vector = embedder.query(question.terms.items()) if embedder is not None else b""
    cosines: dict[int, float] = {}
    if vector:
        if not best or lexical.most * FEW_FOUND > best[0][1]:
            known = {unit for unit, _ in best}
            best += [
                (unit, _lexical_score(lexical, unit))
                for unit in _nearest(index, statistics, vector, demote, allowed)
                if unit not in known
            ]
        cosines = _cosines(index, vector, [unit for unit, _ in best])
    scored = []
    mean, deviation = _spread_of_cosines(statistics, vector)
    share = SEMANTIC * _share(question) if cosines else 0.0
    perfect = lexical.most / lexical.deviation + share * (1.0 - mean) / deviation
    # The origin is what a unit without any word of the question would have: tests are demoted from there.
    for unit, score in best:
        z = (score - lexical.mean) / lexical.deviation
        if unit in cosines:
            z += share * (cosines[unit] - mean) / deviation
        z += lexical.mean / lexical.deviation
        if z > 0:
            factor = demote if tests[unit >> BLOCK_BITS] else 1.0
            scored.append(Found(unit, min(1.0, z * factor / perfect)))
    scored.sort(key=lambda found: (-found.score, found.unit))
    return scored


def bm25f(index: Index, statistics: Statistics, question: Question) -> Lexical:
    """Scores of all units for the question's terms."""
    total = sum(statistics.block_units)
    power = IDF_POWER_LONG if len(question.terms) > LONG_QUESTION else IDF_POWER
    block_files, block_units, block_tests = statistics.block_files, statistics.block_units, statistics.block_tests
    units: dict[int, float] = {}
    blocks: dict[int, float] = {}
    most = 0.0
    keys = {term_key(term): n for term, n in question.terms.items()}
    marks = ",".join("?" * len(keys))
    rows = index.rows(f"SELECT term, units, blocks, files FROM search_terms WHERE term IN ({marks})", tuple(keys))
    blocks_of_file: dict[int, list[int]] | None = None
    for term, of_units, of_blocks, of_files in rows:
        unit_keys, unit_levels = postings(of_units)
        n, df = keys[term], len(unit_keys)
        idf = math.log(1 + (total - df + 0.5) / (df + 0.5)) if df <= total else 0.1
        weight = n * (1 + REPEATED) / (n + REPEATED) * idf**power
        most += weight
        shared: dict[int, float] = {}
        if of_files:
            if blocks_of_file is None:
                blocks_of_file = {}
                for block, file in enumerate(block_files):
                    blocks_of_file.setdefault(file, []).append(block)
            for file, level in zip(*postings(of_files), strict=True):
                w = W_OF_LEVEL[level]
                for block in blocks_of_file.get(file, ()):
                    shared[block] = w
        for block, level in zip(*postings(of_blocks), strict=True):
            shared[block] = shared.get(block, 0.0) + W_OF_LEVEL[level]
        for block, w in shared.items():
            blocks[block] = blocks.get(block, 0.0) + weight * w / (SATURATION + w)
        own = [weight * w / (SATURATION + w) for w in W_OF_LEVEL]
        for unit, level in zip(unit_keys, unit_levels, strict=True):
            block = unit >> BLOCK_BITS
            w = shared.get(block)
            if w is None:
                gain = own[level]
            else:
                both = w + W_OF_LEVEL[level]
                gain = weight * (both / (SATURATION + both) - w / (SATURATION + w))
            units[unit] = units.get(unit, 0.0) + gain
    sum_, squares, counted = 0.0, 0.0, 0
    for block, score in blocks.items():
        if not block_tests[block]:
            sum_ += score * block_units[block]
            squares += score * score * block_units[block]
    for unit, gain in units.items():
        block = unit >> BLOCK_BITS
        base = blocks.get(block, 0.0)
        units[unit] = score = base + gain
        if not block_tests[block]:
            sum_ += gain
            squares += score * score - base * base
    counted = sum(n for n, test in zip(block_units, block_tests, strict=True) if not test) or 1
    mean = sum_ / counted
    deviation = math.sqrt(max(0.0, squares / counted - mean * mean)) or 1.0
    return Lexical(units, blocks, mean, deviation, most)


def _best(
    statistics: Statistics,
    lexical: Lexical,
    demote: float,
    candidates: int,
    allowed: Callable[[int], bool] | None,
) -> list[tuple[int, float]]:
    """Units with their scores by words. Of blocks whose units have no word of their own, the best fill the rest."""
    tests = statistics.block_tests

    def demoted(item: tuple[int, float]) -> tuple[float, int]:
        unit, score = item
        return (score * demote if tests[unit >> BLOCK_BITS] else score), -unit

    units, blocks = lexical.units, lexical.blocks
    if allowed is not None:
        within = {block for block in range(len(tests)) if allowed(block)}
        units = {unit: score for unit, score in units.items() if unit >> BLOCK_BITS in within}
        blocks = {block: score for block, score in blocks.items() if block in within}
    best = nlargest(candidates, units.items(), key=demoted)
    if len(best) < candidates and blocks:
        left = candidates - len(best)
        for block, score in nlargest(left, blocks.items(), key=lambda item: (item[1], -item[0])):
            for unit in range(block << BLOCK_BITS, (block << BLOCK_BITS) + statistics.block_units[block]):
                if unit not in lexical.units and left > 0:
                    best.append((unit, score))
                    left -= 1
    return best


def _lexical_score(lexical: Lexical, unit: int) -> float:
    score = lexical.units.get(unit)
    return score if score is not None else lexical.blocks.get(unit >> BLOCK_BITS, 0.0)


def _share(question: Question) -> float:
    length = sum(question.terms.values())
    if length <= SHORT_WORDS:
        return 1.0
    fall = (length - SHORT_WORDS) / (LONG_WORDS - SHORT_WORDS)
    return max(LONG_SHARE, 1.0 - (1.0 - LONG_SHARE) * fall)


def _cosines(index: Index, vector: bytes, units: Iterable[int]) -> dict[int, float]:
    """Of those units that have a vector. All vectors have one length, so that the cosine follows from the distance."""
    listed = ",".join(map(str, units))
    rows = index.rows(
        "SELECT unit, vec_distance_l2(vec_int8(vector), vec_int8(?)) FROM search_units"
        f" WHERE unit IN ({listed}) AND vector != x''",
        (vector,),
    )
    return {unit: _cosine(distance) for unit, distance in rows}


def _nearest(
    index: Index, statistics: Statistics, vector: bytes, demote: float, allowed: Callable[[int], bool] | None
) -> list[int]:
    rows = index.rows(
        "SELECT unit, vec_distance_l2(vec_int8(vector), vec_int8(?)) AS distance FROM search_units"
        " WHERE vector != x'' ORDER BY distance, unit LIMIT ?",
        (vector, NEAREST * (2 if allowed is None else 40)),
    )
    tests = statistics.block_tests
    near = [
        unit
        for unit, _ in rows
        if (allowed is None or allowed(unit >> BLOCK_BITS)) and (demote == 1.0 or not tests[unit >> BLOCK_BITS])
    ]
    return near[:NEAREST]


def _cosine(distance: float) -> float:
    return 1.0 - distance * distance / (2 * LENGTH * LENGTH)


def _spread_of_cosines(statistics: Statistics, vector: bytes) -> tuple[float, float]:
    """Mean and deviation of the cosines of all units with a question, without looking at any."""
    if not vector or not statistics.mean:
        return 0.0, 1.0
    question = [(number - 256 if number > 127 else number) / LENGTH for number in vector]
    mean = sum(map(mul, question, statistics.mean))
    products = [sum(map(mul, question, row)) for row in statistics.covariance]
    return mean, math.sqrt(max(sum(map(mul, question, products)), 1e-9))
