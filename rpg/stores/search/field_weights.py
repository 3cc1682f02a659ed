"""Every constant of the ranking that is built into the index, each with its reason.

The score of a unit is BM25 over weighted fields (BM25F: Robertson, Zaragoza, Taylor, 2004):

    W(term, unit) = sum over fields of weight * count / (1 - b + b * length / average length)
    score(unit)   = sum over terms of (weight in the query) * idf ** power * W / (SATURATION + W)

Figures given here are means over open repositories in three languages (bin/developer/bench/search.py). `doc` is the
mean reciprocal rank of a function for the first sentence of its documentation, which was removed; `hist` is how often
all files that a fix changed are among the first five for its message. Constants of the query side are in
queries/search/ranking_weights.py.
"""

from __future__ import annotations

from rpg.text.term_frequencies import (
    BODY,
    CALLS,
    CHAIN,
    CLASS_DOC,
    COMMENTS,
    DOC,
    MODULE_DOC,
    NAME,
    NEIGHBOURS,
    PATH,
    SIGNATURE,
)

CALLERS, TEST_CALLERS = range(11, 13)
"""Fields that need the whole graph: names of the functions and of the tests that call a unit."""

WEIGHTS = {
    NAME: 8.0,  # a name is the shortest summary there is; without it doc loses 3 points
    CHAIN: 3.2,  # the class says what the method's name leaves out
    PATH: 3.2,  # files are named for their subject
    SIGNATURE: 2.0,  # parameters and types; includes decorators
    BODY: 0.6,  # most of the words, and the least specific
    CALLS: 0.6,  # what it does, in other people's words; also counted in the body
    TEST_CALLERS: 0.6,  # tests are named for behaviour: without them hist loses a point
    DOC: 0.36,  # above 0.5 long documentation beats the code that a query is about
    CLASS_DOC: 0.32,  # as the doc, of all methods alike
    COMMENTS: 0.3,  # about single lines
    CALLERS: 0.2,  # what a unit is used for, in other people's words
    NEIGHBOURS: 0.2,  # the subject of the file, for functions that do not name it
    MODULE_DOC: 0.12,  # as the doc, of the whole file alike
}
"""Weight of one occurrence in a field."""

LENGTH_SHARE = {BODY: 0.4, DOC: 0.8}
"""b: how much a field's length counts against it. Long bodies are longer because they do more."""
LENGTH_SHARE_ELSEWHERE = 0.6
"""b of all other fields."""

SATURATION = 3.0
"""k1, over weighted counts: one hit in the name nearly saturates a term, ten in a body do not."""

AVERAGE_STEP = 2 ** (1 / 4)
"""Average lengths are rounded to powers of this, so that they seldom change while a repository is edited: weights stay
the same, and an updated index equals a rebuilt one."""

MOST_CALLERS = 200
"""How many callers' names are counted for one unit: what everything calls is not described by its callers."""

VECTOR_WEIGHTS = {NAME: 3.0, CHAIN: 1.0, PATH: 0.5, SIGNATURE: 1.0, BODY: 0.6}
"""Weights of the fields in a unit's vector; the built-in table was trained with them."""
