"""The words of one file, counted by unit and field: the values that the encoder makes and the search index reads.

A unit is what search ranks: every function and method (nested ones too), every class-like type without its methods,
the rest of a module, every section of a document. Words that many units share are counted once: those of a class for
its members (a group), those of a file for all of its units.
Bags depend on path, bytes and language of one file alone, and travel as one block of bytes.
"""

from __future__ import annotations

import sys
from array import array
from typing import NamedTuple

import orjson

from rpg.compression import compress, decompress

FIELDS = (
    "name", "signature", "body", "calls", "doc", "comments",  # of a unit
    "chain", "class_doc",  # of a group
    "path", "neighbours", "module_doc",  # of a file
)  # fmt: skip
NAME, SIGNATURE, BODY, CALLS, DOC, COMMENTS, CHAIN, CLASS_DOC, PATH, NEIGHBOURS, MODULE_DOC = range(len(FIELDS))
"""chain: names of the classes around; neighbours: names of all definitions of the file; calls: names called."""
FIELD_BITS = 4
FIELD_MASK = (1 << FIELD_BITS) - 1


class Bag(NamedTuple):
    """How often each term stands in each field of one unit, group or file."""

    lengths: list[int]
    """Words by field."""
    codes: list[int]
    """The term's index into `Bags.terms` << FIELD_BITS | field."""
    counts: list[int]
    """One for each code."""


NOTHING = Bag([0] * len(FIELDS), [], [])


class Unit(NamedTuple):
    symbol: str
    """The symbol id without its path: `Qualified.name`, `~2` where it is the second; empty for the module."""
    group: int
    """Index into groups: the class around it; 0 where there is none."""
    words: Bag


class Bags(NamedTuple):
    terms: list[str]
    words: Bag
    """Of the whole file."""
    groups: list[Bag]
    """The first is empty."""
    units: list[Unit]


def bag(codes: list[int], counts: list[int]) -> Bag:
    """A bag with its lengths."""
    lengths = [0] * len(FIELDS)
    for code, n in zip(codes, counts, strict=True):
        lengths[code & FIELD_MASK] += n
    return Bag(lengths, codes, counts)


def pack(bags: Bags) -> bytes:
    """Lengths by field first (see `lengths`), uncompressed, so that averages are known before anything is unpacked."""
    head: array[int] = array("I", [0] * (2 * len(FIELDS)))
    for each in (bags.words, *bags.groups, *(unit.words for unit in bags.units)):
        for field, length in enumerate(each.lengths):
            if length:
                head[2 * field] += 1
                head[2 * field + 1] += length
    return little(head).tobytes() + compress(orjson.dumps(bags, tuple))


def lengths(block: bytes) -> array[int]:
    """For each field two numbers: how many bags have it, and their words together."""
    head: array[int] = array("I")
    head.frombytes(block[: 8 * len(FIELDS)])
    return little(head)


def unpack(block: bytes) -> Bags:
    """The bags that `pack` wrote."""
    terms, words, groups, units = orjson.loads(decompress(memoryview(block)[8 * len(FIELDS) :]))
    return Bags(
        terms,
        Bag._make(words),
        [Bag._make(each) for each in groups],
        [Unit(symbol, group, Bag._make(each)) for symbol, group, each in units],
    )


def little(values: array[int]) -> array[int]:
    """Values as they are written, and back: the same bytes on every machine."""
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return values
