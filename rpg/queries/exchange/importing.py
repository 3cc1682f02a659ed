"""Imports texts of a CoderMind file: features of what has the same path and name, titles of the areas that cover the
same files.

In: bytes that anybody may have written, an index. Out: texts beside the index, stored like those of a model or an
agent, and counts. The file's tree is not imported: the encoder's rules alone give every file its place.

A hostile file is refused whole, with the reason: too large, too deep, no such object, too many nodes. Names in it are
looked up in the graph and never opened; texts that break the rules of lift/rules.py are counted and left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from rpg.errors import BadRequest
from rpg.graph import FUNCTIONAL_KINDS
from rpg.queries.graph.functional_view import functional_view
from rpg.queries.lift.rules import packages_used
from rpg.queries.lift.subjects import places, symbols
from rpg.queries.lift.submissions import problem_with
from rpg.stores.index.reader import list_paths_of_graph
from rpg.stores.lifted_texts import Lifted, LiftedTexts
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LARGEST: Final = 64 << 20
"""The largest file, in bytes."""
MOST_NODES, MOST_EDGES = 500_000, 3_000_000
LONGEST_NAME = 2_000
MOST_PATHS = 10_000
"""The most paths of one node."""
ALIKE = 0.5
"""The least share of common files, among those of either node, for a title to be imported."""
PROVENANCE = "import"
COMPOSES = ("composes", "contains")


class Imported(NamedTuple):
    features: int
    titles: int
    refused: int
    """Texts that break the rules: the existing ones stay."""
    unknown: int
    """Nodes for symbols that are not in the graph."""


class ForeignNode(NamedTuple):
    id: str
    name: str
    paths: tuple[str, ...]
    """Paths of directories or files, or symbols as `path:name`."""
    kind: str


def import_codermind(index: Index, content: bytes) -> Imported:
    """BAD_REQUEST for a file of another format, or one of absurd size."""
    nodes, below = read(content)
    ours = {each.id: each for each in (*places(index), *symbols(index))}
    files = set(list_paths_of_graph(index))
    packages = packages_used(index)
    found: dict[str, str] = {}
    unknown = 0
    inner = [node for node in nodes.values() if below.get(node.id) and node.kind in ("", "directory")]
    for node in nodes.values():
        if node.kind in ("", "directory", "repo", "module", "package"):
            continue
        id = id_here(node.paths[0]) if node.paths else ""
        if id in ours:
            found.setdefault(id, node.name)
        elif id not in files:
            unknown += 1
    titles = titles_here(index, inner, nodes, below, files)
    texts: dict[bytes, Lifted] = {}
    refused = features = 0
    for id, text in (found | titles).items():
        subject = ours.get(id)
        if subject is None or text == subject.now:
            continue
        if problem_with(subject, text, packages):
            refused += 1
            continue
        texts[subject.key] = Lifted(text, PROVENANCE)
        features += not subject.is_place
    if texts:
        LiftedTexts(index.path).add(texts)
    return Imported(features, len(texts) - features, refused, unknown)


def read(content: bytes) -> tuple[dict[str, ForeignNode], dict[str, list[str]]]:
    """Nodes by id, and what each has right below it."""
    if len(content) > LARGEST:
        raise BadRequest(f"the file has {len(content):,} bytes: at most {LARGEST:,} are read; export a part of it")
    try:
        data = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"the file is not JSON ({error}): name an rpg.json of CoderMind or RPG-Encoder") from None
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list) or not isinstance(data.get("edges"), list):
        raise BadRequest("the file is not a CoderMind graph: it has no lists `nodes` and `edges`")
    if len(data["nodes"]) > MOST_NODES or len(data["edges"]) > MOST_EDGES:
        raise BadRequest(f"the file has more than {MOST_NODES:,} nodes or {MOST_EDGES:,} edges: export a part of it")
    nodes: dict[str, ForeignNode] = {}
    for number, each in enumerate(data["nodes"]):
        node = node_of(each, number)
        if node.id in nodes:
            raise BadRequest(f"two nodes of the file have the id {quote_text(node.id[:100])}")
        nodes[node.id] = node
    below: defaultdict[str, list[str]] = defaultdict(list)
    parents: dict[str, str] = {}
    for number, each in enumerate(data["edges"]):
        if not isinstance(each, dict) or not all(isinstance(each.get(key), str) for key in ("src", "dst", "relation")):
            raise BadRequest(f"edge {number} of the file has no text as `src`, `dst` and `relation`")
        source, target = each["src"], each["dst"]
        if each["relation"].lower() in COMPOSES and source in nodes and target in nodes:
            if parents.setdefault(target, source) != source:
                raise BadRequest(f"the node {quote_text(target[:100])} of the file is below two others")
            below[source].append(target)
    refuse_circles(parents)
    return nodes, below


def node_of(each: Any, number: int) -> ForeignNode:
    if not isinstance(each, dict):
        raise BadRequest(f"node {number} of the file is not an object")
    meta = each.get("meta")
    about: Mapping[str, Any] = meta if isinstance(meta, dict) else {}
    path, kind = about.get("path"), about.get("type_name")
    paths = path if isinstance(path, list) else [path] if path is not None else []
    texts = [each.get("id"), each.get("name", ""), kind or "", *paths[: MOST_PATHS + 1]]
    if not all(isinstance(text, str) for text in texts):
        raise BadRequest(f"node {number} of the file has an id, a name or a path that is not a string")
    if len(paths) > MOST_PATHS or max(map(len, texts)) > LONGEST_NAME:
        raise BadRequest(f"node {number} of the file has more than {MOST_PATHS:,} paths, or one that is too long")
    return ForeignNode(texts[0], texts[1], tuple(paths), texts[2])


def refuse_circles(parents: Mapping[str, str]) -> None:
    sound: set[str] = set()
    for start in parents:
        chain: list[str] = []
        at: str | None = start
        seen: set[str] = set()
        while at is not None and at not in sound:
            if at in seen:
                raise BadRequest(f"the node {quote_text(at[:100])} of the file is below itself")
            seen.add(at)
            chain.append(at)
            at = parents.get(at)
        sound.update(chain)


def id_here(path: str) -> str:
    """Our symbol id for `path` or `path:Name.of`."""
    file, colon, name = path.partition(":")
    return f"{file}::{name}" if colon else file


def titles_here(
    index: Index,
    inner: list[ForeignNode],
    nodes: Mapping[str, ForeignNode],
    below: Mapping[str, list[str]],
    known: set[str],
) -> dict[str, str]:
    """By id of a node of our functional view: the name of the CoderMind node that has most of its files, and few
    others."""
    view = functional_view(index)
    ours: defaultdict[str, set[str]] = defaultdict(set)
    for path in known:
        place = view.place_of(path)
        while place:
            ours[place].add(path)
            place = place.rpartition("/")[0]
    best: dict[str, tuple[float, str]] = {}
    for node in inner:
        files = files_below(node.id, nodes, below, known)
        shared: defaultdict[str, int] = defaultdict(int)
        for path in files:
            place = view.place_of(path)
            while place:
                shared[place] += 1
                place = place.rpartition("/")[0]
        for place, common in shared.items():
            likeness = common / (len(files) + len(ours[place]) - common)
            if likeness >= ALIKE and likeness > best.get(place, (0.0, ""))[0]:
                best[place] = (likeness, node.name)
    return {
        view.by_name[place].id: name
        for place, (_, name) in best.items()
        if view.by_name[place].kind in FUNCTIONAL_KINDS
    }


def files_below(
    start: str, nodes: Mapping[str, ForeignNode], below: Mapping[str, list[str]], known: set[str]
) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        id = waiting.pop()
        inside = below.get(id, [])
        waiting += inside
        if not inside or nodes[id].kind not in ("", "directory"):
            found.update(file for path in nodes[id].paths if (file := path.partition(":")[0]) in known)
    return found
