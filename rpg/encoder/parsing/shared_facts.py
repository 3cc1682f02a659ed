"""What was made of a file, under a name that holds for every repository of this user: facts, terms, fingerprints and
text.

In: files, and a store of blocks by name. Out: the same as parsing makes. The name has the file's bytes (their hash),
its path in the repository, its language, and the version of the code that makes facts of that language. The path
belongs to it because it is among the words that search counts, decides what is a test, and names the module: a renamed
file is parsed again. Nothing else of a repository influences what is made of one file, so nothing of one gets into
another. Only masked text is stored. Absent: what a parser refused, and where the store is (stores/cache/).
"""

from __future__ import annotations

import struct
from typing import Protocol

from rpg.encoder.parsing.lowering_version import lowering_version
from rpg.encoder.parsing.worker_pool import EncodedFile
from rpg.encoder.source_files.selection import Entry

_LENGTHS = struct.Struct("<LL")


class Blocks(Protocol):
    """A store that may have lost anything."""

    @property
    def is_empty(self) -> bool: ...

    def find(self, name: bytes, /) -> bytes | None: ...

    def add(self, name: bytes, block: bytes, /) -> None: ...


def find(blocks: Blocks, entry: Entry, hash: str, language: str, read_ns: int) -> EncodedFile | None:
    block = blocks.find(_name(entry.path, hash, language))
    if block is None or len(block) < _LENGTHS.size:
        return None
    source, facts = _LENGTHS.unpack_from(block)
    start, middle = _LENGTHS.size, _LENGTHS.size + source
    end = middle + facts
    stamp = entry.stamp[1:]
    return EncodedFile(
        entry.path, language, hash, entry.size, *stamp, read_ns, "", block[start:middle], block[middle:end], block[end:]
    )


def add(blocks: Blocks, file: EncodedFile) -> None:
    if not file.skipped:
        body = (file.source, file.facts, file.terms)
        block = b"".join((_LENGTHS.pack(len(file.source), len(file.facts)), *body))
        blocks.add(_name(file.path, file.hash, file.language), block)


def _name(path: str, hash: str, language: str) -> bytes:
    parts = (lowering_version(language), language, hash, path)
    return "\0".join(parts).encode("utf-8", "surrogatepass")
