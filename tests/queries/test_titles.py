"""Tests that have titles are symbols: named unambiguously and printably, found as runners print them, never in the way
of code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import write

import rpg
from rpg.encoder.encode import encode
from rpg.encoder.options import Options
from rpg.errors import SymbolNotFound
from rpg.graph import Graph
from rpg.text.printable import make_printable
from rpg.text.titles import format_after
from rpg.tools import TOOLS

SECRET = "ghp_" + "x7Kq2mVb9TzR4nWc8YdF3hJp6LsG1aQe5UoB"

SOURCES: dict[str, str | bytes] = {
    "cart.js": """\
/** Adds two prices of a cart. */
export function add(a, b) { return a + b; }
export function empty() { return []; }
""",
    "cart.test.js": f"""\
import {{ add, empty }} from "./cart.js";

describe("cart", () => {{
  it("adds two prices to the sum", () => {{ add(1, 2); }});
  it("empty", () => {{ empty(); }});
  describe("GET /carts/:id", () => {{
    it("responds with 404 if there is none", () => {{ empty(); }});
    it("returns a > b. Always::so", () => {{ add(2, 1); }});
  }});
  it("accepts {SECRET}", () => {{ empty(); }});
}});
describe("other", () => {{
  it("empty", () => {{ empty(); }});
}});
""",
    "shop_test.go": """\
package shop

import "testing"

