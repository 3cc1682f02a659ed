"""Notebooks: what stands in their cells is code like any other, at its line in the file."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

import rpg
from rpg.encoder.languages import BY_NAME, read_language
from rpg.encoder.languages.python.cells import cells_of, code_of
from rpg.encoder.parsing.parse import parse

TOKEN = "Zk3mQ9vX1pL7" + "tR2wB8nD4sF6"


def notebook(*cells: tuple[str, str], indent: int | None = 1, in_lines: bool = True, **more: Any) -> str:
    listed = [
        {
            "cell_type": kind,
            "metadata": {"name": "source"},
            **({"outputs": [{"data": {"text/plain": ["price()"]}, "source": ["x"]}]} if kind == "code" else {}),
            "source": text.splitlines(keepends=True) if in_lines else text,
        }
        for kind, text in cells
    ]
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4, **more}, indent=indent, ensure_ascii=False)


CELLS = (
    ("markdown", "# Prices of a shop\n\nWhat things cost."),
    ("code", "%matplotlib inline\nfrom shop import price, total\n\nwidth = price(\"é\") + price('b')"),
    ("code", '%%bash\nprice "x"\n'),
    ("code", "def shown(x):\n    !ls\n    return total(x)\n\nshown(width)"),
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text("def price(name): ...\ndef total(x): ...\n", "utf-8")
    (tmp_path / "use.ipynb").write_text(notebook(*CELLS), "utf-8")
    (tmp_path / "other.ipynb").write_text('{"cells": [], "about": "flumoxed"}', "utf-8")
    rpg.encode(tmp_path)
    return tmp_path


@pytest.mark.invariant("edges", "uses in a notebook's cells are uses like any other, at their lines of the file")
def test_what_a_cell_uses_is_used_there(repository: Path) -> None:
    lines = (repository / "use.ipynb").read_text("utf-8").split("\n")
    with rpg.open(repository) as graph:
        answers = [graph.find_usages(symbol=[name]).symbols[0] for name in ("price", "total", "shown")]
        outline = graph.fetch(targets=["use.ipynb::cell 4"])
    uses = [
        (answer.symbol.partition("::")[2], usage.source, lines[int(line) - 1][int(column) - 1 :])
        for answer in answers
        for each in answer.certain
        for usage in each.usages
        for line, _, column in [usage.site.partition(":")]
    ]
    assert uses == [
        ("price", "cell 2", 'price(\\"é\\") + price(\'b\')"'),
        ("price", "cell 2", "price('b')\""),
        ("total", "shown", 'total(x)\\n",'),
        ("shown", "cell 4", 'shown(width)"'),
    ]
    assert all(answer.complete for answer in answers)
    assert "def shown" in str(outline)


def test_cells_are_sections_below_headings(repository: Path) -> None:
    facts = parse("use.ipynb", BY_NAME["notebook"], notebook(*CELLS).encode())
    sections = [(each.name, each.parent) for each in facts.definitions if each.kind == "section"]
    assert sections == [("Prices of a shop", 0), ("cell 2", 1), ("cell 3", 1), ("cell 4", 1)]
    assert not facts.problems


def test_a_notebook_that_is_none_is_text(repository: Path) -> None:
    with rpg.open(repository) as graph:
        assert [hit.path for hit in graph.search(query="flumoxed").hits] == ["other.ipynb"]
    assert read_language("a.ipynb", b"{") is BY_NAME["unparsed"]
    in_r = notebook(*CELLS, metadata={"kernelspec": {"language": "R"}}).encode()
    assert read_language("a.ipynb", in_r) is BY_NAME["unparsed"]


def test_outputs_do_not_make_a_notebook_too_large(repository: Path) -> None:
    path = repository / "use.ipynb"
    path.write_text(notebook(*CELLS).replace("price()", "x" * (2 << 20), 1), "utf-8")
    with rpg.open(repository) as graph:
        [price] = graph.find_usages(symbol=["price"]).symbols
        assert (price.total, price.complete) == ({"certain": 2}, True)


def test_secrets_in_cells_are_masked(tmp_path: Path) -> None:
    source = notebook(("code", f'api_key = "{TOKEN}"\n'), ("markdown", f"api_key: {TOKEN}"))
    (tmp_path / "use.ipynb").write_text(source, "utf-8")
    rpg.encode(tmp_path)
    with rpg.open(tmp_path) as graph:
        assert TOKEN not in str(graph.fetch(targets=["use.ipynb"]))


@pytest.mark.invariant("edges", "uses in a notebook's cells are uses like any other, at their lines of the file")
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("in_lines", [False, True])
@pytest.mark.parametrize(
    "code",
    [
        'x = f"{a}" + rb"b" + "" + """c\n d"""\ny = \'"\'',
        'def f():\n    """Says "so"."""\n    return "\\n\\\\" \\\n        + \'\\\'\'\n',
        "class A:\n\tdef b(self): return 1  # \"it's\nif x:\n\ty = (1 %\n\ts)",
        'é = "\u2028\t"\n\nprint(é, "%s" % é)  # !',
    ],
)
def test_code_stays_what_it_is(code: str, indent: int | None, in_lines: bool) -> None:
    source = notebook(("code", code), ("raw", "("), ("code", "last()"), indent=indent, in_lines=in_lines).encode()
    written = bytes(code_of(source, cells_of(source)))
    assert len(written) == len(source)
    assert re.sub(r"\s", "", written.decode()) == re.sub(r"\s", "", code) + "last()"
    ast.parse(written.lstrip())


@pytest.mark.parametrize(
    "piece", ["{", "[", '"', "\\", '{"cells": [{"source": ["', "\\\\n", '\\"', '"a",', '{"a": 1},']
)
def test_garbage_costs_time_in_proportion_to_its_length(piece: str) -> None:
    source = f'{{"nbformat": 4, "cells": [{{"cell_type": "code", "source": ["{piece * 20_000}'.encode()
    for text in (source, source + b'"]}]}'):
        facts = parse("a.ipynb", BY_NAME["notebook"], text)
        assert len(facts.definitions) <= 3
