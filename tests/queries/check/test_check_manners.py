"""Edits after which a thing is there still, and cannot be used as it is used."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "py/__init__.py": "",
    "py/shop.py": """\
from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int = 0


class Shelf(ABC):
    @property
    def label(self):
        return "a"

    def text(self):
        return "b"


def fetch(url, timeout=1):
    return url
""",
    "py/till.py": """\
from functools import partial

from py.shop import Point, Shelf, fetch


def run():
    shelf = Shelf()
    print(shelf.label.upper())
    print(shelf.text().upper())
    return partial(fetch, timeout=3), partial(fetch), Point(1, y=2)


class Sub(Shelf):
    pass
""",
    "ts/shop.ts": """\
export class Shelf {
  constructor(public name: string) {}
  get label(): string { return this.name }
  text(): string { return this.name }
}
""",
    "ts/till.ts": """\
import { Shelf } from './shop'

class Own extends Shelf {
  constructor() {
    super('own')
  }
}
export const shelf = new Shelf('n')
console.log(shelf.label, shelf.text(), new Own())
""",
    "ruby/shop.rb": """\
class Shelf
  attr_reader :label

  def show
    label
  end
end
""",
    "go/go.mod": "module example.org/shop\n\ngo 1.21\n",
    "go/cart/cart.go": """\
package cart

type Cart struct {
	Name string
}

func Load() (int, error) {
	return 1, nil
}

func One() int {
	return 1
}

func (c *Cart) Get() (string, error) {
	return c.Name, nil
}

func Both() (int, error) {
	return Load()
}

func Sum(a int, b error) int {
	One()
	return a
}

func All() int {
	return Sum(Load())
}
""",
    "go/cart/help.go": "package cart\n\nfunc Help() int {\n\treturn 1\n}\n",
    "go/cart/inner.go": "package cart\n\nfunc inner() int {\n\treturn Help()\n}\n",
    "go/app/main.go": """\
package app

import "example.org/shop/cart"

func Run(c *cart.Cart) int {
	a, err := cart.Load()
	if s, err := c.Get(); err != nil {
		_ = s
	}
	_ = err
	b := cart.One()
	return a + b + cart.One() + cart.Help()
}
""",
    "java/shop/Shelf.java": """\
package shop;

public class Shelf {
    public Shelf(String name) {
    }
}
""",
    "java/shop/Point.java": "package shop;\n\npublic record Point(int x, int y) {\n}\n",
    "java/app/Till.java": """\
package app;

import shop.Point;
import shop.Shelf;

class Till extends Shelf {
    Till() {
        super("x");
    }

    Shelf made = new Shelf("y");
    Shelf other = new Shelf("z") {
        int more() {
            return 1;
        }
    };
    Point point = new Point(1, 2);
}
""",
    "rust/src/lib.rs": "pub mod shop;\npub mod till;\n",
    "rust/src/shop.rs": "pub trait Priced {\n    fn price(&self) -> i32;\n}\n",
    "rust/src/till.rs": """\
use crate::shop::Priced;

pub struct Own;

impl Priced for Own {
    fn price(&self) -> i32 {
        1
    }
}
""",
    "php/shop.php": """\
<?php
class Shelf
{
    public function scale(int $by, int $times = 1): int
    {
        return $by * $times;
    }

    public function run(): int
    {
        return $this->scale(by: 2, times: 3);
    }
}

function make(): Shelf
{
    return new Shelf();
}
""",
    "kt/Shop.kt": 'package shop\n\nopen class Shelf {\n    fun label(): String = "a"\n}\n',
    "kt/Till.kt": "package shop\n\nclass Own : Shelf() {\n    fun show(): String = label()\n}\n",
    "cpp/shop.hpp": "class Priced {\npublic:\n  virtual int price() const = 0;\n};\n",
    "cpp/till.cpp": """\
#include "shop.hpp"

