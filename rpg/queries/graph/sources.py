"""The text behind spans and sites, from the index only.

In: a path and lines. Out: the lines as they were when the graph was made, so that line numbers and lines match whatever
happened to the file since. The work tree is never read here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from rpg.queries.graph.memo import memoize

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LINE_WIDTH = 100
"""Characters of a source line in a list; a longer one is cut visibly."""


KEPT_CHARACTERS, LONGEST_KEPT = 250_000, 100_000
"""The most characters of lines that are cached, of all files and of one."""


class LineCache:
    """Lines of files, in one state of an index, for the next stage of an answer and for the next answer."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[list[str], int]] = {}
        self._room = KEPT_CHARACTERS
        self._changing = threading.Lock()

    def get(self, path: str) -> list[str] | None:
        cached = self._files.get(path)
        return cached[0] if cached is not None else None

    def add(self, path: str, lines: list[str], size: int) -> None:
        """Adds lines, in place of those that were added first."""
        if size > LONGEST_KEPT:
            return
        with self._changing:
            if path not in self._files:
                self._files[path] = lines, size
                self._room -= size
            while self._room < 0:
                self._room += self._files.pop(next(iter(self._files)))[1]


class Sources:
    """The files of one answer, each unpacked once."""

    def __init__(self, read: Callable[[str], bytes], cache: LineCache | None = None) -> None:
        self._read = read
        self._cache = cache
        self._lines: dict[str, list[str] | None] = {}

    def lines(self, path: str) -> list[str] | None:
        """None if the index has no text of that file. Lines end only at `\\n`, as sites count them."""
        if path not in self._lines:
            lines = self._cache.get(path) if self._cache is not None else None
            self._lines[path] = lines if lines is not None else self._fresh(path)
        return self._lines[path]

    def _fresh(self, path: str) -> list[str] | None:
        text = self._read(path).decode("utf-8", "replace")
        if not text:
            return None
        lines = text.split("\n")
        if self._cache is not None:
            self._cache.add(path, lines, len(text))
        return lines

    def line(self, path: str, number: int) -> str:
        """One line, trimmed; empty if there is none."""
        lines = self.lines(path)
        if not lines or not 0 < number <= len(lines):
            return ""
        text = lines[number - 1].strip()
        return text if len(text) <= LINE_WIDTH else text[: LINE_WIDTH - 1] + "…"


def sources(index: Index) -> Sources:
    """The cached lines, for answers about a few symbols, whose files the next answer may well need again."""
    return Sources(index.source, memoize(index, "lines of files", LineCache))


def number_lines(lines: list[str], first: int, last: int) -> str:
    """Lines `first` to `last`, each preceded by its number and a tab."""
    return "\n".join(f"{number}\t{lines[number - 1].rstrip(chr(13))}" for number in range(first, last + 1))
