"""What a server costs: its start beside a bare MCP server, warm answers of every tool, memory after 1,000 of them.

In: graph files with their repositories. Everything is raw JSON-RPC over stdin and stdout. Questions are drawn from
the graph by a seed: sentences are doc comments, names are names of symbols.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rpg.repository import index_path
from rpg.stores.index.index import Index

from .measuring.conversation import Conversation
from .measuring.processes import PYTHON, ROOT, RPG_MCP, tree_memory
from .measuring.tables import show

BARE = [*PYTHON, str(Path(__file__).with_name("measuring") / "bare_server.py")]
MEGABYTE = 1 << 20
Question = tuple[str, dict[str, Any]]
"""Tool and arguments."""


class Start(NamedTuple):
    at_reply: float
    whole: float


class Sampled(NamedTuple):
    milliseconds: list[float]
    cpu: float
    """Seconds of all."""
    size: int
    failed: list[str]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench serve", description=__doc__)
    parser.add_argument("graphs", nargs="+", type=Path, metavar="GRAPH")
    parser.add_argument("--runs", type=int, default=7, help="of each start, in turn; the cheapest counts (default 7)")
    parser.add_argument("--questions", type=int, default=40, help="of each kind (default 40)")
    parser.add_argument("--mixed", type=int, default=1_000, help="mixed questions before memory is read (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    graphs = [path.absolute() for path in given.graphs]
    starts(graphs, given.runs)
    for graph in graphs:
        answers(graph, given.questions, given.mixed, given.seed)
    return 0


def starts(graphs: list[Path], runs: int) -> None:
    commands = {"bare server, one empty tool": BARE}
    commands |= {f"rpg-mcp {graph.name}": [*RPG_MCP, str(graph)] for graph in graphs}
    if (ROOT / ".venv").exists():
        commands[f"bin/rpg-mcp {graphs[0].name}"] = [str(ROOT / "bin" / "rpg-mcp"), str(graphs[0])]
    found: dict[str, list[Start]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(start(command))
    best = {name: Start(*map(min, zip(*each, strict=True))) for name, each in found.items()}
    bare = best["bare server, one empty tool"]
    show(
        f"initialize on a cold start, CPU of the whole process, least of {runs} in turn",
        ("", "s until the reply", "x bare", "s until the end", "x bare"),
        [
            (name, f"{each.at_reply:.3f}", each.at_reply / max(bare.at_reply, 1e-9), f"{each.whole:.3f}",
             each.whole / bare.whole)
            for name, each in best.items()
        ],
    )  # fmt: skip
    sys.stdout.flush()


def start(command: list[str]) -> Start:
    server = Conversation(command)
    server.initialize()
    at_reply = server.cpu()
    return Start(at_reply, server.end().cpu)


def answers(graph: Path, count: int, mixed: int, seed: int) -> None:
    chance = random.Random(seed)
    kinds = questions(graph, chance)
    server = Conversation([*RPG_MCP, str(graph)])
    server.initialize()
    server.initialized()
    started = time.perf_counter()
    server.call("stats", {})
    first = time.perf_counter() - started
    before = memory(server)
    rows = []
    for name, make in kinds.items():
        number = min(count, 5) if name == "encode, nothing changed" else count
        asked(server, [make() for _ in range(3)])
        rows.append((name, asked(server, [make() for _ in range(number)])))
    at_half = 0
    drawn = [kinds[name] for name in kinds if not name.startswith("encode")]
    for at in range(mixed):
        tool, arguments = chance.choice(drawn)()
        server.call(tool, arguments)
        if at == mixed // 2:
            at_half = memory(server)
    after, own = memory(server), memory(server, alone=True)
    server.end()
    show(
        f"{graph.name}: warm answers, {count} of each (first answer of the server: {first * 1000:.0f} ms)",
        ("", "median ms", "95% ms", "max ms", "CPU ms each", "bytes each", "refused"),
        [
            (
                name,
                statistics.median(each.milliseconds),
                percentile(each.milliseconds, 0.95),
                max(each.milliseconds),
                each.cpu * 1000 / len(each.milliseconds),
                each.size // len(each.milliseconds),
                len(each.failed),
            )
            for name, each in rows
        ],
    )
    everything = [value for name, each in rows if name not in APART for value in each.milliseconds]
    print(
        f"  all but {', '.join(APART)}: median {statistics.median(everything):.1f} ms, 95% "
        f"{percentile(everything, 0.95):.1f} ms"
    )
    print(
        f"  memory: {before / MEGABYTE:.0f} MB after the first answer, {at_half / MEGABYTE:.0f} MB after {mixed // 2} "
        f"mixed questions, {after / MEGABYTE:.0f} MB after {mixed}: {own / MEGABYTE:.0f} MB of the server, and "
        f"{(after - own) / MEGABYTE:.0f} MB of the process that stands ready for edits"
    )
    for name, each in rows:
        for message in sorted(set(each.failed))[:3]:
            print(f"  {name}: {message[:160]}")
    sys.stdout.flush()


APART = ("encode, nothing changed",)


def asked(server: Conversation, wanted: list[Question]) -> Sampled:
    times, size, failed = [], 0, []
    cpu = server.cpu()
    for tool, arguments in wanted:
        started = time.perf_counter()
        result = server.call(tool, arguments)
        times.append((time.perf_counter() - started) * 1000)
        size += len(result["content"][0]["text"])
        if result.get("isError"):
            failed.append(result["content"][0]["text"])
    return Sampled(times, server.cpu() - cpu, size, failed)


def questions(graph: Path, chance: random.Random) -> dict[str, Callable[[], Question]]:
    """For each kind a maker of questions."""
    index = Index.open_read_only(index_path(graph))
    try:
        symbols = index.rows(
            "SELECT symbol, name, qualified_name, doc FROM symbols "
            "WHERE kind IN ('function', 'method', 'class', 'interface', 'struct') ORDER BY id"
        )
        files = [path for (path,) in index.rows("SELECT path FROM symbols WHERE kind = 'module' ORDER BY id")]
        folders = [path for (path,) in index.rows("SELECT symbol FROM symbols WHERE kind = 'directory' ORDER BY id")]
        bodies = index.rows(
            "SELECT path, start_line, end_line FROM symbols WHERE kind IN ('function', 'method') "
            "AND end_line - start_line BETWEEN 5 AND 30 ORDER BY id"
        )
        docs = [doc.split("\n")[0] for *_, doc in symbols if doc.count(" ") > 3] or [name for _, name, *_ in symbols]
        snippets = [
            "\n".join(index.source(path).decode().split("\n")[start - 1 : end])
            for path, start, end in chance.sample(bodies, min(60, len(bodies)))
        ]
    finally:
        index.close()

    def symbol() -> str:
        chosen: str = chance.choice(symbols)[0]
        return chosen

    return {
        "search, sentence": lambda: ("search", {"query": chance.choice(docs)}),
        "search, name": lambda: ("search", {"query": chance.choice(symbols)[1]}),
        "search, half a name": lambda: ("search", {"query": half(chance.choice(symbols)[1]), "mode": "symbol"}),
        "search, similar code": lambda: ("search", {"query": chance.choice(snippets), "mode": "similar"}),
        "search, with excerpts, expanded": lambda: (
            "search", {"query": chance.choice(docs), "excerpts": True, "expand": True, "limit": 10},
        ),
        "fetch, with relations": lambda: ("fetch", {"targets": [symbol()], "relations": True}),
        "explore, two hops": lambda: ("explore", {"start": [symbol()]}),
        "explore, structure": lambda: ("explore", {"start": [chance.choice(folders)], "edges": ["structure"]}),
        "find_usages": lambda: ("find_usages", {"symbol": symbol()}),
        "find_usages, three hops": lambda: ("find_usages", {"symbol": symbol(), "transitive": 3}),
        "get_dependencies, file": lambda: ("get_dependencies", {"target": chance.choice(files)}),
        "get_dependencies, directory": lambda: ("get_dependencies", {"target": chance.choice(folders)}),
        "query_code": lambda: ("query_code", {"question": f"How does {chance.choice(symbols)[2]} work?"}),
        "stats": lambda: ("stats", {}),
        "encode, nothing changed": lambda: ("encode", {}),
    }  # fmt: skip


def half(name: str) -> str:
    return name[: max(3, len(name) // 2)]


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def memory(server: Conversation, alone: bool = False) -> int:
    return tree_memory(server.pid, alone)
