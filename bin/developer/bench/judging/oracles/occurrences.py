"""The one form in which every oracle answers, and its judgement of a graph.

In: an oracle's JSON or a SCIP index; a graph file; the checkout. Out: for each kind of edges how many are right, wrong
and missing. A target is a key with the places of its definitions: path, line and name. An oracle's edge is its place
of use's innermost symbol and its target; it is found if the graph has an edge from there to a symbol at such a place.
An edge of the graph is judged if the oracle knows what stands at one of its sites. Uses within the target itself are
edges like others.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rpg.encoder.confidence import is_certain

from .fields import Damaged
from .scip_index import DEFINITION, IMPORT, column_in, read_documents

UTF8, UTF16, UTF32 = 1, 2, 3
ENCODINGS = {"bytes": UTF8, "utf-16": UTF16, "code points": UTF32}
USES = {"calls", "references", "inherits", "imports"}
CALLED = re.compile(r"\s*(?:<[\w\s,.<>\[\]|]*>)?\s*\(")
IMPORTS = re.compile(r"\s*(?:import\b(?!\s*\()|from\s+\S+\s+import\b|export\s+(?:type\s+)?[{*])")
DEFINES = re.compile(r"\b(?:def|class|function)\s+$")


class Place(NamedTuple):
    path: str
    line: int
    name: str


class Use(NamedTuple):
    path: str
    line: int
    column: int
    kind: str
    target: str


class Oracle(NamedTuple):
    targets: dict[str, list[Place]]
    """A target with no place is outside of what was judged."""
    uses: list[Use]
    failed: set[str]
    judges_imports: bool = True
    joins_overloads: bool = False
    """Whether it names all declarations of an overloaded function by one of them."""
    overrides: Mapping[str, set[str]] = MappingProxyType({})
    """Each method -> those that types of the repository have in its place, however far below."""


class Count(NamedTuple):
    right: int
    wrong: int
    found: int
    missing: int
    beside: int
    """Edges to something else of this name, where the same place also has the right one: what overrides it, what flows
    there, another platform's. Overloads in the same file are not among them, but wrong."""
    examples: tuple[list[str], list[str]]


def read_json(answer: dict[str, Any], root: Path) -> Oracle:
    lines = Lines(root)
    encoding = ENCODINGS[answer["columns"]]
    failed = set(answer["failed"])
    uses = []
    for path, line, column, kind, target in answer["occurrences"]:
        text = lines.line(path, line)
        at = column_in(text, column - 1, encoding)
        if path not in failed and at >= 0:
            uses.append(Use(path, line, at + 1, kind, target))
    targets = {key: [Place(*place) for place in places] for key, places in answer["targets"].items()}
    overrides: defaultdict[str, set[str]] = defaultdict(set)
    for overriding, overridden in answer.get("overrides", ()):
        overrides[overridden].add(overriding)
    return Oracle(targets, uses, failed, answer.get("judges_imports", True), overrides=dict(overrides))


def read_scip(index: Path, root: Path, folders: list[str], *, judges_imports: bool) -> Oracle:
    """An index says what a name means, and not whether it is called: that is read from what stands behind it."""
    lines = Lines(root)
    targets: dict[str, list[Place]] = {}
    uses: list[Use] = []
    try:
        for document in read_documents(memoryview(index.read_bytes())):
            is_judged = any(document.path == folder or document.path.startswith(f"{folder}/") for folder in folders)
            for each in document.occurrences:
                text = lines.line(document.path, each.line + 1)
                start = column_in(text, each.start, document.encoding)
                end = column_in(text, each.end, document.encoding)
                symbol = f"{document.path} {each.symbol}" if each.symbol.startswith("local ") else each.symbol
                if start < 0 or end < start:
                    continue
                targets.setdefault(symbol, [])
                if symbol.endswith(("]", ")")):
                    continue  # a type's or a function's parameter, which is no symbol here
                if each.roles & DEFINITION:
                    targets[symbol].append(Place(document.path, each.line + 1, text[start:end]))
                elif is_judged and not each.symbol.startswith("local "):
                    kind = "references"
                    if each.roles & IMPORT or lines.is_in_import(document.path, each.line + 1):
                        kind = "imports"
                    elif CALLED.match(text, end) and not DEFINES.search(text, 0, start):
                        kind = "calls"
                    uses.append(Use(document.path, each.line + 1, start + 1, kind, symbol))
    except Damaged as error:
        print(f"{index}: {error}")
    return Oracle(targets, uses, set(), judges_imports, joins_overloads=True)


