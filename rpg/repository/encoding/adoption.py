"""Adopts an index that another installation made of this graph file, if the user says so.

In: the path of a graph file. Out: whether its index was adopted, and counts as ours from now on. Folders that it names
are not used: the repository is the one that the user names, or the one where its files are found, as for any foreign
graph.
"""

from __future__ import annotations

import time
from pathlib import Path

import orjson

from rpg.encoder.options import dump_options, parse_foreign_options, parse_options
from rpg.errors import RpgError
from rpg.repository.encoding.consistency import graph_stat, root_of_graph
from rpg.repository.encoding.encode import writing
from rpg.repository.locations import index_path
from rpg.stores.connection import BrokenIndex
from rpg.stores.graph_file import graph_file
from rpg.stores.index.adoption import Meta, adopt
from rpg.stores.index.index import ForeignIndex, read_meta
from rpg.system.stamp import stamp_of

TAKEN = "the index was made by another installation and is used as it is, because of --trust"
KEPT = (
    "format", "rules", "code", "generation", "graph_hash", "header", "basis", "beside", "unread", "consulted", "edges",
)  # fmt: skip
"""The entries of the index's own `meta` that are kept."""


def adopt_index(graph_path: Path, given_root: Path | None, patience: float) -> str:
    """A note for the user; empty if nothing was adopted, because the index is ours or must be rebuilt."""
    if not _is_foreign(graph_path):
        return ""
    try:
        with writing(graph_path, patience, finish=False):
            if not _is_foreign(graph_path):
                return ""
            adopt(index_path(graph_path), lambda meta: _adopted_meta(graph_path, given_root, meta))
    except RpgError:
        return ""  # the note on the rebuilt index mentions it
    return TAKEN


def _is_foreign(graph_path: Path) -> bool:
    try:
        read_meta(index_path(graph_path))
    except ForeignIndex:
        return True
    except BrokenIndex:
        return False
    return False


def _adopted_meta(graph_path: Path, given_root: Path | None, meta: Meta) -> Meta:
    """Raises BrokenIndex, or any error of reading JSON of another form."""
    stamp, seen_ns = stamp_of(graph_path.stat()), time.time_ns()
    hash = graph_file.file_hash(graph_path)
    if meta["graph_hash"] != hash or meta.get("behind"):
        raise BrokenIndex("the index does not belong to this graph file")
    if orjson.loads(meta["header"]) != graph_file.read_header(graph_path):
        raise BrokenIndex("the header of the index differs from the graph file's")
    options = parse_foreign_options(orjson.loads(meta["options"]))
    if parse_options(orjson.loads(meta["options"])).mask_secrets != options.mask_secrets:
        raise BrokenIndex("the index contains unmasked secrets")
    for key in ("beside", "unread", "edges"):
        if not isinstance(orjson.loads(meta.get(key, "{}")), dict):
            raise BrokenIndex(f"the value of {key} in the index is damaged")
    consulted = orjson.loads(meta.get("consulted", "[]"))
    if not isinstance(consulted, list) or not all(isinstance(path, str) for path in consulted):
        raise BrokenIndex("the value of consulted in the index is damaged")
    return {
        **{key: meta[key] for key in KEPT if key in meta},
        "root": str(root_of_graph(graph_path, given_root) or ""),
        "options": orjson.dumps(dump_options(options)).decode(),
        "graph_stat": graph_stat(stamp, seen_ns),
        "previous_hash": "",
    }
