"""Edges that cannot be: calls of builtins bound to methods of the repository, and of libraries bound to its tests.

In: Python repositories with their graph files. The source is read here by Python's own `ast`, not by rpg: a call of a
name that nothing in the file binds and that is a builtin; a call through a name that an import binds to a module which
the repository does not have. Out: how many such calls there are, and which of them have a certain or possible edge.
Expected: none.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.graph import POSSIBLE_VIAS
from rpg.stores.graph_file.nodes import add_symbol_ids

from .measuring.tables import show

BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)


class Call(NamedTuple):
    line: int
    column: int
    """Of the called name, 1-based, in code points: as sites are counted."""
    name: str
    kind: str
    """builtin, library, or own: a name imported from the repository, which shows that places are compared rightly."""


class Bound(NamedTuple):
    call: Call
    path: str
    target: dict[str, Any]
    via: str


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench invented", description=__doc__)
    parser.add_argument("pairs", nargs="+", type=Path, metavar="REPO GRAPH", help="a repository and its graph file")
    parser.add_argument("--show", type=int, default=20, help="how many to show (default 20)")
    given = parser.parse_args(arguments)
    if len(given.pairs) % 2:
        parser.error("every repository needs its graph file after it")
    pairs = zip(given.pairs[::2], given.pairs[1::2], strict=True)
    found = [check(root, graph, given.show) for root, graph in pairs]
    return 1 if any(found) else 0


def check(root: Path, graph: Path, most: int) -> int:
    """How many edges there are that cannot be."""
    raw = add_symbol_ids(orjson.loads(graph.read_bytes()))
    nodes = {node["id"]: node for node in raw["nodes"]}
    paths = sorted(node["path"] for node in raw["nodes"] if node["kind"] == "module" and node["path"].endswith(".py"))
    own = top_level_modules(paths)
    edges = calls_by_site(raw, nodes)
    counts: Counter[str] = Counter()
    bound: list[Bound] = []
    for path in paths:
        try:
            tree = ast.parse((root / path).read_bytes())
        except (SyntaxError, ValueError, OSError):
            counts["files that Python cannot parse"] += 1
            continue
        lines = (root / path).read_text(encoding="utf-8-sig", errors="replace").split("\n")
        for call in foreign_calls(tree, lines, own):
            counts[call.kind] += 1
            at_site = edges.get((path, call.line, call.column), ())
            if call.kind == "own":
                counts["own, with an edge"] += bool(at_site)
                continue
            for target, via in at_site:
                bound.append(Bound(call, path, nodes[target], via))
    wrong = [each for each in bound if is_impossible(each)]
    others = [each for each in bound if not is_impossible(each)]
    show(
        f"{root.name}: calls that no symbol of the repository can answer",
        ("", "calls", "certain edges", "possible edges"),
        [
            ("builtins, bound to a method", counts["builtin"], *tallied(wrong, "builtin")),
            ("libraries, bound to test code", counts["library"], *tallied(wrong, "library")),
            ("builtins, bound to anything else", counts["builtin"], *tallied(others, "builtin")),
            ("libraries, bound to anything else", counts["library"], *tallied(others, "library")),
        ],
    )
    share = counts["own, with an edge"] / max(1, counts["own"])
    print(f"  to compare: {share:.0%} of {counts['own']:,} calls of names imported from the repository have an edge")
    if counts["files that Python cannot parse"]:
        print(f"  not read: {counts['files that Python cannot parse']} files that Python cannot parse")
    for each in (wrong + others)[:most]:
        place = f"{each.path}:{each.call.line}:{each.call.column}"
        print(f"  {place} {each.call.name} -> {each.target['id']} via {each.via}")
    sys.stdout.flush()
    return len(wrong)


def tallied(chosen: list[Bound], kind: str) -> tuple[int, int]:
    """Certain and possible ones."""
    possible = [each.via in POSSIBLE_VIAS for each in chosen if each.call.kind == kind]
    return len(possible) - sum(possible), sum(possible)


def is_impossible(bound: Bound) -> bool:
    if bound.call.kind == "builtin":
        return bound.target["kind"] in ("method", "property", "field")
    return bool(bound.target.get("test"))


def calls_by_site(raw: Any, nodes: dict[str, Any]) -> dict[tuple[str, int, int], list[tuple[str, str]]]:
    found: dict[tuple[str, int, int], list[tuple[str, str]]] = {}
    for edge in raw["edges"]:
        if edge["kind"] == "calls":
            for site in edge["sites"]:
                line, column = map(int, site.split(":"))
                path = nodes[edge["source"]]["path"]
                found.setdefault((path, line, column), []).append((edge["target"], edge["via"]))
    return found


def top_level_modules(paths: list[str]) -> frozenset[str]:
    """Every name that could be the first of a dotted module of this repository, whatever its roots are."""
    return frozenset(part.removesuffix(".py") for path in paths for part in path.split("/"))


class Scope(NamedTuple):
    names: dict[str, str]
    """Name -> the module that an import binds it to, or the empty string for any other binding."""
    is_class: bool


def foreign_calls(tree: ast.Module, lines: list[str], own: frozenset[str]) -> Iterator[Call]:
    """Calls of builtins and of what imports bind; of builtins none where a star import may bind any name."""
    is_open = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree))
    yield from in_scope(tree, [], lines, own, is_open)


def in_scope(
    node: ast.AST, around: list[Scope], lines: list[str], own: frozenset[str], is_open: bool
) -> Iterator[Call]:
    scopes = [*(scope for scope in around if not scope.is_class), Scope(bindings(node), isinstance(node, ast.ClassDef))]
    pending = list(body_of(node))
    while pending:
        each = pending.pop()
        if isinstance(each, SCOPES):
            # What stands outside of its body (decorators, bases, defaults) is read in this scope.
            pending += outer_parts(each)
            yield from in_scope(each, scopes, lines, own, is_open)
            continue
        if isinstance(each, ast.Call):
            call = classify(each.func, scopes, lines, own, is_open)
            if call is not None:
                yield call
        pending += ast.iter_child_nodes(each)


def classify(
    called: ast.expr, scopes: list[Scope], lines: list[str], own: frozenset[str], is_open: bool
) -> Call | None:
    first = called
    while isinstance(first, ast.Attribute):
        first = first.value
    if not isinstance(first, ast.Name):
        return None
    module = next((scope.names[first.id] for scope in reversed(scopes) if first.id in scope.names), None)
    if module is None:
        if first is called and first.id in BUILTINS and not is_open:
            return Call(called.lineno, column(lines, called.lineno, called.col_offset), first.id, "builtin")
    elif module and called.end_lineno and called.end_col_offset:
        name = called.attr if isinstance(called, ast.Attribute) else first.id
        start = called.end_col_offset - len(name.encode())
        kind = "own" if module.split(".")[0] in own else "library"
        return Call(called.end_lineno, column(lines, called.end_lineno, start), name, kind)
    return None


def column(lines: list[str], line: int, offset: int) -> int:
    return len(lines[line - 1].encode()[:offset].decode(errors="replace")) + 1


def body_of(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated in the scope that the node opens."""
    if isinstance(node, FUNCTIONS):
        yield from node.body if isinstance(node.body, list) else [node.body]
    elif isinstance(node, ast.ClassDef | ast.Module):
        yield from node.body
    else:
        yield from ast.iter_child_nodes(node)


