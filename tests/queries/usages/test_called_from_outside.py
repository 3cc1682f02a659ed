"""What a list without usages says of code that a framework, a library or the language calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from repositories import write

import rpg

JAVA = """\
package shop;
import org.web.GetMapping;
import org.web.Base;

@interface Local {}

class Cart extends Base implements Priced {
    Cart(int size) {}
    @GetMapping("/cart") public String show() { return ""; }
    @Local public void marked() {}
    @Override public void opened() {}
    @Override public int price() { return 1; }
    public void closed() {}
    private void hidden() {}
}

interface Priced { int price(); }

class Plain {
    Plain(int size) {}
    Plain() {}
    @Deprecated public void old() {}
    public void free() {}
}

@Controller class Desk {
    public Desk(int size) {}
}

class Shop {
    Object one() { return new Cart(1); }
    Object two() { return new Plain(2); }
}
"""
RUST = """\
use outer::Widget;
pub struct Cart;
pub trait Priced { fn price(&self) -> u8; }
impl Widget for Cart { fn paint(&self) {} }
impl Priced for Cart { fn price(&self) -> u8 { 1 } }
#[no_mangle]
pub fn shop_open() {}
#[inline]
pub fn fast() {}
"""
ELIXIR = """\
defmodule Shop.Till do
  use GenServer
  @impl true
  def peek(state), do: state
  def start_link(x), do: x
  def never(x), do: x
  def named(x), do: x
  def call(m), do: apply(m, :named, [])
