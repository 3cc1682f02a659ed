"""An edit that concerns few files is encoded with these alone, and leaves what an encode of everything would."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import edited
from repositories import write

from rpg.encoder.languages import find_language
from rpg.encoder.options import Options
from rpg.encoder.parsing.parse import parse
from rpg.encoder.resolve.program.program import Program
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index

FILES = {
    "shop/__init__.py": "from shop.money import Money\n",
    "shop/money.py": """\
class Money:
    def __init__(self, amount):
        self.amount = amount

    def plus(self, other):
        total = self.amount + other.amount
        return Money(total)

    def shown(self):
        return format_money(self)


def format_money(money):
    text = str(money.amount)
    return text
""",
    "shop/cart.py": """\
from shop.money import Money

RATES = {"full": Money, "none": None}


class Cart:
    def __init__(self, rules=None):
        self.items = []
        self.rules = rules

    def add(self, item):
        self.items.append(item)
        return self

    def total(self):
        total = Money(0)
        for item in self.items:
            total = total.plus(item.price)
        return total

    def visit(self, visitor):
        for item in self.items:
            visitor(item)


def each(cart, found=None):
    def seen(item):
        return item.price

    cart.visit(seen)
    return [lambda: seen(item) for item in cart.items]
""",
    "shop/items.py": """\
from shop.cart import Cart
from shop.money import Money

__all__ = ["Item", "filled"]


class Item:
    price = Money(1)


def filled():
    cart = Cart(rules=[len])
    cart.add(Item())
    return cart


def report(cart):
    print(cart.total().shown())


def main():
    report(filled())
""",
    "web/basket.ts": """\
import { Price } from "./price";

export class Basket {
  private prices: Price[] = [];

  add(price: Price): this {
    this.prices.push(price);
    return this;
  }

  total() {
    let sum = 0;
    this.prices.forEach((price) => { sum += price.gross(); });
    return sum;
  }
}

export const empty = () => new Basket();
""",
    "web/price.ts": """\
export class Price {
  constructor(public net: number) {}

  gross() {
    const rate = 1.19;
    return this.net * rate;
  }
}
""",
    "shop/every.py": """\
from shop import Money
from shop.items import *

print(filled().total().plus(Money(1)), Item.price.shown(), unknown.price(), main)
""",
    "tests/conftest.py": """\
import pytest
from shop.cart import Cart
from shop.money import Money


@pytest.fixture
def three():
    return Money(3)
""",
    "tests/test_shop.py": """\
from shop.items import filled


def test_total(three):
    assert filled().total().plus(three.plus(three)).shown()
    assert three.total()
""",
    "web/basket.test.ts": """\
import { describe, it } from "vitest";
import { empty } from "./basket";

describe("Basket", () => {
  it("is empty", () => {
    empty().total();
  });

  it("takes prices", () => {
    empty().add(null);
  });
});
""",
    "stock/stock_test.go": """\
package stock

import "testing"

func TestShelf(t *testing.T) {
	t.Run("empties", func(t *testing.T) {
		Empty(&Shelf{})
	})
}
""",
    "stock/taker.go": """\
package stock

type Taker interface {
	Take() int
}

func Both(a Taker, b *Shelf) int {
	return a.Take() + b.Take()
}
""",
    "stock/stock.go": """\
package stock

type Shelf struct{ count int }

func (s *Shelf) Take() int {
	s.count--
	return s.count
}

func Empty(s *Shelf) {
	for s.Take() > 0 {
	}
}
""",
    "stock/crate.go": """\
package stock

