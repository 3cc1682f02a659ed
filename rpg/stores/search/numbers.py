"""Lists of small numbers as blobs: a byte that says how they are written, then the numbers.

In: non-negative numbers in ascending order. Out: bytes, and back. A list is written in the shortest of these ways:

    2, 4   that many bytes for each number, little-endian
    3      how many there are (4 bytes), then how many numbers each leaves out, in bytes; 255 means so many and
           goes on; only for long lists, as most are short and have little to gain

Most lists of an index contain units, names or files among fewer than 65,536, and frequent ones leave out few.
"""

from __future__ import annotations

from array import array
from typing import Any, Final

from rpg.text.term_frequencies import little

Array = Any
"""A numpy array."""

_WIDTHS: Final = {2: "H", 4: "I"}
GAPS: Final = 3
GAPS_HEAD: Final = 5
"""Bytes before the gaps."""
FEWEST: Final = 64
"""Shorter lists are not written as gaps."""
ON: Final = 255


def pack(numbers: array[int]) -> bytes:
    if not numbers:
        return b""
    width = width_of(numbers[-1])
    stream = b""
    if is_shorter(max(len(numbers), (numbers[-1] - len(numbers)) // ON), len(numbers), width):
        from rpg.system.arrays import numpy  # only for a list that can be shorter

        stream = gaps(numpy.array(numbers, numpy.int64), numpy.zeros(1, numpy.int64))[0]
    if is_shorter(len(stream), len(numbers), width):
        return gaps_head(len(numbers)) + stream
    typecode = _WIDTHS[width]
    return bytes((width,)) + little(numbers if numbers.typecode == typecode else array(typecode, numbers)).tobytes()


def width_of(highest: int) -> int:
    return 2 if highest < 1 << 16 else 4


def is_shorter(gaps: int, count: int, width: int) -> bool:
    """Whether so many bytes of gaps, if there are any, take less room than the numbers themselves."""
    return count >= FEWEST and 0 < gaps < width * count - GAPS_HEAD


def gaps_head(count: int) -> bytes:
    return bytes((GAPS,)) + count.to_bytes(4, "little")


def gaps(numbers: Array, starts: Array) -> tuple[bytes, Array]:
    """The gaps of many lists, one after the other: their bytes, and where those of each list begin, and the last end.
    `starts`: where each list begins in `numbers`, which are signed; none is empty."""
    from rpg.system.arrays import numpy

    gap = numpy.empty_like(numbers)
    gap[1:] = numbers[1:] - numbers[:-1] - 1
    gap[starts] = numbers[starts]
    more, rest = numpy.divmod(gap, ON)
    ends = numpy.cumsum(more + 1)
    stream = numpy.full(int(ends[-1]), ON, numpy.uint8)
    stream[ends - 1] = rest
    return stream.tobytes(), numpy.concatenate(([0], ends))[numpy.append(starts, len(numbers))]


def length(blob: bytes) -> int:
    """Length of the part of a blob that contains the numbers, if the blob ends with a further byte for each number."""
    if blob[0] == GAPS:
        return len(blob) - int.from_bytes(blob[1:GAPS_HEAD], "little")
    return len(blob) - len(blob) // (blob[0] + 1)


def unpack(blob: bytes) -> array[int]:
    if not blob:
        return array("H")
    if blob[0] == GAPS:
        return _of_gaps(blob)
    numbers: array[int] = array(_WIDTHS[blob[0]])
    numbers.frombytes(blob[1:])
    return little(numbers)


def _of_gaps(blob: bytes) -> array[int]:
    from rpg.system.arrays import numpy

    stream = numpy.frombuffer(blob, numpy.uint8)[GAPS_HEAD:]
    is_number = stream != ON
    found = numpy.cumsum(stream + is_number.astype(numpy.uint32)) - 1
    numbers: array[int] = array("I")
    numbers.frombytes(found[is_number].astype(numpy.uint32).tobytes())
    return numbers
