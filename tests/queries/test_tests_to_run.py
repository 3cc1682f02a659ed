"""Which tests reach a change, what runners are told to run them, and `rpg tests`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from repositories import commit, git, repository, write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.queries.names.symbols import symbols
from rpg.queries.tests_to_run.answer import FoundTests, find_tests, lines
from rpg.queries.tests_to_run.conditions import conditions_around
from rpg.queries.tests_to_run.measured import Change, old_lines
from rpg.queries.tests_to_run.runners import command_of, join_words, words_for
from rpg.repository import encode
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs

SHOP: dict[str, str | bytes] = {
    "shop/prices.py": """\
def add(n):
    return n + 1


def subtract(n):
    return n - 1


def unreached(n):
    return n


def given(n):
    return n


def always(n):
    return n


def prepared(n):
    return n


def listed(n):
    return n


def on_page(n):
    return n


KINDS = {"list": listed}


class Base:
    def shown(self):
        return ""

    def __str__(self):
        return self.shown()


class Card(Base):
    def shown(self):
        return "card"


class Cash(Base):
    def shown(self):
        return "cash"


def show(base: Base):
    return base.shown()


def total(items, tax):
    if tax:
        return taxed(items)
    return sum(items)


def taxed(items):
    return items


def through_total(items):
    return total(items, 1)
""",
    "shop/web.py": """\
from shop.framework import App
from shop.prices import on_page

app = App()


@app.route("/page")
def page():
    return on_page(1)
""",
    "shop/framework.py": """\
class App:
    def route(self, path):
        return lambda function: function

    def client(self):
        return self
""",
    "tests/conftest.py": """\
import pytest
from shop.prices import always, given


@pytest.fixture
def given_price():
    return given(1)


@pytest.fixture(autouse=True)
def every_price():
    always(1)
""",
    "tests/test_prices.py": """\
import unittest

import pytest
from shop.prices import KINDS, Card, Cash, add, prepared, show, subtract, through_total
from shop.web import app


def test_adds():
    assert add(1) == 2


def test_subtracts_in_a_nested_function():
    def inner():
        return subtract(1)

    assert inner() == 0


def test_with_a_fixture(given_price):
    assert given_price == 1


@pytest.mark.parametrize("n", [subtract(1), subtract(2)])
def test_with_parameters(n):
    assert n < 2


def test_kind_of_list():
    assert KINDS["list"](1) == 1


def test_card():
    assert show(Card()) == "card"


def test_cash():
    assert str(Cash()) == "cash"


def test_total():
    assert through_total([1])


def test_page():
    assert app.client()


class PreparedTest(unittest.TestCase):
    def setUp(self):
        self.price = prepared(1)

    def test_prepared(self):
        assert self.price == 1


class MorePreparedTest(PreparedTest):
    def test_prepared_more(self):
        assert self.price == 1
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tests-to-run")
    encode(write(folder / "shop", SHOP), folder / "shop.graph.json", Options(), workers=1)
    return folder / "shop.graph.json"


def found(graph: Path, *names: str, wants_all: bool = True) -> FoundTests:
    with Call(Graphs([graph])).view("") as view:
        nodes = [node for each in names for node in symbols(view.index, each).nodes]
        return find_tests(view.index, view.header, nodes, "", wants_all)[0]


def names(answer: FoundTests) -> set[str]:
    return {each.name for each in answer.tests}


EVERY = {
    "test_adds", "test_subtracts_in_a_nested_function", "test_with_a_fixture", "test_with_parameters",
    "test_kind_of_list", "test_card", "test_cash", "test_total", "test_page", "PreparedTest.test_prepared",
    "MorePreparedTest.test_prepared_more",
}  # fmt: skip


