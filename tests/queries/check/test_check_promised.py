"""What who implements an interface must have besides methods, and branches for all subclasses of a sealed class."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "sw/A.swift": """\
protocol S {
    var size: Int { get }
}
protocol D {
    var size2: Int { get }
}
extension D {
    var more2: Int { return 1 }
}
struct M: S {
    var size: Int = 1
}
struct N: D {
    var size2: Int = 1
}
struct O: S {
    var size: Int
    var more: Int
}
""",
    "ts/a.ts": """\
export interface S { x: number; y?: string }
export class M implements S {
  x = 1
}
export class P implements S {
  x = 1
  constructor(public z: number) {}
}
""",
    "kt/A.kt": """\
interface S {
    val size: Int
}
class M : S {
    override val size: Int = 1
}
class P(override val size: Int, val more: Int) : S
""",
    "cs/A.cs": """\
interface S { int Size { get; } }
class M : S
{
    public int Size { get { return 1; } }
}
class P : S
{
    public int Size { get; set; }
    public int More { get; set; }
}
""",
    "rs/src/lib.rs": """\
pub trait S {
    type K;
}
pub struct M;
impl S for M {
    type K = i32;
}
pub struct P;
impl S for P {
    type K = i32;
    const L: usize = 2;
}
""",
    "rs/Cargo.toml": """\
[package]
name = "shop"
version = "0.1.0"
""",
    "sealed/A.kt": """\
package a
sealed class Shape
class Circle(val r: Int) : Shape()
open class Square(val side: Int) : Shape()
sealed interface Event {
    object Start : Event
    data class Stop(val code: Int) : Event
}
open class Loose
class One : Loose()
""",
    "sealed/B.kt": """\
package a
fun area(s: Shape): Int = when (s) {
    is Circle -> s.r
    is Square -> s.side
}
fun some(s: Shape): Int = when (s) {
    is Circle -> s.r
    else -> 0
}
fun event(e: Event): Int = when (e) {
    Event.Start -> 1
    is Event.Stop -> e.code
}
fun loose(l: Loose): Int = when (l) {
    is One -> 1
}
""",
    "java/Shape.java": """\
sealed interface JShape permits JCircle, JSquare { }
""",
    "java/JCircle.java": """\
record JCircle(int r) implements JShape { }
""",
    "java/JSquare.java": """\
record JSquare(int side) implements JShape { }
""",
    "java/Use.java": """\
class Use {
    int area(JShape s) {
        return switch (s) {
            case JCircle c -> c.r();
            case JSquare q -> q.side();
        };
    }
    int some(JShape s) {
        return switch (s) {
            case JCircle c -> c.r();
            default -> 1;
        };
    }
}
""",
}


SIZE = "    var size: Int { get }\n"
BREAKING = {
    "swift: a property more": ("sw/A.swift", SIZE, f"{SIZE}    var more: Int {{ get }}\n",
        ["sw/A.swift:11 missing: `M` lacks `more` (declared in sw/A.swift::S.more)"]),
    "typescript: a field more": ("ts/a.ts", "x: number; y", "x: number; z: number; y",
        ["ts/a.ts:2 missing: `M` lacks `z` (declared in ts/a.ts::S.z)"]),
    "kotlin: a property more": ("kt/A.kt", "    val size: Int\n}", "    val size: Int\n    val more: Int\n}",
        ["kt/A.kt:5 missing: `M` lacks `more` (declared in kt/A.kt::S.more)"]),
    "c#: a property more": ("cs/A.cs", "{ get; } }", "{ get; } int More { get; } }",
        ["cs/A.cs:2 missing: `M` lacks `More` (declared in cs/A.cs::S.More)"]),
    "c#: an event more": ("cs/A.cs", "{ get; } }", "{ get; } event EventHandler E; }",
        ["cs/A.cs:2 missing: `M` lacks `E` (declared in cs/A.cs::S.E)",
            "cs/A.cs:6 missing: `P` lacks `E` (declared in cs/A.cs::S.E)"]),
    "rust: a constant more": ("rs/src/lib.rs", "    type K;\n}", "    type K;\n    const L: usize;\n}",
        ["rs/src/lib.rs:6 missing: `M` lacks `L` (declared in rs/src/lib.rs::S.L)"]),
    "rust: a type more": ("rs/src/lib.rs", "    type K;\n}", "    type K;\n    type V;\n}",
        ["rs/src/lib.rs:6 missing: `M` lacks `V` (declared in rs/src/lib.rs::S.V)",
            "rs/src/lib.rs:10 missing: `P` lacks `V` (declared in rs/src/lib.rs::S.V)"]),
    "kotlin: a subclass more of a sealed class": (
        "sealed/A.kt", "open class Loose", "class Tri(val a: Int) : Shape()\nopen class Loose",
        ["sealed/B.kt:2 misfit: `Shape` has `Tri` now, which no branch takes"],
    ),
    "kotlin: an object more of a sealed interface": (
        "sealed/A.kt", "    object Start : Event\n", "    object Start : Event\n    object Pause : Event\n",
        ["sealed/B.kt:10 misfit: `Event` has `Pause` now, which no branch takes"],
    ),
    "java: a record more of a sealed interface": (
        "java/JSquare.java", "JShape { }\n", "JShape { }\nrecord JTri(int a) implements JShape { }\n",
        ["java/Use.java:3 misfit: `JShape` has `JTri` now, which no branch takes"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_what_is_promised_and_not_there_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    assert shop.broken(shop.changed(path, old, new)) == expected


HARMLESS = {
    "swift: a property that an extension has": (
        "sw/A.swift", "    var size2: Int { get }\n", "    var size2: Int { get }\n    var more2: Int { get }\n",
    ),
    "typescript: an optional field": ("ts/a.ts", "x: number; y", "x: number; z?: number; y"),
    "kotlin: a property with a getter": (
        "kt/A.kt", "    val size: Int\n}", "    val size: Int\n    val more: Int\n        get() = 2\n}",
    ),
    "c#: a property with a body": ("cs/A.cs", "{ get; } }", "{ get; } int More => 1; }"),
    "rust: a constant with a value": ("rs/src/lib.rs", "    type K;\n}", "    type K;\n    const L: usize = 1;\n}"),
    "kotlin: a subclass of a subclass": (
        "sealed/A.kt", "open class Loose", "class Small : Square(1)\nopen class Loose",
    ),
    "kotlin: a subclass of a class that is not sealed": (
        "sealed/A.kt", ": Loose()\n", ": Loose()\nclass Two : Loose()\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_need_not_be_there_is_not_missed(shop: Checked, case: str) -> None:
    assert shop.broken(shop.changed(*HARMLESS[case])) == []
