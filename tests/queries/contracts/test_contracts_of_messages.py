"""The list of messages says who takes what, who sends it, and what it cannot know."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rpg.encoder.options import Options
from rpg.queries.graph.filters import Filter
from rpg.queries.inventories.lists import find_handlers, inventory
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index

FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("messages")
    shutil.copytree(FIXTURES / "python" / "contracts_messages", folder / "repo")
    encode(folder / "repo", folder / "a.graph.json", Options())
    found = Index.open_read_only(index_path(folder / "a.graph.json"))
    yield found
    found.close()


def listed(index: Index) -> dict[tuple[str, str], list[str]]:
    return {(each.name, each.handler): each.places for each in inventory(index, "messages", "", Filter())}


def test_a_name_is_listed_with_who_takes_it_and_where_it_is_sent(index: Index) -> None:
    places = listed(index)["billing.charge", "worker/tasks.py::charge"]

    assert [each.rpartition(":")[0] for each in places] == ["shop.py"]


def test_a_name_that_nothing_takes_is_listed_without_who_takes_it(index: Index) -> None:
    assert ("orders.placed.v2", "") in listed(index)


def test_a_name_that_is_put_together_is_counted(index: Index) -> None:
    computed = [each for each in inventory(index, "messages", "", Filter()) if each.computed]

    assert [len(each.places) for each in computed] == [1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("billing.charge", ["worker/tasks.py::charge"]),
        ("worker.tasks.ship", ["worker/tasks.py::ship"]),
        ("orders.placed", ["worker/consumer.py::follow"]),
        ("orders.lost", []),
        ("mail", []),
    ],
)
def test_a_name_with_several_words_means_who_takes_it(index: Index, name: str, expected: list[str]) -> None:
    assert find_handlers(index, name) == expected
