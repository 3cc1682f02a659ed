"""Places that no edge explains keep a list from being complete, or do not, by what the language lets them mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, lines_left, usages

GO = """\
package shop

import "example.com/lib/tree"

var _ = tree.Closer(&Shelf{})

type Shelf struct{}

func (s *Shelf) Close() {}

type Plain struct{}

func (p *Plain) Kind() string { return "Plain" }

func Fill(n int) string { return "Fill(%d) failed" }
"""
GO_USE = """\
package shop

import (
	"example.com/lib/deed"
	"example.com/lib/tree"
)

func run(found tree.Node) {
	found.(tree.Closer).Close()
	found.(deed.Signer).Sign()
	_ = &Plain{}
	_ = Fill(3)
}
"""
GO_BESIDE = """\
package shop

type Beside struct{}

func (b *Beside) Sign() {}
"""
RUST = """\
use snafu::Snafu;

#[derive(Debug, Snafu)]
pub enum Error {
  NotFound { path: String },
  Closed { path: String },
}
"""
RUST_USE = """\
mod error;
mod other;

fn find(path: String) -> Result<(), error::Error> {
  error::NotFound { path }.fail()
}

fn close(path: String) {
  other::Closed { path }.run()
}
"""
KOTLIN_TORN = """\
package fixes

class Fix {
  fun apply() {
    }
  }

  private var applied = false

  fun run(fix: Fix) {
    if (!fix.applied) {
      fix.applied = true
    }
  }
}
"""
API = "public final class Basket {\n\tpublic fun fillUp ()V\n}\n"
NOTE = "Enhancement: fillUp is faster\n\nThe `fillUp` of a basket now waits.\n"
KOTLIN = "class Basket {\n  fun fillUp() {}\n}\n\nfun go(basket: Basket) = basket.fillUp()\n"


@pytest.mark.parametrize(
    ("files", "symbol", "left"),
    [
        pytest.param(
            {"shop.go": GO, "use.go": GO_USE}, "Shelf.Close", ["use.go:9"], id="a cast to a type that it implements"
        ),
        pytest.param({"beside.go": GO_BESIDE, "use.go": GO_USE}, "Beside.Sign", [], id="a cast to another type"),
        pytest.param({"shop.go": GO, "use.go": GO_USE}, "Plain", [], id="Go: the name of a type in a string"),
        pytest.param({"shop.go": GO, "use.go": GO_USE}, "Fill", [], id="Go: a format that looks like a call"),
        pytest.param(
            {"src/error.rs": RUST, "src/main.rs": RUST_USE, "src/other.rs": ""},
            "Error.NotFound",
            ["src/main.rs:5"],
            id="Rust: what a derive makes in the module of its enum",
        ),
        pytest.param(
            {"src/error.rs": RUST, "src/main.rs": RUST_USE, "src/other.rs": ""},
            "Error.Closed",
            [],
            id="Rust: a path of another module",
        ),
        pytest.param(
            {"Basket.kt": KOTLIN, "api/shop.api": API, "changelog/1.0_2026/issue-12": NOTE},
            "Basket.fillUp",
            [],
            id="a listing of what a library offers, and notes on changes",
        ),
        pytest.param(
            {"Basket.kt": KOTLIN, "scripts/fill": "go fillUp(1)\n"},
            "Basket.fillUp",
            ["scripts/fill:1"],
            id="another file without a suffix",
        ),
        pytest.param(
            {
                "till.py": "def sign():\n    pass\n",
                "man/till.1": "The amount begins with a plus sign.\nWrite a minus sign.\n",
            },
            "sign",
            [],
            id="the last word of a sentence",
        ),
        pytest.param(
            {"till.py": "def sign():\n    pass\n", "man/till.1": "It runs sign.now, then ends.\n"},
            "sign",
            ["man/till.1:1"],
            id="a word in front of a member",
        ),
    ],
)
def test_a_place_is_left_if_it_may_mean_the_symbol(
    files: dict[str, str | bytes], symbol: str, left: list[str], tmp_path: Path
) -> None:
    root = encoded(tmp_path, files)

    (found,) = usages(root, symbol).symbols

    assert lines_left(found) == left
    assert found.complete == (not left)


def test_a_member_that_a_broken_class_lost_may_be_meant_by_any_receiver(tmp_path: Path) -> None:
    root = encoded(tmp_path, {"Fix.kt": KOTLIN_TORN})

    (found,) = usages(root, "applied").symbols

    assert found.kind == "constant"
    assert lines_left(found) == ["Fix.kt:11", "Fix.kt:12"]


def test_a_header_that_is_too_long_to_be_kept_names_no_base_by_its_parameters(tmp_path: Path) -> None:
    fields = "\n".join(
        f"  /** The shelf of number {at}, which (as others are */\n  val shelf{at}: Shelf," for at in range(20)
    )
    text = f"package p\n\nclass Shelf\n\nclass Store(\n{fields}\n) {{\n  fun fillUp() {{}}\n}}\n\n"
    text += f"class Drawn(\n{fields}\n) : Drawable() {{\n  fun fillUp() {{}}\n}}\n"
    root = encoded(tmp_path, {"Store.kt": text})

    plain, drawn = usages(root, "Store.fillUp", "Drawn.fillUp").symbols

    assert "library" not in f"{plain.note} {plain.reason}"
    assert "its base Drawable, of a library, may call it" in f"{drawn.note} {drawn.reason}"


def test_a_large_layout_names_a_view_by_its_package(tmp_path: Path) -> None:
    """Of what is in data, a name with that of its package before it is no word of it."""
    views = "\n".join(f'<View id="pad{number}" width="match_parent"/>' for number in range(1_000))
    layout = (
        f'<Frame>\n<com.shop.Player id="player" behavior="com.shop.Fling"/>\n<a label="Plain"/>\n{views}\n</Frame>\n'
    )
    files = {f"java/{name}.java": f"package com.shop;\n\nclass {name} {{}}\n" for name in ("Player", "Fling", "Plain")}
    root = encoded(tmp_path, {"res/layout/player.xml": layout, **files})
    player, fling, plain = usages(root, "Player", "Fling", "Plain").symbols

    assert lines_left(player) == lines_left(fling) == ["res/layout/player.xml:2"]
    assert [each.complete for each in (player, fling, plain)] == [False, False, True]


def test_a_member_is_read_by_the_constant_that_names_it(tmp_path: Path) -> None:
    keys = "export const FAST = 'fast';\nexport const run = (all: any) => all[FAST]();\n"
    code = "import { FAST, run } from './keys';\nexport const go = () => run({ [FAST]: () => 1 });\n"
    root = encoded(tmp_path, {"keys.ts": keys, "go.ts": code})
    [found] = usages(root, "go.[FAST]").symbols

    assert (lines_left(found), found.complete) == (["keys.ts:2"], False)
