"""The only access to files that somebody else may have prepared: the contents of a repository, and whatever exists
where we write.

In: names and paths from users, agents, git or an index. Out: paths below a root, bytes of regular files, new files,
refusals. Absent on purpose: what the files contain, and when they are read or written.

Invariants: a name below a root never leads outside it, even if a part of it becomes a symlink meanwhile; no read blocks
on a pipe or a device; only regular files of the user who runs this are created, replaced or removed.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import unicodedata
from io import BufferedRandom, BufferedReader
from pathlib import Path
from typing import Final

from rpg.errors import EncodeFailed, Forbidden, InvalidPath

_PLAIN: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_READ: Final = os.O_RDONLY | _PLAIN | getattr(os, "O_NONBLOCK", 0)
_FOLDER: Final = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_CREATE: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | _PLAIN | _NO_LINK
_WALKS: Final = os.open in os.supports_dir_fd and bool(_NO_LINK)
"""Whether a folder can be held by its descriptor, so that nobody can exchange a part of its path meanwhile."""

_ON_WINDOWS: Final = sys.platform == "win32"
_DRIVE: Final = re.compile(r"[A-Za-z]:" if _ON_WINDOWS else r"[A-Za-z]:(?:[/\\]|$)")
_DOUBTFUL: Final = re.compile(
    r"(?:^|/)(?:/|$|\.\.?(?:/|$)|\.git|git~)|[\0\\]|^.:|[. ](?:/|$)|[^\x00-\x7f]", re.IGNORECASE
)
"""Names that match are checked closely; most do not."""
_IGNORED: Final = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF], ""
)  # fmt: skip
"""Code points that HFS+ ignores when it compares names."""


# Names


def problem_with_name(name: str) -> str:
    """Why a '/'-separated name is not acceptable as a file of a repository; '' if it is.

    Git refuses such names on checkout too, but an index, a tree or an archive may still contain them.
    """
    if name and _DOUBTFUL.search(name) is None:
        return ""
    if "\0" in name:
        return "holds a NUL character"
    if name.startswith("/") or _DRIVE.match(name):
        return "is absolute"
    if _ON_WINDOWS and "\\" in name:
        return "holds a backslash"
    for part in name.split("/"):
        if not part:
            return "has an empty part"
        if part == "." or (_ON_WINDOWS and part != ".." and not part.strip(". ")):
            return "has the part '.'"
        if part == ".." or (_ON_WINDOWS and part.rstrip(". ") == ".."):
            return "climbs with '..'"
        if is_git_folder(part):
            return "lies in git's own folder"
    return ""


def is_git_folder(part: str) -> bool:
    """Whether some file system reads this part of a path as `.git`: NTFS ignores trailing blanks, dots and streams and
    knows it as `git~1`, HFS+ ignores invisible characters."""
    folded = part.translate(_IGNORED).casefold().partition(":")[0].partition("\\")[0].rstrip(". ")
    return folded in (".git", "git~1")


def real_folder(root: Path) -> Path:
    """The real path of a folder. InvalidPath if there is none."""
    try:
        real = root.resolve()
        if real.is_dir():
            return real
    except (OSError, RuntimeError, ValueError):
        pass
    raise InvalidPath(f"no such folder: {str(root)[:200]}; give the path of a cloned repository")


def resolve_inside(root: Path, path: str) -> Path:
    """The real path of `path`, which a user or an agent gave relative to `root`.

    Forbidden for a path that is absolute, climbs out, contains a NUL, leaves the root through a symlink or leads into
    the repository's `.git`; InvalidPath if it does not exist. A symlink that stays inside is followed.
    """
    shown = repr(path if len(path) <= 200 else path[:200] + "...")
    parts = re.split(r"[/\\]", path)
    if "\0" in path:
        raise Forbidden("a path cannot contain a NUL character")
    if path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:" if _ON_WINDOWS else r"[A-Za-z]:[/\\]", path):
        raise Forbidden(f"{shown} is absolute; give a path relative to the repository's root")
    if ".." in parts:
        raise Forbidden(f"{shown} climbs with '..'; give a path relative to the repository's root")
    top = real_folder(root)
    for spelling in dict.fromkeys((path, unicodedata.normalize("NFC", path), unicodedata.normalize("NFD", path))):
        try:
            real = (top / spelling).resolve()
            there = real.exists()
        except (OSError, RuntimeError, ValueError):  # a loop, a name that is too long, a lone surrogate
            continue
        if not real.is_relative_to(top):
            raise Forbidden(f"{shown} leads out of the repository through a symlink")
        if any(map(is_git_folder, real.relative_to(top).parts)):
            raise Forbidden(f"{shown} lies in git's own folder, which is not served")
        if there:
            return real
    raise InvalidPath(f"no such path in the repository: {shown}; paths are relative to its root, as search shows them")


# Reading


def read_below(root: str | Path, name: str, limit: int) -> bytes:
    """The bytes of a regular file below `root`; `name` is '/'-separated, as git or a walk returns it.

    No part of the name is followed if it is a symlink. OSError: EPERM for an unacceptable name, ELOOP or ENOTDIR for a
    symlink, EINVAL for anything but a regular file, EFBIG for more than `limit` bytes.
    """
    if fault := problem_with_name(name):
        raise PermissionError(errno.EPERM, fault, name)
    descriptor = _open_step_by_step(root, name) if _WALKS else _open_compared(root, name)
    try:
        return _content(descriptor, name, limit)
    finally:
        os.close(descriptor)


def read_inside(root: Path, path: str, limit: int) -> bytes:
    """The bytes of a regular file that a user or an agent named: `inside`, then `read_below`."""
    top = real_folder(root)
    return read_below(top, resolve_inside(top, path).relative_to(top).as_posix(), limit)


def read_file(path: str | Path, limit: int) -> bytes:
    """The bytes of a regular file at a path that rpg built. OSError as in `read_below`; the last part may be a link."""
    descriptor = os.open(path, _READ)
    try:
        return _content(descriptor, os.fspath(path), limit)
    finally:
        os.close(descriptor)


def open_file(path: str | Path) -> BufferedReader:
    """Opens for reading a regular file that the user named, such as a graph. OSError; EINVAL for a pipe, device or
    folder."""
    descriptor = os.open(path, _READ)
    try:
        _refuse_irregular(os.fstat(descriptor), os.fspath(path))
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def open_own_file(path: Path) -> BufferedReader:
    """Opens for reading a file that rpg wrote. EncodeFailed for a link, or what belongs to another user or is no file;
    OSError as `opened`."""
    refuse_foreign(path)
    descriptor = os.open(path, _READ | _NO_LINK)
    try:
        status = os.fstat(descriptor)
        if what := problem_with_file(status):
            raise EncodeFailed(f"{path} {what}: remove it")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _open_step_by_step(root: str | Path, name: str) -> int:
    parts = name.split("/")
    at = os.open(root, _FOLDER)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER | _NO_LINK, dir_fd=at)
            os.close(at)
            at = below
        return os.open(parts[-1], _READ | _NO_LINK, dir_fd=at)
    finally:
        os.close(at)


def _open_compared(root: str | Path, name: str) -> int:
    """For systems without folder descriptors: the resolved path must be the one that was given."""
    top = os.path.realpath(root)
    plain = os.path.join(top, *name.split("/"))
    if os.path.normcase(os.path.realpath(plain)) != os.path.normcase(plain):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
    return os.open(plain, _READ | _NO_LINK)


def _content(descriptor: int, name: str, limit: int) -> bytes:
    status = os.fstat(descriptor)
    _refuse_irregular(status, name)
    if status.st_size > limit:
        raise OSError(errno.EFBIG, "larger than it may be", name)
    found = os.read(descriptor, status.st_size + 1)
    if len(found) <= status.st_size and not os.read(descriptor, 1):
        return found
    # It grew while it was read, or arrived in pieces.
    with open(os.dup(descriptor), "rb") as file:
        file.seek(0)
        found = file.read(limit + 1)
    if len(found) > limit:
        raise OSError(errno.EFBIG, "has grown while it was read", name)
    return found


def _refuse_irregular(status: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", name)


# Writing


def resolve_folder(path: Path) -> Path:
    """`path` in the real path of its folder, for callers that refuse every symlink: links in the folder's path are the
    user's own."""
    return path.parent.resolve() / path.name


