"""What came with a repository in the place of its graph, of any kind and size, is in nobody's way."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import CODE, RPG, SECONDS, Ended
from repositories import ENVIRONMENT, repository, write
from wire import call, serving, text_of

import rpg as product
from rpg.cli.failures import DONE, FAILED, NOTHING_FOUND
from rpg.encoder.options import DEFAULT
from rpg.errors import GraphNotLoaded
from rpg.graph import FORMAT, FORMAT_VERSION
from rpg.repository import encode, index_path
from rpg.stores.graph_file import graph_file
from rpg.stores.graph_opening import COMPACT_OPENING, OPENING

HUGE = 3 << 30
MEMORY = 2 << 30
"""Address space of a command: less than any of the files has."""
HEADER = OPENING + b'{"format":"%s","version":%d}' % (FORMAT.encode(), FORMAT_VERSION)


def huge(start: bytes) -> Callable[[Path], None]:
    """A sparse file, which is tiny in an archive."""

    def make(path: Path) -> None:
        with open(path, "wb") as file:
            file.write(start)
            file.truncate(HUGE)

    return make


def folder(path: Path) -> None:
    path.mkdir()
    (path / "mine").write_text("mine")


def link(path: Path) -> None:
    (path.parent.parent.parent / "outside").write_text("mine")
    path.symlink_to(path.parent.parent.parent / "outside")


NO_GRAPHS: dict[str, Callable[[Path], None]] = {
    "zeros": huge(b""),
    "zeros in its header": huge(OPENING),
    "zeros behind a compressed beginning": huge(COMPACT_OPENING),
    "zeros behind a brace": huge(b"{"),
    "another layout": huge(b'{"graph": {"format": "%s"}, "nodes": [' % FORMAT.encode()),
    "blanks": lambda path: path.write_bytes(b" " * (4 << 20)) and None,
    "nothing": lambda path: path.write_bytes(b"") and None,
    "text": lambda path: path.write_text("mine") and None,
    "folder": folder,
    "pipe": os.mkfifo,
    "link": link,
}
DAMAGED_GRAPHS: dict[str, Callable[[Path], None]] = {
    "zeros behind its header": huge(HEADER + b',\n"nodes":[\n'),
    "cut off": lambda path: path.write_bytes(HEADER + b',\n"nodes":[\n{"id":0,') and None,
    "newer": lambda path: (
        path.write_bytes(OPENING + b'{"format":"%s","version":99},\n"nodes":[\n],\n"edges":[\n]\n}\n' % FORMAT.encode())
        and None
    ),
    "wrong options": lambda path: (
        path.write_bytes(
            OPENING
            + b'{"format":"%s","version":1,"options":{"max_bytes":"many"}},\n"nodes":[\n],\n"edges":[\n]\n}\n'
            % FORMAT.encode()
        )
        and None
    ),
}
NAMES = ("graph.json", "graph.db", "graph.db-lock", "graph.db-wal", "graph.db-shm", "graph.db-journal",
         "graph.db-vectors", "graph.db-lifted", "graph.db-vectors-wal")  # fmt: skip


@pytest.fixture(autouse=True)
def no_repository_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = repository(tmp_path / "shop", {"shop.py": CODE})
    (root / ".rpg").mkdir()
    return root


def rpg(where: Path, *arguments: str) -> Ended:
    """Runs the command there with little memory."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    environment = ENVIRONMENT | {"RPG_DATA": str(where.parent / "data"), "HOME": str(where.parent)}
    environment.pop("RPG_GRAPH", None)
    process = subprocess.run(
        [*RPG, *arguments], cwd=where, env=environment, capture_output=True, stdin=subprocess.DEVNULL,
        timeout=SECONDS, preexec_fn=limit,
    )  # fmt: skip
    ended = Ended(process.returncode, process.stdout.decode(), process.stderr.decode())
    assert "Traceback" not in ended.errors, ended.errors
    return ended


@pytest.mark.invariant(
    "trust",
    "what takes the place of a graph, of any kind and size, is refused by its first bytes; in a `.rpg` it"
    " is moved aside and named, and is in the way of no command and no server",
)
@pytest.mark.parametrize("kind", [*NO_GRAPHS, *DAMAGED_GRAPHS])
def test_what_is_no_graph_is_in_the_way_of_no_command(shop: Path, kind: str) -> None:
    place = shop / ".rpg" / "shop.graph.json"
    (NO_GRAPHS | DAMAGED_GRAPHS)[kind](place)
    before = os.lstat(place).st_ino

    asked = rpg(shop, "usages", "price")
    encoded = rpg(shop, "encode")
    after = rpg(shop, "usages", "price")

    assert asked.code in (DONE, FAILED)
    assert asked.code == DONE or "make one with `rpg encode`" in asked.errors
    assert (encoded.code, after.code) == (DONE, DONE), (encoded, after)
    assert "1 call" in after.output
    aside = shop / ".rpg" / "shop.graph.json.aside"
    if kind in NO_GRAPHS:
        assert (
            "shop.graph.json was not made by rpg, and is now .rpg/shop.graph.json.aside"
            in asked.output + asked.errors + encoded.output  # of a small repository, the query makes the graph
        )
        assert os.lstat(aside).st_ino == before
    else:
        assert not aside.exists()


