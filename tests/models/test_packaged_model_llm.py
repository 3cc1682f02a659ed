"""The model of the extra `llm` itself: what it answers from real excerpts, and what becomes of it if it is killed."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from shop import write_graph, write_repository

from rpg.cli import run
from rpg.encoder.options import options_for
from rpg.errors import ModelUnavailable
from rpg.models import gguf_file, llama_process
from rpg.models.answerer import Finished, GgufAnswerer, Message, ModelOptions, Sampling, Text, choose_answerer
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.answer import answer
from rpg.queries.answer.retelling import grammar, messages
from rpg.queries.lift.rules import problem_with_feature
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index
from rpg.stores.lifted_texts import LiftedTexts

pytestmark = pytest.mark.llm
HOW = "How does the checkout add up the total of a cart?"
CODE = '''\
def find_user(session, name):
    """Looks a user up by name, and creates one with an empty password if there is none."""
    user = session.users.get(name)
    if user is None:
        user = session.create_user(name, password="")
    return user
'''


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture(scope="module")
def index(graph: Path) -> Iterator[Index]:
    opened = Index.open_read_only(index_path(graph))
    yield opened
    opened.close()


@pytest.fixture
def model() -> Iterator[GgufAnswerer]:
    # One thread: on a busy machine several wait for one another.
    made = choose_answerer("smollm2", ModelOptions(context=2_048, threads=1, seconds=0))
    assert made is not None
    yield made
    made.close()


def sentence(model: GgufAnswerer, code: str = CODE, name: str = "find_user") -> tuple[str, Finished]:
    events = list(
        model.stream(
            messages(code, name), grammar=grammar(code, is_class=False), max_tokens=weights.SENTENCE_TOKENS,
            sampling=Sampling(repetition=weights.REPETITION),
        )
    )  # fmt: skip
    finished = events[-1]
    assert isinstance(finished, Finished)
    return "".join(event.text for event in events if isinstance(event, Text)), finished


def test_it_writes_one_sentence_about_an_excerpt(model: GgufAnswerer) -> None:
    assert 100_000_000 < model.parameters() < weights.CHOOSES_FROM
    written, finished = sentence(model)
    assert re.fullmatch(r"It [a-z]+s [^.]+\.", written), written
    assert finished.reason == "end"
    assert "user" in written


def test_the_beginning_of_the_prompt_is_read_once(model: GgufAnswerer) -> None:
    first, finished = sentence(model)
    assert finished.kept_tokens == 0
    again, finished = sentence(model)
    assert finished.kept_tokens == finished.prompt_tokens
    assert again == first
    _, finished = sentence(model, CODE.replace("find_user", "look_up"), "look_up")
    assert 5 < finished.kept_tokens < finished.prompt_tokens - 50
    back, finished = sentence(model)
    assert finished.kept_tokens < finished.prompt_tokens
    assert back == first, "what was read before changes nothing"


def test_what_was_written_lately_is_less_likely_to_be_written_again(model: GgufAnswerer) -> None:
    asked = [Message("user", "Say the word yes twenty times.")]

    def words(repetition: float) -> list[str]:
        events = model.stream(
            asked, grammar='root ::= [a-z]+ (" " [a-z]+){15} "."', max_tokens=80, sampling=Sampling(0, 1, repetition)
        )
        return "".join(event.text for event in events if isinstance(event, Text)).split()

    assert len(set(words(1.5))) > len(set(words(1.0)))


def test_every_sentence_of_an_answer_stands_in_the_lines_that_it_cites(index: Index, model: GgufAnswerer) -> None:
    result = answer(index, HOW, max_tokens=2_000, answerer=model, repository="shop")
    lines = result.text.split("\n") if result.text else []
    shown = {
        (each.path, each.start + at): line
        for piece in result.evidence.pieces
        for each, text in zip(piece.lines, piece.texts, strict=True)
        for at, line in enumerate(text.split("\n"))
    }
    assert len(set(lines)) == len(lines)
    for line in lines:
        cited = re.findall(r"\[(\S+):(\d+)-(\d+)\]", line)
        assert cited, line
        text = "\n".join(
            shown[path, number] for path, start, end in cited for number in range(int(start), int(end) + 1)
        )
        for name in re.findall(r"`([^`]+)`", line):
            assert re.search(rf"\b{re.escape(name)}\b", text), line
    assert result.written is not None
    assert result.written.tokens > 0


def test_the_command_uses_it_if_nothing_else_is_named_and_says_so(
    graph: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RPG_MODEL")
    assert run(["ask", HOW, "-g", str(graph), "--threads", "1", "--time-limit", "0"]) == 0
    assert "written by SmolLM2-135M-Instruct.Q4_1.gguf: " in capsys.readouterr().out
    assert run(["ask", HOW, "-g", str(graph), "--answer", "extract"]) == 0
    assert "written by" not in capsys.readouterr().out


def test_killed_in_the_middle_it_is_reported_and_the_next_question_starts_it_again(
    index: Index, model: GgufAnswerer
) -> None:
    stream = model.stream([Message("user", "Count to a thousand.")], max_tokens=500)
    next(stream)
    running = model._process._running
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)
    with pytest.raises(ModelUnavailable, match="memory"):
        list(stream)
    assert answer(index, HOW, max_tokens=1_000, answerer=model).written is not None


def test_out_of_memory_is_said_before_it_is_loaded(model: GgufAnswerer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_process, "available_memory", lambda: 1 << 20)
    assert gguf_file.available_memory() != 1 << 20
    with pytest.raises(ModelUnavailable, match="GB of memory with a context of 2048"):
        model.context()


def test_a_slow_one_ends_at_the_time_limit_with_the_evidence(index: Index) -> None:
    slow = choose_answerer("smollm2", ModelOptions(context=2_048, threads=1, seconds=0.01))
    assert slow is not None
    try:
        result = answer(index, HOW, max_tokens=1_000, answerer=slow)
    finally:
        slow.close()
    assert result.cut
    assert "--time-limit" in result.note
    assert result.evidence.pieces


def test_it_describes_functions_without_a_comment_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RPG_MODEL")
    (tmp_path / "users").mkdir()
    said = CODE.replace("find_user", "said")
    silent = "".join(line for line in CODE.splitlines(keepends=True) if '"""' not in line)
    (tmp_path / "users/users.py").write_text(f"{said}\n\n{silent}\n\ndef short(a):\n    return a.b\n")
    encode(tmp_path / "users", tmp_path / "users.graph.json", options_for(tmp_path / "users"), workers=1)
    assert run(["lift", "-g", str(tmp_path / "users.graph.json"), "--threads", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["kept"] + figures["refused"] == 1
    for lifted in LiftedTexts(index_path(tmp_path / "users.graph.json")).all().values():
        assert not lifted.text or problem_with_feature(lifted.text, ()) == ""
