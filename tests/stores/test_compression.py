"""Blocks of an index: what does not unpack to what it should is an error, and no room is made for it."""

from __future__ import annotations

from contextlib import suppress

import pytest
import zstandard

from rpg.system.compression import BrokenBlock, compress, decompress, most_of_source


def test_what_was_compressed_comes_back() -> None:
    for block in (b"", b"text", b"text" * 100_000):
        assert decompress(compress(block)) == block
        assert decompress(compress(block), most_of_source(len(block))) == block


def test_a_small_block_that_would_take_gigabytes_is_refused_before_it_is_unpacked() -> None:
    writer = zstandard.ZstdCompressor().compressobj(size=3 << 30)
    bomb = writer.compress(bytes(1 << 20)) + writer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    with pytest.raises(BrokenBlock, match="3,221,225,472"):
        decompress(bomb)
    with pytest.raises(BrokenBlock, match="would unpack"):
        decompress(compress(bytes(3_000_000)), most_of_source(1))


def test_a_block_that_does_not_say_its_size_is_refused() -> None:
    with pytest.raises(BrokenBlock, match="size"):
        decompress(zstandard.ZstdCompressor(write_content_size=False).compress(b"text"))


def test_what_is_not_a_block_or_was_changed_is_refused() -> None:
    text = b"a text that is long enough to be changed somewhere"
    packed = compress(text)
    for place in range(len(packed)):
        changed = bytearray(packed)
        changed[place] ^= 1 << place % 8
        with suppress(BrokenBlock):
            assert decompress(bytes(changed)) == text
    for block in (b"", b"x", b"no block at all"):
        with pytest.raises(BrokenBlock):
            decompress(block)
