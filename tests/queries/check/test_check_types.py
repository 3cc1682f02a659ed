"""Edits after which an argument is of another type than what is called takes, or an object cannot be made as it is."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "cpp/shop.hpp": """\
#pragma once
#include <string>

class Item {
public:
  Item(std::string name, int price);
  Item(const Item& other) = default;
  int total(int n, int m = 1) const;
  void log(const std::string& message);
};

struct Opt {
  explicit Opt(int n) : n(n) {}
  int n;
};
""",
    "cpp/shop.cpp": """\
#include "shop.hpp"

Item::Item(std::string name, int price) {}
int Item::total(int n, int m) const { return n; }
void Item::log(const std::string& message) {}
""",
    "cpp/use.cpp": """\
#include <memory>
#include "shop.hpp"

struct Holder {
  Item item{"h", 4};
  Opt opt{5};
};

Item declared(int n);

int calls(Item other) {
  Item a("a", 2);
  Item b{"b", 3};
  auto c = new Item("c", 4);
  auto d = std::make_unique<Item>("d", 5);
  Item copy(other);
  a.log("m");
  return a.total(1);
}
""",
    "go/go.mod": "module example.org/shop\n\ngo 1.21\n",
    "go/shop.go": """\
package shop

func Log(message string, times, most int) {}

func run(size int) {
	Log("m", 1, 2)
	Log("n", size, 2)
}
""",
    "java/Shop.java": """\
class Shop {
    int scale(int n, String label) { return n; }
    int scale(int n) { return n; }
    int run(String text) { return scale(1, "a") + scale(2, text) + scale('c', null); }
}
""",
    "cs/Shop.cs": """\
class Shop
{
    public Shop(string name, int price) { }
    void Log(string message, bool deep = false) { }
    void Run() { Log("m", deep: true); var made = new Shop("a", 1); }
}
""",
    "kt/Shop.kt": """\
package shop

class Item(val name: String, val price: Int?)
fun made() = Item("a", 1)
fun named() = Item(price = 2, name = "b")
""",
    "sw/Shop.swift": "func scale(_ n: Int) -> Int { return n }\nlet scaled = scale(3)\n",
    "rs/Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "rs/src/lib.rs": 'pub fn log(message: &str) {}\n\npub fn run() {\n    log("m");\n}\n',
    "php/shop.php": """\
<?php
function scale(int $n, string $label): int { return $n; }
function run(): int { return scale(1, "x") + scale(2, "3"); }
""",
    "dart/pubspec.yaml": "name: shop\n",
    "dart/lib/shop.dart": "void log(String message) {}\n\nvoid run() {\n  log('m');\n}\n",
    "py/shop.py": "def scale(n: int, label: str):\n    return label * n\n\n\nscale(3, 'x')\n",
    "ts/model.ts": """\
export type Mode = 'read' | 'write' | 'append'
export function open(path: string, mode: Mode): number { return path.length }
export function size(n: number | string): number { return 1 }
export interface Seen { x: number }
export interface Response2 { x: number }
export class Bound {
  constructor() {
    this.run = this.run.bind(this)
  }
  run(n: number): number { return n }
}
""",
    "ts/use.ts": """\
import { Bound, Mode, Seen, open, size } from './model'

function mode(): Mode { return 'read' }
open('x', 'append')
open('y', mode())
size(1)
size('one')
new Bound().run(1)
""",
    "ts/own.ts": """\
