"""The text index: which files may contain a text, by the trigrams of its bytes.

In: the stored sources; or the paths of files that changed. Out: a table in which a few look-ups find the files that may
have a text; the caller still has to search them. A trigram is represented by a hash of 15 bits, so that the table has a
bounded number of rows: another trigram with the same hash only means searching more files.

Texts are folded: ASCII letters without case, line ends as `\\n`. Two letters outside ASCII equal an ASCII letter when
case is ignored, and are folded to it. An edit changes the rows of those trigrams that a file lost or gained.

Absent: patterns, and the search in the texts themselves.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rpg.stores.search.numbers import FEWEST, GAPS_HEAD, gaps, gaps_head, is_shorter, unpack
from rpg.stores.search.trigrams import BITMAP, FACTORS, HASH_BITS, HASHES, SHORTEST, fold
from rpg.system.arrays import numpy
from rpg.system.compression import BrokenBlock, decompress, most_of_source

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Array = Any
"""A numpy array."""

MOST_FILES = 1 << 24
"""The highest file number that a blob may contain: each number costs a byte while it is read."""
_FILES_AT_ONCE = 32
_TRIGRAMS_AT_ONCE = 1 << 10
_LARGEST_AT_ONCE = 1 << 20


def hashes(text: bytes) -> list[int]:
    """The hashes of a folded text's trigrams, each once, in order."""
    return sorted(set(_hashed(text).tolist()))  # numpy.unique would import numpy.ma, 2 MB


def files_with(index: Index, wanted: Sequence[int]) -> Array:
    """By file number, whether the file has all of these trigrams; there must be at least one. Files beyond the end do
    not."""
    rows = index.rows(f"SELECT files FROM search_texts WHERE trigram IN ({','.join(map(str, wanted))})")
    if len(rows) < len(wanted):
        return numpy.zeros(0, bool)
    found = having(rows[0][0])
    for (blob,) in rows[1:]:
        other = having(blob)
        shorter = min(len(found), len(other))
        found = found[:shorter] & other[:shorter]
    return found


def having(blob: bytes) -> Array:
    """Whether the blob has a file, by number of the file."""
    if blob[:1] == bytes((BITMAP,)) and len(blob) <= MOST_FILES >> 3:
        return numpy.unpackbits(numpy.frombuffer(blob, numpy.uint8)[1:], bitorder="little").view(bool)
    numbers = unpack(blob)
    if numbers and numbers[-1] > MOST_FILES:
        raise BrokenBlock("it names files that cannot be")
    found = numpy.zeros(numbers[-1] + 1 if numbers else 0, bool)
    found[numpy.frombuffer(numbers, numbers.typecode)] = True
    return found


def build(index: Index) -> None:
    """Fills the table, which must be empty, from all files."""
    bits = int(index.value("SELECT max(id) FROM files") or 0) + 1
    width = 2 if bits <= 1 << 16 else 4
    keys = []
    for ids, texts in _batches(index):
        position, hash = _of_batch(texts)
        key = hash.astype(f"u{2 * width}")
        key <<= 8 * width
        key |= numpy.array(ids, key.dtype)[position]
        keys.append(key)
    if not any(map(len, keys)):
        return
    postings = numpy.concatenate(keys)
    keys.clear()
    postings.sort()
    hash = (postings >> (8 * width)).astype(numpy.uint16)
    starts = numpy.flatnonzero(numpy.concatenate(([True], hash[1:] != hash[:-1])))
    trigrams = hash[starts].tolist()
    files = postings.astype(f"<u{width}")
    for at in range(0, len(starts), _TRIGRAMS_AT_ONCE):
        some = trigrams[at : at + _TRIGRAMS_AT_ONCE]
        bounds = numpy.append(starts, len(files))[at : at + len(some) + 1]
        blobs = _blobs(files[bounds[0] : bounds[-1]], bounds - bounds[0])
        index.executemany("INSERT INTO search_texts VALUES (?, ?)", zip(some, blobs, strict=True))


def update(before: Index, after: Index, paths: Sequence[str]) -> None:
    """Replaces what the table has of some files; `after` is being written to."""
    removed: dict[int, list[int]] = defaultdict(list)
    added: dict[int, list[int]] = defaultdict(list)
    for path in paths:
        (old, old_text), (new, new_text) = _file(before, path), _file(after, path)
        if (old, old_text) == (new, new_text):
            continue
        old_hashes, new_hashes = set(hashes(fold(old_text))), set(hashes(fold(new_text)))
        unchanged = old_hashes & new_hashes if old == new else set()
        for trigram in old_hashes - unchanged:
            removed[trigram].append(old)
        for trigram in new_hashes - unchanged:
            added[trigram].append(new)
    rows, empty = [], []
    bits = int(after.value("SELECT max(id) FROM files") or 0) + 1
    for trigram in sorted(removed.keys() | added.keys()):
        known = after.value("SELECT files FROM search_texts WHERE trigram = ?", (trigram,)) or b""
        blob = _changed(known, removed.get(trigram, ()), added.get(trigram, ()), bits)
        if blob:
            rows.append((trigram, blob))
        else:
            empty.append((trigram,))
    after.executemany("INSERT OR REPLACE INTO search_texts VALUES (?, ?)", rows)
    after.executemany("DELETE FROM search_texts WHERE trigram = ?", empty)


