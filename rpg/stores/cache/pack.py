"""One file of the cache: blocks, a directory of them, and a seal over the directory.

In: names and blocks. Out: the same. A pack is written once, under another name, and never changed: several processes
may read, add and remove packs at once. The directory is sealed with the secret of the installation and has a digest of
each block, so that nothing is believed that this installation did not write; a changed byte makes one block, or the
whole pack, unreadable.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
from io import BufferedRandom, BufferedReader
from pathlib import Path

from rpg.stores import atomic
from rpg.system import filesystem

ENDING = ".pack"
MAGIC = b"rpg facts 1\n"
PURPOSE = b"rpg cache"
ROW = struct.Struct("<16s16sQL")
"""Name, digest of the block, where it begins, how long it is."""
TAIL = struct.Struct("<L32s")
"""Rows of the directory, and the seal."""
LARGEST_DIRECTORY = 64 << 20

Place = tuple[bytes, int, int]
"""Digest, start and length of a block."""


class BrokenPack(ValueError):
    """Not what this installation wrote."""


class PackReader:
    """A pack that is there. OSError or BrokenPack if it cannot be read."""

    def __init__(self, path: Path, secret: bytes) -> None:
        self.path = path
        self.is_used = False
        self._file: BufferedReader | None = None
        with filesystem.open_own_file(path) as file:
            size = file.seek(0, os.SEEK_END)
            if size < len(MAGIC) + TAIL.size:
                raise BrokenPack
            file.seek(size - TAIL.size)
            count, seal = TAIL.unpack(file.read(TAIL.size))
            length = count * ROW.size
            if length > min(LARGEST_DIRECTORY, size - len(MAGIC) - TAIL.size):
                raise BrokenPack
            file.seek(size - TAIL.size - length)
            directory = file.read(length)
        if not hmac.compare_digest(seal, _seal(directory, secret)):
            raise BrokenPack
        self.places: dict[bytes, Place] = {row[0]: row[1:] for row in ROW.iter_unpack(directory)}

    def read(self, place: Place) -> bytes:
        digest, start, length = place
        if self._file is None:
            self._file = filesystem.open_own_file(self.path)
        self._file.seek(start)
        block = self._file.read(length)
        if _digest(block) != digest:
            raise BrokenPack
        return block

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class PackWriter:
    """A pack that is being written, under a name that nobody reads."""

    def __init__(self, folder: Path, secret: bytes) -> None:
        self._final = folder / f"{os.urandom(8).hex()}{ENDING}"
        self._staged = atomic.staging_path(self._final)
        self._secret = secret
        self._rows: list[bytes] = []
        self._file: BufferedRandom = filesystem.create(self._staged)
        self._file.write(MAGIC)
        self.size = len(MAGIC)

    def add(self, name: bytes, block: bytes) -> None:
        self._file.write(block)
        self._rows.append(ROW.pack(name, _digest(block), self.size, len(block)))
        self.size += len(block)

    def publish(self) -> None:
        """Not synced to the disk: a pack that a failure of the system cut short is not read."""
        directory = b"".join(self._rows)
        self._file.write(directory + TAIL.pack(len(self._rows), _seal(directory, self._secret)))
        self._file.close()
        filesystem.replace(self._staged, self._final)

    def discard(self) -> None:
        self._file.close()
        self._staged.unlink(missing_ok=True)


def _digest(block: bytes) -> bytes:
    return hashlib.blake2b(block, digest_size=16).digest()


def _seal(directory: bytes, secret: bytes) -> bytes:
    return hashlib.blake2b(MAGIC + directory, key=secret, person=PURPOSE, digest_size=32).digest()