def create(path: Path) -> BufferedRandom:
    """A new file, open for reading and writing. FileExistsError if the name exists, even as a dangling symlink."""
    return open(os.open(path, _CREATE, 0o666), "w+b")


def refuse_foreign(path: Path) -> None:
    """EncodeFailed unless `path` can be created, or replaced as a regular file of the user who runs this."""
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return
    if what := problem_with_file(status):
        raise EncodeFailed(f"{path} {what}, and nothing was written: remove it, or choose another place with -o")


def problem_with_file(status: os.stat_result) -> str:
    """Why this file, by its `lstat`, may not be replaced or removed; '' if it may."""
    if stat.S_ISLNK(status.st_mode):
        return "is a symlink"
    if stat.S_ISDIR(status.st_mode):
        return "is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file"
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        return "belongs to another user"
    return ""


def replace(staged: Path, path: Path) -> None:
    """Moves `staged` to `path`, which must be free or a regular file of ours. EncodeFailed for anything else."""
    refuse_foreign(path)
    os.replace(staged, path)


def open_own(path: Path, what_it_may_hold: re.Pattern[bytes], create: bool = True) -> int:
    """The descriptor of a small file of ours that is written in place; created if missing, or FileNotFoundError.
    EncodeFailed for anything
    else, as a file with another name or content could be lost."""
    refuse_foreign(path)
    flags = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | _PLAIN | _NO_LINK
    descriptor = os.open(path, flags | (os.O_CREAT if create else 0), 0o644)
    try:
        status = os.fstat(descriptor)
        what = problem_with_file(status) or ("has another name too" if status.st_nlink > 1 else "")
        if not what and what_it_may_hold.fullmatch(os.read(descriptor, 100)) is None:
            what = "holds data that rpg did not write"
        if what:
            raise EncodeFailed(f"{path} {what}, and nothing was written: remove it, or choose another place with -o")
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor
    except BaseException:
        os.close(descriptor)
        raise


def remove(path: Path) -> bool:
    """Removes a regular file of ours; whether there was one. EncodeFailed for anything else."""
    refuse_foreign(path)
    try:
        os.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
