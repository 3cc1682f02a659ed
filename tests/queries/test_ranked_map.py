"""A map shows the symbols that matter most, for all code, a question or files, as many as its budget holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import write

from rpg.encoder.options import Options
from rpg.queries.graph.budget import BYTES_PER_TOKEN, text_size
from rpg.queries.graph.outline import Outline
from rpg.queries.overview import ranked_map_weights as weights
from rpg.repository import encode
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.explored.answer import Explored
from rpg.tools.loaded.graphs import Graphs


def uses(number: int) -> str:
    return f"""\
from shop.cart import Cart
from shop.money import Money


def checkout_{number}(cart: Cart) -> Money:
    \"\"\"Sells what is in a cart.\"\"\"
    return Cart().total()


def _trace_{number}():
    def inner_{number}():
        return Money()
    return inner_{number}()
"""


FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/cart.py": """\
from shop.money import Money


class Cart:
    \"\"\"What somebody buys.\"\"\"

    def add(self, price):
        return Money()

    def total(self):
        return self.add(1)

    def unused(self):
        return 0
""",
    "shop/money.py": "class Money:\n    def cents(self):\n        return 0\n",
    "shop/parcels.py": """\
def weigh_parcel(parcel):
    \"\"\"Weighs a parcel before it is shipped.\"\"\"
    return stamp_parcel(parcel)


def stamp_parcel(parcel):
    return parcel
""",
    **{f"shop/step_{number}.py": uses(number) for number in range(12)},
    "tests/test_cart.py": """\
from shop.cart import Cart


def prepared():
    return Cart()


def test_total():
    assert prepared().total()
