"""`rpg watch`: a graph follows its sources without anybody asking, until it is told to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from repositories import commit, repository, write

from rpg.cli import run

CART = "class Cart:\n    def total(self):\n        return 1\n"
ENDS = [signal.SIGTERM, *([signal.SIGINT] if sys.platform != "win32" else [])]


class Watching:
    """A real `rpg watch`. Reading a line waits for it: there is nothing to be waited for otherwise."""

    def __init__(self, folder: Path, *arguments: str, before: Callable[[], None] | None = None) -> None:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
        environment.pop("RPG_GRAPH", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rpg", "watch", *arguments, "--interval", "0.05"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment, preexec_fn=before,
        )  # fmt: skip

    def line(self) -> str:
        return stream(self.process.stdout).readline().decode().rstrip("\n")

    def found(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.line())
        return made

    def end(self, number: int = signal.SIGTERM) -> str:
        """What it said on stderr; it must end well."""
        self.process.send_signal(number)
        _, errors = self.process.communicate()
        assert self.process.returncode == 0, errors.decode()
        return errors.decode()


def stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", {"cart.py": CART})


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Callable[..., Watching]]:
    begun: list[Watching] = []

    def watch(*arguments: str, before: Callable[[], None] | None = None) -> Watching:
        begun.append(Watching(tmp_path, *arguments, before=before))
        return begun[-1]

    yield watch
    for each in begun:
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate()


def names(graph: Path) -> set[str]:
    return {node["name"] for node in json.loads(graph.read_bytes())["nodes"]}


def test_a_graph_follows_its_sources(root: Path, tmp_path: Path, watching: Callable[..., Watching]) -> None:
    graph = root / ".rpg" / "shop.graph.json"
    watcher = watching("shop", "--json")
    first = watcher.found()
    assert (first["refreshed"], first["dirty"], first["note"]) == ([], False, "")
    assert "Cart" in names(graph)

    write(root, {"cart.py": CART + "\n\ndef price(): pass\n", "deep/new.py": "NEW = 1\n"})
    seen: set[str] = set()
    while seen != {"cart.py", "deep/new.py"}:
        seen |= set(watcher.found()["refreshed"])
    assert {"price", "NEW"} <= names(graph)

    (root / "cart.py").unlink()
    assert watcher.found()["refreshed"] == ["cart.py"]
    assert "Cart" not in names(graph)
    head = commit(root)
    last = watcher.found()
    while last["dirty"]:
        last = watcher.found()
    assert last["commit"] == head[:12]
    watcher.end()

    kept = graph.read_bytes()
    assert run(["encode", str(root), "-o", str(tmp_path / "clean.graph.json")]) == 0
    assert kept == (tmp_path / "clean.graph.json").read_bytes()


def test_a_line_says_what_was_refreshed(root: Path, watching: Callable[..., Watching]) -> None:
    watcher = watching("shop")
    assert "  fresh; at commit " in watcher.line()
    write(root, {"cart.py": CART + "\n"})

    said = watcher.line()

    assert "  1 file (cart.py) in " in said
    assert said.endswith(" with uncommitted changes")


@pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)
def test_it_ends_well_when_it_is_told_to(root: Path, watching: Callable[..., Watching], number: int) -> None:
    watcher = watching("shop")
    watcher.line()

    said = watcher.end(number).splitlines()[1:]

    # Ctrl-C is answered; whoever sends SIGTERM expects no word.
    assert said == ([] if number == signal.SIGTERM else ["stopped"])


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_it_ends_well_where_a_shell_has_started_it_in_the_background(
    root: Path, watching: Callable[..., Watching]
) -> None:
    """A shell without job control has such commands ignore Ctrl-C."""
    watcher = watching("shop", before=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN) and None)
    watcher.line()

    watcher.end(signal.SIGINT)


def test_a_graph_that_was_removed_is_reported_once_and_may_come_back(
    root: Path, tmp_path: Path, watching: Callable[..., Watching]
) -> None:
    watcher = watching("shop", "--json")
    watcher.found()
    assert run(["forget", str(root / ".rpg" / "shop.graph.json")]) == 0
    assert "GRAPH_NOT_LOADED" in watcher.found()["note"]

    assert run(["encode", str(root), "-o", str(root / ".rpg" / "shop.graph.json")]) == 0
    assert watcher.found()["note"] == ""


def test_sources_that_cannot_be_encoded_leave_the_graph_and_are_reported(
    root: Path, tmp_path: Path, watching: Callable[..., Watching]
) -> None:
    watcher = watching("shop", "--json")
    watcher.found()
    kept = (root / ".rpg" / "shop.graph.json").read_bytes()
    (root / "cart.py").unlink()

    found = watcher.found()

    assert found["stale"] == ["cart.py"]
    assert "could not be encoded" in found["note"]
    assert (root / ".rpg" / "shop.graph.json").read_bytes() == kept


def test_a_graph_that_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()  # graphs above a repository are not looked for
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RPG_GRAPH", raising=False)

    assert run(["watch"]) == 3
    assert "make one with `rpg encode`" in capsys.readouterr().err
    assert run(["watch", "nowhere.graph.json"]) == 3
