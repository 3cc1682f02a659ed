"""`import rpg`: the tools as methods, and nothing imported before it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from repositories import repository
from shop import SOURCES, write_graph, write_repository

import rpg
from rpg.errors import BadRequest, SymbolNotFound
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
        with pytest.raises(AttributeError, match="no tool 'find'"):
            graph.find  # noqa: B018


def test_encode_writes_here_unless_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    root = repository(tmp_path / "shop", dict(SOURCES))
    stages = []

    made = rpg.encode(root, output=str(tmp_path / "mine.graph.json"), progress=lambda stage, *_: stages.append(stage))

    assert made.graph_file == str(tmp_path / "mine.graph.json")
    assert made.files >= 5
    assert stages[0] == "parse"
    assert rpg.encode(root).graph_file == str(tmp_path / "here" / "shop.graph.json")


def test_importing_rpg_imports_nothing_else() -> None:
    program = "import sys, rpg; print([name for name in sys.modules if name.startswith('rpg.')])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"
