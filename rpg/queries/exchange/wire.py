"""Protocol Buffers on the wire: the few kinds of fields that a SCIP index needs.

In: field numbers and values. Out: bytes. Empty values are left out, as proto3 does.
"""

from __future__ import annotations

from collections.abc import Iterable

VARINT, LENGTH = 0, 2


def varint(value: int) -> bytes:
    """The varint of a number that is not negative."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    return varint(field << 3 | VARINT) + varint(value) if value else b""


def encode_packed(field: int, values: Iterable[int]) -> bytes:
    return message(field, b"".join(map(varint, values)))


def text(field: int, value: str) -> bytes:
    return message(field, value.encode("utf-8", "replace")) if value else b""


def message(field: int, content: bytes) -> bytes:
    """A field with a message, which may be empty."""
    return varint(field << 3 | LENGTH) + varint(len(content)) + content
