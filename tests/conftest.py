"""What every test may rely on: `--llm` runs the tests that need llama.cpp, without it they are left out and counted.

`--sequences`, `--attack` and `--fuzz` make some tests go through more cases. RPG_DATA names a folder of this run."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Last, so that what is installed is tested and not the sources beside it.
ROOT = Path(__file__).parent.parent
sys.path += [str(ROOT), str(ROOT / "bin" / "developer")]

# The same examples everywhere, and no verdict on how fast the machine draws them.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

LEFT_OUT = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Before any module of tests keeps the environment for the processes that it starts. A test that drops RPG_DATA, or
    a client that hands down HOME alone, is led to a place that `_users_data_folder_is_left_alone` looks at, and not to
    the user's own."""
    folder = tempfile.TemporaryDirectory(prefix="rpg-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    os.environ["RPG_DATA"] = os.path.join(folder.name, "data")
    os.environ["RPG_CACHE"] = "off"  # a test is not to find what another one made
    os.environ["RPG_MODEL"] = "none"
    os.environ["RPG_DEBUG"] = "1"  # a mistake in the resolver is to fail, and not to be lived with
    os.environ["HOME"] = os.path.join(folder.name, "home")
    os.environ["XDG_DATA_HOME"] = os.path.join(folder.name, "home", ".local", "share")


@pytest.fixture(scope="session")
def users_data_folder() -> Path:
    """Where rpg keeps its data if nobody names another folder."""
    return Path(os.environ["XDG_DATA_HOME"], "rpg")


@pytest.fixture(autouse=True)
def _users_data_folder_is_left_alone(users_data_folder: Path) -> Iterator[None]:
    yield
    assert not users_data_folder.exists(), "this test wrote into the user's data folder: leave RPG_DATA as it is"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--llm", action="store_true", help="run the tests that need llama.cpp, too")
    parser.addoption(
        "--sequences", type=int, default=300, help="histories that test_incremental_property.py goes through (300)"
    )
    parser.addoption(
        "--history-of", action="append", default=[], metavar="DIR", help="a repository that it changes at random, too"
    )
    parser.addoption(
        "--attack", action="store_true", help="all cases of tests/attack, of which every run takes a share (minutes)"
    )
    parser.addoption(
        "--fuzz",
        type=int,
        default=100,
        help="damaged files of each language that test_fuzz_lowering.py goes through (100)",
    )


@pytest.fixture(scope="session")
def fuzz(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--fuzz"))


@pytest.fixture(scope="session")
def whole_attack(request: pytest.FixtureRequest) -> bool:
    """Whether all cases of tests/attack are asked for, and not the share of every run."""
    return bool(request.config.getoption("--attack"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--llm"):
        return
    model_tests = [item for item in items if item.get_closest_marker("llm")]
    if model_tests:
        config.hook.pytest_deselected(items=model_tests)
        items[:] = [item for item in items if not item.get_closest_marker("llm")]
    config.stash[LEFT_OUT] = len(model_tests)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker of pytest-xdist collects the same tests: one count is the count."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    left_out = config.stash.get(LEFT_OUT, 0)
    if left_out:
        terminalreporter.write_line(f"{left_out} model tests left out: bin/test --llm runs them, too")
