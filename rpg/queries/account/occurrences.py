"""Where a name stands as a word in the sources of the index.

In: a name. Out: for each file that has it, the offsets of all occurrences, by the rule of `git grep -w`: no letter,
digit or underscore of ASCII before or behind it. The text index says which files may have it, without numpy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg import deadline
from rpg.queries.graph.memo import memoized
from rpg.stores.search.trigrams import SHORTEST, files_among

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

FILES_AT_ONCE: Final = 64
_WORD_BYTES: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_NAME: Final = re.compile(r"(?:[^\W\d]|\$)[\w$]*[?!]?")


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


class LinesOf:
    """Lines and columns of ascending offsets of one text, as sites have them."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._line = 1
        self._at = 0

    def place(self, offset: int) -> tuple[int, int]:
        if offset < self._at:
            self._line, self._at = 1, 0
        self._line += self._text.count(b"\n", self._at, offset)
        self._at = offset
        start = self._text.rfind(b"\n", 0, offset) + 1
        before = self._text[start:offset]
        return self._line, (len(before) if before.isascii() else len(before.decode("utf-8", "replace"))) + 1


def is_word(name: str) -> bool:
    """Whether a name can stand in a text as a word: no operator, title or path."""
    return _NAME.fullmatch(name) is not None


def find_words(text: bytes, word: bytes) -> list[int]:
    """The offsets of a word in a text."""
    found = []
    size, length = len(text), len(word)
    at = text.find(word)
    while at >= 0:
        end = at + length
        is_begin = at == 0 or text[at - 1] not in _WORD_BYTES
        if is_begin and (end == size or text[end] not in _WORD_BYTES):
            found.append(at)
            at = text.find(word, end)
        else:
            at = text.find(word, at + 1)
    return found


def find_occurrences(index: Index, name: str, covers: Callable[[str], bool]) -> Iterator[FileOccurrences]:
    """File by file, in the order of paths. `covers`: which files count, by path."""
    files = files_of(index)
    word = name.encode()
    some = files_among(index, name, list(files)) if len(word) >= SHORTEST else list(files)
    for at in range(0, len(some), FILES_AT_ONCE):
        deadline.check()
        packed = index.packed_sources([id for id in some[at : at + FILES_AT_ONCE] if covers(files[id].path)])
        for id in sorted(packed, key=lambda each: files[each].path):
            text = index.unpacked(*packed[id])
            offsets = find_words(text, word)
            if offsets:
                yield FileOccurrences(files[id], text, offsets)


def files_of(index: Index) -> dict[int, File]:
    """All files that were read, by their number."""
    return memoized(index, "files for accounts", lambda: _files(index))


def _files(index: Index) -> dict[int, File]:
    tests = {path for (path,) in index.rows("SELECT path FROM symbols WHERE kind IN ('file', 'module') AND test")}
    return {
        id: File(id, path, language, size, path in tests)
        for id, path, language, size in index.rows(
            "SELECT id, path, language, size FROM files WHERE skipped = '' ORDER BY path"
        )
    }
