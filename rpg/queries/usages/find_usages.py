"""Who uses a symbol: certainly, possibly, and where its name occurs unresolved.

In: nodes, kinds and a filter. Out: usages grouped by file, each with its site and source line, and whether the list is
complete; an empty or incomplete list says why. Only direct usages; what depends on those is in impact.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple, TypedDict

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.account import Account, has_account, take_account
from rpg.queries.account.places import LITERAL, Left
from rpg.queries.graph.budget import within
from rpg.queries.graph.families import (
    alternatives,
    find_classes_with_common_subclass,
    find_constructed_classes,
    find_members_beside,
    find_redeclarations,
    find_sibling_classes,
    is_one_of_several,
    overridden,
    overriding,
    subclasses,
)
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.sources import Sources
from rpg.queries.places.impact import Affected, Reach
from rpg.queries.usages.base_constructors import find_constructors_below
from rpg.queries.usages.outside import explain_outside_calls, find_embedding_members
from rpg.queries.usages.usage_gaps import (
    candidates,
    find_excluded_uses,
    is_embedded,
    is_named_by_value,
    is_named_in_part,
    is_run_by_constants,
    limits_of,
    may_be_used_unnamed,
    namesakes,
    pastes_of,
    reason,
    unread_of,
)
from rpg.queries.usages.usage_sites import (
    USAGE_KINDS,
    Instead,
    UsageQuery,
    UsageSite,
    component_of,
    edge_sites,
    find_unresolved_places,
    may_make,
    word_of,
)

SECTIONS = ("certain", "possible", "unresolved")
ONLY_IN_CODE = frozenset(("inherits", "overrides", "raises", "catches", "decorates", "annotates", "deletes"))
"""Kinds of uses that no string and no text has."""
MOST_LEFT = 8
"""How many places that may mean a symbol are listed; more are counted by file."""
UNREAD_NAMED = 3
"""How many files that were not read are named."""
NAMED = 8
"""How many related symbols are named; the rest is counted."""
FEW_TESTS = 8
"""How many places in tests are listed where tests are folded; more are counted by file."""


class Usage(NamedTuple):
    """A list of three in JSON, because a dozen usages should cost little."""

    site: str
    """line:column in the file."""
    source: str
    """The symbol that uses it, by its name in that file; `(module)` for top-level code."""
    text: str
    """The line; empty for a folded test."""


class LeftPlace(NamedTuple):
    """A place that may mean the symbol although no edge says so."""

    site: str
    """path:line:column."""
    reason: str
    """not parsed, named in a string, named in a file read as text."""
    text: str = ""
    """The line."""


@dataclass(frozen=True, kw_only=True)
class FileUsages:
    path: str
    kind: str = "calls"
    via: str = ""
    """The rule that resolved it."""
    through: str = ""
    """The overridden or constructed symbol that is named there instead of this one."""
    reason: str = ""
    """unresolved or ambiguous."""
    test: bool = False
    usages: list[Usage]


@dataclass(frozen=True, kw_only=True)
class SymbolUsages:
    symbol: str
    kind: str
    lines: str
    total: dict[str, int]
    """Number of all usages, shown or not: certain, possible, unresolved; zeros are left out."""
    listed: dict[str, int] = field(default_factory=dict)
    """Number of those that are listed: the certain ones by kind, then possible and unresolved ones. Without tests where
    these are folded."""
    tests: dict[str, int] = field(default_factory=dict)
    """Number of usages in tests, by file: they are part of the total."""
    tests_listed: bool = False
    """Whether these are listed with their lines although tests are folded, since they are few."""
    complete: bool
    """Whether no possible usage and no place is left that may mean it: unresolved, not parsed, named in a string, a
    template or other text, or in a file that was not read."""
    complete_outside_tests: bool = False
    """The same, without tests."""
    account: dict[str, int] = field(default_factory=dict)
    """How many places of the repository have its name as a word, by class; they add up to what `git grep -ow` finds.
    Empty for what has no word for a name."""
    word: str = ""
    """That word, where it is not the name: `size` for a method `size=`."""
    places: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """With `detail` account: by class and file, the lines of the places of the account."""
    other_definitions: int = 0
    """How many other definitions those of the class `other_definition` are, or mean."""
    under_another_name: int = 0
    """How many certain usages have another name in the source, and so are not in the account."""
    imported: list[str] = field(default_factory=list)
    """`path:line:column` where it is imported, the first few: what uses it there is listed as such."""
    more_imported: int = 0
    left: list[LeftPlace] = field(default_factory=list)
    """Places that may mean it although no edge says so, if they are few."""
    left_by_file: dict[str, int] = field(default_factory=dict)
    """How many of these there are, by file."""
    left_in_text: int = 0
    """How many of these are in strings, templates and other text."""
    unread: list[str] = field(default_factory=list)
    """Files that were not read and may use it, the first few of them."""
    more_unread: int = 0
    excluded: int = 0
    """How many files of code that options leave out may use it: those with its name, if it has an account."""
    excluded_by: str = ""
    """The options, if the list is incomplete because of them; `excluded` is 0 if the files are not here."""
    reason: str = ""
    """Why the list is empty or incomplete."""
    note: str = ""
    certain: list[FileUsages] = field(default_factory=list)
    possible: list[FileUsages] = field(default_factory=list)
    candidates: list[str] = field(default_factory=list)
    """What else the possible usages may mean."""
    unresolved: list[FileUsages] = field(default_factory=list)
    namesakes: list[str] = field(default_factory=list)
    """What else the unresolved usages may mean, and how much more of that there is."""
    overrides: list[str] = field(default_factory=list)
    calls_of_overridden: int = 0
    """How many uses name what it overrides: they are among the possible ones, since they may run this."""
    overridden_by: list[str] = field(default_factory=list)
    more_overriding: int = 0
    calls_of_overriding: int = 0
    """How many uses name what overrides it: they are not listed, since they never run this."""
    affected: list[Affected] = field(default_factory=list)
    """What depends on the usages, by hops."""
    reach: Reach | None = None
    """With several hops: how far they went, and what could not be followed."""

    def reaching(self, reach: Reach) -> SymbolUsages:
        return replace(self, reach=reach)


class Frame(NamedTuple):
    """One symbol's answer before truncation: counts, then its usages, then what depends on those."""

    summary: SymbolUsages
    places: list[UsageSite]
    """In the order of the list."""
    affected: list[Affected]
    listing_tests: SymbolUsages | None
    """The summary that goes with a list of the tests, if tests are folded and few."""

    @property
    def parts(self) -> int:
        return 1 + len(self.places) + len(self.affected)


