"""A team on an HTTP server: fifty clients at once, also during encodes, and several processes for one library."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from bench.team import Load, load, questions_of
from listening import connected, listening
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.connection import Connection
from repositories import repository
from shop import write_graph, write_repository
from wire import PATIENCE

import rpg
from rpg.server.subscriptions import connection_of
from rpg.tools import TOOLS

CLIENTS, CALLS, ENCODES = 50, 300, 3


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("team")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture(scope="module")
def address(shop: Path) -> Iterator[str]:
    with listening(shop) as (address, _):
        yield address


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_fifty_clients_are_answered(address: str, mode: str) -> None:
    questions = questions_of(["Cart", "Cart.total"], ["shop/cart.py"])

    found = anyio.run(load, address, CLIENTS, CALLS, questions, mode)

    assert found.errors == []
    assert len(found.seconds) == CALLS


@pytest.mark.invariant(
    "freshness",
    "a call over HTTP is answered while its graph is encoded again, by whichever process of the library",
)
def test_no_call_fails_while_the_graph_is_encoded_again(tmp_path: Path) -> None:
    root = write_repository(tmp_path / "shop")
    graph = tmp_path / "shop.graph.json"
    rpg.encode(root, output=str(graph))
    questions = questions_of(["Cart", "Cart.total"], ["shop/cart.py"])

    async def work(address: str) -> tuple[list[Load], str]:
        found: list[Load] = []
        name = ""
        is_encoding = True

        async def ask() -> None:
            while is_encoding:
                found.append(await load(address, 5, 25, questions))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            for number in itertools.count(1):
                name = f"late_{number}"
                (root / "shop" / "late.py").write_text(f"def {name}():\n    pass\n")
                command = [sys.executable, "-m", "rpg", "encode", str(root), "--full", "-o", str(graph)]
                await anyio.run_process(command)
                if number >= ENCODES and len(found) >= 2:
                    break
            is_encoding = False
        return found, name

    with listening(graph) as (address, _):
        found, name = anyio.run(work, address)
        after = connected(address, lambda client: client.call_tool("search", {"query": name}))

    assert [error for each in found for error in each.errors] == []
    assert "shop/late.py:1-2" in after.content[0].text


# Several processes


class RoundRobin(httpx2.AsyncBaseTransport):
    """As a proxy: each request goes to the next process."""

    def __init__(self, addresses: list[str]) -> None:
        self._addresses = addresses
        self._inner = httpx2.AsyncHTTPTransport()
        self.asked: list[int] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        number = len(self.asked) % len(self._addresses)
        self.asked.append(number)
        port = int(self._addresses[number].rpartition(":")[2])
        request.url = request.url.copy_with(port=port)
        request.headers["host"] = f"127.0.0.1:{port}"
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


@pytest.mark.invariant(
    "freshness",
    "a call over HTTP is answered while its graph is encoded again, by whichever process of the library",
)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_which_of_two_processes_answers_makes_no_difference(tmp_path: Path, mode: Any) -> None:
    library = tmp_path / "graphs"
    library.mkdir()
    roots = {
        name: repository(tmp_path / name, {f"{name}.py": f"def pour_{name}():\n    pass\n"}) for name in ("tea", "milk")
    }
    rpg.encode(roots["tea"], output=str(library / "tea.graph.json"))

    async def work(addresses: list[str]) -> Any:
        proxy = RoundRobin(addresses)
        async with (
            httpx2.AsyncClient(transport=proxy, timeout=PATIENCE) as http,
            Client(streamable_http_client("http://127.0.0.1:1/mcp", http_client=http), mode=mode) as client,
        ):
            tools = [[each.name for each in (await client.list_tools()).tools] for _ in range(2)]
            found = [await client.call_tool("search", {"query": "pour_tea"}) for _ in range(4)]
            made = await client.call_tool("encode", {"repository": str(roots["milk"])})
            after = [await client.call_tool("search", {"query": "pour_milk"}) for _ in range(4)]
            return tools, found, made, after, proxy.asked

    with ExitStack() as processes:
        addresses = [processes.enter_context(listening("--library", library, "--allow-write"))[0] for _ in range(2)]
        tools, found, made, after, asked_of = anyio.run(work, addresses)

    assert tools == [list(TOOLS)] * 2
    assert not made.is_error, made.content
    assert all("tea.py:1-2" in each.content[0].text for each in found)
    assert all("milk.py:1-2" in each.content[0].text for each in after)
    assert set(asked_of) == {0, 1}


def test_the_mcp_package_still_keeps_connections_where_they_are_looked_for() -> None:
    """Fails if a new version of the package moves what has no public name."""
    from mcp.server.lowlevel import Server

    seen: list[Connection] = []

    async def ask() -> None:
        import mcp_types as types

        async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
            seen.append(connection_of(context))
            return types.ListToolsResult(tools=[])

        async with Client(Server("x", on_list_tools=list_tools), mode="legacy") as client:
            await client.list_tools()
            await client.list_tools()

    anyio.run(ask)

    assert len(seen) == 2
    assert seen[0] is seen[1]
    assert seen[0].has_standalone_channel
