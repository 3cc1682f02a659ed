"""Whether the evidence for a question contains what a right answer needs, compared with search hits in the same budget.

In: the questions of questions.toml and a folder with their repositories. Out: a table by kind of question. A question
is covered when the definition of every symbol that it needs is in the evidence, or in the hits of search shown
whole, best first, as long as the budget lasts. Questions whose answer is not there must come back as such.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rpg.queries.answer.citations import Lines
from rpg.queries.answer.evidence import gather
from rpg.queries.answer.evidence_weights import PIECE_OVERHEAD
from rpg.queries.graph.budget import BYTES_PER_TOKEN
from rpg.queries.graph.sources import sources
from rpg.queries.search.hits import Wanted
from rpg.queries.search.search import search
from rpg.repository import index_path
from rpg.stores.index.index import Index

from .measuring.processes import RPG
from .measuring.tables import show

QUESTIONS = Path(__file__).with_suffix(".toml")
HITS = 100


class Asked(NamedTuple):
    repository: str
    asks: str
    text: str
    needs: tuple[str, ...]


class Result(NamedTuple):
    asked: Asked
    missing: list[str]
    """Needed symbols that are not in the evidence; empty where none are needed."""
    by_signature: list[str]
    """Those of which the evidence shows no more than the signature."""
    missing_in_hits: list[str]
    doubted: bool
    """Whether it was said that the evidence is weak, or that there is none."""
    tokens: int


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench questions", description=__doc__)
    parser.add_argument("repositories", type=Path, help="a folder that holds the repositories of the questions")
    parser.add_argument("--graphs", type=Path, help="where their graphs are or are to be kept (default: nowhere)")
    parser.add_argument("--tokens", type=int, default=6_000, help="budget of the evidence (default 6,000)")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="another list of questions")
    given = parser.parse_args(arguments)
    if given.graphs is not None:
        given.graphs.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rpg-bench-") as scratch:
        results = measured(read(given.questions), given.repositories, given.graphs or Path(scratch), given.tokens)
    report(results, given.tokens)
    return 0


def read(path: Path) -> list[Asked]:
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["question"]
    return [Asked(each["repository"], each["asks"], each["text"], tuple(each.get("needs", ()))) for each in listed]


def measured(questions: list[Asked], repositories: Path, graphs: Path, tokens: int) -> list[Result]:
    results = []
    for name in dict.fromkeys(asked.repository for asked in questions):
        graph = graphs / f"{name}.graph.json"
        if not graph.exists():
            subprocess.run(
                [*RPG, "encode", str(repositories / name), "-o", str(graph)], check=True, capture_output=True
            )
        index = Index.open_read_only(index_path(graph))
        results += [result(index, asked, tokens) for asked in questions if asked.repository == name]
        index.close()
    return results


def result(index: Index, asked: Asked, tokens: int) -> Result:
    evidence = gather(index, asked.text, tokens)
    assert evidence.tokens <= tokens
    return Result(
        asked,
        missing(index, asked.needs, evidence.lines),
        missing(index, asked.needs, [lines for piece in evidence.pieces for lines in piece.lines]),
        missing(index, asked.needs, hits_alone(index, asked.text, tokens)),
        bool(evidence.doubt),
        evidence.tokens,
    )


def missing(index: Index, needs: Iterable[str], shown: list[Lines]) -> list[str]:
    """Those whose name does not stand in any of the lines; any one definition of a name that has several will do."""
    out = []
    for symbol in needs:
        places = index.rows(
            "SELECT path, name_line FROM symbols WHERE symbol = ? OR symbol GLOB ? || '~[0-9]'", (symbol, symbol)
        )
        if not places:
            raise SystemExit(f"questions.toml names {symbol}, which is not in the graph: is it the right commit?")
        if not any(path == each.path and each.start <= line <= each.end for path, line in places for each in shown):
            out.append(symbol)
    return out


def hits_alone(index: Index, text: str, tokens: int) -> list[Lines]:
    """What search finds, each hit whole; the last one cut to what is left."""
    left = tokens * BYTES_PER_TOKEN
    lines = sources(index)
    shown = []
    for hit in search(index, Wanted(query=text, limit=HITS)).hits:
        node = hit.node
        end = node.start_line - 1
        left -= PIECE_OVERHEAD * BYTES_PER_TOKEN
        for line in (lines.lines(node.path) or [])[node.start_line - 1 : node.end_line]:
            left -= len(line.encode()) + 1
            if left < 0:
                break
            end += 1
        if end >= node.start_line > 0:
            shown.append(Lines(node.path, node.start_line, end))
        if left < 0:
            break
    return shown


def report(results: list[Result], tokens: int) -> None:
    answerable = [each for each in results if each.asked.needs]
    rows = []
    for asks in (*dict.fromkeys(each.asked.asks for each in answerable), "all"):
        group = [each for each in answerable if asks in (each.asked.asks, "all")]
        rows.append(
            (
                asks,
                len(group),
                sum(not each.missing for each in group),
                sum(not each.by_signature for each in group),
                sum(not each.missing_in_hits for each in group),
                sum(each.doubted for each in group),
                sum(each.tokens for each in group) // len(group),
            )
        )
    title = f"questions whose needed symbols all stand in {tokens:,} tokens"
    show(
        title,
        ("asks", "questions", "evidence", "not by signature alone", "search hits", "wrongly doubted", "tokens used"),
        rows,
    )
    others = [each for each in results if not each.asked.needs]
    if others:
        doubted = sum(each.doubted for each in others)
        print(f"\n  not in the repository: {doubted} of {len(others)} come back as such")
    print()
    for each in results:
        if each.missing:
            print(f"  missing  {each.asked.repository}: {each.asked.text}  {', '.join(each.missing)}")
        if each.doubted == bool(each.asked.needs):
            verdict = "wrongly doubted" if each.doubted else "not doubted"
            print(f"  {verdict}  {each.asked.repository}: {each.asked.text}")
