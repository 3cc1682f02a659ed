"""What an answer is about: `path`, `exclude_path`, `tests` and `kinds` mean the same in every tool and at every hop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import write

import rpg
from rpg.tools import TOOLS

SOURCES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/prices.py": """\
def price(item):
    return item.cost


class Cart:
    def __init__(self, items):
        self.sum = sum(price(item) for item in items)

    def send(self): ...


class Parcel(Cart):
    pass


def retry(action):
    return action()
""",
    "shop/orders.py": """\
from shop.prices import Cart, Parcel, retry


def order(items):
    return Cart(items)


def ship(items):
    return Parcel(items)


def both(items):
    def one():
        return order(items)

    return retry(one)


def later():
    return retry(reorder)


def reorder():
    return order([])


def main():
    both([])
    later()


def handle(request):
    request.order()
""",
    "admin/report.py": """\
from shop.orders import order


def report():
    return order([])
""",
    "examples/first.py": "import json\n\nfrom shop.orders import order\n\n\ndef run():\n    return order([])\n",
    "tests/test_orders.py": """\
from shop.orders import order, ship
from shop.prices import price


def test_order():
    assert order([])


def test_ship():
    assert ship([])


def test_price():
    assert price(None)
""",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("scope")
    rpg.encode(write(folder / "shop", SOURCES), output=str(folder / "shop.graph.json"))
    with rpg.open(folder / "shop.graph.json") as opened:
        yield opened


def text(graph: Any, tool: str, **arguments: Any) -> str:
    return TOOLS[tool].text(getattr(graph, tool)(**arguments))


def users(answer: Any) -> set[str]:
    (symbol,) = answer.symbols
    return {use.source for group in symbol.certain for use in group.usages}


def reached(answer: Any, hop: int) -> dict[str, str]:
    """What depends on the symbol at that distance, and what it comes through."""
    (symbol,) = answer.symbols
    return {
        name: f"{each.how} {each.through}".strip()
        for each in symbol.affected
        if each.hop == hop
        for name in each.symbols
    }


def test_few_uses_in_tests_are_listed_behind_the_others_below_a_heading_of_their_own(graph: Any) -> None:
    found = text(graph, "find_usages", symbol="order", kinds=["calls"])

    assert " outside tests, 1 in tests; complete\n" in found
    assert "-- in tests\ntests/test_orders.py:6:12  test_order: assert order([])\n" in found
    assert found.index("admin/report.py") < found.index("-- in tests")
    assert "tests=only" not in found
    assert "test_order" not in text(graph, "find_usages", symbol="order", kinds=["calls"], tests="none")
    assert users(graph.find_usages(symbol="order", kinds=["calls"], tests="only")) == {"test_order"}
    assert "test_order" not in users(graph.find_usages(symbol="order", kinds=["calls"], tests="none"))


@pytest.fixture(scope="module")
def fees(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Functions of which tests call one eight times, one nine times, and one in eight tests with long names."""
    names = {"few": 8, "many": 9, "wide": 8}
    long = {"wide": "x" * 90}
    calls = {
        name: "".join(
            f"\n\ndef test_{name}_{long.get(name, '')}{number}():\n    {name}(1, )\n" for number in range(count)
        )
        for name, count in names.items()
    }
    files: dict[str, str | bytes] = {
        "shop.py": "".join(f"def {name}(*amounts): ...\n\n\n" for name in names) + "few(1)\nmany(1)\nwide(1)\n",
        "tests/test_fees.py": f"from shop import {', '.join(names)}\n{''.join(calls.values())}",
    }
    folder = tmp_path_factory.mktemp("fees")
    rpg.encode(write(folder / "shop", files), output=str(folder / "shop.graph.json"))
    with rpg.open(folder / "shop.graph.json") as opened:
        yield opened


def test_more_than_eight_uses_in_tests_fold_into_one_line_that_says_how_to_list_them(fees: Any) -> None:
    few = text(fees, "find_usages", symbol="few", kinds=["calls"])
    many = text(fees, "find_usages", symbol="many", kinds=["calls"])

    assert "-- in tests\ntests/test_fees.py: test_few_0 5; test_few_1 9; " in few
    assert few.count("test_few_") == 8
    assert "few(1, )" in text(fees, "find_usages", symbol="few", kinds=["calls"], detail="code")
    assert "1 call outside tests, 8 in tests; complete\n" in few
    assert "1 call outside tests; complete\n" in many
    assert "tests=only lists 9 uses in 1 test file: tests/test_fees.py 9\n" in many
    assert "test_many_" not in many
    assert "test_many_8" in text(fees, "find_usages", symbol="many", kinds=["calls"], tests="all")


