"""The order of units for a question: the formula of search in one place, with the constants that belong to it.

In: a question and the search index. Out: units with their scores. Constants that are built into the index, and BM25F
itself, are explained in stores/search_weights.py.

    lexical  = BM25F over the fields of a unit, its class and its file, for the question's terms and near ones
    semantic = cosine of the unit's vector and the question's
    covered  = share of what the question tells that is found in the unit at all
    score    = (lexical / deviation + SEMANTIC * share(question) * z(semantic)) * (1 + COVERED * covered)

deviation and z over all units that do not stand behind. Absent: what a hit is called and where it stands, filters,
names.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from rpg import words
from rpg.models.embedding import LENGTH, Embedder, StaticTable
from rpg.stores.search_fields import LEVELS
from rpg.stores.search_index import BEHIND, FRONT, INSIDE, W_OF_LEVEL, Statistics, postings, term_key
from rpg.stores.search_weights import SATURATION

if TYPE_CHECKING:
    from rpg.stores.index import Index

REPEATED = 1.2
"""k of the question's side: a word said twice counts 2.2 * 2 / 3.2 times."""

IDF_POWER = 0.36
"""Rare words count more, but far less than BM25 has it: in code the rare word is often an accident."""
IDF_POWER_LONG, LONG_QUESTION = 0.7, 30
"""A long text (a bug report) has many common words that have to stand back."""

UNKNOWN_TELLS = 1.35
"""A word that the table does not know is a name of this repository: it tells more than the median word does."""

NEAR_WEIGHT, LEAST_NEAR = 0.75, 0.45
"""Near terms stand in for a word of the question with its count * 0.75 * likeness²: +1 point of doc."""

SEMANTIC = 0.6
"""Weight of the vectors for a short question. Alone they find less than words do; together both find more."""
SHORT_WORDS, LONG_WORDS, LONG_SHARE = 6, 20, 0.3
"""Up to 6 words vectors count in full, then less and less: a long question names what it is about."""

COVERED = 0.3
"""A unit that has every word somewhere beats one that has half of them in its name: +1.9 points of hist."""

STANDING_BEHIND = 0.3
"""Factor for tests, their data, benchmarks and declarations: they use every word of what they stand for."""
TESTS_ASKED = 0.7
"""The same where the question names tests: who writes "test coverage of spiders" wants to see the spiders as well, and
tests alone would fill the page: +0.6 of hist."""
STANDING_INSIDE = 0.7
"""Factor for functions inside of functions: nobody outside can call them, and who seeks one reads what is around."""

CANDIDATES = 300
"""Best units by words that are looked at closely; more never changed the first twenty."""
NEAREST = 50
"""Units nearest by vector that join them where words find little."""
FEW_COVERED = 0.5
"""Where no candidate has half of what the question tells, the nearest by vector are looked for as well."""


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


def rank(
    index: Index,
    statistics: Statistics,
    question: Question,
    table: StaticTable,
    embedder: Embedder | None,
    allowed: Sequence[tuple[int, int]] | None = None,
    candidates: int = CANDIDATES,
) -> list[Found]:
    """The best units, best first. `allowed` are the runs of units that may be found at all."""
    lexical = bm25f(index, statistics, sought_terms(question, table))
    deviation = _deviation(statistics, lexical.scores)
    scores = lexical.scores if allowed is None else _masked(lexical.scores, allowed)
    factors = {FRONT: 1.0, BEHIND: TESTS_ASKED if question.about_tests else STANDING_BEHIND, INSIDE: STANDING_INSIDE}
    block_of_unit = _best(statistics, scores, candidates)
    covered = _covered(lexical, block_of_unit)
    vector = embedder.query(question.terms.items()) if embedder is not None else b""
    cosines: dict[int, float] = {}
    if vector:
        if max(covered.values(), default=0.0) < FEW_COVERED:
            for unit in _nearest(index, vector, allowed is not None):
                if allowed is None or any(start <= unit < end for start, end in allowed):
                    block_of_unit[unit] = block_of(statistics, unit)
        cosines = _cosines(index, vector, block_of_unit)
    mean_cosine, cosine_deviation = _spread_of_cosines(statistics, vector)
    share = SEMANTIC * _share_of_vectors(question) if cosines else 0.0
    perfect = (lexical.most / deviation + share * (1.0 - mean_cosine) / cosine_deviation) * (1 + COVERED)
    found = []
    for unit, block in block_of_unit.items():
        score = lexical.scores[unit] / deviation
        if unit in cosines:
            score += share * (cosines[unit] - mean_cosine) / cosine_deviation
        score *= 1 + COVERED * covered.get(unit, 0.0)
        if score > 0:
            score *= factors[statistics.block_standing[block]]
            found.append(Found(unit, min(1.0, score / perfect)))
    found.sort(key=lambda each: (-each.score, each.unit))
    return found


class Term(NamedTuple):
    """A term that is looked for."""

    times: float
    """In the question; of a near term a fraction."""
    tells: float
    stands_for: str
    """The question's own term: itself, or the one that it is near to."""
    likeness: float


