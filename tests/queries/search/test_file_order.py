"""Files and symbols in one order: a topic finds each file once, a sentence the functions that it describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from repositories import repository

import rpg
from rpg.errors import BadRequest
from rpg.queries.answer.evidence import gather
from rpg.queries.graph.filters import find_platform, is_set_aside, version_of
from rpg.queries.search.hits import Wanted
from rpg.queries.search.order.file_order import files_in, is_sentence, share_named
from rpg.queries.search.order.ranking import join_words
from rpg.queries.search.search import search
from rpg.repository import index_path
from rpg.stores.index.index import Index


def functions(*names: str) -> str:
    return "\n\n".join(f"def {name}(anchor):\n    return anchor\n" for name in names)


SOURCES = {
    "port/hull.py": functions("drop_anchor_chain", "weigh_anchor_chain", "clean_anchor_chain"),
    "port/windlass.py": functions("turn_anchor_chain", "oil_bearings"),
    "port/anchor_chain.py": functions("measure_chain"),
    "port/v1/paint.py": functions("paint_mast"),
    "port/v2/paint.py": functions("paint_mast_again"),
    "port/legacy/mast.py": functions("hoist_flag"),
    "port/signals.py": functions("hoist_flag_now"),
    "port/windows/winch.py": functions("wind_rope_up"),
    "port/unix/winch.py": functions("wind_rope_up_now"),
    "port/tests/test_pump.py": functions("test_bilge_pump_stops", "test_pump"),
    "port/pump.py": functions("pump_bilge", "start_pump"),
    "port/dock/yard.py": "class Yard:\n    class Capstan:\n        pass\n\n\nclass Capstan:\n    pass\n",
    "port/dock/stern/capstan.py": "class Capstan:\n    pass\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("order")
    output = folder / "port.graph.json"
    rpg.encode(repository(folder / "port", dict(SOURCES)), output=str(output))
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def paths(index: Index, query: str) -> list[str]:
    return [hit.node.path for hit in search(index, Wanted(query=query)).hits]


def test_a_topic_finds_every_file_once_before_any_twice(index: Index) -> None:
    found = paths(index, "anchor chain")

    assert len(set(found[:3])) == 3
    assert set(found[:3]) == {"port/anchor_chain.py", "port/hull.py", "port/windlass.py"}
    assert found.count("port/hull.py") == 3, "and its further symbols after them"


def test_the_file_that_is_called_so_comes_first(index: Index) -> None:
    assert paths(index, "anchor chain")[0] == "port/anchor_chain.py"


def test_a_sentence_finds_several_functions_of_one_file_first(index: Index) -> None:
    assert paths(index, "drops the anchor with its chain, or weighs it")[:2] == ["port/hull.py"] * 2


def test_what_is_old_stands_behind_what_is_like_it(index: Index) -> None:
    assert paths(index, "hoist flag")[:2] == ["port/signals.py", "port/legacy/mast.py"]
    assert paths(index, "paint mast")[:2] == ["port/v2/paint.py", "port/v1/paint.py"]


def test_what_is_for_a_rarer_system_stands_behind_what_is_like_it_unless_a_system_is_asked_for(index: Index) -> None:
    assert paths(index, "wind rope up")[:2] == ["port/unix/winch.py", "port/windows/winch.py"]
    assert paths(index, "wind rope up windows")[0] == "port/windows/winch.py"
    named = [find_platform(path) for path in ("src/win/fs.c", "fs_windows.go", "window/fs.c", "twin.c", "unix/aix.c")]
    assert named == ["win", "windows", "", "", "aix"]


def test_a_test_whose_name_is_written_is_no_more_folded_away(index: Index) -> None:
    found = search(index, Wanted(query="test_bilge_pump_stops", tests="fold"))
    assert found.hits[0].node.name == "test_bilge_pump_stops"
    assert not found.tests.get("port/tests/test_pump.py")

    beside = search(index, Wanted(query="pump", tests="fold"))
    assert all(not hit.test for hit in beside.hits)


def test_a_name_means_first_what_its_file_is_called_for_and_then_what_is_in_nothing_else(index: Index) -> None:
    found = [(hit.node.path, hit.node.qualified_name) for hit in search(index, Wanted(query="Capstan")).hits]

    assert found[0] == ("port/dock/stern/capstan.py", "Capstan")
    assert found[1:3] == [("port/dock/yard.py", "Capstan"), ("port/dock/yard.py", "Yard.Capstan")]


NAMED = {
    "yard/Crane.Json.cs": "/// Crane, crane.\npartial class Crane { int CraneSize; }\n",
    "yard/Crane.cs": "partial class Crane {\n"
    + "".join(f"  /// Lifts load {number}.\n  void Lift{number}(int weight) {{ }}\n" for number in range(60))
    + "}\n",
    "yard/rig/block.go": "package rig\n\n// Engine returns the engine.\ntype Engined interface {\n"
    "\t// Engine returns the engine behind, an engine of any kind.\n\tEngine() any\n}\n",
    "yard/crane.go": "package yard\n\n// Engine lifts.\ntype Engine struct {\n"
    + "".join(f"\t// Rope{number} holds load {number}.\n\tRope{number} Load\n" for number in range(60))
    + "}\n",
}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("named")
    output = folder / "yard.graph.json"
    rpg.encode(repository(folder / "yard", dict(NAMED)), output=str(output))
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def test_a_name_means_the_part_of_a_class_in_the_file_of_that_name(named: Index) -> None:
    classes = [hit.node.path for hit in search(named, Wanted(query="Crane")).hits if hit.node.kind == "class"]

    assert classes == ["yard/Crane.cs", "yard/Crane.Json.cs"]


def test_a_name_means_a_class_before_a_method_that_has_the_word_everywhere(named: Index) -> None:
    found = [hit.node.qualified_name for hit in search(named, Wanted(query="Engine")).hits]

    assert found[:2] == ["Engine", "Engined.Engine"]


def test_two_words_of_a_question_are_searched_as_the_one_that_code_makes_of_them(tmp_path: Path) -> None:
    files = {
        "sea/crew.py": "def check_login(sailor):\n    return sailor.name\n",
        "sea/journal.py": functions("write_log", "log_weather", "log_depth"),
    }
    rpg.encode(repository(tmp_path / "sea", files), output=str(tmp_path / "sea.graph.json"))
    index = Index.open_read_only(index_path(tmp_path / "sea.graph.json"))
    try:
        assert search(index, Wanted(query="how does a sailor log in?")).hits[0].node.name == "check_login"
        assert search(index, Wanted(query="how does a sailor log weather?")).hits[0].node.name == "log_weather"
        evidence = gather(index, "How does one log in?", 1_000)
        assert evidence.pieces[0].node.name == "check_login"
        assert evidence.doubt == ""
    finally:
        index.close()
    assert join_words("how does a sailor log in", {"sailor", "log"}) == (
        ("asailor", "sailor"),
        ("sailorlog", "sailor"),
        ("login", "log"),
    )


def test_scores_fall_and_pages_follow_one_another(index: Index) -> None:
    found = search(index, Wanted(query="anchor chain", limit=20)).hits
    pages = [
        hit.node.id
        for offset in range(0, len(found), 2)
        for hit in search(index, Wanted(query="anchor chain", limit=2, offset=offset)).hits
    ]

    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert pages == [hit.node.id for hit in found]


def test_further_symbols_of_a_file_stand_with_its_first(index: Index) -> None:
    from rpg.tools.search import Found, SearchHit, text

    first = SearchHit(path="port/hull.py", name="drop", kind="function", lines="1-2", score=1.0)
    again = SearchHit(path="port/hull.py", name="weigh", kind="function", lines="4-5", score=0.2, weak=True)
    other = SearchHit(path="port/mast.py", name="paint", kind="function", lines="7-8", score=0.1, weak=True)

    lines = text(Found(hits=[first, other, again], mode="snippets")).splitlines()

    assert lines == [
        "port/hull.py:1-2  function drop  1.00",
        "  here too: weigh:4-5",
        "weaker: port/mast.py paint:7-8",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Returns the number of ships", True),
        ("count ships in port", True),
        ("fetches ships by name", True),
        ("is a shortcut for open with a lock", True),
        ("fix: crash\n\nwhen it starts", True),
        ("docs(port): mooring fees", True),
        ("harbour/port: mooring fees", True),
        ("Lazy mooring of ships.", True),
        ("load and unload operations", False),
        ("loading and unloading of ships ...", False),
        ("is the harbour open?", False),
        ("how the harbour opens", False),
        ("mooring fees and discounts", False),
        ("counting ships in the port", False),
        ("", False),
    ],
)
def test_a_sentence_is_told_from_a_topic_and_a_question(text: str, expected: bool) -> None:
    assert is_sentence(text) is expected


TRACE = """\
The chain slips when the anchor is weighed.

