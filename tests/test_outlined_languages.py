"""Languages of which only symbols, doc comments and imports are read: what a table finds, what it does not claim."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import write

import rpg
from rpg.queries.graph.nodes import nodes
from rpg.queries.health.unused import is_judged
from rpg.repository import index_path
from rpg.stores.index.index import Index
from rpg.tools import TOOLS

HASKELL = """\
{-# LANGUAGE Safe #-}
-- | Keeps a cart.
module Shop.Cart (Cart (..), price) where
import qualified Shop.Item as Item
import Data.List (sort)

-- | What someone buys.
data Cart = Cart { items :: [Int] }
class Priced a where
  cost :: a -> Int
instance Priced Cart where
  cost (Cart xs) = sum xs
-- | The price of all.
price :: Cart -> Int
price (Cart []) = 0
price (Cart xs) = sum xs
(+++) :: Cart -> Cart -> Cart
(+++) a b = a
"""
ZIG = """\
//! Keeps a cart.
const item = @import("item.zig");
/// What someone buys.
pub const Cart = struct {
    total: u32,
    /// The price of all.
    pub fn price(self: Cart) u32 {
        const inner = 1;
        return self.total + inner;
    }
};
test "price" {
    const cart = 1;
}
"""
OCAML = """\
(** Keeps a cart. *)
open Item
(** What someone buys. *)
type cart = Cart of int list
(** The price of all. *)
let price c = let inner = 1 in inner
module Inner = struct
  let empty = 1
end
"""
ERLANG = """\
-module(cart).
-include("item.hrl").
-record(cart, {items}).
%% The price of all.
-spec price(list()) -> integer().
price([]) -> 0;
price([H | T]) -> H + price(T).
"""
JULIA = '''\
module Shop
include("item.jl")
"""
The price of all.
"""
function price(cart::Vector)::Int
    inner = 1
end
half(x) = x / 2
struct Cart <: Thing
    items::Vector
end
const LIMIT = 3
end
'''
R = """\
source("item.R")
#' The price of all.
price <- function(cart) {
  inner <- 1
  sum(cart)
}
limit = 3
"""
PERL = """\
package Shop::Cart;
use strict;
use Shop::Item;
# The price of all.
sub price {
    my ($cart) = @_;
    return 1;
}
1;
"""
SOLIDITY = """\
import "./Item.sol";
/// What someone buys.
contract Cart is Base {
    uint256 public limit;
    event Paid(address who);
    /// The price of all.
    function price(uint x) external view returns (uint) { return x; }
}
"""
OBJC = """\
#import "Item.h"
/** What someone buys. */
@interface Cart : NSObject
@property (nonatomic) int limit;
- (int)priceOf:(int)item;
@end
@implementation Cart
// The price of all.
- (int)priceOf:(int)item { return item; }
@end
"""
CASES: dict[str, tuple[str, set[str], dict[str, str], str]] = {
    "src/Shop/Cart.hs": (
        HASKELL,
        {"class Cart", "interface Priced", "method Priced.cost", "function price", "function +++"},
        {"Cart": "What someone buys.", "price": "The price of all."},
        "src/Shop/Item.hs",
    ),
    "cart.zig": (
        ZIG,
        {"constant item", "struct Cart", "method Cart.price"},
        {"Cart": "What someone buys.", "Cart.price": "The price of all."},
        "item.zig",
    ),
    "cart.ml": (
        OCAML,
        {"type cart", "function price", "class Inner", "method Inner.empty"},
        {"cart": "What someone buys.", "price": "The price of all."},
        "item.ml",
    ),
    "cart.erl": (ERLANG, {"struct cart", "function price"}, {}, "item.hrl"),
    "cart.jl": (
        JULIA,
        {"class Shop", "method Shop.price", "method Shop.half", "struct Shop.Cart", "constant Shop.LIMIT"},
        {"Shop.price": "The price of all."},
        "item.jl",
    ),
    "cart.R": (R, {"function price", "constant limit"}, {"price": "The price of all."}, "item.R"),
    "lib/Shop/Cart.pm": (
        PERL,
        {"type Shop.Cart", "function price"},
        {"price": "The price of all."},
        "lib/Shop/Item.pm",
    ),
    "Cart.sol": (
        SOLIDITY,
        {"class Cart", "field Cart.limit", "type Cart.Paid", "method Cart.price"},
        {"Cart": "What someone buys.", "Cart.price": "The price of all."},
        "Item.sol",
    ),
    "Cart.m": (
        OBJC,
        {"class Cart", "class Cart~2", "field Cart.limit", "method Cart.priceOf", "method Cart.priceOf~2"},
        {"Cart": "What someone buys."},
        "Item.h",
    ),
}


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
