"""Words of code and prose: how identifiers, comments and queries become the terms that search compares.

In: source bytes or text. Out: terms, which are lower-case stems (`RequestHandlers` gives `request`, `handler`) plus one
joined term per compound (`requesthandlers`), so that a whole name is also a term.

Absent: weights, ranking, languages. Code and queries follow the same rules, or their terms would never match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import Stemmer

LONGEST_TOKEN = 64
"""Longer runs are encoded data, not words."""

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be because been before being between both but by can cannot
    could did do does doing done down during each either etc few for from further had has have having he her here his
    how however if in instead into is it its itself just like made make makes may me might more most much must my need
    needs neither no nor not now of off on once only onto or other others our ours out over own same shall she should so
    some such than that the their them then there these they this those through thus to too under until up upon us use
    used uses using very via was we were what when where whether which while who whom whose why will with within without
    would you your yours
    """.split()
)
"""Words of a query that carry no meaning for search; they stay in the index of code, because names contain them."""

_LETTERS = bytes(c if (chr(c).isalnum() and c < 128) or c == 95 or c >= 128 else 32 for c in range(256))
_PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_WORDS = re.compile(r"[^\W_]+")
_WIDE_SCRIPTS = 0x2E80
_stem = Stemmer.Stemmer("english", 0).stemWord

_CACHE_LIMIT = 400_000


class _Terms(dict[bytes, tuple[str, ...]]):
    """The terms of raw tokens, which recur within and across files."""

    def __missing__(self, token: bytes) -> tuple[str, ...]:
        if len(self) > _CACHE_LIMIT:
            self.clear()
        found = self[token] = _split(token)
        return found


TERMS_OF: Final = _Terms()


def blank_non_words(source: bytes) -> bytes:
    """The source with everything but words blanked: same length, so that offsets still hold."""
    return source.translate(_LETTERS)


def tokens(text: str) -> list[bytes]:
    """The raw tokens of a text, in order."""
    return text.encode("utf-8", "replace").translate(_LETTERS).split()


def terms(token: bytes) -> tuple[str, ...]:
    """The terms of one raw token: stems of its parts, then the joined term if it is a compound."""
    return TERMS_OF[token]


def forget() -> None:
    """Drops the cache of terms by token, which a large repository fills with hundreds of thousands."""
    TERMS_OF.clear()


def text_terms(text: str) -> list[str]:
    """All terms of a text, in order, with repetitions."""
    return [term for token in tokens(text) for term in terms(token)]


def distinct_terms(text: str) -> set[str]:
    """The terms of a text, each once."""
    return {term for token in set(tokens(text)) for term in terms(token)}


def is_word(term: str) -> bool:
    """Whether a query's term carries meaning."""
    return term not in _STOPPED


def find_inflected_stop_words(text: str) -> set[str]:
    """The stop words that a text has in a form which is none: `likes` is a verb, `like` seldom."""
    words = {token.decode("utf-8", "replace").lower() for token in tokens(text)}
    return {stem for word in words - STOP_WORDS for stem in (_stem(word),) if stem in _STOPPED}


def parts(name: str) -> list[str]:
    """The parts of an identifier, lower-case, unstemmed, one-letter parts and numbers included."""
    found: list[str] = []
    for word in _WORDS.findall(name):
        found.extend(part.lower() for part in (_PARTS.findall(word) if word.isascii() else _wide_parts(word)))
    return found


def fold_name(name: str) -> str:
    """A name for comparisons that ignore case and underscores."""
    return "".join(_WORDS.findall(name)).lower()


def _split(token: bytes) -> tuple[str, ...]:
    if len(token) > LONGEST_TOKEN:
        return ()
    text = token.decode("utf-8", "replace")
    if token.islower() and (joined := token.replace(b"_", b"")).isalpha():  # as most are: no expression is needed
        folded, found = joined.decode(), [part for part in text.split("_") if part]
    else:
        folded, found = "", parts(text)
    if len(found) == 1:
        part = found[0]
        return (_stem(part),) if len(part) > 1 else ()
    return (*[_stem(part) for part in found if len(part) > 1], folded or fold_name(text)) if found else ()


def _wide_parts(word: str) -> Iterable[str]:
    """Non-ASCII words stay whole; scripts without spaces between words give pairs of characters."""
    if len(word) > 2 and any(ord(character) >= _WIDE_SCRIPTS for character in word):
        return [word[i : i + 2] for i in range(len(word) - 1)]
    return [word]


_STOPPED = frozenset(term for word in STOP_WORDS for term in (word, _stem(word)))
