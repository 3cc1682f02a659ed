"""Where a name stands as a word in the sources of the index.

In: a name. Out: for each file that has it, the offsets of all occurrences, by the rule of `git grep -w`: no letter,
digit or underscore of ASCII before or behind it. The text index says which files may have it, without numpy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.queries.graph.memo import memoize
from rpg.stores.index.reader import list_files, list_test_files
from rpg.stores.search.trigrams import SHORTEST, files_among
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

FILES_AT_ONCE: Final = 64
CHECKED_EVERY: Final = 1_000
"""After so many places, the time limit is checked."""
_CONTINUED: Final = bytes(range(0x80, 0xC0))
"""Bytes that begin no character of UTF-8."""
_OF_WORDS: Final = frozenset(b"_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NEWLINE: Final = re.compile(rb"\n")
_NAME: Final = re.compile(r"(?:--)?(?:[^\W\d]|\$)[\w$]*(?:-+[\w$]+)*[?!]?")


class File(NamedTuple):
    id: int
    path: str
    language: str
    size: int
    test: bool


class FileOccurrences(NamedTuple):
    file: File
    text: bytes
    offsets: list[int]


def find_line_starts(text: bytes) -> list[int]:
    return [0, *(each.end() for each in _NEWLINE.finditer(text))]


def find_offset(text: bytes, starts: Sequence[int], line: int, column: int) -> int:
    """Where a site is in a text, by where the lines of that begin."""
    start = starts[min(line, len(starts)) - 1]
    ahead = text[start : start + 4 * column]
    return start + (column - 1 if ahead.isascii() else len(ahead.decode(errors="replace")[: column - 1].encode()))


class LinesOf:
    """Lines and columns of offsets of one text, as sites have them. An offset costs as much as it is away from the last
    one, so that many in one line do not count it again and again."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._line = 1
        self._start = 0
        """Where the line begins."""
        self._at = 0
        self._column = 1

    def place(self, offset: int) -> tuple[int, int]:
        text, at = self._text, self._at
        passed = text.count(b"\n", at, offset) if offset >= at else -text.count(b"\n", offset, at)
        self._line += passed
        if passed:
            self._start = text.rfind(b"\n", 0, offset) + 1
            self._column = 1 + _characters(text[self._start : offset])
        elif offset >= at:
            self._column += _characters(text[at:offset])
        else:
            self._column -= _characters(text[offset:at])
        self._at = offset
        return self._line, self._column


def _characters(text: bytes) -> int:
    return len(text) if text.isascii() else len(text.translate(None, _CONTINUED))


def is_word(name: str) -> bool:
    """Whether a name can stand in a text as a word: no operator, title or path."""
    return _NAME.fullmatch(name) is not None


def find_words(text: bytes, word: bytes) -> list[int]:
    """The offsets of a word in a text."""
    return list(_words(text, word))


def count_occurrences(text: bytes, word: bytes) -> int:
    """How often a text of any length has a word."""
    return sum(1 for _ in _words(text, word))


def _words(text: bytes, word: bytes) -> Iterator[int]:
    """As `pattern_of` finds them, which looks at every byte, since it begins with what is before the word."""
    last = len(text) - len(word)
    looked_at = 0
    at = text.find(word)
    while at >= 0:
        looked_at += 1
        if looked_at % CHECKED_EVERY == 0:
            deadline.check()
        if (at and text[at - 1] in _OF_WORDS) or (at < last and text[at + len(word)] in _OF_WORDS):
            at = text.find(word, at + 1)
        else:
            yield at
            at = text.find(word, at + len(word))


def pattern_of(word: bytes) -> re.Pattern[bytes]:
    """Finds a word by the rule of `git grep -w`."""
    return re.compile(rb"(?<!\w)" + re.escape(word) + rb"(?!\w)")


def find_occurrences(index: Index, name: str, covers: Callable[[str], bool]) -> Iterator[FileOccurrences]:
    """File by file, in the order of paths. `covers`: which files count, by path."""
    files = files_of(index)
    word = name.encode()
    some = files_among(index, name, list(files)) if len(word) >= SHORTEST else list(files)
    for at in range(0, len(some), FILES_AT_ONCE):
        deadline.check()
        packed = index.read_packed_sources([id for id in some[at : at + FILES_AT_ONCE] if covers(files[id].path)])
        for id in sorted(packed, key=lambda each: files[each].path):
            text = index.unpacked(*packed[id])
            offsets = find_words(text, word)
            if offsets:
                yield FileOccurrences(files[id], text, offsets)


def files_of(index: Index) -> dict[int, File]:
    """All files that were read, by their number."""
    return memoize(index, "files for accounts", lambda: _files(index))


def _files(index: Index) -> dict[int, File]:
    tests = set(list_test_files(index))
    return {each.id: File(*each, each.path in tests) for each in list_files(index)}
