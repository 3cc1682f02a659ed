"""What files contained at a revision, where that differs from the work tree, and what they contain where the index does
not know it yet.

In: the repository's folder, a revision or paths, the saved state of the work tree. Out: by path, the facts and the
source then; None for a file that was not there. Files are parsed in worker processes, as for an encode.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.frameworks import may_set
from rpg.encoder.hashes import content_hash
from rpg.encoder.languages import find_language
from rpg.encoder.options import Options
from rpg.encoder.resolve import Contents
from rpg.encoder.source_files import git
from rpg.encoder.source_files.contents import is_named_only
from rpg.repository import LastResolution

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST_NAMED = 100
"""The most files of a commit that are asked for by name: git reads the whole tree for more."""
MOST_FILES = 400
"""The most old versions that are parsed."""
MOST_BYTES = 1 << 20
"""Larger ones are not."""
MOST_UNENCODED = 8
"""The most changed files that are read before they are encoded."""
_MOST_KEPT = 32
"""How many parsed versions are kept for the next question, which is often about the same files."""
_kept: dict[tuple[str, str, bool], Contents] = {}
"""By path, hash of the contents, and whether secrets are masked."""


class Revision(NamedTuple):
    contents: dict[str, Contents | None]
    others: list[str]
    """Changed files that are not code."""
    left_out: int
    """Changed files of code that were not read."""
    settings: dict[str, Contents | None]
    """Of the changed files that are not code, those that may set variables or keys."""


def read_revision(root: Path, revision: str, last: LastResolution, masks: bool, came: Container[str] = ()) -> Revision:
    """`came`: files that the saved state may not know yet. BAD_REQUEST if there is no such revision."""
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
        elif change.path in last.languages or change.path in came:
            contents[change.path] = None
    left_out = 0
    settings: dict[str, Contents | None] = {}
    if wanted or set_there:
        paths = sorted(wanted | set_there)
        tree = git.tree(root, commit, paths if len(paths) <= MOST_NAMED else ())
        tree = [blob for blob in tree if 0 <= blob.size <= MOST_BYTES and not is_named_only(blob.path)]
        blobs = [blob for blob in tree if blob.path in wanted][:MOST_FILES]
        left_out = len(wanted) - len(blobs)
        blobs += [blob for blob in tree if blob.path in set_there][:MOST_FILES]
        read = git.contents(root, [(blob.object_id, blob.size) for blob in blobs])
        by_name = [path for path in sorted(set_there) if is_named_only(path)][:MOST_FILES]
        texts = [*read, *[b""] * len(by_name)]
        parsed = _parsed([*(blob.path for blob in blobs), *by_name], texts, masks)
        contents |= {path: each for path, each in parsed.items() if path in wanted}
        settings |= {path: each for path, each in parsed.items() if path in set_there}
    return Revision(contents, others, left_out, settings)


def read_unencoded(
    root: Path, paths: tuple[str, ...], index: Index, options: Options
) -> dict[str, Contents | None] | None:
    """What changed files contain that the index does not know yet. None if that is not enough to judge them: there are
    too many, or one says what others mean."""
    from rpg.encoder.source_files.listing import Entry, Skipped, read
    from rpg.system.stamp import stamp_of

    if len(paths) > MOST_UNENCODED:
        return None
    if not paths:
        return {}
    last = LastResolution(root, index)
    if not last.consulted.isdisjoint(paths):
        return None
    texts: dict[str, bytes] = {}
    found: dict[str, Contents | None] = {}
    for path in paths:
        if not find_language(path).refers or path in last.texts or path in last.skipped:
            return None
        try:
            status = os.lstat(root / path)
        except OSError:
            found[path] = None
            continue
        data = read(root, Entry(path, status.st_size, stamp_of(status), path))
        if isinstance(data, Skipped):
            return None
        texts[path] = data
    parsed = _parsed(list(texts), list(texts.values()), options.mask_secrets)
    found |= parsed
    is_same = all(last.languages.get(path, each.facts.language) == each.facts.language for path, each in parsed.items())
    return found if is_same and parsed.keys() == texts.keys() else None


def _parsed(paths: Iterable[str], texts: Iterable[bytes | None], masks: bool) -> dict[str, Contents]:
    wanted = {
        (path, content_hash(text), masks): (path, text)
        for path, text in zip(paths, texts, strict=True)
        if text is not None
    }
    found = {key: _kept[key] for key in wanted if key in _kept}
    anew = [each for key, each in wanted.items() if key not in found]
    parsed = _parse(anew, masks) if anew else {}
    found |= {key: parsed[key[0]] for key in wanted if key[0] in parsed}
    if len(found) <= _MOST_KEPT:
        for key, each in found.items():
            _kept.pop(key, None)
            _kept[key] = each
        for key in list(_kept)[:-_MOST_KEPT]:
            _kept.pop(key, None)
    return {key[0]: found[key] for key in wanted if key in found}


def _parse(versions: Iterable[tuple[str, bytes]], masks: bool) -> dict[str, Contents]:
    # Nothing but this needs a parser in a server.
    from rpg.encoder.parsing.packing import unpack
    from rpg.encoder.parsing.worker_pool import EncodedFile, parse_all
    from rpg.encoder.source_files.contents import normalise
    from rpg.encoder.source_files.selection import Entry
    from rpg.system.compression import decompress
    from rpg.system.stamp import NO_STAMP

    files = [(Entry(path, len(text), NO_STAMP, path), normalise(text)) for path, text in versions]
    return {
        file.path: Contents(unpack(decompress(file.facts)), decompress(file.source))
        for file in parse_all(files, masks, 0)
        if isinstance(file, EncodedFile) and file.facts
    }
