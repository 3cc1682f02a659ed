"""Text as BERT's uncased models read it: numbers of the pieces of its words.

In: a text. Out: the numbers of its pieces, between those that mark beginning and end. The rules are those of the
reference implementation, which tests/test_minilm.py holds to: letters are lower-cased and lose their accents,
punctuation stands alone, and of each word the longest known beginning is a piece, then of the rest.

wordpieces.bin, the vocabulary that came with BERT, is compressed: its licence is in LICENSE-bert. Absent: the model.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

from rpg.compression import decompress

VOCABULARY = Path(__file__).with_name("wordpieces.bin")
UNKNOWN: Final = "[UNK]"
BEGINNING: Final = "[CLS]"
END: Final = "[SEP]"
INSIDE: Final = "##"
"""Before a piece that does not begin a word."""
LONGEST_WORD: Final = 100
"""Characters; a longer word is unknown as a whole."""
_WIDE: Final = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
"""Characters of scripts without spaces: each is a word."""


def numbers(text: str, most: int) -> list[int]:
    """Of at most that many pieces, the marks included."""
    known = vocabulary()
    found = [known[BEGINNING]]
    for word in words(text):
        found += _pieces(word, known)
        if len(found) >= most:
            break
    return [*found[: most - 1], known[END]]


def words(text: str) -> list[str]:
    cleaned = "".join(_spaced(character) for character in text)
    plain = "".join(each for each in unicodedata.normalize("NFD", cleaned) if unicodedata.category(each) != "Mn")
    spread = "".join(f" {each} " if _is_punctuation(each) else each for each in plain.lower())
    return spread.split()


@cache
def vocabulary() -> dict[str, int]:
    pieces = decompress(VOCABULARY.read_bytes()).decode().split("\n")
    return {piece: number for number, piece in enumerate(pieces)}


def _pieces(word: str, known: dict[str, int]) -> list[int]:
    if len(word) > LONGEST_WORD:
        return [known[UNKNOWN]]
    found: list[int] = []
    start, before = 0, ""
    while start < len(word):
        end = len(word)
        while end > start and before + word[start:end] not in known:
            end -= 1
        if end == start:
            return [known[UNKNOWN]]
        found.append(known[before + word[start:end]])
        start, before = end, INSIDE
    return found


def _spaced(character: str) -> str:
    if character in "\t\n\r" or character.isspace():
        return " "
    if character == "\ufffd" or unicodedata.category(character).startswith("C"):
        return ""
    code = ord(character)
    return f" {character} " if any(first <= code <= last for first, last in _WIDE) else character


def _is_punctuation(character: str) -> bool:
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")
