"""A loaded repository: always answered from the sources as they are, whatever happened to files, index or processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpg.encoder.options import Options
from rpg.errors import BadRequest, EncodeFailed, GraphNotLoaded, InvalidPath
from rpg.repository import (
    Freshness,
    Repository,
    Summary,
    data_folder,
    default_output,
    encode,
    find_source,
    forget,
    index_path,
    obtain,
)
from rpg.repository.encoding import lock
from rpg.repository.repository import LOCK_SECONDS
from rpg.repository.watch import freshness
from rpg.stores.connection import connect
from rpg.stores.index.index import Index, read_meta

CART = "class Cart:\n    def total(self):\n        return price()\n\n\ndef price():\n    return 1\n"
SHOP = "from cart import Cart\n\n\ndef buy():\n    return Cart().total()\n"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the user's is read or written, and the current folder is no repository."""
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "data"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository outside git, written long before anything reads it."""
    root = tmp_path / "code" / "shop"
    root.mkdir(parents=True)
    for name, text in (("cart.py", CART), ("shop.py", SHOP), ("notes.txt", "to do\n")):
        (root / name).write_text(text)
        age(root / name)
    return root


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    (tmp_path / "graphs").mkdir()
    return tmp_path / "graphs" / "shop.graph.json"


@pytest.fixture
def load(graph: Path) -> Iterator[Callable[..., Repository]]:
    opened: list[Repository] = []

    def load(root: Path | None = None) -> Repository:
        opened.append(Repository.open(graph, root))
        return opened[-1]

    yield load
    for repository in opened:
        repository.close()


def make(root: Path, graph: Path, **more: bool) -> Summary:
    return encode(root, graph, Options(), **more)


def say(path: Path, key: str) -> None:
    """Have an index of this installation say something else of itself."""
    index = Index.open(path)
    with index.transaction():
        index.execute("UPDATE meta SET value = '0' WHERE key = ?", (key,))
    index.close()


def numbers_of_files(graph: Path) -> list[int]:
    index = Index.open_read_only(index_path(graph))
    found = [number for (number,) in index.rows("SELECT id FROM files ORDER BY id")]
    index.close()
    return found


def age(path: Path, seconds: int = 1000) -> None:
    then = time.time_ns() - seconds * 1_000_000_000
    os.utime(path, ns=(then, then))


def names(repository: Repository) -> set[str]:
    return {name for (name,) in repository.index.rows("SELECT name FROM symbols WHERE kind IN ('class', 'function')")}


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def clean(root: Path, tmp_path: Path) -> bytes:
    """The graph file of a clean encode. The repository stays where it is: its folder's name is in the header."""
    elsewhere = tmp_path / f"clean-{time.monotonic_ns()}.graph.json"
    encode(root, elsewhere, Options(), full=True)
    return elsewhere.read_bytes()


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


# Where things stand


