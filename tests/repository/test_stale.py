"""What keeps size and time of a file as they were is in the next answer and the next encode all the same."""

from __future__ import annotations

import mmap
import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpg.encoder.options import Options
from rpg.repository import Freshness, Repository, encode, index_path
from rpg.repository.watch import inotify
from rpg.repository.watch.known_files import read_known_files
from rpg.stores.graph_file import graph_file
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index

CLAMPED = 1_600_000_000_000_000_000
"""The time of all files, as images and archives that are made reproducibly have it."""
FILES = {
    "cart.py": "def one(): pass\n",
    "pack/__init__.py": "",
    "pack/shop.py": "def two(): pass\n",
    "other/__init__.py": "",
    "other/shop.py": "def six(): pass\n",
    "data.py": "\0\1\2\3\4\5\6\7" * 4,
}
"""Those that are not empty of a size, by pairs."""


def clamp(path: Path, time_ns: int = CLAMPED) -> None:
    os.utime(path, ns=(time_ns, time_ns), follow_symlinks=False)


def write(root: Path, time_ns: int = CLAMPED) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in root.rglob("*"):
        clamp(path, time_ns)


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture(autouse=True)
def nothing_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "rpg"))


@pytest.fixture(params=["told", "looking"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "looking":
        monkeypatch.setattr(inotify, "LOCAL", {})
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    write(root)
    return root


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return tmp_path / "shop.graph.json"


@pytest.fixture
def load(graph: Path, root: Path) -> Iterator[Callable[[], Repository]]:
    opened: list[Repository] = []

    def load() -> Repository:
        settled(root, graph)
        opened.append(Repository.open(graph))
        for _ in range(3):
            opened[-1].refresh()
        return opened[-1]

    yield load
    for repository in opened:
        repository.close()


def settled(root: Path, graph: Path) -> None:
    """Encoded until no file is so young that it would be read again in any case."""
    until = time.monotonic() + 60
    encode(root, graph, Options())
    while any(known.young for known in known_of(graph)):
        assert time.monotonic() < until
        encode(root, graph, Options())


def known_of(graph: Path) -> list[object]:
    index = Index.open_read_only(index_path(graph))
    try:
        return list(read_known_files(index, stored_graph.header(index)).values())
    finally:
        index.close()


def names(repository: Repository) -> set[str]:
    with repository.view() as view:
        return {name for (name,) in view.index.rows("SELECT name FROM symbols WHERE kind = 'function'")}


def rewrite(path: Path, text: str) -> None:
    """In place, and then the old time."""
    before = path.stat()
    assert len(text) == before.st_size
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(path: Path, text: str) -> None:
    """As `rsync -t` does."""
    before = path.stat()
    aside = path.with_name(f".{path.name}.aside")
    aside.write_text(text)
    os.utime(aside, ns=(before.st_atime_ns, before.st_mtime_ns))
    aside.replace(path)


def exchange(one: Path, other: Path) -> None:
    aside = one.with_name("aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def another_tree(root: Path) -> None:
    """Another folder of the same name in the place of the whole, whose files have all times of the old ones."""
    new = root.with_name("new")
    shutil.copytree(root, new)
    (new / "cart.py").write_text("def ten(): pass\n")
    for path in new.rglob("*"):
        clamp(path)
    root.rename(root.with_name("old"))
    new.rename(root)


EDITS: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "written in place": (lambda root: rewrite(root / "cart.py", "def ten(): pass\n"), "one", "ten"),
    "replaced by a copy": (lambda root: replace(root / "cart.py", "def ten(): pass\n"), "one", "ten"),
    "the whole tree replaced": (another_tree, "one", "ten"),
    "a binary becomes text": (
        lambda root: rewrite(root / "data.py", "def ten():\n    return 12345678\n\n"[:32].ljust(32)),
        "",
        "ten",
    ),
}


@pytest.mark.invariant("freshness", "an edit that keeps a file's size and time is in the next answer and encode")
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_that_keeps_size_and_time_is_in_the_next_answer(
    edit: str, root: Path, load: Callable[[], Repository], how: str
) -> None:
    repository = load()
    do, gone, come = EDITS[edit]
    do(root)
    assert come in names(repository)
    assert gone not in names(repository)
    assert repository.refresh() == Freshness()


@pytest.mark.invariant("freshness", "an edit that keeps a file's size and time is in the next answer and encode")
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_that_keeps_size_and_time_is_in_the_next_encode(edit: str, root: Path, graph: Path) -> None:
    settled(root, graph)
    do, gone, come = EDITS[edit]
    do(root)
    encode(root, graph, Options())
    found = {symbol.name for symbol in graph_file.read(graph).symbols}
    assert come in found
    assert gone not in found


def test_folders_that_change_places_are_in_the_next_answer_and_encode(
    root: Path, graph: Path, load: Callable[[], Repository], how: str
) -> None:
    """Nothing of the files in them is another than before but where they are."""
    repository = load()
    for _ in range(2):
        exchange(root / "pack", root / "other")
        assert repository.refresh().refreshed == ("other/shop.py", "pack/shop.py")
        assert repository.refresh() == Freshness()
    exchange(root / "pack", root / "other")
    encode(root, graph, Options())
    found = {symbol.id for symbol in graph_file.read(graph).symbols}
    assert {"pack/shop.py::six", "other/shop.py::two"} <= found


def test_a_skipped_file_that_changes_places_with_text_is_in_the_next_answer(
    root: Path, load: Callable[[], Repository], how: str
) -> None:
    (root / "pack" / "blob.py").write_text("\0" * 17)
    (root / "other" / "blob.py").write_text("def eleven(): ...")
    for folder in ("pack", "other"):
        clamp(root / folder / "blob.py")
    repository = load()
    exchange(root / "pack", root / "other")
    assert {"pack/blob.py", "other/blob.py"} <= set(repository.refresh().refreshed)
    with repository.view() as view:
        assert view.index.rows("SELECT path FROM symbols WHERE name = 'eleven'") == [("pack/blob.py",)]


def test_a_link_to_the_repository_that_leads_elsewhere_is_noticed(
    root: Path, tmp_path: Path, graph: Path, how: str
) -> None:
    """The folder that was encoded is what the link led to."""
    write(tmp_path / "new")
    rewrite(tmp_path / "new" / "cart.py", "def ten(): pass\n")
    link = tmp_path / "link"
    link.symlink_to(root)
    settled(link, graph)
    link.unlink()
    link.symlink_to(tmp_path / "new")
    encode(link, graph, Options())
    assert "ten" in {symbol.name for symbol in graph_file.read(graph).symbols}


@pytest.mark.parametrize("time_ns", [0, 1, 4_000_000_000_000_000_000], ids=["never", "first", "to come"])
def test_whatever_times_files_have_edits_are_seen(
    time_ns: int, root: Path, graph: Path, load: Callable[[], Repository], how: str
) -> None:
    write(root, time_ns)
    repository = load()
    rewrite(root / "cart.py", "def ten(): pass\n")
    assert repository.refresh().refreshed == ("cart.py",)
    replace(root / "cart.py", "def one(): pass\n")
    (root / "pack" / "shop.py").write_text("def three(): pass\n")
    clamp(root / "pack" / "shop.py", time_ns)
    encode(root, graph, Options())
    assert {"one", "three"} <= {symbol.name for symbol in graph_file.read(graph).symbols}


def test_files_that_were_dated_in_the_future_are_not_read_for_ever(root: Path, graph: Path) -> None:
    write(root, 4_000_000_000_000_000_000)
    settled(root, graph)


def test_a_graph_file_that_was_replaced_with_its_size_and_time_is_noticed(root: Path, graph: Path) -> None:
    settled(root, graph)
    right = graph.read_bytes()
    before = graph.stat()
    graph.write_bytes(right.replace(b'"one"', b'"two"'))
    os.utime(graph, ns=(before.st_atime_ns, before.st_mtime_ns))
    encode(root, graph, Options())
    assert graph.read_bytes() == right


def test_a_copy_of_a_repository_is_read_once(root: Path, graph: Path, tmp_path: Path) -> None:
    """All stamps are others and no contents: that is noted, by an encode and by a server, and nothing is parsed."""
    for number in range(40):
        (root / f"module{number}.py").write_text(f"x = {number}\n")
    settled(root, graph)
    for copy in ("encode", "server"):
        shutil.copytree(root, tmp_path / "copy")
        shutil.rmtree(root)
        (tmp_path / "copy").rename(root)
        if copy == "encode":
            assert encode(root, graph, Options()).parsed == 0
        else:
            repository = Repository.open(graph)
            assert repository.refresh() == Freshness()
            repository.close()
        index = Index.open_read_only(index_path(graph))
        noted = {
            known.disk: known.stamp[-1]
            for known in read_known_files(index, stored_graph.header(index)).values()
            if known.stamp
        }
        index.close()
        assert noted == {path: (root / path).stat().st_ino for path in noted}


def dirty(graph: Path) -> bool:
    return bool(graph_file.read(graph).header["repository"]["dirty"])


def committed(root: Path) -> None:
    for arguments in (["init"], ["add", "-A"], ["commit", "-m", "first"]):
        git(root, *arguments)


HIDING = ["--assume-unchanged", "--skip-worktree"]


@pytest.mark.invariant("freshness", "files that git was told not to look at are not called clean")
@pytest.mark.parametrize("hiding", HIDING)
def test_what_git_was_told_not_to_look_at_differs_from_the_commit_anyway(hiding: str, root: Path, graph: Path) -> None:
    committed(root)
    git(root, "update-index", hiding, "cart.py")
    encode(root, graph, Options())
    assert not dirty(graph)
    (root / "cart.py").write_text("def ten(): pass\n")
    assert git(root, "status", "--porcelain") == ""
    encode(root, graph, Options())
    assert dirty(graph)
    assert "ten" in {symbol.name for symbol in graph_file.read(graph).symbols}
    (root / "cart.py").write_text(FILES["cart.py"])
    encode(root, graph, Options())
    assert not dirty(graph)


def test_line_ends_alone_are_not_a_difference_of_a_hidden_file(root: Path, graph: Path) -> None:
    (root / ".gitattributes").write_text("*.py text\n")
    committed(root)
    git(root, "update-index", "--assume-unchanged", "cart.py")
    (root / "cart.py").write_bytes(b"def one(): pass\r\n")
    encode(root, graph, Options())
    assert not dirty(graph)


def test_a_file_that_is_not_checked_out_is_not_a_difference_and_one_that_was_lost_is(root: Path, graph: Path) -> None:
    committed(root)
    git(root, "update-index", "--skip-worktree", "cart.py")
    (root / "cart.py").unlink()
    encode(root, graph, Options())
    assert not dirty(graph)
    git(root, "update-index", "--assume-unchanged", "pack/shop.py")
    (root / "pack" / "shop.py").unlink()
    encode(root, graph, Options())
    assert dirty(graph)


def test_a_configuration_of_git_that_trusts_size_and_time_hides_no_difference(root: Path, graph: Path) -> None:
    committed(root)
    git(root, "config", "core.checkStat", "minimal")
    git(root, "config", "core.trustctime", "false")
    encode(root, graph, Options())
    replace(root / "cart.py", "def ten(): pass\n")
    assert git(root, "status", "--porcelain") == ""
    encode(root, graph, Options())
    assert dirty(graph)


TEXTS = ["def one(): pass\n", "def two(): pass\n", "def ten(): pass\n", "import cart.abc\n"]
"""All of a size, as are the files that they are written into."""
PLACES = ["cart.py", "pack/shop.py", "other/shop.py"]


class Deceiver:
    """Changes files, and leaves size and time as they were wherever that is possible."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)
        for path in PLACES:
            self.twin(root / path).hardlink_to(root / path)

    def twin(self, path: Path) -> Path:
        return self.root.parent / path.relative_to(self.root).as_posix().replace("/", "-")

    def step(self) -> str:
        names = ("in_place", "by_copy", "by_link", "files", "folders", "times", "twice", "git", "back")
        name = self.random.choice(names)
        getattr(self, name)(self.root / self.random.choice(PLACES), self.random.choice(TEXTS))
        return name

    def in_place(self, path: Path, text: str) -> None:
        rewrite(path, text)

    def by_copy(self, path: Path, text: str) -> None:
        replace(path, text)

    def by_link(self, path: Path, text: str) -> None:
        """Under a name outside that it had from the beginning."""
        rewrite(self.twin(path), text)

    def files(self, path: Path, text: str) -> None:
        exchange(path, self.root / self.random.choice([place for place in PLACES if self.root / place != path]))

    def folders(self, path: Path, text: str) -> None:
        exchange(self.root / "pack", self.root / "other")

    def times(self, path: Path, text: str) -> None:
        for each in self.root.rglob("*.py"):
            clamp(each, self.random.choice([0, CLAMPED, 4_000_000_000_000_000_000]))

    def twice(self, path: Path, text: str) -> None:
        """And back at once: nothing is another."""
        before = path.read_text()
        replace(path, text)
        rewrite(path, before)

    def git(self, path: Path, text: str) -> None:
        git(self.root, "commit", "-qam", "next", "--allow-empty")

    def back(self, path: Path, text: str) -> None:
        git(self.root, "reset", "-q", "--hard")


@pytest.mark.invariant(
    "freshness",
    "however a change is hidden, answers and encodes follow the files, and git and the header agree on what is clean",
)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_in_secret_answers_and_encodes_are_those_of_the_files(
    seed: int, root: Path, graph: Path, tmp_path: Path, load: Callable[[], Repository], how: str
) -> None:
    committed(root)
    deceiver = Deceiver(root, seed)
    repository = load()
    done = []
    for number in range(12):
        done.append(deceiver.step())
        if number % 3 == 2:
            encode(root, graph, Options())
        else:
            repository.refresh()
        encode(root, tmp_path / "made.graph.json", Options(), full=True)
        assert graph.read_bytes() == (tmp_path / "made.graph.json").read_bytes(), done
        assert dirty(graph) == bool(git(root, "status", "--porcelain")), done


@pytest.mark.skipif(inotify.Notices.start(Path(__file__).parent) is None, reason="the kernel does not tell")
def test_what_the_kernel_names_is_read_again_whatever_its_stamp_says(
    root: Path, load: Callable[[], Repository]
) -> None:
    """Through a mapping a file is written long after its time: once the page is dirty no other is taken down."""
    cart = root / "cart.py"
    with open(cart, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[4:7] = b"two"
        repository = load()
        before = cart.stat()
        mapped[4:7] = b"ten"
    status = cart.stat()
    assert (status.st_ctime_ns, status.st_size) == (before.st_ctime_ns, before.st_size)
    assert repository.refresh().refreshed == ("cart.py",)
    assert "ten" in names(repository)
    assert repository.refresh() == Freshness()
