"""Libraries that the user names: what leads outside the repository ends in their symbols, and nothing else changes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from repositories import git, read_json, repository, write

from rpg.cli import run
from rpg.encoder.options import options_for
from rpg.encoder.source_files import libraries as sources
from rpg.errors import BadRequest, RpgError
from rpg.graph import LIBRARY
from rpg.repository import encode, index_path
from rpg.stores.graph_file.nodes import add_symbol_ids
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs, Settings

SITE = ".venv/lib/python3.11/site-packages"
TEA = {
    f"{SITE}/tea/__init__.py": "from tea.pots import Pot, brew\n",
    f"{SITE}/tea/pots.py": (
        "from __future__ import annotations\n\nfrom tea.cups import Cup\n\n\n"
        "class Vessel:\n    def clean(self):\n        return self.size\n\n    size = 1\n\n\n"
        "class Pot(Vessel):\n"
        "    def __init__(self, leaves):\n        self.leaves = leaves\n\n"
        "    def pour(self) -> Cup:\n        return Cup(self)\n\n"
        "    def heat(self):\n        self.pour()\n\n\n"
        "def brew(leaves) -> Pot:\n    return Pot(leaves)\n"
    ),
    f"{SITE}/tea/cups.py": (
        "class Cup:\n    def __init__(self, pot):\n        self.pot = pot\n\n    def drink(self): ...\n"
    ),
    f"{SITE}/tea/tests/test_tea.py": "def test_tea(): ...\n",
    f"{SITE}/tea-2.1.dist-info/RECORD": "tea/__init__.py,,\ntea/pots.py,,\ntea/cups.py,,\n../../bin/tea,,\n",
    f"{SITE}/mugs.py": "def hold(): ...\n",
}
MAIN = (
    "import tea\nfrom tea import brew as make\nfrom mugs import hold\n\n\n"
    "class Kettle(tea.Pot):\n    def heat(self):\n        super().heat()\n        return self.clean()\n\n"
    "    def whistle(self):\n        return 1\n\n\n"
    "def serve(pot: tea.Pot):\n    make('green').pour().drink()\n    hold()\n    return pot.pour()\n\n\n"
    "def unknown(thing):\n    thing.pour()\n"
)
OWN = {
    ".gitignore": ".venv\n.rpg\nnode_modules\n",
    "app/main.py": MAIN,
    "app/other.py": "from app.main import serve\n\nserve(None)\n",
}
POTS, CUPS, PACKAGE = "site-packages/tea/pots.py", "site-packages/tea/cups.py", "site-packages/tea/__init__.py"


def options_of(root: Path, *names: str, folders: tuple[Path, ...] = ()) -> Any:
    return options_for(root, {"libraries": list(names), "library_folders": list(map(str, folders))})


def encoded(root: Path, *names: str, folders: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The graph of a folder with these libraries, in `.rpg`."""
    output = root / ".rpg" / "shop.graph.json"
    output.parent.mkdir(exist_ok=True)
    encode(root, output, options_of(root, *names, folders=folders))
    return add_symbol_ids(orjson.loads(read_json(output)))


def edges_out(graph: dict[str, Any], path: str = "app/main.py") -> set[tuple[str, str, str, str]]:
    """From the name of a symbol of a file to symbols of libraries: kind, via, source, target."""
    return {
        (edge["kind"], edge["via"], edge["source"].removeprefix(path).removeprefix("::"), edge["target"])
        for edge in graph["edges"]
        if edge["source"].startswith(path) and edge["target"].startswith(("site-packages/", "node_modules/"))
    }


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = repository(tmp_path / "shop", {**OWN})
    return write(root, {**TEA})


def ask(root: Path, tool: str, **arguments: Any) -> Any:
    graphs = Graphs([root / ".rpg" / "shop.graph.json"], Settings())
    try:
        return TOOLS[tool].run(Call(graphs), arguments)
    finally:
        graphs.close()


def test_calls_bases_and_overrides_end_in_the_symbols_of_the_library(shop: Path) -> None:
    graph = encoded(shop, "tea", "mugs")
    assert edges_out(graph) == {
        ("references", "import", "Kettle", PACKAGE),
        ("inherits", "import", "Kettle", f"{POTS}::Pot"),
        ("calls", "super", "Kettle.heat", f"{POTS}::Pot.heat"),
        ("overrides", "inherited", "Kettle.heat", f"{POTS}::Pot.heat"),
        ("calls", "inherited", "Kettle.heat", f"{POTS}::Vessel.clean"),
        ("references", "import", "serve", PACKAGE),
        ("references", "import", "serve", f"{POTS}::Pot"),
        ("calls", "import", "serve", f"{POTS}::brew"),
        ("calls", "type", "serve", f"{POTS}::Pot.pour"),
        ("calls", "type", "serve", f"{CUPS}::Cup.drink"),
        ("calls", "import", "serve", "site-packages/mugs.py::hold"),
    }
    about = {each["name"]: each for each in graph["graph"]["libraries"]}
    assert about["tea"] | {} == {
        "name": "tea", "version": "2.1", "folders": ["site-packages/tea"], "languages": ["python"], "files": 3,
    }  # fmt: skip
    assert about["mugs"]["version"] == ""


