"""A fleet: many repositories on the workers of a cluster, and one repository on all of them."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from distributed import LocalCluster
from repositories import commit, repository, write

from rpg.cli.failures import FAILED
from rpg.encoder.options import options_for
from rpg.errors import BadRequest
from rpg.fleet import Fleet, Outcome, encode_all, encode_split, read_list
from rpg.repository import encode

UNSHARED = [shutil.which("unshare") or "false", "--user", "--map-root-user", "--net"]
"""Runs a command without any network."""
NAMES = ("anchor", "berth", "crane", "dock", "ferry", "gate")


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A folder of repositories, with their list."""
    for name in NAMES:
        sources = {f"{name}/part{n}.py": f"def {name}_{n}():\n    return {name}_{n}()\n" for n in range(5)}
        repository(tmp_path / name, {**sources, "README.md": f"# {name}\n"})
    (tmp_path / "list.txt").write_text("".join(f"./{name}\n" for name in NAMES))
    return tmp_path


def encoded(folder: Path, library: str | Path) -> dict[str, Outcome]:
    outcomes = list(encode_all(read_list(folder / "list.txt"), str(library), Fleet()))
    assert len(outcomes) == len({each.name for each in outcomes})
    return {each.name: each for each in outcomes}


def encoded_alone(folder: Path, name: str) -> bytes:
    output = folder / "alone" / f"{name}.graph.json"
    output.parent.mkdir(exist_ok=True)
    encode(folder / name, output, options_for(folder / name))
    return output.read_bytes()


@pytest.mark.invariant(
    "encoding",
    "a fleet makes the same graphs as single encodes, whichever workers made them or were killed; a "
    "repository whose files are parsed by all workers has the same bytes",
)
def test_a_fleet_makes_the_graphs_that_single_encodes_make_and_then_encodes_what_changed(harbour: Path) -> None:
    library = harbour / "library"
    with (harbour / "list.txt").open("a") as listed:
        listed.write("./nowhere\n")
    first = encoded(harbour, library)
    assert {name: each.state for name, each in first.items()} == {
        **dict.fromkeys(NAMES, "encoded"),
        "nowhere": "failed",
    }
    assert first["nowhere"].reason.startswith("INVALID_PATH: ")
    assert all(first[name].cpu_seconds > 0 for name in NAMES)
    for name in NAMES:
        assert (library / f"{name}.graph.json").read_bytes() == encoded_alone(harbour, name)
    write(harbour / "crane", {"crane/part0.py": "def hoist():\n    pass\n"})
    commit(harbour / "crane")
    again = encoded(harbour, library)
    assert [name for name, each in again.items() if each.state == "encoded"] == ["crane"]
    assert again["crane"].graph_bytes == len(encoded_alone(harbour, "crane"))


def worker_pids() -> list[int]:
    """The processes of the cluster's workers; not the encoders that they started, whose end is an encode's failure."""
    found = []
    for each in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # a zombie too: it has ended and is not waited for yet
            command = " ".join(each.cmdline())
            if "multiprocessing" in command and "spawn_main" in command:
                found.append(each.pid)
    return found


@pytest.mark.invariant(
    "encoding",
    "a fleet makes the same graphs as single encodes, whichever workers made them or were killed; a "
    "repository whose files are parsed by all workers has the same bytes",
)
def test_a_worker_that_is_killed_costs_nothing(harbour: Path) -> None:
    library = harbour / "library"
    done = []
    for outcome in encode_all(read_list(harbour / "list.txt"), str(library), Fleet()):
        if not done:
            os.kill(worker_pids()[-1], signal.SIGKILL)
        done.append(outcome)
    assert sorted((each.name, each.state) for each in done if each.state == "failed") == []
    assert sorted(each.name for each in done) == sorted(NAMES)
    assert sorted(each.name for each in library.glob("*.graph.json")) == [f"{name}.graph.json" for name in NAMES]
    for name in NAMES:
        assert (library / f"{name}.graph.json").read_bytes() == encoded_alone(harbour, name)


