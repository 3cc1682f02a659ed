"""What `rpg encode` costs, beside tree-sitter alone parsing the same files.

In: repositories. Out: a table each: CPU, wall, memory, and CPU as a multiple of bare parsing; of several, how CPU for a
line compares with the first. Everything runs in processes of its own, in turn, and the least CPU of several runs
counts. Edits are made in a copy. Two parts of an encode are shown on their own: starting its processes, which is most
of what a small repository costs, and counting the words of files, which is for the search index.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.repository import index_path
from rpg.stores.index.index import Index

from .measuring.clones import copy
from .measuring.processes import PYTHON, RPG, Cost, cheapest, cost
from .measuring.tables import show

HERE = Path(__file__).parent
MEGABYTE = 1 << 20


class Repository(NamedTuple):
    root: Path
    scratch: Path

    def graph(self, name: str) -> Path:
        return self.scratch / f"{self.root.name}-{name}.graph.json"


class Measured(NamedTuple):
    name: str
    lines: int
    """Of all files that were parsed."""
    costs: dict[str, Cost]


class Edit(NamedTuple):
    path: str
    line: int
    """How many lines stand before `old`."""
    old: str
    new: str


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench encode", description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--runs", type=int, default=2, help="of each measurement; the cheapest counts (default 2)")
    parser.add_argument("--rename", default="", metavar="TYPE.METHOD", help="also time an encode after this renaming")
    parser.add_argument("--quick", action="store_true", help="cold encodes alone: no edits, no second worker")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="rpg-bench-") as scratch:
        measured = [
            measure(Repository(root.resolve(), Path(scratch)), given.runs, given.rename, given.quick)
            for root in given.repositories
        ]
    if len(measured) > 1:
        growth(measured)
    return 0


def measure(repository: Repository, runs: int, rename: str, is_quick: bool) -> Measured:
    cold = partial(encoded, repository.root, repository.graph("cold"), "--full")
    cold("--workers", "1")  # also warms the disk's cache for all that follows
    files = parsed_files(repository)
    listing = "".join(f"{grammar} {repository.root / path}\n" for grammar, path in files)
    makers: dict[str, Callable[[], Cost]] = {
        "bare parsing": partial(parse_alone, listing),
        "starting to encode": partial(start_alone, repository.scratch),
        "counting words": partial(words_alone, repository.root),
        "encode, graph and words, 1 worker": partial(graph_alone, repository),
        "encode, 1 worker": partial(cold, "--workers", "1"),
    }
    if not is_quick:
        makers["encode, 2 workers"] = partial(cold, "--workers", "2")
    costs = cheapest(makers, runs)
    if not is_quick:
        again = partial(encoded, repository.root, repository.graph("cold"))
        costs |= cheapest({"encode, nothing changed": again}, runs)
        costs |= edited(repository, runs, rename)
    lines = sum((repository.root / path).read_bytes().count(b"\n") for _, path in files)
    report(repository, files, lines, costs)
    return Measured(repository.root.name, lines, costs)


def encoded(root: Path, output: Path, *options: str) -> Cost:
    return cost([*RPG, "encode", str(root), "-o", str(output), *options])


def parse_alone(listing: str) -> Cost:
    made = cost([*PYTHON, str(HERE / "alone/parse_alone.py")], given=listing)
    return made._replace(cpu=float(made.output))


def start_alone(scratch: Path) -> Cost:
    """An encode of one line."""
    root = scratch / "start"
    root.mkdir(exist_ok=True)
    (root / "line.py").write_text("line = 1\n", encoding="utf-8")
    return graph_alone(Repository(root, scratch))


def words_alone(root: Path) -> Cost:
    made = cost([*PYTHON, str(HERE / "alone/words_alone.py"), str(root)])
    return made._replace(cpu=float(made.output))


def graph_alone(repository: Repository) -> Cost:
    return cost([*PYTHON, str(HERE / "alone/graph_alone.py"), str(repository.root), str(repository.graph("alone"))])


def parsed_files(repository: Repository) -> list[tuple[str, str]]:
    """Grammar and path of every file that was parsed."""
    index = Index.open_read_only(index_path(repository.graph("cold")))
    try:
        rows = index.rows("SELECT language, path FROM files WHERE skipped = '' AND language <> '' ORDER BY path")
    finally:
        index.close()
    return [(grammar, path) for language, path in rows if (grammar := BY_NAME[language].grammar)]


def edited(repository: Repository, runs: int, rename: str) -> dict[str, Cost]:
    """Encodes of a copy in which one thing changed since the last."""
    place = repository.scratch / "copy" / repository.root.name
    root = copy(repository.root, place)
    output = Repository(root, repository.scratch).graph("edited")
    index = Index.open_read_only(index_path(repository.graph("cold")))
    try:
        edits = {"encode, one body edited": body_edit(root, index)}
        if rename:
            edits[f"encode, {rename} renamed"] = rename_edit(root, index, rename)
    finally:
        index.close()
    costs: dict[str, Cost] = {}
    try:
        encoded(root, output)
        for title, edit in edits.items():
            for _ in range(runs):
                apply(root, edit)
                there = encoded(root, output)
                apply(root, Edit(edit.path, edit.line, edit.new, edit.old))
                back = encoded(root, output)
                for made in (there, back):
                    best = costs.setdefault(title, made)
                    costs[title] = Cost(
                        min(best.cpu, made.cpu), min(best.wall, made.wall), max(best.memory, made.memory), ""
                    )
    finally:
        shutil.rmtree(root.parent)
    return costs


def body_edit(root: Path, index: Index) -> Edit:
    """The first of `body_edits`, counted from the middle of the repository."""
    found = next(body_edits(root, index), None)
    if found is None:
        raise SystemExit(f"{root}: found no function whose body could be edited")
    return found


def body_edits(root: Path, index: Index) -> Iterator[Edit]:
    """One of each function that allows it: repeats a statement, a line that is one call, whatever the language."""
    symbols = index.rows(
        "SELECT path, start_line, end_line FROM symbols WHERE kind IN ('function', 'method') AND test = 0 "
        "AND end_line > start_line + 3 ORDER BY path, start_line"
    )
    statement = re.compile(r"\s+[\w.]+\([^()]*\);?$")
    half = len(symbols) // 2
    for path, start, end in symbols[half:] + symbols[:half]:
        lines = (root / path).read_text(encoding="utf-8").split("\n")
        for at in range(start, end - 1):
            before = lines[at - 1].rstrip()
            if statement.match(lines[at]) and before.endswith((":", "{", ";", ")")):
                yield Edit(path, at, lines[at], f"{lines[at]}\n{lines[at]}")
                break


def rename_edit(root: Path, index: Index, name: str) -> Edit:
    row = index.row(
        "SELECT path, name_line, name FROM symbols WHERE qualified_name = ? AND name_line > 0 ORDER BY test, path",
        (name,),
    )
    if row is None:
        raise SystemExit(f"{root}: there is no symbol {name}")
    path, line, bare = row
    old = (root / path).read_text(encoding="utf-8").split("\n")[line - 1]
    return Edit(path, line - 1, old, re.sub(rf"\b{re.escape(bare)}\b", f"{bare}_renamed", old, count=1))


def apply(root: Path, edit: Edit) -> None:
    file = root / edit.path
    lines = file.read_text(encoding="utf-8").split("\n")
    count = edit.old.count("\n") + 1
    assert "\n".join(lines[edit.line : edit.line + count]) == edit.old, f"{edit.path}:{edit.line + 1} is another line"
    lines[edit.line : edit.line + count] = edit.new.split("\n")
    file.write_text("\n".join(lines), encoding="utf-8")


def report(repository: Repository, files: list[tuple[str, str]], lines: int, costs: dict[str, Cost]) -> None:
    source = sum((repository.root / path).stat().st_size for _, path in files)
    graph, index = repository.graph("cold"), index_path(repository.graph("cold"))
    bare = costs["bare parsing"].cpu
    show(
        f"{repository.root.name}: {len(files):,} files parsed, {lines:,} lines, {source / MEGABYTE:.1f} MB; "
        f"graph {graph.stat().st_size / MEGABYTE:.1f} MB, index {index.stat().st_size / MEGABYTE:.1f} MB",
        ("", "CPU s", "x bare", "wall s", "peak MB", "CPU ms/1,000 lines"),
        [
            (name, each.cpu, each.cpu / bare, each.wall, round(each.memory / MEGABYTE), each.cpu * 1e6 / (lines or 1))
            for name, each in costs.items()
        ],
    )
    if "encode, 2 workers" in costs:
        ratio = costs["encode, 2 workers"].wall / costs["encode, 1 worker"].wall
        print(f"  wall with 2 workers / with 1: {ratio:.2f}")
    sys.stdout.flush()


def growth(measured: list[Measured]) -> None:
    """CPU for a line, beside that of the first repository: 1 where cost grows as the lines do."""
    first, *others = measured
    names = [name for name in first.costs if all(name in other.costs for other in others)]
    for other in others:
        show(
            f"CPU for a line of {other.name} ({other.lines:,} lines) / of {first.name} ({first.lines:,} lines)",
            ("", "ratio"),
            [
                (name, (other.costs[name].cpu / (other.lines or 1)) / (first.costs[name].cpu / (first.lines or 1)))
                for name in names
            ],
        )
