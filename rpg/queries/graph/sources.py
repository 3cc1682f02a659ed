"""The text behind spans and sites, from the index only.

In: a path and lines. Out: the lines as they were when the graph was made, so that line numbers and lines match whatever
happened to the file since. The work tree is never read here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LINE_WIDTH = 100
"""Characters of a source line in a list; a longer one is cut visibly."""


class Sources:
    """The files of one answer, each unpacked once."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read
        self._lines: dict[str, list[str] | None] = {}

    def lines(self, path: str) -> list[str] | None:
        """None if the index has no text of that file. Lines end only at `\\n`, as sites count them."""
        if path not in self._lines:
            text = self._read(path)
            self._lines[path] = text.decode("utf-8", "replace").split("\n") if text else None
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        """One line, trimmed; empty if there is none."""
        lines = self.lines(path)
        if not lines or not 0 < number <= len(lines):
            return ""
        text = lines[number - 1].strip()
        return text if len(text) <= LINE_WIDTH else text[: LINE_WIDTH - 1] + "…"


def sources(index: Index) -> Sources:
    return Sources(index.source)


def numbered(lines: list[str], first: int, last: int) -> str:
    """Lines `first` to `last`, each preceded by its number and a tab."""
    return "\n".join(f"{number}\t{lines[number - 1].rstrip(chr(13))}" for number in range(first, last + 1))
