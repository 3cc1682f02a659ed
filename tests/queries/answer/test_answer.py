"""Answers from a model that is scripted: what it is shown, what it may write, and what is left of what it wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shop import write_graph, write_repository
from syrupy.assertion import SnapshotAssertion

from rpg.errors import BadRequest
from rpg.models.answerer import Finished, Message, Reading, Sampling, Text
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.answer import Answer, Streamed, answer, check_answer
from rpg.queries.answer.evidence import Evidence, gather
from rpg.queries.answer.prompt import fill_template, grammar, literal, messages
from rpg.repository import index_path
from rpg.stores.index.index import Index

HOW = "How does the checkout add up the total of a cart?"
TOTAL = "[shop/cart.py:16-17]"
"""The citation of Cart.total in the evidence for HOW."""
QUESTIONS = (
    HOW,
    "What happens when an item is added to a full cart?",
    "Who calls `Cart.total`?",
    "Where is `price` used?",
    "What breaks if Base.save changes?",
    "If I remove retired, what is affected?",
    "Where does the owner of a cart come from?",
    "What is this repository and what are its main parts?",
    "Where should I start reading?",
    "How are invoices printed on paper?",
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("shop")
    output = write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


@dataclass
class Scripted:
    """Writes what it was told to, in pieces of three characters, and remembers what it was given."""

    says: str
    room: int = 8_192
    reason: str = "end"
    name: str = "scripted.gguf"
    seen: list[Message] = field(default_factory=list)
    grammar: str = ""
    closed: int = 0
    seconds: float = 0.0
    size: int = 7_000_000_000
    speed: float = 1_000.0

    def parameters(self) -> int:
        return self.size

    def reading_speed(self) -> float:
        return self.speed

    def context(self) -> int:
        return self.room

    def load_seconds(self) -> float:
        return 0.5

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.encode()) // 3 for text in texts]

    def stream(
        self,
        messages: Sequence[Message],
        *,
        grammar: str = "",
        max_tokens: int = 512,
        sampling: Sampling | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[Reading | Text | Finished]:
        self.seen, self.grammar = list(messages), grammar
        yield Reading(10, 10)
        for at in range(0, len(self.says), 3):
            yield Text(self.says[at : at + 3])
        yield Finished(self.reason, 10, len(self.says), 1.0, 2.0)

    def close(self) -> None:
        self.closed += 1


def answered(index: Index, model: Scripted, question: str = HOW, **more: object) -> Answer:
    return answer(index, question, max_tokens=2_000, answerer=model, repository="shop", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("question", QUESTIONS, ids=range(10))
def test_what_the_model_sees(index: Index, question: str, snapshot: SnapshotAssertion) -> None:
    evidence = gather(index, question, 1_500)
    text = "\n\n".join(f"=== {message.role}\n{message.content}" for message in messages(evidence, "shop"))
    assert re.sub(r"\b[0-9a-f]{8}\b", "MARK", text) == snapshot


def test_an_answer_comes_with_its_citations_and_how_it_was_made(index: Index) -> None:
    model = Scripted(f"`Cart.total` sums up what `price` says of each item {TOTAL}.")
    result = answered(index, model)
    assert result.text == model.says
    assert (result.grounded, result.found, result.removed, result.cut) == (True, True, 0, False)
    assert [str(each) for each in result.citations] == [TOTAL]
    assert result.written is not None
    assert (result.written.model, result.written.tokens_per_second) == ("scripted.gguf", len(model.says) / 2)


def test_citations_outside_the_evidence_are_taken_out_and_counted(index: Index) -> None:
    result = answered(
        index, Scripted(f"It sums {TOTAL}. It mails [shop/mail.py:1-9] and rounds [shop/cart.py:900-901].")
    )
    assert result.text == f"It sums {TOTAL}. It mails and rounds."
    assert (result.removed, result.grounded) == (2, False)


def test_names_that_nobody_knows_are_flagged(index: Index) -> None:
    result = answered(index, Scripted(f"It sums {TOTAL}. It calls `apply_discount`."))
    assert [flagged.names for flagged in result.flagged] == [["apply_discount"]]


@pytest.mark.parametrize(
    ("claim", "stays"),
    [
        ("`Cart.total` sums what `price` says", True),
        ("`checkout` sums what `price` says", False),
        ("`total` takes `apply_discount` off", False),
        ("`total` sums at most 16 prices", False),
        ("the total is the sum of 2 things", False),
        ("the total is the sum of the prices", True),
    ],
)
def test_a_claim_goes_if_the_lines_that_it_cites_do_not_show_what_it_names(
    index: Index, claim: str, stays: bool
) -> None:
    heard: list[str] = []
    result = answered(index, Scripted(f"It begins here {TOTAL}. {claim} {TOTAL}."), on_text=heard.append)
    assert (claim in result.text, result.unsupported) == (stays, 0 if stays else 1)
    assert "".join(heard) == result.text


def test_a_claim_is_made_once_and_a_model_that_repeats_itself_is_stopped(index: Index) -> None:
    claim = f"`total` sums what the price of each item says {TOTAL}."
    heard: list[str] = []
    stopped: list[bool] = []

    class Repeating(Scripted):
        def stream(self, messages: Sequence[Message], **options: Any) -> Iterator[Reading | Text | Finished]:
            for number in range(50):
                stopped.append(options["cancelled"]())
                if stopped[-1]:
                    yield Finished("cancelled", 10, number, 1.0, 2.0)
                    return
                yield Text(f"{claim} ")

    result = answered(index, Repeating(""), on_text=heard.append)
    assert result.text == claim
    assert "".join(heard).strip() == claim
    assert len(stopped) < 6
    assert (result.cut, result.note) == (False, "")
    assert result.repeated == len(stopped) - 2


def test_a_slow_model_gets_less_to_read(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "LEAST_PACK", 700)
    fast, slow = Scripted("", speed=10_000.0), Scripted("", speed=1.0)
    for model in (fast, slow):
        answered(index, model)
    sizes = [sum(model.count([message.content for message in model.seen])) for model in (fast, slow)]
    assert sizes[1] <= 700 < sizes[0]


def test_an_answer_ends_at_the_time_limit_with_what_there_is(index: Index) -> None:
    class Endless(Scripted):
        def stream(self, messages: Sequence[Message], **options: Any) -> Iterator[Reading | Text | Finished]:
            yield Text(f"It sums the prices {TOTAL}. ")
            while not options["cancelled"]():
                yield Text("and ")
            yield Finished("cancelled", 10, 10, 1.0, 2.0)

    result = answered(index, Endless("", seconds=0.05))
    assert result.text == f"It sums the prices {TOTAL}."
    assert result.cut
    assert result.note.startswith("the model was stopped after 0.05 s: --time-limit")


@pytest.mark.parametrize("says", ["NOT FOUND", "NOT FOUND.", " NOT FOUND\n"])
def test_a_model_that_finds_no_answer_is_taken_at_its_word(index: Index, says: str) -> None:
    result = answered(index, Scripted(says))
    assert (result.found, result.grounded, result.text) == (False, False, "")
    assert "no answer" in result.note
    assert result.evidence.pieces


def test_a_model_is_asked_with_weak_evidence_too_and_the_answer_says_that_it_is_weak(index: Index) -> None:
    model = Scripted("NOT FOUND")
    result = answered(index, model, "How are invoices printed on paper?")
    assert (result.found, result.text) == (False, "")
    assert "How are invoices printed" in model.seen[-1].content
    assert "the model finds no answer" in result.note
    assert 'weak: nothing here names "invoices"' in result.note


def test_weak_evidence_offers_the_words_of_the_code_and_sure_evidence_does_not(index: Index) -> None:
    asked_in_words = "How are parcels delivered?"
    weak = answer(index, asked_in_words, max_tokens=2_000)
    assert any("total" in line for line in weak.vocabulary)
    assert sum(len(line) for line in weak.vocabulary) <= 4 * 400
    assert answer(index, asked_in_words, max_tokens=2_000, in_code="total").vocabulary == []
    assert answer(index, HOW, max_tokens=2_000).vocabulary == []


@pytest.mark.parametrize("reason", ["length", "cancelled"])
def test_an_answer_that_is_cut_off_ends_with_its_last_whole_claim(index: Index, reason: str) -> None:
    result = answered(index, Scripted(f"It sums {TOTAL}. Then it st", reason=reason))
    assert (result.text, result.cut, result.grounded) == (f"It sums {TOTAL}.", True, True)
    nothing = answered(index, Scripted("It su", reason=reason))
    assert (nothing.text, nothing.grounded) == ("", False)
    assert "evidence itself" in nothing.note


def test_what_is_streamed_is_checked_already(index: Index) -> None:
    heard: list[str] = []
    says = f"It mails [shop/mail.py:1-9]. It sums {TOTAL}. It ends {TOTAL}."
    result = answered(index, Scripted(says), on_text=heard.append)
    assert len(heard) > 1
    assert "".join(heard) == result.text == f"It mails. It sums {TOTAL}. It ends {TOTAL}."


def test_progress_is_reported_by_stage(index: Index) -> None:
    stages: list[str] = []
    answered(index, Scripted(f"It sums {TOTAL}."), report=lambda stage, done, total: stages.append(stage))
    assert list(dict.fromkeys(stages)) == ["loading the model", "reading the evidence", "writing"]


def test_without_a_model_or_when_asked_to_the_evidence_alone_is_given(index: Index) -> None:
    model = Scripted("no")
    plain = answer(index, HOW, max_tokens=2_000)
    extract = answered(index, model, mode="extract")
    assert plain.evidence == extract.evidence
    assert (plain.text, plain.grounded, plain.found, model.seen) == ("", False, True, [])


@pytest.mark.parametrize("room", [1_000, 1_400, 4_000])
def test_evidence_fits_the_context_by_the_models_own_count(index: Index, room: int) -> None:
    model = Scripted("NOT FOUND", room=room)
    answered(index, model)
    assert sum(model.count([message.content for message in model.seen])) < 0.75 * room


def test_a_context_too_small_for_anything_is_refused(index: Index) -> None:
    with pytest.raises(BadRequest, match=r"do not fit into the context of scripted\.gguf"):
        answered(index, Scripted("NOT FOUND", room=300))


def test_the_grammar_offers_each_citation_of_the_evidence_and_no_other(index: Index) -> None:
    evidence = gather(index, HOW, 1_500)
    cited = next(line for line in grammar(evidence.lines).splitlines() if line.startswith("cited ::="))
    offered = {
        f"[{path}:{numbers}]"
        for path, group in re.findall(r'"([^"]+):" \(([^()]*)\)', cited)
        for numbers in re.findall(r'"([^"]*)"', group)
    }
    assert offered == {str(lines) for lines in evidence.lines}


def test_paths_of_any_spelling_become_literals() -> None:
    assert literal('a "b"\\c\n[é].py') == r'"a \"b\"\\c\x0A[é].py"'


def test_braces_in_the_evidence_are_not_places_of_the_template() -> None:
    assert fill_template("{a} and {b} {c}", {"a": "{b}", "b": "{a}"}) == "{b} and {a} {c}"


def test_text_of_the_repository_cannot_end_the_evidence(index: Index) -> None:
    shown = messages(gather(index, HOW, 1_500), "shop")[1].content
    other = messages(gather(index, HOW + "?", 1_500), "shop")[1].content
    marks = [re.findall(r"EVIDENCE ([0-9a-f]{8})", text) for text in (shown, other)]
    assert [len(set(each)) for each in marks] == [1, 1]
    assert marks[0] != marks[1]


CITES = re.compile(r"\[([^\[\]\n]+):([0-9]+)-([0-9]+)\]")
places = st.sampled_from(
    ["shop/cart.py", "shop/orders.py", "shop/base.py", "shop/mail.py", "/etc/passwd", "../cart.py"]
)
citations = st.builds("[{}:{}-{}]".format, places, st.integers(0, 30), st.integers(0, 30))
scraps = st.sampled_from(
    ["It sums ", ". ", "[", "]", "[shop/cart.py:", "16-17]", "\n- ", "`Cart.total`", "`made_up`", "NOT FOUND", TOTAL,
     "\0", "Ignore that, cite [a.py:1-2]", "[[shop/cart.py:16-17]]", "<|end|>", "\r\n", "[E1]", "(shop/cart.py:16-17)"]
)  # fmt: skip
outputs = st.lists(st.one_of(citations, scraps, st.text(max_size=6)), max_size=20).map("".join)


@cache
def shown(index: Index) -> Evidence:
    return gather(index, HOW, 2_000)


@settings(max_examples=1_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(outputs, st.sampled_from(["end", "length", "cancelled"]))
def test_whatever_a_model_writes_only_citations_of_the_evidence_leave(index: Index, output: str, reason: str) -> None:
    heard: list[str] = []
    streamed = Streamed(shown(index), heard.append)
    for at in range(0, len(output), 3):
        streamed.add(output[at : at + 3])
    result = check_answer(index, streamed, Scripted(output), Finished(reason, 1, 1, 1.0, 1.0))
    given_lines = {(each.path, line) for each in result.evidence.lines for line in range(each.start, each.end + 1)}
    for text in (result.text, "".join(heard)):
        for path, start, end in CITES.findall(text):
            assert int(start) <= int(end)
            assert all((path, line) in given_lines for line in range(int(start), int(end) + 1))
    assert all(str(each) in result.text for each in result.citations)
    assert not result.grounded or result.citations


@dataclass
class Translator(Scripted):
    """Gives words for a question first, then the answer."""

    words: str = ""
    asked: list[list[Message]] = field(default_factory=list)

    def stream(self, messages: Sequence[Message], **options: Any) -> Iterator[Reading | Text | Finished]:
        self.asked.append(list(messages))
        if len(self.asked) > 1:
            yield from super().stream(messages, **options)
            return
        yield Text(self.words)
        yield Finished("end", 10, len(self.words), 1.0, 2.0)


LAY = "what does somebody owe us at the very end?"


def test_a_question_without_the_words_of_the_code_is_put_into_them_by_the_model(index: Index) -> None:
    before = answer(index, LAY, max_tokens=2_000)
    model = Translator(f"It sums {TOTAL}.", words="Cart.total invoice_of_a_moon price")
    result = answered(index, model, LAY)

    assert before.note.startswith("weak: ")
    assert result.terms == "Cart.total price"  # the shop knows no moon
    assert max(result.evidence.pieces, key=lambda piece: piece.candidate.score).node.label == "Cart.total"
    assert result.text == f"It sums {TOTAL}."
    given = model.asked[0][-1].content
    assert LAY in given
    assert "checkout" in given  # what the repository calls things
    assert len(model.asked) == 2


@pytest.mark.invariant(
    "answers",
    "a model that translates a question into words of the code can only add words that occur in the "
    "repository; nothing else that it writes has an effect",
)
@pytest.mark.parametrize("words", ["", " ", "moon", "] . [", "the of and"])
def test_a_translation_of_no_use_changes_nothing(index: Index, words: str) -> None:
    before = answer(index, LAY, max_tokens=2_000)
    result = answered(index, Translator(f"It sums {TOTAL}.", words=words), LAY)
    assert result.terms == ""
    assert result.evidence.doubt == before.evidence.doubt != ""
    assert result.evidence.pieces[0].node == before.evidence.pieces[0].node


def test_what_needs_no_translation_gets_none(index: Index) -> None:
    model = Translator(f"It sums {TOTAL}.", words="mail")
    for question, in_code in ((HOW, ""), (LAY, "total")):
        model.asked = [[]]
        assert answered(index, model, question, in_code=in_code).terms == ""
    assert answer(index, LAY, max_tokens=2_000, answerer=model, mode="extract").terms == ""


def test_a_translation_is_left_out_if_a_small_context_has_no_room_for_it(index: Index) -> None:
    model = Translator(f"It sums {TOTAL}.", words="total", room=700)
    with pytest.raises(BadRequest):
        answered(index, model, LAY * 40)
    assert model.asked == []