class Lines:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: dict[str, list[str]] = {}
        self.importing: dict[str, set[int]] = {}

    def line(self, path: str, number: int) -> str:
        if path not in self.known:
            file = self.root / path
            text = file.read_text("utf-8", "replace") if file.is_file() else ""
            self.known[path] = text.split("\n")
        lines = self.known[path]
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def is_in_import(self, path: str, number: int) -> bool:
        """Whether a line is part of a statement that imports or exports again."""
        if path not in self.importing:
            self.line(path, 1)
            self.importing[path] = found = set()
            is_open = False
            for at, line in enumerate(self.known[path], 1):
                starts = bool(IMPORTS.match(line))
                if starts or is_open:
                    found.add(at)
                    opened = sum(line.count(each) for each in "({") - sum(line.count(each) for each in ")}")
                    is_open = opened > 0 if starts else opened >= 0
        return number in self.importing[path]


class Graph:
    """A graph file, asked by places."""

    def __init__(self, path: Path) -> None:
        graph = json.loads(path.read_text())
        self.nodes = {node["id"]: node for node in graph["nodes"]}
        self.edges = graph["edges"]
        self.by_name: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        self.spans: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self.files: defaultdict[str, set[int]] = defaultdict(set)
        for node in graph["nodes"]:
            if node.get("path") and node.get("start_line"):
                self.by_name[node["path"], node["name"]].append(node)
                self.spans[node["path"]].append(node)
                if node["qualified_name"] == node["path"] or node["kind"] in ("module", "file"):
                    self.files[node["path"]].add(node["id"])
        self.starts: dict[str, list[int]] = {}
        for place, nodes in self.spans.items():
            nodes.sort(key=lambda node: (node["start_line"], -node["end_line"]))
            self.starts[place] = [node["start_line"] for node in nodes]

    def at(self, places: list[Place], joins_overloads: bool) -> set[int]:
        """The symbols that are defined there; a class is also its constructor. `joins_overloads`: a declaration that is
        no symbol stands for the definition that follows."""
        found: set[int] = set()
        for path, line, name in places:
            if not name:
                found |= self.files.get(path, set())
                continue
            around = [
                node for node in self.by_name.get((path, name), ()) if node["start_line"] <= line <= node["end_line"]
            ]
            if around:
                found.add(max(around, key=lambda node: node["start_line"])["id"])
            elif joins_overloads:
                after = [node for node in self.by_name.get((path, name), ()) if node["start_line"] > line]
                found |= {node["id"] for node in sorted(after, key=lambda node: node["start_line"])[:1]}
        return found

    def around(self, path: str, line: int) -> int:
        nodes = self.spans.get(path, [])
        for node in reversed(nodes[: bisect_right(self.starts.get(path, []), line)]):
            if node["start_line"] <= line <= node["end_line"]:
                return int(node["id"])
        return -1


