"""How well search finds: the open retrieval tasks by repository and mode, each part of the ranking off in turn, copies,
cost.

In: a folder with TASK/REPOSITORY/queries.jsonl and src (doc, hist; ident is asked of the sources of hist). Questions
are asked in this process, or of the real server with --mcp.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.encoder.languages import ranks_behind
from rpg.errors import BadRequest
from rpg.graph import Graph
from rpg.queries.graph.nodes import Node
from rpg.queries.search.by_feature import places_for
from rpg.queries.search.hits import Mode, Wanted
from rpg.queries.search.naming import name_weights
from rpg.queries.search.order import ranking_weights
from rpg.queries.search.search import search
from rpg.repository import index_path
from rpg.stores.index import stored_graph
from rpg.stores.index.index import BrokenIndex, Index
from rpg.stores.search import build, field_weights
from rpg.text.term_frequencies import FIELDS

from .judging.copies import disguised, renamed
from .judging.ranks import Asked, Ranked, asked, judged, mean
from .measuring.conversation import Conversation
from .measuring.processes import RPG, RPG_MCP
from .measuring.tables import show

TASKS = {
    "doc": ("MRR@10", "R@1", "R@10"),
    "hist": ("file@1", "file@5", "func@10"),
    "ident": ("R@1", "R@5", "exact", "case", "typo", "partial", "qualified"),
}
"""With the figures that are shown."""
MODES = ("auto", "snippets", "features")
SOURCES_OF = {"doc": "doc", "hist": "hist", "ident": "hist"}
LIMIT = 20

Find = Callable[[str], list[Ranked]]


class Corpus(NamedTuple):
    """One task of one repository."""

    task: str
    repository: str
    queries: list[Asked]
    graph: Path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench search", description=__doc__)
    parser.add_argument("corpus", type=Path, help="the folder with the tasks")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--repositories", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--graphs", type=Path, help="where their graphs are or are to be kept (default: nowhere)")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=["auto"], help="ask in each of these")
    parser.add_argument("--mcp", action="store_true", help="ask the server, not this process (not for features)")
    parser.add_argument("--copies", type=int, default=0, metavar="N", help="also seek copies of N functions of each")
    parser.add_argument("--cost", action="store_true", help="also what the index costs, in CPU seconds and in bytes")
    parser.add_argument("--ablation", action="store_true", help="then turn each part off and say what is lost")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="rpg-bench-") as scratch:
        corpora = read(given.corpus, given.tasks, given.repositories, given.graphs or Path(scratch))
        if not corpora:
            print(f"there is no TASK/REPOSITORY/queries.jsonl in {given.corpus}", file=sys.stderr)
            return 2
        by_mode = {
            mode: measured(corpora, partial(over_mcp if given.mcp else in_process, mode=mode)) for mode in given.modes
        }
        for mode, results in by_mode.items():
            report(results, given.tasks, mode)
        if len(by_mode) > 1:
            compare(by_mode, given.tasks)
        if given.copies:
            copies(sources(corpora), given.copies)
        if given.cost:
            costs(sources(corpora), Path(scratch))
        if given.ablation:
            whole = by_mode.get("auto") or measured(corpora, in_process)
            ablation(corpora, whole, given.tasks, Path(scratch))
    return 0


def read(folder: Path, tasks: Iterable[str], only: list[str] | None, graphs: Path) -> list[Corpus]:
    """With a graph for each, made where it is not there."""
    corpora = []
    for task in tasks:
        for queries in sorted(folder.glob(f"{task}/*/queries.jsonl")):
            repository = queries.parent.name
            if only and repository not in only:
                continue
            source = SOURCES_OF[task]
            graph = graphs.absolute() / f"{source}-{repository}.graph.json"
            if not is_served(graph):
                tree = folder / source / repository / "src"
                subprocess.run([*RPG, "encode", str(tree), "-o", str(graph)], check=True, capture_output=True)
            lines = queries.read_bytes().splitlines()
            corpora.append(Corpus(task, repository, [asked(orjson.loads(line)) for line in lines], graph))
    return corpora


def is_served(graph: Path) -> bool:
    """Whether it is there, with an index of this very rpg's making."""
    try:
        Index.open_read_only(index_path(graph)).close()
    except BrokenIndex:
        return False
    return True


Results = dict[tuple[str, str], dict[str, float]]
"""Figures by task and repository."""


def measured(corpora: Iterable[Corpus], asking: Callable[[Path], Any]) -> Results:
    results = {}
    for corpus in corpora:
        with asking(corpus.graph) as find:
            results[corpus.task, corpus.repository] = mean(judged(each, find(each.text)) for each in corpus.queries)
    return results


