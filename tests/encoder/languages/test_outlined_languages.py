"""Languages of which only symbols, doc comments and imports are read: what a table finds, what it does not claim."""

from __future__ import annotations

from pathlib import Path

import pytest
from outlined_cases import CASES, ERLANG, HASKELL, ZIG
from repositories import write

import rpg
from rpg.queries.graph.nodes import nodes
from rpg.queries.health.unused import is_judged
from rpg.repository import index_path
from rpg.stores.index.index import Index
from rpg.tools import TOOLS


def index_of(folder: Path, files: dict[str, str]) -> Index:
    write(folder / "shop", files)
    output = folder / "shop.graph.json"
    rpg.encode(folder / "shop", output=str(output))
    return Index.open_read_only(index_path(output))


@pytest.mark.parametrize("path", CASES)
def test_symbols_docs_and_imports_are_read(tmp_path: Path, path: str) -> None:
    source, expected, docs, imported = CASES[path]
    index = index_of(tmp_path, {path: source, imported: "\n"})
    try:
        found = [node for node in nodes(index, "s.path = ?", (path,)) if node.kind not in ("module", "area")]
        edges = index.rows(
            "SELECT t.path FROM edges e JOIN symbols s ON s.id = e.source JOIN symbols t ON t.id = e.target"
            " WHERE s.path = ? AND e.kind NOT IN ('contains', 'covers')",
            (path,),
        )
    finally:
        index.close()
    assert {f"{node.kind} {node.id.partition('::')[2]}" for node in found} == expected
    assert {node.qualified_name: node.doc for node in found if node.qualified_name in docs and node.doc} == docs
    assert edges == [(imported,)]


def test_clauses_of_one_function_are_one_symbol(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"cart.hs": HASKELL, "cart.erl": ERLANG})
    try:
        lines = {node.id: node.lines for node in nodes(index, "s.name = 'price'", ())}
    finally:
        index.close()
    assert lines == {"cart.hs::price": "13-16", "cart.erl::price": "6-7"}


def test_no_list_of_uses_is_complete_and_nothing_is_called_unused(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"cart.zig": ZIG, "main.zig": 'const cart = @import("cart.zig");\n'})
    output = tmp_path / "shop.graph.json"
    rpg.encode(tmp_path / "shop", output=str(output))
    with rpg.open(output) as graph:
        assert "not complete" in TOOLS["find_usages"].text(graph.find_usages(symbol="cart.zig::Cart.price"))
    index = Index.open_read_only(index_path(output))
    try:
        symbol = next(node for node in nodes(index, "s.name = 'price'", ()))
    finally:
        index.close()
    assert not is_judged(symbol)


def test_a_file_that_is_damaged_keeps_what_stands_around_the_damage(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"cart.sol": "contract Cart { function price() public { ((( } }\ncontract Other { }\n"})
    try:
        names = {node.name for node in nodes(index, "s.kind = 'class'", ())}
    finally:
        index.close()
    assert names & {"Cart", "Other"}


def test_texts_and_comments_import_nothing(tmp_path: Path) -> None:
    main = (
        'const cart = @import("cart.zig");\n// const item = @import("item.zig");\n'
        'const text =\n    \\\\const item = @import("item.zig");\n;\n'
    )
    index = index_of(tmp_path, {"main.zig": main, "cart.zig": "\n", "item.zig": "\n"})
    try:
        imported = index.rows("SELECT t.path FROM edges e JOIN symbols t ON t.id = e.target WHERE e.kind = 'imports'")
    finally:
        index.close()
    assert imported == [("cart.zig",)]


def test_a_function_behind_a_macro_and_a_type_has_its_own_name(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"cart.m": "SHOP_EXPORT Cart *makeCart(void) {\n  return nil;\n}\n"})
    try:
        found = [node.name for node in nodes(index, "s.kind = 'function'", ())]
    finally:
        index.close()
    assert found == ["makeCart"]


def test_that_uses_are_not_read_is_said_where_an_answer_would_claim_more(tmp_path: Path) -> None:
    write(
        tmp_path / "shop", {"cart.zig": ZIG, "main.zig": 'const cart = @import("cart.zig");\npub fn main() void {}\n'}
    )
    output = tmp_path / "shop.graph.json"
    rpg.encode(tmp_path / "shop", output=str(output))
    unread = "uses in zig are not read, only symbols and imports"
    with rpg.open(output) as graph:
        assert unread in TOOLS["stats"].text(graph.stats(of="unused"))
        assert unread in TOOLS["explore"].text(graph.explore("main.zig::main", to="cart.zig::Cart.price"))
