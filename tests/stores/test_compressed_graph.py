"""The graph file at rest: the same JSON as beside it, smaller, and as clear about what is broken."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

import orjson
import pytest
import zstandard
from graphs import SHOP, graphs
from hypothesis import HealthCheck, given, settings
from repositories import read_json, write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.errors import GraphNotLoaded
from rpg.graph import Edge, Graph, Symbol
from rpg.repository import encode, existing_graph
from rpg.repository.existing_graph import default_place
from rpg.stores import graph_folder
from rpg.stores.graph_file import compact, graph_file, splice
from rpg.stores.graph_opening import begins_like_graph


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.graph.json.zst"


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "PIECE_BYTES", 100)


def large_graph() -> Graph:
    """Of several pieces."""
    names = [f"f{number}" for number in range(20_000)]
    symbols = [Symbol("./", "directory", "shop", "./", "./"), Symbol("a.py", "module", "a", "a.py", "a.py")]
    symbols += [Symbol(f"a.py::{name}", "function", name, name, "a.py") for name in sorted(names)]
    edges = [Edge("./", "a.py", "contains", "syntax", ())]
    edges += [Edge("a.py", symbol.id, "contains", "syntax", ()) for symbol in symbols[2:]]
    return Graph(SHOP.header, symbols, edges, [])


@pytest.mark.invariant(
    "encoding", "a compressed graph file is the same JSON, with the same hash, and any program of its format unpacks it"
)
@pytest.mark.parametrize("graph", [SHOP, large_graph()], ids=["small", "large"])
def test_it_is_the_same_json(path: Path, graph: Graph) -> None:
    plain = path.with_suffix("")
    assert graph_file.write(path, graph) == graph_file.write(plain, graph) == graph_file.file_hash(path)
    assert read_json(path) == plain.read_bytes()
    unpacked = io.BytesIO()
    with zstandard.ZstdDecompressor().stream_reader(path.read_bytes(), read_across_frames=True) as stream:
        unpacked.write(stream.read())
    assert unpacked.getvalue() == plain.read_bytes()
    assert graph_file.read(path) == graph_file.read(plain)
    assert graph_file.read_header(path) == graph_file.read_header(plain) == graph_file.header_of(path)
    assert list(graph_file.read_symbols(path)) == graph.symbols
    assert begins_like_graph(path)


@pytest.mark.usefixtures("small_pieces")
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_whatever_is_written_is_read_back(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("graphs") / "any.graph.json.zst"
    graph_file.write(path, graph)
    assert graph_file.read(path)[1:3] == graph[1:3]


def test_it_can_be_read_from_anywhere(path: Path) -> None:
    graph_file.write(path, large_graph())
    whole = read_json(path)
    with compact.open_graph(path) as file:
        for start in (len(whole) - 10, 5, len(whole) - 80, 1_500_000, 0, len(whole)):
            file.seek(start)
            assert (file.read(100), file.tell()) == (whole[start : start + 100], min(start + 100, len(whole)))


def test_a_compressed_file_that_is_spliced_has_the_bytes_of_one_that_is_written(path: Path) -> None:
    before = large_graph()
    graph_file.write(path, before)
    changed = [symbol._replace(doc="new") for symbol in before.symbols[1:]]
    staged = splice.stage(path, before.header, [splice.Lines("a.py", changed, before.edges[1:])])
    written = graph_file.write(path, before._replace(symbols=[before.symbols[0], *changed]))
    assert (staged.temporary.read_bytes(), staged.hash) == (path.read_bytes(), written)


@pytest.mark.usefixtures("small_pieces")
def test_a_missing_end_is_reported_and_a_flipped_bit_too_or_it_changes_nothing(path: Path) -> None:
    graph_file.write(path, SHOP)
    whole, graph = path.read_bytes(), graph_file.read(path)
    unchanged = 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at])
        with pytest.raises(GraphNotLoaded):
            graph_file.read(path)
        path.write_bytes(whole[:at] + bytes((whole[at] ^ 4,)) + whole[at + 1 :])
        with suppress(GraphNotLoaded):
            assert graph_file.read(path) == graph
            unchanged += 1
    assert unchanged < 30


def test_what_claims_to_be_much_larger_is_no_graph(path: Path) -> None:
    """It would be read for hours."""
    bomb = zstandard.ZstdCompressor().compress(b" " * (40 << 20))
    foot = compact.LAST.pack(compact.SKIPPED, compact.FOOT_BYTES - 8, 40 << 20) + b" " * compact.TAIL_BYTES
    path.write_bytes(compact.COMPACT_OPENING + bomb + foot)
    for look in (graph_file.read, graph_file.read_header, graph_file.file_hash):
        with pytest.raises(GraphNotLoaded, match="is damaged"):
            look(path)
    assert not graph_file.is_ours(path)


@pytest.mark.invariant(
    "encoding",
    "a graph that a person names is plain JSON; in its default place that of a large repository is compressed",
)
def test_what_a_person_names_stays_plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "shop", {"shop.py": "def price():\n    return 1\n"})
    assert default_place(root).name == "shop.graph.json"
    monkeypatch.setattr(existing_graph, "LARGE", 0)
    usual = default_place(root)
    assert usual.name == "shop.graph.json.zst"
    encode(root, usual, Options())
    named = tmp_path / "named.graph.json"
    encode(root, named, Options())
    assert read_json(usual) == named.read_bytes()

    monkeypatch.chdir(tmp_path)
    assert run(["export", "--to", "json", "-g", str(usual), "-o", "exported.graph.json"]) == 0
    assert (tmp_path / "exported.graph.json").read_bytes() == named.read_bytes()
    assert orjson.loads(named.read_bytes())["nodes"]

    write(root, {"shop.py": "def price():\n    return 2\n\n\ndef tax():\n    return price()\n"})
    assert run(["encode", str(root)]) == 0
    assert run(["encode", str(root), "-o", str(named)]) == 0
    assert begins_like_graph(usual)
    assert read_json(usual) == named.read_bytes()


def test_a_graph_of_an_older_version_stays_in_its_place_and_form(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {"shop.py": "def price():\n    return 1\n"})
    (root / ".rpg").mkdir()
    old = root / ".rpg" / "shop.graph.json"
    encode(root, old, Options())
    assert default_place(root) == old
    write(root, {"shop.py": "def price():\n    return 2\n"})
    assert run(["encode", str(root)]) == 0
    assert [path.name for path in graph_folder.own_graphs(root)] == ["shop.graph.json"]
    assert orjson.loads(old.read_bytes())["nodes"]


def test_the_name_of_the_plain_form_finds_the_compressed_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As clients have it in their configuration since an older version."""
    monkeypatch.setattr(existing_graph, "LARGE", 0)
    root = write(tmp_path / "shop", {"shop.py": "def price():\n    return 1\n\n\nprice()\n"})
    encode(root, default_place(root), Options())
    assert [path.name for path in graph_folder.own_graphs(root)] == ["shop.graph.json.zst"]
    assert run(["usages", "price", "-g", str(root / ".rpg" / "shop.graph.json")]) == 0
    assert "1 call" in capsys.readouterr().out