def test_the_repositorys_own_part_is_the_same_with_and_without(shop: Path) -> None:
    plain = encoded(shop)
    graph = encoded(shop, "tea")
    assert "libraries" not in plain["graph"]
    own = {node["id"] for node in graph["nodes"] if LIBRARY not in node.get("modifiers", ())}
    assert [node for node in graph["nodes"] if node["id"] in own] == plain["nodes"]
    assert [each for each in graph["edges"] if {each["source"], each["target"]} <= own] == plain["edges"]
    header = {key: value for key, value in graph["graph"].items() if key not in ("libraries", "options")}
    assert header == {key: value for key, value in plain["graph"].items() if key != "options"}


def test_without_the_option_the_graph_has_the_same_bytes_whatever_is_installed(shop: Path) -> None:
    encode(shop, shop / ".rpg" / "shop.graph.json", options_for(shop))
    before = (shop / ".rpg" / "shop.graph.json").read_bytes()
    encoded(shop, "tea")
    encode(shop, shop / ".rpg" / "shop.graph.json", options_for(shop))
    assert (shop / ".rpg" / "shop.graph.json").read_bytes() == before


def test_of_a_library_only_what_the_user_names_is_there(shop: Path) -> None:
    paths = {node["path"] for node in encoded(shop, "tea")["nodes"]}
    assert {path for path in paths if path.startswith("site-packages")} == {
        "site-packages/", "site-packages/tea/", PACKAGE, POTS, CUPS,
    }  # fmt: skip


def test_no_folder_is_in_the_graph_of_where_libraries_are(shop: Path, tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "elsewhere", {path.removeprefix(f"{SITE}/"): text for path, text in TEA.items()})
    write(shop, {f"{SITE}/tea/pots.py": ""})
    graph = encoded(shop, "tea", folders=(elsewhere,))
    assert ("calls", "import", "serve", f"{POTS}::brew") in edges_out(graph)
    assert str(tmp_path) not in read_json(shop / ".rpg" / "shop.graph.json").decode()
    assert str(tmp_path) not in orjson.dumps(graph["graph"]).decode()


def test_a_list_of_uses_of_a_librarys_symbol_has_the_repositorys_and_is_never_complete(shop: Path) -> None:
    encoded(shop, "tea")
    [found] = ask(shop, "find_usages", symbol="tea.Pot.pour").symbols
    assert found.symbol == f"{POTS}::Pot.pour"
    assert [(each.path, [use.site for use in each.usages]) for each in found.certain] == [
        ("app/main.py", ["16:19", "18:16"])
    ]
    assert not found.complete
    assert "of a library" in found.reason
    [own] = ask(shop, "find_usages", symbol="Kettle.heat").symbols
    assert own.overrides == [f"{POTS}::Pot.heat"]


def test_libraries_are_shown_where_a_reference_ends_and_nowhere_else(shop: Path) -> None:
    encoded(shop)
    before = [ask(shop, "stats"), ask(shop, "stats", of="unused"), ask(shop, "search", query="pour the tea")]
    encoded(shop, "tea")
    after = [ask(shop, "stats"), ask(shop, "stats", of="unused"), ask(shop, "search", query="pour the tea")]
    assert after[0].repositories[0].statistics.symbols == before[0].repositories[0].statistics.symbols
    assert after[0].repositories[0].statistics.files == before[0].repositories[0].statistics.files
    assert after[0].repositories[0].statistics.languages == before[0].repositories[0].statistics.languages
    assert after[0].repositories[0].statistics.libraries == "tea 2.1 (3 files)"
    assert [each.path for each in after[2].hits] == [each.path for each in before[2].hits]
    explored = ask(shop, "explore", start=["serve"], direction="callees", depth=1)
    assert (POTS, "brew") in {(node.path, node.name) for node in explored.nodes}
    fetched = ask(shop, "fetch", targets=["tea.brew"])
    assert "return Pot(leaves)" in TOOLS["fetch"].text(fetched)


