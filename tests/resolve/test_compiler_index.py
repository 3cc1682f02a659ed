"""A compiler's index (SCIP) beside a repository: what it says of files as they are now becomes edges; nothing else of
it does anything, whatever it contains and whatever happens to the files."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path

import orjson
import pytest
from repositories import repository, write

from rpg.cli import run
from rpg.encoder.encode import encode as encode_folder
from rpg.encoder.options import Options, options_for
from rpg.errors import BadRequest, Forbidden, InvalidPath
from rpg.queries.exchange import wire
from rpg.repository import encode
from rpg.stores.graph_file.nodes import add_symbol_ids
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs, Settings

DEFINITION, REFERENCE = 1, 8
MODELS = """\
class Engine:
    def ignite(self):
        return 1


class Diesel(Engine):
    def ignite(self):
        return 2


class Lamp:
    def ignite(self):
        return 3
"""
USES = """\
from models import Engine, Lamp


def drive(thing):
    thing.ignite()


def light(thing):
    thing.ignite()


def both(thing):
    return drive(thing), thing.ignite()
"""
FILES = {"models.py": MODELS, "uses.py": USES, "other.py": "import uses\n\nprint(uses.drive)\nuses.both\n"}
ENGINE, LAMP = "scip-x py shop 1 models/Engine#ignite().", "scip-x py shop 1 models/Lamp#ignite()."
CLASSES = {"Engine": "scip-x py shop 1 models/Engine#", "Lamp": "scip-x py shop 1 models/Lamp#"}
DRIVE, LIGHT = "scip-x py shop 1 uses/drive().", "scip-x py shop 1 uses/light()."
FAR = "scip-x py library 2 far/ignite()."


def at(text: str, before: str, word: str, number: int = 0) -> tuple[int, int, int]:
    """The range of a word after some text."""
    start = text.index(before) + len(before)
    for _ in range(number + 1):
        start = text.index(word, start) + 1
    line = text.count("\n", 0, start - 1)
    column = start - 1 - (text.rfind("\n", 0, start - 1) + 1)
    return line, column, column + len(word)


Occurrence = tuple[tuple[int, ...], str, int]
IN_MODELS: list[Occurrence] = [
    (at(MODELS, "class ", "Engine"), CLASSES["Engine"], DEFINITION),
    (at(MODELS, "class Engine", "ignite"), ENGINE, DEFINITION),
    (at(MODELS, "class ", "Lamp"), CLASSES["Lamp"], DEFINITION),
    (at(MODELS, "class Lamp", "ignite"), LAMP, DEFINITION),
    (at(MODELS, "Diesel(", "Engine"), CLASSES["Engine"], REFERENCE),
]
IN_USES: list[Occurrence] = [
    (at(USES, "import ", "Engine"), CLASSES["Engine"], REFERENCE),
    (at(USES, "def ", "drive"), DRIVE, DEFINITION),
    (at(USES, "def drive", "ignite"), ENGINE, REFERENCE),
    (at(USES, "def ", "light"), LIGHT, DEFINITION),
    (at(USES, "def light", "ignite"), LAMP, REFERENCE),
    (at(USES, "return ", "drive"), DRIVE, REFERENCE),
]


def document(path: str, occurrences: Iterable[Occurrence], text: str = "", encoding: int = 0) -> bytes:
    content = wire.text(1, path)
    for where, symbol, role in occurrences:
        content += wire.message(2, wire.encode_packed(1, where) + wire.text(2, symbol) + wire.number(3, role))
    return wire.message(2, content + wire.text(5, text) + wire.number(6, encoding))


INDEX = document("models.py", IN_MODELS) + document("uses.py", IN_USES)


def shop(folder: Path, index: bytes = INDEX, files: dict[str, str] = FILES) -> Path:
    root = write(folder / "shop", files)
    (root / "index.scip").write_bytes(index)
    return root


def made(root: Path, name: str = "graph", scip: str = "index.scip") -> bytes:
    graph = root.parent / f"{name}.graph.json"
    encode(root, graph, options_for(root, {"scip": scip}), workers=1)
    return graph.read_bytes()


Edge = tuple[str, str, str]


def edges(graph: bytes, source: str) -> set[Edge]:
    """Kind, target and rule of the edges of a symbol, but for `contains`."""
    found = add_symbol_ids(orjson.loads(graph))
    by_number = {node["id"]: node.get("symbol", node["id"]) for node in found["nodes"]}
    return {
        (edge["kind"], by_number[edge["target"]], edge["via"])
        for edge in found["edges"]
        if by_number[edge["source"]] == source and edge["kind"] not in ("contains", "covers")
    }


def header(graph: bytes) -> dict[str, object]:
    return orjson.loads(graph)["graph"]["compiler"]  # type: ignore[no-any-return]


GUESSED = {
    ("calls", "models.py::Engine.ignite", "fan-out"),
    ("calls", "models.py::Diesel.ignite", "fan-out"),
    ("calls", "models.py::Lamp.ignite", "fan-out"),
}


def test_what_the_compiler_names_replaces_what_rpg_guessed(tmp_path: Path) -> None:
    root = shop(tmp_path)
    assert edges(made(root, scip=""), "uses.py::light") == GUESSED
    graph = made(root)
    assert edges(graph, "uses.py::light") == {("calls", "models.py::Lamp.ignite", "compiler")}
    assert header(graph) == {"index": "index.scip", "files": ["models.py", "uses.py"], "other_text": []}


def test_what_overrides_the_method_that_the_compiler_names_stays_possible(tmp_path: Path) -> None:
    assert edges(made(shop(tmp_path)), "uses.py::drive") == {
        ("calls", "models.py::Engine.ignite", "compiler"),
        ("calls", "models.py::Diesel.ignite", "fan-out"),
    }


def test_what_the_index_does_not_say_is_resolved_as_ever(tmp_path: Path) -> None:
    root = shop(tmp_path)
    graph = made(root)
    assert edges(graph, "uses.py::both") == {("calls", "uses.py::drive", "compiler"), *GUESSED}
    assert ("references", "uses.py::drive", "import") in edges(graph, "other.py")
    assert edges(graph, "models.py::Diesel") == {("inherits", "models.py::Engine", "compiler")}


def test_a_name_of_another_package_takes_guesses_away_and_nothing_that_was_resolved(tmp_path: Path) -> None:
    outside = [(where, FAR if symbol in (LAMP, DRIVE) and role == REFERENCE else symbol, role)
               for where, symbol, role in IN_USES]  # fmt: skip
    graph = made(shop(tmp_path, document("models.py", IN_MODELS) + document("uses.py", outside)))
    assert edges(graph, "uses.py::light") == set()
    assert ("calls", "uses.py::drive", "scope") in edges(graph, "uses.py::both")


def test_an_occurrence_of_another_name_is_not_believed(tmp_path: Path) -> None:
    confused = [(where, DRIVE if symbol == LAMP else symbol, role) for where, symbol, role in IN_USES]
    graph = made(shop(tmp_path, document("models.py", IN_MODELS) + document("uses.py", confused)))
    assert edges(graph, "uses.py::light") == GUESSED


@pytest.mark.parametrize("line", ["# a line above\n", "import os\n"])
def test_a_document_of_another_text_says_nothing(tmp_path: Path, line: str) -> None:
    root = shop(tmp_path, files=FILES | {"uses.py": line + USES})
    graph = made(root)
    assert edges(graph, "uses.py::light") == GUESSED
    assert header(graph) == {"index": "index.scip", "files": ["models.py"], "other_text": ["uses.py"]}


def test_uses_of_what_another_text_defines_are_resolved_as_ever(tmp_path: Path) -> None:
    graph = made(shop(tmp_path, files=FILES | {"models.py": "# a line above\n" + MODELS}))
    assert edges(graph, "uses.py::light") == GUESSED
    assert ("calls", "uses.py::drive", "compiler") in edges(graph, "uses.py::both")


@pytest.mark.parametrize(("text", "others"), [(USES, []), (USES + "\n", ["uses.py"])])
def test_a_document_with_its_text_is_of_that_text(tmp_path: Path, text: str, others: list[str]) -> None:
    graph = made(shop(tmp_path, document("models.py", IN_MODELS) + document("uses.py", IN_USES, text)))
    assert header(graph)["other_text"] == others


@pytest.mark.parametrize(("encoding", "width"), [(0, 2), (1, 4), (2, 2), (3, 1)])
def test_columns_are_read_in_the_documents_encoding(tmp_path: Path, encoding: int, width: int) -> None:
    text = 'from models import Lamp\n\n\ndef light(thing):\n    x = "🪔"; thing.ignite()\n'
    line, start, end = at(text, "thing)", "ignite")
    moved = (line, start + width - 1, end + width - 1)
    occurrences = [(moved, LAMP, REFERENCE), (at(text, "def ", "light"), LIGHT, DEFINITION)]
    index = document("models.py", IN_MODELS) + document("uses.py", occurrences, encoding=encoding)
    graph = made(shop(tmp_path, index, FILES | {"uses.py": text}))
    assert edges(graph, "uses.py::light") == {("calls", "models.py::Lamp.ignite", "compiler")}


def test_an_index_in_a_folder_is_of_the_files_below_it(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {f"part/{path}": text for path, text in FILES.items()} | {"models.py": "x = 1\n"})
    (root / "part" / "index.scip").write_bytes(INDEX)
    graph = made(root, scip="part/index.scip")
    assert edges(graph, "part/uses.py::light") == {("calls", "part/models.py::Lamp.ignite", "compiler")}


# Edits

EDITS: tuple[tuple[str, str], ...] = (
    ("other.py", "import uses\n\nprint(uses.light)\n"),
    ("uses.py", USES.replace("return drive", "return 1, drive")),
    ("uses.py", USES.replace("return drive", "return 1, light")),
    ("models.py", MODELS + "\n\ndef more():\n    return Lamp().ignite()\n"),
    ("uses.py", USES),
    ("other.py", "import uses\n\n\ndef more(thing):\n    uses.light(thing)\n    thing.ignite()\n"),
    ("models.py", MODELS.replace("class Lamp", "class Bulb")),
    ("models.py", MODELS),
    ("index.scip", document("uses.py", IN_USES).decode("latin-1")),
    ("index.scip", ""),
    ("index.scip", INDEX.decode("latin-1")),
)


@pytest.mark.invariant(
    "freshness", "With a compiler's index, a graph that is kept up to date has the bytes of one made from nothing"
)
@pytest.mark.parametrize("seed", range(4))
def test_after_each_edit_the_graph_is_the_one_that_is_made_from_nothing(tmp_path: Path, seed: int) -> None:
    root = shop(tmp_path)
    made(root)
    order = list(EDITS)
    if seed:
        random.Random(seed).shuffle(order)
    for number, (path, text) in enumerate(order):
        (root / path).write_bytes(text.encode("latin-1" if path.endswith(".scip") else "utf-8"))
        assert made(root) == made(root, f"fresh{number}"), (number, path)


def test_an_edited_file_has_edges_of_rpg_and_gets_those_of_the_compiler_back_with_its_text(tmp_path: Path) -> None:
    root = shop(tmp_path)
    before = made(root)
    (root / "uses.py").write_text(USES.replace("def light", "\ndef light"))
    assert edges(made(root), "uses.py::light") == GUESSED
    (root / "uses.py").write_text(USES)
    assert made(root) == before


def test_an_edit_elsewhere_keeps_the_edges_of_the_compiler(tmp_path: Path) -> None:
    root = shop(tmp_path)
    made(root)
    (root / "other.py").write_text("import uses\n\nprint(uses.light)\n")
    graph = made(root)
    assert edges(graph, "uses.py::light") == {("calls", "models.py::Lamp.ignite", "compiler")}
    assert graph == made(root, "fresh")


def test_a_running_server_takes_a_new_index(tmp_path: Path) -> None:
    root = shop(tmp_path, document("models.py", IN_MODELS))
    made(root)
    graphs = Graphs((tmp_path / "graph.graph.json",), Settings())
    try:
        asked = {"symbol": "Lamp.ignite"}
        assert "uses.py" in str(TOOLS["find_usages"].run(Call(graphs), asked))
        (root / "index.scip").write_bytes(INDEX)
        assert "certain" in str(TOOLS["find_usages"].run(Call(graphs), asked))
    finally:
        graphs.close()
    assert edges((tmp_path / "graph.graph.json").read_bytes(), "uses.py::light") == {
        ("calls", "models.py::Lamp.ignite", "compiler")
    }


# What it may not do


@pytest.mark.invariant("trust", "A damaged or hostile index of a compiler changes no edge and stops nothing")
@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"\0",
        b"\xff" * 64,
        INDEX[:-7],
        INDEX + b"\x12\xff\xff\xff\xff\x7f",
        INDEX + wire.message(2, wire.message(2, b"\xff\xff")),
        b'{"documents": []}\n',
        b"\x12\x00" * 50_000,
        document("uses.py", [((0, 0), DRIVE, REFERENCE)]),
        document("uses.py", [((1 << 30, 0, 3), DRIVE, REFERENCE)]),
        document("uses.py", [((3, 9, 4), DRIVE, REFERENCE)]),
        document("uses.py", [((3, 0, 1 << 30), DRIVE, REFERENCE)]),
        document("../shop/uses.py", IN_USES),
        document("/etc/passwd", IN_USES) + document("uses.py\0", IN_USES),
        document("uses.py", [(where, "x" * 100_000, role) for where, _, role in IN_USES]),
        document("uses.py", [(where, "`" * 900, role) for where, _, role in IN_USES]),
    ],
    ids=range(16),
)
def test_an_index_that_is_none_or_means_harm_does_nothing(tmp_path: Path, index: bytes) -> None:
    root = shop(tmp_path, index)
    with_it, without = made(root), made(root, scip="")
    assert edges(with_it, "uses.py::light") == GUESSED == edges(without, "uses.py::light")
    rest = orjson.loads(with_it), orjson.loads(without)
    assert rest[0]["edges"] == rest[1]["edges"]


def test_a_document_that_is_all_occurrences_is_refused_before_they_are_read(tmp_path: Path) -> None:
    graph = made(shop(tmp_path, wire.message(2, wire.text(1, "uses.py") + b"\x12\x00" * 1_100_000)))
    assert "more occurrences" in str(header(graph)["problem"])
    assert edges(graph, "uses.py::light") == GUESSED


def test_an_index_beyond_the_bound_is_not_read(tmp_path: Path) -> None:
    root = shop(tmp_path)
    os.truncate(root / "index.scip", (256 << 20) + 1)
    assert "cannot be read" in str(header(made(root))["problem"])


def test_an_index_must_be_a_file_in_the_repository(tmp_path: Path) -> None:
    root = shop(tmp_path)
    (tmp_path / "outside.scip").write_bytes(INDEX)
    (root / "link.scip").symlink_to(tmp_path / "outside.scip")
    for written, error in (
        (str(tmp_path / "outside.scip"), BadRequest),
        ("../outside.scip", BadRequest),
        ("link.scip", Forbidden),
        ("none.scip", InvalidPath),
    ):
        with pytest.raises(error):
            TOOLS["encode"].run(
                Call(Graphs((), Settings(anywhere=True, output_folder=tmp_path, scip=written))),
                {"repository": str(root), "here": True},
            )
    # A link that is made afterwards is not followed either.
    assert edges(made(root, scip="link.scip"), "uses.py::light") == GUESSED


def test_a_repository_cannot_choose_an_index_itself(tmp_path: Path) -> None:
    root = shop(tmp_path)
    (root / "rpg.toml").write_text('scip = "index.scip"\n')
    with pytest.raises(BadRequest, match="scip"):
        options_for(root)


def test_a_revision_is_read_without_the_index_of_the_work_tree(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {**FILES})
    (root / "index.scip").write_bytes(INDEX)
    encoded = encode_folder(root, Options(scip="index.scip"), revision="HEAD", workers=1)
    assert "compiler" not in {edge.via for edge in encoded.graph.edges}
    assert "compiler" in {edge.via for edge in encode_folder(root, Options(scip="index.scip"), workers=1).graph.edges}


# The command


def test_the_command_says_what_came_of_the_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = shop(tmp_path, files=FILES | {"uses.py": "#\n" + USES})
    monkeypatch.chdir(root)
    graph = tmp_path / "g.graph.json"
    assert run(["encode", ".", "--here", "--scip", "index.scip", "-o", str(graph)]) == 0
    said = "index.scip for 1 file; made of another text of 1 file: make it again"
    assert f"edges of a compiler: {said}\n" in capsys.readouterr().out
    assert run(["stats", "-g", str(graph)]) == 0
    assert "edges of a compiler: index.scip for 1 file (models.py); " in capsys.readouterr().out
