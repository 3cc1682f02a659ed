"""Whatever happens to a repository, step by step: the graph file that is kept up to date has the bytes of one that is
made from nothing, and every tool that asks answers the same.

Histories are drawn by hypothesis, the same ones every time (tests/histories.py). 300 of them run with the tests;
`bin/test --sequences 2000 tests/test_incremental_property.py` runs more.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from histories import PATHS, Folder, History, histories
from hypothesis import given, settings
from hypothesis import strategies as st

from rpg.encoder.languages import BY_NAME
from rpg.encoder.options import Options
from rpg.encoder.parse import parse
from rpg.errors import EncodeFailed, RpgError
from rpg.queries.budget import plain
from rpg.repository import encode
from rpg.tools import TOOLS
from rpg.tools.call import Call
from rpg.tools.graphs import Graphs

TYPESCRIPT_CASES = "typescript"
FIXTURES = Path(__file__).parent.parent / "fixtures"
OPTIONS = (Options(), Options(), Options(exclude=("src/util/", "tests/")), Options(include=("*.py", "*.ts", "*.md")))
QUESTIONS = TOOLS.keys() - {"encode", "forget"}


def questions(graph: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool that asks, about symbols, files and folders that a graph has."""
    nodes = graph["nodes"]
    ids = [node["id"] for node in nodes]
    files = [node["id"] for node in nodes if node["kind"] in ("module", "file")]
    middle, last = ids[len(ids) // 2], ids[-1]
    yield "stats", {}
    yield "search", {"query": "what a customer is about to buy", "expand": True}
    yield "search", {"query": "tot", "mode": "symbol", "match": "prefix", "excerpts": True}
    yield "fetch", {"targets": [middle, last, files[0]], "relations": True}
    yield "explore", {"start": [middle], "direction": "both", "depth": 3}
    yield "explore", {"start": ["./"], "edges": ["structure"], "depth": 4}
    for id in dict.fromkeys((ids[len(ids) // 3], middle, last)):
        yield "find_usages", {"symbol": id, "transitive": 2}
    for target in dict.fromkeys((files[len(files) // 2], "./")):
        yield "get_dependencies", {"target": target, "direction": "both", "transitive": True, "external": True}
    yield "query_code", {"question": "Who sums prices?", "answer": "extract"}


def answers(graphs: Graphs, graph: dict[str, Any]) -> dict[str, bytes]:
    """What each tool says, without how fresh it is."""
    found = {}
    for tool, arguments in questions(graph):
        try:
            said = plain(TOOLS[tool].run(Call(graphs), arguments))
        except RpgError as error:
            said = {"error": error.code, "message": error.message}
        for each in (said, *said.get("repositories", ())):
            each.pop("state", None)
        found[f"{tool} {arguments}"] = orjson.dumps(said)
    return found


class Clean:
    """What a clean encode of the same files makes of them, and what the tools say of that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Any, tuple[bytes, dict[str, bytes]] | None] = {}

    def of(self, root: Path, options: Options, state: Any) -> tuple[bytes, dict[str, bytes]] | None:
        """None where there is nothing to encode. `state` names what is in the folder, all of it."""
        key = state, options
        if state is None or key not in self._known:
            self._known[key] = self._made(root, options)
        return self._known[key]

    def _made(self, root: Path, options: Options) -> tuple[bytes, dict[str, bytes]] | None:
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            output = Path(folder) / "shop.graph.json"
            try:
                encode(root, output, options, workers=1, full=True)
            except EncodeFailed:
                return None
            graphs = Graphs([output])
            try:
                written = output.read_bytes()
                return written, answers(graphs, orjson.loads(written))
            finally:
                graphs.close()


class Kept:
    """The graph that is kept up to date: by a server that is asked throughout, or by a command after each step."""

    def __init__(self, root: Path, output: Path, options: Options, is_served: bool) -> None:
        self.options = options
        self._root, self._output, self._is_served = root, output, is_served
        encode(root, output, options, workers=1)
        self._graphs = Graphs([output])

    def close(self) -> None:
        self._graphs.close()

    def refuses(self) -> bool:
        """Whether it says that the sources cannot be encoded as they are, and by that also what it is behind on."""
        if not self._is_served:
            try:
                encode(self._root, self._output, self.options, workers=1)
            except EncodeFailed:
                return True
            return False
        with Call(self._graphs).view("") as view:
            return "could not be encoded" in view.state.note

    def answers(self, graph: bytes) -> dict[str, bytes]:
        if not self._is_served:
            encode(self._root, self._output, self.options, workers=1)
            self._graphs.close()
            self._graphs = Graphs([self._output])
        return answers(self._graphs, orjson.loads(graph))

    def written(self) -> bytes:
        return self._output.read_bytes()


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """In memory where there is such a file system: thousands of tiny databases are synced otherwise."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def clean(place: Path) -> Clean:
    # The parser raises the recursion limit once, which hypothesis must not see happen under its hands.
    parse("a.py", BY_NAME["python"], b"")
    return Clean(place)


@pytest.fixture
def without_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Folders are walked, and no process is started to hear that they are no repositories."""
    monkeypatch.setenv("PATH", str(tmp_path))


@contextmanager
def begun(place: Path, history: History, files: dict[str, str] | None = None) -> Iterator[tuple[Folder, Kept]]:
    """A folder with the files that a history starts with, and a graph of it. It is the same folder each time: answers
    name it."""
    top = place / "kept"
    shutil.rmtree(top, ignore_errors=True)
    root = top / "shop"
    root.mkdir(parents=True)
    folder = Folder(root, history, files)
    kept = Kept(root, top / "shop.graph.json", OPTIONS[history.options % len(OPTIONS)], history.is_served)
    try:
        yield folder, kept
    finally:
        kept.close()


def compare(kept: Kept, expected: tuple[bytes, dict[str, bytes]] | None) -> None:
    if expected is None:
        assert kept.refuses()
        return
    graph, said = expected
    found = kept.answers(graph)
    assert kept.written().decode() == graph.decode()
    assert {question: found[question].decode() for question in said if found[question] != said[question]} == {}


def live(place: Path, clean: Clean, history: History, files: dict[str, str] | None = None) -> None:
    with begun(place, history, files) as (folder, kept):
        for step in (None, *history.steps):
            if step is not None:
                folder.do(step)
            compare(kept, clean.of(folder.root, kept.options, frozenset(folder.files.items())))


def drawn(
    config: pytest.Config, share: float, histories: st.SearchStrategy[History], live: Callable[[Any], None]
) -> None:
    """Calls `live` with a share of the sequences that were asked for."""

    @settings(max_examples=max(1, round(share * config.getoption("--sequences"))))
    @given(histories)
    def each(history: History) -> None:
        live(history)

    each()


@pytest.mark.usefixtures("without_git")
@pytest.mark.parametrize("repository", PATHS)
def test_what_is_kept_up_to_date_equals_what_is_made_from_nothing(
    repository: str, place: Path, clean: Clean, pytestconfig: pytest.Config
) -> None:
    share = {"python": 0.36, "typescript": 0.36, "mixed": 0.12}[repository]
    drawn(pytestconfig, share, histories(PATHS[repository]), lambda history: live(place, clean, history))
