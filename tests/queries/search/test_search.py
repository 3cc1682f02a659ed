"""Search: by words, by names half known or misspelt, by pasted code; what filters leave; what a page of hits costs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import repository

import rpg
from rpg.errors import BadRequest
from rpg.queries.graph.memo import forget, remember
from rpg.queries.graph.sources import KEPT_CHARACTERS, LONGEST_KEPT, LineCache
from rpg.queries.search.hits import Answer, Wanted
from rpg.queries.search.meaning.vectors import cosines, nearest
from rpg.queries.search.order.question_order import is_question
from rpg.queries.search.order.ranking import RankedUnit, SearchQuery, boost_related
from rpg.queries.search.search import search
from rpg.repository import index_path
from rpg.stores.index.index import Index

SOURCES = {
    "README.md": """\
# Harbour

Keeps the books of a small harbour.

## Fees

A ship pays by its length and by the nights that it stays.
""",
    "harbour/fees.py": '''\
"""What ships pay."""

from harbour.ships import Ship

DISCOUNT = 0.9


def mooring_fee(ship: Ship, nights: int) -> float:
    """The price of lying at the quay, by length and nights."""
    price = ship.length * nights
    if nights > 7:
        price = price * DISCOUNT
    return round(price, 2)


def total_fees(ships, nights):
    def with_tax(amount):
        """Mooring fee with the tax of the town."""
        return amount * 1.2

    return sum(with_tax(mooring_fee(ship, nights)) for ship in ships)


def _round_up(value):
    return int(value) + 1
''',
    "harbour/ships.py": '''\
"""Ships and where they lie."""


class Ship:
    """A vessel that has been announced."""

    def __init__(self, name, length):
        self.name = name
        self.length = length

    def assign_berth(self, berths):
        """Give the ship the shortest berth that is long enough."""
        for berth in sorted(berths):
            if berth.length >= self.length:
                berth.ship = self
                return berth
        raise ValueError(f"no berth for {self.name}")

    def announce_arrival(self, pilot):
        """Tell the pilot that the ship is coming in."""
        pilot.call(self.name)


class PilotBoat(Ship):
    def call(self, name):
        print(name)
''',
    "harbour/copies/one.py": "def tide_table(day):\n    return [height(day, hour) for hour in range(24)]\n",
    "harbour/copies/two.py": "def tide_table(day):\n    return [height(day, hour) for hour in range(24)]\n",
    "web/harbour.ts": """\
export function announceArrival(ship: string): string {
    return "arrival of " + ship;
}
""",
    "tests/test_fees.py": """\
from harbour.fees import mooring_fee
from harbour.ships import Ship


def test_mooring_fee_is_lower_after_a_week():
    assert mooring_fee(Ship("Anna", 10), 8) == 72
