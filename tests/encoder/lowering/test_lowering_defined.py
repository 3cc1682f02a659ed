"""What languages of infrastructure, schemas and the like say: each case is a small source, its snapshot the facts."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

CASES = {
    "main.tf": """
# A network.
resource "aws_vpc" "this" {
  count      = var.create ? 1 : 0
  cidr_block = local.cidr
  dynamic "ingress" {
    for_each = var.rules
    content { port = ingress.value["port"] }
  }
  depends_on = [data.aws_ami.newest, module.net]
}

provider "aws" { alias = "east" }

module "net" {
  source = "./modules/net"
  vpc_id = try(aws_vpc.this[0].id, "")
}

locals {
  ids = [for each in module.net["a"].ids : each.id if each != aws.east]
}
""",
    "cart_test.exs": """
defmodule Shop.Cart do
  @moduledoc "A cart."
  @behaviour Shop.Payable
  use Shop.Base, kind: Shop.Kind
  alias Shop.{Money, Line}
  alias Shop.Order, as: O
  import Shop.Text, only: [shout: 1]

  @type t :: %__MODULE__{lines: [Line.t()]}
  @callback pay(t, Money.t()) :: :ok

  @doc "What it costs."
  @spec total(t) :: Money.t()
  def total(cart, options \\\\ [])
  def total(%Line{price: price}, _) when price > 0, do: price |> Money.add(1) |> round_up
  def total(%{lines: lines} = cart, options) do
    Enum.map(lines, &Money.add(&1, 2)) |> Enum.map(&round_up/1)
    cart.name
    cart.owner.()
    with {:ok, order} <- O.find(cart), do: shout(order)
    __MODULE__.total(cart)
  end

  defp round_up(sum), do: "#{sum} #{total(sum, [])}"
  defdelegate size(cart), to: Line
  defmacro made(x), do: quote(do: def(made(), do: unquote(x)))

  describe "cart" do
    test "adds", %{a: a} do
      assert total(a) == 1
    end
  end
end

defimpl Shop.Payable, for: Shop.Cart do
  def pay(cart), do: cart
end
""",
    "shop.proto": """
syntax = "proto3";
package shop.v1;
import public "shop/money.proto";

// A cart.
message Cart {
  repeated shop.v1.Line lines = 3 [deprecated = true];
  map<string, Money> totals = 4;
  oneof kind { Cash cash = 5; .shop.Card card = 6; }
  enum Kind { UNKNOWN = 0; }
  message Inner { Kind kind = 1; }
}

service Carts {
  rpc Get(GetRequest) returns (stream Cart) { option (google.api.http) = { get: "/x" }; }
}
""",
    "Sources/Shop/Cart.swift": """
import Foundation
@testable import struct Money.Coin

/// A cart.
@MainActor
public final class Cart<Item: Payable>: Base, Payable where Item: Hashable {
    public private(set) var lines: [Line] = [], owner: Owner?
    var total: Int { lines.reduce(0) { $0 + $1.price } }
    var watched: Int = 0 { didSet { save(oldValue) } }
    init?(owner: Owner, _ rest: Int...) { self.owner = owner; super.init() }
    subscript(index: Int) -> Line { lines[index] }
    deinit { close() }

    func pay(_ coin: Coin, with card: Card? = nil, then next: @escaping (Line) -> Void) async throws -> Receipt {
        guard let card, case .visa(let number) = card.kind else { throw Failure.none }
        if let first = lines.first, let owner { first.pay(by: number); owner.go() }
        for (at, line) in lines.enumerated() where line.isOpen { line.pay(by: at) }
        switch coin { case let .gold(weight): weigh(weight); case let other as Silver: other.melt(); default: break }
        do { try await card.charge(coin) } catch let failure as Failure { log(failure) } catch { log(error) }
        let made: Receipt = .init(card: card!, at: Line.self), text = "\\(total) \\(Self.make())"
        return await lines.map { [weak self] line in self?.pay(line) }.first ?? made
    }

    indirect enum Kind: String { case open = "o", `default`(Int) }
}

extension Cart: Shown where Item == Coin {
    typealias Handler = (Line) -> Void
    static func + (left: Cart, right: Cart) -> Cart { left }
}

