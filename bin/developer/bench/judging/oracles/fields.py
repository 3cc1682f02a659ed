"""Protocol Buffers read from the wire: the fields of one message.

In: bytes of an index that somebody else made. Out: numbers of fields with their values, or `Damaged`. A message within
is a slice that its reader takes apart if it wants to, so the depth of nesting is that of the code and never of the
data; a length is checked against what is left before anything is cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

VARINT: Final = 0
FIXED64: Final = 1
LENGTH: Final = 2
FIXED32: Final = 5
LONGEST_VARINT: Final = 10


class Damaged(ValueError):
    """The bytes are no message."""


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """The number that begins there, and where it ends."""
    value = 0
    for number in range(LONGEST_VARINT):
        if at >= len(data):
            raise Damaged("it ends within a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * number)
        if byte < 0x80:
            return value, at
    raise Damaged("a number is too long")


def read_fields(data: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    """Field number, and its value as a number or as bytes; the other of the two is 0 or empty."""
    nothing = data[:0]
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        field, wire = key >> 3, key & 7
        if wire == VARINT:
            value, at = read_varint(data, at)
            yield field, value, nothing
            continue
        if wire == LENGTH:
            length, at = read_varint(data, at)
        elif wire in (FIXED32, FIXED64):
            length = 4 if wire == FIXED32 else 8
        else:
            raise Damaged(f"a field has the type {wire}, which no index has")
        if length > len(data) - at:
            raise Damaged("a field is longer than the file")
        yield (field, 0, data[at : at + length]) if wire == LENGTH else (field, 0, nothing)
        at += length


def read_packed(data: memoryview) -> list[int]:
    values = []
    at = 0
    while at < len(data):
        value, at = read_varint(data, at)
        values.append(value)
    return values


def read_text(data: memoryview) -> str:
    return bytes(data).decode("utf-8", "replace")
