"""What the defined languages say: each case is a small source, its snapshot the facts as text."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

from rpg.encoder.languages import find_language
from rpg.encoder.parsing.parse import parse

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
    "Shop.cs": """
using System;
using A.B;
using X = A.B.C;
using static A.Helper;
namespace Foo.Bar;
[Serializable]
public class Cart<T> : Base<T>, IThing where T : class {
  private readonly int count = 1, size;
  public string Name { get; set; } = "x";
  public int Total => Compute(1) + this.count;
  public event EventHandler Changed;
  public const int Most = 3;
  enum Kind { A = 1, B }
  struct Line { public int X; }
  record R(int A, T B);
  interface IInner { void Go(); }
  delegate int D(int x);
  public Cart(int a) : base(a) { }
  ~Cart() {}
  [Test] public static async Task<Foo> Run<U>(int a, string b = "x", params U[] c) { var x = new Foo(1) {
    P = 2 }; x?.Bar(); foreach (var y in list) y.Go(); if (o is Foo f) f.Z(); await x.Q(); List<int> l = new();
    return base.Run(nameof(A)).W<int>(1)[0] as Foo; }
  public int this[int i] { get { return i; } }
  public static Cart operator +(Cart a, Cart b) => a;
  void Local() { int Inner(int q) { return q; } Inner(1); using var s = Open(); try {} catch (Foo e) { e.M();
    } Action<int> g = (z) => z.Go(); switch (o) { case Foo t: t.K(); break; } }
}
public static class Ext { public static void Do(this Cart<int> c) {} }
""",
    "Shop.kt": """
package okio.x
import okio.Buffer
@Foo class Cart<T : Base>(val count: Int, private var b: Foo? = null, c: Int) : Base<T>(count), Thing {
  private val x: Foo = Foo(1)
  val total: Int get() = compute(1) + this.count

  companion object {
    const val MOST = 1
    fun of(a: Int): Cart<Foo> = Cart(a)
  }

  constructor(a: Int) : this(a, null) {}

  init { go() }

  @Test override suspend fun <R> run(a: Int, b: String): R {
    val z = x?.bar()!!
    o is Foo
    val (p, q) = pair
    super.run(1)
    return Foo(2) as R
  }
}
interface I { fun f(): Int }
object Single : I { override fun f() = 1 }
fun Cart<Foo>.ext(a: Int): Foo = this.run(a)
val lam: (Int) -> Foo = { a -> Foo(a) }
val o2 = object : I { override fun f() = 2 }
""",
    "shop.cpp": """
#include "a.h"
#include <vector>
using namespace std;
using std::string;
using Alias = Foo<int>;
namespace a::b { namespace {
template <typename T, int N = 3> class Foo : public Base<T>, private virtual ns::Other {
 public:
  explicit Foo(int a = 1) : Base<T>(a), x_(a) {}
  virtual ~Foo();
  Foo(const Foo&) = delete;
  void bar(const std::string& s, Foo* p) const override;
  static int go() { return bar2(1) + this->x_ + Base<T>::foo(); }
  bool operator==(const Foo& o) const;
  template <typename U> U conv(U&& u) { return u.x(); }
  enum class Kind { A, B = 2 };
  struct Inner { int z; };
 private:
  int x_ = 1, *y_;
  std::unique_ptr<Inner> in_;
  friend class Z;
  using Me = Foo<T>;
};
} }
template <typename T> void a::b::Foo<T>::bar(const std::string& s, Foo* p) const { p->bar(s, p);
    auto q = new Foo<int>(3); q->go(); Foo<T> r(1); r.bar(); Foo<T> w{2}; for (auto& e : list) e.x();
    std::move(r).bar(); a::b::Foo<int>::go(); delete q; auto l = [this, &r](int z) { return z + r.bar(); };
    if (auto* k = dynamic_cast<Inner*>(p)) k->z(); make<Foo>(1); }
Foo::Foo(int a) {}
Foo::~Foo() {}
int Foo::count = 3;
static inline int fn(int) { return Foo::Kind::A; }
extern "C" { int cfn(void); int cdef() { return 1; } }
#define X(a) a
TEST(Suite, Name) { fn(1); }
typedef struct { int a; } T1;
union U { int a; };
bool operator<(const A& a, const B& b) { return a.x < b.x; }
concept C = requires(T t) { t.foo(); };
""",
    "shop.php": """
