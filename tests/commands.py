"""rpg as a process of its own, and what it may cost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from repositories import ENVIRONMENT

RPG = (sys.executable, "-I", str(Path(sys.executable).with_name("rpg")))
CODE = "def price():\n    return 1\n\n\ndef total():\n    return price()\n"
SECONDS = 30.0
"""A command that takes longer hangs."""


class Ended(NamedTuple):
    code: int
    output: str
    errors: str


def rpg(folder: Path, *arguments: str, home: Path | None = None) -> Ended:
    """Runs the command there, with nothing of this user's settings."""
    environment = ENVIRONMENT | {"RPG_DATA": str(folder / "data"), "HOME": str(home or folder)}
    environment.pop("RPG_GRAPH", None)
    process = subprocess.run(
        [*RPG, *arguments], cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS
    )
    ended = Ended(process.returncode, process.stdout.decode(), process.stderr.decode())
    assert "Traceback" not in ended.errors, ended.errors
    return ended


def module_paths(graph: Path) -> list[str]:
    return [node["path"] for node in json.loads(graph.read_bytes())["nodes"] if node["kind"] == "module"]
