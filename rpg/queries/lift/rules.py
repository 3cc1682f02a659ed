"""The rules for features and titles, whoever writes them.

In: a text, and the packages that the repository uses. Out: why it is refused; empty if it is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages.python.names import STANDARD_MODULES
from rpg.queries.packages.external import package_of
from rpg.stores.index.place_reads import list_external_names
from rpg.stores.index.symbol_reads import list_own_names
from rpg.text.features import VERBS
from rpg.text.printable import quote_text
from rpg.text.words import parts

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

FEWEST, MOST = 3, 8
"""Words of a feature."""
MOST_OF_TITLE = 5
LONGEST_WORD = 24
MORE_VERBS: Final = frozenset(
    """
    adapt advance annotate answer apportion arrange balance batch broadcast bundle canonicalize check cluster comment
    communicate compose coordinate correct correlate count crawl cycle declare decompose deduplicate demonstrate deny
    differentiate discard distinguish distribute duplicate embed emulate enforce enrich escalate establish estimate
    exchange exercise expose factor forecast fulfil gather govern hook illustrate implement impose incorporate inform
    inherit intercept introduce isolate justify learn leave link localise maintain model move mutate narrow navigate
    negotiate obtain orchestrate organise organize outline own package page park patch pipe point predict present
    preserve probe program prohibit qualify rebalance recognise recognize recommend reconcile record recycle regulate
    relate relay remember remind reorganize report reserve restructure reuse review satisfy score script seal secure
    settle signal simulate solve speed stage state stub summarise summarize supply survey table talk template tie time
    tolerate total traverse treat twist uncover understand unify unite unwind vary vote warm weigh work
    """.split()
)
"""Verbs besides those that names of functions begin with."""
EMPTY_WORDS: Final = frozenset(
    "util utils utility utilities helper helpers misc miscellaneous core common stuff".split()
)
"""A title of only these words means nothing."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_TITLE_WORD: Final = re.compile(rf"{_WORD.pattern}[,:]?|&")


def problem_with_feature(text: str, packages: Collection[str]) -> str:
    """Why a feature is refused. It has 3 to 8 words: a verb and its object, lower-case, without names of files and
    libraries."""
    if problem := _problem_with_words(text, _WORD, FEWEST, MOST):
        return problem
    words = text.split(" ")
    if text != text.lower():
        return "write it in lower case"
    if words[0] not in VERBS and words[0] not in MORE_VERBS:
        return f"{quote_text(words[0])} is not a verb in the imperative: begin with one, as in `check a password`"
    return _problem_with_names(words, packages)


def problem_with_title(text: str, packages: Collection[str]) -> str:
    """Why a title is refused. It has 1 to 5 words, the first with a capital, without names of files and libraries."""
    if problem := _problem_with_words(text, _TITLE_WORD, 1, MOST_OF_TITLE):
        return problem
    words = text.split(" ")
    if not text[0].isupper():
        return "begin with a capital letter"
    if all(word.lower().strip(",:&") in EMPTY_WORDS for word in words):
        return "say what it is about: this title fits anything"
    if text[-1] in ",:":
        return "end with a word"
    return _problem_with_names([word.strip(",:").lower() for word in words], packages)


def _problem_with_words(text: str, pattern: re.Pattern[str], fewest: int, most: int) -> str:
    if not text.isprintable():
        return "it has characters that cannot be printed"
    words = text.split(" ")
    if not all(words):
        return "put one blank between words, and none around them"
    if not fewest <= len(words) <= most:
        return f"it has {len(words)} words: write {fewest} to {most}"
    for word in words:
        if len(word) > LONGEST_WORD:
            return f"{quote_text(word[:LONGEST_WORD])}… is too long for a word"
        if not pattern.fullmatch(word):
            return f"{quote_text(word)} is not a plain word: leave out names of files and symbols, and punctuation"
    return ""


def _problem_with_names(words: Collection[str], packages: Collection[str]) -> str:
    named = next((word for word in words if word in packages), "")
    return (
        f"{quote_text(named)} is a library that the repository uses: say what is done, not with what" if named else ""
    )


def packages_used(index: Index) -> frozenset[str]:
    """External packages, by their names in lower case. A name that is also a word of the repository's own names is left
    out: the description of a router may say router, even if a library has that name."""
    rows = list_external_names(index)
    found = {package_of(name, language) for name, language in rows}
    own = {word for name in list_own_names(index) for word in parts(name)}
    return frozenset(name.lower() for name in found if name not in STANDARD_MODULES) - own - VERBS
