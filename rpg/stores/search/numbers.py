"""Lists of small numbers as blobs: a byte with their width, then the numbers, little-endian.

In: non-negative numbers. Out: bytes, and back. Most lists of an index contain units or names among fewer than 65,536:
two bytes each are half of four. Absent: variable widths within a list, which only a loop could read.
"""

from __future__ import annotations

from array import array

from rpg.term_frequencies import little

_WIDTHS = {2: "H", 4: "I"}


def packed(numbers: array[int]) -> bytes:
    """Of numbers in ascending order."""
    if not numbers:
        return b""
    width = 2 if numbers[-1] < 1 << 16 else 4
    typecode = _WIDTHS[width]
    return bytes((width,)) + little(numbers if numbers.typecode == typecode else array(typecode, numbers)).tobytes()


def unpacked(blob: bytes) -> array[int]:
    if not blob:
        return array("H")
    numbers: array[int] = array(_WIDTHS[blob[0]])
    numbers.frombytes(blob[1:])
    return little(numbers)
