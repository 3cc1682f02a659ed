"""What an agent sees: every tool through an in-memory client, on a small graph that is written down by hand."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from shop import write_graph, write_repository
from syrupy.assertion import SnapshotAssertion

from rpg.models.answerer import Finished, Message, Reading, Text
from rpg.server import build_server
from rpg.tools import TOOLS
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph file; nothing may be changed there."""
    folder = tmp_path_factory.mktemp("tools")
    return write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")


@pytest.fixture
def graphs(shop: Path) -> Iterator[Graphs]:
    opened = Graphs([shop])
    yield opened
    opened.close()


@asynccontextmanager
async def client(graphs: Graphs) -> AsyncIterator[Client]:
    """With both forms of an answer."""
    async with Client(build_server(graphs, structured=True)) as connected:
        yield connected


def call(graphs: Graphs, tool: str, **arguments: Any) -> Any:
    """The answer, whose structured form the client has checked against the tool's output schema."""

    async def run() -> Any:
        async with client(graphs) as connected:
            await connected.list_tools()
            return await connected.call_tool(tool, arguments)

    return anyio.run(run)


def shown(graphs: Graphs, tool: str, **arguments: Any) -> str:
    answer = call(graphs, tool, **arguments)
    assert not answer.is_error, answer.content[0].text
    return readable(answer)


def readable(answer: Any) -> str:
    """Structured form and text, as both are seen."""
    import json

    return json.dumps(answer.structured_content, indent=1, ensure_ascii=False) + "\n---\n" + answer.content[0].text


def refused(graphs: Graphs, tool: str, **arguments: Any) -> str:
    answer = call(graphs, tool, **arguments)
    assert answer.is_error
    text: str = answer.content[0].text
    return text


def structured(graphs: Graphs, tool: str, **arguments: Any) -> Any:
    answer = call(graphs, tool, **arguments)
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content


# What a client is told


