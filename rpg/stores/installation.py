"""What distinguishes this installation from any other: the user's data folder, and a secret in it.

In: the environment. Out: a folder, and 32 random bytes that authors of repositories never see. The secret is made when
it is first needed, readable only by the user. If none can be stored, this process has its own and passes it to its
children: nothing foreign then counts as ours, nor does anything of an earlier process.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

SECRET = "secret"
SECRET_BYTES = 32
PAUSE_SECONDS = 0.01
PAUSES = 50

_read: dict[tuple[str, int, int], bytes] = {}
"""Secrets by place, inode and status-change time: another process that makes indexes may have made a new one."""
_own = b""
"""The secret of this process and its children, if none can be stored."""
_why_own = ""


def data_folder() -> Path:
    """RPG_DATA, else the platform's folder for user data; XDG_DATA_HOME is honoured on every platform."""
    if chosen := os.environ.get("RPG_DATA"):
        return Path(chosen).expanduser().absolute()
    if shared := os.environ.get("XDG_DATA_HOME"):
        return Path(shared).expanduser().absolute() / "rpg"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "rpg"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rpg"
    return Path.home() / ".local" / "share" / "rpg"


def secret() -> bytes:
    global _own, _why_own
    try:
        stored = _stored_secret(data_folder() / SECRET)
    except (OSError, RuntimeError) as error:  # an unknown home folder is a RuntimeError
        _own = _own or os.urandom(SECRET_BYTES)
        _why_own = getattr(error, "strerror", "") or str(error)
        return _own
    _why_own = ""
    return stored


def note() -> str:
    """What the user should know if no secret can be stored; empty if one is."""
    if not _why_own:
        return ""
    return (
        f"no secret can be stored in the data folder ({_why_own}), so an index is not recognised as ours once "
        "its process has ended, and each start rebuilds it: name a folder with RPG_DATA"
    )


def own_secret() -> str:
    """For a child process; empty if it will find the same secret by itself."""
    secret()
    return _own.hex() if _why_own else ""


def take_secret(handed: str) -> None:
    """Called in the child process."""
    global _own
    if handed:
        _own = bytes.fromhex(handed)


def _stored_secret(path: Path) -> bytes:
    """Raises OSError if there is none and none can be made."""
    for _ in range(PAUSES):
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            _make(path)
            continue
        place = (str(path), status.st_ino, status.st_ctime_ns)
        if (known := _read.get(place)) is not None:
            return known
        if not _is_private(status):
            _replace(path)
            continue
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags)
        try:
            found = os.read(descriptor, SECRET_BYTES + 1)
        finally:
            os.close(descriptor)
        if len(found) == SECRET_BYTES:
            _read[place] = found
            return found
        time.sleep(PAUSE_SECONDS)  # another process is writing it and could not do so atomically
    raise OSError(0, f"{path} does not contain a secret: remove it")


def _is_private(status: os.stat_result) -> bool:
    """Whether nobody else can read, write or exchange the file."""
    if not stat.S_ISREG(status.st_mode):
        return False
    return os.name != "posix" or (status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077)


def _make(path: Path) -> None:
    """Writes it as a whole or not at all, and never over one that another process has made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _written(path)
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            try:
                os.write(descriptor, temporary.read_bytes())
            finally:
                os.close(descriptor)
    finally:
        temporary.unlink(missing_ok=True)


def _replace(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        raise OSError(0, f"{path} is a folder: remove it")
    os.replace(_written(path), path)


def _written(path: Path) -> Path:
    temporary = path.with_name(f"{path.name}.{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o600)
    try:
        os.write(descriptor, os.urandom(SECRET_BYTES))
        os.fsync(descriptor)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return temporary
