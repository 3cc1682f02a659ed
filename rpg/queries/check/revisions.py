"""What files contained at a revision, where that differs from the work tree.

In: the repository's folder, a revision, the saved state of the work tree. Out: by path, the facts and the source then;
None for a file that was not there. Old versions are parsed in worker processes, as for an encode.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rpg.encoder.frameworks import may_set
from rpg.encoder.languages import find_language
from rpg.encoder.resolve import Contents
from rpg.encoder.source_files import git
from rpg.repository import LastResolution

MOST_FILES = 400
"""The most old versions that are parsed."""
MOST_BYTES = 1 << 20
"""Larger ones are not."""


class Revision(NamedTuple):
    contents: dict[str, Contents | None]
    others: list[str]
    """Changed files that are not code."""
    left_out: int
    """Changed files of code that were not read."""
    settings: dict[str, Contents | None]
    """Of the changed files that are not code, those that may set variables or keys."""


def read_revision(root: Path, revision: str, last: LastResolution, masks: bool) -> Revision:
    """BAD_REQUEST if there is no such revision."""
    commit = git.commit_of(root, revision)
    contents: dict[str, Contents | None] = {}
    wanted: set[str] = set()
    set_there: set[str] = set()
    others: list[str] = []
    for change in git.changes(root, commit):
        if not find_language(change.path).refers:
            others.append(change.path)
            if change.status != "added" and may_set(change.path):
                set_there.add(change.path)
        elif change.status != "added":
            wanted.add(change.path)
        elif change.path in last.languages:
            contents[change.path] = None
    left_out = 0
    settings: dict[str, Contents | None] = {}
    if wanted or set_there:
        tree = [blob for blob in git.tree(root, commit) if 0 <= blob.size <= MOST_BYTES]
        blobs = [blob for blob in tree if blob.path in wanted][:MOST_FILES]
        left_out = len(wanted) - len(blobs)
        blobs += [blob for blob in tree if blob.path in set_there][:MOST_FILES]
        read = git.contents(root, [(blob.object_id, blob.size) for blob in blobs])
        parsed = _parsed([blob.path for blob in blobs], list(read), masks)
        contents |= {path: each for path, each in parsed.items() if path in wanted}
        settings |= {path: each for path, each in parsed.items() if path in set_there}
    return Revision(contents, others, left_out, settings)


def _parsed(paths: list[str], texts: list[bytes | None], masks: bool) -> dict[str, Contents]:
    # Nothing but this needs a parser in a server.
    from rpg.encoder.parsing.packing import unpack
    from rpg.encoder.parsing.worker_pool import EncodedFile, parse_all
    from rpg.encoder.source_files.contents import normalise
    from rpg.encoder.source_files.selection import Entry
    from rpg.system.compression import decompress
    from rpg.system.stamp import NO_STAMP

    files = [
        (Entry(path, len(text), NO_STAMP, path), normalise(text))
        for path, text in zip(paths, texts, strict=True)
        if text is not None
    ]
    return {
        file.path: Contents(unpack(decompress(file.facts)), decompress(file.source))
        for file in parse_all(files, masks, 0)
        if isinstance(file, EncodedFile) and file.facts
    }
