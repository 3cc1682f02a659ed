"""Features and titles that an agent writes: what is listed, what is refused, how long a text is kept."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from area_sources import FILES
from mcp import Client
from repositories import write

from rpg.encoder.options import Options
from rpg.errors import EncodeFailed
from rpg.queries.lift.gone import drop_expired
from rpg.queries.lift.rules import problem_with_feature, problem_with_title
from rpg.repository import encode, forget, index_path
from rpg.server import build_server
from rpg.stores.index.index import Index
from rpg.stores.lifted_texts import KEPT_DAYS, LiftedTexts, find_lifted_path
from rpg.tools import LIFT_TOOLS, TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs

TAX = "shop/billing/tax.py::tax_1"
FEATURE = "work out what the state is owed"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    encode(write(tmp_path / "shop", FILES), tmp_path / "shop.graph.json", Options(), workers=1)
    return tmp_path / "shop.graph.json"


@pytest.fixture
def call(graph: Path) -> Iterator[Call]:
    graphs = Graphs([graph])
    yield Call(graphs)
    graphs.close()


def listed(call: Call) -> dict[str, Any]:
    found = LIFT_TOOLS["list_unlifted"].run(call, {"limit": 100, "max_tokens": 20_000})
    return {each.id: each for each in found.subjects}


def submitted(call: Call, texts: dict[str, str]) -> Any:
    """By id, as an agent submits them by mark."""
    known = listed(call)
    return LIFT_TOOLS["submit_lifted"].run(call, {"texts": {known[id].mark: text for id, text in texts.items()}})


def does(call: Call, id: str = TAX) -> str:
    return str(TOOLS["fetch"].run(call, {"targets": [id]}).symbols[0].does)


def first_area(call: Call) -> str:
    return next(id for id, each in listed(call).items() if each.kind == "area")


def test_what_is_listed_says_what_it_is_and_titles_come_first(call: Call) -> None:
    found = listed(call)
    kinds = [each.kind for each in found.values()]

    assert kinds[0] == "area"
    assert kinds.index("function") > max(at for at, kind in enumerate(kinds) if kind in ("area", "category"))
    assert found[TAX].about[0] == "function tax_1 in shop/billing/tax.py"
    assert not [id for id in found if id.startswith(("::Tests", "::Examples", "::Documentation", "::Project"))]


def test_a_feature_that_was_submitted_is_shown_and_no_longer_listed(call: Call) -> None:
    before = does(call)
    answer = submitted(call, {TAX: FEATURE})

    assert answer.kept == {TAX: FEATURE}
    assert before != FEATURE
    assert does(call) == FEATURE
    assert TAX not in listed(call)
    assert LIFT_TOOLS["list_unlifted"].run(call, {}).lifted == 1


def test_a_title_is_shown_wherever_the_place_is_named_and_the_former_one_is_understood(call: Call) -> None:
    former = first_area(call)
    submitted(call, {former: "Money and goods"})
    page = TOOLS["explore"].text(TOOLS["explore"].run(call, {}))
    inside = TOOLS["search"].run(call, {"query": "run", "within": "Money and goods", "limit": 5}).hits

    assert "Money and goods" in page
    assert former.removeprefix("::") not in page
    assert inside
    for name in (former, former.removeprefix("::"), "::Money and goods", "Money and goods"):
        assert TOOLS["fetch"].run(call, {"targets": [name]}).symbols[0].path == "::Money and goods"
        assert TOOLS["search"].run(call, {"query": "run", "within": name.removeprefix("::"), "limit": 5}).hits == inside


def test_a_title_that_a_sibling_has_is_not_shown(call: Call) -> None:
    one, other = [id for id, each in listed(call).items() if each.kind == "area"][:2]
    submitted(call, {one: other.removeprefix("::")})

    assert TOOLS["fetch"].run(call, {"targets": [one]}).symbols[0].path == one


@pytest.mark.invariant(
    "written texts and vectors",
    "the graph has the same bytes whatever a model or an agent wrote; a feature is kept through every "
    "encode until its symbol changes",
)
@pytest.mark.parametrize("full", [False, True])
def test_a_feature_is_kept_by_every_encode_until_its_symbol_changes(call: Call, graph: Path, full: bool) -> None:
    root = graph.parent / "shop"
    file = root / "shop/billing/tax.py"
    rule = does(call)
    submitted(call, {TAX: FEATURE})
    source = file.read_text()
    file.write_text(source + "\n\ndef more():\n    return 2\n")
    encode(root, graph, Options(), workers=1, full=full)
    kept = does(call)
    file.write_text(source.replace("def tax_1():\n", "def tax_1():\n    print(1)\n"))
    encode(root, graph, Options(), workers=1, full=full)
    changed = does(call), TAX in listed(call)
    file.write_text(source)
    encode(root, graph, Options(), workers=1, full=full)

    assert kept == FEATURE
    assert changed == (rule, True)
    assert does(call) == FEATURE, "what is as it was is described as it was"


@pytest.mark.invariant(
    "written texts and vectors",
    "the graph has the same bytes whatever a model or an agent wrote; a feature is kept through every "
    "encode until its symbol changes",
)
def test_the_graph_has_the_same_bytes_with_lifted_texts_and_without(call: Call, graph: Path) -> None:
    root = graph.parent / "shop"
    submitted(call, {TAX: FEATURE, first_area(call): "Money and goods"})
    (root / "shop/billing/tax.py").write_text("def tax_1():\n    return 3\n")
    encode(root, graph, Options(), workers=1)
    elsewhere = graph.parent / "other" / "shop.graph.json"
    elsewhere.parent.mkdir()
    encode(root, elsewhere, Options(), workers=1)

    assert graph.read_bytes() == elsewhere.read_bytes()


def test_a_file_that_another_installation_made_is_not_read_and_is_replaced(call: Call, graph: Path) -> None:
    submitted(call, {TAX: FEATURE})
    path = find_lifted_path(index_path(graph))
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    path.unlink()
    copy.rename(path)
    (graph.parent / "shop.graph.db-lifted-wal").unlink(missing_ok=True)
    (graph.parent / "shop.graph.db-lifted-shm").unlink(missing_ok=True)

    assert does(call) != FEATURE
    submitted(call, {TAX: "count what is owed"})
    assert does(call) == "count what is owed"


def test_forget_removes_the_texts_too(graph: Path) -> None:
    graphs = Graphs([graph])
    submitted(Call(graphs), {TAX: FEATURE})
    graphs.close()

    assert find_lifted_path(index_path(graph)) in forget(graph)
    assert [path.name for path in graph.parent.iterdir() if "lifted" in path.name] == []


def test_texts_that_cannot_be_written_are_an_error(call: Call, graph: Path) -> None:
    find_lifted_path(index_path(graph)).mkdir()

    with pytest.raises(EncodeFailed, match="-lifted"):
        submitted(call, {TAX: FEATURE})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("check password", "2 words"),
        ("check a password against the hash that is stored there", "10 words"),
        ("password check of users", "'password' is not a verb"),
        ("Check a password", "lower case"),
        ("read the file settings.py", "not a plain word"),
        ("call user_login of it", "not a plain word"),
        ("fetch pages with requests", "library"),
        ("check  a password", "one blank"),
        ("check a\x1b[31m password", "cannot be printed"),
        ("check a password‮", "cannot be printed"),
        (f"check a {'p' * 30}", "too long"),
        ("", "one blank"),
    ],
)
def test_a_feature_that_breaks_a_rule_is_refused_with_the_reason(text: str, says: str) -> None:
    assert says in problem_with_feature(text, {"requests"})


@pytest.mark.parametrize("text", ["check a password", "orchestrate the workers of a long-running job"])
def test_a_feature_that_keeps_the_rules_is_not_refused(text: str) -> None:
    assert problem_with_feature(text, {"requests"}) == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("money and goods", "capital"),
        ("One two three four five six", "6 words"),
        ("Core utilities", "fits anything"),
        ("Money/Goods", "not a plain word"),
        ("Money::Goods", "not a plain word"),
        ("Calls of Requests", "library"),
        ("Money,", "end with a word"),
    ],
)
def test_a_title_that_breaks_a_rule_is_refused_with_the_reason(text: str, says: str) -> None:
    assert says in problem_with_title(text, {"requests"})


@pytest.mark.invariant(
    "written texts and vectors",
    "a written feature or title follows the rules, and a server accepts them only if it was asked to",
)
def test_each_refusal_says_why_and_the_rest_is_kept(call: Call, graph: Path) -> None:
    mark = listed(call)[TAX].mark
    other = listed(call)["shop/billing/tax.py::tax_2"].mark
    texts = {mark: FEATURE, other: "tax", "0000000000": "check a password"}
    answer = LIFT_TOOLS["submit_lifted"].run(call, {"texts": texts})

    assert answer.kept == {TAX: FEATURE}
    assert "1 words" in answer.refused[other]
    assert "list again" in answer.refused["0000000000"]
    assert [lifted.text for lifted in LiftedTexts(index_path(graph)).all().values()] == [FEATURE]


def test_a_mark_stands_for_the_text_that_was_listed(call: Call, graph: Path) -> None:
    mark = listed(call)[TAX].mark
    file = graph.parent / "shop/shop/billing/tax.py"
    file.write_text(file.read_text().replace("def tax_1():\n", "def tax_1():\n    print(1)\n"))

    assert "changed" in LIFT_TOOLS["submit_lifted"].run(call, {"texts": {mark: FEATURE}}).refused[mark]


def asked(graph: Path, tool: str, arguments: dict[str, Any], **server: bool) -> tuple[list[str], str]:
    async def run() -> tuple[list[str], str]:
        graphs = Graphs([graph])
        async with Client(build_server(graphs, **server)) as client:
            names = [each.name for each in (await client.list_tools()).tools]
            said = (await client.call_tool(tool, arguments)).content[0].text  # type: ignore[union-attr]
        graphs.close()
        return names, said

    return anyio.run(run)


@pytest.mark.invariant(
    "written texts and vectors",
    "a written feature or title follows the rules, and a server accepts them only if it was asked to",
)
def test_a_server_has_the_tools_only_if_it_is_asked_for_them(graph: Path) -> None:
    names, said = asked(graph, "list_unlifted", {})
    assert names == list(TOOLS)
    assert said.startswith("FORBIDDEN")
    assert "--lift" in said

    names, said = asked(graph, "list_unlifted", {"limit": 1}, lifts=True)
    assert names == [*TOOLS, *LIFT_TOOLS]
    mark = re.search(r"^([0-9a-f]{10})  area", said, re.MULTILINE)
    assert mark
    names, said = asked(graph, "submit_lifted", {"texts": {mark[1]: "Money and goods"}}, lifts=True)
    assert said == "kept 1"


def test_a_server_that_only_answers_queries_takes_no_texts(graph: Path) -> None:
    names, said = asked(graph, "submit_lifted", {"texts": {"0": "check a password"}}, lifts=True, may_write=False)

    assert "submit_lifted" not in names
    assert said.startswith("FORBIDDEN")
    assert not find_lifted_path(index_path(graph)).exists()


@pytest.mark.invariant(
    "written texts and vectors",
    "a written feature or title is shown with its author; no encode loses one, and one whose code is gone"
    " is dropped months later",
)
def test_whoever_wrote_a_feature_or_a_title_is_named_where_it_is_shown(call: Call) -> None:
    area = first_area(call)
    by_rule = TOOLS["fetch"].run(call, {"targets": [TAX]}).symbols[0].does_by
    submitted(call, {TAX: FEATURE, area: "Money and goods"})
    fetch, explore, stats = (TOOLS[name] for name in ("fetch", "explore", "stats"))

    assert by_rule == "name"
    assert f"{FEATURE}  [by agent]" in fetch.text(fetch.run(call, {"targets": [TAX]}))
    assert "titled  [by agent]" in fetch.text(fetch.run(call, {"targets": ["::Money and goods"]}))
    assert "Money and goods [titled by agent]" in explore.text(explore.run(call, {}))
    assert "[titled by agent]" in explore.text(explore.run(call, {"start": ["./"], "edges": ["functional"]}))
    assert "features and titles written: 2 by agent" in stats.text(stats.run(call, {}))


@pytest.mark.invariant(
    "written texts and vectors",
    "a written feature or title is shown with its author; no encode loses one, and one whose code is gone"
    " is dropped months later",
)
def test_texts_of_code_that_is_gone_are_kept_for_months_and_then_dropped(call: Call, graph: Path) -> None:
    root, index = graph.parent / "shop", Index.open_read_only(index_path(graph))
    file = root / "shop/billing/tax.py"
    source = file.read_text()
    submitted(call, {TAX: FEATURE, "shop/billing/tax.py::tax_2": "count what is owed"})
    day = 20_000

    def without_tax(is_gone: bool, today: int) -> int:
        file.write_text(source.replace("def tax_1(", "def other(") if is_gone else source)
        encode(root, graph, Options(), workers=1)
        return drop_expired(index, today)

    assert [without_tax(True, day), without_tax(True, day + KEPT_DAYS - 1)] == [0, 0]
    said = TOOLS["stats"].text(TOOLS["stats"].run(call, {}))
    assert "1 by agent, 1 of code that is gone" in said
    assert without_tax(False, day + KEPT_DAYS) == 0, "a branch that comes back has its texts"
    assert does(call) == FEATURE
    assert [without_tax(True, day + KEPT_DAYS), without_tax(True, day + 2 * KEPT_DAYS)] == [0, 1]
    assert [lifted.text for lifted in LiftedTexts(index.path).all().values()] == ["count what is owed"]
    index.close()
