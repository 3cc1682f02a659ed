"""Where memory is limited: what there is room for is right, and for all else the limit is named. Nothing ends by
itself, and no want of memory reads as an answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from repositories import write
from wire import HELLO, INITIALIZED, Wire, call, text_of

from rpg.encoder.options import options_for
from rpg.repository import encode

if sys.platform != "linux":
    pytest.skip("the limit of addresses is kept by Linux", allow_module_level=True)

LIMITED = """
import os, resource, sys
limit = int(sys.argv[1]) * 1_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
os.execv(sys.executable, [sys.executable, "-m", "rpg", *sys.argv[2:]])
"""
MEGABYTES = (80, 95, 100, 110, 120, 130, 140, 150, 160, 170, 180, 200)
TOLD = "TOO_LITTLE_MEMORY: "


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("memory")
    write(folder / "code", {"greet.py": 'def greet(name):\n    """Say hello to a person."""\n    return name\n'})
    encode(folder / "code", folder / "code.graph.json", options_for(folder / "code"))
    return folder / "code.graph.json"


def limited(megabytes: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(megabytes), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "120"},
    )  # fmt: skip


def is_told(ended: subprocess.CompletedProcess[str]) -> bool:
    """That memory is limited, in one line."""
    return ended.returncode == 3 and ended.stderr.startswith(TOLD) and ended.stderr.count("\n") == 1


@pytest.mark.invariant("encoding", "running out of memory ends no process and never looks like an answer")
def test_a_question_with_too_little_memory_is_answered_or_names_the_limit(graph: Path) -> None:
    ended = {each: limited(each, "search", "say hello", "--graph", graph) for each in MEGABYTES}

    wrong = {
        each: (run.returncode, run.stdout, run.stderr[-500:])
        for each, run in ended.items()
        if not (is_told(run) or (run.returncode == 0 and "def greet" in run.stdout))
    }
    assert wrong == {}
    assert is_told(ended[100])
    assert "ulimit -v" in ended[100].stderr


def test_what_needs_little_is_answered_with_little(graph: Path) -> None:
    ended = limited(120, "fetch", "greet", "--graph", graph)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "def greet" in ended.stdout


def test_an_encode_with_too_little_memory_leaves_nothing_and_skips_no_file(graph: Path, tmp_path: Path) -> None:
    code = graph.parent / "code"
    for megabytes in (80, 100, 140, 180, 220, 300):
        made = tmp_path / f"{megabytes}.graph.json"
        ended = limited(megabytes, "encode", code, "-o", made)

        assert is_told(ended) or (ended.returncode == 0 and " 0 skipped" in ended.stdout), (megabytes, ended)
        assert made.exists() == (ended.returncode == 0)
        assert not list(tmp_path.glob("*.tmp"))


def test_a_server_with_too_little_memory_says_so_and_goes_on(graph: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", LIMITED, "190", "serve", str(graph)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wire = Wire(process)
    try:
        wire.send(HELLO)
        wire.answer()
        wire.send(INITIALIZED, call(1, "search", query="say hello"))
        first = wire.answer()
        wire.send(call(2, "fetch", targets=["greet"]))
        second = wire.answer()
    finally:
        wire.close()

    assert first["result"]["isError"] is True
    assert text_of(first).startswith(TOLD)
    assert second["result"]["isError"] is False
