"""Hostile repositories, encoded and asked by a real server: it answers, and reads, writes and runs nothing else.

One case alone: `bin/test --attack "tests/attack/test_repositories.py::test_a_hostile_repository_is_only_read[NAME]"`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attack.canaries import World, differences, make_surroundings, rpg, snapshot
from attack.conftest import SLOWEST, share
from attack.inputs.hostile_repositories import REPOSITORIES
from attack.oracles import changes_outside, code_of, complaints, is_error, leaked, stored
from attack.server_process import Servers

REPOSITORIES_OF_EVERY_RUN = 10
COMMANDS_OF_EVERY_RUN = 5
ENCODES_WITHIN_SECONDS = 120.0
HAS_NO_GRAPH = frozenset({"nothing_at_all"})
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("stats", {}),
    ("search", {"query": "stolen secret canary"}),
    ("search", {"query": "Cart", "mode": "symbol", "excerpts": True}),
    ("fetch", {"targets": ["shop/cart.py", "link/secret.py", ".git/config", "../outside/secret.py", ".env"]}),
    ("explore", {"start": ["./"], "edges": ["structure"], "depth": 3}),
    ("find_usages", {"symbol": "Cart"}),
    ("find_usages", {"since": "HEAD"}),
    ("get_dependencies", {"target": "./"}),
    ("query_code", {"question": "what is the secret", "answer": "extract"}),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        is_server = "encoding" in metafunc.fixturenames
        count = REPOSITORIES_OF_EVERY_RUN if is_server else COMMANDS_OF_EVERY_RUN
        metafunc.parametrize("name", share(metafunc.config, list(REPOSITORIES), count))


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_surroundings(tmp_path_factory.mktemp("around"))


@pytest.fixture(scope="module")
def encoding(around: World, request: pytest.FixtureRequest) -> Iterator[Servers]:
    """A server that starts without a graph, in the folder where graphs may be written."""
    write_first(around)
    started = Servers(around, [around.graph])
    yield started
    started.drop()
    request.config.stash.setdefault(SLOWEST, []).extend(started.slowest)


def write_first(world: World) -> None:
    """A graph that the server starts with: new ones are written beside it."""
    root = world.folder / "first"
    root.mkdir()
    (root / "first.py").write_text("def first(): ...\n")
    made = rpg(world, "encode", str(root), "-o", str(world.graph))
    assert made.returncode == 0, made.stderr


@pytest.fixture
def root(around: World, name: str) -> Iterator[Path]:
    folder = around.folder / "hostile" / name
    folder.parent.mkdir(exist_ok=True)
    REPOSITORIES[name](around, folder)
    yield folder
    subprocess.run(["rm", "-rf", "--", folder], check=True)  # folders in each other are deeper than Python's stack


def test_a_hostile_repository_is_only_read(around: World, encoding: Servers, root: Path, name: str) -> None:
    around.sprung.unlink(missing_ok=True)
    before, own = around.snapshot(contents=True), snapshot(root)

    made = encoding.call("encode", {"repository": str(root), "output": f"{name}.graph.json"}, ENCODES_WITHIN_SECONDS)

    found = complaints(made)
    if is_error(made.message):
        assert code_of(made.message) in ("ENCODE_FAILED", "BAD_REQUEST", "FORBIDDEN", "INVALID_PATH"), made.message
    elif name in HAS_NO_GRAPH:
        found.append("there was nothing to encode, and nobody says so")
    else:
        for tool, arguments in QUESTIONS:
            answer = encoding.call(tool, {**arguments, "graph": name})
            found += [f"{tool}: {complaint}" for complaint in complaints(answer)]
        answer = encoding.ask("resources/read", {"uri": f"code://{name}/shop/cart.py"})
        found += complaints(answer, 20_000)
        found += stored(around.graphs / f"{name}.graph.json")
        forgotten = encoding.call("forget", {"graph": name})
        found += complaints(forgotten)
    found += changes_outside(around, before, contents=True)
    found += [f"in the repository: {line}" for line in differences(own, snapshot(root))]
    found += [f"left over: {path}" for path in around.graphs.iterdir() if path.name.startswith(f"{name}.")]
    assert found == []
    assert encoding.server.noise == []


def test_the_command_says_why_and_goes_on(around: World, root: Path, name: str) -> None:
    """Without a server: in the repository itself, where its own files stand beside what is written."""
    around.sprung.unlink(missing_ok=True)
    before = around.snapshot(contents=True)
    output = around.graphs / f"{name}.graph.json"

    ended = rpg(around, "encode", ".", "-o", str(output), cwd=root, seconds=ENCODES_WITHIN_SECONDS)
    asked = rpg(around, "usages", "Cart", "--graph", str(output), cwd=root)

    said = ended.stdout + ended.stderr + asked.stdout + asked.stderr
    assert ended.returncode in (0, 2, 3), said
    assert asked.returncode in (0, 1, 2, 3), said
    found = leaked(said, "what is printed") + stored(output) + changes_outside(around, before, contents=True)
    found += ["a traceback: " + said[-1500:]] if "Traceback" in said else []
    found += [f"a control character reaches the terminal: {said!r:.500}"] if "\x1b" in said else []
    assert found == []
    for path in around.graphs.glob(f"{name}.*"):
        path.unlink()
