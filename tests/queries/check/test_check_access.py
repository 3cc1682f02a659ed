"""Members that are reached, written or seen as they cannot be any more, each with twins that still can."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "java/Shop.java": """\
package java;
class Shop {
    int total() { return 1; }
    static int open(int n) { return n; }
    int limit = 3;
    String name;
    protected int seen() { return 2; }
    void own() { limit = 4; total(); }
    static void sown() { open(1); }
}
""",
    "java/Use.java": """\
package java;
class Use {
    void run(Shop shop) {
        shop.total();
        Shop.open(1);
        shop.limit = 5;
        int n = shop.limit;
        shop.name = "x";
        shop.seen();
        shop.limit++;
    }
}
""",
    "cs/Shop.cs": """\
namespace Store;
public class Shop
{
    public int Total() { return 1; }
    public static int Open(int n) { return n; }
    public int Limit { get; set; }
    public int Size = 3;
    public int Seen() => 2;
    protected int Inner() => 2;
    public void Own() { Limit = 1; }
}
""",
    "cs/Use.cs": """\
namespace Store;
public class Use
{
    public void Run(Shop shop)
    {
        shop.Total();
        Shop.Open(1);
        shop.Limit = 5;
        var n = shop.Limit;
        shop.Size = 4;
        shop.Size += 4;
        shop.Seen();
        var made = new Shop { Limit = 4 };
    }
}
""",
    "ts/shop.ts": """\
export class Shop {
  limit = 3;
  private held = 1;
  total(): number { return 1 }
  static open(n: number): number { return n }
  seen(): number { return 2 }
  get size(): number { return this.limit }
  set size(n: number) { this.limit = n }
  own() { this.limit = 2 }
}
export interface Row { id: number }
""",
    "ts/use.ts": """\
import { Row, Shop } from './shop'

export function run(shop: Shop, row: Row) {
  shop.total()
  Shop.open(1)
  shop.limit = 5
  shop.limit += 1
  console.log(shop.limit)
  shop.seen()
  shop.size = 4
  row.id = 3
}
""",
    "py/shop.py": """\
from dataclasses import dataclass
from typing import NamedTuple


class Shop:
    def __init__(self):
        self._size = 0

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value

    @staticmethod
    def open(n):
        return n

    @classmethod
    def make(cls, n):
        return cls()

    def total(self, n):
        return n


@dataclass
class Point:
    x: int
    y: int
""",
    "py/use.py": """\
from py.shop import Point, Shop


def run(shop: Shop, point: Point):
    shop.size = 4
    print(shop.size)
    Shop.open(1)
    shop.open(1)
    Shop.make(2)
    shop.total(3)
    point.x = 3
    shop.size += 1
""",
    "php/Shop.php": """\
<?php
namespace Store;
class Shop
{
    public int $limit = 3;
    public function __construct(public string $name) {}
    public function total(): int { return 1; }
    public static function open(int $n): int { return $n; }
    public function seen(): int { return 2; }
    public function own(): void { $this->limit = 4; }
}
""",
    "php/Use.php": """\
<?php
namespace Store;
class UseIt
{
    public function run(Shop $shop): void
    {
        $shop->total();
        Shop::open(1);
        $shop->limit = 5;
        echo $shop->limit;
        $shop->seen();
        $shop->name = "x";
    }
}
""",
    "kt/Shop.kt": """\
package store

class Shop(var label: String) {
    var limit = 3
    fun total(): Int = 1
    fun seen(): Int = 2
    fun own() { limit = 4 }
}

fun loose(): Int = 1
""",
    "kt/Use.kt": """\
package store

fun run(shop: Shop) {
    shop.total()
    shop.limit = 5
    println(shop.limit)
    shop.seen()
    shop.label = "x"
    shop.limit += 1
    loose()
}
""",
    "swift/Shop.swift": """\
class Shop {
    var limit = 3
    static var most = 4
    func total() -> Int { return 1 }
    static func open(_ n: Int) -> Int { return n }
    func seen() -> Int { return 2 }
    func own() { limit = 4 }
}
""",
    "swift/Use.swift": """\
func run(shop: Shop) {
    shop.total()
    Shop.open(1)
    shop.limit = 5
    print(shop.limit)
    shop.seen()
    shop.limit += 1
}
""",
    "dart/pubspec.yaml": "name: store\n",
    "dart/lib/shop.dart": """\
class Shop {
  int limit = 3;
  int total() => 1;
  static int open(int n) => n;
  int get size => limit;
  set size(int n) { limit = n; }
  void own() { limit = 4; }
}
""",
    "dart/lib/use.dart": """\
import 'shop.dart';

