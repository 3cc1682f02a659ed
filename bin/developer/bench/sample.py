"""Edges drawn at random with their source, to be judged by reading.

In: a graph file and the repository that it was made of, a seed and a count. Every edge of the chosen kinds is as likely
as any other. Out: each edge with its rule and whether it is certain, the source around its first site, and the head of
its target: a person says which of them are right.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from rpg.queries.graph.certainty import is_certain
from rpg.stores.graph_file.nodes import add_symbol_ids

KINDS = ("calls", "imports", "inherits", "references")
"""The kinds that rest on a site of their own; the others follow from these, or from the structure."""
SITES_SHOWN = 4


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench sample", description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("graph", type=Path)
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same edges (default 1)")
    parser.add_argument("--count", type=int, default=60, help="how many to draw (default 60)")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, help=f"default {', '.join(KINDS)}")
    parser.add_argument("--around", type=int, default=3, help="lines of context before and after a site (default 3)")
    given = parser.parse_args(arguments)
    raw = add_symbol_ids(orjson.loads(given.graph.read_bytes()))
    nodes = {node["id"]: node for node in raw["nodes"]}
    drawn = draw(raw["edges"], given.kinds, given.seed, given.count)
    print(f"{given.graph.name}, seed {given.seed}: {len(drawn)} of {', '.join(given.kinds)}")
    sure: Counter[str] = Counter()
    for number, edge in enumerate(drawn, 1):
        language = nodes[edge["source"]].get("language", "")
        word = "certain" if is_certain(raw["graph"], edge["via"], language) else "possible"
        sure[word] += 1
        print(f"\n{number}. {edge['source']} {edge['kind']} {edge['target']}   via {edge['via']}, {word}")
        print("\n".join(shown(given.repository, nodes, edge, given.around)))
    print("\n" + ", ".join(f"{count} {word}" for word, count in sorted(sure.items())))
    return 0


def draw(edges: list[dict[str, Any]], kinds: Sequence[str], seed: int, count: int) -> list[dict[str, Any]]:
    """So many edges of these kinds, each as likely as any other; the same ones again for the same seed."""
    chosen = [edge for edge in edges if edge["kind"] in kinds]
    return random.Random(seed).sample(chosen, min(count, len(chosen)))


def shown(root: Path, nodes: dict[str, dict[str, Any]], edge: dict[str, Any], around: int) -> list[str]:
    """The lines around the first site, and where the target begins."""
    path = nodes[edge["source"]]["path"]
    sites = edge["sites"]
    line, column = map(int, sites[0].split(":"))
    out = [f"   {path}:{' '.join(sites[:SITES_SHOWN])}" + (f" of {len(sites)}" if len(sites) > SITES_SHOWN else "")]
    lines = source_lines(root / path)
    for number in range(max(1, line - around), min(len(lines), line + around) + 1):
        out.append(f"   {'>' if number == line else ' '}{number:6} {lines[number - 1]}")
        if number == line:
            out.append(f"           {' ' * (column - 1)}^")
    target = nodes[edge["target"]]
    name_line = target.get("name_line")
    if name_line:
        head = source_lines(root / target["path"])[name_line - 1].strip()
        out.append(f"   = {target['path']}:{name_line} {head}")
    return out


def source_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8-sig", errors="replace").split("\n") if path.is_file() else []
