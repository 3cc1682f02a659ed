"""A file that ends the process that parses it is skipped, and nothing else: not the encode, not a server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from rpg.encoder import encode as encoder
from rpg.encoder.options import Options
from rpg.encoder.parsing import worker_pool
from rpg.encoder.source_files.selection import Entry
from rpg.errors import EncodeFailed
from rpg.repository import Freshness, Repository, encode
from rpg.system.stamp import NO_STAMP

SHOP = "def buy():\n    return pay()\n\n\ndef pay(): ...\n"
CRASHING = "def segfault(): ...\n"
ENDLESS = "def endless(): ...\n"
DEEP = {
    "quotes": b">" * 256,
    "dashes": b"- " * 300,
    "stars": b"* " * 300 + b"a",
    "numbers": b"1. " * 300,
    "both": b"> - " * 150,
    "steps": b"".join(b"  " * depth + b"- a\n" for depth in range(400)),
    "tabs": b"-\t" * 300 + b"a",
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limits there")


@pytest.fixture(autouse=True)
def _little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second, so that no file need take long to take too long."""
    monkeypatch.setattr(worker_pool, "CPU_SECONDS", 1.0)


@pytest.fixture(autouse=True)
def _crashing_grammars(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(worker_pool, "CHILD", Path(__file__).with_name("crashing_worker.py"))
    monkeypatch.setattr(worker_pool, "_idle", [])
    monkeypatch.setattr(worker_pool, "_given_up", {})
    yield
    for worker in worker_pool._idle:
        worker.end()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    return root


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return tmp_path / "shop.graph.json"


@pytest.fixture
def repository(root: Path, graph: Path) -> Iterator[Repository]:
    encode(root, graph, Options())
    repository = Repository.open(graph)
    repository.refresh()
    yield repository
    repository.close()


def header(graph: Path) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(graph.read_bytes())["graph"]
    return found


def skipped(graph: Path) -> dict[str, str]:
    return {each["path"]: each["reason"] for each in header(graph)["skipped"]}


@pytest.mark.parametrize("name", DEEP)
def test_blocks_nested_beyond_what_the_grammar_holds_are_skipped(root: Path, graph: Path, name: str) -> None:
    (root / "deep.md").write_bytes(DEEP[name])
    summary = encode(root, graph, Options())
    assert skipped(graph) == {"deep.md": "nested too deeply to parse"}
    assert (summary.files, summary.parsed, summary.skipped) == (1, 1, 1)


@pytest.mark.parametrize("text", [b">" * 200 + b" a\n", b"- " * 190 + b"a\n", b" " * 900 + b"a\n- b\n", b"-" * 999])
def test_what_the_grammar_can_hold_is_parsed(root: Path, graph: Path, text: bytes) -> None:
    (root / "wide.md").write_bytes(text)
    encode(root, graph, Options())
    assert skipped(graph) == {}


@pytest.mark.invariant(
    "encoding",
    "a file that crashes or hangs the parser affects no other file, and is not tried again until it changes",
)
@pytest.mark.parametrize(
    ("text", "reason"), [(CRASHING, "the parser crashed on it"), (ENDLESS, "takes too long to parse")]
)
@pytest.mark.parametrize("count", [1, 3])
def test_a_worker_that_dies_takes_one_file_with_it(
    root: Path, graph: Path, text: str, reason: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "_ALONE", 0)
    for number in range(40):
        (root / f"module{number}.py").write_text(f"import module{number + 1}\n\n\ndef f{number}(): ...\n")
    (root / "module20.py").write_text(text)
    encode(root, graph, Options(), workers=count)
    assert skipped(graph) == {"module20.py": reason}
    assert header(graph)["languages"]["python"]["files"] == 40


def test_the_graph_does_not_depend_on_who_died_where(root: Path, graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "_ALONE", 0)
    for number in range(30):
        (root / f"module{number}.py").write_text(CRASHING if number % 10 == 5 else f"def f{number}(): ...\n")
    graphs = set()
    for count in (1, 2, 3):
        worker_pool._given_up.clear()
        encode(root, graph, Options(), workers=count, full=True)
        graphs.add(graph.read_bytes())
    assert len(graphs) == 1


NO_WORKER = """
import sys
from pathlib import Path
from rpg.encoder.options import Options
from rpg.encoder.source_files.selection import Entry
from rpg.repository import encode
sys.executable = sys.argv[3]
print(encode(Path(sys.argv[1]), Path(sys.argv[2]), Options()).skipped)
"""
"""Encodes in a process that can start no other: what it is to parse fails it."""


def encode_without_workers(root: Path, graph: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", NO_WORKER, str(root), str(graph), "/nowhere/python"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.invariant(
    "encoding",
    "a file that crashes or hangs the parser affects no other file, and is not tried again until it changes",
)
def test_it_is_not_tried_again_before_it_changes(root: Path, graph: Path) -> None:
    (root / "crash.py").write_text(CRASHING)
    (root / "gone.py").write_text("")
    encode(root, graph, Options())
    (root / "gone.py").unlink()
    (root / "crash.py").touch()

    done = encode_without_workers(root, graph)
    assert (done.stdout, done.returncode) == ("1\n", 0), done.stderr
    assert list(skipped(graph)) == ["crash.py"]

    (root / "crash.py").write_text(CRASHING + "y = 1\n")
    assert encode_without_workers(root, graph).returncode != 0
    (root / "crash.py").write_text("def small(): ...\n")
    encode(root, graph, Options())
    assert skipped(graph) == {}


@pytest.mark.invariant(
    "encoding",
    "a file that crashes or hangs the parser affects no other file, and is not tried again until it changes",
)
def test_a_server_outlives_what_it_is_given(repository: Repository, root: Path, graph: Path) -> None:
    (root / "deep.md").write_bytes(DEEP["quotes"])
    (root / "crash.py").write_text(CRASHING)
    assert repository.refresh() == Freshness(refreshed=("crash.py", "deep.md"))
    assert repository.refresh() == Freshness()
    assert skipped(graph) == {"deep.md": "nested too deeply to parse", "crash.py": "the parser crashed on it"}
    (root / "crash.py").touch()
    assert repository.refresh() == Freshness()

    again = Repository.open(graph)
    assert again.refresh() == Freshness()
    again.close()


def test_an_edit_that_crashes_the_parser_is_skipped_and_one_that_mends_it_parsed(
    repository: Repository, root: Path, graph: Path
) -> None:
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): ...\n")
    (root / "cart.py").write_text("import shop\n")
    assert repository.refresh() == Freshness(refreshed=("cart.py", "shop.py"))
    (root / "shop.py").write_text(ENDLESS)
    assert repository.refresh() == Freshness(refreshed=("shop.py",))
    assert skipped(graph) == {"shop.py": "takes too long to parse"}
    (root / "shop.py").write_text(SHOP)
    assert repository.refresh() == Freshness(refreshed=("shop.py",))
    assert skipped(graph) == {}
    encode(root, graph.with_name("clean.graph.json"), Options(), full=True)
    assert graph.read_bytes() == graph.with_name("clean.graph.json").read_bytes()