protocol Payable: AnyObject { associatedtype Coin; var due: Int { get }; func pay(_ coin: Coin) -> Self }
@Test("adds") func adds() { #expect(Cart<Coin>().total == 3) }
""",
    "Cart.scala": """
package shop
package web

import shop.{Money, Coin => C, _}
import Money.Zero

/** A cart. */
@deprecated("old", "1")
sealed abstract class Cart[A <: Payable](val owner: Owner, plain: Int = 0)(implicit codec: Codec)
    extends Base[A](owner) with Payable {
  type Id = Int
  val lines: List[Line] = Nil
  private var (a, b) = (1, 2)
  def this(owner: Owner) = this(owner, 1)(codec)
  override def total(by: Int, rest: String*)(implicit shown: Show[A]): Int = {
    lines.map(_.price).foreach { line => line.pay(by) }
    for { line <- lines; price = line.price if price > 1 } yield price.go(line)
    owner match {
      case Owner(name, _) => name.trim
      case other: Shown => other.run()
      case whole @ Line(_) if whole.isOpen => whole.close()
      case Money.Nothing => super.total(1)
    }
    new Runnable { def run(): Unit = total(by = 1, rest = "a") }
    lines foreach println
    s"${owner.name} $by"
    owner.name = "x"
    if (by > 1) Cart.make[Int](1) else `type`
  }
}

object Cart extends App {
  def make[T](count: Int): Cart = new Cart(count)
}

enum Color(val shade: Int) { case Red extends Color(1); case Green, Blue }
extension (cart: Cart) def doubled: Int = cart.total(2)
class CartSuite extends FunSuite { test("adds things") { assertEquals(Cart.make(1), 2) } }
""",
    "cart_test.dart": """
import 'dart:async';
import 'package:shop/money.dart' as money show Money;
export 'src/line.dart';
part 'cart.g.dart';

/// A cart.
@immutable
abstract class Cart<T extends Payable> extends Base<T> with Mixed implements Shown {
  static const int most = 3;
  final List<Line> lines, _others = [];
  late Owner? owner;
  Cart(this.owner, {required this.lines, int size = 3}) : _others = [], super.named(owner) { init(); }
  Cart.named(Owner owner) : this(owner, lines: []);
  factory Cart.make(int a) => Cart.named(Owner());
  int get total => lines.map((line) => line.price).fold(0, (a, b) => a + b);
  set size(int value) { count = value; }
  @override
  Future<Receipt> pay(Money coin, [Card? card, int x = 1]) async {
    final made = Receipt(card: card, at: DateTime.now()), other = new Line(1);
    for (final line in lines) { line.pay(by: card!); }
    switch (card) { case Visa visa: visa.go(); default: other(); }
    try { await card?.charge(coin); } on Failure catch (error, trace) { log(error); } catch (error) { rethrow; }
    lines..add(made)..sort();
    owner!.name = 'x ${owner.name} $most';
    super.pay(coin);
    money.Money.of(1).add(const Line.empty());
    final shown = (made as Receipt).show;
    var (a, b) = (1, 2);
    local(int y) => y;
    return made;
  }
  T operator +(Cart other) => this;
  void abstractOne();
}
mixin Mixed on Base { void mix() {} }
extension CartX on Cart { int doubled() => total * 2; }
enum State { open, closed(2); final int level; const State([this.level = 1]); }
typedef Handler = void Function(Line);
final Cart shared = Cart.make(Cart.most);
void main(List<String> args) { group('cart', () { test('adds', () { expect(Cart.make(1).total, 3); }); }); }
""",
    "shop.sql": """
-- Who buys.
CREATE TABLE IF NOT EXISTS auth.users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  "Email" varchar(255) NOT NULL,
  team_id bigint REFERENCES public.teams(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX users_email_idx ON auth.users (lower(email));
ALTER TABLE {{ .Schema }}.users ADD COLUMN phone text;
CREATE VIEW active AS SELECT u.id, t.name FROM auth.users u JOIN teams t ON t.id = u.team_id;
CREATE OR REPLACE FUNCTION auth.uid(a int) RETURNS uuid AS $$ SELECT id FROM auth.users LIMIT 1; $$ LANGUAGE sql;
CREATE TRIGGER changed BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION auth.uid();
CREATE TYPE mood AS ENUM ('sad', 'ok');
INSERT INTO teams (name) VALUES ('a');
UPDATE teams SET name = 'b' WHERE id IN (SELECT team_id FROM users);
DELETE FROM teams WHERE id = 1;
WITH recent AS (SELECT * FROM users) SELECT auth.uid(id), count(*) FROM recent;
SELECT id FROM {{ ref('orders') }};
""",
    "shop.css": """
@import url("base.css");
@import "theme.css" screen;
/* Colours. */
:root { --accent: #fff; --checkout-button: var(--accent, red); }
#cart > .box.btn:hover, a[href^="#x"] .page { color: var(--checkout-button); background: url("../a.css"); --set: 1; }
@keyframes spin { from { left: 0 } }
@media (min-width: 3px) { .btn { --accent: blue; animation: spin 1s ease, far 2s; } }
.nested { & .inner { color: red } }
.sm\\:flex { display: flex }
""",
    "shop.scss": """
@use "src/base";
@import "header";
$brown: #34302D;
// Makes it big.
@mixin big($size) { .a { &:hover { width: $size } &--mod { color: $brown } } }
@function twice($size) { @return $size * 2 }
.b { @include big(twice($brown)); @extend .a; }
""",
    "shop.html": """
<!DOCTYPE html>
<html><head>
<link rel="stylesheet" href="css/main.css?v=1"><script src="./js/app.js" defer></script>
<script src="{{ url_for('static', filename='cart.js') }}"></script>
<style>.x { color: var(--accent); }</style>
</head><body id="top" class="page {{ theme }} dark">
<a href="#cart" class="btn">x</a><div id=cart style="color: var(--accent)"></div>
<label for="email">E</label><input id="email" aria-describedby="hint top" /><p id="{{ made }}">
</body></html>
""",
    "shop.graphql": """
\"\"\"A cart.\"\"\"
type Cart implements Node & Priced @key(fields: "id") {
  "The id" id: ID!
  lines(first: Int = 1, order: Order): [Line!]! @deprecated
}
extend type Query { cart(id: ID!): Cart }
union Item = Cart | Line
enum Direction { UP DOWN }
query GetCart($id: ID!) { cart(id: $id) { ...F ... on Cart { id } } }
fragment F on Cart { id }
""",
}


@pytest.mark.parametrize("path", CASES)
def test_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot
