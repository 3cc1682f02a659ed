"""Tools show areas, categories and features, search within them, and show a repository on one page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from area_sources import FILES, module
from repositories import write

import rpg
from rpg.encoder.options import Options
from rpg.errors import BadRequest
from rpg.queries.graph.budget import BYTES_PER_TOKEN
from rpg.queries.overview.one_page import first_paragraph
from rpg.repository import encode
from rpg.text.features import feature_of
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs

README = """\
<h1 align="center"><img src="logo.png"></h1>

[![Build](https://example.org/badge.svg)](https://example.org) ![x](y)

# Shop

Shop *sells things* and sends them, see [the guide](https://example.org), to whoever `orders` them.

## Install

More words that stand further below and say how it is installed.
"""
SCRIPTS = """\
[project]
name = "shop"
scripts = {shop-run = "shop.main:run"}

[build-system]
build-backend = "flit_core.buildapi"

[tool.pytest.ini_options]
"""


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    folder = tmp_path_factory.mktemp("shop")
    more: dict[str, str | bytes] = {
        "README.md": README, "pyproject.toml": SCRIPTS, "shop/__main__.py": "import shop.billing.tax\n",
        "package.json": json.dumps({"name": "front", "bin": {"front": "./cli.js"}, "scripts": {"test": "x"}}),
    }  # fmt: skip
    encode(write(folder / "shop", FILES | more), folder / "shop.graph.json", Options())
    graphs = Graphs([folder / "shop.graph.json"])
    yield Call(graphs)
    graphs.close()


def asked(call: Call, tool: str, **arguments: Any) -> str:
    return TOOLS[tool].text(TOOLS[tool].run(call, arguments))


def area(call: Call, of: str) -> str:
    found = TOOLS["fetch"].run(call, {"targets": [of]}).symbols[0]  # type: ignore[attr-defined]
    return str(found.place)


def test_a_symbol_has_its_place_and_a_feature(call: Call) -> None:
    shown = TOOLS["fetch"].run(call, {"targets": ["shop/billing/tax.py::tax_1"]}).symbols[0]  # type: ignore[attr-defined]

    assert "billing" in shown.place.lower()
    assert shown.does == "provide tax 1"
    assert f"in {shown.place}" in asked(call, "fetch", targets=["shop/billing/tax.py::tax_1"])


def test_an_area_is_fetched_by_its_name(call: Call) -> None:
    name = area(call, "shop/billing/tax.py").split("/")[0]

    for written in (name, name.lower(), f"::{name}"):
        assert "shop/billing/" in asked(call, "fetch", targets=[written])


def test_a_search_stays_within_an_area(call: Call) -> None:
    name = area(call, "shop/billing/tax.py").split("/")[0]

    for arguments in ({"query": "run"}, {"query": "def run", "mode": "text"}, {"kinds": ["function"]}):
        found = TOOLS["search"].run(call, {**arguments, "within": name, "limit": 100, "tests": "all"})
        paths = {each.path for each in (*found.hits, *found.texts)}  # type: ignore[attr-defined]
        assert paths
        assert all(path.startswith("shop/billing/") for path in paths)


def test_a_search_within_what_is_not_an_area_names_the_areas(call: Call) -> None:
    with pytest.raises(BadRequest, match="Tests"):
        asked(call, "search", query="run", within="nowhere at all")


def test_a_question_is_about_the_area_where_its_answers_are(call: Call) -> None:
    found = TOOLS["search"].run(call, {"query": "courier of a parcel", "mode": "features"})

    assert "delivery" in found.hits[0].name.lower()  # type: ignore[attr-defined]
    assert {hit.kind for hit in found.hits} <= {"area", "category", "feature"}  # type: ignore[attr-defined]


def test_the_functional_view_of_everything_has_all_areas_and_of_a_symbol_its_own(call: Call) -> None:
    every = asked(call, "explore", start=["./"], edges=["functional"], depth=1)
    own = asked(call, "explore", start=["shop/delivery/route.py::run"], edges=["functional", "dependency"])

    assert every.count("area ") >= 5
    assert "delivery" in own.lower()
    assert "billing" not in own.split("\n", 1)[-1].lower()


def test_stats_count_both_views(call: Call) -> None:
    said = asked(call, "stats")

    assert "functional view: " in said
    assert "in Tests" in said


@pytest.mark.invariant(
    "answers",
    "the overview of a repository is one page: what it is, its areas, where it begins, how it is tested",
)
def test_the_overview_is_one_page(call: Call) -> None:
    page = asked(call, "explore")

    assert len(page.encode()) < 1_500 * BYTES_PER_TOKEN
    assert "Shop sells things and sends them, see the guide, to whoever orders them." in page
    assert "badge" not in page
    for expected in (
        "shop-run -> shop.main:run", "front -> cli.js", "shop/__main__.py", "pip install . (flit_core.buildapi)",
        "pytest (pyproject.toml)", "npm run test (package.json)", "tests/ (1 file)", "shop/delivery/",
    ):  # fmt: skip
        assert expected in page


@pytest.mark.parametrize(
    ("readme", "said"),
    [
        ("Title\n=====\n\n.. image:: x.png\n   :alt: y\n\nIt does `this <https://x>`_ and that for them.\n",
         "It does this and that for them."),
        ("# T\n\n- a list of six or more words\n\n```sh\npip install it\n```\n\nIt is what it is, so.\n",
         "It is what it is, so."),
        ("News is a thing that we announce today.\n\nAcme is a host of many things.\n\nThe shop is a place to buy.\n",
         "The shop is a place to buy."),
        ("The shop is a thing with no funding, so please help.\n\nShop is a place to buy and to sell.\n",
         "Shop is a place to buy and to sell."),
        ("Shop is a place to buy and to sell. It consists of two parts:\n\n- a till\n",
         "Shop is a place to buy and to sell."),
        ("Sells tea and cups to all who pass by.\n\nshop-server makes the graph of a folder if there is none.\n",
         "Sells tea and cups to all who pass by."),
        ("Sells tea and cups to all who pass by.\n\n" + "It does other things as well, and more.\n\n" * 12
         + "shop is a script that wraps another one.\n", "Sells tea and cups to all who pass by."),
        ("Shop is:\n\n  1. A place to buy with `shop_till`;\n  2. a place to sell\n\nVersion 3 has its own till.\n",
         "Shop is a place to buy with shop_till; a place to sell."),
        ("Shop is a place that sells and buys these things:\n\n- tea\n",
         "Shop is a place that sells and buys these things."),
        ("no\n", ""),
    ],
)  # fmt: skip
def test_the_introduction_is_the_first_sentence_of_a_readme(readme: str, said: str) -> None:
    assert first_paragraph(readme, "shop") == said


def test_both_views_are_functional_and_dependency(call: Call) -> None:
    both = asked(call, "explore", start=["tax_1"], edges=["both"])

    assert both == asked(call, "explore", start=["tax_1"], edges=["functional", "dependency"])
    assert both != asked(call, "explore", start=["tax_1"], edges=["functional"])


def test_an_area_of_files_beside_tests_is_named_by_their_folder(tmp_path: Path) -> None:
    package = {f"till/part_{number}.py": module(f"part_{number}", "till.part_0") for number in range(8)}
    tests = {path.replace(".py", "_test.py"): f"import {path}\n\ndef test_it(): ...\n" for path in package}
    encode(write(tmp_path / "shop", FILES | package | tests), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        covers = [folder for each in graph.explore().overview.areas if each.name != "Tests" for folder in each.covers]

    assert "till/" in covers
    assert not [path for path in covers if path.startswith("till/part")]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (("pyproject.toml", '[project]\ndescription = "Sells  things."\n'), "Sells things."),
        (("package.json", '{"description": "Sells things."}'), "Sells things."),
        (("setup.cfg", "[metadata]\nlong_description = file: x\ndescription = Sells things.\n"), "Sells things."),
        (("setup.py", "setup(\n    description='Sells things.',\n)\n"), "Sells things."),
        (("setup.py", "setup(\n    description=read('doc'),\n)\n"), "The thing that sells."),
    ],
)
def test_a_readme_that_does_not_say_what_it_is_gives_way_to_the_metadata(
    file: tuple[str, str], said: str, tmp_path: Path
) -> None:
    readme = "# Shop\n\nAvailable as part of the Acme Subscription today.\n"
    files = {"README.md": readme, "shop/__init__.py": '"""The thing that sells."""\n', file[0]: file[1]}
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        assert graph.explore().overview.introduction == said


def test_what_is_central_is_what_most_files_use_tests_too_and_members_count_for_their_class(tmp_path: Path) -> None:
    code = "class BaseCart:\n    def total(self): ...\n\nclass Cart(BaseCart): ...\n\ndef _own(): ...\n\nLIMIT = 1\n"
    more = {
        "shop/billing/cart.py": code,
        "shop/billing/use.py": "from shop.billing.cart import LIMIT, _own\n\ndef used():\n    return _own(), LIMIT\n",
        **{
            f"tests/test_{number}.py": (
                "from shop.billing.cart import LIMIT, Cart, _own\n\n"
                "def test_it():\n    cart = Cart()\n    cart.total()\n    _own()\n    return LIMIT\n"
            )
            for number in range(9)
        },
    }
    encode(write(tmp_path / "shop", FILES | more), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        (billing,) = (each for each in graph.explore().overview.areas if "shop/billing/" in each.covers)

    assert billing.central[0] in ("Cart", "BaseCart")
    assert not {"_own", "LIMIT", "BaseCart.total"} & {*billing.central}
    assert len({"Cart", "BaseCart"} & {*billing.central}) == 1


@pytest.mark.parametrize(
    ("symbol", "feature"),
    [
        (("function", "parse_args", "parse_args", ""), ("parse args", "name")),
        (("method", "get", "Cart.get", ""), ("get cart", "name")),
        (("method", "total", "Cart.total", ""), ("get total of cart", "name")),
        (("function", "f", "f", "Returns the URL of a view. More."), ("return url of view", "doc")),
        (("function", "is_valid", "is_valid", "Whether it is."), ("tell whether valid", "name")),
        (("class", "RequestHandler", "RequestHandler", ""), ("handle request", "name")),
        (("class", "Cart", "Cart", ""), ("represent cart", "name")),
        (("function", '"adds > one"', '"adds > one"', ""), ("test that adds > one", "name")),
        (("constant", "LIMIT", "LIMIT", ""), ("", "")),
    ],
)
def test_a_feature_is_a_verb_and_its_object(symbol: tuple[str, str, str, str], feature: tuple[str, str]) -> None:
    assert tuple(feature_of(*symbol)) == feature


def test_a_package_of_node_that_names_no_file_exports_its_index(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"package.json": '{"name": "shop"}', "index.js": "module.exports = 1;\n"})
    encode(tmp_path / "shop", tmp_path / "shop.graph.json", Options())
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        page = graph.explore().overview

    assert [(each.kind, each.name, each.target) for each in page.entry_points] == [("exports", "shop", "index.js")]
