"""The answer of `rpg tests`: the tests to run for a change, why each, and what no test reaches.

In: an index, and a revision or symbols. Out: the answer, and its lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.filters import format_count
from rpg.queries.graph.nodes import Node, nodes_by_row
from rpg.queries.graph.unread import find_unread_languages, format_unread
from rpg.queries.tests_to_run.choice import choose
from rpg.queries.tests_to_run.measured import Coverage
from rpg.queries.tests_to_run.reach import Reach, SearchForTests, Way
from rpg.queries.tests_to_run.runners import Chosen, command_of, runners_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

OUTSIDE_NAMED = 3
"""How many files of tests are named whose code is not in a test."""
UNREACHED_NAMED = 20
"""How many symbols that no test reaches are named; more are counted."""


@dataclass(frozen=True, kw_only=True)
class FoundTest:
    path: str
    name: str
    """In its file."""
    line: int
    distance: int
    """Steps and doubts on the way from the change; 0 for a test that changed itself."""
    doubt: int
    """How many steps may not be taken: conditions, possible edges, members that the language runs."""
    through: str
    """The symbol that the test uses on this way."""


@dataclass(frozen=True, kw_only=True)
class FoundTests:
    since: str = ""
    changed: int
    """How many symbols changed."""
    measured: int = 0
    """Of how many the coverage says which tests ran them."""
    tests: list[FoundTest] = field(default_factory=list)
    """Nearest first."""
    others: int = 0
    """How many more may run what changed, on doubtful ways."""
    unreached: list[str] = field(default_factory=list)
    """Changed functions and classes that no test reaches."""
    unread: list[str] = field(default_factory=list)
    """Languages in which tests may use what changed, and of which no use is read."""
    outside: list[str] = field(default_factory=list)
    """Files of tests that run what changed, but not in what is known to be a test, if no test does."""
    stopped: bool = False
    """Whether there is too much on the way to follow it all."""
    runners: list[str] = field(default_factory=list)
    """Those of the tests, as `rpg tests --format` names them."""


def find_tests(
    index: Index,
    header: Mapping[str, Any],
    changed: Sequence[Node],
    since: str,
    wants_all: bool,
    coverage: Coverage | None = None,
) -> tuple[FoundTests, list[Chosen]]:
    """The answer, and the tests for a runner. Where coverage says which tests ran a symbol, these are its tests."""
    search = SearchForTests(index, header)
    ran = {node.row: rows for node in changed if coverage and (rows := coverage.tests_of(node)) is not None}
    reach = search.reach([node.row for node in changed if node.row not in ran])
    choice = choose(search, reach, changed)
    ways = {row: Way(1, changed_row) for changed_row, rows in ran.items() for row in rows}
    measured = [node for row, node in nodes_by_row(index, ways).items() if row not in reach.tests]
    ways = {**ways, **reach.ways}
    named = [*measured, *(reach.tests.values() if wants_all else choice.tests)]
    named.sort(key=lambda node: ways[node.row].distance)
    around = nodes_by_row(index, {ways[node.row].through for node in named})
    reached = reach.reached | {row for row, rows in ran.items() if rows}
    answer = FoundTests(
        since=since,
        changed=len(changed),
        measured=len(ran),
        tests=[build_found_test(node, ways[node.row], around) for node in named],
        others=0 if wants_all else choice.others,
        unreached=find_unreached(changed, reached),
        unread=find_unread_languages(index, {each.language for each in changed if each.row not in reached}),
        outside=[] if named or choice.others else find_outside(index, reach, changed),
        stopped=reach.stopped,
        runners=list(runners_of(named)),
    )
    return answer, [Chosen(node, "\n".join(search.sources.lines(node.path) or [])) for node in named]


def build_found_test(node: Node, way: Way, around: Mapping[int, Node]) -> FoundTest:
    through = around.get(way.through)
    return FoundTest(
        path=node.path,
        name=node.qualified_name,
        line=node.name_line or node.start_line,
        distance=way.distance,
        doubt=way.doubt,
        through=through.id if through is not None and through.row != node.row else "",
    )


def find_unreached(changed: Sequence[Node], reached: Collection[int]) -> list[str]:
    """Functions and classes of code alone: no test calls what a configuration defines, such as a job of a workflow."""
    kinds = FUNCTION_KINDS | CLASS_KINDS
    return [
        node.id
        for node in changed
        if node.kind in kinds and not node.test and node.row not in reached and not configures(node.language)
    ]


def find_outside(index: Index, reach: Reach, changed: Sequence[Node]) -> list[str]:
    """Tests that are shell functions or plain statements have neither name nor mark: their files are all there is."""
    rows = reach.ways.keys() - {node.row for node in changed}
    return sorted({node.path for node in nodes_by_row(index, rows).values() if node.test})


def configures(language: str) -> bool:
    return language in BY_NAME and BY_NAME[language].configures


def lines(found: FoundTests, most: int) -> Iterator[str]:
    what = f"{format_count(found.changed, 'symbol')} changed since {found.since}" if found.since else ""
    none = "no test is known to reach it" if found.unread else "no test reaches it"
    tests = f"{format_count(len(found.tests), 'test')} to run" if found.tests else none
    yield ": ".join(filter(None, (what, tests if found.changed else "")))
    path = ""
    for each in found.tests[:most]:
        if each.path != path:
            path = each.path
            yield path
        by = f"  by {each.through}" if each.through and not each.through.startswith(f"{path}::") else ""
        yield f"  {each.name}:{each.line}{by}"
    if len(found.tests) > most:
        yield f"and {len(found.tests) - most} more (--limit)"
    if found.others:
        yield f"{format_count(found.others, 'test')} more may run it, on ways that are doubtful (--all)"
    if found.unreached:
        named = ", ".join(found.unreached[:UNREACHED_NAMED])
        more = f" and {len(found.unreached) - UNREACHED_NAMED} more" if len(found.unreached) > UNREACHED_NAMED else ""
        yield f"{'it is not known which tests reach' if found.unread else 'no test reaches'} {named}{more}"
    if found.unread and found.changed:
        yield f"there may be more tests: {format_unread(found.unread)}"
    if found.outside:
        more = f" and {len(found.outside) - OUTSIDE_NAMED} more" if len(found.outside) > OUTSIDE_NAMED else ""
        where = ", ".join(found.outside[:OUTSIDE_NAMED])
        yield f"used in {where}{more}, but not in what is known to be a test: look there"
    if found.stopped:
        yield "too much depends on it to follow it all: there may be more tests"
    for runner in found.runners:
        of = f" --since {found.since}" if found.since else " …"
        yield f"run: {command_of(runner, f'$(rpg tests{of} --format {runner})')}"