""",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("harbour")
    output = folder / "harbour.graph.json"
    rpg.encode(repository(folder / "harbour", dict(SOURCES)), output=str(output))
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def answer(index: Index, query: str, **more: Any) -> Answer:
    return search(index, Wanted(query=query, **more))


def names(index: Index, query: str, **more: Any) -> list[str]:
    return [hit.node.qualified_name for hit in answer(index, query, **more).hits]


@pytest.mark.parametrize("count", [1, 3, 100])
def test_nearest_units_are_those_that_the_index_itself_finds(index: Index, count: int) -> None:
    vectors = [vector for (vector,) in index.rows("SELECT vector FROM search_units WHERE vector != x''")]
    assert len(vectors) > 10

    for vector in vectors:
        rows = index.rows(
            "SELECT unit FROM search_units WHERE vector != x'' "
            "ORDER BY vec_distance_l2(vec_int8(vector), vec_int8(?)), symbol LIMIT ?",
            (vector, count),
        )
        assert nearest(index, vector, count) == [unit for (unit,) in rows]


@pytest.mark.invariant(
    "answers",
    "cached query results belong to one state of the index, are limited in size, and equal what the index says",
)
def test_a_cosine_is_the_same_whether_vectors_are_read_or_cached(index: Index) -> None:
    rows = index.rows("SELECT unit, vector FROM search_units WHERE vector != x'' ORDER BY unit")
    units = [*(unit for unit, _ in rows), max(unit for unit, _ in rows) + 1_000]
    for _, vector in rows[::5]:
        forget(index)
        read = cosines(index, vector, units).tolist()
        nearest(index, vector, 1)  # caches all
        assert list(map(repr, cosines(index, vector, units).tolist())) == list(map(repr, read))
        assert repr(read[-1]) == "nan"
        assert 0.99 < max(read[:-1]) <= 1.01


@pytest.mark.invariant(
    "answers",
    "cached query results belong to one state of the index, are limited in size, and equal what the index says",
)
def test_what_is_cached_stays_below_its_limit() -> None:
    known = dict.fromkeys(range(90), "")
    remember(known, dict.fromkeys(range(90, 100), ""), 100)
    assert len(known) == 100
    remember(known, dict.fromkeys(range(100, 120), ""), 100)
    assert list(known) == list(range(100, 120))
    remember(known, dict.fromkeys(range(500), ""), 100)
    assert len(known) == 0
    cache = LineCache()
    for number in range(100):
        cache.add(f"{number}.py", [""], LONGEST_KEPT)
    assert cache.get("0.py") is None
    assert cache.get("99.py") == [""]
    assert sum(cache.get(f"{number}.py") is not None for number in range(100)) == KEPT_CHARACTERS // LONGEST_KEPT


def test_nothing_is_near_where_there_are_no_vectors(tmp_path: Path) -> None:
    output = tmp_path / "one.graph.json"
    rpg.encode(repository(tmp_path / "one", {"x.py": "qzx = 1\n"}), output=str(output))
    opened = Index.open_read_only(index_path(output))
    try:
        known = opened.value("SELECT count(*) FROM search_units WHERE vector != x''")
        assert (known, nearest(opened, bytes(128), 5)) == (0, [])
    finally:
        opened.close()


def test_a_sentence_finds_the_function_and_says_why(index: Index) -> None:
    first = answer(index, "the price of lying at the quay for a number of nights").hits[0]

    assert first.node.qualified_name == "mooring_fee"
    assert first.matched["doc"] == ["price", "lying", "quay"]


@pytest.mark.parametrize(
    ("written", "first", "how"),
    [
        ("mooring_fee", "mooring_fee", "exact"),
        ("mooringFee", "mooring_fee", "spelling"),
        ("moring_fee", "mooring_fee", "typo"),
        ("assignBer", "Ship.assign_berth", "parts"),
        ("Ship.asign_berth", "Ship.assign_berth", "typo"),
        ("harbour/ships.py::announce_arrival", "Ship.announce_arrival", "exact"),
    ],
)
def test_a_name_is_found_as_it_was_meant(index: Index, written: str, first: str, how: str) -> None:
    found = answer(index, written)

    assert found.mode == "symbol"
    assert (found.hits[0].node.qualified_name, found.hits[0].how) == (first, how)


def test_a_name_that_exists_is_not_taken_for_a_typing_error(index: Index) -> None:
    assert all(hit.how != "typo" for hit in answer(index, "ship", mode="symbol").hits)


def test_a_word_that_names_have_in_another_form_is_no_typing_error(tmp_path: Path) -> None:
    root = repository(
        tmp_path / "served", {"static.py": "def etag_for_path(path):\n    return path\n", "ets.py": "X = 1\n"}
    )
    rpg.encode(root, output=str(tmp_path / "served.graph.json"))
    with rpg.open(tmp_path / "served.graph.json") as graph:
        hits = graph.search(query="etags").hits

    assert (hits[0].path, hits[0].name) == ("static.py", "etag_for_path")
    assert "typo" not in {hit.why for hit in hits}


def test_symbol_mode_is_as_strict_as_it_is_asked_to_be(index: Index) -> None:
    assert names(index, "mooring_fee", mode="symbol", match="exact") == ["mooring_fee"]
    assert names(index, "moring_fee", mode="symbol", match="exact") == []
    assert names(index, "announce", mode="symbol", match="prefix") == ["announceArrival", "Ship.announce_arrival"]
    assert names(index, "arriv", mode="symbol", match="prefix") == []
    assert set(names(index, "arriv", mode="symbol", match="contains")) == {"announceArrival", "Ship.announce_arrival"}


def test_tests_stand_behind_what_they_test_unless_they_are_asked_for(index: Index) -> None:
    query = "mooring fee is lower after a week"
    of_code = answer(index, query).hits
    of_tests = answer(index, f"test that {query}").hits

    assert of_code[0].node.qualified_name == "mooring_fee"
    assert [hit.test for hit in of_code if hit.node.path.startswith("tests/")] == [True] * sum(
        hit.node.path.startswith("tests/") for hit in of_code
    )
    assert of_tests[0].node.qualified_name == "test_mooring_fee_is_lower_after_a_week"


def test_a_function_inside_another_stands_behind_one_that_can_be_called(index: Index) -> None:
    found = names(index, "mooring fee")

    assert found.index("mooring_fee") < found.index("total_fees.with_tax")


def test_copies_are_folded_into_the_first(index: Index) -> None:
    (found,) = [hit for hit in answer(index, "table of the tide for a day").hits if hit.node.name == "tide_table"]

    assert sorted([found.node.path, *(copy.path for copy in found.copies)]) == [
        "harbour/copies/one.py",
        "harbour/copies/two.py",
    ]


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"language": "typescript"}, {"web/harbour.ts"}),
        ({"path": "harbour/"}, {"harbour/ships.py", "harbour/fees.py"}),
        ({"path": "**/ships.py"}, {"harbour/ships.py"}),
        ({"exclude_path": "harbour/ships.py", "path": "harbour/*.py"}, {"harbour/fees.py"}),
        ({"package": "harbour"}, {"harbour/ships.py", "harbour/fees.py", "web/harbour.ts"}),
        ({"kinds": ("class",)}, {"harbour/ships.py"}),
        ({"content": "docs"}, {"README.md"}),
    ],
)
def test_filters_leave_nothing_else(index: Index, filters: dict[str, Any], paths: set[str]) -> None:
    found = {hit.node.path for hit in answer(index, "announce the arrival of a ship", **filters).hits}

    assert found
    assert found <= paths


def test_documents_are_found_where_they_are_asked_for(index: Index) -> None:
    question = "a ship pays by its length and by the nights"
    sections = ["Harbour.Fees", "Fees"]

    assert not set(names(index, question)) & set(sections)
    assert names(index, question, content="docs")[0] in sections
    assert set(names(index, question, content="all")) & set(sections)


def test_min_score_leaves_the_better_ones(index: Index) -> None:
    every = answer(index, "length of a ship").hits
    least = every[1].score
    better = answer(index, "length of a ship", min_score=least).hits

    assert [hit.node.id for hit in better] == [hit.node.id for hit in every if hit.score >= least]
    assert 0 < len(better) < len(every)
    assert all(0 <= hit.score <= 1 for hit in every)


RENAMED = """\
def allot(self, places):
    for p in sorted(places):
        if (
            p.length
            >= self.length
        ):
            p.ship = self
            return p
    raise ValueError(f'no berth for {self.name}')
