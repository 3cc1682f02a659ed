"""What a signature says besides its parameters: fields, the receiver, the result, exceptions, and who sees it."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "py/point.py": """\
from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int
    name: str = ""
""",
    "swift/Fail.swift": """\
func fail(_ message: String, place: Int) {}
func fail(_ message: String, file: String = "", line: Int = 1) {}
func fail(file: String = "", line: Int = 1) {}

func report() {
    fail("a")
    fail("a", file: "b")
    fail()
}
""",
    "py/use.py": """\
from point import Point

p = Point(1, 2)
q = Point(x=1, y=2)
r = Point(*[1, 2])
""",
    "java/a/Shop.java": """\
package a;
public class Shop {
    public void load(String n) { }
    public void stop() { }
}
""",
    "java/a/Use.java": """\
package a;
import java.util.List;
import java.util.concurrent.Callable;
class Use {
    void run(Shop shop, List<String> names) {
        Runnable r = () -> shop.load("a");
        names.forEach(n -> shop.load(n));
        Runnable late = () -> {
            if (names.isEmpty()) {
                shop.load("b");
            }
        };
        Runnable safe = () -> {
            try { shop.load("c"); } catch (Exception e) { }
        };
        Callable<Object> c = () -> { shop.load("d"); return null; };
        try { shop.load("e"); } catch (Exception e) { }
    }
    void all(Shop shop, List<String> names) throws Exception {
        names.forEach(n -> { shop.load(n); });
        names.forEach(n -> own(n, x -> n));
        shop.load("x");
    }
    void own(String n, Object o) { }
}
""",
    "java/b/Far.java": """\
package b;
import a.Shop;
class Far {
    void go(Shop shop) { shop.stop(); }
}
""",
    "cs/Shop.cs": """\
using System.Threading.Tasks;
public class Shop
{
    public virtual Task<int> Load(int n) => Task.FromResult(n);
    public virtual object Find(int n) => n;
}
public class Mine : Shop
{
    public override Task<int> Load(int n) => Task.FromResult(2);
    public override object Find(int n) => n;
}
""",
    "rs/Cargo.toml": '[package]\nname = "store"\n',
    "rs/src/lib.rs": """\
pub trait Priced {
    fn price(&self, n: i32) -> i32;
    fn take(self) -> i32;
}
pub struct Own { pub n: i32 }
impl Priced for Own {
    fn price(&self, n: i32) -> i32 { n }
    fn take(mut self) -> i32 { self.n += 1; self.n }
}
""",
    "ts/shop.ts": """\
export function three(): [number, string, boolean] { return [1, 'a', true] }
export function two(): [number, string] { return [1, 'a'] }
""",
    "ts/use.ts": """\
import { three, two } from './shop';
const [a, b, c] = three();
const [d, e] = two();
const [f] = three();
""",
}

THROWN = "`load` throws `IOException` now, which is neither caught nor declared here, and"

BREAKING = {
    "swift: of overloads, the one that was meant": (
        "swift/Fail.swift", 'message: String, file', 'message: String, extra: Int, file',
        ["swift/Fail.swift:6 misfit: `fail` needs `extra`", "swift/Fail.swift:7 misfit: `fail` needs `extra`"],
    ),
    "python: a named tuple with a field more": (
        "py/point.py", "    y: int\n", "    y: int\n    z: int\n",
        ["py/use.py:3 misfit: `Point` needs `z`", "py/use.py:4 misfit: `Point` needs `z`"],
    ),
    "java: exceptions leave no lambda": (
        "java/a/Shop.java", "load(String n) {", "load(String n) throws java.io.IOException {",
        [
            f"java/a/Use.java:6 misfit: {THROWN} `Runnable` takes none",
            f"java/a/Use.java:10 misfit: {THROWN} `Runnable` takes none",
            f"java/a/Use.java:7 misfit: {THROWN} `forEach` takes none?",
            f"java/a/Use.java:20 misfit: {THROWN} `forEach` takes none?",
        ],
    ),
    "java: a class of its package alone": (
        "java/a/Shop.java", "public class Shop", "class Shop",
        ["java/b/Far.java:2 hidden: `Shop` cannot be seen from here"],
    ),
    "c#: a result of others": (
        "cs/Shop.cs", "virtual Task<int> Load(int n) => Task.FromResult(n)", "virtual int Load(int n) => n",
        ["cs/Shop.cs:9 overriding: `Load` gives `Task<int>`, and Shop.Load `int`"],
    ),
    "rust: a receiver that is changed": (
        "rs/src/lib.rs", "fn price(&self, n: i32) -> i32;", "fn price(&mut self, n: i32) -> i32;",
        ["rs/src/lib.rs:7 overriding: `price` takes `&self`, and Priced.price `&mut self`"],
    ),
    "typescript: a tuple of fewer": (
        "ts/shop.ts", "[number, string, boolean] { return [1, 'a', true] }", "[number, string] { return [1, 'a'] }",
        ["ts/use.ts:2 misfit: `three` gives 2 parts now, and is taken apart"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKING)
def test_what_a_signature_no_longer_says_is_told(shop: Checked, case: str) -> None:
    path, old, new, expected = BREAKING[case]
    told = shop.broken(shop.changed(path, old, new))
    assert [each.replace(f"{path}::", "") for each in told] == expected


HARMLESS = {
    "python: a field with a value": ("py/point.py", '    name: str = ""\n', '    name: str = ""\n    z: int = 3\n'),
    "java: an exception that need not be caught": (
        "java/a/Shop.java", "load(String n) {", "load(String n) throws IllegalStateException {",
    ),
    "java: a member that others do not use": ("java/a/Shop.java", "public void load", "void load"),
    "c#: a result that may be the same": ("cs/Shop.cs", "public virtual object Find", "public virtual dynamic Find"),
    "rust: what only the body sees": ("rs/src/lib.rs", "fn take(mut self)", "fn take(self)"),
    "rust: a lifetime": ("rs/src/lib.rs", "price(&self, n: i32) -> i32 {", "price<'a>(&'a self, n: i32) -> i32 {"),
    "typescript: a tuple of more": (
        "ts/shop.ts", "[number, string] { return [1, 'a'] }", "[number, string, boolean] { return [1, 'a', true] }",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
def test_what_a_signature_still_says_is_silent(shop: Checked, case: str) -> None:
    path, old, new = HARMLESS[case]
    assert shop.broken(shop.changed(path, old, new)) == []
