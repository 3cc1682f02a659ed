"""A call of a method that others override leads on to those, hop by hop, in both directions."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded

import rpg

FILES: dict[str, str | bytes] = {
    "shop/Shop.java": """\
package shop;
interface Payer { void pay(); }
interface Printer { void pay(); }
class Card implements Payer, Printer { public void pay() { swipe(); } void swipe() {} }
class Gold extends Card { public void pay() {} }
class Cash implements Payer { public void pay() {} }
class Fax implements Printer { public void pay() {} }
class Till {
    void run(Payer payer) { payer.pay(); }
    void own(Cash cash) { cash.pay(); }
}
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoded(tmp_path_factory.mktemp("dispatch"), FILES)


def hops(shop: Path, start: str, direction: str, depth: int = 4, **more: object) -> dict[str, int]:
    with rpg.open(shop.parent / "made.graph.json") as graph:
        found = graph.explore(start=start, direction=direction, depth=depth, **more)
    return {node.name: node.hop for node in found.nodes}


def test_what_a_call_may_run_is_what_overrides_the_method_that_it_names(shop: Path) -> None:
    assert hops(shop, "Till.run", "callees") == {
        "Till.run": 0, "Payer.pay": 1, "Card.pay": 2, "Cash.pay": 2, "Card.swipe": 3, "Gold.pay": 3,
    }  # fmt: skip


def test_who_may_call_a_method_are_the_callers_of_what_it_overrides_but_not_what_else_does(shop: Path) -> None:
    assert hops(shop, "Card.swipe", "callers") == {
        "Card.swipe": 0, "Card.pay": 1, "Payer.pay": 2, "Printer.pay": 2, "Till.run": 3,
    }  # fmt: skip


def test_calls_alone_lead_to_what_is_named(shop: Path) -> None:
    assert hops(shop, "Till.run", "callees", edges=["calls"]) == {"Till.run": 0, "Payer.pay": 1}


def test_overrides_alone_go_the_way_that_is_asked_for(shop: Path) -> None:
    assert hops(shop, "Gold.pay", "callees", edges=["overrides"]) == {
        "Gold.pay": 0, "Card.pay": 1, "Payer.pay": 2, "Printer.pay": 2,
    }  # fmt: skip