"""
STRANGERS = "def f(a: B, c: int) -> d:\n    e = a.g * c\n    if c > 7:\n        e = e * H\n    return i(e, 2)\n"


def test_pasted_code_is_recognised_under_other_names_and_in_another_layout(index: Index) -> None:
    exact = answer(index, SOURCES["harbour/fees.py"].split("\n\n\n")[1])
    renamed = answer(index, RENAMED)
    every_name_is_new = answer(index, STRANGERS, mode="similar")

    assert (exact.mode, exact.hits[0].node.qualified_name, exact.hits[0].how) == ("similar", "mooring_fee", "same code")
    assert (renamed.mode, renamed.hits[0].node.qualified_name) == ("similar", "Ship.assign_berth")
    assert every_name_is_new.hits[0].node.qualified_name == "mooring_fee"
    assert every_name_is_new.hits[0].how == "same structure, other names"


REPORT = """\
fix: the pilot is not called;
when a ship announces its arrival the pilot hears nothing;
announce_arrival() has to call the pilot, otherwise the boat stays where it is;
"""


def test_a_report_is_not_pasted_code_although_its_lines_end_like_statements(index: Index) -> None:
    found = answer(index, REPORT)

    assert (found.mode, found.hits[0].node.qualified_name) == ("snippets", "Ship.announce_arrival")


def test_pasted_code_keeps_to_the_filters(index: Index) -> None:
    found = answer(index, RENAMED, exclude_path="harbour/ships.py").hits

    assert found
    assert all(hit.node.path != "harbour/ships.py" for hit in found)


def test_words_of_the_code_weigh_more_than_those_of_the_sentence(index: Index) -> None:
    sentence = "how much a boat pays for its place"
    alone = search(index, Wanted(query=sentence)).hits
    told = search(index, Wanted(query=sentence, in_code="mooring fee")).hits
    assert "mooring_fee" in [hit.node.name for hit in told[:1]]
    assert "mooring_fee" not in [hit.node.name for hit in alone[:1]]


ASKED = {
    "hold/deck.py": "def swing(load):\n    return load\n"
    + "".join(
        f"\n\ndef {verb}_cargo(cargo):\n    return swing(cargo)\n"
        for verb in ("weigh", "lash", "stow", "count", "lift")
    ),
    "examples/deck.py": "def lash_cargo(cargo):\n    print(cargo)\n",
}


def test_a_question_finds_where_its_hits_meet_and_a_phrase_what_has_its_words(tmp_path: Path) -> None:
    output = tmp_path / "hold.graph.json"
    rpg.encode(repository(tmp_path / "hold", dict(ASKED)), output=str(output))
    opened = Index.open_read_only(index_path(output))
    try:
        asked = search(opened, Wanted(query="How is the cargo brought on board?")).hits
        phrase = search(opened, Wanted(query="cargo brought on board")).hits
    finally:
        opened.close()
    of_deck = [hit.node.name for hit in asked if hit.node.path == "hold/deck.py"]
    assert of_deck.index("swing") == 3, "behind the first few, before all others"
    assert [hit.node.name for hit in phrase].index("swing") > 4
    assert asked[0].node.path == "hold/deck.py", "before the example, which has the same words"
    assert [hit.score for hit in asked] == sorted((hit.score for hit in asked), reverse=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How does a ship find its berth", True),
        ("a berth for every ship?", True),
        ("which berths are free", True),
        ("Where", False),
        ("whether a berth is free", False),
        ("Return the berth of a ship.", False),
        ("Fix berth that is freed twice", False),
        ("How does it\nfail", False),
    ],
)
def test_questions_are_known_by_their_form(text: str, expected: bool) -> None:
    assert is_question(text) is expected


def test_a_question_without_a_word_is_refused(index: Index) -> None:
    with pytest.raises(BadRequest, match="there is no word"):
        answer(index, "?!", mode="snippets")
    with pytest.raises(BadRequest, match="characters"):
        answer(index, "x " * 20_000)


def test_a_graph_without_sources_is_searched_by_names_and_docs(index: Index, tmp_path: Path) -> None:
    alone = tmp_path / "alone.graph.json"
    alone.write_bytes(index.path.with_name("harbour.graph.json").read_bytes())
    with rpg.open(alone) as graph:
        hits = graph.search(query="lying at the quay").hits

    assert hits[0].name == "mooring_fee"


def test_hits_that_use_one_another_stand_before_one_that_stands_alone(index: Index) -> None:
    units = dict(index.rows("SELECT s.name, u.unit FROM search_units u JOIN symbols s ON s.id = u.symbol"))
    alone, caller, called = units["_round_up"], units["total_fees"], units["mooring_fee"]
    ranked = [RankedUnit(alone, 0.52), RankedUnit(caller, 0.50), RankedUnit(called, 0.49)]
    assert [found.unit for found in boost_related(index, ranked)] == [caller, called, alone]


def test_a_class_without_a_name_lends_its_words_to_the_function_around_it(tmp_path: Path) -> None:
    source = """\
export function overloaded(): void {
  register(class { static label = "quayside lantern" });
}
function make() {
  return class { harvest() { return "barley" } };
}
function make(kind: string) {
  return threshing(kind);
}
"""
    root = repository(tmp_path / "farm", {"farm.ts": source})
    rpg.encode(root, output=str(tmp_path / "farm.graph.json"))
    index = Index.open(index_path(tmp_path / "farm.graph.json"))
    try:
        assert names(index, "quayside lantern")[:1] == ["overloaded"]
        assert [hit.node.id for hit in answer(index, "threshing").hits][:1] == ["farm.ts::make~2"]
    finally:
        index.close()


def test_a_verb_is_sought_although_a_word_of_its_stem_carries_no_meaning() -> None:
    assert set(SearchQuery.of("what happens when a user likes songs like others").terms) == {
        "happen", "user", "like", "song"
    }  # fmt: skip
    assert set(SearchQuery.of("what looks like a song of others").terms) == {"look", "song"}
