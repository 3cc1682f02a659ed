"""Trigrams of one short text, and the files of a few that may have it: for callers that must not load numpy.

In: a text, and numbers of files. Out: those that have all its trigrams, by the rows that text_trigrams.py writes, and
that describes them; the caller still has to search them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rpg.stores.search.numbers import GAPS, GAPS_HEAD, ON, unpack

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

HASH_BITS: Final = 15
HASHES: Final = 1 << HASH_BITS
SHORTEST: Final = 3
"""Bytes of the shortest text that has a trigram."""
FACTORS: Final = (5_857, 29_919, 40_503)
"""Odd factors for the three bytes; the highest bits of the sum of products are the hash."""
BITMAP: Final = 1
"""The first byte of a blob that has a bit for each file; any other is a list (numbers.py)."""
_LOWER: Final = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))
_LETTERS: Final = (("\u017f".encode(), b"s"), ("\u212a".encode(), b"k"))
"""Long s and the Kelvin sign."""


def fold(text: bytes) -> bytes:
    """The form whose trigrams are indexed."""
    if not text.isascii():
        for letter, plain in _LETTERS:
            text = text.replace(letter, plain)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    return text.translate(_LOWER)


def hashes_of(text: bytes) -> list[int]:
    """The hashes of a folded text's trigrams, each once, in order."""
    found = set()
    for first, second, third in zip(text, text[1:], text[2:], strict=False):
        total = (first * FACTORS[0] + second * FACTORS[1] + third * FACTORS[2]) & 0xFFFF
        found.add((total ^ total >> 7) & (HASHES - 1))
    return sorted(found)


def files_among(index: Index, text: str, files: Sequence[int]) -> list[int]:
    """The files, by number, that may have the text, which has at least SHORTEST bytes."""
    wanted = hashes_of(fold(text.encode()))
    if not wanted or not files:
        return []
    rows = index.rows(f"SELECT files FROM search_texts WHERE trigram IN ({','.join(map(str, wanted))})")
    if len(rows) < len(wanted):
        return []
    left = list(files)
    for blob in sorted((bytes(row[0]) for row in rows), key=len):
        left = having(blob, left)
    return left


def having(blob: bytes, files: Iterable[int]) -> list[int]:
    """The files that a blob names."""
    if blob[0] != BITMAP:
        numbers = _of_gaps(blob) if blob[0] == GAPS else set(unpack(blob))
        return [file for file in files if file in numbers]
    size = len(blob) - 1
    return [file for file in files if file >> 3 < size and blob[1 + (file >> 3)] >> (file & 7) & 1]


def _of_gaps(blob: bytes) -> set[int]:
    """The same as `unpacked`, without numpy."""
    found = set()
    number, gap = -1, 0
    for byte in blob[GAPS_HEAD:]:
        gap += byte
        if byte != ON:
            number += gap + 1
            found.add(number)
            gap = 0
    return found
