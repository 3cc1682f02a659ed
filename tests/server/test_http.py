"""The server over HTTP: who is let in, what they may do, and how long they may take."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from listening import TOKEN, asked, connected, listening, raw, status
from mcp import Client
from shop import write_graph, write_repository
from wire import PATIENCE

from rpg.cli import run
from rpg.server import transports
from rpg.server.admission import BODY_SECONDS, HEADER_SECONDS, STREAMS
from rpg.server.messages import LARGEST
from rpg.server.sessions import SESSIONS

ROUTES = [
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("GET", "/sse"),
    ("POST", "/messages/"),
    ("GET", "/health"),
    ("GET", "/x"),
    ("GET", "/"),
    ("HEAD", "/"),
    ("GET", "/view/graphs"),
    ("GET", "/view/data"),
    ("POST", "/view/data"),
]


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("http")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture(scope="module")
def open_door(shop: Path) -> Iterator[str]:
    with listening(shop) as (address, _):
        yield address


@pytest.fixture(scope="module")
def locked_door(shop: Path) -> Iterator[str]:
    with listening(shop, RPG_TOKEN=TOKEN) as (address, _):
        yield address


def test_an_answer_does_not_wait_for_the_clients_acknowledgement() -> None:
    with (
        transports.listening(socket.AF_INET, ("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def read_to_the_end(connection: socket.socket) -> bytes:
    """What is answered until the server ends the connection; TimeoutError where it never does."""
    out = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            out += piece
    return out


# Who is let in


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_asks_for_host_and_origin(open_door: str, method: str, path: str) -> None:
    port = open_door.rpartition(":")[2]

    assert status(method, open_door + path, Host="evil.example") == 421
    assert status(method, open_door + path, Host="127.0.0.1.evil.example") == 421
    assert status(method, open_door + path, Host="127.0.0.1:1:2") == 421
    assert status(method, open_door + path, Host="localhost:*") == 421
    assert status(method, open_door + path, Origin="http://localhost:*") == 403
    assert status(method, open_door + path, Origin="http://evil.example") == 403
    assert status(method, open_door + path, Origin="null") == 403
    assert status(method, open_door + path, Host=f"localhost:{port}", Origin=f"http://localhost:{port}") not in (
        421,
        403,
    )


@pytest.mark.invariant("trust", "over HTTP, a token that is set is required, and nothing can be changed unless allowed")
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_but_health_asks_for_the_token(locked_door: str, method: str, path: str) -> None:
    wrong = ["", "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer é"]
    told = {status(method, locked_door + path)}
    told |= {status(method, locked_door + path, Authorization=shown.encode()) for shown in wrong}

    assert told == {200 if path == "/health" else 401}


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_who_shows_the_token_is_let_in(locked_door: str, method: str, path: str) -> None:
    assert status(method, locked_door + path, Authorization=f"Bearer {TOKEN}") != 401


def test_a_client_with_the_token_is_served(locked_door: str) -> None:
    async def work(client: Client) -> Any:
        return await client.call_tool("explore", {"start": ["Cart"]})

    assert not connected(locked_door, work, TOKEN).is_error


def test_health_tells_no_more_than_that_to_who_shows_no_token(open_door: str, locked_door: str) -> None:
    with (
        asked("GET", f"{open_door}/health") as without,
        asked("GET", f"{locked_door}/health") as locked,
        asked("GET", f"{locked_door}/health", Authorization=f"Bearer {TOKEN}") as shown,
    ):
        assert set(json.load(without)) == {"status", "name", "version"}
        assert json.load(locked) == {"status": "ok"}
        assert set(json.load(shown)) == {"status", "name", "version"}


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_nobody_listens_to_other_machines_without_a_token(
    shop: Path, host: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RPG_TOKEN", raising=False)

    assert run(["serve", str(shop), "--http", "--host", host, "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert "RPG_TOKEN" in told
    assert "--token" in told


def test_with_a_token_other_machines_are_listened_to(shop: Path) -> None:
    with listening(shop, "--host", "0.0.0.0", RPG_TOKEN=TOKEN) as (address, process):
        here = address.replace("0.0.0.0", "127.0.0.1")
        assert status("GET", f"{here}/mcp", Host="127.0.0.1") == 401
        assert status("GET", f"{here}/mcp", Host="127.0.0.1", Authorization=f"Bearer {TOKEN}") != 401
        process.send_signal(signal.SIGTERM)
        assert process.stderr
        assert TOKEN not in process.stderr.read()


def test_a_place_that_is_taken_is_reported(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert run(["serve", str(shop), "--http", "--port", str(taken.getsockname()[1])]) == 3
    assert "choose another --port" in capsys.readouterr().err


def test_no_other_process_inherits_the_token() -> None:
    program = (
        "import os, subprocess, sys; from rpg.cli import run; run(['stats', '-h']);"
        "print(subprocess.run([sys.executable, '-c', 'import os; print(dict(os.environ))'],"
        " capture_output=True, text=True).stdout)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "RPG_TOKEN": TOKEN}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip

    assert TOKEN not in ran.stdout + ran.stderr


def test_programs_get_records_over_http_too(shop: Path, open_door: str) -> None:
    async def work(client: Client) -> Any:
        schemas = [tool.output_schema for tool in (await client.list_tools()).tools]
        return schemas, await client.call_tool("explore", {"start": ["Cart"], "edges": ["inherits"]})

    without, text_alone = connected(open_door, work)
    with listening(shop, "--structured") as (address, _):
        schemas, answer = connected(address, work)

    assert without == [None] * len(without)
    assert text_alone.structured_content is None
    assert all(schema["type"] == "object" for schema in schemas)
    assert answer.structured_content["start"] == ["shop/cart.py::Cart"]
    assert answer.content == text_alone.content


# What they may do


@pytest.mark.invariant("trust", "over HTTP, a token that is set is required, and nothing can be changed unless allowed")
def test_clients_change_nothing_unless_it_is_allowed(open_door: str, shop: Path, tmp_path: Path) -> None:
    async def work(client: Client) -> Any:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        made = await client.call_tool(
            "encode", {"repository": str(shop.parent / "shop"), "output": str(tmp_path / "x")}
        )
        return tools, made, await client.call_tool("forget", {"graph": "shop"})

    tools, made, gone = connected(open_door, work)

    assert {"encode", "forget"} & set(tools) == set()
    assert len(tools) == 8
    for refused in (made, gone):
        assert refused.is_error
        assert refused.content[0].text.startswith("FORBIDDEN: ")
        assert "--allow-write" in refused.content[0].text
    assert shop.exists()
    assert list(tmp_path.iterdir()) == []


def test_with_leave_clients_may_forget(tmp_path: Path) -> None:
    graph = write_graph(write_repository(tmp_path / "shop"), tmp_path / "shop.graph.json")

    async def work(client: Client) -> Any:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        return tools, await client.call_tool("forget", {"graph": "shop"})

    with listening(graph, "--allow-write") as (address, _):
        tools, gone = connected(address, work)

    assert len(tools) == 10
    assert not gone.is_error
    assert not graph.exists()


# Messages

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


@pytest.mark.parametrize("path", ["/mcp", "/messages/?session_id=" + "0" * 32])
@pytest.mark.parametrize(
    ("data", "code", "id"),
    [
        (b"no json", -32700, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping\\ud800"}', -32700, 7),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping\xff"}', -32700, 7),
        (json.dumps({**PING, "params": [1]}).encode(), -32600, 7),
        (json.dumps({**PING, "params": {"a": json.loads("[" * 180 + "]" * 180)}}).encode(), -32600, 7),
        (json.dumps([PING]).encode(), -32600, None),
        (json.dumps({**PING, "id": None}).encode(), -32600, None),
        (json.dumps({**PING, "jsonrpc": "1.0"}).encode(), -32600, 7),
        (b"", -32700, None),
    ],
)
def test_what_is_not_a_message_is_answered(open_door: str, path: str, data: bytes, code: int, id: object) -> None:
    with asked("POST", open_door + path, data) as answer:
        content = answer.read()
    told = json.loads(content)

    assert answer.status == 400
    assert (told["error"]["code"], told["id"]) == (code, id)
    assert len(content) < 400


def test_a_message_has_a_size(open_door: str) -> None:
    with raw(open_door) as connection:
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n\r\n")
        declared = read_to_the_end(connection)
    with raw(open_door) as connection:
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        piece = b"%x\r\n" % 65536 + b"x" * 65536 + b"\r\n"
        with suppress(ConnectionError):
            for _ in range(LARGEST // 65536 + 2):
                connection.sendall(piece)
        streamed = read_to_the_end(connection)

    assert b" 413 " in declared.split(b"\r\n")[0]
    assert b" 413 " in streamed.split(b"\r\n")[0]


# How long they may take


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /mcp HTT",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /hea",
    ],
    ids=["nothing", "a line", "headers", "a body", "a second request"],
)
def test_who_sends_no_more_is_sent_away(open_door: str, sent: bytes) -> None:
    """Without end the server would wait as long as the client: the socket's own patience ends the test then."""
    assert max(HEADER_SECONDS, BODY_SECONDS) < PATIENCE
    with raw(open_door) as connection:
        connection.sendall(sent)
        read_to_the_end(connection)