@pytest.mark.invariant(
    "trust",
    "what takes the place of a graph, of any kind and size, is refused by its first bytes; in a `.rpg` it"
    " is moved aside and named, and is in the way of no command and no server",
)
@pytest.mark.parametrize("kind", [*NO_GRAPHS, *DAMAGED_GRAPHS])
def test_what_is_no_graph_is_in_the_way_of_no_server(shop: Path, kind: str) -> None:
    (NO_GRAPHS | DAMAGED_GRAPHS)[kind](shop / ".rpg" / "shop.graph.json")

    with serving(shop) as wire:
        wire.send(call(1, "encode"))
        assert "1 files" in text_of(wire.answer())
        wire.send(call(2, "find_usages", symbol=["price"]))
        assert "1 call" in text_of(wire.answer())


@pytest.mark.parametrize("kind", ["zeros", "text", "folder", "pipe", "link"])
@pytest.mark.parametrize("name", NAMES[1:])
def test_what_lies_beside_a_graph_and_is_not_ours_is_in_the_way_of_nothing(shop: Path, name: str, kind: str) -> None:
    NO_GRAPHS[kind](shop / ".rpg" / f"shop.{name}")

    encoded = rpg(shop, "encode")
    asked = rpg(shop, "usages", "price")

    assert (encoded.code, asked.code) == (DONE, DONE), (encoded, asked)
    assert kind != "link" or (shop.parent / "outside").read_text() == "mine"


@pytest.mark.parametrize("kind", ["zeros", "pipe", "folder"])
def test_an_ignore_file_that_git_would_read_for_long_is_moved_aside(shop: Path, kind: str) -> None:
    NO_GRAPHS[kind](shop / ".rpg" / ".gitignore")

    assert ".gitignore.aside" in rpg(shop, "encode").output

    assert (shop / ".rpg" / ".gitignore").read_text() == "*\n"


def test_several_files_that_are_no_graphs_leave_the_one_that_is(shop: Path) -> None:
    assert rpg(shop, "encode").code == DONE
    for name in ("a", "b"):
        huge(b"")(shop / ".rpg" / f"{name}.graph.json")
        huge(b"")(shop / f"{name}.graph.json")

    assert rpg(shop, "usages", "price").code == DONE
    assert sorted(path.name for path in (shop / ".rpg").glob("*.aside")) == []


def test_what_is_moved_aside_replaces_nothing(shop: Path) -> None:
    for number in range(3):
        (shop / ".rpg" / "shop.graph.json").write_text(str(number))
        assert rpg(shop, "encode", "-o", ".rpg/shop.graph.json").code == DONE

    kept = [shop / ".rpg" / f"shop.graph.json.aside{number}" for number in ("", "-2", "-3")]
    assert [path.read_text() for path in kept] == ["0", "1", "2"]


@pytest.mark.invariant(
    "trust",
    "what takes the place of a graph, of any kind and size, is refused by its first bytes; in a `.rpg` it"
    " is moved aside and named, and is in the way of no command and no server",
)
@pytest.mark.parametrize("kind", [*NO_GRAPHS, "zeros behind its header"])
def test_elsewhere_what_is_no_graph_is_refused_at_once_and_left(shop: Path, kind: str) -> None:
    place = shop.parent / "given.graph.json"
    place.parent.joinpath("outside").write_text("mine")
    if kind == "link":
        place.symlink_to(place.parent / "outside")
    else:
        (NO_GRAPHS | DAMAGED_GRAPHS)[kind](place)
    before = os.lstat(place).st_ino

    asked = rpg(shop, "usages", "price", "-g", str(place))

    assert asked.code == FAILED
    assert asked.errors.startswith("GRAPH_NOT_LOADED: ")
    assert str(place) in asked.errors
    assert os.lstat(place).st_ino == before


def test_a_whole_graph_that_is_larger_than_memory_is_refused(tmp_path: Path, shop: Path) -> None:
    """It is sound up to its end, and there are no sources."""
    encode(shop, tmp_path / "given.graph.json", DEFAULT)
    index_path(tmp_path / "given.graph.json").unlink()
    closing = (tmp_path / "given.graph.json").read_bytes()[-60:]
    with open(tmp_path / "given.graph.json", "r+b") as file:
        file.truncate(HUGE)
        file.seek(HUGE)
        file.write(closing)

    with pytest.raises(GraphNotLoaded, match=r"3072 MiB, and one that is served without its sources may have 1024"):
        graph_file.read(tmp_path / "given.graph.json")


def test_a_graph_of_ours_that_is_damaged_is_made_again_with_its_options(shop: Path) -> None:
    write(shop, {"tests/test_shop.py": "from shop import price\n\nprice()\n"})
    assert rpg(shop, "encode", "--exclude", "tests/").code == DONE
    place = shop / ".rpg" / "shop.graph.json"
    whole = place.read_bytes()
    place.write_bytes(whole[: len(whole) // 2])

    with product.open(shop) as graph:
        (used,) = graph.find_usages(symbol=["price"]).symbols

    assert used.tests == {}
    assert place.read_bytes() == whole
    assert rpg(shop, "usages", "nothing").code == NOTHING_FOUND
