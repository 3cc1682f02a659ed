"""Many HTTP clients query one server at once; then again while the graph is encoded again.

In: a graph file of a repository that is here. Out: errors, calls per second, and how long a call took: median, 95th
percentile, longest, the wait for its turn included. Clients are those of the mcp package, each with its own connection,
in one process: what they cost is part of the figures.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from rpg.stores.graph_file import graph_file

from .measuring.processes import RPG
from .measuring.tables import show
from .serve import percentile

PATIENCE = 300.0
Question = tuple[str, dict[str, Any]]


class Load(NamedTuple):
    errors: list[str]
    seconds: list[float]
    """Of each call."""
    wall: float


async def load(address: str, clients: int, calls: int, questions: Sequence[Question], mode: Any = "auto") -> Load:
    """`calls` in all, drawn from the questions, by so many clients at once."""
    errors: list[str] = []
    seconds: list[float] = []
    drawn = random.Random(0)
    waiting = [drawn.choice(questions) for _ in range(calls)]

    async def client_work() -> None:
        async with (
            httpx2.AsyncClient(timeout=PATIENCE) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=mode) as client,
        ):
            while waiting:
                tool, arguments = waiting.pop()
                began = time.perf_counter()
                answer = await client.call_tool(tool, arguments)
                seconds.append(time.perf_counter() - began)
                if answer.is_error:
                    errors.append(f"{tool} {arguments}: {answer.content}")

    began = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(clients):
            group.start_soon(client_work)
    return Load(errors, seconds, time.perf_counter() - began)


def questions_of(names: Sequence[str], paths: Sequence[str]) -> list[Question]:
    return [
        *(("find_usages", {"symbol": name}) for name in names),
        *(("search", {"query": name}) for name in names),
        *(("search", {"query": f"where is {name.rpartition('.')[2]} done"}) for name in names),
        *(("fetch", {"targets": [name]}) for name in names),
        *(("explore", {"start": [name]}) for name in names),
        *(("get_dependencies", {"target": path}) for path in paths),
    ]


@contextmanager
def serving(graph: str) -> Iterator[str]:
    process = subprocess.Popen([*RPG, "serve", graph, "--http", "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr
        found = re.search(r"http://\S+:\d+", process.stderr.readline())
        assert found
        yield found[0]
    finally:
        process.kill()
        process.wait()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench team", description=__doc__)
    parser.add_argument("graph", help="graph file of a repository that is here")
    parser.add_argument("repository", help="the repository, which is encoded anew meanwhile")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--calls", type=int, default=5_000)
    chosen = parser.parse_args(arguments)
    code = [each for each in graph_file.read_symbols(Path(chosen.graph)) if not each.test]
    names = sample([each.id for each in code if each.kind in ("class", "function", "method")])
    paths = sample([each.path for each in code if each.kind == "module"])
    questions = questions_of(names, paths)
    rows = []
    with serving(chosen.graph) as address:
        anyio.run(load, address, 1, 1, questions)  # an index that is a copy is rebuilt before the first answer
        for title, encodes in (("alone", False), ("while it is encoded", True)):
            encoding = None
            if encodes:
                encoding = subprocess.Popen(
                    [*RPG, "encode", chosen.repository, "--full", "-o", chosen.graph],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
            found = anyio.run(load, address, chosen.clients, chosen.calls, questions)
            if encoding is not None:
                title += f" ({'which ended before' if encoding.poll() is not None else 'which goes on'})"
                encoding.wait()
            rows.append(row(title, found))
            for error in found.errors[:5]:
                print(error)
    show("", ("", "calls", "errors", "calls/s", "p50 ms", "p95 ms", "max ms"), rows)
    return 0


def sample(names: Sequence[str]) -> list[str]:
    return random.Random(0).sample(names, min(len(names), 60))


def row(title: str, found: Load) -> tuple[str, ...]:
    milliseconds = sorted(1000 * each for each in found.seconds)
    return (
        title, str(len(milliseconds)), str(len(found.errors)), f"{len(milliseconds) / found.wall:.0f}",
        *(f"{percentile(milliseconds, share):.0f}" for share in (0.5, 0.95)), f"{milliseconds[-1]:.0f}",
    )  # fmt: skip
