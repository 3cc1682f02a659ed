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
