"""Files that no parser reads: their words are searched, their headings are sections, they are fetched and counted, and
a list of uses that one of them may add to is not called complete."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from accounts import lines_left
from hypothesis import given
from hypothesis import strategies as st
from repositories import write

import rpg
from rpg.encoder.options import Options
from rpg.errors import EncodeFailed
from rpg.repository import encode
from rpg.server.instructions import instructions
from rpg.server.resources import read
from rpg.stores.search.numbers import pack
from rpg.stores.search.text_trigrams import hashes
from rpg.stores.search.trigrams import fold, hashes_of, having
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call

GUIDE = """\
===============
The :mod:`shop`
===============

How to fulfil an order.

Refunds
=======

.. note:: rarely

Customers get *flumoxed*, says ``refund``.

By card
-------
The bank decides.
"""
FILES: dict[str, str | bytes] = {
    "shop.py": """\
def show_total(order):
    return order


def old_total(order):
    return order


def prose_total(order):
    return order


def total(order):
    return order


def is_flumoxed(order):
    return order


class OrderError(Exception):
    pass
""",
    "app.yml": "handler: shop.OrderError\n",
    "App.aspx": '<script>\nimport { other } from "./shop"\nimport { show_total } from "./shop"\n</script>\n',
    "deploy.yml": "# old_total is no more\non: flumoxed\nrun: echo the total\ntotal: 1\n<!--\nold_total\n-->\n",
    "Jenkinsfile": "FROM scratch\nRUN flumoxed\n",
    "docs/guide.rst": GUIDE + "\n``prose_total`` is a function\n",
    "docs/notes.txt": "Opening hours\n-------------\nfrom nine to five\n",
    "docs/manual.adoc": "= The manual\n\n== Paying\nin cash\n\n----\n== no heading\n----\n\n=== Coins\nonly\n",
    "main.odin": 'const std = @import("std");\npub fn main() void {}\n',
    "poetry.lock": 'name = "lockstep"\n',
    "data.csv": "first,line\n" + "a,row\n" * 1000 + "far,quagmire\n",
    "logo.raw": b"\x00\x01\x02binary",
    "max.yaml": "word: beginning\n" + "  - filler\n" * 4000 + "hidden: afterthought\n",
}


@pytest.fixture(scope="module")
def graph_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("text")
    root = write(folder / "shop", FILES)
    encode(root, folder / "shop.graph.json", Options(), workers=1)
    return folder / "shop.graph.json"


@pytest.fixture(scope="module")
def shop(graph_file: Path) -> Iterator[Any]:
    with rpg.open(graph_file) as opened:
        yield opened


def said(shop: Any, tool: str, **arguments: Any) -> str:
    return TOOLS[tool].text(getattr(shop, tool)(**arguments))


@pytest.mark.invariant("answers", "a list of uses is not complete if the name occurs in a file that no parser reads")
def test_a_function_that_only_a_component_imports_is_not_called_unused(shop: Any) -> None:
    [found] = shop.find_usages(symbol=["show_total"]).symbols

    assert not found.complete
    assert not found.complete_outside_tests
    assert lines_left(found) == ["App.aspx:3"]
    told = said(shop, "find_usages", symbol=["show_total"]).splitlines()
    assert told[1] == "no usages; not complete; unused in the code that rpg parses"
    assert told[2] == "-- named in a file read as text"
    assert told[3].startswith("App.aspx:3:")


def test_a_function_that_only_a_template_names_is_not_called_unused(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "shop.py": "def show_total(order):\n    return order\n",
        "page.html": '<p class="total">{{ show_total }}</p>\n',
    }
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        [found] = opened.find_usages(symbol=["show_total"]).symbols

    assert (found.complete, lines_left(found)) == (False, ["page.html:1"])


def test_an_ordinary_word_in_the_code_of_a_template_is_a_name(tmp_path: Path) -> None:
    page = """{% load shop %}
