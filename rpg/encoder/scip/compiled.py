"""What a compiler said, as plain values: kept beside the graph for the next edit.

In and out: `Compiled`, and the same as bytes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import orjson

from rpg.system.compression import compress, decompress


class Named(NamedTuple):
    """What occurrences refer to."""

    word: str
    """As it is written where it is used."""
    is_outside: bool
    """Whether it belongs to a package of which the index has no definition."""
    places: list[tuple[str, int, int]]
    """Path, line and column of its definitions in files that match."""


class Compiled(NamedTuple):
    files: dict[str, list[tuple[int, int, int]]]
    """Of the files that match: line and column of each use, from 1, and the position of what it names in `named`."""
    named: list[Named]
    other: list[str]
    """Files of the repository that the index describes with another text."""
    problem: str = ""
    """Why the index, or the rest of it, could not be read."""


NO_INDEX: Final = Compiled({}, [], [])


def pack_compiled(compiled: Compiled) -> bytes:
    return compress(
        orjson.dumps([compiled.files, [[*each] for each in compiled.named], compiled.other, compiled.problem])
    )


def load_compiled(data: bytes) -> Compiled:
    files, named, other, problem = orjson.loads(decompress(data))
    return Compiled(
        {path: [(line, column, number) for line, column, number in uses] for path, uses in files.items()},
        [Named(word, outside, [(path, line, at) for path, line, at in places]) for word, outside, places in named],
        other,
        problem,
    )
