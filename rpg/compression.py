"""Blocks of bytes as an index keeps them: Zstandard at its fast end, a quarter of zlib's CPU at the same size."""

from __future__ import annotations

import threading

import zstandard

_LEVEL = 1


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


def decompress(packed: bytes | memoryview) -> bytes:
    """Raises BrokenBlock."""
    try:
        return _contexts.decompressor.decompress(packed)
    except zstandard.ZstdError as error:
        raise BrokenBlock(str(error)) from error