def test_the_data_folder_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert data_folder() == tmp_path / "data"
    monkeypatch.delenv("RPG_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_folder() == tmp_path / "xdg" / "rpg"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_folder().name == "rpg"


def test_a_graph_is_named_after_its_repository_and_never_takes_the_place_of_another(root: Path, tmp_path: Path) -> None:
    output = default_output(root)
    assert output == Path.cwd() / "shop.graph.json"
    assert index_path(output) == Path.cwd() / "shop.graph.db"
    make(root, output)
    assert default_output(root) == output
    other = tmp_path / "other" / "shop"
    shutil.copytree(root, other)
    assert default_output(other) == Path.cwd() / "shop-2.graph.json"
    shutil.rmtree(root)
    assert default_output(other) == output


# Encoding


def test_an_encode_writes_graph_file_and_index_and_nothing_else(root: Path, graph: Path) -> None:
    summary = make(root, graph)
    assert files_in(graph.parent) == {"shop.graph.json", "shop.graph.db"}
    assert (summary.graph_path, summary.index_path, summary.root) == (graph, index_path(graph), root)
    assert (summary.name, summary.files, summary.parsed, summary.reused, summary.changed) == ("shop", 3, 3, 0, True)
    assert summary.symbols >= 6
    assert summary.edges["imports"] == 1
    assert summary.seconds["total"] > 0


def test_an_encode_tells_how_far_it_is(root: Path, graph: Path) -> None:
    told: list[tuple[str, int, int]] = []
    encode(root, graph, Options(), progress=lambda stage, done, total: told.append((stage, done, total)))
    assert [stage for stage, done, total in told if done == total] == ["parse", "resolve", "write"]


def test_nothing_is_parsed_or_written_where_nothing_changed(root: Path, graph: Path) -> None:
    first = make(root, graph)
    before = graph.stat()
    generation = read_meta(index_path(graph))["generation"]
    again = make(root, graph)
    assert (again.parsed, again.reused, again.changed) == (0, 3, False)
    assert again._replace(parsed=3, reused=0, changed=True, seconds=first.seconds) == first
    assert (graph.stat().st_ino, graph.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert read_meta(index_path(graph))["generation"] == generation


def test_files_that_were_only_touched_are_noted_and_not_parsed(root: Path, graph: Path) -> None:
    make(root, graph)
    age(root / "cart.py", 500)
    assert make(root, graph).parsed == 0
    connection = connect(str(index_path(graph)))
    noted = connection.execute("SELECT mtime_ns FROM files WHERE path = 'cart.py'").get
    connection.close()
    assert noted == (root / "cart.py").stat().st_mtime_ns


def test_only_what_changed_is_parsed_again(root: Path, graph: Path, tmp_path: Path) -> None:
    make(root, graph)
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    summary = make(root, graph)
    assert (summary.parsed, summary.reused, summary.changed) == (1, 2, True)
    assert graph.read_bytes() == clean(root, tmp_path)


def test_rows_stay_in_the_order_of_paths_where_a_file_comes_before_two_that_changed(tmp_path: Path) -> None:
    root, graph = tmp_path / "shop", tmp_path / "shop.graph.json"
    root.mkdir()
    for name in "acdefghijklmnopqrstu":
        (root / f"{name}.py").write_text(f"def {name}():\n    pass\n", "utf-8")
    encode(root, graph, Options(), workers=1)
    for name in "bcd":
        (root / f"{name}.py").write_text(f"def {name}():\n    return 1\n", "utf-8")
    encode(root, graph, Options(), workers=1)
    connection = connect(str(index_path(graph)))
    paths = [path for (path,) in connection.execute("SELECT path FROM all_symbols ORDER BY id")]
    connection.close()

    assert paths == sorted(paths)


def test_a_function_that_is_renamed_moves_no_row_of_another_file(root: Path, graph: Path) -> None:
    """Others of its file are numbered anew then, and one has the number that it had."""
    functions = "".join(f"def f{number}():\n    pass\n\n\n" for number in range(8))
    (root / "cart.py").write_text(functions)
    (root / "shop.py").write_text("from cart import f6\n\n\ndef buy():\n    f6()\n")
    encode(root, graph, Options())
    index = Index.open(index_path(graph))
    with index.transaction():
        index.execute("UPDATE files SET id = 1000 WHERE path = 'notes.txt'")
    index.close()
    (root / "cart.py").write_text(functions.replace("f7", "g7"))

    assert encode(root, graph, Options()).changed
    assert numbers_of_files(graph) == [1, 3, 1000]
    encode(root, graph, Options(), full=True)
    assert numbers_of_files(graph) == [1, 2, 3]


def test_full_parses_everything_and_writes_the_same(root: Path, graph: Path) -> None:
    make(root, graph)
    before, place = graph.read_bytes(), graph.stat().st_ino
    summary = make(root, graph, full=True)
    assert (summary.parsed, summary.changed) == (3, False)
    assert graph.read_bytes() == before
    assert graph.stat().st_ino == place


@pytest.mark.parametrize("key", ["code", "rules"])
def test_nothing_is_reused_that_other_code_or_rules_made(root: Path, graph: Path, key: str) -> None:
    make(root, graph)
    say(index_path(graph), key)
    assert make(root, graph).parsed == 3


def test_other_options_make_another_graph(root: Path, graph: Path) -> None:
    make(root, graph)
    encode(root, graph, Options(exclude=("shop.py",)))
    assert b"buy" not in graph.read_bytes()


def test_a_failed_encode_leaves_the_old_graph(root: Path, graph: Path, load: Callable[..., Repository]) -> None:
    make(root, graph)
    before = graph.read_bytes()
    empty = root.with_name("empty")
    empty.mkdir()
    with pytest.raises(EncodeFailed):
        make(empty, graph)
    assert graph.read_bytes() == before
    assert files_in(graph.parent) == {"shop.graph.json", "shop.graph.db"}
    assert names(load()) == {"Cart", "price", "buy"}


@pytest.mark.invariant("encoding", "after an error or a kill the old graph remains")
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize("stage", ["parse", "resolve", "write"])
def test_a_killed_encode_leaves_the_old_graph_and_no_lock(
    root: Path, graph: Path, load: Callable[..., Repository], stage: str
) -> None:
    make(root, graph)
    before = graph.read_bytes()
    (root / "sale.py").write_text("def sell(): pass\n")
    script = f"""
import os, signal, sys
from pathlib import Path
from rpg.encoder.options import Options
from rpg.repository import encode
def killed(stage, done, total):
    if stage == {stage!r}:
        os.kill(os.getpid(), signal.SIGKILL)
encode(Path(sys.argv[1]), Path(sys.argv[2]), Options(), full=True, progress=killed)
"""
    done = subprocess.run([sys.executable, "-c", script, str(root), str(graph)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert graph.read_bytes() == before
    repository = load()
    assert repository.refresh().refreshed == ("sale.py",)
    assert "sell" in names(repository)
    assert "shop.graph.db-lock" not in files_in(graph.parent)


@pytest.mark.invariant("encoding", "killing an encode kills its workers")
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_killed_encode_leaves_no_process(root: Path, graph: Path) -> None:
    """Its workers hold its output: the end of that comes when the last of them has ended."""
    for number in range(60):
        (root / f"module{number}.py").write_text("x = 1\n")
    script = """
import os, signal, sys
from pathlib import Path
from rpg.encoder import encode as encoder
from rpg.encoder.options import Options
from rpg.repository import encode
def killed(stage, done, total):
    if done:
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    encoder._ALONE = 0
    encode(Path(sys.argv[1]), Path(sys.argv[2]), Options(), workers=2, progress=killed)
"""
    (root.parent / "kill.py").write_text(script)
    command = [sys.executable, str(root.parent / "kill.py"), str(root), str(graph)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def test_what_a_killed_writer_left_is_swept_away(root: Path, graph: Path) -> None:
    for name in ("shop.graph.json.0a1b2c3d.tmp", "shop.graph.db.0a1b2c3d.tmp", "other.graph.json.0a1b2c3d.tmp"):
        (graph.parent / name).write_bytes(b"half")
    make(root, graph)
    assert files_in(graph.parent) == {"shop.graph.json", "shop.graph.db", "other.graph.json.0a1b2c3d.tmp"}


def test_a_second_encoder_is_told_and_the_first_goes_on(root: Path, graph: Path) -> None:
    with lock.hold(graph.with_name("shop.graph.db-lock")):
        with pytest.raises(EncodeFailed, match=rf"another rpg \(process {os.getpid()}\) is writing"):
            make(root, graph)
        assert not graph.exists()
    make(root, graph)


def test_a_second_encoder_may_wait(root: Path, graph: Path) -> None:
    waiting = threading.Event()
    summaries: list[Summary] = []

    def second() -> None:
        waiting.set()
        summaries.append(encode(root, graph, Options(), patience=60))

    thread = threading.Thread(target=second)
    with lock.hold(graph.with_name("shop.graph.db-lock")):
        thread.start()
        waiting.wait()
        assert not graph.exists()
    thread.join()
    assert summaries[0].changed


def test_the_lock_has_one_holder_although_its_file_comes_and_goes(tmp_path: Path) -> None:
    holders: list[int] = []
    most: list[int] = []

    def hold() -> None:
        for _ in range(20):
            with lock.hold(tmp_path / "lock", patience=60):
                holders.append(1)
                most.append(len(holders))
                holders.pop()

    threads = [threading.Thread(target=hold) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 120
    assert max(most) == 1
    assert not (tmp_path / "lock").exists()


@pytest.mark.parametrize(
    ("output", "error", "says"),
    [
        ("absent/shop.graph.json", InvalidPath, "does not exist"),
        ("code", BadRequest, "is a folder"),
        ("package.json", BadRequest, "is not a graph file and would be lost"),
        ("code/shop/graph.json", BadRequest, "is inside the repository"),
    ],
)
def test_an_output_that_would_do_harm_is_refused(
    root: Path, tmp_path: Path, output: str, error: type[Exception], says: str
) -> None:
    (tmp_path / "package.json").write_text('{"name": "shop"}')
    with pytest.raises(error, match=says):
        make(root, tmp_path / output)
    assert (tmp_path / "package.json").read_text() == '{"name": "shop"}'


def test_a_graph_inside_the_repository_is_not_part_of_it(root: Path) -> None:
    output = root / "shop.graph.json"
    make(root, output)
    repository = Repository.open(output)
    assert repository.refresh() == Freshness()
    assert make(root, output).changed is False
    repository.close()


# Loading


def test_opening_a_graph_that_is_not_there_or_broken_names_the_command(root: Path, graph: Path) -> None:
    with pytest.raises(GraphNotLoaded, match="`rpg encode REPOSITORY -o"):
        Repository.open(graph)
    make(root, graph)
    whole = graph.read_bytes()
    graph.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(GraphNotLoaded, match="is cut off"):
        Repository.open(graph)
    graph.write_bytes(whole.replace(b'"version":3', b'"version":9'))
    with pytest.raises(GraphNotLoaded, match="version 9"):
        Repository.open(graph)
    make(root, graph)
    assert graph.read_bytes() == whole


def test_a_graph_with_its_index_is_served_as_it_is(root: Path, graph: Path, load: Callable[..., Repository]) -> None:
    make(root, graph)
    generation = read_meta(index_path(graph))["generation"]
    repository = load()
    assert repository.root == root
    assert repository.refresh() == Freshness()
    assert repository.index.source("cart.py") == CART.encode()
    with repository.view() as view:
        assert view.header["repository"]["name"] == "shop"
        assert not view.graph_only
    assert read_meta(index_path(graph))["generation"] == generation


def break_index(how: str, path: Path) -> None:
    if how == "absent":
        path.unlink()
    elif how == "no database":
        path.write_bytes(b"?" * 5000)
    elif how == "cut off":
        path.write_bytes(path.read_bytes()[:-1000])
    else:
        say(path, how)


BREAKS = ["absent", "no database", "cut off", "rules", "format"]


@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize("known_by", ["given", "current folder"])
def test_a_broken_index_is_made_again_from_the_repository(
    root: Path, graph: Path, load: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch, how: str, known_by: str
) -> None:
    make(root, graph)
    before = graph.read_bytes()
    break_index(how, index_path(graph))
    if known_by == "current folder":
        monkeypatch.chdir(root)
    repository = load(root if known_by == "given" else None)
    assert repository.refresh() == Freshness()
    assert repository.index.source("cart.py") == CART.encode()
    assert repository.root == root
    assert graph.read_bytes() == before


@pytest.mark.parametrize("how", ["rules", "format"])
def test_an_index_of_other_rules_still_knows_its_repository(
    root: Path, graph: Path, load: Callable[..., Repository], how: str
) -> None:
    make(root, graph)
    break_index(how, index_path(graph))
    repository = load()
    assert repository.refresh() == Freshness()
    assert repository.index.source("cart.py") == CART.encode()


def test_a_graph_beside_its_sources_finds_them(root: Path) -> None:
    output = root / "shop.graph.json"
    make(root, output)
    index_path(output).unlink()
    (root / "cart.py").write_text(CART + "# edited since\n")
    repository = Repository.open(output)
    assert repository.root == root
    assert repository.refresh().note == ""
    assert repository.index.source("cart.py").endswith(b"# edited since\n")
    repository.close()


@pytest.mark.parametrize("how", ["absent", "no database", "cut off"])
def test_without_the_repository_the_graph_alone_is_served_and_says_so(
    root: Path, graph: Path, load: Callable[..., Repository], how: str
) -> None:
    make(root, graph)
    before = graph.read_bytes()
    break_index(how, index_path(graph))
    repository = load()
    with repository.view() as view:
        assert view.graph_only
        assert "only the graph file is here" in view.state.note
        assert view.index.value("SELECT count(*) FROM edges WHERE kind = 'calls'") > 0
    assert names(repository) == {"Cart", "price", "buy"}
    assert repository.root is None
    assert repository.index.source("cart.py") == b""
    assert graph.read_bytes() == before
    found = load(root)
    assert found.refresh() == Freshness()
    assert found.index.source("cart.py") == CART.encode()


def test_a_folder_that_cannot_be_the_repository_is_refused(root: Path, graph: Path, tmp_path: Path) -> None:
    make(root, graph)
    index_path(graph).unlink()
    with pytest.raises(InvalidPath, match="there is no folder"):
        Repository.open(graph, tmp_path / "absent")
    with pytest.raises(BadRequest, match=r"is another repository: it has none .* cart\.py"):
        Repository.open(graph, tmp_path / "here")


def test_a_repository_that_cannot_be_encoded_any_more_leaves_the_graph_alone(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    encode(root, graph, Options(include=("cart.py",)))
    (root / "rpg.toml").write_text('include = ["wart.py"]\n')
    before = graph.read_bytes()
    index_path(graph).unlink()
    repository = load(root)
    state = repository.refresh()
    assert "could not be encoded" in state.note
    assert names(repository) == {"Cart", "price"}
    assert repository.refresh() == state
    assert graph.read_bytes() == before


def test_a_graph_file_behind_its_index_is_written_from_it(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    """As after a kill between the two."""
    make(root, graph)
    old = graph.read_bytes()
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    make(root, graph)
    new = graph.read_bytes()
    generation = read_meta(index_path(graph))["generation"]
    for behind in (old, b""):
        graph.unlink()
        if behind:
            graph.write_bytes(behind)
        repository = load()
        assert repository.refresh() == Freshness()
        assert graph.read_bytes() == new
    assert read_meta(index_path(graph))["generation"] == generation


def test_another_graph_in_the_place_of_ours_is_the_truth(
    root: Path, graph: Path, load: Callable[..., Repository], tmp_path: Path
) -> None:
    make(root, graph)
    repository = load()
    assert "Cart" in names(repository)
    other = tmp_path / "bank"
    other.mkdir()
    (other / "bank.py").write_text("def lend(): pass\n")
    make(other, tmp_path / "bank.graph.json")
    shutil.copy(tmp_path / "bank.graph.json", graph)
    state = repository.refresh()
    assert "only the graph file is here" in state.note
    assert names(repository) == {"lend"}
    assert names(load()) == {"lend"}


def test_a_copy_of_graph_and_index_is_served_without_its_repository(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    shutil.rmtree(root)
    repository = load()
    state = repository.refresh()
    assert f"the folder {root} does not exist" in state.note
    assert state.stale == ()
    assert repository.index.source("cart.py") == CART.encode()
    root.mkdir()
    (root / "unrelated.py").write_text("x = 1\n")
    again = load()
    assert "no file of the graph is in" in again.refresh().note
    assert names(again) == {"Cart", "price", "buy"}


def test_damage_met_by_a_question_is_repaired_before_the_next(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    connection = connect(str(index_path(graph)))
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'symbols_by_name'").get
    connection.close()
    content = bytearray(index_path(graph).read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    index_path(graph).write_bytes(content)
    repository = load()
    question = "SELECT kind FROM all_symbols INDEXED BY symbols_by_name WHERE name = 'Cart' COLLATE NOCASE"
    with pytest.raises(GraphNotLoaded, match="damaged"):
        repository.index.rows(question)
    assert "was damaged and has been rebuilt" in repository.refresh().note
    assert repository.refresh() == Freshness()
    assert repository.index.rows(question) == [("class",)]


# Freshness


@pytest.mark.invariant(
    "answers",
    "cached query results belong to one state of the index, are limited in size, and equal what the index says",
)
@pytest.mark.invariant("encoding", "an incremental encode equals a clean one, byte for byte, in graph file and answers")
def test_every_kind_of_change_is_in_the_next_answer(
    root: Path, graph: Path, load: Callable[..., Repository], tmp_path: Path
) -> None:
    make(root, graph)
    repository = load()
    assert repository.refresh() == Freshness()

    def changed(*paths: str) -> None:
        assert repository.refresh() == Freshness(refreshed=paths)
        assert graph.read_bytes() == clean(root, tmp_path)
        assert repository.refresh() == Freshness()

    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    changed("shop.py")
    assert "sell" in names(repository)
    (root / "new.py").write_text("from shop import sell\n")
    changed("new.py")
    (root / "deep" / "deeper").mkdir(parents=True)
    (root / "deep" / "deeper" / "module.py").write_text("def dig(): pass\n")
    changed("deep/deeper/module.py")
    (root / "new.py").unlink()
    changed("new.py")
    (root / "cart.py").rename(root / "basket.py")
    changed("basket.py", "cart.py")
    (root / "shop.py").write_text(SHOP)
    (root / "basket.py").rename(root / "cart.py")
    shutil.rmtree(root / "deep")
    changed("basket.py", "cart.py", "deep/deeper/module.py", "shop.py")
    (root / "notes.txt").write_text("done\n")
    assert repository.refresh() == Freshness(refreshed=("notes.txt",))
    (root / "cart.py").unlink()
    (root / "cart.py").symlink_to("shop.py")
    changed("cart.py")


def test_an_edit_that_keeps_size_and_time_is_noticed_where_the_file_was_young(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    cart = root / "cart.py"
    age(cart, -1000)
    before = cart.stat()
    make(root, graph)
    repository = load()
    assert repository.refresh() == Freshness()
    cart.write_text(CART.replace("Cart", "Kart"))
    os.utime(cart, ns=(before.st_mtime_ns, before.st_mtime_ns))
    assert cart.stat().st_size == before.st_size
    assert repository.refresh() == Freshness(refreshed=("cart.py",))
    assert "Kart" in names(repository)


def test_a_file_that_was_only_touched_is_not_a_change(root: Path, graph: Path, load: Callable[..., Repository]) -> None:
    make(root, graph)
    repository = load()
    generation = repository.index.meta("generation")
    for seconds in (10, 5):
        age(root / "cart.py", seconds)
        assert repository.refresh() == Freshness()
    assert repository.index.meta("generation") == generation


def test_skipped_files_count_only_when_they_stop_being_skipped(
    root: Path, graph: Path, load: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "LISTING_SECONDS", 0.0)
    (root / "data.py").write_bytes(b"\0\1\2" * 100)
    (root / "large.py").write_text("x = 1\n" * 300_000)
    make(root, graph)
    repository = load()
    assert repository.refresh() == Freshness()
    age(root / "data.py", -5)
    assert repository.refresh() == Freshness()
    (root / "data.py").write_text("def parse(): pass\n")
    (root / "large.py").write_text("def small(): pass\n")
    assert repository.refresh().refreshed == ("data.py", "large.py")
    assert {"parse", "small"} <= names(repository)
    assert repository.refresh() == Freshness()


def test_ignored_files_are_not_a_change_until_the_rules_change(
    root: Path, graph: Path, load: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "init")
    (root / ".gitignore").write_text("made.py\n")
    git(root, "add", "-A")
    git(root, "commit", "-m", "first")
    make(root, graph)
    repository = load()
    (root / "made.py").write_text("def made(): pass\n")
    state = repository.refresh()
    assert (state.refreshed, state.dirty, len(state.commit)) == ((), False, 40)
    monkeypatch.setattr(freshness, "LISTING_SECONDS", 0.0)
    (root / ".gitignore").write_text("")
    assert repository.refresh().refreshed == (".gitignore", "made.py")
    assert "made" in names(repository)


def test_commit_and_branch_are_those_of_the_work_tree(
    root: Path, graph: Path, load: Callable[..., Repository], tmp_path: Path
) -> None:
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "first")
    make(root, graph)
    repository = load()
    first = repository.refresh()
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    assert repository.refresh() == first._replace(dirty=True, refreshed=("shop.py",))
    git(root, "add", "-A")
    git(root, "commit", "-m", "second")
    second = repository.refresh()
    assert second.commit != first.commit
    assert (second.dirty, second.refreshed) == (False, ())
    assert graph.read_bytes() == clean(root, tmp_path)
    assert repository.refresh() == second
    git(root, "checkout", "HEAD~1")
    assert repository.refresh() == first._replace(refreshed=("shop.py",))
    assert "sell" not in names(repository)
    assert graph.read_bytes() == clean(root, tmp_path)
    assert load().refresh() == first


def test_several_servers_on_one_graph_see_what_each_other_did(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    one, two = load(), load()
    assert one.refresh() == two.refresh() == Freshness()
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    assert one.refresh().refreshed == ("shop.py",)
    assert two.refresh() == Freshness()
    assert "sell" in names(two)
    (root / "shop.py").write_text(SHOP)
    make(root, graph)
    assert one.refresh() == two.refresh() == Freshness()
    assert "sell" not in names(one)


def test_a_view_is_of_one_moment(root: Path, graph: Path, load: Callable[..., Repository]) -> None:
    make(root, graph)
    repository = load()
    with repository.view() as view:
        (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
        make(root, graph)
        assert view.index.rows("SELECT 1 FROM symbols WHERE name = 'sell'") == []
    with repository.view() as view:
        assert view.index.rows("SELECT 1 FROM symbols WHERE name = 'sell'") == [(1,)]


def test_threads_get_whole_answers_while_files_are_edited(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    """Every answer shows a source and the symbol in it, from the same edit."""
    make(root, graph)
    repository = load()
    stop = threading.Event()
    seen: list[tuple[bool, bool]] = []
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            while not stop.is_set():
                with repository.view() as view:
                    source = b"sell" in view.index.source("shop.py")
                    seen.append((source, view.index.value("SELECT count(*) FROM symbols WHERE name = 'sell'") == 1))
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(6):
        (root / "shop.py").write_text(SHOP + f"\n\ndef sell(): return {number}\n" if number % 2 == 0 else SHOP)
        repository.refresh()
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert {source == symbol for source, symbol in seen} == {True}
    assert repository.refresh() == Freshness()


def test_sources_that_cannot_be_encoded_leave_the_old_answers_and_say_so(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    repository = load()
    repository.refresh()
    for name in ("cart.py", "notes.txt", "shop.py"):
        (root / name).unlink()
    state = repository.refresh()
    assert state.stale == ("cart.py", "notes.txt", "shop.py")
    assert "could not be encoded: no source file" in state.note
    assert names(repository) == {"Cart", "price", "buy"}
    assert repository.refresh() == state
    (root / "cart.py").write_text(CART)
    assert repository.refresh() == Freshness(refreshed=("notes.txt", "shop.py"))
    assert names(repository) == {"Cart", "price"}


def test_an_impatient_question_is_answered_from_before_and_names_what_is_behind(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    repository = load()
    repository.refresh()
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    with lock.hold(graph.with_name("shop.graph.db-lock")):
        state = repository.refresh(patience=0)
        assert state.stale == ("shop.py",)
        assert "being encoded" in state.note
        assert repository.refresh(patience=0) == state
        assert "sell" not in names(repository)
    assert repository.refresh().stale == ()
    assert "sell" in names(repository)


def test_after_a_repair_that_outlasted_the_patience_the_next_question_is_answered_from_before(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    repository = load()
    repository.refresh()
    (root / "shop.py").write_text(SHOP + "\n\ndef sell(): pass\n")
    repository._last_took = 2 * LOCK_SECONDS
    with lock.hold(graph.with_name("shop.graph.db-lock")):
        state = repository.refresh(patience=LOCK_SECONDS)  # longer than whoever repairs waits for the lock
        assert (state.stale, "being encoded" in state.note) == (("shop.py",), True)
        assert "sell" not in names(repository)
    assert repository.refresh().stale == ()
    assert "sell" in names(repository)
    assert 0 < repository._last_took < LOCK_SECONDS
    (root / "shop.py").write_text(SHOP + "\n\ndef lend(): pass\n")
    assert repository.refresh(patience=LOCK_SECONDS) == Freshness(refreshed=("shop.py",))


def test_an_impatient_question_without_an_index_is_told_to_come_again(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    index_path(graph).unlink()
    repository = load(root)
    with (
        lock.hold(graph.with_name("shop.graph.db-lock")),
        pytest.raises(GraphNotLoaded, match="is being built: ask again"),
    ):
        repository.refresh(patience=0)
    assert repository.refresh() == Freshness()


# Forgetting


def test_forgetting_removes_graph_and_index_and_never_the_users_folder(
    root: Path, graph: Path, load: Callable[..., Repository]
) -> None:
    make(root, graph)
    assert load().forget() == (graph, index_path(graph))
    assert files_in(graph.parent) == set()
    assert files_in(root) == {"cart.py", "shop.py", "notes.txt"}
    with pytest.raises(GraphNotLoaded, match="nothing was removed"):
        forget(graph)


def test_a_broken_graph_can_be_forgotten_and_another_file_cannot(root: Path, graph: Path, tmp_path: Path) -> None:
    make(root, graph)
    for path in (graph, index_path(graph)):
        path.write_bytes(path.read_bytes()[:1500])
    assert forget(graph) == (graph, index_path(graph))
    (tmp_path / "package.json").write_text("{}")
    with pytest.raises(BadRequest, match="is not a graph file"):
        forget(tmp_path / "package.json")
    assert (tmp_path / "package.json").exists()


# Clones


@pytest.fixture
def origin(root: Path) -> str:
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "first")
    return root.as_uri()


def test_a_url_is_cloned_into_the_data_folder_and_forgotten_with_its_graph(
    origin: str, root: Path, graph: Path, data: Path, load: Callable[..., Repository]
) -> None:
    folder = obtain(find_source(origin)).folder
    assert folder.is_relative_to(data / "clones")
    assert folder.name == "shop"
    make(folder, graph)
    assert load().forget() == (graph, index_path(graph), folder.parent)
    assert files_in(data / "clones") == set()
    assert (root / "cart.py").exists()
