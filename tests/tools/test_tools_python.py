"""`import rpg`: the tools as methods, and nothing imported before it is used."""

from __future__ import annotations

import mmap
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest
from repositories import repository
from shop import SOURCES, write_graph, write_repository

import rpg
from rpg.errors import BadRequest, SymbolNotFound
from rpg.repository import index_path
from rpg.stores.graph_file import graph_file
from rpg.tools import TOOLS


def test_every_tool_is_a_method_of_an_open_graph(tmp_path: Path) -> None:
    path = write_graph(write_repository(tmp_path / "shop"), tmp_path / "shop.graph.json")

    with rpg.open(path) as graph:
        (found,) = graph.find_usages(symbol="Base.save").symbols
        assert found.total == {"possible": 1}
        assert found.possible[0].usages[0].source == "place"
        assert set(TOOLS) <= set(dir(graph))
        with pytest.raises(SymbolNotFound):
            graph.fetch(targets=["Nothing"])
        with pytest.raises(BadRequest, match="no argument 'nothing'"):
            graph.stats(nothing=1)
        with pytest.raises(AttributeError, match="unknown tool 'find'"):
            graph.find  # noqa: B018


def test_a_tool_takes_its_first_argument_without_its_name_and_tells_all(tmp_path: Path) -> None:
    path = write_graph(write_repository(tmp_path / "shop"), tmp_path / "shop.graph.json")

    with rpg.open(path) as graph:
        assert graph.find_usages("Base.save").symbols == graph.find_usages(symbol="Base.save").symbols
        assert graph.fetch("Base.save").symbols == graph.fetch(targets=["Base.save"]).symbols
        with pytest.raises(BadRequest, match="find_usages takes symbol without its name; by their names: "):
            graph.find_usages("Base.save", "code")
        told = pydoc.plain(pydoc.render_doc(graph.find_usages))
        assert "find_usages(symbol" in told
        assert "max_tokens" in told


def test_the_whole_graph_is_given_as_one_of_networkx(tmp_path: Path) -> None:
    path = write_graph(write_repository(tmp_path / "shop"), tmp_path / "shop.graph.json")
    ours = graph_file.read(path)

    with rpg.open(path) as graph:
        made = graph.to_networkx()

    assert set(made) == {symbol.id for symbol in ours.symbols}
    assert sorted((a, b, about["edge_kind"], about["via"]) for a, b, about in made.edges(data=True)) == sorted(
        (edge.source, edge.target, edge.kind, edge.via) for edge in ours.edges
    )
    name, about = next((name, about) for name, about in made.nodes(data=True) if about["name"] == "save")
    symbol = next(symbol for symbol in ours.symbols if symbol.id == name)
    assert (about["kind"], about["path"], about["start_line"]) == (symbol.kind, symbol.path, symbol.start_line)


def test_encode_writes_into_the_repository_unless_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    root = repository(tmp_path / "shop", dict(SOURCES))
    stages = []

    made = rpg.encode(
        root, output=str(tmp_path / "mine.graph.json"), full=True, progress=lambda stage, *_: stages.append(stage)
    )

    assert made.graph_file == str(tmp_path / "mine.graph.json")
    assert made.files >= 5
    assert stages[0] == "parse"
    assert rpg.encode(root).graph_file == str(root / ".rpg" / "shop.graph.json")


def test_encoding_what_is_loaded_and_did_not_change_makes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "shop.graph.json"
    root = repository(tmp_path / "shop", dict(SOURCES))
    made = rpg.encode(root, output=str(path))
    index = index_path(path)

    with rpg.open(path) as graph:
        graph.stats()
        graph.stats()  # from here on the system tells what is touched
        index_bytes = index.read_bytes()
        again = graph.encode()

        assert (again.up_to_date, again.parsed, again.changes) == (True, 0, {})
        # The first may have started from another graph of the same repository; this one has all from its own.
        assert (again.files, again.reused, again.symbols, again.edges) == (
            made.files, made.parsed + made.reused, made.symbols, made.edges,
        )  # fmt: skip
        assert index.read_bytes() == index_bytes
        assert not graph.encode(full=True).reused
        assert not graph.encode(include=["*.py"]).up_to_date


def test_encoding_finds_an_edit_that_the_system_did_not_tell(tmp_path: Path) -> None:
    path = tmp_path / "shop.graph.json"
    root = repository(tmp_path / "shop", dict(SOURCES))
    rpg.encode(root, output=str(path))

    with (
        open(root / "shop" / "cart.py", "r+b") as file,
        mmap.mmap(file.fileno(), 0) as mapped,
        rpg.open(path) as graph,
    ):
        graph.stats()
        graph.stats()
        mapped[:15] = b"import requestz"
        mapped.flush()
        found = graph.encode()

        assert not found.up_to_date
        assert found.changes == {"modified": ["shop/cart.py"]}


def test_importing_rpg_imports_nothing_else() -> None:
    program = "import sys, rpg; print([name for name in sys.modules if name.startswith('rpg.')])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"
