"""Every argument that takes a path, with every way to write a path that leads out: nothing outside is read or written.

One case alone: `bin/test --attack "tests/attack/test_paths.py::TEST[CASE]"`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from attack.canaries import World, make_world
from attack.conftest import share
from attack.inputs.calls import Case
from attack.inputs.paths import reading, uris, writing
from attack.oracles import changes_outside, complaints, echoed, stored, text_of
from attack.server_process import Servers

READS_OF_EVERY_RUN = 700
ADDRESSES_OF_EVERY_RUN = 250
WRITES_OF_EVERY_RUN = 60
NOWHERE = World(Path("/nowhere"))
"""Names of cases must be known before there is a folder; the cases are made again in the folder that there is."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    config = metafunc.config
    if "case_name" in metafunc.fixturenames:
        metafunc.parametrize("case_name", share(config, [case.name for case in reading(NOWHERE)], READS_OF_EVERY_RUN))
    if "address_name" in metafunc.fixturenames:
        metafunc.parametrize("address_name", share(config, [name for name, _ in uris(NOWHERE)], ADDRESSES_OF_EVERY_RUN))
    if "write_name" in metafunc.fixturenames:
        metafunc.parametrize("write_name", share(config, [case.name for case in writing(NOWHERE)], WRITES_OF_EVERY_RUN))


@pytest.fixture(scope="module")
def reads(world: World) -> dict[str, Case]:
    return {case.name: case for case in reading(world)}


@pytest.fixture(scope="module")
def addresses(world: World) -> dict[str, str]:
    return dict(uris(world))


def test_a_path_leads_nowhere_else(servers: Servers, world: World, reads: dict[str, Case], case_name: str) -> None:
    case = reads[case_name]
    before = world.snapshot()

    answer = servers.call(case.tool, case.arguments)

    found = complaints(answer) + echoed(case.arguments, text_of(answer.message)) + changes_outside(world, before)
    assert found == [], f"{case.tool} {case.arguments!r:.300}"


def test_an_address_leads_nowhere_else(
    servers: Servers, world: World, addresses: dict[str, str], address_name: str
) -> None:
    before = world.snapshot()

    answer = servers.ask("resources/read", {"uri": addresses[address_name]})

    found = complaints(answer, 20_000) + echoed(addresses[address_name], text_of(answer.message))
    assert found + changes_outside(world, before) == [], f"{addresses[address_name]!r:.300}"


def test_afterwards_the_graph_is_what_it_was(servers: Servers, world: World) -> None:
    assert stored(world.graph) == []
    assert servers.server.noise == []
    assert servers.server.end() == 0
    servers.drop()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, dict[str, Case], Servers]]:
    """A world of its own, whose graphs come and go."""
    world = make_world(tmp_path_factory.mktemp("written"))
    servers = Servers(world, [world.graph])
    yield world, {case.name: case for case in writing(world)}, servers
    servers.drop()


def test_nothing_is_written_elsewhere(written: tuple[World, dict[str, Case], Servers], write_name: str) -> None:
    world, cases, servers = written
    case = cases[write_name]
    before = world.snapshot()

    answer = servers.call(case.tool, case.arguments)

    found = complaints(answer) + changes_outside(world, before)
    found += [f"a name that is no graph's: {path}" for path in world.graphs.rglob("*") if not is_of_graph(path)]
    assert found == [], f"{case.tool} {case.arguments!r:.300}"
    if not world.graph.exists():
        servers.drop()
        pytest.fail("the graph that is served is gone")


def is_of_graph(path: Path) -> bool:
    """Whether a file beside the graphs is one that belongs there."""
    return path.is_dir() or ".graph.json" in path.name or ".graph.db" in path.name
