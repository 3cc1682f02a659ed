"""A SCIP index: its documents, one after another, with occurrences at lines and columns of rpg.

In: the bytes of an index, and the text of each file as it is now. Out: for each document its occurrences, lines and
columns from 1 in code points. Absent: trust. A range must be in the text; `document_of` says nothing of whether the
document is that of this text (`matching.py`).

Fields are numbered as in scip.proto.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .fields import Damaged, read_fields, read_packed, read_text

DEFINITION: Final = 0x1
IMPORT: Final = 0x2
WRITE: Final = 0x4
READ: Final = 0x8
UTF8, UTF16, UTF32 = 1, 2, 3
MOST_OCCURRENCES: Final = 2_000_000
"""Of one document: a file of the largest size that is parsed has fewer names."""


class RawOccurrence(NamedTuple):
    """Line and columns from 0, in the document's encoding; the end is on the same line, or it was left out."""

    line: int
    start: int
    end: int
    symbol: str
    roles: int


class Document(NamedTuple):
    path: str
    encoding: int
    text: str | None
    occurrences: list[RawOccurrence]


def read_documents(data: memoryview) -> Iterator[Document]:
    """Raises `Damaged` where the file stops to be an index; what came before it was well formed."""
    for field, _, value in read_fields(data):
        if field == 2:
            yield read_document(value)


def read_document(data: memoryview) -> Document:
    path, encoding, text = "", 0, None
    occurrences: list[RawOccurrence] = []
    for field, number, value in read_fields(data):
        if field == 1:
            path = read_text(value)
        elif field == 2:
            occurrence = read_occurrence(value)
            if occurrence is not None:
                occurrences.append(occurrence)
                if len(occurrences) > MOST_OCCURRENCES:
                    raise Damaged("a document has too many occurrences")
        elif field == 5:
            text = read_text(value)
        elif field == 6:
            encoding = number
    return Document(path, encoding, text or None, occurrences)


def read_occurrence(data: memoryview) -> RawOccurrence | None:
    """None for one that spans lines, that has no range, or that is about a local name."""
    bounds: list[int] = []
    symbol, roles = "", 0
    for field, number, value in read_fields(data):
        if field == 1:
            bounds += read_packed(value) if value else [number]
            if len(bounds) > 4:
                raise Damaged("a range has more than four numbers")
        elif field == 2:
            symbol = read_text(value)
        elif field == 3:
            roles = number
    if len(bounds) == 4 and bounds[0] == bounds[2]:
        bounds = [bounds[0], bounds[1], bounds[3]]
    if len(bounds) != 3 or not symbol:
        return None
    return RawOccurrence(bounds[0], bounds[1], bounds[2], symbol, roles)


def column_in(line: str, column: int, encoding: int) -> int:
    """The code point at which a column of the index is, from 0; -1 if it is none. An index that says nothing is
    taken to count as JavaScript does, as those do that say nothing."""
    if line.isascii() or encoding == UTF32:
        return column if column <= len(line) else -1
    width = utf8_width if encoding == UTF8 else utf16_width
    passed = 0
    for number, character in enumerate(line):
        if passed >= column:
            return number if passed == column else -1
        passed += width(character)
    return len(line) if passed == column else -1


def utf8_width(character: str) -> int:
    return len(character.encode("utf-8", "surrogatepass"))


def utf16_width(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1
