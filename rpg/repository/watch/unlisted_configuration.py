"""Files that are in no graph but influence it: configuration (compiler paths, package names) that the options of an
encode exclude, or that ignore rules exclude outside git.

In: files that an encode read although they were not listed. Out: those that have changed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

Seen = tuple[int, int, int] | None
"""Size, modification time and status-change time; None if the file does not exist."""


class Beside:
    def __init__(self, root: Path, hashes: Mapping[str, str]) -> None:
        """`hashes` by path; empty for a file that did not exist."""
        self._root = root
        self._hashes = hashes
        self._seen: dict[str, Seen] = {}
        self._changed: set[str] = set()

    def changed(self) -> list[str]:
        for path in self._hashes:
            seen = _status(self._root, path)
            if path not in self._seen or self._seen[path] != seen:
                self._seen[path] = seen
                self._judge(path)
        return sorted(self._changed)

    def _judge(self, path: str) -> None:
        from rpg.encoder.hashes import content_hash
        from rpg.encoder.source_files.listing import read_beside

        data = read_beside(self._root, path)
        if (content_hash(data) if data else "") == self._hashes[path]:
            self._changed.discard(path)
        else:
            self._changed.add(path)


def _status(root: Path, path: str) -> Seen:
    try:
        status = os.lstat(os.path.join(root, path))
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns
