"""What each occurrence of a symbol's name is: one class of CLASSES for every place.

In: a symbol, the uses that were found, and the occurrences of its name. Out: a class for each, and whether a place that
no edge explains may mean the symbol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import Given
from rpg.queries.account.occurrences import CHECKED_EVERY, FileOccurrences, LinesOf
from rpg.queries.account.places import LIBRARY, REPLACED, UNRESOLVED, Left, Placed
from rpg.queries.account.placing.judge_code import judge
from rpg.queries.account.placing.sought import Sought
from rpg.queries.account.placing.surroundings import Surroundings
from rpg.queries.usages.usage_sites import UsageSite, means
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

MOST_LINES: Final = 5_000
"""How many places are kept with their lines."""
_LONGEST_PATH: Final = 200
_PATH: Final = re.compile(rb"(?<![\w.])(?:[A-Z]\w*\.)+\Z")
_GOES_ON: Final = re.compile(rb"\.[A-Z]")


class Placing:
    """Says of each occurrence of the name of one symbol what it is."""

    def __init__(self, index: Index, node: Node, uses: Iterable[UsageSite], given: Given | None = None) -> None:
        """`given`: another name of the symbol, whose occurrences are placed."""
        self._index = index
        self._sought = Sought(index, node, uses, given)

    def place(self, found: FileOccurrences, placed: Placed) -> None:
        """Adds the occurrences of one file."""
        sought = self._sought
        lines = LinesOf(found.text)
        around: Surroundings | None = None
        for number, offset in enumerate(found.offsets, 1):
            if number % CHECKED_EVERY == 0:
                deadline.check()
            line, column = lines.place(offset)
            place = (found.file.path, line, column)
            kind, reason = sought.explained.explain(place, placed)
            if kind == LIBRARY and sought.is_named_unread(found.file.path, found.file.language):
                kind = ""  # resolution looked for it in its own language
            begin = offset if kind else find_begin_of_path(found, offset)
            if begin < offset and _GOES_ON.match(found.text, offset + len(sought.word)):
                kind = LIBRARY  # a part of a longer name
            elif begin < offset:
                kind, reason = sought.explained.explain((found.file.path, *lines.place(begin)), placed)
            if not kind:
                around = around or Surroundings(self._index, found, lines)
                kind, reason = judge(sought, around, offset, placed)
                if kind == LIBRARY and sought.is_replaced and means(sought.node, found.file.language):
                    kind, reason = UNRESOLVED, REPLACED
            if reason:
                placed.left.append(Left(kind, *place, found.file.test, reason))
            placed.counts[kind] += 1
            if placed.lines is not None and sum(placed.counts.values()) <= MOST_LINES:
                placed.lines.setdefault(kind, {}).setdefault(found.file.path, []).append(line)


def find_begin_of_path(found: FileOccurrences, offset: int) -> int:
    """Where the path begins in which a word stands, in a language in which that is one name; else the word's own
    offset."""
    language = BY_NAME.get(found.file.language)
    if language is None or not language.rules.holders_are_named:
        return offset
    path = _PATH.search(found.text, max(0, offset - _LONGEST_PATH), offset)
    return path.start() if path is not None else offset
