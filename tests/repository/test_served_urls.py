"""Repositories that clients name by URL: encoded while others answer, refused, given up, brought up to date."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from listening import connected, listening
from mcp import Client, StdioServerParameters
from repositories import bare, publish, repository, write
from test_library import QUESTIONS, SOURCES, WORDS, told
from wire import PATIENCE, SERVE, Wire, call, request, serving, text_of

import rpg
from rpg.errors import Forbidden
from rpg.repository import clones_folder
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return tmp_path / "data"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "graphs").mkdir()
    for name, files in SOURCES.items():
        rpg.encode(repository(tmp_path / name, files), output=str(tmp_path / f"graphs/{name}.graph.json"))
    return tmp_path / "graphs"


@pytest.fixture
def cocoa(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {f"cocoa/{word}.py": f"def {word}_cocoa():\n    pass\n" for word in WORDS}
    return bare(tmp_path, "cocoa", files)


def stdio(library: Path, work: Any) -> Any:
    arguments = [*SERVE[1:], "--library", str(library), "--allow-files"]
    server = StdioServerParameters(command=SERVE[0], args=arguments, env=dict(os.environ))

    async def run() -> Any:
        async with Client(server) as client:
            return await work(client)

    return anyio.run(run)


def http(library: Path, work: Any) -> Any:
    with listening("--library", library, "--allow-write", "--allow-files") as (address, _):
        return connected(address, work)


@pytest.mark.parametrize("transport", [stdio, http])
def test_three_repositories_answer_and_a_fourth_joins_them_meanwhile(
    library: Path, cocoa: Path, tmp_path: Path, transport: Callable[[Path, Any], Any]
) -> None:
    shares: list[float] = []
    messages: list[str] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        shares.append(progress)
        messages.append(message or "")

    async def work(client: Client) -> Any:
        said = {
            (tool, graph): await client.call_tool(tool, {**arguments, **({"graph": graph} if graph else {})})
            for tool, arguments in QUESTIONS.items()
            for graph in ("tea", "tea,milk", "all", "")
        }
        encoded: list[Any] = []
        meanwhile: list[str] = []

        async def encode() -> None:
            answer = await client.call_tool("encode", {"repository": cocoa.as_uri()}, progress_callback=heard)
            encoded.append(answer)

        async def ask() -> None:
            while not encoded:
                meanwhile.append(told(await client.call_tool("search", {"query": "pour", "graph": "tea,milk,sugar"})))

        async with anyio.create_task_group() as both:
            both.start_soon(encode)
            both.start_soon(ask)
        found = told(await client.call_tool("search", {"query": "paint_cocoa", "graph": "all"}))
        commit = publish(tmp_path / "origin/cocoa", {"cocoa/more.py": "def whisk_cocoa():\n    pass\n"})
        again = await client.call_tool("encode", {"repository": cocoa.as_uri()})
        newer = told(await client.call_tool("search", {"query": "whisk_cocoa"}))
        states = json.loads((await client.read_resource("repositories://list")).contents[0].text)
        forgotten = await client.call_tool("forget", {"graph": "cocoa"})
        return said, encoded[0], meanwhile, found, again, newer, commit, states, forgotten

    said, encoded, meanwhile, found, again, newer, commit, states, forgotten = transport(library, work)

    for (tool, graph), answer in said.items():
        names = {"tea": ["tea"], "tea,milk": ["tea", "milk"]}.get(graph, [*SOURCES])
        assert not answer.is_error, (tool, graph, told(answer))
        assert graph == "tea" or all(name in told(answer) for name in names), (tool, graph, told(answer))
        assert not any(f"{name}/" in told(answer) for name in SOURCES if name not in names), (tool, graph)
    assert not encoded.is_error, told(encoded)
    assert all("tea: tea/pot.py:1-3" in each for each in meanwhile)
    assert "fetching" in messages
    assert max(shares) > 0.5
    assert "cocoa: cocoa/paint.py:1-2" in found
    assert f"{len(WORDS)} reused" in told(again), told(again)
    assert "cocoa: cocoa/more.py:1-2" in newer
    by_name = {each["name"]: each for each in states}
    assert set(by_name) == {*SOURCES, "cocoa"}
    assert all(each["state"] == "ready" and each["when"].startswith("2") for each in states)
    assert by_name["cocoa"]["commit"] == commit[:12]
    assert not forgotten.is_error, told(forgotten)
    assert os.listdir(clones_folder()) == []


@pytest.mark.invariant("several graphs", "a server with a scope fetches nothing else")
def test_a_url_outside_the_scope_is_not_fetched(library: Path, cocoa: Path) -> None:
    graphs = Graphs(library=library, scope=["tea", "milk"], settings=Settings(allows_files=True))

    def encode(url: str, **arguments: Any) -> None:
        with rpg.python.OpenGraph(graphs) as opened:
            opened.encode(repository=url, **arguments)

    for arguments in ({}, {"output": "tea-2.graph.json"}, {"branch": "main"}):
        with pytest.raises(Forbidden, match="does not answer for"):
            encode(cocoa.as_uri(), **arguments)
    with pytest.raises(Forbidden, match="does not answer for"):
        encode("https://me:secret@127.0.0.1:1/a/sugar")

    assert not clones_folder().exists()
    assert graphs.encodes.states() == []


@pytest.mark.invariant("trust", "a server fetches a URL of files only if it was started with `--allow-files`")
@pytest.mark.parametrize(
    "spelling",
    ["file://{}", "FILE://{}", " file://{}", "file://localhost{}", "File://me@localhost{}@main", "file:///none"],
)
def test_a_url_of_files_is_fetched_only_if_the_server_allows_it(
    library: Path, cocoa: Path, tmp_path: Path, spelling: str
) -> None:
    url = spelling.format(cocoa)

    with serving("--library", library) as wire:
        wire.send(call("encode", "encode", repository=url), call("stats", "stats"))
        refused, stats = sorted(text_of(each) for each in wire.answers(2))

    assert refused.startswith("FORBIDDEN: this server fetches no file: URLs")
    assert "--allow-files" in refused
    assert "cocoa" not in stats
    assert not clones_folder().exists()


def test_a_url_of_files_that_the_user_types_is_fetched(cocoa: Path, tmp_path: Path) -> None:
    graph = tmp_path / "typed.graph.json"

    ran = subprocess.run([*SERVE[:-1], "encode", cocoa.as_uri(), "-o", str(graph)], capture_output=True, check=False)

    assert (ran.returncode, graph.exists()) == (0, True), ran.stderr


class Sleeper:
    """The server's side of a fetch, which never sends a commit: as long as it lives, it holds a pipe open."""

    def __init__(self, folder: Path) -> None:
        os.mkfifo(folder / "alive")
        script = f"#!/bin/sh\nexec 9>{folder / 'alive'}\necho started >&9\nexec sleep 600\n"
        write(folder, {"sleeps": script, "gitconfig": f"[uploadpack]\n\tpackObjectsHook = {folder / 'sleeps'}\n"})
        (folder / "sleeps").chmod(0o755)
        self.environment = {"GIT_CONFIG_GLOBAL": str(folder / "gitconfig")}
        self._pipe = os.open(folder / "alive", os.O_RDONLY | os.O_NONBLOCK)

    def heard(self) -> bytes:
        """What it says next; empty once it has ended."""
        assert select.select([self._pipe], [], [], PATIENCE)[0], "nothing was heard of it"
        return os.read(self._pipe, 100)

    def close(self) -> None:
        os.close(self._pipe)


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[Sleeper]:
    with closing(Sleeper(tmp_path)) as sleeper:
        yield sleeper


