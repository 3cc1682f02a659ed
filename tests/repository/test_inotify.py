"""A server that is told what was touched knows as much as one that looks at every file."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpg.encoder.options import Options
from rpg.repository import Freshness, Repository, encode, index_path
from rpg.repository.watch import inotify
from rpg.repository.watch.changes import Changes
from rpg.repository.watch.freshness import Watch
from rpg.repository.watch.inotify import Notices
from rpg.stores.index.index import Index
from rpg.stores.index.stored_graph import header

FILES = {
    "cart.py": "class Cart: pass\n",
    "pack/__init__.py": "",
    "pack/shop.py": "def buy(): pass\n",
    "pack/deep/far.py": "def far(): pass\n",
    ".gitignore": "made.py\nbuild/\n",
}


def write(root: Path) -> Path:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        then = time.time_ns() - 1_000_000_000_000
        os.utime(path, ns=(then, then))
    (root / "empty" / "inner").mkdir(parents=True)
    return root


def by_git(root: Path) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
    for arguments in (["init"], ["add", "-A"], ["commit", "-m", "first"]):
        subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


@pytest.fixture(params=["told", "looking"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the kernel tells; where it does not, all must be found by looking."""
    if request.param == "looking":
        monkeypatch.setattr(inotify, "LOCAL", {})
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return write(tmp_path / "shop")


@pytest.fixture
def load(root: Path, tmp_path: Path) -> Iterator[Callable[[], Repository]]:
    opened: list[Repository] = []

    def load() -> Repository:
        graph = tmp_path / "shop.graph.json"
        encode(root, graph, Options())
        opened.append(Repository.open(graph))
        for _ in range(3):
            opened[-1].refresh()
        return opened[-1]

    yield load
    for repository in opened:
        repository.close()


def save_atomically(path: Path, text: str) -> None:
    """As editors do."""
    path.with_name(path.name + "~").write_text(text)
    path.with_name(path.name + "~").replace(path)


def test_each_change_is_in_the_next_answer(root: Path, load: Callable[[], Repository], how: str) -> None:
    repository = load()

    def changed(*paths: str) -> None:
        assert repository.refresh() == Freshness(refreshed=paths)
        assert repository.refresh() == Freshness()

    (root / "cart.py").write_text("class Kart: pass\n")
    changed("cart.py")
    save_atomically(root / "cart.py", "class Cart: pass\n")
    changed("cart.py")
    (root / "new.py").write_text("x = 1\n")
    changed("new.py")
    (root / "one" / "two").mkdir(parents=True)
    (root / "one" / "two" / "three.py").write_text("x = 3\n")
    changed("one/two/three.py")
    (root / "one").rename(root / "uno")
    changed("one/two/three.py", "uno/two/three.py")
    (root / "uno" / "two" / "three.py").write_text("x = 33\n")
    changed("uno/two/three.py")
    shutil.rmtree(root / "uno")
    changed("uno/two/three.py")
    (root / "new.py").unlink()
    changed("new.py")
    (root / "notes.txt").write_text("to do\n")
    (root / "notes.txt").unlink()
    assert repository.refresh() == Freshness()


@pytest.mark.parametrize("in_git", [True, False], ids=["git", "no git"])
def test_a_file_in_a_folder_that_was_empty_is_noticed(root: Path, load: Callable[[], Repository], in_git: bool) -> None:
    if in_git:
        by_git(root)
    repository = load()
    (root / "empty" / "inner" / "first.py").write_text("x = 1\n")
    assert repository.refresh().refreshed == ("empty/inner/first.py",)
    (root / "made" / "later").mkdir(parents=True)
    assert repository.refresh().refreshed == ()
    (root / "made" / "later" / "second.py").write_text("x = 2\n")
    assert repository.refresh().refreshed == ("made/later/second.py",)


def test_what_git_ignores_is_not_a_change_until_git_is_told_to_keep_it(
    root: Path, load: Callable[[], Repository]
) -> None:
    by_git(root)
    (root / "build").mkdir()
    repository = load()
    for _ in range(2):
        (root / "made.py").write_text("def made(): pass\n")
        (root / "build" / "out.py").write_text("def out(): pass\n")
        assert repository.refresh().refreshed == ()
        (root / "made.py").unlink()
        assert repository.refresh().refreshed == ()
    subprocess.run(["git", "-C", str(root), "add", "-f", "build/out.py"], check=True)
    assert repository.refresh().refreshed == ("build/out.py",)
    (root / "build" / "out.py").write_text("def out(): return 1\n")
    assert repository.refresh().refreshed == ("build/out.py",)


