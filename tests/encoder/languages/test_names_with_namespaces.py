"""Names are found with the namespaces and packages in front of them that their files declare, though no id has them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from repositories import write

import rpg
from rpg.errors import SymbolNotFound
from rpg.python import OpenGraph

FILES = {
    "db/log_writer.h": "namespace store {\nnamespace log {\nclass Writer {\n public:\n  void add();\n};\n}\n}\n",
    "db/log_writer.cc": '#include "log_writer.h"\nnamespace store::log {\nvoid Writer::add() {}\n}\n',
    "db/image.cc": "namespace store {\nclass Writer {};\nclass Reader {};\n}\n",
    "App/Cart.cs": "namespace Shop.Carts;\npublic class Basket { public int Total() { return 1; } }\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenGraph]:
    root = tmp_path_factory.mktemp("spaces")
    rpg.encode(write(root / "shop", FILES), output=str(root / "made.graph.json"))
    with rpg.open(root / "made.graph.json") as opened:
        yield opened


@pytest.mark.parametrize(
    ("written", "symbol"),
    [
        ("log::Writer", "db/log_writer.h::Writer"),
        ("store::log::Writer::add", "db/log_writer.cc::Writer.add"),
        ("store.log.Writer.add", "db/log_writer.cc::Writer.add"),
        ("Writer::add", "db/log_writer.cc::Writer.add"),
        ("store::Reader", "db/image.cc::Reader"),
        ("Carts.Basket.Total", "App/Cart.cs::Basket.Total"),
        ("Shop.Carts.Basket.Total", "App/Cart.cs::Basket.Total"),
    ],
)
def test_a_name_is_found_with_its_namespaces(graph: OpenGraph, written: str, symbol: str) -> None:
    assert graph.find_usages(symbol=written).symbols[0].symbol == symbol


def test_a_namespace_that_the_file_does_not_declare_is_not_passed_over(graph: OpenGraph) -> None:
    with pytest.raises(SymbolNotFound):
        graph.fetch(targets=["log::Reader"])
