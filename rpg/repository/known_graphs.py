"""Which graphs this user has made, of which folders, and which of them are of the same repository as a folder.

In: folders and paths of graph files. Out: graphs of the same repository, the one that differs least first; where git
knows of none, graphs of folders of which this one is a copy. Each graph is recorded in a small file of its own in the
data folder when it is made; those that are gone are dropped. What is recorded only says where to look: nothing of
another folder is in a graph before its files have been compared.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import orjson

from rpg.errors import GraphNotLoaded, RpgError
from rpg.repository.identity import read_recorded_repository
from rpg.repository.locations import index_path
from rpg.stores import atomic
from rpg.stores.graph_file import graph_file
from rpg.stores.index.index import Index
from rpg.stores.index.reader import list_hashed_files
from rpg.stores.installation import data_folder
from rpg.system import filesystem

RECORDED = "known-graphs"
NAME = re.compile(r"[0-9a-f]{24}\.json")
LARGEST_RECORD = 20_000
MOST_RECORDED = 200
"""More are forgotten, those that were made longest ago first."""
MOST_ASKED = 8
"""How many graphs git is asked about: work trees of the same clone first, then those that name the same remote."""
MOST_DIFFERENT = 2_000
"""A graph of a commit in which more files differ saves nothing."""
FEWEST_COPIED = 100
"""Copies of fewer files are not looked for: they are encoded as soon."""


class KnownGraph(NamedTuple):
    graph: Path
    root: Path
    commit: str
    url: str
    is_dirty: bool
    """As in the graph's header."""


def note(root: Path, graph_path: Path) -> None:
    """Records a graph that was made of a folder; nothing if that cannot be written."""
    place = _record_of(graph_path)
    with suppress(OSError, RpgError, ValueError):  # a name that is not text
        _make_private(place.parent)
        content = orjson.dumps([str(graph_path), str(root)])
        if _read(place) == content:
            os.utime(place)
            return
        atomic.write(place, [content])


def relatives(root: Path, graph_path: Path) -> list[KnownGraph]:
    """Graphs of other work trees or clones of the repository around a folder, the one whose commit differs least first.

    It has the other's commit, as all work trees of a clone have; or the other has this one's, and both name the same
    remote. Without such a one it has every file of the other, byte for byte, as a copy has, or an unpacked archive.
    Whoever wrote a repository can claim none of these for one that he does not have.
    """
    known = [each for each in _read_records() if each.graph != graph_path]
    if not known:
        return []
    return _of_same_history(root, [each for each in known if each.commit]) or _find_copied(root, known)


def _of_same_history(root: Path, known: list[KnownGraph]) -> list[KnownGraph]:
    from rpg.encoder.source_files import git
    from rpg.encoder.source_files.remotes import remote_url

    found: list[tuple[int, bool, KnownGraph]] = []
    if not known:
        return []
    try:
        commit, url = git.head(root), remote_url(root)
        of_tree = _text_of_work_tree(root)
        known.sort(key=lambda each: (str(each.root) not in of_tree, not url or each.url != url))
        for each in known[:MOST_ASKED] if commit else ():
            differing = 0 if each.commit == commit else _count_differing(root, each.commit, commit)
            if differing is None and each.url and each.url == url:
                differing = _count_differing(each.root, each.commit, commit)
            if differing is not None and differing <= MOST_DIFFERENT:
                found.append((differing, each.is_dirty, each))
    except git.GitFailed:
        return []
    return [each for *_, each in sorted(found, key=lambda entry: entry[:2])]


def _find_copied(root: Path, known: list[KnownGraph]) -> list[KnownGraph]:
    """The first graph all of whose files are in the folder."""
    for each in known:
        with suppress(GraphNotLoaded):
            if _has_all_files(root, each):
                return [each]
    return []


def _has_all_files(root: Path, known: KnownGraph) -> bool:
    from rpg.encoder.hashes import content_hash
    from rpg.encoder.source_files.listing import read_unlisted

    index = Index.open_read_only(index_path(known.graph))
    try:
        # By hash: in another repository, one of the first files differs.
        files = list_hashed_files(index)
    finally:
        index.close()
    return len(files) >= FEWEST_COPIED and all(
        content_hash(read_unlisted(root, path, size)) == hash for path, hash, size in files
    )


def has_relatives(root: Path, graph_path: Path) -> bool:
    return bool(relatives(root, graph_path))


def forget(graph_path: Path) -> None:
    with suppress(OSError, RpgError):
        filesystem.remove(_record_of(graph_path))


def _count_differing(root: Path, one: str, other: str) -> int | None:
    """How many files differ between two commits; None if the repository does not have both."""
    from rpg.encoder.source_files import git

    try:
        return len(git.changes(root, one, other))
    except (git.GitFailed, OSError):
        return None


def _text_of_work_tree(root: Path) -> str:
    """What the `.git` of a work tree says, which names the folder of its clone: only decides who is asked first."""
    try:
        return filesystem.read_file(root / ".git", LARGEST_RECORD).decode("utf-8", "replace")
    except OSError:
        return ""


def _read_records() -> list[KnownGraph]:
    """The last ones first. Records of graphs that are gone, and those that are too many, are removed."""
    found: list[KnownGraph] = []
    with suppress(OSError):
        places = [place for place in (data_folder() / RECORDED).iterdir() if NAME.fullmatch(place.name)]
        places.sort(key=lambda place: -place.lstat().st_mtime_ns)
        for number, place in enumerate(places):
            with suppress(OSError, RpgError, ValueError, TypeError):
                if number >= MOST_RECORDED:
                    filesystem.remove(place)
                    continue
                graph, root = map(str, orjson.loads(_read(place)))
                if _record_of(Path(graph)) != place:
                    continue
                header = graph_file.header_of(Path(graph))
                if header is None or not index_path(Path(graph)).exists() or not Path(root).is_dir():
                    filesystem.remove(place)
                    continue
                of = read_recorded_repository(header)
                url, is_dirty = str(of.get("url", "")), bool(of.get("dirty"))
                found.append(KnownGraph(Path(graph), Path(root), graph_file.commit_of(header), url, is_dirty))
    return found


def _make_private(folder: Path) -> None:
    """What this user works on is for nobody else to list."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)


def _record_of(graph_path: Path) -> Path:
    key = hashlib.blake2b(os.fsencode(graph_path.absolute()), digest_size=12).hexdigest()
    return data_folder() / RECORDED / f"{key}.json"


def _read(place: Path) -> bytes:
    try:
        with filesystem.open_own_file(place) as file:
            return file.read(LARGEST_RECORD)
    except FileNotFoundError:
        return b""