def _file(index: Index, path: str) -> tuple[int, bytes]:
    """The number and the text of a file; 0 if it does not exist."""
    row = index.row("SELECT id FROM files WHERE path = ? AND length(source) > 0", (path,))
    return (int(row[0]), index.source(path)) if row else (0, b"")


def _batches(index: Index) -> Iterator[tuple[list[int], list[bytes]]]:
    """Ids in order, and folded texts, of a few files at a time."""
    ids: list[int] = []
    texts: list[bytes] = []
    size = 0
    for id, source, length in index.each("SELECT id, source, size FROM files WHERE length(source) > 0 ORDER BY id"):
        text = fold(decompress(source, most_of_source(length)))
        if ids and (len(ids) == _FILES_AT_ONCE or size + len(text) > _LARGEST_AT_ONCE):
            yield ids, texts
            ids, texts, size = [], [], 0
        ids.append(id)
        texts.append(text)
        size += len(text)
    if ids:
        yield ids, texts


def _of_batch(texts: list[bytes]) -> tuple[Array, Array]:
    """Each trigram of each of some folded texts once: the position of the text, and the trigram's hash."""
    presence = numpy.zeros((len(texts), HASHES), bool)
    for row, text in zip(presence, texts, strict=True):
        row[_hashed(text)] = True
    found = numpy.flatnonzero(presence)
    return found >> HASH_BITS, found & (HASHES - 1)


def _hashed(text: bytes) -> Array:
    """The hash of the trigram at every position of a folded text."""
    letters = numpy.frombuffer(text, numpy.uint8)
    if len(letters) < SHORTEST:
        return letters[:0]
    first, second, third = (numpy.uint16(factor) for factor in FACTORS)
    sums = letters[:-2] * first
    sums += letters[1:-1] * second
    sums += letters[2:] * third
    sums ^= sums >> numpy.uint16(7)
    return sums & numpy.uint16(HASHES - 1)


def _blobs(numbers: Array, bounds: Array) -> Iterator[bytes]:
    """The blobs of many lists, which begin and end at `bounds`."""
    if int(numbers.max()) >> 3 < FEWEST:  # bits take less room than any gaps
        for start, end in pairwise(bounds.tolist()):
            yield _blob(numbers[start:end], b"")
        return
    stream, spans = gaps(numbers.astype(numpy.int32), bounds[:-1])
    for (start, end), (first, after) in zip(pairwise(bounds.tolist()), pairwise(spans.tolist()), strict=True):
        yield _blob(numbers[start:end], stream[first:after])


def _blob(numbers: Array, stream: bytes) -> bytes:
    """The shortest one of little-endian numbers in ascending order, whose gaps are written as `stream`."""
    bitmap = int(numbers[-1]) >> 3
    if is_shorter(len(stream), len(numbers), numbers.itemsize) and GAPS_HEAD + len(stream) <= bitmap:
        return gaps_head(len(numbers)) + stream
    if numbers.nbytes <= bitmap:
        return bytes((numbers.itemsize,)) + bytes(numbers)
    is_set = numpy.zeros(int(numbers[-1]) + 1, bool)
    is_set[numbers] = True
    return bytes((BITMAP,)) + numpy.packbits(is_set, bitorder="little").tobytes()


def _changed(blob: bytes, removed: Sequence[int], added: Sequence[int], bits: int) -> bytes:
    """The changed blob; empty if no file is left."""
    if blob[:1] != bytes((BITMAP,)):
        numbers = array("I", unpack(blob))
        for number in removed:
            at = bisect_left(numbers, number)
            if at < len(numbers) and numbers[at] == number:
                del numbers[at]
        for number in added:
            at = bisect_left(numbers, number)
            if at == len(numbers) or numbers[at] != number:
                numbers.insert(at, number)
        if not numbers:
            return b""
        known = numpy.array(numbers, "<u2" if bits <= 1 << 16 else "<u4")
        return next(_blobs(known, numpy.array([0, len(known)])))
    bitmap = bytearray(blob)
    bitmap.extend(bytes(max(0, max(added, default=0) // 8 + 2 - len(bitmap))))
    for number in removed:
        if number // 8 + 1 < len(bitmap):
            bitmap[number // 8 + 1] &= ~(1 << number % 8) & 0xFF
    for number in added:
        bitmap[number // 8 + 1] |= 1 << number % 8
    left = bytes(bitmap).rstrip(b"\0")
    return left if len(left) > 1 else b""
