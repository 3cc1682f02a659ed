"""Areas against the documentation: whether files are grouped as the people group them who document a project.

In: graph files, named as in areas.toml, which says for five projects which section of their documentation describes
which files. Out: the V-measure (Rosenberg and Hirschberg, 2007) and the adjusted Rand index of our categories, and of
two groupings that cost less: the directory of a file, and communities of the dependency graph (Louvain,
networkx, resolution 1, seed 0). Only files that a section describes count. How deep one looks is fixed: categories, the
second level; areas are shown besides.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import networkx

from rpg.encoder.areas import sketches
from rpg.graph import Graph
from rpg.stores.graph_file import graph_file

from .measuring.tables import show

GOLD = Path(__file__).with_name("areas.toml")
WAYS = ("categories", "areas", "directories", "communities")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench areas", description=__doc__)
    parser.add_argument("graphs", nargs="+", type=Path, metavar="NAME.graph.json")
    given = parser.parse_args(arguments)
    gold = {each["name"]: each for each in tomllib.loads(GOLD.read_text())["repository"]}
    rows: list[tuple[str, int, int, list[float]]] = []
    for path in given.graphs:
        name = path.name.removesuffix(".graph.json")
        graph = graph_file.read(path)
        wanted = sections(gold[name], [s.path for s in graph.symbols if s.kind in ("module", "file")])
        files = sorted(wanted)
        found = groupings(graph)
        scores = [
            score for way in WAYS for score in agreement([wanted[f] for f in files], [found[way][f] for f in files])
        ]
        rows.append((name, len(files), len(set(wanted.values())), scores))
    mean = [sum(row[3][at] for row in rows) / len(rows) for at in range(2 * len(WAYS))]
    head = ["repository", "files", "sections", *(f"{way[:11]} {what}" for way in WAYS for what in ("V", "ARI"))]
    table = [(name, files, count, *scores) for name, files, count, scores in rows]
    show("", head, [*table, ("mean", sum(row[1] for row in rows), sum(row[2] for row in rows), *mean)])
    return 0


def sections(gold: Mapping[str, object], paths: Sequence[str]) -> dict[str, str]:
    """The section of each file that one describes: the one with the longest prefix."""
    topics = gold["topics"]
    assert isinstance(topics, dict)
    prefixes = {f"{gold['package']}{prefix}": topic for topic, of in topics.items() for prefix in of}
    found = {}
    for path in paths:
        fitting = [
            prefix for prefix in prefixes if path == prefix or (prefix.endswith("/") and path.startswith(prefix))
        ]
        if fitting and path.endswith(".py"):
            found[path] = prefixes[max(fitting, key=len)]
    return found


def groupings(graph: Graph) -> dict[str, dict[str, str]]:
    """The group of each file, by how it was found."""
    covered = {edge.target: edge.source for edge in graph.edges if edge.kind == "covers"}
    places = {}
    for path in [symbol.path for symbol in graph.symbols if symbol.kind in ("module", "file")]:
        at = path
        while at and at not in covered:
            at = at[: at.rstrip("/").rfind("/") + 1]
        places[path] = covered.get(at or "./", "")
    code = [symbol for symbol in graph.symbols if symbol.path]
    paths = {symbol.path for symbol in code if symbol.kind != "directory"}
    network = networkx.Graph()
    network.add_nodes_from(sorted(paths))
    for each in sketches(code, graph.edges, paths):
        for other, step in each.uses:
            known = network.get_edge_data(each.path, other, {"weight": 0})["weight"]
            network.add_edge(each.path, other, weight=known + step)
    communities = networkx.community.louvain_communities(network, seed=0)
    return {
        "categories": {path: "/".join(place.split("/")[:2]) for path, place in places.items()},
        "areas": {path: place.split("/")[0] for path, place in places.items()},
        "directories": {path: path.rpartition("/")[0] for path in paths},
        "communities": {path: str(number) for number, each in enumerate(communities) for path in each},
    }


def agreement(wanted: Sequence[str], found: Sequence[str]) -> tuple[float, float]:
    """V-measure and adjusted Rand index."""
    both, these, those = Counter(zip(wanted, found, strict=True)), Counter(wanted), Counter(found)
    number = len(wanted)
    unknown = [
        -sum(count / number * math.log(count / side[pair[at]]) for pair, count in both.items())
        for at, side in ((1, those), (0, these))
    ]
    entropies = [-sum(count / number * math.log(count / number) for count in side.values()) for side in (these, those)]
    homogeneous, whole = (
        1.0 - left / entropy if entropy else 1.0 for left, entropy in zip(unknown, entropies, strict=True)
    )
    v = 2 * homogeneous * whole / (homogeneous + whole) if homogeneous + whole else 0.0
    pairs = sum(math.comb(count, 2) for count in both.values())
    rows, columns = (sum(math.comb(count, 2) for count in side.values()) for side in (these, those))
    chance = rows * columns / math.comb(number, 2)
    most = (rows + columns) / 2
    return v, (pairs - chance) / (most - chance) if most != chance else 1.0
