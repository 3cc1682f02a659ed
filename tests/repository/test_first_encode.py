"""A server that is started for a folder without a graph: it starts at once, makes the graph, and answers meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from repositories import git, repository, write
from wire import HELLO, INITIALIZED, call, serving, text_of

from rpg.errors import GraphNotLoaded
from rpg.repository.encoding import lock
from rpg.server import build_server
from rpg.stores.graph_folder import make_folder
from rpg.tools.loaded.first_encode import graphs_to_serve
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings

TOKEN = "ghp_" + "Zx9Kq2Lm4Np6Rs8Tu1Vw3Xy5Ab7Cd9Ef0Gh2"
SOURCES = {
    "shop.py": f'TOKEN = "{TOKEN}"\n\n\ndef price(item):\n    return item.price\n',
    "deep/cart.py": "def total(items):\n    return sum(items)\n",
    "tests/test_shop.py": "from shop import price\n\n\ndef test_price():\n    price(1)\n",
    "notes.txt": "a price is a number\n",
}


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RPG_GRAPH", raising=False)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", SOURCES)


def started_for(folder: Path, patience: float | None = 0.01) -> Graphs:
    paths, missing = graphs_to_serve([folder])
    return Graphs(paths, Settings(patience=patience), missing=missing)


@contextmanager
def held_up(shop: Path) -> Iterator[None]:
    """Nothing can be encoded inside."""
    graph = shop / ".rpg" / "shop.graph.json"
    make_folder(graph)
    with lock.hold(graph.with_name("shop.graph.db-lock")):
        yield


def asked(graphs: Graphs, *calls: tuple[str, dict[str, Any]], told: list[str] | None = None) -> list[Any]:
    async def progress(share: float, total: float | None, message: str | None) -> None:
        if told is not None:
            told.append(message or "")

    async def run() -> list[Any]:
        with anyio.fail_after(120):
            async with Client(build_server(graphs)) as client:
                return [await client.call_tool(*each, progress_callback=progress) for each in calls]

    try:
        return anyio.run(run)
    finally:
        graphs.close()


def text(answer: Any) -> str:
    said: str = answer.content[0].text
    return said


@pytest.mark.invariant(
    "freshness",
    "a server for a folder without a graph starts at once, builds the graph, and reports the progress in "
    "every answer; meanwhile text search works, with secrets masked",
)
def test_a_server_makes_the_graph_of_its_folder_and_answers_from_it(shop: Path) -> None:
    with serving(shop / "deep", greeted=False) as wire:
        wire.send(HELLO, INITIALIZED)
        assert "is being built for the first time" in wire.answer()["result"]["instructions"]
        wire.send(call(1, "encode"))
        assert "shop: 4 files" in wire.answer()["result"]["content"][0]["text"]
        wire.send(call(2, "find_usages", symbol="price"))
        assert "tests/test_shop.py" in wire.answer()["result"]["content"][0]["text"]

    assert (shop / ".rpg" / "shop.graph.json").exists()
    assert not (shop / "deep" / ".rpg").exists()


@pytest.mark.invariant(
    "freshness",
    "a server for a folder without a graph starts at once, builds the graph, and reports the progress in "
    "every answer; meanwhile text search works, with secrets masked",
)
def test_meanwhile_a_call_gets_the_progress_and_text_search_works(shop: Path) -> None:
    graphs = started_for(shop)
    with held_up(shop):
        usages, lines, word, symbols, sentence, nothing = asked(
            graphs,
            ("find_usages", {"symbol": "price"}),
            ("search", {"query": r"def \w+\(item", "mode": "regex", "path": "deep/"}),
            ("search", {"query": "price"}),
            ("search", {"query": "price", "mode": "symbol"}),
            ("search", {"query": "where is the sum of a cart made"}),
            ("search", {"query": TOKEN, "mode": "text"}),
        )

    for answer in (usages, symbols, sentence):
        assert answer.is_error
        assert text(answer).startswith("GRAPH_NOT_LOADED: the graph of shop is being built for the first time (")
        assert "ask again in a moment" in text(answer)
    assert not lines.is_error
    assert "1 line in 1 file" in text(lines)
    assert "deep/cart.py" in text(lines)
    assert "is being built for the first time" in text(lines)
    assert "notes.txt" in text(word)
    assert "tests/test_shop.py" in text(word)
    assert TOKEN not in text(nothing).partition("being made")[0]
    assert "no line has it" in text(nothing)


def test_the_graph_is_waited_for_with_progress(shop: Path) -> None:
    told: list[str] = []

    (answer,) = asked(started_for(shop, patience=None), ("find_usages", {"symbol": "price"}), told=told)

    assert "tests/test_shop.py" in text(answer)
    assert told, "nothing was said meanwhile"


def test_who_calls_encode_waits_until_the_graph_is_there(shop: Path) -> None:
    told: list[str] = []

    made, again, usages = asked(
        started_for(shop), ("encode", {}), ("encode", {"repository": str(shop)}), ("stats", {}), told=told
    )

    assert "shop: 4 files" in text(made)
    assert "(up to date)" in text(again)
    assert not usages.is_error
    assert told


def test_an_encode_that_fails_is_reported_and_tried_again(tmp_path: Path) -> None:
    empty = repository(tmp_path / "empty", {"picture.bin": "\0"})
    graphs = started_for(empty, patience=None)

    async def run() -> list[Any]:
        async with Client(build_server(graphs)) as client:
            before = await client.call_tool("stats", {})
            write(empty, {"shop.py": SOURCES["shop.py"]})
            return [before, await client.call_tool("search", {"query": "price", "mode": "symbol"})]

    before, after = anyio.run(run)
    graphs.close()

    assert before.is_error
    assert "no source file" in text(before)
    assert "shop.py" in text(after)


def test_what_is_there_is_served_and_nothing_else_is_made(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop / "deep")
    assert graphs_to_serve([]) == ([], {}), "nobody asked for a graph of this folder"
    asked(started_for(shop), ("encode", {}))
    graph = shop / ".rpg" / "shop.graph.json"

    assert graphs_to_serve([]) == ([graph], {})
    assert graphs_to_serve([shop / "deep"]) == ([graph], {})
    assert graphs_to_serve([tmp_path / "other.graph.json"]) == ([tmp_path / "other.graph.json"], {})


def test_a_home_folder_is_not_encoded_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home" / "user").mkdir(parents=True)
    for name in ("cart", "shop"):  # which graph above is meant does not matter: none is
        (tmp_path / f"{name}.graph.json").write_text("{}", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "user"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home" / "user"))

    for folder in (tmp_path / "home" / "user", tmp_path / "home"):
        assert graphs_to_serve([folder])[1] == {}


# Removed under a server


def removed(shop: Path) -> None:
    """As `git clean -fdx` does it."""
    git(shop, "clean", "-fdxq")
    assert not (shop / ".rpg").exists()


@pytest.mark.invariant(
    "freshness",
    "a graph that is removed under a running server is built again as at its start, with the same "
    "options, and the next answer says so",
)
def test_a_graph_that_is_removed_under_a_server_is_made_again_as_at_its_start(shop: Path) -> None:
    with serving(shop) as wire:
        wire.send(call(1, "encode"))
        assert "shop: 4 files" in text_of(wire.answer())
        wire.send(call(2, "find_usages", symbol=["price"]))
        first = text_of(wire.answer())
        removed(shop)
        write(shop, {"deep/more.py": "from shop import price\n\nprice(2)\n"})

        wire.send(call(3, "find_usages", symbol=["price"]))
        second = text_of(wire.answer())
        while "ask again" in second:
            assert second.startswith("GRAPH_NOT_LOADED: the graph of shop was removed and is being built again (")
            wire.send(call(3, "find_usages", symbol=["price"]))
            second = text_of(wire.answer())
        wire.send(call(4, "find_usages", symbol=["price"]))
        third = text_of(wire.answer())

    assert "removed" not in first
    assert "deep/more.py" in second
    assert "the graph shop.graph.json was removed, and has been built again" in second
    assert "deep/more.py" in third
    assert "removed" not in third
    assert (shop / ".rpg" / "shop.graph.json").exists()


@pytest.mark.invariant(
    "freshness",
    "a graph that is removed under a running server is built again as at its start, with the same "
    "options, and the next answer says so",
)
def test_while_it_is_made_again_text_search_works_and_the_options_stay(shop: Path) -> None:
    graphs = started_for(shop)

    async def run() -> list[Any]:
        async with Client(build_server(graphs)) as client:
            await client.call_tool("encode", {"exclude": ["deep/"]})
            await client.call_tool("stats", {})
            removed(shop)
            with held_up(shop):
                usages = await client.call_tool("find_usages", {"symbol": "price"})
                lines = await client.call_tool("search", {"query": "price", "mode": "text"})
            await client.call_tool("encode", {})
            return [usages, lines, await client.call_tool("search", {"query": "total", "mode": "symbol"})]

    usages, lines, total = anyio.run(run)
    graphs.close()

    assert "was removed and is being built again" in text(usages)
    assert "shop.py" in text(lines)
    assert "deep/cart.py" not in text(total)


def test_each_time_that_it_is_removed_it_is_made_again_and_what_was_never_there_is_not(shop: Path) -> None:
    graphs = started_for(shop, patience=None)
    (place,) = graphs.paths()
    for number in range(3):
        state = graphs.repository(place).refresh()
        assert ("was removed, and has been built again" in state.note) == (number > 0)
        removed(shop)
    graphs.close()

    with pytest.raises(GraphNotLoaded, match="there is no graph file"):
        Graphs([place], Settings(patience=None)).repository(place)
    assert not place.exists()