def outer_parts(node: ast.AST) -> list[ast.AST]:
    parts: list[ast.AST] = [*getattr(node, "decorator_list", ()), *getattr(node, "bases", ())]
    parts += [each.value for each in getattr(node, "keywords", ())]
    if isinstance(node, FUNCTIONS):
        parts += [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]
    return parts


def bindings(node: ast.AST) -> dict[str, str]:
    """Names that the scope of a node binds. One that is bound in two ways counts as bound to something unknown."""
    found: dict[str, str] = {}

    def bind(name: str, module: str = "") -> None:
        found[name] = module if found.get(name, module) == module else ""

    if isinstance(node, FUNCTIONS):
        arguments = node.args
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if one is not None:
                bind(one.arg)
    pending = list(body_of(node))
    while pending:
        each = pending.pop()
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bind(each.name)
            pending += outer_parts(each)
            continue
        if isinstance(each, ast.Import):
            for alias in each.names:
                bind(alias.asname or alias.name.split(".")[0], alias.name)
        elif isinstance(each, ast.ImportFrom):
            for alias in each.names:
                bind(alias.asname or alias.name, "" if each.level else each.module or "")
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store | ast.Del):
            bind(each.id)
        elif isinstance(each, ast.Global | ast.Nonlocal):
            for name in each.names:
                bind(name)
        elif isinstance(each, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and each.name:
            bind(each.name)
        elif isinstance(each, ast.MatchMapping) and each.rest:
            bind(each.rest)
        elif isinstance(each, ast.NamedExpr) and isinstance(each.target, ast.Name):
            bind(each.target.id)
        if isinstance(each, ast.Lambda):
            pending += outer_parts(each)
        elif not isinstance(each, SCOPES) or isinstance(each, COMPREHENSIONS):
            # A walrus in a comprehension binds in the scope around it; its own targets do no harm there.
            pending += ast.iter_child_nodes(each)
    return found
