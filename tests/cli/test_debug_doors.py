"""`rpg debug` reads and shows through the same doors as all other commands."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from repositories import repository

import rpg
from rpg.cli import run

SECRET = "ghp_" + "a8F3kD92mX7qLwZ5tYpB1cVn6RjEsUo4HgKi"
SOURCE = f'def connect():\n    token = "{SECRET}"\n    return login(token)\n'
PATIENCE = 60.0


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = repository(tmp_path / "shop", {"shop/key.py": SOURCE, ".gitignore": "own/\n", "web/a.py": "x = 1\n"})
    (root / "own").mkdir()
    (root / "own/ignored.py").write_text("x = 1\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/other.py").write_text("def stolen(): ...\n")
    repository(tmp_path / "another", {"other.py": "def stolen(): ...\n"})
    monkeypatch.chdir(root)
    return root


@pytest.mark.invariant(
    "trust",
    "`rpg debug` shows no secret, nothing outside the file's repository and nothing ignored",
)
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_secret_is_masked_unless_the_user_says_otherwise(
    root: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    assert run(["debug", "facts", "shop/key.py", *more]) == 0
    masked = capsys.readouterr().out
    assert run(["debug", "facts", "shop/key.py", "--no-mask-secrets", *more]) == 0

    assert "connect" in masked
    assert SECRET not in masked
    assert more or SECRET in capsys.readouterr().out


def test_an_explanation_is_masked_whoever_made_the_graph(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rpg.encode(root, mask_secrets=False)

    assert run(["debug", "explain", "shop/key.py:2", "token"]) == 0
    assert SECRET not in capsys.readouterr().out
    assert run(["debug", "explain", "shop/key.py:2", "absent"]) == 2
    assert SECRET not in capsys.readouterr().err
    assert run(["debug", "explain", "shop/key.py:2", "token", "--no-mask-secrets"]) == 0
    assert SECRET in capsys.readouterr().out


@pytest.mark.invariant(
    "trust",
    "`rpg debug` shows no secret, nothing outside the file's repository and nothing ignored",
)
def test_nothing_outside_the_repository_is_read(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "link.py").symlink_to("../outside/other.py")
    (root / "folder").symlink_to("../outside")
    (root / "repo").symlink_to("../another")
    (root / "inner.py").symlink_to("web/a.py")
    (root / "loop.py").symlink_to("loop.py")
    (root / ".git/hook.py").write_text("def stolen(): ...\n")

    codes = {
        name: run(["debug", "facts", str(name)])
        for name in (
            "link.py", "folder/other.py", "repo/other.py", root / "repo/other.py", ".git/hook.py", "loop.py",
            "own/ignored.py", "absent.py", "web", "inner.py", "../outside/other.py", root / "web/a.py",
        )
    }  # fmt: skip

    assert [*codes.values()] == [2] * 9 + [0] * 3
    assert capsys.readouterr().out.count("function stolen") == 1  # the user named it, outside of any repository
    assert run(["debug", "facts", "own/ignored.py", "--ignored"]) == 0


def test_what_is_no_regular_file_is_refused_at_once(root: Path, tmp_path: Path) -> None:
    os.mkfifo(root / "pipe.py")
    (root / "zero.py").symlink_to("/dev/zero")
    (root / "tty.py").symlink_to("/dev/tty")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket.py")
    with open(root / "huge.py", "wb") as file:
        file.truncate(1 << 40)
    (root / "binary.py").write_bytes(b"\0\1\2" * 1000)

    for name in ("pipe.py", "zero.py", "tty.py", "socket.py", "huge.py", "binary.py", "/dev/zero"):
        ran = subprocess.run(
            [sys.executable, "-m", "rpg", "debug", "facts", name],
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert (ran.returncode, ran.stdout) == (2, ""), (name, ran.stderr)
        assert ran.stderr.startswith(("INVALID_PATH: ", "FORBIDDEN: ", "UNSUPPORTED_MEDIA: ")), (name, ran.stderr)


def test_control_sequences_are_escaped(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "odd\x1b[2J.py").write_text("x = '\x1b]0;t\x07\u202e\x9b'\n")

    for more in ([], ["--json"]):
        assert run(["debug", "facts", "odd\x1b[2J.py", *more]) == 0
        told = capsys.readouterr().out
        assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(told)
