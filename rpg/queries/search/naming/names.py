"""Symbols by name: exact, prefix or substring, half-remembered, misspelt.

In: an identifier as someone wrote it (`Flask.dispatch`, `http::Client`, `parser/lexer#next`). Out: names in the index
with how well they match, and in which way.

Absent: words of prose (ranking.py), filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rpg.queries.graph.memo import memoize
from rpg.queries.search.naming import name_weights as weights
from rpg.stores.search.names import key_of, numbers, trigrams
from rpg.stores.search.numbers import unpack
from rpg.stores.search.unit_reads import list_names_at, list_names_like, list_packed_names_with
from rpg.system.arrays import numpy
from rpg.text import words

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


_SEPARATORS = re.compile(r"::|->|[.#/\\:]")
_IDENTIFIER = re.compile(r"[\w$@~-]+(?:(?:::|->|[.#/\\:])[\w$@~-]+)*(?:\(\))?")


class Written(NamedTuple):
    name: str
    qualifiers: tuple[str, ...]
    """The parts before the name, folded, outermost first."""


class Likeness(NamedTuple):
    name: str
    """As in the graph."""
    score: float
    how: str
    """exact, spelling, letters, parts or typo."""


def identifier(text: str) -> Written | None:
    """The name in a text that is one, not prose: one token, or several joined by `.`, `::`, `#`, `/`."""
    text = text.strip().strip("`'\"")
    if not _IDENTIFIER.fullmatch(text):
        return None
    segments = [each for each in _SEPARATORS.split(text.removesuffix("()")) if each]
    if not segments:
        return None
    name = segments[-1]
    if len(segments) > 1 and _is_ending(text, name):
        name = segments.pop(-2)  # a file: `flask/app.py` is the module app
    return Written(name, tuple(filter(None, map(words.fold_name, segments[:-1]))))


def _is_ending(text: str, last: str) -> bool:
    return "/" in text and len(last) <= 4 and last.islower() and text.endswith("." + last)


def find_similar_names(index: Index, name: str) -> list[Likeness]:
    """The most similar names, best first."""
    folded = words.fold_name(name)
    wanted = trigrams(folded)
    packed = list_packed_names_with(index, [*map(key_of, wanted)])
    numbers_of_names = [numpy.array(unpack(blob), numpy.int64) for blob in packed]
    if not numbers_of_names:
        return []
    order = memoize(index, "order of names", lambda: numbers(index))
    shared = numpy.bincount(numpy.concatenate(numbers_of_names), minlength=int(order.max()) + 1)
    some = order[shared[order] > 0]
    best = some[numpy.argsort(-shared[some], kind="stable")[: weights.CONSIDERED]].tolist()
    rows = list_names_at(index, best)
    # A name that exists is not misspelt, nor is a word that names have in another form.
    may_err = all(other != folded for _, other, _ in rows) and not has_word(name, rows)
    found = []
    parts = words.parts(name)
    for number, other, spellings in rows:
        dice = 2 * int(shared[number]) / (len(wanted) + len(trigrams(other)))
        for spelling in spellings.split("\n"):
            likeness = _likeness(name, folded, parts, spelling, other, dice, may_err)
            if likeness is not None:
                found.append(likeness)
    found.sort(key=lambda each: (-each.score, each.name))
    return found


def has_word(name: str, rows: Iterable[tuple[int, str, str]]) -> bool:
    """Whether a single word is, in any form, one of the words of some name: `etags` of `etag_for_path`."""
    wanted = words.distinct_terms(name)
    if len(wanted) != 1 or len(words.parts(name)) != 1:
        return False
    [term] = wanted
    spellings = (each for _, folded, names in rows if term in folded for each in names.split("\n"))
    return any(term in words.distinct_terms(each) for each in spellings)


def containing(index: Index, text: str, beginning: bool) -> list[str]:
    """Names that contain a text, or begin with it, ignoring case and underscores; shortest first."""
    folded = words.fold_name(text)
    if not folded:
        return []
    pattern = f"{folded}%" if beginning else f"%{folded}%"
    rows = list_names_like(index, pattern)
    rows.sort(key=lambda row: (len(row[0]), row[0]))
    return [name for _, names in rows for name in names.split("\n")]


def _likeness(
    name: str, folded: str, parts: list[str], spelling: str, other: str, dice: float, may_err: bool
) -> Likeness | None:
    if spelling == name:
        return Likeness(spelling, weights.EXACT, "exact")
    if other == folded:
        return Likeness(spelling, weights.FOLDED, "spelling")
    matches = [(weights.LETTERS * dice, "letters")]
    # Most names do not even have the letters of the parts.
    aligned = _measure_aligned(parts, words.parts(spelling)) if all(part in other for part in parts) else 0.0
    if not aligned and dice <= weights.LEAST_LIKE:
        return None
    if aligned:
        matches.append((weights.PARTS * (weights.PARTS_BASE + (1 - weights.PARTS_BASE) * aligned), "parts"))
    if may_err and dice > weights.LEAST_LIKE:
        longer = max(len(folded), len(other))
        if (
            abs(len(folded) - len(other)) <= (1 - max(matches)[0] / weights.TYPO) * longer
        ):  # otherwise it cannot be the best match
            matches.append((weights.TYPO * (1 - damerau(folded, other) / longer), "typo"))
    score, how = max(matches)
    score += weights.AS_WRITTEN * (_read_opening(name) == _read_opening(spelling))
    return Likeness(spelling, score, how)


def _read_opening(name: str) -> tuple[int, bool]:
    """How many underscores a name begins with, and whether a capital follows."""
    bare = name.lstrip("_")
    return len(name) - len(bare), bare[:1].isupper()


def _measure_aligned(wanted: list[str], parts: list[str]) -> float:
    """Share of the letters of both names in parts that begin alike and are in the same order; 0 unless all wanted parts
    are."""
    matched, at = 0, 0
    for part in wanted:
        while at < len(parts) and not parts[at].startswith(part):
            at += 1
        if at == len(parts):
            return 0.0
        matched += len(part)
        at += 1
    return matched / max(1, sum(map(len, parts)))


def damerau(a: str, b: str) -> int:
    """The number of letters to insert, delete, replace or swap with the next to get from one to the other (optimal
    alignment).

    Hyyrö, A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances, 2003: a column of the table is
    two integers, which mark where a value is one more, and one less, than the one above it.
    """
    if not a:
        return len(b)
    places: dict[str, int] = {}
    for i, letter in enumerate(a):
        places[letter] = places.get(letter, 0) | 1 << i
    whole, last = (1 << len(a)) - 1, 1 << len(a) - 1
    more, less, diagonal, before, distance = whole, 0, 0, 0, len(a)
    for letter in b:
        here = places.get(letter, 0)
        swapped = (((~diagonal) & here) << 1) & before
        diagonal = ((((here & more) + more) ^ more) | here | less | swapped) & whole
        right_more = (less | ~(diagonal | more)) & whole
        right_less = diagonal & more
        distance += bool(right_more & last) - bool(right_less & last)
        right_more = (right_more << 1 | 1) & whole
        right_less = (right_less << 1) & whole
        more = (right_less | ~(diagonal | right_more)) & whole
        less = diagonal & right_more
        before = here
    return distance
