"""The functional view: areas, categories and features above the files, a place for each file, stable under edits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import orjson
import pytest
from area_sources import FILES, PACKAGES, module
from repositories import write

from rpg.encoder.areas.grouping import Forest, Group, Sizes
from rpg.encoder.areas.path_words import phrase
from rpg.encoder.areas.sketch import Sketch, unpack_sketches
from rpg.encoder.areas.titles import titles, unlike, unlike_each_other
from rpg.encoder.encode import encode as encode_folder
from rpg.encoder.options import Options
from rpg.graph import FUNCTIONAL_KINDS, Graph
from rpg.repository import encode, index_path
from rpg.stores.graph_file import graph_file
from rpg.stores.index.index import Index


def places(graph: Graph) -> dict[str, str]:
    """By file: what covers it or the nearest directory around it."""
    covered = {edge.target: edge.source for edge in graph.edges if edge.kind == "covers"}
    found = {}
    for symbol in graph.symbols:
        if symbol.kind in ("module", "file"):
            path = symbol.path
            while path and path not in covered:
                path = path[: path.rstrip("/").rfind("/") + 1]
            found[symbol.path] = covered[path or "./"]
    return found


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return encode_folder(write(tmp_path_factory.mktemp("repo") / "shop", FILES)).graph


def test_what_depends_on_each_other_is_one_area_and_named_after_its_directory(graph: Graph) -> None:
    areas = {path: place.split("/")[0] for path, place in places(graph).items()}

    for package, names in PACKAGES.items():
        of_package = {areas[f"shop/{package}/{name}.py"] for name in names}
        assert len(of_package) == 1
        assert package in of_package.pop().lower()
    assert len({areas[f"shop/{package}/__init__.py"] for package in PACKAGES}) == 3


@pytest.mark.invariant(
    "encoding",
    "every file has exactly one place in the functional view; an edit inside a function moves nothing, "
    "and after any edit the view is that of a clean encode",
)
def test_every_file_has_exactly_one_place(graph: Graph) -> None:
    covered = Counter(edge.target for edge in graph.edges if edge.kind == "covers")
    functional = [symbol for symbol in graph.symbols if symbol.kind in FUNCTIONAL_KINDS]

    assert places(graph).keys() == FILES.keys()
    assert max(covered.values()) == 1
    assert {symbol.id for symbol in functional if symbol.kind != "area"} <= covered.keys()
    assert {symbol.path for symbol in functional} == {""}


def test_tests_examples_and_documents_are_apart(graph: Graph) -> None:
    areas = {path: place.removeprefix("::").split("/")[0] for path, place in places(graph).items()}

    assert areas["tests/test_shop.py"] == "Tests"
    assert areas["examples/buy.py"] == "Examples"
    assert areas["docs/use.md"] == areas["README.md"] == "Documentation"
    assert areas["pyproject.toml"] == "Project files"
    assert areas["shop/delivery/forms/note.html"] == areas["shop/delivery/route.py"]


def test_a_repository_that_is_seen_at_a_glance_has_none(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{name}.py": module(name) for name in "abcdef"}

    assert not [s for s in encode_folder(write(tmp_path, files)).graph.symbols if s.kind in FUNCTIONAL_KINDS]


def test_a_library_without_a_folder_of_its_own_is_divided_by_what_uses_what(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"all.py": ""}
    for names in PACKAGES.values():
        for name in names:
            files[f"{name}.py"] = "".join(f"import {other}\n" for other in names if other != name) + module(
                name
            ).replace("return 1", "; ".join(f"{other}.run()" for other in names if other != name))

    where = places(encode_folder(write(tmp_path, files)).graph)

    areas = {package: {where[f"{name}.py"].split("/")[0] for name in names} for package, names in PACKAGES.items()}
    assert sum(map(len, areas.values())) == len(set().union(*areas.values())) <= 4


@pytest.mark.invariant(
    "encoding",
    "every file has exactly one place in the functional view; an edit inside a function moves nothing, "
    "and after any edit the view is that of a clean encode",
)
def test_an_edit_inside_a_function_moves_nothing(tmp_path: Path, graph: Graph) -> None:
    edited = str(FILES["shop/billing/tax.py"]).replace("def tax_1():", "def tax_1():\n    total = 1 + 2")

    again = encode_folder(write(tmp_path / "shop", FILES | {"shop/billing/tax.py": edited})).graph

    assert [s for s in again.symbols if s.kind in FUNCTIONAL_KINDS] == [
        s for s in graph.symbols if s.kind in FUNCTIONAL_KINDS
    ]
    assert places(again) == places(graph)


EDITS = {
    "a use of another file": module("label", "shop.billing.tax", "shop.billing.invoice", functions=40),
    "less of everything": "def run():\n    return 1\n",
    "a function's body": str(FILES["shop/delivery/label.py"]).replace("def run():\n", "def run():\n    x = 1\n"),
}


@pytest.mark.invariant(
    "encoding",
    "every file has exactly one place in the functional view; an edit inside a function moves nothing, "
    "and after any edit the view is that of a clean encode",
)
@pytest.mark.parametrize("edit", EDITS)
def test_after_an_edit_the_view_is_that_of_a_clean_encode(tmp_path: Path, edit: str) -> None:
    root, output, clean = write(tmp_path / "shop", FILES), tmp_path / "a.graph.json", tmp_path / "b.graph.json"
    encode(root, output, Options())
    (root / "shop/delivery/label.py").write_text(EDITS[edit])

    assert encode(root, output, Options()).parsed == 1
    encode(root, clean, Options(), full=True)

    assert output.read_bytes() == clean.read_bytes()
    kept = [Index.open_read_only(index_path(each)) for each in (output, clean)]
    assert sketched(kept[0]) == sketched(kept[1])


def sketched(index: Index) -> list[object]:
    return list(unpack_sketches(index.value("SELECT data FROM survey WHERE name = 'sketches'")))


def test_a_graph_file_with_areas_is_read_back(tmp_path: Path, graph: Graph) -> None:
    graph_file.write(tmp_path / "shop.graph.json", graph)

    read = graph_file.read(tmp_path / "shop.graph.json")

    assert (read.symbols, read.edges) == (graph.symbols, graph.edges)
    assert orjson.loads((tmp_path / "shop.graph.json").read_bytes())["nodes"][0]["path"] == ""


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("v4/", "v4"), ("jinja2/", "jinja2"), ("html5.py", "HTML5"), ("ginS/", "gins"),
        ("db_utils.py", "database utilities"), ("staticfiles/", "static files"),
        ("JsonArray.java", "JSON array"), ("java-17-record.py", "java 17 record"),
        ("boundfield.py", "bound field"), ("defaulttags.py", "default tags"), ("framework.py", "framework"),
        ("keywords.py", "keywords"), ("archive.py", "archive"), ("ConstructorConstructor.java", "constructor"),
        ("use-at-your-own-risk.js", "use"), ("no-loss-of-precision.js", "no loss of precision"),
        ("shop/till/index.js", "till"), ("index.js", "index"),
    ],
)  # fmt: skip
def test_names_are_written_as_people_write_them(path: str, said: str) -> None:
    assert phrase(path) == said


@pytest.mark.parametrize(
    ("phrases", "kept"),
    [(["stream", "streams"], ["stream"]), (["gson", "gson builder"], ["gson"]), (["JSON", "XML"], ["JSON", "XML"])],
)
def test_a_title_names_no_part_that_repeats_another(phrases: list[str], kept: list[str]) -> None:
    assert unlike_each_other(phrases) == kept


def units(forest: Forest, *paths: str) -> Group:
    return tuple(forest.unit(path, [file for file in forest.weights if file.startswith(path)]) for path in paths)


def test_a_part_of_a_directory_is_titled_with_it_unless_the_title_above_says_so() -> None:
    names = ("shop/rules/tax.py", "shop/rules/rent.py", "shop/rules/fees.py", "shop/cart.py", "shop/till.py")
    forest = Forest([Sketch(path, "code", 8, ()) for path in names])
    groups = [units(forest, "shop/rules/fees.py", "shop/rules/rent.py"), units(forest, "shop/cart.py", "shop/till.py")]

    assert titles(forest, groups, "") == ["Rules: fees and rent", "Cart and till"]
    assert titles(forest, groups, "", above="Rules and carts") == ["Fees and rent", "Cart and till"]


def test_a_directory_is_not_named_again_below_a_title_of_its_name() -> None:
    forest = Forest([Sketch(f"docs/{path}/a.md", "docs", 8, ()) for path in ("releases", "topics")])

    assert titles(forest, [units(forest, "docs/")], "") == ["Documentation: releases and topics"]
    assert titles(forest, [units(forest, "docs/")], "", above="Documentation") == ["Releases and topics"]


def test_titles_that_differ_in_a_plural_alone_are_the_same() -> None:
    assert unlike({"type adapter"}, ["Type adapters", "Adapters of types"]) == "Adapters of types"


def test_parts_of_a_monorepo_join_their_neighbours() -> None:
    sketches = [
        Sketch("core/src/large.py", "code", 16, (("core/src/small.py", 1), ("extras/json.py", 1))),
        Sketch("core/src/small.py", "code", 2, ()),
        Sketch("core/src/other.py", "code", 14, (("extras/json.py", 2),)),
        Sketch("extras/json.py", "code", 2, ()),
        Sketch("extras/xml.py", "code", 10, ()),
    ]
    forest = Forest(sketches)
    every = units(forest, *(each.path for each in sketches))
    groups = forest.joined(every, Sizes(3, 0.01, True))

    assert {tuple(unit.path for unit in group) for group in groups if len(group) > 1} >= {
        ("extras/xml.py", "extras/json.py")
    }


def test_a_shelf_of_many_files_is_one_area(tmp_path: Path) -> None:
    rules = {f"shop/rules/{name}_{number}.py": module(f"{name}_{number}", functions=2)
             for name in ("tax", "rent", "fees", "duty") for number in range(15)}  # fmt: skip
    graph = encode_folder(write(tmp_path / "shop", FILES | rules)).graph

    assert {place.split("/")[0] for path, place in places(graph).items() if path in rules} == {"::Rules"}


def test_playgrounds_are_examples_and_documents_of_a_monorepo_are_documents(tmp_path: Path) -> None:
    files = {f"{folder}/{name}.py": module(name) for folder in ("playground/css", "packages/docs/app") for name in "ab"}
    place = places(encode_folder(write(tmp_path / "shop", FILES | files)).graph)

    assert {path: place[path].split("/")[0] for path in files} == {
        "playground/css/a.py": "::Examples", "playground/css/b.py": "::Examples",
        "packages/docs/app/a.py": "::Documentation", "packages/docs/app/b.py": "::Documentation",
    }  # fmt: skip


def test_a_folder_of_languages_is_not_divided(tmp_path: Path) -> None:
    codes = ("be", "ca", "cs", "da", "de", "en", "es", "fa", "fi", "fr", "he", "hu", "it", "ja", "km", "pt-br")
    languages = {f"shop/locales/{code}.py": module(code.replace("-", "_")) for code in codes}
    graph = encode_folder(write(tmp_path / "shop", FILES | languages)).graph
    place = places(graph)

    assert len({place[path] for path in languages}) == 1


def test_packages_of_java_below_their_sources_are_not_examples(tmp_path: Path) -> None:
    files = {
        f"{above}/org/acme/samples/{name}/{name.title()}.java": f"class {name.title()} {{}}\n"
        for above in ("src/main/java", "samples/src/main/java")
        for name in ("cart", "till", "shelf", "stock", "price", "tax", "parcel", "route")
    }
    place = places(encode_folder(write(tmp_path / "shop", files)).graph)

    assert {place[path] == "::Examples" for path in files if path.startswith("src/")} == {False}
    assert {place[path].partition("/")[0] for path in files if path.startswith("samples/")} == {"::Examples"}


def test_tools_that_code_uses_are_code(tmp_path: Path) -> None:
    tools = {"tools/__init__.py": "", "tools/log.py": module("log"), "tools/other.py": module("other")}
    users = {f"shop/users/part_{number}.py": module(f"part_{number}", "tools.log") for number in range(3)}
    used = places(encode_folder(write(tmp_path / "used", FILES | tools | users)).graph)
    unused = places(encode_folder(write(tmp_path / "unused", FILES | tools)).graph)

    assert "Project files" not in used["tools/log.py"] + used["tools/other.py"]
    assert unused["tools/log.py"] == "::Project files"


def test_a_large_style_does_not_outweigh_the_code(tmp_path: Path) -> None:
    style = {"shop/static/all.css": "\n".join(f".c{number} {{ color: red }}" for number in range(2_000))}
    plain = encode_folder(write(tmp_path / "plain", FILES)).graph
    graph = encode_folder(write(tmp_path / "shop", FILES | style)).graph
    areas = {symbol.name for symbol in graph.symbols if symbol.kind == "area"}

    assert {symbol.name for symbol in plain.symbols if symbol.kind == "area"} <= areas
