"""Writes a graph file a moment after its index, so that an answer need not wait for it.

In: the path of a graph file. Out: that file, with the graph as the index has it. When an edit is answered first
(`later` in saving.py), one transaction writes it to the index, together with a record that the graph file is behind:

    graph_hash      empty, because no file of that graph has been written yet
    previous_hash   hash of the existing file; graph_stat is its size and time; neither changes until the file is
                    written, however often the index does
    behind          JSON: the paths whose lines in that file are old, and the header's: everything that changed since

`finish` writes those lines. The process that made the repair does so once no more queries come. If it is killed, the
next process that writes the graph (`encode.writing`), starts to serve it (`consistency_of` returns LATE) or compares it
(`finish_graph_file`) does it first. Until then, running servers answer from the index.

Invariants: code here that reads the graph file completes it first; the index states what the file will be before it is
written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson

from rpg.errors import GraphNotLoaded
from rpg.repository.encoding.consistency import LATE, consistency_of
from rpg.repository.encoding.saving import graph_marks, publish
from rpg.repository.locations import index_path
from rpg.stores.graph_file import graph_file, splice
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index, read_meta


def is_deferred(graph_path: Path) -> bool:
    """Whether the index records lines to write, wherever the file is now."""
    try:
        return bool(read_meta(index_path(graph_path)).get("behind"))
    except GraphNotLoaded:
        return False


def finish(graph_path: Path, is_wanted: Callable[[], bool] = lambda: True) -> bool:
    """Writes the outstanding lines; the caller holds `writing`. Returns whether file and index then belong together, as
    far as is known here; if not, or if the result is no longer wanted, nothing was done."""
    if not is_deferred(graph_path):
        return True
    try:
        if consistency_of(graph_path).kind != LATE:
            return False
        index = Index.open(index_path(graph_path))
    except GraphNotLoaded:
        return False
    try:
        paths = orjson.loads(index.meta("behind"))
        changed = (
            splice.Lines(path, stored_graph.symbols_at(index, path), stored_graph.edges_at(index, path))
            for path in paths
        )
        header = stored_graph.header(index)
        try:
            staged = splice.stage(graph_path, header, changed, is_wanted)
        except GraphNotLoaded:  # the file is damaged, and the index knows everything that belongs in it
            staged = graph_file.stage(graph_path, header, stored_graph.symbols(index), stored_graph.edges(index))
        publish(index, staged, graph_marks(staged, index.meta("previous_hash")))
        index.move_log()
    except (GraphNotLoaded, splice.WriteCancelled):
        return False
    finally:
        index.close()
    return True
