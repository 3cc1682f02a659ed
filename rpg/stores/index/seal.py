"""Which indexes this installation made: each carries a seal that cannot be made without the installation's secret.

In: what an index says about itself (`meta`), and where its file is. Out: the same with a seal, or ForeignIndex.

The seal is a keyed hash over all of `meta`, which identifies the file by its birth time. No checkout, copy or archive
reproduces that. The bytes in the file are too many to hash. So `meta` cannot be changed, and an index that was given
away, edited and given back is another file. A log next to it is identified in the same way, because SQLite replays
whatever log it finds. Copies are not ours and are rebuilt; a renamed file still is.

Not covered: bytes written into the same file in place (`cp` over it, `dd`, a database editor) while `meta` stays.
Neither birth nor inode shows that, and only hashing the whole file would. Whoever can do that can already write to the
user's files; git, archives and downloads replace files instead.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rpg.stores.installation import secret

FILE, LOG, SEAL = "file", "log", "seal"
LOG_ENDING = "-wal"
PURPOSE = b"rpg index"
BTIME, AT_FDCWD, NO_FOLLOW, BTIME_AT = 0x800, -100, 0x100, 0x50
"""Constants of Linux's statx."""


def birth(path: Path) -> str:
    """Identifies a file among all that ever have its name; empty if the file does not exist.

    If the system does not report its birth time, inode number and location are used, although inode numbers are reused.
    Links are not followed: a repository does not own what it links to.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return ""
    if sys.platform == "win32":
        return f"{status.st_ino} {status.st_ctime_ns}"
    born = getattr(status, "st_birthtime", None) or _born(os.fsencode(path))
    return f"born {born}" if born else f"{status.st_ino} {path.absolute()}"


def log_of(path: Path) -> Path:
    return path.with_name(path.name + LOG_ENDING)


def log_birth(path: Path) -> str:
    """The birth of the log of the index at `path`, if it is not empty."""
    log = log_of(path)
    try:
        status = os.lstat(log)
        return birth(log) if stat.S_ISREG(status.st_mode) and status.st_size else ""
    except OSError:
        return ""


def add_seal(meta: Mapping[str, str], file: str, log: str) -> dict[str, str]:
    """`meta` of the index whose file and log have these birth times, with the seal."""
    unsealed = {**meta, FILE: file, LOG: log}
    return {**unsealed, SEAL: _seal(unsealed)}


def is_of_this_installation(meta: Mapping[str, str]) -> bool:
    """Whether this installation once wrote this `meta`, wherever the file is now."""
    return hmac.compare_digest(meta.get(SEAL, "").encode(), _seal(meta).encode())


def _seal(meta: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(key=secret(), person=PURPOSE, digest_size=32)
    for key in sorted(meta):
        if key != SEAL:
            for part in (key.encode("utf-8", "surrogatepass"), meta[key].encode("utf-8", "surrogatepass")):
                digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _born(path: bytes) -> int:
    """The birth time in nanoseconds; 0 if Linux does not report it."""
    statx = _statx()
    if statx is None:
        return 0
    import ctypes

    buffer = ctypes.create_string_buffer(256)
    if statx(AT_FDCWD, path, NO_FOLLOW, BTIME, buffer):
        return 0
    raw = buffer.raw
    if not int.from_bytes(raw[:4], sys.byteorder) & BTIME:
        return 0
    seconds = int.from_bytes(raw[BTIME_AT : BTIME_AT + 8], sys.byteorder, signed=True)
    return seconds * 1_000_000_000 + int.from_bytes(raw[BTIME_AT + 8 : BTIME_AT + 12], sys.byteorder)


@cache
def _statx() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), "statx", None)
