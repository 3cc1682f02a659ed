"""A constructor that names none of its base runs the one that takes nothing: that is a use without a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, usages

CPP = """\
struct Base { Base() {} Base(int count) {} };
struct Copied : Base {
    Copied(int count) {
        count = 1;
    }
};
struct Told : Base { Told() : Base(1) {} };
struct Handed : Base {
    Handed(int count) : Handed() {}
    Handed() {}
};
"""
JAVA = """\
class Base { Base() {} Base(int count) {} }
class Copied extends Base {
    Copied(int count) { other.base(); }
}
class Told extends Base { Told() { super(1); } }
class Handed extends Base {
    Handed(int count) { this(); }
    Handed() {}
}
class Bare extends Base {}
class BelowBare extends Bare { BelowBare() {} }
"""
CSHARP = """\
class Base { public Base() {} public Base(int count) {} }
class Copied : Base { public Copied(int count) { this.run(); } }
class Told : Base { public Told() : base(1) {} }
"""
SWIFT = """\
class Base { init() {} }
class Copied: Base { init(count: Int) { self.run() } }
class Told: Base { override init() { super.init() } }
"""


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        pytest.param("a.cpp", CPP, ["3:5 Copied.Copied", "10:5 Handed.Handed"], id="cpp"),
        pytest.param(
            "A.java",
            JAVA,
            ["3:5 Copied.Copied", "8:5 Handed.Handed", "11:32 BelowBare.BelowBare"],
            id="java",
        ),
        pytest.param("A.cs", CSHARP, ["2:30 Copied.Copied"], id="csharp"),
        pytest.param("a.swift", SWIFT, ["2:22 Copied.init"], id="swift"),
    ],
)
def test_constructors_of_subclasses_run_the_one_that_takes_nothing(
    file: str, text: str, expected: list[str], tmp_path: Path
) -> None:
    root = encoded(tmp_path, {file: text})
    made = "init" if file == "a.swift" else ""
    [found] = usages(root, f"{file}::Base.{made or 'Base'}").symbols
    [other] = usages(root, f"{file}::Told.{made or 'Told'}").symbols

    told = [f"{use.site} {use.source}" for group in found.certain for use in group.usages]
    assert [each for each in told if "Told" not in each] == expected
    assert "names no constructor of its base" in found.note
    assert not other.certain


def test_one_that_needs_arguments_is_not_run_so(tmp_path: Path) -> None:
    text = JAVA.replace("Base() {} ", "")
    [found] = usages(encoded(tmp_path, {"A.java": text}), "A.java::Base.Base").symbols

    assert {use.source for group in found.certain for use in group.usages} == {"Told.Told"}


def test_nor_is_one_of_a_language_whose_constructors_replace_those_of_the_base(tmp_path: Path) -> None:
    text = "class Base:\n    def __init__(self): ...\n\n\nclass Sub(Base):\n    def __init__(self): ...\n"
    [found] = usages(encoded(tmp_path, {"a.py": text}), "Base.__init__").symbols

    assert found.complete
    assert not found.certain