void run(Shop shop) {
  shop.total();
  Shop.open(1);
  shop.limit = 5;
  print(shop.limit);
  shop.size = 4;
}
""",
    "cpp/shop.hpp": """\
#pragma once
class Shop {
public:
  int limit = 3;
  int total() { return 1; }
  static int open(int n) { return n; }
  int seen() { return 2; }
  int size() { return limit; }
private:
  int hidden = 1;
public:
  inline static int most = 1;
};
""",
    "cpp/use.cpp": """\
#include "shop.hpp"

int run(Shop &shop) {
  shop.total();
  Shop::open(1);
  shop.limit = 5;
  int n = shop.limit;
  shop.seen();
  return n;
}

int look(const Shop &shop) {
  return shop.limit;
}

auto kept = &Shop::most;
""",
    "rs/Cargo.toml": """\
[package]
name = "store"
version = "0.1.0"
""",
    "rs/src/lib.rs": "pub mod shop;\npub mod usage;\n",
    "rs/src/shop.rs": """\
pub struct Shop {
    pub limit: i32,
}

impl Shop {
    pub fn total(&self) -> i32 { 1 }
    pub fn open(n: i32) -> i32 { n }
    pub fn seen(&self) -> i32 { 2 }
}

pub fn loose() -> i32 { 1 }
pub const MOST: i32 = 3;
""",
    "rs/src/usage.rs": """\
use crate::shop::{loose, Shop, MOST};

pub fn run(shop: &mut Shop) -> i32 {
    shop.total();
    Shop::open(1);
    shop.limit = 5;
    shop.seen();
    loose() + MOST
}
""",
    "rb/shop.rb": """\
class Shop
  attr_accessor :limit

  def total
    1
  end

  def self.open(n)
    n
  end

  def seen
    2
  end

  def own
    self.limit = 4
    seen
  end
end
""",
    "rb/use.rb": """\
require_relative "shop"

def run
  shop = Shop.new
  shop.total
  Shop.open(1)
  shop.limit = 5
  puts shop.limit
  shop.seen
end
""",
    "go/go.mod": """\
module example.org/store

go 1.21
""",
    "go/shop.go": """\
package store

type Shop struct {
	Limit int
	Name  string
}

type Pair struct{ A, B int }

var Most = 3

func Set() { Most = 4 }
""",
    "go/use.go": """\
package store

