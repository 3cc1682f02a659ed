"""The container's server, its health check and what it may do, as its files say, without an engine."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

CONTAINER = Path(__file__).parents[2] / "bin" / "container"
STEPS = re.sub(r"\\\n\s*", "", (CONTAINER / "Dockerfile").read_text())
LAST_STAGE = STEPS[STEPS.rindex("\nFROM ") :]


def instruction(name: str) -> str:
    [found] = re.findall(rf"^{name} (.*)$", LAST_STAGE, re.MULTILINE)
    return str(found)


@pytest.mark.invariant(
    "trust",
    "the container's server does not run as root, requires a token, and is healthy by its own check",
)
def test_nothing_runs_as_root_and_only_two_folders_are_written() -> None:
    assert instruction("USER").isdigit()
    assert int(instruction("USER")) > 0
    assert f"useradd --uid {instruction('USER')} " in LAST_STAGE
    service: dict[str, Any] = yaml.safe_load((CONTAINER / "compose.yaml").read_text())["services"]["rpg"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert {each.split(":")[1] for each in service["volumes"]} == {"/graphs", "/data"}
    assert all(each.startswith("127.0.0.1:") for each in service["ports"])
    assert "RPG_DATA=/data" in instruction("ENV")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.invariant(
    "trust",
    "the container's server does not run as root, requires a token, and is healthy by its own check",
)
@pytest.mark.parametrize("token", ["a-token-of-sixteen-or-more", ""])
def test_its_server_is_healthy_with_a_token_and_does_not_start_without(tmp_path: Path, token: str) -> None:
    port = str(free_port())
    command = [each.replace("/graphs", str(tmp_path)) for each in json.loads(instruction("ENTRYPOINT"))]
    assert command[0] == "rpg-mcp"
    command = [port if each == "8000" else each for each in command[1:]]
    check = json.loads(instruction("HEALTHCHECK").partition(" CMD ")[2])
    assert check[0] == "python"
    check = [sys.executable, *(each.replace(":8000/", f":{port}/") for each in check[1:])]
    environment = {**os.environ, "RPG_DATA": str(tmp_path / "data"), "RPG_TOKEN": token}
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "rpg", "serve", *command], env=environment, cwd=tmp_path,
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    try:
        if not token:
            assert "RPG_TOKEN" in server.stderr.read()
            assert server.wait() == 2
            return
        said = ""
        while port not in said:
            line = server.stderr.readline()
            assert line, said
            said += line
        done = subprocess.run(check, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
