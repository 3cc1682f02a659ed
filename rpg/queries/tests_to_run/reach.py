"""Which tests run a symbol: from the symbol backwards to whatever runs it, until a test does.

In: an index and symbols. Out: every test that may run one of them, how far it is, how doubtful the way is, and what the
source says on the way.

A step leads backwards along an edge: from a function to whoever calls it, passes it on or decorates with it, from a
constructor to the calls of its class, from a method to the calls of what it overrides, from a fixture or a set-up to
the tests that it is for. Where no edge can be, a step is wider and more doubtful: from a member that the language runs
unnamed, or that nobody names, to whoever makes its class; from a name to the unresolved calls of that name; from a
function to what it is registered with. Annotations run nothing.

A method that is reached through a base class or by its name alone is run only by tests that make an object of its class
(`made`); what is defined inside a test is run by that test only.

Absent: what an import runs, unless it is the module itself that changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.families import find_constructed_classes, find_language_family, is_constructor
from rpg.queries.graph.nodes import Node, batches, members, nodes_by_row
from rpg.queries.graph.sources import sources
from rpg.queries.places.impact import find_enclosing_functions, overridden_by
from rpg.queries.tests_to_run.conditions import conditions_around
from rpg.queries.tests_to_run.test_functions import FileOfTests, decorators_of, is_title_of_test, read_file_of_tests
from rpg.queries.usages.usage_gaps import is_run_unnamed
from rpg.stores.index.edge_reads import list_used_by, list_users_of
from rpg.stores.index.hierarchy_reads import list_heirs
from rpg.stores.index.import_reads import list_importing_symbols
from rpg.stores.index.place_reads import list_sources_of_unresolved
from rpg.stores.index.reader import list_test_modules_between

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 20_000
"""The search stops after this many symbols."""
FARTHEST = 60
"""No way is longer."""
POSSIBLE, PASSED, UNNAMED, UNSEEN, BY_NAME_ALONE, REGISTERED, IMPORTED = 1, 1, 2, 4, 2, 1, 3
"""How doubtful a step is: a possible edge; a value that is passed on rather than called; a member that the language
runs, or that nobody names; a use of a member that is not seen beside others that are; an unresolved call of the same
name; a registration; an import. A condition around a site counts as one."""
_OBJECT = re.compile(r"@?(\w+)\.\w")
"""What a decorator is a member of."""
_HELD = FUNCTION_KINDS | {"field", "constant"}


class Way(NamedTuple):
    """How a symbol was reached."""

    distance: int
    """Steps and doubts."""
    through: int
    """The row of what it runs; its own for what changed."""
    doubt: int = 0
    told: tuple[str, ...] = ()
    """Conditions around the site of the last step, and the line of a table that has the value."""


class Step(NamedTuple):
    row: int
    through: int
    doubt: int = 0
    made: int = 0
    """The class of which there must be an object; 0: none."""
    told: tuple[str, ...] = ()
    length: int = 1


class Reach(NamedTuple):
    ways: dict[int, Way]
    """By row, for everything on the way."""
    tests: dict[int, Node]
    """The tests that may run one of the symbols, nearest first."""
    reached: frozenset[int]
    """Those of the symbols that some test may run."""
    stopped: bool
    """Whether there are more symbols on the way than are followed."""
    steps: list[Step]
    """All steps between them, not those to whoever makes a class."""


class SearchForTests:
    """For one index; files of tests are read once."""

    def __init__(self, index: Index, header: Mapping[str, Any]) -> None:
        self.index = index
        self.header = header
        self.sources = sources(index)
        self._files: dict[str, FileOfTests] = {}
        self._members: dict[int, list[Node]] = {}
        self._conditions: dict[tuple[str, int, int], tuple[str, ...]] = {}

    def file_of_tests(self, path: str) -> FileOfTests:
        if path not in self._files:
            self._files[path] = read_file_of_tests(self.index, path)
        return self._files[path]

    def is_test(self, node: Node) -> bool:
        return bool(node.test) and node.row in self.file_of_tests(node.path).tests

    def reach(self, rows: Collection[int]) -> Reach:
        ways: dict[int, Way] = {}
        tests: dict[int, Node] = {}
        steps: list[Step] = []
        stopped = self.search(rows, ways, tests, steps, {})
        between = list(steps)
        needed: dict[int, Way] = {}
        while not stopped:
            classes = {step.made for step in steps if step.made} - ways.keys() - needed.keys()
            if not classes:
                break
            stopped = self.search(classes, needed, {}, steps, ways)
        if stopped:
            return Reach(ways, tests, frozenset(rows), True, between)
        run = propagate_tests(steps, tests)
        running = 0
        for row in rows:
            running |= run.get(row, 0)
        found = {row: node for place, (row, node) in enumerate(tests.items()) if running >> place & 1}
        return Reach(ways, found, frozenset(row for row in rows if run.get(row)), False, between)

    def search(
        self,
        rows: Iterable[int],
        ways: dict[int, Way],
        tests: dict[int, Node],
        steps: list[Step],
        before: Mapping[int, Way],
    ) -> bool:
        """Fills in what is reached, the tests among it, and all steps. Returns whether it stopped early. `before`: what
        an earlier search reached, whose steps are known."""
        waiting: dict[int, dict[int, Way]] = {0: {row: Way(0, row) for row in rows}}
        for distance in range(FARTHEST + 1):
            while at := {row: way for row, way in waiting.pop(distance, {}).items() if row not in ways}:
                ways |= at
                frontier = list(nodes_by_row(self.index, [each for each in at if each not in before]).values())
                tests |= {node.row: node for node in frontier if self.is_test(node)}
                for step in self.steps(frontier, ways, distance == 0):
                    steps.append(step)
                    if step.row not in ways:
                        way = onward(ways[step.through], step)
                        there = waiting.setdefault(way.distance, {})
                        if step.row not in there or way < there[step.row]:
                            there[step.row] = way
                if len(ways) + len(before) > MOST:
                    return True
            if not waiting:
                break
        return False

    def steps(self, frontier: Iterable[Node], ways: Mapping[int, Way], is_first: bool) -> Iterator[Step]:
        """`is_first`: whether these are what changed."""
        known = {}
        for node in frontier:
            test = self.test_around(node)
            if test:
                yield Step(test, node.row)
            else:
                known[node.row] = node
        yield from self.step_to_tests(known.values())
        yield from self.step_to_outer(known, ways)
        named = yield from self.against_edges(known)
        for node in known.values():
            is_seen = -node.row in named and not is_first
            yield from self.step_to_class(node, node.row in named, is_seen)
        yield from self.step_to_registering(known.values())
        yield from self.step_to_unresolved(known.values())
        if is_first:
            yield from self.step_to_importers(known.values())

    def test_around(self, node: Node) -> int:
        """The test that a symbol is defined in: no other runs it. 0 if there is none."""
        if not node.test or node.parent is None:
            return 0
        file = self.file_of_tests(node.path)
        for each in file.nodes:
            is_around = each.start_line <= node.start_line <= node.end_line <= each.end_line
            if is_around and each.row in file.tests and each.row != node.row:
                return each.row
        return 0

    def against_edges(self, known: Mapping[int, Node]) -> Generator[Step, None, set[int]]:
        """Returns the rows that some code names, and as negative numbers those that code outside tests names."""
        origins: dict[int, list[tuple[int, int]]] = {row: [(row, 0)] for row in known}
        for row, node in known.items():
            if is_constructor(node):
                for each in find_constructed_classes(self.index, node):
                    origins.setdefault(each.row, []).append((row, 0))
            elif stands_for_module(node) and node.parent is not None:
                origins.setdefault(node.parent, []).append((row, UNSEEN))
        for row, bases in overridden_by(self.index, list(known)).items():
            for base in bases:
                origins.setdefault(base, []).append((row, POSSIBLE))
        named = set()
        for batch in batches(origins):
            for target, source, kind, via, sites, roles, language, source_kind, path, start, test in list_users_of(
                self.index, batch
            ):
                lines = running_lines(sites, kind, roles)
                if not lines:
                    continue
                is_function = source_kind in FUNCTION_KINDS
                told = self.conditions(path, start, lines) if is_function else ()
                certain = is_certain(self.header, via, language)
                for origin, detour in origins[target]:
                    if origin == source or (kind == "inherits" and known[origin].kind not in CLASS_KINDS):
                        continue
                    named.add(origin)
                    if not test or known[origin].test:
                        named.add(-origin)
                    doubted = max(detour, POSSIBLE * (not certain))
                    made = self.class_of(known[origin]) if doubted else 0
                    doubt = doubted + PASSED * (kind != "calls") + len(told)
                    step = Step(source, origin, doubt, made, told)
                    if is_function:
                        yield step
                    else:
                        yield from self.step_from_lines(step, source_kind == "module", path, lines)
        return named

    def step_from_lines(self, step: Step, is_module: bool, path: str, lines: Collection[int]) -> Iterator[Step]:
        """From what top-level code or the body of a class does, to what it is done for: what is decorated, a name that
        is bound, the tests of a file, what something is handed to."""
        children = self._members.get(step.row)
        if children is None:
            children = self._members[step.row] = members(self.index, step.row)
        alone = []
        for line in lines:
            inside = [each.row for each in children if each.start_line <= line <= each.end_line]
            told = (self.sources.line(path, line),)
            for row in inside:
                if row != step.through:
                    yield step._replace(row=row, told=told)
            if not inside:
                alone.append(line)
        if not alone:
            return
        node = nodes_by_row(self.index, [step.row]).get(step.row)
        if node is None or not is_module or node.test:
            yield step
        else:
            yield from self.step_to_tied(step, alone)

    def step_to_tied(self, step: Step, lines: Collection[int]) -> Iterator[Step]:
        """To what top-level code hands a value: `Base.kind = Special`, `register(Special)`."""
        for target, _, sites in list_used_by(self.index, step.row):
            if target != step.through and any(int(site.partition(":")[0]) in lines for site in sites.split()):
                yield Step(target, step.through, step.doubt + REGISTERED)

    def conditions(self, path: str, start: int, lines: Iterable[int]) -> tuple[str, ...]:
        """Those around the least conditional of the places."""
        return min((self.conditions_of_line(path, start, line) for line in lines), key=len)

    def conditions_of_line(self, path: str, start: int, line: int) -> tuple[str, ...]:
        """One line may use much."""
        place = path, start, line
        if place not in self._conditions:
            self._conditions[place] = conditions_around(self.sources.lines(path) or [], line, start)
        return self._conditions[place]

    def class_of(self, node: Node) -> int:
        """The class that a member belongs to; 0 if it is none."""
        owner = self.parent_of(node)
        return owner.row if owner is not None and owner.kind in CLASS_KINDS else 0

    def parent_of(self, node: Node) -> Node | None:
        return nodes_by_row(self.index, [node.parent]).get(node.parent) if node.parent is not None else None

    def step_to_outer(self, known: Mapping[int, Node], ways: Mapping[int, Way]) -> Iterator[Step]:
        """To the functions around nested ones."""
        found = find_enclosing_functions(self.index, {}, known, ways)
        for row, step in found.items():
            through = step.through
            while through not in known:
                through = found[through].through
            yield Step(row, through, length=0)

    def step_to_class(self, node: Node, is_named: bool, is_seen: bool) -> Iterator[Step]:
        """From a member to whoever makes its class, where no edge need be. `is_seen`: whether the uses that are known
        may be all: not if only tests have any, nor for what changed."""
        owner = self.class_of(node) if node.kind in _HELD else 0
        if not owner:
            return
        if is_constructor(node):
            yield Step(owner, node.row)
        elif not is_named or is_run_unnamed(self.index, node):
            yield Step(owner, node.row, UNNAMED)
        elif not is_seen:
            yield Step(owner, node.row, UNSEEN)

    def step_to_registering(self, frontier: Iterable[Node]) -> Iterator[Step]:
        """From a function to the objects that its decorators register it with: `@app.route("/")`."""
        decorated = {node.row: node for node in frontier if node.kind in FUNCTION_KINDS and node.parent is not None}
        by_parent: dict[int, list[tuple[Node, frozenset[str]]]] = {}
        for row, decorators in decorators_of(self.index, decorated).items():
            objects = frozenset(found[1] for each in decorators if (found := _OBJECT.match(each)))
            if objects:
                by_parent.setdefault(decorated[row].parent or 0, []).append((decorated[row], objects))
        for parent, registered in by_parent.items():
            for target, name, sites in list_used_by(self.index, parent):
                lines = {int(site.partition(":")[0]) for site in sites.split()}
                for node, objects in registered:
                    if name in objects and any(node.start_line <= line < node.name_line for line in lines):
                        yield Step(target, node.row, REGISTERED)

    def step_to_unresolved(self, frontier: Iterable[Node]) -> Iterator[Step]:
        """From a name to the places where it may be meant."""
        named: dict[str, list[Node]] = {}
        for each in frontier:
            if each.kind in FUNCTION_KINDS and not is_run_unnamed(self.index, each) and not is_constructor(each):
                named.setdefault(each.name, []).append(each)
        for batch in batches(named):
            for name, source, language in list_sources_of_unresolved(self.index, batch):
                for node in named[name]:
                    if find_language_family(language) == find_language_family(node.language) and source != node.row:
                        yield Step(source, node.row, BY_NAME_ALONE, self.class_of(node))

    def step_to_importers(self, frontier: Iterable[Node]) -> Iterator[Step]:
        """From a module whose top-level code changed to the modules that import it."""
        modules = [node.row for node in frontier if node.kind == "module" and node.language in BY_NAME]
        for batch in batches(modules):
            for target, source in list_importing_symbols(self.index, batch):
                yield Step(source, target, IMPORTED)

    def step_to_tests(self, frontier: Iterable[Node]) -> Iterator[Step]:
        """From what runs around tests to these."""
        for node in frontier:
            if not node.test:
                continue
            file = self.file_of_tests(node.path)
            if node.row in file.applied and file.is_support:
                for row in self.tests_below(node.path):
                    yield Step(row, node.row)
            elif node.row in file.preparations or node.row in file.applied:
                yield from self.step_to_tests_beside(file, node)
            elif node.is_file or is_title_of_test(node):
                for row in file.tests_in(node):
                    yield Step(row, node.row)

    def step_to_tests_beside(self, file: FileOfTests, node: Node) -> Iterator[Step]:
        """To the tests of the class or file around a preparation, and of the subclasses."""
        owner = self.parent_of(node)
        if owner is None:
            return
        for row in file.tests_in(owner):
            yield Step(row, node.row)
        if owner.kind in CLASS_KINDS:
            for below in nodes_by_row(self.index, list_heirs(self.index, [owner.row])).values():
                for row in self.file_of_tests(below.path).tests_in(below):
                    yield Step(row, node.row)

    def tests_below(self, path: str) -> Iterator[int]:
        """The tests in the folder of a file and below."""
        folder = path[: path.rfind("/") + 1]
        for each in list_test_modules_between(self.index, folder, folder + "\U0010ffff"):
            yield from self.file_of_tests(each).tests


def stands_for_module(node: Node) -> bool:
    """Whether the language runs it for what a module lacks, such as the `__getattr__` of a module."""
    is_at_top = node.kind == "function" and node.qualified_name == node.name
    return (
        is_at_top
        and node.language in BY_NAME
        and node.name in BY_NAME[node.language].rules.module_objects.stand_for_others
    )


def onward(way: Way, step: Step) -> Way:
    return Way(way.distance + step.length + step.doubt, step.through, way.doubt + step.doubt, step.told)


def running_lines(sites: str, kind: str, roles: str) -> list[int]:
    """The lines of an edge's sites that run something or take a value."""
    lines = [int(site.partition(":")[0]) for site in sites.split()]
    if kind != "references" or not roles:
        return lines or [0]
    return [line for line, role in zip(lines, roles, strict=False) if role != "a"]


def propagate_tests(steps: Iterable[Step], tests: Iterable[int]) -> dict[int, int]:
    """The tests that run each symbol, as bits in the order of the tests: those that run what runs it, and of these the
    ones that make an object of its class where that must be."""
    run = {row: 1 << place for place, row in enumerate(tests)}
    onwards: dict[int, set[tuple[int, int, int]]] = {}
    for step in steps:
        parts = (step.row, step.through, step.made)
        onwards.setdefault(step.row, set()).add(parts)
        if step.made:
            onwards.setdefault(step.made, set()).add(parts)
    waiting = dict.fromkeys(run)
    while waiting:
        following: dict[int, None] = {}
        for row, through, made in (each for at in waiting for each in onwards.get(at, ())):
            known = run.get(through, 0)
            fresh = run.get(row, 0)
            if made:
                fresh &= run.get(made, 0)
            if fresh | known != known:
                run[through] = known | fresh
                following[through] = None
        waiting = following
    return run
