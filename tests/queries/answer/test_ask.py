"""`rpg ask`: the answer on a terminal, sentence by sentence and with links; the options of the model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shop import write_graph, write_repository

from rpg.cli import ask, run
from rpg.cli.arguments.model_options import model_options, take_answerer, time_option
from rpg.cli.ask import Screen, keep_text, link_citations, link_to
from rpg.models.answerer import GgufAnswerer, ModelOptions
from rpg.tools import TOOLS
from rpg.tools.query_code import Answered, Excerpt

HOW = "How does the checkout add up the total of a cart?"
NO_MODEL = {"model": None, **{option.name: option.default for option in model_options() if option.name != "model"}}


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ask")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RPG_LINKS", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("socket.gethostname", lambda: "host")


def test_a_citation_opens_the_file_at_its_line(tmp_path: Path) -> None:
    root = tmp_path / "a shop"
    written = link_citations("It sums [shop/cart.py:16-17].", link_to(root))
    target = f"file://host{tmp_path.as_posix()}/a%20shop/shop/cart.py#16"
    assert written == f"It sums \x1b]8;;{target}\x1b\\[shop/cart.py:16-17]\x1b]8;;\x1b\\."


@pytest.mark.parametrize(
    ("variable", "value", "starts"),
    [
        ("RPG_LINKS", "editor://open?file={path}&line={line}", "\x1b]8;;editor://open?file=/r/a.py&line=3\x1b\\"),
        ("TERM_PROGRAM", "vscode", "\x1b]8;;vscode://file/r/a.py:3\x1b\\"),
        ("RPG_LINKS", "none", "[a.py:3-4]"),
        ("TERM", "dumb", "[a.py:3-4]"),
    ],
)
def test_links_are_written_as_the_editor_wants_them(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, starts: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert link_citations("[a.py:3-4]", link_to(Path("/r"))).startswith(starts)


def test_without_the_sources_there_is_nothing_to_open() -> None:
    assert link_to(None) is keep_text


@pytest.mark.parametrize(
    ("pieces", "answer", "shown"),
    [
        (["It sums [a.py:1-2].", " It ends [a.py:3-4]."], "It sums [a.py:1-2]. It ends [a.py:3-4].", None),
        (["It sums [a.py:1-2]."], "It sums [a.py:1-2]. More.", "It sums [a.py:1-2]. More.\n"),
        ([], "It sums.", "It sums.\n"),
        (["It sums [a.py:1-2]."], "Another.", "It sums [a.py:1-2].\nAnother.\n"),
        ([], "", ""),
    ],
)
def test_the_answer_is_shown_once_and_whole(
    capsys: pytest.CaptureFixture[str], pieces: list[str], answer: str, shown: str | None
) -> None:
    with Screen(keep_text) as screen:
        for piece in pieces:
            screen.write(piece)
        screen.finish(answer)
    assert capsys.readouterr().out == (f"{answer}\n" if shown is None else shown)


def test_below_an_answer_stands_its_evidence() -> None:
    excerpt = Excerpt(path="a-b.py", lines=["3-9", "12"], name="f", kind="function", score=1.0, text="def f(): ...")
    result = Answered(found=True, grounded=True, asks="how", answer="It does [a-b.py:3-9].", evidence=[excerpt])
    told = ask.rest(TOOLS["query_code"], result, lambda text, place: f"<{place}|{text}>")
    assert "== 1. function f <a-b.py:3|a-b.py:3-9,12>" in told
    assert "def f(): ..." in told
    assert "It does" not in told


def test_without_an_answer_the_evidence_is_shown_with_its_places_linked() -> None:
    excerpt = Excerpt(path="a.py", lines=["3-9"], name="f", kind="function", score=1.0, text="def f(): ...")
    result = Answered(found=True, grounded=False, asks="how", evidence=[excerpt], related=["def g():  b.py:7"])
    told = ask.rest(TOOLS["query_code"], result, lambda text, place: f"<{place}|{text}>")
    assert "== 1. function f <a.py:3|a.py:3-9>" in told
    assert "  def g():  <b.py:7|b.py:7>" in told
    assert "def f(): ..." in told


def test_in_a_pipe_there_are_no_links_and_json_is_complete(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", HOW, "-g", str(made)]) == 0
    text = capsys.readouterr().out
    assert run(["ask", HOW, "-g", str(made), "--json"]) == 0
    structured = json.loads(capsys.readouterr().out)

    assert "\x1b" not in text
    assert structured["calls"][0] == "checkout"
    assert all(each["name"] in text for each in structured["evidence"])
    assert run(["ask", "How are invoices printed on paper?", "-g", str(made)]) == 0
    assert capsys.readouterr().out.startswith('weak: nothing here names "invoices"')
    assert run(["ask", "Qqqzz?", "-g", str(made)]) == 1


def test_without_a_model_none_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RPG_MODEL")
    given = {**NO_MODEL, "question": HOW}
    assert take_answerer(given) is None
    assert given == {"question": HOW}
    assert take_answerer({**NO_MODEL, "model": "none"}, or_packaged=True) is None
    monkeypatch.setenv("RPG_MODEL", "other.gguf")
    answerer = take_answerer({**NO_MODEL})
    assert answerer is not None
    assert answerer.name == "other.gguf"


def test_an_answer_has_a_minute_unless_somebody_says_otherwise() -> None:
    plain = take_answerer({**NO_MODEL, "model": "a.gguf", "time_limit": time_option().default})
    longer = take_answerer({**NO_MODEL, "model": "a.gguf", "time_limit": 300.0})
    assert plain is not None
    assert longer is not None
    assert (plain.seconds, longer.seconds) == (60.0, 300.0)


def test_options_say_how_the_model_is_run_and_default_to_the_same_answer_again() -> None:
    plain = take_answerer({**NO_MODEL, "model": "a.gguf"})
    given = {"context": 4096, "threads": 3, "gpu_layers": 20, "temperature": 0.7, "seed": 9}
    tuned = take_answerer({"model": "a.gguf", **given})
    assert isinstance(plain, GgufAnswerer)
    assert isinstance(tuned, GgufAnswerer)
    assert plain.options == ModelOptions()
    assert (plain.options.temperature, plain.options.seed) == (0.0, 1)
    assert tuned.options == ModelOptions(context=4096, threads=3, gpu_layers=20, temperature=0.7, seed=9)


def test_a_model_that_is_not_there_is_said(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", HOW, "-g", str(made), "--model", str(tmp_path / "none.gguf")]) == 3
    assert "MODEL_UNAVAILABLE: there is no file" in capsys.readouterr().err
