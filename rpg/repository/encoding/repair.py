"""Makes graph file and index consistent again, at the least cost.

In: the path of a graph file. Out: both files, consistent. The index is made from the repository if it exists, else from
the graph file alone; the graph file is written from an index that is ahead of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.errors import GraphNotLoaded, RpgError
from rpg.repository.encoding.consistency import AHEAD, FITS, consistency_of
from rpg.repository.encoding.deferred_write import is_deferred
from rpg.repository.encoding.disk_space import can_grow
from rpg.repository.encoding.encode import EncodeJob, encode_edits, encode_locked, writing
from rpg.repository.encoding.saving import graph_marks, publish, restate, search_tables
from rpg.repository.encoding.taken_place import clear_default_place
from rpg.repository.locations import index_path
from rpg.repository.watch.known_files import Seen, note
from rpg.stores.graph_file import graph_file
from rpg.stores.index import index_writer, stored_graph
from rpg.stores.index.index import BrokenIndex, Index, read_meta
from rpg.system.stamp import stamp_of

if TYPE_CHECKING:
    from rpg.encoder.options import Options
    from rpg.encoder.source_files.listing import Identity

NOTED = 32
"""At most this many files with new stamps are recorded in the index: reading a few again costs less than writing."""
WHOLE_SECONDS = 60.0
"""How long `finish_graph_file` waits for another process that writes the same graph."""


def settle(graph_path: Path, given_root: Path | None, damage: str, patience: float) -> str:
    """Does what `consistency_of` asks for; `damage` was found inside an index that looks sound from outside.

    Returns a note for the user, or nothing. Raises GraphNotLoaded if no index can be made at all.
    """
    from rpg.encoder.options import parse_options

    found = consistency_of(graph_path, given_root)
    moved = clear_default_place(graph_path)
    with writing(graph_path, patience):
        now = found if moved and not graph_path.exists() else consistency_of(graph_path, given_root)
        now = now._replace(note="; ".join(filter(None, (moved, now.note))))
        if now.kind == FITS and not damage:
            return ""  # another process was quicker, or only the graph file was behind
        if now.kind == AHEAD and not damage and _publish(graph_path):
            return ""
        if now.root is None:
            index_graph_alone(graph_path)
            return now.note
        try:
            encode_locked(EncodeJob(now.root, graph_path, parse_options(now.options), full=bool(damage)))
        except RpgError as error:
            if not graph_path.exists() or not can_grow(index_path(graph_path)):
                raise  # a full disk is not a lasting refusal
            try:
                index_graph_alone(graph_path, refused=now.root)
            except GraphNotLoaded:
                raise error from None
            refused = (
                f"the repository in {now.root} could not be encoded ({error.message}): only the graph file is served"
            )
            return f"{now.note}; {refused}" if now.note else refused
        return now.note


def take_edits(
    graph_path: Path, root: Path, options: Options, generation: str, edited: tuple[str, ...], patience: float
) -> str | None:
    """Encodes only the `edited` files, if nothing else happened since `generation` of the index. Returns the new
    generation; empty as below. The graph file is left to deferred_write.py. None if more is needed, and nothing was
    done."""
    with writing(graph_path, patience, finish=False):
        if read_meta(index_path(graph_path)).get("generation") != generation:
            return ""
        if not encode_edits(root, graph_path, options, edited):
            return None
        return read_meta(index_path(graph_path)).get("generation", "")


def finish_graph_file(graph_path: Path) -> Path:
    """The graph file, brought up to its index, for callers that read it directly."""
    if is_deferred(graph_path):
        with writing(graph_path, WHOLE_SECONDS):
            pass
    return graph_path


def bring_up_to_date(
    graph_path: Path,
    root: Path,
    options: Options,
    generation: str,
    identity: Identity | None,
    patience: float,
    edited: Iterable[str] = (),
    declined: bool = False,
) -> str:
    """Encodes what changed since `generation` of the index. `edited`: files known to be edited, which `take_edits` may
    have `declined`; with an `identity`, no file changed and only the repository is at another commit. Returns the
    current generation; empty if another process has made one, which may or may not include the changes."""
    with writing(graph_path, patience):
        if read_meta(index_path(graph_path)).get("generation") != generation:
            return ""
        if identity is None:
            encode_locked(EncodeJob(root, graph_path, options, edited=edited, declined=declined))
        else:
            restate(graph_path, identity)
        return read_meta(index_path(graph_path)).get("generation", "")


def note_touched(graph_path: Path, generation: str, touched: dict[str, Seen]) -> None:
    """Records that files of a generation of the index have new stamps and the same contents, as all have in a copy of
    the repository or a new container, so that the next start need not read them again. Removes from `touched` those
    that were recorded, and those that cannot be: this process knows them."""
    if len(touched) < NOTED:
        return
    with suppress(RpgError), writing(graph_path, finish=False):
        if read_meta(index_path(graph_path)).get("generation") == generation:
            index = Index.open(index_path(graph_path))
            try:
                note(index, touched)
            finally:
                index.close()
    touched.clear()


def index_graph_alone(graph_path: Path, refused: Path | None = None) -> None:
    """Makes the index from the graph file: names and docs, without sources and places. The caller holds `writing`.

    `refused`: a folder that could not be encoded, recorded so that it is not tried again at every start.
    """
    status = graph_path.stat()
    hash = graph_file.file_hash(graph_path)
    graph = graph_file.read(graph_path)
    metadata = {
        **graph_marks(graph_file.Staged(graph_path, graph_path, hash, stamp_of(status)), hash),
        "root": "",
        "refused": str(refused or ""),
        "options": "{}",
        "basis": "graph",
    }
    index_writer.write(index_path(graph_path), graph, [], metadata, search_tables(graph))


def _publish(graph_path: Path) -> bool:
    """Writes the graph file that the index is ahead of; False if the index does not have it."""
    try:
        index = Index.open(index_path(graph_path))
    except BrokenIndex:
        return False
    try:
        header = stored_graph.header(index)
        staged = graph_file.stage(graph_path, header, stored_graph.symbols(index), stored_graph.edges(index))
        if staged.hash != (index.meta("graph_hash") or staged.hash):  # empty: that file was never written
            staged.temporary.unlink()
            return False
        publish(index, staged, graph_marks(staged, index.meta("previous_hash")))
    except BrokenIndex:
        return False
    finally:
        index.close()
    return True
