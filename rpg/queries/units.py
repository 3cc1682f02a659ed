"""What every question to one index needs of its units, worked out once for each state of the index.

In: the statistics of an index. Out: of each unit its block, of each block its file, the runs of units that stand behind
others and of those that do not. A run is a first unit and the one after the last.
Absent: terms, scores, what a question may find.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rpg.queries.kept import kept
from rpg.stores.search_index import BEHIND, Statistics, read_statistics

if TYPE_CHECKING:
    from rpg.stores.index import Index

Runs = list[tuple[int, int]]

KEPT = 64
"""Filters whose runs are kept: an agent asks with the same few again and again."""


class Units:
    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self.number = statistics.block_units[-1]
        self.block_of = _owners(statistics.block_units)
        self.file_of_block = _owners(statistics.file_blocks)
        standing = statistics.block_standing
        starts = statistics.block_units
        self.behind = joined((starts[i], starts[i + 1]) for i, each in enumerate(standing) if each == BEHIND)
        self.ahead = joined((starts[i], starts[i + 1]) for i, each in enumerate(standing) if each != BEHIND)
        self._runs: dict[object, Runs] = {}

    def of_files(self, filters: object, is_wanted: Callable[[str, str], bool]) -> Runs:
        """Of the files whose path and language are wanted. `filters` is what that depends on, and hashable."""
        runs = self._runs.get(filters)
        if runs is None:
            if len(self._runs) >= KEPT:
                self._runs.clear()
            known = self.statistics
            starts, blocks = known.block_units, known.file_blocks
            runs = self._runs[filters] = joined(
                (starts[blocks[number]], starts[blocks[number + 1]])
                for number, (path, language) in enumerate(zip(known.files, known.languages, strict=True))
                if is_wanted(path, language)
            )
        return runs


def _owners(starts: array[int]) -> array[int]:
    """By number of a part, that of the whole that it belongs to, given the first part of each."""
    owners: array[int] = array("I")
    for owner in range(len(starts) - 1):
        owners.extend([owner] * (starts[owner + 1] - starts[owner]))
    return owners


def joined(runs: Iterable[tuple[int, int]]) -> Runs:
    """In order, those that touch made one."""
    whole: Runs = []
    for start, end in runs:
        if whole and whole[-1][1] == start:
            whole[-1] = (whole[-1][0], end)
        elif start < end:
            whole.append((start, end))
    return whole


def common(some: Runs, others: Runs) -> Runs:
    """What is in both."""
    both, at = [], 0
    for start, end in some:
        while at < len(others) and others[at][1] <= start:
            at += 1
        place = at
        while place < len(others) and others[place][0] < end:
            both.append((max(start, others[place][0]), min(end, others[place][1])))
            place += 1
    return both


def units(index: Index) -> Units:
    return kept(index, "units", lambda: Units(read_statistics(index)))
