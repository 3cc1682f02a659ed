"""Makes the bundle of a graph, brought up to date first.

In: the path of a graph file. Out: a file. A bundle names no folder of this machine, has no stamps of its files, and
nothing that the graph no longer has. A graph with unmasked secrets is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rpg.errors import BadRequest, EncodeFailed, GraphNotLoaded
from rpg.repository.bundles import container
from rpg.repository.bundles.keys import OWN, choose_key
from rpg.repository.encoding.consistency import consistency_of
from rpg.repository.encoding.encode import Progress, encode, writing
from rpg.repository.locations import index_path
from rpg.stores import atomic
from rpg.stores.graph_file import graph_file
from rpg.stores.graph_folder import graph_name
from rpg.stores.index.adoption import ADOPTED
from rpg.stores.index.index import BrokenIndex
from rpg.stores.index.index_writer import copy_for_others

ENDING = ".bundle"
GRAPH, INDEX = "graph", "index"
PATIENCE_SECONDS = 600.0
KEPT = (
    "format", "rules", "code", "generation", "graph_hash", "header", "options", "basis", "beside", "consulted",
    "edges", "embedder",
)  # fmt: skip
"""The entries of the index's `meta` that a bundle has."""


class Made(NamedTuple):
    path: Path
    root: Path
    commit: str
    """Empty without one."""
    files: int
    bytes: int
    is_shared: bool
    """Whether others who have the key can check the seal."""


def usual_path(graph_path: Path) -> Path:
    return graph_path.with_name(graph_name(graph_path) + ENDING)


def make_bundle(graph_path: Path, output: Path | None = None, progress: Progress | None = None) -> Made:
    """Raises GraphNotLoaded without the folder of the sources, BadRequest, EncodeFailed."""
    from rpg.encoder.options import parse_options

    found = consistency_of(graph_path)
    if found.root is None:
        raise GraphNotLoaded(f"the sources of {graph_path.name} are not here: a bundle is made where they are")
    options = parse_options(found.options)
    if not options.mask_secrets:
        raise BadRequest(f"{graph_path.name} has secrets in it that are not masked: encode it again to give it away")
    about, key = choose_key()
    encode(found.root, graph_path, options, patience=PATIENCE_SECONDS, progress=progress)
    path = output or usual_path(graph_path)
    staged = atomic.staging_path(path)
    try:
        with writing(graph_path, PATIENCE_SECONDS):
            header = graph_file.read_header(graph_path)
            copy_for_others(index_path(graph_path), staged, _given_away)
            commit = graph_file.commit_of(header)
            head = {**about, "commit": commit, "name": found.root.name, "files": header.get("files", 0)}
            container.write_bundle(path, head, {GRAPH: graph_path, INDEX: staged}, key)
    except OSError as error:
        raise EncodeFailed(f"cannot write {path}: {error.strerror or error}: name another place with -o") from error
    finally:
        staged.unlink(missing_ok=True)
    return Made(path, found.root, commit, head["files"], path.stat().st_size, about["sealed_with"] != OWN)


def _given_away(meta: Mapping[str, str]) -> dict[str, str]:
    if meta.get(ADOPTED):
        raise BrokenIndex(
            "the graph was made by another installation, and is used because of --trust: `rpg encode --full` first"
        )
    return {key: meta[key] for key in KEPT if key in meta} | {"unread": "{}"}
