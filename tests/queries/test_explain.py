"""`rpg debug explain`: which rules were tried for a name, on what evidence, and why it ended so."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import write

from rpg.cli import run

SHOP: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/base.py": """\
class Base:
    def total(self):
        return 0

    def render(self): ...
""",
    "shop/cart.py": """\
import requests
from missing_inside import *
from shop.base import Base
from shop.nowhere import lost


class Cart(Base):
    def __init__(self, owner: "Owner"):
        self.owner = owner

    def sum(self):
        return self.total() + self.owner.name() + self.absent()


class Owner:
    def name(self):
        return "x"

    def render(self): ...


def make():
    return Cart(Owner())


def run(thing, cart=None):
    make().total()
    thing.render()
    thing.get()
    requests.get("x")
    lost()
    nowhere()
    len(thing)
    for each in (make(), make()):
        each.total()
    if isinstance(thing, Owner) or isinstance(thing, Base):
        thing.render()
    return cart.total()


run(None, make())
""",
    "shop/often.py": "from shop.cart import make\n\n\ndef often(cart):\n    cart.total()\n\n\n"
    + "def guess(thing):\n    thing.render()\n\n\n"
    + "often(make())\n" * 25,
    "shop/closed.py": "class Closed(Exception): ...\n\n\ndef close(carts):\n    del carts[0]\n    raise Closed\n",
    "web/till.ts": """\
import { open } from "./drawer";

class Till {
  sum() {
    return this.missing();
  }
}

new Till().sum();
open();
""",
    "web/drawer.ts": "export function open() {}\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explain")
    write(folder / "shop", SHOP)
    path = folder / "shop.graph.json"
    assert run(["encode", str(folder / "shop"), "-o", str(path)]) == 0
    return path


@pytest.mark.parametrize(
    ("place", "name", "told"),
    [
        pytest.param(
            "shop/cart.py:12", "total",
            ["receiver self: an instance of shop/cart.py::Cart (the receiver)",
             "type: searched shop/cart.py::Cart, shop/base.py::Base",
             "found in shop/base.py::Base: shop/base.py::Base.total",
             "=> calls shop/base.py::Base.total via inherited, certain"],
            id="the order of classes up to where it stands",
        ),
        pytest.param(
            "shop/closed.py:6", "Closed",
            ["close raises Closed", "Closed at 6:11, raised in shop/closed.py::close",
             "=> calls shop/closed.py::Closed via scope, certain"],
            id="what is raised",
        ),
        pytest.param(
            "shop/cart.py:12", "name",
            ["receiver self.owner: an instance of shop/cart.py::Owner",
             "found in shop/cart.py::Cart: shop/cart.py::Cart.owner",
             "it holds an instance of shop/cart.py::Owner",
             "=> calls shop/cart.py::Owner.name via type, certain"],
            id="what an attribute holds",
        ),
        pytest.param(
            "shop/cart.py:12", "absent",
            ["type: searched shop/cart.py::Cart, shop/base.py::Base; not there",
             "=> unresolved: the receiver is known, and has no such member",
             "tried only among subclasses"],
            id="a member that its class has not",
        ),
        pytest.param(
            "shop/cart.py:27", "total",
            ["receiver make(…): an instance of shop/cart.py::Cart",
             "make: scope: bound in the module",
             "shop/cart.py::make returns Cart(…) in line 23: an instance of shop/cart.py::Cart"],
            id="what a function returns",
        ),
        pytest.param(
            "shop/often.py:9", "render",
            ["receiver thing: nothing is known about it",
             "parameter 1 of shop/often.py::guess",
             "no annotation",
             "value: no call was found that could tell",
             "unique-name (1), fan-out (2 to 5): 2 methods have the name",
             "=> calls shop/cart.py::Owner.render via fan-out, possible"],
            id="a guess by the name",
        ),
        pytest.param(
            "shop/cart.py:30", "get",
            ["import: line 1 names requests, which is outside the repository",
             "=> external: it leads outside the repository"],
            id="a library",
        ),
        pytest.param(
            "shop/cart.py:31", "lost",
            ["import: line 4 names shop.nowhere, which should be in the repository and is not",
             "=> unresolved", "unique-name, fan-out: not tried, a bare name"],
            id="a module that is not there",
        ),
        pytest.param(
            "shop/cart.py:32", "nowhere",
            ["nowhere: scope: no scope of shop/cart.py binds it",
             "import: * of missing_inside (outside the repository)"],
            id="a name that a star import may bring",
        ),
        pytest.param(
            "shop/cart.py:33", "len", ["scope: no scope of shop/cart.py binds it", "len is a builtin of python"],
            id="a builtin",
        ),
        pytest.param(
            "shop/cart.py:35", "total",
            ["element at 34:17: an instance of shop/cart.py::Cart", "tuple at 34:17", "via inherited, certain"],
            id="what a loop yields"
        ),
        pytest.param(
            "shop/cart.py:37", "render",
            ["narrowed at 36:19", "3 bindings, of which 1 reach this place",
             "shop/base.py::Base.render via type, certain"],
            id="what a test proves",
        ),
        pytest.param(
            "shop/cart.py:38", "total",
            ["parameter 2 of shop/cart.py::run", "default: builtin None",
             "value: 1 calls were found, which pass: an instance of shop/cart.py::Cart",
             "shop/cart.py:41:1 run(…)",
             "=> calls shop/base.py::Base.total via value, certain", "followed through calls and stores"],
            id="what callers pass",
        ),
        pytest.param(
            "shop/often.py:5", "total",
            ["called from 25 places; more than 24 are not followed",
             "=> calls shop/base.py::Base.total via unique-name, possible: a guess by the name alone"],
            id="called too often",
        ),
        pytest.param(
            "web/till.ts:5", "missing",
            ["receiver this: an instance of web/till.ts::Till (the receiver)",
             "type: searched web/till.ts::Till; not there"],
            id="typescript",
        ),
        pytest.param(
            "web/till.ts:10", "open",
            ["import: line 1 names ./drawer: web/drawer.ts", "open in web/drawer.ts: web/drawer.ts::open",
             "=> calls web/drawer.ts::open via import, certain"],
            id="an import",
        ),
        pytest.param(
            "shop/cart.py:22", "make", ["no reference of that name: nothing was looked up"], id="a definition"
        ),
    ],
)  # fmt: skip
def test_it_tells_the_evidence_the_lookups_and_the_end(
    graph: Path, capsys: pytest.CaptureFixture[str], place: str, name: str, told: list[str]
) -> None:
    assert run(["debug", "explain", place, name, "-g", str(graph)]) == 0
    said = capsys.readouterr().out
    print(said)

    assert [each for each in told if each not in said] == []


def test_every_role_of_a_reference_has_its_word(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["debug", "facts", str(graph.parent / "shop" / "shop" / "closed.py")]) == 0

    told = capsys.readouterr().out
    assert "· close deletes <subscript>" in told
    assert "· close raises Closed" in told
