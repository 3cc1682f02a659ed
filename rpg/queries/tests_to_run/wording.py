"""The words of code, and which tests have one of a text.

In: the texts of tests, and of what is on the way to them. Out: words as they are written together, each once, without
those that code of any kind has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

COMMON = 0.5
"""A word that more than this share of the tests has says nothing."""
_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_COMMON = frozenset(
    """and as assert async await break case catch class const continue def def elif else elsif except false final for
    from func function if import in instanceof is isinstance len let none not null or pass private public raise return
    self static str switch test tests the this throw true try type value var void when while with""".split()
)


class Wording:
    """Which tests have a word of a text."""

    def __init__(self, words: Mapping[int, frozenset[str]]) -> None:
        self.most = COMMON * len(words)
        self.having: dict[str, int] = {}
        for place, each in enumerate(words.values()):
            for word in each:
                self.having[word] = self.having.get(word, 0) | 1 << place
        self._found: dict[str, int] = {}

    def find_tests(self, text: str) -> int:
        """As bits."""
        if text not in self._found:
            found = 0
            for word in list_words(text):
                having = self.having.get(word, 0)
                if having.bit_count() <= self.most:
                    found |= having
            self._found[text] = found
        return self._found[text]


def list_words(text: str) -> frozenset[str]:
    return frozenset(map(str.lower, set(_WORD.findall(text)))) - _COMMON
