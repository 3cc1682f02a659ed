"""The evidence for a question: what answers comes first, and a small budget names what it cannot show."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from repositories import repository

import rpg
from rpg.queries.answer.evidence import gather
from rpg.repository import index_path
from rpg.stores.index.index import Index

LONG = "".join(f"    step_{number}(cart)\n" for number in range(60))
SHORT = "".join(f"    look_{number}(cart)\n" for number in range(12))
ROUTES = {
    "shop/refunds.py": '"""Pays money back."""\n\n\ndef refund_order(cart):\n    """Pays an order back."""\n'
    + LONG
    + "\n\nclass RefundOrder:\n    pass\n\n\nREFUND_ORDER = 1\n"
    + "".join(f"\n\ndef refund_part_{number}(cart):\n{SHORT}" for number in range(30)),
    "shop/parcels.py": "def pack_parcel(cart):\n    if cart:\n"
    + "".join(f"        wrap_{number}(cart, wrapping_of_many_words_{number})\n" for number in range(60))
    + "        parcel = seal(cart)\n"
    + "".join(f"        carry_{number}(cart, carrying_with_many_words_{number})\n" for number in range(60))
    + "        return parcel\n    return None\n",
    "CHANGELOG.md": "# Changes\n\n## Couriers\n\nWhen a courier delivers late, the courier is told.\n",
    "docs/couriers.md": "# Couriers\n\nWhat happens when a courier delivers late: the courier is told.\n",
    "tests/helpers.py": "def slow_customer(cart):\n    return cart\n",
    "shop/queue.py": "def slow_customer_in_queue(cart):\n    return cart\n",
}


@pytest.fixture(scope="module")
def refunds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("refunds")
    output = folder / "shop.graph.json"
    rpg.encode(repository(folder / "shop", dict(ROUTES)), output=str(output))
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def test_what_does_something_comes_before_what_only_has_the_name(refunds: Index) -> None:
    pieces = gather(refunds, "how does a refund of an order work", 1_000).pieces

    assert pieces[0].node.name == "refund_order"
    assert [piece.candidate.score for piece in pieces] == sorted((p.candidate.score for p in pieces), reverse=True)
    assert not {piece.node.name for piece in pieces[:3]} & {"RefundOrder", "REFUND_ORDER"}


def test_a_small_budget_shows_a_few_with_their_lines_and_names_many(refunds: Index) -> None:
    evidence = gather(refunds, "how does a refund of an order work", 600)

    named = [piece for piece in evidence.pieces if piece.is_named]
    assert not evidence.pieces[0].is_named
    assert len(named) > 8
    assert all(piece.texts == (piece.texts[0].split("\n")[0],) for piece in named)
    assert evidence.tokens <= 600


def test_what_answers_first_shows_its_lines_although_its_block_is_long(refunds: Index) -> None:
    first = gather(refunds, "how does a parcel get its seal", 600).pieces[0]

    assert first.node.name == "pack_parcel"
    assert not first.is_named
    assert "parcel = seal(cart)" in "\n".join(first.texts)


def test_a_list_of_changes_is_no_document_on_a_question(refunds: Index) -> None:
    found = [piece.node.path for piece in gather(refunds, "what happens when a courier delivers late", 1_000).pieces]

    assert "docs/couriers.md" in found
    assert "CHANGELOG.md" not in found


def test_helpers_of_tests_stand_behind_code_unless_tests_are_asked_for(refunds: Index) -> None:
    def order(question: str) -> list[str]:
        pieces = gather(refunds, question, 1_000).pieces
        return [piece.node.path for piece in pieces if "slow_customer" in piece.node.name]

    assert order("what happens to a slow customer") == ["shop/queue.py", "tests/helpers.py"]
    assert "tests/helpers.py" in order("which test has a slow customer")
