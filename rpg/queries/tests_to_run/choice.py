"""Which of the tests that may run what changed are worth running, nearest first.

In: what was reached, and the ways. Out: the tests that are named and how many others there are.

In a program that passes everything through one core, almost every test may run almost everything, but few do. A test
with a way that is hardly doubtful is always named, if what it says takes doubts away (`doubts.py`). Of the others, if
they are many, the likely ones are named: a test that fulfils a condition on its way, or asks for a value by its key,
has words of it, and so has a test that is about what changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from rpg.queries.graph.nodes import Node
from rpg.queries.tests_to_run.doubts import count_doubts
from rpg.queries.tests_to_run.reach import Reach, SearchForTests
from rpg.queries.tests_to_run.wording import list_words
from rpg.stores.index.symbol_reads import count_test_functions

SURE = 2
"""A way on which no more doubts than this are left is always worth a run."""
LIKELY = -1
"""So is one with a doubt more, if its words are rarer than that: doubts less likeness."""
SHARE = 0.33
"""Up to this share of all tests is named if ways are more doubtful."""
LONGEST = 400
"""How many lines of a test or of what changed are read for words."""


class Choice(NamedTuple):
    tests: list[Node]
    """Nearest first."""
    others: int
    """How many more may run it."""


def choose(search: SearchForTests, reach: Reach, changed: Sequence[Node]) -> Choice:
    """`changed`: what was asked for."""
    tests = list(reach.tests.values())
    room = int(SHARE * count_test_functions(search.index))
    if len(tests) <= room:
        return Choice(tests, 0)
    words = {node.row: list_words(f"{node.qualified_name} {text_of(search, node)}") for node in tests}
    doubts = count_doubts(reach.steps, {node.row for node in changed}, words)
    likeness = measure_likeness(search, reach, changed, words)
    scores = {row: (doubts[row] - likeness[row], reach.ways[row].distance) for row in words}
    named = {row for row in words if doubts[row] <= SURE or (doubts[row] <= SURE + 1 and scores[row][0] <= LIKELY)}
    doubtful = sorted((row for row in words if row not in named), key=scores.__getitem__)
    named.update(doubtful[: max(room - len(named), 0)])
    return Choice([node for node in tests if node.row in named], len(tests) - len(named))


def measure_likeness(
    search: SearchForTests,
    reach: Reach,
    changed: Sequence[Node],
    words: Mapping[int, frozenset[str]],
) -> dict[int, float]:
    """How rare the words are that tests share with the name of what changed, with its text, and with what the source
    says on the way. `words`: of all tests that may run it."""
    about = list_words(" ".join(each.qualified_name for each in changed))
    bodies = list_words(" ".join(text_of(search, each) for each in changed))
    on_way: dict[int, frozenset[str]] = {}
    number = Counter(word for found in words.values() for word in found)

    def rarest(shared: Iterable[str]) -> float:
        return max((log((len(words) + 1) / number[word]) for word in shared), default=0.0)

    return {
        row: rarest(words[row] & about)
        + rarest(words[row] & list_words_on_way(reach, row, on_way))
        + rarest(words[row] & bodies)
        for row in words
    }


def list_words_on_way(reach: Reach, row: int, known: dict[int, frozenset[str]]) -> frozenset[str]:
    """Of what the source says at the steps of a way. `known`: those of other rows, whose ways it may go on."""
    steps = []
    while row not in known and reach.ways[row].through != row:
        steps.append(row)
        row = reach.ways[row].through
    found = known.get(row, frozenset())
    for each in reversed(steps):
        found = known[each] = found | list_words(" ".join(reach.ways[each].told))
    return found


def text_of(search: SearchForTests, node: Node) -> str:
    lines = search.sources.lines(node.path) or []
    return "\n".join(lines[max(0, node.start_line - 1) : min(node.end_line, node.start_line + LONGEST)])
