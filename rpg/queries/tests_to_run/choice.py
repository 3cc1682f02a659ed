"""Which of the tests that may run what changed are worth running, nearest first.

In: what was reached, and the ways. Out: the tests that are named and how many others there are.

In a program that passes everything through one core, almost every test may run almost everything, but few do. A test
that is reached by calls alone is always named. Of those whose ways are doubtful, if they are many, the likely ones are
named: a test that fulfils a condition on its way, or asks for a value by its key, has words of it, and so has a test
that is about what changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from rpg.queries.graph.nodes import Node
from rpg.queries.tests_to_run.reach import Reach, SearchForTests
from rpg.stores.index.symbol_reads import count_test_functions

SURE = 3
"""A way with no more doubts than this is always worth a run."""
SHARE = 0.36
"""Up to this share of all tests is named if ways are more doubtful."""
LONGEST = 400
"""How many lines of a test or of what changed are read for words."""
_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_COMMON = frozenset(
    """and as assert async await break case catch class const continue def def elif else elsif except false final for
    from func function if import in instanceof is isinstance len let none not null or pass private public raise return
    self static str switch test tests the this throw true try type value var void when while with""".split()
)


class Choice(NamedTuple):
    tests: list[Node]
    """Nearest first."""
    others: int
    """How many more may run it."""


def choose(search: SearchForTests, reach: Reach, changed: Sequence[Node]) -> Choice:
    """`changed`: what was asked for."""
    tests = list(reach.tests.values())
    ways = reach.ways
    doubtful = [node for node in tests if ways[node.row].doubt > SURE]
    room = int(SHARE * count_test_functions(search.index)) - (len(tests) - len(doubtful))
    if len(doubtful) <= room:
        return Choice(tests, 0)
    about = words(" ".join(each.qualified_name for each in changed))
    bodies = words(" ".join(text_of(search, each) for each in changed))
    likely = rank_tests(search, reach, doubtful, about, bodies)[: max(room, 0)]
    named = {node.row for node in likely} | {node.row for node in tests if ways[node.row].doubt <= SURE}
    return Choice([node for node in tests if node.row in named], len(tests) - len(named))


def rank_tests(
    search: SearchForTests, reach: Reach, tests: Sequence[Node], about: frozenset[str], bodies: frozenset[str]
) -> list[Node]:
    """The likely ones first: by rare words that a test shares with the name of what changed, with its text, and with
    the conditions on its way, less the doubts."""
    texts = {node.row: words(f"{node.qualified_name} {text_of(search, node)}") for node in tests}
    number = Counter(word for found in texts.values() for word in found)

    def rarest(shared: Iterable[str]) -> float:
        return max((log((len(tests) + 1) / number[word]) for word in shared), default=0.0)

    def score(node: Node) -> tuple[float, int]:
        found = texts[node.row]
        told = words(" ".join(list_way_texts(reach, node.row)))
        shared = rarest(found & about) + rarest(found & told) + rarest(found & bodies)
        way = reach.ways[node.row]
        return way.doubt * 0.3 - shared * 0.5, way.distance

    return sorted(tests, key=score)


def list_way_texts(reach: Reach, row: int) -> Iterable[str]:
    """What the source says at the steps of a way."""
    while reach.ways[row].through != row:
        yield from reach.ways[row].told
        row = reach.ways[row].through


def text_of(search: SearchForTests, node: Node) -> str:
    lines = search.sources.lines(node.path) or []
    return "\n".join(lines[max(0, node.start_line - 1) : min(node.end_line, node.start_line + LONGEST)])


def words(text: str) -> frozenset[str]:
    return frozenset(found.lower() for found in _WORD.findall(text)) - _COMMON
