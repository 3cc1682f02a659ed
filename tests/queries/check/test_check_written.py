"""What `check` reads in the text: literals, branches, statements. Each with twins that still fit."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "rs/Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "rs/src/kind.rs": """\
pub struct Point {
    pub x: i32,
    pub y: i32,
}

pub enum Kind {
    Small,
    Large(i32),
    Named { label: String },
}
""",
    "rs/src/lib.rs": """\
mod kind;

use kind::{Kind, Point};

pub fn make() -> Point {
    Point { x: 1, y: 2 }
}

pub fn like(p: Point) -> Point {
    Point { x: 3, ..p }
}

pub fn show(k: &Kind) -> i32 {
    match k {
        // Kind::Huge and "}" => 1
        Kind::Small => "}".len() as i32,
        Kind::Large(n) if *n > 2 => { 3 }
        Kind::Large(_) => 2,
        Kind::Named { .. } => 4,
    }
}

pub fn open(k: Kind) -> i32 {
    match k {
        Kind::Small => 1,
        _ => 2,
    }
}

pub fn both(k: Kind, p: i32) -> i32 {
    match (k, p) {
        (Kind::Small, 1) => 1,
        (other, _) => 2,
    }
}

pub fn of(p: i32) -> Kind {
    match p {
        1 => Kind::Small,
        n => Kind::Large(n),
    }
}
""",
    "go/go.mod": "module example.org/shop\n\ngo 1.21\n",
    "go/point.go": "package shop\n\ntype Point struct {\n\tX, Y int\n\tName string\n}\n",
    "go/use.go": """\
package shop

func Make() Point { return Point{1, 2, "a, b"} }

func Keyed() *Point { return &Point{X: 1} }

func Many() []Point {
\treturn []Point{
\t\t{X: 1},
\t\t{1, 2, "b"},
\t}
}
""",
    "kt/Kind.kt": "package shop\n\nenum class Kind { A, B }\n",
    "kt/Use.kt": """\
package shop

fun named(k: Kind): Int {
    return when (k) {
        Kind.A -> listOf(1).map { it -> it }.first()
        Kind.B -> 2
    }
}

fun open(k: Kind): Int = when (k) {
    Kind.A -> 1
    else -> 2
}
""",
    "sw/Kind.swift": "enum Kind {\n    case a\n    case b(Int)\n}\n",
    "sw/Use.swift": """\
func show(_ k: Kind) -> Int {
    switch k {
    case .a: return 1
    case .b(let n): return n
    }
}

func named(_ k: Kind) -> Int {
    switch k {
    case Kind.a: return 1
    default: return 2
    }
}
""",
    "java/Kind.java": "enum Kind {\n    A, B\n}\n",
    "java/Till.java": """\
class Till {
    int count() { return 1; }
    static int load(String name) { return 2; }
}
""",
    "java/ShopException.java": "class ShopException extends Exception { }\n",
    "java/Sudden.java": "class Sudden extends RuntimeException { }\n",
    "java/Main.java": """\
class Main {
    void run(Till till) {
        int n = till.count();
        till.count();
        if (till.count() > 1) { till.count(); }
        else till.count();
        Runnable later = () -> till.count();
    }
    void careless() {
        Till.load("x");
    }
    void safe() {
        try { Till.load("y"); } catch (Exception e) { }
    }
    void declared() throws Exception {
        Till.load("z");
    }
    int show(Kind kind) {
        int n = switch (kind) {
            case A -> 1;
            case B -> 2;
        };
        switch (kind) {
            case A -> n++;
            case B -> n--;
        }
        return n;
    }
}
""",
    "ts/model.ts": """\
export interface Opt {
  name: string
  size?: number
}
export type Alias = { id: number }
export type Either = { id: number } | { name: string }
""",
    "ts/use.ts": """\
import { Alias, Either, Opt } from './model'

const base = { name: 'b' }
export const one: Opt = { name: '}' }
export const two: Opt = { ...base }
export const more: Opt[] = [
  { ...base },
  { name: 'y', size: 2 },
]
export const alias: Alias = { id: 1 }
export const either: Either = { id: 1 }
export function give(): Opt { return JSON.parse('') }
""",
    "py/model.py": """\
from typing import NotRequired, TypedDict


class Row(TypedDict):
    name: str
    size: int
""",
    "py/use.py": """\
from py.model import Row


def show(row: Row) -> int:
    print(row["name"])
    return row["size"]


