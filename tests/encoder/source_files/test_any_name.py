"""What the encoder may write, the reader takes: files of any name, in any folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repositories import repository, write

import rpg
from rpg.encoder.options import DEFAULT
from rpg.encoder.source_files.selection import NameSource, Rules, Status, select
from rpg.graph import RULES_VERSION, Graph, Symbol
from rpg.repository import encode
from rpg.stores.graph_file import graph_file

CODE = "def price():\n    return 1\n"
NO_PLACES = (
    "c:/x.py", "C:", "git~1", "GIT~1/x.py", ".git /x.py", ".git ", ".git./x.py", ".git\\x.py", ".g\u200dit/x.py",
    ".git::$INDEX/x.py", ".git:x", "a/.GIT::$DATA", "a/git~1. /x.py", ".git\ufeff", "a/.git\\..\\x.py",
    ".git\udcff/x.py", "c:\\\udcff.py", ".git\\\u212b.py", ".git\\A\u030a.py",
)  # fmt: skip
"""Names that some file system, or git, would take for a place outside or for git's own folder."""
ODD = (
    "a\nb.py", "a\tb.py", "\x1b[2J.py", "\u202egnp.py", "a::b.py", "shop.py::price", "./\u2028.py", " .py", "-rf.py",
    "<areas>", "*.py", "é.py", "e\u0301.py", "\udc80.py", "x" * 255, "y" * 200 + "/" + "y" * 200 + ".py", "~2",
    "a~2.py", '"quoted".py', "{}.py", "con.py", "%s.py", "\\", "\x7f\x80.py", "\ud7ff.py",
)  # fmt: skip


def made(root: Path, name: str) -> bool:
    """Whether the file system takes a file of that name."""
    try:
        write(root, {name: CODE.replace("price", "other")})
    except OSError:
        return False
    return True


@pytest.mark.invariant(
    "encoding",
    "whatever the files of a repository are called, its graph can be read, and answers about other files are the same",
)
@pytest.mark.parametrize("name", [*NO_PLACES, *ODD])
def test_a_file_name_changes_no_answer_about_other_files(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path / "shop", {"shop.py": CODE, "uses.py": "from shop import price\n\nprice()\n"})
    if not made(root, name):
        pytest.skip("no file can have that name here")

    rpg.encode(root)
    with rpg.open(root) as graph:
        first = graph.find_usages(symbol=["shop.py::price"])
        write(root, {"uses.py": "from shop import price\n\nprice()\nprice()\n"})
        second = graph.find_usages(symbol=["shop.py::price"])
        third = graph.find_usages(symbol=["shop.py::price"])

    assert first.symbols[0].total["certain"] == 1
    assert second.symbols[0].total["certain"] == 2
    assert second.state.refreshed == ["uses.py"]
    assert (third.state.refreshed, third.state.stale, third.state.note) == ([], [], "")
    assert graph_file.read(root / ".rpg" / "shop.graph.json").symbols


@pytest.mark.parametrize("name", NO_PLACES)
def test_a_file_that_is_left_out_for_its_name_may_use_a_symbol(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path / "shop", {"shop.py": CODE})
    if not made(root, name) or not name.endswith(".py"):
        pytest.skip("no file of code can have that name here")

    rpg.encode(root)
    with rpg.open(root) as graph:
        (used,) = graph.find_usages(symbol=["shop.py::price"]).symbols

    assert not used.complete
    assert len(used.unread) == 1


letters = st.one_of(
    st.sampled_from([".", "g", "i", "t", "~", "1", ":", "\\", " ", "/", "c", "\u200d", "\ufeff", "\udcff", "\u212b"]),
    st.characters(exclude_categories=["Cs"]),
    st.integers(0xDC80, 0xDCFF).map(chr),
    st.integers(0xD800, 0xDFFF).map(chr),
)
names = st.text(letters, min_size=1, max_size=12).filter(lambda name: "\0" not in name)
long_names = names.flatmap(lambda name: st.integers(1, 2000).map(lambda times: name * times))


@pytest.mark.invariant(
    "encoding",
    "whatever the files of a repository are called, its graph can be read, and answers about other files are the same",
)
@settings(max_examples=400)
@given(st.lists(st.one_of(names, long_names), max_size=6), st.sampled_from(["file", "link", "odd", "large"]))
def test_what_is_listed_can_be_written_and_is_read_back(listed: list[str], kind: str) -> None:
    """As git's index, a walk or a revision returns names: nothing is asked of a file system."""
    large = Status("file", DEFAULT.max_bytes + 1)
    status = {"link": Status("link"), "odd": Status("not a regular file"), "large": large}.get(kind, Status("file"))
    place = NameSource([*listed, "shop.py"], lambda name: status, lambda name: "..", lambda folder: True)
    found = select(place, Rules(DEFAULT), "git")
    header: dict[str, Any] = {"rules": RULES_VERSION, "skipped": [each._asdict() for each in found.skipped]}
    symbols = [Symbol(each.path, "module", each.path, each.path, each.path) for each in found.entries]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shop.graph.json"
        graph_file.write(path, Graph(header, symbols, [], []))

        read = graph_file.read(path)

    assert [symbol.path for symbol in read.symbols] == [each.path for each in found.entries]
    assert read.header["skipped"] == header["skipped"]


parts = st.one_of(letters, st.sampled_from(["é", "e\u0301", "\n", "shop.py::price", "::", ".py", ".md", "~2", '"']))
on_disk = (
    st.lists(parts, min_size=1, max_size=12)
    .map("".join)
    .filter(lambda name: "\0" not in name and ".." not in name.split("/"))
)


@settings(max_examples=25)
@given(st.lists(on_disk, min_size=1, max_size=5), st.booleans())
def test_a_folder_with_files_of_any_name_has_a_graph_that_can_be_read(listed: list[str], in_git: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files: dict[str, str | bytes] = {"shop.py": CODE}
        root = repository(Path(folder) / "shop", files) if in_git else write(Path(folder) / "shop", files)
        for name in listed:
            try:
                if not os.path.isabs(name) and not name.startswith(".git/"):
                    made(root, name)
            except UnicodeEncodeError:
                continue
        graph = Path(folder) / "shop.graph.json"
        encode(root, graph, DEFAULT, workers=1)

        assert "shop.py::price" in {symbol.id for symbol in graph_file.read(graph).symbols}
        again = encode(root, graph, DEFAULT, workers=1)

    assert not again.changed