Traceback (most recent call last):
  File "/srv/harbour/port/hull.py", line 3, in run
  File "/srv/harbour/port/windlass.py", line 12, in turn
ValueError: anchor chain
"""


def test_the_files_of_a_stack_trace_come_before_others_that_are_alike(index: Index) -> None:
    assert files_in(TRACE) == {"port/hull.py", "port/windlass.py"}
    assert files_in("at run (src\\app\\main.ts:10:5), e.g. 3.14 and v1.2.3") == {"app/main.ts"}
    found = list(dict.fromkeys(paths(index, TRACE)))
    assert set(found[:2]) == {"port/hull.py", "port/windlass.py"}


def test_a_long_report_is_read_as_a_whole(index: Index) -> None:
    assert paths(index, TRACE + "the weather was fine and the crew had eaten\n" * 440)
    with pytest.raises(BadRequest, match="at most 20000"):
        paths(index, "anchor " * 3_000)


def test_a_name_that_begins_alike_is_named() -> None:
    assert share_named("ser/impls.rs", {"implement"}) == 1.0
    assert share_named("ser/in.rs", {"insert"}) == 0.0
    assert share_named("port/anchor_chain.py", {"anchor"}) == 0.5
    assert share_named("src/anchor/mod.rs", {"anchor"}) == 1.0, "what a folder is entered by has its name"


def test_a_file_of_one_line_is_not_what_its_folder_is_asked_for(tmp_path: Path) -> None:
    def first(entered: str) -> str:
        root, output = tmp_path / entered[:3] / "sea", tmp_path / entered[:3] / "sea.graph.json"
        files = {"sea/buoy/__init__.py": entered, "sea/hue.py": functions("open_buoy", "close_buoy", "count_cans")}
        rpg.encode(repository(root, files), output=str(output))
        with_index = Index.open_read_only(index_path(output))
        try:
            return paths(with_index, "paint buoy")[0]
        finally:
            with_index.close()

    assert first("") == "sea/hue.py"
    assert first(functions("moor_buoy", "paint_it")) == "sea/buoy/__init__.py"


def test_old_code_is_told_by_its_folder_or_name() -> None:
    aside = ["compat/http.py", "src/legacy.ts", "Deprecations/View.swift", "examples/app.go", "src/compat.rs"]
    assert all(map(is_set_aside, aside))
    assert not any(map(is_set_aside, ["src/compatible_units/a.py", "folder/threshold.py", "src/main/java/legacies.py"]))
    assert version_of("packages/v3/core.ts") == ("packages", 3)
    assert version_of("packages/vue/core.ts") is None