def test_javascript_has_its_libraries_in_node_modules(tmp_path: Path) -> None:
    root = repository(
        tmp_path / "shop",
        {
            ".gitignore": "node_modules\n.rpg\n",
            "package.json": '{"name": "shop", "dependencies": {"tea": "1"}}',
            "src/a.ts": 'import { brew, Pot } from "tea";\nimport base from "cups";\n\n'
            "export function serve() {\n  return brew().stir();\n}\n\nexport class Kettle extends Pot {\n"
            "  pour() {\n    return super.pour();\n  }\n}\n\nbase();\n",
        },
    )
    write(
        root,
        {
            "node_modules/tea/package.json": '{"name": "tea", "version": "3.0.1", "main": "lib/index.js"}',
            "node_modules/tea/lib/index.js": 'export { brew, Pot } from "./pots.js";\n',
            "node_modules/tea/lib/pots.js": "export class Pot {\n  pour() {}\n\n  stir() {}\n}\n\n"
            "export function brew() {\n  return new Pot();\n}\n",
            "node_modules/cups/package.json": '{"name": "cups", "version": "0.1.0", "main": "index.js"}',
            "node_modules/cups/index.js": "module.exports = function hold() {};\n",
            "node_modules/tea/node_modules/other/index.js": "export function never() {}\n",
        },
    )
    found = edges_out(encoded(root, "tea", "cups"), "src/a.ts")
    pots = "node_modules/tea/lib/pots.js"
    assert {
        ("calls", "import", "serve", f"{pots}::brew"),
        ("calls", "type", "serve", f"{pots}::Pot.stir"),
        ("inherits", "import", "Kettle", f"{pots}::Pot"),
        ("overrides", "inherited", "Kettle.pour", f"{pots}::Pot.pour"),
        ("calls", "super", "Kettle.pour", f"{pots}::Pot.pour"),
        ("calls", "import", "", "node_modules/cups/index.js::hold"),
    } <= found


def test_a_library_that_is_not_there_is_refused_by_name(shop: Path) -> None:
    with pytest.raises(BadRequest, match=r"coffee.*not installed as sources.*--libraries-in"):
        encoded(shop, "coffee")
    for name in ("../tea", "/etc", "tea/pots", "a\nb", "..", "@x/..", "tea/../../.."):
        with pytest.raises(RpgError):
            encoded(shop, name)


def test_files_of_the_repository_where_libraries_would_be_shown_are_refused(shop: Path) -> None:
    write(shop, {"site-packages.py": "", "node_modules.txt": ""})
    assert encoded(shop, "tea")["graph"]["libraries"]