func TestCart(t *testing.T) {
	t.Run("takes no more", func(t *testing.T) {
		t.Run("than ten", func(t *testing.T) {})
	})
}
""",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("titles")
    rpg.encode(str(write(folder / "shop", SOURCES)), output=str(folder / "shop.graph.json"))
    with rpg.open(folder / "shop.graph.json") as opened:
        yield opened


def encoded(folder: Path, source: str) -> Graph:
    return encode(write(folder, {"a.test.js": source}), Options()).graph


def local_ids(graph: Graph) -> list[str]:
    return [symbol.id.partition("::")[2] for symbol in graph.symbols if "::" in symbol.id]


@pytest.mark.invariant(
    "edges",
    "a test with a title has an unambiguous, printable id of limited length, and is found as runners print it",
)
@pytest.mark.parametrize(
    ("title", "named"),
    [
        (r'"with \"quotes\""', "with 'quotes'"),
        (r"'it\'s'", "it's"),
        ('"a::b ::: c"', "a.b .: c"),
        (r'"two\nlines\tof it"', "two lines of it"),
        ("`over\n  lines`", "over lines"),
        ("`sum of ${a} and ${b}`", "sum of ${a} and ${b}"),
        ('"sum of " + a + ("," + b)', "sum of ${a},${b}"),
        (r'"\u001b[31mred\u202e\u{1F600}"', "[31mred 😀"),
        ("Cart", "Cart"),
        ("each.name", "${each.name}"),
        ('""', "…"),
        ('"~2"', "~2"),
        (f'"{"long " * 200}"', f"{('long ' * 24)[:119].rstrip()}…"),
    ],
)
def test_a_title_becomes_a_name_that_can_be_printed_and_read_back(tmp_path: Path, title: str, named: str) -> None:
    ids = local_ids(encoded(tmp_path, f"it({title}, () => {{}});\n"))
    assert ids == [f'"{named}"']
    assert make_printable(ids[0]) == ids[0]
    assert not any(mark in ids[0] for mark in ("\n", "::"))


@pytest.mark.invariant("edges", "titles of tests are not names of code, and do not rank above code")
def test_titles_of_code_are_not_names_of_code(tmp_path: Path) -> None:
    source = 'function add() {}\nit("add", () => {});\nit("add", () => {});\nadd();\nunknown.add();\n'
    graph = encoded(tmp_path, source)
    assert local_ids(graph) == ["add", '"add"', '"add"~2']
    assert [(edge.target, edge.via) for edge in graph.edges if edge.kind == "calls"] == [("a.test.js::add", "scope")]


def test_what_titles_cost_grows_with_their_number_whatever_the_nesting(tmp_path: Path) -> None:
    def size(depth: int) -> int:
        opened = "".join(f'describe("group number {number}", () => {{\n' for number in range(depth))
        graph = encoded(tmp_path / str(depth), opened + 'it("last", () => {});' + "});" * depth)
        assert len(local_ids(graph)) == depth + 1
        return sum(len(symbol.id) + len(symbol.qualified_name) for symbol in graph.symbols)

    assert size(400) < 5 * size(100)


def test_five_hundred_tests_of_one_title_keep_their_own_ids(tmp_path: Path) -> None:
    ids = local_ids(encoded(tmp_path, 'it("adds", () => {});\n' * 500))
    assert ids == ['"adds"', *(f'"adds"~{number}' for number in range(2, 501))]


@pytest.mark.invariant(
    "edges",
    "a test with a title has an unambiguous, printable id of limited length, and is found as runners print it",
)
@pytest.mark.parametrize(
    "written",
    [
        'cart.test.js::"cart > GET /carts/:id > responds with 404 if there is none"',
        "cart.test.js::cart > GET /carts/:id > responds with 404 if there is none",
        "responds with 404 if there is none",
        "Responds with 404 if there is none",
        "cart > GET /carts/:id > responds with 404 if there is none",
        "cart.test.js > cart > GET /carts/:id > responds with 404 if there is none",
        "● cart › GET /carts/:id › responds with 404 if there is none",
        "cart GET /carts/:id responds with 404 if there is none",
        '"… > responds with 404 if there is none"',
    ],
)
def test_a_test_is_found_as_it_is_written(graph: Any, written: str) -> None:
    (fetched,) = graph.fetch(targets=[written]).symbols
    assert (fetched.path, fetched.lines) == ("cart.test.js", "7-7")


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("TestCart/takes_no_more/than_ten", "7"),
        ('shop_test.go::TestCart."takes no more > than ten"', "7"),
        ("returns a > b. Always::so", "8"),
        ("other > empty", "13"),
        ('cart.test.js::"cart > empty"', "5"),
    ],
)
def test_titles_with_the_marks_of_ids_are_found_too(graph: Any, written: str, line: str) -> None:
    (fetched,) = graph.fetch(targets=[written]).symbols
    assert fetched.lines.partition("-")[0] == line


def test_several_tests_of_a_title_are_told_apart(graph: Any) -> None:
    code = graph.fetch(targets=["empty"])
    assert [item.path for item in code.symbols] == ["cart.js"]
    (test,) = graph.fetch(targets=["other > empty"]).symbols
    assert test.name == '"other > empty"'


def test_a_title_that_nothing_has_is_answered_with_the_nearest(graph: Any) -> None:
    with pytest.raises(SymbolNotFound, match="cart > GET /carts/:id > responds with 404"):
        graph.find_usages(symbol=["cart.test.js::cart > responds with a 404 if there is none"])


def test_the_beginning_of_a_title_names_those_that_begin_like_that(graph: Any) -> None:
    with pytest.raises(SymbolNotFound, match=r"nearest: [^,]*adds two prices to the sum"):
        graph.find_usages(symbol=["cart › adds two"])


def test_the_blast_radius_names_tests_and_no_groups_around_them(graph: Any) -> None:
    found = graph.find_usages(symbol=["cart.js::add"], transitive=3, tests="only").symbols[0]
    assert [name for each in found.affected for name in each.symbols] == []


def test_titles_around_several_tests_are_listed_once(graph: Any) -> None:
    text = TOOLS["find_usages"].text(graph.find_usages(symbol=["cart.js::empty"], tests="only", detail="names"))
    assert '"cart > empty", "cart > GET /carts/:id > responds with 404 if there is none", "cart > accepts' in text
    assert format_after('"a > b > c"', '"a > b > d"') == '"… > d"'
    assert format_after('"a > b > c"', '"a > d"') == '"a > d"'
    assert format_after('"a > b"', '"a > b".helper') == '"a > b".helper'


def test_uses_in_tests_are_listed_by_the_tests_titles(graph: Any) -> None:
    folded = graph.find_usages(symbol=["cart.js::add"]).symbols[0]
    assert folded.tests == {"cart.test.js": 2}
    only = graph.find_usages(symbol=["cart.js::add"], tests="only").symbols[0]
    named = [site.source for group in only.certain for site in group.usages]
    assert named == ['"cart > adds two prices to the sum"', '"cart > GET /carts/:id > returns a > b. Always.so"']


@pytest.mark.invariant("edges", "titles of tests are not names of code, and do not rank above code")
def test_a_whole_title_finds_its_test_and_a_short_one_the_code(graph: Any) -> None:
    by_title = graph.search(query="adds two prices to the sum").hits
    assert by_title[0].name == '"cart > adds two prices to the sum"'
    assert "add" in [hit.name for hit in by_title]
    assert [hit.name for hit in graph.search(query="empty", limit=1).hits] == ["empty"]
    assert all(not hit.test for hit in graph.search(query="adds two prices to the sum", tests="none").hits)


def test_a_secret_in_a_title_is_masked(graph: Any, tmp_path: Path) -> None:
    ids = local_ids(encoded(tmp_path, f'it("accepts {SECRET}", () => {{}});\n'))
    assert SECRET not in str(ids)
    assert SECRET not in str(graph.explore(start=["cart.test.js"])) + str(graph.search(query=f"accepts {SECRET} of it"))


def test_pasted_code_resembles_a_test_and_no_group_of_tests(graph: Any) -> None:
    pasted = 'it("responds with 404 if there is none", () => { empty(); });\nit("returns", () => { add(2, 1); });\n'
    hits = graph.search(query=pasted, mode="similar", tests="all").hits
    assert '"cart > GET /carts/:id > responds with 404 if there is none"' in [hit.name for hit in hits]
    assert not {'"cart"', '"cart > GET /carts/:id"', '"other"'} & {hit.name for hit in hits}
