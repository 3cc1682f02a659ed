"""Names that a language binds where they stand are never undefined; the same names elsewhere are."""

from __future__ import annotations

import pytest
from checking import Checked

FILES = {
    "kt/Cart.kt": "class Cart(val n: Int) {\n    var size: Int = 0\n\n    fun total(): Int = n + size\n}\n",
    "Cart.swift": "class Cart {\n    var size: Int = 0\n\n    func total() -> Int { return size }\n}\n",
    "Cart.cs": "public class Cart {\n    int size;\n\n    public int Total() { return size; }\n}\n",
    "cart.rb": "class Cart\n  def total\n    @size\n  end\nend\n",
    "cart.php": "<?php\nclass Cart {\n    function total() {\n        return 1;\n    }\n}\n",
}
BOUND = {
    "kotlin: accessors on lines of their own": (
        "kt/Cart.kt", "    var size: Int = 0\n",
        "    var size: Int = 0\n        get() = field + 1\n        set(value) { field = value }\n",
    ),
    "kotlin: a setter's own name": (
        "kt/Cart.kt", "    var size: Int = 0\n",
        "    var size: Int = 0\n        set(changed: Int) {\n            field = changed\n        }\n",
    ),
    "kotlin: accessors in the line": (
        "kt/Cart.kt", "    var size: Int = 0\n", "    var size: Int = 0; set(given) { field = given }\n",
    ),
    "swift: observers": (
        "Cart.swift", "    var size: Int = 0\n",
        "    var size: Int = 0 {\n        willSet { print(newValue) }\n"
        "        didSet(before) { print(before) }\n    }\n",
    ),
    "swift: setters": (
        "Cart.swift", "    var size: Int = 0\n",
        "    var size: Int = 0\n"
        "    var a: Int {\n        get { return size }\n        set(given) { size = given }\n    }\n"
        "    var b: Int {\n        get { return size }\n        set { size = newValue }\n    }\n",
    ),
    "csharp: properties": (
        "Cart.cs", "    int size;\n",
        "    int size;\n    int A { get => size; set => size = value; }\n"
        "    int B { get => field; init { field = value; } }\n",
    ),
    "csharp: indexers": (
        "Cart.cs", "    int size;\n", "    int size;\n    int this[int at] { get => at; set { size = value + at; } }\n",
    ),
    "csharp: events": (
        "Cart.cs", "    int size;\n",
        "    int size;\n    event System.Action Sold { add { Keep(value); } remove { Keep(value); } }\n"
        "    void Keep(object o) { }\n",
    ),
    "ruby: blocks": ("cart.rb", "    @size\n", "    [1].map { it + 1 }\n    [2].map { _1 + 1 }\n    __method__\n"),
    "php: constants of places": ("cart.php", "return 1", "return __CLASS__ . __LINE__"),
}  # fmt: skip
UNBOUND = {
    "kotlin": ("kt/Cart.kt", "n + size", "n + field", "kt/Cart.kt:4 unknown: `field` is not defined?"),
    "kotlin: beside a setter": (
        "kt/Cart.kt", "= 0\n", "= 0\n        set(value) { }\n    fun last() = value\n",
        "kt/Cart.kt:4 unknown: `value` is not defined?",
    ),
    "csharp": ("Cart.cs", "return size", "return value", "Cart.cs:4 unknown: `value` is not defined?"),
    "csharp: a getter": (
        "Cart.cs", "    int size;\n", "    int size;\n    int A { get => value; set { } }\n",
        "Cart.cs:3 unknown: `value` is not defined?",
    ),
    "swift": ("Cart.swift", "return size", "return newValue", "Cart.swift:4 unknown: `newValue` is not defined?"),
}  # fmt: skip


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    return Checked(tmp_path_factory.mktemp("bound"), FILES)


@pytest.mark.parametrize("name", BOUND)
def test_what_a_language_binds_is_defined(shop: Checked, name: str) -> None:
    path, old, new = BOUND[name]
    assert shop.broken(shop.changed(path, old, new)) == []


@pytest.mark.parametrize("name", UNBOUND)
def test_elsewhere_it_is_not(shop: Checked, name: str) -> None:
    path, old, new, expected = UNBOUND[name]
    assert shop.broken(shop.changed(path, old, new)) == [expected]
