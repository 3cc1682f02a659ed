"""Several repositories in one server: which of them a call is about, how their answers are put together, and what stays
apart."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import ResourceTemplateReference
from repositories import bare, repository
from wire import SERVE, call, serving

import rpg
from rpg.server import build_server, describe_tool
from rpg.tools import TOOLS
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings

SOURCES = {
    "tea": {
        "tea/pot.py": "def pour(cup):\n    '''Fill a cup with tea.'''\n    return cup\n\n\ndef boil():\n    pour(1)\n"
    },
    "milk": {"milk/jug.py": "def pour(glass):\n    '''Fill a glass with milk.'''\n    return glass\n"},
    "sugar": {"sugar/bowl.py": "def take(lumps):\n    '''Take lumps of sugar.'''\n    return lumps\n"},
}
WORDS = "open close count sort read write send find copy move join split wash paint".split()
for name, files in SOURCES.items():  # so that words and scores have something to stand out from
    files[f"{name}/other.py"] = "\n\n".join(f"def {word}_{name}(it):\n    return it.{word}()" for word in WORDS)
FETCHES = Settings(allows_files=True)
QUESTIONS: dict[str, dict[str, Any]] = {
    "search": {"query": "pour"},
    "fetch": {"targets": ["pour"]},
    "explore": {"start": ["pour"]},
    "find_usages": {"symbol": ["pour"]},
    "get_dependencies": {"target": ["./"]},
    "query_code": {"question": "how is a cup filled", "answer": "extract"},
    "stats": {},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three graphs; nothing may be changed there."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "graphs").mkdir()
    for name, files in SOURCES.items():
        rpg.encode(repository(folder / name, files), output=str(folder / "graphs" / f"{name}.graph.json"))
    return folder / "graphs"


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "graphs"
    folder.mkdir()
    for name in ("tea", "milk"):
        rpg.encode(made.parent / name, output=str(folder / f"{name}.graph.json"))
    return folder


def paths(folder: Path, *names: str) -> list[Path]:
    return [folder / f"{name}.graph.json" for name in names]


def asked(graphs: Graphs, *calls: tuple[str, dict[str, Any]], structured: bool = False) -> list[Any]:
    async def run() -> list[Any]:
        async with Client(build_server(graphs, structured=structured)) as client:
            return [await client.call_tool(tool, arguments) for tool, arguments in calls]

    try:
        return anyio.run(run)
    finally:
        graphs.close()


def told(answer: Any) -> str:
    text: str = answer.content[0].text
    return text


@pytest.mark.parametrize("tool", QUESTIONS)
def test_every_tool_answers_for_one_two_and_all(made: Path, tool: str) -> None:
    graphs = Graphs(paths(made, *SOURCES))
    calls = [(tool, {**QUESTIONS[tool], "graph": graph}) for graph in ("tea", "tea,milk", "all")]

    one, two, every = map(told, asked(graphs, *calls))

    assert "milk" not in one
    assert "tea" in two
    assert "milk" in two
    assert "sugar" not in two
    assert all(name in every for name in SOURCES)


@pytest.mark.parametrize("tool", QUESTIONS)
def test_records_of_several_match_the_listed_schema(made: Path, tool: str) -> None:
    """The client checks them."""
    graphs = Graphs(paths(made, *SOURCES))

    one, every = asked(graphs, (tool, {**QUESTIONS[tool], "graph": "tea"}), (tool, QUESTIONS[tool]), structured=True)

    assert not one.is_error
    assert not every.is_error
    if tool != "stats":
        assert [each["graph"] for each in every.structured_content["graphs"]] == list(SOURCES)


@pytest.mark.invariant(
    "several graphs",
    "a call without `graph` queries the graphs that the server was started with; a graph outside the "
    "scope cannot be found under any name or through another graph",
)
def test_without_graph_those_answer_that_the_server_was_started_with(made: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "coffee", {"coffee.py": "def pour():\n    pass\n"})
    graphs = Graphs(paths(made, "tea"), Settings(output_folder=tmp_path))

    before, encoded, after, named, every = asked(
        graphs,
        ("find_usages", {"symbol": "pour"}),
        ("encode", {"repository": str(other)}),
        ("find_usages", {"symbol": "pour"}),
        ("find_usages", {"symbol": "pour", "graph": "coffee"}),
        ("find_usages", {"symbol": "pour", "graph": "all"}),
    )

    assert not encoded.is_error
    assert told(before) == told(after)
    assert "coffee.py::pour" in told(named)
    assert "== graph tea" in told(every) or "tea 1 hit" in told(every)
    assert "nothing in coffee" in told(every)


def test_a_name_its_beginning_and_a_list_choose_graphs(made: Path) -> None:
    graphs = Graphs(paths(made, *SOURCES))
    wanted = {"sugar": 1, "su": 1, "t": 1, "tea, mi": 2, "tea,tea": 1, "all": 3, "": 3, "sugar.graph.json": 1}

    assert {each: len(graphs.served.select_graphs(each)) for each in wanted} == wanted
    (unknown,) = asked(graphs, ("search", {"query": "pour", "graph": "tea,cocoa"}))
    assert told(unknown) == "BAD_REQUEST: no graph is called 'cocoa'; loaded: tea, milk, sugar"


@pytest.mark.parametrize("tool", QUESTIONS)
def test_a_list_of_graphs_is_taken_too(made: Path, tool: str) -> None:
    calls = [(tool, {**QUESTIONS[tool], "graph": graph}) for graph in ("tea,milk", ["tea", "milk"], ["tea", 1])]

    written, listed, wrong = asked(Graphs(paths(made, *SOURCES)), *calls)

    assert re.sub(r"\d+ ms", "", told(listed)) == re.sub(r"\d+ ms", "", told(written))
    assert told(wrong).startswith(f"BAD_REQUEST: argument 'graph' of {tool}: input should be a valid string, not list")


@pytest.mark.invariant(
    "several graphs",
    "each line of an answer from several graphs names its graph; one that is unavailable is reported, or "
    "with `strict` fails the call",
)
def test_each_graph_says_what_it_found_and_how_long_it_took(made: Path) -> None:
    graphs = Graphs(paths(made, *SOURCES))

    text, searched = map(told, asked(graphs, ("fetch", {"targets": ["pour"]}), ("search", {"query": "pour"})))

    first, second, *_ = text.split("\n")
    assert re.fullmatch(r"tea 1 hit, \d+ ms; milk 1 hit, \d+ ms", first)
    assert re.fullmatch(r"nothing in sugar \(\d+ ms\)", second)
    assert text.index("== graph tea\n== tea/pot.py:1-3") < text.index("== graph milk\n== milk/jug.py:1-3")
    assert re.search(r"^tea: tea/pot\.py:1-3  function pour  0\.9\d  \[exact\]$", searched, re.MULTILINE)
    assert re.search(r"^milk: milk/jug\.py:1-3  function pour  0\.9\d  \[exact\]$", searched, re.MULTILINE)


def test_a_graph_that_answers_best_comes_first_wherever_it_is_listed(made: Path) -> None:
    question = {"query": "fill a glass with milk"}

    first, last = (
        told(*asked(Graphs(paths(made, *names)), ("search", question)))
        for names in (("milk", "sugar", "tea"), ("tea", "sugar", "milk"))
    )

    for text in (first, last):
        hits = [line for line in text.split("\n") if "  function " in line]
        assert hits[0].startswith("milk: milk/jug.py")


def test_a_question_is_answered_by_those_that_have_an_answer(made: Path) -> None:
    question = {"question": "where are lumps of sugar taken", "answer": "extract"}

    (every,) = asked(Graphs(paths(made, *SOURCES)), ("query_code", question))
    nowhere, of_milk = asked(
        Graphs(paths(made, *SOURCES)), ("query_code", {**question, "question": "how is a goose plucked"}),
        ("query_code", {**question, "graph": "milk"}),
    )  # fmt: skip

    assert re.match(
        r"sugar \d+ hits?, \d+ ms\nweak, so not shown; ask with `graph`: tea \(\d+ ms\), milk \(\d+ ms\)\n"
        r"== graph sugar\n", told(every)
    )  # fmt: skip
    assert "== graph tea" not in told(every)
    assert "weak: " in told(of_milk)
    assert "not shown" not in told(nowhere)


@pytest.mark.invariant(
    "several graphs",
    "each line of an answer from several graphs names its graph; one that is unavailable is reported, or "
    "with `strict` fails the call",
)
def test_one_that_is_unavailable_is_reported_or_with_strict_fails_the_call(made: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.graph.json"
    broken.write_text("not json")
    graphs = Graphs([*paths(made, "tea"), broken])
    question = {"targets": ["pour"]}

    left, strict, alone, loaded = asked(
        graphs, ("fetch", question), ("fetch", {**question, "strict": True}),
        ("fetch", {**question, "graph": "broken"}), ("stats", {"strict": True}),
    )  # fmt: skip

    assert not left.is_error
    assert "tea 1 hit" in told(left)
    assert re.search(r"\nunavailable: broken, \d+ ms, GRAPH_NOT_LOADED: ", told(left))
    assert strict.is_error
    assert told(strict).startswith("GRAPH_NOT_LOADED: broken: ")
    assert alone.is_error
    assert loaded.is_error


def test_what_no_graph_has_is_an_error_and_what_is_wrong_is_said_once(made: Path) -> None:
    graphs = Graphs(paths(made, *SOURCES))

    nothing, wrong = asked(graphs, ("fetch", {"targets": ["stir"]}), ("search", {}))

    assert nothing.is_error
    assert told(nothing).startswith("SYMBOL_NOT_FOUND: tea: ")
    assert told(nothing).endswith("(2 other graphs without an answer too)")
    assert told(wrong).startswith("BAD_REQUEST: tea: search needs a `query`")


@pytest.mark.parametrize("tool", [name for name in QUESTIONS if name not in ("stats", "explore")])
def test_an_answer_of_several_keeps_to_its_budget(made: Path, tool: str) -> None:
    graphs = Graphs(paths(made, *SOURCES))

    (answer,) = asked(graphs, (tool, {**QUESTIONS[tool], "max_tokens": 200}))

    assert len(told(answer).encode()) <= 800
    assert "tea" in told(answer)


def test_a_cursor_goes_on_in_its_graph(made: Path) -> None:
    graphs = Graphs(paths(made, *SOURCES))
    question: dict[str, Any] = {"start": ["./"], "edges": ["structure"], "limit": 1}
    (page,) = asked(graphs, ("explore", question))
    found = re.search(r"more, with graph tea: cursor (\S+)", told(page))
    assert found

    everywhere, there = asked(
        Graphs(paths(made, *SOURCES)),
        ("explore", {**question, "cursor": found[1]}), ("explore", {**question, "cursor": found[1], "graph": "tea"}),
    )  # fmt: skip

    assert told(everywhere).startswith("BAD_REQUEST: a cursor continues in one graph")
    assert not there.is_error


# A library


def test_a_graph_that_is_encoded_into_a_library_is_served_at_once(library: Path, made: Path) -> None:
    graphs = Graphs(library=library)

    async def work(client: Client) -> Any:
        before = await client.call_tool("search", {"query": "lumps"})
        await anyio.to_thread.run_sync(
            lambda: rpg.encode(made.parent / "sugar", output=str(library / "sugar.graph.json"))
        )
        after = await client.call_tool("search", {"query": "lumps"})
        listed = {str(each.uri) for each in (await client.list_resources()).resources}
        gone = await client.call_tool("forget", {"graph": "tea"})
        (library / "milk.graph.json").unlink()
        return before, after, listed, gone, await client.call_tool("search", {"query": "lumps"})

    before, after, listed, gone, last = with_client(graphs, work)

    assert "sugar" not in told(before)
    assert "sugar: sugar/bowl.py:1-3" in told(after)
    assert "repository://sugar" in listed
    assert not gone.is_error
    assert "tea" not in told(last)
    assert "milk" not in told(last)


def with_client(graphs: Graphs, work: Any) -> Any:
    async def run() -> Any:
        async with Client(build_server(graphs)) as client:
            return await work(client)

    try:
        return anyio.run(run)
    finally:
        graphs.close()


def test_what_is_encoded_goes_into_the_library_and_answers_without_being_named(library: Path, tmp_path: Path) -> None:
    root = repository(tmp_path / "cocoa", {"cocoa.py": "def stir():\n    pass\n"})

    encoded, found = asked(
        Graphs(library=library), ("encode", {"repository": str(root)}), ("search", {"query": "stir"})
    )

    assert str(library / "cocoa.graph.json") in told(encoded)
    assert "cocoa: cocoa.py:1-2  function stir" in told(found)


@pytest.mark.invariant(
    "several graphs",
    "a call without `graph` queries the graphs that the server was started with; a graph outside the "
    "scope cannot be found under any name or through another graph",
)
@pytest.mark.parametrize("graph", ["milk", "mi", "all", "", "milk.graph.json", "tea,milk"])
def test_a_server_with_a_scope_answers_for_nothing_else(library: Path, graph: str) -> None:
    graphs = Graphs(library=library, scope=["tea", "su*"])

    answer, by_path, forgotten, listed = asked(
        graphs, ("search", {"query": "pour", "graph": graph}),
        ("search", {"query": "pour", "graph": str(library / "milk.graph.json")}),
        ("forget", {"graph": "milk"}), ("stats", {}),
    )  # fmt: skip

    assert "jug" not in told(answer)
    assert by_path.is_error
    assert forgotten.is_error
    assert "milk" not in told(listed).replace("'milk'", "")
    assert (library / "milk.graph.json").exists()


def test_a_server_with_a_scope_encodes_nothing_else(library: Path, tmp_path: Path) -> None:
    root = repository(tmp_path / "cocoa", {"cocoa.py": "def stir():\n    pass\n"})

    (refused,) = asked(Graphs(library=library, scope=["tea"]), ("encode", {"repository": str(root)}))

    assert told(refused).startswith("FORBIDDEN: this server does not answer for 'cocoa'")
    assert not (library / "cocoa.graph.json").exists()


def test_a_scope_judges_one_of_two_graphs_by_the_name_that_it_is_listed_under(tmp_path: Path) -> None:
    first, second = (repository(tmp_path / home / "tea", SOURCES["tea"]) for home in ("left", "right"))
    paths = [root.parent / "tea.graph.json" for root in (first, second)]
    for root, path in zip((first, second), paths, strict=True):
        rpg.encode(root, output=str(path))
    before = paths[1].read_bytes()

    refused, allowed = asked(
        Graphs(paths, scope=["left/*"]),
        ("encode", {"repository": str(first), "output": str(paths[1])}),
        ("encode", {"repository": str(first), "output": str(paths[0])}),
    )

    assert told(refused).startswith("FORBIDDEN: this server does not answer for 'right/tea'")
    assert paths[1].read_bytes() == before
    assert not allowed.is_error
    (alone,) = asked(Graphs(paths, scope=["tea"]), ("encode", {"repository": str(first), "output": str(paths[1])}))
    assert told(alone).startswith("FORBIDDEN")


@pytest.mark.invariant(
    "several graphs",
    "a call without `graph` queries the graphs that the server was started with; a graph outside the "
    "scope cannot be found under any name or through another graph",
)
@pytest.mark.parametrize("target", ["{other}/milk/jug.py", "../milk/milk/jug.py", "milk/jug.py"])
def test_no_graph_is_reached_through_another(made: Path, target: str) -> None:
    written = target.format(other=made.parent / "milk")

    (answer,) = asked(Graphs(paths(made, "tea", "milk")), ("fetch", {"targets": [written], "graph": "tea"}))

    assert answer.is_error
    assert "glass" not in told(answer)


def test_forget_takes_one_graph_by_its_whole_name(library: Path) -> None:
    answers = asked(Graphs(library=library), *(("forget", {"graph": each}) for each in ("te", "all", "tea,milk", "")))

    assert all(told(each).startswith("BAD_REQUEST") for each in answers)
    assert {each.name for each in library.glob("*.json")} == {"tea.graph.json", "milk.graph.json"}


def test_the_process_serves_a_library_and_tells_its_client_in_few_words(library: Path) -> None:
    with serving("--library", library, "--scope", "tea", "--scope", "milk", greeted=False) as wire:
        wire.greet()
        wire.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}, call(2, "stats"))
        tools, stats = (each["result"] for each in sorted(wire.answers(2), key=lambda each: each["id"]))

    of_one = [
        describe_tool(tool, False).model_dump(by_alias=True, exclude_none=True, mode="json") for tool in TOOLS.values()
    ]
    assert len(json.dumps(tools["tools"])) - len(json.dumps(of_one)) <= 300
    assert {"graph", "strict"} <= set(tools["tools"][0]["inputSchema"]["properties"])
    assert "tea  ready" in stats["content"][0]["text"]
    assert "milk  ready" in stats["content"][0]["text"]


# Many


@pytest.fixture
def crowd(made: Path, tmp_path: Path) -> Path:
    """A library of the same graph under many names."""
    folder = tmp_path / "crowd"
    folder.mkdir()
    for number in range(210):
        (folder / f"tea{number:03}.graph.json").hardlink_to(made / "tea.graph.json")
    return folder


@pytest.mark.invariant(
    "several graphs",
    "in a library of thousands, a query to one graph costs as much as in a small library; a call opens at"
    " most 200, and idle graphs are closed",
)
def test_a_graph_of_many_is_asked_by_its_name(crowd: Path) -> None:
    listed, of_one, of_all, of_some = asked(
        Graphs(library=crowd),
        ("stats", {}), ("search", {"query": "pour", "graph": "tea007"}), ("search", {"query": "pour"}),
        ("search", {"query": "pour", "graph": "tea00,tea010,tea011,tea012"}),
    )  # fmt: skip

    assert told(listed).startswith("tea000  ready  ")
    assert len(told(listed).splitlines()) == 101
    assert told(listed).endswith("and 110 more: `graph` takes the beginning of a name")
    assert "pot.py" in told(of_one)
    assert told(of_all).startswith("BAD_REQUEST: this would query 210 graphs, and a call queries at most 200")
    assert "; and 1 more with hits\n" in told(of_some)
    assert told(of_some).count("pot.py") == 13


@pytest.mark.invariant(
    "several graphs",
    "in a library of thousands, a query to one graph costs as much as in a small library; a call opens at"
    " most 200, and idle graphs are closed",
)
@pytest.mark.parametrize(("idle_seconds", "are_kept"), [(0.0, False), (1_800.0, True)])
def test_graphs_that_nobody_asks_for_are_closed(
    crowd: Path, idle_seconds: float, are_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rpg.tools.loaded.graphs.OPEN", 2)
    monkeypatch.setattr("rpg.tools.loaded.graphs.IDLE_SECONDS", idle_seconds)
    graphs = Graphs(library=crowd)
    first, *others = graphs.paths()[:3]
    opened = graphs.repository(first)

    for path in others:
        graphs.repository(path)

    assert (graphs.repository(first) is opened) == are_kept
    graphs.close()


def test_a_library_that_is_not_a_folder_is_refused(tmp_path: Path) -> None:

    ran = subprocess.run([*SERVE, "--library", str(tmp_path / "none")], capture_output=True, text=True, check=False)

    assert ran.returncode == 2
    assert "is not a folder" in ran.stderr


# State, completion, subscriptions


@pytest.mark.invariant(
    "several graphs",
    "questions are answered while another repository is encoded from a URL, whose state is shown without "
    "its credentials; subscribers are notified of changes only",
)
def test_a_fourth_is_encoded_from_a_url_while_questions_are_answered(library: Path, made: Path, tmp_path: Path) -> None:
    url = bare(tmp_path, "cocoa", {f"cocoa/{word}.py": f"def {word}_cocoa():\n    pass\n" for word in WORDS}).as_uri()
    rpg.encode(made.parent / "sugar", output=str(library / "sugar.graph.json"))
    seen: list[str] = []

    async def work(client: Client) -> Any:
        answers, encoded = [], []
        await client.call_tool("stats", {})  # opens the graphs, so that the next ones take no time

        async def encode() -> None:
            encoded.append(await client.call_tool("encode", {"repository": url}))

        async def ask() -> None:
            while not encoded:
                seen.append(told(await client.call_tool("stats", {})))
                answers.append(await client.call_tool("search", {"query": "pour", "graph": "tea,milk,sugar"}))

        async with anyio.create_task_group() as both:
            both.start_soon(encode)
            both.start_soon(ask)
        return answers, encoded[0], await client.call_tool("search", {"query": "paint_cocoa"})

    answers, encoded, found = with_client(Graphs(library=library, settings=FETCHES), work)

    assert not encoded.is_error, told(encoded)
    assert answers
    assert all("tea: tea/pot.py:1-3" in told(each) for each in answers)
    assert any(f"{url}  pending  since 2" in each or f"{url}  encoding  since 2" in each for each in seen)
    assert "cocoa: cocoa/paint.py:1-2" in told(found)


@pytest.mark.invariant(
    "several graphs",
    "questions are answered while another repository is encoded from a URL, whose state is shown without "
    "its credentials; subscribers are notified of changes only",
)
def test_an_encode_that_failed_is_in_stats_until_one_succeeds(library: Path, tmp_path: Path) -> None:
    url = f"file://me:secret@localhost{tmp_path}/cocoa.git"

    failed, stats, of_all, of_one = asked(
        Graphs(library=library, settings=FETCHES), ("encode", {"repository": url}),
        *(("stats", {"graph": graph}) for graph in ("", "all", "tea")),
    )  # fmt: skip
    bare(tmp_path, "cocoa", {"cocoa.py": "def stir():\n    pass\n"})
    shown = url.replace("me:secret@localhost", "")
    made_again = (tmp_path / "cocoa.git").as_uri()
    graphs = Graphs(library=library, settings=FETCHES)
    again, *after = asked(graphs, ("encode", {"repository": made_again}), ("stats", {}))

    assert failed.is_error
    assert f"{shown}  error  since 2" in told(stats)
    assert "ENCODE_FAILED" in told(stats)
    assert told(of_all) == told(stats)
    assert "ENCODE_FAILED" not in told(of_one)
    assert "secret" not in told(failed) + told(stats)
    assert not again.is_error, told(again)
    assert "  error  " not in told(after[0])


def test_names_paths_and_symbols_are_completed(made: Path) -> None:
    graphs = Graphs(paths(made, *SOURCES))

    async def work(client: Client) -> Any:
        async def completed(template: str, argument: str, begun: str, **known: str) -> list[str]:
            reference = ResourceTemplateReference(type="ref/resource", uri=template)
            said = await client.complete(reference, {"name": argument, "value": begun}, known or None)
            return list(said.completion.values)

        return [
            await completed("repository://{name}", "name", ""),
            await completed("code://{name}/{+path}", "name", "t"),
            await completed("code://{name}/{+path}", "path", "tea/p", name="tea"),
            await completed("symbol://{name}/{+id}", "id", "tea/pot.py::", name="tea"),
            await completed("code://{name}/{+path}", "path", "*", name="tea"),
            await completed("code://{name}/{+path}", "path", "", name="nowhere"),
        ]

    every, begun, inner, symbols, star, unknown = with_client(graphs, work)

    assert every == list(SOURCES)
    assert begun == ["tea"]
    assert inner == ["tea/pot.py"]
    assert sorted(symbols) == ["tea/pot.py::boil", "tea/pot.py::pour"]
    assert star == unknown == []


@pytest.mark.invariant(
    "several graphs",
    "questions are answered while another repository is encoded from a URL, whose state is shown without "
    "its credentials; subscribers are notified of changes only",
)
def test_a_subscriber_is_notified_when_a_graph_changes(library: Path, made: Path, tmp_path: Path) -> None:
    root = repository(tmp_path / "cocoa", {"cocoa.py": "def stir():\n    pass\n"})
    rpg.encode(root, output=str(library / "cocoa.graph.json"))
    requests = [
        {"method": "resources/subscribe", "params": {"uri": uri}}
        for uri in ("repository://cocoa", "repository://tea", "repository://nowhere")
    ]
    with serving("--library", library) as wire:
        wire.send(*({"jsonrpc": "2.0", "id": number, **each} for number, each in enumerate(requests)))
        subscribed = wire.answers(3)
        wire.send(call(10, "search", query="stir"))
        assert wire.answer()["id"] == 10
        (root / "cocoa.py").write_text("def stir():\n    pass\n\n\ndef shake():\n    pass\n")
        wire.send(call(11, "encode", repository=str(root)))
        told_of = [wire.answer(), wire.answer()]

    assert ["error" in each for each in sorted(subscribed, key=lambda each: each["id"])] == [False, False, True]
    notices = [each for each in told_of if each.get("method") == "notifications/resources/updated"]
    assert [each["params"]["uri"] for each in notices] == ["repository://cocoa"]
    assert "shake" not in json.dumps(notices)


def test_a_listener_is_notified_when_a_graph_changes(library: Path, tmp_path: Path) -> None:
    root = repository(tmp_path / "cocoa", {"cocoa.py": "def stir():\n    pass\n"})
    rpg.encode(root, output=str(library / "cocoa.graph.json"))

    async def work(client: Client) -> Any:
        async with client.listen(resource_subscriptions=["repository://cocoa", "repository://tea"]) as heard:
            (root / "cocoa.py").write_text("def stir():\n    pass\n\n\ndef shake():\n    pass\n")
            await client.call_tool("encode", {"repository": str(root)})
            return await anext(aiter(heard))

    event = with_client(Graphs(library=library), work)

    assert event.uri == "repository://cocoa"
