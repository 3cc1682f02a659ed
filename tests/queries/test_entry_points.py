"""What a page about a repository lists as its entry points: what people start, and what they import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repositories import write

import rpg
from rpg.encoder.options import Options
from rpg.repository import encode

CLICK = """\
import click

@click.group()
def cli(): ...

@cli.command()
def serve(): ...
"""
YARGS = """\
import yargs from "yargs"
import { ClearCommand } from "./clear"

yargs(process.argv).command(new ClearCommand()).command({ command: "build <dir>", handler: () => 1 }).parse()
"""
CLEAR = """\
export class ClearCommand {
    command = "cache:clear <name>"
    describe = "Clears"
    async handler(args: unknown) { return args }
}
"""
SPRING = """\
package org.acme.samples.shop;

public class ShopApplication {
    public static void main(String[] args) { }
}
"""
CASES: dict[str, tuple[dict[str, str], set[tuple[str, str, str]]]] = {
    "scripts, modules and commands of Python": (
        {
            "pyproject.toml": '[project]\nname = "shop"\nscripts = {shop = "shop.cli:cli"}\n',
            "shop/__init__.py": "from shop.cart import Cart\n", "shop/cart.py": "class Cart: ...\n",
            "shop/__main__.py": "from shop.cli import cli\ncli()\n", "shop/cli.py": CLICK,
            "shop/asgi.py": "application = object()\n", "examples/other.py": CLICK,
        },
        {
            ("script", "shop", "shop.cli:cli"), ("module", "shop", "shop/__main__.py"),
            ("server", "application", "shop/asgi.py:1"), ("command", "cli", "shop/cli.py:3"),
            ("command", "serve", "shop/cli.py:6"), ("api", "shop.Cart", "shop/cart.py::Cart"),
        },
    ),
    "built files of Node stand for their sources": (
        {
            "package.json": json.dumps(
                {"name": "shop", "bin": {"shop": "./dist/cli.js"}, "exports": {".": {"import": "./lib/index.mjs"}}}
            ),
            "src/cli.ts": YARGS, "src/clear.ts": CLEAR, "src/index.ts": 'export { ClearCommand } from "./clear"\n',
        },
        {
            ("script", "shop", "src/cli.ts"), ("exports", "shop", "src/index.ts"),
            ("command", "cache:clear", "src/cli.ts:4"), ("command", "build", "src/cli.ts:4"),
            ("api", "shop.ClearCommand", "src/clear.ts::ClearCommand"),
        },
    ),
    "what is exported below a package of Node has a name of its own, types and programs too": (
        {
            "package.json": json.dumps(
                {
                    "name": "shop",
                    "exports": {
                        ".": "./dist/node/index.js",
                        "./till": {"types": "./till.d.ts", "default": "./dist/node/till.js"},
                        "./types": {"types": "./till.d.ts"}, "./dist/*": "./dist/*", "./package.json": "./package.json",
                        "./gone": None,
                    },
                }
            ),
            "src/node/index.ts": "export const shelf = 1\n", "src/till/index.ts": "export const till = 1\n",
            "till.d.ts": "export declare const till: number\n",
            "packages/make/package.json": '{"name": "make-shop", "bin": "index.js"}',
            "packages/make/index.js": "#!/usr/bin/env node\n",
            "internal/js/package.json": '{"name": "own", "main": "index.js"}', "internal/js/index.js": "",
        },
        {
            ("exports", "shop", "src/node/index.ts"), ("exports", "shop/till", "src/till/index.ts"),
            ("exports", "shop/types", "till.d.ts"), ("script", "make-shop", "packages/make/index.js"),
            ("api", "shop.shelf", "src/node/index.ts:1"), ("api", "shop/till.till", "src/till/index.ts:1"),
            ("api", "shop/types.till", "till.d.ts:1"),
        },
    ),
    "scripts at the top are for users, unless they build; one that a package installs is listed once": (
        {
            "package.json": '{"name": "shop", "bin": {"shop": "bin/shop.js"}}',
            "bin/shop.js": "#!/usr/bin/env node\n", "bin/till": "#!/bin/sh\n", "install": "#!/bin/sh\n",
            "gradlew": "#!/bin/sh\n", "notes": "none\n",
        },
        {("script", "shop", "bin/shop.js"), ("script", "till", "bin/till"), ("script", "install", "install")},
    ),
    "packages inside packages are named as python -m takes them; what names commands by computing is told": (
        {
            "src/shop/__init__.py": "", "src/shop/till/__init__.py": "", "src/shop/till/__main__.py": "",
            "src/shop/till/parser.py": (
                "import argparse\n\ndef fill(parser, names):\n    actions = parser.add_subparsers()\n"
                "    for name in names:\n        actions.add_parser(name)\n"
            ),
        },
        {
            ("module", "shop.till", "src/shop/till/__main__.py"), ("api", "fill", "src/shop/till/parser.py::fill"),
            ("command", "names computed at src/shop/till/parser.py:6", "src/shop/till/parser.py:6"),
        },
    ),
    "binaries and libraries of Cargo where Cargo looks for them": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n', "src/main.rs": "fn main() {}\n", "build.rs": "fn main() {}\n",
            "src/bin/till.rs": "fn main() {}\n", "store/Cargo.toml": '[package]\nname = "store"\n',
            "store/src/lib.rs": "pub struct Shelf;\n",
        },
        {
            ("script", "shop", "src/main.rs"), ("script", "till", "src/bin/till.rs"),
            ("exports", "store", "store/src/lib.rs"),
        },
    ),
    "programs of Go by their folder": (
        {
            "go.mod": "module example.org/acme/shop\n\ngo 1.22\n", "main.go": "package main\n\nfunc main() {}\n",
            "cmd/till/main.go": "package main\n\nfunc main() {}\n", "Dockerfile": 'FROM x\nCMD ["shop", "serve"]\n',
            "Procfile": "web: shop serve --port 1\n",
        },
        {
            ("main", "shop", "main.go:3"), ("main", "till", "cmd/till/main.go:3"),
            ("process", "Dockerfile", '["shop", "serve"]'), ("process", "web", "shop serve --port 1"),
        },
    ),
    "a module of Go that is no program is what it exports, most used first": (
        {
            "go.mod": "module example.org/acme/shop\n\ngo 1.22\n",
            "cart.go": "package shop\n\ntype Aisle struct{}\n\ntype Cart struct{}\n",
            "cart_test.go": "package shop\n\nvar cart = Cart{}\n",
            "till/till.go": "package till\n\ntype Till struct{}\n",
        },
        {
            ("exports", "example.org/acme/shop", "./"), ("api", "Cart", "cart.go::Cart"),
            ("api", "Aisle", "cart.go::Aisle"), ("api", "till.Till", "till/till.go::Till"),
        },
    ),
    "a package.json with half a surrogate pair says nothing": (
        {"package.json": '{"name": "shop", "main": "\\ud800", "bin": {"\\udfff": "till.js"}}', "a.txt": "none\n"},
        set(),
    ),
    "packages of Java may be called samples": (
        {
            "pom.xml": "<project><groupId>a</groupId><artifactId>shop</artifactId></project>",
            "src/main/java/org/acme/samples/shop/ShopApplication.java": SPRING,
            "samples/src/main/java/Other.java": SPRING,
        },
        {
            ("main", "ShopApplication.main", "src/main/java/org/acme/samples/shop/ShopApplication.java:4"),
        },
    ),
}  # fmt: skip


@pytest.mark.invariant("answers", "the overview lists what people start and what they import")
@pytest.mark.parametrize("case", CASES)
def test_what_is_started_and_what_is_imported_is_listed(case: str, tmp_path: Path) -> None:
    files, wanted = CASES[case]
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        page = graph.explore().overview

    assert {(each.kind, each.name, each.target) for each in page.entry_points} == wanted


def test_a_package_is_found_behind_many_that_are_private(tmp_path: Path) -> None:
    files = {f"playground/{number}/package.json": '{"private": true}' for number in range(60)}
    files["packages/shop/package.json"] = '{"name": "shop", "bin": "shop.js"}'
    files["packages/shop/shop.js"] = "#!/usr/bin/env node\n"
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        page = graph.explore().overview

    assert [(each.kind, each.name) for each in page.entry_points] == [("script", "shop")]


def test_many_of_a_kind_are_counted_and_the_list_of_all_is_named(tmp_path: Path) -> None:
    names = [f"Part{number}" for number in range(20)]
    files = {
        "shop/__init__.py": "".join(f"from shop.parts import {name}\n" for name in names),
        "shop/parts.py": "".join(f"class {name}: ...\n" for name in names),
        "tests/test_parts.py": "from shop.parts import Part17\n\ndef test_it():\n    Part17()\n",
    }
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        page = graph.explore().overview

    assert page.entry_points[0].name == "shop.Part17"
    assert [each.more for each in page.entry_points if each.more] == [8]


def test_a_list_is_narrowed_by_name_from_python_too(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "from shop.cart import Cart, Shelf\n",
        "shop/cart.py": "class Cart: ...\nclass Shelf: ...\n",
    }
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        (found,) = graph.stats(of="api", name="Shelf").lists

    assert [each.name for each in found.entries] == ["shop.Shelf"]


def test_a_package_whose_name_is_not_text_is_none(tmp_path: Path) -> None:
    files = {"package.json": '{"name": "shop"}', "till/package.json": '{"name": "till\\ud800"}'}
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        (told,) = graph.stats().repositories

    assert told.statistics is not None
    assert list(told.statistics.packages) == ["shop"]
