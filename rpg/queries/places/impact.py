"""What a change of a symbol may break: everything that depends on it, hop by hop.

In: a node, the usages that its answer lists, kinds of edges, a filter, a depth. Out: dependents grouped by hop, by the
symbol that they use and by file, each at its shortest distance and with its site; and how complete that is: what is
beyond the last hop, outside the filter, or behind unresolved calls.

A hop follows edges of the requested kinds backwards. If these include calls, it also leads from a constructor to the
calls of its class, from a method to the calls of what it overrides, and from a function to whoever passes it as a
value. A nested function is part of the function around it, which is reached together with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.families import find_constructed_classes, find_language_family, is_constructor, is_one_of_several
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.nodes import Node, batches, nodes_by_row
from rpg.stores.index.edge_reads import list_edges_to
from rpg.stores.index.hierarchy_reads import list_overrides_of
from rpg.stores.index.place_reads import count_unresolved_by_language
from rpg.text.titles import is_title

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 5_000
"""The search stops after this many symbols: more than anyone reads."""
FOLLOWED = ("calls", "references", "inherits", "imports")
"""Kinds that lead on from hop to hop; if only one of them is requested, only that one is followed."""
NAMED = 6
"""How many names of unresolved places are listed."""

CONSTRUCTS, OVERRIDES, PASSES, HOLDS = "constructs", "overrides", "passes", "holds"


@dataclass(frozen=True, kw_only=True)
class Affected:
    """Symbols of one file that use the same symbol of the hop before."""

    hop: int
    path: str
    test: bool = False
    through: str = ""
    """What they use: its name in its file."""
    how: str = ""
    """`constructs`: they call its class; `overrides`: they call what it overrides; `passes`: they pass it as a value;
    `holds`: it is nested in them. Empty: an edge of a requested kind."""
    possible: bool = False
    symbols: list[str]
    sites: list[str]
    """line:column of each, the first if there are several."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    hops: int
    """How many were requested."""
    further: int = 0
    """Symbols that the next hop would add."""
    outside: int = 0
    """Dependents that `path` or `exclude_path` excludes."""
    tests: dict[str, int] = field(default_factory=dict)
    """Dependents in tests, by file."""
    not_followed: dict[str, int] = field(default_factory=dict)
    """Unresolved places by the name that they call, most frequent first: they may lead to more."""
    more_not_followed: int = 0
    stopped: bool = False
    """Whether there are more than a few thousand dependents: the rest is unknown."""
    complete: bool = False
    """Whether these are certainly all dependents up to the last hop."""


class Step(NamedTuple):
    """A dependent, and how it was reached."""

    row: int
    through: int
    how: str
    possible: bool
    site: str


class Impact(NamedTuple):
    affected: list[Affected]
    reach: Reach


def impact(
    index: Index,
    header: Mapping[str, Any],
    node: Node,
    kinds: Sequence[str],
    depth: int,
    filter: Filter,
    listed: Collection[tuple[str, str]],
) -> Impact:
    """What depends on the node, up to `depth` hops away. `listed`: path and name of the symbols that the answer lists
    as direct usages; they are left out of the first hop."""
    followed = choose_edge_kinds(kinds)
    known: dict[int, Node] = {node.row: node}
    frontier = [node.row]
    seen = set(frontier)
    out: list[Affected] = []
    outside = further = 0
    in_tests: Counter[str] = Counter()
    passed: dict[int, Node] = {}
    stopped = False
    for hop in range(1, depth + 2):
        found = hops(index, header, frontier, known, followed)
        steps = {row: step for row, step in found.items() if row not in seen}
        reached = nodes_by_row(index, steps)
        if "calls" in followed:
            enclosing = find_enclosing_functions(index, steps, reached, seen)
            steps |= enclosing
            reached |= nodes_by_row(index, enclosing)
        if hop > depth:
            further = sum(filter.admits(each.path, each.test) for each in reached.values())
            break
        known |= reached
        seen |= reached.keys()
        shown = []
        for each in reached.values():
            if hop == 1 and (each.path, "(module)" if each.is_file else each.label) in listed:
                continue
            if not filter.covers(each.path):
                outside += 1
            elif filter.admits(each.path, each.test):
                shown.append(each)
                if each.test:
                    in_tests[each.path] += 1
        out += groups(hop, shown, steps, known)
        # Top-level code is affected, but not everything that imports its module.
        frontier = [each.row for each in reached.values() if not each.is_file or node.is_file]
        if hop < depth:
            passed.update(reached)
        stopped = len(seen) > MOST
        if not frontier or stopped:
            break
    unresolved = not_followed(index, passed.values(), followed)
    most = dict(sorted(unresolved.items(), key=lambda item: (-item[1], item[0]))[:NAMED])
    return Impact(
        out,
        Reach(
            hops=depth,
            further=further,
            outside=outside,
            tests=dict(in_tests),
            not_followed=most,
            more_not_followed=sum(unresolved.values()) - sum(most.values()),
            stopped=stopped,
            complete=not (stopped or unresolved or any(each.possible for each in out)),
        ),
    )


def choose_edge_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """Kinds of edges that lead from one hop to the next. Calls already reach whoever instantiates, raises or reads."""
    chosen = tuple(kind for kind in FOLLOWED if kind in kinds)
    return chosen or ("calls",)