def judge(oracle: Oracle, graph: Graph, root: Path, *, certain_alone: bool, examples: int = 0) -> dict[str, Count]:
    """By kind: the graph's judged edges, and the oracle's edges within the repository."""
    resolved = {key: graph.at(places, oracle.joins_overloads) for key, places in oracle.targets.items()}
    at_place: defaultdict[tuple[str, int, int], set[str]] = defaultdict(set)
    wanted: defaultdict[tuple[str, int, str], list[Use]] = defaultdict(list)
    lines = Lines(root)
    imported = pairs_of_imports(oracle, modules_alone=False)
    known_files = {use.path for use in oracle.uses}
    judged = find_places_with_right_edge(graph, oracle, resolved)
    for use in oracle.uses:
        if use.kind == "imports":
            continue
        at_place[use.path, use.line, use.column].add(use.target)
        if oracle.targets[use.target]:
            wanted[use.kind, graph.around(use.path, use.line), use.target].append(use)
    has: defaultdict[tuple[str, int, int], set[int]] = defaultdict(set)
    right: defaultdict[str, int] = defaultdict(int)
    beside: defaultdict[str, int] = defaultdict(int)
    wrong: defaultdict[str, list[str]] = defaultdict(list)
    missing: defaultdict[str, list[str]] = defaultdict(list)
    has_imports: set[tuple[str, str]] = set()
    for edge in graph.edges:
        if edge["kind"] not in USES or not edge.get("sites"):
            continue
        source, target = graph.nodes[edge["source"]], graph.nodes[edge["target"]]
        if certain_alone and not is_certain(source.get("language", ""), edge["via"]):
            continue
        verdicts = []
        is_beside = False
        if edge["kind"] == "imports" and oracle.judges_imports:
            has_imports.add((source["path"], target["path"]))
            if source["path"] in imported and target["path"] in known_files:
                verdicts.append(target["path"] in imported[source["path"]])
        for site in () if edge["kind"] == "imports" else edge["sites"]:
            line, _, column = site.partition(":")
            place = (source["path"], int(line), int(column or 1))
            has[place].add(target["id"])
            known = at_place.get(place)
            if known and is_spelled(target["name"], lines.line(source["path"], int(line)), int(column or 1)):
                verdicts.append(any(is_meant(graph, target["id"], resolved[key], oracle) for key in known))
                is_beside = is_beside or (
                    not verdicts[-1] and place in judged and is_other(graph, target, known, resolved)
                )
        if any(verdicts):
            right[edge["kind"]] += 1
        elif verdicts and is_beside:
            beside[edge["kind"]] += 1
        elif verdicts:
            place = f"{target['path']}:{target.get('start_line')} {target['qualified_name']}"
            wrong[edge["kind"]].append(f"{source['path']}:{edge['sites'][0]} {edge['via']} -> {place}")
    found: defaultdict[str, int] = defaultdict(int)
    wanted_imports = pairs_of_imports(oracle, modules_alone=True) if oracle.judges_imports else {}
    for path, files in wanted_imports.items():
        for file in sorted(files):
            if (path, file) in has_imports:
                found["imports"] += 1
            else:
                missing["imports"].append(f"{path} -> {file}")
    for (kind, _, key), uses in wanted.items():
        hits = (target for use in uses for target in has.get((use.path, use.line, use.column), ()))
        if any(is_meant(graph, target, resolved[key], oracle) for target in hits):
            found[kind] += 1
        else:
            place, use = oracle.targets[key][0], uses[0]
            missing[kind].append(f"{use.path}:{use.line}:{use.column} -> {place.path}:{place.line} {place.name}")
    return {
        kind: Count(
            right[kind], len(wrong[kind]), found[kind], len(missing[kind]), beside[kind], (wrong[kind], missing[kind])
        )
        for kind in sorted({*right, *wrong, *found, *missing, *beside})
    }


def judge_dispatch(oracle: Oracle, graph: Graph) -> Count:
    """What calls of methods may run that are overridden in the repository: each override, for each place that calls
    what it overrides. The graph has it if it has an edge to what is called, and it overrides that."""
    below: defaultdict[int, set[int]] = defaultdict(set)
    for edge in graph.edges:
        if edge["kind"] == "overrides":
            below[edge["target"]].add(edge["source"])
    called: defaultdict[tuple[str, int, int], set[int]] = defaultdict(set)
    for edge in graph.edges:
        if edge["kind"] == "calls":
            for site in edge.get("sites", ()):
                line, _, column = site.partition(":")
                called[graph.nodes[edge["source"]]["path"], int(line), int(column or 1)].add(edge["target"])
    right = found = 0
    wrong: list[str] = []
    missing: list[str] = []
    judged_files = {use.path for use in oracle.uses}
    for use in oracle.uses:
        over = oracle.overrides.get(use.target)
        if use.kind != "calls" or not over or not oracle.targets[use.target]:
            continue
        meant = [graph.at(oracle.targets[key], False) for key in sorted(over) if oracle.targets[key]]
        itself = graph.at(oracle.targets[use.target], False)
        named = called[use.path, use.line, use.column]
        held = find_below(below, named & itself) | named
        found += sum(1 for each in meant if each & held)
        place = f"{use.path}:{use.line}:{use.column}"
        missing += [f"{place} -> {describe(graph, each)}" for each in meant if not each & held]
        known = {id for each in meant for id in each}
        right += len(held & known)
        others = find_below(below, named & itself) - known - itself
        wrong += [f"{place} -> {describe(graph, {id})}" for id in others if graph.nodes[id]["path"] in judged_files]
    return Count(right, len(wrong), found, len(missing), 0, (wrong, missing))


