"""What the defined languages say: each case is a small source, its snapshot the facts as text."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

CASES = {
    "Shop.java": """
package shop.web;

import java.util.*;
import shop.Money;
import static shop.Money.Kind.CASH;

/**
 * A cart.
 */
@Deprecated
public class Cart<T extends Money> extends Base<T> implements Closeable {
    private final int count = 1, size;
    enum Kind { A(1), B { void run() {} } }
    record Line(int amount, T money) {}

    /** Makes one. */
    public Cart(int count) { super(count); this.count = count; }

    @Test
    public static <R> R first(final R one, String... more) throws Failure {
        for (Line each : lines) each.pay(count);
        Base<T> other = new Base<>(1) { void close() { open(); } };
        if (other instanceof Cart cart) cart.total();
        return super.first(Cart::total, x -> x.go());
    }
}
""",
    "shop.rs": """
use std::fmt::{self, Display as Shown};
use super::money::*;

mod web;

/// A cart.
#[derive(Debug)]
pub struct Cart<'a, T: Shown> { pub name: &'a str, lines: Vec<T> }

enum Kind { Cash, Card { number: u32 } }

impl<'a, T: Shown> Cart<'a, T> {
    const MOST: u32 = 1;
    pub fn new(name: &'a str) -> Self { Self { name, lines: vec![one(1)] } }
    async fn total(&self, kind: Kind) -> Option<u32> {
        let first = self.lines.first()?;
        match kind { Kind::Card { number } => number, _ => crate::money::zero() };
        if let Some(line) = self.lines.iter().next() { line.pay(|x: u32| x.go()); }
        first.into()
    }
}

impl Shown for Cart<'_, u8> { fn fmt(&self) { write!(self.out, "{}", self.name()) } }

macro_rules! twice { ($e:expr) => { step($e) } }

#[cfg(test)]
mod tests {
    use super::Cart;

    #[test]
    fn adds() { assert_eq!(Cart::new("x").total(), 1); }
}
""",
    "shop.c": """
#include <stdio.h>
#include "money.h"

#define LIMIT 10
#define STEP(x) ((x)->next + step(x, LIMIT))

/* A cart. */
typedef struct cart { struct cart *next; int count, *sizes; int (*pay)(int); } cart_t;
typedef enum { CASH, CARD } kind_t;
extern int elsewhere;
static const struct ops ops = { .open = open_cart };
int total(cart_t *cart);

#ifdef FAST
static int step(cart_t *cart, kind_t kind) { return cart->count; }
#else
TEST(step) { int i; for (i = 0; i < LIMIT; i++) total(((struct cart *)x)->next); }
#endif
""",
}


@pytest.mark.parametrize("path", CASES)
def test_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot
