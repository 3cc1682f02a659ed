"""Where the system gives little, a command works or says what to raise: it is never a bug, and nothing is lost."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shop import write_graph, write_repository
from wire import HELLO, INITIALIZED, Wire, call, text_of

from rpg.cli.serving.open_files import LEAST

if sys.platform == "win32":
    pytest.skip("limits of processes are POSIX", allow_module_level=True)

PATIENCE = 120.0
RPG = [sys.executable, "-m", "rpg"]
FILES = 300
"""Enough for eight processes that parse."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("limits")
    root = write_repository(folder / "shop")
    (root / "many").mkdir()
    body = "\n".join(f"def f{number}(): return g{number}()" for number in range(60))
    for number in range(FILES):
        (root / f"many/m{number}.py").write_text(body)
    write_graph(root, folder / "shop.graph.json")
    return folder


def limit(kind: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (most, most))


def ended(folder: Path, begin: Callable[[], None], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RPG, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=PATIENCE, check=False, preexec_fn=begin,
    )  # fmt: skip


COMMANDS = {
    "encode": ["encode", "shop", "-o", "other.graph.json", "--workers", "8"],
    "search": ["search", "total", "-g", "shop.graph.json"],
    "stats": ["stats", "-g", "shop.graph.json"],
    "serve": ["serve", "shop.graph.json"],
    "http": ["serve", "shop.graph.json", "--http", "--port", "0"],
}


@pytest.mark.invariant(
    "encoding",
    "too few open files, processes or room for a file is never a bug: the error says what to raise, and "
    "nothing is lost; a part of an answer is a failure",
)
@pytest.mark.parametrize("command", [*COMMANDS])
@pytest.mark.parametrize("most", [8, 13, 20, LEAST - 1])
def test_too_few_files_are_named_before_anything_is_done(folder: Path, command: str, most: int) -> None:
    ran = ended(folder, limit(resource.RLIMIT_NOFILE, most), *COMMANDS[command])

    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.startswith(f"FAILED: this process may have only {most} files open, and needs {LEAST}: raise ")
    assert "ulimit -n" in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert not (folder / "other.graph.json").exists()


@pytest.mark.parametrize("command", ["search", "stats", "encode"])
def test_the_least_number_of_files_suffices(folder: Path, tmp_path: Path, command: str) -> None:
    arguments = [str(tmp_path / each) if each.startswith("other") else each for each in COMMANDS[command]]

    ran = ended(folder, limit(resource.RLIMIT_NOFILE, LEAST), *arguments)

    assert ran.returncode == 0, ran.stderr
    assert " 0 skipped" in ran.stdout or command != "encode"


def test_a_server_with_the_least_number_of_files_answers(folder: Path) -> None:
    process = subprocess.Popen(
        [*RPG, *COMMANDS["serve"]], cwd=folder, preexec_fn=limit(resource.RLIMIT_NOFILE, LEAST),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wire = Wire(process)
    try:
        wire.send(HELLO)
        wire.answer()
        wire.send(INITIALIZED, *(call(number, "search", query="total") for number in range(8)), call(8, "stats"))
        told = [text_of(answer) for answer in wire.answers(9)]
        (folder / "shop/many/m0.py").write_text("def edited(): ...\n")
        told.append("stale: many/m0.py")
        while "stale: many/m0.py" in told[-1]:
            wire.send(call(9, "search", query="edited"))
            told.append(text_of(wire.answer()))
    finally:
        wire.close()

    assert [each for each in told if each.startswith("FAILED") or "bug in rpg" in each] == []
    assert "edited" in told[-1]


def test_a_soft_limit_is_raised(folder: Path) -> None:
    ran = ended(folder, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 4096)), *COMMANDS["search"])

    assert ran.returncode == 0, ran.stderr


