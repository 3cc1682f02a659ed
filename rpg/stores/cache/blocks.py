"""All packs of the cache together: the block of a name, new blocks, and which packs leave.

In: names and blocks. Out: blocks. Names are hashed with the secret of the installation, so that the files do not tell
what is in them by name. Whatever goes wrong, the cache has nothing: it is never the reason that an encode fails.

The pack that was used longest ago leaves first, when there are more bytes than there may be; small packs, as single
edits make them, are put together. Both without a lock: packs that two processes write or remove at once do no harm.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rpg.errors import EncodeFailed
from rpg.stores import graph_folder, installation
from rpg.stores.atomic import LEFTOVER
from rpg.stores.cache.pack import ENDING, BrokenPack, PackReader, PackWriter
from rpg.stores.cache.place import cache_folder, most_bytes
from rpg.system import filesystem

NAMED = b"rpg cache name"
PARTS = 16
"""A pack has at most this part of all bytes, so that one leaving is not half of the cache."""
LARGEST_PACK = 64_000_000
SMALL_PACK = 1_000_000
MOST_SMALL = 32
"""More small packs than these are put together."""
ABANDONED_SECONDS = 3600.0
"""A file as old as that, under a name of one that is being written, is of a process that was killed."""
FAILURES = (OSError, BrokenPack, EncodeFailed)


@contextmanager
def open_cache(reads: bool = True) -> Iterator[BlockCache | None]:
    """The cache, for one encode; None if there is none. What was added is there for others afterwards, whatever became
    of the encode. Without `reads`, it finds nothing and is only added to."""
    folder = cache_folder()
    if folder is None or not _is_made(folder):
        yield None
        return
    secret = installation.secret()
    if installation.note():  # another one in each process
        yield None
        return
    blocks = BlockCache(folder, secret, reads)
    try:
        yield blocks
    finally:
        blocks.close()


class BlockCache:
    """For one thread."""

    def __init__(self, folder: Path, secret: bytes, reads: bool = True) -> None:
        self._folder = folder
        self._secret = secret
        self._writer: PackWriter | None = None
        self._adds = True
        self._most = most_bytes()
        self._packs: list[PackReader] = []
        self._known: dict[bytes, PackReader] = {}
        if reads:
            for path, _, _ in _packs_in(folder):
                with suppress(OSError):
                    self._load(path)

    @property
    def is_empty(self) -> bool:
        return not self._known

    def find(self, name: bytes) -> bytes | None:
        hashed = self._hashed(name)
        pack = self._known.get(hashed)
        if pack is None:
            return None
        try:
            block = pack.read(pack.places[hashed])
        except FAILURES as error:
            self._forget(pack)
            if not isinstance(error, OSError):
                _removed(pack.path)
            return None
        pack.is_used = True
        return block

    def add(self, name: bytes, block: bytes) -> None:
        if not self._adds:
            return
        hashed = self._hashed(name)
        try:
            if self._writer is None:
                self._writer = PackWriter(self._folder, self._secret)
            self._writer.add(hashed, block)
            if self._writer.size > min(LARGEST_PACK, self._most // PARTS):
                self._publish()
        except FAILURES:  # no room
            self._adds = False
            self._discard()

    def close(self) -> None:
        with suppress(*FAILURES):
            self._publish()
        self._discard()
        for pack in self._packs:
            pack.close()
            if pack.is_used:
                with suppress(OSError):
                    os.utime(pack.path)
        with suppress(OSError):
            self._tidy()

    def _load(self, path: Path) -> None:
        try:
            pack = PackReader(path, self._secret)
        except (BrokenPack, EncodeFailed):
            _removed(path)
            return
        self._packs.append(pack)
        self._known.update(dict.fromkeys(pack.places, pack))

    def _forget(self, pack: PackReader) -> None:
        for hashed in pack.places:
            if self._known.get(hashed) is pack:
                del self._known[hashed]

    def _hashed(self, name: bytes) -> bytes:
        return hashlib.blake2b(name, key=self._secret, person=NAMED, digest_size=16).digest()

    def _publish(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            try:
                writer.publish()
            finally:
                with suppress(OSError):
                    writer.discard()

    def _discard(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(OSError):
                writer.discard()

    def _tidy(self) -> None:
        packs = _packs_in(self._folder)
        small = [path for path, size, _ in packs if size < SMALL_PACK]
        if len(small) > MOST_SMALL:
            with suppress(*FAILURES):
                self._put_together(small)
            packs = _packs_in(self._folder)
        left = sum(size for _, size, _ in packs)
        for path, size, _ in sorted(packs, key=lambda pack: pack[2]):
            if left <= self._most:
                break
            _removed(path)
            left -= size
        _sweep(self._folder)

    def _put_together(self, paths: list[Path]) -> None:
        writer = PackWriter(self._folder, self._secret)
        written: set[bytes] = set()
        try:
            for path in paths:
                with suppress(BrokenPack, OSError, EncodeFailed):
                    pack = PackReader(path, self._secret)
                    try:
                        for hashed, place in pack.places.items():
                            if hashed not in written:
                                written.add(hashed)
                                writer.add(hashed, pack.read(place))
                    finally:
                        pack.close()
            writer.publish()
        finally:
            writer.discard()
        for path in paths:
            _removed(path)


def _is_made(folder: Path) -> bool:
    """Whether there is a folder of this user's, which nobody else reads."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if os.name == "posix" and stat.S_IMODE(os.lstat(folder).st_mode) & 0o077:
            return False
    except OSError:
        return False
    return not graph_folder.problem_with_folder(folder)


def _packs_in(folder: Path) -> list[tuple[Path, int, int]]:
    """Packs with their sizes and when they were last used; the last used one last."""
    found: list[tuple[Path, int, int]] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(ENDING):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((Path(entry.path), status.st_size, status.st_mtime_ns))
    return sorted(found, key=lambda pack: pack[2])


def _removed(path: Path) -> None:
    """As far as possible: what is no file of ours stays, and on Windows what another process has open."""
    with suppress(OSError, EncodeFailed):
        filesystem.remove(path)


def _sweep(folder: Path) -> None:
    before = time.time() - ABANDONED_SECONDS
    for name in os.listdir(folder):
        path = folder / name
        if LEFTOVER.search(name) and path.lstat().st_mtime < before:
            _removed(path)


def size_of(folder: Path) -> int:
    """Bytes of all packs."""
    return sum(size for _, size, _ in _packs_in(folder))