def usages(question: UsageQuery, node: Node) -> Frame:
    """The answer with all counts, and every usage; without what depends on these."""
    uses = find_uses(question, node)
    places = sorted(uses.places, key=lambda place: build_sort_key(place, node))
    account = account_of(question, node, places)
    total = {section: sum(place.section == section for place in places) for section in SECTIONS}
    doubts = [place for place in places if place.section != "certain"]
    pastes = [] if places else pastes_of(question, node)
    unread = account.unread.files if account is not None else unread_of(question, node)
    left = account.left if account is not None else ()
    imports = imports_of(question, account)
    in_tests = sum(bool(place.test) for place in places) + sum(bool(each.test) for each in left)
    limits = limits_of(question, node)
    excluded = find_excluded_uses(question, node, account)
    is_unnamed = may_be_used_unnamed(question.index, node) or is_named_in_part(node) or is_named_by_value(node)
    is_unnamed = is_unnamed or is_embedded(node) or is_run_by_constants(question.index, node)
    is_known = not (question.from_graph_only or is_unnamed or unread or limits)
    is_known = is_known and not excluded.options
    # Of an empty list, it is the reason.
    is_called = node.kind in (*FUNCTION_KINDS, *CLASS_KINDS)
    outside = explain_outside_calls(question.index, node) if is_called and (places or left) else ""
    tested = [bool(each.test) for some in (doubts, left, pastes) for each in some]
    complete_outside_tests = is_known and all(tested)
    summary = SymbolUsages(
        symbol=node.id,
        kind=node.kind,
        lines=node.lines,
        total={section: number for section, number in total.items() if number},
        listed=count_by_section(place for place in places if not (place.test and question.folds_tests)),
        tests=dict(Counter(place.path for place in places if place.test)),
        complete=is_known and not tested,
        complete_outside_tests=complete_outside_tests,
        account=account.counts if account is not None else {},
        word=word_of(node) if account is not None and word_of(node) != node.name else "",
        places=(account.lines or {}) if account is not None else {},
        other_definitions=account.others if account is not None else 0,
        under_another_name=account.elsewhere if account is not None else 0,
        imported=name_imports(imports),
        more_imported=max(0, len(imports) - NAMED),
        **describe_left(left, question.folds_tests),
        unread=list(unread[:UNREAD_NAMED]),
        more_unread=max(0, len(unread) - UNREAD_NAMED),
        excluded=excluded.number,
        excluded_by=excluded.options,
        reason=reason(question, node, total, bool(left or unread), bool(imports), pastes, limits),
        note="; ".join(filter(None, (*uses.notes, outside and f"not in this list: {outside}"))),
        candidates=candidates(question, node),
        namesakes=namesakes(question.index, node) if total["unresolved"] else [],
        overrides=[each.id for each in uses.above[:NAMED]],
        calls_of_overridden=uses.through_above,
        overridden_by=[each.id for each in uses.below[:NAMED]],
        more_overriding=max(0, len(uses.below) - NAMED),
        calls_of_overriding=len(set(edge_sites(uses.running, {each.row: "" for each in uses.below}))),
    )
    if not (question.folds_tests and 0 < in_tests <= FEW_TESTS):
        return Frame(summary, places, [], None)
    unfolded = replace(question, folds_tests=False)
    imports = imports_of(unfolded, account)
    listing_tests = replace(
        summary,
        tests_listed=True,
        imported=name_imports(imports),
        more_imported=max(0, len(imports) - NAMED),
        **describe_left(left, False),
    )
    return Frame(summary, places, [], listing_tests)


