"""Whatever happens to a repository, step by step: the graph file that is kept up to date has the bytes of one that is
made from nothing, and every tool that asks answers the same.

Histories are drawn by hypothesis, the same ones every time (tests/histories.py). 300 of them run with the tests;
`bin/test --sequences 2000 tests/resolve/test_incremental_property.py` runs more.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from histories import GIT_KINDS, PATHS, Folder, GitFolder, History, Step, histories
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from repositories import read

from rpg.encoder.languages import BY_NAME
from rpg.encoder.options import Options
from rpg.encoder.parsing.parse import parse
from rpg.encoder.resolve import incremental_update
from rpg.errors import EncodeFailed, RpgError
from rpg.queries.graph.budget import plain
from rpg.repository import encode, index_path
from rpg.repository.encoding import incremental
from rpg.stores.graph_file.nodes import add_symbol_ids
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index
from rpg.stores.search import field_weights
from rpg.stores.search.numbers import pack, unpack
from rpg.stores.search.places import numbers_of_runs
from rpg.stores.search.tables import postings
from rpg.stores.search.text_trigrams import having
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs

FIXTURES = Path(__file__).parents[2] / "fixtures"
OPTIONS = (
    Options(),
    Options(),
    Options(exclude=("src/util/", "tests/")),
    Options(include=("*", "!*.json", "!*.toml", "!*.cfg", "!go.mod")),
)
"""The last keeps out what says something about other files."""


MOVED = tuple(path for path in PATHS["python"] if path.endswith((".py", ".pyi", ".md", ".rst", ".txt")))
"""Files that are followed where they come and go."""


def questions(graph: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool that asks, about symbols, files and folders that a graph has."""
    nodes = add_symbol_ids(graph)["nodes"]
    ids = [node["id"] for node in nodes]
    files = [node["id"] for node in nodes if node["kind"] in ("module", "file")]
    middle, last = ids[len(ids) // 2], ids[-1]
    yield "stats", {}
    for of in ("unused", "duplicates", "cycles", "hubs"):
        yield "stats", {"of": of}
    yield "search", {"query": "what a customer is about to buy", "expand": True}
    yield "search", {"query": "tot", "mode": "symbol", "match": "prefix", "excerpts": True}
    yield "search", {"query": "prizes", "mode": "symbol"}
    yield "search", {"query": "total = price(order) * 2\nreturn total + 1\n", "mode": "similar"}
    yield "fetch", {"targets": [middle, last, files[0]], "relations": True}
    yield "explore", {"start": [middle], "direction": "both", "depth": 3}
    yield "explore", {"start": ["./"], "edges": ["structure"], "depth": 4}
    for id in dict.fromkeys((ids[len(ids) // 3], middle, last)):
        yield "find_usages", {"symbol": id, "transitive": 2}
    for target in dict.fromkeys((files[len(files) // 2], "./")):
        yield "get_dependencies", {"target": target, "direction": "both", "transitive": True, "external": True}
    yield "check", {}
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
            each.pop("when", None)
        found[f"{tool} {arguments}"] = orjson.dumps(said)
    return found


class Clean:
    """What a clean encode of the same files makes of them, and what the tools say of that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Any, tuple[bytes, dict[str, bytes]] | None] = {}

    def of(self, root: Path, options: Options, state: Any) -> tuple[bytes, dict[str, bytes]] | None:
        """None where there is nothing to encode. `state` names what is in the folder, all of it."""
        key = state, options, field_weights.AVERAGE_STEP
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


def everything(folder: Folder) -> Any:
    """What is in a folder: files, and folders, of which an empty one may be told of as skipped."""
    folders = (path.relative_to(folder.root).as_posix() for path in folder.root.rglob("*") if path.is_dir())
    return frozenset(folder.files.items()), frozenset(folders)


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

    def index(self) -> Path:
        return index_path(self._output)


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


@pytest.fixture(params=["averages move", "averages stay"])
def averages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large repository they stay with nearly every edit, and search is brought up to date; in small ones they move
    with every other, and its tables are made anew."""
    if request.param == "averages stay":
        monkeypatch.setattr(field_weights, "AVERAGE_STEP", 1e9)


@contextmanager
def begun(
    place: Path, history: History, files: dict[str, str] | None = None, kind: type[Folder] = Folder
) -> Iterator[tuple[Folder, Kept]]:
    """A folder with the files that a history starts with, and a graph of it. It is the same folder each time: answers
    name it."""
    top = place / "kept"
    shutil.rmtree(top, ignore_errors=True)
    root = top / "shop"
    root.mkdir(parents=True)
    folder = kind(root, history, files)
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
    assert {question: found.get(question) for question in said if found.get(question) != said[question]} == {}


def live(place: Path, clean: Clean, history: History, files: dict[str, str] | None = None) -> None:
    with begun(place, history, files) as (folder, kept):
        for step in (None, *history.steps):
            if step is not None:
                folder.do(step)
            compare(kept, clean.of(folder.root, kept.options, everything(folder)))


def drawn(
    config: pytest.Config, share: float, histories: st.SearchStrategy[History], live: Callable[[Any], None]
) -> None:
    """Calls `live` with a share of the sequences that were asked for."""

    number = max(1, round(share * config.getoption("--sequences")))

    @settings(max_examples=number, phases=set(Phase) - {Phase.explain})
    @given(histories)
    def each(history: Any) -> None:
        live(history)

    each()


@pytest.mark.invariant("encoding", "an incremental encode equals a clean one, byte for byte, in graph file and answers")
@pytest.mark.usefixtures("without_git", "averages")
@pytest.mark.parametrize("repository", PATHS)
def test_what_is_kept_up_to_date_equals_what_is_made_from_nothing(
    repository: str, place: Path, clean: Clean, pytestconfig: pytest.Config
) -> None:
    share = {"python": 0.17, "typescript": 0.17, "mixed": 0.05, "all tiers": 0.06, "jvm": 0.05}[repository]
    drawn(pytestconfig, share, histories(PATHS[repository]), lambda history: live(place, clean, history))


@pytest.mark.invariant("encoding", "an incremental encode equals a clean one, byte for byte, in graph file and answers")
@pytest.mark.usefixtures("without_git", "averages")
@pytest.mark.parametrize("repository", PATHS)
def test_so_it_does_if_many_files_change_at_once(
    repository: str, place: Path, clean: Clean, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a branch is switched. Small repositories are followed as far as large ones are."""
    follow_all(monkeypatch)

    def live_at_once(history: History) -> None:
        with begun(place, history) as (folder, kept):
            for step in history.steps:
                folder.do(step)
            compare(kept, clean.of(folder.root, kept.options, everything(folder)))

    drawn(pytestconfig, 0.09, histories(PATHS[repository]), live_at_once)


def follow_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "MOST", 100)
    monkeypatch.setattr(incremental_update, "MOST_AFFECTED", 100)


@pytest.mark.invariant("encoding", "an incremental encode equals a clean one, byte for byte, in graph file and answers")
@pytest.mark.usefixtures("without_git")
def test_so_it_does_where_files_come_go_and_move(
    place: Path, clean: Clean, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In languages that say how a file is found, with switches back and forth; some of it is followed."""
    follow_all(monkeypatch)
    outcomes: list[int | None] = []
    encode_affected = incremental.encode_affected

    def noted(*arguments: Any) -> int | None:
        outcomes.append(encode_affected(*arguments))
        return outcomes[-1]

    monkeypatch.setattr(incremental, "encode_affected", noted)
    steps = histories(MOVED, kinds=("add", "add", "delete", "rename", "move", "revert", "switch", "edit"))
    drawn(pytestconfig, 0.1, steps, lambda history: live(place, clean, history._replace(is_served=False)))
    assert any(made is not None for made in outcomes)


@pytest.mark.invariant("encoding", "an updated index has the same rows as a new one")
@pytest.mark.usefixtures("without_git", "clean", "averages")
@pytest.mark.parametrize("repository", PATHS)
def test_an_index_that_is_kept_up_to_date_holds_the_same_rows(
    repository: str, place: Path, pytestconfig: pytest.Config
) -> None:
    """Also those that no question here happens to ask for; numbers aside, which only tell what comes first."""
    made = place / "made.graph.json"

    def live_in_rows(history: History) -> None:
        with begun(place, history._replace(is_served=False)) as (folder, kept):
            for step in history.steps:
                folder.do(step)
                if kept.refuses():
                    continue
                encode(folder.root, made, kept.options, workers=1, full=True)
                assert rows_of(kept.index()) == rows_of(index_path(made))

    drawn(pytestconfig, 0.09, histories(PATHS[repository]), live_in_rows)


def rows_of(path: Path) -> dict[str, Any]:
    """All that an index holds, in its order, with ids and places in place of numbers."""
    opened = Index.open_read_only(path)
    try:
        ids = dict(opened.rows("SELECT id, symbol FROM symbols"))
        edges = opened.rows("SELECT source, target, kind, via, sites FROM edges ORDER BY source, position")
        places = opened.rows("SELECT source, name, line, column, reason, call, bare FROM places ORDER BY rowid")
        return {
            "symbols": list(stored_graph.symbols(opened)),
            "parents": [ids.get(parent) for (parent,) in opened.rows("SELECT parent FROM symbols ORDER BY id")],
            "edges": [(ids[row[0]], ids[row[1]], *row[2:]) for row in edges],
            "places": [(ids[row[0]], *row[1:]) for row in places],
            "files": opened.rows("SELECT path, language, hash, size, source, facts, terms FROM files ORDER BY path"),
            **search_rows_of(opened, ids),
        }
    finally:
        opened.close()


def files_of(blob: bytes) -> list[int]:
    return [number for number, has in enumerate(having(blob)) if has]


def search_rows_of(opened: Index, ids: dict[int, str]) -> dict[str, Any]:
    statistics = dict(opened.rows("SELECT key, value FROM search_statistics"))
    kinds = ("unit_numbers", "block_numbers", "file_numbers", "name_numbers")
    numbers = [numbers_of_runs(statistics.pop(kind)).tolist() for kind in kinds]
    # Nothing has a number that no place has, and no two places have one.
    unit, block, file, name = ({number: place for place, number in enumerate(each)} for each in numbers)
    assert [len(each) for each in (unit, block, file, name)] == [len(each) for each in numbers]

    def placed(blob: bytes, place: dict[int, int]) -> list[tuple[int, int]]:
        having, levels = postings(blob) if place is not name else (unpack(blob), bytes(len(unpack(blob))))
        assert having.tolist() == sorted(having)
        assert blob == (pack(having) + bytes(levels) if place is not name else pack(having))
        return sorted((place[number], level) for number, level in zip(having, levels, strict=True))

    units = opened.rows("SELECT unit, symbol, vector, fingerprint FROM search_units")
    terms = opened.rows("SELECT term, units, blocks, files FROM search_terms ORDER BY term")
    names = opened.rows("SELECT id, folded, names FROM search_names")
    trigrams = opened.rows("SELECT trigram, names FROM search_trigrams ORDER BY trigram")
    texts = opened.rows("SELECT trigram, files FROM search_texts ORDER BY trigram")
    paths = dict(opened.rows("SELECT id, path FROM files"))
    return {
        "search_statistics": statistics,
        "units": sorted((unit[row[0]], ids[row[1]], *row[2:]) for row in units),
        "search_terms": [(row[0], *map(placed, row[1:], (unit, block, file))) for row in terms],
        "search_names": sorted((name[row[0]], *row[1:]) for row in names),
        "search_trigrams": [(row[0], placed(row[1], name)) for row in trigrams],
        "search_texts": [(row[0], sorted(paths[number] for number in files_of(row[1]))) for row in texts],
    }


def test_so_it_does_where_git_changes_the_files(place: Path, clean: Clean, pytestconfig: pytest.Config) -> None:
    """What the header says of the commit belongs to the bytes."""

    def live_in_git(history: History) -> None:
        with begun(place, history, kind=GitFolder) as (folder, kept):
            for step in (None, *history.steps):
                if step is not None:
                    folder.do(step)
                compare(kept, clean.of(folder.root, kept.options, None))

    drawn(pytestconfig, 0.04, histories(PATHS["mixed"], most=4, kinds=GIT_KINDS), live_in_git)


@pytest.mark.usefixtures("without_git")
def test_so_it_does_in_every_kind_of_construct(place: Path, clean: Clean, pytestconfig: pytest.Config) -> None:
    """Cases of the fixtures, as they are written down there, changed at random."""
    cases = [read(folder) for folder in sorted(FIXTURES.glob("*/*/"))]
    drawn_cases = st.sampled_from(cases).flatmap(
        lambda files: st.tuples(st.just(files), histories((*files, "cart.py", "src/cart.ts"), most=3))
    )
    drawn(pytestconfig, 0.06, drawn_cases, lambda both: live(place, clean, both[1], both[0]))


@pytest.mark.usefixtures("without_git")
def test_so_it_does_in_code_that_nobody_here_wrote(place: Path, clean: Clean, pytestconfig: pytest.Config) -> None:
    """Installed packages; and repositories that are named, of any language."""
    folders = [Path(folder) for folder in pytestconfig.getoption("--history-of")] or [installed("iniconfig")]
    for folder in folders:
        files = {path: text for path, text in read(folder).items() if "__pycache__" not in path}
        drawn(
            pytestconfig,
            0.02,
            histories((*files, *PATHS["mixed"]), most=3),
            lambda history, files=files: live(place, clean, history, files),
        )


def installed(package: str) -> Path:
    specification = importlib.util.find_spec(package)
    assert specification
    assert specification.origin
    return Path(specification.origin).parent


@pytest.mark.usefixtures("without_git")
def test_a_graph_that_is_not_kept_up_to_date_is_noticed(place: Path, clean: Clean) -> None:
    """The comparison itself: of the bytes, and of what is answered where the bytes are those expected."""
    step = Step("edit", 0, 0, (13, 10))
    history = History(PATHS["python"], ((0, (8,)),), (step,), True, False, False, 0)
    with begun(place, history) as (folder, kept):
        state = clean.of(folder.root, kept.options, None)
        compare(kept, state)
        folder.do(step)
        changed = clean.of(folder.root, kept.options, None)
        assert state
        assert changed
        assert {question.split()[0] for question in changed[1]} == TOOLS.keys() - {"encode", "forget"}
        with pytest.raises(AssertionError):
            compare(kept, state)
        with pytest.raises(AssertionError):
            compare(kept, (changed[0], state[1]))
        compare(kept, changed)


@pytest.mark.parametrize("is_served", [True, False])
def test_configuration_that_the_options_keep_out_is_followed(place: Path, clean: Clean, is_served: bool) -> None:
    """Here three of the steps are of a file that no listing has."""
    paths = '{"compilerOptions": {"paths": {"shop/*": ["./%s/*"]}}}\n'
    module = "export function price() { return 1; }\n"
    files = {"src/cart.ts": module, "lib/cart.ts": module, "main.ts": 'import { price } from "shop/cart";\nprice();\n'}
    without_configuration = 3
    history = History(PATHS["typescript"], (), (), is_served, False, False, without_configuration)
    graphs = []
    with begun(place, history, files) as (folder, kept):
        for text in (None, paths % "src", paths % "lib", None):
            folder.become(files if text is None else files | {"tsconfig.json": text})
            expected = clean.of(folder.root, kept.options, None)
            compare(kept, expected)
            assert expected
            graphs.append(expected[0])
    assert len(set(graphs)) == 3
