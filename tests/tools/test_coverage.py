"""The table for people who come from another server: every example in it works, and every row has one."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import click
import pytest
from area_sources import FILES
from mcp import Client
from repositories import write
from shop import write_graph, write_repository

import rpg
from rpg.cli import rpg as commands
from rpg.encoder.options import Options
from rpg.repository import encode
from rpg.server import build_server
from rpg.tools import TOOLS
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "coming-from-another-server.md"
URL = "https://example.com/shop.git"
ABOUT_AREAS = re.compile(r'"(functional|both|features)"')
EXAMPLE = re.compile(r"`([^`]+)`(?: = ([A-Z_]+))?")


class Row(NamedTuple):
    feature: str
    here: str
    examples: list[tuple[str, str]]
    """What is called, and the error that it is refused with where that is the point."""


def rows() -> Iterator[Row]:
    section = PAGE.read_text("utf-8")
    lines = [line for line in section.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        _, feature, here, example = (cell.strip() for cell in line.strip("|").split("|"))
        yield Row(feature, here, EXAMPLE.findall(example))


ROWS = list(rows())
EXAMPLES = [pytest.param(*example, id=f"{at}-{example[0]}") for at, row in enumerate(ROWS) for example in row.examples]


@pytest.fixture(scope="module", autouse=True)
def _installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One for all examples, so that all believe the index of `read_only`; nothing of the user's is touched."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RPG_DATA", str(tmp_path_factory.mktemp("data")))
        patched.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patched.delenv("RPG_GRAPH", raising=False)
        yield


@pytest.fixture(scope="module")
def read_only(_installation: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop's graph, for calls that change nothing."""
    return made(tmp_path_factory.mktemp("coverage"))


@pytest.fixture(scope="module")
def with_areas(_installation: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that is large enough for areas."""
    folder = tmp_path_factory.mktemp("areas")
    encode(write(folder / "shop", FILES), folder / "shop.graph.json", Options(), workers=1)
    return folder / "shop.graph.json"


def made(folder: Path) -> Path:
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


def test_every_row_has_an_example() -> None:
    assert len(ROWS) > 35
    assert [row for row in ROWS if not row.examples] == []


def test_every_tool_and_prompt_is_shown_in_the_table() -> None:
    first_words = {called.split()[0] for row in ROWS for called, _ in row.examples}

    assert set(TOOLS) <= first_words


@pytest.mark.parametrize(("called", "error"), EXAMPLES)
def test_every_example_works(
    called: str, error: str, read_only: Path, with_areas: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    word, _, rest = called.partition(" ")
    if word in TOOLS:
        graph = with_areas if ABOUT_AREAS.search(rest) else read_only if TOOLS[word].read_only else made(tmp_path)
        arguments = json.loads(rest.replace(URL, (graph.parent / "shop").as_uri()))
        answer = asked(graph, lambda client: client.call_tool(word, arguments))
        text = answer.content[0].text
        if error:
            assert f"{error}: " in text
        else:
            assert not answer.is_error, text
            assert answer.structured_content
            assert says_something(word, answer.structured_content), text
    elif word == "resource":
        assert asked(read_only, lambda client: client.read_resource(rest)).contents[0].text
    elif word == "prompt":
        name, _, given = rest.partition(" ")
        assert asked(read_only, lambda client: client.get_prompt(name, json.loads(given))).messages
    elif word in ("rpg", "rpg-mcp"):
        parsed(shlex.split(called))
    else:
        monkeypatch.chdir(read_only.parent)
        assert eval(called, {"rpg": rpg}).name == "rpg"


def asked(graph: Path, question: Callable[[Client], Any]) -> Any:
    graphs = Graphs([graph], Settings(allows_files=True))

    async def run() -> Any:
        async with Client(build_server(graphs, structured=True)) as client:
            return await question(client)

    try:
        return anyio.run(run)
    finally:
        graphs.close()


def says_something(tool: str, content: dict[str, Any]) -> bool:
    """Whether the example shows the thing: an empty answer would teach nothing."""
    listed = {
        "search": "hits",
        "fetch": "symbols",
        "find_usages": "symbols",
        "explore": "nodes",
        "query_code": "evidence",
    }
    name = listed.get(tool)
    if tool == "explore":
        return bool(content.get("nodes") or content.get("outlines"))
    return name is None or bool(content.get(name))


def parsed(words: list[str]) -> click.Context:
    """The command line as click reads it; nothing is run. A usage error fails."""
    name, *arguments = words[1:] if words[0] == "rpg" else ["serve", *words[1:]]
    command = commands.get_command(click.Context(commands), name)
    assert command is not None, f"there is no command {name}"
    return command.make_context(name, arguments)
