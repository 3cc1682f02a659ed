"""Tokens of an HTTP server that are limited to graphs and to reading: what one may not see does not exist for it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from listening import connected, listening, status
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceTemplateReference
from repositories import repository
from wire import SERVE

import rpg
from rpg.cli import run
from rpg.errors import BadRequest
from rpg.server.tokens import EVERYTHING, Grant, Tokens

ALL, TEA, READER = "token-of-all", "token-of-tea", "token-of-a-reader"
SECRET_NAME = "milk"
FILES = {
    name: {f"{name}/pot.py": f"def pour():\n    '''Pour {name}.'''\n\n\ndef stir_{name}():\n    pour()\n"}
    for name in ("tea", "teacup", "milk")
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokens")
    (folder / "graphs").mkdir()
    for name, files in FILES.items():
        rpg.encode(repository(folder / name, files), output=str(folder / "graphs" / f"{name}.graph.json"))
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    lines = f"# comment\n{ALL}\n\n{TEA} tea*\n{READER} read-only tea milk\n"
    file = folder / "tokens"
    file.write_text(lines)
    file.chmod(0o600)
    with listening("--library", folder / "graphs", "--tokens", file, "--allow-write") as (address, _):
        yield address


def answers(address: str, token: str, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    async def work(client: Client) -> Any:
        return [await client.call_tool(tool, arguments) for tool, arguments in calls]

    return connected(address, work, token)


def told(answer: Any) -> str:
    text: str = answer.content[0].text
    return text


def test_each_token_opens_its_graphs(address: str) -> None:
    (every,) = answers(address, ALL, ("search", {"query": "pour"}))
    (limited,) = answers(address, TEA, ("search", {"query": "pour"}))

    assert "milk/pot.py" in told(every)
    assert "tea/pot.py" in told(limited)
    assert "teacup/pot.py" in told(limited)
    assert "milk" not in told(limited)


@pytest.mark.invariant("several graphs", "for a client whose token does not grant a graph, that graph does not exist")
@pytest.mark.parametrize("graph", ["milk", "mi", "all", "", "milk.graph.json", "tea,milk", "{folder}/milk.graph.json"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "stir_milk", "mode": "symbol"}),
        ("search", {"query": "Pour milk", "mode": "text"}),
        ("fetch", {"targets": ["milk/pot.py"]}),
        ("explore", {"start": ["stir_milk"]}),
        ("find_usages", {"symbol": "stir_milk"}),
        ("get_dependencies", {"target": "milk/pot.py"}),
        ("query_code", {"question": "how is milk stirred", "answer": "extract"}),
        ("stats", {}),
        ("stats", {"of": "api"}),
    ],
)
def test_no_tool_tells_of_another_graph(
    address: str, folder: Path, graph: str, tool: str, arguments: dict[str, Any]
) -> None:
    written = graph.format(folder=folder / "graphs")

    (answer,) = answers(address, TEA, (tool, {**arguments, "graph": written}))

    said = told(answer)
    for given in (written, *map(str, arguments.values()), "milk/pot.py", "stir_milk", "Pour milk"):
        said = said.replace(f"{given!r}", "") if given else said  # what was asked may be repeated
    assert "Pour milk." not in said
    assert "pot.py:5" not in said or "tea" in said
    assert "milk.graph.json" not in said


@pytest.mark.invariant("several graphs", "for a client whose token does not grant a graph, that graph does not exist")
def test_nothing_else_tells_of_another_graph(address: str) -> None:
    async def work(client: Client) -> Any:
        said = [
            (await client.list_tools()).model_dump_json(),
            (await client.list_resources()).model_dump_json(),
            (await client.read_resource("repositories://list")).model_dump_json(),
            client.instructions or "",
        ]
        for template, argument, known in (
            ("repository://{name}", "name", None),
            ("code://{name}/{+path}", "path", {"name": "milk"}),
            ("symbol://{name}/{+id}", "id", {"name": "milk"}),
        ):
            reference = ResourceTemplateReference(type="ref/resource", uri=template)
            completed = await client.complete(reference, {"name": argument, "value": ""}, known)
            said.append(completed.model_dump_json())
        for uri in ("repository://milk", "code://milk/milk/pot.py", "symbol://milk/milk/pot.py::pour"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            said.append(str(refused.value).replace("'milk'", ""))
        refused_stream = None
        try:
            async with client.listen(resource_subscriptions=["repository://milk"]):
                pass
        except MCPError as error:
            refused_stream = str(error)
        return said, refused_stream

    limited, stream = connected(address, work, TEA)

    assert [each for each in limited if "milk" in each] == []
    assert stream is not None
    assert "no resource" in stream


def test_a_session_of_one_token_is_none_of_another(address: str) -> None:
    async def work() -> list[str]:
        import httpx2
        from wire import HELLO, call

        async with httpx2.AsyncClient(timeout=60) as http:
            headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {ALL}"}
            began = await http.post(f"{address}/mcp", json=HELLO, headers=headers)
            session = {"mcp-session-id": began.headers["mcp-session-id"]}
            own = await http.post(f"{address}/mcp", json=call(1, "stats"), headers=headers | session)
            headers["Authorization"] = f"Bearer {TEA}"
            other = await http.post(f"{address}/mcp", json=call(1, "stats"), headers=headers | session)
            return [own.text, other.text]

    own, other = anyio.run(work)

    assert "milk  ready" in own
    assert "tea  ready" in other
    assert "milk" not in other


def test_a_reader_changes_nothing_and_a_limited_writer_only_its_graphs(address: str, folder: Path) -> None:
    milk = str(folder / "milk")
    before = sorted((folder / "graphs").iterdir())

    made, gone = answers(address, READER, ("encode", {"repository": str(folder / "tea")}), ("forget", {"graph": "tea"}))
    tries = [
        {"repository": milk},
        {"repository": milk, "output": "tea-too.graph.json"},
        {"repository": str(folder / "tea"), "output": "milk.graph.json"},
        {"repository": str(folder / "none"), "output": "tea-too.graph.json"},
        {"repository": f"file://{milk}", "output": "tea-too.graph.json"},
        {"repository": "https://localhost:1/owner/milk", "output": "tea-too.graph.json"},
    ]
    refused = answers(address, TEA, *(("encode", each) for each in tries), ("forget", {"graph": "milk"}))
    own, listed = answers(address, TEA, ("encode", {"repository": str(folder / "tea")}), ("stats", {}))

    assert [told(each)[:10] for each in (made, gone)] == ["FORBIDDEN:"] * 2
    assert [told(each).partition(":")[0] for each in refused] == ["FORBIDDEN"] * len(tries) + ["BAD_REQUEST"]
    assert told(refused[0]).replace("milk", "none") == told(refused[3])  # whether it is there is not told
    assert not own.is_error, told(own)
    assert "milk" not in told(listed)
    assert sorted((folder / "graphs").iterdir()) == before


@pytest.mark.parametrize("written", ["{folder}/../{parent}/NAME", "{folder}/NAME/"])
@pytest.mark.parametrize("branch", ["", "main"])
def test_a_limited_writer_learns_of_no_folder(address: str, folder: Path, written: str, branch: str) -> None:
    path = written.format(folder=folder, parent=folder.name)
    tries = [{"repository": path.replace("NAME", name), "branch": branch} for name in ("milk", "none")]

    there, not_there = (told(each) for each in answers(address, TEA, *(("encode", each) for each in tries)))

    assert there.startswith("FORBIDDEN:")
    assert there.replace("milk", "none") == not_there


@pytest.mark.invariant("several graphs", "for a client whose token does not grant a graph, that graph does not exist")
def test_what_others_encode_is_not_told(address: str, folder: Path) -> None:
    (failed,) = answers(address, ALL, ("encode", {"repository": "https://localhost:1/owner/milk-too"}))
    (every,) = answers(address, ALL, ("stats", {}))
    (limited,) = answers(address, TEA, ("stats", {}))

    assert failed.is_error
    assert "milk-too" in told(every)
    assert "milk-too" not in told(limited)


def test_tokens_come_from_options_the_environment_and_a_file(folder: Path) -> None:
    file = folder / "more"
    file.write_text("third milk\n")
    file.chmod(0o600)
    arguments = ["--library", folder / "graphs", "--tokens", file]

    def let_in(address: str) -> list[str]:
        tried = ("first", "second", "third", "fourth", "first tea", "fir")
        return [each for each in tried if status("GET", f"{address}/x", Authorization=f"Bearer {each}") != 401]

    with listening(*arguments, RPG_TOKEN="first tea\nsecond") as (address, _):
        assert let_in(address) == ["first", "second", "third"]
    with listening(*arguments, "--token", "fourth read-only tea", "--token", "second", RPG_TOKEN="first") as (
        address, _,
    ):  # fmt: skip
        assert let_in(address) == ["second", "third", "fourth"]


@pytest.mark.parametrize(
    ("content", "mode", "why"),
    [
        ("abc tea\n", 0o644, "chmod 600"),
        ("abc tea\n", 0o620, "chmod 600"),
        ("", 0o600, "has no token"),
        ("# abc\n\n", 0o600, "has no token"),
        ("#" * (1 << 20) + "\nabc tea\n", 0o600, "more than 1,048,576 bytes"),
        ("abc tea\nabc milk\n", 0o600, "given twice"),
        ("ab\u00e9c\n", 0o600, "letters, digits and punctuation"),
        (None, 0o600, "cannot be read"),
    ],
)
def test_a_file_of_tokens_that_cannot_be_trusted_starts_no_server(
    folder: Path, tmp_path: Path, content: str | None, mode: int, why: str
) -> None:
    file = tmp_path / "tokens"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    ran = subprocess.run(
        [*SERVE, "--library", str(folder / "graphs"), "--http", "--port", "0", "--tokens", str(file)],
        capture_output=True, text=True, check=False, timeout=60, env=dict(os.environ),
    )  # fmt: skip

    assert ran.returncode == 2
    assert why in ran.stderr
    assert "abc" not in ran.stderr.replace("# abc", "")


def test_an_empty_token_opens_no_door(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--library", str(folder / "graphs"), "--http", "--port", "0", "--token", ""]) == 2
    assert "--token is empty" in capsys.readouterr().err


def test_a_line_is_a_token_and_what_it_permits() -> None:
    tokens = Tokens(["a", "b read-only", "c tea milk-*", "  d read-only tea  ", "", "e=/+:,; x", "f tea read-only"])

    assert tokens.grant_of(b"a") == EVERYTHING
    assert tokens.grant_of(b"b") == Grant(reads_only=True)
    assert tokens.grant_of(b"c") == Grant(("tea", "milk-*"))
    assert tokens.grant_of(b"d") == Grant(("tea",), True)
    assert tokens.grant_of(b"e=/+:,;") == Grant(("x",))
    assert tokens.grant_of(b"f") == Grant(("tea",), True)
    assert [tokens.grant_of(each) for each in (b"", b"A", b"a ", b"c tea", b"\xff")] == [None] * 5
    assert not Tokens(["", "  "])
    with pytest.raises(BadRequest):
        Tokens(["a tea", "a"])


def test_health_names_the_server_to_any_token(address: str) -> None:
    import httpx2

    shown = httpx2.get(f"{address}/health", headers={"Authorization": f"Bearer {TEA}"})
    assert set(json.loads(shown.text)) == {"status", "name", "version"}
