"""What an edit has broken, in other languages than Python, and what it has not."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "java/shop/Cart.java": """\
package shop;

public class Cart {
    protected int count;

    public Cart(int count) {
        this.count = count;
    }

    public int total(int tax, int rate) {
        return count * rate + tax;
    }

    public static int zero() {
        return 0;
    }

    public int label(String name) {
        return name.length() + Cart.zero();
    }
}
""",
    "java/shop/Priced.java": """\
package shop;

public interface Priced {
    int price();
}
""",
    "java/shop/Till.java": """\
package shop;

public class Till extends Cart implements Priced {
    public Till() {
        super(1);
    }

    @Override
    public int price() {
        return label("x");
    }

    @Override
    public int label(String name) {
        return super.label(name);
    }
}
""",
    "java/shop/Desk.java": """\
package shop;

class Desk extends Till {
}
""",
    "java/app/Main.java": """\
package app;

import shop.Cart;

class Main {
    int run() {
        return new Cart(3).total(1, 2) + Cart.zero();
    }
}
""",
    "java/app/Rounded.java": """\
package app;

class Rounded {
    int run(long x) {
        return exact(x) + Other.twice(x);
    }

    private static int exact(long x) {
        return (int) x;
    }

    Runnable inner = new Runnable() {
        public void run() {
            exact(3);
        }
    };
}
""",
    "ts/cart.ts": """\
export interface Priced {
  price(): number
  label?(): string
}

export function cost(item: number, rate?: number): number {
  return item * (rate ?? 1)
}

export class Cart implements Priced {
  price(): number {
    return cost(1)
  }
}

export const RATE = 2
""",
    "ts/till.ts": """\
import { Cart, RATE, cost } from './cart'
import * as cart from './cart'

export function run(): number {
  return new Cart().price() + cost(RATE, 2) + cart.cost(3)
}
""",
    "ts/index.ts": "export { cost } from './cart'\n",
    "ts/user.ts": "import { cost } from './index'\n\nexport const one = cost(1)\n",
    "js/cart.js": "function cost(item, rate) {\n  return item\n}\nmodule.exports = { cost }\n",
    "js/till.js": "const { cost } = require('./cart')\n\ncost(1)\n",
    "go/go.mod": "module example.org/shop\n\ngo 1.21\n",
    "go/cart.go": """\
package shop

type Cart struct {
	Count int
}

func (c *Cart) Total(tax int, rates ...int) int {
	return c.Count + tax
}

func Pair() (int, int) {
	return 1, 2
}

func Sum(a int, b int) int {
	return a + b
}
""",
    "go/store.go": """\
package shop

type Store interface {
	Get(key string) string
	Put(key string)
}

type Memory struct{}

func (m *Memory) Get(key string) string { return key }
func (m *Memory) Put(key string) {}

type Half struct{}

func (h *Half) Get(key string) string { return key }

type Same interface {
	Same() Same
}
""",
    "go/till.go": """\
package shop

func Run(c *Cart) int {
	return c.Total(1) + c.Total(1, 2, 3) + Sum(Pair()) + Sum(c.Count, 2)
}
""",
    "c/cart.h": "int total(int count, int rate);\nint nothing(void);\n",
    "c/cart.c": """\
#include "cart.h"

int total(int count, int rate) {
  return count * rate;
}

int nothing(void) {
  return 0;
}
""",
    "c/till.c": '#include "cart.h"\n\nint run(void) {\n  return total(1, 2) + nothing();\n}\n',
    "rust/src/lib.rs": "pub mod cart;\npub mod till;\n",
    "rust/src/cart.rs": """\
pub struct Cart {
    pub count: i32,
}

impl Cart {
    pub fn total(&self, tax: i32) -> i32 {
        self.count + tax
    }
}

pub fn zero() -> i32 {
    0
}
""",
    "rust/src/till.rs": """\
use crate::cart::{zero, Cart};

pub fn run(cart: &Cart) -> i32 {
    cart.total(1) + Cart::total(cart, 2) + zero()
}
""",
    "ruby/cart.rb": """\
class Cart
  def total(tax, rate = 1, label:, note: nil, &block)
    tax * rate
  end
end

class Till
  def run
    Cart.new.total(1, label: "x")
  end

  def open(items, options = {})
    open(items, deep: true)
    Cart.new.total 1, 2, label: "y" do |each|
      each
    end
  end
end
""",
    "php/Cart.php": """\
<?php
namespace Shop;

class Cart
{
    public function total(int $tax, int $rate = 1): int
    {
        return $tax * $rate;
    }
}

class Till
{
    public function run(Cart $cart): int
    {
        return $cart->total(1, 2);
    }
}
""",
    "cs/Cart.cs": """\
