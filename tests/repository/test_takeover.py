"""A work tree or clone without a graph starts from that of another one, and has the graph of a clean encode."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import commit, git, repository, write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.repository import Repository, encode, forget, has_relatives, index_path, known_graphs
from rpg.repository.encoding.encode import writing
from rpg.repository.encoding.takeover import take_over
from rpg.repository.encoding.unchanged import about_encode
from rpg.stores.index.index import Index

FILES = {
    "shop.py": "def buy():\n    return 1\n\n\ndef sell():\n    return buy()\n",
    "cart.py": "import shop\n\n\ndef fill():\n    shop.buy()\n",
    "README.md": "# Shop\n\nHow to `shop.buy`.\n",
    "pyproject.toml": '[project]\nname = "shop"\n',
} | {f"part{number}.py": f"import shop\n\n\ndef part{number}():\n    return shop.sell()\n" for number in range(12)}
STARTED = "started from the graph of"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RPG_GRAPH", raising=False)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A repository with a graph."""
    root = repository(tmp_path / "first", FILES)
    encode(root, output_of(root), Options())
    return root


def output_of(root: Path) -> Path:
    return root / ".rpg" / f"{root.name}.graph.json"


def rows(output: Path) -> list[object]:
    index = Index.open_read_only(index_path(output))
    try:
        ends = "SELECT s.symbol, t.symbol, e.kind, e.via, e.sites FROM edges e JOIN symbols s ON s.id = e.source"
        edges = index.rows(f"{ends} JOIN symbols t ON t.id = e.target ORDER BY 1, 2, 3, 5")
        return [edges, index.rows("SELECT path, hash, language FROM files ORDER BY path"), index.meta("root")]
    finally:
        index.close()


def assert_clean(root: Path, tmp_path: Path) -> None:
    """Its graph has the bytes of one that is made from nothing."""
    clean = tmp_path / "clean.graph.json"
    encode(root, clean, Options(), full=True)
    assert output_of(root).read_bytes() == clean.read_bytes()
    assert rows(output_of(root)) == rows(clean)
    assert encode(root, output_of(root), Options()).changed is False


def work_tree(first: Path, name: str = "tree") -> Path:
    git(first, "worktree", "add", "-q", "--detach", str(first.parent / name))
    return first.parent / name


def clone(first: Path, name: str = "clone") -> Path:
    git(first.parent, "clone", "-q", str(first), name)
    return first.parent / name


def copy(first: Path, name: str = "copy") -> Path:
    """Without what git and rpg have stored, as an unpacked archive is."""
    return shutil.copytree(first, first.parent / name, ignore=shutil.ignore_patterns(".git", ".rpg"))


def as_it_is(root: Path) -> None:
    pass


def few_edits(root: Path) -> None:
    write(root, {"shop.py": FILES["shop.py"].replace("return 1", "return 2"), "cart.py": "import shop\n"})


def added_and_deleted(root: Path) -> None:
    write(root, {"new.py": "import cart\n\ncart.fill()\n"})
    (root / "part3.py").unlink()


def a_commit(root: Path) -> None:
    write(root, {"shop.py": "def sell():\n    pass\n"})
    commit(root)


def everything(root: Path) -> None:
    for path in sorted(root.glob("*.py")):
        path.write_text(path.read_text() + "\n\ndef last():\n    return 3\n")
    write(root, {"pyproject.toml": '[project]\nname = "other"\n', "README.md": "# Other\n"})


@pytest.mark.invariant(
    "encoding", "a work tree or clone that starts from another one's graph has that of a clean encode"
)
@pytest.mark.parametrize("place", [work_tree, clone])
@pytest.mark.parametrize("change", [as_it_is, few_edits, added_and_deleted, a_commit, everything])
def test_what_differs_is_encoded_and_nothing_else(
    first: Path, tmp_path: Path, place: Callable[[Path], Path], change: Callable[[Path], None]
) -> None:
    root = place(first)
    change(root)
    before = output_of(first).read_bytes()
    summary = encode(root, output_of(root), Options())
    assert summary.note == f"{STARTED} {first}"
    assert summary.parsed == len(git(root, "diff", "--name-only", git(first, "rev-parse", "HEAD")).split()) - len(
        git(root, "diff", "--name-only", "--diff-filter=D", "HEAD").split()
    ) + len(git(root, "ls-files", "--others", "--exclude-standard").split())
    assert_clean(root, tmp_path)
    assert output_of(first).read_bytes() == before


def test_the_nearest_one_is_taken(first: Path, tmp_path: Path) -> None:
    far = clone(first, "far")
    everything(far)
    commit(far)
    encode(far, output_of(far), Options())
    tree = work_tree(first)
    assert encode(tree, output_of(tree), Options()).note == f"{STARTED} {first}"
    later = clone(far, "later")
    assert encode(later, output_of(later), Options()).note == f"{STARTED} {far}"
    assert_clean(later, tmp_path)


def test_a_later_commit_of_the_same_remote_is_one(first: Path, tmp_path: Path) -> None:
    old = clone(first, "old")
    new = clone(first, "new")
    forget(output_of(first))
    few_edits(new)
    commit(new)
    encode(new, output_of(new), Options())
    for root in (old, new):
        git(root, "remote", "set-url", "origin", "https://example.org/shop.git")
    encode(new, output_of(new), Options())
    assert encode(old, output_of(old), Options()).note == f"{STARTED} {new}"
    assert_clean(old, tmp_path)