made: Row = {"name": "x", "size": 1}
plain = {"size": 1}
print(plain["size"])
""",
}


BREAKING = {
    "rust: a field more": (
        "rs/src/kind.rs", "pub x: i32,", "pub x: i32,\n    pub z: i32,", ["rs/src/lib.rs:6 misfit: `Point` needs `z`"],
    ),
    "rust: a member more": (
        "rs/src/kind.rs", "Small,", "Small,\n    Huge,",
        ["rs/src/lib.rs:14 misfit: `Kind` has `Huge` now, which no branch takes"],
    ),
    "rust: a part more of a member": (
        "rs/src/kind.rs", "Large(i32)", "Large(i32, Vec<(i32, i32)>)",
        [
            "rs/src/lib.rs:17 misfit: `Large` has 2 parts now, 1 written",
            "rs/src/lib.rs:18 misfit: `Large` has 2 parts now, 1 written",
            "rs/src/lib.rs:40 misfit: `Large` has 2 parts now, 1 written",
        ],
    ),
    "go: a field more": (
        "go/point.go", "\tName string", "\tName string\n\tSize int",
        [
            "go/use.go:3 misfit: `Point` has 4 fields now, 3 written",
            "go/use.go:10 misfit: `Point` has 4 fields now, 3 written",
        ],
    ),
    "kotlin: a member more": (
        "kt/Kind.kt", "A, B", "A, B, C", ["kt/Use.kt:4 misfit: `Kind` has `C` now, which no branch takes"],
    ),
    "swift: a member more": (
        "sw/Kind.swift", "case a", "case a\n    case c",
        ["sw/Use.swift:2 misfit: `Kind` has `c` now, which no branch takes"],
    ),
    "java: a member more": (
        "java/Kind.java", "A, B", "A, B, C", ["java/Main.java:19 misfit: `Kind` has `C` now, which no branch takes"],
    ),
    "java: a method that gives nothing any more": (
        "java/Till.java", "int count() { return 1; }", "void count() { }",
        [
            "java/Main.java:3 misfit: `count` gives nothing now",
            "java/Main.java:5 misfit: `count` gives nothing now",
        ],
    ),
    "java: a result that does not fit its variable any more": (
        "java/Till.java", "int count()", "long count()",
        ["java/Main.java:3 misfit: `count` gives `long` now, and `int` is needed"],
    ),
    "java: an exception of the library": (
        "java/Till.java", "load(String name) {", "load(String name) throws java.io.IOException {",
        ["java/Main.java:10 misfit: `load` throws `IOException` now, which is neither caught nor declared here"],
    ),
    "java: an own exception": (
        "java/Till.java", "load(String name) {", "load(String name) throws ShopException {",
        ["java/Main.java:10 misfit: `load` throws `ShopException` now, which is neither caught nor declared here"],
    ),
    "typescript: a member more": (
        "ts/model.ts", "name: string\n", "name: string\n  kind: string\n",
        ["ts/use.ts:4 misfit: `Opt` needs `kind`", "ts/use.ts:8 misfit: `Opt` needs `kind`"],
    ),
    "typescript: a member more of a named type": (
        "ts/model.ts", "Alias = { id: number }", "Alias = { id: number; kind: string }",
        ["ts/use.ts:10 misfit: `Alias` needs `kind`"],
    ),
    "typescript: a member that is needed now": (
        "ts/model.ts", "size?: number", "size: number", ["ts/use.ts:4 misfit: `Opt` needs `size`"],
    ),
    "python: a key more": (
        "py/model.py", "    name: str\n", "    name: str\n    kind: str\n", ["py/use.py:9 misfit: `Row` needs `kind`?"],
    ),
    "python: a key less": (
        "py/model.py", "    size: int\n", "", ["py/use.py:6 gone: `size` is gone", "py/use.py:9 gone: `size` is gone"],
    ),
    "python: a renamed key": (
        "py/model.py", "size: int", "width: int",
        [
            "py/use.py:6 gone: `size` is gone (renamed to width, py/model.py:6)",
            "py/use.py:9 gone: `size` is gone (renamed to width, py/model.py:6)",
            "py/use.py:9 misfit: `Row` needs `width`?",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_what_the_text_shows_not_to_fit_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    assert shop.broken(shop.changed(path, old, new)) == expected


HARMLESS = {
    "rust: a field more of what nobody writes": ("rs/src/kind.rs", "label: String", "label: String, more: i32"),
    "rust: a member more of some builds": ("rs/src/kind.rs", "Small,", 'Small,\n    #[cfg(feature = "x")]\n    Huge,'),
    "rust: a method more": ("rs/src/kind.rs", "}\n\npub enum", "}\n\nimpl Point {\n    fn z(&self) {}\n}\n\npub enum"),
    "go: a method more": ("go/point.go", "}\n", "}\n\nfunc (p Point) Size() int { return 1 }\n"),
    "kotlin: a property of all members": ("kt/Kind.kt", "A, B", "A, B;\n    val label: Int = 1"),
    "swift: a property of all members": ("sw/Kind.swift", "case a", "case a\n    var label: Int { 1 }"),
    "java: a field of all members": ("java/Kind.java", "A, B", "A, B;\n    final int label = 1;"),
    "java: another result": ("java/Till.java", "int count()", "short count()"),
    "java: an exception that need not be caught": (
        "java/Till.java", "load(String name) {", "load(String name) throws IllegalStateException {",
    ),
    "java: an own exception that need not be caught": (
        "java/Till.java", "load(String name) {", "load(String name) throws Sudden {",
    ),
    "typescript: a member that need not be there": ("ts/model.ts", "size?: number", "size?: number\n  kind?: string"),
    "typescript: a member of one of two": ("ts/model.ts", "{ name: string }", "{ name: string; kind: string }"),
    "python: a key that need not be there": (
        "py/model.py", "    size: int\n", "    size: int\n    kind: NotRequired[str]\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_the_text_shows_to_fit_is_silent(shop: Checked, case: str) -> None:
    path, old, new = HARMLESS[case]
    broken = shop.broken(shop.changed(path, old, new))
    assert broken == []


def test_branches_that_follow_the_enum_are_silent(shop: Checked) -> None:
    edit = shop.changed("rs/src/kind.rs", "Small,", "Small,\n    Huge,")
    edit |= shop.changed("rs/src/lib.rs", 'Kind::Small => "}"', 'Kind::Small | Kind::Huge => "}"')
    assert shop.broken(edit) == []