def hops(
    index: Index, header: Mapping[str, Any], frontier: Sequence[int], known: Mapping[int, Node], kinds: Sequence[str]
) -> dict[int, Step]:
    """One hop against the edges: plain and certain ways first, so that a symbol reached in several ways is shown with
    the plainest."""
    found: dict[int, Step] = {}
    with_calls = "calls" in kinds
    ends: dict[int, list[tuple[int, str]]] = {row: [(row, "")] for row in frontier}
    doubtful: set[int] = set()
    if with_calls:
        for row in frontier:
            built = find_constructed_classes(index, known[row])
            if built and is_one_of_several(index, known[row]):
                doubtful.add(row)
            for each in built:
                ends.setdefault(each.row, []).append((row, CONSTRUCTS))
        for row, bases in overridden_by(index, frontier).items():
            for base in bases:
                ends.setdefault(base, []).append((row, OVERRIDES))
    for target, source, kind, via, sites, language, path, is_module in edges_to(index, ends, (*kinds, "references")):
        for origin, how in ends[target]:
            if kind not in kinds:
                # Any reference passes a value on; everything else needs a call of the class or of the base.
                if not with_calls or how or known[origin].kind in CLASS_KINDS or known[origin].is_file:
                    continue
                if source == known[origin].parent or (is_module and path == known[origin].path):
                    continue  # Its own class or file names it: to export it, or to set an attribute on it.
                passed = PASSES if known[origin].kind in FUNCTION_KINDS else ""
                step = Step(source, origin, passed, not is_certain(header, via, language), sites.partition(" ")[0])
            else:
                doubted = how == OVERRIDES or (how == CONSTRUCTS and origin in doubtful)
                possible = doubted or not is_certain(header, via, language)
                step = Step(source, origin, how, possible, sites.partition(" ")[0])
            best = found.get(source)
            if best is None or (step.possible, bool(step.how)) < (best.possible, bool(best.how)):
                found[source] = step
    return found


def edges_to(
    index: Index, targets: Iterable[int], kinds: Iterable[str]
) -> Iterator[tuple[int, int, str, str, str, str, str, int]]:
    """Target, source, kind, via and sites of each edge; the source's language and path, and whether it is a module."""
    wanted = list(dict.fromkeys(kinds))
    for batch in batches(targets):
        yield from list_edges_to(index, batch, wanted)


def overridden_by(index: Index, rows: Sequence[int]) -> dict[int, set[int]]:
    """The methods that each of them overrides, over any number of levels."""
    out: dict[int, set[int]] = {}
    frontier = {row: {row} for row in rows}
    while frontier:
        following: dict[int, set[int]] = {}
        for batch in batches(frontier):
            for source, target in list_overrides_of(index, batch):
                for origin in frontier[source]:
                    bases = out.setdefault(origin, set())
                    if target not in bases:
                        bases.add(target)
                        following.setdefault(target, set()).add(origin)
        frontier = following
    return out


def find_enclosing_functions(
    index: Index, steps: Mapping[int, Step], reached: Mapping[int, Node], seen: Collection[int]
) -> dict[int, Step]:
    """The functions around nested ones: they contain the code that was reached, and so are no further away."""
    out: dict[int, Step] = {}
    inner = list(reached.values())
    while inner:
        parents = nodes_by_row(index, (each.parent for each in inner if each.parent is not None and is_nested(each)))
        following = []
        for each in inner:
            parent = parents.get(each.parent or 0)
            if parent is None or parent.kind not in FUNCTION_KINDS or parent.row in seen:
                continue
            if not parent.start_line <= each.start_line <= each.end_line <= parent.end_line:
                continue  # a method that is assigned to a constructor's prototype
            if parent.row not in steps and parent.row not in out:
                out[parent.row] = Step(parent.row, each.row, HOLDS, False, f"{each.name_line}:1")
                following.append(parent)
        inner = following
    return out


def is_nested(node: Node) -> bool:
    """Whether it may be nested in a function: its name in the file has several parts. A test is reached by itself, not
    with the group around it."""
    return node.kind in FUNCTION_KINDS and node.qualified_name != node.name and not is_title(node.name)


def groups(hop: int, shown: Iterable[Node], steps: Mapping[int, Step], known: Mapping[int, Node]) -> list[Affected]:
    """Sorted: tests last; then by what they use, in the order of the hop before, and by file."""
    position = {row: number for number, row in enumerate(known)}
    out: list[Affected] = []

    def group(each: Node) -> tuple[int, bool, int, str, str]:
        step = steps[each.row]
        return each.test, step.possible, position[step.through], step.how, each.path

    for key, members in groupby(sorted(shown, key=lambda each: (*group(each), each.start_line)), key=group):
        test, possible, _, how, path = key
        listed = list(members)
        through = known[steps[listed[0].row].through]
        out.append(
            Affected(
                hop=hop,
                path=path,
                test=bool(test),
                through=through.label,
                how=how,
                possible=possible,
                symbols=["(module)" if each.is_file else each.label for each in listed],
                sites=[steps[each.row].site for each in listed],
            )
        )
    return out


def not_followed(index: Index, passed: Iterable[Node], kinds: Collection[str]) -> dict[str, int]:
    """How many unresolved places have the name of one of the symbols, in its language: calls of functions, and bases
    of classes, which are not called."""
    names: dict[bool, dict[str, set[str]]] = {True: {}, False: {}}
    for each in passed:
        if each.kind in FUNCTION_KINDS and "calls" in kinds and not is_constructor(each):
            names[True].setdefault(each.name, set()).add(each.language)
        elif each.kind in CLASS_KINDS and "inherits" in kinds:
            names[False].setdefault(each.name, set()).add(each.language)
    out: Counter[str] = Counter()
    for call, languages in names.items():
        for batch in batches(languages):
            for name, language, count in count_unresolved_by_language(index, batch, call):
                if any(find_language_family(language) == find_language_family(each) for each in languages[name]):
                    out[name] += count
    return dict(out)