def test_nothing_outside_the_folder_of_the_library_is_read(shop: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside", {"secret.py": "def betrayed(): ...\n", "pack/__init__.py": "def betrayed(): ...\n"})
    site = shop / SITE
    (site / "tea" / "leak.py").symlink_to(tmp_path / "outside" / "secret.py")
    (site / "tea" / "deep").symlink_to(tmp_path / "outside")
    (site / "linked").symlink_to(tmp_path / "outside" / "pack")
    encoded(shop, "tea")
    assert b"betrayed" not in read_json(shop / ".rpg" / "shop.graph.json")
    with pytest.raises(BadRequest, match="not installed"):
        encoded(shop, "linked")
    [library] = sources.find_libraries(shop, options_of(shop, "tea"))
    [first, *_] = sources.list_files([library])
    away = first._replace(entry=first.entry._replace(disk=f"{SITE}/tea/leak.py"))
    assert isinstance(sources.read(away, 1 << 20), sources.Skipped)
    up = first._replace(entry=first.entry._replace(disk=f"{SITE}/../../../../../outside/secret.py"))
    assert isinstance(sources.read(up, 1 << 20), sources.Skipped)


def test_an_environment_that_is_a_link_is_read_only_if_it_is_named(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {**OWN})
    write(tmp_path / "far", {**TEA})
    (root / ".venv").symlink_to(tmp_path / "far" / ".venv")
    with pytest.raises(BadRequest, match="not installed"):
        encoded(root, "tea")
    for named in (root / ".venv", tmp_path / "far" / SITE, tmp_path / "far" / ".venv" / "bin" / "python3"):
        assert encoded(root, "tea", folders=(named,))["graph"]["libraries"]


def test_a_repository_cannot_name_libraries_itself(shop: Path) -> None:
    for option in ('libraries = ["tea"]', 'library_folders = ["/"]'):
        write(shop, {"rpg.toml": option})
        with pytest.raises(BadRequest, match="unknown"):
            options_for(shop)


def test_what_is_broken_too_large_or_binary_is_left_out_and_counted(shop: Path) -> None:
    write(
        shop,
        {
            f"{SITE}/tea/broken.py": "def (:\n  class\x0c ((\n" * 3,
            f"{SITE}/tea/binary.py": b"\0\1\2" * 100,
            f"{SITE}/tea/large.py": "x = 1\n" * 400_000,
        },
    )
    (shop / SITE / "tea" / "pipe.py").mkdir()
    graph = encoded(shop, "tea")
    [about] = graph["graph"]["libraries"]
    assert (about["files"], about["skipped"]) == (4, 2)
    assert ("calls", "import", "serve", f"{POTS}::brew") in edges_out(graph)


def test_a_library_that_is_too_large_is_refused(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_FILES", 2)
    with pytest.raises(BadRequest, match="more than"):
        encoded(shop, "tea")


def test_secrets_of_a_library_are_masked(shop: Path) -> None:
    key = "ghp_" + "R4nd0m" * 6
    write(shop, {f"{SITE}/tea/keys.py": f'TOKEN = "{key}"\n\n\ndef use(token="{key}"): ...\n'})
    encoded(shop, "tea")
    fetched = TOOLS["fetch"].text(ask(shop, "fetch", targets=["tea.keys.use"]))
    assert "def use" in fetched
    assert key not in fetched
    for path in (shop / ".rpg").iterdir():
        if path.is_file():
            assert key.encode() not in path.read_bytes()


def test_a_library_that_is_installed_anew_is_read_anew(shop: Path) -> None:
    assert ("calls", "import", "serve", f"{POTS}::brew") in edges_out(encoded(shop, "tea"))
    pots = (shop / SITE / "tea" / "pots.py").read_text()
    write(shop, {f"{SITE}/tea/pots.py": pots.replace("def brew", "def boil")})
    assert ("calls", "import", "serve", f"{POTS}::brew") not in edges_out(encoded(shop, "tea"))


EDITS = (
    ("make('green')", "tea.brew('black')"),
    ("(tea.Pot)", "(tea.pots.Vessel)"),
    ("def heat(self)", "def pour(self)"),
    ("pot: tea.Pot", "pot: tea.Cup"),
    ("return pot.pour()", "return pot.pour().drink()"),
    ("thing.pour()", "Kettle(thing).pour().drink()"),
    ("from mugs import hold\n", "from mugs import hold\n\nKEPT = make(1)\n"),
    ("    hold()\n", "    hold()\n    KEPT.heat()\n"),
    ("def serve", "def held() -> tea.Pot: ...\n\n\ndef serve"),
)
OTHERS = (
    "from app.main import serve\n\nserve(None)\n",
    "from app.main import Kettle\n\n\nclass Small(Kettle):\n    def clean(self):\n        return super().clean()\n",
    "from app import main\n\nmain.held().pour()\nmain.KEPT.pour().drink()\nmain.Kettle(2).clean()\n",
    "import tea\n\n\nclass Big(tea.Pot):\n    pass\n\n\nBig(1).heat()\n",
)


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_the_bytes_are_those_of_a_clean_encode(shop: Path, tmp_path: Path, seed: int) -> None:
    random_number = random.Random(seed)
    encoded(shop, "tea", "mugs")
    text = MAIN
    for step in range(8):
        if random_number.random() < 0.6:
            old, new = random_number.choice(EDITS)
            text = text.replace(old, new, 1) if old in text else text.replace(new, old, 1)
            write(shop, {"app/main.py": text})
        else:
            path = random_number.choice(("app/other.py", "app/other.py", f"app/more{step}.py"))
            write(shop, {path: random_number.choice(OTHERS)})
        encoded(shop, "tea", "mugs")
        clean = tmp_path / f"clean{step}.graph.json"
        encode(shop, clean, options_of(shop, "tea", "mugs"), full=True)
        assert read_json(shop / ".rpg" / "shop.graph.json") == read_json(clean)
        with_index, made = (
            Index.open_read_only(index_path(each)) for each in (shop / ".rpg" / "shop.graph.json", clean)
        )
        assert list(stored_graph.symbols(with_index)) == list(stored_graph.symbols(made))
        assert list(stored_graph.edges(with_index)) == list(stored_graph.edges(made))
        with_index.close()
        made.close()


def test_verify_agrees_after_an_edit(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["encode", str(shop), "--with-libraries", "tea,mugs"]) == 0
    assert "libraries: tea 2.1 (3 files), mugs (1 file)" in capsys.readouterr().out
    write(shop, {"app/main.py": MAIN.replace("(tea.Pot)", "(tea.pots.Vessel)")})
    [graph] = (shop / ".rpg").glob("*.graph.json")
    assert run(["usages", "tea.pots.Vessel", "-g", str(graph)]) == 0
    assert "Kettle" in capsys.readouterr().out
    assert run(["verify", "-g", str(graph)]) == 0
    assert git(shop, "status", "--porcelain", "--", "app") != ""
