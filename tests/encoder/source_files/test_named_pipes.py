"""A file that an option, an argument or a variable names is refused at once if it is a pipe, a device or a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from shop import write_graph, write_repository

PATIENCE = 60.0
"""Beyond what any command takes on a busy machine: this catches what never ends."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("named")
    write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "pipe.graph.json")
    return folder


ASKED = "ask", "how is the total computed", "-g", "shop.graph.json"
COMMANDS: dict[str, list[str]] = {
    "model": [*ASKED, "--model", "FILE"],
    "embedder": ["search", "total", "-g", "shop.graph.json", "--embedder", "FILE"],
    "embedder of ask": [*ASKED, "--embedder", "FILE"],
    "embedder of encode": ["encode", "shop", "-o", "other.graph.json", "--embedder", "FILE"],
    "model of serve": ["serve", "shop.graph.json", "--model", "FILE"],
    "embedder of serve": ["serve", "shop.graph.json", "--embedder", "FILE"],
    "model of lift": ["lift", "-g", "shop.graph.json", "--model", "FILE"],
    "graph": ["search", "total", "-g", "FILE"],
    "graph of stats": ["stats", "-g", "FILE"],
    "graph of overview": ["overview", "-g", "FILE"],
    "graph of audit": ["audit", "-g", "FILE"],
    "graph of diff": ["diff", "HEAD~1", "HEAD", "-g", "FILE"],
    "graph of watch": ["watch", "FILE"],
    "graph of export": ["export", "graphml", "-g", "FILE"],
    "graph of explain": ["debug", "explain", "a.py:1", "x", "-g", "FILE"],
    "graph of install": ["install", "claude-code", "FILE"],
    "graph of forget": ["forget", "FILE"],
    "folder of encode": ["encode", "FILE"],
    "output of encode": ["encode", "shop", "-o", "FILE"],
    "output of export": ["export", "graphml", "-g", "shop.graph.json", "-o", "FILE"],
    "served graph": ["serve", "FILE"],
    "library": ["serve", "--library", "FILE"],
    "tokens": ["serve", "shop.graph.json", "--http", "--port", "0", "--tokens", "FILE"],
    "imported": ["import", "FILE", "-g", "shop.graph.json"],
    "baseline": ["audit", "-g", "shop.graph.json", "--baseline", "FILE"],
    "written baseline": ["audit", "-g", "shop.graph.json", "--write-baseline", "FILE"],
    "repository of diff": ["diff", "HEAD~1", "HEAD", "-g", "shop.graph.json", "--repository", "FILE"],
    "repository of serve": ["serve", "shop.graph.json", "--repository", "FILE"],
    "fleet": ["fleet", "encode", "FILE"],
    "facts": ["debug", "facts", "FILE"],
}  # fmt: skip
MAY_ANSWER = {
    "model of serve", "embedder of serve", "served graph", "repository of serve", "embedder", "embedder of ask",
    "graph of install",
}  # fmt: skip
"""Commands that look at the file only if a question needs it."""


def ended(folder: Path, arguments: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rpg", *arguments], cwd=folder, env={**os.environ, **variables},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


@pytest.mark.invariant("trust", "rpg waits for no pipe or device that an option, an argument or a variable names")
@pytest.mark.parametrize("named", ["pipe", "/dev/zero"])
@pytest.mark.parametrize("command", [*COMMANDS])
def test_a_file_that_is_none_is_refused_at_once(folder: Path, command: str, named: str) -> None:
    arguments = [named if each == "FILE" else each for each in COMMANDS[command]]

    ran = ended(folder, arguments)

    assert "Traceback" not in ran.stderr
    assert "a bug in rpg" not in ran.stderr.lower()
    assert ran.returncode in ((0, 2, 3) if command in MAY_ANSWER else (2, 3)), (ran.stdout, ran.stderr)


@pytest.mark.parametrize(("variable", "codes"), [("RPG_MODEL", (3,)), ("RPG_EMBEDDER", (0, 3)), ("RPG_GRAPH", (2, 3))])
@pytest.mark.parametrize("named", ["pipe", "/dev/zero"])
def test_a_variable_that_names_none_is_no_reason_to_wait(
    folder: Path, variable: str, codes: tuple[int, ...], named: str
) -> None:
    asked = list(ASKED[:2] if variable == "RPG_GRAPH" else ASKED)

    ran = ended(folder, asked, **{variable: named if named[0] == "/" else str(folder / named)})

    assert "Traceback" not in ran.stderr
    assert "a bug in rpg" not in ran.stderr.lower()
    assert ran.returncode in codes, (ran.stdout, ran.stderr)


@pytest.mark.parametrize("named", ["pipe", "/dev/zero"])
def test_a_data_folder_that_is_none_is_no_reason_to_wait(folder: Path, tmp_path: Path, named: str) -> None:
    graph = write_graph(write_repository(tmp_path / "shop"), tmp_path / "shop.graph.json")

    ran = ended(folder, ["stats", "-g", str(graph)], RPG_DATA=named if named[0] == "/" else str(folder / named))

    assert "name a folder with RPG_DATA" in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.returncode in (0, 3), (ran.stdout, ran.stderr)
