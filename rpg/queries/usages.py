"""Who uses a symbol: certainly, possibly, and where its name occurs unresolved.

In: nodes, kinds and a filter. Out: usages grouped by file, each with its site and source line, and whether the list is
complete; an empty or incomplete list says why. Only direct usages; what depends on those is in impact.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.encoder.languages import BY_NAME, may_hold_code
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.budget import within
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.families import (
    alternatives,
    beside,
    class_around,
    constructed,
    is_one_of_several,
    overridden,
    overriding,
    related,
    subclasses,
)
from rpg.queries.graph.filters import Filter, counted
from rpg.queries.graph.impact import Affected, Reach
from rpg.queries.graph.nodes import Node, batches, marks, nodes, nodes_by_row
from rpg.queries.graph.outside import called_from_outside, is_made_by_library
from rpg.queries.graph.pasted_names import Paste, pasted
from rpg.queries.graph.roles import edge_kinds, site_roles
from rpg.queries.graph.sources import Sources
from rpg.queries.graph.text_mentions import Mentions, text_mentions
from rpg.queries.graph.unread import unread_files
from rpg.titles import is_title

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

ONLY_IN_CODE = frozenset(("inherits", "overrides", "raises", "catches", "decorates", "annotates", "deletes"))
"""Uses that no configuration can have."""
USAGE_KINDS = ("calls", "references", "inherits", "imports", "documents")
"""`tests` edges repeat `calls` at the same sites; `overrides` have no sites and are listed separately."""
NOUNS = {
    "calls": "call", "references": "reference", "inherits": "subclass", "imports": "import", "documents": "mention",
    "overrides": "override", "instantiates": "instantiation", "raises": "raise", "catches": "catch",
    "decorates": "decoration", "reads": "read", "writes": "write", "annotates": "annotation", "deletes": "deletion",
}  # fmt: skip
"""What one use of a kind is called."""
SECTIONS = ("certain", "possible", "unresolved")
_OF_ONE_CLASS = ("constructor", "super")
"""Rules that tell which class a call starts from."""
UNREAD_NAMED = 3
"""How many files that were not read are named."""
NAMED = 8
"""How many related symbols are named; the rest is counted."""
COUNTED_EDGES = 2000
"""The most edges to other definitions of a name whose uses are counted."""


class Usage(NamedTuple):
    """A list of three in JSON, because a dozen usages should cost little."""

    site: str
    """line:column in the file."""
    source: str
    """The symbol that uses it, by its name in that file; `(module)` for top-level code."""
    text: str
    """The line; empty of a test that is folded."""


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
    complete: bool
    """No possible usage and no unresolved place is known, no file that only is text has its name, and none that may
    have it was not read."""
    complete_outside_tests: bool = False
    """The same, leaving tests aside."""
    same_name: int = 0
    """How many uses of other definitions have the same name, leaving tests aside; 0 too if they were not counted."""
    named_in: list[str] = field(default_factory=list)
    """`path:line` of files that no parser reads and that have its name, outside comments: the first line of each."""
    more_named_in: bool = False
    """Whether there may be more of them."""
    unread: list[str] = field(default_factory=list)
    """Files that were not read and may have its name, the first few of them."""
    more_unread: int = 0
    reason: str = ""
    """Why the list is empty or incomplete."""
    note: str = ""
    certain: list[FileUsages] = field(default_factory=list)
    possible: list[FileUsages] = field(default_factory=list)
    candidates: list[str] = field(default_factory=list)
    """What else the possible usages may mean."""
    unresolved: list[FileUsages] = field(default_factory=list)
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


class UsageSite(NamedTuple):
    """One usage before it is rendered."""

    section: str
    test: int
    path: str
    kind: str
    via: str
    through: str
    reason: str
    line: int
    column: int
    source: str


@dataclass(frozen=True)
class UsageQuery:
    index: Index
    header: dict[str, Any]
    kinds: Sequence[str]
    filter: Filter
    folds_tests: bool
    from_graph_only: bool
    """No sources were read: unresolved places are unknown."""


def usages(question: UsageQuery, node: Node) -> tuple[SymbolUsages, list[UsageSite]]:
    """The frame of the answer with all counts, and every usage in the order of the list."""
    index = question.index
    places = list(edge_sites(question, {node.row: ""}))
    note = ""
    built = constructed(index, node)
    if built:
        calls = [kind for kind in ("calls", "instantiates", "raises") if kind in question.kinds]
        of_classes = edge_sites(replace(question, kinds=calls), {each.row: each.label for each in built})
        several = is_one_of_several(index, node)
        places += [place._replace(section="possible") if several else place for place in of_classes]
        more = f" and {len(built) - NAMED} classes more" if len(built) > NAMED else ""
        which = "this or another of its constructors" if several else "this"
        names = ", ".join(each.label for each in built[:NAMED])
        note = f"includes the calls of {names}{more}, which {which} constructs"
    component = component_of(index, node)
    if component is not None:
        places += edge_sites(question, {component.row: ""})
        note = f"includes the uses of the component, {component.id}"
    thrown = [kind for kind in ("raises", "catches") if kind in question.kinds]
    if thrown and node.kind in CLASS_KINDS:
        # Whoever raises or catches a subclass raises or catches one of these as well.
        places += edge_sites(
            replace(question, kinds=thrown), {each.row: each.label for each in subclasses(index, node)}
        )
    below, above = overriding(index, node), overridden(index, node)
    running = replace(question, kinds=[kind for kind in ("calls", "references") if kind in question.kinds])
    through_above = {
        place._replace(section="possible")
        for place in edge_sites(running, {each.row: each.label for each in above}, beside(index, node) if above else ())
    }
    places += through_above
    others = alternatives(index, node)
    if others:
        known = {(place.path, place.line, place.column) for place in places}
        of_others = edge_sites(running, {each.row: each.id for each in others})
        also = [place for place in of_others if (place.path, place.line, place.column) not in known]
        places += [place._replace(section="possible") for place in also]
        if also:
            note = f"possible ones name {', '.join(each.id for each in others[:NAMED])}, of which a build may have this"
    places += unresolved_places(question, node)
    places = sorted(set(places), key=lambda place: in_order(place, node))
    total = {section: sum(place.section == section for place in places) for section in SECTIONS}
    doubts = [place for place in places if place.section != "certain"]
    mentions = mentions_of(question, node, {(place.path, place.line) for place in places})
    pastes = [] if places else pastes_of(question, node)
    unread = unread_of(question, node)
    certain_outside_tests = (
        not question.from_graph_only
        and not is_named_unseen(node)
        and (places or not is_named_in_part(node))
        and all(place.test for place in doubts)
        and all(each.test for each in mentions.found)
        and all(test for _, test in unread)
        and all(each.test for each in pastes)
    )
    return (
        SymbolUsages(
            symbol=node.id,
            kind=node.kind,
            lines=node.lines,
            total={section: number for section, number in total.items() if number},
            listed=listed(place for place in places if not (place.test and question.folds_tests)),
            tests=dict(Counter(place.path for place in places if place.test)),
            complete=certain_outside_tests and not doubts and not (mentions.found or unread or pastes),
            complete_outside_tests=certain_outside_tests,
            same_name=same_name(question, node, places) if certain_outside_tests and total["certain"] else 0,
            named_in=[f"{each.path}:{each.line}" for each in mentions.found],
            more_named_in=not mentions.is_all,
            unread=[path for path, _ in unread[:UNREAD_NAMED]],
            more_unread=max(0, len(unread) - UNREAD_NAMED),
            reason=reason(question, node, total, bool(mentions.found or unread), pastes),
            note=note,
            candidates=candidates(question, node),
            overrides=[each.id for each in above[:NAMED]],
            calls_of_overridden=len(through_above),
            overridden_by=[each.id for each in below[:NAMED]],
            more_overriding=max(0, len(below) - NAMED),
            calls_of_overriding=len(set(edge_sites(running, {each.row: "" for each in below}))),
        ),
        places,
    )


def component_of(index: Index, node: Node) -> Node | None:
    """The component that a file of Vue, Svelte or Astro is: templates name it, imports the file."""
    if node.kind != "module" or node.language not in BY_NAME or not BY_NAME[node.language].has_regions:
        return None
    found = nodes(index, "s.parent = ? AND s.name = 'default'", (node.row,))
    return found[0] if found else None


def in_order(place: UsageSite, node: Node) -> tuple[object, ...]:
    """Code first, and what is nearest: documents name what code uses."""
    return SECTIONS.index(place.section), place.kind == "documents", place.path != node.path, *place[1:]


def listed(places: Iterable[UsageSite]) -> dict[str, int]:
    counts = Counter(place.kind if place.section == "certain" else place.section for place in places)
    return {name: counts[name] for name in (*counts, "possible", "unresolved") if counts[name]}


def edge_sites(
    question: UsageQuery, targets: Mapping[int, str], by_super: Collection[int] | None = None
) -> Iterator[UsageSite]:
    """One place per site of each edge to one of the targets: a row, and what is named there instead (`through`).

    `by_super`: only what may run an overriding method instead of the target. What is called on an object that was just
    made does not, and `super()` only in one of these classes.
    """
    wanted = edge_kinds(question.kinds)
    for batch in batches(targets):
        for target, made, row, path, name, kind, is_test, language, line, column, *edge in question.index.rows(
            "SELECT e.target, t.kind, e.source, s.path, s.qualified_name, s.kind, s.test, s.language, s.name_line,"
            " s.name_column, e.kind, e.via, e.sites, e.roles FROM edges e JOIN symbols s ON s.id = e.source "
            f"JOIN symbols t ON t.id = e.target WHERE e.target IN ({marks(batch)}) AND e.kind IN ({marks(wanted)})",
            (*batch, *wanted),
        ):
            if not question.filter.admits(path, is_test):
                continue
            edge_kind, via, sites, roles = edge
            if by_super is not None and via in _OF_ONE_CLASS and not is_beside(question.index, row, via, by_super):
                continue
            section = "certain" if is_certain(question.header, via, language) else "possible"
            source = "(module)" if kind == "module" else name
            # An edge without a site is the definition's.
            for site, role in site_roles(question.kinds, edge_kind, made, sites or f"{line}:{column}", roles):
                where = site.partition(":")
                yield UsageSite(
                    section, is_test, path, role, via, targets[target], "", int(where[0]), int(where[2]), source
                )


def is_beside(index: Index, row: int, via: str, by_super: Collection[int]) -> bool:
    """Whether a call may start from a class beside the overriding one."""
    return via == "super" and bool(by_super) and class_around(index, row) in by_super


def unresolved_places(question: UsageQuery, node: Node) -> list[UsageSite]:
    """Where the name occurs unresolved, in a language that could mean this symbol.

    A plain name means no member, unless the language has members without a receiver: whatever holds one got it at a
    place that names the member. A member of an object that only a library makes is meant where code may have one.
    """
    if node.kind in ("directory", "module", "file", "section"):
        return []
    found = []
    wanted = edge_kinds(question.kinds)
    index = question.index
    is_apart = is_made_by_library(index, node)
    for path, name, kind, is_test, language, line, column, why, call in index.rows(
        "SELECT s.path, s.qualified_name, s.kind, s.test, s.language, p.line, p.column, p.reason, p.call "
        "FROM places p JOIN symbols s ON s.id = p.source WHERE p.name = ? AND p.reason != 'external' "
        "AND p.bare <= ?",
        (node.name, may_be_bare(node) or not is_member(index, node)),
    ):
        if not means(node, language) or not question.filter.admits(path, is_test):
            continue
        if is_apart and not (is_test or BY_NAME[language].rules.is_run_by_library(path)):
            continue
        # What is not called may be a base of a class.
        may_be = ("calls",) if call else ("references", "inherits") if node.kind in CLASS_KINDS else ("references",)
        edge_kind = next((each for each in may_be if each in wanted), "")
        if edge_kind:
            source = "(module)" if kind == "module" else name
            found.append(UsageSite("unresolved", is_test, path, edge_kind, "", "", why, line, column, source))
    return found


def same_name(question: UsageQuery, node: Node, places: Iterable[UsageSite]) -> int:
    """How many uses of other definitions have its name; 0 if they are so many that counting would take long."""
    if node.kind not in (*FUNCTION_KINDS, *CLASS_KINDS):
        return 0
    wanted = edge_kinds(question.kinds)
    rows = question.index.rows(
        "SELECT s.path, s.language, e.sites FROM symbols t JOIN edges e ON e.target = t.id "
        "JOIN symbols s ON s.id = e.source WHERE t.name = ? COLLATE NOCASE AND t.name = ? AND t.id != ? "
        f"AND NOT s.test AND e.sites != '' AND e.kind IN ({marks(wanted)}) LIMIT ?",
        (node.name, node.name, node.row, *wanted, COUNTED_EDGES + 1),
    )
    if len(rows) > COUNTED_EDGES:
        return 0
    others = {
        (path, site)
        for path, language, sites in rows
        if means(node, language) and question.filter.admits(path, False)
        for site in sites.split()
    }
    return len(others - {(place.path, f"{place.line}:{place.column}") for place in places})


def means(node: Node, language: str) -> bool:
    """Whether a name in code of this language may be that of the symbol."""
    return related(language) == related(node.language)


def may_be_bare(node: Node) -> bool:
    """Whether a plain name may mean a member of the class around, or of one of its bases."""
    return BY_NAME[node.language].tier == "defined" if node.language in BY_NAME else False


def is_named_unseen(node: Node) -> bool:
    """Whether it is a file that nothing parses: how others name such a file, by convention or in part, is unknown. Or a
    member that the language runs where nothing names it."""
    if node.kind == "file":
        return node.language in BY_NAME and BY_NAME[node.language].is_opaque
    return is_run_unnamed(node)


def is_named_in_part(node: Node) -> bool:
    """Whether it is a template or page, which code may name without folder and suffix, or not at all."""
    return node.kind == "module" and node.language in BY_NAME and BY_NAME[node.language].is_markup


def is_run_unnamed(node: Node) -> bool:
    """Whether the language runs it where no code names it, as operators are."""
    if node.kind not in FUNCTION_KINDS or node.language not in BY_NAME:
        return False
    rules = BY_NAME[node.language].rules
    return node.name != rules.constructor and rules.is_run_unnamed(node.name)


def is_member(index: Index, node: Node) -> bool:
    """Whether it belongs to a class, so that only a member access can mean it."""
    around = nodes_by_row(index, [node.parent]) if node.parent is not None else {}
    return any(each.kind in CLASS_KINDS for each in around.values())


def candidates(question: UsageQuery, node: Node) -> list[str]:
    """The other symbols that the possible usages of this one may mean."""
    rows = question.index.rows(
        "SELECT DISTINCT o.symbol FROM edges e "
        "JOIN edges f ON f.source = e.source AND f.kind = e.kind AND f.via = e.via JOIN symbols o ON o.id = f.target "
        "WHERE e.target = ? AND e.via = 'fan-out' AND f.target != e.target AND o.name = ? ORDER BY o.id LIMIT 12",
        (node.row, node.name),
    )
    return [row[0] for row in rows]


def mentions_of(question: UsageQuery, node: Node, known: Collection[tuple[str, int]]) -> Mentions:
    """Where the name stands in files that no parser reads, but for the places that are known."""
    if question.from_graph_only or is_title(node.name) or node.kind in ("directory", "module", "file", "section"):
        return Mentions([], True)
    admits = question.filter.admits
    if ONLY_IN_CODE.issuperset(question.kinds):
        return text_mentions(
            question.index, node.name, lambda path, test: may_hold_code(path) and admits(path, test), known
        )
    return text_mentions(question.index, node.name, admits, known)


def unread_of(question: UsageQuery, node: Node) -> list[tuple[str, bool]]:
    """The files that were not read and may have its name, and whether they are tests."""
    if is_title(node.name) or node.kind in ("directory", "section"):
        return []
    found = unread_files(question.index, question.header, node.language)
    return [(path, test) for path, test in found if question.filter.admits(path, test)]


def pastes_of(question: UsageQuery, node: Node) -> list[Paste]:
    """The macros that may make its name."""
    if question.from_graph_only or node.kind not in (*FUNCTION_KINDS, *CLASS_KINDS, "constant"):
        return []
    found = pasted(question.index, node.name, node.language)
    return [each for each in found if question.filter.admits(each.path, each.test)]


def reason(
    question: UsageQuery, node: Node, total: dict[str, int], is_named_in_text: bool, pastes: Sequence[Paste]
) -> str:
    """Why the list is empty or may be incomplete; empty for a complete list with usages."""
    said = []
    if question.from_graph_only:
        said.append("only the graph file is loaded: unresolved places are unknown; encode the repository")
    if pastes:
        where = ", ".join(f"{each.path}:{each.line}" for each in pastes)
        said.append(f"nothing names it whole; a macro may paste its name: {where}")
    elif not total["certain"]:
        said.append(emptiness(question, node, total, is_named_in_text))
    return "; ".join(filter(None, said))


def emptiness(question: UsageQuery, node: Node, total: dict[str, int], is_named_in_text: bool) -> str:
    if total["possible"] or total["unresolved"]:
        return "no usage is certain: only dynamic ones"
    others = other_uses(question, node)
    if others:
        what = "no such use of it" if len(question.kinds) > 1 else f"no {NOUNS[question.kinds[0]]} of it"
        counts = ", ".join(counted(number, NOUNS[kind]) for kind, number in others.items())
        return f"{what} here; {counted(sum(others.values()), 'other use')}: {counts}"
    if is_named_in_text:
        return "unused in the code that rpg parses"
    if is_run_unnamed(node):
        return "nothing names it; the language runs what is called so without naming it"
    if is_named_unseen(node) or is_named_in_part(node):
        return "nothing names it by its path; others may, in part or by convention: search for its name"
    folder = imported_folder(question.index, node)
    if folder:
        return f"nothing names it alone; its folder is imported: usages {folder}"
    if node.test:
        return "unused in the code: the test runner calls tests"
    outside = called_from_outside(question.index, node)
    if outside:
        return f"unused in this repository; {outside}"
    external = question.index.rows(
        "SELECT count(DISTINCT source) FROM places WHERE name = ? AND reason = 'external'", (node.name,)
    )[0][0]
    if external:
        return f"unused: the name occurs in {external} files, but there it means something outside the repository"
    if node.kind in CLASS_KINDS or node.exported:
        return "unused in this repository; it is exported, so outside code may use it"
    return "unused: nothing in this repository names it"


def imported_folder(index: Index, node: Node) -> str:
    """The folder of a file, if code imports it as a whole."""
    if node.kind != "module" or node.parent is None:
        return ""
    if not index.rows("SELECT 1 FROM edges WHERE target = ? AND kind = 'imports' LIMIT 1", (node.parent,)):
        return ""
    return node.path[: node.path.rfind("/") + 1] or "./"


def other_uses(question: UsageQuery, node: Node) -> dict[str, int]:
    """How many uses of other kinds, or outside the filter, there are, by kind; the most frequent first."""
    counts: Counter[str] = Counter()
    for place in edge_sites(replace(question, kinds=USAGE_KINDS, filter=Filter()), {node.row: ""}):
        if place.kind not in question.kinds or not question.filter.admits(place.path, place.test):
            counts[place.kind] += 1
    return dict(counts.most_common())


class Frame(NamedTuple):
    """One symbol's answer before truncation: counts, then its usages, then what depends on those."""

    summary: SymbolUsages
    places: list[UsageSite]
    affected: list[Affected]

    @property
    def parts(self) -> int:
        return 1 + len(self.places) + len(self.affected)


def cut_out(frames: Sequence[Frame], sources: Sources, first: int, last: int, folds_tests: bool) -> list[SymbolUsages]:
    """The parts from `first` to before `last`; a part is a summary, a usage or a group of dependents. A summary is
    repeated where the rest of its list follows."""
    out: list[SymbolUsages] = []
    for number, begin, end in within((frame.parts for frame in frames), first, last):
        summary, places, dependents = frames[number]
        rest = 1 + len(places)
        groups = grouped(places[max(0, begin - 1) : end - 1], sources, folds_tests)
        out.append(
            replace(
                summary,
                certain=groups["certain"],
                possible=groups["possible"],
                unresolved=groups["unresolved"],
                affected=dependents[max(0, begin - rest) : max(0, end - rest)],
            )
        )
    return out


def grouped(places: Iterable[UsageSite], sources: Sources, folds_tests: bool) -> dict[str, list[FileUsages]]:
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
