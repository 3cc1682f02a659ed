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
from typing import NamedTuple

import orjson

from rpg import fingerprints
from rpg.compression import compress, decompress

FIELDS = (
    "name", "signature", "body", "calls", "doc", "comments",  # of a unit
    "chain", "class_doc",  # of a group
    "path", "neighbours", "module_doc",  # of a file
)  # fmt: skip
NAME, SIGNATURE, BODY, CALLS, DOC, COMMENTS, CHAIN, CLASS_DOC, PATH, NEIGHBOURS, MODULE_DOC = range(len(FIELDS))
"""chain: names of the enclosing classes; neighbours: names of all definitions of the file; calls: called names."""
FIELD_BITS = 4
FIELD_MASK = (1 << FIELD_BITS) - 1


class TermCounts(NamedTuple):
    """How often each term occurs in each field of one unit, group or file."""

    lengths: list[int]
    """Number of words by field."""
    codes: list[int]
    """The term's index into `FileTerms.terms` << FIELD_BITS | field."""
    counts: list[int]
    """One per code."""


NOTHING = TermCounts([0] * len(FIELDS), [], [])


class Unit(NamedTuple):
    symbol: str
    """The symbol id without its path: `Qualified.name`, `~2` where it is the second; empty for the module."""
    group: int
    """Index into groups: the enclosing class; 0 if there is none."""
    words: TermCounts
    fingerprint: bytes = b""
    """See fingerprints.py; empty if the unit itself has no code."""


class FileTerms(NamedTuple):
    terms: list[str]
    words: TermCounts
    """For the whole file."""
    groups: list[TermCounts]
    """The first one is empty."""
    units: list[Unit]


def term_counts(codes: list[int], counts: list[int]) -> TermCounts:
    """Term counts with their lengths."""
    lengths = [0] * len(FIELDS)
    for code, n in zip(codes, counts, strict=True):
        lengths[code & FIELD_MASK] += n
    return TermCounts(lengths, codes, counts)


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
    """32 bits each."""
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
    head: array[int] = array("I", [0] * (2 * len(FIELDS)))
    sizes, codes, counts = array("I"), array("I"), array("H")
    for each in (file_terms.words, *file_terms.groups, *[unit.words for unit in file_terms.units]):
        for field, length in enumerate(each.lengths):
            if length and is_typical:
                head[2 * field] += 1
                head[2 * field + 1] += length
        sizes.append(len(each.codes))
        codes.extend(each.codes)
        counts.extend([n if n < _MOST else _MOST for n in each.counts])
    names = orjson.dumps(
        [
            file_terms.terms,
            [unit.symbol for unit in file_terms.units],
            [unit.group for unit in file_terms.units],
            len(file_terms.groups),
        ]
    )
    size = len(names).to_bytes(4, "little")
    forms = b"".join([unit.fingerprint or _NO_FINGERPRINT for unit in file_terms.units])
    parts = (size, names, forms, *(little(each).tobytes() for each in (sizes, codes, counts)))
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