class Uses(NamedTuple):
    """All that is known of the uses of one symbol, before it is put in order."""

    places: set[UsageSite]
    notes: list[str]
    above: list[Node]
    below: list[Node]
    through_above: int
    running: UsageQuery
    """The same question about what may run the symbol."""


def find_uses(question: UsageQuery, node: Node) -> Uses:
    index = question.index
    running = replace(question, kinds=[kind for kind in ("calls", "references") if kind in question.kinds])
    declared_above, declared_below = find_redeclarations(index, node)
    below = unique([*overriding(index, node), *declared_below])
    above = unique(
        [
            *overridden(index, node),
            *declared_above,
            *find_embedding_members(index, node),
            *find_members_beside(index, node),
        ]
    )
    instead = None
    if above:
        instead = Instead(find_sibling_classes(index, node), find_classes_with_common_subclass(index, node))
    through_above = {
        place._replace(section="possible")
        for place in edge_sites(running, {each.row: each.label for each in above}, instead)
    }
    found, notes = find_named_sites(question, node)
    of_others, note = sites_of_alternatives(running, node, {*found, *through_above})
    places = {*found, *through_above, *of_others, *find_unresolved_places(question, node)}
    return Uses(places, [each for each in (*notes, note) if each], above, below, len(through_above), running)


def unique(found: Iterable[Node]) -> list[Node]:
    return sorted({each.row: each for each in found}.values())


def account_of(question: UsageQuery, node: Node, places: Sequence[UsageSite]) -> Account | None:
    """None for a symbol that has no word for a name, and if the sources are not in the index."""
    if question.from_graph_only or not has_account(node):
        return None
    covers = question.filter.covers
    if not question.is_of_all:
        whole = replace(question, kinds=USAGE_KINDS, filter=question.filter.admit_tests())
        places = list(find_uses(whole, node).places)
    account = take_account(question.index, question.header, question.folder, node, places, covers, question.with_places)
    is_only_in_code = ONLY_IN_CODE.issuperset(question.kinds)
    kept = [
        each
        for each in account.left
        if question.filter.admits(each.path, each.test) and not (is_only_in_code and each.kind == LITERAL)
    ]
    return replace(account, left=kept)


def imports_of(question: UsageQuery, account: Account | None) -> list[Left]:
    """The places that import it and are asked for, without tests where these are folded."""
    if account is None or "imports" not in question.kinds:
        return []
    admitted = [each for each in account.imports if question.filter.admits(each.path, each.test)]
    return [each for each in admitted if not (each.test and question.folds_tests)]


def name_imports(imports: Sequence[Left]) -> list[str]:
    return [f"{each.path}:{each.line}:{each.column}" for each in imports[:NAMED]]


class LeftPlaces(TypedDict):
    """These fields of the answer."""

    left: list[LeftPlace]
    left_by_file: dict[str, int]
    left_in_text: int


def describe_left(left: Sequence[Left], folds_tests: bool) -> LeftPlaces:
    """All are listed if they are few, else none; they are counted by file."""
    shown = [each for each in left if not (each.test and folds_tests)]
    listed = shown if len(shown) <= MOST_LEFT else []
    return {
        "left": [LeftPlace(f"{each.path}:{each.line}:{each.column}", each.reason) for each in listed],
        "left_by_file": dict(Counter(each.path for each in shown)),
        "left_in_text": sum(each.kind == LITERAL for each in shown),
    }