@pytest.mark.skipif(Notices.start(Path(__file__).parent) is None, reason="the kernel does not tell")
def test_an_edit_that_keeps_size_and_time_is_reported(root: Path, load: Callable[[], Repository]) -> None:
    repository = load()
    before = (root / "cart.py").stat()
    (root / "cart.py").write_text("class Kart: pass\n")
    os.utime(root / "cart.py", ns=(before.st_mtime_ns, before.st_mtime_ns))
    assert repository.refresh().refreshed == ("cart.py",)


def test_more_than_the_kernel_keeps_loses_nothing(root: Path, load: Callable[[], Repository]) -> None:
    try:
        kept = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    except OSError:
        kept = 100
    repository = load()
    two = [str(root / "cart.py"), str(root / "pack" / "shop.py")]
    for number in range(kept + 10):
        os.utime(two[number % 2])
    (root / "pack" / "deep" / "far.py").write_text("def farther(): pass\n")
    assert repository.refresh().refreshed == ("pack/deep/far.py",)
    assert repository.refresh() == Freshness()


def test_a_file_written_under_another_name_of_it_is_noticed(root: Path, load: Callable[[], Repository]) -> None:
    (root.parent / "twin.py").hardlink_to(root / "cart.py")
    repository = load()
    (root.parent / "twin.py").write_text("class Kart: pass\n")
    assert repository.refresh().refreshed == ("cart.py",)


def test_another_folder_in_the_place_of_the_repository_is_noticed(root: Path, load: Callable[[], Repository]) -> None:
    repository = load()
    root.rename(root.with_name("old"))
    write(root)
    (root / "cart.py").write_text("class Kart: pass\n")
    assert repository.refresh().refreshed == ("cart.py",)
    (root / "cart.py").write_text("class Cart: pass\n")
    assert repository.refresh().refreshed == ("cart.py",)


def test_changes_while_an_encode_runs_are_not_lost(root: Path, load: Callable[[], Repository], tmp_path: Path) -> None:
    """Another process encodes: what it saw and what it did not is looked at anew."""
    repository = load()
    (root / "new.py").write_text("x = 1\n")
    encode(root, tmp_path / "shop.graph.json", Options())
    (root / "newer.py").write_text("x = 2\n")
    assert repository.refresh().refreshed == ("newer.py",)
    assert repository.refresh() == Freshness()


NAMES = ["cart.py", "pack", "pack/shop.py", "pack/deep", "pack/deep/far.py", "new.py", "made.py", "build", "build/b.py"]
NAMES += ["pack/new", "pack/new/file.py", "empty/inner/one.py", "notes.txt", ".gitignore", "node_modules/m.py"]
STEP = st.tuples(
    st.sampled_from(["write", "append", "atomic", "delete", "folder", "move", "touch", "link"]),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
)


def do(root: Path, action: str, first: Path, second: Path) -> None:
    try:
        if action == "folder":
            first.mkdir(parents=True, exist_ok=True)
        elif action == "delete" and first.is_dir() and not first.is_symlink():
            shutil.rmtree(first)
        elif action == "delete":
            first.unlink()
        elif action == "move":
            first.rename(second)
        elif action == "touch":
            os.utime(first)
        elif action == "link":
            first.symlink_to("cart.py")
        else:
            first.parent.mkdir(parents=True, exist_ok=True)
            content = "# made.py\n" if first.name == ".gitignore" else f"x = {len(str(second))}\n"
            if action == "atomic":
                save_atomically(first, content)
            else:
                with first.open("w" if action == "write" else "a") as file:
                    file.write(content)
    except (OSError, shutil.Error):
        return  # no such thing can be done there now


@pytest.mark.invariant("freshness", "kernel notifications find every change that a scan of all files finds")
@pytest.mark.parametrize("in_git", [True, False], ids=["git", "no git"])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=st.lists(st.lists(STEP, min_size=1, max_size=3), min_size=1, max_size=5))
def test_a_notification_describes_what_a_check_finds(
    tmp_path_factory: pytest.TempPathFactory, in_git: bool, rounds: list[list[tuple[str, str, str]]]
) -> None:
    folder = tmp_path_factory.mktemp("told")
    root, graph = write(folder / "shop"), folder / "shop.graph.json"
    if in_git:
        by_git(root)
    encode(root, graph, Options())
    index = Index.open_read_only(index_path(graph))
    try:
        told = Watch(root, Options(), index, header(index))
        told.changes()
        for steps in rounds:
            told.changes()
            for action, first, second in steps:
                do(root, action, root / first, root / second)
            assert sets(told.changes()) == sets(Watch(root, Options(), index, header(index)).changes())
        told.close()
    finally:
        index.close()
        shutil.rmtree(folder)


def sets(changes: Changes) -> dict[str, object]:
    """Without the commit, which is asked for again where git's files changed, and by every encode."""
    return {"edited": set(changes.edited), "added": set(changes.added), "deleted": set(changes.deleted)}
