"""Where nothing can be written any more (no room, no permission) questions are answered from what is there, what is
behind is named, and once there is room all goes on. The limit of the size of files stands for a full disk: it fails
every write of this process, and needs no rights."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from repositories import write

from rpg.encoder.options import Options
from rpg.repository import encode, index_path

if sys.platform == "win32":
    pytest.skip("a limit of the size of files is POSIX", allow_module_level=True)

CART = "class Cart:\n    def total(self):\n        return price()\n\n\ndef price():\n    return 1\n"
SHOP = "from cart import Cart\n\n\ndef buy():\n    return Cart().total()\n"
BEGIN = """
import os, resource, sys
from pathlib import Path
import rpg
from rpg.errors import RpgError

root, graph = Path(sys.argv[1]), sys.argv[2]

def room(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def edit(name, text):
    room(resource.RLIM_INFINITY)
    (root / name).write_text(text)
    room(FULL)

def ask(opened, name):
    answer = opened.fetch(targets=[name])
    return answer.symbols[0].source, answer.state

FULL = 0
room(FULL)
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "data"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "code" / "shop", {"cart.py": CART, "shop.py": SHOP})


@pytest.fixture
def graph(tmp_path: Path, root: Path) -> Path:
    (tmp_path / "graphs").mkdir()
    graph = tmp_path / "graphs" / "shop.graph.json"
    encode(root, graph, Options())
    return graph


def run(root: Path, graph: Path, script: str) -> None:
    """In a process of its own, which has no room."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + script, str(root), str(graph)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr + done.stdout


def left_in(folder: Path) -> set[str]:
    """Files with anything in them: SQLite makes an empty log before it finds that there is no room for more, and
    removes it when it is next opened."""
    return {path.name for path in folder.iterdir() if path.stat().st_size}


def test_a_cold_question_is_answered_without_room(root: Path, graph: Path) -> None:
    run(root, graph, """
with rpg.open(graph) as opened:
    source, state = ask(opened, "price")
    assert "return 1" in source
    assert not state.stale and not state.note, state
""")  # fmt: skip
    assert left_in(graph.parent) == {"shop.graph.json", "shop.graph.db"}


def test_a_cold_question_without_room_names_what_has_changed_and_is_right_once_there_is_some(
    root: Path, graph: Path
) -> None:
    before = graph.read_bytes()
    (root / "cart.py").write_text(CART.replace("return 1", "return 2"))
    run(root, graph, """
with rpg.open(graph) as opened:
    source, state = ask(opened, "price")
    assert "return 1" in source
    assert state.stale == ["cart.py"], state
    assert "cannot write" in state.note, state
    assert ask(opened, "price")[1].stale == ["cart.py"]
    assert Path(graph).parent.joinpath("shop.graph.json").exists()
    room(resource.RLIM_INFINITY)
    source, state = ask(opened, "price")
    assert "return 2" in source, state
    assert state.stale == [] and state.note == "", state
""")  # fmt: skip
    assert graph.read_bytes() != before
    assert left_in(graph.parent) == {"shop.graph.json", "shop.graph.db"}


@pytest.mark.parametrize("size", [1_000, 6_000, 40_000, 120_000])
def test_a_refresh_that_ends_in_the_middle_leaves_the_old_answers_and_no_files(
    root: Path, graph: Path, size: int
) -> None:
    (root / "cart.py").write_text(CART.replace("return 1", "return 2"))
    write(root, {"more.py": "".join(f"def f{number}(): pass\n" for number in range(400))})
    run(root, graph, f"""
room({size})
with rpg.open(graph) as opened:
    source, state = ask(opened, "price")
    assert "return 1" in source and "cart.py" in state.stale or "return 2" in source and not state.stale, state
    room(resource.RLIM_INFINITY)
    assert "return 2" in ask(opened, "price")[0]
    assert ask(opened, "f399")[1].stale == []
""")  # fmt: skip
    assert left_in(graph.parent) == {"shop.graph.json", "shop.graph.db"}


def test_without_an_index_and_without_room_it_is_said_what_to_do(root: Path, graph: Path) -> None:
    index_path(graph).unlink()
    before = graph.read_bytes()
    run(root, graph, """
with rpg.open(graph, repository=root) as opened:
    try:
        ask(opened, "price")
    except RpgError as error:
        assert error.code == "ENCODE_FAILED", error.code
        assert "make room" in error.message, error.message
    else:
        raise AssertionError
    room(resource.RLIM_INFINITY)
    assert "return 1" in ask(opened, "price")[0], ask(opened, "price")
""")  # fmt: skip
    assert graph.read_bytes() == before
    assert left_in(graph.parent) == {"shop.graph.json", "shop.graph.db"}
