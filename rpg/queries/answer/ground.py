"""Whether a sentence about an excerpt has ground in it, and says anything.

In: a sentence in plain words with names of code, the excerpt, the symbol's signature. Out: how much of it stands in the
excerpt; none if it must not be said. Nothing here knows whether a sentence is true: it is held to the words of its
source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from rpg.queries.answer import evidence_weights as weights
from rpg.text.words import distinct_terms, is_word, parts, terms

_WORD: Final = re.compile(r"[^\W\d]\w*|\d[\w.]*")
_OF_CODE: Final = re.compile(r"_|\d|[^\W\d_]\w*[A-Z]|^[A-Z]")
"""Nobody writes such a word in prose."""
_SAYS_NOTHING: Final = frozenset(
    """
    function method class code value object argument parameter variable result given specified following current new
    certain specific provided particular appropriate corresponding based call called calls
    """.split()
)
"""Words that fit any code."""


class Grounds(NamedTuple):
    terms: frozenset[str]
    """Words of the sentence with a meaning."""
    held: frozenset[str]
    """Those of them that stand in the excerpt."""
    new: frozenset[str]
    """Those of them that the signature does not say."""

    @property
    def worth(self) -> int:
        return len(self.new) - weights.UNGROUNDED_COSTS * len(self.terms - self.held)


def grounds(sentence: str, excerpt: str, signature: str) -> Grounds | None:
    """None if the sentence names what the excerpt does not, is mostly not of its words, repeats itself, or says no more
    than the signature."""
    words = _WORD.findall(sentence)
    if _repeats(words):
        return None
    standing = set(_WORD.findall(excerpt))
    if any(word not in standing for word in words if _OF_CODE.search(word)):
        return None
    said = extract_terms(words)
    held = said & distinct_terms(excerpt)
    new = held - distinct_terms(signature)
    found = Grounds(frozenset(said), frozenset(held), frozenset(new))
    return found if found.worth >= weights.LEAST_WORTH else None


def extract_terms(words: Iterable[str]) -> set[str]:
    """The terms of words that say something, parts of names included."""
    split = [part for word in words for part in parts(word)]
    return {
        term
        for part in split
        if part not in _SAYS_NOTHING and not part.isdigit()
        for term in terms(part.encode())
        if is_word(term)
    }


def is_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sentences say the same, as far as their words tell."""
    return len(one & other) >= weights.ALIKE_SENTENCES * min(len(one), len(other))


def _repeats(words: list[str]) -> bool:
    """Whether two words follow one another twice."""
    pairs = [(one.lower(), other.lower()) for one, other in pairwise(words)]
    return len(set(pairs)) < len(pairs)
