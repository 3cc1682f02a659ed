"""Making graph file and index belong together again, by the least that is enough.

In: the path of a graph file. Out: both files, fitting each other. The index is made from the repository where that is
there, else from the graph file alone; the graph file is written from an index that is ahead of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.errors import RpgError
from rpg.repository.encoding.consistency import AHEAD, FITS, standing
from rpg.repository.encoding.deferred_write import is_late
from rpg.repository.encoding.disk_space import can_grow
from rpg.repository.encoding.encode import encode_edits, encode_locked, writing
from rpg.repository.encoding.saving import graph_marks, publish, restate, search_tables
from rpg.repository.locations import index_path
from rpg.repository.watch.known_files import Seen, note
from rpg.stamp import stamp_of
from rpg.stores.graph_file import graph_file
from rpg.stores.index import index_writer, stored_graph
from rpg.stores.index.index import BrokenIndex, Index, read_meta

if TYPE_CHECKING:
    from rpg.encoder.options import Options
    from rpg.encoder.source_files.listing import Identity

NOTED = 32
"""So many files that were only touched are noted in the index: to read fewer again costs less than to write."""
WHOLE_SECONDS = 60.0
"""How long `finished_graph_file` waits for another process that writes the same graph."""


def settle(graph_path: Path, given_root: Path | None, damage: str, patience: float) -> str:
    """Do what `standing` says is to be done; `damage` was met inside an index that looks sound from outside.

    Returns what the user should know, or nothing. Raises GraphNotLoaded where no index can be made at all.
    """
    from rpg.encoder.options import from_json

    with writing(graph_path, patience):
        now = standing(graph_path, given_root)
        if now.kind == FITS and not damage:
            return ""  # another process was quicker, or it was the graph file alone that was late
        if now.kind == AHEAD and not damage and _published(graph_path):
            return ""
        if now.root is None:
            index_graph_alone(graph_path)
            return now.note
        try:
            encode_locked(now.root, graph_path, from_json(now.options), full=bool(damage))
        except RpgError as error:
            if not graph_path.exists() or not can_grow(index_path(graph_path)):
                raise  # for want of room nothing is refused for good
            index_graph_alone(graph_path, refused=now.root)
            refused = (
                f"the repository in {now.root} could not be encoded ({error.message}): the graph file alone is served"
            )
            return f"{now.note}; {refused}" if now.note else refused
        return now.note


def take_edits(
    graph_path: Path, root: Path, options: Options, generation: str, edited: tuple[str, ...], patience: float
) -> str | None:
    """Encode only the `edited` files, where nothing else happened since `generation` of the index: the new generation;
    empty as below. The graph file is left to deferred_write.py. None where it takes more, and nothing was done."""
    with writing(graph_path, patience, finish=False):
        if read_meta(index_path(graph_path)).get("generation") != generation:
            return ""
        if not encode_edits(root, graph_path, options, edited):
            return None
        return read_meta(index_path(graph_path)).get("generation", "")


def finished_graph_file(graph_path: Path) -> Path:
    """The graph file, as its index has it now, for who reads it without asking the index."""
    if is_late(graph_path):
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
    told: Iterable[str] = (),
    declined: bool = False,
) -> str:
    """Encode what changed since `generation` of the index, as somebody was `told` of some files, which `take_edits`
    may have `declined`; with an `identity`, no file did and only the repository is another commit. Returns the
    generation that there is now; empty where another process had made one meanwhile, which may have seen the changes
    or not."""
    with writing(graph_path, patience):
        if read_meta(index_path(graph_path)).get("generation") != generation:
            return ""
        if identity is None:
            encode_locked(root, graph_path, options, told=told, declined=declined)
        else:
            restate(graph_path, identity)
        return read_meta(index_path(graph_path)).get("generation", "")


def note_touched(graph_path: Path, generation: str, touched: dict[str, Seen]) -> None:
    """That files of a generation of the index have other stamps and the same contents, as all have in a copy of the
    repository or a container that begins: who starts next need not read them again. Empties `touched` of what is noted,
    and of what cannot be: this process knows it."""
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
    """Make the index from the graph file, for who is `writing`: names and docs, without sources and places.

    `refused` is a folder that failed to be encoded, so that it is not tried again at every start.
    """
    status = graph_path.stat()
    hash = graph_file.file_hash(graph_path)
    graph = graph_file.read(graph_path)
    about = {
        **graph_marks(graph_file.Staged(graph_path, graph_path, hash, stamp_of(status)), hash),
        "root": "",
        "refused": str(refused or ""),
        "options": "{}",
        "basis": "graph",
    }
    index_writer.write(index_path(graph_path), graph, [], about, search_tables(graph))


def _published(graph_path: Path) -> bool:
    """Write the graph file that the index is ahead of; False where the index does not give it."""
    try:
        index = Index.open(index_path(graph_path))
    except BrokenIndex:
        return False
    try:
        header = stored_graph.header(index)
        staged = graph_file.stage(graph_path, header, stored_graph.symbols(index), stored_graph.edges(index))
        if staged.hash != (index.meta("graph_hash") or staged.hash):  # empty: that file was never made
            staged.temporary.unlink()
            return False
        publish(index, staged, graph_marks(staged, index.meta("previous_hash")))
    except BrokenIndex:
        return False
    finally:
        index.close()
    return True
