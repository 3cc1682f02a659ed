"""How often a name stands in files that the graph leaves out: lock files, vendored trees, minified and broken files.

In: the records of such files, and the repository's folder. Out: a number, and the files among them that may be code of
the repository. Only text files that git tracks are counted, as `git grep -I` does; without the folder none are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rpg.encoder.source_files.contents import BINARY
from rpg.encoder.source_files.listing import find_left_out
from rpg.encoder.source_files.selection import LINK, LINK_BROKEN, LINK_LOOP, LINK_OUT, NO_CODE, SUBMODULE
from rpg.queries.account.occurrences import count_occurrences
from rpg.queries.graph.memo import memoize
from rpg.queries.usages.excluded import find_excluded
from rpg.queries.usages.unread import unread_files
from rpg.system import deadline
from rpg.system.filesystem import read_below

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

LARGEST: Final = 64 << 20
"""The most bytes of a file that is read; a larger one is named as not read, however often it has the name."""
MOST_KEPT: Final = 8 << 20
"""The most bytes of such files that are kept in memory; beyond, they are read for each account."""
_HEAD: Final = 8_000
"""Git takes a file for binary if one of its first bytes is NUL."""
_NO_FILE: Final = frozenset((LINK, LINK_BROKEN, LINK_LOOP, LINK_OUT, SUBMODULE))


_MAY_BE_TEXT: Final = (".pdf",)
"""Binary files that git may take for text."""


class LeftOut(NamedTuple):
    path: str
    is_code: bool
    """Whether it may be code of the repository, and was left out because of its state."""


@dataclass(frozen=True)
class Unread:
    places: int = 0
    files: tuple[str, ...] = ()
    """Those that may be code of the repository and have the name, or could not be read now either."""
    excluded: int = 0
    """How many files of code have the name and are left out by options."""


class Texts:
    """The texts of files that were left out, as far as there is room for them."""

    def __init__(self, folder: Path, files: list[LeftOut]) -> None:
        self._folder = folder
        self.files = files
        self._kept: dict[str, bytes] = {}
        self._room = MOST_KEPT

    def read(self, path: str) -> bytes | None:
        """Empty for a binary file; None for one that cannot be read, or whose record is not its name."""
        text = self._kept.get(path)
        if text is not None:
            return text
        try:
            text = read_below(self._folder, path, LARGEST)
        except OSError:
            return None
        if b"\0" in text[:_HEAD]:
            text = b""
        if len(text) <= self._room:
            self._room -= len(text)
            self._kept[path] = text
        return text


def count_unread(
    index: Index, header: Mapping[str, Any], folder: Path | None, node: Node, covers: Callable[[str], bool]
) -> Unread:
    """For a name of one symbol. The texts are kept until the index changes."""
    suspects = {path for path, _ in unread_files(index, header, node.language)}
    if folder is None:
        return Unread(0, tuple(sorted(path for path in suspects if covers(path))))
    texts = memoize(index, "texts that were left out", lambda: Texts(folder, find_files(header, folder)))
    word = node.name.encode()
    places, files = 0, []
    for path, is_code in texts.files:
        if not covers(path):
            continue
        deadline.check()
        text = texts.read(path)
        found = count_occurrences(text, word) if text else 0
        places += found
        if is_code and path in suspects and (found or text is None):
            files.append(path)
    # Names that no place can have, and folders that could not be entered: nothing of them can be read.
    readable = {each.path for each in texts.files if each.is_code}
    files += sorted(path for path in suspects - readable if covers(path))
    excluded = 0
    for path in find_excluded(index, header, folder, node.language).paths:
        deadline.check()
        text = texts.read(path) if covers(path) else b""
        excluded += text is None or bool(count_occurrences(text, word))
    return Unread(places, tuple(files), excluded)


def find_files(header: Mapping[str, Any], folder: Path) -> list[LeftOut]:
    """What a header says that it left out, and that belongs to the repository. A graph may come from somebody else, and
    name files that are nobody's business."""
    found, trees = [], []
    for each in header.get("skipped", ()):
        path, reason = str(each["path"]), str(each["reason"])
        if reason in _NO_FILE or (reason == BINARY and not path.endswith(("/", *_MAY_BE_TEXT))):
            continue
        if path.endswith("/"):
            trees.append(path)
        else:
            found.append(LeftOut(path, reason not in NO_CODE and reason != BINARY))
    if not found and not trees:
        return []
    known, in_trees = find_left_out(folder, [each.path for each in found], trees)
    return sorted([each for each in found if each.path in known] + [LeftOut(path, False) for path in in_trees])
