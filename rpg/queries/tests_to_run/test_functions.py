"""Which symbols a test runner runs: tests, and what it calls before and after them.

In: nodes of files. Out: whether each is a test, a group of tests, or a preparation, by the conventions of its language.
Titles make tests of their own; other tests have a name or a mark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.tests import Tests
from rpg.queries.graph.nodes import Node, batches, nodes
from rpg.stores.index.symbol_reads import list_extras
from rpg.text.titles import is_title

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_MARK = re.compile(r"[\w$]+(?=\W*(?:\(|$))")
"""The name of an annotation or attribute, without what it is qualified by and given."""


class FileOfTests(NamedTuple):
    """What a runner finds in one file."""

    nodes: list[Node]
    tests: frozenset[int]
    """Rows of the tests."""
    preparations: frozenset[int]
    """Rows of what runs before or after the tests of the class or file around it."""
    applied: frozenset[int]
    """Rows of fixtures that every test takes that can: those of the file, and below the folder if it is support."""
    is_support: bool
    """Whether the language says that the file serves the tests of its folder."""

    def tests_in(self, node: Node) -> list[int]:
        """The tests in the span of a symbol; of a file, all."""
        if node.is_file:
            return sorted(self.tests)
        return [
            each.row
            for each in self.nodes
            if each.row in self.tests and node.start_line <= each.start_line <= each.end_line <= node.end_line
        ]


def read_file_of_tests(index: Index, path: str) -> FileOfTests:
    found = nodes(index, "s.path = ? AND s.kind != 'directory' ORDER BY s.id", (path,))
    if not found or found[0].language not in BY_NAME:
        return FileOfTests(found, frozenset(), frozenset(), frozenset(), False)
    rules = BY_NAME[found[0].language].rules.tests
    decorators = decorators_of(index, (each.row for each in found if is_function(each)))
    groups = {each.parent for each in found if is_title(each.name)}
    tests, preparations, applied = set(), set(), set()
    functions = {each.row for each in found if is_function(each)}
    for each in found:
        if not is_function(each):
            continue
        marks = decorators.get(each.row, ())
        if is_title(each.name):
            if each.row not in groups:
                tests.add(each.row)
        elif rules.applied and any(re.search(rules.applied, mark) for mark in marks):
            applied.add(each.row)
        elif is_preparation(rules, each.name, marks):
            preparations.add(each.row)
        elif is_test(rules, each, marks) and each.parent not in functions:
            tests.add(each.row)
    is_support = path.lower().rpartition("/")[2] in rules.files
    return FileOfTests(found, frozenset(tests), frozenset(preparations), frozenset(applied), is_support)


def is_title_of_test(node: Node) -> bool:
    """Whether it is a test or a group of tests with a title."""
    return is_title(node.name)


def is_function(node: Node) -> bool:
    return node.kind in ("function", "method")


def is_test(rules: Tests, node: Node, marks: Iterable[str]) -> bool:
    by_name = bool(rules.functions) and bool(node.test) and node.name.lower().startswith(rules.functions)
    return by_name or not rules.marks.isdisjoint(names_of(marks))


def is_preparation(rules: Tests, name: str, marks: Iterable[str]) -> bool:
    return name in rules.preparations or not rules.preparation_marks.isdisjoint(names_of(marks))


def names_of(marks: Iterable[str]) -> list[str]:
    return [name[0] for mark in marks if (name := _MARK.search(mark.partition("(")[0]))]


def decorators_of(index: Index, rows: Iterable[int]) -> dict[int, list[str]]:
    """As written, of those that have any."""
    out: dict[int, list[str]] = {}
    for batch in batches(rows):
        for row, extra in list_extras(index, batch):
            found = json.loads(extra).get("decorators", [])
            if isinstance(found, list) and found:
                out[row] = [str(each) for each in found]
    return out