interface Seen { x: number }
interface Response { x: number }
export function see(seen: Seen): Seen { return seen }
export function answer(response: Response): number { return response.x }
""",
}


MADE = [5, 12, 13, 14, 15]
BREAKING = {
    "c++: a parameter more of a constructor": (
        [
            ("cpp/shop.hpp", "Item(std::string name, int price);", "Item(std::string name, int price, int more);"),
            ("cpp/shop.cpp", "Item(std::string name, int price)", "Item(std::string name, int price, int more)"),
        ],
[f"cpp/use.cpp:{line} misfit: `Item` takes 1 or 3 arguments, 2 given" for line in MADE],
    ),
    "c++: a constructor that is private now": (
        [
            ("cpp/shop.hpp", "public:\n  Item(std::string name", "  Item(std::string name"),
            ("cpp/shop.hpp", "price);\n", "price);\npublic:\n"),
        ],
        [f"cpp/use.cpp:{line} hidden: `Item` cannot be seen from here" for line in MADE],
    ),
    "c++: a parameter more of a constructor that a field is made with": (
        [("cpp/shop.hpp", "explicit Opt(int n)", "Opt(int n, int m)")],
        ["cpp/use.cpp:6 misfit: `Opt` takes 2 arguments, 1 given"],
    ),
    "c++: a default that only the declaration has": (
        [("cpp/shop.hpp", "int m = 1", "int m")],
        ["cpp/use.cpp:18 misfit: `total` needs `m`"],
    ),
    "c++: a number instead of a string": (
        [
            ("cpp/shop.hpp", "log(const std::string& message)", "log(int message)"),
            ("cpp/shop.cpp", "log(const std::string& message)", "log(int message)"),
        ],
        ['cpp/use.cpp:17 misfit: `log` takes `int` where "m" is given'],
    ),
    "go: a number instead of a string": (
        [("go/shop.go", "message string", "message int")],
        [
            'go/shop.go:6 misfit: `Log` takes `int` where "m" is given',
            'go/shop.go:7 misfit: `Log` takes `int` where "n" is given',
        ],
    ),
    "go: a string instead of two numbers": (
        [("go/shop.go", "times, most int", "times, most string")],
        ["go/shop.go:6 misfit: `Log` takes `string` where 1 is given",
            "go/shop.go:7 misfit: `Log` takes `string` where 2 is given"],
    ),
    "java: another order": (
        [("java/Shop.java", "scale(int n, String label)", "scale(String label, int n)")],
        ["java/Shop.java:4 misfit: `scale` takes `int` where \"a\" is given"],
    ),
    "c#: another order of a constructor": (
        [("cs/Shop.cs", "string name, int price", "int price, string name")],
        ['cs/Shop.cs:5 misfit: `Shop` takes `int` where "a" is given'],
    ),
    "c#: another type of what is named": (
        [("cs/Shop.cs", "bool deep = false", "int deep = 1")],
        ["cs/Shop.cs:5 misfit: `Log` takes `int` where true is given"],
    ),
    "kotlin: another type of a part": (
        [("kt/Shop.kt", "val name: String", "val name: Int")],
        ['kt/Shop.kt:4 misfit: `Item` takes `Int` where "a" is given',
            'kt/Shop.kt:5 misfit: `Item` takes `Int` where "b" is given'],
    ),
    "swift: a string instead of a number": (
        [("sw/Shop.swift", "_ n: Int", "_ n: String")],
        ["sw/Shop.swift:2 misfit: `scale` takes `String` where 3 is given"],
    ),
    "rust: a string that is owned": (
        [("rs/src/lib.rs", "message: &str", "message: String")],
        ['rs/src/lib.rs:4 misfit: `log` takes `String` where "m" is given'],
    ),
    "php: another order": (
        [("php/shop.php", "int $n, string $label", "string $label, int $n")],
        ['php/shop.php:3 misfit: `scale` takes `int` where "x" is given'],
    ),
    "dart: a number instead of a string": (
        [("dart/lib/shop.dart", "String message", "int message")],
        ["dart/lib/shop.dart:4 misfit: `log` takes `int` where 'm' is given"],
    ),
    "python: another order, which only a checker of types refuses": (
        [("py/shop.py", "n: int, label: str", "label: str, n: int")],
        ["py/shop.py:5 misfit: `scale` takes `str` where 3 is given?"],
    ),
    "typescript: a string less of a type": (
        [("ts/model.ts", " | 'append'", "")],
        ["ts/use.ts:4 misfit: `open` takes `'read' | 'write'` where 'append' is given"],
    ),
    "typescript: a type less of several": (
        [("ts/model.ts", "n: number | string", "n: number | boolean")],
        ["ts/use.ts:7 misfit: `size` takes `number | boolean` where 'one' is given"],
    ),
    "typescript: a method that its constructor binds": (
        [("ts/model.ts", "  run(n: number): number { return n }\n", "")],
        ["ts/model.ts:8 gone: `run` is gone", "ts/use.ts:8 gone: `run` is gone"],
    ),
    "typescript: a type of the file that no library has": (
        [("ts/own.ts", "interface Seen", "interface Saw")],
        ["ts/own.ts:3 gone: `Seen` is gone (renamed to Saw, ts/own.ts:1)"],
    ),
    "typescript: a type of the file that browsers have, too": (
        [("ts/own.ts", "interface Response", "interface Answer")],
        ["ts/own.ts:4 gone: `Response` is gone (renamed to Answer, ts/own.ts:2)?"],
    ),
}  # fmt: skip


def edit_of(shop: Checked, changes: list[tuple[str, str, str]]) -> dict[str, str]:
    edits: dict[str, str] = {}
    for path, old, new in changes:
        text = edits.get(path, shop.files[path])
        assert old in text
        edits[path] = text.replace(old, new)
    return edits


@pytest.mark.parametrize("case", BREAKING)
def test_what_is_of_another_type_than_it_was_is_told(shop: Checked, case: str) -> None:
    changes, expected = BREAKING[case]
    assert shop.broken(edit_of(shop, changes)) == expected


HARMLESS = {
    "c++: a default argument that only the declaration has": [
        ("cpp/shop.hpp", "Item(std::string name, int price);", "Item(std::string name, int price, int more = 1);"),
        ("cpp/shop.cpp", "Item(std::string name, int price)", "Item(std::string name, int price, int more)"),
        ("cpp/shop.hpp", "int m = 1", "int m = 1, int k = 2"),
        ("cpp/shop.cpp", "int n, int m", "int n, int m, int k"),
    ],
    "c++: another constructor": [("cpp/shop.hpp", "  Item(const", "  Item(int n);\n  Item(const")],
    "c++: a constructor that takes any number": [
        ("cpp/shop.hpp", "explicit Opt(int n) : n(n) {}", "template <typename... T> Opt(T... all) {}"),
    ],
    "c++: a number that is longer": [
        ("cpp/shop.hpp", "int total(int n", "int total(long n"), ("cpp/shop.cpp", "total(int n", "total(long n"),
    ],
    "go: another kind of number": [("go/shop.go", "times, most int", "times, most int64")],
    "go: anything": [("go/shop.go", "message string", "message any")],
    "java: another overload for what would not fit": [
        ("java/Shop.java", "scale(int n, String label)", "scale(String label, int n)"),
        ("java/Shop.java", "int scale(int n) {", "int scale(int n, Object o) { return n; }\n    int scale(int n) {"),
    ],
    "java: a wider type": [("java/Shop.java", "int n, String label", "long n, Object label")],
    "kotlin: a type that may be null": [("kt/Shop.kt", "val name: String", "val name: String?")],
    "php: a number for a string": [("php/shop.php", "int $n, string $label", "string $n, string $label")],
    "typescript: the strings in another order": [
        ("ts/model.ts", "'read' | 'write' | 'append'", "'append' | 'write' | 'read'"),
    ],
    "typescript: any string": [("ts/model.ts", "'read' | 'write' | 'append'", "string")],
    "python: any type": [("py/shop.py", "n: int, label: str", "n, label")],
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_still_takes_what_it_is_given_is_silent(shop: Checked, case: str) -> None:
    assert shop.broken(edit_of(shop, HARMLESS[case])) == []
