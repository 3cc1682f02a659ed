"""Files that have another path than at a git revision, and mostly the same lines.

In: the repository's folder, its index, a commit; or texts by path. Out: pairs of paths, with the lines of the new file
that the old one had not. Git is not asked for them, as it knows no file that is not added yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.source_files import git

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST_RENAMED = 200
"""The most files on either side; of more, only those of the same contents are found."""
_MOST_BYTES = 1 << 20
_LEAST_COMMON = 0.5
"""The share of lines in common from which on a file is another one renamed, as for git."""

Spans = list[tuple[int, int]]


class Rename(NamedTuple):
    old: str
    new: str
    changed: Spans
    """First and last lines in the new file that the old one had not."""


def renames(index: Index, root: Path, commit: str) -> dict[str, Rename]:
    """By the old path."""
    changes = git.changes(root, commit)
    gone = {each.path for each in changes if each.status == "deleted"}
    added = [each.path for each in changes if each.status == "added"] if gone else []
    if not added:
        return {}
    blobs = [each for each in git.tree(root, commit) if each.path in gone and 0 < each.size <= _MOST_BYTES]
    texts = git.contents(root, [(each.object_id, each.size) for each in blobs])
    old = {each.path: text for each, text in zip(blobs, texts, strict=True) if text is not None}
    new = {path: source for path in added if (source := index.source(path))}
    return {
        path: Rename(path, other, _lines_without(new[other], Counter(_lines(old[path]))))
        for path, other in find_moved(old, new).items()
    }


def find_moved(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """Of files that are gone and files that came: those that are the same one, by the old path. Equal ones first, then
    those that have most lines in common."""
    found: dict[str, str] = {}
    by_contents: dict[bytes, list[str]] = {}
    for path, source in new.items():
        by_contents.setdefault(source, []).append(path)
    for path, text in old.items():
        same = by_contents.get(text)
        if same:
            found[path] = same.pop(0)
    taken = set(found.values())
    old_left = {path: text for path, text in old.items() if path not in found}
    new_left = {path: source for path, source in new.items() if path not in taken}
    if len(old_left) <= MOST_RENAMED and len(new_left) <= MOST_RENAMED:
        found |= _alike(old_left, new_left)
    return found


def _alike(old: dict[str, bytes], new: dict[str, bytes]) -> dict[str, str]:
    """The pairs that have most lines in common, the most alike ones first."""
    before, after = ({path: Counter(_lines(text)) for path, text in each.items()} for each in (old, new))
    pairs = []
    for path, lines in before.items():
        for other, others in after.items():
            share = 2 * (lines & others).total() / max(1, lines.total() + others.total())
            if share >= _LEAST_COMMON and path.rpartition(".")[2] == other.rpartition(".")[2]:
                pairs.append((-share, path, other))
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, path, other in sorted(pairs):
        if path not in found and other not in taken:
            taken.add(other)
            found[path] = other
    return found


def _lines(text: bytes) -> list[bytes]:
    return [line for line in map(bytes.strip, text.split(b"\n")) if line]


def _lines_without(text: bytes, known: Counter[bytes]) -> Spans:
    left = known.copy()
    spans: Spans = []
    for number, line in enumerate(map(bytes.strip, text.split(b"\n")), 1):
        if not line:
            continue
        if left[line] > 0:
            left[line] -= 1
        elif spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return spans