def cancel(id: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}


def states(wire: Wire) -> dict[str, Any]:
    wire.send(request("list", "resources/read", uri="repositories://list"))
    return {each["name"]: each for each in json.loads(wire.answer()["result"]["contents"][0]["text"])}


def state_at_the_end(wire: Wire, name: str) -> Any:
    """Of an encode that was given up, which ends a moment later."""
    ends = time.monotonic() + PATIENCE
    while (state := states(wire)[name])["state"] == "pending":
        assert time.monotonic() < ends
    return state


@pytest.mark.invariant(
    "trust",
    "a clone is updated in place; a fetch that fails or is cancelled leaves clone and graph as they were,"
    " and no process, even if rpg is killed",
)
def test_a_clone_that_is_given_up_leaves_nothing(library: Path, cocoa: Path, sleeper: Sleeper) -> None:
    with serving("--library", library, "--allow-files", **sleeper.environment) as wire:
        wire.send(call("encode", "encode", repository=cocoa.as_uri()))
        assert sleeper.heard() == b"started\n"
        wire.send(call("before", "stats"))
        before = text_of(wire.answer())
        wire.send(cancel("encode"))
        assert sleeper.heard() == b""
        state = state_at_the_end(wire, cocoa.as_uri())
        left = os.listdir(clones_folder())
        wire.send(call("after", "search", query="pour"))
        after = text_of(wire.answer())

    assert f"{cocoa.as_uri()}  pending  since 2" in before
    assert "fetching" in before
    assert state["state"] == "error"
    assert "TIMED_OUT" in state["message"]
    assert left == []
    assert "tea: tea/pot.py:1-3" in after


