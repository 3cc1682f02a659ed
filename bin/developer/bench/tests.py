"""Which tests `rpg tests` names for a function, and which really run it.

In: checkouts with a `.coverage` that was recorded with a context for each test (`pytest --cov --cov-context=test`), a
seed. Out: for functions that the seed draws, of those that some test runs: how many of the tests that run it are named,
and how much of the suite that is. Tests are counted without their parameters.

    git clone https://github.com/pallets/click && cd click && pip install -e . pytest pytest-cov
    pytest --cov=src/click --cov-context=test --cov-report=
    bin/bench tests . --functions 10 --seed 39
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import NamedTuple

from bench.measuring.tables import show
from rpg.encoder.options import options_for
from rpg.graph import FUNCTION_KINDS
from rpg.queries.graph.nodes import Node, members, nodes
from rpg.queries.tests_to_run.answer import find_tests
from rpg.queries.tests_to_run.coverage_files import ANONYMOUS, LARGEST, read_coverage
from rpg.queries.tests_to_run.measured import Coverage, body_start
from rpg.repository import encode
from rpg.system.filesystem import read_file
from rpg.tools.calling.call import Call, View
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings


class Judged(NamedTuple):
    ran: int
    """How many tests run the function."""
    found: int
    """How many of these are named."""
    share: float
    """How much of the suite is named."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench tests", description=__doc__.split("\n")[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--functions", type=int, default=10, help="how many of each repository")
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--all", action="store_true", help="all tests that may run it, however doubtful")
    parser.add_argument("--list", action="store_true", help="a line for each function")
    given = parser.parse_args(arguments)
    rows, every = [], []
    with tempfile.TemporaryDirectory() as folder:
        for root in given.repositories:
            graph = Path(folder) / f"{root.resolve().name}.graph.json"
            encode(root.resolve(), graph, options_for(root.resolve()))
            with Call(Graphs([graph], Settings(anywhere=True))).view("") as view:
                judged = list(judge(view, root.resolve(), given))
            rows.append([root.resolve().name, *figures(judged)])
            every += judged
    rows.append(["all", *figures(every)])
    show("", ["", "functions", "recall", "recall, pooled", "share, median", "share, mean"], rows)
    return 0


def judge(view: View, root: Path, given: argparse.Namespace) -> Iterator[Judged]:
    coverage = Coverage(view.index, read_coverage(read_file(root / ".coverage", LARGEST), ".coverage"), root, "")
    names = {name for lines in coverage.by_path.values() for found in lines.values() for name in found}
    suite = {row for name in names - {ANONYMOUS} for row in coverage.rows_of(name)}
    functions = [
        (node, ran)
        for path in sorted(coverage.by_path)
        for node in nodes(view.index, "s.path = ? AND s.test = 0 ORDER BY s.id", (path,))
        if node.kind in FUNCTION_KINDS and (ran := tests_that_ran(view, coverage, node))
    ]
    Random(given.seed).shuffle(functions)
    for node, ran in functions[: given.functions]:
        _, chosen = find_tests(view.index, view.header, [node], "", given.all)
        named = {each.node.row for each in chosen} & suite
        if given.list:
            print(f"{node.id}: {len(ran & named)} of {len(ran)} found, {len(named)} of {len(suite)} named")
        yield Judged(len(ran), len(ran & named), len(named) / len(suite))


def tests_that_ran(view: View, coverage: Coverage, node: Node) -> set[int]:
    """Those that ran a line of its body, without what is nested in it."""
    inner = [each for each in members(view.index, node.row) if each.start_line]
    own = [
        line
        for line in range(body_start(node), node.end_line + 1)
        if not any(each.start_line <= line <= each.end_line for each in inner)
    ]
    ran = {name for line in own for name in coverage.by_path[node.path].get(line, ())} - {ANONYMOUS}
    return {row for name in ran for row in coverage.rows_of(name)}


def figures(judged: list[Judged]) -> list[str]:
    if not judged:
        return ["0", "", "", "", ""]
    return [
        str(len(judged)),
        f"{mean(each.found / each.ran for each in judged):.3f}",
        f"{sum(each.found for each in judged) / sum(each.ran for each in judged):.3f}",
        f"{median(each.share for each in judged):.3f}",
        f"{mean(each.share for each in judged):.3f}",
    ]
