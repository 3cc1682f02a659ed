"""Search in texts: literal and regular expressions, by symbol, over everything that the index keeps sources of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repositories import repository, write

import rpg
from rpg.errors import BadRequest, TimedOut
from rpg.queries.graph.budget import cut
from rpg.queries.search.short_signature import short_signature
from rpg.queries.search.text.text_matches import Scope, text_matches
from rpg.queries.search.text.text_pattern import LONGEST, candidates, expression, literal
from rpg.repository import index_path
from rpg.stores.index.index import Index
from rpg.stores.search.text_trigrams import fold, hashes
from rpg.system.deadline import limit_time
from rpg.tools.search import text

SECRET = "".join(("ghp_", "a8Kd03", "Zq91LmNx72", "Tb6Yc4Rv5W", "s0Pe8Uo2Hi"))
SOURCES: dict[str, str | bytes] = {
    "shop/cart.py": '''\
"""What is bought."""

import os

LIMIT = os.environ.get("CART_LIMIT", 10)


class Cart:
    def invoke(self, item):
        if item is None:
            raise ValueError("no such item in the cart")
        self.items.append(item)
        self.items.sort()
        return item

    def total(self):
        return sum(item.price for item in self.items)
''',
    "shop/http.py": (
        'HEADER = "x-request-id"\r\nGREETING = "Grüße, Straße"\r\n\r\n\r\ndef last():\r\n    return 1;\r\n'
    ).encode(),
    "notes.txt": "the header x-request-id is sent\nbut X-Request-ID is read\n",
    "README.md": "# Shop\n\n`CART_LIMIT` says how many items a cart holds.\n",
    "tests/test_cart.py": (
        "from shop.cart import Cart\n\n\ndef test_invoke():\n    Cart().invoke(1)\n    Cart().invoke(2)\n"
    ),
    "tests/test_more.py": "def test_more():\n    Cart().invoke(3)\n",
    "config.env": f"TOKEN={SECRET}\nPORT=8080\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    place = tmp_path_factory.mktemp("texts")
    root = repository(place / "shop", SOURCES)
    rpg.encode(str(root), output=str(place / "shop.graph.json"))
    with rpg.open(place / "shop.graph.json") as graph:
        yield graph


def lines(found: Any) -> list[str]:
    return [f"{each.path}:{line.line} {each.name}".rstrip() for each in found.texts for line in each.lines]


def test_a_text_is_found_with_the_symbol_around_it(shop: Any) -> None:
    found = shop.search(query="raise ValueError(", mode="text")

    assert text(found).splitlines()[:2] == [
        "1 line in 1 file",
        'shop/cart.py:11  Cart.invoke: raise ValueError("no such item in the cart")',
    ]


def test_lines_of_one_symbol_stand_under_it_and_code_comes_before_other_files(shop: Any) -> None:
    items = shop.search(query="self.items", mode="text")
    limit = shop.search(query="CART_LIMIT", mode="text")

    assert text(items).splitlines() == [
        "3 lines in 1 file",
        "shop/cart.py  Cart.invoke",
        "  12: self.items.append(item)",
        "  13: self.items.sort()",
        "shop/cart.py:17  Cart.total: return sum(item.price for item in self.items)",
    ]
    assert lines(limit) == ["shop/cart.py:5 LIMIT", "README.md:3 Shop"]


def test_tests_are_counted_by_file_and_listed_when_asked_for(shop: Any) -> None:
    folded_away = shop.search(query="invoke(", mode="text")

    assert lines(folded_away) == ["shop/cart.py:9 Cart.invoke"]
    assert folded_away.tests == {"tests/test_cart.py": 3, "tests/test_more.py": 1}
    assert text(folded_away).splitlines()[-1] == (
        "tests=only lists 4 lines in 2 test files: tests/test_cart.py 3, tests/test_more.py 1"
    )
    assert lines(shop.search(query="invoke(", mode="text", tests="only")) == [
        "tests/test_cart.py:4 test_invoke",
        "tests/test_cart.py:5 test_invoke",
        "tests/test_cart.py:6 test_invoke",
        "tests/test_more.py:2 test_more",
    ]
    assert len(lines(shop.search(query="invoke(", mode="text", tests="all"))) == 5
    assert lines(shop.search(query="invoke(", mode="text", tests="none")) == lines(folded_away)
    assert shop.search(query="invoke(", mode="text", tests="none").tests == {}


def test_a_text_that_only_tests_have_is_found(shop: Any) -> None:
    found = shop.search(query="Cart().invoke(3)", mode="text")

    assert text(found) == "tests=only lists 1 line in 1 test file: tests/test_more.py 1"


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        (r"def \w+\(self", ["shop/cart.py:9 Cart.invoke", "shop/cart.py:16 Cart.total"]),
        (r"^class \w+:$", ["shop/cart.py:8 Cart"]),
        (r"(?i)X-REQUEST-ID", ["shop/http.py:1 HEADER", "notes.txt:1", "notes.txt:2"]),
        (r"append|sort\(\)", ["shop/cart.py:12 Cart.invoke", "shop/cart.py:13 Cart.invoke"]),
        (r"return 1;$", ["shop/http.py:6 last"]),
        (r"Gr.{1,2}e", ["shop/http.py:2 GREETING"]),
        (r"Stra\x{df}e", ["shop/http.py:2 GREETING"]),
        (r"item\)\n\s+self", ["shop/cart.py:12 Cart.invoke"]),
        (r"\Aimport", []),
    ],
)
def test_a_regular_expression_matches_line_by_line(shop: Any, pattern: str, places: list[str]) -> None:
    assert lines(shop.search(query=pattern, mode="regex")) == places


def test_letters_outside_ascii_are_found_as_written_and_without_case(shop: Any) -> None:
    assert lines(shop.search(query="Grüße, Straße", mode="text")) == ["shop/http.py:2 GREETING"]
    assert lines(shop.search(query="GRÜßE", mode="text")) == ["shop/http.py:2 GREETING"]


def test_a_text_over_several_lines_is_found_whatever_the_line_ends(shop: Any) -> None:
    assert lines(shop.search(query="def last():\n    return 1;", mode="text")) == ["shop/http.py:5 last"]


def test_case_counts_until_nothing_is_found(shop: Any) -> None:
    exact = shop.search(query="X-Request-ID", mode="text")
    other = shop.search(query="X-REQUEST-ID", mode="text")

    assert lines(exact) == ["notes.txt:2"]
    assert lines(other) == ["shop/http.py:1 HEADER", "notes.txt:1", "notes.txt:2"]
    assert other.note == "ignoring case: no line has it as written"


def test_a_text_that_no_line_has_is_tried_as_a_regular_expression(shop: Any) -> None:
    found = shop.search(query=r"def \w+\(self\)", mode="text")

    assert lines(found) == ["shop/cart.py:16 Cart.total"]
    assert found.note == "read as a regular expression: no line has it literally"


def test_an_answer_without_hits_says_so(shop: Any) -> None:
    assert text(shop.search(query="zebra crossing", mode="text")) == "no line has it, in any case\nnothing found"


def test_a_masked_secret_is_not_found(shop: Any) -> None:
    assert not shop.search(query=SECRET, mode="text").texts
    (hit,) = shop.search(query="TOKEN=", mode="text").texts
    assert hit.lines[0].text == f"TOKEN={'*' * len(SECRET)}"


@pytest.mark.parametrize(
    ("where", "paths"),
    [
        ({"path": "shop"}, {"shop/http.py"}),
        ({"exclude_path": "*.py"}, {"notes.txt"}),
        ({"language": "python"}, {"shop/http.py"}),
        ({"kinds": ["constant"]}, {"shop/http.py"}),
        ({"content": "docs"}, {"notes.txt"}),
        ({"package": "tests"}, set()),
    ],
)
def test_filters_mean_what_they_mean_in_every_search(shop: Any, where: dict[str, Any], paths: set[str]) -> None:
    assert {each.path for each in shop.search(query="x-request-id", mode="text", **where).texts} == paths


def test_a_cursor_goes_on_where_the_answer_ended(shop: Any) -> None:
    whole = lines(shop.search(query="item", mode="text"))
    first = shop.search(query="item", mode="text", limit=2)
    second = shop.search(query="item", mode="text", limit=2, cursor=first.next)

    assert len(whole) > 4
    assert [*lines(first), *lines(second)] == whole
    assert (len(first.texts), len(second.texts)) == (2, 1)
    assert not second.next


def test_an_edit_is_in_the_next_answer(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", SOURCES)
    rpg.encode(str(root), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        write(root, {"shop/http.py": 'HEADER = "x-trace-id"\n', "new.txt": "x-trace-id again\n"})
        (root / "notes.txt").unlink()
        edited = lines(graph.search(query="x-trace-id", mode="text"))
        gone = graph.search(query="x-request-id", mode="text")
        write(
            root,
            {"another.txt": "x-request-id\n", "shop/http.py": 'HEADER = "x-trace-id"\n\n\nSECOND = "x-trace-id"\n'},
        )
        back = lines(graph.search(query="x-request-id", mode="text"))
        twice = lines(graph.search(query="x-trace-id", mode="text"))

    assert edited == ["shop/http.py:1 HEADER", "new.txt:1"]
    assert not gone.texts
    assert back == ["another.txt:1"]
    assert twice == ["shop/http.py:1 HEADER", "shop/http.py:4 SECOND", "new.txt:1"]


@pytest.mark.parametrize(
    ("pattern", "said"),
    [("(a", "missing )"), (r"(a)\1", "invalid escape"), ("(?=a)b", "invalid perl operator"), ("*a", "repetition")],
)
def test_what_is_not_a_pattern_is_refused_with_what_to_do(shop: Any, pattern: str, said: str) -> None:
    with pytest.raises(BadRequest, match="is not a regular expression.*" + re.escape(said)) as refused:
        shop.search(query=pattern, mode="regex")

    assert "search mode text for the literal" in refused.value.message


@pytest.mark.parametrize("pattern", ["a" * (LONGEST + 1), "(?:[ab]{1,100}){1,10}c"])
def test_a_pattern_has_a_limit(shop: Any, pattern: str) -> None:
    with pytest.raises(BadRequest, match=r"at most|too large"):
        shop.search(query=pattern, mode="regex")


@pytest.fixture(scope="module")
def same_letters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    place = tmp_path_factory.mktemp("same")
    lines = "\n".join("a" * 5_000 for _ in range(40))
    root = repository(place / "same", {"a.py": "", "long.txt": f"{lines}\n", "one_line.txt": "a" * 300_000 + "!\n"})
    rpg.encode(str(root), output=str(place / "same.graph.json"))
    with rpg.open(place / "same.graph.json") as graph:
        yield graph


@pytest.mark.invariant(
    "answers",
    "every file that may match a text or regular expression is searched, in linear time for any pattern",
)
@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a*)*b", "(.*)*x", "(?:a?){30}a{30}b", "^(a+)+$|^(a|aa)+b$"])
def test_no_pattern_takes_more_than_linear_time(same_letters: Any, pattern: str) -> None:
    """Where one possibility is tried after another, each of these takes longer than anybody waits."""
    found = same_letters.search(query=pattern, mode="regex")

    assert len(lines(found)) == (6 if pattern.startswith("^") else 0)


def test_a_search_ends_with_its_call(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", SOURCES)
    rpg.encode(str(root), output=str(tmp_path / "shop.graph.json"))
    index = Index.open_read_only(index_path(tmp_path / "shop.graph.json"))
    try:
        with pytest.raises(TimedOut), limit_time(0.0, lambda: False):
            text_matches(index, expression("a*b"), Scope(lambda *_: True, False), 20)
    finally:
        index.close()


# What `auto` recognises


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("def invoke(", ["shop/cart.py:9 Cart.invoke"]),
        ("x-request-id", ["shop/http.py:1 HEADER", "notes.txt:1"]),
        ("CART_LIMIT", ["shop/cart.py:5 LIMIT", "README.md:3 Shop"]),
        ('"no such item in the cart"', ["shop/cart.py:11 Cart.invoke"]),
        ("self.items.append(item)", ["shop/cart.py:12 Cart.invoke"]),
    ],
)
def test_what_is_quoted_or_looks_like_code_is_read_as_a_text(shop: Any, query: str, places: list[str]) -> None:
    found = shop.search(query=query)

    assert lines(found) == places
    assert (found.mode, found.hits) == ("text", [])
    assert text(found).startswith(f"{found.total}; read as a text; mode snippets ranks by meaning\n")


def test_words_that_stand_together_in_a_line_come_before_hits_by_meaning(shop: Any) -> None:
    found = shop.search(query="no such item in the cart")

    assert lines(found) == ["shop/cart.py:11 Cart.invoke"]
    assert found.note == "word for word, then by meaning"
    assert found.hits


def test_what_looks_like_code_and_stands_nowhere_is_ranked(shop: Any) -> None:
    found = shop.search(query="invoke(item, count=3)")

    assert not found.texts
    assert found.hits[0].name == "Cart.invoke"


@pytest.mark.parametrize("query", ["Cart", "`Cart`", "shop.cart.Cart"])
def test_a_name_that_exists_is_answered_with_its_definition_and_use(shop: Any, query: str) -> None:
    found = shop.search(query=query)

    hit, *near = found.hits
    assert (hit.name, hit.signature, hit.used) == ("Cart", "class Cart", "no resolved use, 2 in tests")
    assert not found.texts
    assert len(near) <= 3
    assert all(each.weak for each in near)


def test_a_constant_is_a_name_and_no_text(shop: Any) -> None:
    found = shop.search(query="LIMIT")

    assert (found.hits[0].name, found.hits[0].kind, found.texts) == ("LIMIT", "constant", [])


def test_a_word_that_is_spelled_like_a_name_and_names_nothing_is_found_as_text(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "fees.py": "def fee_of(cart_total): pass\n\n\nclass FeeTable: pass\n",
        "deploy/values.yaml": "gateway:\n  nat_gateway: true\n  nat_gateways: 2\n  fee_table: small\n",
    }
    rpg.encode(str(repository(tmp_path / "fees", files)), output=str(tmp_path / "fees.graph.json"))
    with rpg.open(tmp_path / "fees.graph.json") as graph:
        nothing = graph.search(query="nat_gateway")
        other = graph.search(query="fee_table")
        defined, prose = graph.search(query="fee_of"), graph.search(query="gateway")

    assert lines(nothing) == ["deploy/values.yaml:2"]
    assert "nothing is called that" in nothing.note
    assert lines(other) == ["deploy/values.yaml:4"]
    assert other.hits[0].name == "FeeTable"
    assert (defined.texts, prose.texts) == ([], [])


def test_names_with_dots_that_name_nothing_are_found_as_text(tmp_path: Path) -> None:
    """The key of a setting is found where it stands; a member that is written with its class is no text."""
    files: dict[str, str | bytes] = {
        "shop/data.py": "class Data:\n    def url(self): pass\n\n\ndef url(): pass\n",
        "shop.properties": "shop.database.url=${URL}\nshop.database.user=me\n",
        "docs/use.md": "Data.url and shop.data are here\n",
    }
    rpg.encode(str(repository(tmp_path / "shop", files)), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        key = graph.search(query="shop.database.url")
        member, module = graph.search(query="Data.url"), graph.search(query="shop.data")

    assert lines(key) == ["shop.properties:1"]
    assert "nothing is called that" in key.note
    assert {hit.name for hit in key.hits} >= {"url", "Data.url"}
    assert (member.texts, module.texts) == ([], [])
    assert (member.hits[0].name, module.hits[0].path) == ("Data.url", "shop/data.py")


def test_names_near_to_an_exact_one_are_said_in_a_line(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "fees.py": "\n\n".join(f"def {name}(): pass" for name in ("fee", "fees", "fee_of", "of")),
        "late.py": "\n\n".join(f"def {name}(): pass" for name in ("my_fee", "a_fee")),
        "tests/test_fees.py": "from fees import fee\n\ndef test_fee():\n    fee()\n",
    }
    rpg.encode(str(repository(tmp_path / "fees", files)), output=str(tmp_path / "fees.graph.json"))
    with rpg.open(tmp_path / "fees.graph.json") as graph:
        exact, here, near = text(graph.search(query="fee")).splitlines()[1:]

    assert exact == "  def fee()  no resolved use, 1 in tests"
    assert here.startswith("  here too: fees:"), "those of its file stand with it"
    assert near.startswith("near: late.py ")
    assert here.count(",") + near.count(",") == 1, "three of them in all"


@pytest.mark.parametrize(
    ("signature", "short"),
    [
        ("def short(a: int = 1) -> str", "def short(a: int = 1) -> str"),
        (
            'def put(self, name: str, at: dict[str, int] = {",": 2}, *rest: Any, **more: Any) -> dict[str, int]',
            "def put(self, name, at, *rest, **more) -> dict[str, int]",
        ),
        (
            "func (c *Command) Execute(ctx context.Context, a, b string, then func(int) error) (string, error)",
            "func (c *Command) Execute(ctx, a, b, then) (string, error)",
        ),
        (
            "function map<K extends string>(key: K, { a, b }: Options<K> = {}, then: (x: number) => void): Promise<K>",
            "function map<K extends string>(key, { a, b }, then): Promise<K>",
        ),
        ("const DATA = Array.from({ length: 1000 }, () => Object.freeze({ number: 1, other: 22 }))", None),
    ],
)
def test_a_cut_signature_keeps_the_names_of_parameters(signature: str, short: str | None) -> None:
    assert short_signature(signature, 70) == (short or cut(signature, 70))


# Which files are looked into


WRITTEN = st.text(st.sampled_from("abkſKsSé ü\r\n_("), max_size=12)


@given(WRITTEN, WRITTEN, WRITTEN, st.booleans())
def test_a_text_that_matches_is_looked_into(before: str, wanted: str, after: str, ignores_case: bool) -> None:
    held = (before + (wanted.swapcase() if ignores_case and wanted.isascii() else wanted) + after).encode()
    assert not wanted or may_match(literal(wanted, ignores_case), held)


EXPRESSIONS = st.recursive(
    st.sampled_from(["abc", "a", "k", "é", ".", r"\w", "[a-c]", "[[:alpha:]]", r"\.", r"\x61", r"\Qab\E", "^", r"\b"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda each: f"(?:{each[0]}|{each[1]})"),
        inner.map(lambda each: f"({each})*"),
        inner.map(lambda each: f"(?i:{each})+"),
        inner.map(lambda each: f"(?P<name>{each}){{0,2}}?" if "name" not in each else each),
        inner.map(lambda each: f"({each}){{2}}"),
    ),
    max_leaves=6,
)


@pytest.mark.invariant(
    "answers",
    "every file that may match a text or regular expression is searched, in linear time for any pattern",
)
@given(EXPRESSIONS, st.text(st.sampled_from("abckK.é \n"), max_size=16))
def test_a_text_that_an_expression_matches_is_looked_into(written: str, held: str) -> None:
    pattern = expression(written)
    matches = pattern.matcher.search(held.encode()) is not None

    assert not matches or may_match(pattern, held.encode())


def test_most_files_are_not_looked_into() -> None:
    for pattern in (literal("def invoke("), expression(r"def (get|set)_\w+"), expression("(?i)Deprecated")):
        assert not may_match(pattern, b"a text about something else")


def may_match(pattern: Any, held: bytes) -> bool:
    """Whether an index of this one text has it looked into."""
    import numpy

    having = set(hashes(fold(held)))
    some = candidates(pattern.need, lambda wanted: numpy.array([having.issuperset(wanted)]))
    return some is None or bool(some.any())


# Where an answer ends


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    place = tmp_path_factory.mktemp("ledger")
    functions = [f"def book_number_{number}(ledger):\n    return ledger[{number}]\n" for number in range(30)]
    files: dict[str, str | bytes] = {
        "book.py": "\n\n".join(["def add_entry_to_ledger(entry):\n    return entry\n", *functions]),
        "tests/test_book.py": "from book import add_entry_to_ledger\n\ndef test_add_entry_to_ledger():\n    pass\n",
    }
    rpg.encode(str(repository(place / "ledger", files)), output=str(place / "ledger.graph.json"))
    with rpg.open(place / "ledger.graph.json") as graph:
        yield graph


def test_hits_behind_the_first_few_are_listed_in_short(ledger: Any) -> None:
    found = ledger.search(query="add an entry to the ledger")
    full = [hit for hit in found.hits if not hit.weak]
    said = text(found).splitlines()

    assert 5 <= len(full) <= 8 < len(found.hits)
    assert said[2].startswith("  here too: "), "they are all in the file of the first hit"
    assert [line for line in said if "book_number_2:" in line] == [said[2]]
    assert said[2].count(", ") + 1 == len(found.hits) - len(full)


def test_a_name_that_does_not_exist_has_few_near_ones(ledger: Any) -> None:
    found = ledger.search(query="book_number")

    assert 5 <= len(found.hits) <= 8
    assert found.next


def test_folded_tests_are_counted_and_shown_when_asked_for(ledger: Any) -> None:
    query = "add an entry to the ledger"

    assert ledger.search(query=query).tests == {"tests/test_book.py": 1}
    assert not any(hit.test for hit in ledger.search(query=query).hits)
    assert any(hit.test for hit in ledger.search(query=query, tests="all").hits)
    assert all(hit.test for hit in ledger.search(query=query, tests="only").hits)
    assert ledger.search(query=query, tests="none").tests == {}
    assert ledger.search(kinds=["function"]).tests == {"tests/test_book.py": 1}


def test_hits_that_mean_nothing_are_called_weak(ledger: Any) -> None:
    nonsense = ledger.search(query="kubernetes evicts pods of drained nodes into a book")

    assert text(nonsense).startswith("weak: no hit has half of what was asked")
    assert "weak" not in ledger.search(query="add an entry to the ledger").note


@pytest.mark.parametrize(
    ("query", "is_said"),
    [("item.price === '/'", True), ("self.items.sort()", False), ("Cart", False), ("what is bought", False)],
)
def test_that_no_line_has_a_text_is_said(tmp_path: Path, query: str, is_said: bool) -> None:
    rpg.encode(str(repository(tmp_path / "shop", SOURCES)), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as shop:
        said = text(shop.search(query=query))

    assert ("no line has it as written" in said) == is_said


def test_a_word_that_stands_somewhere_is_not_misspelt(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"shop.py": "def isbit(): ...\n\n\ndef run():\n    return 'isbot'\n"}
    rpg.encode(write(tmp_path / "shop", files), output=str(tmp_path / "shop.graph.json"))
    with rpg.open(tmp_path / "shop.graph.json") as graph:
        found = graph.search(query="isbot", limit=1)
        mistyped = graph.search(query="isbet")

    assert ([hit.name for hit in found.hits], [text.path for text in found.texts]) == ([], ["shop.py"])
    assert [(hit.name, hit.why) for hit in mistyped.hits] == [("isbit", "typo")]