@pytest.mark.invariant(
    "encoding",
    "a fleet makes the same graphs as single encodes, whichever workers made them or were killed; a "
    "repository whose files are parsed by all workers has the same bytes",
)
def test_a_scheduler_that_restarts_again_and_again_costs_nothing(
    harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rpg.fleet.encoding.RECONNECTS", 1)

    def cluster(port: int = 0) -> LocalCluster:
        return LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, scheduler_port=port,
            silence_logs=logging.CRITICAL,
        )  # fmt: skip

    running = cluster()
    try:
        done = []
        for outcome in encode_all(
            read_list(harbour / "list.txt"), str(harbour / "library"), Fleet(scheduler=running.scheduler_address)
        ):
            done.append(outcome)
            if len(done) < 3:
                port = running.scheduler.port
                running.close()
                running = cluster(port)
    finally:
        running.close()
    assert sorted((each.name, each.state) for each in done if each.state == "failed") == []
    assert sorted(each.name for each in done) == sorted(NAMES)


def test_a_library_elsewhere_has_whole_graphs_and_nothing_besides(harbour: Path) -> None:
    place = harbour / "bucket"
    outcomes = encoded(harbour, place.as_uri())
    assert {each.state for each in outcomes.values()} == {"encoded"}
    assert sorted(each.name for each in place.iterdir()) == [f"{name}.graph.json" for name in NAMES]
    assert (place / "dock.graph.json").read_bytes() == encoded_alone(harbour, "dock")


@pytest.mark.invariant(
    "encoding",
    "a fleet makes the same graphs as single encodes, whichever workers made them or were killed; a "
    "repository whose files are parsed by all workers has the same bytes",
)
def test_a_repository_whose_files_are_parsed_by_all_workers_has_the_same_bytes(
    harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rpg.fleet.splitting.BATCH_BYTES", 40)  # a batch for each file or two
    summary = encode_split(harbour / "ferry", "ferry", str(harbour / "library"), Fleet())
    assert (summary.parsed, summary.reused) == (0, summary.files)
    assert summary.graph_path.read_bytes() == encoded_alone(harbour, "ferry")


@pytest.mark.skipif(
    subprocess.run([*UNSHARED, "true"], check=False).returncode != 0, reason="needs a network namespace"
)
def test_a_machine_without_a_loopback_interface_is_told_so(harbour: Path) -> None:
    command = [sys.executable, "-m", "rpg", "fleet", "encode", str(harbour / "list.txt")]

    done = subprocess.run([*UNSHARED, *command], cwd=harbour, capture_output=True, text=True, check=False)

    assert done.returncode == FAILED
    assert done.stderr.startswith("ENCODE_FAILED: the workers of this machine are reached at 127.0.0.1, which does not")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("# nothing\n\n", "lists no repository"),
        ("./a\nhttps://example.org/b/a.git\n", "list.txt:2: two repositories are called a"),
        ("./a size=3\n", "'size=3' is none of name=, branch=, memory="),
        ("./a memory=much\n", "'much' is not a size"),
        ("./a name=../b\n", "'../b' cannot be the name of a graph"),
        ("--upload-pack=x\n", "neither a folder nor a URL"),
        ("'./a\n", "list.txt:1: No closing quotation"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_line(tmp_path: Path, lines: str, message: str) -> None:
    (tmp_path / "list.txt").write_text(lines)
    with pytest.raises(BadRequest, match=message.replace("(", r"\(").replace("'", ".").replace("./", "./")):
        read_list(tmp_path / "list.txt")


def test_a_list_says_names_branches_and_memory(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "list.txt").write_text("own # ours\npallets/flask branch=3.0.x name=web memory=1.5GB\n")
    own, flask = read_list(tmp_path / "list.txt")
    assert own == (str(tmp_path / "own"), "own", "", 0)
    assert flask == ("pallets/flask", "web", "3.0.x", 1_500_000_000)
