"""An encode looks at the tree once: git is asked each thing once, whatever has changed and whichever way it takes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from repositories import commit, repository, write

from rpg.encoder.encode import encode
from rpg.encoder.options import DEFAULT
from rpg.encoder.source_files.listing import look

ONE_LOOK = Counter({"rev-parse": 2, "config": 2, "status": 1, "ls-files": 1, "diff-index": 1})
"""Where the folder stands and what HEAD is; filters and remotes; what differs from the index, what is in it, and what
that changes over HEAD."""
FILES: dict[str, str | bytes] = {
    "base.py": "class Base:\n    def run(self): return 1\n",
    "other.py": "def other(): return 2\n",
    **{f"user{number}.py": "from base import Base\n\nBase().run()\n" for number in range(30)},
}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Counter[str]]:
    """What rpg asked git since the last time, by the real git behind a script that writes it down."""
    real, said = shutil.which("git"), tmp_path / "asked"
    assert real is not None
    script = tmp_path / "bin" / "git"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" >> "{said}"\necho >> "{said}"\nexec "{real}" "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(script.parent), prepend=os.pathsep)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))

    def since() -> Counter[str]:
        lines = said.read_text().splitlines()
        said.unlink()
        return Counter(map(_command, lines))

    return since


def _command(line: str) -> str:
    arguments = iter(line.split("\0"))
    for argument in arguments:
        if argument in ("-C", "-c"):
            next(arguments)
        elif not argument.startswith("-"):
            return argument
    raise AssertionError(line)


@pytest.mark.invariant(
    "encoding",
    "an encode lists the tree once and asks git each thing once; a file that is edited meanwhile is not called clean",
)
def test_git_is_asked_once_whatever_changed(tmp_path: Path, asked: Callable[[], Counter[str]]) -> None:
    root, graph = repository(tmp_path / "shop", FILES), tmp_path / "shop.graph.json"

    def encoded(*options: str) -> int:
        """Files parsed. In a process of its own: when that asks, what was written before it started is old."""
        command = [sys.executable, "-m", "rpg", "encode", str(root), "-o", str(graph), "--json", *options]
        parsed: int = orjson.loads(subprocess.run(command, check=True, capture_output=True).stdout)["parsed"]
        assert asked() == ONE_LOOK
        return parsed

    assert encoded() == len(FILES)
    assert encoded() == 0
    write(root, {"other.py": "def other(): return 3\n"})
    assert encoded() == 1
    write(root, {"base.py": "class Bose:\n    def rung(self): return 1\n\n\nBase = Bose\n"})
    assert encoded() == 1
    write(root, {f"user{number}.py": "from base import Bose\n\nBose().rung()\n" for number in range(30)})
    assert encoded() == 30
    write(root, {"new.py": "import base\n"})
    assert encoded() == 1
    (root / "new.py").unlink()
    assert encoded() == 0
    commit(root)
    assert encoded() == 0
    assert encoded("--full") == len(FILES)


def test_of_a_folder_without_git_git_is_asked_once(tmp_path: Path, asked: Callable[[], Counter[str]]) -> None:
    root = write(tmp_path / "shop", FILES)
    encode(root)
    assert asked() == Counter({"rev-parse": 1})


@pytest.mark.invariant(
    "encoding",
    "an encode lists the tree once and asks git each thing once; a file that is edited meanwhile is not called clean",
)
def test_a_file_that_is_edited_after_the_look_is_encoded_as_it_is_and_the_tree_is_not_called_clean(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path / "shop", FILES)
    seen = look(root)
    assert not encode(root, look=seen).graph.header["repository"]["dirty"]
    write(root, {"other.py": "def another(): return 2\n"})
    encoded = encode(root, DEFAULT, look=seen).graph
    assert encoded.header["repository"]["dirty"]
    assert "other.py::another" in {symbol.id for symbol in encoded.symbols}


def test_a_file_that_is_gone_after_the_look_is_not_a_clean_tree(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", FILES)
    seen = look(root)
    (root / "other.py").unlink()
    assert encode(root, look=seen).graph.header["repository"]["dirty"]
