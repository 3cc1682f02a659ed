"""Symbols whose code is like a pasted piece: the same tokens, the same structure with other names, the same meaning.

In: an index, a piece of code, and what words and vectors found for it. Out: symbols with their likeness, 0 to 1.
Those that may be like it are the nearest by fingerprint (fingerprints.py) and the best by words; their sources are
then compared token by token, in windows in which a name says only how far back it stood before, so that consistent
renaming changes nothing.
Absent: filters.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg import words
from rpg.arrays import numpy
from rpg.fingerprints import SIZE, fingerprint
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.memo import kept
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.sources import Sources
from rpg.queries.search.hits import Hit
from rpg.queries.search.search_units import Array
from rpg.queries.search.vectors import least

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

NEAREST = 150
"""Symbols nearest by fingerprint whose tokens are compared."""
FIRST, THEN = 12, 60
"""Of these, and of those that words found, so many are compared first, and so many at once of what is left."""
THE_SAME = "same code"
WINDOW = 5
"""Tokens in a row that are compared as one: shorter ones stand in all code, longer ones break at every change."""
STRUCTURE, NAMES = 0.7, 0.3
"""Of the likeness. Names decide between what is built alike, and are not enough alone."""
OWN, OTHER = 0.7, 0.3
"""How much counts against a symbol that it lacks windows of the piece, and that it has others: a piece is often a
part of what is sought (Tversky's index)."""
SAME = 0.9
"""From this share on structures, or names, are called the same."""
LONGEST = 40_000
"""Characters of a symbol that is compared: longer ones are classes, whose methods are compared themselves."""
MEANING = 0.6
"""What a symbol that words found is worth at most where its structure is another."""

_KINDS = FUNCTION_KINDS | CLASS_KINDS
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|(?<!:)//[^\n]*|\#[^\n]*'
    r"""|[^\W\d]\w*|\d[\w.]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\S"""
)
_REMARK = re.compile(r'"""|/\*|//|\#')
"""Comments and long strings, which is where documentation stands."""
_LAYOUT = frozenset(";,\\")
"""Tokens that formatters add and take away."""
_KEYWORDS = frozenset(
    """
    and as assert async await break case catch class const continue def default defer delete do elif else enum except
    export extends false finally fn for from func function global go if impl implements import in instanceof interface
    is lambda let match mut new nil none nonlocal not null of or pass pub raise range return select static struct super
    switch this throw trait true try type typeof undefined use var void while with yield
    """.split()
)
"""Of all languages together: a name that is a keyword elsewhere only makes windows more alike."""


class Piece(NamedTuple):
    """What is compared of a text."""

    windows: Counter[tuple[str | int, ...]]
    terms: Counter[str]


class _Forms(dict[str, "str | None"]):
    """What is compared of a token: of strings what is in them; None of a name, empty of what is left out. Kept, since
    most tokens come again."""

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


def piece(text: str, forms: _Forms) -> Piece:
    tokens = [token for token in _TOKEN.findall(text) if forms[token] != ""]
    names: Counter[str] = Counter()
    codes: list[str | int] = []
    last: dict[str, int] = {}
    for place, token in enumerate(tokens):
        form = forms[token]
        if form is None:
            names[token] += 1
            back = place - last.get(token, -WINDOW)
            codes.append(back if back < WINDOW else 0)
            last[token] = place
        else:
            codes.append(form)
    columns = [map(_INSIDE[i].get, codes[i:], codes[i:]) for i in range(min(WINDOW, len(codes)))]
    terms: Counter[str] = Counter()
    for name, n in names.items():
        for term in words.terms(name.encode()):
            terms[term] += n
    return Piece(Counter(zip(*columns, strict=False)), terms)


_INSIDE: list[dict[str | int, int]] = [dict.fromkeys(range(i + 1, WINDOW), 0) for i in range(WINDOW)]
"""By place in a window, what a name becomes that was there before the window began: one that is new."""


def similar(
    index: Index, text: str, by_words: Mapping[int, float], is_wanted: Callable[[Node], bool], enough: int
) -> list[Hit]:
    """Most like first; `how` is empty where words and meaning alone speak for a hit. `by_words` are scores by symbol
    row. Where the very piece is found, what is farther away by fingerprint is compared only until there are
    `enough`."""
    forms = _Forms()
    wanted = piece(text, forms)
    fingerprints, words_first = nearest(index, text), list(by_words)
    left = list(dict.fromkeys([*fingerprints[:FIRST], *words_first[:FIRST], *fingerprints, *words_first]))
    sources = Sources(index.source)
    found: list[Hit] = []
    while left and not (len(found) >= enough and any(each.how == THE_SAME for each in found)):
        many = THEN if found else 2 * FIRST
        now, left = left[:many], left[many:]
        for node in nodes_by_row(index, now).values():
            if node.kind in _KINDS and is_wanted(node):
                meaning = MEANING * by_words.get(node.row, 0.0)
                found.append(_like(wanted, node, source(sources, node), meaning, forms))
    found.sort(key=lambda each: (-each.score, each.node.row))
    return found


def _like(wanted: Piece, node: Node, text: str, meaning: float, forms: _Forms) -> Hit:
    if not text or len(text) > LONGEST:
        return Hit(node=node, score=meaning)
    other = piece(text, forms)
    structure, names = _shared(wanted.windows, other.windows), _shared(wanted.terms, other.terms)
    score = STRUCTURE * structure + NAMES * names
    if score < meaning:
        return Hit(node=node, score=meaning)
    if structure < SAME:
        return Hit(node=node, score=score, how="alike in part" if structure > names else "")
    return Hit(node=node, score=score, how=THE_SAME if names > SAME else "same structure, other names")


def _shared(wanted: Counter[Any], other: Counter[Any]) -> float:
    common = (wanted & other).total()
    only, more = wanted.total() - common, other.total() - common
    return common / (common + OWN * only + OTHER * more) if common else 0.0


class _Shapes(NamedTuple):
    """Of all units that have one, in the order of the graph."""

    rows: Array
    """Of their symbols."""
    counts: Array
    """By place in a fingerprint, then by unit."""


def _fingerprints(index: Index) -> _Shapes:
    rows, found = array("q"), bytearray()
    for row, form in index.each(
        "SELECT symbol, fingerprint FROM search_units WHERE fingerprint != x'' ORDER BY symbol"
    ):
        rows.append(row)
        found += form
    counts = numpy.frombuffer(found, numpy.uint8).reshape(len(rows), SIZE)
    return _Shapes(numpy.array(rows, numpy.int64), numpy.ascontiguousarray(counts.T))


def nearest(index: Index, text: str) -> list[int]:
    """Rows of the symbols whose fingerprint is nearest."""
    sought = fingerprint(text)
    known = kept(index, "fingerprints", lambda: _fingerprints(index))
    if not sought or not len(known.rows):
        return []
    distances = numpy.zeros(len(known.rows), numpy.int16)
    for counts, count in zip(known.counts, sought, strict=True):
        distances += numpy.abs(counts.astype(numpy.int16) - count)
    best: list[int] = known.rows[least(distances, NEAREST)].tolist()
    return best


def source(sources: Sources, node: Node) -> str:
    lines = sources.lines(node.path) or []
    return "\n".join(lines[node.start_line - 1 : node.end_line]) if node.start_line else ""