<?php
namespace App\\Http;
use App\\Models\\{User, Post as P};
use Foo\\Bar;
use function Foo\\helper;
interface I extends J { const A = 1; public function f(int $a): Foo; }
trait T { protected $x; abstract function g(); }
/** Doc */
#[Attr(1)]
abstract class Cart extends \\Base\\Model implements I, K {
  use T, U;
  const MOST = 3;
  public ?Foo $foo = null; private static int $count = 0;
  public function __construct(private Bar $bar, $y = 1) { parent::__construct($bar); $this->foo = new Foo($y); }
  public static function make(array $a, ...$b): static { self::$count++; static::make(1); $z = new self();
    $z->foo->run()?->go(); foreach ($a as $k => $v) { $v->x(); } return $z; }
  #[Test] public function test_it() { $f = function ($q) use ($z) { return $q->go(); };
    $g = fn(User $u) => $u->name(); helper(1); Foo::bar(Foo::MOST, Foo::class); try {} catch (Err $e) {
    $e->m(); } if ($x instanceof Foo) { $x->b(); } }
}
enum Suit: string { case A = 'a'; case B; public function l() { return match($this) { Suit::A => 1 }; } }
function top(Foo $a) { global $x; require __DIR__ . '/a.php'; $a->run(); return new class extends Foo {
    function z() {} }; }
define('X', 1); const Y = 2;
""",
    "shop.rb": """
require 'set'
require_relative '../lib/cart'
module Shop
  # doc
  class Cart < Base::Model
    include Enumerable
    attr_reader :items, :total
    attr_accessor :x
    MOST = 3
    def initialize(a, b = 1, *c, k: 2, &blk)
      super(a)
      @items = []
      @owner = User.new(a)
    end
    def self.make(x) = new(x)
    class << self
      def build; make(1); end
    end
    def run
      helper 1
      items.each { |i| i.go(1) }
      @owner.name
      self.x = Foo::Bar.baz
      cart = Cart.new(1)
      cart.run!
      yield self
      total > 1 ? a : b
      return cart unless done?
      super
    end
    private
    def helper(x); end
    alias_method :go, :run
    scope :recent, -> { where(a: 1) }
  end
end
def top; end
describe Shop::Cart do
  it "runs" do
    expect(Shop::Cart.new.run).to eq 1
  end
end
""",
    "shop.lua": """
local utils = require 'pl.utils'
local List = require("pl.List")
local sub, gsub = string.sub, string.gsub
local M = {}
--- doc
-- more
function M.run(a, b) local x = utils.split(a); x:go(1); return M.other(b) end
function M:meth(c) self.x = c; self:other2(c); return helper(c) end
local function helper(z) return z end
M.other = function(q) return q end
local Cart = class(List)
Cart.__index = Cart
function Cart.new() local self = setmetatable({}, Cart) return self end
function glob() end
for i, v in ipairs(t) do v:go() end
local t = { name = function(x) end, y = 1 }
M.z, M.w = 1, 2
return M
""",
    "shop.sh": """
#!/usr/bin/env bash
source ./lib.sh
. "$DIR/other.sh"
# doc
nvm_run() { local x; x=$(nvm_get "$1"); nvm_other | grep y && nvm_third; if nvm_is; then echo hi; fi; }
function nvm_get { echo "$(nvm_echo a)"; }
X=1
export Y=2
readonly Z=3
nvm_run a
alias ll='ls -l'
""",
}


@pytest.mark.parametrize("path", CASES)
def test_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot


@pytest.mark.parametrize("path", ["cart.c", "cart.cc"])
def test_no_function_has_a_reserved_word_as_its_name(path: str) -> None:
    facts = listed(path, "int total;\nMARK if (ready) { start(); }\nMARK unless(ready) { start(); }\n")

    assert "function if " not in facts
    assert "function unless " in facts


@pytest.mark.parametrize("path", ["a.h", "a.cpp"])
def test_a_word_of_a_type_behind_a_macro_is_no_name(path: str) -> None:
    language = find_language(path)
    assert language is not None
    facts = parse(path, language, b"EXPORTED const unsigned char version[] = {1};\n")

    assert [each.name for each in facts.definitions if each.kind == "constant"] == ["version"]
