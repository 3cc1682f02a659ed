"""What came with a repository is read, never believed and never reused: indexes, graphs and logs that others made."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import orjson
import pytest
from graphs import sealed
from repositories import write

import rpg
from rpg.encoder.options import Options
from rpg.errors import GraphNotLoaded, RpgError
from rpg.repository import Repository, encode, forget, index_path
from rpg.stores.index.index import Index, connect, read_meta
from rpg.system.compression import compress

DOOR = "def is_allowed(user):\n    return user == 'root'\n\n\ndef backdoor():\n    return True\n"
HARMLESS = DOOR.replace("backdoor", "harmless")
USES = "from door import is_allowed\n\n\ndef enter(user):\n    return is_allowed(user)\n"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "data"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "work" / "house", {"door.py": DOOR, "uses.py": USES})


@pytest.fixture
def graph(root: Path) -> Path:
    """Inside the repository, as it is where somebody committed it."""
    return root / "house.graph.json"


@contextmanager
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """On the machine of somebody who means harm, and has rpg as well."""
    with monkeypatch.context() as patched:
        patched.setenv("RPG_DATA", str(tmp_path / "of another"))
        yield


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path, graph: Path) -> Callable[..., None]:
    """Make graph and index of the repository elsewhere, change the index there, and let both come with it."""

    def ship(*statements: tuple[str, tuple[object, ...]]) -> None:
        with elsewhere(tmp_path, monkeypatch):
            encode(root, graph, Options())
            changed(index_path(graph), *statements)
        checked_out(index_path(graph))

    return ship


def changed(path: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    index = Index.open(path)
    with index.transaction():
        for statement, values in statements:
            index.execute(statement, values)
    index.close()


def checked_out(path: Path) -> None:
    """The same bytes in a file that is made anew, as git and archives do it."""
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


def poison() -> tuple[tuple[str, tuple[object, ...]], ...]:
    """The harmless source under the hash of the other one."""
    return (
        ("UPDATE files SET source = ? WHERE path = 'door.py'", (compress(HARMLESS.encode()),)),
        ("UPDATE all_symbols SET own_symbol = replace(symbol, 'backdoor', 'harmless'), name = replace(name, 'backdoor',"
         " 'harmless')", ()),
    )  # fmt: skip


def fetched(graph: Path, target: str = "door.py", **more: object) -> tuple[str, str]:
    """The source of a target, and the note of the answer."""
    with rpg.open(graph, **more) as opened:  # type: ignore[arg-type]
        answer = opened.fetch(targets=[target])
    return "\n".join(each.source for each in answer.symbols), answer.state.note


def names(graph: Path) -> set[str]:
    with closing(Repository.open(graph)) as repository:
        repository.refresh()
        return {name for (name,) in repository.index.rows("SELECT name FROM symbols WHERE kind = 'function'")}


# Indexes that others made


def test_a_shipped_index_does_not_choose_the_folder_that_is_read(
    tmp_path: Path, graph: Path, ship: Callable[..., None]
) -> None:
    home = write(tmp_path / "home", {"door.py": DOOR, ".ssh/config": "Host bank\n", "diary.py": "SECRET = 'x'\n"})
    ship(("UPDATE meta SET value = ? WHERE key = 'root'", (str(home),)))

    with rpg.open(graph) as opened, pytest.raises(RpgError):
        opened.fetch(targets=[".ssh/config"])

    assert b"diary" not in graph.read_bytes()
    with closing(Repository.open(graph)) as repository:
        assert repository.root == graph.parent


@pytest.mark.invariant(
    "trust",
    "an index of another installation is neither trusted nor reused unless the user says so; even then "
    "wrong types are handled and its folders are not followed",
)
def test_a_shipped_index_is_not_believed_by_a_server(graph: Path, ship: Callable[..., None]) -> None:
    ship(*poison())

    source, note = fetched(graph)

    assert "backdoor" in source
    assert "harmless" not in source
    assert "was not made by this installation: rebuilt" in note


def test_a_shipped_index_is_not_reused_by_an_encode(root: Path, graph: Path, ship: Callable[..., None]) -> None:
    ship(*poison())

    summary = encode(root, graph, Options())

    assert summary.parsed == 2
    assert "was not made by this installation" in summary.note
    assert "backdoor" in fetched(graph)[0]
    assert "harmless" not in names(graph)


def test_the_command_says_that_what_stood_there_was_not_made_here(root: Path, ship: Callable[..., None]) -> None:
    ship(*poison())

    said = subprocess.run(
        [sys.executable, "-m", "rpg", "encode", ".", "-o", "house.graph.json"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "was not made by this installation" in said.stdout
    assert "2 parsed, 0 reused" in said.stdout


@pytest.mark.invariant(
    "trust",
    "an index of another installation is neither trusted nor reused unless the user says so; even then "
    "wrong types are handled and its folders are not followed",
)
def test_an_index_that_was_given_away_edited_and_given_back_is_made_again(root: Path, graph: Path) -> None:
    encode(root, graph, Options())
    connection = sqlite3.connect(index_path(graph))
    with connection:
        for statement, values in poison():
            connection.execute(statement, values)
    connection.close()
    checked_out(index_path(graph))

    source, note = fetched(graph)

    assert "backdoor" in source
    assert "harmless" not in source
    assert "is a copy of one of this installation: rebuilt" in note
    assert fetched(graph)[1] == ""


def test_what_an_index_says_of_itself_cannot_be_changed(root: Path, graph: Path, tmp_path: Path) -> None:
    encode(root, graph, Options())
    other = write(tmp_path / "other", {"door.py": DOOR, "diary.py": "def secret(): pass\n"})
    connection = sqlite3.connect(index_path(graph))
    with connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'root'", (str(other),))
    connection.close()

    assert "secret" not in names(graph)


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_log_that_came_with_a_repository_is_not_played_back(
    root: Path, graph: Path, tmp_path: Path, ending: str
) -> None:
    encode(root, graph, Options())
    index = index_path(graph)
    copy = tmp_path / "copy.db"
    shutil.copy(index, copy)
    connection = connect(str(copy))
    connection.pragma("journal_mode", "WAL" if ending == "-wal" else "PERSIST")
    connection.pragma("wal_autocheckpoint", 0)
    connection.execute("BEGIN IMMEDIATE")
    for statement, values in poison():
        connection.execute(statement, values)
    if ending == "-wal":
        connection.execute("COMMIT")
        log = copy.with_name(copy.name + ending).read_bytes()
    else:
        connection.cache_flush()
        log = copy.with_name(copy.name + ending).read_bytes()
        connection.execute("ROLLBACK")
    connection.close()
    assert log
    index.with_name(index.name + ending).write_bytes(log)

    assert names(graph) == {"is_allowed", "backdoor", "enter"}
    assert "harmless" not in fetched(graph)[0]


def test_a_clone_that_a_shipped_index_names_is_not_removed_with_its_graph(
    data: Path, graph: Path, ship: Callable[..., None]
) -> None:
    clone = write(data / "clones" / "0123456789ab" / "bank", {"bank.py": "def lend(): pass\n"})
    ship(("UPDATE meta SET value = ? WHERE key = 'root'", (str(clone),)))

    removed = forget(graph)

    assert clone.is_dir()
    assert graph in removed


# Ours stays ours


def test_our_own_index_stays_valid_whatever_we_do_to_it(root: Path, graph: Path) -> None:
    encode(root, graph, Options())
    index = index_path(graph)
    born = read_meta(index)["file"]
    (root / "uses.py").write_text(USES + "\n\ndef leave(): pass\n")
    assert names(graph) == {"is_allowed", "backdoor", "enter", "leave"}
    (root / "more.py").write_text("".join(f"def f{number}(): pass\n" for number in range(300)))
    assert "f299" in names(graph)
    encode(root, graph, Options(), full=True)
    encode(root, graph, Options())

    assert read_meta(index)["file"] == born
    assert fetched(graph)[1] == ""


def test_an_index_survives_the_death_of_who_wrote_it(root: Path, graph: Path) -> None:
    encode(root, graph, Options())
    kill = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom rpg.stores.index.index import Index\n"
        "index = Index.open(Path(sys.argv[1]))\n"
        "with index.transaction():\n    index.execute(\"INSERT INTO meta VALUES ('written', 'late')\")\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", kill, str(index_path(graph))], check=False)

    assert index_path(graph).with_name(index_path(graph).name + "-wal").stat().st_size
    assert read_meta(index_path(graph))["written"] == "late"


def test_a_renamed_index_is_still_ours_and_a_copied_one_is_made_again(root: Path, graph: Path, tmp_path: Path) -> None:
    encode(root, graph, Options())
    moved = tmp_path / "moved"
    moved.mkdir()
    for path in (graph, index_path(graph)):
        path.rename(moved / path.name)
    assert fetched(moved / graph.name)[1] == ""
    copied = tmp_path / "copied"
    shutil.copytree(moved, copied)

    source, note = fetched(copied / graph.name)

    assert "backdoor" in source
    assert "is a copy of one of this installation: rebuilt" in note


# The secret


def test_the_secret_and_the_known_graphs_are_for_the_user_alone_and_outside_of_the_repository(
    root: Path, graph: Path, data: Path
) -> None:
    encode(root, graph, Options())

    status = (data / "secret").stat()
    assert stat.S_IMODE(status.st_mode) == 0o600
    assert status.st_size == 32
    assert (data / "secret").read_bytes() not in index_path(graph).read_bytes()
    assert stat.S_IMODE((data / "known-graphs").stat().st_mode) == 0o700
    assert sorted(path.name for path in data.iterdir()) == ["known-graphs", "secret"]
    assert not [path for path in root.rglob("*") if path.name in ("known-graphs", "secret")]


def test_known_graphs_that_others_could_list_are_made_private(root: Path, graph: Path, data: Path) -> None:
    (data / "known-graphs").mkdir(parents=True)
    (data / "known-graphs").chmod(0o755)

    encode(root, graph, Options())

    assert stat.S_IMODE((data / "known-graphs").stat().st_mode) == 0o700
    assert len(list((data / "known-graphs").iterdir())) == 1


def test_two_processes_that_need_a_secret_at_once_have_the_same(data: Path) -> None:
    ask = "from rpg.stores.installation import secret; print(secret().hex())"
    asking = [subprocess.Popen([sys.executable, "-c", ask], stdout=subprocess.PIPE, text=True) for _ in range(6)]

    said = {process.communicate()[0].strip() for process in asking}

    assert said == {(data / "secret").read_bytes().hex()}
    assert [path.name for path in data.iterdir()] == ["secret"]


def test_a_secret_that_others_could_read_is_made_again(root: Path, graph: Path, data: Path) -> None:
    encode(root, graph, Options())
    before = (data / "secret").read_bytes()
    (data / "secret").chmod(0o644)

    assert "rebuilt" in fetched(graph)[1]

    assert (data / "secret").read_bytes() != before
    assert stat.S_IMODE((data / "secret").stat().st_mode) == 0o600


def test_without_a_folder_for_a_secret_all_works_and_nothing_foreign_is_believed(
    graph: Path, ship: Callable[..., None], data: Path
) -> None:
    ship(*poison())
    data.write_text("no folder")

    source, note = fetched(graph)

    assert "backdoor" in source
    assert "harmless" not in source
    assert "was not made by this installation: rebuilt" in note
    assert "no secret can be stored" in note
    assert "RPG_DATA" in note


def test_without_a_folder_for_a_secret_a_process_believes_itself(root: Path, graph: Path, data: Path) -> None:
    data.write_text("no folder")
    encode(root, graph, Options())
    generation = read_meta(index_path(graph))["generation"]

    assert "backdoor" in fetched(graph)[0]

    assert read_meta(index_path(graph))["generation"] == generation


# Graph files of others


def rewritten(graph: Path, change: Callable[[dict[str, object]], None]) -> None:
    """The graph file with something else in its header or its nodes, as lines of its own as before."""
    lines = graph.read_bytes().split(b"\n")
    for number, line in enumerate(lines):
        if line.startswith((b'"graph":', b'{"id"')):
            start, end = (len(b'"graph":') if line.startswith(b'"') else 0), -1 if line.endswith(b",") else len(line)
            value = orjson.loads(line[start:end])
            change(value)
            lines[number] = line[:start] + orjson.dumps(value) + (b"," if end == -1 else b"")
    graph.write_bytes(sealed(b"\n".join(lines)))


def test_a_graph_file_of_somebody_else_is_served_with_the_sources_that_are_here(
    root: Path, graph: Path, tmp_path: Path, ship: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship()
    shared = tmp_path / "shared"
    shared.mkdir()
    shutil.move(graph, shared / graph.name)
    index_path(graph).unlink()
    before = (shared / graph.name).read_bytes()

    assert "backdoor" in fetched(shared / graph.name, repository=root)[0]
    index_path(shared / graph.name).unlink()
    monkeypatch.chdir(root)
    assert "backdoor" in fetched(shared / graph.name)[0]
    assert (shared / graph.name).read_bytes() == before


def test_the_header_of_a_foreign_graph_file_neither_unmasks_secrets_nor_picks_a_model(
    root: Path, graph: Path, ship: Callable[..., None]
) -> None:
    write(root, {"keys.py": 'token = "ghp_a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5"\n'})
    ship()
    index_path(graph).unlink()

    def change(value: dict[str, object]) -> None:
        if "options" in value:
            value["options"] = {**value["options"], "mask_secrets": False, "embedder": "theirs.gguf"}  # type: ignore[dict-item]

    rewritten(graph, change)
    assert b"theirs.gguf" in graph.read_bytes()

    source, _ = fetched(graph, "keys.py")

    assert "token" in source
    assert "a1B2c3D4e5" not in source
    options = orjson.loads(read_meta(index_path(graph))["options"])
    assert options["mask_secrets"] is True
    assert "embedder" not in options


@pytest.mark.invariant("trust", "options of a graph that this installation did not make are not used")
@pytest.mark.parametrize("place", ["house.graph.json", ".rpg/house.graph.json", "../given.graph.json"])
@pytest.mark.parametrize("has_index", [True, False], ids=["with an index", "alone"])
def test_options_of_a_foreign_graph_do_not_decide_what_is_left_out(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, place: str, has_index: bool
) -> None:
    shipped = root / place
    shipped.parent.mkdir(exist_ok=True)
    with elsewhere(tmp_path, monkeypatch):
        encode(root, shipped, Options(exclude=("uses.py",), max_bytes=5_000))
    checked_out(index_path(shipped))
    if not has_index:
        index_path(shipped).unlink()
    monkeypatch.chdir(root)

    with rpg.open(shipped) as opened:
        found = opened.find_usages(symbol=["door.py::is_allowed"])
        assert "is_allowed(user)" in opened.fetch(targets=["uses.py"]).symbols[0].source

    assert found.symbols[0].total == {"certain": 1}
    assert "the options in the graph file are not used" in found.state.note
    assert "exclude=uses.py; max_bytes=5000" in found.state.note
    with rpg.open(shipped) as opened:
        assert "options" not in opened.find_usages(symbol=["door.py::is_allowed"]).state.note


def test_a_repositorys_own_options_are_used_for_a_foreign_graph(
    root: Path, graph: Path, ship: Callable[..., None]
) -> None:
    ship()
    write(root, {"rpg.toml": 'exclude = ["uses.py"]\n'})

    assert names(graph) == {"is_allowed", "backdoor"}


def test_options_of_our_own_are_kept_whatever_became_of_the_index(root: Path, graph: Path, tmp_path: Path) -> None:
    encode(root, graph, Options(exclude=("uses.py",)))
    for change in (
        lambda: checked_out(index_path(graph)),  # a copy of ours
        lambda: changed(index_path(graph), ("UPDATE meta SET value = 'old' WHERE key = 'rules'", ())),
        lambda: rewritten(graph, lambda value: value.pop("encoder", None)),  # another graph file beside our index
    ):
        change()
        assert names(graph) == {"is_allowed", "backdoor"}


@pytest.mark.parametrize("options", [{"max_bytes": "many"}, {"roots": ["../.."]}, {"include": 5}])
def test_options_that_no_encoder_writes_are_damage(
    root: Path, graph: Path, ship: Callable[..., None], options: dict[str, object]
) -> None:
    ship()
    index_path(graph).unlink()

    def change(value: dict[str, object]) -> None:
        if "options" in value:
            value["options"] = options

    rewritten(graph, change)

    with pytest.raises(GraphNotLoaded, match="damaged"):
        fetched(graph)


CLIMBING = ["../../outside.py", "/etc/passwd", "a/../../x.py", ".git/config", "a//b.py", "./door.py", "C:/x.py", "a\0b"]


@pytest.mark.parametrize("path", CLIMBING)
def test_a_graph_file_with_a_path_that_may_not_stand_is_damaged(
    tmp_path: Path, graph: Path, ship: Callable[..., None], path: str
) -> None:
    ship()
    write(tmp_path / "work", {"outside.py": "SECRET = 1\n"})
    index_path(graph).unlink()

    def change(value: dict[str, object]) -> None:
        if value.get("path") == "uses.py":
            value["path"] = path

    rewritten(graph, change)

    with pytest.raises(GraphNotLoaded, match="damaged"):
        fetched(graph)


def test_a_skipped_file_that_cannot_be_is_only_a_name(tmp_path: Path, root: Path, graph: Path) -> None:
    """The encoder records such names; the file system is never asked for them."""
    write(tmp_path / "work", {"outside.py": "SECRET = 1\n"})
    encode(root, graph, Options())

    def change(value: dict[str, object]) -> None:
        if "skipped" in value:
            value["skipped"] = [{"path": "../outside.py", "reason": "unsafe file name: climbs with '..'"}]

    rewritten(graph, change)
    shared = Path(shutil.move(graph, tmp_path / "shared.graph.json"))

    with rpg.open(shared) as opened:
        assert opened.find_usages(symbol=["door.py::backdoor"]).symbols
        with pytest.raises(RpgError):
            opened.fetch(targets=["../outside.py"])


@pytest.mark.parametrize("skipped", [[{"path": "", "reason": "r"}], [{"path": "x"}], {"a": "b"}, [5]])
def test_a_header_with_skipped_files_that_cannot_be_is_damaged(
    graph: Path, ship: Callable[..., None], skipped: object
) -> None:
    ship()
    index_path(graph).unlink()

    def change(value: dict[str, object]) -> None:
        if "skipped" in value:
            value["skipped"] = skipped

    rewritten(graph, change)

    with pytest.raises(GraphNotLoaded, match="damaged"):
        fetched(graph)


def test_a_home_folder_is_not_taken_for_a_repository_because_a_graph_fits_a_file_in_it(
    tmp_path: Path, graph: Path, ship: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = write(tmp_path / "home", {"door.py": DOOR, "uses.py": USES, ".ssh/config": "Host bank\n"})
    ship()
    (tmp_path / "shared").mkdir()
    shared = shutil.move(graph, tmp_path / "shared" / graph.name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)

    with closing(Repository.open(Path(shared))) as repository:
        assert "only the graph file is here" in repository.refresh().note
        assert repository.root is None


# Indexes that the user trusts


def index_of(graph: Path) -> dict[str, str]:
    return read_meta(index_path(graph))


def generation_of_another(graph: Path) -> str:
    with closing(sqlite3.connect(index_path(graph))) as connection:
        found = str(connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])
    index_path(graph).with_name(index_path(graph).name + "-wal").unlink(missing_ok=True)
    return found


def test_an_index_of_another_installation_is_used_as_it_is_only_with_trust(
    root: Path, graph: Path, ship: Callable[..., None]
) -> None:
    ship(("UPDATE all_symbols SET doc = 'as it came' WHERE name = 'backdoor'", ()))
    shipped = generation_of_another(graph)

    source, note = fetched(graph, "backdoor", trust=True)

    assert "backdoor" in source
    assert "made by another installation and is used as it is" in note
    assert index_of(graph)["generation"] == shipped
    assert fetched(graph)[1] == ""  # it is ours from now on
    (root / "uses.py").write_text(USES + "\n\ndef leave(): pass\n")
    assert "leave" in names(graph)
    encode(root, graph, Options())
    assert fetched(graph, "leave")[1] == ""


def test_without_trust_the_same_index_is_made_again(graph: Path, ship: Callable[..., None]) -> None:
    ship()
    shipped = generation_of_another(graph)

    assert "was not made by this installation: rebuilt" in fetched(graph)[1]

    assert index_of(graph)["generation"] != shipped


def test_a_server_that_was_told_to_trust_uses_what_came_with_the_graph(graph: Path, ship: Callable[..., None]) -> None:
    ship()
    shipped = generation_of_another(graph)
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
         "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "stats", "arguments": {}}},
    ]  # fmt: skip
    server = subprocess.Popen(
        [sys.executable, "-m", "rpg", "serve", "--trust", str(graph)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with server:
        assert server.stdin
        assert server.stdout
        for line in lines:
            server.stdin.write(orjson.dumps(line).decode() + "\n")
        server.stdin.flush()
        said = ""
        while '"id":2' not in said:
            said = server.stdout.readline()
            assert said
        server.stdin.close()

    assert index_of(graph)["generation"] == shipped


@pytest.mark.invariant(
    "trust",
    "an index of another installation is neither trusted nor reused unless the user says so; even then "
    "wrong types are handled and its folders are not followed",
)
def test_a_folder_that_a_trusted_index_names_is_not_followed(
    tmp_path: Path, graph: Path, ship: Callable[..., None]
) -> None:
    home = write(tmp_path / "home", {"door.py": DOOR, "uses.py": USES, ".ssh/config": "Host bank\n", "diary.py": ""})
    ship(("UPDATE meta SET value = ? WHERE key = 'root'", (str(home),)))
    shipped = generation_of_another(graph)

    with closing(Repository.open(graph, trusts=True)) as repository:
        repository.refresh()
        assert repository.root == graph.parent
    assert index_of(graph)["root"] == str(graph.parent)
    assert index_of(graph)["generation"] == shipped

    (tmp_path / "shared").mkdir()
    shared = tmp_path / "shared" / graph.name
    ship(("UPDATE meta SET value = ? WHERE key = 'root'", (str(home),)))
    for path in (graph, index_path(graph)):
        path.rename(shared.parent / path.name)
    with closing(Repository.open(shared, trusts=True)) as repository:
        assert "the folder of the repository is not known" in repository.refresh().note
        assert repository.root is None
    assert index_of(shared)["root"] == ""
    assert "backdoor" in fetched(shared)[0]


def test_an_index_of_another_graph_file_is_not_taken(root: Path, graph: Path, ship: Callable[..., None]) -> None:
    ship()
    shipped = generation_of_another(graph)
    (root / "more.py").write_text("def more(): pass\n")
    other = root.parent / "other.graph.json"
    encode(root, other, Options())
    graph.write_bytes(other.read_bytes())

    assert "rebuilt" in fetched(graph, trust=True)[1]

    assert index_of(graph)["generation"] != shipped


META = "UPDATE meta SET value = ? WHERE key = ?"
BROKEN: list[tuple[str, tuple[object, ...]]] = [
    (META, ("{", "header")),
    (META, ("[]", "header")),
    (META, ("[", "options")),
    (META, ('{"max_bytes": "many"}', "options")),
    (META, ('{"mask_secrets": false}', "options")),
    (META, ("[]", "beside")),
    (META, ('{"a.py": []}', "unread")),
    (META, ("{", "unread")),
    ("DELETE FROM meta WHERE key = 'graph_hash'", ()),
    ("DELETE FROM meta WHERE key = 'header'", ()),
    ("DELETE FROM meta WHERE key = 'options'", ()),
    ("DELETE FROM meta WHERE key = 'code'", ()),
    ("UPDATE files SET path = '../outside.py' WHERE path = 'uses.py'", ()),
    ("UPDATE files SET source = x'00ff00ff'", ()),
    ("UPDATE files SET facts = ?", (compress(b"[]"),)),
    ("UPDATE files SET facts = ?", (compress(b"{}"),)),
    ("UPDATE files SET terms = ?", (compress(b"[[5]]"),)),
    ("UPDATE files SET source = ?", (compress(b"\xff\xfe"),)),
    ("UPDATE files SET size = 'long'", ()),
    ("UPDATE all_symbols SET extra = '[' WHERE name = 'backdoor'", ()),
    ("UPDATE all_symbols SET extra = '[5]' WHERE name = 'backdoor'", ()),
    ("UPDATE all_symbols SET name = CAST(x'ff' AS TEXT) WHERE name = 'backdoor'", ()),
    ("UPDATE all_symbols SET parent = 99999 WHERE name = 'backdoor'", ()),
    ("UPDATE edges SET target = 99999", ()),
    ("UPDATE edges SET sites = 'here'", ()),
    ("UPDATE edges SET sites = '5'", ()),
    ("DELETE FROM search_statistics", ()),
    ("UPDATE search_statistics SET value = x'00'", ()),
    ("UPDATE search_terms SET units = x'ff', blocks = x'ff', files = x'ff'", ()),
    ("UPDATE search_units SET vector = x'01', fingerprint = x'01'", ()),
    ("UPDATE search_units SET symbol = 99999", ()),
    ("UPDATE search_names SET names = ''", ()),
    ("UPDATE search_trigrams SET names = x'ff'", ()),
    ("UPDATE search_texts SET files = x'ff'", ()),
    ("UPDATE search_texts SET files = x'04ffffffff'", ()),
    ("UPDATE flow SET data = ?, mentions = 'x'", (compress(b"{"),)),
    ("UPDATE flow SET data = ?", (compress(b"[]"),)),
    ("UPDATE survey SET data = ?", (compress(b"[]"),)),
    ("DELETE FROM files", ()),
]


@pytest.mark.invariant(
    "trust",
    "an index of another installation is neither trusted nor reused unless the user says so; even then "
    "wrong types are handled and its folders are not followed",
)
@pytest.mark.parametrize("statement", BROKEN, ids=[f"{sql[:60]} {values}"[:80] for sql, values in BROKEN])
def test_contents_of_another_form_are_made_again_and_never_a_bug(
    root: Path, graph: Path, ship: Callable[..., None], statement: tuple[str, tuple[object, ...]]
) -> None:
    ship(statement)

    with rpg.open(graph, trust=True) as opened:
        questions: list[tuple[str, dict[str, object]]] = [
            ("fetch", {"targets": ["door.py", "backdoor"], "relations": True}),
            ("search", {"query": "who may enter the back door"}),
            ("search", {"query": "bckdoor", "mode": "symbol"}),
            ("search", {"query": "backdoor", "mode": "text"}),
            ("find_usages", {"symbol": "is_allowed"}),
            ("get_dependencies", {"target": "enter"}),
            ("query_code", {"question": "who is allowed to enter?"}),
            ("explore", {"start": ["door.py"]}),
            ("stats", {}),
        ]
        for tool, arguments in questions:
            with suppress(RpgError):
                getattr(opened, tool)(**arguments)
        (root / "uses.py").write_text(USES + "\n\ndef leave(): pass\n")
        answer = opened.fetch(targets=["leave"])
        assert "leave" in answer.symbols[0].source
        assert answer.state.stale == []
        assert "backdoor" in opened.fetch(targets=["door.py"]).symbols[0].source
    encode(root, graph, Options())
    assert "leave" in names(graph)


UNREADABLE = [
    (META, ("{", "header")),
    (META, ("[", "options")),
    (META, ("{", "unread")),
    ("UPDATE files SET source = x'00ff00ff'", ()),
    ("UPDATE all_symbols SET extra = '[' WHERE name = 'backdoor'", ()),
    ("UPDATE all_symbols SET signature = CAST(x'ff' AS TEXT) WHERE name = 'backdoor'", ()),
    ("UPDATE flow SET data = x'00ff00ff'", ()),
]


@pytest.mark.parametrize("statement", UNREADABLE, ids=[f"{sql[:60]} {values}"[:80] for sql, values in UNREADABLE])
def test_contents_of_our_own_index_that_cannot_be_read_are_made_again(
    root: Path, graph: Path, statement: tuple[str, tuple[object, ...]]
) -> None:
    encode(root, graph, Options())
    with closing(Index.open(index_path(graph))) as index, index.transaction():
        index.execute(statement[0].replace("backdoor", "is_allowed"), statement[1])

    with rpg.open(graph) as opened:
        assert "is_allowed" in opened.fetch(targets=["is_allowed"], relations=True).symbols[0].source
        assert opened.search(query="who is allowed").hits
        (root / "uses.py").write_text(USES + "\n\ndef leave(): pass\n")
        assert "leave" in opened.fetch(targets=["leave"]).symbols[0].source
