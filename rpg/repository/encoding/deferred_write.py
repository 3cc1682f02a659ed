"""A graph file that is written a moment after its index, so that an answer need not wait for it.

In: the path of a graph file. Out: that file, as its index has the graph. Where an edit is answered first (saving.py,
`later`), one transaction puts it into the index together with what says that the graph file is behind:

    graph_hash      empty, as no file of that graph was made yet
    previous_hash   of the file that stands there, graph_stat its size and time; both as they were, however often the
                    index moves on meanwhile
    behind          JSON, the paths whose lines in that file are old, and the header's: all that has changed since

`finish` writes those lines. The process that repaired does so as soon as nobody asks it for more; if that is killed,
whoever next writes the graph (`encode.writing`), starts to serve it (`standing` says LATE) or compares it
(`finished_graph_file`) does it first. Servers that run answer from the index meanwhile.

Invariants: who reads the graph file here finishes it first; the index says what the file will be before it is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson

from rpg.errors import GraphNotLoaded
from rpg.repository.encoding.consistency import LATE, standing
from rpg.repository.encoding.saving import graph_marks, publish
from rpg.repository.locations import index_path
from rpg.stores.graph_file import graph_file, splice
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index, read_meta


def is_late(graph_path: Path) -> bool:
    """Whether the index says that there are lines to write, wherever the file is now."""
    try:
        return bool(read_meta(index_path(graph_path)).get("behind"))
    except GraphNotLoaded:
        return False


def finish(graph_path: Path, is_wanted: Callable[[], bool] = lambda: True) -> bool:
    """Write what is behind, for who is `writing`. Whether the two belong together then, as far as is known here; where
    not, or where it is not wanted any more, nothing was done."""
    if not is_late(graph_path):
        return True
    try:
        if standing(graph_path).kind != LATE:
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
        except GraphNotLoaded:  # the file is damaged, and the index knows all that it is to hold
            staged = graph_file.stage(graph_path, header, stored_graph.symbols(index), stored_graph.edges(index))
        publish(index, staged, graph_marks(staged, index.meta("previous_hash")))
        index.move_log()
    except (GraphNotLoaded, splice.Unwanted):
        return False
    finally:
        index.close()
    return True