@pytest.mark.parametrize(
    ("symbol", "tests"),
    [
        pytest.param("add", {"test_adds"}, id="a call"),
        pytest.param(
            "subtract",
            {"test_subtracts_in_a_nested_function", "test_with_parameters"},
            id="a nested function, and values that a decorator is given",
        ),
        pytest.param("given", {"test_with_a_fixture"}, id="a fixture that the test asks for"),
        pytest.param("always", EVERY, id="a fixture that every test has"),
        pytest.param(
            "prepared",
            {"PreparedTest.test_prepared", "MorePreparedTest.test_prepared_more"},
            id="what is set up for a class and its subclasses",
        ),
        pytest.param("listed", {"test_kind_of_list"}, id="a value in a table"),
        pytest.param("Card.shown", {"test_card"}, id="a call through a base, where the class is made"),
        pytest.param("Base.__str__", {"test_card", "test_cash"}, id="what the language runs, where the class is made"),
        pytest.param("taxed", {"test_total"}, id="two steps and a condition"),
        pytest.param("on_page", {"test_page"}, id="a function that is registered with an object"),
        pytest.param("unreached", set(), id="nothing"),
    ],
)
def test_a_symbol_has_the_tests_that_may_run_it(symbol: str, tests: set[str], shop: Path) -> None:
    answer = found(shop, symbol)

    assert names(answer) == tests
    assert answer.unreached == ([] if tests else [f"shop/prices.py::{symbol}"])


def test_nearer_tests_come_first_and_say_what_they_use(shop: Path) -> None:
    answer = found(shop, "taxed", "add")

    assert [(each.name, each.through) for each in answer.tests] == [
        ("test_adds", "shop/prices.py::add"),
        ("test_total", "shop/prices.py::through_total"),
    ]
    assert answer.tests[0].distance < answer.tests[1].distance
    assert answer.tests[1].doubt == 1, "a condition on the way"


