"""What no client should send, to a real server over HTTP: each request gets a clear answer, and the server goes on.

Who is let in, how large and how late a message may be: `tests/server/test_http.py`. One case alone:
`bin/test --attack "tests/attack/test_over_http.py::test_a_call_is_answered[CASE]"`.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import pytest
from listening import JSON, listening, raw
from shop import write_repository
from wire import PATIENCE

import rpg
from attack.canaries import World
from attack.conftest import share
from attack.inputs.calls import WRITING, Case, of_tool, ordinary, wrong_types
from attack.inputs.lines import Line, lines
from attack.oracles import ERROR_BYTES, TRACES, changes_outside, complaints, echoed, is_error, leaked, text_of
from attack.server_process import Answer, Message
from attack.test_calls import asked_tokens
from rpg.server.admission import REQUESTS
from rpg.server.messages import LARGEST
from rpg.tools import TOOLS

CALLS_OF_EVERY_RUN, LINES_OF_EVERY_RUN = 150, 150
GONE_AT_ONCE = 40
QUERIES = [tool for tool in TOOLS if tool not in WRITING]

IDLE_SECONDS = 1.0
"""After that, a connection is not used again: the server may be ending it."""


class Reply(NamedTuple):
    status: int
    content: str
    message: Message | None
    """Of JSON-RPC; None if there is none."""


class Asker:
    """One connection after the other: the server ends the one on which it refused something, or which is idle."""

    def __init__(self, address: str, process: subprocess.Popen[str]) -> None:
        self.address = address
        self.process = process
        self._connection = HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE)
        self._used = monotonic()

    def post(self, body: bytes) -> Reply:
        if monotonic() - self._used > IDLE_SECONDS:
            self._connection.close()  # it is opened again
        self._connection.request("POST", "/mcp", body, JSON)
        with self._connection.getresponse() as answer:
            content = answer.read().decode()
        self._used = monotonic()
        events = [line.removeprefix("data: ") for line in content.splitlines() if line.startswith("data: {")]
        try:
            message = json.loads(events[-1] if events else content)
        except ValueError:
            message = None
        is_message = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
        return Reply(answer.status, content, message if is_message else None)

    def call(self, tool: str, arguments: Any) -> Reply:
        params = {"name": tool, "arguments": arguments}
        return self.post(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode())

    def close(self) -> None:
        self._connection.close()


@pytest.fixture(scope="module")
def http(world: World) -> Iterator[Asker]:
    before = world.snapshot(contents=True)
    with listening(world.graph, **world.environment) as (address, process):
        asker = Asker(address, process)
        yield asker
        asker.close()
        process.send_signal(signal.SIGTERM)
        assert process.stderr
        assert [trace for trace in TRACES if trace in process.stderr.read()] == []
    assert changes_outside(world, before, contents=True) == []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        typed = [each for tool in QUERIES for each in one_wrong_type_for_each_argument(tool)]
        others = share(metafunc.config, [each for tool in QUERIES for each in of_tool(tool)], CALLS_OF_EVERY_RUN)
        chosen = list({case.name: case for case in [*typed, *others]}.values())
        metafunc.parametrize("case", chosen, ids=[case.name for case in chosen])
    if "line" in metafunc.fixturenames:
        # The server refuses a longer body before it has all of it: tests/server/test_http.py.
        short = [line for line in lines() if len(line.content) <= LARGEST]
        found = share(metafunc.config, short, LINES_OF_EVERY_RUN)
        metafunc.parametrize("line", found, ids=[line.name for line in found])


def one_wrong_type_for_each_argument(tool: str) -> list[Case]:
    chosen = [case for case in wrong_types(tool) if case.name.endswith("-list-of-object")]
    return [case._replace(name=f"{tool}-{case.name}") for case in chosen]


def test_a_call_is_answered(http: Asker, case: Case) -> None:
    reply = http.call(case.tool, case.arguments)

    assert wrong_with(reply, asked_tokens(case.arguments)) == []
    assert echoed(case.arguments, reply.content) == []
    if case.name.endswith("-list-of-object"):
        assert reply.message
        assert is_error(reply.message)


def test_a_line_is_answered(http: Asker, line: Line) -> None:
    assert wrong_with(http.post(line.content)) == []


def test_clients_that_go_away_leave_their_places(http: Asker) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    body = json.dumps({**call, "params": {"name": "search", "arguments": {"query": "total of a cart"}}}).encode()
    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    head += b"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(body)
    statuses = set()
    for _ in range(REQUESTS // GONE_AT_ONCE + 1):
        for number in range(GONE_AT_ONCE):
            with raw(http.address) as connection:
                connection.sendall(head + body[: len(body) if number % 4 else 20])
        statuses.add(http.post(body).status)

    assert statuses == {200}


def test_a_graph_that_is_deleted_is_reported(tmp_path: Path) -> None:
    graph = tmp_path / "shop.graph.json"
    rpg.encode(write_repository(tmp_path / "shop"), output=str(graph))
    with listening(graph) as (address, process):
        asker = Asker(address, process)
        before = asker.call("search", {"query": "cart"})
        shutil.rmtree(tmp_path / "shop")
        for file in tmp_path.glob("shop.graph.*"):
            file.unlink()
        gone = [asker.call(tool, ordinary(tool)) for tool in QUERIES]
        rpg.encode(write_repository(tmp_path / "shop"), output=str(graph))
        after = asker.call("search", {"query": "cart"})
        asker.close()

    assert [wrong_with(each) for each in gone] == [[]] * len(QUERIES)
    assert all("GRAPH_NOT_LOADED: there is no graph file" in each.content for each in gone)
    assert "rpg encode" in gone[0].content
    assert before.content == after.content


def test_afterwards_proper_calls_are_answered(http: Asker) -> None:
    reply = http.call("search", {"query": "total of a cart"})

    assert http.process.poll() is None
    assert reply.message
    assert not is_error(reply.message)
    assert "shop/cart.py" in text_of(reply.message)


def wrong_with(reply: Reply, max_tokens: int = 4_000) -> list[str]:
    """An answer of the protocol, or a refusal that says why; and never the status of a crash."""
    found = leaked(reply.content, "the answer") + [f"{trace!r}" for trace in TRACES if trace in reply.content]
    if reply.status >= 500:
        found.append(f"status {reply.status}: {reply.content[:300]}")
    if reply.message is not None:
        return found + complaints(Answer(reply.message, 0.0, ""), max(max_tokens, 30_000 // 4))
    if reply.status >= 400 and not 0 < len(reply.content) < ERROR_BYTES:
        found.append(f"a refusal of {len(reply.content)} characters")
    if reply.status == 200:
        found.append(f"no message: {reply.content[:300]}")
    return found
