"""The terms of one file, counted by unit and field, and the fingerprints of its units: the encoder makes these values,
the search index reads them.

A unit is what search ranks: every function and method (nested ones too), every class-like type without its methods, the
rest of a module, every section of a document. Terms that many units share are counted once: those of a class for its
members (a group), those of a file for all its units.

Term counts depend only on path, bytes and language of their file, and travel as one block of bytes.
"""

from __future__ import annotations

import sys
from array import array
from collections import _count_elements as count_elements  # type: ignore[attr-defined]
from collections.abc import Iterable
from typing import NamedTuple

import orjson

from rpg.system.compression import compress, decompress, join_bytes, split_bytes
from rpg.text import fingerprints

FIELDS = (
    "name", "signature", "body", "calls", "doc", "comments",  # of a unit
    "chain", "class_doc",  # of a group
    "path", "neighbours", "module_doc",  # of a file
)  # fmt: skip
NAME, SIGNATURE, BODY, CALLS, DOC, COMMENTS, CHAIN, CLASS_DOC, PATH, NEIGHBOURS, MODULE_DOC = range(len(FIELDS))
"""chain: names of the enclosing classes; neighbours: names of all definitions of the file; calls: called names."""
FIELD_MASK = 15
"""No field, those of callers included, has a higher number."""


class FileTerms:
    """The term counts of one file, as they are collected: first those of the file, then its groups, then its units."""

    def __init__(self) -> None:
        self.symbols: list[str] = []
        """One per unit: the symbol id without its path: `Qualified.name`, `~2` where it is the second; empty for the
        module."""
        self.group_of: list[int] = []
        """One per unit: the number of the enclosing class among the groups; 0 if there is none."""
        self.groups = 0
        """How many there are; the first one is empty."""
        self.fingerprints: list[bytes] = []
        """One per unit (fingerprints.py); empty if the unit itself has no code."""
        self.lengths = [0] * (2 * len(FIELDS))
        """For each field: how many units, groups or files have it, and the sum of their words."""
        self.sizes: list[int] = []
        """Number of terms of each unit, group or file, each counted once for each field that has it."""
        self.counts: list[int] = []
        """How often each of them occurs."""
        self._found: list[str] = []
        """The terms that are counted."""
        self.fields: list[int] = []
        self.runs: list[int] = []
        """How many of the terms are in the field at the same place."""

    def add(self, fields: Iterable[tuple[int, Iterable[str]]]) -> None:
        """Counts the terms of a unit, a group or the file, given by field, each of which is named once."""
        lengths = self.lengths
        size = 0
        for field, terms in fields:
            counted: dict[str, int] = {}
            count_elements(counted, terms)  # as Counter does: making one for each field took a tenth of all counting
            if counted:
                counts = counted.values()
                self._found += counted
                self.counts += counts
                lengths[2 * field] += 1
                lengths[2 * field + 1] += sum(counts)
                self.fields.append(field)
                self.runs.append(len(counted))
                size += len(counted)
        self.sizes.append(size)

    def number_terms(self) -> tuple[list[str], array[int]]:
        """The terms in the order in which they occur, and for each of `counts` the place of its term among them. All in
        bulk, as there are millions."""
        terms = list(dict.fromkeys(self._found))
        place = dict(zip(terms, range(len(terms)), strict=True))
        return terms, array("I", map(place.__getitem__, self._found))


class Packed(NamedTuple):
    """Term counts in bulk, as they travel: all places, then all counts, so that nothing handles them one by one.

    Order: file, groups, units.
    """

    terms: list[str]
    symbols: list[str]
    """One per unit."""
    group_of: list[int]
    """One per unit."""
    groups: int
    fingerprints: bytes
    """`fingerprints.SIZE` bytes per unit; zeros if it has none."""
    sizes: bytes
    """Number of counts of each unit, group or file: 32 bits each, little-endian."""
    fields: bytes
    """Of each run of counts: 8 bits each."""
    runs: bytes
    """How many counts there are in it: 32 bits each."""
    places: bytes
    """That of the term of each count: 32 bits each."""
    counts: bytes
    """16 bits each."""

    def fingerprint(self, unit: int) -> bytes:
        """Empty if there is none."""
        form = self.fingerprints[fingerprints.SIZE * unit : fingerprints.SIZE * (unit + 1)]
        return b"" if form == _NO_FINGERPRINT else form

    @property
    def number(self) -> int:
        """Units, groups and the file together."""
        return len(self.sizes) // 4


HEAD_BYTES = 8 * len(FIELDS)
"""Starts a packed block. For each field: how many units, groups or files have it, and the sum of their words (32 bits
each)."""


def pack(file_terms: FileTerms, is_typical: bool = True) -> bytes:
    """Lengths by field come first, uncompressed, so that averages are known before anything is unpacked. Those of a
    file that is not typical are left out: how long data is must not decide how long a function is taken to be."""
    head = array("I", file_terms.lengths if is_typical else [0] * (2 * len(FIELDS)))
    counts = file_terms.counts
    if counts and max(counts) > _MOST:
        counts = [n if n < _MOST else _MOST for n in counts]
    terms, places = file_terms.number_terms()
    names = orjson.dumps([terms, file_terms.symbols, file_terms.group_of, file_terms.groups])
    size = len(names).to_bytes(4, "little") + len(file_terms.runs).to_bytes(4, "little")
    forms = b"".join([each or _NO_FINGERPRINT for each in file_terms.fingerprints])
    arrays = (array("I", file_terms.sizes), array("I", file_terms.runs), places, array("H", counts))
    split = [split_bytes(little(each).tobytes(), each.itemsize) for each in arrays]
    return little(head).tobytes() + compress(b"".join((size, names, forms, bytes(file_terms.fields), *split)))


_MOST = 0xFFFF
_NO_FINGERPRINT = bytes(fingerprints.SIZE)


def lengths(block: bytes) -> array[int]:
    """Two numbers per field: how many units, groups or files have it, and the sum of their words."""
    head: array[int] = array("I")
    head.frombytes(block[:HEAD_BYTES])
    return little(head)


def unpack(block: bytes) -> Packed:
    """The inverse of `pack`."""
    content = decompress(memoryview(block)[HEAD_BYTES:])
    forms, number_of_runs = 8 + int.from_bytes(content[:4], "little"), int.from_bytes(content[4:8], "little")
    terms, symbols, group_of, groups = orjson.loads(memoryview(content)[8:forms])
    fields = forms + fingerprints.SIZE * len(symbols)
    sizes = fields + number_of_runs
    runs = sizes + 4 * (1 + groups + len(symbols))
    places = runs + 4 * number_of_runs
    counts = places + (len(content) - places) // 6 * 4
    return Packed(
        terms, symbols, group_of, groups, content[forms:fields],
        join_bytes(content[sizes:runs], 4), content[fields:sizes], join_bytes(content[runs:places], 4),
        join_bytes(content[places:counts], 4), join_bytes(content[counts:], 2),
    )  # fmt: skip


def little(values: array[int]) -> array[int]:
    """Converts values to and from little-endian: the same bytes on every machine."""
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return values
