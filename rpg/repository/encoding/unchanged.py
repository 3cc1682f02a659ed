"""Whether an encode would write what already exists, found without reading the sources again.

In: a folder, a graph file, options. Out: a summary, or the changes. A graph that other code made never counts as
unchanged, so that work on the encoder shows its effect.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

import rpg
from rpg.errors import GraphNotLoaded
from rpg.repository.encoding.consistency import FITS, LATE, consistency_of, note_graph_file
from rpg.repository.encoding.saving import HEADER_ALONE
from rpg.repository.encoding.summary import Summary, summary_of_index
from rpg.repository.locations import index_path
from rpg.repository.watch.changes import Changes
from rpg.repository.watch.freshness import Watch
from rpg.repository.watch.known_files import note
from rpg.stores.index import stored_graph
from rpg.stores.index.index import BrokenIndex, Index, read_meta
from rpg.stores.index.reader import list_meta
from rpg.system.stamp import stamp_of

if TYPE_CHECKING:
    from rpg.encoder.options import Options
    from rpg.encoder.source_files.listing import Look

ROOMS = ("", "text", "system", "encoder", "stores", "models")
"""Folders of this package whose code determines what graph and index contain."""
NOTED = 32
"""At least this many files with new stamps are recorded in the index even if others changed."""
PARSERS = ("tree-sitter", "tree-sitter-language-pack")
"""A file that crashes one version may parse in another."""


@cache
def code() -> str:
    """A hash of the code that makes graphs and indexes, of the tables that it reads, and of the parsers' versions."""
    digest = hashlib.blake2b(rpg.__version__.encode(), digest_size=8)
    for parser in PARSERS:
        digest.update(version(parser).encode())
    top = Path(rpg.__file__).parent
    for room in ROOMS:
        for path in sorted((top / room).glob("**/*" if room else "*")):
            if path.suffix not in (".py", ".json", ".bin"):
                continue
            digest.update(path.relative_to(top).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def about_encode(root: Path, options: Options) -> dict[str, str]:
    """What an index records of the encode that made it."""
    from rpg.encoder.options import dump_options

    about = {
        "root": str(root),
        "options": orjson.dumps(dump_options(options)).decode(),
        "basis": "repository",
        "code": code(),
    }
    return about | ({"libraries": find_state(root, options)} if options.libraries else {})


def find_state(root: Path, options: Options) -> str:
    """Which libraries there are, and in what state."""
    from rpg.encoder.source_files import libraries

    return libraries.find_state(root, options)


def find_unchanged(watch: Watch, options: Options, index: Index, graph_path: Path) -> Summary | None:
    """What an encode would report if, by the status of every watched file, none differs; None if one does, or if the
    index was made otherwise."""
    started = time.perf_counter()
    meta: dict[str, str] = dict(list_meta(index))
    expected = about_encode(watch.root, options)
    if "behind" in meta or any(meta.get(key) != value for key, value in expected.items()):
        return None
    watch.look_again()
    if watch.changes() != Changes():
        return None
    return summary_of_index(watch.root, graph_path, index.path, started)


def changes_since(
    root: Path, graph_path: Path, metadata: Mapping[str, str], edited: Iterable[str] = ()
) -> tuple[Changes, Look] | tuple[None, None]:
    """What changed in the files since graph file and index were made, and the scan of the folder that showed it; None
    if the two do not belong together, or disagree with `metadata`.

    Files in `edited` are read whatever their stamps. The caller holds `writing`: new stamps of unchanged files, and of
    the graph file, are recorded.
    """
    from rpg.encoder.options import parse_options

    try:
        meta = read_meta(index_path(graph_path))
        if any(meta.get(key) != value for key, value in metadata.items()) or not graph_path.exists():
            return None, None
        seen_ns, stamp = time.time_ns(), stamp_of(graph_path.stat())
        kind = consistency_of(graph_path).kind
        if kind != FITS and not (kind == LATE and meta.get("behind") == HEADER_ALONE):
            return None, None
        index = Index.open(index_path(graph_path))
    except GraphNotLoaded:
        return None, None  # broken data is rebuilt
    try:
        watch = Watch(root, parse_options(orjson.loads(metadata["options"])), index, stored_graph.header(index))
        watch.doubt(edited)
        changes, look = watch.look()
        if changes == Changes() or len(watch.touched) >= NOTED:
            note(index, watch.touched)
        if changes != Changes():
            return changes, look
        note_graph_file(index, stamp, seen_ns)
    except BrokenIndex:
        return None, None
    finally:
        index.close()
    return changes, look
