"""The server: as a process over stdin and stdout, over HTTP, and what it says beside answers of tools."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.shared.exceptions import MCPError
from shop import write_graph, write_repository
from wire import HELLO, INITIALIZED, call, request, serving

from rpg.server import build_server
from rpg.server.instructions import LIMIT, instructions
from rpg.server.transports import http_app
from rpg.tools import TOOLS
from rpg.tools.calling.registry import input_schema
from rpg.tools.loaded.graphs import Graphs

SERVE = [sys.executable, "-m", "rpg", "serve"]


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph file; nothing may be changed there."""
    folder = tmp_path_factory.mktemp("server")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


STRUCTURED = "--structured"


def over_stdio(arguments: list[str], work: Any) -> Any:
    # Left to itself, the SDK hands down HOME and little else: the server would keep its data in the user's folder.
    parameters = StdioServerParameters(command=SERVE[0], args=[*SERVE[1:], *arguments], env=dict(os.environ))

    async def run() -> Any:
        async with Client(parameters) as client:
            return await work(client)

    return anyio.run(run)


def in_memory(graphs: Graphs, work: Any, structured: bool = False) -> Any:
    async def run() -> Any:
        async with Client(build_server(graphs, structured=structured)) as client:
            return await work(client)

    return anyio.run(run)


# The process