<p class="wide gallery big">{% block content %}a gallery, opened{% endblock content %}</p>
<p>{% trans "a money gallery" %}{{ price|money }}{% gallery page %}</p>
"""
    names = ("gallery", "money", "content", "load", "opened", "trans")
    files: dict[str, str | bytes] = {
        "shop.py": "\n\n".join(f"def {name}(order):\n    return order\n" for name in names),
        "page.html": page,
    }
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        found = {name: lines_left(opened.find_usages(symbol=[name]).symbols[0]) for name in names}

    assert {name for name, places in found.items() if places} == {"gallery", "money"}
    assert found["gallery"] == found["money"] == ["page.html:3"]


@pytest.mark.parametrize("name", ["old_total", "prose_total", "total"])
def test_comments_prose_and_ordinary_words_leave_a_list_complete(shop: Any, name: str) -> None:
    [found] = shop.find_usages(symbol=[name]).symbols

    assert (found.complete, lines_left(found)) == (True, [])


def test_names_of_ruby_are_found_in_templates_and_members_without_a_receiver_are_counted(tmp_path: Path) -> None:
    ruby = "module Helper\n  def ready?\n    true\n  end\n\n  def tag_link(name)\n    name\n  end\nend\n"
    other = "module Users\n  def shown(user)\n    tag_link(user)\n  end\nend\n"
    root = write(tmp_path / "shop", {"helper.rb": ruby, "users.rb": other, "show.rhtml": "- if ready?\n"})
    encode(root, tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        [ready] = opened.find_usages(symbol=["Helper.ready?"]).symbols
        [link] = opened.find_usages(symbol=["Helper.tag_link"]).symbols
        [template] = opened.find_usages(symbol=["show.rhtml"]).symbols

    assert (ready.complete, lines_left(ready)) == (False, ["show.rhtml:1"])
    assert not link.complete
    assert link.total
    assert not template.complete
    assert template.reason == "nothing names it by its path; others may, in part or by convention: search for its name"


def test_a_template_may_be_named_in_part_and_a_file_by_its_folder(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "app/views/shops/show.html.erb": "<p></p>\n",
        "main.tf": 'module "shop" {\n  source = "./shop"\n}\n',
        "shop/main.tf": 'variable "name" {}\n',
    }
    encode(write(tmp_path / "shop", files), tmp_path / "shop.graph.json", Options(), workers=1)
    with rpg.open(tmp_path / "shop.graph.json") as opened:
        [view] = opened.find_usages(symbol=["app/views/shops/show.html.erb"]).symbols
        [part] = opened.find_usages(symbol=["shop/main.tf"]).symbols
        [whole] = opened.find_usages(symbol=["shop/"]).symbols

    assert not view.complete
    assert view.reason == "nothing names it by its path; others may, in part or by convention: search for its name"
    assert part.reason == "nothing names it alone; its folder is imported: usages shop/"
    assert [each.path for each in whole.certain] == ["main.tf"]


def test_configuration_may_name_a_class_and_neither_extends_nor_raises_it(shop: Any) -> None:
    [named] = shop.find_usages(symbol=["OrderError"]).symbols
    [extended] = shop.find_usages(symbol=["OrderError"], kinds=["inherits", "raises"]).symbols

    assert (named.complete, lines_left(named)) == (False, ["app.yml:1"])
    assert (extended.complete, lines_left(extended)) == (True, [])


def test_only_files_that_a_question_is_about_count(shop: Any) -> None:
    [found] = shop.find_usages(symbol=["show_total"], exclude_path="*.aspx").symbols

    assert found.complete


@pytest.mark.invariant(
    "answers",
    "every text file is searched, fetched and counted, whatever its suffix; code ranks first",
)
def test_a_word_is_found_in_every_file_and_code_first(shop: Any) -> None:
    everywhere = [hit.path for hit in shop.search(query="where is something flumoxed", content="all").hits]
    code = [hit.path for hit in shop.search(query="where is something flumoxed").hits]
    docs = [(hit.path, hit.name) for hit in shop.search(query="where is something flumoxed", content="docs").hits]

    assert everywhere[0] == "shop.py"
    assert {"deploy.yml", "Jenkinsfile", "docs/guide.rst"} <= set(everywhere)
    assert code[0] == "shop.py"
    assert {"deploy.yml", "Jenkinsfile"} <= set(code)
    assert docs[0] == ("docs/guide.rst", "Refunds")
    assert {path for path, _ in docs} <= {path for path in FILES if path.startswith("docs/")}


def test_headings_are_sections(graph_file: Path) -> None:
    nodes = json.loads(graph_file.read_text())["nodes"]
    sections = {
        f"{node['path']}::{node['name']}": (node["signature"], node.get("doc", ""))
        for node in nodes
        if node["kind"] == "section"
    }

    assert sections == {
        "docs/guide.rst::The shop": ("# The shop", "How to fulfil an order."),
        "docs/guide.rst::Refunds": ("## Refunds", "Customers get *flumoxed*, says refund."),
        "docs/guide.rst::By card": ("### By card", "The bank decides."),
        "docs/notes.txt::Opening hours": ("# Opening hours", "from nine to five"),
        "docs/manual.adoc::The manual": ("# The manual", ""),
        "docs/manual.adoc::Paying": ("## Paying", "in cash"),
        "docs/manual.adoc::Coins": ("### Coins", "only"),
    }


def test_a_section_is_fetched_and_a_file_is_a_resource(shop: Any) -> None:
    [section] = shop.fetch(targets=["docs/guide.rst::By card"]).symbols

    assert section.source.splitlines()[0].endswith("By card")
    assert "pub fn main" in read(Call(shop._graphs), "code://shop/main.odin").text


@pytest.mark.invariant(
    "answers",
    "every text file is searched, fetched and counted, whatever its suffix; code ranks first",
)
def test_a_folder_without_a_language_that_is_parsed_has_a_graph(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {"main.odin": FILES["main.odin"], "build.zig.zon": ".{}\n"})
    encode(root, tmp_path / "shop.graph.json", Options())

    with rpg.open(tmp_path / "shop.graph.json") as shop:
        assert [hit.path for hit in shop.search(query="std import main").hits] == ["main.odin"]
        assert "no parser for: .odin, .zon" in said(shop, "stats")


def test_binary_files_alone_are_not_sources(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {"logo.raw": FILES["logo.raw"]})

    with pytest.raises(EncodeFailed, match="none is text that can be read"):
        encode(root, tmp_path / "shop.graph.json", Options())


def test_schemas_beyond_the_counted_beginning_of_a_large_file_are_symbols(tmp_path: Path) -> None:
    filler = "".join(f"    Filler{i}:\n      type: object\n{'      # words of a comment' * 40}\n" for i in range(400))
    text = f"openapi: 3.0.0\npaths: {{}}\ncomponents:\n  schemas:\n{filler}    Last:\n      type: object\n"
    root = write(tmp_path / "shop", {"api.yaml": text})

    graph = encode(root, tmp_path / "shop.graph.json", Options())

    assert not graph.skipped
    with rpg.open(tmp_path / "shop.graph.json") as shop:
        assert [each.name for each in shop.search(query="Last", mode="symbol").hits][:1] == ["schemas.Last"]


def test_what_was_read_how_is_reported_everywhere(shop: Any, graph_file: Path) -> None:
    header = json.loads(graph_file.read_text())["graph"]
    told = [
        instructions(shop._graphs),
        TOOLS["encode"].text(shop.encode(repository=str(graph_file.parent / "shop"), output=str(graph_file))),
    ]

    assert header["not_parsed"] == {
        ".aspx": 1, ".csv": 1, ".yaml": 1, ".yml": 2, ".odin": 1, "Jenkinsfile": 1
    }  # fmt: skip
    assert header["tiers"] == dict.fromkeys(header["languages"], "text") | {"python": "resolved"}
    assert header["languages"]["unparsed"] == {"files": 7, "definitions": 0, "counted_in_part": 2}
    for text in told:
        assert "python 1 files; text: unparsed 7, asciidoc 1, plaintext 1, restructuredtext 1" in text
        assert "no parser for 2 .yml, .aspx, .csv, .odin, …" in text
    stats = said(shop, "stats")
    assert "unparsed: 7 files, 7 symbols, text" in stats
    assert "no parser for: 2 .yml, .aspx, .csv, .odin, .yaml, Jenkinsfile" in stats
    assert "search by words knows the beginning of 2 large files" in stats


def test_lock_files_and_binary_files_are_only_named(shop: Any, graph_file: Path) -> None:
    header = json.loads(graph_file.read_text())["graph"]

    assert header["skipped"] == [
        {"path": "logo.raw", "reason": "binary"},
        {"path": "poetry.lock", "reason": "lock file"},
    ]
    assert not shop.search(query="lockstep", mode="text").texts


@pytest.mark.parametrize("word", ["quagmire", "afterthought"])
def test_behind_the_beginning_of_a_large_file_a_word_is_found_as_text(shop: Any, word: str) -> None:
    paths = {"quagmire": "data.csv", "afterthought": "max.yaml"}

    assert [each.path for each in shop.search(query=word, mode="text").texts] == [paths[word]]
    assert paths[word] not in [hit.path for hit in shop.search(query=f"the {word} somewhere").hits]


@pytest.mark.parametrize(
    ("path", "old", "new", "is_alone"),
    [
        ("deploy.yml", "on: flumoxed", "on: perplexed", True),
        ("docs/guide.rst", "Refunds\n=======", "Returns\n=======", True),
        ("docs/notes.txt", "Opening hours\n-------------\n", "", True),
        ("tsconfig.json", "src", "lib", False),
    ],
)
def test_an_edit_of_text_is_in_the_next_graph_and_concerns_no_other_file(
    tmp_path: Path, path: str, old: str, new: str, is_alone: bool
) -> None:
    paths = '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}\n'
    code: dict[str, str | bytes] = {"main.ts": 'import { pay } from "@/till";\npay();\n', "tsconfig.json": paths}
    root = write(tmp_path / "shop", FILES | code)
    kept, clean = tmp_path / "kept.graph.json", tmp_path / "clean.graph.json"
    encode(root, kept, Options())
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))

    summary = encode(root, kept, Options())
    encode(root, clean, Options(), full=True)

    assert kept.read_bytes() == clean.read_bytes()
    assert ("resolve" not in summary.seconds) == is_alone


def test_what_the_options_leave_out_is_not_read(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", FILES)
    encode(root, tmp_path / "shop.graph.json", Options(exclude=("*.yml", "docs/")))

    with rpg.open(tmp_path / "shop.graph.json") as shop:
        hits = shop.search(query="where is something flumoxed", content="all").hits
        assert {hit.path for hit in hits} == {"shop.py", "Jenkinsfile"}


@pytest.mark.parametrize(
    "text",
    [
        "=" * 100_000,
        ("a\n" + "=" * 50 + "x\n") * 2_000,
        ("Title\n=====\n") * 5_000,
        "\n" * 100_000 + "-" * 100_000,
        ("= a" + " " * 300 + "b\n") * 3_000,
        ("----\n== a\n....\n") * 5_000,
    ],
)
@pytest.mark.parametrize("suffix", [".rst", ".adoc", ".txt", ".none"])
def test_any_text_is_read(text: str, suffix: str) -> None:
    from rpg.encoder.languages import find_language
    from rpg.encoder.parsing.parse import parse

    path = f"a{suffix}"
    facts = parse(path, find_language(path), text.encode())

    assert facts.definitions[0].end_byte == len(text)


@given(st.text(st.characters(codec="utf-8"), min_size=3, max_size=30))
def test_trigrams_of_a_name_are_those_of_the_text_index(name: str) -> None:
    assert hashes_of(fold(name.encode())) == hashes(fold(name.encode()))


@given(st.lists(st.sets(st.integers(0, 3000), max_size=60), min_size=1, max_size=4))
def test_files_of_a_list_are_the_same_without_numpy(lists: list[set[int]]) -> None:
    for numbers in lists:
        blob = pack(array("I", sorted(numbers)))
        if blob:
            assert having(blob, range(3001)) == sorted(numbers)
