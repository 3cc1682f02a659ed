"""`rpg lift` with the real llama.cpp, and models whose preferences are known."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pytest
from area_sources import FILES
from repositories import write

from rpg.cli import run
from rpg.encoder.options import Options
from rpg.errors import ModelUnavailable
from rpg.models.answerer import GgufAnswerer, ModelOptions
from rpg.queries.lift.subjects import subjects
from rpg.queries.lift.writing import BATCH, Written, batches, lift
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index
from rpg.stores.lifted_texts import LiftedTexts
from tests.tiny_models import tiny_llama

pytestmark = pytest.mark.llm
WRITES = ("Ċ", "Ġ", "d", "a")
"""Ends a line as soon as it may, else a word, else `d`, else `a`."""


@pytest.fixture(autouse=True)
def treated_like_a_large_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rpg.queries.answer.evidence_weights.CHOOSES_FROM", 0)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    files = {path: text for path, text in FILES.items() if not path.startswith("shop/catalogue")}
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    return tmp_path / "shop.graph.json"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_llama(tmp_path / "tiny.gguf", context=8_192, order=WRITES)


def lifted(graph: Path, model: Path, limit: int = 0) -> Written:
    answerer = GgufAnswerer(model, ModelOptions(threads=1))
    index = Index.open_read_only(index_path(graph))
    try:
        return lift(index, answerer, "shop", limit)
    finally:
        index.close()
        answerer.close()


def texts(graph: Path) -> list[str]:
    return [each.text for each in LiftedTexts(index_path(graph)).all().values() if each.provenance == "model"]


def unlifted(graph: Path) -> int:
    index = Index.open_read_only(index_path(graph))
    try:
        return len(subjects(index).unlifted)
    finally:
        index.close()


def test_a_batch_is_written_and_the_next_run_goes_on_with_the_rest(graph: Path, model: Path) -> None:
    whole = unlifted(graph)
    first = lifted(graph, model, limit=20)
    second = lifted(graph, model)

    assert first.kept + first.refused == 20
    assert first.kept >= BATCH
    assert first.lifted == first.kept
    assert second.kept + second.refused == whole - 20
    assert len(texts(graph)) == first.kept + second.kept
    assert all(3 <= len(text.split()) <= 8 for text in texts(graph) if text.islower())


@pytest.mark.invariant(
    "written texts and vectors",
    "a written feature or title follows the rules, and a server accepts them only if it was asked to",
)
def test_what_breaks_the_rules_is_counted_and_left_as_it_was(tmp_path: Path, model: Path) -> None:
    use = write(tmp_path / "bad", {"one.py": "import d\n\n\ndef price(x):\n    return d.of(x)\n"})
    encode(use, tmp_path / "bad.graph.json", Options(), workers=1)
    written = lifted(tmp_path / "bad.graph.json", model)

    assert written.kept == 0
    assert written.refused == written.left > 0
    assert texts(tmp_path / "bad.graph.json") == []
    assert lifted(tmp_path / "bad.graph.json", model).refused == 0, "it would write the same again"


def test_a_run_that_ends_in_the_middle_keeps_its_batches(graph: Path, model: Path) -> None:
    answerer = GgufAnswerer(model, ModelOptions(threads=1))
    index = Index.open_read_only(index_path(graph))

    def killed(stage: str, done: int, total: int) -> None:
        if done >= BATCH:
            answerer.close()

    with pytest.raises(ModelUnavailable):
        lift(index, answerer, "shop", report=killed)
    index.close()
    before = len(LiftedTexts(index_path(graph)).all())
    left = unlifted(graph)
    after = lifted(graph, model)

    assert before >= BATCH
    assert after.kept + after.refused <= left
    assert len(LiftedTexts(index_path(graph)).all()) == before + after.kept + after.refused


def test_after_a_kill_the_next_run_writes_just_the_rest(graph: Path, model: Path) -> None:
    index = Index.open_read_only(index_path(graph))
    *ends, whole = accumulate(len(batch) for batch in batches(subjects(index).unlifted))
    index.close()
    code = "import rpg.queries.answer.evidence_weights as w; w.CHOOSES_FROM = 0; from rpg.__main__ import main; main()"
    command = [sys.executable, "-c", code, "lift", "-g", str(graph), "--model", str(model), "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None and not LiftedTexts(index_path(graph)).all():
            pass
        running.kill()
    before = len(LiftedTexts(index_path(graph)).all())
    after = lifted(graph, model)

    assert before in ends, "each batch is kept whole"
    assert after.kept + after.refused == whole - before


@pytest.mark.parametrize("full", [False, True])
def test_an_encode_keeps_what_was_written(graph: Path, model: Path, full: bool) -> None:
    lifted(graph, model)
    left, before = unlifted(graph), texts(graph)
    file = graph.parent / "shop/shop/billing/tax.py"
    file.write_text(file.read_text() + "\n\ndef brand_new(argument):\n    return argument\n")
    encode(graph.parent / "shop", graph, Options(), workers=1, full=full)

    assert texts(graph) == before
    assert unlifted(graph) == left + 2, "the new function, and the module"


def test_the_command_says_what_was_written(graph: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lift", "-g", str(graph), "--model", str(model), "--threads", "1", "--limit", "12", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["kept"] + figures["refused"] == 12
    assert figures["lifted"] == len(texts(graph))


def test_without_a_model_it_says_what_to_do(
    graph: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RPG_MODEL", "none")
    assert run(["lift", "-g", str(graph)]) == 2
    assert "--model" in capsys.readouterr().err
