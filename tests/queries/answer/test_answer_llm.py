"""From a question to a cited answer through the real llama.cpp, with models whose preferences are known."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shop import write_graph, write_repository

from rpg.encoder.options import options_for
from rpg.errors import BadRequest, ModelUnavailable
from rpg.models.answerer import GgufAnswerer, ModelOptions, choose_answerer
from rpg.queries.answer.answer import answer
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index
from tests.tiny_models import tiny_llama

pytestmark = pytest.mark.llm
HOW = "How does the checkout add up the total of a cart?"
CITES = ("<|end|>", "[", "Ġ", "a")
"""A letter, a blank, a citation, the end: the shortest answer that the grammar lets through."""
TALKS = ("a",)

Make = Callable[..., GgufAnswerer]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("shop")
    output = write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def short_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """From models that are treated like large ones."""
    monkeypatch.setattr("rpg.queries.answer.evidence_weights.CHOOSES_FROM", 0)
    monkeypatch.setattr("rpg.queries.answer.evidence_weights.ANSWER_TOKENS", 120)


@pytest.fixture
def model(tmp_path: Path) -> Iterator[Make]:
    made = []

    def make(**shape: object) -> GgufAnswerer:
        file = tiny_llama(tmp_path / f"tiny{len(made)}.gguf", **{"context": 8_192, **shape})  # type: ignore[arg-type]
        # One thread: on a busy machine several wait for one another.
        made.append(GgufAnswerer(file, ModelOptions(threads=1)))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_a_grounded_answer_leaves_the_real_model(index: Index, model: Make) -> None:
    heard: list[str] = []
    result = answer(index, HOW, max_tokens=2_000, answerer=model(order=CITES), repository="shop", on_text=heard.append)
    assert result.grounded
    assert len(result.citations) == 1
    assert result.citations[0] in result.evidence.lines
    assert result.text == f"a {result.citations[0]}"
    assert "".join(heard) == result.text
    assert result.written is not None
    assert result.written.prompt_tokens > 1_000
    assert result.written.load_seconds > 0


@pytest.mark.parametrize("seed", range(4))
def test_random_weights_never_cite_outside_the_evidence(index: Index, model: Make, seed: int) -> None:
    result = answer(index, HOW, max_tokens=2_000, answerer=model(seed=seed), repository="shop")
    given = set(result.evidence.lines)
    assert set(result.citations) <= given
    assert result.removed == 0, "the grammar offers no other citation"


def test_a_model_that_never_comes_to_a_citation_gives_the_evidence(index: Index, model: Make) -> None:
    result = answer(index, HOW, max_tokens=2_000, answerer=model(order=TALKS), repository="shop")
    assert (result.text, result.grounded, result.cut) == ("", False, True)
    assert "evidence itself" in result.note


def test_the_evidence_shrinks_to_the_context_of_the_model(index: Index, model: Make) -> None:
    large, small = (
        answer(index, HOW, max_tokens=2_000, answerer=model(order=CITES, context=context), repository="shop")
        for context in (8_192, 2_200)
    )
    assert small.grounded
    assert small.evidence.tokens < large.evidence.tokens
    assert small.written is not None
    assert small.written.prompt_tokens < 2_200


def test_a_model_with_too_small_a_context_is_refused(index: Index, model: Make) -> None:
    with pytest.raises(BadRequest, match="give the model a larger context"):
        answer(index, HOW, max_tokens=2_000, answerer=model(order=CITES, context=512), repository="shop")


def test_a_client_that_cancels_gets_what_was_complete(index: Index, model: Make) -> None:
    stop = threading.Event()

    def heard(stage: str, done: int, total: int) -> None:
        if stage == "writing" and done > 20:
            stop.set()

    result = answer(
        index,
        HOW,
        max_tokens=2_000,
        answerer=model(order=TALKS),
        repository="shop",
        report=heard,
        cancelled=stop.is_set,
    )
    assert result.cut
    assert result.written is not None
    assert result.written.tokens < 120


def test_the_model_is_named_by_option_or_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RPG_MODEL", raising=False)
    assert choose_answerer() is None
    monkeypatch.setenv("RPG_MODEL", str(tmp_path / "environment.gguf"))
    by_environment, by_option = choose_answerer(), choose_answerer(str(tmp_path / "option.gguf"))
    assert by_environment is not None
    assert by_option is not None
    assert (by_environment.name, by_option.name) == ("environment.gguf", "option.gguf")


def test_a_model_that_is_not_there_is_an_error_and_not_an_answer(index: Index, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="there is no file"):
        answer(index, HOW, max_tokens=2_000, answerer=GgufAnswerer(tmp_path / "none.gguf"))


LAY = "what does somebody owe us at the very end?"


@pytest.fixture(scope="module")
def short_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """A repository with a name that a model can write whose preferences are the same for every text."""
    folder = tmp_path_factory.mktemp("short")
    (folder / "short").mkdir()
    (folder / "short/sums.py").write_text("def aa(prices):\n    return sum(prices)\n\n\ndef bb():\n    return 1\n")
    encode(folder / "short", folder / "short.graph.json", options_for(folder / "short"), workers=1)
    opened = Index.open_read_only(index_path(folder / "short.graph.json"))
    yield opened
    opened.close()


def test_the_real_model_puts_a_question_into_words_of_the_code(short_names: Index, model: Make) -> None:
    heard: list[str] = []
    result = answer(
        short_names, LAY, max_tokens=2_000, answerer=model(order=CITES), repository="short",
        report=lambda stage, done, total: heard.append(stage),
    )  # fmt: skip
    assert result.terms == "aa"
    assert result.evidence.pieces[0].node.name == "aa"
    assert result.grounded
    assert "translating the question" in heard


@pytest.mark.invariant(
    "answers",
    "a model that translates a question into words of the code can only add words that occur in the "
    "repository; nothing else that it writes has an effect",
)
@pytest.mark.parametrize("shape", [{"order": TALKS}, {"seed": 3}, {"order": CITES, "context": 2_600}])
def test_whatever_the_real_model_writes_for_a_question_is_survived(
    index: Index, model: Make, shape: dict[str, object]
) -> None:
    result = answer(index, LAY, max_tokens=2_000, answerer=model(**shape), repository="shop")
    assert result.terms == ""
    assert result.evidence.pieces
