"""The search benchmark's own judgement: what counts as found, and copies that are copies."""

from __future__ import annotations

import ast

import pytest
from bench.judging.copies import disguised, renamed
from bench.judging.ranks import Asked, Ranked, is_same, judged, mean
from bench.search import parts, turned_off

GOLD = {"path": "a.py", "qual": "Cart.total", "start": 10, "end": 20}


@pytest.mark.parametrize(
    ("hit", "same"),
    [
        (Ranked("a.py", "Cart.total", "method", 9, 20), True),
        (Ranked("a.py", "total", "function", 12, 13), True),
        (Ranked("a.py", "Cart.total.inner", "function", 12, 14), True),
        (Ranked("a.py", "Cart", "class", 9, 21), True),
        (Ranked("a.py", "Basket.total", "method", 19, 60), False),
        (Ranked("a.py", "Cart.total", "method", 30, 40), False),
        (Ranked("b.py", "Cart.total", "method", 10, 20), False),
        (Ranked("a.py", "everything", "function", 1, 100), False),
    ],
)
def test_a_hit_is_the_gold_function_where_names_or_lines_agree(hit: Ranked, same: bool) -> None:
    assert is_same(hit, GOLD) is same


def test_ranks_of_functions_pass_over_classes_and_files_are_counted_once() -> None:
    hits = [
        Ranked("b.py", "Other", "class", 1, 9),
        Ranked("b.py", "Other.one", "method", 2, 3),
        Ranked("b.py", "Other.two", "method", 4, 5),
        Ranked("a.py", "Cart.total", "method", 10, 20),
    ]
    doc = judged(Asked("1", "doc", "", "x", [GOLD], frozenset({"a.py"})), hits)
    history = judged(Asked("2", "hist", "", "x", [GOLD], frozenset({"a.py"})), hits)
    nothing = judged(Asked("3", "doc", "", "x", [GOLD], frozenset({"a.py"})), [])

    assert doc == {"R@1": 0.0, "R@5": 1.0, "R@10": 1.0, "MRR@10": pytest.approx(1 / 3)}
    assert history == {"file@1": 0.0, "file@5": 1.0, "func@10": 1.0}
    assert set(nothing.values()) == {0.0}
    assert mean([{"a": 1.0}, {"a": 0.0, "b": 1.0}]) == {"a": 0.5, "b": 1.0}


PYTHON = '''\
    def total(self, items):
        """What they cost."""
        sum_of_all = 0
        for item in items:  # one by one
            sum_of_all += self.price(item, "EUR")
        return len(items), sum_of_all
'''
TYPESCRIPT = """\
    /** What they cost. */
    total(items: Item[]): number {
        let sum = 0
        for (const item of items) { // one by one
            sum += this.price(item, "EUR")
        }
        return sum
    }
"""


def test_a_python_copy_has_other_names_and_the_same_statements() -> None:
    copy = ast.parse(renamed(PYTHON, "python")).body[0]

    assert isinstance(copy, ast.FunctionDef)
    assert [type(each).__name__ for each in copy.body] == ["Assign", "For", "Return"]
    text = ast.unparse(copy)
    assert ".price(" in text
    assert "len(" in text
    assert not {"total", "items", "item", "sum_of_all", "self"} & set(text.replace("(", " ").replace(".", " ").split())
    assert "price" not in disguised(PYTHON, "python")


def test_a_copy_of_a_language_with_braces_has_other_names_and_no_comments() -> None:
    copy = renamed(TYPESCRIPT, "typescript")

    assert "cost" not in copy
    assert "one by one" not in copy
    assert "price" in copy
    assert copy.split() != TYPESCRIPT.split()
    assert not {"total", "items", "item", "sum"} & set(copy.replace("(", " ").split())
    assert "price" not in disguised(TYPESCRIPT, "typescript")


def test_every_part_of_the_ranking_that_is_turned_off_is_there_and_comes_back() -> None:
    for part in parts():
        before = [getattr(module, name) for module, name, _ in part.off]
        with turned_off(part):
            assert [getattr(module, name) for module, name, _ in part.off] != before, part.name
        assert [getattr(module, name) for module, name, _ in part.off] == before
