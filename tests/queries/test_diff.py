"""`rpg diff`: what two graphs or two revisions have that the other has not, with the work tree left alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from repositories import commit, git, repository, write
from shop import write_repository
from syrupy.assertion import SnapshotAssertion

from rpg.cli import run
from rpg.encoder.options import options_for
from rpg.graph import Edge, Symbol
from rpg.repository import commit_of, graphs_of
from rpg.stores.graph_file.nodes import add_symbol_ids

CART = "class Cart:\n    def total(self):\n        return price()\n\n\ndef price():\n    return 1\n"
SHOP = "from cart import Cart\n\n\ndef buy():\n    return Cart().total()\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder without graphs, outside git; those above it are not looked for."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    (tmp_path / ".git").mkdir()
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of three commits on main, and a branch from the first; the current folder."""
    root = repository(tmp_path / "shop", {"cart.py": CART, "shop.py": SHOP})
    git(root, "tag", "first")
    write(root, {"cart.py": CART.replace("def price():", "def price(tax=0):")})
    commit(root)
    write(root, {"shop.py": SHOP.replace("buy", "sell"), "tax.py": "RATE = 2\n"})
    commit(root)
    git(root, "checkout", "-q", "-b", "topic", "first")
    write(root, {"cart.py": CART + "\n\ndef gift():\n    return Cart()\n"})
    commit(root)
    git(root, "checkout", "-q", "main")
    monkeypatch.chdir(root)
    return root


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["diff", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(["diff", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


def everything_in(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file, git's own too, with its time."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()
    }


# Graph files


def test_two_graph_files_are_compared(
    here: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    root = write_repository(here / "shop")
    assert run(["encode", "shop", "-o", "before.graph.json"]) == 0
    cart = root / "shop" / "cart.py"
    cart.write_text(cart.read_text().replace("def add(self, item)", "def put(self, item, number=1)"))
    (root / "shop" / "base.py").write_text((root / "shop" / "base.py").read_text().replace("    pass", "    return 1"))
    assert run(["encode", "shop", "-o", "after.graph.json"]) == 0
    capsys.readouterr()

    assert run(["diff", "before", "after"]) == 0
    assert capsys.readouterr().out == snapshot
    found = said(capsys, "before", "after.graph.json")
    assert found["symbols_lost"] == ["shop/cart.py::Cart.add"]
    assert {(edge["source"], edge["kind"], edge["via"], *edge["sites"]) for edge in found["edges_lost"]} == {
        ("shop/cart.py::Cart.add", "references", "scope", "13:30"),
        ("shop/orders.py::checkout", "calls", "constructor", "6:10"),
    }
    assert said(capsys, "after", "before")["symbols_gained"] == found["symbols_lost"]


def test_gained_and_lost_are_what_the_files_say(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counted anew from the JSON of both graphs, `contains` left out."""
    graphs = []
    for name in ("topic", "main"):
        git(root, "checkout", "-q", name)
        assert run(["encode", ".", "-o", f"../{name}.graph.json"]) == 0
        graphs.append(add_symbol_ids(json.loads((root.parent / f"{name}.graph.json").read_bytes())))
    ids = [{node["id"] for node in graph["nodes"]} for graph in graphs]
    edges = [
        {tuple(edge[key] for key in ("source", "kind", "target", "via")) for edge in graph["edges"]} for graph in graphs
    ]

    found = said(capsys, "../topic.graph.json", "../main.graph.json")

    assert set(found["symbols_gained"]) == ids[1] - ids[0] == {"shop.py::sell", "tax.py", "tax.py::RATE"}
    assert set(found["symbols_lost"]) == ids[0] - ids[1] == {"shop.py::buy", "cart.py::gift"}
    for key, kept, other in (("edges_gained", edges[1], edges[0]), ("edges_lost", edges[0], edges[1])):
        expected = {edge for edge in kept - other if edge[1] != "contains"}
        assert expected
        assert {tuple(edge[key] for key in ("source", "kind", "target", "via")) for edge in found[key]} == expected
    assert found["total"]["edges gained"] == len(found["edges_gained"])


def test_a_renamed_file_is_shown_as_renamed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repository(here / "shop")
    (root / "other.py").write_text("def unlike(): ...\n")
    assert run(["encode", "shop", "-o", "before.graph.json"]) == 0
    (root / "store").mkdir()
    (root / "shop" / "cart.py").rename(root / "store" / "basket.py")
    (root / "store" / "basket.py").write_text((root / "store" / "basket.py").read_text().replace("price", "cost"))
    (root / "other.py").rename(root / "unlike.py")
    (root / "unlike.py").write_text("def nothing_like_it(): return 1\n")
    assert run(["encode", "shop", "-o", "after.graph.json"]) == 0
    capsys.readouterr()
    found = said(capsys, "before", "after")
    assert run(["diff", "before", "after"]) == 0

    assert "> shop/cart.py -> store/basket.py" in capsys.readouterr().out
    assert found["renamed"] == [{"old": "shop/cart.py", "new": "store/basket.py"}]
    assert "store/basket.py::cost" in found["symbols_gained"]
    assert "store/basket.py::price" in found["symbols_lost"]
    assert not any("Cart" in id for id in (*found["symbols_gained"], *found["symbols_lost"]))
    assert {"other.py", "other.py::unlike"} <= set(found["symbols_lost"])


def test_a_symbol_that_is_contained_elsewhere_is_an_edge_gained_and_one_lost(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A method of Go stands in one file, its type in another, which may move."""
    method = "package shop\n\nfunc (c *Cart) Total() int { return 1 }\n"
    cart = "package shop\n\ntype Cart struct{}\n"
    write(here / "go", {"total.go": method, "cart.go": cart})
    assert run(["encode", "go", "-o", "a.graph.json"]) == 0
    write(here / "go", {"cart.go": "package shop\n", "types.go": cart})
    assert run(["encode", "go", "-o", "b.graph.json"]) == 0

    found = said(capsys, "a", "b")

    target = "total.go::Cart.Total"
    assert [edge["source"] for edge in found["edges_lost"] if edge["target"] == target] == ["cart.go::Cart"]
    assert [edge["source"] for edge in found["edges_gained"] if edge["target"] == target] == ["types.go::Cart"]


def test_graphs_that_were_made_in_other_ways_say_so(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["encode", ".", "-o", "../all.graph.json"]) == 0
    assert run(["encode", ".", "-o", "../some.graph.json", "--exclude", "tax.py"]) == 0

    assert "options" in said(capsys, "../all", "../some")["note"]
    assert "note" not in said(capsys, "../all", "../all")


# Revisions


@pytest.mark.parametrize(
    ("arguments", "names", "gained", "lost"),
    [
        (["HEAD~1"], ("HEAD~1", "HEAD"), ["shop.py::sell", "tax.py", "tax.py::RATE"], ["shop.py::buy"]),
        (["HEAD~2", "HEAD~1"], ("HEAD~2", "HEAD~1"), [], []),
        (["main", "first"], ("main", "first"), ["shop.py::buy"], ["shop.py::sell", "tax.py", "tax.py::RATE"]),
        (["first..topic"], ("first", "topic"), ["cart.py::gift"], []),
        (["main...topic"], ("main...topic", "topic"), ["cart.py::gift"], []),
        (["topic..HEAD~1"], ("topic", "HEAD~1"), [], ["cart.py::gift"]),
        (["HEAD~1.."], ("HEAD~1", "HEAD"), ["shop.py::sell", "tax.py", "tax.py::RATE"], ["shop.py::buy"]),
    ],
)  # fmt: skip
def test_revisions_are_compared(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], names: tuple[str, str],
    gained: list[str], lost: list[str],
) -> None:  # fmt: skip
    found = said(capsys, *arguments)

    assert (found["before"].split(" (")[0], found["after"].split(" (")[0]) == names
    assert (found.get("symbols_gained", []), found.get("symbols_lost", [])) == (gained, lost)


def test_a_changed_symbol_says_in_what(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "HEAD~2", "HEAD~1")["symbols_changed"] == [{"id": "cart.py::price", "what": ["signature"]}]


def test_the_work_tree_has_no_say_and_is_not_touched(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = said(capsys, "first", "main")
    write(root, {"cart.py": "def (:\n", "new.py": "def new(): pass\n"})
    (root / "shop.py").unlink()
    git(root, "add", "new.py")
    files = everything_in(root)

    assert said(capsys, "first", "main") == before
    assert everything_in(root) == files
    assert {path.name for path in root.parent.iterdir()} == {".git", "shop"}


def test_configuration_is_that_of_the_revision(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = '{"compilerOptions": {"paths": {"@/*": ["./%s/*"]}}}\n'
    module = "export function price() { return 1; }\n"
    root = repository(
        here / "web",
        {
            "tsconfig.json": paths % "src", "src/cart.ts": module, "lib/cart.ts": module,
            "main.ts": 'import { price } from "@/cart";\nprice();\n',
        },
    )  # fmt: skip
    write(root, {"tsconfig.json": paths % "lib"})
    commit(root)
    write(root, {"tsconfig.json": "{}"})

    found = said(capsys, "HEAD~1", "--repository", "web")

    assert {(edge["kind"], edge["target"]) for edge in found["edges_lost"]} == {
        ("imports", "src/cart.ts"), ("calls", "src/cart.ts::price"),
    }  # fmt: skip
    assert {edge["target"] for edge in found["edges_gained"]} == {"lib/cart.ts", "lib/cart.ts::price"}


def test_what_is_not_committed_is_compared_when_asked_for(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, {"new.py": "def new(): pass\n"})

    found = said(capsys, "HEAD", "--work-tree")

    assert found["after"] == "work tree"
    assert found["symbols_gained"] == ["new.py", "new.py::new"]


def test_revisions_are_of_the_graph_that_is_here_with_its_options(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["encode", ".", "-o", "../shop.graph.json", "--exclude", "tax.py"]) == 0
    monkeypatch.chdir(root.parent)

    assert said(capsys, "first")["symbols_gained"] == ["shop.py::sell"]
    assert said(capsys, "first", "shop.graph.json")["symbols_gained"] == ["shop.py::sell"]
    assert said(capsys, "first", "--repository", "shop")["symbols_gained"] == ["shop.py::sell"]


def test_in_a_folder_of_a_repository_without_a_graph_it_is_the_whole_repository(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "docs").mkdir()
    monkeypatch.chdir(root / "docs")

    assert "tax.py" in said(capsys, "first")["symbols_gained"]


def test_what_cannot_be_compared_says_what_to_do(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "'nowhere' is neither a graph file here" in refused(capsys, "nowhere")
    assert "leave one of them out" in refused(capsys, "HEAD~1", "HEAD", "--work-tree")
    assert "name the one to compare it with" in refused(capsys, "x.graph.json")
    assert "there is no folder" in refused(capsys, "HEAD", "--repository", "nowhere")
    monkeypatch.chdir(root.parent)
    assert "name two graph files" in refused(capsys, "HEAD")
    (root.parent / "plain").mkdir()
    assert "has no revisions to read" in refused(capsys, "HEAD", "--repository", "plain")


@pytest.mark.parametrize("has_cache", [True, False], ids=["with the cache of facts", "without"])
def test_a_graph_that_waits_for_the_next_is_the_graph_that_was_made(
    has_cache: bool, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_cache:
        monkeypatch.setenv("RPG_CACHE", "off")
    first, last = commit_of(root, "first"), commit_of(root, "main")
    waited, _, repeated = graphs_of(root, [first, last, first], options_for(root))

    assert waited == repeated
    assert {type(each) for each in (*waited.symbols, *waited.edges)} == {Symbol, Edge}
