"""Blocks of bytes as an index keeps them: Zstandard at its fast end, a quarter of zlib's CPU at the same size."""

from __future__ import annotations

import zstandard

_LEVEL = 1


class BrokenBlock(ValueError):
    """Bytes that are no compressed block, or the damaged rest of one."""


def compress(block: bytes) -> bytes:
    """With a checksum, so that damage is noticed."""
    return zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(block)


def decompress(packed: bytes | memoryview) -> bytes:
    """Raises BrokenBlock."""
    try:
        return zstandard.decompress(packed)
    except zstandard.ZstdError as error:
        raise BrokenBlock(str(error)) from error
