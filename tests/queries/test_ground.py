"""What a small model may say of an excerpt: words that stand in it, more than the signature says, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from shop import write_graph, write_repository

from rpg.models.answerer import Finished, Message, Reading, Sampling, Text
from rpg.queries.answer.answer import Answer, answer
from rpg.queries.answer.ground import grounds, is_alike
from rpg.queries.answer.retelling import grammar, mark_code_names, third_person
from rpg.queries.lift.phrases import make_imperative
from rpg.repository import index_path
from rpg.stores.index.index import Index

EXCERPT = '''\
def _find_error_handler(self, e, blueprints):
    """Return a registered error handler for an exception, in order: the blueprint's first, 404 before others."""
    exc_class, code = self._get_exc_class_and_code(type(e))
    for name in (*blueprints, None):
        handler_map = self.error_handler_spec[name][code]
        if handler_map:
            return handler_map[exc_class]
'''
SIGNATURE = "def _find_error_handler(self, e, blueprints):"


@pytest.mark.parametrize(
    ("sentence", "may_be_said"),
    [
        ("returns a registered handler for an exception", True),
        ("gets the handler_map of the exception by its class and code", True),
        ("finds the error handler of blueprints", False),  # the signature says so
        ("writes the cookies of a browser to a database", False),  # its own words
        ("returns a registered handler from error_cache for an exception", False),  # a name that is not there
        ("returns a registered handler for an exception with 405", False),  # nor that number
        ("returns a registered handler for an exception with 404", True),
        ("returns a registered handler for an exception for an exception", False),  # repeats itself
        ("", False),
    ],
)
def test_a_sentence_has_ground_or_is_not_said(sentence: str, may_be_said: bool) -> None:
    assert (grounds(sentence, EXCERPT, SIGNATURE) is not None) == may_be_said


def test_a_word_that_is_not_there_outweighs_two_that_are() -> None:
    sound = grounds("returns a registered handler for an exception", EXCERPT, SIGNATURE)
    embroidered = grounds("returns a registered handler in code order for an exception of Paris", EXCERPT, SIGNATURE)
    assert sound is not None
    assert sound.worth == len(sound.new)
    assert embroidered is None, "a word that begins with a capital is a name"


def test_the_same_in_other_words_is_the_same() -> None:
    one, other, another = (
        grounds(text, EXCERPT, "")
        for text in (
            "returns a registered handler for an exception",
            "returns the handler that is registered for exceptions",
            "gets the class and code of the exception by its type",
        )
    )
    assert one is not None
    assert other is not None
    assert another is not None
    assert is_alike(one.terms, other.terms)
    assert not is_alike(one.terms, another.terms)


@pytest.mark.parametrize(
    ("verb", "written"),
    [("parse", "parses"), ("dispatch", "dispatches"), ("apply", "applies"), ("display", "displays"), ("fix", "fixes")],
)
def test_verbs_are_written_as_they_follow_it(verb: str, written: str) -> None:
    assert third_person(verb) == written


def test_a_grammar_has_the_names_of_the_excerpt_and_no_others() -> None:
    written = grammar(EXCERPT, is_class=False)
    assert '"exc_class"' in written
    assert '"name"' not in written, "a word of prose needs no mention"
    assert mark_code_names("reads handler_map and HTTP of Flask") == "reads `handler_map` and HTTP of `Flask`"


def test_a_predicate_becomes_an_order_for_a_feature() -> None:
    assert make_imperative("applies the given route, and a callback to every method") == (
        "apply given route and callback to every method"
    )


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("shop")
    output = write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


@dataclass
class Small:
    """Too small to choose; says of every symbol what it was told to."""

    says: dict[str, str]
    seconds: float = 0.0
    name: str = "small.gguf"
    asked: list[str] = field(default_factory=list)

    def context(self) -> int:
        return 2_048

    def load_seconds(self) -> float:
        return 0.5

    def parameters(self) -> int:
        return 135_000_000

    def reading_speed(self) -> float:
        return 400.0

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 3 for text in texts]

    def stream(
        self,
        messages: Sequence[Message],
        *,
        grammar: str = "",
        max_tokens: int = 512,
        sampling: Sampling | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[Reading | Text | Finished]:
        about = re.search(r"What does (\S+) do", messages[-1].content)
        assert about is not None
        self.asked.append(about[1])
        yield Text(self.says.get(about[1], "It handles everything well for everybody."))
        yield Finished("end", 100, 10, 0.1, 0.1)

    def close(self) -> None:
        pass


HOW = "How does the checkout add up the total of a cart?"
TOTAL = "It returns the sum of the price of items."
CHECKOUT = "It creates a cart, adds tea and returns its total."


def answered(index: Index, model: Small, **more: object) -> Answer:
    return answer(index, HOW, max_tokens=2_000, answerer=model, repository="shop", **more)  # type: ignore[arg-type]


def test_what_has_ground_is_said_in_the_order_of_the_calls_with_its_lines(index: Index) -> None:
    heard: list[str] = []
    result = answered(index, Small({"total": TOTAL, "checkout": CHECKOUT}), on_text=heard.append)
    lines = result.text.split("\n")
    assert lines[0].startswith("`checkout` creates a cart, adds tea and returns its total [shop/")
    assert any("`checkout` calls `total`, which returns the sum of the price of items [" in line for line in lines)
    assert result.grounded
    assert "".join(heard) == result.text
    assert all(str(each) in result.text for each in result.citations)
    given = {(each.path, line) for each in result.evidence.lines for line in range(each.start, each.end + 1)}
    assert all((each.path, line) in given for each in result.citations for line in range(each.start, each.end + 1))


def test_if_nothing_has_ground_the_evidence_is_the_answer_and_says_so(index: Index) -> None:
    result = answered(index, Small({}))
    assert (result.text, result.grounded, result.found) == ("", False, True)
    assert result.note.startswith("nothing that the model wrote is supported by the evidence")
    assert result.evidence.pieces


def test_what_it_says_of_two_symbols_alike_is_said_once(index: Index) -> None:
    same = "It returns what the cart and its owner are."
    model = Small(dict.fromkeys(("total", "checkout", "add", "save", "price"), same))
    text = answered(index, model).text
    assert text.count("returns what the cart") <= 1


def test_it_stops_at_the_time_limit_before_the_next_excerpt(index: Index) -> None:
    result = answered(index, Small({"total": TOTAL, "checkout": CHECKOUT}, seconds=1e-9))
    assert result.cut
    assert result.text == ""
    assert "--time-limit" in result.note
    assert result.evidence.pieces


def test_it_is_not_asked_where_the_evidence_is_weak(index: Index) -> None:
    model = Small({"total": TOTAL})
    result = answer(index, "what does somebody owe us at the very end?", max_tokens=2_000, answerer=model)
    assert (result.text, result.terms, model.asked) == ("", "", [])
    assert result.note.startswith("weak: ")
    assert result.note.endswith("the model is too small to be asked about it")
    assert result.vocabulary, "for a second question"
    in_words_of_the_code = answer(
        index, "what does somebody owe us?", max_tokens=2_000, answerer=model, in_code="total"
    )
    assert model.asked
    assert "`total` returns the sum" in in_words_of_the_code.text
