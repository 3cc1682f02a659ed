"""The graph file: the same bytes for the same graph, readable by anyone, and clear about what is broken."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import networkx
import orjson
import pytest
from graphs import SHOP, graphs, sealed
from hypothesis import HealthCheck, given, settings

from rpg.errors import EncodeFailed, GraphNotLoaded
from rpg.graph import FORMAT, FORMAT_VERSION, Edge, Graph, Symbol
from rpg.stores.graph_file import graph_file, splice
from rpg.stores.graph_file.nodes import add_symbol_ids

MARKS = {"format": FORMAT, "version": FORMAT_VERSION}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.graph.json"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_what_is_written_is_read_back(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("graphs") / "any.graph.json"
    graph_file.write(path, graph)
    again = graph_file.read(path)
    assert again == graph._replace(header=graph.header | MARKS, places=[])
    assert graph_file.read_header(path) == again.header
    assert list(graph_file.read_symbols(path)) == graph.symbols


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_a_graph_that_was_read_is_written_as_the_same_bytes(
    graph: Graph, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("graphs") / "first.graph.json"
    again = path.with_name("second.graph.json")
    written = graph_file.write(path, graph)
    assert graph_file.write(again, graph_file.read(path)) == written
    assert again.read_bytes() == path.read_bytes()
    assert graph_file.file_hash(again) == written


def test_order_of_the_header_does_not_show(path: Path) -> None:
    backwards = {key: SHOP.header[key] for key in reversed(SHOP.header)}
    assert graph_file.write(path, SHOP) == graph_file.write(path, SHOP._replace(header=backwards))


def test_many_lines_are_written_in_several_pieces(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = graph_file.write(path, SHOP)
    monkeypatch.setattr(graph_file, "BATCH", 2)
    assert graph_file.write(path, SHOP) == whole


def test_the_layout_is_one_line_for_the_header_and_for_each_node_and_edge(path: Path) -> None:
    graph_file.write(path, SHOP)
    assert path.read_text(encoding="utf-8") == (
        '{\n"directed":true,\n"multigraph":true,\n"graph":{"commit":"c0ffee","format":"rpg-graph",'
        '"languages":{"python":{"files":1}},"name":"shop","skipped":[],"version":3},\n"nodes":[\n'
        '{"id":0,"kind":"directory","name":"shop","qualified_name":"./","path":"./"},\n'
        '{"id":1,"kind":"module","name":"cart","qualified_name":"cart.py","path":"cart.py",'
        '"language":"python","start_line":1,"end_line":9,'
        '"references":{"certain":2,"possible":1,"external":1,"unresolved":1,"ambiguous":0}},\n'
        '{"id":2,"kind":"class","name":"Cart","qualified_name":"Cart","path":"cart.py",'
        '"language":"python","start_line":3,"end_line":9,"name_line":3,"name_column":7,"signature":"class Cart(Base)",'
        '"doc":"What is bought.","hash":"00ff00ff00ff00ff","exported":true},\n'
        '{"id":3,"kind":"method","name":"total","qualified_name":"Cart.total","path":"cart.py",'
        '"language":"python","start_line":5,"end_line":9,"name_line":7,"name_column":15,'
        '"signature":"async def total(self) -> int","doc":"Sum, “with” tax.","hash":"0123456789abcdef",'
        '"exported":true,"decorators":["@cached","@final"],"modifiers":["async"],"returns":"int"}\n],\n"edges":[\n'
        '{"source":0,"target":1,"kind":"contains","via":"syntax"},\n'
        '{"source":1,"target":2,"kind":"contains","via":"syntax"},\n'
        '{"source":2,"target":3,"kind":"contains","via":"syntax"},\n'
        '{"source":3,"target":2,"kind":"calls","via":"scope","sites":["8:5","9:13"]}'
        '\n],\n"checksum":"7b1bbed7441d3e527ff7cb535dabd738"\n}\n'
    )


def test_networkx_reads_it_in_one_line(path: Path) -> None:
    graph_file.write(path, SHOP)
    with open(path, encoding="utf-8") as file:
        graph = networkx.node_link_graph(json.load(file), edges="edges")
    assert isinstance(graph, networkx.MultiDiGraph)
    assert graph.graph["commit"] == "c0ffee"
    assert graph.nodes[2]["qualified_name"] == "Cart"
    calls = [(source, target) for source, target, kind in graph.edges(data="kind") if kind == "calls"]
    assert calls == [(3, 2)]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_that_a_formatter_wrote_again_is_read_too(path: Path, indent: int | None) -> None:
    graph_file.write(path, SHOP)
    path.write_text(json.dumps(json.loads(path.read_bytes()), indent=indent), encoding="utf-8")
    assert graph_file.read(path) == SHOP._replace(header=SHOP.header | MARKS, places=[])
    assert graph_file.read_header(path)["commit"] == "c0ffee"
    assert list(graph_file.read_symbols(path)) == SHOP.symbols


def test_fields_that_are_not_known_are_skipped(path: Path) -> None:
    graph_file.write(path, SHOP)
    path.write_bytes(sealed(path.read_bytes().replace(b'"kind":', b'"colour":"red","kind":')))
    assert graph_file.read(path).edges == SHOP.edges


def test_cut_off_anywhere_is_said_with_the_command_that_repairs_it(path: Path) -> None:
    graph_file.write(path, SHOP)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(GraphNotLoaded, match=r"`rpg encode REPOSITORY -o .*shop\.graph\.json`"):
            graph_file.read(path)
        with pytest.raises(GraphNotLoaded, match=r"is cut off|is empty"):
            graph_file.read_header(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"SQLite format 3\0", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b'{"directed": true, "nodes": [', "is cut off"),
        (b"[1, 2]", "not a graph that rpg wrote"),
        (b'{"name": "shop", "version": "1.0.0"}', "not a graph that rpg wrote"),
        (b'{"graph": {"format": "rpg-graph"}}', "has no format version"),
        (b'{"graph": {"format": "rpg-graph", "version": 1}}', "is damaged"),
        (b'{"graph": {"format": "rpg-graph", "version": 1}, "nodes": [1], "edges": []}', "is damaged"),
    ],
)
def test_what_is_not_a_graph_is_recognised(path: Path, content: bytes, says: str) -> None:
    path.write_bytes(content)
    with pytest.raises(GraphNotLoaded, match=says) as caught:
        graph_file.read(path)
    assert f"`rpg encode REPOSITORY -o {path}`" in caught.value.message


def test_a_missing_file_names_the_command(path: Path) -> None:
    for read in (graph_file.read, graph_file.read_header):
        with pytest.raises(GraphNotLoaded, match="there is no graph file") as caught:
            read(path)
        assert f"`rpg encode REPOSITORY -o {path}`" in caught.value.message


def test_a_folder_is_not_a_graph_file(path: Path) -> None:
    path.mkdir()
    with pytest.raises(GraphNotLoaded, match="cannot be read"):
        graph_file.read(path)


def test_a_newer_version_is_named_beside_ours(path: Path) -> None:
    graph_file.write(path, SHOP)
    path.write_bytes(path.read_bytes().replace(b'"version":3', b'"version":7'))
    for read in (graph_file.read, graph_file.read_header):
        with pytest.raises(GraphNotLoaded, match=r"version 7 .* up to version 3") as caught:
            read(path)
        assert "`rpg encode REPOSITORY" in caught.value.message


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        (b'{"id":2,', b'{"id":"2,', 8),
        (b'{"id":2,', b'{"id":1,', 8),
        (b'{"id":2,', b'{"id":7,', 8),
        (b'{"id":2,', b"{", 8),
        (b'{"id":2,', b'{"id":2,"symbol":"cart.py",', 8),
        (b'{"id":2,', b'{"id":2,"symbol":7,', 8),
        (b'"edges":[', b'"links":[', 11),
        (b'"target":1', b'"target":9', 12),
        (b'"target":1', b'"target":"cart.py"', 12),
        (b'"sites":["8:5"', b'"sites":["8;5"', 15),
    ],
)
def test_damage_in_the_middle_is_placed(path: Path, right: bytes, wrong: bytes, line: int) -> None:
    graph_file.write(path, SHOP)
    content = path.read_bytes()
    assert right in content
    path.write_bytes(content.replace(right, wrong, 1))
    with pytest.raises(GraphNotLoaded, match=f"is damaged at line {line}:"):
        graph_file.read(path)


@pytest.mark.invariant("trust", "a graph file that changed since it was written is not served")
def test_a_flipped_bit_anywhere_is_reported_or_changes_nothing(path: Path) -> None:
    graph_file.write(path, SHOP)
    whole = path.read_bytes()
    read = SHOP._replace(header=SHOP.header | MARKS, places=[])
    for place in range(0, len(whole), 2):
        content = bytearray(whole)
        content[place] ^= 1 << place % 7
        path.write_bytes(content)
        with suppress(GraphNotLoaded):
            assert graph_file.read(path) == read, content


@pytest.mark.invariant(
    "encoding",
    "a graph file that is spliced from the previous one has the same bytes as one written as a whole; "
    "files of older versions can be read",
)
def test_files_of_the_version_that_wrote_symbol_ids_out_are_read(path: Path) -> None:
    graph_file.write(path, SHOP)
    data = add_symbol_ids(json.loads(path.read_bytes()))
    data["graph"]["version"] = 2
    path.write_bytes(sealed(in_lines(data).replace("\n]\n}", f'\n],\n"checksum":"{"0" * 32}"\n}}').encode()))
    read = graph_file.read(path)
    assert (read.symbols, read.edges) == (SHOP.symbols, SHOP.edges)
    path.write_text(json.dumps(data), encoding="utf-8")  # another layout, to which no sum of ours belongs
    with pytest.raises(GraphNotLoaded, match="is damaged"):
        graph_file.read(path)


def test_a_file_of_the_version_that_had_no_sum_is_read(path: Path) -> None:
    graph_file.write(path, SHOP)
    body = path.read_bytes().rpartition(b',\n"checksum')[0]
    path.write_bytes(body.replace(b'"version":3', b'"version":1') + b"\n}\n")
    assert graph_file.read(path).edges == SHOP.edges
    path.write_bytes(body + b"\n}\n")
    with pytest.raises(GraphNotLoaded, match="is cut off"):
        graph_file.read(path)


def test_a_file_that_was_written_again_with_other_contents_is_reported(path: Path) -> None:
    graph_file.write(path, SHOP)
    path.write_text(json.dumps(json.loads(path.read_bytes().replace(b'"name":"Cart"', b'"name":"Part"'))), "utf-8")
    with pytest.raises(GraphNotLoaded, match="is damaged"):
        graph_file.read(path)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b'"name":"Cart"', b'"name":7'),
        (b'"start_line":3', b'"start_line":"3"'),
        (b'"start_line":3', b'"start_line":-3'),
        (b'"start_line":3', b'"start_line":30000000000000000'),
        (b'"exported":true', b'"exported":"yes"'),
        (b'["@cached","@final"]', b'["@cached",[]]'),
        (b'"certain":2', b'"certain":{}'),
        (b'"kind":"calls"', b'"kind":null'),
        (b'"sites":["8:5"', b'"sites":[85'),
        (b'"sites":["8:5"', b'"sites":["-8:5"'),
        (b'{"source":0,"target":1', b'{"source":3,"target":1'),
        (b'{"source":0,"target":1', b'{"source":1,"target":1'),
        (b'"languages":{"python":{"files":1}}', b'"languages":[]'),
        (b'"skipped":[]', b'"skipped":[{"path":1,"reason":""}]'),
        (b'{"id":0', b'[1],\n{"id":0'),
    ],
)
def test_values_of_another_form_than_the_schema_has_are_reported(path: Path, right: bytes, wrong: bytes) -> None:
    graph_file.write(path, SHOP)
    content = path.read_bytes()
    assert right in content
    path.write_bytes(sealed(content.replace(right, wrong, 1)))
    with pytest.raises(GraphNotLoaded, match="damaged"):
        graph_file.read(path)


def of_files(files: dict[str, str], calls: str) -> Graph:
    """A graph of files with functions of one letter each, and calls between such letters, `ab`."""
    symbols, home = [], {}
    for path, names in sorted(files.items()):
        symbols.append(Symbol(path, "module", path, path, path))
        for name in names:
            home[name] = f"{path}::{name}"
            symbols.append(Symbol(home[name], "function", name, name, path))
    ends = sorted(calls.split(), key=lambda pair: [each.id for each in symbols].index(home[pair[0]]))
    edges = [Edge(home[source], home[target], "calls", "scope", ((1, 1),)) for source, target in ends]
    return Graph({"name": "letters"}, symbols, edges, [])


@pytest.mark.invariant(
    "encoding",
    "a graph file that is spliced from the previous one has the same bytes as one written as a whole; "
    "files of older versions can be read",
)
@pytest.mark.parametrize(
    ("files", "calls", "changed"),
    [
        ({"a": "xyz", "c": "uvw", "e": "rst"}, "xy ux rz sw ww", ""),
        ({"a": "xyz", "c": "uvw", "e": "rst"}, "xy uz rz sw ww", "c"),
        ({"a": "yzx", "c": "uvw", "e": "rst"}, "xy ux rz sw ww", "a"),
        ({"a": "xqyz", "c": "uvw", "e": "rst"}, "xq xy ux rz sw ww", "a"),
        ({"a": "xz", "c": "uvw", "e": "rst"}, "xz ux rz sw ww", "a"),
        ({"a": "xyz", "e": "rst"}, "xy rz sr", "ce"),
        ({"a": "xyz", "b": "q", "c": "uvw", "e": "rst", "f": "p"}, "xy qx ux rz sw ww pq", "bf"),
        ({"a": "xyz", "c": "w", "e": "", "f": "urstp"}, "xy ux rz sw ww pw", "cef"),
        ({"b": "k"}, "kk", "abce"),
    ],
)
def test_a_file_that_is_spliced_has_the_bytes_of_one_that_is_written(
    path: Path, files: dict[str, str], calls: str, changed: str
) -> None:
    before = of_files({"a": "xyz", "c": "uvw", "e": "rst"}, "xy ux rz sw ww")
    graph_file.write(path, before)
    after = of_files(files, calls)
    lines = [
        splice.Lines(
            each,
            [symbol for symbol in after.symbols if symbol.path == each],
            [edge for edge in after.edges if edge.source.startswith(f"{each}::")],
        )
        for each in changed
    ]
    staged = splice.stage(path, after.header, lines)
    written = graph_file.write(path, after)
    assert staged.temporary.read_bytes() == path.read_bytes()
    assert staged.hash == written


def test_changes_that_do_not_belong_to_a_file_are_not_spliced_into_it(path: Path) -> None:
    graph_file.write(path, of_files({"a": "xy", "c": "u"}, "ux"))
    fewer = of_files({"a": "y"}, "")
    with pytest.raises(GraphNotLoaded, match="is damaged"):
        splice.stage(path, fewer.header, [splice.Lines("a", fewer.symbols, [])])
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(path: Path) -> None:
    graph_file.write(path, SHOP)
    before = path.read_bytes()
    broken = SHOP.symbols[-1]._replace(doc="\ud800")
    with pytest.raises(EncodeFailed, match=r"cart\.py::Cart\.total"):
        graph_file.write(path, SHOP._replace(symbols=[*SHOP.symbols[:-1], broken]))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_only_what_has_the_whole_header_of_a_graph_file_may_be_written_over(path: Path) -> None:
    graph_file.write(path, SHOP)
    written = path.read_bytes()
    assert graph_file.is_ours(path)
    path.write_bytes(written[: written.index(b'"edges"')])
    assert graph_file.is_ours(path)
    path.write_bytes(written[:100])
    assert not graph_file.is_ours(path)
    path.write_bytes(orjson.dumps({"name": "shop", "version": "1.0.0"}))
    assert not graph_file.is_ours(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", {}), ("kind", None), ("path", 7), ("start_line", -1), ("end_line", 1e9), ("decorators", [[]]), ("id", []),
     ("exported", "yes"), ("references", {"certain": "x"}), ("name_line", 10**30)],
)  # fmt: skip
def test_a_symbol_of_wrong_types_is_damage(tmp_path: Path, field: str, value: object) -> None:
    path = tmp_path / "shop.graph.json"
    graph_file.write(path, SHOP)
    data = json.loads(path.read_text("utf-8"))
    data["nodes"][1][field] = value
    data["graph"]["version"] = 1  # no sum stands at its end
    del data["checksum"]
    for written in (json.dumps(data), in_lines(data)):
        path.write_text(written, "utf-8")

        with pytest.raises(GraphNotLoaded, match="rpg encode"):
            graph_file.read(path)


@pytest.mark.parametrize(
    "changed",
    [{"languages": None}, {"repository": [[]]}, {"skipped": [7]}, {"references": {"go": 1}}, {"version": True}],
)
def test_a_header_of_wrong_types_is_damage(tmp_path: Path, changed: dict[str, object]) -> None:
    path = tmp_path / "shop.graph.json"
    graph_file.write(path, SHOP)
    data = json.loads(path.read_text("utf-8"))
    data["graph"] |= {"version": 1} | changed
    del data["checksum"]
    path.write_text(in_lines(data), "utf-8")

    with pytest.raises(GraphNotLoaded, match="rpg encode"):
        graph_file.read_header(path)


def in_lines(data: dict[str, Any]) -> str:
    """In the layout that rpg writes."""
    nodes, edges = (",\n".join(map(json.dumps, data[name])) for name in ("nodes", "edges"))
    header = json.dumps(data["graph"])
    opening = '{\n"directed":true,\n"multigraph":true,\n"graph":'
    return f'{opening}{header},\n"nodes":[\n{nodes}\n],\n"edges":[\n{edges}\n]\n}}\n'