@contextmanager
def in_process(graph: Path, mode: Mode = "auto") -> Iterator[Find]:
    index = Index.open_read_only(index_path(graph))
    ask = by_place if mode == "features" else by_symbol

    def find(text: str) -> list[Ranked]:
        try:
            return ask(index, Wanted(query=text, mode=mode, limit=LIMIT))
        except BadRequest:
            return []

    try:
        yield find
    finally:
        index.close()


def by_symbol(index: Index, wanted: Wanted) -> list[Ranked]:
    answer = search(index, wanted)
    lines = [ranked(hit.node) for hit in (answer.texts.hits if answer.texts else ()) if hit.node]
    return list(dict.fromkeys([*lines, *(ranked(hit.node) for hit in answer.hits)]))


def by_place(index: Index, wanted: Wanted) -> list[Ranked]:
    """What a reader of the answer has: the symbols that it names of each area, category and feature, place by place."""
    return [ranked(hit.node) for place in places_for(index, wanted, None) for hit in place.best]


def ranked(node: Node) -> Ranked:
    return Ranked(node.path, node.label, node.kind, node.start_line, node.end_line)


@contextmanager
def over_mcp(graph: Path, mode: Mode = "auto") -> Iterator[Find]:
    server = Conversation([*RPG_MCP, "--structured", str(graph)])
    server.initialize()
    server.initialized()

    def find(text: str) -> list[Ranked]:
        result = server.call("search", {"query": text, "mode": mode, "limit": LIMIT})
        hits = result.get("structuredContent", {}).get("hits", [])
        return [
            Ranked(hit["path"], hit["name"], hit["kind"], *map(int, (hit["lines"] or "0-0").split("-"))) for hit in hits
        ]

    try:
        yield find
    finally:
        server.end()


def report(results: Results, tasks: Iterable[str], mode: str) -> None:
    for task in tasks:
        figures = TASKS[task]
        of_task = {repository: found for (each, repository), found in results.items() if each == task}
        rows = [*of_task.items(), ("mean", mean(of_task.values()))]
        show(
            f"{task}, mode {mode}, percent",
            ("", *figures),
            [(name, *(found[figure] * 100 for figure in figures)) for name, found in rows],
        )
    sys.stdout.flush()


def compare(by_mode: Mapping[str, Results], tasks: Iterable[str]) -> None:
    """The means of each task, mode by mode."""
    for task in tasks:
        rows = [
            (mode, *(overall(results, task)[figure] * 100 for figure in TASKS[task]))
            for mode, results in by_mode.items()
        ]
        show(f"{task}, mean by mode, percent", ("", *TASKS[task]), rows)
    sys.stdout.flush()


def sources(corpora: Iterable[Corpus]) -> dict[str, Path]:
    """A graph of each repository, with its documentation where there is one."""
    graphs = {corpus.repository: corpus.graph for corpus in corpora}
    graphs |= {corpus.repository: corpus.graph for corpus in corpora if corpus.task != "doc"}
    return dict(sorted(graphs.items()))


SHORTEST = 5
"""Lines of the copy of a function: what is shorter has many that are built alike."""
SEED = 1


def copies(graphs: dict[str, Path], count: int) -> None:
    """How often the original comes first for a copy in which names are new and the layout another."""
    rows = []
    for repository, graph in graphs.items():
        index = Index.open_read_only(index_path(graph))
        functions = [
            Source(*row)
            for row in index.rows(
                "SELECT symbol, path, language, start_line, end_line FROM symbols WHERE kind IN ('function', 'method')"
                " AND NOT test AND end_line - start_line >= ? ORDER BY id",
                (SHORTEST - 1,),
            )
        ]
        random.Random(SEED).shuffle(functions)
        found = []
        for function in functions:
            try:
                made = [make(function.text(index), function.language) for make in (renamed, disguised)]
            except ValueError:
                continue
            if made[0].count("\n") + 1 >= SHORTEST:
                found.append([sought(index, function, copy) for copy in made])
                if len(found) == count:
                    break
        index.close()
        shares = [100 * sum(column) / max(1, len(found)) for column in zip(*found, strict=True)]
        rows.append((repository, len(found), *shares))
    show(
        f"copies that find the original first, percent (functions of {SHORTEST} lines or more, no tests)",
        ("", "functions", "own names new", "every name new"),
        rows,
    )
    sys.stdout.flush()


class Source(NamedTuple):
    symbol: str
    path: str
    language: str
    start: int
    end: int

    def text(self, index: Index) -> str:
        return "\n".join(index.source(self.path).decode().split("\n")[self.start - 1 : self.end])


def sought(index: Index, function: Source, copy: str) -> bool:
    """Whether the first hit is the function, or another place of the very same text."""
    hits = search(index, Wanted(query=copy, mode="similar", limit=1)).hits
    return any(function.symbol in (hit.node.id, *(each.id for each in hit.copies)) for hit in hits)