def test_few_uses_in_tests_fold_where_the_budget_has_no_room_for_them(fees: Any) -> None:
    found = text(fees, "find_usages", symbol="wide", kinds=["calls"], max_tokens=200)

    assert "test_wide_" in text(fees, "find_usages", symbol="wide", kinds=["calls"])
    assert "tests=only lists 8 uses in 1 test file: tests/test_fees.py 8\n" in found
    assert "test_wide_" not in found
    assert "cursor" not in found


def test_unresolved_places_in_tests_are_listed_as_such(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "shop.py": "class Till:\n    def close(self): ...\n\n\nTill().close()\n",
        "tests/test_shop.py": "def test_closing(anything):\n    anything.close()\n",
    }
    rpg.encode(write(tmp_path / "shop", files), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        found = text(opened, "find_usages", symbol="Till.close", kinds=["calls"])

    assert "1 call outside tests, 1 in tests; complete, tests aside\n" in found
    assert "-- in tests: unresolved\ntests/test_shop.py:2:14  test_closing: anything.close()\n" in found


def test_a_path_holds_for_usages_and_at_every_hop(graph: Any) -> None:
    in_shop = graph.find_usages(symbol="price", kinds=["calls"], path="shop", transitive=4)
    outside = graph.find_usages(symbol="order", kinds=["calls"], exclude_path="shop", tests="none")

    assert users(in_shop) == {"Cart.__init__"}
    assert {each.path for each in in_shop.symbols[0].affected} == {"shop/orders.py", "shop/prices.py"}
    assert in_shop.symbols[0].reach.outside == 5  # a report, an example, three tests
    assert users(outside) == {"report", "run"}


def test_hops_go_through_constructors_values_and_nested_functions(graph: Any) -> None:
    answer = graph.find_usages(symbol="price", kinds=["calls"], transitive=5, tests="none")

    assert reached(answer, 2) == {
        "order": "constructs Cart.__init__",
        "ship": "constructs Cart.__init__",
    }
    assert reached(answer, 3) == {
        "both.one": "order",
        "both": "holds both.one",
        "reorder": "order",
        "report": "order",
        "run": "order",
    }
    assert reached(answer, 4) == {"later": "passes reorder", "main": "both", "retry": "both.one"}


def test_what_is_not_followed_is_counted(graph: Any) -> None:
    answer = graph.find_usages(symbol="price", kinds=["calls"], transitive=3)

    assert answer.symbols[0].reach.not_followed == {"order": 1}  # request.order()
    assert "not followed, unresolved calls of names on the way: order 1" in TOOLS["find_usages"].text(answer)


def test_what_lies_beyond_the_last_hop_is_counted(graph: Any) -> None:
    two = graph.find_usages(symbol="price", kinds=["calls"], transitive=2, tests="none")
    walked = graph.explore(start=["price"], edges=["calls"], direction="callers", depth=1)

    assert two.symbols[0].reach.further == 5
    assert walked.beyond == 2
    assert "2 more symbols at hop 2: depth=2 lists them" in TOOLS["explore"].text(walked)


def test_kinds_hold_at_every_hop(graph: Any) -> None:
    answer = graph.find_usages(symbol="Cart", kinds=["inherits"], transitive=3)

    assert users(answer) == {"Parcel"}
    assert reached(answer, 2) == {}


def test_an_empty_answer_says_which_other_uses_there_are(graph: Any) -> None:
    (answer,) = graph.find_usages(symbol="order", kinds=["inherits"]).symbols

    assert answer.reason.startswith("no subclass of it here; ")
    assert "5 calls" in answer.reason


def test_several_symbols_in_one_call(graph: Any) -> None:
    answer = graph.find_usages(symbol=["order", "ship"])

    assert [each.symbol for each in answer.symbols] == ["shop/orders.py::order", "shop/orders.py::ship"]


def test_few_usages_show_their_lines_and_many_only_with_code(graph: Any) -> None:
    assert "shop/orders.py:9:12  ship: return Parcel(items)" in text(
        graph, "find_usages", symbol="Parcel", kinds=["calls"]
    )
    assert text(graph, "find_usages", symbol="Parcel", kinds=["calls"], detail="names").endswith(
        "shop/orders.py: ship\n3 places with the word Parcel: 3 here"
    )
    assert "`return Cart(items)`" in text(
        graph, "explore", start=["order"], edges=["calls"], direction="callees", detail="code"
    )


def test_a_walk_lists_each_symbol_under_what_it_uses(graph: Any) -> None:
    told = text(graph, "explore", start=["order"], edges=["calls"], direction="callers", depth=2)

    assert "-- hop 1\ncall order: admin/report.py: report 5; examples/first.py: run 7; " in told
    assert "shop/orders.py: both.one 14, reorder 24" in told
    assert "test_order" not in told.partition("tests=only")[0]
    assert "admin" not in text(graph, "explore", start=["order"], edges=["calls"], direction="callers", path="shop")


def test_a_list_of_all_uses_says_what_they_do_and_why_it_is_complete(tmp_path: Path) -> None:
    source = "class Late(Exception): ...\n\n\ndef a():\n    raise Late\n\n\ndef b():\n    try:\n        a()\n"
    write(tmp_path / "shop", {"late.py": source + "    except Late:\n        return Late\n"})
    rpg.encode(tmp_path / "shop", output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        told = text(graph, "find_usages", symbol=["Late"])
        walk = text(graph, "find_usages", symbol=["a"], transitive=2)

    assert "1 catch, 1 raise, 1 reference; complete" in told
    assert "4 places with the word Late: 4 here" in told
    assert "-- catches\nlate.py:11:12  b: except Late:" in told
    assert "1 call; complete, no hop is left: nothing on the way is unresolved" in walk


def test_a_walk_to_subclasses_says_that_there_are_no_more_unless_a_base_is_unresolved(tmp_path: Path) -> None:
    shop = "class Item: ...\n\n\nclass Book(Item): ...\n\n\nclass Atlas(Book): ...\n"
    asked: dict[str, Any] = {"start": ["Item"], "edges": ["inherits"], "direction": "callers"}
    write(tmp_path / "shop", {"shop.py": shop})
    rpg.encode(tmp_path / "shop", output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        every = text(graph, "explore", **asked, depth=5)
        cut = text(graph, "explore", **asked, depth=1)
        usages = text(graph, "find_usages", symbol=["Item"], kinds=["inherits"], transitive=3)
    unknown = "def made(kinds):\n    class Other(kinds.Book): ...\n\n    return Other\n"
    write(tmp_path / "shop", {"other.py": unknown})
    rpg.encode(tmp_path / "shop", output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        doubtful = text(graph, "explore", **asked, depth=5)
        doubtful_usages = text(graph, "find_usages", symbol=["Item"], kinds=["inherits"], transitive=3)

    assert every.startswith("shop.py::Item: complete, no base of these names is unresolved\n")
    assert cut.startswith("shop.py::Item: complete to hop 1, ")
    assert "1 subclass; complete, no hop is left: nothing on the way is unresolved" in usages
    assert doubtful.startswith("shop.py::Item\n")
    assert "nothing on the way is unresolved" not in doubtful_usages
    assert "Book" in doubtful_usages.partition("not followed")[2]


def test_a_walk_to_what_is_called_says_which_calls_are_unresolved(tmp_path: Path) -> None:
    shop = "def a(x):\n    b()\n    x.c()\n    x.c()\n\n\ndef b():\n    print(d())\n\n\ndef d():\n    return d() + 1\n"
    shop += "".join(f"\n\nclass C{number}:\n    def c(self): ...\n" for number in range(20))
    write(tmp_path / "shop", {"shop.py": shop})
    rpg.encode(tmp_path / "shop", output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        calling = {"edges": ["calls"], "direction": "callees", "depth": 1}
        open_end = text(graph, "explore", start=["a"], **calling)
        whole = text(graph, "explore", start=["b"], **calling)
        itself = text(graph, "explore", start=["d"], **calling)
        found = graph.explore(start=["a"], **calling)

    assert open_end.startswith("shop.py::a\n")
    assert "calls that are unresolved: c 2" in open_end
    assert (found.complete, found.unresolved) == (False, {"c": 2})
    assert whole.startswith("shop.py::b: complete, every call is resolved\n")
    assert "shop.py::d: complete, every call is resolved\nd calls: shop.py: d 12" in itself


def test_a_list_says_what_else_its_name_means_and_leaves_doubts_in_tests_aside(tmp_path: Path) -> None:
    shop = "class Till:\n    def close(self): ...\n\n\nclass Door:\n    def close(self): ...\n\n\n"
    shop += "def leave(door: Door, till: Till):\n    till.close()\n    door.close()\n    door.close()\n"
    unknown = "def test_closing(anything):\n    anything.close()\n"
    write(tmp_path / "shop", {"shop.py": shop, "tests/test_shop.py": unknown})
    rpg.encode(tmp_path / "shop", output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        folded = text(graph, "find_usages", symbol=["Till.close"])
        without = text(graph, "find_usages", symbol=["Till.close"], tests="none")
        listed = text(graph, "find_usages", symbol=["Till.close"], tests="all")
        [record] = graph.find_usages(symbol=["Till.close"]).symbols

    account = "6 places with the word close: 2 here, 3 are 1 other definition's, 1 unresolved"
    assert "1 call outside tests, 1 in tests; complete, tests aside\n" in folded
    assert "-- in tests: unresolved" in folded
    assert account in folded
    assert "1 call; complete\n" in without
    assert account in without
    assert "not complete" in listed
    assert not record.complete
    assert record.complete_outside_tests
    assert record.account == {"definition": 1, "certain": 1, "other_definition": 3, "unresolved": 1}


def test_a_base_that_is_not_resolved_leaves_the_list_of_subclasses_incomplete(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "base.py": "class Base: ...\n",
        "user.py": "from missing import *\n\n\ndef make(anything):\n    class Own(anything.Base): ...\n",
    }
    rpg.encode(write(tmp_path / "shop", files), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        (found,) = graph.find_usages(symbol=["Base"], kinds=["inherits"]).symbols

    assert not found.complete
    assert found.total == {"unresolved": 1}


def test_a_method_of_a_prototype_is_not_nested_in_its_constructor(tmp_path: Path) -> None:
    source = """\
function View() {
  this.lookup();
}

View.prototype.lookup = function lookup() {
  return stat();
};

function stat() {}

module.exports = View;
"""
    write(tmp_path / "shop", {"view.js": source})
    rpg.encode(tmp_path / "shop", output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        answer = graph.find_usages(symbol=["stat"], kinds=["calls"], transitive=2)

    assert reached(answer, 1) == {}
    assert reached(answer, 2) == {"View": "View.lookup"}


def test_a_path_between_symbols_has_full_ids_and_lines(graph: Any) -> None:
    told = text(graph, "explore", start=["main"], edges=["calls"], to="price")

    assert told.splitlines() == [
        "shop/orders.py::main",
        "  28 calls shop/orders.py::both",
        "  16 calls shop/prices.py::retry",
        "  17 calls shop/orders.py::both.one",
        "  14 calls shop/orders.py::order",
        "  5 calls shop/prices.py::Cart",
        "  calls shop/prices.py::Cart.__init__",
        "  7 calls shop/prices.py::price",
        "or by later > retry > both.one > order > Cart > Cart.__init__",
        "or by both > retry > reorder > order > Cart > Cart.__init__",
        "1 other chain of 7 edges",
    ]


def test_a_path_to_what_holds_the_start_leads_to_the_rest_of_it(graph: Any) -> None:
    into_the_rest = text(graph, "explore", start=["main"], edges=["calls"], to="shop/orders.py")
    to_itself = text(graph, "explore", start=["main"], edges=["calls"], to="main")

    assert into_the_rest.splitlines()[:2] == ["shop/orders.py::main", "  28 calls shop/orders.py::both"]
    assert to_itself.splitlines()[0] == "'main' is where it starts"


def test_where_a_chain_breaks_the_unresolved_call_is_named(graph: Any) -> None:
    answer = graph.explore(start=["handle"], edges=["calls"], direction="callees", to="price")

    assert [(gap.source, gap.name, gap.may_be) for gap in answer.gaps] == [
        ("shop/orders.py::handle", "order", "shop/orders.py::order")
    ]


def test_a_folder_does_not_need_what_its_tests_and_examples_need(graph: Any) -> None:
    (alone,) = graph.get_dependencies(target="./", tests="fold").targets
    (used,) = graph.get_dependencies(target="shop/prices.py", direction="dependents").targets

    assert alone.total.get("dependencies", 0) == 0
    assert [(each.path, each.evidence, each.site) for each in used.dependents if not each.test] == [
        ("shop/orders.py", "imports", "shop/orders.py:1:6")
    ]
    assert used.tests == {"tests/test_orders.py": 2}


def test_a_question_is_answered_from_the_part_that_it_is_about(graph: Any) -> None:
    def files(**arguments: Any) -> set[str]:
        answer = graph.query_code(question="how is an order of items made?", answer="extract", **arguments)
        return {each.path for each in answer.evidence}

    assert "shop/orders.py" in files()
    assert "tests/test_orders.py" in files(tests="all", path="tests")
    assert "tests/test_orders.py" not in files(tests="none")
    assert files(tests="only") == {"tests/test_orders.py"}
    assert files(path="admin") == {"admin/report.py"}
    assert "shop/orders.py" not in files(exclude_path="shop")
