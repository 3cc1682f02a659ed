"""Pictures are Mermaid or DOT that a reader can take in, whatever the names in them are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repositories import write

from rpg.encoder.options import Options
from rpg.errors import BadRequest
from rpg.queries.graph.budget import BYTES_PER_TOKEN, text_size
from rpg.queries.overview.folding import Drawing, DrawnEdge, DrawnNode, Picture, picture
from rpg.repository import encode
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.notations_of_pictures import format_picture

NOTATIONS = ("mermaid", "dot")


class Read(NamedTuple):
    """A picture as its text says it."""

    labels: list[list[str]]
    edges: set[tuple[int, int]]
    comments: list[str]


# What the notations allow. Nothing that begins a directive, an entity or a quote stands in a label as it is.

MERMAID = {
    "comment": re.compile(r"%% [^%\n]*"),
    "node": re.compile(r'  n(\d+)(?:\["|\(\[")((?:[^"#<>&`%\\{}|\n]|#\d+;|<br>)*)(?:"\]|"\]\))'),
    "edge": re.compile(r"  n(\d+) (?:-->|-\.->)(?:\|[\w ,]+\|)? n(\d+)"),
}
DOT = {
    "comment": re.compile(r"  // [^\n]*"),
    "node": re.compile(r'  n(\d+) \[label="((?:[^"\\\n]|\\[n"\\])*)"(?:, style=rounded)?\];'),
    "edge": re.compile(r'  n(\d+) -> n(\d+)(?: \[(?:label="[\w ,]+")?(?:, )?(?:style=dashed)?\])?;'),
}


def read(text: str, notation: str) -> Read:
    lines = text.split("\n")
    if notation == "mermaid":
        assert re.fullmatch("flowchart (LR|TB|BT)", lines[0])
        return parsed(lines[1:], MERMAID, of_mermaid)
    assert (lines[0], lines[-1]) == ("digraph {", "}")
    (attributes,) = [line for line in lines if line.startswith("  rankdir=")]
    assert re.fullmatch(r"  rankdir=(LR|TB|BT); node \[shape=box\];", attributes)
    return parsed([line for line in lines[1:-1] if line != attributes], DOT, of_dot)


def parsed(lines: list[str], grammar: dict[str, re.Pattern[str]], plain: Any) -> Read:
    said = Read([], set(), [])
    for line in lines:
        kind, match = next((kind, match) for kind, each in grammar.items() if (match := each.fullmatch(line)))
        if kind == "comment":
            said.comments.append(line)
        elif kind == "node":
            assert int(match[1]) == len(said.labels)
            said.labels.append(plain(match[2]))
        else:
            said.edges.add((int(match[1]), int(match[2])))
    assert all(end < len(said.labels) for ends in said.edges for end in ends)
    return said


def of_mermaid(label: str) -> list[str]:
    return [re.sub(r"#(\d+);", lambda found: chr(int(found[1])), line) for line in label.split("<br>")]


def of_dot(label: str) -> list[str]:
    lines = re.sub(r'\\([n"\\])', lambda found: "\0" if found[1] == "n" else found[1], label).split("\0")
    return [line.replace("&amp;", "&") for line in lines]


@pytest.mark.parametrize(
    "line",
    ['  n0["a"b"]', '  n0["a#quot;"]', '  n0["%%{init: 1}%%"]', "%% say %%{init}%%", '  n0["a<script>"]', "  end"],
)
def test_what_mermaid_would_read_otherwise_is_not_a_picture(line: str) -> None:
    with pytest.raises(StopIteration):
        read(f"flowchart LR\n{line}", "mermaid")


@pytest.mark.parametrize("line", ['  n0 [label="a"b"];', '  n0 [label="a\\"];', "  n0 -> n1"])
def test_what_graphviz_would_refuse_is_not_a_picture(line: str) -> None:
    with pytest.raises(StopIteration):
        read(f"digraph {{\n  rankdir=LR; node [shape=box];\n{line}\n}}", "dot")


HOSTILE = st.text(st.sampled_from("ab \"'`#;&<>[](){}|\\%-.~:\u202e\n\t\0é→"), max_size=12) | st.sampled_from(
    ["-->", "end", "%%{init: {}}%%", 'a"]; b', "#quot;", "&quot;", "\\", '\\"', "<br>", "<script>", "]", "---", "click"]
)


@pytest.mark.invariant(
    "answers",
    "a picture is valid Mermaid or DOT whatever names are in it, has at most 30 nodes, and counts what it folds",
)
@pytest.mark.parametrize("notation", NOTATIONS)
@given(names=st.lists(HOSTILE, min_size=1, max_size=5), note=HOSTILE)
def test_any_name_is_read_back(notation: str, names: list[str], note: str) -> None:
    nodes = [DrawnNode((name, "file")) for name in names]
    edges = [DrawnEdge(at, 0, "calls", at + 1) for at in range(len(names))]

    said = read(format_picture(picture(Drawing(nodes, edges, notes=(note,))), notation, [note]), notation)

    plain = [name for name in names if name.isprintable()]
    assert [first for first, second in said.labels if first in plain] == plain
    assert len(said.labels) == len(names)
    assert said.edges == {(at, 0) for at in range(len(names))}


def numbers(of: Picture) -> tuple[int, int]:
    return sum(node.folded or 1 for node in of.nodes), sum(sum(edge.kinds.values()) for edge in of.edges)


@pytest.mark.invariant(
    "answers",
    "a picture is valid Mermaid or DOT whatever names are in it, has at most 30 nodes, and counts what it folds",
)
@given(
    groups=st.lists(st.sampled_from(["a/", "b/", "c/", "d/"]), min_size=1, max_size=90),
    pairs=st.lists(st.tuples(st.integers(0, 89), st.integers(0, 89)), max_size=200),
    most=st.integers(1, 40),
)
def test_what_has_no_room_is_folded_and_counted(groups: list[str], pairs: list[tuple[int, int]], most: int) -> None:
    nodes = [DrawnNode((str(at),), (f"{group}{at % 7}", group)) for at, group in enumerate(groups)]
    edges = [DrawnEdge(*ends, "calls") for ends in pairs if max(ends) < len(nodes)]

    shown = picture(Drawing(nodes, edges), most)

    assert len(shown.nodes) <= min(most, 30)
    assert len(shown.edges) <= 2 * len(shown.nodes)
    assert numbers(shown)[0] == len(nodes)
    assert not any(node.folded == 1 for node in shown.nodes)
    if len(nodes) <= min(most, 30):
        left_out = [int(number) for note in shown.notes for number in re.findall(r"\((\d+) in all\)", note)]
        assert numbers(shown)[1] + sum(left_out) == len(edges)
    else:
        assert any("folded" in note for note in shown.notes)


def test_the_finest_groups_that_leave_room_are_taken() -> None:
    nodes = [DrawnNode((f"a/{at % 3}/{at}",), (f"a/{at % 3}/", "a/")) for at in range(40)]

    shown = picture(Drawing(nodes, []), 10)

    assert [node.label[0] for node in shown.nodes[7:]] == ["11 more: a/1/", "11 more: a/2/", "11 more: a/0/"]


# The tools

FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/base.py": """\
class Base:
    def run(self):
        return stop()


