"""Members that override or implement another one, and do not fit it after an edit of either."""

from __future__ import annotations

import re

import pytest
from checking import Checked

FILES = {
    "java/Priced.java": """\
package shop;
interface Priced {
    int price(int tax);
    void load(String name) throws java.io.IOException;
    <T> T as(T value);
}
""",
    "java/Base.java": """\
package shop;
abstract class Base<K> {
    protected abstract int key(K key);
    public int label(final String name, int size) { return size; }
    public int own(int size) { return size; }
    protected int seen() { return 1; }
}
""",
    "java/Cart.java": """\
package shop;
class Cart extends Base<String> implements Priced {
    @Override public int price(int vat) { return vat; }
    @Override public void load(String name) throws java.io.IOException { }
    @Override public <T> T as(T value) { return value; }
    @Override protected int key(String key) { return 1; }
    @Override public int label(String name, int size) { return 1; }
    public int own(int size) { return 1; }
    @Override protected int seen() { return 2; }
}
""",
    "cs/A.cs": """\
interface IPriced { int Price(int tax); }
public abstract class Base
{
    public abstract int Label(string name, int size);
    public virtual int Seen() { return 1; }
}
class Cart : Base, IPriced
{
    public int Price(int vat) { return vat; }
    public override int Label(string name, int size) { return 1; }
    public override int Seen() { return 2; }
}
""",
    "cpp/base.hpp": """\
#include <string>
struct Base {
  virtual ~Base() {}
  virtual int label(const std::string& name, int size) const = 0;
  virtual int seen(int x) { return x; }
  int plain(int x) { return x; }
};
""",
    "cpp/cart.cpp": """\
#include "base.hpp"
struct Cart : Base {
  int label(const std::string& title, int size) const override { return size; }
  int seen(int x) override { return 1; }
  int plain(int x) { return 1; }
};
""",
    "rs/src/lib.rs": """\
pub trait Priced {
    fn price(&self, tax: i32) -> i32;
    fn make(size: i32) -> i32;
    async fn load(&self);
    fn text(&self) -> &str { "" }
}
pub struct Cart;
impl Priced for Cart {
    fn price(&self, vat: i32) -> i32 { vat }
    fn make(size: i32) -> i32 { size }
    async fn load(&self) {}
}
""",
    "rs/Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "kt/A.kt": """\
package shop
interface Priced { fun price(tax: Int): Int }
open class Base {
    open fun label(text: String, size: Int): Int = 1
    open suspend fun load() {}
}
class Cart : Base(), Priced {
    override fun price(tax: Int): Int = tax
    override fun label(name: String, size: Int): Int = 2
    override suspend fun load() {}
}
""",
    "sw/A.swift": """\
protocol Priced {
    func price(tax: Int) -> Int
    func load() throws
}
class Base {
    func label(_ text: String, size: Int) -> Int { return 1 }
}
class Cart: Base, Priced {
    func price(tax: Int) -> Int { return tax }
    func load() throws {}
    override func label(_ name: String, size: Int) -> Int { return 2 }
}
""",
    "dart/a.dart": """\
abstract class Priced { int price(int tax); }
class Base {
  int label(String text, {int size = 1}) { return 1; }
}
class Cart extends Base implements Priced {
  @override
  int price(int vat) => vat;
  @override
  int label(String name, {int size = 1}) => 2;
}
""",
    "php/a.php": """\
<?php
interface Priced { public function price(int $tax): int; }
abstract class Base {
    public function label(string $text, int $size): int { return 1; }
}
class Cart extends Base implements Priced {
    public function price(int $vat): int { return $vat; }
    public function label(string $name, int $size): int { return 2; }
}
""",
    "scala/A.scala": """\
package shop
trait Priced { def price(tax: Int): Int }
class Base { def label(text: String, size: Int): Int = 1 }
class Cart extends Base with Priced {
  def price(tax: Int): Int = tax
  override def label(name: String, size: Int): Int = 2
}
""",
    "ts/a.ts": """\
export interface Priced { price(tax: number): number }
export class Base {
  label(name: string, size?: number): number { return 1 }
}
export class Cart extends Base implements Priced {
  price(tax: number): number { return tax }
  label(name: string): number { return 2 }
}
""",
}


BREAKING = {
    "java: a parameter more": (
        "java/Priced.java", "int tax", "int tax, int rate",
        [
            "java/Cart.java:3 overriding: `price` is not as Priced.price has it: (int tax, int rate)",
        ],
    ),
    "java: another type": (
        "java/Priced.java", "int tax", "long tax",
        [
            "java/Cart.java:3 overriding: `price` is not as Priced.price has it: (long tax)",
        ],
    ),
    "java: another result": (
        "java/Priced.java", "int price", "long price",
        [
            "java/Cart.java:3 overriding: `price` gives `int`, and Priced.price `long`",
        ],
    ),
    "java: nothing is thrown": (
        "java/Priced.java", " throws java.io.IOException", "",
        [
            "java/Cart.java:4 overriding: `load` throws `IOException`, unlike Priced.load",
        ],
    ),
    "java: a parameter less of a class": (
        "java/Base.java", "String name, int size) { return size; }", "String name) { return 1; }",
        [
            "java/Cart.java:7 overriding: `label` is not as Base.label has it: (final String name)",
        ],
    ),
    "java: final": (
        "java/Base.java", "public int label", "public final int label",
        [
            "java/Cart.java:7 overriding: `label` overrides Base.label, which cannot be overridden any more",
        ],
    ),
    "java: less visible": (
        "java/Cart.java", "protected int seen", "int seen",
        [
            "java/Cart.java:9 overriding: `seen` can be seen from fewer places than Base.seen",
        ],
    ),
    "java: private": (
        "java/Base.java", "protected int seen", "private int seen",
        [
            "java/Cart.java:9 overriding: `seen` overrides Base.seen, which cannot be seen any more",
        ],
    ),
    "java: static": (
        "java/Base.java", "protected int seen", "protected static int seen",
        [
            "java/Cart.java:9 overriding: `seen` is not static, unlike Base.seen",
        ],
    ),
    "csharp: a parameter less": (
        "cs/A.cs", "Label(string name, int size);", "Label(string name);",
        [
            "cs/A.cs:10 overriding: `Label` is not as Base.Label has it: (string name)",
        ],
    ),
    "csharp: an interface": (
        "cs/A.cs", "int tax", "int tax, int rate",
        [
            "cs/A.cs:9 overriding: `Price` is not as IPriced.Price has it: (int tax, int rate)",
        ],
    ),
    "csharp: not virtual": (
        "cs/A.cs", "public virtual int Seen", "public int Seen",
        [
            "cs/A.cs:11 overriding: `Seen` overrides Base.Seen, which cannot be overridden any more",
        ],
    ),
    "csharp: another result": (
        "cs/A.cs", "virtual int Seen", "virtual string Seen",
        [
            "cs/A.cs:11 overriding: `Seen` gives `int`, and Base.Seen `string`",
        ],
    ),
    "c++: a parameter more": (
        "cpp/base.hpp", "int size) const", "int size, int more) const",
        [
            "cpp/cart.cpp:3 overriding: `label` is not as Base.label has it: (const string& name, int size, int more)",
        ],
    ),
    "c++: not const": (
        "cpp/base.hpp", "int size) const", "int size)",
        [
            "cpp/cart.cpp:3 overriding: `label` is `const`, unlike Base.label",
        ],
    ),
    "c++: not virtual": (
        "cpp/base.hpp", "virtual int seen", "int seen",
        [
            "cpp/cart.cpp:4 overriding: `seen` overrides Base.seen, which cannot be overridden any more",
        ],
    ),
    "c++: another type": (
        "cpp/base.hpp", "seen(int x)", "seen(double x)",
        [
            "cpp/cart.cpp:4 overriding: `seen` is not as Base.seen has it: (double x)",
        ],
    ),
    "rust: a parameter more": (
        "rs/src/lib.rs", "&self, tax: i32", "&self, tax: i32, rate: i32",
        [
            "rs/src/lib.rs:9 overriding: `price` is not as Priced.price has it: (&self, tax: i32, rate: i32)",
        ],
    ),
    "rust: no receiver": (
        "rs/src/lib.rs", "&self, tax: i32", "tax: i32",
        [
            "rs/src/lib.rs:9 overriding: `price` is not static, unlike Priced.price",
        ],
    ),
    "rust: not async": (
        "rs/src/lib.rs", "async fn load(&self);", "fn load(&self);",
        [
            "rs/src/lib.rs:11 overriding: `load` is `async`, unlike Priced.load",
        ],
    ),
    "rust: another result": (
        "rs/src/lib.rs", "tax: i32) -> i32", "tax: i32) -> u64",
        [
            "rs/src/lib.rs:9 overriding: `price` gives `i32`, and Priced.price `u64`",
        ],
    ),
    "kotlin: a parameter more": (
        "kt/A.kt", "tax: Int): Int }", "tax: Int, rate: Int): Int }",
        [
            "kt/A.kt:8 overriding: `price` is not as Priced.price has it: (tax: Int, rate: Int)",
        ],
    ),
    "kotlin: not open": (
        "kt/A.kt", "open fun label", "fun label",
        [
            "kt/A.kt:9 overriding: `label` overrides Base.label, which cannot be overridden any more",
        ],
    ),
    "kotlin: not suspend": (
        "kt/A.kt", "open suspend fun load", "open fun load",
        [
            "kt/A.kt:10 overriding: `load` is `suspend`, unlike Base.load",
        ],
    ),
    "kotlin: another type": (
        "kt/A.kt", "text: String", "text: Int",
        [
            "kt/A.kt:9 overriding: `label` is not as Base.label has it: (text: Int, size: Int)",
        ],
    ),
    "swift: a label": (
        "sw/A.swift", "tax: Int) -> Int\n", "vat: Int) -> Int\n",
        [
            "sw/A.swift:9 overriding: `price` is not as Priced.price has it: (vat: Int)",
        ],
    ),
    "swift: does not throw": (
        "sw/A.swift", "func load() throws\n", "func load()\n",
        [
            "sw/A.swift:10 overriding: `load` is `throws`, unlike Priced.load",
        ],
    ),
    "swift: a parameter more": (
        "sw/A.swift", "_ text: String", "_ text: String, more: Int",
        [
            "sw/A.swift:11 overriding: `label` is not as Base.label has it: (_ text: String, more: Int, size: Int)",
        ],
    ),
    "swift: final": (
        "sw/A.swift", "func label(_ text", "final func label(_ text",
        [
            "sw/A.swift:11 overriding: `label` overrides Base.label, which cannot be overridden any more",
        ],
    ),
    "dart: a parameter more": (
        "dart/a.dart", "int tax", "int tax, int rate",
        [
            "dart/a.dart:7 overriding: `price` is not as Priced.price has it: (int tax, int rate)",
        ],
    ),
    "dart: a keyword more": (
        "dart/a.dart", "String text, {", "String text, {int m = 2, ",
        [
            "dart/a.dart:9 overriding: `label` is not as Base.label has it: (String text, {int m = 2, int size = 1})",
        ],
    ),
    "dart: another type": (
        "dart/a.dart", "int tax", "String tax",
        [
            "dart/a.dart:7 overriding: `price` is not as Priced.price has it: (String tax)",
        ],
    ),
    "php: a parameter more": (
        "php/a.php", "int $tax", "int $tax, int $rate",
        [
            "php/a.php:7 overriding: `price` is not as Priced.price has it: (int $tax, int $rate)",
        ],
    ),
    "php: final": (
        "php/a.php", "public function label(string $text", "final public function label(string $text",
        [
            "php/a.php:8 overriding: `label` overrides Base.label, which cannot be overridden any more",
        ],
    ),
    "php: less visible": (
        "php/a.php", "public function price(int $vat", "protected function price(int $vat",
        [
            "php/a.php:7 overriding: `price` can be seen from fewer places than Priced.price",
        ],
    ),
    "scala: a parameter more": (
        "scala/A.scala", "tax: Int): Int }", "tax: Int, rate: Int): Int }",
        [
            "scala/A.scala:5 overriding: `price` is not as Priced.price has it: (tax: Int, rate: Int)",
        ],
    ),
    "scala: another type": (
        "scala/A.scala", "text: String", "text: Int",
        [
            "scala/A.scala:6 overriding: `label` is not as Base.label has it: (text: Int, size: Int)",
        ],
    ),
    "typescript: a parameter less": (
        "ts/a.ts", "price(tax: number): number }\nexport", "price(): number }\nexport",
        [
            "ts/a.ts:6 overriding: `price` is not as Priced.price has it: ()",
        ],
    ),
    "typescript: another type": (
        "ts/a.ts", "Priced { price(tax: number)", "Priced { price(tax: string)",
        [
            "ts/a.ts:6 overriding: `price` is not as Priced.price has it: (tax: string)",
        ],
    ),
    "typescript: another result": (
        "ts/a.ts", "size?: number): number", "size?: number): string",
        [
            "ts/a.ts:7 overriding: `label` gives `number`, and Base.label `string`",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_a_member_that_does_not_fit_what_it_overrides_any_more_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    found = [re.sub(r"\S+::", "", each) for each in shop.broken(shop.changed(path, old, new))]
    assert found == expected


HARMLESS = {
    "java: a parameter renamed": ("java/Priced.java", "int tax", "final int rate"),
    "java: a type variable renamed": ("java/Priced.java", "<T> T as(T value)", "<V> V as(V value)"),
    "java: more visible": ("java/Cart.java", "protected int seen", "public int seen"),
    "java: what nothing says to override is of its own": (
        "java/Base.java", "own(int size)", "own(int size, int more)",
    ),
    "java: the name of a type in full": ("java/Base.java", "final String name", "java.lang.String name"),
    "java: an override that throws less": ("java/Cart.java", " throws java.io.IOException", ""),
    "csharp: a parameter renamed": ("cs/A.cs", "int tax", "int rate"),
    "csharp: abstract in place of virtual": ("cs/A.cs", "virtual int Seen() { return 1; }", "abstract int Seen();"),
    "c++: what is not virtual": ("cpp/base.hpp", "plain(int x)", "plain(int x, int y)"),
    "rust: a method with a body more": ("rs/src/lib.rs", "fn text(&self)", "fn text(&self, size: i32)"),
    "rust: a parameter renamed": ("rs/src/lib.rs", "&self, tax: i32", "&self, _rate: i32"),
    "kotlin: an override that is final": ("kt/A.kt", "override fun label", "final override fun label"),
    "swift: an override that throws less": ("sw/A.swift", "func load() throws {}", "func load() {}"),
    "dart: an override that takes more": ("dart/a.dart", "int vat", "int vat, [int rate = 1]"),
    "php: an override that takes more": ("php/a.php", "int $vat", "int $vat, int $rate = 1"),
    "scala: a parameter with a default": ("scala/A.scala", "tax: Int): Int }", "tax: Int = 1): Int }"),
    "typescript: an interface that gives more": (
        "ts/a.ts", "tax: number): number }\nexport", "tax: number, rate: number): number }\nexport",
    ),
    "typescript: a result that nobody takes": (
        "ts/a.ts", "tax: number): number }\nexport", "tax: number): void }\nexport",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_a_member_that_still_fits_what_it_overrides_is_silent(shop: Checked, case: str) -> None:
    path, old, new = HARMLESS[case]
    assert shop.broken(shop.changed(path, old, new)) == []


def test_type_variables_that_are_renamed_are_the_same(shop: Checked) -> None:
    edit = {"java/Base.java": FILES["java/Base.java"].replace("Base<K>", "Base<V>").replace("key(K key)", "key(V key)")}
    assert shop.broken(edit) == []


def test_a_type_that_is_renamed_with_all_its_uses_is_the_same(shop: Checked) -> None:
    edit = {path: text.replace("Priced", "Costly") for path, text in FILES.items() if path.startswith("java/")}
    edit["java/Costly.java"] = edit.pop("java/Priced.java")
    assert shop.broken({**edit, "java/Priced.java": None}) == []