def test_of_many_doubtful_tests_those_with_the_words_of_the_way_are_named(tmp_path: Path) -> None:
    kinds = [f"kind{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]
    table = "".join(f'    "{kind}": make_{kind},\n' for kind in kinds)
    makers = "".join(f"def make_{kind}(n):\n    return n\n\n\n" for kind in kinds)
    source = (
        f"{makers}TABLE = {{\n{table}}}\n\n\ndef build(kind):\n    if kind:\n        if print:\n"
        "            return TABLE.get(kind)(1)\n    return None\n"
    )
    tests = "".join(f'def test_{n}():\n    assert build("{kind}")\n\n\n' for n, kind in enumerate(kinds))
    files: dict[str, str | bytes] = {
        "made.py": source,
        "test_made.py": f"from made import build\n\n\n{tests}",
    }
    encode(write(tmp_path / "made", files), tmp_path / "made.graph.json", Options(), workers=1)

    every = found(tmp_path / "made.graph.json", "make_kindac")
    likely = found(tmp_path / "made.graph.json", "make_kindac", wants_all=False)

    assert len(every.tests) == 60
    assert len(likely.tests) < 30
    assert likely.others == 60 - len(likely.tests)
    assert "test_2" in names(likely)


def test_what_a_test_says_takes_the_doubts_of_conditions_away(tmp_path: Path) -> None:
    source = (
        "def ask(text, hidden=False, confirmed=False, repeated=False):\n    if hidden:\n        if confirmed:\n"
        "            if repeated:\n                return ask_again(text)\n    return text\n\n\n"
        "def ask_again(text):\n    return text\n"
    )
    tests = [f"ask({n}, hidden=1, confirmed=1, repeated=1)" if n % 5 < 2 else f"ask({n})" for n in range(60)]
    written = "\n\n".join(f"def test_{n}():\n    {text}\n" for n, text in enumerate(tests))
    files: dict[str, str | bytes] = {"asked.py": source, "test_asked.py": f"from asked import ask\n\n\n{written}"}
    encode(write(tmp_path / "asked", files), tmp_path / "asked.graph.json", Options(), workers=1)

    likely = found(tmp_path / "asked.graph.json", "ask_again", wants_all=False)

    assert names(likely) == {f"test_{n}" for n in range(60) if n % 5 < 2}
    assert likely.others == 36


def test_what_stands_for_missing_names_of_a_module_has_the_tests_that_take_the_module(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "kept/__init__.py": "",
        "kept/old.py": "def __getattr__(name):\n    raise AttributeError(name)\n\n\ndef keep():\n    return 1\n",
        "tests/test_old.py": (
            "import pytest\nimport kept.old\nfrom kept.old import keep\n\n\n"
            '@pytest.mark.parametrize("module", [kept.old])\ndef test_missing(module):\n'
            "    getattr(module, 'gone')\n\n\ndef test_keeps():\n    assert keep() == 1\n"
        ),
    }
    encode(write(tmp_path / "kept", files), tmp_path / "kept.graph.json", Options(), workers=1)

    answer = found(tmp_path / "kept.graph.json", "__getattr__")

    assert names(answer) == {"test_missing"}
    assert answer.unreached == []


PROGRAM = """\
def main(name):
    if name:
        for each in name:
            said(each)
    elif print(name):
        pass
    try:
        shown(name)
    except ValueError:
        failed()
    return known(name) if name else None
"""


@pytest.mark.parametrize(
    ("line", "conditions"),
    [
        (2, []),
        (4, ["    if name:"]),
        (5, ["    elif print(name):"]),
        (8, []),
        (10, ["    except ValueError:"]),
        (11, ["    return known(name) if name else None"]),
        (99, []),
    ],
)
def test_the_conditions_of_a_line_are_read_from_the_layout(line: int, conditions: list[str]) -> None:
    assert list(conditions_around(PROGRAM.split("\n"), line, 1)) == conditions


POLYGLOT: dict[str, str | bytes] = {
    "py/cart.py": "def add(n):\n    return n + 1\n",
    "py/test_cart.py": """\
import unittest
from cart import add


class CartTest(unittest.TestCase):
    def test_adds(self):
        assert add(1) == 2
""",
    "js/cart.ts": "export function add(n: number) { return n + 1 }\n",
    "js/cart.test.ts": """\
import { add } from "./cart"
describe("cart", () => {
  it("adds (one)", () => { expect(add(1)).toBe(2) })
})
""",
    "go/calc/calc.go": "package calc\n\nfunc Add(n int) int { return n + 1 }\n",
    "go/calc/calc_test.go": """\
package calc

import "testing"

func TestAdd(t *testing.T) {
	t.Run("one more", func(t *testing.T) {
		if Add(1) != 2 { t.Fatal() }
	})
}
""",
    "rs/Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\n',
    "rs/src/lib.rs": "pub mod sums;\n",
    "rs/src/sums.rs": """\
pub fn add(n: i32) -> i32 { n + 1 }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds() { assert_eq!(add(1), 2); }
}
""",
    "rs/tests/whole.rs": "use calc::sums::add;\n#[test]\nfn adds_whole() { assert_eq!(add(1), 2); }\n",
    "src/main/java/com/acme/Cart.java": """\
package com.acme;
public class Cart {
    public Cart() {}
    public void add(int n) {}
}
""",
    "src/test/java/com/acme/CartTest.java": """\
package com.acme;
import org.junit.jupiter.api.*;
class CartTest {
    Cart cart;
    @BeforeEach void prepare() { cart = new Cart(); }
    @Test void adds() { cart.add(1); }
    @Nested class Empty { @Test void isEmpty() { } }
}
""",
    "lib/cart.rb": "class Cart\n  def add(n)\n    n + 1\n  end\nend\n",
    "spec/cart_spec.rb": """\
RSpec.describe Cart do
  it "adds" do
    expect(Cart.new.add(1)).to eq 2
  end
end
""",
    "lua/cart.lua": "local Cart = {}\nfunction Cart.add(n) return n + 1 end\nreturn Cart\n",
    "lua/spec/cart_spec.lua": """\
local Cart = require("cart")
describe("Cart (new)", function()
  it("re-adds – so", function() assert.equal(2, Cart.add(1)) end)
  for _, each in ipairs({ 1, 2 }) do
    it("adds " .. each .. " more", function() Cart.add(each) end)
  end
end)
""",
    "test/cart_test.rb": """\
class CartTest < Minitest::Test
  def test_adds
    assert_equal 2, Cart.new.add(1)
  end
end
""",
    "php/Cart.php": "<?php\nnamespace Acme;\nclass Cart { public function add(int $n): int { return $n + 1; } }\n",
    "php/CartTest.php": """\
<?php
namespace Acme\\Tests;
use Acme\\Cart;
class CartTest extends \\PHPUnit\\Framework\\TestCase {
    public function testAdds(): void { $c = new Cart(); $c->add(1); }
    #[Test]
    public function addsMore(): void { (new Cart())->add(1); }
}
""",
    "cs/Cart.cs": "namespace Acme;\npublic class Cart { public int Add(int n) { return n + 1; } }\n",
    "cs.Tests/CartTests.cs": """\
namespace Acme.Tests;
using Acme;
public class CartTests {
    [Fact] public void Adds() { new Cart().Add(1); }
}
""",
    "lib/till.ex": "defmodule Shop.Till do\n  def open(n), do: n + 1\nend\n",
    "test/till_test.exs": (
        'defmodule Shop.TillTest do\n  use ExUnit.Case\n  test "opens" do\n    Shop.Till.open(1)\n  end\nend\n'
    ),
    "src/main/scala/Till.scala": "package acme\npackage till\nclass Till { def open(n: Int): Int = n + 1 }\n",
    "src/test/scala/TillSpec.scala": """\
package acme
package till

class TillSpec extends AnyWordSpec {
  "A till" should {
    "open" in { new Till().open(1) }
  }
}
""",
    "cpp/cart.h": "inline int add(int n) { return n + 1; }\n",
    "cpp/cart_test.cpp": """\
#include <gtest/gtest.h>
#include "cart.h"
TEST(CartTest, AddsOne) { EXPECT_EQ(add(1), 2); }
TEST_F(CartFixture, AddsTwo) { EXPECT_EQ(add(2), 3); }
""",
}


@pytest.fixture(scope="module")
def polyglot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runners")
    encode(write(folder / "cart", POLYGLOT), folder / "cart.graph.json", Options(), workers=1)
    return folder / "cart.graph.json"


@pytest.mark.parametrize(
    ("runner", "symbol", "words"),
    [
        ("pytest", "py/cart.py::add", ["py/test_cart.py::CartTest::test_adds"]),
        ("unittest", "py/cart.py::add", ["py.test_cart.CartTest.test_adds"]),
        ("jest", "js/cart.ts::add", ["js/cart.test.ts", "-t", "^(cart.adds..one.)$"]),
        ("vitest", "js/cart.ts::add", ["js/cart.test.ts", "-t", "^(cart.adds..one.)$"]),
        ("go", "go/calc/calc.go::Add", ["-run", "^(TestAdd)$", "./go/calc"]),
        ("cargo", "rs/src/sums.rs::add", ["--workspace", "--", "--exact", "sums::tests::adds", "adds_whole"]),
        ("maven", "Cart.java::Cart.Cart", ["-Dtest=com.acme.CartTest#adds,com.acme.CartTest$Empty#isEmpty"]),
        (
            "gradle",
            "Cart.java::Cart.Cart",
            ["--tests=com.acme.CartTest.adds", "--tests=com.acme.CartTest$Empty.isEmpty"],
        ),
        ("rspec", "lib/cart.rb::Cart.add", ["spec/cart_spec.rb:2"]),
        ("minitest", "lib/cart.rb::Cart.add", ["test/cart_test.rb:2"]),
        (
            "busted",
            "lua/cart.lua::Cart.add",
            [
                "lua/spec/cart_spec.lua",
                "--filter=^Cart..new..re.adds...so$",
                "--filter=^Cart..new..adds..+.more$",
            ],
        ),
        ("mix", "lib/till.ex::Shop.Till.open", ["test/till_test.exs:3"]),
        ("sbt", "Till.scala::Till.open", ["acme.till.TillSpec"]),
        ("phpunit", "php/Cart.php::Cart.add", ["--filter", "(CartTest::testAdds|CartTest::addsMore)\\b"]),
        ("dotnet", "cs/Cart.cs::Cart.Add", ["--filter", "FullyQualifiedName=Acme.Tests.CartTests.Adds"]),
        ("ctest", "cpp/cart.h::add", ["-R", "(^|/)(CartTest.AddsOne|CartFixture.AddsTwo)(/|$)"]),
        ("gtest", "cpp/cart.h::add", ["--gtest_filter=CartTest.AddsOne:CartFixture.AddsTwo"]),
    ],
)
def test_each_runner_is_told_in_its_own_words(runner: str, symbol: str, words: list[str], polyglot: Path) -> None:
    with Call(Graphs([polyglot])).view("") as view:
        nodes = list(symbols(view.index, symbol).nodes)
        _, chosen = find_tests(view.index, view.header, nodes, "", True)

        assert words_for(runner, chosen) == words
        assert not any(each.isspace() for word in words for each in word), "a shell splits arguments at white space"


def test_a_runner_is_told_of_its_own_tests_alone(polyglot: Path) -> None:
    with Call(Graphs([polyglot])).view("") as view:
        nodes = [each for name in ("py/cart.py::add", "js/cart.ts::add") for each in symbols(view.index, name).nodes]
        answer, chosen = find_tests(view.index, view.header, nodes, "", True)

        assert words_for("pytest", chosen) == ["py/test_cart.py::CartTest::test_adds"]
        assert words_for("cargo", chosen) == []
        told = list(lines(answer, 10))
        assert told[-2:] == [
            "run: npx jest $(rpg tests … --format jest)",
            "run: pytest $(rpg tests … --format pytest)",
        ]


def test_files_of_tests_without_known_tests_are_named(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "cart.sh": "add() { echo $1; }\nempty() { echo; }\n",
        "test/cart.sh": "source ../cart.sh\ncheck() { add 1; }\ncheck\n",
    }
    write(tmp_path / "shop", files)
    encode(tmp_path / "shop", tmp_path / "shop.json", Options())

    used, unused = found(tmp_path / "shop.json", "cart.sh::add"), found(tmp_path / "shop.json", "cart.sh::empty")

    assert (used.tests, used.outside) == ([], ["test/cart.sh"])
    told = list(lines(used, 10))
    assert told[0] == "no test reaches it"
    assert "used in test/cart.sh, but not in what is known to be a test: look there" in told
    assert (unused.tests, unused.outside) == ([], [])


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = repository(tmp_path / "shop", SHOP)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    assert run(["encode"]) == 0
    return folder


def replace_in(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text().replace(old, new))


def test_what_a_configuration_defines_is_not_said_to_be_untested(
    edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workflow = edited / ".github/workflows/ci.yaml"
    write(edited, {".github/workflows/ci.yaml": "on: push\njobs:\n  build:\n    steps:\n      - run: make\n"})
    commit(edited)
    replace_in(workflow, "make", "make all")
    replace_in(edited / "shop/prices.py", "def unreached(n):\n    return n", "def unreached(n):\n    return n * 2")
    capsys.readouterr()

    assert run(["tests", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["changed"] == 2
    assert answer["unreached"] == ["shop/prices.py::unreached"]


def test_what_changed_since_a_revision_has_its_tests(edited: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_in(edited / "shop/prices.py", "return n + 1", "return n + 2")
    replace_in(edited / "shop/prices.py", "def unreached(n):\n    return n", "def unreached(n):\n    return n * 2")
    capsys.readouterr()

    assert run(["tests", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["changed"] == 2
    assert [each["name"] for each in answer["tests"]] == ["test_adds"]
    assert answer["unreached"] == ["shop/prices.py::unreached"]

    assert run(["tests", "--since", "HEAD", "--format", "pytest"]) == 0
    assert capsys.readouterr().out == "tests/test_prices.py::test_adds\n"

    assert run(["tests"]) == 0
    assert capsys.readouterr().out == (
        "2 symbols changed since HEAD: 1 test to run\n"
        "tests/test_prices.py\n"
        "  test_adds:8  by shop/prices.py::add\n"
        "no test reaches shop/prices.py::unreached\n"
        "run: pytest $(rpg tests --since HEAD --format pytest)\n"
    )


def test_a_check_lists_them_as_well(edited: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_in(edited / "shop/prices.py", "return n + 1", "return n + 2")
    capsys.readouterr()

    assert run(["check", "--tests"]) == 0
    printed = capsys.readouterr().out
    assert "1 symbol changed since HEAD: 1 test to run\ntests/test_prices.py\n  test_adds:8" in printed
    assert run(["check", "--tests", "--json"]) == 0
    (test,) = json.loads(capsys.readouterr().out)["tests"]["tests"]
    assert (test["path"], test["name"]) == ("tests/test_prices.py", "test_adds")


def test_nothing_that_a_test_runs_changed(edited: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_in(edited / "shop/web.py", "from shop.framework import App", "\nfrom shop.framework import App  # here")
    git(edited, "status")
    capsys.readouterr()

    assert run(["tests", "--format", "pytest"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "no test for pytest" in printed.err


def test_a_changed_test_is_run_itself(edited: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_in(edited / "tests/test_prices.py", "assert add(1) == 2", "assert add(2) == 3")
    capsys.readouterr()

    assert run(["tests", "--format", "pytest"]) == 0
    assert capsys.readouterr().out == "tests/test_prices.py::test_adds\n"


def coverage_data(folder: Path) -> bytes:
    """As coverage.py writes it: the lines as bits of a number, by file and context."""
    file = folder / "made.coverage"
    with closing(sqlite3.connect(file)) as data:
        data.executescript(
            """
            CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT);
            CREATE TABLE context (id INTEGER PRIMARY KEY, context TEXT);
            CREATE TABLE line_bits (file_id INTEGER, context_id INTEGER, numbits BLOB);
            CREATE TABLE arc (file_id INTEGER, context_id INTEGER, fromno INTEGER, tono INTEGER);
            """
        )
        data.execute("INSERT INTO file VALUES (1, ?)", (str(folder / "shop/prices.py"),))
        data.executemany("INSERT INTO context VALUES (?, ?)", [(1, ""), (2, "tests/test_prices.py::test_total[1]|run")])
        data.executemany("INSERT INTO line_bits VALUES (1, ?, ?)", [(1, bytes([0b10])), (2, bytes([0b100]))])
        data.commit()
    return file.read_bytes()


JSON = json.dumps(
    {
        "files": {
            "shop/prices.py": {
                "executed_lines": [1, 2],
                "missing_lines": [6],
                "contexts": {"1": [""], "2": ["tests.test_prices.test_total"]},
            }
        }
    }
).encode()
LCOV = b"TN:test_total\nSF:shop/prices.py\nDA:2,1\nDA:6,0\nend_of_record\n"
GO = b"mode: set\nexample.com/shop/prices.py:2.5,2.20 1 1\nexample.com/shop/prices.py:6.5,6.20 1 0\n"
JACOCO = b"""<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="shop"><package name="shop"><sourcefile name="prices.py">
<line nr="2" mi="0" ci="3"/><line nr="6" mi="2" ci="0"/></sourcefile></package></report>"""


@pytest.mark.parametrize(
    ("content", "tests", "unreached"),
    [
        pytest.param(coverage_data, ["test_total"], [], id="data of coverage.py"),
        pytest.param(JSON, ["test_total"], ["shop/prices.py::subtract"], id="JSON of coverage.py"),
        pytest.param(LCOV, ["test_total"], ["shop/prices.py::subtract"], id="lcov"),
        pytest.param(GO, ["test_adds"], ["shop/prices.py::subtract"], id="Go, which names no tests"),
        pytest.param(JACOCO, ["test_adds"], ["shop/prices.py::subtract"], id="JaCoCo, which names no tests"),
    ],
)
def test_coverage_says_which_tests_ran_what_changed(
    content: bytes | Callable[[Path], bytes],
    tests: list[str],
    unreached: list[str],
    edited: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    coverage = edited.parent / "coverage"
    coverage.write_bytes(content if isinstance(content, bytes) else content(edited))
    replace_in(edited / "shop/prices.py", "def add(n):\n    return n + 1", "def add(n):\n    # one\n    return n + 2")
    replace_in(edited / "shop/prices.py", "def subtract(n):\n    return n - 1", "def subtract(n):\n    return n - 2")
    capsys.readouterr()

    assert run(["tests", "--json", "--coverage", str(coverage)]) == 0

    answer = json.loads(capsys.readouterr().out)
    named = [each["name"] for each in answer["tests"]]
    assert named[: len(tests)] == tests
    assert ("test_with_parameters" in named) == (not unreached), "what nothing measured is followed in the graph"
    assert answer.get("unreached", []) == unreached


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"<html/>", b"SQLite format 3\0", b"SF:a\nDA:x\n", b"SF:a\nDA:1\n", b'{"files": 1}']
)
def test_a_file_that_is_no_coverage_is_refused(
    content: bytes, edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    coverage = edited.parent / "coverage"
    coverage.write_bytes(content)

    assert run(["tests", "--coverage", str(coverage)]) == 2
    assert "coverage" in capsys.readouterr().err


def test_lines_are_counted_back_through_the_changes() -> None:
    changes = [Change(3, 1, 3, 3), Change(10, 2, 12, 0)]

    assert old_lines(changes, 1, 2) == range(1, 3)
    assert old_lines(changes, 7, 9) == range(5, 8)
    assert old_lines(changes, 14, 15) == range(14, 16)


def test_a_runner_that_takes_its_tests_as_one_argument_gets_them_between_quotes() -> None:
    assert command_of("sbt", "acme.TillSpec acme.CartSpec") == 'sbt "testOnly acme.TillSpec acme.CartSpec"'
    assert command_of("mix", "test/till_test.exs:3") == "mix test test/till_test.exs:3"
    assert join_words("sbt", ["acme.TillSpec", "acme.CartSpec"]) == "acme.TillSpec acme.CartSpec"
    assert join_words("mix", ["a_test.exs:1", "b_test.exs:2"]) == "a_test.exs:1\nb_test.exs:2"


@pytest.mark.parametrize("place", ["py/cart.py", "py/", "./"])
def test_a_file_or_folder_means_the_code_in_it(place: str, polyglot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tests", place, "-g", str(polyglot), "--format", "pytest"]) == 0
    assert capsys.readouterr().out.split() == ["py/test_cart.py::CartTest::test_adds"]


def test_what_no_test_is_seen_to_reach_may_be_reached_where_no_use_is_read(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "src/Price.hs": "module Price where\n\naddTax :: Int -> Int\naddTax x = x\n",
        "test/PriceSpec.hs": "module PriceSpec where\nimport Price (addTax)\n\ncheck = addTax 1 == 1\n",
    }
    write(tmp_path / "shop", files)
    encode(tmp_path / "shop", tmp_path / "shop.json", Options())

    answer = found(tmp_path / "shop.json", "addTax")

    assert answer.unread == ["haskell"]
    assert list(lines(answer, 10)) == [
        "no test is known to reach it",
        "it is not known which tests reach src/Price.hs::addTax",
        "there may be more tests: uses in haskell are not read, only symbols and imports",
    ]