class Own : public Priced {
public:
  int price() const override { return 1; }
};
""",
}


LOAD = "func Load() (int, error) {\n\treturn 1, nil"
GET = "func (c *Cart) Get() (string, error) {\n\treturn c.Name, nil"
BREAKING = {
    "python: a property that becomes a method": (
        "py/shop.py", "    @property\n    def label", "    def label",
        ["py/till.py:8 misfit: `label` is a method now: with parentheses"],
    ),
    "python: a method that becomes a property": (
        "py/shop.py", "    def text", "    @property\n    def text",
        ["py/till.py:9 misfit: `text` is a property now: without parentheses"],
    ),
    "python: a class of which no objects can be made any more": (
        "py/shop.py", "    def text", "    @abstractmethod\n    def text",
        ["py/till.py:7 misfit: `Shelf` is abstract now",
            "py/till.py:13 missing: `Sub` lacks `text` (declared in py/shop.py::Shelf.text)?"],
    ),
    "python: a field more": (
        "py/shop.py", "    x: int\n", "    x: int\n    w: int\n",
        ["py/till.py:10 misfit: `Point` needs `w`"],
    ),
    "python: an argument that a function is kept with": (
        "py/shop.py", "timeout=1", "wait=1", ["py/till.py:10 misfit: `fetch` `timeout` is `wait` now"],
    ),
    "typescript: a property that becomes a method": (
        "ts/shop.ts", "get label()", "label()", ["ts/till.ts:9 misfit: `label` is a method now: with parentheses"],
    ),
    "typescript: a method that becomes a property": (
        "ts/shop.ts", "text():", "get text():", ["ts/till.ts:9 misfit: `text` is a property now: without parentheses"],
    ),
    "typescript: a class of which no objects can be made any more": (
        "ts/shop.ts", "class Shelf", "abstract class Shelf", ["ts/till.ts:8 misfit: `Shelf` is abstract now"],
    ),
    "go: a result less": (
        "go/cart/cart.go", LOAD, "func Load() int {\n\treturn 1",
        [
            "go/app/main.go:6 misfit: `Load` gives 1 result now, 2 taken",
            "go/cart/cart.go:20 misfit: `Load` gives 1 result now",
        ],
    ),
    "go: a result less of a method": (
        "go/cart/cart.go", GET, "func (c *Cart) Get() string {\n\treturn c.Name",
        ["go/app/main.go:7 misfit: `Get` gives 1 result now, 2 taken"],
    ),
    "go: a result more": (
        "go/cart/cart.go", "func One() int {\n\treturn 1", "func One() (int, error) {\n\treturn 1, nil",
        [
            "go/app/main.go:11 misfit: `One` gives 2 results now, 1 taken",
            "go/app/main.go:12 misfit: `One` gives 2 results now",
        ],
    ),
    "java: a class of which no objects can be made any more": (
        "java/shop/Shelf.java", "class Shelf", "abstract class Shelf",
        ["java/app/Till.java:11 misfit: `Shelf` is abstract now"],
    ),
    "java: a class that none can inherit from any more": (
        "java/shop/Shelf.java", "public class", "public final class",
        ["java/app/Till.java:6 misfit: `Shelf` cannot be inherited from any more"],
    ),
    "java: a part more of a record": (
        "java/shop/Point.java", "int y", "int y, int z", ["java/app/Till.java:17 misfit: `Point` needs `z`"],
    ),
    "rust: a method more that an implementation must have": (
        "rust/src/shop.rs", "-> i32;\n", "-> i32;\n    fn cost(&self) -> i32;\n",
        ["rust/src/till.rs:5 missing: `Own` lacks `cost` (declared in rust/src/shop.rs::Priced.cost)"],
    ),
    "php: a parameter that is named": (
        "php/shop.php", "$times = 1", "$count = 1", ["php/shop.php:11 misfit: `scale` `times` is `count` now"],
    ),
    "php: a class of which no objects can be made any more": (
        "php/shop.php", "class Shelf", "abstract class Shelf", ["php/shop.php:17 misfit: `Shelf` is abstract now"],
    ),
    "kotlin: a class that none can inherit from any more": (
        "kt/Shop.kt", "open class", "class", ["kt/Till.kt:3 misfit: `Shelf` cannot be inherited from any more"],
    ),
    "c++: a pure method more": (
        "cpp/shop.hpp", "const = 0;", "const = 0;\n  virtual int cost() const = 0;",
        ["cpp/till.cpp:3 missing: `Own` lacks `cost` (declared in cpp/shop.hpp::Priced.cost)?"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_what_cannot_be_used_as_it_is_used_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    assert shop.broken(shop.changed(path, old, new)) == expected


HARMLESS = {
    "python: a property that is kept": ("py/shop.py", "@property", "@property  # for the till"),
    "python: a field with a default": ("py/shop.py", "    y: int = 0\n", "    y: int = 0\n    z: int = 1\n"),
    "python: an abstract class whose method has a body": ("py/shop.py", "def text(self):", "def text(self) -> str:"),
    "typescript: a getter that becomes a field": (
        "ts/shop.ts", "get label(): string { return this.name }", "readonly label: string = 'a'",
    ),
    "ruby: a reader that becomes a method": ("ruby/shop.rb", "  attr_reader :label\n", "  def label\n    1\n  end\n"),
    "go: results with names": ("go/cart/cart.go", LOAD, "func Load() (n int, err error) {\n\treturn 1, nil"),
    "java: a constructor more": (
        "java/shop/Shelf.java", "    public", "    public Shelf() {\n        this(\"\");\n    }\n\n    public",
    ),
    "rust: a method with a body": ("rust/src/shop.rs", "-> i32;\n", "-> i32;\n    fn cost(&self) -> i32 { 1 }\n"),
    "php: a parameter with a default": ("php/shop.php", "$times = 1", "$times = 1, int $more = 2"),
    "kotlin: a class that may be sealed": ("kt/Shop.kt", "open class", "sealed class"),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_can_still_be_used_so_is_silent(shop: Checked, case: str) -> None:
    path, old, new = HARMLESS[case]
    broken = shop.broken(shop.changed(path, old, new))
    assert broken == []


def test_a_file_that_moves_into_another_package_is_not_seen_without_an_import(shop: Checked) -> None:
    edit = {
        "go/cart/help.go": None,
        "go/help/help.go": FILES["go/cart/help.go"].replace("package cart", "package help"),
    }
    moved = "(moved to go/help/help.go:3)"
    assert shop.broken(edit) == [
        f"go/app/main.go:12 gone: `Help` is gone {moved}",
        f"go/cart/inner.go:4 gone: `Help` is gone {moved}",
    ]
