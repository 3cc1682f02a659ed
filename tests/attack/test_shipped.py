"""Hostile graphs and indexes under a real server: each question is answered, and nothing that they say is followed.

One case alone: `bin/test --attack "tests/attack/test_shipped.py::test_a_hostile_graph_is_data[NAME]"`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attack.canaries import World, rpg
from attack.conftest import SLOWEST, share
from attack.inputs.shipped import SHIPPED
from attack.oracles import MARKS, changes_outside, complaints, leaked
from attack.server_process import Died, Hangs, ServerProcess
from rpg.server.instructions import LIMIT, instructions
from rpg.tools.loaded.graphs import Graphs

GRAPHS_OF_EVERY_RUN = 40
REPLACED_IN_EVERY_RUN = 10
A_SERVER_FOR = 20
"""Graphs that one process serves: starting it costs more than asking."""
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("stats", {}),
    ("fetch", {"targets": ["shop/cart.py", "../outside/secret.py", "secret.txt", ".env", "Cart.total"]}),
    ("search", {"query": "total of a cart", "excerpts": True}),
    ("search", {"query": "Crat", "mode": "symbol"}),
    ("find_usages", {"symbol": "price", "transitive": 5}),
    ("explore", {"start": ["./"], "depth": 10, "edges": ["contains"]}),
    ("explore", {"start": ["Cart"], "to": "price"}),
    ("get_dependencies", {"target": "./", "direction": "both", "transitive": 10}),
    ("query_code", {"question": "how is the total computed", "answer": "extract"}),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", share(metafunc.config, list(SHIPPED), GRAPHS_OF_EVERY_RUN))
    if "replaced" in metafunc.fixturenames:
        metafunc.parametrize("replaced", share(metafunc.config, list(SHIPPED), REPLACED_IN_EVERY_RUN))


class Shelf:
    """A folder of hostile graphs, and the server that serves some of them."""

    def __init__(self, world: World, names: list[str]) -> None:
        self.world = world
        self.names = names
        self.slowest: list[tuple[float, str]] = []
        self._server: ServerProcess | None = None
        self._served: list[str] = []

    def server(self, name: str) -> ServerProcess:
        if self._server is None or name not in self._served:
            self.drop()
            at = self.names.index(name)
            self._served = self.names[at : at + A_SERVER_FOR]
            self._server = ServerProcess(self.world, [self.place(each) for each in self._served])
        return self._server

    def place(self, name: str) -> Path:
        return place(self.world, name, self.world.graphs / name)

    def drop(self) -> None:
        if self._server is not None:
            self.slowest.append(self._server.slowest)
            self._server.kill()
            self._server = None


def place(world: World, name: str, folder: Path) -> Path:
    """The hostile graph of that name, made once."""
    graph = folder / f"{name}.graph.json"
    if not folder.exists():
        index = graph.with_name(f"{name}.graph.db")
        folder.mkdir(parents=True)
        shutil.copy2(world.graph, graph)
        shutil.copy2(world.graphs / "shop.graph.db", index)
        SHIPPED[name](world, graph, index)
    return graph


@pytest.fixture(scope="module")
def shelf(world: World, request: pytest.FixtureRequest) -> Iterator[Shelf]:
    before = world.snapshot(contents=True)
    shelf = Shelf(world, share(request.config, list(SHIPPED), GRAPHS_OF_EVERY_RUN))
    yield shelf
    shelf.drop()
    request.config.stash.setdefault(SLOWEST, []).extend(shelf.slowest)
    assert changes_outside(world, before, contents=True) == []


def test_a_hostile_graph_is_data(shelf: Shelf, world: World, name: str) -> None:
    before = world.snapshot()
    found = []
    try:
        server = shelf.server(name)
        for tool, arguments in QUESTIONS:
            answer = server.call(tool, {**arguments, "graph": name})
            found += [f"{tool}: {complaint}" for complaint in complaints(answer)]
    except (Died, Hangs):
        shelf.drop()
        raise

    assert found + changes_outside(world, before) == []
    assert server.noise == []


def test_what_a_client_is_told_first_is_short_and_holds_no_mark(world: World, shelf: Shelf, name: str) -> None:
    graph = shelf.place(name)
    if not graph.is_file():
        return
    said = instructions(Graphs([graph]))

    assert len(said) <= LIMIT
    assert leaked(said, "the instructions") == []
    assert "\x1b" not in said


def test_encode_believes_nothing_of_what_was_there(world: World, replaced: str) -> None:
    """It says what is wrong, or makes the graph as if nothing had been there."""
    graph = place(world, replaced, world.graphs / "replaced" / replaced)
    before = world.snapshot()

    made = rpg(world, "encode", str(world.repository), "-o", str(graph))

    assert "Traceback" not in made.stdout + made.stderr
    assert made.returncode in (0, 2, 3)
    if made.returncode == 0:
        text = graph.read_text("utf-8")
        assert text == world.graph.read_text("utf-8")
        assert not any(mark in text for mark in MARKS)
    assert changes_outside(world, before) == []
