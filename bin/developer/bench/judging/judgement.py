"""Which edges of a graph the gold calls right and wrong, by language and rule.

In: a graph file and the gold files of its repository, as the call-graph benchmark stores them; symbols are matched to
the gold's definitions by that benchmark's own modules. Out: counts. A site is judged where the gold has a reference at
that very line and column and knows what it means; an edge is right where every judged site of it is. An edge whose
sites the gold left open is judged by what was called while the repository's tests ran, if the source then called that
name. Not judged: a target that is related to the true one by overriding, or that a second gold or the run saw. The
gold knows references by their names, so `protocol` and `framework`, which have none, are judged by the run alone.
`contains`, `tests`, `overrides` and `documents` follow from others.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.stores.graph_file.nodes import add_symbol_ids

JUDGED_KINDS = ("calls", "references", "inherits")
WITHOUT_NAMES = frozenset({"protocol", "framework"})


class Verdict(NamedTuple):
    language: str
    via: str
    kind: str
    is_right: bool
    source: str
    target: str
    sites: tuple[str, ...]


class Benchmark(NamedTuple):
    """The scorer's modules and its gold."""

    scorer: Any
    reader: Any
    gold: Path

    def first_gold(self, repository: str) -> Path | None:
        found = sorted(
            path
            for path in self.gold.glob(f"*/{repository}.*.json*")
            if path.name.split(".")[1] not in ("jedi", "trace")
        )
        return found[0] if found else None


def load_benchmark(folder: Path) -> Benchmark:
    """Imports the scorer from the folder that the user named."""
    sys.path.insert(0, str(folder))
    return Benchmark(importlib.import_module("score_repo"), importlib.import_module("graphio"), folder / "gold")


def verdicts(benchmark: Benchmark, graph_path: Path, gold_path: Path) -> Iterator[Verdict]:
    raw = add_symbol_ids(orjson.loads(graph_path.read_bytes()))
    gold = benchmark.scorer.Gold(plain_name(gold_path))
    matched = benchmark.scorer.align(benchmark.reader.load(raw), gold)
    evidence = gathered(benchmark, gold, gold_path)
    nodes = {node["id"]: node for node in raw["nodes"]}
    covered = {node["path"] for node in gold.nodes.values()}
    for edge in raw["edges"]:
        source = nodes[edge["source"]]
        path = source.get("path", "")
        if path not in gold.files or nodes[edge["target"]].get("path") not in covered:
            continue
        if edge["target"] not in matched:
            continue
        target = gold.canon(matched[edge["target"]])
        if edge["kind"] == "imports":
            verdict = import_verdict(gold, path, target.split("::")[0])
        elif edge["kind"] in JUDGED_KINDS and not target.endswith("::"):
            place = Place(path, matched.get(edge["source"], ""), target, edge["via"])
            verdict = edge_verdict(gold, evidence, place, edge["sites"])
        else:
            verdict = None
        if verdict is not None:
            language = source.get("language", "")
            ends = edge["source"], edge["target"]
            yield Verdict(language, edge["via"], edge["kind"], verdict, *ends, tuple(edge["sites"]))


def plain_name(gold: Path) -> str:
    """The scorer looks for the `.gz` by itself."""
    return str(gold).removesuffix(".gz")


Meanings = dict[tuple[str, int, int], tuple[set[str], set[str]]]
"""(path, line, column) -> what the gold resolved the reference there to, and how it ended: in, ext, other, none."""


class Evidence(NamedTuple):
    gold: Meanings
    pairs: set[tuple[str, str]]
    """Symbols that the second gold, or the run, connects."""
    run: dict[tuple[str, str], set[str]]
    """(source, called name) -> what was called while the tests ran."""


class Place(NamedTuple):
    path: str
    source: str
    target: str
    via: str


def gathered(benchmark: Benchmark, gold: Any, gold_path: Path) -> Evidence:
    name = gold_path.name.split(".")[0]
    second, trace = (str(gold_path.with_name(f"{name}.{kind}.json")) for kind in ("jedi", "trace"))
    found = Evidence(meanings(gold), set(), {})
    if benchmark.reader.there(second):
        found.pairs.update(benchmark.scorer.Gold(second).uses)
    if benchmark.reader.there(trace):
        for row in benchmark.reader.read_json(trace)["edges"]:
            source, target = row[0], gold.canon(row[1])
            found.pairs.add((source, target))
            found.run.setdefault((source, called_name(target)), set()).add(target)
    return found


def meanings(gold: Any) -> Meanings:
    found: Meanings = {}
    for path, line, column, _name, _role, _own, status, targets in gold.d["sites"]:
        at = found.setdefault((path, line, column + 1), (set(), set()))
        at[0].update(gold.canon(target) for target in targets)
        at[1].add(status)
    return found


def called_name(symbol: str) -> str:
    return symbol.rsplit("::", 1)[-1].rsplit(".", 1)[-1]


def edge_verdict(gold: Any, evidence: Evidence, place: Place, sites: list[str]) -> bool | None:
    said = set()
    if place.via not in WITHOUT_NAMES:
        for site in sites:
            line, column = map(int, site.split(":"))
            said.add(site_verdict(gold, evidence.gold, place, (place.path, line, column)))
    said.discard(None)
    if not said:
        seen = evidence.run.get((place.source, called_name(place.target)), set())
        if not seen or (place.target not in seen and is_related(gold, place.target, seen)):
            return None
        return place.target in seen
    if False in said and (place.source, place.target) in evidence.pairs:
        return None
    return False not in said


def site_verdict(gold: Any, known: Meanings, place: Place, at: tuple[str, int, int]) -> bool | None:
    targets, ends = known.get(at, (set(), set()))
    if place.target in targets:
        return True
    if "in" not in ends and ends != {"ext"}:
        return None
    return None if is_related(gold, place.target, targets) else False


def is_related(gold: Any, target: str, others: set[str]) -> bool:
    """Whether it overrides one of them, or is overridden."""
    return any(target in gold.fam.get(each, ()) for each in others)


def import_verdict(gold: Any, path: str, target: str) -> bool | None:
    if target == path or gold.d.get("imports_unit") == "package" or not gold.d.get("imports"):
        return None
    return (path, target) in gold.imports


def shares(found: list[Verdict], least: int) -> dict[str, dict[str, float]]:
    """language -> rule -> share of right edges, where at least `least` were judged."""
    right: dict[str, Counter[str]] = defaultdict(Counter)
    judged: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict in found:
        judged[verdict.language][verdict.via] += 1
        right[verdict.language][verdict.via] += verdict.is_right
    return {
        language: table
        for language in sorted(judged)
        if (
            table := {
                via: round(right[language][via] / count, 3)
                for via, count in sorted(judged[language].items())
                if count >= least
            }
        )
    }