def more(root: Path) -> None:
    write(root, {"more.py": "import cart\n\ncart.fill()\n", "shop.pyi": "def buy() -> int: ...\n"})


@pytest.mark.parametrize("change", [as_it_is, more])
def test_a_copy_without_git_starts_from_the_graph_of_what_was_copied(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    monkeypatch.setattr(known_graphs, "FEWEST_COPIED", len(FILES))
    root = copy(first)
    change(root)
    summary = encode(root, output_of(root), Options())
    assert summary.note == f"{STARTED} {first}"
    assert summary.parsed == (0 if change is as_it_is else 2)
    assert_clean(root, tmp_path)
    again = copy(first, "again")
    forget(output_of(first))
    if change is as_it_is:
        assert encode(again, output_of(again), Options()).note == f"{STARTED} {root}"
        assert_clean(again, tmp_path)


def test_a_copy_of_few_files_starts_from_nothing(first: Path) -> None:
    root = copy(first)
    assert STARTED not in encode(root, output_of(root), Options()).note


@pytest.mark.invariant("trust", "no repository starts from the graph of another one, whatever remote it names")
def test_another_repository_is_none(first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_graphs, "FEWEST_COPIED", 1)
    git(first, "remote", "add", "origin", "https://example.org/shop.git")
    encode(first, output_of(first), Options())
    other = repository(tmp_path / "other", {**FILES, "cart.py": "pass\n"})
    git(other, "remote", "add", "origin", "https://example.org/shop.git")
    plain = copy(first)
    (plain / "part3.py").unlink()
    named = tmp_path / "named"
    for path in FILES:
        write(named, {path: "pass\n"})
    for root in (other, plain, named):
        assert STARTED not in encode(root, output_of(root), Options()).note


def test_options_and_full_start_from_nothing(first: Path) -> None:
    tree = work_tree(first)
    assert STARTED not in encode(tree, output_of(tree), Options(exclude=("cart.py",))).note
    other = work_tree(first, "other")
    assert STARTED not in encode(other, output_of(other), Options(), full=True).note


def test_a_copy_that_was_cut_short_is_finished(first: Path, tmp_path: Path) -> None:
    """As if the process had been killed when the other graph was copied, and nothing was compared yet."""
    for number, finish in enumerate((by_encode, by_serving)):
        tree = work_tree(first, f"tree{number}")
        few_edits(tree)
        output = output_of(tree)
        output.parent.mkdir()
        with writing(output):
            assert take_over(tree, output, about_encode(tree, Options())) is not None
        finish(output, tree)
        assert_clean(tree, tmp_path)


def by_encode(output: Path, root: Path) -> None:
    encode(root, output, Options())


def by_serving(output: Path, root: Path) -> None:
    repository = Repository(output, None)
    try:
        with repository.view():
            pass
    finally:
        repository.close()


def test_a_damaged_graph_is_not_taken(first: Path, tmp_path: Path) -> None:
    index = index_path(output_of(first))
    data = bytearray(index.read_bytes())
    for at in range(len(data) // 2, len(data), 5000):
        data[at] ^= 0xFF
    index.write_bytes(data)
    tree = work_tree(first)
    encode(tree, output_of(tree), Options())
    assert_clean(tree, tmp_path)


def test_a_bare_command_in_a_work_tree_answers(
    first: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = work_tree(first)
    few_edits(tree)
    monkeypatch.chdir(tree)
    assert run(["search", "fill", "--mode", "symbol"]) != 0  # an edit took it away
    said = capfd.readouterr()
    assert f"{STARTED} {first}" in said.err
    assert run(["usages", "shop.py::sell"]) == 0
    assert "part11.py" in capfd.readouterr().out


def test_graphs_of_many_others_are_in_the_way_of_none(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_graphs, "MOST_ASKED", 2)
    monkeypatch.setattr(known_graphs, "MOST_RECORDED", 4)
    others = [repository(tmp_path / f"other{number}", {"a.py": f"a = {number}\n"}) for number in range(3)]
    for root in others:
        encode(root, output_of(root), Options())
    tree = work_tree(first)
    assert encode(tree, output_of(tree), Options()).note == f"{STARTED} {first}"
    for root in others:
        (root / "a.py").write_text("b = 1\n")
        encode(root, output_of(root), Options())
    encode(tree, output_of(tree), Options())
    later = repository(tmp_path / "later", {"a.py": "a = 9\n"})
    encode(later, output_of(later), Options())
    assert not has_relatives(later, output_of(later))
    assert len(list((tmp_path / "data" / known_graphs.RECORDED).iterdir())) == 4


def test_what_was_forgotten_is_not_looked_for(first: Path) -> None:
    tree = work_tree(first)
    assert has_relatives(tree, output_of(tree))
    forget(output_of(first))
    assert not has_relatives(tree, output_of(tree))
    encode(first, output_of(first), Options())
    shutil.rmtree(first / ".rpg")
    assert not has_relatives(tree, output_of(tree))
