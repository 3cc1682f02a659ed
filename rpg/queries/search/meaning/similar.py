"""Symbols whose code resembles a pasted snippet: the same tokens, the same structure with other names, the same
meaning.

In: an index, a snippet, and what words and vectors found for it. Out: symbols with their similarity, 0 to 1. Candidates
are the nearest by fingerprint (fingerprints.py) and the best by words; their sources are then compared token by token,
in windows in which a name only counts by how far back it occurred before, so that consistent renaming changes nothing.

Absent: filters.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.sources import Sources
from rpg.queries.search.hits import Hit
from rpg.queries.search.meaning import similarity_weights as weights
from rpg.queries.search.meaning.vectors import least
from rpg.queries.search.search_units import Array
from rpg.stores.search.unit_reads import each_fingerprint
from rpg.system.arrays import numpy
from rpg.text import words
from rpg.text.fingerprints import SIZE, fingerprint

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

THE_SAME = "same code"

_KINDS = FUNCTION_KINDS | CLASS_KINDS
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|(?<!:)//[^\n]*|\#[^\n]*'
    r"""|[^\W\d]\w*|\d[\w.]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\S"""
)
_REMARK = re.compile(r'"""|/\*|//|\#')
"""Comments and long strings, where documentation is."""
_LAYOUT = frozenset(";,\\")
"""Tokens that formatters add and remove."""
_KEYWORDS = frozenset(
    """
    and as assert async await break case catch class const continue def default defer delete do elif else enum except
    export extends false finally fn for from func function global go if impl implements import in instanceof interface
    is lambda let match mut new nil none nonlocal not null of or pass pub raise range return select static struct super
    switch this throw trait true try type typeof undefined use var void while with yield
    """.split()
)
"""Of all languages together: a name that is a keyword elsewhere only makes windows more similar."""


class Piece(NamedTuple):
    """The parts of a text that are compared."""

    windows: Counter[tuple[str | int, ...]]
    terms: Counter[str]


class Forms(dict[str, "str | None"]):
    """The part of a token that is compared: for a string its contents, None for a name, empty for a token that is left
    out. Cached, because most tokens recur."""

    def __missing__(self, token: str) -> str | None:
        form: str | None = token.lower()
        if token in _LAYOUT or _REMARK.match(token):
            form = ""
        elif token[0] in "\"'`" and len(token) > 1:
            form = f'"{token[1:-1]}'
        elif (token[0].isalpha() or token[0] == "_") and form not in _KEYWORDS:
            form = None
        self[token] = form
        return form


def piece(text: str, forms: Forms) -> Piece:
    tokens = [token for token in _TOKEN.findall(text) if forms[token] != ""]
    names: Counter[str] = Counter()
    codes: list[str | int] = []
    window = weights.WINDOW
    last: dict[str, int] = {}
    for place, token in enumerate(tokens):
        form = forms[token]
        if form is None:
            names[token] += 1
            back = place - last.get(token, -window)
            codes.append(back if back < window else 0)
            last[token] = place
        else:
            codes.append(form)
    columns = [map(_INSIDE[i].get, codes[i:], codes[i:]) for i in range(min(window, len(codes)))]
    terms: Counter[str] = Counter()
    for name, n in names.items():
        for term in words.terms(name.encode()):
            terms[term] += n
    return Piece(Counter(zip(*columns, strict=False)), terms)


_INSIDE: list[dict[str | int, int]] = [dict.fromkeys(range(i + 1, weights.WINDOW), 0) for i in range(weights.WINDOW)]
"""By position in a window, what becomes of a name that occurred before the window began: a new name."""


def similar(
    index: Index, text: str, by_words: Mapping[int, float], is_wanted: Callable[[Node], bool], enough: int
) -> list[Hit]:
    """Most similar first; `how` is empty for a hit found only by words and meaning. `by_words` are scores by symbol
    row. If the very snippet is found, symbols further away are compared only until there are `enough`."""
    forms = Forms()
    wanted = piece(text, forms)
    fingerprints, words_first = nearest(index, text), list(by_words)
    left = list(
        dict.fromkeys([*fingerprints[: weights.FIRST], *words_first[: weights.FIRST], *fingerprints, *words_first])
    )
    sources = Sources(index.source)
    found: list[Hit] = []
    while left and not (len(found) >= enough and any(each.how == THE_SAME for each in found)):
        many = weights.THEN if found else 2 * weights.FIRST
        now, left = left[:many], left[many:]
        for node in nodes_by_row(index, now).values():
            if node.kind in _KINDS and is_wanted(node):
                meaning = weights.MEANING * by_words.get(node.row, 0.0)
                found.append(_like(wanted, node, source(sources, node), meaning, forms))
    found.sort(key=lambda each: (-each.score, each.node.row))
    return found


def _like(wanted: Piece, node: Node, text: str, meaning: float, forms: Forms) -> Hit:
    if not text or len(text) > weights.LONGEST:
        return Hit(node=node, score=meaning)
    other = piece(text, forms)
    structure, names = _measure_shared(wanted.windows, other.windows), _measure_shared(wanted.terms, other.terms)
    score = weights.STRUCTURE * structure + weights.NAMES * names
    if score < meaning:
        return Hit(node=node, score=meaning)
    if structure < weights.SAME:
        return Hit(node=node, score=score, how="alike in part" if structure > names else "")
    return Hit(node=node, score=score, how=THE_SAME if names > weights.SAME else "same structure, other names")


def _measure_shared(wanted: Counter[Any], other: Counter[Any]) -> float:
    common = (wanted & other).total()
    only, more = wanted.total() - common, other.total() - common
    return common / (common + weights.OWN * only + weights.OTHER * more) if common else 0.0


class _Shapes(NamedTuple):
    """The fingerprints of all units that have one, in the order of the graph."""

    rows: Array
    """Rows of their symbols."""
    counts: Array
    """By position in a fingerprint, then by unit."""


def _fingerprints(index: Index) -> _Shapes:
    rows, found = array("q"), bytearray()
    for row, form in each_fingerprint(index):
        rows.append(row)
        found += form
    counts = numpy.frombuffer(found, numpy.uint8).reshape(len(rows), SIZE)
    return _Shapes(numpy.array(rows, numpy.int64), numpy.ascontiguousarray(counts.T))


def nearest(index: Index, text: str) -> list[int]:
    """Rows of the symbols with the nearest fingerprints."""
    query_fingerprint = fingerprint(text)
    fingerprints = memoize(index, "fingerprints", lambda: _fingerprints(index))
    if not query_fingerprint or not len(fingerprints.rows):
        return []
    distances = numpy.zeros(len(fingerprints.rows), numpy.int16)
    for counts, count in zip(fingerprints.counts, query_fingerprint, strict=True):
        distances += numpy.abs(counts.astype(numpy.int16) - count)
    best: list[int] = fingerprints.rows[least(distances, weights.NEAREST)].tolist()
    return best


def source(sources: Sources, node: Node) -> str:
    lines = sources.lines(node.path) or []
    return "\n".join(lines[node.start_line - 1 : node.end_line]) if node.start_line else ""
