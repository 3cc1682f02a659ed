"""The cache of facts: what one folder parsed, another finds; nothing else of it, and nothing if it is damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from repositories import commit, git, repository, write

from rpg.encoder.languages import LANGUAGES
from rpg.encoder.options import Options
from rpg.encoder.parsing.lowering_version import modules_of
from rpg.repository import encode, index_path
from rpg.stores.cache.blocks import ABANDONED_SECONDS, MOST_SMALL, BlockCache
from rpg.stores.cache.pack import ENDING
from rpg.stores.index.index import Index

FILES = {
    "shop.py": '"""What a shop sells."""\n\n\ndef buy(thing):\n    return thing\n',
    "cart.py": "import shop\n\n\ndef fill():\n    shop.buy(1)\n",
    "page.ts": "export function show(): number { return 1 }\n",
    "README.md": "# Shop\n\nCalls `shop.buy`.\n\n```python\nimport shop\n```\n",
}


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("RPG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "facts"


def shop(folder: Path, files: dict[str, str] = FILES) -> Path:
    """A repository in a folder of that name, whatever is above."""
    return write(folder / "shop", files)


def rows(output: Path) -> list[object]:
    index = Index.open_read_only(index_path(output))
    try:
        files = index.rows("SELECT path, language, hash, source, facts, terms FROM files ORDER BY path")
        units = index.rows("SELECT symbol, vector, fingerprint FROM search_units ORDER BY unit")
        return [files, units, index.rows("SELECT * FROM search_terms ORDER BY term")]
    finally:
        index.close()


def from_nothing(root: Path) -> tuple[bytes, list[object]]:
    output = root.parent / "clean.graph.json"
    assert encode(root, output, Options(), full=True).reused == 0
    return output.read_bytes(), rows(output)


def encoded(root: Path, name: str = "shop") -> tuple[int, tuple[bytes, list[object]]]:
    """How many files were parsed, and what was made."""
    output = root.parent / f"{name}.graph.json"
    summary = encode(root, output, Options())
    return summary.parsed, (output.read_bytes(), rows(output))


def packs(cache: Path) -> list[Path]:
    return sorted(cache.glob("*" + ENDING))


@pytest.mark.invariant(
    "encoding", "what was parsed in one folder is not parsed again in another, and its graph is the same"
)
def test_a_clone_next_door_parses_nothing(tmp_path: Path) -> None:
    one, other = shop(tmp_path / "one"), shop(tmp_path / "other")
    parsed, first = encoded(one)
    assert parsed == len(FILES)
    parsed, second = encoded(other)
    assert (parsed, second) == (0, first)
    assert second == from_nothing(other)


def test_a_branch_of_last_week_finds_its_facts(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", FILES)
    encoded(root)
    git(root, "checkout", "-qb", "other")
    texts = {f"more{number}.py": f"def more{number}():\n    pass\n" for number in range(20)}
    for name, text in texts.items():
        (root / name).write_text(text)
    commit(root)
    assert encoded(root)[0] == len(texts)
    git(root, "checkout", "-q", "-")
    assert encoded(root)[0] == 0
    git(root, "checkout", "-q", "other")
    parsed, made = encoded(root)
    assert (parsed, made[0]) == (0, from_nothing(root)[0])
    tree = tmp_path / "tree" / "shop"
    git(root, "worktree", "add", "-q", "--detach", str(tree))
    assert encoded(tree)[0] == 0


def test_a_shallow_clone_finds_what_an_earlier_run_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As docs/continuous-integration.md has it: both folders are in the `.rpg` of the clone, and are copied there."""
    first = repository(tmp_path / "first", FILES)
    git(tmp_path, "clone", "-q", "--depth", "1", first.as_uri(), "run/shop")
    root = tmp_path / "run" / "shop"
    output = root / ".rpg" / "shop.graph.json"
    for name in ("data", "cache"):
        monkeypatch.setenv(f"RPG_{name.upper()}", str(root / ".rpg" / name))
    assert encode(root, output, Options()).parsed == len(FILES)
    made = output.read_bytes()
    shutil.copytree(root / ".rpg", tmp_path / "kept", ignore=shutil.ignore_patterns("shop.*"))
    shutil.rmtree(root)
    git(tmp_path, "clone", "-q", "--depth", "1", first.as_uri(), "run/shop")
    shutil.copytree(tmp_path / "kept", root / ".rpg")
    assert encode(root, output, Options()).parsed == 0
    assert output.read_bytes() == made
    assert git(root, "status", "--porcelain") == ""
    assert b'"dirty":false' in made