namespace Shop
{
    public abstract class Base
    {
        public abstract int Price();
        public virtual int Label() { return 0; }
    }

    public class Cart : Base
    {
        public override int Price() { return Total(1, rate: 2); }
        public override int Label() { return base.Label(); }
        public int Total(int tax, int rate = 1) { return tax * rate; }
    }
}
""",
    "kt/Cart.kt": """\
package till

open class Base {
    open fun price(): Int = 0
}

class Cart(val count: Int) : Base() {
    override fun price(): Int = total(1, rate = 2)

    fun total(tax: Int, rate: Int = 1): Int = tax * rate + count
}

fun make(): Cart = Cart(count = 1)
""",
}


IN_PRICED = "java/shop/Priced.java:4"
IN_CART = "java/shop/Cart.java:18"
BREAKING = {
    "java: a renamed method": (
        "java/shop/Cart.java", "int zero()", "int nought()",
        [
            "java/app/Main.java:7 gone: `zero` is gone (renamed to nought, java/shop/Cart.java:14)",
            "java/shop/Cart.java:19 gone: `zero` is gone (renamed to nought, java/shop/Cart.java:14)",
        ],
    ),
    "java: a new parameter of one overload": (
        "java/shop/Cart.java", "int tax, int rate)", "int tax, int rate, int more)",
        ["java/app/Main.java:7 misfit: `total` needs `more`"],
    ),
    "java: a constructor that takes more": (
        "java/shop/Cart.java", "public Cart(int count)", "public Cart(int count, int more)",
        [
            "java/app/Main.java:7 misfit: `Cart` needs `more`",
            "java/shop/Till.java:5 misfit: `Cart` needs `more`",
        ],
    ),
    "java: a renamed member of an interface": (
        "java/shop/Priced.java", "int price()", "int worth()",
        [
            "java/shop/Till.java:3 missing: `Till` lacks `worth` (declared in java/shop/Priced.java::Priced.worth)",
            f"java/shop/Till.java:9 overriding: `price` overrides nothing any more (renamed to worth, {IN_PRICED})",
        ],
    ),
    "java: a renamed member that is overridden": (
        "java/shop/Cart.java", "int label(String name)", "int text(String name)",
        [
            f"java/shop/Till.java:14 overriding: `label` overrides nothing any more (renamed to text, {IN_CART})",
            "java/shop/Till.java:15 gone: `label` is gone (renamed to text, java/shop/Cart.java:18)",
        ],
    ),
    "java: a method that is private now": (
        "java/shop/Cart.java", "public static int zero", "private static int zero",
        ["java/app/Main.java:7 hidden: `zero` cannot be seen from here"],
    ),
    "rust: a function that is not public any more": (
        "rust/src/cart.rs", "pub fn zero", "fn zero",
        ["rust/src/till.rs:1 hidden: `zero` cannot be seen from here"],
    ),
    "java: a renamed class": (
        "java/shop/Cart.java", "class Cart {", "class Basket {",
        [
            "java/app/Main.java:3 import: imports `Cart`, which is gone (renamed to Basket, java/shop/Cart.java:3)",
            "java/shop/Till.java:3 gone: `Cart` is gone (renamed to Basket, java/shop/Cart.java:3)",
        ],
    ),
    "typescript: a function that is not exported any more": (
        "ts/cart.ts", "export function cost", "function cost",
        [
            "ts/index.ts:1 import: imports `cost`, which is gone",
            "ts/till.ts:1 import: imports `cost`, which is gone",
            "ts/till.ts:5 hidden: `cost` cannot be seen from here",
        ],
    ),
    "typescript: a parameter that need not be left out any more": (
        "ts/cart.ts", "rate?: number", "rate: number",
        [
            "ts/cart.ts:12 misfit: `cost` needs `rate`",
            "ts/till.ts:5 misfit: `cost` needs `rate`",
            "ts/user.ts:3 misfit: `cost` needs `rate`",
        ],
    ),
    "typescript: an interface that asks for more": (
        "ts/cart.ts", "  price(): number\n  label", "  price(): number\n  name(): string\n  label",
        ["ts/cart.ts:11 missing: `Cart` lacks `name` (declared in ts/cart.ts::Priced.name)"],
    ),
    "javascript: a renamed function": (
        "js/cart.js", "cost", "price",
        ["js/till.js:3 gone: `cost` is gone (renamed to price, js/cart.js:1)"],
    ),
    "go: a renamed method": (
        "go/cart.go", "Total(", "Sums(",
        ["go/till.go:4 gone: `Total` is gone (renamed to Sums, go/cart.go:7)"],
    ),
    "go: a parameter less": (
        "go/cart.go", "func Sum(a int, b int)", "func Sum(a int)",
        ["go/till.go:4 misfit: `Sum` takes 1 argument, 2 given"],
    ),
    "c: a renamed function": (
        "c/cart.c", "int nothing(void)", "int nought(void)",
        ["c/till.c:4 gone: `nothing` is gone (renamed to nought, c/cart.c:7)"],
    ),
    "rust: a renamed function": (
        "rust/src/cart.rs", "fn zero()", "fn nought()",
        ["rust/src/till.rs:1 import: imports `zero`, which is gone (renamed to nought, rust/src/cart.rs:11)"],
    ),
    "rust: a parameter more": (
        "rust/src/cart.rs", "&self, tax: i32", "&self, tax: i32, rate: i32",
        ["rust/src/till.rs:4 misfit: `total` needs `rate`"],
    ),
    "ruby: a renamed method": (
        "ruby/cart.rb", "def total(", "def sum(",
        [
            "ruby/cart.rb:9 gone: `total` is gone (renamed to sum, ruby/cart.rb:2)",
            "ruby/cart.rb:14 gone: `total` is gone (renamed to sum, ruby/cart.rb:2)",
        ],
    ),
    "ruby: a keyword that must be given": (
        "ruby/cart.rb", "note: nil", "note:",
        ["ruby/cart.rb:9 misfit: `total` needs `note`", "ruby/cart.rb:14 misfit: `total` needs `note`"],
    ),
    "ruby: a renamed keyword": (
        "ruby/cart.rb", "label:, note", "title:, note",
        [
            "ruby/cart.rb:9 misfit: `total` `label` is `title` now",
            "ruby/cart.rb:14 misfit: `total` `label` is `title` now",
        ],
    ),
    "ruby: options become one keyword": (
        "ruby/cart.rb", "options = {}", "wide: false", ["ruby/cart.rb:13 misfit: `open` has no parameter `deep`"],
    ),
    "kotlin: a renamed parameter": (
        "kt/Cart.kt", "class Cart(val count: Int)", "class Cart(val size: Int)",
        [
            "kt/Cart.kt:10 gone: `count` is gone (renamed to size, kt/Cart.kt:7)",
            "kt/Cart.kt:13 misfit: `Cart` `count` is `size` now",
            "kt/Cart.kt:13 gone: `count` is gone (renamed to size, kt/Cart.kt:7)",
        ],
    ),
    "go: a method less than the interface has": (
        "go/store.go", "func (m *Memory) Put(key string) {}\n", "",
        ["go/store.go:8 missing: `Memory` lacks `Put` (declared in go/store.go::Store.Put)?"],
    ),
    "go: a method that no longer fits the interface": (
        "go/store.go", "func (m *Memory) Put(key string)", "func (m *Memory) Put(key int)",
        ["go/store.go:11 misfit: `Memory.Put` is not as go/store.go::Store.Put has it?"],
    ),
    "go: an interface with a method more": (
        "go/store.go", "\tPut(key string)\n", "\tPut(key string)\n\tDrop(key string)\n",
        ["go/store.go:9 missing: `Memory` lacks `Drop` (declared in go/store.go::Store.Drop)?"],
    ),
    "php: a parameter more": (
        "php/Cart.php", "int $rate = 1", "int $rate, int $more",
        ["php/Cart.php:16 misfit: `total` needs `more`"],
    ),
    "csharp: a renamed keyword": (
        "cs/Cart.cs", "int rate = 1) { return tax * rate; }", "int share = 1) { return tax * share; }",
        ["cs/Cart.cs:11 misfit: `Total` `rate` is `share` now"],
    ),
    "csharp: a member of the base that is renamed": (
        "cs/Cart.cs", "public virtual int Label()", "public virtual int Name()",
        [
            "cs/Cart.cs:12 overriding: `Label` overrides nothing any more (renamed to Name, cs/Cart.cs:6)",
            "cs/Cart.cs:12 gone: `Label` is gone (renamed to Name, cs/Cart.cs:6)",
        ],
    ),
    "csharp: an abstract member more": (
        "cs/Cart.cs", "abstract int Price();", "abstract int Price();\n        public abstract int Cost();",
        ["cs/Cart.cs:10 missing: `Cart` lacks `Cost` (declared in cs/Cart.cs::Base.Cost)"],
    ),
    "kotlin: a member of the base that is renamed": (
        "kt/Cart.kt", "open fun price()", "open fun cost()",
        ["kt/Cart.kt:8 overriding: `price` overrides nothing any more (renamed to cost, kt/Cart.kt:4)"],
    ),
    "kotlin: a constructor that takes more": (
        "kt/Cart.kt", "class Cart(val count: Int)", "class Cart(val count: Int, val more: Int)",
        ["kt/Cart.kt:13 misfit: `Cart` needs `more`"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_what_breaks_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    assert shop.broken(shop.changed(path, old, new)) == expected


HARMLESS = {
    "java: a parameter renamed": ("java/shop/Cart.java", "tax", "vat"),
    "java: another overload": (
        "java/shop/Cart.java", "    public static", "    int total(int a) { return a; }\n    public static",
    ),
    "java: a default member of an interface": (
        "java/shop/Priced.java", "int price();", "int price();\n\n    default int twice() { return 2 * price(); }",
    ),
    "typescript: a parameter that may be left out": ("ts/cart.ts", "rate?: number", "rate?: number, more?: string"),
    "typescript: an optional member": ("ts/cart.ts", "label?()", "label?(): string\n  name?()"),
    "javascript: a parameter more": ("js/cart.js", "(item, rate)", "(item, rate, more)"),
    "javascript: a parameter less": ("js/cart.js", "(item, rate)", "()"),
    "go: any number": ("go/cart.go", "func Sum(a int, b int)", "func Sum(a int, b ...int)"),
    "rust: another method": ("rust/src/cart.rs", "pub fn zero", "pub fn one() -> i32 {\n    1\n}\n\npub fn zero"),
    "ruby: a hash of options becomes any keywords": ("ruby/cart.rb", "options = {}", "**options"),
    "ruby: a keyword with a default": ("ruby/cart.rb", "note: nil", "note: nil, more: 1"),
    "php: a parameter less": ("php/Cart.php", ", int $rate = 1", ""),
    "csharp: a parameter with a default": ("cs/Cart.cs", "int rate = 1)", "int rate = 1, int more = 2)"),
    "csharp: a virtual member more": (
        "cs/Cart.cs", "public virtual", "public virtual int More() { return 1; }\n        public virtual",
    ),
    "kotlin: a parameter with a default": ("kt/Cart.kt", "rate: Int = 1", "rate: Int = 1, more: Int = 2"),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_breaks_nothing_is_silent(shop: Checked, case: str) -> None:
    assert shop.broken(shop.changed(*HARMLESS[case])) == []


def test_a_method_of_the_library_in_place_of_an_own_one_breaks_nothing(shop: Checked) -> None:
    own = "    private static int exact(long x) {\n        return (int) x;\n    }\n"
    edit = {"java/app/Rounded.java": FILES["java/app/Rounded.java"].replace(own, "")}
    assert shop.broken(edit) == [
        "java/app/Rounded.java:5 gone: `exact` is gone",
        "java/app/Rounded.java:11 gone: `exact` is gone?",
    ]
    imported = "package app;\n\nimport static java.lang.Math.exact;\n"
    edit["java/app/Rounded.java"] = edit["java/app/Rounded.java"].replace("package app;\n", imported)
    assert shop.broken(edit) == []


def test_a_function_that_moves_to_another_file_of_its_package_breaks_nothing(shop: Checked) -> None:
    body = "func Pair() (int, int) {\n\treturn 1, 2\n}\n"
    edit = {"go/cart.go": FILES["go/cart.go"].replace(body, ""), "go/pair.go": f"package shop\n\n{body}"}
    assert shop.broken(edit) == []


def test_a_receiver_without_a_name_is_no_argument(shop: Checked) -> None:
    head = "package shop\n\ntype Putter interface {\n\tPut(name string, count int)\n}\n\ntype Box struct{}\n\n"
    methods = "func (Box) Add(a int, b int) {}\nfunc (_ Box) Take(a int) {}\n\n"
    fitting = 'func Fill(box Box, putter Putter) {\n\tputter.Put("a", 1)\n\tbox.Add(1, 2)\n\tbox.Take(1)\n'
    fitting += '\tPutter.Put(putter, "a", 1)\n\tBox.Take(box, 1)\n}\n'
    assert shop.broken({"go/box.go": head + methods + fitting}) == []
    failing = (
        'func Fill(box Box, putter Putter) {\n\tputter.Put("a")\n\tbox.Add(1)\n\tbox.Take(1, 2)\n\tBox.Take(1)\n}\n'
    )
    assert shop.broken({"go/box.go": head + methods + failing}) == [
        "go/box.go:13 misfit: `Put` needs `count`",
        "go/box.go:14 misfit: `Add` needs `b`",
        "go/box.go:15 misfit: `Take` takes 1 argument, 2 given",
        "go/box.go:16 misfit: `Take` needs `a`",
    ]


def test_a_prototype_that_is_renamed_with_its_function_breaks_its_calls(shop: Checked) -> None:
    edit = shop.changed("c/cart.c", "nothing", "nought") | shop.changed("c/cart.h", "nothing", "nought")
    assert shop.broken(edit) == ["c/till.c:4 gone: `nothing` is gone (renamed to nought, c/cart.c:7)"]
