"""An edit of one file, encoded on top of the graph before it and compared with a clean encode."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.options import Options
from rpg.repository import encode, index_path
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index


class Edited(NamedTuple):
    before: Path
    """The graph file before the edit."""
    after: Path
    is_alone: bool
    """Whether only the edited file was resolved again."""


def edited(folder: Path, path: str, old: str, new: str) -> Edited:
    """Edits the first place of `old` in a file of the repository `folder`/repo. Fails if the graph file or the places
    of unresolved names in the index are not those of a clean encode."""
    root, graph, before, clean = (
        folder / name for name in ("repo", "kept.graph.json", "before.graph.json", "clean.graph.json")
    )
    encode(root, graph, Options())
    shutil.copy(graph, before)
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new, 1))
    summary = encode(root, graph, Options())
    encode(root, clean, Options(), full=True)
    assert graph.read_bytes() == clean.read_bytes()
    assert places(graph) == places(clean)
    return Edited(before, graph, "resolve" not in summary.seconds)


def places(graph: Path) -> list[tuple[object, ...]]:
    index = Index.open_read_only(index_path(graph))
    try:
        ids = dict(index.rows("SELECT id, symbol FROM symbols"))
        rows = index.rows("SELECT name, source, line, column, reason, call, bare FROM places ORDER BY rowid")
        header = stored_graph.header(index)
        return [(header["references"],), *((name, ids[source], *rest) for name, source, *rest in rows)]
    finally:
        index.close()
