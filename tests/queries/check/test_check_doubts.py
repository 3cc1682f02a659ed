"""What `check` says where it does not know everything: no more than was looked at, and doubts first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from checking import Checked

from rpg.queries.check.since import Gone, Renamed
from rpg.queries.check.since import lines as lines_of_gone
from rpg.queries.review.machine_formats import junit
from rpg.queries.review.markdown import summary
from rpg.queries.review.review import Review
from rpg.tools import check as check_tool

SCALA = {
    "Store.scala": """\
package shop

trait Hook {
  def before(): Unit
}

class Store {
  def add(id: Int): Unit = ()
}

object Till {
  val hook = new Hook { def before(): Unit = () }
  def run(store: Store): Unit = store.add(1)
}
""",
    "shop.py": "def price(item):\n    return item\n\n\nprice(1)\n",
}

ELIXIR = {
    "lib/shop/pay.ex": """\
defmodule Shop.Pay do
  def halt(conn), do: conn

  def log(conn, why \\\\ nil), do: {conn, why}

  def own(conn), do: conn
end
""",
    "lib/shop/till.ex": """\
# pay
defmodule Shop.Till do
  import Shop.Pay
  alias Shop.Pay

  def run(conn) do
    Pay.halt(conn)
    conn |> halt()
    f = &Shop.Pay.halt/1
    log(conn)
    f.(conn)
  end
end
""",
    "lib/shop/sigil.ex": """\
defmodule Shop.Sigil do
  @type price_t :: integer

  @spec sigil_PRICE(price_t, list) :: a when a: term
  def sigil_PRICE(text, _options), do: text
end
""",
    "lib/shop/label.ex": """\
defmodule Shop.Label do
  import Shop.Sigil

  def text, do: ~PRICE"3"
end
""",
    "lib/shop/open.ex": """\
defmodule Shop.Open do
  use Some.Library

  def call(conn, opts), do: {conn, opts}
end

defmodule Shop.Caller do
  def run(conn), do: Shop.Open.call(conn, [])
end
""",
}


@pytest.fixture(scope="module")
def scala(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    checked = Checked(tmp_path_factory.mktemp("scala"), SCALA)
    yield checked
    checked.close()


@pytest.fixture(scope="module")
def elixir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    checked = Checked(tmp_path_factory.mktemp("elixir"), ELIXIR)
    yield checked
    checked.close()


def test_arguments_do_not_fit_in_a_language_whose_arguments_are_not_judged(scala: Checked) -> None:
    edit = scala.changed("Store.scala", "add(id: Int)", "add(id: Int, more: Int)")
    assert scala.text(edit) == "1 symbol changed, 1 use checked: names fit; arguments are not checked in scala"
    assert scala.answer(edit).without_arguments == ["scala"]


def test_new_lines_in_such_a_language_count_too(scala: Checked) -> None:
    edit = scala.changed("Store.scala", "store.add(1)", "store.add(1, 2)")
    assert scala.text(edit).endswith("in lines this edit changed: names fit; arguments are not checked in scala")


def test_a_language_of_which_no_use_was_checked_is_not_named(scala: Checked) -> None:
    edit = scala.changed("shop.py", "price(item)", "price(item, tax=1)")
    assert scala.text(edit) == "1 symbol changed, 1 use checked: names and arguments fit"
    assert scala.answer(edit).without_arguments == []


def test_a_class_without_a_name_is_called_so(scala: Checked) -> None:
    edit = scala.changed("Store.scala", "  def before(): Unit\n", "  def prior(): Unit\n")
    assert scala.broken(edit) == [
        "Store.scala:12 missing: a class without a name lacks `prior` (declared in Store.scala::Hook.prior)"
    ]


def test_a_function_that_takes_another_number_is_another_one_in_elixir(elixir: Checked) -> None:
    edit = elixir.changed("lib/shop/pay.ex", "def halt(conn), do", "def halt(conn, why), do")
    assert elixir.broken(edit) == [
        f"lib/shop/till.ex:{line} misfit: `halt` takes 2 arguments now, not 1" for line in (7, 8, 9)
    ]


@pytest.mark.parametrize(
    "now",
    [
        "def halt(conn, why \\\\ nil), do: {conn, why}",
        "def halt(conn, why), do: {conn, why}\n\n  def halt(conn), do: conn",
        "def halt(conn, why), do: {conn, why}\n\n  defdelegate halt(conn), to: Some.Library",
        "def halt(other), do: other",
    ],
)
def test_a_function_that_still_takes_the_number_breaks_nothing_in_elixir(elixir: Checked, now: str) -> None:
    edit = elixir.changed("lib/shop/pay.ex", "def halt(conn), do: conn", now)
    said = elixir.answer(edit)
    assert (said.broken, said.unjudged) == ([], [])


def test_a_default_that_goes_is_a_doubt_in_elixir(elixir: Checked) -> None:
    said = elixir.text(elixir.changed("lib/shop/pay.ex", "why \\\\ nil", "why"))
    assert said.startswith("1 place may be broken, which cannot be judged: lib/shop/till.ex:10; nothing else is: ")


def test_a_module_that_a_library_adds_functions_to_may_have_the_number_from_there(elixir: Checked) -> None:
    edit = elixir.changed("lib/shop/open.ex", "def call(conn, opts), do: {conn, opts}", "def call(conn), do: conn")
    assert elixir.broken(edit) == ["lib/shop/open.ex:8 misfit: `call` takes 1 argument now, not 2?"]


def test_an_elixir_module_is_found_wherever_its_file_is(elixir: Checked) -> None:
    moved = {"lib/shop/pay.ex": None, "lib/shop/pay_two.ex": ELIXIR["lib/shop/pay.ex"]}
    assert elixir.broken(moved) == []
    # One that is declared nowhere any more is gone.
    gone = {"lib/shop/pay.ex": None}
    assert any("which is gone" in each for each in elixir.broken(gone))


def test_what_cannot_be_judged_is_said_before_what_is_well() -> None:
    doubtful = check_tool.Checked(since="HEAD", files=1, changed=1, unjudged=["a.lua:3"])
    place = "1 place may be broken, which cannot be judged: a.lua:3; nothing else is: "
    assert check_tool.text(doubtful) == f"{place}1 symbol changed, 0 uses checked"
    more = replace(doubtful, unjudged=[f"a.lua:{line}" for line in range(1, 8)], checked=2, left_out=1)
    assert check_tool.text(more) == (
        "7 places may be broken, which cannot be judged: a.lua:1, a.lua:2, a.lua:3, a.lua:4, a.lua:5 and 2 more; "
        "nothing else is: 1 symbol changed, 2 uses checked; 1 file not compared"
    )


def test_lists_of_what_changed_and_reviews_say_the_doubt_first_too() -> None:
    renamed = [Renamed(old="a.lua::f", new="a.lua::g")]
    assert list(lines_of_gone(Gone(renamed=renamed), "HEAD"))[1:] == ["nothing is broken by it"]
    told = list(lines_of_gone(Gone(renamed=renamed, unjudged=["b.lua:3"]), "HEAD"))[1:]
    assert told == ["may be broken, which cannot be judged: b.lua:3"]
    doubtful = Review(base="HEAD", head="", unjudged=["b.lua:3"])
    assert summary(doubtful) == "1 place may be broken, which cannot be judged; nothing else broken, 0 uses checked."
    assert "1 place cannot be judged, nothing else is broken, 0 uses checked" in junit(doubtful)


ZIG = {
    "src/price.zig": """\