""",
}


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    folder = tmp_path_factory.mktemp("shop")
    yield from opened(folder, FILES)


def opened(folder: Path, files: dict[str, str | bytes]) -> Iterator[Call]:
    encode(write(folder / "shop", files), folder / "shop.graph.json", Options())
    graphs = Graphs([folder / "shop.graph.json"])
    yield Call(graphs)
    graphs.close()


def mapped(call: Call, **arguments: Any) -> Explored:
    result = TOOLS["explore"].run(call, {"edges": ["map"], **arguments})
    assert isinstance(result, Explored)
    return result


def names(result: Explored) -> list[str]:
    """Of what is on a map, each with its file or class."""

    def below(tree: Outline) -> Iterator[str]:
        for child in tree.children:
            yield f"{tree.name}::{child.name}"
            yield from below(child)

    return [name for tree in result.outlines for name in below(tree)]


def test_what_most_code_uses_comes_first_whatever_its_file(call: Call) -> None:
    assert names(mapped(call, limit=3)) == ["shop/cart.py::Cart", "Cart::total", "shop/money.py::Money"]


def test_it_is_arranged_by_file_and_line_with_signatures(call: Call) -> None:
    text = TOOLS["explore"].text(mapped(call, path="shop/cart.py"))

    assert text.splitlines()[1:] == [
        "shop/cart.py",
        "  class Cart  4-14",
        "    def add(self, price)  7-8",
        "    def total(self)  10-11",
        "    def unused(self)  13-14",
    ]


def test_private_and_inner_functions_come_last(call: Call) -> None:
    shown = names(mapped(call, limit=20))

    assert any("checkout_" in name for name in shown)
    assert not any("_trace_" in name or "inner_" in name for name in shown)


@pytest.mark.invariant(
    "answers",
    "a map has as many of the most important symbols as fit its budget, and after an edit those of a clean encode",
)
@pytest.mark.parametrize("tokens", [200, 300, 400])
def test_it_fills_its_budget_and_keeps_to_it(call: Call, tokens: int) -> None:
    result = mapped(call, max_tokens=tokens)
    size = text_size(TOOLS["explore"].text(result))

    assert result.next
    assert 0.9 * tokens <= size / BYTES_PER_TOKEN <= tokens


def test_pages_together_hold_every_symbol_once(call: Call) -> None:
    whole = names(mapped(call, max_tokens=20_000))
    shown: list[str] = []
    cursor = ""
    while True:
        page = mapped(call, limit=7, cursor=cursor)
        shown += names(page)
        cursor = page.next
        if not cursor:
            break

    assert set(shown) == set(whole)
    assert len(whole) == len(set(whole)) == 44


def test_a_question_brings_what_it_is_about(call: Call) -> None:
    best = {"shop/parcels.py::weigh_parcel", "shop/parcels.py::stamp_parcel"}

    assert set(names(mapped(call, query="weigh a parcel before it is shipped", limit=2))) == best
    assert not best & set(names(mapped(call, limit=4)))


def test_a_question_about_nothing_there_is_said_to_be_one(call: Call) -> None:
    lost = mapped(call, query="zymurgy", path="shop/money.py", limit=2)

    assert "nothing is found for the query" in lost.note
    assert lost.outlines == mapped(call, path="shop/money.py", limit=2).outlines


def test_files_bring_themselves_and_what_they_rest_on(call: Call) -> None:
    shown = names(mapped(call, start=["shop/step_3.py"], limit=6))

    assert {"shop/step_3.py::checkout_3", "shop/cart.py::Cart", "Cart::total"} <= set(shown)
    assert not any("checkout_4" in name for name in shown)


def test_the_root_is_all_code(call: Call) -> None:
    assert mapped(call, start=["./"], limit=9).outlines == mapped(call, limit=9).outlines


def test_tests_are_a_map_of_their_own(call: Call) -> None:
    without = mapped(call, max_tokens=20_000)
    only = mapped(call, tests="only")
    both = mapped(call, tests="all", max_tokens=20_000)

    assert "tests=only" in without.note
    assert not any(name.startswith("tests/") for name in names(without))
    assert names(only) == ["tests/test_cart.py::prepared", "tests/test_cart.py::test_total"]
    assert set(names(both)) == set(names(without)) | set(names(only))


def test_kinds_choose_what_is_on_it(call: Call) -> None:
    assert names(mapped(call, kinds=["class"])) == ["shop/cart.py::Cart", "shop/money.py::Money"]


def test_names_alone_have_no_lines(call: Call) -> None:
    assert "  class Cart\n" in TOOLS["explore"].text(mapped(call, detail="names"))


def test_what_nothing_is_known_of_has_an_empty_map(tmp_path: Path) -> None:
    for call in opened(tmp_path, {"notes.txt": "nothing to call\n"}):
        assert mapped(call).outlines == []


@pytest.mark.invariant(
    "answers",
    "a map has as many of the most important symbols as fit its budget, and after an edit those of a clean encode",
)
def test_after_an_edit_it_is_the_map_of_a_clean_encode(tmp_path: Path) -> None:
    edited = FILES | {"shop/parcels.py": "from shop.money import Money\n\n\nclass Box(Money):\n    pass\n"}
    for call in opened(tmp_path / "edited", FILES):
        before = mapped(call, max_tokens=20_000)
        write(tmp_path / "edited" / "shop", edited)
        after = mapped(call, max_tokens=20_000)
    for call in opened(tmp_path / "clean", edited):
        clean = mapped(call, max_tokens=20_000)

    assert before.outlines != after.outlines
    assert after.outlines == clean.outlines


def test_ranks_are_where_walks_stay(call: Call) -> None:
    """What arrives at each symbol in one more step is what is there."""
    from rpg.queries.overview.pagerank import network, ranks
    from rpg.system.arrays import numpy

    with call.view("") as view:
        graph = network(view.index, with_tests=True)
    start = graph.prior / graph.prior.sum()
    at = ranks(graph, start, weights.DAMPING, backwards=0.0)
    flow = numpy.zeros(len(at))
    for source, target, part in zip(graph.steps.sources, graph.steps.targets, graph.steps.along, strict=True):
        flow[target] += weights.DAMPING * part * at[source]

    assert at.sum() == pytest.approx(1)
    assert flow + (1 - flow.sum()) * start == pytest.approx(at, abs=1e-5)
