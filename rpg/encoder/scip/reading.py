"""The documents of a SCIP index, one after another, so that no more than one of them is held as objects.

In: the bytes of an index. Out: documents. Raises `Damaged` where it stops to be an index.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from google.protobuf.message import DecodeError

from rpg.encoder.scip.scip_pb2 import Document

_DOCUMENTS: Final = 2
"""The number of the field of an index."""
_PATH, _OCCURRENCES = 1, 2
"""Numbers of fields of a document."""
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
_LONGEST_VARINT: Final = 10
MOST_OCCURRENCES: Final = 1_000_000
"""Of one document: a file of the largest size that is parsed has fewer names. An occurrence of two bytes takes fifty
times as much memory."""


class Damaged(Exception):
    """No index, or one that ends too early."""


def read_documents(data: bytes) -> Iterator[Document]:
    for content in _contents_of(data, _DOCUMENTS):
        if sum(1 for _ in _contents_of(content, _OCCURRENCES)) > MOST_OCCURRENCES:
            raise Damaged("a document in it has more occurrences than a file has names")
        try:
            yield Document.FromString(content)
        except DecodeError as error:
            raise Damaged("a document in it is damaged") from error


def read_paths(data: bytes) -> Iterator[str]:
    """The paths of the documents alone, in their order."""
    for content in _contents_of(data, _DOCUMENTS):
        yield next(_contents_of(content, _PATH), b"").decode("utf-8", "replace")


def _contents_of(data: bytes, field: int) -> Iterator[bytes]:
    """The bytes of each message or text in a field."""
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            _, at = _varint(data, at)
            continue
        if kind == _LENGTH:
            size, at = _varint(data, at)
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if kind == _EIGHT_BYTES else 4
        else:
            raise Damaged("it is not an index")
        if size > end - at:
            raise Damaged("it ends too early")
        if key >> 3 == field and kind == _LENGTH:
            yield data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and the position after it."""
    if at < len(data) and data[at] < 0x80:
        return data[at], at + 1
    value = 0
    for number, byte in enumerate(data[at : at + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << 7 * number
        if byte < 0x80:
            return value, at + number + 1
    raise Damaged("it ends too early" if len(data) - at < _LONGEST_VARINT else "it is not an index")
