"""Whether a text by itself looks like a secret.

In: a candidate. Out: yes or no. Absent on purpose: its position and its name; callers handle those.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log2
from typing import Final

LEAST_ENTROPY: Final = 3.2
"""Bits per character of a literal next to a telling name: names and words are below, random values are not."""
PLACEHOLDER: Final = re.compile(
    rb"example|placeholder|change[_-]?me|dummy|sample|your|redacted|xxxx|1234567|abcdef|passw|pwd|secret|token|"
    rb"insert|replace|qwerty|foobar|hunter2?$|test[_-]?(?:key|pass)",
    re.IGNORECASE,
)
"""Words that mark a placeholder for a secret."""
DIGIT: Final = re.compile(rb"[0-9]")
LETTER: Final = re.compile(rb"[A-Za-z]")
WORD: Final = re.compile(rb"[a-z]{4,}|[A-Z]{4,}")
CHANGE: Final = re.compile(rb"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])")
SIGN: Final = re.compile(rb"[^A-Za-z0-9_./:-]")
IDENTIFIER: Final = re.compile(rb"[A-Za-z_$@&*!][\w$]*(?:(?:\.|->|::|\?\.)[\w$]+)*[!?]?")
NO_PASSWORD: Final = re.compile(rb"[(){}\[\]<>$\\\s]|%[sdr(]|://|^[#/.*~-]|^[\d.,:-]+$|\.{3}|\*\*|^--")
"""Code, templates, paths and plain numbers."""
KINDS: Final = (re.compile(rb"[a-z]"), re.compile(rb"[A-Z]"), DIGIT, re.compile(rb"[^A-Za-z0-9]"))
LEAST_PASSWORD: Final = 8
LEAST_OF_PASSWORD: Final = 2.6
"""Bits per character of a password."""
HASHED: Final = re.compile(rb"[a-z0-9_]*\$[^$]*\$")
"""A stored password hash: the password cannot be recovered from it."""


def entropy(value: bytes) -> float:
    """Entropy in bits per character."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values())


def is_random(value: bytes) -> bool:
    """Whether letters and digits are in an order that no person would write."""
    if not DIGIT.search(value) or not LETTER.search(value) or PLACEHOLDER.search(value) or HASHED.match(value):
        return False
    return not is_of_words(value) and entropy(value) >= LEAST_ENTROPY


def is_of_words(value: bytes) -> bool:
    """Whether more than half of it could be words, with few digits between their letters."""
    size = len(value)
    if 2 * sum(map(len, WORD.findall(value))) <= size:
        return False
    return 5 * len(CHANGE.findall(value)) < size and len(set(SIGN.findall(value))) < 3


def is_password(value: bytes) -> bool:
    """Whether it looks like a password that forms accept: three kinds of characters, and hardly made of words."""
    if len(value) < LEAST_PASSWORD or PLACEHOLDER.search(value) or NO_PASSWORD.search(value):
        return False
    if entropy(value) < LEAST_OF_PASSWORD:
        return False
    if sum(kind.search(value) is not None for kind in KINDS) < 3 or not DIGIT.search(value):
        return False
    return 4 * sum(map(len, WORD.findall(value))) <= 3 * len(value)


def is_weak_password(value: bytes) -> bool:
    """Whether it may be a password in a place where only a value can be: six characters, and not a single word."""
    if len(value) < 6 or PLACEHOLDER.search(value) or NO_PASSWORD.search(value) or not LETTER.search(value):
        return False
    return len(value) > LEAST_PASSWORD + 7 or not value.isalpha()


def is_code(value: bytes) -> bool:
    """Whether it could be an expression of a program."""
    return IDENTIFIER.fullmatch(value) is not None
