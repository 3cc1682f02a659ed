"""The real llama.cpp with models that the tests write: loading, answering, stopping, and every failure of a file."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpg.errors import BadRequest, ModelUnavailable
from rpg.models.answerer import Finished, GgufAnswerer, Interrupted, Message, ModelOptions, Reading, Text
from rpg.models.llama_process import LlamaProcess, reason
from tests.tiny_models import tiny_bert, tiny_llama

pytestmark = pytest.mark.llm
ONE_THREAD = ModelOptions(threads=1)
"""On a busy machine several wait for one another."""
QUESTION = [Message("system", "Answer."), Message("user", "How?")]
CLAIMS = r"""root ::= claim ("\n" claim)*
claim ::= [a-z ]+ "[" ("x.py:1-2" | "app/[id].ts:3-4") "]"
"""

Make = Callable[..., GgufAnswerer]


@pytest.fixture
def answerer(tmp_path: Path) -> Iterator[Make]:
    made = []

    def make(options: ModelOptions = ONE_THREAD, **shape: object) -> GgufAnswerer:
        made.append(GgufAnswerer(tiny_llama(tmp_path / f"tiny{len(made)}.gguf", **shape), options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


def written(events: list[Reading | Text | Finished]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


def test_a_model_tells_its_context_and_counts_in_its_own_tokens(answerer: Make) -> None:
    model = answerer(context=1024)
    assert model.context() == 1024
    assert model.count(["abc", "the", ""]) == [3, 2, 0]
    assert model.load_seconds() > 0


def test_the_grammar_holds_whatever_the_weights_say(answerer: Make) -> None:
    events = list(answerer(seed=3).stream(QUESTION, grammar=CLAIMS, max_tokens=200))
    complete = written(events).rpartition("]")[0] + "]"
    for claim in complete.split("\n"):
        assert claim.endswith(("[x.py:1-2]", "[app/[id].ts:3-4]"))


def test_a_known_preference_gives_a_known_answer(answerer: Make) -> None:
    model = answerer(order=["<|end|>", "[", "a"])
    events = list(model.stream(QUESTION, grammar=CLAIMS, max_tokens=100))
    assert written(events) in ("a[x.py:1-2]", "a[app/[id].ts:3-4]")
    assert isinstance(events[-1], Finished)
    assert events[-1].reason == "end"


def test_the_same_question_gives_the_same_answer(answerer: Make) -> None:
    options = ModelOptions(threads=1, temperature=0.8, seed=7)
    cold, warm = answerer(seed=5), answerer(options, seed=5)
    for model in (cold, warm):
        assert written(list(model.stream(QUESTION, max_tokens=60))) == written(
            list(model.stream(QUESTION, max_tokens=60))
        )
    assert written(list(cold.stream(QUESTION, max_tokens=60))) != written(list(warm.stream(QUESTION, max_tokens=60)))


def test_reading_a_long_prompt_is_reported(answerer: Make) -> None:
    events = list(answerer().stream([Message("user", "x" * 1200)], max_tokens=1))
    reading = [event for event in events if isinstance(event, Reading)]
    assert [event.read for event in reading] == sorted({event.read for event in reading})
    assert len(reading) > 2
    assert reading[-1].read == reading[-1].of > 1200


def test_text_that_looks_like_a_control_token_stays_text(answerer: Make) -> None:
    model = answerer()
    plain = next(e for e in model.stream([Message("user", "a" * 7)], max_tokens=1) if isinstance(e, Reading))
    hostile = next(e for e in model.stream([Message("user", "<|end|>")], max_tokens=1) if isinstance(e, Reading))
    assert hostile.of == plain.of, "seven characters are seven tokens, not one that ends the message"


def test_a_template_without_a_system_role_gets_its_text_with_the_question(answerer: Make) -> None:
    template = (
        "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
        "<|user|>{{ m.content | trim }}<|end|>{% endfor %}<|assistant|>"
    )
    reading = next(e for e in answerer(template=template).stream(QUESTION, max_tokens=1) if isinstance(e, Reading))
    assert reading.of == len("Answer.") + len("\n\n") + len("How?") + 3


def test_a_model_without_a_template_answers(answerer: Make) -> None:
    assert written(list(answerer(template=None, order=["a"]).stream(QUESTION, max_tokens=3))) == "aaa"


@pytest.mark.parametrize("template", ["{% for", "{{ 1 / 0 }}", "nothing of what it is given"])
def test_a_template_that_fails_is_said(answerer: Make, template: str) -> None:
    with pytest.raises(ModelUnavailable, match="template"):
        list(answerer(template=template).stream(QUESTION))


def test_a_prompt_longer_than_the_context_is_refused_and_the_model_lives_on(answerer: Make) -> None:
    model = answerer(context=256)
    with pytest.raises(BadRequest, match="do not fit into a context of 256"):
        list(model.stream([Message("user", "x" * 300)]))
    assert list(model.stream(QUESTION, max_tokens=2))


def test_an_answer_ends_where_the_context_ends(answerer: Make) -> None:
    events = list(answerer(context=256, order=["a"]).stream([Message("user", "x" * 200)], max_tokens=500))
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert (finished.reason, finished.prompt_tokens + finished.tokens) == ("length", 256)


def test_a_grammar_that_is_none_is_refused(answerer: Make) -> None:
    model = answerer()
    with pytest.raises(ModelUnavailable, match="grammar"):
        list(model.stream(QUESTION, grammar='root ::= "a'))
    assert list(model.stream(QUESTION, max_tokens=2))


def test_cancelling_ends_the_answer_and_keeps_the_model(answerer: Make) -> None:
    model = answerer(order=["a"])
    stop = threading.Event()
    text = ""
    for event in model.stream(QUESTION, max_tokens=2000, cancelled=stop.is_set):
        if isinstance(event, Text):
            text += event.text
            if len(text) == 5:
                stop.set()
    assert isinstance(event, Finished)
    assert event.reason == "cancelled"
    assert event.tokens < 2000
    assert written(list(model.stream(QUESTION, max_tokens=3))) == "aaa"


def test_whoever_stops_reading_leaves_a_model_that_answers_the_next(answerer: Make) -> None:
    model = answerer(order=["a"])
    model.context()
    stream = model.stream(QUESTION, max_tokens=2000)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert written(list(model.stream(QUESTION, max_tokens=3))) == "aaa"


def test_a_question_that_is_cancelled_while_it_waits_for_another_is_dropped(answerer: Make) -> None:
    model = answerer(order=["a"])
    first = model.stream(QUESTION, max_tokens=2000)
    next(first)
    with pytest.raises(Interrupted):
        list(model.stream(QUESTION, cancelled=lambda: True))
    first.close()  # type: ignore[attr-defined]


def test_a_process_that_dies_is_reported_and_the_next_question_starts_another(answerer: Make) -> None:
    model = answerer(order=["a"])
    model.context()
    running = model._process._running
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert written(list(model.stream(QUESTION, max_tokens=3))) == "aaa"
    stream = model.stream(QUESTION, max_tokens=2000)
    next(stream)
    assert model._process._running is not None
    os.kill(model._process._running.pid, signal.SIGILL)
    with pytest.raises(ModelUnavailable, match="another processor"):
        list(stream)
    assert written(list(model.stream(QUESTION, max_tokens=3))) == "aaa"


def test_closing_ends_the_process_in_the_middle_of_an_answer(answerer: Make) -> None:
    model = answerer(order=["a"])
    stream = model.stream(QUESTION, max_tokens=2000)
    next(stream)
    running = model._process._running
    assert running is not None
    model.close()
    assert running.poll() is not None
    with pytest.raises(ModelUnavailable, match="closed"):
        list(stream)
    with pytest.raises(ModelUnavailable, match="closed"):
        model.context()


def test_a_file_cut_off_in_its_weights_is_named_so(tmp_path: Path) -> None:
    whole = tiny_llama(tmp_path / "whole.gguf").read_bytes()
    for keep in (len(whole) - 40, len(whole) // 2, 2000, 30):
        cut = tmp_path / "cut.gguf"
        cut.write_bytes(whole[:keep])
        with pytest.raises(ModelUnavailable, match=r"damaged|incomplete"):
            GgufAnswerer(cut).context()


def test_a_file_with_damage_in_its_header_is_named_so(tmp_path: Path) -> None:
    whole = bytearray(tiny_llama(tmp_path / "whole.gguf").read_bytes())
    whole[24:32] = b"\xff" * 8
    (tmp_path / "bad.gguf").write_bytes(whole)
    with pytest.raises(ModelUnavailable, match="damaged"):
        GgufAnswerer(tmp_path / "bad.gguf").context()


def test_a_model_of_an_unknown_architecture_is_refused_by_llama_cpp_itself(tmp_path: Path) -> None:
    whole = tiny_llama(tmp_path / "whole.gguf").read_bytes().replace(b"llama", b"lamal")
    (tmp_path / "odd.gguf").write_bytes(whole)
    model = GgufAnswerer(tmp_path / "odd.gguf")
    with pytest.raises(ModelUnavailable, match=r"unknown model architecture.*newer than"):
        model.context()
    model.close()


def test_a_model_too_large_for_the_memory_is_refused_before_it_is_loaded(tmp_path: Path) -> None:
    large = tiny_llama(tmp_path / "large.gguf")
    os.truncate(large, 1 << 42)  # sparse: takes no room on the disk
    with pytest.raises(ModelUnavailable, match=r"needs about 4096\.\d GB of memory.*smaller"):
        GgufAnswerer(large).context()


def test_an_embedding_model_is_not_taken_for_one_that_answers(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="embedding model"):
        GgufAnswerer(tiny_bert(tmp_path / "bert.gguf")).context()


def test_an_embedding_model_gives_vectors_of_length_one(tmp_path: Path) -> None:
    process = LlamaProcess(tiny_bert(tmp_path / "bert.gguf"), ModelOptions(), embed=True)
    vectors = process.ask({"op": "embed", "texts": ["open a file", "close a file", "open a file", "", "x" * 5000]})[
        "vectors"
    ]
    process.close()
    assert vectors[0] == vectors[2] != vectors[1]
    assert [round(sum(value * value for value in vector), 4) for vector in vectors] == [1.0] * 5


@pytest.mark.parametrize(("code", "says"), [(-9, "memory"), (-11, "damaged"), (-4, "another processor"), (1, "code 1")])
def test_the_way_a_process_ended_says_what_to_do(code: int, says: str) -> None:
    assert says in reason(code)