def test_slow_clients_keep_nobody_waiting(open_door: str) -> None:
    start = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
    slow = [raw(open_door) for _ in range(50)]
    try:
        for connection in slow:
            connection.sendall(start)
        assert status("GET", f"{open_door}/health") == 200
    finally:
        for connection in slow:
            connection.close()


def test_more_clients_than_sessions_are_answered_and_streams_are_counted(shop: Path) -> None:
    with listening(shop) as (address, _):
        with_session = set()
        for _ in range(SESSIONS + 6):
            with asked("POST", f"{address}/mcp") as answer:
                with_session.add((answer.status, answer.headers["mcp-session-id"] is not None))
        streams = [raw(address) for _ in range(STREAMS + 4)]
        told = []
        for connection in streams:
            connection.sendall(b"GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            told.append(connection.recv(200))
        for connection in streams:
            connection.close()
        health = status("GET", f"{address}/health")

    assert with_session == {(200, True), (200, False)}
    assert {each[9:12] for each in told} == {b"200", b"503"}
    assert all(b"retry-after: 1\r\n" in each for each in told if each[9:12] == b"503")
    assert health == 200


@pytest.mark.parametrize("path", ["/sse", "/mcp"])
def test_no_stream_is_opened_by_who_asks_for_its_head_alone(locked_door: str, path: str) -> None:
    with asked("HEAD", locked_door + path, Authorization=f"Bearer {TOKEN}") as answer:
        told = answer.status, answer.headers["allow"], answer.headers["connection"]

    assert told == (405, "GET, POST", "close")
    assert status("HEAD", locked_door + path) == 401


def test_the_process_ends_when_it_is_told_to_while_somebody_listens(shop: Path) -> None:
    with listening(shop) as (address, process), raw(address) as connection:
        connection.sendall(b"GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert connection.recv(12).endswith(b"200")
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
