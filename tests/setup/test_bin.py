"""The scripts that run from a clone: which Python they take, and what they say when there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = ROOT / "bin"
SCRIPTS = (
    "setup", "rpg", "rpg-mcp", "developer/prepare.py", "developer/build_hook.py", "developer/start.py",
    "developer/compiled.py", "developer/compile_sources.py",
)  # fmt: skip

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for POSIX shells")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What setting up needs of a clone, with nothing installed."""
    (tmp_path / "bin" / "developer").mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(BIN / name, tmp_path / "bin" / name)
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "rpg").mkdir()
    (tmp_path / "rpg" / "__init__.py").write_text("", encoding="utf-8")
    return tmp_path


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def run(script: Path, *arguments: str, path: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    tools = "/usr/bin:/bin"
    environment = {"PATH": f"{path}:{tools}" if path else tools, "HOME": os.environ.get("HOME", "/"), **variables}
    return subprocess.run(
        [script, *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )


def test_a_python_that_does_not_run_is_named_with_what_to_do(clone: Path) -> None:
    shim = executable(clone / "shims" / "python3", "echo 'not installed' >&2; exit 127")
    result = run(clone / "bin" / "setup", "core", RPG_PYTHON=str(shim))
    assert (result.returncode, result.stdout) == (3, "")
    assert "needs Python 3.11 or newer" in result.stderr
    assert "RPG_PYTHON=" in result.stderr


def test_a_python_that_is_too_old_is_said_to_be(clone: Path) -> None:
    old = executable(clone / "old" / "python3", "echo old")
    result = run(clone / "bin" / "rpg", "stats", RPG_PYTHON=str(old))
    assert (result.returncode, result.stdout) == (3, "")
    assert f"too old: {old}" in result.stderr


def test_a_python_without_venv_says_which_package_is_missing(clone: Path) -> None:
    bare = executable(clone / "bare" / "python3", "echo bare")
    result = run(clone / "bin" / "rpg-mcp", RPG_PYTHON=str(bare))
    assert (result.returncode, result.stdout) == (3, "")
    assert "apt install python3-venv" in result.stderr


def checksum(clone: Path, command: str) -> str:
    done = subprocess.run(f"{command} | cksum", shell=True, cwd=clone, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("program", ["rpg", "rpg-mcp"])
@pytest.mark.parametrize("installed", ["", "editable", "1 2"])
def test_what_is_ready_is_not_prepared_again(clone: Path, program: str, installed: str) -> None:
    """Only dependencies count, whatever is installed besides. A failing Python stands first on PATH: it would be
    noticed."""
    bad = executable(clone / "bad" / "python3", "exit 1").parent
    executable(clone / ".venv" / "bin" / "python", 'echo "ran $*"')
    key = f"{clone.resolve()} {checksum(clone, 'cat pyproject.toml constraints.txt')} {installed}"
    (clone / ".venv" / "ready-core").write_text(f"{key}\n", encoding="utf-8")
    (clone / "rpg" / "__init__.py").write_text("edited = True\n", encoding="utf-8")

    result = run(clone / "bin" / program, "stats", "--json", path=str(bad))

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"ran -I {clone.resolve()}/bin/developer/start.py {program} stats --json\n"
    (clone / "constraints.txt").write_text("changed==1\n", encoding="utf-8")
    assert run(clone / "bin" / program, RPG_PYTHON=str(bad / "python3")).returncode == 3


def test_a_link_to_the_script_finds_its_clone(clone: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "rpg").symlink_to(os.path.relpath(clone / "bin" / "rpg", elsewhere))
    old = executable(clone / "old" / "python3", "echo old")
    assert "too old" in run(elsewhere / "rpg", RPG_PYTHON=str(old)).stderr


def test_an_unknown_level_is_refused() -> None:
    result = run(BIN / "setup", "everything")
    assert (result.returncode, result.stderr) == (2, "usage: bin/setup [core|dev|llm] [--compile]\n")


def test_constraints_pin_exactly_and_name_no_registry() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(line.count("==") == 1 and not set(line) & set(" @/") for line in pins)
    assert len(pins) > 50


def test_uv_installs_where_there_is_one(clone: Path) -> None:
    """Only what rpg needs, and once."""
    told = clone / "told"
    tools = executable(clone / "tools" / "uv", f'echo "$*" >> "{told}"').parent

    for _ in range(2):
        result = run(clone / "bin" / "setup", "core", path=str(tools), RPG_PYTHON=sys.executable)
        assert (result.returncode, result.stdout) == (0, ""), result.stderr

    (line,) = told.read_text(encoding="utf-8").splitlines()
    assert line.startswith(f"pip install --quiet --python {clone.resolve()}/.venv/bin/python --constraint ")
    assert " orjson>=" in line
    assert " hypothesis" not in line
    assert not (clone / ".venv" / "bin" / "pip").exists()
