"""A language that nobody has heard of, of two constructs, added as CLAUDE.md says: one folder changes, and definitions,
calls from file to file, search and incremental encoding work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rpg.stores.graph_file.nodes import add_symbol_ids

PACKAGE = Path(__file__).parents[3] / "rpg"
ROOM = Path("encoder/languages")

ENTRY = '    Language("toy", "toy", "bash", (".toy",), family="toy"),\n'
MODULE = '''
"""Toy: `def NAME` begins a function, `call NAME` calls one of any file of the folder. The grammar is that of shells."""

from rpg.encoder import languages
from rpg.encoder.facts import Definition
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Table, Walker


class Rules(languages.Rules):
    shares_package_scope = True
    builtins = frozenset({"print"})


class Lowering(Walker):
    def lower(self, root: Node) -> None:
        self.define_file()
        commands = [node for node in root.named_children if node.type == "command"]
        starts = [node.start_byte for node in commands if self.text_of(node.named_children[0]) == "def"]
        self.ends = dict(zip(starts, [*starts[1:], len(self.source)], strict=True))
        self.walk(root)

    def command(self, node: Node) -> int:
        construct, name = node.named_children
        if self.text_of(construct) == "def":
            return self.begin(node, name)
        callee = self.identifier(name)
        self.drop_site(callee)
        return self.call(callee, name.start_byte, [])

    def begin(self, node: Node, name: Node) -> int:
        start, end, text = node.start_byte, self.ends[node.start_byte], self.text_of(name)
        self.scope = self.definition = 0
        index = self.define(
            Definition(
                kind="function", name=text, qualified_name=text, parent=0, scope=len(self.scopes),
                start_byte=start, end_byte=end, name_byte=name.start_byte, body_byte=node.end_byte,
                signature=self.folded(start, node.end_byte),
            )
        )
        self.bind(text, self.definition_value(index), name.start_byte)
        self.scope = self.open_scope("function", index, start, end)
        self.definition = index
        return 0

    handlers = Table({"command": command})
'''


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with the new language."""
    folder = tmp_path_factory.mktemp("installation")
    shutil.copytree(PACKAGE, folder / "rpg", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    room = folder / "rpg" / ROOM
    (room / "toy.py").write_text(MODULE.lstrip())
    entries = (room / "table.py").read_text()
    assert entries.count('    Language("tsx"') == 1
    (room / "table.py").write_text(entries.replace('    Language("tsx"', f'{ENTRY}    Language("tsx"'))
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "greeting.toy").write_text("def greet_customer\ncall print\n\ndef farewell\ncall greet_customer\n")
    (root / "main.toy").write_text("def open_shop\ncall greet_customer\ncall nobody\n")
    return root


def rpg(installation: Path, root: Path, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(installation), "RPG_DATA": str(root.parent / "data")}
    done = subprocess.run(
        [sys.executable, "-m", "rpg", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def encoded(installation: Path, root: Path, *options: str) -> list[dict[str, Any]]:
    """The symbols and edges of the graph file, by symbol ids."""
    rpg(installation, root, "encode", ".", "-o", "../shop.graph.json", *options)
    graph = add_symbol_ids(json.loads((root.parent / "shop.graph.json").read_text()))
    return [*graph["nodes"], *graph["edges"]]


def calls_in(rows: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    return {(row["source"], row["target"], row["via"]) for row in rows if "source" in row and row["kind"] == "calls"}


@pytest.mark.invariant(
    "the house",
    "what a language brings (builtins, library, protocols) is named only in the language's own folder; a "
    "new language changes no other room",
)
def test_a_new_language_takes_one_folder(installation: Path) -> None:
    changed = {
        path.relative_to(installation / "rpg").parent
        for path in (installation / "rpg").rglob("*.py")
        if not (PACKAGE / (name := path.relative_to(installation / "rpg"))).is_file()
        or (PACKAGE / name).read_bytes() != path.read_bytes()
    }

    assert changed == {ROOM}


def test_its_definitions_and_calls_are_in_the_graph(installation: Path, repository: Path) -> None:
    rows = encoded(installation, repository)

    functions = {row["id"]: (row["start_line"], row["end_line"]) for row in rows if row["kind"] == "function"}
    assert functions == {
        "greeting.toy::greet_customer": (1, 3),
        "greeting.toy::farewell": (4, 5),
        "main.toy::open_shop": (1, 3),
    }
    assert calls_in(rows) == {
        ("greeting.toy::farewell", "greeting.toy::greet_customer", "scope"),
        ("main.toy::open_shop", "greeting.toy::greet_customer", "scope"),
    }
    [main] = [row for row in rows if row.get("id") == "main.toy"]
    assert main["references"] == {"certain": 1, "possible": 0, "external": 0, "unresolved": 1, "ambiguous": 0}


def test_it_is_searched_and_its_usages_are_found(installation: Path, repository: Path) -> None:
    encoded(installation, repository)

    found = json.loads(
        rpg(installation, repository, "search", "greet customer", "--graph", "../shop.graph.json", "--json")
    )
    usages = json.loads(
        rpg(installation, repository, "usages", "greet_customer", "--graph", "../shop.graph.json", "--json")
    )

    assert found["hits"][0]["name"] == "greet_customer"
    [symbol] = usages["symbols"]
    assert symbol["complete"]
    assert {(file["path"], tuple(place)) for file in symbol["certain"] for *place, _ in file["usages"]} == {
        ("greeting.toy", ("5:6", "farewell")),
        ("main.toy", ("2:6", "open_shop")),
    }


def test_an_edit_of_it_is_followed(installation: Path, repository: Path) -> None:
    encoded(installation, repository)
    (repository / "greeting.toy").write_text("def farewell\n\ndef nobody\n")

    assert calls_in(encoded(installation, repository)) == {("main.toy::open_shop", "greeting.toy::nobody", "scope")}
