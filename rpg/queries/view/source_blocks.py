"""The sources on a page, compressed in blocks of neighbouring files, as many as fit.

In: an index and how many bytes there are. Out: blocks as base64, which file is in which, and which are left out. Code
outside tests comes first, then tests, then texts and configuration; what is left out can be read in the repository.

Absent: gzip is what every browser unpacks by itself; zstd, which the index has, is not.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import orjson

from rpg.encoder.languages import BY_NAME
from rpg.stores.index.reader import list_ranked_files

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

BLOCK_BYTES = 400_000
"""Of text in one block: larger ones compress better, smaller ones are sooner there."""
LARGEST_FILE = 300_000


class Blocks(NamedTuple):
    blocks: list[str]
    """Base64 of compressed JSON: texts by path."""
    block_of: dict[str, int]
    left_out: list[str]


def source_blocks(index: Index, room: int, cleaned: Callable[[dict[str, str]], dict[str, str]]) -> Blocks:
    """`cleaned`: masks and escapes texts before they are written."""
    blocks: list[str] = []
    block_of: dict[str, int] = {}
    left_out: list[str] = []
    for texts in batches(index, left_out):
        packed = pack_text(cleaned(texts))
        if len(packed) > room:
            left_out += texts
            continue
        room -= len(packed)
        block_of.update(dict.fromkeys(texts, len(blocks)))
        blocks.append(packed)
    return Blocks(blocks, block_of, sorted(left_out))


def batches(index: Index, too_large: list[str]) -> Iterator[dict[str, str]]:
    rows = list_ranked_files(index)
    texts: dict[str, str] = {}
    size = 0
    before = -1
    for rank, path in sorted({(rank_of(language, bool(test)), path) for path, language, test in rows}):
        text = index.source(path).decode("utf-8", "replace")
        if not text:
            continue
        if len(text) > LARGEST_FILE:
            too_large.append(path)
            continue
        if texts and (size + len(text) > BLOCK_BYTES or rank != before):
            yield texts
            texts, size = {}, 0
        texts[path] = text
        size += len(text)
        before = rank
    if texts:
        yield texts


def rank_of(language: str, test: bool) -> int:
    known = BY_NAME.get(language)
    is_code = known is not None and not (known.is_text or known.configures)
    return (1 if test else 0) if is_code else 2


def pack_text(value: object) -> str:
    """Compressed, without a time, so that the same content has the same bytes."""
    return b64encode(gzip.compress(orjson.dumps(value), 9, mtime=0)).decode()
