"""The benchmarks' own judgement: what they count must be what they say."""

from __future__ import annotations

import ast
from pathlib import Path

import orjson
import pytest
from bench.__main__ import benchmarks
from bench.areas import agreement, sections
from bench.encode import apply, body_edit
from bench.invented import check, foreign_calls
from bench.judging.judgement import Verdict, shares

import rpg
from rpg.repository import index_path
from rpg.stores.graph_file.nodes import id_of
from rpg.stores.index.index import Index

SOURCE = """\
import os.path as where
import shop
from shop import cart
from shop.cart import take
from .near import by
from json import dumps as dump

def filter_all(rows, sum):
    filter(None, rows)
    sum(rows)
    where.join("ä", "b"); where.exists(rows)
    dump(rows)
    take(rows)
    by(rows)
    self.open(rows)

class Rows:
    def open(self):
        return open(self.path)

    list = [len(row) for row in range(3)]
    sorted(list)

@property
def max():
    return [min for min in (1, 2)]

max()
lambda any: any(1)
"""


def test_calls_of_builtins_and_libraries_are_told_from_those_of_other_names() -> None:
    found = foreign_calls(ast.parse(SOURCE), SOURCE.split("\n"), frozenset({"shop", "cart"}))

    assert sorted((call.kind, call.line, call.column, call.name) for call in found) == [
        ("builtin", 9, 5, "filter"),
        ("builtin", 19, 16, "open"),
        ("builtin", 21, 13, "len"),
        ("builtin", 21, 33, "range"),
        ("builtin", 22, 5, "sorted"),
        ("library", 11, 11, "join"),
        ("library", 11, 33, "exists"),
        ("library", 12, 5, "dump"),
        ("own", 13, 5, "take"),
    ]


def test_a_star_import_may_bind_any_builtin() -> None:
    source = "from shop import *\nopen(1)\n"

    assert list(foreign_calls(ast.parse(source), source.split("\n"), frozenset({"shop"}))) == []


def test_an_invented_edge_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "rows.py").write_text("class Rows:\n    def filter(self): ...\n\n\ndef all_of(rows):\n    filter(rows)\n")
    graph = tmp_path / "shop.graph.json"
    rpg.encode(root, output=str(graph))
    assert check(root, graph, 5) == 0

    raw = orjson.loads(graph.read_bytes())
    numbers = {id_of(node): node["id"] for node in raw["nodes"]}
    raw["edges"].append(
        {
            "source": numbers["rows.py::all_of"],
            "target": numbers["rows.py::Rows.filter"],
            "kind": "calls",
            "via": "type",
            "sites": ["6:5"],
        }
    )
    graph.write_bytes(orjson.dumps(raw))

    assert check(root, graph, 5) == 1
    assert "rows.py:6:5 filter -> rows.py::Rows.filter via type" in capsys.readouterr().out


def test_a_rule_has_a_share_from_enough_judged_edges_on() -> None:
    def judged(language: str, via: str, right: int, wrong: int) -> list[Verdict]:
        verdicts = [True] * right + [False] * wrong
        return [Verdict(language, via, "calls", is_right, "a", "b", ()) for is_right in verdicts]

    found = judged("go", "type", 19, 0) + judged("python", "type", 20, 1) + judged("python", "self", 20, 0)

    assert shares(found, 20) == {"python": {"self": 1.0, "type": 0.952}}


def test_an_edit_changes_one_body_and_can_be_taken_back(tmp_path: Path) -> None:
    source = 'def all_of(rows):\n    first = rows\n    if first:\n        print("a")\n    return rows\n'
    (tmp_path / "rows.py").write_text(source)
    graph = tmp_path / "rows.graph.json"
    rpg.encode(tmp_path, output=str(graph))
    index = Index.open_read_only(index_path(graph))
    edit = body_edit(tmp_path, index)
    index.close()

    apply(tmp_path, edit)
    assert (tmp_path / "rows.py").read_text() == source.replace('        print("a")\n', '        print("a")\n' * 2)
    apply(tmp_path, edit._replace(old=edit.new, new=edit.old))
    assert (tmp_path / "rows.py").read_text() == source


def test_every_benchmark_says_what_it_is_for() -> None:
    named = benchmarks()

    assert {"encode", "serve", "edges", "invented"} <= set(named)
    assert all(named.values())


@pytest.mark.parametrize(
    ("wanted", "found", "agreed"),
    [
        ("aabb", "xxyy", (1.0, 1.0)),
        ("aabb", "xxxx", (0.0, 0.0)),
        ("aabb", "xyxy", (0.0, -0.5)),
        ("aabbcc", "xxyyyz", (0.740, 0.444)),
    ],
)
def test_groupings_agree_as_far_as_they_are_alike(wanted: str, found: str, agreed: tuple[float, float]) -> None:
    assert agreement(wanted, found) == pytest.approx(agreed, abs=0.001)


def test_a_file_belongs_to_the_section_that_names_it_most_closely() -> None:
    gold = {"package": "shop/", "topics": {"Selling": ["sell/"], "Prices": ["sell/price.py"]}}

    assert sections(
        gold, ["shop/sell/a.py", "shop/sell/price.py", "shop/other.py", "sell/a.py", "shop/sell/x.txt"]
    ) == {
        "shop/sell/a.py": "Selling",
        "shop/sell/price.py": "Prices",
    }
