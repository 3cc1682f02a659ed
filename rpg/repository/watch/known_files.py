"""What an index knows about its files, as far as checking for changes needs it.

In: an index. Out: `KnownFile` by path.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from rpg.stores.index.index import Index
from rpg.stores.index.reader import each_stamp, find_stamp
from rpg.stores.index.row_update import replace_stamps
from rpg.system.filesystem import problem_with_name
from rpg.system.stamp import Stamp, is_young


class KnownFile(NamedTuple):
    """A file as it was when the index was made, or was last found unchanged."""

    disk: str
    hash: str
    stamp: Stamp | None
    """None: it was never opened (a file skipped by name or size, or a folder)."""
    young: bool
    """Whether it was changed so shortly before it was read that its stamp proves nothing."""
    skipped: str
    """Why it was skipped; empty for a file that was read, even if it was skipped when it was parsed."""


Seen = tuple[Stamp, int]
"""The stamp of a file that has the old contents, and a time before they were read."""


def read_known_files(index: Index, header: Mapping[str, Any]) -> dict[str, KnownFile]:
    """By path, also as spelled on disk."""
    read = {known.disk: known for known in map(_read_known, each_stamp(index))}
    unread = orjson.loads(index.meta("unread") or "{}")
    return {each["path"]: _skip(each["path"], each["reason"], unread) for each in header["skipped"]} | read


def read_known_file(index: Index, path: str) -> KnownFile:
    return _read_known(find_stamp(index, path))


def _skip(path: str, reason: str, unread: Mapping[str, list[int]]) -> KnownFile:
    """An unacceptable name, which cannot exist on disk."""
    disk = "" if problem_with_name(path.removesuffix("/")) else path
    if not disk or path not in unread:
        return KnownFile(disk, "", None, False, reason)
    size, mtime_ns, ctime_ns, inode, seen_ns = unread[path]
    stamp = size, mtime_ns, ctime_ns, inode
    return KnownFile(disk, "", stamp, is_young(stamp, seen_ns), reason)


def note(index: Index, touched: Mapping[str, Seen]) -> None:
    """Records new stamps of files with the old contents, so that they need not be read again."""
    with index.transaction():
        replace_stamps(index, ((*stamp, seen_ns, path) for path, (stamp, seen_ns) in touched.items()))
        unread = orjson.loads(index.meta("unread") or "{}")
        if not unread.keys().isdisjoint(touched):
            unread |= {path: (*stamp, seen_ns) for path, (stamp, seen_ns) in touched.items() if path in unread}
            index.replace_meta("unread", orjson.dumps(unread).decode())


def _read_known(row: tuple[Any, ...]) -> KnownFile:
    path, hash, size, mtime_ns, ctime_ns, inode, indexed_ns = row
    stamp = size, mtime_ns, ctime_ns, inode
    # Interned, as other caches have the same paths.
    return KnownFile(sys.intern(path), hash, stamp, is_young(stamp, indexed_ns), "")
