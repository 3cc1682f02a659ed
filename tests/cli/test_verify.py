"""`rpg verify`: what was kept up to date is compared with what is made from nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.repository import encode, index_path, verify
from rpg.repository.encoding import saving
from rpg.repository.encoding.consistency import graph_stat
from rpg.repository.verification import first_difference
from rpg.stores.graph_file import graph_file
from rpg.stores.index.index import Index
from rpg.system.stamp import stamp_of

FILES = {
    "shop.py": "def buy():\n    return 1\n\n\ndef sell():\n    return buy()\n",
    "cart.py": "import shop\n\n\ndef fill():\n    shop.buy()\n",
}


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    root = write(tmp_path / "shop", FILES)
    graph = tmp_path / "shop.graph.json"
    encode(root, graph, Options())
    return graph


def test_a_graph_that_was_kept_up_to_date_is_the_same(graph: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(
        graph.parent / "shop", {"shop.py": FILES["shop.py"].replace("return 1", "return 2"), "new.py": "import cart\n"}
    )
    assert run(["verify", "-g", str(graph)]) == 0
    assert "the same: " in capfd.readouterr().out
    assert "new.py" in graph.read_text()


def test_the_size_is_that_of_the_json_also_if_the_file_is_compressed(
    graph: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plain = graph.stat().st_size
    small = graph.with_name("small.graph.json.zst")
    encode(graph.parent / "shop", small, Options())
    assert small.stat().st_size < plain
    for each in (graph, small):
        assert run(["verify", "-g", str(each)]) == 0
        assert f"the same: {plain:,} bytes of JSON, " in capfd.readouterr().out


def spoil(graph: Path, header: bool = False) -> None:
    """As a wrong incremental encode would leave it: graph file and index agree, and are sealed."""
    whole = graph_file.read(graph)
    edges = [edge for edge in whole.edges if edge.kind != "calls" or edge.target != "shop.py::buy"]
    more = whole.header | {"files": 7} if header else whole.header
    staged = graph_file.stage(graph, more, whole.symbols, whole.edges if header else edges)
    index = Index.open(index_path(graph))
    try:
        saving.publish(index, staged, saving.graph_marks(staged, index.meta("graph_hash")))
        assert index.meta("graph_stat") == graph_stat(stamp_of(graph.stat()), int(index.meta("graph_stat").split()[-1]))
    finally:
        index.close()


def test_the_first_difference_is_named(graph: Path, capfd: pytest.CaptureFixture[str]) -> None:
    spoil(graph)
    assert run(["verify", "-g", str(graph)]) == 1
    said = capfd.readouterr().out
    assert "an edge (" in said
    assert "shop.py::buy" in said or "cart.py" in said
    assert run(["encode", str(graph.parent / "shop"), "-o", str(graph), "--full"]) == 0
    assert not verify(graph).difference


def test_a_header_and_an_end_are_differences_too(graph: Path, tmp_path: Path) -> None:
    before = graph.read_bytes()
    other = tmp_path / "other.graph.json"
    other.write_bytes(before)
    assert first_difference(graph, other) == ""
    spoil(graph, header=True)
    assert "the header" in first_difference(graph, other)
    assert "files: 7 and 2" in first_difference(graph, other)
    other.write_bytes(before[:-3])
    graph.write_bytes(before)
    assert "nothing" in first_difference(graph, other)


def test_a_graph_without_its_sources_is_refused(graph: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    alone = tmp_path / "alone" / "shop.graph.json"
    alone.parent.mkdir()
    alone.write_bytes(graph.read_bytes())
    assert run(["verify", "-g", str(alone)]) == 3
    assert "sources" in capfd.readouterr().err


def test_nothing_is_left_behind(graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    verify(graph)
    assert list((tmp_path / "temporary").iterdir()) == []