def sought_terms(question: Question, table: StaticTable) -> dict[str, Term]:
    """The question's terms and those near to them."""
    sought: dict[str, Term] = {}
    for term, count in question.terms.items():
        row = table.known.get(term)
        sought[term] = Term(count, row.telling if row else UNKNOWN_TELLS, term, 1.0)
    for term, count in question.terms.items():
        row = table.known.get(term)
        for other, likeness in row.near if row else ():
            if likeness > LEAST_NEAR and other not in sought:
                tells = table.known[other].telling
                sought[other] = Term(NEAR_WEIGHT * likeness * likeness * count, tells, term, NEAR_WEIGHT * likeness)
    return sought


Run = tuple[int, int, float]
"""First unit, the one after the last, and W that all between them share."""


class Posted(NamedTuple):
    """Where one sought term stands."""

    term: Term
    units: array[int]
    shared: list[Run]
    """Units that have it by their class or file."""


class Lexical(NamedTuple):
    """BM25F of one question."""

    scores: list[float]
    """By unit."""
    most: float
    """No unit could score more by the question's own terms."""
    posted: list[Posted]


def bm25f(index: Index, statistics: Statistics, sought: Mapping[str, Term]) -> Lexical:
    """Scores of all units.

    A term's W is summed over unit, block and file before it saturates. Units with a posting of their own first get
    what they score alone; all units of a block that shares the term then get the difference.
    """
    number = statistics.block_units[-1]
    scores = [0.0] * number
    posted = []
    own_terms = sum(1 for term in sought.values() if term.likeness == 1.0)
    power = IDF_POWER_LONG if own_terms > LONG_QUESTION else IDF_POWER
    keys = {term_key(term): details for term, details in sought.items()}
    listed = ",".join(map(str, keys))
    most = 0.0
    rows = index.rows(f"SELECT term, units, blocks, files FROM search_terms WHERE term IN ({listed}) ORDER BY term")
    for key, of_units, of_blocks, of_files in rows:
        term = keys[key]
        units, levels = postings(of_units)
        idf = math.log(1 + (number - len(units) + 0.5) / (len(units) + 0.5))
        weight = term.tells * term.times * (1 + REPEATED) / (term.times + REPEATED) * idf**power
        most += weight * (term.likeness == 1.0)
        shared = _shared_runs(statistics, of_blocks, of_files)
        gains = [weight * share for share in _SHARE_OF_LEVEL]
        for unit, gain in zip(units, map(gains.__getitem__, levels), strict=True):
            scores[unit] += gain
        for start, end, w in shared:
            _share(scores, weight, w, units, levels, gains, start, end)
        posted.append(Posted(term, units, shared))
    return Lexical(scores, most, posted)


def _shared_runs(statistics: Statistics, of_blocks: bytes, of_files: bytes) -> list[Run]:
    """What blocks and files have of a term, as runs in order: a question's cost goes by runs, not by blocks."""
    starts, first_blocks = statistics.block_units, statistics.file_blocks
    blocks = dict(zip(*postings(of_blocks), strict=True)) if of_blocks else {}
    apart = sorted(blocks)
    runs: list[Run] = []
    for file, level in zip(*postings(of_files), strict=True):
        w = W_OF_LEVEL[level]
        first, after = first_blocks[file], first_blocks[file + 1]
        at = first
        for block in apart[bisect_left(apart, first) : bisect_left(apart, after)]:
            _extend(runs, starts[at], starts[block], w)
            _extend(runs, starts[block], starts[block + 1], w + W_OF_LEVEL[blocks.pop(block)])
            at = block + 1
        _extend(runs, starts[at], starts[after], w)
    runs += [(starts[block], starts[block + 1], W_OF_LEVEL[level]) for block, level in blocks.items()]
    return runs


def _extend(runs: list[Run], start: int, end: int, w: float) -> None:
    if start == end:
        return
    if runs and runs[-1][1] == start and runs[-1][2] == w:
        start = runs.pop()[0]
    runs.append((start, end, w))


def _share(
    scores: list[float],
    weight: float,
    w: float,
    units: array[int],
    levels: bytes,
    gains: list[float],
    start: int,
    end: int,
) -> None:
    """Add W of a run to its units; `gains` are what units have scored by a W of their own."""
    alone = weight * w / (SATURATION + w)
    at = bisect_left(units, start)
    last = bisect_left(units, end, at)
    scores[start:end] = [score + alone for score in scores[start:end]]
    for place in range(at, last):
        level = levels[place]
        both = w + W_OF_LEVEL[level]
        scores[units[place]] += weight * (both / (SATURATION + both)) - gains[level] - alone


_SHARE_OF_LEVEL = [(level + 0.5) / LEVELS for level in range(LEVELS)]
"""W / (SATURATION + W)."""


def _masked(scores: list[float], allowed: Iterable[tuple[int, int]]) -> list[float]:
    """Without the units that may not be found."""
    masked: list[float] = []
    for start, end in allowed:
        masked += [0.0] * (start - len(masked))
        masked += scores[start:end]
    masked += [0.0] * (len(scores) - len(masked))
    return masked