def test_a_worker_that_was_killed_while_it_waited_is_replaced(repository: Repository, root: Path) -> None:
    for number in range(3):
        for worker in worker_pool._idle:
            os.kill(worker.process.pid, signal.SIGKILL)
        (root / "shop.py").write_text(f"{SHOP}\n\ndef sell{number}(): ...\n")
        assert repository.refresh() == Freshness(refreshed=("shop.py",))


def test_where_no_worker_can_begin_nothing_is_replaced(root: Path, graph: Path, tmp_path: Path) -> None:
    encode(root, graph, Options())
    before = graph.read_bytes()
    (tmp_path / "python").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "python").chmod(0o755)
    (root / "shop.py").write_text("def other(): ...\n")
    command = [sys.executable, "-c", NO_WORKER, str(root), str(graph), str(tmp_path / "python")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert EncodeFailed.__name__ in done.stderr
    assert "ended with status 3 before it could begin" in done.stderr
    assert graph.read_bytes() == before


def test_what_the_parser_sees_is_shown_of_no_file_that_it_crashes_on(tmp_path: Path) -> None:
    (tmp_path / "deep.md").write_bytes(DEEP["quotes"])
    command = [sys.executable, "-m", "rpg", "debug", "facts", str(tmp_path / "deep.md")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "nested too deeply to parse" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_needs_more_memory_than_it_is_given_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "MEMORY_BYTES", 100 << 20)  # less than a worker has before it parses
    entry = Entry("shop.py", len(SHOP), NO_STAMP, "shop.py")
    assert worker_pool.parse_one(entry, SHOP.encode(), masks=True, read_ns=0).skipped == "the parser crashed on it"
