"""How an answer is fitted to its budget of tokens."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from rpg.queries.graph.budget import BYTES_PER_TOKEN, fit_answer, plain, text_written
from rpg.tools.calling.masked import mask_answer

SECRET = "password = 'Xq7hV2nLwP9dRt4kYb8s'"


@dataclass(frozen=True, kw_only=True)
class Listing:
    lines: list[str] = field(default_factory=list)
    note: str = ""


class Writer:
    """Writes a listing, and knows how often."""

    def __init__(self) -> None:
        self.written = 0

    def __call__(self, listing: Listing) -> str:
        self.written += 1
        return "\n".join([*listing.lines, listing.note])


def fitted(lines: list[str], writer: Writer, tokens: int) -> Listing:
    def head(parts: int) -> Listing:
        return Listing(lines=lines[:parts], note="" if parts == len(lines) else "more")

    return fit_answer(len(lines), head, writer, tokens)


def test_the_text_that_was_measured_is_the_one_that_is_sent() -> None:
    writer = Writer()
    answer = fitted(["one", "two"], writer, 100)
    assert text_written(answer, writer) == "one\ntwo\n"
    assert writer.written == 1


@pytest.mark.parametrize("tokens", [3, 20, 60, 200])
def test_a_measured_text_is_as_it_would_be_written_again(tokens: int) -> None:
    writer = Writer()
    answer = fitted([f"line {number}" for number in range(100)], writer, tokens)
    assert text_written(answer, writer) == Writer()(answer)
    assert len(text_written(answer, writer)) <= tokens * BYTES_PER_TOKEN


def test_a_masked_answer_is_written_again() -> None:
    writer = Writer()
    answer = fitted([SECRET], writer, 100)
    masked = mask_answer(answer)
    assert "Xq7hV2" in text_written(answer, writer)
    assert "Xq7hV2" not in text_written(masked, writer)


def test_another_way_to_write_an_answer_does_not_get_the_text_of_the_first() -> None:
    writer, other = Writer(), Writer()
    answer = fitted(["one"], writer, 100)
    assert text_written(answer, other) == "one\n"
    assert other.written == 1


def test_a_record_of_an_answer_has_no_trace_of_its_text() -> None:
    assert plain(fitted(["one"], Writer(), 100)) == {"lines": ["one"]}
    assert fitted(["one"], Writer(), 100) == Listing(lines=["one"])
