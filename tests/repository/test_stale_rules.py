"""What decides from outside the files what a graph holds (git, rules of what is ignored, permissions, what is mounted)
is in the next answer of a running server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpg.encoder.options import Options
from rpg.repository import Freshness, Repository, encode
from rpg.repository.watch import inotify

Load = Callable[..., Repository]
FILES = {"cart.py": "def one(): pass\n", "pack/shop.py": "def two(): pass\n", "made.py": "def made(): pass\n"}


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(root: Path, *names: str) -> str:
    git(root, "init")
    git(root, "add", *(names or ["-A"]))
    git(root, "commit", "-m", "first")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture(autouse=True)
def nothing_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "rpg"))


@pytest.fixture(params=["told", "looking"], autouse=True)
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "looking":
        monkeypatch.setattr(inotify, "LOCAL", {})
        monkeypatch.setattr("rpg.repository.watch.freshness.LISTING_SECONDS", 0.0)
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def load(tmp_path: Path, root: Path) -> Iterator[Load]:
    opened: list[Repository] = []

    def load(folder: Path = root) -> Repository:
        graph = tmp_path / "shop.graph.json"
        encode(folder, graph, Options())
        opened.append(Repository.open(graph))
        for _ in range(3):
            opened[-1].refresh()
        return opened[-1]

    yield load
    for repository in opened:
        repository.close()


def about(repository: Repository) -> dict[str, object]:
    with repository.view() as view:
        return dict(view.header["repository"])


def paths(repository: Repository) -> set[str]:
    with repository.view() as view:
        return {path for (path,) in view.index.rows("SELECT path FROM files")}


@pytest.mark.invariant(
    "freshness",
    "a change of ignore rules or of git's state is in the next answer, wherever it was made",
)
def test_a_folder_that_becomes_a_repository_and_none_again(root: Path, load: Load) -> None:
    repository = load()
    assert "commit" not in about(repository)
    first = commit(root)
    assert about(repository)["commit"] == first
    shutil.rmtree(root / ".git")
    assert "commit" not in about(repository)


def test_another_remote_is_in_the_next_answer(root: Path, load: Load) -> None:
    commit(root)
    repository = load()
    git(root, "remote", "add", "origin", "https://example.org/shop.git")
    assert about(repository)["url"] == "https://example.org/shop"


def test_a_commit_that_no_log_tells_of(root: Path, load: Load) -> None:
    commit(root)
    git(root, "config", "core.logAllRefUpdates", "false")
    shutil.rmtree(root / ".git" / "logs")
    repository = load()
    git(root, "commit", "--allow-empty", "-m", "second")
    second = git(root, "rev-parse", "HEAD")
    assert about(repository)["commit"] == second
    git(root, "update-ref", "refs/heads/main", "HEAD~1")
    assert about(repository)["commit"] == git(root, "rev-parse", "HEAD") != second


def test_a_commit_in_another_work_tree_of_the_repository(root: Path, tmp_path: Path, load: Load) -> None:
    commit(root)
    git(root, "worktree", "add", "-b", "side", str(tmp_path / "side"))
    repository = load(tmp_path / "side")
    git(root, "remote", "add", "origin", "https://example.org/shop.git")
    assert about(repository)["url"] == "https://example.org/shop"
    (tmp_path / "side" / "cart.py").write_text("def ten(): pass\n")
    git(tmp_path / "side", "commit", "-am", "second")
    assert about(repository)["commit"] == git(tmp_path / "side", "rev-parse", "HEAD")


@pytest.mark.invariant(
    "freshness",
    "a change of ignore rules or of git's state is in the next answer, wherever it was made",
)
def test_rules_of_what_is_ignored_wherever_they_stand(root: Path, tmp_path: Path, load: Load) -> None:
    (tmp_path / "rules").write_text("")
    git(root.parent, "config", "--global", "core.excludesFile", str(tmp_path / "rules"))
    commit(root, "cart.py", "pack")
    repository = load()
    assert "made.py" in paths(repository)
    for rules in (
        root / ".git" / "info" / "exclude",
        tmp_path / "rules",
        root / ".gitignore",
        root / "pack" / ".gitignore",
    ):
        rules.write_text("made.py\n.gitignore\n")
        assert ("made.py" in paths(repository)) == (rules.parent.name == "pack")
        rules.write_text("")
        assert "made.py" in paths(repository)


def test_rules_of_the_user_where_none_are_configured(root: Path, tmp_path: Path, load: Load) -> None:
    commit(root, "cart.py", "pack")
    repository = load()
    (tmp_path / "config" / "git").mkdir(parents=True)
    (tmp_path / "config" / "git" / "ignore").write_text("made.py\n")
    assert "made.py" not in paths(repository)


def test_rules_above_a_part_of_a_repository(root: Path, load: Load) -> None:
    (root / "pack" / "made.py").write_text("def made(): pass\n")
    commit(root, "cart.py", "pack/shop.py")
    repository = load(root / "pack")
    assert paths(repository) == {"shop.py", "made.py"}
    (root / ".gitignore").write_text("made.py\n")
    assert paths(repository) == {"shop.py"}


def test_a_folder_that_becomes_a_repository_of_its_own_and_none_again(root: Path, load: Load) -> None:
    commit(root, "cart.py")
    repository = load()
    assert "pack/shop.py" in paths(repository)
    commit(root / "pack")
    assert "pack/shop.py" not in paths(repository)
    (root / "pack" / ".git").rename(root / "pack" / "git")
    assert "pack/shop.py" in paths(repository)


def test_a_mode_that_git_keeps_is_a_difference(root: Path, load: Load) -> None:
    commit(root)
    repository = load()
    (root / "cart.py").chmod(0o755)
    assert git(root, "status", "--porcelain") != ""
    assert about(repository)["dirty"]
    (root / "cart.py").chmod(0o644)
    assert not about(repository)["dirty"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_and_can_again(root: Path, load: Load) -> None:
    repository = load()
    for locked in ("pack", "cart.py"):
        mode = (root / locked).stat().st_mode
        (root / locked).chmod(0)
        try:
            assert paths(repository) == {*FILES} - {"pack/shop.py" if locked == "pack" else locked}
        finally:
            (root / locked).chmod(mode)
        assert paths(repository) == {*FILES}


def test_what_takes_the_place_of_a_file_or_a_folder(root: Path, load: Load) -> None:
    repository = load()
    shop = root / "pack" / "shop.py"

    def becomes(*there: str) -> None:
        assert paths(repository) == {"cart.py", "made.py", *there}
        assert repository.refresh() == Freshness()

    shop.unlink()
    shop.symlink_to("../cart.py")
    becomes()
    shop.unlink()
    shop.mkdir()
    (shop / "deep.py").write_text("def deep(): pass\n")
    becomes("pack/shop.py/deep.py")
    shutil.rmtree(shop)
    shop.write_text("def two(): pass\n")
    becomes("pack/shop.py")
    (root / "pack").rename(root / "aside")
    becomes("aside/shop.py")
    (root / "pack").symlink_to("aside")
    becomes("aside/shop.py")
    (root / "pack").unlink()
    (root / "pack").write_text("def pack(): pass\n")
    becomes("aside/shop.py", "pack")
    (root / "pack").unlink()
    (root / "aside").rename(root / "Aside")
    becomes("Aside/shop.py")
    (root / "Aside" / "shop.py").rename(root / "Aside" / "Shop.py")
    becomes("Aside/Shop.py")


MOUNTING = """
import subprocess, sys
from pathlib import Path
from rpg.encoder.options import Options
from rpg.repository import Repository, encode
root, other, graph = map(Path, sys.argv[1:])
encode(root, graph, Options())
repository = Repository.open(graph)
for _ in range(3):
    repository.refresh()
subprocess.run(["mount", "--bind", str(other), str(root / "pack")], check=True)
print(*repository.refresh().refreshed)
(other / "shop.py").write_text("def four(): pass\\n")
print(*repository.refresh().refreshed)
subprocess.run(["umount", str(root / "pack")], check=True)
print(*repository.refresh().refreshed)
"""
ALONE = ["unshare", "--map-root-user", "--mount"]


def can_mount() -> bool:
    try:
        return subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not can_mount(), reason="nothing can be mounted here")
def test_what_is_mounted_over_a_folder_is_in_the_next_answer(root: Path, tmp_path: Path, how: str) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "shop.py").write_text("def three(): pass\n")
    command = [
        *ALONE,
        sys.executable,
        "-c",
        MOUNTING,
        str(root),
        str(tmp_path / "other"),
        str(tmp_path / "m.graph.json"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["pack/shop.py"] * 3, done.stderr
