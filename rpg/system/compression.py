"""Compressed blocks, as the index stores them: Zstandard at a low level, a quarter of zlib's CPU at a smaller size.

In: bytes, or a file. Out: a block with a checksum, and back.
"""

from __future__ import annotations

import io
import threading
from typing import BinaryIO

import zstandard

_LEVEL = 3
"""Level 1 takes a third less time, a hundredth of an encode, for a thirtieth more room."""
MOST_BYTES = 256 << 20
"""Limit for an unpacked block whose size is not known otherwise: four times the largest file that is ever encoded."""
SPARE_BYTES = 1 << 20
_LEVEL_OF_FILES = 3
MOST_WINDOW = 8 << 20
"""Memory that decompressing a file may take; what `compress_file` writes takes a quarter."""
RUN_BYTES = 1 << 20


class BrokenBlock(ValueError):
    """Bytes that are not a compressed block, or are a damaged one."""


class _Contexts(threading.local):
    """Per thread, which no other may use: creating a context costs as much as compressing a small block."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_contexts = _Contexts()


def compress(block: bytes) -> bytes:
    """Adds a checksum, so that damage is detected."""
    return _contexts.compressor.compress(block)


def split_bytes(numbers: bytes, width: int) -> bytes:
    """The first bytes of all numbers of so many bytes, then the second ones, and so on: most high bytes are zero, and
    compress to nothing where they stand together."""
    return b"".join([numbers[at::width] for at in range(width)])


def join_bytes(split: bytes | memoryview, width: int) -> bytes:
    """The inverse of `split_bytes`."""
    count = len(split) // width
    numbers = bytearray(len(split))
    for at in range(width):
        numbers[at::width] = split[at * count : (at + 1) * count]
    return bytes(numbers)


def most_of_source(size: int) -> int:
    """Upper limit for the text of a file of that size: decoded, normalised, with secrets masked."""
    return 4 * size + SPARE_BYTES


def decompress(packed: bytes | memoryview, most: int = MOST_BYTES) -> bytes:
    """Raises BrokenBlock; if the result would exceed `most` bytes, before any memory is allocated."""
    try:
        size = zstandard.frame_content_size(packed)
        if not 0 <= size <= min(most, MOST_BYTES):  # below 0: the block does not state its size; ours always do
            raise BrokenBlock(f"it would unpack to {size:,} bytes" if size >= 0 else "it does not say its size")
        return _contexts.decompressor.decompress(packed, size)
    except zstandard.ZstdError as error:
        raise BrokenBlock(str(error)) from error


def compress_file(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """Writes a block of the file, which has `size` bytes from where it is."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL_OF_FILES, write_checksum=True)
    compressor.copy_stream(source, target, size=size)


def decompress_file(source: BinaryIO, length: int, target: BinaryIO, size: int) -> None:
    """Writes the content of a block of `length` bytes, never more than `size` bytes. BrokenBlock if it is not one of
    that size."""
    part, left = _Part(source, length), size
    decompressor = zstandard.ZstdDecompressor(max_window_size=MOST_WINDOW)
    try:
        with decompressor.stream_reader(part, read_size=RUN_BYTES) as content:
            while left:
                chunk = content.read(min(RUN_BYTES, left))
                if not chunk:
                    raise BrokenBlock("it is cut off")
                target.write(chunk)
                left -= len(chunk)
            if content.read(1) or part.left:
                raise BrokenBlock(f"it has more than {size:,} bytes")
    except (zstandard.ZstdError, MemoryError) as error:
        raise BrokenBlock(str(error)) from error


class _Part(io.BytesIO):
    """So many bytes of a file, from where it is, to be read in order."""

    def __init__(self, file: BinaryIO, length: int) -> None:
        super().__init__()
        self._file = file
        self.left = length

    def read(self, size: int | None = -1, /) -> bytes:
        found = self._file.read(self.left if size is None or size < 0 else min(size, self.left))
        self.left -= len(found)
        return found