def stop():
    return 0


LIMIT = 1
""",
    **{
        f"shop/part_{number % 4}/step_{number}.py": f"""\
import json

from shop.base import Base, stop


class Step{number}(Base):
    def run(self):
        return stop()
"""
        for number in range(44)
    },
    **{f"shop/part_{number}/__init__.py": "" for number in range(4)},
    "web/sell.js": "export function sell(price) { return price }\n",
    "web/sell.test.js": """\
import { sell } from "./sell.js"
test('sells "two" --> [x] %%{init: {}}%% #quot; <b>', () => { sell(2) })
""",
    "tests/test_base.py": "from shop.base import Base\n\n\ndef test_run():\n    assert Base().run() == 0\n",
}


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    folder = tmp_path_factory.mktemp("shop")
    encode(write(folder / "shop", FILES), folder / "shop.graph.json", Options())
    graphs = Graphs([folder / "shop.graph.json"])
    yield Call(graphs)
    graphs.close()


QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("explore", {}),
    ("explore", {"edges": ["functional"], "tests": "all"}),
    ("explore", {"start": ["./"], "depth": 3}),
    ("explore", {"start": ["shop/base.py"]}),
    ("explore", {"start": ["shop/base.py::Base"], "edges": ["inherits"], "direction": "callers"}),
    ("explore", {"start": ["shop/base.py::stop"], "edges": ["calls"], "direction": "callers", "tests": "all"}),
    ("explore", {"start": ["web/sell.js::sell"], "edges": ["calls"], "tests": "all"}),
    ("explore", {"start": ["Step3"], "to": "stop"}),
    ("get_dependencies", {"target": ["shop/base.py"], "direction": "dependents"}),
    ("get_dependencies", {"target": ["shop/part_1/"]}),
]


@pytest.mark.invariant(
    "answers",
    "a picture is valid Mermaid or DOT whatever names are in it, has at most 30 nodes, and counts what it folds",
)
@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize(("tool", "arguments"), QUESTIONS)
@pytest.mark.parametrize("tokens", [200, 4_000])
def test_every_picture_is_valid_and_keeps_to_its_budget(
    call: Call, notation: str, tool: str, arguments: dict[str, Any], tokens: int
) -> None:
    result = TOOLS[tool].run(call, {**arguments, "format": notation, "max_tokens": tokens})
    text = TOOLS[tool].text(result)

    assert len(read(text, notation).labels) >= 2
    assert text_size(text) <= tokens * BYTES_PER_TOKEN
    assert TOOLS[tool].found(result)


def drawn(call: Call, tool: str, **arguments: Any) -> Read:
    result = TOOLS[tool].run(call, {**arguments, "format": "mermaid"})
    return read(TOOLS[tool].text(result), "mermaid")


def named(said: Read) -> set[tuple[str, str]]:
    return {(said.labels[source][0], said.labels[target][0]) for source, target in said.edges}


def test_folders_are_opened_as_far_as_there_is_room(call: Call) -> None:
    said = drawn(call, "explore", start=["./"], depth=2)

    parts = [f"shop/part_{number}/" for number in range(4)]
    assert {label[0] for label in said.labels} == {*parts, "shop/base.py", "web/"}
    assert named(said) == {(part, "shop/base.py") for part in parts}


def test_a_file_is_what_it_defines_and_what_uses_what_there(call: Call) -> None:
    said = drawn(call, "explore", start=["shop/base.py"])

    assert said.labels == [["Base", "class"], ["stop", "function"]]
    assert said.edges == {(0, 1)}


def test_classes_are_below_what_they_inherit(call: Call) -> None:
    said = drawn(call, "explore", start=["shop/base.py::Base"], edges=["inherits"], direction="callers")

    assert sum(target == 0 for _, target in said.edges) == len(said.edges) > 10
    assert any("more: hop 1" in label[0] for label in said.labels)


def test_paths_are_drawn_edge_by_edge(call: Call) -> None:
    assert named(drawn(call, "explore", start=["Step3"], to="stop")) == {("Step3.run", "stop")}


def test_dependencies_have_what_is_from_outside_and_fold_files_by_folder(call: Call) -> None:
    said = drawn(call, "get_dependencies", target=["shop/part_1/step_1.py"])
    users = drawn(call, "get_dependencies", target=["shop/base.py"], direction="dependents")

    assert named(said) == {("shop/part_1/step_1.py", other) for other in ("shop/base.py", "json")}
    assert any(re.fullmatch(r"\d+ more: shop/part_\d/", label[0]) for label in users.labels)
    assert any("1 test file left out" in comment for comment in users.comments)


def test_a_title_of_a_test_is_read_as_it_is_written(call: Call) -> None:
    said = drawn(call, "explore", start=["web/sell.js::sell"], edges=["calls"], tests="all")

    assert ["\"sells 'two' --> [x] %%{init: {}}%% #quot; <b>\"", "web/sell.test.js"] in said.labels


def test_a_map_is_not_a_picture(call: Call) -> None:
    with pytest.raises(BadRequest, match="a map is text"):
        TOOLS["explore"].run(call, {"edges": ["map"], "format": "dot"})


def test_other_answers_are_text_as_before(call: Call) -> None:
    assert "digraph" not in TOOLS["explore"].text(TOOLS["explore"].run(call, {"start": ["shop/base.py"]}))


def test_a_graph_of_one_file_has_a_picture(tmp_path: Path) -> None:
    encode(write(tmp_path / "one", {"a.py": "def a():\n    pass\n"}), tmp_path / "one.graph.json", Options())
    graphs = Graphs([tmp_path / "one.graph.json"])
    try:
        assert drawn(Call(graphs), "explore").labels == [["a.py", "2 symbols"]]
    finally:
        graphs.close()
