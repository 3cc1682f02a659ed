"""`rpg bundle` and `rpg encode --from`: a clone elsewhere starts from a bundle, believes nobody without the key, and
has the graph of a clean encode."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import apsw
import orjson
import pytest
import zstandard
from repositories import commit, git, repository, write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.errors import BadRequest, InvalidPath, RpgError
from rpg.repository import Bundle, Repository, encode, forget, index_path, make_bundle, verify
from rpg.repository.bundles import container, keys
from rpg.repository.bundles.making import GRAPH, INDEX
from rpg.repository.encoding import unchanged
from rpg.repository.encoding.encode import writing
from rpg.repository.encoding.unchanged import about_encode
from rpg.stores.connection import connect
from rpg.stores.index.adoption import is_adopted
from rpg.stores.index.index import Index

FILES = {
    "shop.py": "def buy():\n    return 1\n\n\ndef sell():\n    return buy()\n",
    "cart.py": "import shop\n\n\ndef fill():\n    shop.buy()\n",
    "README.md": "# Shop\n\nHow to `shop.buy`.\n",
    "pyproject.toml": '[project]\nname = "shop"\n',
} | {f"part{number}.py": f"import shop\n\n\ndef part{number}():\n    return shop.sell()\n" for number in range(12)}
KEY, OTHER_KEY = "a key of the whole team 1", "a key of somebody else 22"
STARTED = "started from the bundle"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("RPG_CACHE", "off")
    monkeypatch.setenv(keys.VARIABLE, KEY)
    monkeypatch.delenv("RPG_GRAPH", raising=False)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    root = repository(tmp_path / "first", FILES)
    encode(root, output_of(root), Options())
    return root


@pytest.fixture
def bundle(first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a repository that is then gone, with all that rpg knew of it: as on another machine."""
    made = make_bundle(output_of(first), tmp_path / "shop.bundle")
    forget(output_of(first))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "other data"))
    return made.path


def output_of(root: Path) -> Path:
    return root / ".rpg" / f"{root.name}.graph.json"


def shallow_clone(first: Path, name: str = "clone") -> Path:
    git(first.parent, "clone", "-q", "--depth=1", f"file://{first}", name)
    return first.parent / name


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
    forget(clean)


def assert_nothing_is_left(root: Path) -> None:
    folder = output_of(root).parent
    assert not [path.name for path in folder.iterdir() if ".tmp" in path.name]


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


@pytest.mark.invariant("encoding", "a shallow clone that starts from a bundle has the graph of a clean encode")
@pytest.mark.parametrize("change", [as_it_is, few_edits, added_and_deleted, a_commit, everything])
def test_a_shallow_clone_starts_from_a_bundle(
    first: Path, bundle: Path, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    root = shallow_clone(first)
    change(root)
    summary = encode(root, output_of(root), Options(), origin=Bundle(bundle))
    assert summary.note == f"{STARTED} shop.bundle of commit {git(first, 'rev-parse', 'HEAD')}"
    assert summary.parsed == {as_it_is: 0, few_edits: 2, added_and_deleted: 1, a_commit: 1, everything: 16}[change]
    assert_nothing_is_left(root)
    assert_clean(root, tmp_path)
    assert not is_adopted(index_path(output_of(root)))


def test_a_folder_without_git_starts_from_one(first: Path, bundle: Path, tmp_path: Path) -> None:
    root = shutil.copytree(first, tmp_path / "copy", ignore=shutil.ignore_patterns(".git", ".rpg"))
    assert STARTED in encode(root, output_of(root), Options(), origin=Bundle(bundle)).note
    assert_clean(root, tmp_path)


@pytest.mark.invariant("trust", "nothing of a repository whose bundle another one starts from is in its answers")
def test_nothing_of_another_repository_stays(first: Path, bundle: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"shop.py": "def lend():\n    pass\n", "main.py": "import shop\n"})
    encode(other, output_of(other), Options(), origin=Bundle(bundle))
    assert "sell" not in output_of(other).read_text()
    assert_clean(other, tmp_path)