func Run(s *Shop) Pair {
	s.Limit = 5
	Most = 6
	_ = Shop{1, "a"}
	_ = []Shop{{2, "b"}}
	return Pair{1, 2}
}
""",
}


BREAKING = {
    "java: static off": (
        "java/Shop.java", "static int open", "int open",
        ["java/Shop.java:9 misfit: `open` is not static any more: by an object",
            "java/Use.java:5 misfit: `open` is not static any more: by an object"],
    ),
    "c#: static off": (
        "cs/Shop.cs", "static int Open", "int Open",
        ["cs/Use.cs:7 misfit: `Open` is not static any more: by an object"],
    ),
    "c#: static on": (
        "cs/Shop.cs", "public int Total", "public static int Total",
        ["cs/Use.cs:6 misfit: `Total` is static now: by its class"],
    ),
    "typescript: static off": (
        "ts/shop.ts", "static open", "open",
        ["ts/use.ts:5 misfit: `open` is not static any more: by an object"],
    ),
    "typescript: static on": (
        "ts/shop.ts", "  total()", "  static total()",
        ["ts/use.ts:4 misfit: `total` is static now: by its class"],
    ),
    "python: staticmethod off with self": (
        "py/shop.py", "    @staticmethod\n    def open(n)", "    def open(self, n)",
        ["py/use.py:7 misfit: `open` needs `n`"],
    ),
    "python: staticmethod off": (
        "py/shop.py", "    @staticmethod\n    def open(n)", "    def open(n)",
        ["py/use.py:8 misfit: `open` takes no arguments, 1 given"],
    ),
    "python: classmethod off": (
        "py/shop.py", "    @classmethod\n    def make(cls", "    def make(self",
        ["py/use.py:9 misfit: `make` needs `n`"],
    ),
    "php: static off": (
        "php/Shop.php", "static function open", "function open",
        ["php/Use.php:8 misfit: `open` is not static any more: by an object"],
    ),
    "swift: static off": (
        "swift/Shop.swift", "static func open", "func open",
        ["swift/Use.swift:3 misfit: `open` is not static any more: by an object"],
    ),
    "swift: static on": (
        "swift/Shop.swift", "    func total", "    static func total",
        ["swift/Use.swift:2 misfit: `total` is static now: by its class"],
    ),
    "dart: static off": (
        "dart/lib/shop.dart", "static int open", "int open",
        ["dart/lib/use.dart:5 misfit: `open` is not static any more: by an object"],
    ),
    "dart: static on": (
        "dart/lib/shop.dart", "  int total", "  static int total",
        ["dart/lib/use.dart:4 misfit: `total` is static now: by its class"],
    ),
    "c++: static off": (
        "cpp/shop.hpp", "static int open", "int open",
        ["cpp/use.cpp:5 misfit: `open` is not static any more: by an object"],
    ),
    "rust: self off": (
        "rs/src/shop.rs", "total(&self)", "total()",
        ["rs/src/usage.rs:4 misfit: `total` is static now: by its class"],
    ),
    "rust: self on": (
        "rs/src/shop.rs", "open(n: i32)", "open(&self, n: i32)",
        ["rs/src/usage.rs:5 misfit: `open` needs `n`"],
    ),
    "ruby: self off": (
        "rb/shop.rb", "def self.open", "def open",
        ["rb/use.rb:6 misfit: `open` is not static any more: by an object"],
    ),
    "ruby: self on": (
        "rb/shop.rb", "def total", "def self.total",
        ["rb/use.rb:5 misfit: `total` is static now: by its class"],
    ),
    "java: final": (
        "java/Shop.java", "    int limit = 3", "    final int limit = 3",
        ["java/Shop.java:8 misfit: `limit` cannot be written here any more",
            "java/Use.java:6 misfit: `limit` cannot be written here any more",
            "java/Use.java:10 misfit: `limit` cannot be written here any more"],
    ),
    "c#: setter off": (
        "cs/Shop.cs", "Limit { get; set; }", "Limit { get; }",
        ["cs/Shop.cs:10 misfit: `Limit` cannot be written here any more",
            "cs/Use.cs:8 misfit: `Limit` cannot be written here any more",
            "cs/Use.cs:13 misfit: `Limit` cannot be written here any more"],
    ),
    "c#: private set": (
        "cs/Shop.cs", "Limit { get; set; }", "Limit { get; private set; }",
        ["cs/Use.cs:8 misfit: `Limit` cannot be written here any more",
            "cs/Use.cs:13 misfit: `Limit` cannot be written here any more"],
    ),
    "c#: init": (
        "cs/Shop.cs", "Limit { get; set; }", "Limit { get; init; }",
        ["cs/Shop.cs:10 misfit: `Limit` cannot be written here any more",
            "cs/Use.cs:8 misfit: `Limit` cannot be written here any more"],
    ),
    "c#: readonly": (
        "cs/Shop.cs", "public int Size", "public readonly int Size",
        ["cs/Use.cs:10 misfit: `Size` cannot be written here any more",
            "cs/Use.cs:11 misfit: `Size` cannot be written here any more"],
    ),
    "typescript: readonly": (
        "ts/shop.ts", "  limit = 3", "  readonly limit = 3",
        ["ts/shop.ts:8 misfit: `limit` cannot be written here any more",
            "ts/shop.ts:9 misfit: `limit` cannot be written here any more",
            "ts/use.ts:6 misfit: `limit` cannot be written here any more",
            "ts/use.ts:7 misfit: `limit` cannot be written here any more"],
    ),
    "typescript: setter off": (
        "ts/shop.ts", "  set size(n: number) { this.limit = n }\n", "",
        ["ts/use.ts:10 misfit: `size` cannot be written any more"],
    ),
    "typescript: readonly interface": (
        "ts/shop.ts", "{ id: number }", "{ readonly id: number }",
        ["ts/use.ts:11 misfit: `id` cannot be written here any more"],
    ),
    "python: setter off": (
        "py/shop.py", "    @size.setter\n    def size(self, value):\n        self._size = value\n\n", "",
        ["py/use.py:5 misfit: `size` cannot be written any more",
            "py/use.py:12 misfit: `size` cannot be written any more"],
    ),
    "python: frozen": (
        "py/shop.py", "@dataclass\n", "@dataclass(frozen=True)\n",
        ["py/use.py:11 misfit: `x` cannot be written any more"],
    ),
    "python: namedtuple": (
        "py/shop.py", "@dataclass\nclass Point:", "class Point(NamedTuple):",
        ["py/use.py:11 misfit: `x` cannot be written any more"],
    ),
    "php: readonly": (
        "php/Shop.php", "public string $name", "public readonly string $name",
        ["php/Use.php:12 misfit: `name` cannot be written here any more"],
    ),
    "kotlin: val": (
        "kt/Shop.kt", "var limit", "val limit",
        ["kt/Shop.kt:7 misfit: `limit` cannot be written here any more",
            "kt/Use.kt:5 misfit: `limit` cannot be written here any more",
            "kt/Use.kt:9 misfit: `limit` cannot be written here any more"],
    ),
    "kotlin: val parameter": (
        "kt/Shop.kt", "var label", "val label",
        ["kt/Use.kt:8 misfit: `label` cannot be written here any more"],
    ),
    "kotlin: private set": (
        "kt/Shop.kt", "var limit = 3", "var limit = 3\n        private set",
        ["kt/Use.kt:5 misfit: `limit` cannot be written here any more",
            "kt/Use.kt:9 misfit: `limit` cannot be written here any more"],
    ),
    "swift: let": (
        "swift/Shop.swift", "    var limit", "    let limit",
        ["swift/Shop.swift:7 misfit: `limit` cannot be written here any more",
            "swift/Use.swift:4 misfit: `limit` cannot be written here any more",
            "swift/Use.swift:7 misfit: `limit` cannot be written here any more"],
    ),
    "swift: private set": (
        "swift/Shop.swift", "    var limit", "    private(set) var limit",
        ["swift/Use.swift:4 misfit: `limit` cannot be written here any more",
            "swift/Use.swift:7 misfit: `limit` cannot be written here any more"],
    ),
    "dart: final": (
        "dart/lib/shop.dart", "  int limit", "  final int limit",
        ["dart/lib/shop.dart:6 misfit: `limit` cannot be written here any more",
            "dart/lib/shop.dart:7 misfit: `limit` cannot be written here any more",
            "dart/lib/use.dart:6 misfit: `limit` cannot be written here any more"],
    ),
    "dart: setter off": (
        "dart/lib/shop.dart", "  set size(int n) { limit = n; }\n", "",
        ["dart/lib/use.dart:8 misfit: `size` cannot be written any more"],
    ),
    "c++: const": (
        "cpp/shop.hpp", "  int limit", "  const int limit",
        ["cpp/use.cpp:6 misfit: `limit` cannot be written here any more"],
    ),
    "ruby: reader": (
        "rb/shop.rb", "attr_accessor", "attr_reader",
        ["rb/shop.rb:17 misfit: `limit` cannot be written any more",
            "rb/use.rb:7 misfit: `limit` cannot be written any more"],
    ),
    "ruby: writer": (
        "rb/shop.rb", "attr_accessor", "attr_writer",
        ["rb/use.rb:8 misfit: `limit` cannot be read any more"],
    ),
    "go: const": (
        "go/shop.go", "var Most", "const Most",
        ["go/shop.go:12 misfit: `Most` cannot be written here any more",
            "go/use.go:5 misfit: `Most` cannot be written here any more"],
    ),
    "go: field type": (
        "go/shop.go", "Limit int", "Limit string",
        ["go/use.go:4 misfit: `Limit` takes `string` where 5 is given",
            "go/use.go:6 misfit: `Shop` takes `string` where 1 is given",
            "go/use.go:7 misfit: `Shop` takes `string` where 2 is given"],
    ),
    "java: private method": (
        "java/Shop.java", "    int total", "    private int total",
        ["java/Use.java:4 hidden: `total` cannot be seen from here"],
    ),
    "java: private field": (
        "java/Shop.java", "    String name", "    private String name",
        ["java/Use.java:8 hidden: `name` cannot be seen from here"],
    ),
    "c#: private": (
        "cs/Shop.cs", "public int Seen", "private int Seen",
        ["cs/Use.cs:12 hidden: `Seen` cannot be seen from here"],
    ),
    "c#: protected": (
        "cs/Shop.cs", "public int Seen", "protected int Seen",
        ["cs/Use.cs:12 hidden: `Seen` cannot be seen from here"],
    ),
    "c#: unsaid": (
        "cs/Shop.cs", "public int Seen", "int Seen",
        ["cs/Use.cs:12 hidden: `Seen` cannot be seen from here"],
    ),
    "typescript: private": (
        "ts/shop.ts", "  seen()", "  private seen()",
        ["ts/use.ts:9 hidden: `seen` cannot be seen from here"],
    ),
    "typescript: protected": (
        "ts/shop.ts", "  seen()", "  protected seen()",
        ["ts/use.ts:9 hidden: `seen` cannot be seen from here"],
    ),
    "php: private": (
        "php/Shop.php", "public function seen", "private function seen",
        ["php/Use.php:11 hidden: `seen` cannot be seen from here"],
    ),
    "php: protected": (
        "php/Shop.php", "public function seen", "protected function seen",
        ["php/Use.php:11 hidden: `seen` cannot be seen from here"],
    ),
    "php: private field": (
        "php/Shop.php", "public int $limit", "private int $limit",
        ["php/Use.php:9 hidden: `limit` cannot be seen from here",
            "php/Use.php:10 hidden: `limit` cannot be seen from here"],
    ),
    "kotlin: private": (
        "kt/Shop.kt", "    fun seen", "    private fun seen",
        ["kt/Use.kt:7 hidden: `seen` cannot be seen from here"],
    ),
    "kotlin: protected": (
        "kt/Shop.kt", "    fun seen", "    protected fun seen",
        ["kt/Use.kt:7 hidden: `seen` cannot be seen from here"],
    ),
    "kotlin: private function": (
        "kt/Shop.kt", "fun loose", "private fun loose",
        ["kt/Use.kt:10 hidden: `loose` cannot be seen from here"],
    ),
    "swift: private": (
        "swift/Shop.swift", "    func seen", "    private func seen",
        ["swift/Use.swift:6 hidden: `seen` cannot be seen from here"],
    ),
    "swift: fileprivate": (
        "swift/Shop.swift", "    func seen", "    fileprivate func seen",
        ["swift/Use.swift:6 hidden: `seen` cannot be seen from here"],
    ),
    "c++: private seen": (
        "cpp/shop.hpp",
        "  int seen() { return 2; }\n  int size() { return limit; }\nprivate:\n",
        "  int size() { return limit; }\nprivate:\n  int seen() { return 2; }\n",
        ["cpp/use.cpp:8 hidden: `seen` cannot be seen from here"],
    ),
    "c++: protected seen": (
        "cpp/shop.hpp",
        "  int seen() { return 2; }\n  int size() { return limit; }\n",
        "  int size() { return limit; }\nprotected:\n  int seen() { return 2; }\n",
        ["cpp/use.cpp:8 hidden: `seen` cannot be seen from here"],
    ),
    "rust: private method": (
        "rs/src/shop.rs", "pub fn seen", "fn seen",
        ["rs/src/usage.rs:7 hidden: `seen` cannot be seen from here"],
    ),
    "rust: private field": (
        "rs/src/shop.rs", "pub limit", "limit",
        ["rs/src/usage.rs:6 hidden: `limit` cannot be seen from here"],
    ),
    "rust: private fn": (
        "rs/src/shop.rs", "pub fn loose", "fn loose",
        ["rs/src/usage.rs:1 hidden: `loose` cannot be seen from here"],
    ),
    "rust: private const": (
        "rs/src/shop.rs", "pub const MOST", "const MOST",
        ["rs/src/usage.rs:1 hidden: `MOST` cannot be seen from here"],
    ),
    "ruby: private": (
        "rb/shop.rb", "  def seen", "  private def seen",
        ["rb/use.rb:9 hidden: `seen` cannot be seen from here"],
    ),
    "ruby: private block": (
        "rb/shop.rb",
        "  def seen\n    2\n  end\n\n  def own\n    self.limit = 4\n    seen\n  end\n",
        "  def own\n    self.limit = 4\n    seen\n  end\n\n  private\n\n  def seen\n    2\n  end\n",
        ["rb/use.rb:9 hidden: `seen` cannot be seen from here"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_what_is_reached_as_it_cannot_be_any_more_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    assert shop.broken(shop.changed(path, old, new)) == expected


HARMLESS = {
    "java: static on": ("java/Shop.java", "int total()", "static int total()"),
    "python: total static": ("py/shop.py", "    def total(self, n)", "    @staticmethod\n    def total(n)"),
    "php: static on": ("php/Shop.php", "public function total", "public static function total"),
    "c++: a pointer to a member": ("cpp/shop.hpp", "inline static int most", "int most"),
    "c++: static on": ("cpp/shop.hpp", "  int total", "  static int total"),
    "go: field float": ("go/shop.go", "Limit int", "Limit float64"),
    "c#: internal": ("cs/Shop.cs", "public int Seen", "internal int Seen"),
    "kotlin: internal": ("kt/Shop.kt", "    fun seen", "    internal fun seen"),
    "c++: private": (
        "cpp/shop.hpp", "  int size() { return limit; }\nprivate:\n", "private:\n  int size() { return limit; }\n",
    ),
    "c++: class of struct": ("cpp/shop.hpp", "class Shop {\npublic:", "struct Shop {"),
    "rust: crate": ("rs/src/shop.rs", "pub fn seen", "pub(crate) fn seen"),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_is_reached_as_it_still_can_be_is_silent(shop: Checked, case: str) -> None:
    path, old, new = HARMLESS[case]
    broken = shop.broken(shop.changed(path, old, new))
    assert broken == []
