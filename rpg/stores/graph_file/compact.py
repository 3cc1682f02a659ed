"""The graph file at rest, NAME.graph.json.zst: the same JSON, compressed to an eighth.

In: the JSON as it is written; or a file. Out: the compressed file; or the JSON, in a file that can be read and
positioned like any other, whichever form it has on disk.

Any program that knows Zstandard unpacks it (`zstd -dc`). It begins and ends with a frame that such programs skip: the
first tells it from other files, the last has the size of the JSON and its last bytes, so that the end is checked
without unpacking what is before. The pieces between have sums. The form follows from the name when a graph is written,
and from the first bytes when it is read.
"""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any, BinaryIO, cast

import zstandard

from rpg.errors import GraphNotLoaded
from rpg.stores.graph_opening import COMPACT_ENDING, COMPACT_OPENING, SKIPPED
from rpg.system import filesystem

LEVEL = 1
"""Higher ones take more time, and save little of so regular a text."""
PIECE_BYTES = 1 << 20
READ_BYTES = 1 << 17
WINDOW = 8 << 20
"""Memory that unpacking may take."""
TAIL_BYTES = 64
MOST_RATIO = 250
"""A graph shrinks to an eighth; what claims to unpack to so many times its size, and more than SMALL, is no graph."""
SMALL = 16 << 20
LAST = struct.Struct("<LLQ")
"""The frame at the end, before its last bytes: what makes programs skip it, its length, the size of the JSON."""
FOOT_BYTES = LAST.size + TAIL_BYTES


def is_compact(path: Path) -> bool:
    """Whether the graph file of that name is written compressed."""
    return path.name.endswith(COMPACT_ENDING)


class Writer:
    """Takes the JSON in chunks. The same JSON gives the same bytes, however it is cut."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        self._waiting = bytearray()
        self._size = 0
        self._tail = b""
        file.write(COMPACT_OPENING)

    def write(self, chunk: bytes) -> None:
        self._size += len(chunk)
        self._tail = (self._tail + chunk)[-TAIL_BYTES:] if len(chunk) < TAIL_BYTES else chunk[-TAIL_BYTES:]
        self._waiting += chunk
        at = 0
        while len(self._waiting) - at >= PIECE_BYTES:
            self._put(self._waiting[at : at + PIECE_BYTES])
            at += PIECE_BYTES
        del self._waiting[:at]

    def finish(self) -> None:
        self._put(self._waiting)
        tail = self._tail.rjust(TAIL_BYTES, b"\0")
        self._file.write(LAST.pack(SKIPPED, FOOT_BYTES - 8, self._size) + tail)

    def _put(self, piece: bytearray) -> None:
        self._file.write(self._compressor.compress(piece))


def open_graph(path: Path) -> BinaryIO:
    """The JSON of a graph file. OSError as `filesystem.open_file`; reading raises GraphNotLoaded if it is damaged."""
    file = filesystem.open_file(path)
    try:
        if file.read(len(COMPACT_OPENING)) == COMPACT_OPENING:
            return cast(BinaryIO, JsonReader(_Unpacked(path, file), READ_BYTES))
        file.seek(0)
        return file
    except BaseException:
        file.close()
        raise


def size_of(file: BinaryIO) -> int:
    """The size of the JSON. The position stays."""
    at = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(at)
    return size


class JsonReader(io.BufferedReader):
    """The JSON of a compressed file."""


class _Unpacked(io.RawIOBase):
    """The JSON of a compressed file, unpacked from the beginning to where it is read, and its last bytes."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        super().__init__()
        self._path, self._file = path, file
        length = file.seek(0, io.SEEK_END)
        if length < len(COMPACT_OPENING) + FOOT_BYTES:
            raise self._build_damage_error()
        file.seek(length - FOOT_BYTES)
        foot = file.read(FOOT_BYTES)
        mark, rest, self._size = LAST.unpack_from(foot)
        if (mark, rest) != (SKIPPED, FOOT_BYTES - 8) or self._size > max(SMALL, MOST_RATIO * length):
            raise self._build_damage_error()
        self._tail = foot[LAST.size :][-self._size :] if self._size else b""
        self._position = 0
        self._stream: Any = None
        self._unpacked = 0
        """How much of the stream was read."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        at_tail = self._position - (self._size - len(self._tail))
        room = len(buffer)
        is_there = self._stream is not None and self._unpacked == self._position
        if at_tail >= 0 and not is_there:
            found = self._tail[at_tail : at_tail + room]
        else:
            found = self._unpack(min(room, self._size - self._position))
        buffer[: len(found)] = found
        self._position += len(found)
        return len(found)

    def close(self) -> None:
        self._file.close()
        super().close()

    def _unpack(self, most: int) -> bytes:
        """At most so many bytes at the position, at least one; none at the end."""
        try:
            if not most:
                return b""
            if self._stream is None or self._unpacked > self._position:
                self._file.seek(0)
                decompressor = zstandard.ZstdDecompressor(max_window_size=WINDOW)
                self._stream = decompressor.stream_reader(
                    self._file, read_size=READ_BYTES, read_across_frames=True, closefd=False
                )
                self._unpacked = 0
            while self._unpacked < self._position:
                self._advance(min(PIECE_BYTES, self._position - self._unpacked))
            found = self._advance(most)
            if self._unpacked == self._size and self._stream.read(1):  # the sum is behind the last byte
                raise self._build_damage_error()
            return found
        except (zstandard.ZstdError, MemoryError):
            raise self._build_damage_error() from None

    def _advance(self, most: int) -> bytes:
        found: bytes = self._stream.read(most)
        if not found:
            raise self._build_damage_error()
        self._unpacked += len(found)
        return found

    def _build_damage_error(self) -> GraphNotLoaded:
        return GraphNotLoaded(
            f"the graph file {self._path} is damaged: its contents are not what was written. Rebuild it with "
            f"`rpg encode REPOSITORY -o {self._path}`"
        )