def costs(graphs: dict[str, Path], scratch: Path) -> None:
    """Of the search tables alone, made of the words that the encoder counted."""
    rows = []
    for repository, graph in graphs.items():
        index = Index.open_read_only(index_path(graph))
        functions = index.value("SELECT count(*) FROM symbols WHERE kind IN ('function', 'method', 'property')")
        symbols = index.value("SELECT count(*) FROM symbols")
        size = index_path(graph).stat().st_size - index.value("SELECT sum(length(source)) FROM files")
        index.close()
        seconds = min(rebuilt(index_path(graph), scratch / "cost.graph.db") for _ in range(3))
        (scratch / "cost.graph.db").unlink()
        rows.append((repository, functions, seconds, seconds / functions * 10_000, size / symbols))
    show(
        "search tables: CPU seconds, the least of three; the whole index without sources, bytes a symbol",
        ("", "functions", "seconds", "per 10,000 functions", "bytes a symbol"),
        rows,
    )
    sys.stdout.flush()


class Part(NamedTuple):
    """A part of the ranking, and what turns it off."""

    name: str
    off: list[tuple[object, str, Any]]
    """Module, constant, value."""
    is_indexed: bool = False
    """Whether the index has to be made again without it."""


def parts() -> list[Part]:
    weights = field_weights.WEIGHTS
    fields = [*FIELDS, "callers", "test callers"]
    return [
        Part("vectors", [(ranking_weights, "SEMANTIC", 0.0)]),
        Part("near terms", [(ranking_weights, "NEAR_WEIGHT", 0.0)]),
        Part("hits that use one another", [(ranking_weights, "BESIDE", 0.0)]),
        Part("share of words covered", [(ranking_weights, "COVERED", 0.0)]),
        Part(
            "tests stand behind",
            [
                (ranking_weights, "STANDING_BEHIND", 1.0),
                (ranking_weights, "TESTS_ASKED", 1.0),
                (name_weights, "TESTS_BEHIND", 0.0),
            ],
        ),
        Part("inner functions stand behind", [(ranking_weights, "STANDING_INSIDE", 1.0)]),
        Part(
            "each file once before a second time",
            [(ranking_weights, "AGAIN", 1.0), (ranking_weights, "AGAIN_IN_SENTENCE", 1.0)],
        ),
        Part("idf tempered", [(ranking_weights, "IDF_POWER", 1.0), (ranking_weights, "IDF_POWER_LONG", 1.0)]),
        Part("names by likeness", [(name_weights, "LEAST_LIKELY_NAME", 2.0)]),
        *(
            Part(f"field {fields[number]}", [(field_weights, "WEIGHTS", {**weights, number: 0.0})], True)
            for number in weights
        ),
    ]


def ablation(corpora: list[Corpus], whole: Results, tasks: list[str], scratch: Path) -> None:
    columns = [(task, figure) for task in tasks for figure in TASKS[task][:3]]
    rows = [("all parts, mean", *(overall(whole, task)[figure] * 100 for task, figure in columns))]
    for part in parts():
        with turned_off(part):
            results = measured(anew(corpora, scratch) if part.is_indexed else corpora, in_process)
        lost = [(overall(results, task)[figure] - overall(whole, task)[figure]) * 100 for task, figure in columns]
        rows.append((f"without {part.name}", *lost))
    show("points won by going without", ("", *(f"{task} {figure}" for task, figure in columns)), rows)


def overall(results: Results, task: str) -> dict[str, float]:
    return mean(found for (each, _), found in results.items() if each == task)


@contextmanager
def turned_off(part: Part) -> Iterator[None]:
    before = [(module, name, getattr(module, name)) for module, name, _ in part.off]
    for module, name, value in part.off:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def anew(corpora: list[Corpus], scratch: Path) -> list[Corpus]:
    """The same with search tables made again, of the words that were counted when their graphs were made."""
    made: dict[Path, Path] = {}
    for graph in dict.fromkeys(corpus.graph for corpus in corpora):
        copy = made[graph] = scratch / f"anew-{graph.name}"
        rebuilt(index_path(graph), index_path(copy))
    return [corpus._replace(graph=made[corpus.graph]) for corpus in corpora]


def rebuilt(index: Path, copy: Path) -> float:
    """A copy of an index whose search tables are made again; the CPU seconds that they took."""
    shutil.copyfile(index, copy)
    opened = Index.open(copy)
    try:
        tables = opened.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'search_%'")
        graph = Graph(
            stored_graph.header(opened), list(stored_graph.symbols(opened)), list(stored_graph.edges(opened)), []
        )
        with opened.transaction():
            for (name,) in tables:
                opened.execute(f"DROP TABLE {name}")
            started = time.process_time()
            build.build(opened, graph, ranks_behind)
            return time.process_time() - started
    finally:
        opened.close()
