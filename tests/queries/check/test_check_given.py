"""Uses of what gives or holds something of another type than before, each with twins that still fit."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
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

func Load(n int) (int, error) { return n, nil }

func Each(f func(int) int) int { return f(1) }

func Double(n int) int { return 2 * n }

type Box[T any] struct{ Value T }

func Made[T any](t T) Box[T] { return Box[T]{t} }
""",
    "go/use.go": """\
package store

func Run(s *Shop) Pair {
	s.Limit = 5
	_ = Shop{1, "a"}
	_ = []Shop{{2, "b"}}
	_ = Shop{Limit: 3, Name: "c"}
	s.Name = "x"
	_ = Each(Double)
	var b Box[int]
	_ = b
	return Pair{1, 2}
}
""",
    "ts/shop.ts": """\
export interface Opt { name: string; size?: number }
export function open(o: Opt): Opt { return o }
export class Shop {
  constructor(public o: Opt) {}
  limit = 3
  label: string = 'a'
  find(n: number): Shop { return this }
  list(): string[] { return [] }
}
export function each(f: (n: number) => number): number { return f(1) }
export function double(n: number): number { return 2 * n }
export interface Box<T> { value: T }
export function pair(): [number, string] { return [1, 'a'] }
export function load(n: number): Promise<number> { return Promise.resolve(n) }
export function give(): string { return 'a' }
""",
    "ts/use.ts": """\
import { Box, Opt, Shop, double, each, give, load, open, pair } from './shop'

open({ name: 'a' })
new Shop({ name: 'b' })
const o: Opt = { name: 'c' }
open(o)
each(double)
each(n => double(n))
let b: Box<number> = { value: 1 }
const [n, s] = pair()
export function run(shop: Shop) {
  shop.label = 'x'
  shop.find(1).find(2)
  shop.list()[0]
  shop.list().map(x => x)
  return give().length
}
const g: string = give()
""",
    "py/shop.py": """\
from typing import Iterator, Optional, Protocol


class Priced(Protocol):
    def price(self) -> int: ...


class Own(Priced):
    def price(self) -> int:
        return 1


class Silent:
    def price(self) -> int:
        return 1


def show(each: Priced) -> None:
    print(each.price())


def pair() -> tuple[int, int]:
    return 1, 2


def loose():
    return 1, 2


def listed() -> list[int]:
    return [1]


def found(n: int) -> str:
    return "a"


def double(n):
    return n


def limit():
    return [1, 2]
""",
    "py/use.py": """\
from py.shop import Silent, double, found, limit, listed, loose, pair, show

a, b = pair()
c, d = loose()
first = listed()[0]
for each in listed():
    print(each)
print(len(listed()))
print(found(1).upper())
text = found(2)
show(Silent())
print(list(map(double, [1])))
print(sorted([1], key=double))
print(limit()[0], limit().count(1))
x, *y = pair()
z = pair()
print(pair()[1])
""",
    "swift/Shop.swift": """\
struct Box<T> {
    var value: T
}
func load(_ n: Int) -> Int { return n }
func slow(_ n: Int) throws -> Int { return n }
class Shop {
    func find() -> Shop { return self }
    func go() -> Int { return 1 }
    init(n: Int) {}
}
""",
    "swift/Use.swift": """\
func run(shop: Shop) -> Int {
    let n = load(1)
    let m = try! slow(2)
    shop.find().go()
    let made = Shop(n: 1)
    var box: Box<Int>
    return load(3)
}
func safe() throws -> Int {
    let k = try load(4)
    return k
}
func later() async throws -> Int {
    let k = try await load(5)
    return k
}
""",
    "kt/Shop.kt": """\
package store

class Box<T>(val value: T)
class Shop {
    fun find(): Shop = this
    fun go(): Int = 1
}
fun load(n: Int): Int = n
fun each(f: (Int) -> Int): Int = f(1)
fun double(n: Int): Int = n
""",
    "kt/Use.kt": """\
package store

fun run(shop: Shop): Int {
    load(1)
    shop.find().go()
    shop.find()?.go()
    val b: Box<Int> = Box(1)
    each(::double)
    return load(2)
}
suspend fun later(): Int = load(3)
fun launched() {
    launch { load(4) }
}
""",
    "java/Shop.java": """\
package java;
import java.util.List;
import java.util.Optional;
class Shop {
    Shop find() { return this; }
    int go() { return 1; }
    List<String> names() { return null; }
    String label() { return ""; }
    int limit;
}
class Box<T> { T value; }
interface Each { int of(int n); }
""",
    "java/Use.java": """\
package java;
class Use {
    void run(Shop shop) {
        shop.find().go();
        for (String s : shop.names()) { }
        String t = shop.label();
        int n = shop.go();
        Box<String> box = null;
        shop.limit = 5;
        Each each = k -> k + 1;
    }
}
""",
    "cs/Shop.cs": """\
namespace Store;
public class Shop
{
    public Shop Find() { return this; }
    public int Go() { return 1; }
    public string Label = "a";
    public int Load(int n) { return n; }
}
public class Box<T> { public T Value; }
""",
    "cs/Use.cs": """\
namespace Store;
public class Use
{
    public void Run(Shop shop)
    {
        shop.Find().Go();
        shop.Label = "x";
        Box<int> box = null;
        string s = shop.Label;
        int n = shop.Load(1);
    }
}
""",
    "rs/Cargo.toml": """\
[package]
name = "store"
version = "0.1.0"
""",
    "rs/src/lib.rs": "pub mod shop;\npub mod usage;\n",
    "rs/src/shop.rs": """\
pub struct Point { pub x: i32, pub y: i32 }
pub struct Boxed<T> { pub value: T }
pub struct Shop { pub limit: i32 }
impl Shop {
    pub fn find(&self) -> &Shop { self }
    pub fn go(&self) -> i32 { 1 }
}
pub fn load(n: i32) -> i32 { n }
pub fn pair() -> (i32, i32) { (1, 2) }
""",
    "rs/src/usage.rs": """\
use crate::shop::{load, pair, Boxed, Point, Shop};

pub fn run(shop: &mut Shop) -> i32 {
    let p = Point { x: 1, y: 2 };
    shop.find().go();
    shop.limit = 5;
    let (a, b) = pair();
    let n: i32 = load(1);
    load(2) + 1
}

pub fn hold(b: Boxed<i32>) -> i32 { 1 }
""",
    "dart/pubspec.yaml": "name: store\n",
    "dart/lib/shop.dart": """\
class Shop {
  Shop({this.name = 'a', int? size});
  String name;
  Shop find() => this;
  int go() => 1;
  void show({String label = 'a'}) {}
}
class Box<T> {}
int load(int n) => n;
abstract class Priced { int price(); }
class Own implements Priced {
  int price() => 1;
}
""",
    "dart/lib/use.dart": """\
import 'shop.dart';

void run() {
  final shop = Shop(name: 'b');
  shop.find().go();
  shop.show();
  shop.show(label: 'x');
  Box<int> box;
  load(1);
  shop.name = 'x';
}
""",
}