def test_an_update_that_is_given_up_leaves_clone_and_graph(
    library: Path, cocoa: Path, tmp_path: Path, sleeper: Sleeper
) -> None:
    rpg.encode(cocoa.as_uri(), output=str(library / "cocoa.graph.json"))
    publish(tmp_path / "origin/cocoa", {"cocoa/paint.py": "def repaint_cocoa():\n    pass\n"})

    with serving("--library", library, "--allow-files", **sleeper.environment) as wire:
        wire.send(call("encode", "encode", repository=cocoa.as_uri()))
        assert sleeper.heard() == b"started\n"
        wire.send(cancel("encode"))
        assert sleeper.heard() == b""
        assert state_at_the_end(wire, cocoa.as_uri())["state"] == "error"
        wire.send(call("old", "search", query="paint_cocoa", graph="cocoa"))
        old = text_of(wire.answer())
    with serving("--library", library, "--allow-files") as wire:
        wire.send(call("encode", "encode", repository=cocoa.as_uri()))
        encoded = wire.answer()
        wire.send(call("new", "search", query="repaint_cocoa", graph="cocoa"))
        new = text_of(wire.answer())

    assert "cocoa/paint.py:1-2" in old
    assert "function repaint_cocoa" not in old
    assert not encoded["result"].get("isError"), text_of(encoded)
    assert "cocoa/paint.py:1-2  function repaint_cocoa" in new


def test_a_failed_update_is_reported_with_the_commit_that_is_served(library: Path, cocoa: Path) -> None:
    rpg.encode(cocoa.as_uri(), output=str(library / "cocoa.graph.json"))
    cocoa.rename(cocoa.with_name("moved.git"))

    with serving("--library", library, "--allow-files") as wire:
        wire.send(call("encode", "encode", repository=cocoa.as_uri()))
        failed = text_of(wire.answer())
        wire.send(call("stats", "stats"))
        stats = text_of(wire.answer())

    assert failed.startswith("ENCODE_FAILED: cannot fetch")
    assert "An earlier clone is at" in failed
    assert "cocoa  ready  cocoa.graph.json  since 2" in stats
    assert f"{cocoa.as_uri()}  error  since 2" in stats


def test_a_server_that_ends_takes_its_fetch_along(library: Path, cocoa: Path, sleeper: Sleeper) -> None:
    with serving("--library", library, "--allow-files", **sleeper.environment) as wire:
        wire.send(call("encode", "encode", repository=cocoa.as_uri()))
        assert sleeper.heard() == b"started\n"
        assert wire.process.stdin
        wire.process.stdin.close()
        assert sleeper.heard() == b""
        assert wire.process.wait(PATIENCE) == 0

    assert [each for each in os.listdir(clones_folder()) if not each.endswith("-lock")] == []
