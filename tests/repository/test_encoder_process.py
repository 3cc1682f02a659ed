"""Large graphs: encoded in a process of their own, while questions are answered from what there is."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from shop import write_graph, write_repository

from rpg.encoder.options import Options
from rpg.errors import BadRequest, EncodeFailed, RpgError
from rpg.repository import Freshness, Repository, encode, encode_in_child, index_path
from rpg.repository.encoding import lock
from rpg.repository.process import encoder_process
from rpg.server import build_server
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings

SHOP = "def buy():\n    return 1\n"


@pytest.fixture(autouse=True)
def _all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_process, "LARGE_BYTES", 0)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "cart.py").write_text("import shop\n\n\ndef fill():\n    shop.buy()\n")
    return root


@pytest.fixture
def repository(root: Path, tmp_path: Path) -> Iterator[Repository]:
    graph = tmp_path / "shop.graph.json"
    encode(root, graph, Options())
    repository = Repository.open(graph)
    repository.refresh()
    yield repository
    repository.close()


def writing(graph: Path) -> Any:
    """As if another process wrote the graph: a repair waits for it."""
    return lock.hold(graph.with_name(index_path(graph).name + "-lock"), 60)


def names(repository: Repository) -> set[str]:
    return {name for (name,) in repository.index.rows("SELECT name FROM symbols WHERE kind = 'function'")}


def test_a_repair_apart_gives_what_a_repair_here_gives(repository: Repository, root: Path, tmp_path: Path) -> None:
    (root / "sale.py").write_text("def sell(): pass\n")
    assert repository.refresh() == Freshness(refreshed=("sale.py",))
    assert names(repository) == {"buy", "fill", "sell"}
    assert repository.refresh() == Freshness()
    encode(root, tmp_path / "clean.graph.json", Options(), full=True)
    assert repository.graph_path.read_bytes() == (tmp_path / "clean.graph.json").read_bytes()


def test_an_index_made_apart_serves(repository: Repository, root: Path) -> None:
    index_path(repository.graph_path).unlink()
    again = Repository.open(repository.graph_path, root)
    assert again.refresh() == Freshness()
    assert names(again) == {"buy", "fill"}
    again.close()


@pytest.mark.invariant("freshness", "while a large graph is repaired, answers are complete and list every stale file")
def test_meanwhile_answers_are_whole_and_name_every_file_that_is_behind(repository: Repository, root: Path) -> None:
    (root / "shop.py").write_text("# moved\n" + SHOP)
    with writing(repository.graph_path):
        assert repository.refresh(8.0).stale == ("shop.py",)
        (root / "cart.py").write_text("def fill(): pass\n")
        with repository.view(8.0) as view:
            assert view.state.stale == ("cart.py", "shop.py")
            assert "being encoded" in view.state.note
            (line,) = view.index.row("SELECT start_line FROM symbols WHERE name = 'buy'") or ()
            assert view.index.source("shop.py").decode().split("\n")[line - 1] == "def buy():"
    assert "shop.py" in repository.refresh().refreshed
    assert repository.refresh() == Freshness()
    assert repository.index.source("shop.py").decode() == "# moved\n" + SHOP


def test_what_cannot_be_encoded_is_reported_as_if_it_had_been_tried_here(repository: Repository, root: Path) -> None:
    for name in ("shop.py", "cart.py"):
        (root / name).unlink()
    state = repository.refresh()
    assert state.stale == ("cart.py", "shop.py")
    assert "could not be encoded: no source file" in state.note


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_killed_encoder_is_reported_and_the_old_graph_stands(repository: Repository, root: Path) -> None:
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    with writing(repository.graph_path):
        assert repository.refresh(0.0).stale == ("shop.py",)
        while "signal 9" not in (state := repository.refresh(0.0)).note:
            kill(children())  # one that is killed before it is asked is replaced
        assert state.stale == ("shop.py",)
        assert names(repository) == {"buy", "fill"}
    (root / "shop.py").write_text(SHOP + "\n\ndef lend(): pass\n")
    assert repository.refresh().refreshed == ("shop.py",)
    assert "lend" in names(repository)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are listed from /proc")
def test_closing_ends_an_encode_that_runs(repository: Repository, root: Path) -> None:
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    with writing(repository.graph_path):
        while not children():
            repository.refresh(0.0)
        repository.close()
        assert children() == []
    assert not [each for each in threading.enumerate() if "rpg-encode" in each.name]


def test_an_encode_apart_tells_its_progress_its_errors_and_what_it_did(root: Path, tmp_path: Path) -> None:
    graph = tmp_path / "shop.graph.json"
    told: list[str] = []

    def encoded(options: Options, output: Path) -> Any:
        return encode_in_child(
            root, output, options, workers=1, progress=lambda stage, done, total: told.append(stage), full=False,
            patience=1.0,
        )  # fmt: skip

    made = encoded(Options(), graph)
    assert (made.parsed, made.changed, made.graph_path) == (2, True, graph)
    assert list(dict.fromkeys(told)) == ["parse", "resolve", "write"]
    assert (encoded(Options(), graph).parsed, encoded(Options(), graph).changed) == (0, False)
    with pytest.raises(EncodeFailed, match="no source file"):
        encoded(Options(include=("absent.py",)), graph)
    with pytest.raises(BadRequest, match="is a folder"):
        encoded(Options(), root)
    with writing(graph), pytest.raises(RpgError, match="is writing the graph"):
        encoded(Options(exclude=("cart.py",)), graph)


def test_a_client_is_answered_at_once_and_then_right(tmp_path: Path) -> None:
    root = write_repository(tmp_path / "shop")
    graph = write_graph(root, tmp_path / "shop.graph.json")
    graphs = Graphs([graph], Settings(patience=8.0, encodes_in_child=True))
    path = root / "shop" / "cart.py"

    async def work() -> tuple[Any, Any]:
        async with Client(build_server(graphs, structured=True)) as client:
            await client.call_tool("stats", {})
            path.write_text("# a line more\n" + path.read_text())
            with writing(graph):
                behind = await client.call_tool("fetch", {"targets": ["Cart.total"]})
            while True:
                fresh = await client.call_tool("fetch", {"targets": ["Cart.total"]})
                if "stale" not in fresh.structured_content["state"]:
                    return behind, fresh

    behind, fresh = anyio.run(work)
    graphs.close()
    assert behind.structured_content["state"]["stale"] == ["shop/cart.py"]
    assert "stale: shop/cart.py" in behind.content[0].text
    before, after = behind.structured_content["symbols"][0], fresh.structured_content["symbols"][0]
    assert (after["lines"], after["source"]) != (before["lines"], before["source"])


def children() -> list[int]:
    """The encoders among the children: tests that ran before this one may have left others."""
    pids = [pid for task in Path("/proc/self/task").glob("*/children") for pid in task.read_text().split()]
    return [int(pid) for pid in pids if b"encoder_child" in command_of(pid)]


def kill(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def command_of(pid: str) -> bytes:
    try:
        return Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return b""  # it ended meanwhile
