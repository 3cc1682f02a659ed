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
from itertools import chain, repeat
from operator import or_
from typing import NamedTuple

import orjson

from rpg.system.compression import compress, decompress
from rpg.text import fingerprints

FIELDS = (
    "name", "signature", "body", "calls", "doc", "comments",  # of a unit
    "chain", "class_doc",  # of a group
    "path", "neighbours", "module_doc",  # of a file
)  # fmt: skip
NAME, SIGNATURE, BODY, CALLS, DOC, COMMENTS, CHAIN, CLASS_DOC, PATH, NEIGHBOURS, MODULE_DOC = range(len(FIELDS))
"""chain: names of the enclosing classes; neighbours: names of all definitions of the file; calls: called names."""
FIELD_BITS = 4
FIELD_MASK = (1 << FIELD_BITS) - 1


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
        self._fields: list[int] = []
        self._runs: list[int] = []
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
                self._fields.append(field)
                self._runs.append(len(counted))
                size += len(counted)
        self.sizes.append(size)

    def terms_and_codes(self) -> tuple[list[str], array[int]]:
        """The terms in the order in which they occur, and what `counts` counts: for each, the place of the term among
        them << FIELD_BITS | field. All in bulk, as there are millions."""
        terms = list(dict.fromkeys(self._found))
        place = dict(zip(terms, range(0, len(terms) << FIELD_BITS, 1 << FIELD_BITS), strict=True))
        fields = chain.from_iterable(map(repeat, self._fields, self._runs))
        return terms, array("I", map(or_, map(place.__getitem__, self._found), fields))


class Packed(NamedTuple):
    """Term counts in bulk, as they travel: all codes, then all counts, so that nothing handles them one by one.

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
    """Number of codes of each unit, group or file: 32 bits each, little-endian."""
    codes: bytes
    """The place of a term << FIELD_BITS | field: 32 bits each."""
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
    terms, codes = file_terms.terms_and_codes()
    names = orjson.dumps([terms, file_terms.symbols, file_terms.group_of, file_terms.groups])
    size = len(names).to_bytes(4, "little")
    forms = b"".join([each or _NO_FINGERPRINT for each in file_terms.fingerprints])
    arrays = (array("I", file_terms.sizes), codes, array("H", counts))
    parts = (size, names, forms, *(little(each).tobytes() for each in arrays))
    return little(head).tobytes() + compress(b"".join(parts))


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
    forms = 4 + int.from_bytes(content[:4], "little")
    terms, symbols, group_of, groups = orjson.loads(memoryview(content)[4:forms])
    sizes = forms + fingerprints.SIZE * len(symbols)
    codes = sizes + 4 * (1 + groups + len(symbols))
    counts = codes + (len(content) - codes) // 6 * 4
    return Packed(
        terms, symbols, group_of, groups, content[forms:sizes], content[sizes:codes], content[codes:counts],
        content[counts:],
    )  # fmt: skip


def little(values: array[int]) -> array[int]:
    """Converts values to and from little-endian: the same bytes on every machine."""
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return values
