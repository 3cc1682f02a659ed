"""Numbers and positions: whatever is posted under a number keeps it while others come and go; its position among them
is stored separately.

In: files, blocks and units in their order, with their numbers. Out: the same after some files changed; the statistics
that store it. A new index numbers everything in order; later additions get a free number. So one more function moves no
other posting; average lengths are rounded for the same reason (field_weights.py). Numbers with gaps, as symbols have,
would cost every query that room, and run out.

Absent: postings and vectors, which are stored by number.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any, NamedTuple, TypeVar

import orjson

from rpg.stores.search.tables import Statistics
from rpg.system.arrays import numpy
from rpg.text.term_frequencies import little

Array = Any
"""A numpy array."""
Key = TypeVar("Key")


def runs_of(numbers: Sequence[int] | Array) -> bytes:
    """Numbers as runs of consecutive ones: the first of each run, then the length of each."""
    if not len(numbers):
        return b""
    values = numpy.array(numbers, numpy.int64)
    starts = numpy.flatnonzero(numpy.concatenate(([True], numpy.diff(values) != 1)))
    lengths = numpy.diff(numpy.concatenate((starts, [len(values)])))
    packed: bytes = numpy.concatenate((values[starts], lengths)).astype("<u4").tobytes()
    return packed


def numbers_of_runs(blob: bytes) -> Array:
    firsts, lengths = numpy.frombuffer(blob, "<u4").astype(numpy.int64).reshape(2, -1)
    return expand_runs(firsts, lengths)


def expand_runs(firsts: Array, lengths: Array) -> Array:
    """That many numbers from each first one on."""
    ends = numpy.cumsum(lengths)
    return numpy.repeat(firsts - (ends - lengths), lengths) + numpy.arange(ends[-1] if len(ends) else 0)


def owners(lengths: Array) -> Array:
    """For each part, the position of the whole that it belongs to, given how many parts each has."""
    return numpy.repeat(numpy.arange(len(lengths)), lengths)


def free(numbers: Array) -> Iterator[int]:
    """Unused numbers, the lowest first."""
    end = int(numbers.max()) + 1 if len(numbers) else 0
    is_used = numpy.zeros(end, bool)
    is_used[numbers] = True
    return chain(numpy.flatnonzero(~is_used).tolist(), count(end))


def renumber(known: Mapping[Key, int], keys: Sequence[Key], spare: Iterator[int]) -> list[int]:
    """The numbers that keys had; new keys get the numbers of those that are gone, then spare ones."""
    staying: Container[Key] = known.keys() & set(keys)
    left = chain([number for key, number in known.items() if key not in staying], spare)
    return [known[key] if key in staying else next(left) for key in keys]


class Layout(NamedTuple):
    """Files with their blocks and these with their units, in order."""

    files: list[str]
    """Paths."""
    languages: list[str]
    file_numbers: Array
    blocks: Array
    """How many each file has."""
    block_numbers: Array
    standing: Array
    """Of each block (see tables.py)."""
    units: Array
    """How many each block has."""
    unit_numbers: Array

    @classmethod
    def of(cls, statistics: Statistics) -> Layout:
        return cls(
            statistics.files,
            statistics.languages,
            numbers_of_runs(statistics.file_numbers),
            numpy.diff(numpy.array(statistics.file_blocks, numpy.int64)),
            numbers_of_runs(statistics.block_numbers),
            numpy.frombuffer(statistics.block_standing, numpy.uint8),
            numpy.diff(numpy.array(statistics.block_units, numpy.int64)),
            numbers_of_runs(statistics.unit_numbers),
        )

    def chosen(self, places: Sequence[int]) -> Layout:
        """Only some of the files."""
        at = numpy.array(places, numpy.int64)
        blocks = expand_runs(_starts(self.blocks)[at], self.blocks[at])
        units = expand_runs(_starts(self.units)[blocks], self.units[blocks])
        return Layout(
            [self.files[place] for place in places],
            [self.languages[place] for place in places],
            self.file_numbers[at],
            self.blocks[at],
            self.block_numbers[blocks],
            self.standing[blocks],
            self.units[blocks],
            self.unit_numbers[units],
        )

    def places(self, files: Container[str]) -> list[int]:
        """The positions of those files that exist."""
        return [place for place, path in enumerate(self.files) if path in files]

    def but_for(self, removed: Container[str], new: Layout) -> Layout:
        """With some files replaced by others."""
        left = self.chosen([place for place, path in enumerate(self.files) if path not in removed])
        both = Layout(
            left.files + new.files,
            left.languages + new.languages,
            *(numpy.concatenate(parts) for parts in zip(left[2:], new[2:], strict=True)),
        )
        return both.chosen(sorted(range(len(both.files)), key=both.files.__getitem__))

    def statistics(self) -> dict[str, bytes]:
        return {
            "files": orjson.dumps(self.files),
            "languages": orjson.dumps(self.languages),
            "file_blocks": _bytes(_bounds(self.blocks)),
            "block_units": _bytes(_bounds(self.units)),
            "block_standing": self.standing.tobytes(),
            "file_numbers": runs_of(self.file_numbers),
            "block_numbers": runs_of(self.block_numbers),
            "unit_numbers": runs_of(self.unit_numbers),
        }


def _starts(lengths: Array) -> Array:
    return numpy.cumsum(lengths) - lengths


def _bounds(lengths: Array) -> Array:
    return numpy.concatenate(([0], numpy.cumsum(lengths)))


def _bytes(numbers: Array) -> bytes:
    return little(array("I", numbers.tolist())).tobytes()
