"""A file of each outlined language, with what it defines."""

from __future__ import annotations

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