def _best(statistics: Statistics, scores: list[float], candidates: int) -> dict[int, int]:
    """So many of the best units that do not stand behind others, and as many of those that do, with their blocks."""
    best: dict[int, int] = {}
    threshold = FIRST_LOOK * max(scores, default=0.0)
    above = [unit for unit, score in enumerate(scores) if score > threshold] if threshold else []
    if len(above) < 2 * candidates:
        above = [unit for unit, score in enumerate(scores) if score > 0.0]
    above.sort(key=scores.__getitem__, reverse=True)
    room = [candidates, candidates]
    for unit in above:
        block = block_of(statistics, unit)
        is_behind = statistics.block_standing[block] == BEHIND
        if room[is_behind]:
            room[is_behind] -= 1
            best[unit] = block
            if not room[False]:
                break
    return best


FIRST_LOOK = 0.25
"""Share of the best score from which candidates are looked for first; only where there are too few, among all."""


def block_of(statistics: Statistics, unit: int) -> int:
    return bisect_right(statistics.block_units, unit) - 1


def _covered(lexical: Lexical, units: Iterable[int]) -> dict[int, float]:
    """By unit the share of what the question tells that is found in it, near terms counting by their likeness."""
    looked_at = set(units)
    ordered = sorted(looked_at)
    best: dict[str, dict[int, float]] = {}
    tells: dict[str, float] = {}
    for term, numbers, shared in lexical.posted:
        found = best.setdefault(term.stands_for, {})
        if term.likeness == 1.0:
            tells[term.stands_for] = term.tells
        here = looked_at.intersection(numbers)
        for start, end, _ in shared:
            here.update(ordered[bisect_left(ordered, start) : bisect_left(ordered, end)])
        for unit in here:
            if term.likeness > found.get(unit, 0.0):
                found[unit] = term.likeness
    total = sum(tells.values()) or 1.0
    covered = dict.fromkeys(ordered, 0.0)
    for own, found in best.items():
        weight = tells.get(own, 0.0) / total
        for unit, likeness in found.items():
            covered[unit] += weight * likeness
    return covered


def _share_of_vectors(question: Question) -> float:
    length = sum(question.terms.values())
    if length <= SHORT_WORDS:
        return 1.0
    fall = (length - SHORT_WORDS) / (LONG_WORDS - SHORT_WORDS)
    return max(LONG_SHARE, 1.0 - (1.0 - LONG_SHARE) * fall)


def _deviation(statistics: Statistics, scores: list[float]) -> float:
    """Of the scores of the units that do not stand behind."""
    number, total, squares = 0, 0.0, 0.0
    for start, end in _runs(statistics):
        part = scores[start:end]
        number += len(part)
        total += sum(part)
        squares += sum(map(mul, part, part))
    if not number:
        return 1.0
    mean = total / number
    return math.sqrt(max(0.0, squares / number - mean * mean)) or 1.0


def _runs(statistics: Statistics) -> Iterable[tuple[int, int]]:
    """Units that do not stand behind, as runs without a gap."""
    start = -1
    for block, standing in enumerate(statistics.block_standing):
        if standing == BEHIND and start >= 0:
            yield start, statistics.block_units[block]
            start = -1
        elif standing != BEHIND and start < 0:
            start = statistics.block_units[block]
    if start >= 0:
        yield start, statistics.block_units[-1]


def _cosines(index: Index, vector: bytes, units: Iterable[int]) -> dict[int, float]:
    """Of those units that have a vector. All vectors have one length, so that the cosine follows from the distance."""
    listed = ",".join(map(str, sorted(units)))
    rows = index.rows(
        "SELECT unit, vec_distance_l2(vec_int8(vector), vec_int8(?)) FROM search_units"
        f" WHERE unit IN ({listed}) AND vector != x''",
        (vector,),
    )
    return {unit: 1.0 - distance * distance / (2 * LENGTH * LENGTH) for unit, distance in rows}


def _nearest(index: Index, vector: bytes, is_filtered: bool) -> list[int]:
    """Units nearest by vector; many where a filter is going to leave few."""
    rows = index.rows(
        "SELECT unit, vec_distance_l2(vec_int8(vector), vec_int8(?)) AS distance FROM search_units"
        " WHERE vector != x'' ORDER BY distance, unit LIMIT ?",
        (vector, NEAREST * (40 if is_filtered else 4)),
    )
    return [unit for unit, _ in rows]


def _spread_of_cosines(statistics: Statistics, vector: bytes) -> tuple[float, float]:
    """Mean and deviation of the cosines of all units with a question, without looking at any."""
    if not vector or not statistics.mean:
        return 0.0, 1.0
    question = [(number - 256 if number > 127 else number) / LENGTH for number in vector]
    mean = sum(map(mul, question, statistics.mean))
    products = [sum(map(mul, question, row)) for row in statistics.covariance]
    return mean, math.sqrt(max(sum(map(mul, question, products)), 1e-9))