pub fn addTax(price: u32) u32 {
    return price * 2;
}

pub fn dropTax(price: u32) u32 {
    return price;
}
""",
    "src/till.zig": """\
const price = @import("price.zig");

pub fn buy() u32 {
    // addTax is named here
    return price.addTax(1) + price.addTax(2);
}
""",
    "tests/till.zig": 'const till = @import("../src/till.zig");\n\ntest "buys" {\n    _ = till.buy();\n}\n',
    "native.c": "int add_native(int a) { return a; }\nint use_native(void) { return add_native(1); }\n",
    "src/native.zig": "extern fn add_native(a: c_int) c_int;\npub fn run() c_int {\n    return add_native(1);\n}\n",
}


@pytest.fixture(scope="module")
def zig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    checked = Checked(tmp_path_factory.mktemp("zig"), ZIG)
    yield checked
    checked.close()


def test_places_in_a_language_of_which_no_use_is_read_are_doubts(zig: Checked) -> None:
    said = zig.answer(zig.changed("src/price.zig", "fn addTax", "fn withTax"))

    assert (said.broken, said.unjudged, said.unread) == ([], ["src/till.zig:5"], ["zig"])


def test_nothing_is_known_of_a_language_of_which_no_use_is_read(zig: Checked) -> None:
    said = zig.text(zig.changed("src/price.zig", "fn dropTax", "fn withoutTax"))

    assert said == (
        "2 symbols changed, 0 uses checked: nothing is known to be broken; "
        "uses in zig are not read, only symbols and imports"
    )


def test_such_code_may_use_what_another_language_defines(zig: Checked) -> None:
    said = zig.answer(zig.changed("native.c", "int add_native(int a)", "int add_native(int a, int b)"))

    assert "src/native.zig:3" in said.unjudged
    assert said.unread == ["zig"]
    assert any(each.path == "native.c" for each in said.broken)


def test_a_language_of_which_no_use_is_read_is_not_named_where_it_cannot_matter(elixir: Checked) -> None:
    assert elixir.answer(elixir.changed("lib/shop/pay.ex", "def own(conn)", "def other(conn)")).unread == []


def test_signs_and_types_without_parentheses_are_uses_in_elixir(elixir: Checked) -> None:
    sigil = elixir.changed("lib/shop/sigil.ex", "sigil_PRICE", "sigil_COST")
    assert [each.path for each in elixir.answer(sigil).broken] == ["lib/shop/label.ex"]

    named = elixir.changed("lib/shop/sigil.ex", "@type price_t", "@type cost_t")
    assert [(each.path, each.line) for each in elixir.answer(named).broken] == [("lib/shop/sigil.ex", 4)]


NODES = {
    "nodes.py": """\
class Node:
    def __init__(self):
        self.next = Node()

    def arrive_there(self):
        return self
""",
    "far.py": f"from nodes import Node\n\nNode(){'.next' * 180}.arrive_there()\n",
}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    checked = Checked(tmp_path_factory.mktemp("nodes"), NODES)
    yield checked
    checked.close()


def test_a_use_that_is_too_far_to_be_followed_is_a_doubt(nodes: Checked) -> None:
    said = nodes.answer(nodes.changed("nodes.py", "arrive_there(self)", "arrive_there(self, extra)"))

    assert (said.broken, said.unjudged) == ([], ["far.py:3"])