end
"""
C = """\
#ifdef FAST
int open_fast(int x);
#else
#define open_fast(x) 0
#endif
#define RUN(kind, x) shop_run_##kind##_now(x)
#define COUNT(cart, kind) cart->kind##_handles
"""
SOURCES: dict[str, str | bytes] = {
    "shop.h": C,
    "fast.c": '#include "shop.h"\nint open_fast(int x) { return x; }\nint shop_run_first_now(int x) { return x; }\n'
    "int shop_handles(int x) { return x; }\n",
    "use.c": '#include "shop.h"\nint use(int x) { return open_fast(x) + RUN(first, x); }\n',
    "src/shop/Cart.java": JAVA,
    "lib.rs": RUST,
    "lib/shop/till.ex": ELIXIR,
    "Shop.cs": "using System;\nnamespace S;\npublic class Cart : IDisposable {\n"
    "  public void Dispose() {}\n  [Benchmark] public void Timed() {}\n  public override string ToText() => \"\";\n}\n"
    "public class Plain {\n  [Obsolete] public void Old() {}\n}\n",
    "shop.hpp": "struct Sum {\n  int operator+(int other) { return other; }\n};\n",
    "Shop.swift": "import UIKit\nclass Cart: UIView {\n  func layout() {}\n  private func hidden() {}\n"
    "  @objc func tapped() {}\n}\nstruct Plain {\n  @inlinable func fast() {}\n  deinit {}\n}\n",
    "shop.kt": "package s\nimport android.app.Activity\nclass Cart : Activity() {\n  override fun onCreate() {}\n}\n"
    "class Plain {\n  @Suppress(\"x\") fun quiet() {}\n}\nfun main() {}\n",
    "shop.php": "<?php\nclass Task {\n  public function __invoke() {}\n  public function run() {}\n"
    "  public function __construct() {}\n}\n",
    "web.py": "from outer import web, Base\nimport functools\n\ndef local(f):\n    return f\n\n"
    '@web.route("/")\ndef index(): ...\n\n@local\ndef mine(): ...\n\n@functools.lru_cache\ndef kept(): ...\n\n'
    "class Cart(Base):\n    def opened(self): ...\n\nclass Plain:\n    def closed(self): ...\n",
}  # fmt: skip
SOURCES["text.swift"] = (
    "public extension String {\n  func finished(with end: String) -> String { self + end }\n}\n"
    'func name(of text: String) -> String { text.finished(with: "/") }\n'
    'func other(of things: Unknown) -> String { things.last.finished(with: "/") }\n'
)
SOURCES["signs.kt"] = (
    "package signs\nclass Money {\n  operator fun plus(o: Money): Money = o\n  operator fun component1(): Int = 1\n"
    "  fun minus(o: Money): Money = o\n}\n"
)
SOURCES["signs.swift"] = (
    "struct Money {\n  static func + (a: Money, b: Money) -> Money { return a }\n"
    "  func callAsFunction() -> Int { return 1 }\n}\n"
)
SOURCES["signs.scala"] = "package signs\nclass Money { def +(o: Money): Money = o; def unary_- : Money = this }\n"
SOURCES["signs.dart"] = "class Money {\n  Money operator +(Money o) => o;\n  int call() => 1;\n}\n"
SOURCES["used.kt"] = (
    "package signs\nclass Sum {\n  operator fun plus(o: Sum): Sum = o\n  operator fun times(o: Sum): Sum = o\n"
    "  fun halved(): Sum = this\n}\nfun add(a: Sum, b: Sum) = a + b\n"
)
SAID = {
    "Cart.java::Cart.show": "@GetMapping may have it called from outside",
    "Cart.java::Cart.marked": "its base Base, of a library, may",
    "Cart.java::Cart.opened": "it overrides a member of something outside the repository",
    "Cart.java::Cart.closed": "its base Base, of a library, may call it",
    "Cart.java::Cart.hidden": "nothing in this repository names it",
    "Cart.java::Plain.old": "it is exported",
    "Cart.java::Plain.free": "it is exported",
    "Cart.java::Desk.Desk": "@Controller may have it called from outside",
    "lib.rs::Cart.paint": "it overrides a member of something outside the repository",
    "lib.rs::shop_open": "@no_mangle may have it called from outside",
    "lib.rs::fast": "it is exported",
    "till.ex::Shop.Till.peek": "it overrides a member of something outside the repository",
    "till.ex::Shop.Till.start_link": "the language, a library or a tool calls what has that name",
    "till.ex::Shop.Till.never": "it is exported",
    "Shop.cs::Cart.Dispose": "its base IDisposable, of a library, may",
    "Shop.cs::Cart.Timed": "@Benchmark may have it called from outside",
    "Shop.cs::Cart.ToText": "it overrides a member of something outside the repository",
    "Shop.cs::Plain.Old": "it is exported",
    "Shop.swift::Cart.layout": "its base UIView, of a library, may",
    "Shop.swift::Cart.hidden": "nothing in this repository names it",
    "Shop.swift::Cart.tapped": "@objc may have it called from outside",
    "Shop.swift::Plain.fast": "it is exported",
    "shop.kt::Cart.onCreate": "it overrides a member of something outside the repository",
    "shop.kt::Plain.quiet": "it is exported",
    "signs.kt::Money.minus": "it is exported",
    "shop.kt::main": "the language, a library or a tool calls what has that name",
    "shop.php::Task.run": "it is exported",
    "web.py::index": "@web.route may have it called from outside",
    "web.py::kept": "it is exported",
    "web.py::Cart.opened": "its base Base, of a library, may",
    "web.py::Plain.closed": "it is exported",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("outside")
    rpg.encode(write(folder / "shop", SOURCES), output=str(folder / "shop.graph.json"))
    with rpg.open(folder / "shop.graph.json") as opened:
        yield opened


def usages(graph: Any, ending: str) -> Any:
    path = next(path for path in SOURCES if path.endswith(ending.partition("::")[0]))
    (answer,) = graph.find_usages(symbol=[f"{path}::{ending.partition('::')[2]}"]).symbols
    return answer


@pytest.mark.invariant(
    "answers",
    "a list of uses is not complete if a file that may name the symbol was not read, and an empty list "
    "mentions what calls code from outside",
)
@pytest.mark.parametrize("symbol", SAID)
def test_code_that_something_outside_may_call_is_not_just_unused(graph: Any, symbol: str) -> None:
    answer = usages(graph, symbol)
    assert answer.complete
    assert SAID[symbol] in answer.reason


RUN_UNNAMED = """
shop.hpp::Sum.operator+ Shop.swift::Plain.deinit shop.php::Task.__invoke signs.kt::Money.plus signs.kt::Money.component1
signs.swift::Money.+ signs.swift::Money.callAsFunction signs.scala::Money.+ signs.scala::Money.unary_-
signs.dart::Money.+ signs.dart::Money.call
"""


@pytest.mark.parametrize("symbol", RUN_UNNAMED.split())
def test_what_the_language_runs_without_a_name_is_not_called_unused(graph: Any, symbol: str) -> None:
    answer = usages(graph, symbol)
    assert not answer.complete
    assert "without naming it" in answer.reason


def test_what_runs_unnamed_may_have_more_uses_than_those_that_are_known(graph: Any) -> None:
    answer = usages(graph, "used.kt::Sum.plus")
    assert answer.total == {"certain": 1}
    assert not answer.complete
    assert "also runs what is called so without naming it" in answer.reason


def test_what_runs_unnamed_is_not_likely_to_be_unused(graph: Any) -> None:
    findings = graph.stats(of="unused", path="used.kt").health[0].findings
    found = {each.what.rpartition("/")[2]: each.confidence for each in findings}
    assert found["used.kt::Sum.times"] == "possible"
    assert found["used.kt::Sum.halved"] == "likely"


def test_a_constructor_that_has_the_name_of_its_class_is_used_by_calls_of_the_class(graph: Any) -> None:
    only = usages(graph, "Cart.java::Cart.Cart")
    assert only.total == {"certain": 1}
    assert only.complete
    one_of_two = usages(graph, "Cart.java::Plain.Plain")
    assert one_of_two.total == {"possible": 1}
    assert not one_of_two.complete


def test_an_atom_may_name_a_function(graph: Any) -> None:
    assert not usages(graph, "till.ex::Shop.Till.named").complete


def test_a_use_of_another_definition_of_the_function_may_be_one_of_this(graph: Any) -> None:
    answer = usages(graph, "fast.c::open_fast")
    assert answer.total == {"possible": 1}
    assert "of which a build may have this" in answer.note


def test_a_name_that_a_macro_may_paste_is_not_called_unused(graph: Any) -> None:
    answer = usages(graph, "fast.c::shop_run_first_now")
    assert not answer.complete
    assert "a macro may paste its name: shop.h:6" in answer.reason
    assert usages(graph, "fast.c::shop_handles").complete


def test_a_member_that_the_repository_adds_to_a_builtin_type_is_found_and_may_be_meant_where_no_type_is_known(
    graph: Any,
) -> None:
    found = usages(graph, "text.swift::String.finished")
    assert found.total == {"certain": 1, "possible": 1}
    assert not found.complete


def test_what_a_framework_takes_by_its_place_says_so(tmp_path: Path) -> None:
    page = "export default function Page() {}\n\nfunction inside() {}\n"
    files: dict[str, str | bytes] = {
        "app/(shop)/cart/page.tsx": page,
        "app/api/cart/route.ts": "export function GET() {}\n",
        "app/cart/total.ts": "export function total() {}\n",
        "web/pages/home.vue": "<template>\n  <b>1</b>\n</template>\n",
        "src/routes/+page.svelte": "<b>1</b>\n",
    }
    rpg.encode(str(write(tmp_path / "shop", files)), output=str(tmp_path / "shop.graph.json"))
    by_place, by_nothing = "a framework calls it by its place", "it is exported, so outside code may use it"
    with rpg.open(tmp_path / "shop.graph.json") as shop:
        said = {
            name: shop.find_usages(symbol=[name]).symbols[0].reason.rpartition("; ")[2]
            for name in ("Page", "inside", "GET", "total", "web/pages/home.vue", "src/routes/+page.svelte")
        }

    assert said == {
        "Page": by_place,
        "inside": "unused: nothing in this repository names it",
        "GET": by_place,
        "total": by_nothing,
        "web/pages/home.vue": "a framework loads it by its place",
        "src/routes/+page.svelte": "a framework loads it by its place",
    }
