"""query_code with a real model behind the real server, and `rpg ask` on a real terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from shop import write_graph, write_repository

import rpg
from rpg.models.answerer import GgufAnswerer, ModelOptions
from rpg.server import build_server
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings
from tests.tiny_models import tiny_bert, tiny_llama

pytestmark = pytest.mark.llm
HOW = {"question": "How does the checkout add up the total of a cart?"}
CITES = ("<|end|>", "[", "Ġ", "a")
"""A letter, a blank, a citation, the end: the shortest answer that the grammar lets through."""
LIKE_A_LARGE_MODEL = (
    "from rpg.queries.answer import evidence_weights\n"
    "evidence_weights.CHOOSES_FROM = 0\n"
    "from rpg.__main__ import main\n"
    "main()\n"
)
TALKS = ("a",)
"""Never comes to a citation."""


@pytest.fixture(autouse=True)
def treated_like_a_large_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rpg.queries.answer.evidence_weights.CHOOSES_FROM", 0)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("query")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture
def serving(shop: Path) -> Iterator[Callable[[Path], Graphs]]:
    made = []

    def serve(model: Path) -> Graphs:
        # One thread: on a busy machine several wait for one another.
        made.append(Graphs([shop], Settings(answerer=GgufAnswerer(model, ModelOptions(threads=1)))))
        return made[-1]

    yield serve
    for graphs in made:
        graphs.close()


def asked(graphs: Graphs, work: Any) -> Any:
    async def run() -> Any:
        with anyio.fail_after(120):
            async with Client(build_server(graphs, structured=True)) as client:
                return await work(client)

    return anyio.run(run)


def test_an_answer_comes_with_progress_and_figures(serving: Callable[[Path], Graphs], tmp_path: Path) -> None:
    heard: list[str] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async def work(client: Client) -> Any:
        return await client.call_tool("query_code", HOW, progress_callback=told)

    result = asked(serving(tiny_llama(tmp_path / "cites.gguf", context=8_192, order=CITES)), work)
    answer = result.structured_content
    assert answer["grounded"]
    assert re.fullmatch(r"a \[\S+:\d+-\d+\]", answer["answer"])
    assert answer["answer"] in result.content[0].text
    assert answer["figures"]["load_seconds"] > 0
    assert answer["figures"]["tokens_per_second"] > 0
    stages = list(dict.fromkeys(message.rpartition(" ")[0] for message in heard))
    assert stages == ["loading the model", "reading the evidence", "writing", "a"]
    assert answer["answer"] in heard, "the sentence itself is sent while the next is written"


def test_others_are_answered_meanwhile_and_a_cancelled_answer_ends(
    serving: Callable[[Path], Graphs], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rpg.queries.answer.evidence_weights.ANSWER_TOKENS", 1 << 20)
    graphs = serving(tiny_llama(tmp_path / "talks.gguf", context=8_192, order=TALKS))
    finished: list[str] = []

    async def work(client: Client) -> Any:
        writing = anyio.Event()

        async def told(progress: float, total: float | None, message: str | None) -> None:
            if (message or "").startswith("writing"):
                writing.set()

        async def ask() -> None:
            await client.call_tool("query_code", HOW, progress_callback=told)
            finished.append("answered")

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await writing.wait()
            other = await client.call_tool("find_usages", {"symbol": "Base.save"})
            meanwhile = list(finished)
            group.cancel_scope.cancel()
        monkeypatch.setattr("rpg.queries.answer.evidence_weights.ANSWER_TOKENS", 3)
        again = await client.call_tool("query_code", HOW)
        return other, meanwhile, again

    other, meanwhile, again = asked(graphs, work)
    assert other.structured_content["symbols"]
    assert meanwhile == []
    assert finished == []
    assert again.structured_content["figures"]["tokens"] == 3


def corrupt(path: Path) -> Path:
    whole = bytearray(tiny_llama(path).read_bytes())
    whole[24:32] = b"\xff" * 8
    path.write_bytes(whole)
    return path


def no_gguf(path: Path) -> Path:
    path.write_bytes(b"PK\x03\x04 and more")
    return path


def cut_off(path: Path) -> Path:
    whole = tiny_llama(path).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


def too_large(path: Path) -> Path:
    os.truncate(tiny_llama(path), 1 << 42)  # sparse: takes no room on the disk
    return path


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (corrupt, "MODEL_UNAVAILABLE: .* is damaged"),
        (no_gguf, "MODEL_UNAVAILABLE: .* is not a GGUF file"),
        (cut_off, "MODEL_UNAVAILABLE: .* is incomplete"),
        (too_large, "MODEL_UNAVAILABLE: .* GB of memory"),
        (tiny_bert, "MODEL_UNAVAILABLE: .* is an embedding model"),
        (lambda path: tiny_llama(path, context=512), "BAD_REQUEST: .* larger context"),
    ],
    ids=["corrupt", "no GGUF", "cut off", "too large", "embeds", "small context"],
)
def test_a_model_that_cannot_answer_is_said_and_the_server_goes_on(
    serving: Callable[[Path], Graphs], tmp_path: Path, write: Callable[[Path], Path], says: str
) -> None:
    async def work(client: Client) -> Any:
        failed = await client.call_tool("query_code", HOW)
        return failed, await client.call_tool("query_code", {**HOW, "answer": "extract"})

    failed, evidence = asked(serving(write(tmp_path / "model.gguf")), work)
    assert failed.is_error
    assert re.match(says, failed.content[0].text)
    assert evidence.structured_content["evidence"]


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # how Linux says that the other end was closed
        return b""


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are opened in another way there")
def test_a_terminal_gets_the_answer_with_links(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RPG_LINKS", "open://{path}?{line}")
    model = tiny_llama(tmp_path / "cites.gguf", context=8_192, order=CITES)
    text = on_a_terminal(HOW["question"], shop, model, monkeypatch)
    root = (shop.parent / "shop").as_posix()
    assert re.search(rf"a \x1b\]8;;open://{re.escape(root)}/(\S+)\?(\d+)\x1b\\\[\1:\2-\d+\]\x1b\]8;;\x1b\\", text)
    assert "== 1. " in re.sub(r"\x1b\[[\d;]*m", "", text)
    assert "words of the model" not in text


def test_a_terminal_shows_the_words_that_the_model_searched_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short").mkdir()
    (tmp_path / "short/sums.py").write_text("def aa(prices):\n    return sum(prices)\n\n\ndef bb():\n    return 1\n")
    rpg.encode(tmp_path / "short", output=str(tmp_path / "short.graph.json"), workers=1)
    model = tiny_llama(tmp_path / "cites.gguf", context=8_192, order=CITES)
    asked = "what does somebody owe us at the very end?"
    text = on_a_terminal(asked, tmp_path / "short.graph.json", model, monkeypatch)
    assert "searched with the words of the model: aa" in text
    assert "== 1. function aa " in re.sub(r"\x1b\[[\d;]*m", "", text)


def on_a_terminal(question: str, graph: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    import pty

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    arguments = ["ask", question, "-g", str(graph), "--model", str(model), "--threads", "1"]
    terminal, other_end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", LIKE_A_LARGE_MODEL, *arguments], stdin=other_end, stdout=other_end, stderr=other_end
    ) as running:
        os.close(other_end)
        text = b"".join(iter(lambda: read(terminal), b"")).decode()
    os.close(terminal)
    assert running.returncode == 0
    return text
