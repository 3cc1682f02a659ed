"""A repository as the rooms above see it: encode it, load its graph, query it, forget it; graphs of its revisions. They
import nothing from the modules inside.

Invariants: graph file and index are written together or not at all, or the index records what the file still lacks;
every query is answered from an index that belongs to the graph file.
"""

from rpg.repository.bundles.making import make_bundle
from rpg.repository.bundles.starting import Bundle
from rpg.repository.clones import Source, find_source, obtain
from rpg.repository.encoding.consistency import consistency_of
from rpg.repository.encoding.embedding import embed, measure_embedded
from rpg.repository.encoding.encode import Progress, encode
from rpg.repository.encoding.incremental import LastResolution
from rpg.repository.encoding.lock import Locked
from rpg.repository.encoding.repair import finish_graph_file
from rpg.repository.encoding.revisions import WORK_TREE, commit_of, graphs_of, top_of
from rpg.repository.encoding.summary import Summary
from rpg.repository.existing_graph import (
    default_output,
    default_place,
    is_of,
    is_recorded_for,
    refuse_name,
    repository_around,
)
from rpg.repository.known_graphs import has_relatives
from rpg.repository.locations import clones_folder, has_more_files, holds_homes, index_path
from rpg.repository.process.encoder_process import encode as encode_in_child
from rpg.repository.removal import forget
from rpg.repository.repository import Repository
from rpg.repository.state import Freshness, Snapshot
from rpg.repository.verification import verify
from rpg.stores.installation import data_folder

__all__ = [
    "WORK_TREE",
    "Bundle",
    "Freshness",
    "LastResolution",
    "Locked",
    "Progress",
    "Repository",
    "Snapshot",
    "Source",
    "Summary",
    "clones_folder",
    "commit_of",
    "consistency_of",
    "data_folder",
    "default_output",
    "default_place",
    "embed",
    "encode",
    "encode_in_child",
    "find_source",
    "finish_graph_file",
    "forget",
    "graphs_of",
    "has_more_files",
    "has_relatives",
    "holds_homes",
    "index_path",
    "is_of",
    "is_recorded_for",
    "make_bundle",
    "measure_embedded",
    "obtain",
    "refuse_name",
    "repository_around",
    "top_of",
    "verify",
]  # fmt: skip
