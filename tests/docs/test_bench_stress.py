"""The stress benchmark sees what it is there to see: a line that was never there, and one of an older version."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from bench.stress import Edited, Record, compare

TEXT = "def buy():\n    return 1\n"


class Answers:
    """A server that shows what it is told to."""

    def __init__(self, lines: list[str], stale: list[str]) -> None:
        source = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))
        self._result = {"symbols": [{"path": "shop.py", "source": source}], "state": {"stale": stale}}

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"result": {"structuredContent": self._result}}


@pytest.fixture
def edited(tmp_path: Path) -> Edited:
    (tmp_path / "shop.py").write_text(TEXT)
    edited = Edited(tmp_path / "shop.py", "shop.py", "shop.py::buy")
    while (tmp_path / "shop.py").read_text() == TEXT:
        edited.edit(1, random.Random(time.monotonic_ns()))
    return edited


def wrong(edited: Edited, lines: list[str], stale: list[str]) -> set[str]:
    record = Record()
    compare(Answers(lines, stale), edited, 0, [edited], record)  # type: ignore[arg-type]
    return {each.partition(":")[0] for each in record.wrong}


def test_what_stands_there_now_is_right(edited: Edited) -> None:
    assert wrong(edited, edited.path.read_text().split("\n"), []) == set()


def test_an_older_version_is_right_only_where_the_answer_says_so(edited: Edited) -> None:
    assert wrong(edited, TEXT.split("\n"), ["shop.py"]) == set()
    assert wrong(edited, TEXT.split("\n"), []) == {"stale lines"}


def test_a_line_that_no_version_has_is_wrong(edited: Edited) -> None:
    assert wrong(edited, ["", *TEXT.split("\n")], ["shop.py"]) == {"wrong lines"}
