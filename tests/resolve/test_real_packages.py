"""Packages that nobody here wrote, installed as the constraints say: counts, sameness of bytes, invariants."""

from __future__ import annotations

import ast
import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

import networkx
import pytest

import rpg
from rpg.encoder import encode as encoder
from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, EDGE_KINDS, FUNCTION_KINDS, FUNCTIONAL_KINDS, SYMBOL_KINDS, VIAS
from rpg.stores.graph_file.nodes import id_of

PACKAGES = ("click", "anyio")


@pytest.fixture(scope="module", params=PACKAGES)
def package(request: pytest.FixtureRequest) -> Path:
    specification = importlib.util.find_spec(request.param)
    assert specification
    assert specification.origin
    return Path(specification.origin).parent


@pytest.fixture(scope="module")
def encoded(package: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The graph file."""
    return made(package, tmp_path_factory.mktemp(package.name), 1)


@pytest.fixture(scope="module")
def graph(encoded: bytes) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(encoded)
    return loaded


def made(package: Path, folder: Path, workers: int) -> bytes:
    output = folder / f"{package.name}.graph.json"
    rpg.encode(package, output=str(output), workers=workers, full=True)
    return output.read_bytes()


def test_functions_and_classes_are_as_many_as_python_counts(package: Path, graph: dict[str, Any]) -> None:
    counted: Counter[str] = Counter()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                counted["class"] += 1
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_part_of_another(node):
                counted["function"] += 1
    kinds = Counter(node["kind"] for node in graph["nodes"])

    classes, functions = (sum(kinds[kind] for kind in group) for group in (CLASS_KINDS, FUNCTION_KINDS))

    assert counted["function"] > 100
    assert classes == pytest.approx(counted["class"], rel=0.02)
    assert functions == pytest.approx(counted["function"], rel=0.02)


def is_part_of_another(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Overloads belong to the symbol of the implementation, setters and deleters to that of the property."""
    names = [ast.unparse(decorator).rpartition(".")[2] for decorator in function.decorator_list]
    return bool({"overload", "setter", "deleter"} & set(names))


@pytest.mark.invariant("encoding", "encoding twice gives the same bytes, with any number of workers")
@pytest.mark.parametrize("workers", [1, 2])
def test_the_bytes_are_the_same_again_and_with_more_workers(
    package: Path, encoded: bytes, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So small a package would stay in one process whatever it is told.
    monkeypatch.setattr(encoder, "_ALONE", 0)

    assert made(package, tmp_path, workers) == encoded


def test_networkx_reads_it_with_one_line(graph: dict[str, Any]) -> None:
    loaded = networkx.node_link_graph(graph, edges="edges")

    assert loaded.is_directed()
    assert loaded.is_multigraph()
    assert loaded.number_of_nodes() == len(graph["nodes"])
    assert loaded.number_of_edges() == len(graph["edges"])
    assert loaded.graph["format"] == "rpg-graph"


@pytest.mark.invariant("edges", "`contains` edges form one tree")
def test_every_symbol_has_one_parent_and_the_whole_is_one_tree(graph: dict[str, Any]) -> None:
    parents = Counter(edge["target"] for edge in graph["edges"] if edge["kind"] == "contains")
    above = {edge["target"]: edge["source"] for edge in graph["edges"] if edge["kind"] == "contains"}

    code = [node for node in graph["nodes"] if node["kind"] not in FUNCTIONAL_KINDS]

    assert [node["path"] for node in code if parents[node["id"]] != 1] == ["./"]
    for node in graph["nodes"]:
        at, steps = node["id"], 0
        while at in above:
            at, steps = above[at], steps + 1
            assert steps < 100, f"{node['id']} stands in a circle"


def test_words_ids_and_sites_are_those_of_the_schema(package: Path, graph: dict[str, Any]) -> None:
    ids = [id_of(node) for node in graph["nodes"]]
    nodes = {node["id"]: node for node in graph["nodes"]}
    lines = {path: len((package / path).read_text("utf-8").split("\n")) for path in {n["path"] for n in nodes.values()
             if n["kind"] == "module"}}  # fmt: skip

    assert len(ids) == len(set(ids))
    assert {node["kind"] for node in graph["nodes"]} <= set(SYMBOL_KINDS)
    assert {edge["kind"] for edge in graph["edges"]} <= set(EDGE_KINDS)
    assert {edge["via"] for edge in graph["edges"]} <= set(VIAS)
    assert {node.get("language", "") for node in graph["nodes"]} <= {"", *BY_NAME}
    for node in graph["nodes"]:
        if "end_line" in node and node["path"] in lines:
            assert 1 <= node["start_line"] <= node["end_line"] <= lines[node["path"]], node["id"]
    for edge in graph["edges"]:
        source, target = nodes[edge["source"]], nodes[edge["target"]]
        for site in edge.get("sites", ()):
            line, column = map(int, site.split(":"))
            assert column >= 1
            assert 1 <= line <= lines[source["path"]], (edge, target)
        assert edge.get("sites") or edge["kind"] in ("contains", "overrides", "covers"), edge


def test_an_edge_is_one_for_source_target_kind_and_rule(graph: dict[str, Any]) -> None:
    counted = Counter((edge["source"], edge["target"], edge["kind"], edge["via"]) for edge in graph["edges"])

    assert [key for key, count in counted.items() if count > 1] == []


@pytest.mark.invariant("edges", "a site with a certain edge has no possible edge")
def test_a_site_that_resolved_certainly_is_in_no_possible_edge(graph: dict[str, Any]) -> None:
    paths = {node["id"]: node["path"] for node in graph["nodes"]}
    sites: dict[bool, set[tuple[str, str, str]]] = {True: set(), False: set()}
    for edge in graph["edges"]:
        if edge["kind"] in ("calls", "references"):
            is_possible = edge["via"] in ("unique-name", "fan-out")
            sites[is_possible] |= {(paths[edge["source"]], edge["kind"], site) for site in edge["sites"]}

    assert sites[True] & sites[False] == set()