@pytest.mark.invariant("trust", "the cache of facts carries nothing of one repository into another")
def test_nothing_of_one_repository_is_in_another(tmp_path: Path) -> None:
    theirs = {
        "shop.py": "def buy(secret_of_theirs):\n    return secret_of_theirs\n",
        "cart.py": FILES["cart.py"],
        "other/shop.py": FILES["shop.py"],
        "page.tsx": FILES["page.ts"],
    }
    encoded(shop(tmp_path / "theirs", theirs))
    root = shop(tmp_path / "ours")
    parsed, made = encoded(root)
    assert parsed == len(FILES) - 1, "of their files, only cart.py has the same path and text"
    assert made == from_nothing(root)
    assert b"secret_of_theirs" not in made[0]


@pytest.mark.invariant("trust", "a damaged or foreign cache of facts changes nothing but what is parsed again")
def test_whatever_is_damaged_the_graph_is_the_same(tmp_path: Path, cache: Path) -> None:
    root = shop(tmp_path / "one")
    encoded(root)
    clean = from_nothing(root)
    [first, *_] = packs(cache)
    whole = first.read_bytes()
    shutil.rmtree(cache)
    for number, at in enumerate((0, *range(13, len(whole), len(whole) // 40), len(whole) - 1)):
        for damage in (whole[:at] + bytes((whole[at] ^ 0x41,)) + whole[at + 1 :], whole[:at]):
            shutil.rmtree(cache, ignore_errors=True)
            cache.mkdir(mode=0o700)
            (cache / first.name).write_bytes(damage)
            other = tmp_path / f"{number} {len(damage)}"
            parsed, made = encoded(shop(other))
            assert made == clean
            assert 0 <= parsed <= len(FILES)
            shutil.rmtree(other)
    parsed, made = encoded(shop(tmp_path / "after"))
    assert made == clean, "what was damaged has been replaced"


def test_what_another_installation_wrote_is_not_believed(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("RPG_DATA", str(tmp_path / "of another"))
        encoded(shop(tmp_path / "one"))
    assert packs(cache)
    assert encoded(shop(tmp_path / "other"))[0] == len(FILES)
    assert encoded(shop(tmp_path / "third"))[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
@pytest.mark.parametrize("what", ["a link", "a file", "a pipe", "read by others", "a link in it"])
def test_a_cache_that_is_not_ours_is_neither_read_nor_written(tmp_path: Path, cache: Path, what: str) -> None:
    one = shop(tmp_path / "one")
    encoded(one)
    [pack] = packs(cache)
    aside = tmp_path / "aside"
    if what == "a link in it":
        os.rename(pack, aside)
        pack.symlink_to(aside)
    elif what == "read by others":
        cache.chmod(0o755)
    else:
        os.rename(cache, aside)
        if what == "a link":
            cache.symlink_to(aside)
        elif what == "a file":
            cache.write_text("")
        else:
            os.mkfifo(cache)
    before = sorted(path.name for path in aside.iterdir()) if aside.is_dir() else aside.exists() and aside.read_bytes()
    assert encoded(shop(tmp_path / "other"))[0] == len(FILES)
    assert before == (
        sorted(path.name for path in aside.iterdir()) if aside.is_dir() else aside.exists() and aside.read_bytes()
    )


def test_it_can_be_switched_off(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("RPG_CACHE", "off"), ("RPG_CACHE_MB", "0")):
        with monkeypatch.context() as off:
            off.setenv(name, value)
            assert encoded(shop(tmp_path / name))[0] == len(FILES)
            assert not cache.exists()


def test_unmasked_text_is_not_stored(tmp_path: Path, cache: Path) -> None:
    output = tmp_path / "open.graph.json"
    encode(shop(tmp_path / "one"), output, Options(mask_secrets=False))
    assert not cache.exists()


def test_a_whole_encode_is_one(tmp_path: Path) -> None:
    encoded(shop(tmp_path / "one"))
    other = shop(tmp_path / "other")
    assert encode(other, tmp_path / "other.graph.json", Options(), full=True).parsed == len(FILES)


def test_two_processes_fill_and_read_it_at_once(tmp_path: Path, cache: Path) -> None:
    roots = [shop(tmp_path / name) for name in ("one", "other", "third")]
    command = [sys.executable, "-c", "import sys; from rpg.cli import run; sys.exit(run(sys.argv[1:]))", "encode"]
    processes = [
        subprocess.Popen([*command, str(root), "-o", str(root.parent / "shop.graph.json")], stdout=subprocess.DEVNULL)
        for root in roots
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    made = [(root.parent / "shop.graph.json").read_bytes() for root in roots]
    assert made == [from_nothing(roots[0])[0]] * 3
    assert encoded(shop(tmp_path / "fourth"))[0] == 0
    assert all(path.suffix == ENDING for path in cache.iterdir())


def test_what_a_killed_process_left_is_swept(tmp_path: Path, cache: Path) -> None:
    encoded(shop(tmp_path / "one"))
    young, old = (cache / f"0123456789abcdef.pack.0000000{number}.tmp" for number in (1, 2))
    for path in (young, old):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2 * ABANDONED_SECONDS,) * 2)
    assert encoded(shop(tmp_path / "other"))[0] == 0
    assert young.exists()
    assert not old.exists()


def test_what_was_used_longest_ago_leaves(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPG_CACHE_MB", "1")
    cache.mkdir(parents=True)
    for number in range(3):
        blocks = BlockCache(cache, b"secret")
        blocks.add(b"%d" % number, bytes((number,)) * 300_000)
        blocks.close()
        for path in packs(cache):
            os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns - 10**12))
    blocks = BlockCache(cache, b"secret")
    assert blocks.find(b"0")
    blocks.close()
    blocks = BlockCache(cache, b"secret")
    blocks.add(b"3", b"3" * 300_000)
    blocks.close()
    blocks = BlockCache(cache, b"secret")
    assert [blocks.find(b"%d" % number) is not None for number in range(4)] == [True, False, True, True]
    blocks.close()


def test_small_packs_are_put_together(cache: Path) -> None:
    cache.mkdir(parents=True)
    for number in range(MOST_SMALL + 2):
        blocks = BlockCache(cache, b"secret")
        blocks.add(b"%d" % number, b"block %d" % number)
        blocks.close()
    assert len(packs(cache)) <= 2
    blocks = BlockCache(cache, b"secret")
    assert all(blocks.find(b"%d" % number) == b"block %d" % number for number in range(MOST_SMALL + 2))
    assert blocks.find(b"another") is None
    blocks.close()


def test_work_on_one_language_leaves_what_was_made_of_others() -> None:
    of_python, of_go = modules_of("python"), modules_of("go")
    assert "rpg.encoder.languages.python.strings" in of_python - of_go
    assert "rpg.encoder.languages.go.types" in of_go - of_python
    assert "rpg.encoder.languages.go.types" in modules_of("markdown"), "its examples may be in Go"
    assert not any(module.startswith(("rpg.encoder.resolve", "rpg.queries", "rpg.stores")) for module in of_python)


LOADED = """
import sys
from rpg.encoder.languages import BY_NAME
from rpg.encoder.parsing import one_file
for name in sys.argv[1:]:
    BY_NAME[name].lowering
    print(name, *(module for module in sys.modules if module.startswith("rpg.")))
"""


@pytest.mark.parametrize("first", ["python", "vue", "erb", "yaml", "go"])
def test_every_module_that_a_language_loads_belongs_to_its_version(first: str) -> None:
    """Those of the language that is loaded first are all new; of the others, what they add."""
    others = [language.name for language in LANGUAGES if language.name != first] if first == "python" else []
    ran = subprocess.run([sys.executable, "-c", LOADED, first, *others], capture_output=True, text=True, check=True)
    known: set[str] = set()
    for line in ran.stdout.splitlines():
        name, *loaded = line.split()
        missing = set(loaded) - known - modules_of(name)
        assert not missing, f"{name}: {missing}"
        known.update(loaded)