def describe(graph: Graph, ids: set[int]) -> str:
    return " | ".join(
        f"{node['path']}:{node['start_line']} {node['name']}" for node in map(graph.nodes.get, ids) if node
    )


def find_below(below: dict[int, set[int]], start: set[int]) -> set[int]:
    """All that overrides what one starts from."""
    found: set[int] = set()
    pending = list(start)
    while pending:
        for each in below.get(pending.pop(), ()):
            if each not in found:
                found.add(each)
                pending.append(each)
    return found


def find_places_with_right_edge(
    graph: Graph, oracle: Oracle, resolved: dict[str, set[int]]
) -> set[tuple[str, int, int]]:
    wanted: defaultdict[tuple[str, int, int], set[str]] = defaultdict(set)
    for use in oracle.uses:
        wanted[use.path, use.line, use.column].add(use.target)
    found: set[tuple[str, int, int]] = set()
    for edge in graph.edges:
        if edge["kind"] in USES and edge["kind"] != "imports":
            for site in edge.get("sites", ()):
                line, _, column = site.partition(":")
                place = (graph.nodes[edge["source"]]["path"], int(line), int(column or 1))
                if any(is_meant(graph, edge["target"], resolved[key], oracle) for key in wanted.get(place, ())):
                    found.add(place)
    return found


def is_meant(graph: Graph, target: int, wanted: set[int], oracle: Oracle) -> bool:
    return target in wanted or is_kin(graph, graph.nodes[target], wanted, oracle.joins_overloads)


def is_other(graph: Graph, target: dict[str, Any], known: set[str], resolved: dict[str, set[int]]) -> bool:
    """Whether an edge is to something of that name in another type or file: no overload in one place."""
    return all(
        graph.nodes[id]["path"] != target["path"] or graph.nodes[id]["qualified_name"] != target["qualified_name"]
        for key in known
        for id in resolved[key]
    )


def pairs_of_imports(oracle: Oracle, *, modules_alone: bool) -> dict[str, set[str]]:
    """The files that each file imports; an import is not judged by its place, as what it names may be a part of one.
    `modules_alone`: a name may come from another file than the one that is imported, which exports it again."""
    pairs: defaultdict[str, set[str]] = defaultdict(set)
    for use in oracle.uses:
        if use.kind == "imports":
            places = oracle.targets[use.target]
            if modules_alone and oracle.joins_overloads:
                places = [place for place in places if not place.name]
            pairs[use.path] |= {place.path for place in places if place.path != use.path}
    return dict(pairs)


def is_spelled(name: str, line: str, column: int) -> bool:
    """Whether an edge to that name can be judged by what the compiler says of this place: an implicit call of an
    operator's or a protocol's method stands where something else is named."""
    return not (name.startswith(("__", "operator", "[")) and not line.startswith(name, column - 1))


def is_kin(graph: Graph, target: dict[str, Any], wanted: set[int], joins_overloads: bool) -> bool:
    """A class and its constructor are one target; where the oracle joins them, so are overloads."""
    for id in wanted:
        other = graph.nodes[id]
        if joins_overloads and (target["path"], target["qualified_name"]) == (other["path"], other["qualified_name"]):
            return True
        first, second = sorted((target["qualified_name"], other["qualified_name"]), key=len)
        if target["path"] == other["path"] and second.startswith(f"{first}."):
            last = second.rpartition(".")[2]
            if last in ("constructor", "__init__", "__new__", first.rpartition(".")[2]):
                return True
    return False