BREAKING = {
    "go: field type": (
        "go/shop.go", "Limit int", "Limit string",
        ["go/use.go:4 misfit: `Limit` takes `string` where 5 is given",
            "go/use.go:5 misfit: `Shop` takes `string` where 1 is given",
            "go/use.go:6 misfit: `Shop` takes `string` where 2 is given",
            "go/use.go:7 misfit: `Limit` takes `string` where 3 is given"],
    ),
    "go: field to pointer": (
        "go/shop.go", "Name  string", "Name  *string",
        ['go/use.go:5 misfit: `Shop` takes `*string` where "a" is given',
            'go/use.go:6 misfit: `Shop` takes `*string` where "b" is given',
            'go/use.go:7 misfit: `Name` takes `*string` where "c" is given',
            'go/use.go:8 misfit: `Name` takes `*string` where "x" is given'],
    ),
    "go: callee arity": (
        "go/shop.go", "Double(n int) int", "Double(n, m int) int",
        ["go/use.go:9 misfit: `Double` is passed on to be called, and needs 2 arguments now?"],
    ),
    "go: type parameters": (
        "go/shop.go",
        "type Box[T any] struct{ Value T }\n\nfunc Made[T any](t T) Box[T] { return Box[T]{t} }",
        "type Box[T, U any] struct{ Value T }",
        ["go/use.go:10 misfit: `Box` takes 2 type arguments now, 1 given"],
    ),
    "typescript: argument property": (
        "ts/shop.ts", "name: string; size", "name: string; kind: string; size",
        ["ts/use.ts:3 misfit: `Opt` needs `kind`",
            "ts/use.ts:4 misfit: `Opt` needs `kind`",
            "ts/use.ts:5 misfit: `Opt` needs `kind`"],
    ),
    "typescript: excess property": (
        "ts/shop.ts", "name: string; size", "title: string; size",
        ["ts/use.ts:3 misfit: `Opt` needs `title`",
            "ts/use.ts:3 gone: `name` is gone (renamed to title, ts/shop.ts:1)",
            "ts/use.ts:4 misfit: `Opt` needs `title`",
            "ts/use.ts:4 gone: `name` is gone (renamed to title, ts/shop.ts:1)",
            "ts/use.ts:5 misfit: `Opt` needs `title`",
            "ts/use.ts:5 gone: `name` is gone (renamed to title, ts/shop.ts:1)"],
    ),
    "typescript: callee arity": (
        "ts/shop.ts", "double(n: number)", "double(n: number, m: number)",
        ["ts/use.ts:8 misfit: `double` needs `m`",
            "ts/use.ts:7 misfit: `double` is passed on to be called, and needs 2 arguments now?"],
    ),
    "typescript: type parameters": (
        "ts/shop.ts", "Box<T> {", "Box<T, U> {",
        ["ts/use.ts:9 misfit: `Box` takes 2 type arguments now, 1 given"],
    ),
    "typescript: tuple": (
        "ts/shop.ts", "pair(): [number, string] { return [1, 'a'] }", "pair(): { n: number } { return { n: 1 } }",
        ["ts/use.ts:10 misfit: `pair` gives `{ n: number }` now, and is taken apart"],
    ),
    "typescript: field type": (
        "ts/shop.ts", "label: string = 'a'", "label: number = 1",
        ["ts/use.ts:12 misfit: `label` takes `number` where 'x' is given"],
    ),
    "typescript: undefined": (
        "ts/shop.ts", "find(n: number): Shop {", "find(n: number): Shop | undefined {",
        ["ts/use.ts:13 misfit: `find` gives `Shop | undefined` now, and `find` is taken of it?"],
    ),
    "typescript: undefined give": (
        "ts/shop.ts", "give(): string {", "give(): string | null {",
        ["ts/use.ts:16 misfit: `give` gives `string | null` now, and `length` is taken of it?",
            "ts/use.ts:18 misfit: `give` gives `string | null` now, and `string` is needed?"],
    ),
    "python: pair triple": (
        "py/shop.py", "-> tuple[int, int]:\n    return 1, 2", "-> tuple[int, int, int]:\n    return 1, 2, 3",
        ["py/use.py:3 misfit: `pair` gives 3 parts now, and is taken apart"],
    ),
    "python: pair single": (
        "py/shop.py", "-> tuple[int, int]:\n    return 1, 2", "-> int:\n    return 1",
        ["py/use.py:3 misfit: `pair` gives `int` now, and is taken apart",
            "py/use.py:15 misfit: `pair` gives `int` now, and is taken apart",
            "py/use.py:17 misfit: `pair` gives `int` now, and a part of it is taken"],
    ),
    "python: loose triple": (
        "py/shop.py", "def loose():\n    return 1, 2", "def loose():\n    return 1, 2, 3",
        ["py/use.py:4 misfit: `loose` gives 3 parts now, and is taken apart"],
    ),
    "python: loose none": (
        "py/shop.py", "def loose():\n    return 1, 2", "def loose():\n    print(1)",
        ["py/use.py:4 misfit: `loose` gives nothing now"],
    ),
    "python: optional": (
        "py/shop.py", "def found(n: int) -> str:", "def found(n: int) -> Optional[str]:",
        ["py/use.py:9 misfit: `found` gives `Optional[str]` now, and `upper` is taken of it?"],
    ),
    "python: optional bar": (
        "py/shop.py", "def found(n: int) -> str:", "def found(n: int) -> str | None:",
        ["py/use.py:9 misfit: `found` gives `str | None` now, and `upper` is taken of it?"],
    ),
    "python: to none": (
        "py/shop.py", 'def found(n: int) -> str:\n    return "a"', 'def found(n: int) -> None:\n    print("a")',
        ["py/use.py:9 misfit: `found` gives nothing now"],
    ),
    "python: callback arity": (
        "py/shop.py", "def double(n):", "def double(n, m):",
        ["py/use.py:12 misfit: `double` is passed on to be called, and needs 2 arguments now?",
            "py/use.py:13 misfit: `double` is passed on to be called, and needs 2 arguments now?"],
    ),
    "python: limit generator": (
        "py/shop.py", "def limit():\n    return [1, 2]", "def limit():\n    yield 1",
        ["py/use.py:14 awaited: `limit` gives its results one by one now?"],
    ),
    "swift: throws": (
        "swift/Shop.swift", "func load(_ n: Int) -> Int", "func load(_ n: Int) throws -> Int",
        ["swift/Use.swift:2 misfit: `load` is `throws` now: needs `try`",
            "swift/Use.swift:7 misfit: `load` is `throws` now: needs `try`"],
    ),
    "swift: async": (
        "swift/Shop.swift", "func load(_ n: Int) -> Int", "func load(_ n: Int) async -> Int",
        ["swift/Use.swift:2 misfit: `load` is `async` now: needs `await`",
            "swift/Use.swift:7 misfit: `load` is `async` now: needs `await`",
            "swift/Use.swift:10 misfit: `load` is `async` now: needs `await`"],
    ),
    "swift: init throws": (
        "swift/Shop.swift", "init(n: Int) {}", "init(n: Int) throws {}",
        ["swift/Use.swift:5 misfit: `Shop` is `throws` now: needs `try`"],
    ),
    "swift: optional": (
        "swift/Shop.swift", "func find() -> Shop {", "func find() -> Shop? {",
        ["swift/Use.swift:4 misfit: `find` gives `Shop?` now, and `go` is taken of it"],
    ),
    "swift: type parameters": (
        "swift/Shop.swift", "struct Box<T> {", "struct Box<T, U> {",
        ["swift/Use.swift:6 misfit: `Box` takes 2 type arguments now, 1 given"],
    ),
    "kotlin: suspend": (
        "kt/Shop.kt", "fun load", "suspend fun load",
        ["kt/Use.kt:4 misfit: `load` is `suspend` now, and `run` is not",
            "kt/Use.kt:9 misfit: `load` is `suspend` now, and `run` is not"],
    ),
    "kotlin: optional": (
        "kt/Shop.kt", "fun find(): Shop =", "fun find(): Shop? =",
        ["kt/Use.kt:5 misfit: `find` gives `Shop?` now, and `go` is taken of it"],
    ),
    "kotlin: type parameters": (
        "kt/Shop.kt", "class Box<T>(", "class Box<T, U>(",
        ["kt/Use.kt:7 misfit: `Box` takes 2 type arguments now, 1 given"],
    ),
    "java: optional": (
        "java/Shop.java", "Shop find() { return this; }", "Optional<Shop> find() { return null; }",
        ["java/Use.java:4 misfit: `find` gives `Optional<Shop>` now, and `go` is taken of it"],
    ),
    "java: type parameters": (
        "java/Shop.java", "class Box<T>", "class Box<T, U>",
        ["java/Use.java:8 misfit: `Box` takes 2 type arguments now, 1 given"],
    ),
    "java: result type": (
        "java/Shop.java", 'String label() { return ""; }', "int label() { return 1; }",
        ["java/Use.java:6 misfit: `label` gives `int` now, and `String` is needed"],
    ),
    "java: result int": (
        "java/Shop.java", "int go() { return 1; }", "String go() { return null; }",
        ["java/Use.java:7 misfit: `go` gives `String` now, and `int` is needed"],
    ),
    "java: result long": (
        "java/Shop.java", "int go() { return 1; }", "long go() { return 1; }",
        ["java/Use.java:7 misfit: `go` gives `long` now, and `int` is needed"],
    ),
    "java: field type": (
        "java/Shop.java", "int limit", "String limit",
        ["java/Use.java:9 misfit: `limit` takes `String` where 5 is given"],
    ),
    "c#: field type": (
        "cs/Shop.cs", 'string Label = "a"', "int Label = 1",
        ['cs/Use.cs:7 misfit: `Label` takes `int` where "x" is given',
            "cs/Use.cs:9 misfit: `Label` gives `int` now, and `string` is needed"],
    ),
    "c#: type parameters": (
        "cs/Shop.cs", "class Box<T>", "class Box<T, U>",
        ["cs/Use.cs:8 misfit: `Box` takes 2 type arguments now, 1 given"],
    ),
    "c#: result": (
        "cs/Shop.cs", "int Load", "string Load",
        ["cs/Use.cs:10 misfit: `Load` gives `string` now, and `int` is needed"],
    ),
    "rust: field type": (
        "rs/src/shop.rs", "pub x: i32", "pub x: String",
        ["rs/src/usage.rs:4 misfit: `x` takes `String` where 1 is given"],
    ),
    "rust: limit type": (
        "rs/src/shop.rs", "pub limit: i32", "pub limit: bool",
        ["rs/src/usage.rs:6 misfit: `limit` takes `bool` where 5 is given"],
    ),
    "rust: option": (
        "rs/src/shop.rs", "-> &Shop { self }", "-> Option<&Shop> { Some(self) }",
        ["rs/src/usage.rs:5 misfit: `find` gives `Option<&Shop>` now, and `go` is taken of it"],
    ),
    "rust: tuple": (
        "rs/src/shop.rs", "-> (i32, i32) { (1, 2) }", "-> (i32, i32, i32) { (1, 2, 3) }",
        ["rs/src/usage.rs:7 misfit: `pair` gives 3 parts now, and is taken apart"],
    ),
    "rust: result": (
        "rs/src/shop.rs", "load(n: i32) -> i32 { n }", "load(n: i32) -> Result<i32, String> { Ok(n) }",
        ["rs/src/usage.rs:8 misfit: `load` gives `Result<i32, String>` now, and `i32` is needed",
            "rs/src/usage.rs:9 misfit: `load` gives `Result<i32, String>` now, and `i32` is needed"],
    ),
    "rust: type parameters": (
        "rs/src/shop.rs", "Boxed<T> {", "Boxed<T, U> {",
        ["rs/src/usage.rs:12 misfit: `Boxed` takes 2 type arguments now, 1 given"],
    ),
    "dart: required": (
        "dart/lib/shop.dart", "{this.name = 'a', int? size}", "{required this.name, required int size}",
        ["dart/lib/use.dart:4 misfit: `Shop` needs `size`"],
    ),
    "dart: named renamed": (
        "dart/lib/shop.dart", "{String label = 'a'}", "{String title = 'a'}",
        ["dart/lib/use.dart:7 misfit: `show` `label` is `title` now"],
    ),
    "dart: nullable": (
        "dart/lib/shop.dart", "Shop find()", "Shop? find()",
        ["dart/lib/use.dart:5 misfit: `find` gives `Shop?` now, and `go` is taken of it"],
    ),
    "dart: type parameters": (
        "dart/lib/shop.dart", "class Box<T>", "class Box<T, U>",
        ["dart/lib/use.dart:8 misfit: `Box` takes 2 type arguments now, 1 given"],
    ),
    "dart: member": (
        "dart/lib/shop.dart", "int price();", "int price(); int cost();",
        ["dart/lib/shop.dart:11 missing: `Own` lacks `cost` (declared in dart/lib/shop.dart::Priced.cost)"],
    ),
    "dart: arity": (
        "dart/lib/shop.dart", "load(int n)", "load(int n, int m)",
        ["dart/lib/use.dart:9 misfit: `load` needs `m`"],
    ),
    "dart: field type": (
        "dart/lib/shop.dart", "  String name;", "  int name;",
        ["dart/lib/shop.dart:2 misfit: `name` takes `int` where 'a' is given",
            "dart/lib/use.dart:10 misfit: `name` takes `int` where 'x' is given"],
    ),
    "dart: required function": (
        "dart/lib/shop.dart", "void show({String label = 'a'})", "void show({required String label})",
        ["dart/lib/use.dart:6 misfit: `show` needs `label`"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_what_gives_something_else_than_is_taken_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    assert shop.broken(shop.changed(path, old, new)) == expected


HARMLESS = {
    "go: field float": ("go/shop.go", "Limit int", "Limit float64"),
    "typescript: argument property optional": (
        "ts/shop.ts", "name: string; size", "name: string; kind?: string; size",
    ),
    "typescript: callback more": (
        "ts/shop.ts",
        "f: (n: number) => number): number { return f(1) }",
        "f: (n: number, m: number) => number): number { return f(1, 2) }",
    ),
    "typescript: type parameter default": ("ts/shop.ts", "Box<T> {", "Box<T, U = T> {"),
    "python: loose list": ("py/shop.py", "def loose():\n    return 1, 2", "def loose():\n    return [1, 2]"),
    "c#: optional": ("cs/Shop.cs", "Shop Find()", "Shop? Find()"),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_still_gives_what_is_taken_is_silent(shop: Checked, case: str) -> None:
    path, old, new = HARMLESS[case]
    broken = shop.broken(shop.changed(path, old, new))
    assert broken == []