@pytest.mark.invariant(
    "encoding",
    "too few open files, processes or room for a file is never a bug: the error says what to raise, and "
    "nothing is lost; a part of an answer is a failure",
)
@pytest.mark.parametrize("most", [0, 1_000, 20_000, 200_000])
def test_a_file_that_may_not_grow_is_named_and_nothing_is_replaced(folder: Path, tmp_path: Path, most: int) -> None:
    graph = write_graph(write_repository(tmp_path / "shop"), tmp_path / "shop.graph.json")
    (tmp_path / "shop/more.py").write_text("def more(): ...\n" * 2000)
    before = graph.read_bytes()

    ran = ended(tmp_path, limit(resource.RLIMIT_FSIZE, most), "encode", "shop", "-o", str(graph), "--full")
    asked = ended(tmp_path, limit(resource.RLIMIT_FSIZE, most), "stats", "-g", str(graph))

    assert "bug in rpg" not in ran.stderr + asked.stderr
    assert "Traceback" not in ran.stderr + asked.stderr
    assert ran.returncode == 0 or ran.stderr.startswith("ENCODE_FAILED: cannot write ")
    assert ran.returncode == 0 or graph.read_bytes() == before
    assert asked.returncode == 0, asked.stderr


@pytest.mark.invariant(
    "encoding",
    "too few open files, processes or room for a file is never a bug: the error says what to raise, and "
    "nothing is lost; a part of an answer is a failure",
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_answer_of_which_only_the_beginning_was_written_is_a_failure(
    folder: Path, tmp_path: Path, unbuffered: str
) -> None:
    with open(tmp_path / "answer", "wb") as file:
        ran = subprocess.run(
            [*RPG, *COMMANDS["stats"]], cwd=folder, stdout=file, stderr=subprocess.PIPE, text=True,
            timeout=PATIENCE, check=False, preexec_fn=limit(resource.RLIMIT_FSIZE, 10),
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip

    assert ran.returncode == 3
    assert "the answer could not be written: File too large" in ran.stderr


CAPABILITIES = "+dac_override,+dac_read_search"
"""That another user needs to run what belongs to root: this interpreter."""
ANOTHER = 54_321
AS_ANOTHER = ["setpriv", "--reuid", str(ANOTHER), "--regid", str(ANOTHER), "--clear-groups",
              "--inh-caps", CAPABILITIES, "--ambient-caps", CAPABILITIES] if os.geteuid() == 0 else []  # fmt: skip
"""Root may start as many processes as it likes."""


@pytest.mark.invariant(
    "encoding",
    "too few open files, processes or room for a file is never a bug: the error says what to raise, and "
    "nothing is lost; a part of an answer is a failure",
)
@pytest.mark.skipif(bool(AS_ANOTHER) and not shutil.which("setpriv"), reason="setpriv is not installed")
@pytest.mark.parametrize("command", ["encode", "serve"])
@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_too_few_processes_are_named(tmp_path: Path, command: str, most: int) -> None:
    write_repository(tmp_path / "shop")
    graph = tmp_path / "shop.graph.json"
    write_graph(tmp_path / "shop", graph)
    if AS_ANOTHER:
        for path in (tmp_path, *tmp_path.rglob("*")):
            os.chown(path, ANOTHER, ANOTHER, follow_symlinks=False)
    before = graph.read_bytes()
    arguments = ["encode", "shop", "-o", graph.name, "--full"] if command == "encode" else ["serve", graph.name]

    ran = subprocess.run(
        [*AS_ANOTHER, "prlimit", f"--nproc={most}", *RPG, *arguments], cwd=tmp_path, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=PATIENCE, check=False,
        env={**os.environ, "RPG_DATA": str(tmp_path / "data"), "HOME": str(tmp_path)},
    )  # fmt: skip

    assert "bug in rpg" not in ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.returncode == 0 or "ulimit -u" in ran.stderr, ran.stderr
    assert ran.returncode == 3 or most > 0
    assert graph.read_bytes() == before