def test_names_descriptions_and_input_schemas_are_short(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    async def listed() -> Any:
        async with client(graphs) as connected:
            return (await connected.list_tools()).tools

    import json

    tools = anyio.run(listed)
    told = {tool.name: {"description": tool.description, "input": tool.input_schema} for tool in tools}

    assert list(told) == list(TOOLS)
    assert len(json.dumps(told, separators=(",", ":"))) < 6_300
    assert told == snapshot


def test_only_what_changes_something_is_said_to(graphs: Graphs) -> None:
    async def annotations() -> Any:
        async with client(graphs) as connected:
            return {tool.name: tool.annotations for tool in (await connected.list_tools()).tools}

    told = anyio.run(annotations)

    assert {name for name, said in told.items() if not said.read_only_hint} == {"encode", "forget"}
    assert told["encode"].destructive_hint is False
    assert {name for name, said in told.items() if said.destructive_hint} == {"forget"}
    assert {name for name, said in told.items() if said.open_world_hint} == {"encode"}


# Answers


def test_fetch_shows_lines_and_relations(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    assert shown(graphs, "fetch", targets=["Cart.total"], expand_lines=1, relations=True) == snapshot


def test_fetch_takes_files_lines_directories_and_what_the_graph_left_out(
    graphs: Graphs, snapshot: SnapshotAssertion
) -> None:
    assert shown(graphs, "fetch", targets=["base.py:6-8", "shop", "notes.txt", "Cart.totals"]) == snapshot


def test_fetch_goes_on_where_it_was_cut(graphs: Graphs) -> None:
    lines: list[str] = []
    targets = ["shop/base.py", "shop/cart.py"]
    while targets:
        answer = structured(graphs, "fetch", targets=targets, max_tokens=220)
        lines += [line for each in answer["symbols"] for line in each["source"].split("\n")]
        targets = answer.get("next", [])
    from shop import SOURCES

    whole = [*SOURCES["shop/base.py"].splitlines(), *SOURCES["shop/cart.py"].splitlines()]
    assert [line.split("\t", 1)[1] for line in lines] == whole


def test_explore_outlines_a_directory(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    assert shown(graphs, "explore", start=["./"], depth=3) == snapshot


def test_explore_outlines_a_class_with_what_it_inherits(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    assert shown(graphs, "explore", start=["Cart"], edges=["structure"], kinds=["method"]) == snapshot


def test_explore_walks_callers_and_callees(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    assert shown(graphs, "explore", start=["place"], depth=1) == snapshot


def test_a_limit_counts_what_a_start_leads_to_and_not_its_own_members(graphs: Graphs) -> None:
    answer = structured(graphs, "explore", start=["Cart"], edges=["calls"], depth=1, limit=1)

    assert [node["hop"] for node in answer["nodes"]].count(1) == 1
    assert answer["edges"]


def test_explore_finds_subclasses(graphs: Graphs) -> None:
    answer = structured(graphs, "explore", start=["Base"], edges=["inherits"], direction="callers")

    assert [(node["name"], node["hop"]) for node in answer["nodes"]] == [("Base", 0), ("Cart", 1)]
    assert [(edge["source"], edge["kind"], edge["target"]) for edge in answer["edges"]] == [
        ("Cart", "inherits", "Base")
    ]


def test_explore_shows_the_shortest_path(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    assert shown(graphs, "explore", start=["checkout"], to="Base.total") == snapshot


def test_explore_counts_what_it_hides(long_answers: Graphs) -> None:
    answer = structured(long_answers, "explore", start=["discounted_price"], edges=["dependency"], max_tokens=200)
    every = structured(long_answers, "explore", start=["discounted_price"], edges=["dependency"])

    assert answer["hidden"]["nodes"] + len(answer["nodes"]) == len(every["nodes"])
    assert answer["next"]


def test_pages_of_a_walk_are_the_whole_walk(long_answers: Graphs) -> None:
    asked = {"start": ["discounted_price"], "edges": ["dependency"], "depth": 4}
    every = structured(long_answers, "explore", **asked)
    names, edges, cursor = [], [], ""
    pages = 0
    while True:
        page = structured(long_answers, "explore", **asked, max_tokens=200, cursor=cursor)
        pages += 1
        names += [node["name"] for node in page["nodes"]]
        edges += page.get("edges", [])
        cursor = page.get("next", "")
        if not cursor:
            break

    assert pages > 1
    assert names == [node["name"] for node in every["nodes"]]
    assert edges == every["edges"]


def test_usages_are_certain_possible_or_unresolved(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    assert shown(graphs, "find_usages", symbol="Base.save") == snapshot
    assert shown(graphs, "find_usages", symbol="Base.close") == snapshot


def test_usages_of_an_overriding_method_may_come_through_the_overridden_one(
    graphs: Graphs, snapshot: SnapshotAssertion
) -> None:
    assert shown(graphs, "find_usages", symbol="Cart.total") == snapshot


def test_usages_of_a_constructor_are_the_calls_of_its_classes(graphs: Graphs) -> None:
    (answer,) = structured(graphs, "find_usages", symbol="Base.__init__")["symbols"]

    assert answer["total"] == {"certain": 2}
    assert "Cart" in answer["note"]
    assert [(group["path"], group["through"]) for group in answer["certain"]] == [
        ("shop/orders.py", "Cart"),
        ("tests/test_cart.py", "Cart"),
    ]


def test_an_empty_list_says_why(graphs: Graphs) -> None:
    (answer,) = structured(graphs, "find_usages", symbol="retired")["symbols"]

    assert answer["complete"]
    assert answer["total"] == {}
    assert "unused in this repository" in answer["reason"]


def test_the_blast_radius_goes_hop_by_hop(graphs: Graphs) -> None:
    (answer,) = structured(graphs, "find_usages", symbol="price", transitive=4)["symbols"]

    assert [(each["hop"], each["path"], each["symbols"]) for each in answer["affected"]] == [
        (2, "shop/orders.py", ["checkout"]),
        (2, "shop/base.py", ["Base.save"]),
        (2, "tests/test_cart.py", ["test_total"]),
        (3, "shop/orders.py", ["place"]),
        (4, "shop/cart.py", ["Cart.send"]),
    ]


def test_tests_alone(graphs: Graphs) -> None:
    (answer,) = structured(graphs, "find_usages", symbol="price", tests_only=True, transitive=3)["symbols"]

    assert answer["total"] == {}
    assert [each["symbols"] for each in answer["affected"]] == [["test_total"]]


def test_usages_of_what_changed_since_a_revision(tmp_path: Path) -> None:
    """Innermost symbols around the changed lines, of tracked and of new files; asked of the work tree as it is now."""
    root = write_repository(tmp_path / "shop")
    graphs = Graphs([write_graph(root, tmp_path / "shop.graph.json")])
    cart = root / "shop" / "cart.py"
    cart.write_text(cart.read_text().replace("    return item.price", "    return item.price * 2"))
    (root / "shop" / "new.py").write_text("def fresh():\n    pass\n")

    every = structured(graphs, "find_usages", since="HEAD")
    within = structured(graphs, "find_usages", since="HEAD", symbol="shop/new.py")
    nothing = structured(graphs, "find_usages", since="HEAD", symbol="shop/base.py")
    unknown = refused(graphs, "find_usages", since="no-such-branch")
    graphs.close()

    assert [each["symbol"] for each in every["symbols"]] == ["shop/cart.py::price", "shop/new.py::fresh"]
    assert every["changed"] == 2
    assert every["state"]["dirty"]
    assert [each["symbol"] for each in within["symbols"]] == ["shop/new.py::fresh"]
    assert nothing["symbols"] == []
    assert unknown.startswith("BAD_REQUEST: no such revision")


def test_what_is_deleted_since_a_revision_and_who_still_names_it(tmp_path: Path) -> None:
    root = write_repository(tmp_path / "shop")
    (root / "app.py").write_text("from shop.cart import price\n\nprice(1)\n\n\ndef repriced(): ...\n")
    graphs = Graphs([write_graph(root, tmp_path / "shop.graph.json")])
    cart = root / "shop" / "cart.py"
    text = cart.read_text()
    begin = text.index("def price")
    cart.write_text(text[:begin] + "def other(item):\n" + text[begin:].partition("\n")[2])
    (root / "shop" / "base.py").unlink()
    (root / "notes.txt").write_text("new")

    answer = structured(graphs, "find_usages", since="HEAD")
    told = shown(graphs, "find_usages", since="HEAD")
    graphs.close()

    gone = answer["gone"]
    assert {"old": "shop/cart.py::price", "new": "shop/cart.py::other"} in gone["renamed"]
    assert gone["symbols"] == ["shop/base.py"]
    broken = {f"{each['path']}:{each['line']} {each['message']}" for each in gone["broken"]}
    assert "app.py:1 imports `price`, which is not there" in broken
    assert not any(each.startswith("app.py:6") for each in broken)
    assert any(each.startswith("shop/cart.py:") and "which is gone" in each for each in broken)
    assert "notes.txt" in gone["other_files"]
    assert "imports `price`, which is not there\n  app.py:1" in told


def test_an_edit_is_in_the_next_answer(tmp_path: Path) -> None:
    root = write_repository(tmp_path / "shop")
    graphs = Graphs([write_graph(root, tmp_path / "shop.graph.json")])
    before = structured(graphs, "fetch", targets=["price"])
    cart = root / "shop" / "cart.py"
    cart.write_text("# moved down\n" + cart.read_text())
    after = structured(graphs, "fetch", targets=["price"])
    graphs.close()

    assert before["symbols"][0]["lines"] == "25-26"
    assert after["symbols"][0]["lines"] == "26-27"
    assert after["symbols"][0]["source"].startswith("26\tdef price(item):")
    assert after["state"]["refreshed"] == ["shop/cart.py"]


def test_without_sources_the_graph_alone_answers_and_says_so(shop: Path, tmp_path: Path) -> None:
    copy = tmp_path / "shop.graph.json"
    copy.write_bytes(shop.read_bytes())
    graphs = Graphs([copy])
    (usages,) = structured(graphs, "find_usages", symbol="Cart.add")["symbols"]
    fetched = structured(graphs, "fetch", targets=["Cart.add"])
    graphs.close()

    assert not usages["complete"]
    assert "only the graph file is loaded" in usages["reason"]
    assert usages["certain"][0]["usages"] == [["6:10", "checkout", ""]]
    assert fetched["symbols"][0]["signature"] == "def add(self, item)"
    assert "source" not in fetched["symbols"][0]
    assert "only the graph file is here" in fetched["state"]["note"]


def test_dependencies_of_a_file(graphs: Graphs, snapshot: SnapshotAssertion) -> None:
    assert shown(graphs, "get_dependencies", target="shop/cart.py", direction="both") == snapshot


def test_dependencies_of_a_directory_leave_out_its_own_files(graphs: Graphs) -> None:
    (answer,) = structured(graphs, "get_dependencies", target="shop", direction="both")["targets"]

    assert answer["total"] == {"dependencies": 0, "dependents": 1, "external": 1}
    assert [each["path"] for each in answer["dependents"]] == ["tests/test_cart.py"]
    assert [each["name"] for each in answer["external"]] == ["requests"]
    assert answer["cycles"] == [["shop/cart.py", "shop/orders.py", "shop/cart.py"]]


def test_dependents_by_hops(graphs: Graphs) -> None:
    (answer,) = structured(graphs, "get_dependencies", target="LIMIT", direction="dependents", transitive=3)["targets"]

    assert [(each["path"], each.get("hop", 1)) for each in answer["dependents"]] == [
        ("shop/cart.py", 1),
        ("shop/orders.py", 2),
    ]


def test_search_finds_by_words_names_and_kinds(graphs: Graphs) -> None:
    by_words = structured(graphs, "search", query="put one item in up to the limit")
    by_name = structured(graphs, "search", query="Cart.totl", mode="symbol")
    by_kind = structured(graphs, "search", kinds=["class"], path="shop")
    nothing = structured(graphs, "search", query="quantum zebra")

    assert by_words["hits"][0]["name"] == "Cart.add"
    assert by_words["hits"][0]["doc"] == "Put one item in, up to the limit."
    assert by_name["hits"][0]["name"] == "Cart.total"
    assert by_name["mode"] == "symbol"
    assert [hit["name"] for hit in by_kind["hits"]] == ["Cart", "Base"]
    assert nothing["hits"] == []


def test_search_shows_lines_and_neighbours_on_request(graphs: Graphs) -> None:
    (hit,) = structured(graphs, "search", query="Cart.total", excerpts=True, expand=True, limit=1)["hits"]

    assert hit["excerpt"] == "16\t    def total(self):\n17\t        return sum(price(item) for item in self.items)"
    assert [each["name"] for each in hit["callers"]] == ["checkout", "test_total"]
    assert [each["name"] for each in hit["callees"]] == ["price"]


def test_pages_of_hits_are_the_whole_list(graphs: Graphs) -> None:
    every = structured(graphs, "search", query="cart total", limit=100)
    names, cursor = [], ""
    while True:
        page = structured(graphs, "search", query="cart total", limit=2, cursor=cursor)
        names += [hit["name"] for hit in page["hits"]]
        cursor = page.get("next", "")
        if not cursor:
            break

    # The order may differ: a short page shows more files.
    assert sorted(names) == sorted(hit["name"] for hit in every["hits"])
    assert len(names) > 3


def test_search_wants_a_query_or_kinds(graphs: Graphs) -> None:
    assert refused(graphs, "search").startswith("BAD_REQUEST: search needs a `query`")


def test_a_question_is_answered_by_the_code_it_needs(graphs: Graphs) -> None:
    answer = structured(graphs, "query_code", question="how is the total of a cart added up?")
    few = structured(graphs, "query_code", question="how is the total of a cart added up?", top_k=1)

    assert not answer["grounded"]
    assert {"Cart.total", "price"} <= {each["name"] for each in answer["evidence"]}
    assert max(each["score"] for each in answer["evidence"]) == 1
    assert len(few["evidence"]) == 1


def test_what_an_answer_has_no_room_for_comes_by_name_with_its_cursor(long_answers: Graphs) -> None:
    asked = {"question": "how is the price of a step discounted?"}
    names: list[tuple[str, str]] = []
    seen = 0
    page = structured(long_answers, "query_code", **asked, max_tokens=400)
    first = len(page["evidence"]) + len(page.get("related", []))
    everything = first + page["left_out"]
    shown = {(each["path"], each["name"]) for each in page["evidence"]}
    while page.get("next"):
        # The budget of a page is its own: what the first answer gave stands in the cursor.
        text = call(long_answers, "query_code", **asked, max_tokens=200, cursor=page["next"]).content[0].text
        page = structured(long_answers, "query_code", **asked, max_tokens=200, cursor=page["next"])
        assert "evidence" not in page or not page["evidence"]
        assert all(f"{each['name']}:{each['lines']}" in text for each in page["rest"])
        assert len(text.encode()) <= 200 * 4
        names += [(each["path"], each["name"]) for each in page["rest"]]
        seen += 1

    assert seen > 1
    assert page.get("left_out", 0) == 0
    assert len(set(names)) == len(names) == everything - first > 20
    assert not shown & set(names)


@pytest.mark.parametrize("cursor", ["5-000000", "400.5-000000", "x.5-000000", "400.x", "400", "."])
def test_a_cursor_that_no_answer_gave_is_refused(graphs: Graphs, cursor: str) -> None:
    asked = {"question": "how is the total of a cart added up?"}

    assert refused(graphs, "query_code", **asked, cursor=cursor).startswith("BAD_REQUEST: cursor")


def test_a_cursor_belongs_to_its_question(long_answers: Graphs) -> None:
    page = structured(long_answers, "query_code", question="how is the price of a step discounted?", max_tokens=400)

    other = refused(long_answers, "query_code", question="how is an order checked out?", cursor=page["next"])
    assert other.startswith("BAD_REQUEST: cursor")


class Scripted:
    """A model that always writes the same."""

    name = "scripted"
    seconds = 0.0

    def parameters(self) -> int:
        return 7_000_000_000

    def reading_speed(self) -> float:
        return 1_000.0

    def __init__(self, text: str) -> None:
        self.text = text
        self.prompts: list[str] = []

    def context(self) -> int:
        return 4_096

    def load_seconds(self) -> float:
        return 0.5

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 for text in texts]

    def stream(self, messages: Sequence[Message], **options: Any) -> Iterator[Reading | Text | Finished]:
        self.prompts.append("\n".join(message.content for message in messages))
        yield Text(self.text)
        yield Finished("end", 900, 30, 1.0, 2.0)

    def close(self) -> None:
        pass


def test_a_model_answers_with_citations_that_are_inside_the_evidence(shop: Path) -> None:
    model = Scripted("Cart.total sums the price of each item. [shop/cart.py:16-17] It is saved. [shop/gone.py:1-2]")
    graphs = Graphs([shop], Settings(answerer=model))
    answer = structured(graphs, "query_code", question="how is the total of a cart added up?")
    alone = structured(graphs, "query_code", question="how is the total of a cart added up?", answer="extract")
    graphs.close()

    assert answer["citations"] == ["shop/cart.py:16-17"]
    assert "gone.py" not in answer["answer"]
    assert answer["removed"] == 1
    assert not answer["grounded"]
    assert answer["model"] == "scripted"
    assert answer["figures"]["tokens_per_second"] == 15
    assert "answer" not in alone
    assert "next" not in answer
    assert len(model.prompts) == 1
    assert "def total(self):" in model.prompts[0]


def test_ten_hits_and_a_dozen_callers_cost_little(tmp_path: Path) -> None:
    """As json.dumps writes them, blanks included."""
    import json

    from repositories import repository

    import rpg

    callers = {
        f"package/module_{file}.py": "from package.prices import discounted_price\n\n"
        + "\n\n".join(
            f'def checkout_step_{file}_{step}(order):\n    """Compute the price of step {step} of an order."""\n'
            f"    return discounted_price(order, {step})\n"
            for step in range(4)
        )
        for file in range(3)
    }
    prices = {
        "package/prices.py": 'def discounted_price(order, step):\n    """The price after discounts."""\n    return 0\n'
    }
    root = repository(tmp_path / "priced", {**callers, **prices})
    rpg.encode(root, output=str(tmp_path / "priced.graph.json"))
    graphs = Graphs([tmp_path / "priced.graph.json"])
    usages = structured(graphs, "find_usages", symbol="discounted_price", kinds=["calls"])
    hits = structured(graphs, "search", query="price of a step", limit=10)
    graphs.close()

    assert usages["symbols"][0]["total"] == {"certain": 12}
    assert len(json.dumps(usages)) < 1_500
    assert len(hits["hits"]) == 10
    assert len(json.dumps(hits)) < 3_000


def test_stats(graphs: Graphs, shop: Path, snapshot: SnapshotAssertion) -> None:
    said = shown(graphs, "stats").replace(str(shop.parent), "FOLDER")

    assert re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", said) == snapshot


# Names


@pytest.mark.parametrize(
    "written",
    [
        "shop/cart.py::Cart.total",
        "Cart.total",
        "`Cart.total()`",
        "Cart::total",
        "Cart#total",
        "shop.cart.Cart.total",
        "cart.Cart.total",
        "shop.Cart.total",
        "cart.py::Cart.total",
        "cart.total",
        "shop/cart.py:17",
        "shop/cart.py:17:16",
        "shop/cart.py:L17",
        "shop/cart.py#L17",
        "shop/cart.py#L16-L17",
        "shop/cart.py#L16C5-L17C20",
        "shop/cart.py:Cart.total",
        "cart.py:Cart.total",
        "shop/cart.py#Cart.total",
        "shop.cart:Cart.total",
        "Cart:total",
        "ROOT/shop/cart.py::Cart.total",
        "ROOT/shop/cart.py:Cart.total",
        "ROOT/shop/cart.py:16-17",
        "ROOT/shop/cart.py#L17",
        "file://ROOT/shop/cart.py#L17",
        "https://github.com/o/shop/blob/main/shop/cart.py#L17",
        "https://github.com/o/shop/blob/feature/carts/shop/cart.py?plain=1#L16-L17",
        "https://gitlab.example/group/of/shop/-/blob/main/shop/cart.py#L16-17",
        "https://bitbucket.org/o/shop/src/abc123/shop/cart.py#lines-16:17",
        "https://git.example/o/shop/src/branch/main/shop%2Fcart.py#L17",
    ],
)
def test_a_symbol_is_found_however_it_is_written(graphs: Graphs, shop: Path, written: str) -> None:
    name = written.replace("ROOT", str(shop.parent / "shop"))
    usages = structured(graphs, "find_usages", symbol=name)
    walked = structured(graphs, "explore", start=[name], edges=["calls"], depth=1)
    path = structured(graphs, "explore", start=["checkout"], edges=["calls"], to=name)
    needs = structured(graphs, "get_dependencies", target=name)

    assert [each["symbol"] for each in usages["symbols"]] == ["shop/cart.py::Cart.total"]
    assert walked["start"] == ["shop/cart.py::Cart.total"]
    assert path["paths"][0][-1]["target"] == "shop/cart.py::Cart.total"
    assert [each["target"] for each in needs["targets"]] == ["shop/cart.py::Cart.total"]


@pytest.mark.parametrize(
    ("target", "path", "lines"),
    [
        ("ROOT/shop/cart.py", "shop/cart.py", "1-26"),
        ("ROOT/shop/cart.py:16-17", "shop/cart.py", "16-17"),
        ("shop/cart.py#L16-L17", "shop/cart.py", "16-17"),
        ("https://github.com/o/r/blob/main/shop/cart.py#L16-L17", "shop/cart.py", "16-17"),
        ("https://raw.githubusercontent.com/o/r/main/shop/cart.py", "shop/cart.py", "1-26"),
    ],
)
def test_a_file_is_found_however_it_is_written(graphs: Graphs, shop: Path, target: str, path: str, lines: str) -> None:
    (shown,) = structured(graphs, "fetch", targets=[target.replace("ROOT", str(shop.parent / "shop"))])["symbols"]

    assert (shown["path"], shown["lines"]) == (path, lines)


@pytest.mark.parametrize("path", ["ROOT/shop", "ROOT/shop/*.py", "https://github.com/o/r/tree/main/shop"])
def test_a_filter_of_paths_is_taken_however_it_is_written(graphs: Graphs, shop: Path, path: str) -> None:
    written = path.replace("ROOT", str(shop.parent / "shop"))
    found = structured(graphs, "search", query="cart total", path=written)["hits"]
    others = structured(graphs, "search", query="cart total", exclude_path=written)["hits"]
    question = {"question": "how is the total of a cart added up?"}
    asked = structured(graphs, "query_code", **question, path=written)

    assert {hit["path"].split("/")[0] for hit in found} == {"shop"}
    assert "shop" not in {hit["path"].split("/")[0] for hit in others}
    assert asked == structured(graphs, "query_code", **question, path="shop/")
    assert asked != structured(graphs, "query_code", **question)


def test_a_name_of_two_symbols_is_answered_for_the_likely_one(graphs: Graphs) -> None:
    """The one that is used more; a line names the other."""
    answer = call(graphs, "find_usages", symbol="total")
    fetched = call(graphs, "fetch", targets=["total"])
    walked = call(graphs, "explore", start=["total"], edges=["calls"])
    said = "2 symbols are called 'total'; this is shop/cart.py::Cart.total, others: shop/base.py::Base.total"

    assert [each["symbol"] for each in answer.structured_content["symbols"]] == ["shop/cart.py::Cart.total"]
    for each in (answer, fetched, walked):
        assert each.content[0].text.splitlines().count(said) == 1
    assert fetched.structured_content["symbols"][0]["name"] == "Cart.total"
    assert walked.structured_content["start"] == ["shop/cart.py::Cart.total"]


def test_a_member_is_found_by_the_name_of_a_class_that_inherits_it(graphs: Graphs) -> None:
    inherited = structured(graphs, "find_usages", symbol="Cart.save")
    own = structured(graphs, "find_usages", symbol="Cart.total")

    assert [each["symbol"] for each in inherited["symbols"]] == ["shop/base.py::Base.save"]
    assert inherited["note"] == "'Cart.save' is inherited: this is shop/base.py::Base.save"
    assert [each["symbol"] for each in own["symbols"]] == ["shop/cart.py::Cart.total"]
    assert "inherited" not in own.get("note", "")
    assert refused(graphs, "find_usages", symbol="Base.send").startswith("SYMBOL_NOT_FOUND: ")


def test_of_many_that_bear_a_name_code_stands_before_tests_and_few_are_named(tmp_path: Path) -> None:
    from repositories import repository

    import rpg

    files = {f"tests/test_{number}.py": "def build():\n    pass\n\nbuild()\nbuild()\n" for number in range(9)}
    files["app.py"] = "def build():\n    pass\n"
    rpg.encode(repository(tmp_path / "many", files), output=str(tmp_path / "many.graph.json"))
    graphs = Graphs([tmp_path / "many.graph.json"])
    answer = structured(graphs, "find_usages", symbol="build")
    graphs.close()

    assert [each["symbol"] for each in answer["symbols"]] == ["app.py::build"]
    assert answer["note"].startswith("10 symbols are called 'build'; this is app.py::build, others: tests/test_0.py")
    assert answer["note"].endswith(" and 5 more")


def test_a_function_is_answered_for_before_methods_of_its_name_and_a_class_before_its_constructor(
    tmp_path: Path,
) -> None:
    from repositories import repository

    import rpg

    python = (
        "def alter():\n    Box().alter()\n    Box().alter()\n\n\nclass Box:\n    def alter(self): ...\n\n\nalter()\n"
    )
    java = "class Till {\n    Till(int coins) {}\n    static Till open() { return new Till(3); }\n}\n"
    rpg.encode(
        repository(tmp_path / "shop", {"box.py": python, "Till.java": java}), output=str(tmp_path / "s.graph.json")
    )
    graphs = Graphs([tmp_path / "s.graph.json"])
    function = structured(graphs, "find_usages", symbol="alter")
    till = structured(graphs, "find_usages", symbol="Till")
    graphs.close()

    assert [each["symbol"] for each in function["symbols"]] == ["box.py::alter"]
    assert function["note"] == "2 symbols are called 'alter'; this is box.py::alter, others: box.py::Box.alter"
    assert [each["symbol"] for each in till["symbols"]] == ["Till.java::Till"]
    assert not till.get("note")


def test_an_unknown_name_comes_back_with_the_nearest(graphs: Graphs) -> None:
    told = refused(graphs, "find_usages", symbol="Cart.totl")

    assert told.startswith("SYMBOL_NOT_FOUND: ")
    assert "shop/cart.py::Cart.total" in told


@pytest.mark.invariant("trust", "however a path is written, nothing outside the repository and nothing ignored is read")
@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("../secret", "FORBIDDEN"),
        ("/etc/passwd", "FORBIDDEN"),
        ("C:\\secret", "FORBIDDEN"),
        ("ROOT/../secret", "FORBIDDEN"),
        ("ROOT//etc/passwd", "FORBIDDEN"),
        ("ROOT-other/secret", "FORBIDDEN"),
        ("ROOT/gone.py", "INVALID_PATH"),
        ("ROOT/notes.txt", "FORBIDDEN"),
        ("./notes.txt", "FORBIDDEN"),
        (".//notes.txt", "FORBIDDEN"),
        ("././notes.txt", "FORBIDDEN"),
        ("https://github.com/o/r/blob/main/notes.txt", "FORBIDDEN"),
        ("https://github.com/o/r/blob/main/./notes.txt", "FORBIDDEN"),
        ("file:///etc/passwd", "FORBIDDEN"),
        ("file://ROOT/%2e%2e/secret", "FORBIDDEN"),
        ("https://github.com/o/r/blob/main/../../secret", "FORBIDDEN"),
        ("https://github.com/o/r/blob/main/%2e%2e/%2e%2e/secret", "FORBIDDEN"),
        ("https://github.com/o/r/blob/main//etc/passwd", "FORBIDDEN"),
        ("https://github.com/o/r/blob/main/%2Fetc%2Fpasswd", "FORBIDDEN"),
        ("https://github.com/o/r/blob/main/shop/gone.py", "INVALID_PATH"),
        ("shop/../../secret", "FORBIDDEN"),
        ("shop/gone.py", "INVALID_PATH"),
        ("shop/cart.py:900-901", "INVALID_PATH"),
        ("shop/cart.py:9-3", "BAD_REQUEST"),
        ("", "BAD_REQUEST"),
    ],
)
def test_paths_that_are_refused(graphs: Graphs, shop: Path, target: str, code: str) -> None:
    written = target.replace("ROOT", str(shop.parent / "shop"))

    assert refused(graphs, "fetch", targets=[written]).startswith(f"{code}: ")


# Arguments


@pytest.mark.invariant("answers", "an unknown argument is refused by name")
def test_an_unknown_argument_is_refused_by_name(graphs: Graphs) -> None:
    told = refused(graphs, "find_usages", symbl="Cart")

    assert "no argument 'symbl' (did you mean 'symbol'?)" in told
    assert "it takes: symbol, kinds, transitive" in told


def test_arguments_out_of_bounds_are_refused(graphs: Graphs) -> None:
    told = refused(graphs, "explore", start=["Cart"], depth=11, direction="sideways")

    assert told.startswith("BAD_REQUEST: ")
    assert "'depth'" in told
    assert "'direction'" in told


def test_what_clients_mean_is_taken(graphs: Graphs) -> None:
    """One value for a list, a list as JSON text, numbers as text, null for an absent argument."""
    plain = structured(graphs, "explore", start=["Cart"], edges=["inherits"], depth=1)

    assert structured(graphs, "explore", start="Cart", edges="inherits", depth="1", kinds=None) == plain
    assert structured(graphs, "explore", start='["Cart"]', edges=["inherits"], depth=1) == plain


def test_a_cursor_of_another_call_is_refused(long_answers: Graphs) -> None:
    asked = {"edges": ["dependency"], "max_tokens": 200}
    cursor = structured(long_answers, "explore", start=["discounted_price"], **asked)["next"]

    refusal = refused(long_answers, "explore", start=["Prices"], edges=["dependency"], cursor=cursor)
    assert refusal.startswith("BAD_REQUEST: cursor")


def test_there_is_no_such_tool(graphs: Graphs) -> None:
    assert refused(graphs, "serch").startswith("BAD_REQUEST: unknown tool 'serch'")


# Budgets


@pytest.fixture(scope="module")
def long_answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graphs]:
    """A graph in which every tool finds more than fits into the least budget."""
    from repositories import repository

    import rpg

    folder = tmp_path_factory.mktemp("long")
    methods = "".join(
        f'    def price_{number}(self, order):\n        """Price of step {number}: naïve."""\n        return order\n\n'
        for number in range(40)
    )
    files = {"package/prices.py": f"class Prices:\n{methods}\ndef discounted_price(order, step):\n    return 0\n"}
    for file in range(12):
        files[f"package/module_{file}.py"] = "from package.prices import Prices, discounted_price\n\n" + "".join(
            f"def checkout_{file}_{step}(order):\n    return discounted_price(order, {step})\n\n\n" for step in range(4)
        )
    rpg.encode(repository(folder / "long", files), output=str(folder / "long.graph.json"))
    graphs = Graphs([folder / "long.graph.json"])
    yield graphs
    graphs.close()


LONG_ANSWERS = [
    ("fetch", {"targets": ["package/module_0.py", "package/prices.py", "checkout_3_1", "package", "nowhere"]}),
    ("fetch", {"targets": ["Prices", "checkout_3_1"], "relations": True, "expand_lines": 2}),
    ("explore", {"start": ["./"], "depth": 4}),
    ("explore", {"start": ["Prices"], "edges": ["structure"]}),
    ("explore", {"start": ["discounted_price"], "direction": "callers", "depth": 3}),
    ("find_usages", {"symbol": "discounted_price", "transitive": 3}),
    ("get_dependencies", {"target": "package/prices.py", "direction": "both"}),
    ("search", {"query": "price of a step", "limit": 60, "excerpts": True, "expand": True}),
]
QUESTION = ("query_code", {"question": "how is the price of a step discounted?"})


@pytest.mark.invariant(
    "answers",
    "a model gets an answer once, as text; the budget counts exactly that text, and what a client is told"
    " before its first call is short",
)
@pytest.mark.parametrize(("tool", "arguments"), [*LONG_ANSWERS, QUESTION])
@pytest.mark.parametrize("max_tokens", [200, 230, 301, 512])
def test_an_answer_keeps_to_its_budget(long_answers: Graphs, tool: str, arguments: Any, max_tokens: int) -> None:
    """Of the text, which is what a model gets."""
    answer = call(long_answers, tool, **arguments, max_tokens=max_tokens)

    assert not answer.is_error
    assert len(answer.content[0].text.encode()) <= max_tokens * 4


@pytest.mark.invariant(
    "answers",
    "a model gets an answer once, as text; the budget counts exactly that text, and what a client is told"
    " before its first call is short",
)
@pytest.mark.parametrize(("tool", "arguments"), LONG_ANSWERS)
def test_the_budget_counts_just_the_text(long_answers: Graphs, tool: str, arguments: Any) -> None:
    """An answer of so many bytes is given whole for so many tokens, and in part for fewer."""
    whole = call(long_answers, tool, **arguments, max_tokens=20_000).content[0].text
    tokens = -(-len(whole.encode()) // 4)
    assert tokens > 202
    same = call(long_answers, tool, **arguments, max_tokens=tokens + 1).content[0].text
    less = call(long_answers, tool, **arguments, max_tokens=tokens - 2).content[0].text

    assert same == whole
    assert less != whole
    assert len(less.encode()) > len(whole.encode()) - 600


def pages(graphs: Graphs, tool: str, **arguments: Any) -> list[Any]:
    out: list[Any] = []
    while not out or out[-1].get("next"):
        cursor = out[-1]["next"] if out else ""
        out.append(structured(graphs, tool, **arguments, max_tokens=200, cursor=cursor))
    assert len(out) > 1
    return out


def test_pages_of_usages_are_the_whole_list(long_answers: Graphs) -> None:
    asked = {"symbol": "discounted_price", "transitive": 3}
    (every,) = structured(long_answers, "find_usages", **asked, max_tokens=20_000)["symbols"]
    found = [symbol for page in pages(long_answers, "find_usages", **asked) for symbol in page["symbols"]]

    def usages(symbols: list[Any]) -> list[Any]:
        sections = ("certain", "possible", "unresolved")
        groups = [(section, each) for symbol in symbols for section in sections for each in symbol.get(section, [])]
        return [(section, group["path"], *usage) for section, group in groups for usage in group["usages"]]

    assert len(usages([every])) > 40
    assert usages(found) == usages([every])
    assert [each for symbol in found for each in symbol.get("affected", [])] == every.get("affected", [])
    assert {tuple(symbol["total"].items()) for symbol in found} == {tuple(every["total"].items())}


def test_pages_of_dependencies_are_the_whole_list(long_answers: Graphs) -> None:
    asked = {"target": "package/prices.py", "direction": "both"}
    (every,) = structured(long_answers, "get_dependencies", **asked, max_tokens=20_000)["targets"]
    found = [target for page in pages(long_answers, "get_dependencies", **asked) for target in page["targets"]]

    assert [each for target in found for each in target.get("dependents", [])] == every["dependents"]


def test_pages_of_an_outline_are_the_whole_outline(long_answers: Graphs) -> None:
    asked = {"start": ["Prices", "package/module_0.py"], "edges": ["structure"]}
    every = structured(long_answers, "explore", **asked, max_tokens=20_000)["outlines"]
    found = [tree for page in pages(long_answers, "explore", **asked) for tree in page["outlines"]]

    def names(trees: list[Any]) -> list[str]:
        return [child["name"] for tree in trees for child in tree.get("children", [])]

    assert names(found) == names(every)
