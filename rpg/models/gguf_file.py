"""What a GGUF file says about itself, read without llama.cpp.

In: a path. Out: its metadata and what it will need, or MODEL_UNAVAILABLE with what is wrong with the file and what to
do, before any process is started for it. Weights are not read: that is the loader's work.
"""

from __future__ import annotations

import errno
import os
import re
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from rpg.errors import ModelUnavailable
from rpg.system.filesystem import open_file

MAGIC = b"GGUF"
VERSIONS = (2, 3)
STRING, ARRAY = 8, 9
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
EMBEDDING_ARCHITECTURES = ("bert", "nomic-bert", "jina-bert", "modern-bert", "neo-bert", "t5encoder", "gemma-embedding")
WORKING_MEMORY = 256 << 20
"""Bytes besides weights and attention cache: the library, its compute buffers, Python."""
PART = re.compile(r"-(\d{5})-of-(\d{5})(?=\.gguf$)")


class GgufFile(NamedTuple):
    path: Path
    metadata: dict[str, Any]
    """Without the contents of arrays, which are vocabularies."""
    size: int
    """Bytes of all its parts."""

    @property
    def architecture(self) -> str:
        return str(self.metadata.get("general.architecture", ""))

    @property
    def embeds(self) -> bool:
        """Made to embed texts, not to write them."""
        architecture = self.architecture
        return architecture.startswith(EMBEDDING_ARCHITECTURES) or f"{architecture}.pooling_type" in self.metadata

    @property
    def trained_context(self) -> int:
        return self.number("context_length")

    def number(self, key: str) -> int:
        value = self.metadata.get(f"{self.architecture}.{key}", 0)
        return value if isinstance(value, int) else 0

    def memory(self, context: int) -> int:
        """Bytes needed to answer with that many tokens of context, in 16 bit."""
        heads = self.number("attention.head_count") or 1
        width = self.number("embedding_length") // heads
        keys = self.number("attention.key_length") or width
        values = self.number("attention.value_length") or width
        cached = self.number("attention.head_count_kv") or heads
        return self.size + 2 * context * self.number("block_count") * cached * (keys + values) + WORKING_MEMORY


def read_gguf(path: Path) -> GgufFile:
    """Raises ModelUnavailable if the file is missing, damaged or of another kind."""
    if path.is_dir():
        raise ModelUnavailable(f"{path} is a folder: name the .gguf file in it")
    try:
        with open_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            metadata, needed = header(file, path, size)
    except FileNotFoundError:
        raise ModelUnavailable(f"there is no file {path}: name a GGUF model with --model or RPG_MODEL") from None
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENXIO):
            raise ModelUnavailable(f"{path} is no regular file: name a GGUF model with --model or RPG_MODEL") from None
        raise ModelUnavailable(f"{path} cannot be read ({error.strerror}): check its permissions") from None
    except (struct.error, EOFError, UnicodeDecodeError, MemoryError, RecursionError):
        raise ModelUnavailable(f"{path} is damaged: its header ends too early. Copy or download it again") from None
    if needed > size:
        raise ModelUnavailable(
            f"{path} is incomplete: {size:,} bytes, its header requires {needed:,} or more. Copy or download it again"
        )
    return GgufFile(path, metadata, sum(part.stat().st_size for part in parts(path)))


def header(file: BinaryIO, path: Path, size: int) -> tuple[dict[str, Any], int]:
    """The metadata, and the least size that a file with these tensors can have."""
    magic = file.read(4)
    if magic != MAGIC:
        raise ModelUnavailable(
            f"{path} is not a GGUF file (it starts with {magic!r}): llama.cpp's convert_hf_to_gguf.py makes one"
        )
    reader = Reader(file, size)
    version = reader.number("I")
    if version not in VERSIONS:
        raise ModelUnavailable(f"{path} is GGUF version {version}; version 2 or 3, little-endian, can be read")
    tensors, entries = reader.number("Q"), reader.number("Q")
    metadata = {}
    for _ in range(entries):
        key = reader.text()
        metadata[key] = reader.value(reader.number("I"))
    last = 0
    for _ in range(tensors):
        reader.skip(reader.number("Q"))
        reader.skip(8 * reader.number("I") + 4)
        last = max(last, reader.number("Q"))
    alignment = metadata.get("general.alignment", 32)
    padding = -file.tell() % alignment if isinstance(alignment, int) and alignment > 0 else 0
    return metadata, file.tell() + (padding + last + 1 if tensors else 0)


class Reader:
    """Every length is checked against the file's size, so that a damaged one neither hangs nor fills the memory."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file = file
        self.size = size

    def number(self, code: str) -> Any:
        return struct.unpack("<" + code, self.file.read(struct.calcsize("<" + code)))[0]

    def skip(self, count: int) -> None:
        if self.file.tell() + count > self.size:
            raise EOFError
        self.file.seek(count, os.SEEK_CUR)

    def text(self) -> str:
        length = self.number("Q")
        if self.file.tell() + length > self.size:
            raise EOFError
        return self.file.read(length).decode("utf-8", "replace")

    def value(self, kind: int) -> Any:
        if kind == STRING:
            return self.text()
        if kind in NUMBERS:
            return self.number(NUMBERS[kind])
        if kind != ARRAY:
            raise EOFError
        items, count = self.number("I"), self.number("Q")
        if items in NUMBERS:
            self.skip(count * struct.calcsize("<" + NUMBERS[items]))
        elif count > self.size:
            raise EOFError
        elif items == STRING:
            for _ in range(count):
                self.skip(self.number("Q"))
        else:
            for _ in range(count):
                self.value(items)
        return None


def parts(path: Path) -> list[Path]:
    """A model split into several files is loaded by its first one."""
    match = PART.search(path.name)
    if not match:
        return [path]
    count = int(match[2])
    names = [f"{path.name[: match.start()]}-{number:05d}-of-{count:05d}.gguf" for number in range(1, count + 1)]
    found = [path.with_name(name) for name in names]
    missing = [part.name for part in found if not part.is_file()]
    if missing:
        raise ModelUnavailable(
            f"{path} is one of {count} parts and {', '.join(missing)} is not next to it: copy all of them"
        )
    return found


def available_memory() -> int | None:
    """Bytes that a new process may fill; None if the system does not say."""
    found = [limit for limit in (system_memory(), container_memory()) if limit is not None]
    return min(found) if found else None


def system_memory() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    if sys.platform == "win32":
        return None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def container_memory() -> int | None:
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        used = Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii")
        return None if limit == "max" else max(0, int(limit) - int(used))
    except (OSError, ValueError):
        return None
