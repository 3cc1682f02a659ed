"""Edges against a compiler's index: what counts as right, wrong, missing and beside, and indexes that are damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.judging.oracles.fields import Damaged
from bench.judging.oracles.occurrences import Graph, Place, judge, read_json, read_scip
from bench.judging.oracles.scip_index import UTF8, UTF16, UTF32, column_in, read_documents
from repositories import write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.queries.exchange import wire
from rpg.repository import encode

SOURCE = """\
class Base:
    def send(self):
        return 1

class Fast(Base):
    def send(self):
        return 2

def pack(one: Base):
    return one.send() + helper()

def helper():
    return 3
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "code"
    write(folder, {"code.py": SOURCE})
    return folder


def graph_of(root: Path, *edges: tuple[int, int, str, str, str]) -> Graph:
    """A graph of that source with the edges given: source, target, kind, rule, site."""
    symbols = [
        ("Base", 1, 3),
        ("Base.send", 2, 3),
        ("Fast", 5, 7),
        ("Fast.send", 6, 7),
        ("pack", 9, 10),
        ("helper", 12, 13),
    ]
    nodes: list[dict[str, Any]] = [
        {
            "id": number, "kind": "function", "name": name.rpartition(".")[2], "qualified_name": name,
            "path": "code.py", "language": "python", "start_line": start, "end_line": end,
        }
        for number, (name, start, end) in enumerate(symbols)
    ]  # fmt: skip
    file = root.parent / "graph.json"
    listed = [
        {"source": source, "target": target, "kind": kind, "via": via, "sites": [site]}
        for source, target, kind, via, site in edges
    ]
    file.write_text(json.dumps({"nodes": nodes, "edges": listed}))
    return Graph(file)


ANSWER = {
    "columns": "bytes",
    "failed": [],
    "targets": {"send": [["code.py", 2, "send"]], "helper": [["code.py", 12, "helper"]], "print": []},
    "occurrences": [["code.py", 10, 16, "calls", "send"], ["code.py", 10, 25, "calls", "helper"]],
}


def test_an_edge_to_what_the_compiler_names_is_right_another_is_wrong_and_none_is_missing(root: Path) -> None:
    graph = graph_of(root, (4, 3, "calls", "type", "10:16"))
    calls = judge(read_json(ANSWER, root), graph, root, certain_alone=False)["calls"]
    assert calls[:5] == (0, 1, 0, 2, 0)
    assert calls.examples[1] == ["code.py:10:16 -> code.py:2 send", "code.py:10:25 -> code.py:12 helper"]


def test_an_edge_to_an_override_beside_the_right_one_is_neither_right_nor_wrong(root: Path) -> None:
    graph = graph_of(
        root,
        (4, 1, "calls", "type", "10:16"),
        (4, 3, "calls", "fan-out", "10:16"),
        (4, 5, "calls", "scope", "10:25"),
    )
    assert judge(read_json(ANSWER, root), graph, root, certain_alone=False)["calls"][:5] == (2, 0, 2, 0, 1)
    assert judge(read_json(ANSWER, root), graph, root, certain_alone=True)["calls"][:5] == (2, 0, 2, 0, 0)


def test_an_edge_to_the_repository_is_wrong_where_the_compiler_names_a_library(root: Path) -> None:
    answer = ANSWER | {"occurrences": [["code.py", 10, 25, "calls", "print"]]}
    graph = graph_of(root, (4, 5, "calls", "scope", "10:25"))
    assert judge(read_json(answer, root), graph, root, certain_alone=False)["calls"][:5] == (0, 1, 0, 0, 0)


def test_the_graph_agrees_with_the_index_that_it_was_exported_to(root: Path) -> None:
    graph = root.parent / "graph.rpg.json"
    encode(root, graph, Options())
    index = root.parent / "index.scip"
    assert run(["export", "--to", "scip", "-g", str(graph), "-o", str(index)]) == 0
    oracle = read_scip(index, root, ["code.py"], judges_imports=True)
    assert [places for key, places in oracle.targets.items() if key.endswith("Base#send().")] == [
        [Place("code.py", 2, "send")]
    ]
    calls = judge(oracle, Graph(graph), root, certain_alone=True)["calls"]
    assert (calls.found, calls.missing, calls.wrong) == (2, 0, 0)
    assert not read_scip(index, root, ["elsewhere"], judges_imports=True).uses


def occurrence(*bounds: int, symbol: str = "s") -> bytes:
    return wire.message(2, wire.encode_packed(1, bounds) + wire.text(2, symbol))


@pytest.mark.parametrize(
    "damaged",
    [
        b"\x12\xff",
        b"\x12" + b"\xff" * 11,
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f" + b"abc",
        b"\x13\x00",
        wire.message(2, occurrence(1, 2, 3, 4, 5)),
        wire.message(2, b"\x12\x05\x0a\x01"),
    ],
    ids=["truncated", "endless-number", "length-beyond-the-end", "group", "range-of-five", "truncated-within"],
)
def test_a_damaged_index_is_refused_as_a_whole(damaged: bytes) -> None:
    with pytest.raises(Damaged):
        list(read_documents(memoryview(damaged)))


def test_fields_that_are_not_known_are_passed_over_and_ranges_over_lines_left_out() -> None:
    document = (
        wire.text(1, "a.py")
        + b"\x79"
        + bytes(8)
        + occurrence(0, 1, 2)
        + occurrence(0, 1, 2, 3)
        + occurrence(4, 5, 4, 9)
    )
    (found,) = read_documents(memoryview(wire.message(1, b"\xff\xff") + wire.message(2, document)))
    assert found.path == "a.py"
    assert [each[:3] for each in found.occurrences] == [(0, 1, 2), (4, 5, 9)]


@pytest.mark.parametrize(
    ("encoding", "column", "expected"),
    [
        (UTF8, 6, 2),
        (UTF16, 3, 2),
        (UTF32, 2, 2),
        (0, 3, 2),
        (UTF8, 3, -1),
        (UTF32, 9, -1),
        (UTF16, 99, -1),
        (UTF8, 7, 3),
    ],
)
def test_columns_are_counted_as_the_index_says(encoding: int, column: int, expected: int) -> None:
    assert column_in("é😀x", column, encoding) == expected
