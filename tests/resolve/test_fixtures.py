"""Does the resolver draw the right edges? Every case under `fixtures/` says so in its own comments."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotations import check, gaps, read

from rpg.encoder.encode import encode
from rpg.encoder.options import Options

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = sorted(case for case in FIXTURES.glob("*/*") if case.is_dir())


@pytest.mark.invariant("edges", "a fixture has exactly the edges that it asserts")
@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.parent.name}/{case.name}") for case in CASES])
def test_the_graph_says_exactly_what_the_comments_say(case: Path) -> None:
    complaints = check(case, encode(case, Options()).graph)

    assert not complaints, "\n" + "\n".join(complaints)


@pytest.mark.invariant("edges", "known wrong answers are pinned and listed")
def test_every_gap_is_in_the_list_of_gaps() -> None:
    listed = [line[2:] for line in _section("Gaps").splitlines() if line.startswith("- ")]

    assert listed == gaps(FIXTURES)


def test_the_matrix_of_cases_shows_what_is_there() -> None:
    header, _, *rows = [line for line in _section("Cases").splitlines() if line.startswith("|")]
    languages = [cell.strip() for cell in header.strip("|").split("|")][1:]
    shown = {
        (language, cells[0])
        for cells in ([cell.strip() for cell in row.strip("|").split("|")] for row in rows)
        for language, mark in zip(languages, cells[1:], strict=True)
        if mark == "x"
    }

    assert shown == {(case.parent.name, case.name) for case in CASES}


def test_a_class_without_a_name_is_not_a_symbol() -> None:
    symbols = encode(FIXTURES / "typescript" / "anonymous_classes", Options()).graph.symbols

    assert [symbol.qualified_name for symbol in symbols if symbol.kind == "class"] == ["Base", "Named"]
    assert [symbol.id for symbol in symbols if "make" in symbol.id] == [
        "shop.ts::make", "shop.ts::make.first", "shop.ts::make.total",
    ]  # fmt: skip


def test_every_case_reads_without_problems() -> None:
    assert [problem for case in CASES for problem in read(case).problems] == []


def _section(title: str) -> str:
    text = (FIXTURES / "README.md").read_text("utf-8")
    return text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
