"""A graph file that is written a moment after its index: whoever comes next finds it whole, or makes it so."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import commit, repository

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.repository import Freshness, Repository, encode, index_path
from rpg.repository.encoding import deferred_write
from rpg.repository.encoding.encode import writing
from rpg.repository.encoding.repair import finish_graph_file, take_edits
from rpg.stores.index.index import Index, read_meta

SHOP = "def buy():\n    return 1\n\n\ndef sell():\n    return buy()\n"
CART = "import shop\n\n\ndef fill():\n    shop.buy()\n"
SELL = SHOP.replace("    return buy()", "    buy()\n    return buy()")
FILL = CART.replace("shop.buy()", "shop.sell()")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "cart.py").write_text(CART)
    return root


@pytest.fixture
def graph(root: Path, tmp_path: Path) -> Path:
    graph = tmp_path / "shop.graph.json"
    encode(root, graph, Options())
    return graph


def edit(root: Path, graph: Path, name: str, text: str) -> None:
    """As a repair does before its answer; what follows is left undone, as if it had been killed there."""
    (root / name).write_text(text)
    generation = read_meta(index_path(graph))["generation"]
    assert take_edits(graph, root, Options(), generation, (name,), 0.0) not in (None, "", generation)
    assert deferred_write.is_deferred(graph)


def clean(root: Path) -> tuple[bytes, list[object]]:
    made = root.parent / "clean.graph.json"
    encode(root, made, Options(), full=True)
    return made.read_bytes(), answers(made)


def answers(graph: Path) -> list[object]:
    index = Index.open_read_only(index_path(graph))
    try:
        ends = "SELECT s.symbol, t.symbol, e.kind, e.via, e.sites FROM edges e JOIN symbols s ON s.id = e.source"
        edges = index.rows(f"{ends} JOIN symbols t ON t.id = e.target ORDER BY e.source, e.position")
        return [edges, index.rows("SELECT path, hash FROM files ORDER BY path")]
    finally:
        index.close()


def by_who_writes(root: Path, graph: Path) -> None:
    with writing(graph):
        pass


def by_who_encodes(root: Path, graph: Path) -> None:
    assert encode(root, graph, Options()).parsed == 0


def by_who_starts_to_serve(root: Path, graph: Path) -> None:
    repository = Repository.open(graph)
    assert repository.refresh() == Freshness()
    repository.close()


def by_who_compares(root: Path, graph: Path) -> None:
    assert run(["diff", str(graph), str(graph)]) == 0


def by_who_writes_it_all_as_it_is_gone(root: Path, graph: Path) -> None:
    graph.unlink()
    by_who_starts_to_serve(root, graph)


FINISHERS = [
    by_who_writes, by_who_encodes, by_who_starts_to_serve, by_who_compares, by_who_writes_it_all_as_it_is_gone,
]  # fmt: skip


@pytest.mark.invariant("encoding", "a graph file that is behind its index is completed by the next process")
@pytest.mark.parametrize("finish", FINISHERS)
@pytest.mark.parametrize("edits", [[("shop.py", SELL)], [("shop.py", SELL), ("cart.py", FILL), ("shop.py", SHOP)]])
def test_a_late_graph_file_is_finished(
    root: Path, graph: Path, edits: list[tuple[str, str]], finish: Callable[[Path, Path], None]
) -> None:
    before = graph.read_bytes()
    for name, text in edits:
        edit(root, graph, name, text)
    assert graph.read_bytes() == before
    expected = clean(root)
    assert answers(graph) == expected[1]
    finish(root, graph)
    assert not deferred_write.is_deferred(graph)
    assert (graph.read_bytes(), answers(graph)) == expected
    by_who_encodes(root, graph)
    assert graph.read_bytes() == expected[0]


def test_who_serves_already_answers_from_the_index(root: Path, graph: Path) -> None:
    repository = Repository.open(graph)
    assert repository.refresh() == Freshness()
    edit(root, graph, "shop.py", SELL)
    assert repository.refresh() == Freshness()
    assert repository.index.source("shop.py").decode() == SELL
    assert deferred_write.is_deferred(graph)
    finish_graph_file(graph)
    assert repository.refresh() == Freshness()
    assert repository.index.source("shop.py").decode() == SELL
    (root / "cart.py").write_text(FILL)
    assert repository.refresh() == Freshness(refreshed=("cart.py",))
    repository.close()
    assert graph.read_bytes() == clean(root)[0]


def test_a_file_that_another_program_wrote_meanwhile_is_not_taken_for_the_old_one(root: Path, graph: Path) -> None:
    edit(root, graph, "shop.py", SELL)
    graph.write_bytes(graph.read_bytes().replace(b'"fill"', b'"gift"'))
    by_who_starts_to_serve(root, graph)
    assert graph.read_bytes() == clean(root)[0]


def test_writing_that_is_not_wanted_any_more_is_left_for_later(root: Path, graph: Path) -> None:
    before = graph.read_bytes()
    edit(root, graph, "shop.py", SELL)
    with writing(graph, finish=False):
        assert not deferred_write.finish(graph, lambda: False)
    assert graph.read_bytes() == before
    assert not list(graph.parent.glob("*.tmp"))
    assert finish_graph_file(graph).read_bytes() == clean(root)[0]


def test_edits_that_concern_everything_are_left_to_who_looks_at_all(root: Path, graph: Path) -> None:
    (root / "shop.py").write_text(SHOP + "\n\ndef __getattr__(name):\n    return name\n")
    assert take_edits(graph, root, Options(), read_meta(index_path(graph))["generation"], ("shop.py",), 0.0) is None
    assert not deferred_write.is_deferred(graph)


def test_nothing_is_done_to_another_generation(root: Path, graph: Path) -> None:
    assert take_edits(graph, root, Options(), "another", ("shop.py",), 0.0) == ""


def test_after_a_commit_the_header_alone_is_written(root: Path, graph: Path) -> None:
    repository(root, {"shop.py": SELL})
    assert encode(root, graph, Options()).parsed == 1
    (root / "cart.py").write_text(FILL)
    assert encode(root, graph, Options()).parsed == 1
    before = graph.read_bytes()
    commit(root)
    summary = encode(root, graph, Options())
    assert (summary.parsed, summary.changed) == (0, True)
    assert graph.read_bytes() == clean(root)[0] != before
    assert not encode(root, graph, Options()).changed
