"""What an index knows of the files that it was made of, as far as a look for changes needs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rpg.filesystem import fault_of_name
from rpg.repository.marks import is_young
from rpg.stores.index import Index

COLUMNS = "path, hash, size, mtime_ns, indexed_ns"


class Known(NamedTuple):
    """A file as it was when the index was made, or was last found to be the same."""

    disk: str
    hash: str
    size: int
    mtime_ns: int
    """0: not known, as nothing was read (a file that was skipped)."""
    young: bool
    """Whether it was written so shortly before it was read that its time proves nothing."""
    skipped: str
    """Why; empty for a file that was read."""


def known_files(index: Index, header: Mapping[str, Any]) -> dict[str, Known]:
    """By path, spelled on disk likewise."""
    read = {row[0]: _known(row) for row in index.rows(f"SELECT {COLUMNS} FROM files")}
    return read | {each["path"]: _skipped(each["path"], each["reason"]) for each in header["skipped"]}


def known_file(index: Index, path: str) -> Known:
    return _known(index.rows(f"SELECT {COLUMNS} FROM files WHERE path = ?", (path,))[0])


def _skipped(path: str, reason: str) -> Known:
    """A name that stands for no file of the repository is nowhere on disk."""
    return Known("" if fault_of_name(path.removesuffix("/")) else path, "", 0, 0, False, reason)


def _known(row: tuple[Any, ...]) -> Known:
    path, hash, size, mtime_ns, indexed_ns = row
    return Known(path, hash, size, mtime_ns, is_young(mtime_ns, indexed_ns), "")
