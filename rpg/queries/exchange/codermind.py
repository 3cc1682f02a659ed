"""The JSON of Microsoft's CoderMind and RPG-Encoder: a tree of features over a graph of dependencies.

In: a whole graph. Out: one JSON object of their fields: `nodes` on levels from the repository (0) over areas (1),
categories (2), our features (3) and files (4) to what is in them (5), `edges`, `dep_graph`, and the
map between the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, Symbol
from rpg.queries.exchange.whole_graph import WholeGraph
from rpg.queries.graph.functional_view import BETWEEN

LEVELS = ("repo", "functional_area", "category", "subcategory", "feature_group", "feature")
FILE, SYMBOL = 4, 5
RELATIONS = {"contains": "contains", "imports": "imports", "calls": "invokes", "inherits": "inherits"}
ROOT = "repository"


def codermind(graph: WholeGraph, introduction: str = "") -> Iterator[bytes]:
    dependencies = dependency_ids(graph)
    above = {edge.target: edge.source for edge in graph.edges() if edge.kind == "contains"}
    nodes = list(tree_nodes(graph, dependencies))
    placed = {node["id"] for node in nodes}
    composed = [(parent, id) for parent, id in hierarchy(graph, dependencies) if id in placed and parent in placed]
    shared = {dependencies[id]: [id] for id in dependencies if id in placed}
    between = list(dependency_edges(graph, dependencies))
    edges: list[dict[str, Any]] = [
        {"src": parent, "dst": id, "relation": "composes", "meta": None} for parent, id in composed
    ]
    edges += [
        {"src": source, "dst": target, "relation": relation,
         "meta": {"src_dep": dependencies[source], "dst_dep": dependencies[target]}}
        for source, target, relation in between
        if relation != "contains" and source in placed and target in placed
    ]  # fmt: skip
    yield orjson.dumps(
        {
            "repo_name": graph.name,
            "repo_info": introduction,
            "data_flow": [],
            "excluded_files": sorted(str(each.get("path", "")) for each in graph.header.get("skipped", ())),
            "repo_node_id": ROOT,
            "nodes": nodes,
            "edges": edges,
            "_dep_to_rpg_map": shared,
            "dep_graph": {
                "repo_dir": "",
                "nodes": {
                    dependencies[symbol.id]: dependency_node(symbol, shared.get(dependencies[symbol.id], []))
                    for symbol in graph.symbols
                    if symbol.id in dependencies
                },
                "edges": [
                    {"src": dependencies[source], "dst": dependencies[target], "attrs": {"type": relation},
                     "src_rpg_nodes": shared.get(dependencies[source], []),
                     "dst_rpg_nodes": shared.get(dependencies[target], [])}
                    for source, target, relation in [*between, *list_containments(above, dependencies)]
                ],
            },
        },
        option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE,
    )  # fmt: skip


def dependency_ids(graph: WholeGraph) -> dict[str, str]:
    """CoderMind's id of a directory, file, class or function: one colon, no slash at the end, `.` for the root."""
    found: dict[str, str] = {}
    for symbol in graph.symbols:
        kind = type_of(symbol)
        if kind == "directory":
            found[symbol.id] = symbol.path.strip("/").removeprefix("./") or "."
        elif kind == "file":
            found[symbol.id] = symbol.path
        elif kind:
            found[symbol.id] = f"{symbol.path}:{symbol.id.partition('::')[2]}"
    found.update({id: "." for id, their_path in found.items() if id == "./" or their_path == "."})
    return found


def type_of(symbol: Symbol) -> str:
    """Empty for symbols that have no node in CoderMind's graph."""
    if symbol.kind in ("module", "file"):
        return "file"
    if symbol.kind in CLASS_KINDS:
        return "class"
    if symbol.kind in FUNCTION_KINDS:
        return "function" if symbol.kind == "function" else "method"
    return "directory" if symbol.kind == "directory" else ""


def tree_nodes(graph: WholeGraph, dependencies: dict[str, str]) -> Iterator[dict[str, Any]]:
    yield node(ROOT, graph.name, 0, "directory", ".", "")
    for place, feature in graph.view.by_name.items():
        grounds = [path.strip("/") or "." for path in graph.view.grounds(place)]
        yield node(f"::{place}", feature.name, 1 + place.count(BETWEEN), "directory", grounds, "")
    for symbol in graph.symbols:
        kind = type_of(symbol)
        if kind == "file":
            yield node(symbol.id, graph.does(symbol) or symbol.name, FILE, kind, symbol.path, symbol.doc)
        elif kind and kind != "directory":
            name = graph.does(symbol) or symbol.name
            yield node(symbol.id, name, SYMBOL, kind, dependencies[symbol.id], symbol.doc)


def node(id: str, name: str, level: int, kind: str, path: str | list[str], doc: str) -> dict[str, Any]:
    meta = {"type_name": kind, "path": path, "content": "", "description": doc}
    return {"id": id, "name": name, "node_type": LEVELS[level], "level": level, "meta": meta}


def hierarchy(graph: WholeGraph, dependencies: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The parent of each node: classes and functions are below their file, files below their node of the functional
    view."""
    for place in graph.view.by_name:
        yield f"::{place.rpartition(BETWEEN)[0]}" if BETWEEN in place else ROOT, f"::{place}"
    for symbol in graph.symbols:
        kind = type_of(symbol)
        if kind == "file":
            place = graph.view.place_of(symbol.path)
            yield f"::{place}" if place else ROOT, symbol.id
        elif kind and kind != "directory":
            yield symbol.path, symbol.id


def dependency_edges(graph: WholeGraph, dependencies: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Certain edges, each pair once for each relation."""
    seen: set[tuple[str, str, str]] = set()
    for edge in graph.certain_edges():
        relation = RELATIONS.get(edge.kind, "")
        key = (edge.source, edge.target, relation)
        if relation in ("", "contains") or key in seen:
            continue
        if edge.source in dependencies and edge.target in dependencies:
            seen.add(key)
            yield key


def list_containments(above: dict[str, str], dependencies: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    for id, parent in above.items():
        if id in dependencies and parent in dependencies:
            yield parent, id, "contains"


def dependency_node(symbol: Symbol, shared: list[str]) -> dict[str, Any]:
    return {
        "type": type_of(symbol),
        "name": symbol.name,
        "module": symbol.path.strip("/").rpartition(".")[0].replace("/", "."),
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "rpg_nodes": shared,
    }