def assert_refused(root: Path, bundle: Path, about: str, trust: bool = False) -> None:
    with pytest.raises(RpgError, match=about):
        encode(root, output_of(root), Options(), origin=Bundle(bundle, trust))
    assert not output_of(root).exists()
    assert not index_path(output_of(root)).exists()
    assert_nothing_is_left(root)


@pytest.mark.invariant("trust", "a bundle that nobody with the key made is not used")
def test_without_the_key_nothing_is_believed(
    first: Path, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = shallow_clone(first)
    monkeypatch.setenv(keys.VARIABLE, OTHER_KEY)
    assert_refused(root, bundle, "another key")
    monkeypatch.delenv(keys.VARIABLE)
    assert_refused(root, bundle, "RPG_BUNDLE_KEY")
    monkeypatch.setenv(keys.VARIABLE, "short")
    assert_refused(root, bundle, "at least 20")
    assert STARTED in encode(root, output_of(root), Options(), origin=Bundle(bundle, True)).note
    assert is_adopted(index_path(output_of(root)))
    assert_clean(root, tmp_path)


@pytest.mark.invariant("trust", "a changed or missing byte of a bundle is found before anything of it is used")
def test_a_byte_that_was_changed_is_found(first: Path, bundle: Path) -> None:
    root, whole = shallow_clone(first), bundle.read_bytes()
    for at in (0, len(container.MAGIC) + 1, 60, 300, len(whole) // 2, len(whole) - 40, len(whole) - 1):
        bundle.write_bytes(whole[:at] + bytes((whole[at] ^ 1,)) + whole[at + 1 :])
        assert_refused(root, bundle, "bundle")
    for length in (0, 5, 20, 200, len(whole) // 2, len(whole) - 1):
        bundle.write_bytes(whole[:length])
        assert_refused(root, bundle, "bundle")
    bundle.write_bytes(whole)
    assert STARTED in encode(root, output_of(root), Options(), origin=Bundle(bundle)).note


def test_a_bundle_without_a_key_is_for_one_installation(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(keys.VARIABLE)
    made = make_bundle(output_of(first))
    assert not made.is_shared
    assert made.path == output_of(first).parent / "first.bundle"
    root = shallow_clone(first)
    forget(output_of(first))
    assert STARTED in encode(root, output_of(root), Options(), origin=Bundle(made.path)).note
    forget(output_of(root))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "other data"))
    assert_refused(root, made.path, "another key")


def rewritten(bundle: Path, change: Callable[[dict[str, Any]], object], body: bytes | None = None) -> Path:
    """With another head, and perhaps other members, under a seal of nobody's key."""
    data = bundle.read_bytes()
    start = len(container.MAGIC) + container.LENGTH_BYTES
    length = int.from_bytes(data[len(container.MAGIC) : start], "little")
    head = orjson.loads(data[start : start + length])
    change(head)
    encoded = orjson.dumps(head)
    members = data[start + length : -container.SEAL_BYTES] if body is None else body
    lengths = len(encoded).to_bytes(container.LENGTH_BYTES, "little")
    bundle.write_bytes(container.MAGIC + lengths + encoded + members + bytes(container.SEAL_BYTES))
    return bundle


@pytest.mark.parametrize(
    "members",
    [
        None, 3, [], [["graph"]], [["graph", 1, 1], ["index", "2", 1]], [["graph", -1, 1], ["index", 2, 1]],
        [["graph", 10, 10**15], ["index", 10, 10]], [["graph", 10, 100], ["index", 10, 100]],
        [["graph", 10**15, 10**15], ["index", 1, 1]], [["../graph", 10, 100], ["index", 10, 100]],
    ],
)  # fmt: skip
def test_a_head_that_says_anything_is_refused(first: Path, bundle: Path, members: object) -> None:
    root = shallow_clone(first)
    assert_refused(root, rewritten(bundle, lambda head: head.update(members=members)), "bundle", trust=True)


def test_a_bomb_is_not_unpacked(first: Path, bundle: Path) -> None:
    """It says little of how much it has, or all of it."""
    root = shallow_clone(first)
    bomb = zstandard.ZstdCompressor(level=19).compress(bytes(200_000_000))
    assert len(bomb) < 100_000
    for size in (len(bomb), 200_000_000):
        members = [["graph", len(bomb), size], ["index", len(bomb), size]]
        assert_refused(
            root, rewritten(bundle, lambda head, m=members: head.update(members=m), bomb * 2), "bundle", trust=True
        )
    wide = zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters(window_log=27, enable_ldm=True)
    ).compressobj()
    chunks = wide.compress(os.urandom(1 << 20)) + wide.flush()
    members = [["graph", len(chunks), 1 << 20], ["index", len(chunks), 1 << 20]]
    assert_refused(root, rewritten(bundle, lambda head: head.update(members=members), chunks * 2), "bundle", trust=True)


def with_other_rows(bundle: Path, tmp_path: Path, statements: list[str]) -> Path:
    """A bundle of somebody with his own key, who wrote into the index."""
    paths = {GRAPH: tmp_path / "graph", INDEX: tmp_path / "index"}
    head = container.unpack_bundle(bundle, tmp_path / "own", paths, keys.find_key)
    connection = connect(str(paths[INDEX]))
    for statement in statements:
        connection.execute(statement)
    connection.close()
    del head["members"]
    container.write_bundle(bundle, head, paths, b"hostile")
    for path in paths.values():
        path.unlink()
    return bundle


FALSE_FACTS = "DELETE FROM edges WHERE kind = 'calls'"
STAMPS = "UPDATE files SET mtime_ns = 1, ctime_ns = 1, inode = 1"
NO_OBJECT = "UPDATE all_symbols SET extra = '[]' WHERE rowid IN (SELECT id FROM all_symbols LIMIT 3)"
DANGLING = "UPDATE edges SET target = 99999999 WHERE kind = 'calls'"
OUTSIDE = "UPDATE files SET path = '../../outside.py' WHERE path = 'part1.py'"
TRIGGER = "CREATE TRIGGER more AFTER DELETE ON meta BEGIN DELETE FROM edges; END"
UNUSED = (STAMPS, TRIGGER)
BLOCKS = "UPDATE files SET source = x'00', facts = x'00', terms = x'00'"


def test_facts_that_are_false_are_believed_of_nobody_without_the_key(first: Path, bundle: Path, tmp_path: Path) -> None:
    """Their hashes are right: no source shows it."""
    root = shallow_clone(first)
    assert_refused(root, with_other_rows(bundle, tmp_path, [FALSE_FACTS]), "another key")
    encode(root, output_of(root), Options(), origin=Bundle(bundle, True))
    assert verify(output_of(root)).difference == ""  # the graph file of the bundle, which nobody changed


@pytest.mark.parametrize("statement", [STAMPS, NO_OBJECT, DANGLING, OUTSIDE, TRIGGER, BLOCKS])
def test_rows_of_another_form_are_not_used(first: Path, bundle: Path, tmp_path: Path, statement: str) -> None:
    root = shallow_clone(first)
    hostile = with_other_rows(bundle, tmp_path, [statement])
    if statement in UNUSED:
        assert "was not used" in encode(root, output_of(root), Options(), origin=Bundle(hostile, True)).note
        assert_clean(root, tmp_path)
    else:
        assert_refused(root, hostile, "damaged", trust=True)


def test_another_version_or_other_options_start_from_nothing(
    first: Path, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = shallow_clone(first)
    options = Options(exclude=("cart.py",))
    assert "was not used" in encode(root, output_of(root), options, origin=Bundle(bundle)).note
    assert "there is a graph already" in encode(root, output_of(root), options, origin=Bundle(bundle)).note
    assert "encoded anew" in encode(root, output_of(root), options, origin=Bundle(bundle), full=True).note
    forget(output_of(root))
    monkeypatch.setattr(unchanged, "code", lambda: "newer")
    assert "another version" in encode(root, output_of(root), Options(), origin=Bundle(bundle)).note
    assert "sell" in output_of(root).read_text()


@pytest.mark.parametrize("how", ["encode", "serve"])
def test_a_start_that_was_killed_is_finished(first: Path, bundle: Path, tmp_path: Path, how: str) -> None:
    """When the bundle was unpacked, and nothing was compared yet."""
    root = shallow_clone(first)
    few_edits(root)
    output = output_of(root)
    output.parent.mkdir()
    with writing(output):
        assert Bundle(bundle).start(root, output, about_encode(root, Options()))[0]
    if how == "encode":
        encode(root, output, Options())
    else:
        served = Repository(output, None)
        try:
            with served.view():
                pass
        finally:
            served.close()
    assert_clean(root, tmp_path)


def test_a_start_that_was_killed_between_both_files_is_finished(first: Path, bundle: Path, tmp_path: Path) -> None:
    root = shallow_clone(first)
    few_edits(root)
    output = output_of(root)
    output.parent.mkdir()
    with writing(output):
        Bundle(bundle).start(root, output, about_encode(root, Options()))
        output.unlink()
    encode(root, output, Options())
    assert_clean(root, tmp_path)


def test_what_is_not_in_the_graph_is_not_in_its_bundle(first: Path, tmp_path: Path) -> None:
    write(first, {"gone.py": "def forgotten_by_everybody():\n    pass\n"})
    encode(first, output_of(first), Options())
    (first / "gone.py").unlink()
    made = make_bundle(output_of(first), tmp_path / "shop.bundle")
    paths = {GRAPH: tmp_path / "graph", INDEX: tmp_path / "index"}
    container.unpack_bundle(made.path, tmp_path / "own", paths, keys.find_key)
    for path in paths.values():
        content = path.read_bytes()
        assert b"forgotten_by_everybody" not in content
        assert os.fsencode(first) not in content
    connection = apsw.Connection(str(paths[INDEX]))
    assert connection.execute("SELECT count(*) FROM files WHERE mtime_ns").fetchall() == [(0,)]
    connection.close()


def test_secrets_that_are_not_masked_are_not_given_away(first: Path, tmp_path: Path) -> None:
    open_graph = tmp_path / "open.graph.json"
    encode(first, open_graph, Options(mask_secrets=False))
    with pytest.raises(BadRequest, match="not masked"):
        make_bundle(open_graph)


def test_a_name_that_is_no_bundle_is_said(first: Path, tmp_path: Path) -> None:
    root = shallow_clone(first)
    for place in (tmp_path / "missing", tmp_path):
        with pytest.raises(InvalidPath):
            encode(root, tmp_path / "no.graph.json", Options(), origin=Bundle(place))
    (tmp_path / "text").write_text("rpg bundle 7\n and more that is long enough")
    assert_refused(root, tmp_path / "text", "version 7")


def test_the_commands(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    said: Mapping[str, Any]
    assert run(["bundle", "-g", str(output_of(first)), "-o", str(tmp_path / "a.bundle"), "--json"]) == 0
    said = orjson.loads(capfd.readouterr().out)
    assert said == {
        "file": str(tmp_path / "a.bundle"),
        "commit": git(first, "rev-parse", "HEAD"),
        "files": len(FILES),
        "bytes": (tmp_path / "a.bundle").stat().st_size,
        "shared": True,
    }
    root = shallow_clone(first)
    forget(output_of(first))
    monkeypatch.chdir(root)
    assert run(["encode", "--from", "../a.bundle"]) == 0
    assert STARTED in capfd.readouterr().out
    assert run(["bundle"]) == 0
    assert "rpg encode --from clone.bundle" in capfd.readouterr().out
    monkeypatch.setenv(keys.VARIABLE, OTHER_KEY)
    forget(output_of(root))
    assert run(["encode", "--from", "../a.bundle"]) == 2
    assert run(["encode", "--from", "../a.bundle", "--trust"]) == 0
