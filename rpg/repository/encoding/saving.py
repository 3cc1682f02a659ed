"""Saves graph file and index, both or neither, and rewrites as little as possible.

In: a graph, and the files that it was made from. Out: both files. Order: the graph file is written aside, the index is
updated or replaced, the graph file is moved into place. A process killed in between leaves an index that is ahead of
the graph file, and repair.py continues from there. Edits may be saved in the index only, and their lines in the graph
file `later` (deferred_write.py).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from rpg.encoder.languages import ranks_behind
from rpg.errors import GraphNotLoaded
from rpg.graph import Graph
from rpg.repository.encoding import consistency
from rpg.repository.encoding.summary import count_edges, edges_of
from rpg.repository.identity import replace_identity
from rpg.repository.locations import index_path
from rpg.stores import atomic
from rpg.stores.graph_file import graph_file, splice
from rpg.stores.index import index_writer, row_update, stored_graph
from rpg.stores.index.adoption import ADOPTED
from rpg.stores.index.index import BrokenIndex, Index, read_meta
from rpg.stores.index.index_writer import Draft
from rpg.stores.index.row_update import Difference
from rpg.system.stamp import is_young, stamp_of

if TYPE_CHECKING:
    from rpg.encoder.encode import Encoded, EncodedFile
    from rpg.encoder.resolve import Kept
    from rpg.encoder.source_files.listing import Identity

EDGES_OF_FILE = (
    "SELECT e.kind, count(*) FROM symbols s JOIN edges e ON e.source = s.id WHERE s.path = ? GROUP BY e.kind"
)
HEADER_ALONE = "[]"
"""What `behind` says of a graph file of which only the header differs from what the index has."""
SAME = ("root", "options", "basis", "code")
"""Entries that the old and the new index must agree on for rows to be kept."""


SHARE_STAGED, SHARE_ROWS, SHARE_UNITS = 0.15, 0.35, 0.8
"""Shares of the time of saving that are over when the graph file is written, when the graph's rows are, and when search
has gone through all files; measured on Django."""


def save(
    graph_path: Path, encoded: Encoded, metadata: dict[str, str], draft: Draft | None = None,
    report: Callable[[float], None] | None = None,
) -> bool:  # fmt: skip
    """Saves graph file and index in the order described above. Returns whether the graph file was replaced.

    A `draft` contains all files already and becomes the index; without one, the existing index is updated. `report`
    gets the share that is done.
    """
    graph, files = encoded.graph, encoded.files
    metadata = metadata | {"edges": orjson.dumps(count_edges(graph)).decode()}
    previous = graph_file.hash_if_sound(graph_path)
    if draft is None and _fits(graph_path, metadata, previous):
        try:
            changed = _bring_up_to_date(graph_path, encoded, metadata, previous)
        except BrokenIndex:
            changed = None  # damaged in a place that was not read before: rebuilt
        if changed is not None:
            return changed
    staged = _stage(graph_path, graph, previous)
    if report is not None:
        report(SHARE_STAGED)
    try:
        staged, changed = _unless_same(staged, previous)
        marks = metadata | graph_marks(staged, previous)
        tables = search_tables(graph, report)
        if draft is not None:
            draft.finish(graph, marks, tables, encoded.kept)
        else:
            index_writer.write(index_path(graph_path), graph, files, marks, tables, encoded.kept)
        if changed:
            index = Index.open(index_path(graph_path))
            try:
                _put_in_place(index, staged)
            finally:
                index.close()
    finally:
        staged.temporary.unlink(missing_ok=True)
    return changed


def _stage(graph_path: Path, graph: Graph, previous: str) -> graph_file.Staged:
    """Staged next to the index if the graph file's folder is not writable: a file that does not change needs no
    space."""
    try:
        return graph_file.stage(graph_path, graph.header, graph.symbols, graph.edges)
    except OSError:
        aside = index_path(graph_path).with_name(graph_path.name)
        if aside == graph_path:
            raise
        staged = graph_file.stage(aside, graph.header, graph.symbols, graph.edges)
        if staged.hash != previous:
            staged.temporary.unlink()
            raise
        return staged._replace(path=graph_path)


def restate(graph_path: Path, identity: Identity | None) -> None:
    """The same symbols and edges at another commit: only the header differs, or with None what the index has of it. The
    caller holds `writing`."""
    index = Index.open(index_path(graph_path))
    try:
        header = stored_graph.header(index)
        header = replace_identity(header, identity) if identity is not None else header
        staged = None
        stands = index.meta("previous_hash" if index.meta("behind") == HEADER_ALONE else "graph_hash")
        if graph_path.exists() and consistency.hash_of(graph_path) == stands:
            with suppress(GraphNotLoaded):  # the file is damaged
                staged = splice.stage(graph_path, header, ())
        if staged is None:
            staged = graph_file.stage(graph_path, header, stored_graph.symbols(index), stored_graph.edges(index))
        marks = {"header": orjson.dumps(header).decode(), "generation": index_writer.new_generation()}
        publish(index, staged, marks | graph_marks(staged, stands))
    finally:
        index.close()


def publish(index: Index, staged: graph_file.Staged, marks: dict[str, str]) -> None:
    """First the index states what the graph file will be, then the file is moved into place."""
    try:
        with index.transaction():
            index.execute("DELETE FROM meta WHERE key = 'behind'")
            index.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", marks.items())
        _put_in_place(index, staged)
    finally:
        staged.temporary.unlink(missing_ok=True)


def _put_in_place(index: Index, staged: graph_file.Staged) -> None:
    """Moves the graph file into place and records its stamp in the index."""
    atomic.publish(staged.temporary, staged.path)
    seen_ns = time.time_ns()
    consistency.note_graph_file(index, stamp_of(staged.path.stat()), seen_ns)


def search_tables(graph: Graph, report: Callable[[float], None] | None = None) -> Callable[[Index], None]:
    from rpg.stores.search import build

    within = None if report is None else lambda share: report(SHARE_ROWS + (SHARE_UNITS - SHARE_ROWS) * share)
    return lambda index: build.build(index, graph, ranks_behind, report=within)


def graph_marks(staged: graph_file.Staged, previous: str) -> dict[str, str]:
    return {
        "graph_hash": staged.hash,
        "graph_stat": consistency.graph_stat(staged.stamp, time.time_ns()),
        "previous_hash": previous,
    }


def _unless_same(staged: graph_file.Staged, previous: str) -> tuple[graph_file.Staged, bool]:
    """Whether the new file differs from the existing one; if not, the existing one is kept."""
    if staged.hash != previous:
        return staged, True
    return staged._replace(stamp=stamp_of(staged.path.stat())), False


def _fits(graph_path: Path, metadata: Mapping[str, str], hash: str) -> bool:
    """Whether there is an index of this very graph file that agrees with `metadata`."""
    try:
        meta = read_meta(index_path(graph_path))
        Index.open_read_only(index_path(graph_path)).close()
    except BrokenIndex:
        return False
    stands = meta.get("previous_hash" if meta.get("behind") else "graph_hash")
    return bool(hash) and stands == hash and all(meta.get(key) == metadata[key] for key in SAME)


def save_edits(
    graph_path: Path,
    graph: Graph,
    files: list[EncodedFile],
    kept: Kept,
    metadata: dict[str, str],
    later: bool,
    gone: Sequence[str] = (),
) -> bool | None:
    """Saves edited and added `files`, and which files and folders are `gone`: the part of the graph that belongs to
    them and the affected files, under the header of the whole, and the state for the next edit. Returns what
    `_bring_up_to_date` does; also None if graph file and index do not fit together."""
    previous = consistency.hash_of(graph_path)
    if not _fits(graph_path, metadata, previous):
        return None
    path = index_path(graph_path)
    before = Index.open_read_only(path)
    index = Index.open(path)
    try:
        changes = row_update.difference_of_parts(before, graph, gone)
        edges = Counter(edges_of(before))
        edges.update(edge.kind for part in changes.parts for edge in part.edges)
        for touched in changes.touched:
            edges.subtract(dict(before.rows(EDGES_OF_FILE, (touched,))))
        metadata = metadata | {"edges": orjson.dumps({kind: count for kind, count in edges.items() if count}).decode()}

        def replace(marks: Mapping[str, str]) -> None:
            _insert_files(index, files, [*gone, *(file.path for file in files)])
            index.executemany("DELETE FROM flow WHERE path = ?", [(path,) for path in gone])
            index.executemany(index_writer.INSERT_FLOW, kept.rows)
            index.executemany(index_writer.INSERT_SURVEY, kept.survey)
            if not _replace(
                before, index, changes, sorted({*changes.touched, *(file.path for file in files), *gone}), marks
            ):
                symbols, edges = list(stored_graph.symbols(index)), list(stored_graph.edges(index))
                _rebuild_search(index, Graph(graph.header, symbols, edges, []))

        if later:
            marks = index_writer.meta_of(
                graph.header, metadata | build_deferred_marks(before, previous, changes.touched)
            )
            return _replaced(before, index, marks, replace) or None
        return _in_place(graph_path, graph.header, before, index, changes, metadata, previous, replace)
    finally:
        before.close()
        index.close()


def _bring_up_to_date(graph_path: Path, encoded: Encoded, metadata: dict[str, str], previous: str) -> bool | None:
    """Whether the graph file was replaced; None if everything must be rebuilt, and nothing was done."""
    graph, files = encoded.graph, encoded.files
    path = index_path(graph_path)
    before = Index.open_read_only(path)
    index = Index.open(path)
    try:
        changes = row_update.difference(before, graph)
        if not row_update.is_small(changes):
            return None

        def replace(marks: Mapping[str, str]) -> None:
            index.execute("DELETE FROM flow")
            index.execute("DELETE FROM survey")
            index_writer.insert_kept(index, encoded.kept)
            touched = sorted({*_replace_files(index, files), *changes.touched})
            if not _replace(before, index, changes, touched, marks):
                _rebuild_search(index, graph)

        return _in_place(graph_path, graph.header, before, index, changes, metadata, previous, replace)
    finally:
        before.close()
        index.close()


def _in_place(
    graph_path: Path,
    header: dict[str, Any],
    before: Index,
    index: Index,
    changes: Difference,
    metadata: dict[str, str],
    previous: str,
    replace: Callable[[Mapping[str, str]], None],
) -> bool | None:
    """Splices the graph file, lets `replace` update the index, publishes."""
    lines = [splice.Lines(part.path, part.symbols, part.edges) for part in changes.parts]
    try:
        staged = splice.stage(graph_path, header, lines)
    except GraphNotLoaded:
        return None  # the file is damaged
    try:
        staged, changed = _unless_same(staged, previous)
        marks = index_writer.meta_of(header, metadata | graph_marks(staged, previous))
        if not _replaced(before, index, marks, replace):
            return None
        index.move_log()
        if changed:
            _put_in_place(index, staged)
        return changed
    finally:
        staged.temporary.unlink(missing_ok=True)


def _replaced(
    before: Index, index: Index, marks: Mapping[str, str], replace: Callable[[Mapping[str, str]], None]
) -> bool:
    """Whether there was disk space for it; if not, nothing was done."""
    with before.snapshot():
        try:
            with index.transaction():
                replace(marks)
        except _NoRoom:
            return False
    return True


def build_deferred_marks(before: Index, previous: str, touched: Iterable[str]) -> dict[str, str]:
    """What an index records of a graph file whose lines of the `touched` paths are written later."""
    behind = {*touched, *orjson.loads(before.meta("behind") or "[]")}
    return {
        "graph_hash": "",
        "graph_stat": before.meta("graph_stat"),
        "previous_hash": previous,
        "behind": orjson.dumps(sorted(behind)).decode(),
    }


class _NoRoom(Exception):
    """Rolls a transaction back."""


def _replace(before: Index, index: Index, changes: Difference, touched: list[str], marks: Mapping[str, str]) -> bool:
    """Whether the search tables of the `touched` paths could be updated too."""
    from rpg.stores.search import table_update

    if not row_update.replace(index, changes):
        raise _NoRoom
    index.execute("DELETE FROM meta WHERE key != ?", (ADOPTED,))
    index.executemany("INSERT INTO meta VALUES (?, ?)", marks.items())
    return not touched or table_update.update(before, index, touched, ranks_behind)


def _rebuild_search(index: Index, graph: Graph) -> None:
    from rpg.stores.search import build, tables

    tables.empty(index)
    numbers: dict[str, int] = dict(index.rows("SELECT symbol, id FROM symbols"))
    build.build(index, graph, ranks_behind, numbers=numbers)


def _replace_files(index: Index, files: list[EncodedFile]) -> list[str]:
    """The paths of files that were edited, added or deleted."""
    rows = index.rows("SELECT path, hash, language, size, mtime_ns, ctime_ns, inode, indexed_ns FROM files")
    old = {row[0]: row[1:] for row in rows}
    changed: list[EncodedFile] = []
    seen: list[EncodedFile] = []
    for file in files:
        known = old.pop(file.path, None)
        if known is None or known[:2] != (file.hash, file.language):
            changed.append(file)
        elif known[2:6] != file.stamp or is_young(known[2:6], known[6]):
            seen.append(file)
    paths = [*old, *(file.path for file in changed)]
    _insert_files(index, changed, paths)
    index.executemany(
        "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, indexed_ns = ? WHERE path = ?",
        [(*file.stamp, file.indexed_ns, file.path) for file in seen],
    )
    return paths


def _insert_files(index: Index, files: list[EncodedFile], paths: list[str]) -> None:
    """Replaces the rows of these paths. An existing file keeps its number, under which its trigrams are stored, even if
    a new one comes before it."""
    known: dict[str, int] = {}
    for path in paths:
        known.update(index.rows("SELECT path, id FROM files WHERE path = ?", (path,)))
    index.executemany("DELETE FROM files WHERE path = ?", [(path,) for path in paths])
    numbered = sorted(((known.get(file.path), *file) for file in files), key=lambda row: row[0] is None)
    index.executemany(index_writer.INSERT_NUMBERED_FILE, numbered)
