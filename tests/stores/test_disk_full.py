"""Where nothing can be written any more (no room, no permission) questions are answered from what is there, what is
behind is named, and once there is room all goes on. The limit of the size of files stands for a full disk: it fails
every write of this process, and needs no rights."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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


def run(root: Path, graph: Path, script: str, *, by: Sequence[str] = (), begin: str = BEGIN) -> None:
    """In a process of its own, which has no room, or which a command starts that takes its rights."""
    done = subprocess.run(
        [*by, sys.executable, "-c", begin + script, str(root), str(graph)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr + done.stdout


WITHOUT_RIGHTS = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search,-fowner", "--inh-caps=-all"]
"""Root is then bound by modes as everybody is."""
READ_ONLY_MOUNT = ["unshare", "-rm", "sh", "-c",
                   'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"']  # fmt: skip


@contextmanager
def unwritable(folder: Path, how: str) -> Iterator[list[str]]:
    """The command before one for which the folder is read-only."""
    by = [*READ_ONLY_MOUNT, str(folder)] if how == "mount" else WITHOUT_RIGHTS if os.geteuid() == 0 else []
    mode = stat.S_IMODE(folder.stat().st_mode)
    if how == "mode":
        folder.chmod(0o555)
    try:
        try:
            tried = subprocess.run(
                [*by, sys.executable, "-c", "import sys; open(sys.argv[1], 'w')", str(folder / "tried")],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        except FileNotFoundError as error:
            pytest.skip(f"rights cannot be taken here: {error}")
        if "PermissionError" not in tried.stderr and "Read-only file system" not in tried.stderr:
            pytest.skip(f"a folder cannot be made read-only here: {tried.stderr or 'it was written to'}")
        yield by
    finally:
        folder.chmod(mode)


READING = BEGIN.replace("room(FULL)\n", "")


@pytest.mark.parametrize("how", ["mode", "mount"])
def test_a_question_in_a_folder_that_cannot_be_written_to_names_what_has_changed(
    root: Path, graph: Path, how: str
) -> None:
    (root / "cart.py").write_text(CART.replace("return 1", "return 2"))
    (root / "more.py").write_text("def more():\n    return 3\n")
    before = {path.name: path.read_bytes() for path in graph.parent.iterdir()}

    with unwritable(graph.parent, how) as by:
        run(root, graph, """
for _ in range(2):
    with rpg.open(graph) as opened:
        source, state = ask(opened, "price")
        assert "return 1" in source
        assert state.stale == ["cart.py", "more.py"], state
        assert "cannot write" in state.note, state
        assert ask(opened, "price")[1].stale == ["cart.py", "more.py"]
        assert opened.search(query="buy").state.stale == ["cart.py", "more.py"]
""", by=by, begin=READING)  # fmt: skip

    assert {path.name: path.read_bytes() for path in graph.parent.iterdir()} == before
    run(root, graph, """
with rpg.open(graph) as opened:
    source, state = ask(opened, "price")
    assert "return 2" in source, state
    assert state.stale == [] and state.note == "", state
""", begin=READING)  # fmt: skip


@pytest.mark.parametrize("how", ["mode", "mount"])
def test_a_commit_is_not_a_reason_to_fail_where_nothing_can_be_written(root: Path, graph: Path, how: str) -> None:
    commit(root)
    encode(root, graph, Options())
    commit(root, "--allow-empty")

    with unwritable(graph.parent, how) as by:
        run(root, graph, """
with rpg.open(graph) as opened:
    source, state = ask(opened, "price")
    assert "return 1" in source
    assert state.stale == [], state
    assert "cannot write" in state.note, state
""", by=by, begin=READING)  # fmt: skip


@pytest.mark.parametrize("how", ["mode", "mount"])
@pytest.mark.parametrize("beside", ["of another", "damaged", "missing"])
def test_an_index_that_does_not_serve_in_a_folder_that_cannot_be_written_to(
    root: Path, graph: Path, data: Path, monkeypatch: pytest.MonkeyPatch, how: str, beside: str
) -> None:
    if beside == "of another":
        monkeypatch.setenv("RPG_DATA", str(data.with_name("data of another user")))
    elif beside == "damaged":
        index_path(graph).write_bytes(b"no index")
    else:
        index_path(graph).unlink()
    before = {path.name: path.read_bytes() for path in graph.parent.iterdir()}

    with unwritable(graph.parent, how) as by:
        run(root, graph, """
for _ in range(2):
    with rpg.open(graph, repository=root) as opened:
        assert opened.search(query="price").hits[0].name == "price"
        assert "Cart.total" in str(opened.find_usages(symbol="price").symbols)
        assert "return 1" in ask(opened, "price")[0]
        assert ask(opened, "price")[1].stale == []
(root / "cart.py").write_text((root / "cart.py").read_text().replace("return 1", "return 2"))
with rpg.open(graph, repository=root) as opened:
    source, state = ask(opened, "price")
    assert "return 1" in source
    assert state.stale == ["cart.py"]
""", by=by, begin=READING)  # fmt: skip

    assert {path.name: path.read_bytes() for path in graph.parent.iterdir()} == before


def commit(root: Path, *options: str) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    if not (root / ".git").exists():
        subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "more", *options], check=True)


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


@pytest.mark.invariant(
    "freshness",
    "with a full disk or without write permission, queries are answered and stale files are listed",
)
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
        assert "free some space" in error.message, error.message
    else:
        raise AssertionError
    room(resource.RLIM_INFINITY)
    assert "return 1" in ask(opened, "price")[0], ask(opened, "price")
""")  # fmt: skip
    assert graph.read_bytes() == before
    assert left_in(graph.parent) == {"shop.graph.json", "shop.graph.db"}