def test_a_client_over_stdio_lists_ten_tools_and_gets_an_answer(shop: Path) -> None:
    async def work(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        answer = await client.call_tool("find_usages", {"symbol": "Base.save"})
        return [tool.name for tool in tools], answer

    names, answer = over_stdio([str(shop)], work)

    assert names == list(TOOLS)
    assert len(names) == 10
    assert "\n1 possible use; not complete" in answer.content[0].text


@pytest.mark.invariant(
    "answers",
    "a model gets an answer once, as text; the budget counts exactly that text, and what a client is told"
    " before its first call is short",
)
def test_an_answer_is_sent_once_unless_records_are_asked_for(shop: Path) -> None:
    """As bytes on the wire: one text, and no schema of answers; with --structured both forms."""
    told = {}
    for options in ([], [STRUCTURED]):
        with serving(shop, *options) as wire:
            wire.send(call(1, "find_usages", symbol="Base.save"), request(2, "tools/list"))
            by_id = {message["id"]: message["result"] for message in wire.answers(2)}
        told[bool(options)] = by_id[1], by_id[2]["tools"]
    (answer, tools), (both, described) = told[False], told[True]

    assert "structuredContent" not in answer
    assert [part["type"] for part in answer["content"]] == ["text"]
    assert all("outputSchema" not in tool for tool in tools)
    assert both["content"] == answer["content"]
    assert both["structuredContent"]["symbols"][0]["total"] == {"possible": 1}
    assert all(tool["outputSchema"]["type"] == "object" for tool in described)
    assert [{**tool, "outputSchema": None} for tool in described] == [{**tool, "outputSchema": None} for tool in tools]


@pytest.mark.invariant(
    "answers",
    "a model gets an answer once, as text; the budget counts exactly that text, and what a client is told"
    " before its first call is short",
)
def test_what_a_client_gets_before_its_first_call_is_short(shop: Path) -> None:
    """A model reads all of it in every session: characters, with blanks between them as some clients write them."""
    with serving(shop, greeted=False) as wire:
        wire.send(HELLO, INITIALIZED)
        said = wire.answer()["result"]["instructions"]
        wire.send(request(1, "tools/list"))
        tools = wire.answer()["result"]["tools"]

    assert len(json.dumps(tools)) <= 7_500
    assert len(json.dumps(tools, separators=(",", ":"))) + len(said) <= 7_750
    assert {tool["name"]: set(tool["inputSchema"]["properties"]) for tool in tools} == {
        name: set(input_schema(tool)["properties"]) - {"strict"} for name, tool in TOOLS.items()
    }  # which is told only by a server of several graphs
    assert all("additionalProperties" not in tool["inputSchema"] for tool in tools)
    for tool in tools:
        assert tool["inputSchema"].get("required", []) == input_schema(TOOLS[tool["name"]]).get("required", [])
        assert all(each.keys() & {"type", "enum"} for each in tool["inputSchema"]["properties"].values())
    about_grep = {
        tool["name"] for tool in tools if "grep" in tool["description"] or "etter than" in tool["description"]
    }
    assert about_grep == {"search", "fetch", "explore", "find_usages", "get_dependencies", "query_code"}


@pytest.mark.invariant("the house", "stdout carries only protocol messages; starting the server imports nothing heavy")
def test_nothing_but_protocol_is_on_stdout(shop: Path) -> None:
    """Raw JSON-RPC as of the first protocols: one line for each request, and the process ends with its input."""
    requests = [
        {
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "stats", "arguments": {}}},
    ]  # fmt: skip
    process = subprocess.Popen(
        [*SERVE, str(shop)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    answers = []
    for message in requests:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        if "id" in message:
            answers.append(json.loads(process.stdout.readline()))
    rest, errors = process.communicate(timeout=60)

    assert [answer["id"] for answer in answers] == [1, 2]
    assert "shop" in answers[0]["result"]["instructions"]
    assert answers[1]["result"]["content"][0]["text"].startswith("shop  ready  shop.graph.json")
    assert rest == ""
    assert process.returncode == 0, errors


@pytest.mark.invariant("the house", "stdout carries only protocol messages; starting the server imports nothing heavy")
def test_starting_imports_nothing_heavy() -> None:
    """What a graph needs is imported by the first call that needs one."""
    heavy = {"networkx", "rich", "tree_sitter", "apsw", "numpy", "llama_cpp", "rpg.repository", "rpg.encoder.encode"}
    program = (
        "import sys, rpg.cli, rpg.cli.serving.serve, rpg.server, rpg.server.transports, mcp.server.stdio;"
        "from rpg.tools.loaded.graphs import Graphs; rpg.server.build_server(Graphs());"
        f"print(sorted(set(sys.modules) & {heavy!r}))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"


# A graph that cannot be loaded


@pytest.mark.parametrize("content", [None, "", '{\n"directed":true,\n"mult', "not json"])
def test_a_graph_that_cannot_be_loaded_does_not_stop_the_server(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "broken.graph.json"
    if content is not None:
        path.write_text(content)
    graphs = Graphs([path])

    async def work(client: Client) -> Any:
        return client.instructions, await client.list_tools(), await client.call_tool("stats", {})

    told, tools, answer = in_memory(graphs, work)

    assert len(tools.tools) == 10
    assert "cannot be loaded" in told
    assert answer.is_error
    assert answer.content[0].text.startswith("GRAPH_NOT_LOADED: ")
    assert f"rpg encode REPOSITORY -o {path}" in answer.content[0].text


def test_a_variable_that_the_client_did_not_fill_in_is_said_to_be_one() -> None:
    async def work(client: Client) -> Any:
        return await client.call_tool("stats", {})

    answer = in_memory(Graphs([Path("${workspaceFolder}")]), work)
    assert answer.is_error
    told = answer.content[0].text
    assert "the client did not fill in ${workspaceFolder}" in told
    assert "write the folder of the repository instead" in told
    assert "rpg encode" not in told


def test_without_a_graph_encode_works_and_loads_what_it_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    root = write_repository(tmp_path / "shop")

    heard = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async def work(client: Client) -> Any:
        before = await client.call_tool("search", {"query": "cart"})
        made = await client.call_tool("encode", {"repository": str(root)}, progress_callback=hear)
        after = await client.call_tool("explore", {"start": ["Cart"]})
        (root / "shop" / "extra.py").write_text("def extra():\n    pass\n")
        again = await client.call_tool("encode", {})
        gone = await client.call_tool("forget", {"graph": "shop"})
        return before, made, after, again, gone

    before, made, after, again, gone = in_memory(Graphs(), work, structured=True)

    assert before.is_error
    assert "encode" in before.content[0].text
    assert not made.is_error, made.content[0].text
    assert made.structured_content["graph_file"] == str(tmp_path / "data" / "graphs" / "shop.graph.json")
    assert not after.is_error, after.content[0].text
    assert again.structured_content["changes"] == {"added": ["shop/extra.py"]}
    assert sorted(Path(path).name for path in gone.structured_content["removed"]) == [
        "shop.graph.db",
        "shop.graph.json",
    ]
    assert (root / "shop" / "cart.py").exists()
    assert heard == sorted(heard)
    assert heard[0] == (0.0, "parsing")
    assert heard[-1][0] == 1.0
    assert heard[-1][1].startswith("writing graph and index")


def test_a_repaired_graph_is_loaded_by_the_next_call(tmp_path: Path) -> None:
    root = write_repository(tmp_path / "shop")
    output = tmp_path / "shop.graph.json"
    graphs = Graphs([output])

    async def work(client: Client) -> Any:
        before = await client.call_tool("stats", {})
        write_graph(root, output)
        return before, await client.call_tool("stats", {})

    before, after = in_memory(graphs, work)
    graphs.close()

    assert before.is_error
    assert not after.is_error


# Resources, prompts, instructions


def test_resources_are_read_by_address(shop: Path) -> None:
    graphs = Graphs([shop])

    async def work(client: Client) -> Any:
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        texts = {}
        for uri in (
            "repositories://list", "repository://shop", "code://shop/shop/cart.py",
            "symbol://shop/shop/cart.py%3A%3ACart.total", "symbol://shop/shop/cart.py::Cart.total",
        ):  # fmt: skip
            texts[uri] = (await client.read_resource(uri)).contents[0].text
        return listed, templates, texts

    listed, templates, texts = in_memory(graphs, work)
    graphs.close()

    assert [str(each.uri) for each in listed] == ["repositories://list", "repository://shop"]
    assert [each.name for each in templates] == ["repository", "code", "symbol"]
    (told,) = json.loads(texts["repositories://list"])
    assert {"name": "shop", "uri": "repository://shop", "state": "ready"}.items() <= told.items()
    assert told["when"].startswith("2")
    assert json.loads(texts["repository://shop"])["repositories"][0]["name"] == "shop"
    assert "17\t        return sum(price(item) for item in self.items)" in texts["code://shop/shop/cart.py"]
    assert "callees: price" in texts["symbol://shop/shop/cart.py::Cart.total"]
    assert texts["symbol://shop/shop/cart.py%3A%3ACart.total"] == texts["symbol://shop/shop/cart.py::Cart.total"]


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("code://shop/../secret", "FORBIDDEN"),
        ("code://shop/%2Fetc%2Fpasswd", "FORBIDDEN"),
        ("code://nowhere/shop/cart.py", "BAD_REQUEST"),
        ("other://shop", "BAD_REQUEST"),
        ("symbol://shop/Nothing", "SYMBOL_NOT_FOUND"),
    ],
)
def test_a_resource_that_cannot_be_read_says_why(shop: Path, uri: str, code: str) -> None:
    graphs = Graphs([shop])

    async def work(client: Client) -> Any:
        with pytest.raises(MCPError) as raised:
            await client.read_resource(uri)
        return raised.value.message

    told = in_memory(graphs, work)
    graphs.close()

    assert told.startswith(f"{code}: ")


def test_prompts_name_calls_that_exist() -> None:
    given = {
        "analyze_repository": {"focus": "the cart"},
        "find_implementation": {"what": "where prices are added up"},
        "code_review": {"since": "main"},
        "change_impact": {"symbol": "Cart.total"},
    }

    async def work(client: Client) -> Any:
        listed = (await client.list_prompts()).prompts
        texts = [
            (await client.get_prompt(name, arguments)).messages[0].content.text for name, arguments in given.items()
        ]
        return listed, texts

    listed, texts = in_memory(Graphs(), work)

    assert [each.name for each in listed] == list(given)
    for text, arguments in zip(texts, given.values(), strict=True):
        assert all(value in text for value in arguments.values())
        assert set(re.findall(r"`([a-z_]+)`", text)) <= set(TOOLS)
    assert "{" not in "".join(texts)


def test_a_prompt_says_what_it_needs() -> None:
    async def work(client: Client) -> Any:
        with pytest.raises(MCPError) as raised:
            await client.get_prompt("find_implementation", {})
        return raised.value.message

    assert "needs the argument 'what'" in in_memory(Graphs(), work)


def test_instructions_are_short_and_name_what_is_loaded(shop: Path) -> None:
    told = instructions(Graphs([shop]))

    assert len(told) < LIMIT
    assert re.match(r"Code graph of shop at [0-9a-f]{12}: python 5 files; text: markdown 1\.", told)
    assert set(re.findall(r": ([a-z_]+)$", told, re.M)) <= set(TOOLS)
    assert (
        len(instructions(Graphs([shop.with_name(f"missing{number}" * 9 + ".graph.json") for number in range(9)])))
        <= LIMIT
    )


# HTTP


@contextmanager
def listening(graphs: Graphs, structured: bool = False) -> Iterator[str]:
    """The address of a server on a free port here; the socket takes clients before the server has started."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = uvicorn.Server(
            uvicorn.Config(http_app(lambda _: build_server(graphs, structured=structured)), log_level="error")
        )
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)


def test_http_serves_clients_health_and_events_and_refuses_strangers(shop: Path) -> None:
    graphs = Graphs([shop])
    with listening(graphs) as address:

        async def work() -> Any:
            async with Client(f"{address}/mcp") as client:
                streamed = await client.call_tool("explore", {"start": ["Cart"]})
            async with Client(sse_client(f"{address}/sse"), mode="legacy") as client:
                events = await client.call_tool("explore", {"start": ["Cart"]})
            return streamed, events

        streamed, events = anyio.run(work)
        health = httpx2.get(f"{address}/health")
        strangers = [
            httpx2.post(f"{address}/mcp", json={}, headers={"Host": "evil.example"}),
            httpx2.post(f"{address}/mcp", json={}, headers={"Origin": "http://evil.example"}),
            httpx2.get(f"{address}/sse", headers={"Host": "evil.example"}),
        ]
    graphs.close()

    assert not streamed.is_error
    assert events.content == streamed.content
    assert events.structured_content is streamed.structured_content is None
    assert health.json()["status"] == "ok"
    assert [answer.status_code for answer in strangers] == [421, 403, 421]
