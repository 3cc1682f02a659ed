"""How soon a running server is right after an edit: function bodies are edited, and each is queried at once.

In: a repository, which is copied first. Out: seconds from the edit to the first answer that has it and says that it is
not behind; how many were the first answer; how soon the graph file says the same as a clean one, as a check.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from rpg.repository import index_path
from rpg.stores.index.index import Index

from .encode import Edit, apply, body_edits
from .measuring.clones import copy
from .measuring.conversation import Conversation
from .measuring.processes import RPG, RPG_MCP
from .measuring.tables import show

GIVEN_UP = 120.0
"""Seconds."""


class Answered(NamedTuple):
    seconds: float
    asked: int


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench edits", description=__doc__)
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    parser.add_argument("--edits", type=int, default=20, help="each is made and taken back (default 20)")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds before each (default 1)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="rpg-edits-") as folder:
        root = copy(given.repository, Path(folder) / given.repository.resolve().name)
        graph, clean = (Path(folder) / f"{name}.graph.json" for name in ("kept", "clean"))
        encode(root, graph)
        answered = under_edits(root, graph, chosen(root, graph, given.edits, given.seed), given.pause)
        encode(root, clean, "--full")
        same = graph.read_bytes() == clean.read_bytes()
    report(answered, same)
    return 0 if same else 1


def encode(root: Path, output: Path, *options: str) -> None:
    command = [*RPG, "encode", str(root), "-o", str(output), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def chosen(root: Path, graph: Path, count: int, seed: int) -> list[Edit]:
    """Of different files."""
    index = Index.open_read_only(index_path(graph))
    try:
        by_path = {edit.path: edit for edit in body_edits(root, index)}
    finally:
        index.close()
    return random.Random(seed).sample(list(by_path.values()), min(count, len(by_path)))


def under_edits(root: Path, graph: Path, edits: list[Edit], pause: float) -> list[Answered]:
    server = Conversation([*RPG_MCP, "--structured", str(graph)])
    server.initialize()
    server.initialized()
    for _ in range(2):
        server.call("stats", {})
    answered = []
    for edit in edits:
        for each in (edit, Edit(edit.path, edit.line, edit.new, edit.old)):
            time.sleep(pause)
            apply(root, each)
            answered.append(until_right(server, root, each))
    server.end()
    return answered


def until_right(server: Conversation, root: Path, edit: Edit) -> Answered:
    lines = (root / edit.path).read_text("utf-8").removesuffix("\n").split("\n")
    shown = range(edit.line, min(edit.line + 4, len(lines) + 1))
    wanted = [f"{number}\t{lines[number - 1]}" for number in shown]
    started = time.monotonic()
    asked = 0
    while time.monotonic() - started < GIVEN_UP:
        asked += 1
        result = server.call("fetch", {"targets": [f"{edit.path}:{shown[0]}-{shown[-1]}"]})["structuredContent"]
        is_behind = edit.path in result["state"].get("stale", ())
        if not is_behind:
            found = [line.lstrip() for line in result["symbols"][0]["source"].split("\n")]
            assert found == wanted, f"{edit.path}: {found} in place of {wanted}"
            return Answered(time.monotonic() - started, asked)
    raise SystemExit(f"{edit.path}: still behind after {GIVEN_UP} s")


def report(answered: list[Answered], same: bool) -> None:
    seconds = sorted(each.seconds for each in answered)
    show(
        f"{len(answered)} edits of function bodies; graph file as a clean one: {same}",
        ("right in the first answer", "median s", "90% s", "slowest s"),
        [
            (
                sum(each.asked == 1 for each in answered),
                statistics.median(seconds),
                seconds[len(seconds) * 9 // 10],
                seconds[-1],
            )
        ],
    )