type Crate struct{}
""",
}

ALONE = {
    "comment": ("shop/money.py", "        total = self", "        # said once\n        total = self"),
    "call": ("shop/cart.py", "        total = Money(0)\n", "        total = Money(0)\n        print(1)\n"),
    "reference": ("shop/money.py", "    text = str", "    money.shown()\n    text = str"),
    "comment-outside": ("shop/items.py", "\n\ndef main", "\n\n# begins here\n\ndef main"),
    "passes-what-is-passed": ("shop/items.py", "    print(cart", "    cart.add(Item())\n    print(cart"),
    "moves-a-literal": ("shop/items.py", "    cart.add(Item())\n", "    # none\n    cart.add(Item())\n"),
    "before-a-nested": ("shop/cart.py", "    def seen(item):\n", "    local = [1]\n    def seen(item):\n"),
    "own-list": (
        "shop/cart.py",
        "    cart.visit(seen)\n",
        "    kept = []\n    kept.append(found)\n    cart.visit(seen)\n",
    ),
    "puts-the-same-in-again": (
        "shop/cart.py",
        "        self.items.append(item)\n",
        "        self.items.append(item)\n        self.items.append(item)\n",
    ),
    "typescript": ("web/basket.ts", "    let sum = 0;", "    let sum = 0;\n    this.add(new Price(1)).total();"),
    "typescript-literal": ("web/price.ts", "const rate = 1.19;", "const rate = 1.07;"),
    "go": ("stock/stock.go", "\ts.count--\n", "\ts.count--\n\ts.count--\n"),
    "returns-its-argument": ("shop/money.py", "return text", "return money"),
    "new-function": ("shop/money.py", "return text\n", "return text\n\n\ndef new():\n    pass\n"),
    "new-function-that-is-called": (
        "shop/money.py",
        "def format_money(money):\n",
        "def rounded(money):\n    return money\n\n\ndef format_money(money):\n    rounded(money).plus(money)\n",
    ),
    "new-method": (
        "shop/cart.py",
        "    def total(self):\n",
        "    def first(self):\n        return 1\n\n    def total(self):\n",
    ),
    "new-method-of-a-name-that-is-guessed": (
        "shop/money.py",
        "    def shown(self):\n",
        "    def price(self):\n        return 1\n\n    def shown(self):\n",
    ),
    "method-of-another-name": ("shop/cart.py", "def total(self)", "def sum(self)"),
    "function-of-another-name": ("shop/money.py", "def format_money(money)", "def to_text(money)"),
    "function-that-is-gone": (
        "shop/items.py",
        "def report(cart):\n    print(cart.total().shown())\n\n\n",
        "",
    ),
    "method-that-is-gone": ("shop/money.py", "    def shown(self):\n        return format_money(self)\n", ""),
    "new-class": (
        "shop/money.py",
        "def format_money",
        "class Coin(Money):\n    def __init__(self):\n        self.amount = 1\n\n    def total(self):\n"
        "        return self.plus(self)\n\n\ndef format_money",
    ),
    "signature": ("shop/money.py", "def format_money(money)", "def format_money(money, sign=None)"),
    "constructor": ("shop/money.py", "def __init__(self, amount):", "def __init__(self, amount, unit=None):"),
    "annotation": ("shop/items.py", "def report(cart):", "def report(cart: Cart):"),
    "returned-type": ("shop/items.py", "def filled():", "def filled() -> Cart:"),
    "decorator": ("shop/money.py", "    def shown(self):", "    @property\n    def shown(self):"),
    "returned-lambda": ("shop/cart.py", "lambda: seen(item)", "lambda: item"),
    "nested": ("shop/cart.py", "        return item.price", "        return item"),
    "outside-of-functions": ("shop/cart.py", 'RATES = {"full": Money', 'RATES = {"half": Money'),
    "global": ("shop/items.py", "    print(cart", "    global LAST\n    LAST = cart\n    print(cart"),
    "import": ("shop/items.py", "    print(cart", "    import os\n    print(cart"),
    "import-of-a-module": ("shop/items.py", "from shop.cart import Cart\n", "import os\nfrom shop.cart import Cart\n"),
    "typescript-returns": ("web/price.ts", "return this.net * rate", "return this"),
    "typescript-arrow": ("web/basket.ts", "=> new Basket()", "=> new Basket().total()"),
    "typescript-method-of-another-name": ("web/price.ts", "  gross() {", "  brutto() {"),
    "go-new-function": ("stock/stock.go", "func Empty(", "func Full() *Shelf {\n\treturn &Shelf{}\n}\n\nfunc Empty("),
    "go-method-of-another-name": ("stock/stock.go", "func (s *Shelf) Take()", "func (s *Shelf) Pick()"),
    "what-a-fixture-gives": ("tests/conftest.py", "return Money(3)", "return Cart()"),
    "fixture-of-another-name": ("tests/conftest.py", "def three():", "def four():"),
    "what-a-package-exports": (
        "shop/__init__.py",
        "from shop.money import Money\n",
        "from shop.cart import Cart as Money\n",
    ),
    "what-is-listed": ("shop/items.py", '__all__ = ["Item", "filled"]', '__all__ = ["Item"]'),
    "method-of-an-interface": ("stock/taker.go", "\tTake() int\n", "\tPick() int\n"),
    "method-that-an-interface-asks-for": (
        "stock/crate.go",
        "type Crate struct{}\n",
        "type Crate struct{}\n\nfunc (c Crate) Take() int {\n\treturn 1\n}\n",
    ),
    "signature-that-no-interface-asks-for": ("stock/stock.go", "Take() int {", "Take() int8 {"),
    "signature-with-other-names": ("stock/stock.go", "func (s *Shelf) Take() int", "func (s *Shelf) Take() (n int)"),
    "method-of-a-type-in-another-file": (
        "stock/crate.go",
        "type Crate struct{}",
        "type Crate struct{}\n\nfunc (s *Shelf) Fill() {}",
    ),
    "type-that-is-embedded": ("stock/crate.go", "type Crate struct{}", "type Crate struct{ Shelf }"),
    "method-of-a-smaller-interface": ("stock/taker.go", "\tTake() int\n", "\tTake() int\n\tGive()\n"),
    "new-interface": ("stock/taker.go", "type Taker", "type Other interface {\n\tTake() int\n}\n\ntype Taker"),
    "returns-something-else": ("shop/money.py", "return Money(total)", "return total"),
    "new-attribute": (
        "shop/money.py",
        "total = self.amount + other.amount\n",
        "total = self\n        self.last = other\n",
    ),
    "call-in-a-test": ("web/basket.test.ts", "empty().total();", "empty().add(null).total();"),
    "title": ("web/basket.test.ts", '"is empty"', '"has nothing"'),
    "test-behind-others": (
        "web/basket.test.ts",
        "add(null);\n  });\n",
        'add(null);\n  });\n\n  it("sums", () => {\n    empty().total();\n  });\n',
    ),
    "test-before-others": ("web/basket.test.ts", '  it("is empty"', '  it("sums", () => empty());\n  it("is empty"'),
    "call-in-a-subtest": ("stock/stock_test.go", "Empty(&Shelf{})", "s := &Shelf{}\n\t\ts.Take()"),
    "title-of-a-subtest": ("stock/stock_test.go", '"empties"', '"is emptied"'),
    "passes-something-else": ("shop/items.py", "report(filled())", "report(Item())"),
    "another-order": (
        "shop/money.py",
        "    def plus(self, other):\n        total = self.amount + other.amount\n        return Money(total)\n\n"
        "    def shown(self):\n        return format_money(self)\n",
        "    def shown(self):\n        return format_money(self)\n\n"
        "    def plus(self, other):\n        total = self.amount + other.amount\n        return Money(total)\n",
    ),
    "classes-in-another-order": (
        "shop/items.py",
        "class Item:\n    price = Money(1)\n\n\ndef filled():\n    cart = Cart(rules=[len])\n    cart.add(Item())\n"
        "    return cart\n",
        "def filled():\n    cart = Cart(rules=[len])\n    cart.add(Item())\n    return cart\n\n\n"
        "class Item:\n    price = Money(1)\n",
    ),
    "another-id": ("shop/money.py", "def format_money", "def format_money():\n    pass\n\n\ndef format_money"),
    "broken": ("shop/items.py", "    print(cart.total", "    print(cart.total(."),
}
"""Name -> file, what is replaced in it, by what."""
TOGETHER = {
    "stores-something-else": ("shop/items.py", "cart.add(Item())", "cart.add(Money(2))"),
    "class-above": ("shop/items.py", "class Item:", "class Item(Cart):"),
    "class-of-another-name": ("shop/items.py", "class Item:", "class Thing:"),
    "import-that-is-gone": ("shop/items.py", "from shop.cart import Cart\n", ""),
    "typescript-new-function": (
        "web/price.ts",
        "export class Price",
        "export function free() {\n  return new Price(0);\n}\n\nexport class Price",
    ),
    "callable": ("shop/money.py", "    def shown(self):", "    def __call__(self):"),
    "everything-is-imported": ("shop/items.py", "from shop.cart import Cart\n", "from shop.cart import *\n"),
}


@pytest.mark.parametrize(("path", "old", "new"), ALONE.values(), ids=ALONE)
def test_an_edit_that_concerns_few_files_is_encoded_alone(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", FILES)
    assert edited(tmp_path, path, old, new).is_alone


@pytest.mark.parametrize(("path", "old", "new"), TOGETHER.values(), ids=TOGETHER)
def test_an_edit_that_may_concern_all_is_not(tmp_path: Path, path: str, old: str, new: str) -> None:
    write(tmp_path / "repo", FILES)
    assert not edited(tmp_path, path, old, new).is_alone


def test_edits_of_several_files_one_after_the_other_add_up(tmp_path: Path) -> None:
    write(tmp_path / "repo", FILES)
    for path, old, new in [
        ("shop/cart.py", "        total = Money(0)\n", "        start = [0]\n        total = Money(0)\n"),
        ("shop/items.py", "    cart.add(Item())\n", "    cart.add(Item())\n    cart.add(Item())\n"),
        ("shop/cart.py", "    cart.visit(seen)\n", "    cart.visit(seen)\n    cart.visit(seen)\n"),
        ("shop/money.py", "        total = self", "        same = self.plus\n        total = self"),
        ("shop/cart.py", "        start = [0]\n", ""),
    ]:
        assert edited(tmp_path, path, old, new).is_alone, (path, new)


def test_what_an_edit_adds_finds_room_in_the_index(tmp_path: Path) -> None:
    functions = [f"wash{number}" for number in range(90)]
    defined = "".join(f"def {name}():\n    pass\n\n\n" for name in functions)
    files = {f"shop/part{letter}.py": f"from shop.all import *\n\nwash{ord(letter)}()\n" for letter in "BCDEFG"}
    write(
        tmp_path / "repo",
        {"shop/__init__.py": "", "shop/all.py": defined, "shop/here.py": "def here():\n    pass\n"} | files,
    )
    calls = "".join(f"    all.{name}()\n    lost_{name}()\n" for name in functions)
    for old, new in (
        ("    pass\n", f"    from shop import all\n\n{calls}"),
        (calls, ""),
        ("def here", f"def more():\n{calls}\n\ndef here"),
    ):
        assert edited(tmp_path, "shop/here.py", old, new).is_alone


@pytest.mark.parametrize("table", ["flow", "survey"])
def test_what_is_damaged_is_made_again(tmp_path: Path, table: str) -> None:
    write(tmp_path / "repo", FILES)
    graph = tmp_path / "kept.graph.json"
    encode(tmp_path / "repo", graph, Options())
    index = Index.open(index_path(graph))
    index.execute(f"UPDATE {table} SET data = substr(data, 1, length(data) - 2)")
    index.close()
    assert not edited(tmp_path, *ALONE["call"]).is_alone
    assert edited(tmp_path, *ALONE["comment"]).is_alone


def test_what_is_known_of_methods_follows_an_edit_again_when_it_is_followed_further() -> None:
    """Each attempt amends the tables from the saved ones; what an earlier attempt knew must not stand in for them."""
    before, after = (program(f"package a\n\ntype Cart int\n\nfunc (c Cart) {name}() {{}}\n") for name in ("Up", "Down"))
    before.owned  # noqa: B018
    for _ in range(2):
        after.edited(before, {0: lambda index: index})
        assert set(after.owned) == {("", "Cart", "Down")}
        assert set(after.amended) == {"owned"}


def program(source: str) -> Program:
    facts = parse("cart.go", find_language("cart.go"), source.encode())
    return Program({"cart.go": facts.language}, lambda path: facts, lambda path: source.encode())
