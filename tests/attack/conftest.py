"""What tests of hostile input share: the share of the cases that every run takes, and what the slowest call took."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from attack.canaries import World, make_surroundings, make_world
from attack.oracles import changes_outside
from attack.server_process import Servers

Case = TypeVar("Case")
SLOWEST = pytest.StashKey[list[tuple[float, str]]]()


def share(config: pytest.Config, cases: Sequence[Case], count: int) -> list[Case]:
    """All cases with --attack, else that many, spread over them, the same ones each time."""
    if config.getoption("--attack") or len(cases) <= count:
        return list(cases)
    chosen = sorted(random.Random(0).sample(range(len(cases)), count))
    return [cases[number] for number in chosen]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A repository with its graph, and what nobody may touch around it."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def servers(world: World, request: pytest.FixtureRequest) -> Iterator[Servers]:
    """Serving the graph of the world, one process after the other; nothing outside may have changed at the end."""
    before = world.snapshot(contents=True)
    started = Servers(world, [world.graph])
    yield started
    started.drop()
    request.config.stash.setdefault(SLOWEST, []).extend(started.slowest)
    assert changes_outside(world, before, contents=True) == []


@pytest.fixture
def surroundings(tmp_path: Path) -> World:
    """What nobody may touch, and room for a repository."""
    return make_surroundings(tmp_path)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """No verdict, as other machines are slower: the calls that took longest."""
    slowest = sorted(config.stash.get(SLOWEST, []), reverse=True)[:5]
    if slowest and config.getoption("--attack"):
        lines = [f"  {seconds:.2f} s: {what}" for seconds, what in slowest]
        terminalreporter.write_line("\n".join(["slowest hostile calls:", *lines]))
