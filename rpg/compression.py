"""Blocks of bytes as an index keeps them: Zstandard at its fast end, a quarter of zlib's CPU at the same size."""

from __future__ import annotations

import threading

import zstandard

_LEVEL = 1
MOST_BYTES = 256 << 20
"""That a block may unpack to, where nothing else is known of it: four times the largest file that is ever encoded."""
SPARE_BYTES = 1 << 20


class BrokenBlock(ValueError):
    """Bytes that are no compressed block, or the damaged rest of one."""


class _Contexts(threading.local):
    """Of a thread, which alone may use them: what they work in is as dear to make as a small block is to compress."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_contexts = _Contexts()


def compress(block: bytes) -> bytes:
    """With a checksum, so that damage is noticed."""
    return _contexts.compressor.compress(block)


def most_of_source(size: int) -> int:
    """Bytes that the text of a file of that size has at most: decoded, normalised, with secrets masked."""
    return 4 * size + SPARE_BYTES


def decompress(packed: bytes | memoryview, most: int = MOST_BYTES) -> bytes:
    """Raises BrokenBlock, also where there would be more than `most` bytes, before any room is made for them."""
    try:
        size = zstandard.frame_content_size(packed)
        if not 0 <= size <= min(most, MOST_BYTES):  # below 0: the block does not say it, which ours all do
            raise BrokenBlock(f"it would unpack to {size:,} bytes" if size >= 0 else "it does not say its size")
        return _contexts.decompressor.decompress(packed, size)
    except zstandard.ZstdError as error:
        raise BrokenBlock(str(error)) from error
