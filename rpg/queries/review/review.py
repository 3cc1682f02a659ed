"""Puts a review together from the verdict on a change, its dependents, its tests and its files.

In: an index of the work tree, the repository's folder, revisions. Out: a `Review`. Broken places come from
rpg/queries/check/, tests from rpg/queries/tests_to_run/; nothing is judged here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.encoder.languages import find_language
from rpg.encoder.source_files import git
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.check.find_broken import find_broken
from rpg.queries.check.verdict import Broken, Verdict
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.functional_view import area_of, functional_view
from rpg.queries.graph.nodes import Node
from rpg.queries.places.impact import impact
from rpg.queries.tests_to_run.answer import FoundTest, find_tests
from rpg.queries.tests_to_run.changed_code import find_changed_code
from rpg.repository import commit_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

HOPS = 3
"""How far callers are counted."""
MOST_AT_RISK = 60
"""Of how many changed symbols the callers are counted."""
NEAREST = 4
"""How many callers of each are named."""
SIGNATURE, BODY = "signature", "body"
CODE, TEST, TEXT = "code", "test", "text"
KINDS = (CODE, TEST, TEXT)
"""In the order of a review."""


@dataclass(frozen=True, kw_only=True)
class AtRisk:
    """A changed symbol that others use."""

    symbol: str
    path: str
    line: int
    what: str
    """signature, or body."""
    callers: list[int] = field(default_factory=list)
    """How many symbols outside tests use it, by distance."""
    nearest: list[str] = field(default_factory=list)
    """`path:line name` of the first few."""


@dataclass(frozen=True, kw_only=True)
class ChangedFile:
    path: str
    status: str
    """added, modified, deleted, renamed."""
    kind: str
    """code, test, or text."""
    was: str = ""
    symbols: int = 0
    """How many of its symbols changed; 0 for code with other imports, comments or layout alone."""


@dataclass(frozen=True, kw_only=True)
class Review:
    base: str
    head: str = ""
    """Empty: the work tree."""
    broken: list[Broken] = field(default_factory=list)
    checked: int = 0
    """How many uses were compared with before, or stand in changed lines and were judged there."""
    at_risk: list[AtRisk] = field(default_factory=list)
    """Changed signatures first, then by the number of callers."""
    untested: list[str] = field(default_factory=list)
    tests: list[FoundTest] = field(default_factory=list)
    more_tests: int = 0
    areas: dict[str, int] = field(default_factory=dict)
    """How many symbols changed, by area."""
    files: list[ChangedFile] = field(default_factory=list)
    """Code before tests before text."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Symbols, before -> after; not those that only moved with their file."""
    unjudged: list[str] = field(default_factory=list)
    left_out: int = 0
    note: str = ""


def review(index: Index, header: dict[str, Any], root: Path, base: str, head: str) -> Review:
    """`head`: a second revision in place of the work tree. BAD_REQUEST if there is no such revision."""
    commit = commit_of(root, base)
    until = commit_of(root, head) if head else ""
    is_here = not until or (until == git.head(root) and not git.changes(root, until))
    verdict = find_broken(index, root, header, commit, "" if is_here else until)
    changed = find_changed_code(index, root, commit)
    tests, _ = find_tests(index, header, changed, commit, False)
    return Review(
        base=base,
        head=head,
        broken=sorted(verdict.broken, key=lambda each: (not each.certain, each.path, each.line)),
        checked=verdict.checked,
        at_risk=find_at_risk(index, header, changed, frozenset(verdict.changed)),
        untested=tests.unreached,
        tests=tests.tests,
        more_tests=tests.others,
        areas=areas_of(index, changed),
        files=list_changed_files(git.changes(root, commit, "" if is_here else until), verdict, changed),
        renamed={old: new for old, new in verdict.renamed.items() if is_by_itself(old, new, verdict)},
        unjudged=verdict.unjudged,
        left_out=verdict.left_out,
        note="" if is_here else "callers, tests and areas are those of the work tree, which is not at this revision",
    )


def find_at_risk(
    index: Index, header: Mapping[str, Any], changed: Collection[Node], visibly: Collection[str]
) -> list[AtRisk]:
    """`visibly`: ids of the symbols that look different from outside."""
    followed = [node for node in changed if node.kind in FUNCTION_KINDS | CLASS_KINDS and not node.test]
    followed.sort(key=lambda node: node.id not in visibly)
    found = []
    for node in followed[:MOST_AT_RISK]:
        reached = impact(index, header, node, ("calls", "references", "inherits"), HOPS, Filter(tests="none"), ())
        by_hop = Counter(dict.fromkeys(range(1, HOPS + 1), 0))
        nearest = []
        for group in reached.affected:
            by_hop[group.hop] += len(group.symbols)
            if group.hop == 1:
                places = zip(group.symbols, group.sites, strict=True)
                nearest += [f"{group.path}:{site.partition(':')[0]} {symbol}" for symbol, site in places]
        if by_hop[1]:
            found.append(
                AtRisk(
                    symbol=node.id,
                    path=node.path,
                    line=node.name_line or node.start_line,
                    what=SIGNATURE if node.id in visibly else BODY,
                    callers=[by_hop[hop] for hop in range(1, HOPS + 1)],
                    nearest=nearest[:NEAREST],
                )
            )
    return sorted(found, key=lambda each: (each.what != SIGNATURE, [-number for number in each.callers]))


def areas_of(index: Index, changed: Collection[Node]) -> dict[str, int]:
    view = functional_view(index)
    areas = Counter(area_of(view.place_of(node.path)) for node in changed if not node.is_file)
    return {area: number for area, number in areas.most_common() if area}


def list_changed_files(
    changes: Collection[git.Change], verdict: Verdict, changed: Collection[Node]
) -> list[ChangedFile]:
    """A rename is one file, not two."""
    was = {new: old for old, new in verdict.renamed.items() if "::" not in old}
    symbols = Counter(node.path for node in changed)
    for each in verdict.changed:
        symbols.setdefault(each.partition("::")[0], 1)
    found = [
        ChangedFile(
            path=each.path,
            status="renamed" if each.path in was else each.status,
            kind=kind_of(each.path),
            was=was.get(each.path, ""),
            symbols=symbols[each.path] if kind_of(each.path) != TEXT else 0,
        )
        for each in changes
        if not (each.status == "deleted" and each.path in was.values())
    ]
    return sorted(found, key=lambda each: (KINDS.index(each.kind), each.path))


def is_by_itself(old: str, new: str, verdict: Verdict) -> bool:
    """Whether a symbol was renamed, and not just the file around it."""
    path, _, name = old.partition("::")
    return bool(name) and f"{verdict.renamed.get(path, path)}::{name}" != new


def kind_of(path: str) -> str:
    language = find_language(path)
    if language.is_text:
        return TEXT
    return TEST if language.rules.is_test(path) else CODE