def find_named_sites(question: UsageQuery, node: Node) -> tuple[list[UsageSite], list[str]]:
    """Where the symbol is named, also by its class, its component or a subclass, and notes about these."""
    index = question.index
    places = list(edge_sites(question, {node.row: ""}))
    notes: list[str] = []
    built = find_constructed_classes(index, node)
    if built:
        calls = [kind for kind in ("calls", "instantiates", "raises") if kind in question.kinds]
        of_classes = list(edge_sites(replace(question, kinds=calls), {each.row: each.label for each in built}))
        several = is_one_of_several(index, node)
        is_seen = node.exported or node.name.startswith("__")
        if not of_classes and is_seen and "references" in question.kinds:
            # Whoever is given the class, as a value or in a page, may make the object.
            rows = {each.row: each.label for each in built}
            typing = {
                (place.path, place.line, place.column)
                for place in edge_sites(replace(question, kinds=["annotates", "catches"]), rows)
            }
            given = edge_sites(replace(question, kinds=["references"]), rows)
            sources = Sources(index.source)
            known = {(place.path, place.line, place.column) for place in places}
            places += [
                place._replace(section="possible")
                for place in given
                if (at := (place.path, place.line, place.column)) not in known
                and (at not in typing or may_make(sources, node, place))
            ]
        places += [place._replace(section="possible") if several else place for place in of_classes]
        more = f" and {len(built) - NAMED} classes more" if len(built) > NAMED else ""
        which = "this or another of its constructors" if several else "this"
        names = ", ".join(each.label for each in built[:NAMED])
        notes.append(f"includes the calls of {names}{more}, which {which} constructs")
    if "calls" in question.kinds:
        unnamed = find_constructors_below(question, node, built)
        places += unnamed
        if unnamed:
            notes.append(
                "includes the constructors of subclasses that run it because each names no constructor of its base"
            )
    component = component_of(index, node)
    if component is not None:
        places += edge_sites(question, {component.row: ""})
        notes.append(f"includes the uses of the component, {component.id}")
    thrown = [kind for kind in ("raises", "catches") if kind in question.kinds]
    if thrown and node.kind in CLASS_KINDS:
        # Raising or catching a subclass also raises or catches one of these.
        places += edge_sites(
            replace(question, kinds=thrown), {each.row: each.label for each in subclasses(index, node)}
        )
    return places, notes


def sites_of_alternatives(
    question: UsageQuery, node: Node, places: Collection[UsageSite]
) -> tuple[list[UsageSite], str]:
    """Where another definition of the same function is named, of which a build may have this, and a note about that."""
    others = alternatives(question.index, node)
    if not others:
        return [], ""
    known = {(place.path, place.line, place.column) for place in places}
    of_others = edge_sites(question, {each.row: each.id for each in others})
    also = [place for place in of_others if (place.path, place.line, place.column) not in known]
    named = ", ".join(each.id for each in others[:NAMED])
    note = f"possible ones name {named}, of which a build may have this" if also else ""
    return [place._replace(section="possible") for place in also], note


def build_sort_key(place: UsageSite, node: Node) -> tuple[object, ...]:
    """Code first, then by distance: documents name what code uses."""
    return SECTIONS.index(place.section), place.kind == "documents", place.path != node.path, *place[1:]


def count_by_section(places: Iterable[UsageSite]) -> dict[str, int]:
    counts = Counter(place.kind if place.section == "certain" else place.section for place in places)
    return {name: counts[name] for name in (*counts, "possible", "unresolved") if counts[name]}


def cut_out(frames: Sequence[Frame], sources: Sources, first: int, last: int, folds_tests: bool) -> list[SymbolUsages]:
    """The parts from `first` to before `last`; a part is a summary, a usage or a group of dependents. A summary is
    repeated where the rest of its list follows."""
    out: list[SymbolUsages] = []
    for number, begin, end in within((frame.parts for frame in frames), first, last):
        summary, places, dependents, _ = frames[number]
        rest = 1 + len(places)
        groups = group_by_file(places[max(0, begin - 1) : end - 1], sources, folds_tests and not summary.tests_listed)
        out.append(
            replace(
                summary,
                certain=groups["certain"],
                possible=groups["possible"],
                unresolved=groups["unresolved"],
                left=[add_line(each, sources) for each in summary.left],
                affected=dependents[max(0, begin - rest) : max(0, end - rest)],
            )
        )
    return out


def add_line(place: LeftPlace, sources: Sources) -> LeftPlace:
    path, line, _ = place.site.rsplit(":", 2)
    return place._replace(text=sources.line(path, int(line)))


def group_by_file(places: Iterable[UsageSite], sources: Sources, folds_tests: bool) -> dict[str, list[FileUsages]]:
    out: dict[str, list[FileUsages]] = {section: [] for section in SECTIONS}
    for (section, test, path, kind, via, through, why), group in groupby(places, key=lambda place: place[:7]):
        found = [
            Usage(
                f"{place.line}:{place.column}",
                place.source,
                "" if test and folds_tests else sources.line(path, place.line),
            )
            for place in group
        ]
        out[section].append(
            FileUsages(path=path, kind=kind, via=via, through=through, reason=why, test=bool(test), usages=found)
        )
    return out
